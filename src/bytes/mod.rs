//! The bytes of a text, and how they are looked at: the ground floor, which knows
//! neither URLs nor mail.
//!
//! | module | what it has |
//! |---|---|
//! | [`buffer`] | the one rolling buffer |
//! | [`class`] | classes of bytes |
//! | [`position`] | the one line counter |
//! | [`read`] | the one retry of interrupted reads |
//! | [`window`] | the buffered part of a text, which records when it is not enough |

pub(crate) mod buffer;
pub(crate) mod class;
pub(crate) mod position;
pub(crate) mod read;
pub(crate) mod window;
