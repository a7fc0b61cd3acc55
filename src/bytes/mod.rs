//! The bytes of a text, and how they are examined. This is the lowest module: it imports no stage of
//! the search.
//!
//! | module | content |
//! |---|---|
//! | [`buffer`] | the rolling buffer: the part of an input that is still needed |
//! | [`class`] | classes of bytes |
//! | [`file_kind`] | labels of host names that name a kind of files, too |
//! | [`haystack`] | the types that can be searched: strings and bytes |
//! | [`large`] | buffers of many megabytes |
//! | [`name`] | the error for names that are not known, and the short form of long ones |
//! | [`position`] | lines and columns: the line counter |
//! | [`unicode`] | non-ASCII characters: which of them a URL may contain |
//! | [`window`] | the part of a text that is buffered, and whether more is needed |

pub(crate) mod buffer;
pub(crate) mod class;
pub(crate) mod file_kind;
pub(crate) mod haystack;
pub(crate) mod large;
pub(crate) mod name;
pub(crate) mod position;
pub(crate) mod unicode;
pub(crate) mod window;
