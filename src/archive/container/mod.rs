//! Containers, which hold messages, and the ends of these messages.
//!
//! | module | recognises or reads |
//! |---|---|
//! | [`files`] | the files of an input: itself, decompressed, or the archive members |
//! | [`layer`], [`budget`] | nested archives, compressed or not: the kind of each, and the limit on its output |
//! | [`compress`] | gzip, bzip2, xz, zstd, lz4, lzma, lzip, compress |
//! | [`tar`] | tar archives |
//! | [`zip`] | zip archives |
//! | [`binary`] | known files that are not text |
//! | [`format`](mod@format) | the description of formats, and the format of a file |
//! | [`mbox`] | an mbox (RFC 4155), and a single message |
//! | [`mboxcl`] | an mbox with the lengths of its bodies |
//! | [`row`] | messages in a row, with nothing between them |
//! | [`mmdf`] | an MMDF mailbox |
//! | [`babyl`] | an RMAIL mailbox |
//! | [`mbx`] | a mailbox of the University of Washington's IMAP server |
//! | [`listserv`] | a LISTSERV log |
//! | [`emlx`] | a file of Apple Mail |
//! | [`rnews`] | a news batch (RFC 5537) |
//! | [`git`] | the messages of public-inbox, as `git cat-file --batch` prints them |
//! | [`warc`] | a web archive (ISO 28500), or ARC |
//! | [`calendar`] | a calendar or cards (RFC 5545, RFC 6350) |
//! | [`ldif`] | LDIF (RFC 2849) |
//! | [`mork`] | a database of Mozilla |
//! | [`rtf`] | a document in RTF |
//! | [`office`] | the XML of office documents |
//! | [`markup`] | a page of HTML, XML, and a fragment of one |
//! | [`json`] | JSON (RFC 8259), and lines of it |
//! | [`csv`] | rows of cells (RFC 4180) |
//! | [`chat`] | chats as text |
//! | [`mail`] | the beginning of a message (RFC 5322, RFC 5536) |
//!
//! These modules do not know the content of a message beyond the syntax of its header fields.
//!
//! A format is a value in a file of its own, and a line in each of four lists: the modules
//! above and below, [`Format`] and [`FORMATS`]. Other code names only the formats that it treats specially.

mod babyl;
pub(crate) mod binary;
mod budget;
pub(crate) mod calendar;
mod chat;
pub(crate) mod compress;
pub(crate) mod csv;
mod emlx;
pub(crate) mod files;
pub(crate) mod format;
mod git;
pub(crate) mod json;
pub(crate) mod layer;
mod ldif;
mod listserv;
pub(crate) mod mail;
pub(crate) mod markup;
pub(crate) mod mbox;
mod mboxcl;
mod mbx;
mod mmdf;
mod mork;
pub(crate) mod office;
mod rnews;
mod row;
pub(crate) mod rtf;
pub(crate) mod tar;
pub(crate) mod warc;
mod zip;

use std::io;

use self::format::Framing;

/// The format of an input.
///
/// The format is recognised by the first bytes of the input, after empty lines and a byte order
/// mark. The file name does not matter except for [`Csv`](Self::Csv), because it is unreliable and
/// a pipe does not have one. Input in UTF-16 or UTF-32, and mail with only a carriage return at the
/// end of each line, has been [converted](super::Reader::is_converted) before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Messages, each between two lines of four bytes 0x01: MMDF.
    Mmdf,
    /// Messages of RMAIL, Emacs's mail reader, after the mailbox options (`BABYL OPTIONS:`).
    Babyl,
    /// Messages, each after a line with its length: the format `mbx` of the IMAP server of
    /// the University of Washington. It begins with `*mbx*`.
    Mbx,
    /// One message after a line with its length, and a property list: a file of Apple Mail.
    Emlx,
    /// Calendars (RFC 5545) or cards (RFC 6350).
    Calendar,
    /// Web archive records: WARC (ISO 28500), including WET and WAT, or ARC. Each is a message,
    /// whose [record](crate::archive::Message::record) describes its origin.
    ///
    /// Bodies are read by their media type, after decoding their transfer coding and content codings.
    /// Only the HTTP fields Link and Location are read. The headers of records, requests, and records
    /// that describe the file (`warcinfo`) are not.
    Warc,
    /// Messages of LISTSERV, each after a line of 73 `=`.
    Listserv,
    /// Directory or address book entries (RFC 2849): folded lines, and values in base64.
    Ldif,
    /// A Mozilla database as text: a Thunderbird index or address book, or the history of an old
    /// browser.
    Mork,
    /// An RTF document: its text, and the links in its fields.
    Rtf,
    /// XML of an office document: a part of OOXML (`.docx`, `.xlsx`, `.pptx`) or OpenDocument (`.odt`, `.ods`, `.odp`),
    /// or a document in one file (`.fodt`).
    ///
    /// The text consists of paragraphs and cells; links come from relationships, fields, formulas
    /// and anchors. Namespaces and references to other parts are not read.
    Office,
    /// An HTML page: it begins with an HTML tag or a document type, optionally after comments.
    Html,
    /// XML, or a fragment of it or of HTML: the text of its elements, its comments and declarations, and the
    /// URLs in attributes.
    ///
    /// The file begins with an XML declaration, a document type, or a tag that is not a word in
    /// brackets.
    Xml,
    /// JSON (RFC 8259): a value, or one in each line. Each string is decoded and is a separate
    /// text; other bytes are text up to the end of their line.
    ///
    /// The file begins with an object that has a member, or with an array that contains a string or
    /// such an object.
    Json,
    /// Objects of a git repository, as `git cat-file --batch` prints them: messages of public-inbox.
    Git,
    /// A batch of news articles, each after a `#! rnews` line.
    Rnews,
    /// An mbox with a correct Content-Length in its first message. Each correct length is used, so lines like `From `
    /// lines in a body do not matter.
    Mboxcl,
    /// Messages, each after a `From ` line (RFC 4155 and its predecessors).
    Mbox,
    /// One message, such as a file of a Maildir, an MH folder or a news spool; or several messages
    /// without separators.
    ///
    /// The file begins with header fields, two of which occur only in mail and news. Any line may
    /// precede them. A multipart that was saved without the header of its message begins with its
    /// Content-Type.
    Mail,
    /// Rows of cells (RFC 4180), with commas, semicolons or tabs between the cells.
    ///
    /// Its first two rows have the same number of cells, and its name ends in `.csv` or `.tsv`: names
    /// are a hint for this format only.
    Csv,
    /// A chat, as WhatsApp, LINE and KakaoTalk export it: lines of text, each with its time and author.
    Chat,
    /// Text without structure: anything else.
    Text,
}

