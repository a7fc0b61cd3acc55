//! The ways to read a text: its decoding after the charset, and other parts that are read.
//!
//! A [`Reading`] is a value in the file of a format. The format's row and a declared type refer to the same value, so
//! a text is read the same way whether its first bytes or its type identify it.

use std::ops::Range;

use super::decode::folded::{self, Unfolded};
use super::decode::json::Strings;
use super::decode::members::RecordNotation;
use super::decode::{charset, html};
use super::mapped::Mapped;
use super::source_map::Decoded;

pub(crate) use super::decode::html::{Markup, Wanted};

/// The way to read a text.
#[derive(Debug)]
pub(crate) struct Reading {
    /// Reads it; `None` if it is searched verbatim.
    pub(crate) read: Option<fn(&[u8], Wanted) -> ReadText>,
    /// True if it may declare its charset itself.
    pub(crate) is_markup: bool,
    /// True if it may be the page of a message, whole or a fragment.
    pub(crate) may_be_page: bool,
    /// The notation of data records in it, each with its date and author, if it may contain any.
    pub(crate) records: Option<&'static RecordNotation>,
    /// True if it contains properties, each on its own line.
    pub(crate) has_properties: bool,
    /// True if its lines are rows of cells.
    pub(crate) is_rows: bool,
    /// Finds the documents in the text.
    pub(crate) values: Option<ValueFinder>,
    /// Returns why a part of the text is not read, judged by its bytes; `None` for most texts.
    pub(crate) warning: fn(&[u8]) -> Option<&'static str>,
}

/// Finds the values in a text that are documents.
#[derive(Debug)]
pub(crate) struct ValueFinder {
    /// The values, in order.
    pub(crate) find: fn(&[u8], &Markup) -> Vec<TextValue>,
    /// True if they are attachments, and not the text of messages.
    pub(crate) are_attachments: bool,
}

/// A value in a text.
#[derive(Clone, Debug)]
pub(crate) struct TextValue {
    pub(crate) content: Range<usize>,
    /// The range that is not text; the texts before and after it are read separately.
    pub(crate) left_out: Range<usize>,
    /// Decodes the content; the flag is [`ReadOptions::offsets`](super::options::ReadOptions).
    pub(crate) decode: for<'m> fn(Mapped<'m>, bool) -> Mapped<'m>,
}

/// A text that was read.
#[derive(Debug, Default)]
pub(crate) struct ReadText {
    /// `None` if it is unchanged.
    pub(crate) decoded: Option<Decoded>,
    /// The offsets at which lines were joined without a guess.
    pub(crate) joins: Vec<usize>,
    /// The ends of its strings, each of which is a separate text.
    pub(crate) ends: Option<Vec<usize>>,
    pub(crate) markup: Option<Markup>,
}

/// The maximum length of the first rows of a table, in bytes.
pub(crate) const TABLE_HEAD: usize = 64 * 1024;

/// The declarations of a page or a table that apply to all of it. If the page is read in pieces, only the first pieces
/// contain the declarations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared {
    /// The charset of its head or its type; empty without one.
    pub(crate) charset: Vec<u8>,
    /// The URL in `<base>`.
    pub(crate) base: Option<Vec<u8>>,
    /// The beginning of a table.
    pub(crate) table: Vec<u8>,
}

/// Text that is searched verbatim.
pub(crate) static TEXT: Reading = Reading::TEXT;

impl Reading {
    /// The reading of a text, unless its format declares another.
    pub(crate) const TEXT: Reading = Reading {
        read: None,
        is_markup: false,
        may_be_page: false,
        records: None,
        has_properties: false,
        is_rows: false,
        values: None,
        warning: |_| None,
    };

    /// The charset of a text: `label`, if any, or the charset that a page declares in its first
    /// bytes.
    pub(crate) fn charset<'b>(&self, label: &'b [u8], bytes: &'b [u8]) -> &'b [u8] {
        if self.is_markup && label.is_empty() { charset::declared(bytes) } else { label }
    }

    /// Returns the declarations of a page or a table up to the end of `bytes`, or `None` for
    /// another text. `bytes` is the next piece; `before` holds the declarations of the earlier
    /// ones.
    pub(crate) fn declared(&self, label: &[u8], bytes: &[u8], before: Option<&Declared>) -> Option<Declared> {
        if self.is_rows {
            let table = bytes[..bytes.len().min(TABLE_HEAD)].to_vec();
            return before.cloned().or(Some(Declared { table, ..Declared::default() }));
        }
        let read = self.read.filter(|_| self.is_markup)?;
        let base = before.and_then(|before| before.base.clone());
        let base = base.or_else(|| read(bytes, Wanted::default()).markup?.base);
        let charset = before.map_or_else(|| self.charset(label, bytes), |before| &before.charset);
        Some(Declared { charset: charset.to_vec(), base, ..Declared::default() })
    }

    /// Returns the reading of a document that contains links.
    pub(crate) const fn of(read: fn(&[u8], Wanted) -> ReadText) -> Reading {
        Reading { read: Some(read), ..Reading::TEXT }
    }

    /// A text of markup, which may be a page.
    pub(crate) const fn of_pages(read: fn(&[u8], Wanted) -> ReadText) -> Reading {
        Reading { is_markup: true, may_be_page: true, ..Reading::of(read) }
    }
}

impl ReadText {
    /// The text of a page or a document with its links.
    pub(crate) fn linked(html: html::Html) -> ReadText {
        let markup = Markup { links: html.links, roles: html.roles, base: html.base, ..Markup::default() };
        ReadText { decoded: Some(html.text), markup: Some(markup), ..ReadText::default() }
    }

    /// Text with unfolded lines or decoded escapes; `None` if `source` contains no such lines.
    pub(crate) fn unfolded(source: &[u8], unfolded: Option<Unfolded>) -> ReadText {
        let (decoded, joins) = unfolded.map(|Unfolded { decoded, joins }| (decoded, joins)).unzip();
        let roles = folded::addresses(decoded.as_ref().map_or(source, |decoded| &decoded.bytes));
        let markup = Some(Markup { roles, ..Markup::default() });
        ReadText { decoded, joins: joins.unwrap_or_default(), markup, ends: None }
    }

    /// The JSON strings, with their links.
    pub(crate) fn strings(strings: Strings) -> ReadText {
        let Strings { decoded, ends, markup, .. } = strings;
        ReadText { decoded: Some(decoded), ends: Some(ends), markup: Some(markup), joins: Vec::new() }
    }
}
