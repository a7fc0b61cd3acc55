//! Outlook files as mail: mailboxes (PST, OST), messages (`.msg`, `.oft`) and `winmail.dat` (TNEF).
//!
//! Each of these formats stores a message as properties. This crate writes the original mail, or new mail for a
//! message that was never sent, and records for each byte which bytes of the file encode it. It knows only Outlook formats: the
//! mail is for a reader of mail.
//!
//! ```text
//!   mailbox ──► nodes ────┐
//!                         ├──► properties ──► mail ──► Text
//!   .msg ─────► streams ──┘
//!
//!   winmail.dat ──► ranges of its bodies and attachments
//! ```
//!
//! The user implements [`Text`]: the mail is written to it, and it answers what only a reader of mail and of
//! HTML knows. Memory is bounded for every input, and no input causes a panic.
//!
//! This crate is a part of `urlgrep`, and its interface may change with any version.
//!
//! | module | contains |
//! |---|---|
//! | [`text`] | the trait of the type to which the mail is written |
//! | [`filetime`] | dates, which count from 1601 |
//! | [`rtf`] | compressed RTF |
//! | [`tnef`] | the bodies and attachments of `winmail.dat` |
//! | `mail` | the mail that is written from properties |
//! | [`msg`] | the properties in a compound file |
//! | [`pst`] | the properties in a mailbox |

#![forbid(unsafe_code)]
// Sources are lists of ranges, and in tests often of one.
#![cfg_attr(test, allow(clippy::single_range_in_vec_init))]

pub mod filetime;
mod mail;
pub mod msg;
pub mod pst;
pub mod rtf;
pub mod text;
pub mod tnef;

pub use pst::Pst;
pub use text::{Body, Text};
