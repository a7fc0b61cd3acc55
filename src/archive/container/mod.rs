//! The files that hold messages.

pub(crate) mod compress;
pub(crate) mod files;
pub(crate) mod format;
pub(crate) mod mbox;
pub(crate) mod rnews;
