//! Containers: what holds messages, and where each of them ends.
//!
//! | module | what it recognises or reads |
//! |---|---|
//! | [`files`] | the files of an input: itself, decompressed, or the members of an archive |
//! | [`layer`], [`recognise`], [`budget`], [`member`] | archives in archives, compressed or not: what each is, and how much it may become |
//! | [`compress`] | gzip, bzip2, xz, zstd, lz4, lzma, lzip, compress |
//! | [`tar`] | tar archives |
//! | [`zip`] | zip archives |
//! | [`binary`] | known files that are not text |
//! | [`format`](mod@format) | mbox, MMDF and the like, news batch, single message, calendar, HTML or text |
//! | [`mbox`] | the separators of an mbox (RFC 4155) |
//! | [`mmdf`] | the delimiters of an MMDF mailbox |
//! | [`babyl`] | the messages of a Babyl mailbox, and their two heads |
//! | [`mbx`] | the messages of an MBX mailbox, by their lengths |
//! | [`listserv`] | the lines between the messages of a log of LISTSERV |
//! | [`emlx`] | the message in a file of Apple Mail, by its length |
//! | [`warc`] | the records of a web archive (ISO 28500), and of ARC |
//! | [`rnews`] | the articles of a news batch (RFC 5537) |
//! | [`calendar`] | the beginning of a calendar or a card (RFC 5545, RFC 6350) |
//! | [`ldif`] | the beginning of LDIF (RFC 2849) |
//! | [`mork`] | the beginning of a database of Mozilla |
//! | [`markup`] | the beginning of a page of HTML, of XML, and of a fragment of one |
//! | [`mail`] | the beginning of a message (RFC 5322, RFC 5536) |
//!
//! None of them knows what is in a message beyond the syntax of its header fields.

pub(crate) mod babyl;
mod binary;
mod budget;
pub(crate) mod calendar;
mod compress;
pub(crate) mod emlx;
pub(crate) mod files;
pub(crate) mod format;
pub(crate) mod gap;
pub(crate) mod layer;
mod ldif;
pub(crate) mod listserv;
pub(crate) mod mail;
mod markup;
pub(crate) mod mbox;
pub(crate) mod mbx;
mod member;
pub(crate) mod mmdf;
mod mork;
pub(crate) mod recognise;
pub(crate) mod rnews;
pub(crate) mod tar;
pub(crate) mod warc;
mod zip;

#[cfg(test)]
#[path = "../../../tests/it/make/encode.rs"]
mod encode;
