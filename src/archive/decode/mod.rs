//! Decoders: the encodings of bodies and header fields.
//!
//! Each decodes bytes to a [`Decoded`](super::source_map::Decoded): the text, and the map from the
//! text back to the bytes. They are independent of messages.
//!
//! | module | decodes |
//! |---|---|
//! | [`transfer`] | quoted-printable and base64 (RFC 2045), and the dots that NNTP and SMTP add (RFC 3977, RFC 5321) |
//! | [`charset`] | charsets in which a byte of ASCII may be part of another character |
//! | [`encoded_word`] | encoded words in header fields (RFC 2047) |
//! | [`der`] | signed data: the entity that is signed (RFC 8551, RFC 5652) |
//! | [`inline_file`] | files in the text itself: uuencode, yEnc, BinHex |
//! | [`parameter`] | the parameters of a Content field (RFC 2045, RFC 2231) |
//! | [`folded`] | folded lines and escapes of calendars and cards (RFC 5545, RFC 6350) |
//! | [`property`] | encoded values of calendars and cards |
//! | [`flowed`] | paragraphs of `format=flowed` (RFC 3676) |
//! | [`html`] | HTML: the text, and the links in attributes |
//! | [`json`] | the JSON strings (RFC 8259) |
//! | [`members`] | the dates and authors of records, and the position of a string in JSON |
//! | [`wat`] | the links of pages in WAT, which is JSON |
//! | [`office`] | the vocabulary of office documents, whose XML `html` reads: elements, fields, formulas |
//! | [`rtf`] | RTF: the text, and the links in fields |

pub(crate) mod charset;
pub(crate) mod der;
pub(crate) mod encoded_word;
pub(crate) mod flowed;
pub(crate) mod folded;
pub(crate) mod html;
pub(crate) mod inline_file;
pub(crate) mod json;
pub(crate) mod members;
pub(crate) mod office;
pub(crate) mod parameter;
pub(crate) mod property;
pub(crate) mod rtf;
pub(crate) mod transfer;
pub(crate) mod wat;
