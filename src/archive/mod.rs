//! Mail and news archives: messages, and the texts in them.
//!
//! [`open`] walks an archive message by message; it decompresses, and reads the members
//! of zip and tar archives. A [`Reader`] does the same for one input that is not compressed. A
//! [message](Message) yields [texts](Text): its header fields and its bodies, decoded.
//! A text maps each of its bytes back to the bytes of the file, so a match has offsets
//! in the file.
//!
//! ```text
//!   bytes ──► container ──────────────────────► message ──────► decode ──────► Text
//!             compress   format   mbox, rnews   structure       transfer,
//!             gz, bz2 …  what     where does a  which parts     charset,
//!                        is it?   message end?  does it have?   flowed, html
//! ```
//!
//! An input that is not text in a superset of ASCII, such as UTF-16 or PDF, is first
//! [converted](Reader::is_converted) to such text.
//!
//! Damage never hides an intact message. A message whose structure is not valid is read as text,
//! and bytes that cannot be decoded are read verbatim. An error of the container is returned where
//! it occurs, and the next call continues if it can.
//!
//! | to … | use |
//! |---|---|
//! | read the messages of a file by its path | [`open`], which returns an [`Archive`] |
//! | read the messages of one input that is not compressed | [`Reader`] |
//! | unpack an input, and read its files yourself | [`Files`] |
//! | read the messages of an Outlook mailbox | [`Pst`], with [`Files`] |
//! | divide a large file for several processes | [`parts`] and [`open_range`], by [`Part`] |
//!
//! This module does not search for URLs. [`Finder::archive`] searches an archive, and
//! [`Finder::find_in`] searches a text. It requires the feature `archive`.
//!
//! [`Finder::archive`]: crate::Finder::archive
//! [`Finder::find_in`]: crate::Finder::find_in

// Sources are lists of ranges; in tests, a list often contains only one.
#![cfg_attr(test, allow(clippy::single_range_in_vec_init))]

// | module | contains |
// |---|---|
// | `container` | the formats, a file and a row each; decompression, and the files in archives |
// | `convert` | inputs that are not text in a superset of ASCII |
// | `split_points`, `range`, `seek_points` | where a file can be divided, and its parts |
// | `decode` | transfer codings, charsets, HTML, and other codings |
// | `delimiter` | the lines between parts (RFC 2046 §5.1.1) |
// | `events` | the files of an input and their messages: every search of files loops over these |
// | `header`, `role` | the header fields of a message, and the roles of links |
// | `input`, `reader`, `splitter` | the bytes of an input, its messages, and where each ends |
// | `limits` | the limits of a message, and of the archives around it |
// | `mapped`, `source_map` | decoded text, and the way back to its source |
// | `memory` | the budget for long messages |
// | `message` | the parts of a message, and the documents in it |
// | `options` | `ReadOptions` |
// | `pst` | mailboxes of Outlook |
// | `reading`, `what` | how a text is read, and what bytes are |
// | `shortened` | files that become shorter while they are read |
// | `walk` | the owned walk of an archive |

mod container;
mod convert;
mod decode;
mod delimiter;
mod events;
mod header;
mod input;
mod limits;
mod mapped;
mod memory;
mod message;
mod options;
mod pst;
mod range;
mod reader;
mod reading;
mod role;
mod seek_points;
mod shortened;
mod source_map;
mod split_points;
mod splitter;
mod walk;
mod what;

#[cfg(test)]
pub(crate) use limits::Limits;

pub use container::Format;
pub use container::binary::Binary;
pub use container::files::{File, Files};
pub use decode::html::Link;
pub(crate) use decode::html::LinkIter;
pub use limits::{MAX_DEPTH, MAX_MESSAGE_LEN};
pub use message::envelope::Envelope;
pub use message::message::Message;
pub(crate) use message::message::PassthroughMessage;
pub use message::record::Record;
pub use message::text::Text;
pub(crate) use message::text_cache::{CopiedLink, LinkAddress};
pub use message::texts::Texts;
pub use message::undecoded::Undecoded;
pub use options::{Attachments, ReadOptions};
pub use pst::Pst;
pub use range::{Part, open_range, parts};
pub use reader::Reader;
pub use role::Role;
pub use walk::{Archive, open};

/// Functions for programs and packages that search a file in several threads, or its parts on
/// several machines. This module may change with any version.
#[doc(hidden)]
pub mod internal {
    pub use crate::archive::container::compress::step::Damage;
    pub use crate::archive::container::csv::is_name as may_be_rows;
    pub use crate::archive::container::files::FileSource;
    pub use crate::archive::container::mbox::LOOKAHEAD;
    pub use crate::archive::events::{Event, Events, Note};
    pub use crate::archive::limits::MAX_LAYERS;
    pub use crate::archive::memory::Memory;
    pub use crate::archive::range::{Division, align, format_by_name};
    pub use crate::archive::seek_points::members::GzipMembers;
    pub use crate::archive::seek_points::{Framed, SeekPoint, SeekPoints};
    pub use crate::archive::shortened::{became_shorter, check_not_shortened};
    pub use crate::archive::split_points::first_split_point;

    /// Returns true if a text consists of calendar or card properties, each of which begins a line.
    pub fn has_properties(text: &crate::archive::message::text::Text<'_>) -> bool {
        text.reading.has_properties
    }

    /// Returns true if a text that is read verbatim may be the source of a page: it begins with a tag, or `near`, a
    /// part before or after a match, contains a tag with an attribute value.
    pub fn is_source(text: &crate::archive::message::text::Text<'_>, near: [&[u8]; 2]) -> bool {
        use crate::archive::decode::html;
        let head = &text.as_bytes()[..text.as_bytes().len().min(200)];
        let begins = || head.trim_ascii_start().starts_with(b"<") && html::is_fragment(head);
        text.reading.read.is_none() && (begins() || near.into_iter().any(html::has_attribute))
    }

    /// Returns the text that a reader sees in a part of a page.
    pub fn shown(source: &[u8]) -> Vec<u8> {
        crate::archive::decode::html::read(source, Default::default()).text.bytes
    }
}