/// The row of each format, in the order of [`Format`].
///
/// The format of a file is the first one with this beginning.
static FORMATS: [&Framing; Format::Text as usize + 1] = [
    // Each of these formats begins with its own magic text. Only an ARC line may begin like LDIF,
    // because the scheme of its URL may be `dn`, and its other words are the better evidence.
    &mmdf::FRAMING,
    &babyl::FRAMING,
    &mbx::FRAMING,
    &emlx::FRAMING,
    &calendar::FRAMING,
    &warc::FRAMING,
    &listserv::FRAMING,
    &ldif::FRAMING,
    &mork::FRAMING,
    &rtf::FRAMING,
    // Office documents may have an XML declaration, a document type or comments before the HTML.
    &office::FRAMING,
    &markup::HTML,
    &markup::XML,
    // Only JSON begins with a bracket and a quotation mark, except for a line before a message.
    &json::FRAMING,
    // The first line of a message is arbitrary, so it may also begin one of the next formats.
    &git::FRAMING,
    &rnews::FRAMING,
    &mboxcl::FRAMING,
    &mbox::FRAMING,
    &mbox::SINGLE,
    // Only a file name shows CSV.
    &csv::FRAMING,
    // The lines of a chat are text.
    &chat::FRAMING,
    // Anything is text.
    &format::TEXT,
];

/// Each format has exactly one row.
const _: () = {
    let mut n = 0;
    while n < FORMATS.len() {
        assert!(FORMATS[n].format as usize == n, "the formats and their rows have the same order");
        n += 1;
    }
};

impl Format {
    /// The row of this format in [`FORMATS`].
    pub(crate) fn framing(self) -> &'static Framing {
        FORMATS[self as usize]
    }

    /// Returns the formats with a [name](Self::name), the general ones first.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::archive::Format;
    ///
    /// let by_name = |name| Format::named().find(|format| format.name() == Some(name));
    /// assert_eq!(by_name("mbox"), Some(Format::Mbox));
    /// assert_eq!(by_name("mobx"), None);
    /// ```
    pub fn named() -> impl DoubleEndedIterator<Item = Format> {
        FORMATS.iter().rev().filter(|framing| framing.name.is_some()).map(|framing| framing.format)
    }

    /// Returns the name, as an option value, or `None` for a format that you need not set because
    /// its first bytes always show it.
    pub fn name(self) -> Option<&'static str> {
        self.framing().name.map(|(name, _)| name)
    }

    /// Returns a short description of a format with a [name](Self::name), for a help text.
    pub fn description(self) -> Option<&'static str> {
        self.framing().name.map(|(_, description)| description)
    }
}

/// An archive member, before its data are read.
#[derive(Debug)]
struct Member {
    /// The name as written, in any encoding; `/` separates the parts of a path.
    name: Vec<u8>,
    /// The reason why the data cannot be read, if they cannot.
    refused: Option<io::Error>,
}

// `encode` makes files for tests.
#[cfg(test)]
#[path = "../../../tests/it/make/encode.rs"]
mod encode;
