//! The bytes of a text, and how they are looked at: the ground floor, which knows
//! neither URLs nor mail.
//!
//! | module | what it has |
//! |---|---|
//! | [`window`] | the part of a text that is buffered, and whether more is needed |
//! | [`class`] | classes of bytes |
//! | [`read`] | reads that are tried again when a signal interrupts them |

pub(crate) mod class;
pub(crate) mod read;
pub(crate) mod window;
