//! Containers: what holds messages, and where each of them ends.
//!
//! | module | what it recognises or reads |
//! |---|---|
//! | [`files`] | the files of an input: itself, decompressed, or the members of a zip archive |
//! | [`compress`] | gzip, bzip2, xz, zstd, lz4, compress, zip |
//! | [`format`](mod@format) | mbox, news batch, single message, calendar, HTML or text |
//! | [`mbox`] | the separators of an mbox (RFC 4155) |
//! | [`rnews`] | the articles of a news batch (RFC 5537) |
//! | [`calendar`] | the beginning of a calendar or a card (RFC 5545, RFC 6350) |
//! | [`mail`] | the beginning of a message (RFC 5322, RFC 5536) |
//!
//! None of them knows what is in a message beyond the syntax of its header fields.

pub(crate) mod calendar;
pub(crate) mod compress;
pub(crate) mod files;
pub(crate) mod format;
pub(crate) mod mail;
pub(crate) mod mbox;
pub(crate) mod rnews;
