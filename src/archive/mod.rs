//! Mail and news archives: messages, and the texts in them.
//!
//! [`open`] decompresses. A [`Reader`] takes what a file holds apart into
//! [messages](Message), and a message into [texts](Text): its header fields and
//! its bodies, decoded. A text knows the way back, so that whatever is found in it
//! can be pointed at in the file.
//!
//! ```text
//!   bytes ──► compress ──► format ──► mbox, rnews ──► walk ────────► decoders ──► Text
//!             gz, bz2 …    what is    where does a    which parts    transfer,
//!                          this?      message end?    has it?        charset,
//!                                                                    flowed, html
//! ```
//!
//! Nothing is so damaged that it could not be read. What cannot be taken apart is
//! a text as it stands, and what cannot be decoded is left as it is.
//!
//! This module knows mail and nothing of URLs; [`Finder::find_in`] searches a
//! text. It takes the feature `archive`.
//!
//! [`Finder::find_in`]: crate::Finder::find_in

// Sources are lists of ranges, and in tests often of one.
#![cfg_attr(test, allow(clippy::single_range_in_vec_init))]

mod container;
mod decode;
mod header;
mod lines;
mod message;
mod reader;
mod source_map;

pub use container::files::{File, Files, open};
pub use container::format::Format;
pub use container::mbox::LOOKAHEAD;
pub use message::envelope::Envelope;
pub(crate) use message::message::PlainMessage;
pub use message::message::{Message, Texts};
pub use message::structure::DEPTH;
pub use message::text::{Link, Text};
pub use reader::{LIMIT, Reader};
