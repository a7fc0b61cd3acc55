//! One message: its header, its structure, and the texts in it.
//!
//! ```text
//!   bytes of a message ──► passthrough ─────────────────────────► Text
//!                     │    needs no decoding
//!                     └──► structure ───────► decode, unfold ───► Text
//!                          heads and bodies   (module decode)
//! ```
//!
//! | module | content |
//! |---|---|
//! | [`message`] | the message, and its parts, such as a text, a document or a message |
//! | [`texts`] | the iterator over its texts, layer by layer |
//! | [`body`] | bodies, each decoded by its kind |
//! | [`encoded`] | bodies without their transfer encoding |
//! | [`attached`], [`attachment`] | documents in messages, and the files in archives among them |
//! | [`digest`] | the messages of a digest of plain text (RFC 1153) |
//! | [`arena`] | decoded bytes that have a structure of their own |
//! | [`nested`] | the messages of a document that is in a message |
//! | [`part_context`] | the part that a document is |
//! | [`values`] | a text with values in it that are documents |
//! | [`text`] | a text: the bytes to search, their positions, and their context in the message |
//! | [`text_cache`] | the data that the matches of a text share if they outlive it |
//! | [`structure`] | heads and bodies, nested or not (RFC 2046) |
//! | [`passthrough`] | messages that need no decoding, recognised without the structure |
//! | [`kind`] | the kinds of bodies, by their media types |
//! | [`mime`] | the Content fields (RFC 2045, RFC 2231) |
//! | [`envelope`] | Message-ID, From, Date, Subject and the other fields (RFC 5322) |
//! | [`page`] | the heads of messages that archives of lists show as HTML |
//! | [`data`] | records in data: when something was written, and by whom |
//! | [`record`] | web archive records (ISO 28500), and the parts that are read |
//! | [`web`] | the texts of such a record |
//! | [`http`] | transfer and content codings of HTTP (RFC 9110, RFC 9112) |
//! | [`undecoded`] | bodies that were not decoded |
//! | [`date`] | dates (RFC 5322, RFC 822, RFC 850) as RFC 3339 writes them |
//! | [`unfold`] | fields whose folds are not part of their URLs (RFC 2369, RFC 2017, RFC 2557) |

pub(crate) mod arena;
mod attached;
mod attachment;
pub(crate) mod body;
pub(crate) mod data;
pub(crate) mod date;
pub(crate) mod digest;
pub(crate) mod encoded;
pub(crate) mod envelope;
mod http;
pub(crate) mod kind;
#[allow(clippy::module_inception)]
pub(crate) mod message;
pub(crate) mod mime;
mod nested;
pub(crate) mod page;
mod part_context;
pub(crate) mod passthrough;
pub(crate) mod record;
pub(crate) mod structure;
pub(crate) mod text;
pub(crate) mod text_cache;
pub(crate) mod texts;
pub(crate) mod undecoded;
pub(crate) mod unfold;
mod values;
mod web;
