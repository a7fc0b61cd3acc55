//! Divides a message that is too long into pieces.
//!
//! A piece is parsed like a message, starting with the structures that were open at the end of the
//! piece before it. It ends where the texts of the two pieces together are the texts of the whole
//! message: in a body, at an empty line of the decoded text, or else at a line break; between
//! parts; or before the header of a part. The bytes before and after a split point are encoded by different
//! bytes of the file: in base64, a split point is between two quartets.

//!
//! A document in the body continues in the next piece, which knows its format and the number of its messages so far. A
//! message in the document that is split is continued like the message around it.

use std::cell::Cell;

use memchr::{memmem, memrchr_iter};

use super::document::OpenDocument;
use crate::archive::container::format::{Format, Shape};
use crate::archive::decode::{charset, property};
use crate::archive::delimiter::before_content;
use crate::archive::header::after_empty_line;
use crate::archive::limits::Limits;
use crate::archive::mapped::Mapped;
use crate::archive::message::encoded::{examined, transferred};
use crate::archive::message::kind::MediaKind;
use crate::archive::message::mime::{Mime, TransferEncoding};
use crate::archive::message::page;
use crate::archive::message::record::Record;
use crate::archive::message::structure::{Continuation, DocumentSplit, MessageSplit, PieceEnding, Structure};
use crate::archive::message::text::TextKind;
use crate::archive::options::{Attachments, ReadOptions};
use crate::archive::reading::Declared;
use crate::archive::what::{self, Hint, What};

/// The structures that are open at the end of a piece of a message, and continue in the next one.
#[derive(Debug)]
pub(crate) struct Unclosed {
    pub(crate) structure: Continuation,
    /// The document in the open body.
    pub(crate) document: Option<OpenDocument>,
    /// The declarations of the open body, if it is a page.
    pub(crate) declared: Option<Declared>,
}

/// The first bytes of a message that is longer than a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'w> {
    pub(crate) bytes: &'w [u8],
    /// The offset of the bytes in the file.
    pub(crate) base: u64,
    pub(crate) limits: Limits,
    pub(crate) options: &'w ReadOptions,
}

/// The structure of a message of this shape, which continues what is `open`; `None` if it is not mail.
pub(crate) fn structure<'c>(
    bytes: &'c [u8],
    shape: Shape,
    open: Option<&'c Unclosed>,
) -> Option<Structure<'c>> {
    match shape {
        Shape::Mail(start) => Some(Structure::new(bytes, start)),
        Shape::Detached { head, head_end, body } => Some(Structure::detached(bytes, head..head_end, body)),
        Shape::Continued => Some(Structure::resume(bytes, &open?.structure)),
        Shape::Record | Shape::Text(_) => None,
    }
}

/// Returns the end of the first piece of an overlong message, and the parts that are open there.
/// Returns `None` if the message is not mail, or if a header is longer than a piece.
pub(crate) fn find_split(
    window: Beginning<'_>,
    shape: Shape,
    before: Option<&Unclosed>,
) -> Option<(MessageSplit, Unclosed)> {
    let until = window.bytes.len().checked_sub(window.limits.margin)?;
    let mut structure = structure(window.bytes, shape, before)?;
    structure.split = Some(MessageSplit { at: until, until, document: None });
    structure.by_ref().for_each(drop);
    let last = structure.ending()?;
    let before = before.filter(|_| last.range.start == 0);
    let PieceEnd { at, document, page, declared } = match last.is_head {
        true => PieceEnd::at(last.range.start),
        false => window.end(&last, until.saturating_sub(window.limits.choice), before),
    };
    let structure =
        structure.continuation().filter(|_| (1..=window.bytes.len()).contains(&at))?.of_page(page);
    let (document, open) = document.unzip();
    Some((MessageSplit { at, until, document }, Unclosed { structure, document: open, declared }))
}

/// The end of a piece.
struct PieceEnd {
    at: usize,
    /// The document in its last body: the part in this piece, and the rest.
    document: Option<(DocumentSplit, OpenDocument)>,
    /// The header that this body shows, if it is the page of a message; the rest of the page does
    /// not show it.
    page: Option<Vec<u8>>,
    declared: Option<Declared>,
}

impl PieceEnd {
    fn at(at: usize) -> Self {
        PieceEnd { at, document: None, page: None, declared: None }
    }
}

impl Beginning<'_> {
    /// The position in the last body where the piece ends, not before `floor`. `before` is what is open before this
    /// piece, if the body began there.
    fn end(self, last: &PieceEnding<'_>, floor: usize, before: Option<&Unclosed>) -> PieceEnd {
        let (window, start, end) = (self.bytes, last.range.start, last.range.end);
        let floor = floor.max(start);
        let (kind, mime) = last.body.unwrap_or((MediaKind::Text, Mime::default()));
        if start == end {
            return PieceEnd::at(end);
        }
        let source = Mapped::verbatim(&window[start..end], start as u64);
        let lines = |floor| best(&source, MediaKind::Text, Mime::default(), window, floor);
        // The whole body may be in the next piece.
        let whole_next = (start > 0).then_some(start);
        match self.options.attachments {
            // The body is not read, so any line break will do.
            Attachments::None if kind == MediaKind::Other || mime.is_attachment() => {
                return PieceEnd::at(lines(floor).unwrap_or(end));
            }
            // An archive or a document is read as a whole.
            Attachments::Documents if kind.is_data() && whole_next.is_some() => return PieceEnd::at(start),
            _ => {}
        }
        let text = transferred(source.clone(), mime, true);
        let open = before.and_then(|open| open.document.clone());
        let document = open.or_else(|| self.document(&text, last));
        let reading = document.as_ref().map_or(kind.reading(), |document| document.framing.reading);
        let is_page = reading.may_be_page && TextKind::Body(mime).may_be_file();
        let page = if is_page { page::head(text.as_bytes()) } else { None };
        let label = mime.param(b"charset").unwrap_or_default();
        let before = before.and_then(|open| open.declared.as_ref());
        let declared = reading.declared(&label, text.as_bytes(), before);
        if let Some(document) = document
            && let Some((at, split, then)) = self.split_document(&text, mime, document)
        {
            return PieceEnd { at, document: Some((split, then)), page, declared };
        }
        // The text of a body, before its kind is considered.
        let text = match kind.is_data() {
            true => text,
            false => text.decoded_by(|bytes| charset::decode(bytes, kind.reading().charset(&label, bytes))),
        };
        let split = best(&text, kind, mime, window, floor).or_else(|| best(&text, kind, mime, window, start));
        let anywhere = || (floor + 1..=end).rev().find(|&at| may_begin(window, at)).unwrap_or(end);
        let at = split.or(whole_next).or_else(|| lines(floor)).unwrap_or_else(anywhere);
        PieceEnd { at, document: None, page, declared }
    }

    /// The document in the last body, which begins with `text`.
    fn document(self, text: &Mapped<'_>, last: &PieceEnding<'_>) -> Option<OpenDocument> {
        // The byte before a stuffed dot is not known here.
        let (kind, mime) = last.body.filter(|_| self.limits.depth > 0 && !self.options.dot_stuffing)?;
        let bytes = text.as_bytes();
        let framing = match kind {
            MediaKind::Message => Format::Mail.framing(),
            _ if self.options.attachments == Attachments::None => return None,
            _ => {
                let is_apart = || after_empty_line(self.bytes, last.range.start);
                let what = match kind.is_data() {
                    true => what::what(bytes, Hint::PART),
                    false => examined(bytes, kind, mime, is_apart)?,
                };
                let What::Lines(framing) = what else { return None };
                framing
            }
        };
        Some(OpenDocument::new(framing, self.limits))
    }

    /// Splits a document after `text`, or returns `None` if the piece contains nothing of it.
    fn split_document(
        self,
        text: &Mapped<'_>,
        mime: Mime<'_>,
        mut document: OpenDocument,
    ) -> Option<(usize, DocumentSplit, OpenDocument)> {
        let bytes = text.as_bytes();
        let framing = document.framing;
        let rest = bytes.get(document.at..).filter(|rest| !rest.is_empty())?;
        if framing.is_text() {
            document.at += (framing.chunk_end)(rest, Limits { margin: 0, ..self.limits });
        } else {
            let base = self.base + text.base;
            while let Some((message, span)) = document.next(bytes, false, base, self.options) {
                if matches!(span.shape, Shape::Record) {
                    let source = text.source(message.start..message.start + 1);
                    let offset = self.base + source.map_or(text.base, |source| source.start);
                    document.record = Record::read(&bytes[message.start..], offset);
                }
            }
        }
        let end = document.at;
        let positions = SplitPositions { text, encoding: mime.encoding(), window: self.bytes, floor: 0 };
        let (at, position) = positions.before(end).filter(|&(_, position)| position as u64 > text.base)?;
        let split = DocumentSplit { framing, limits: self.limits, end };
        Some((position, split, document.in_next_piece(end - at)))
    }
}

fn begins_line(window: &[u8], at: usize) -> bool {
    window[..at].ends_with(b"\n")
}

/// Returns true if a piece that begins at `at` is read like the bytes there: the rest of a line must not look
/// like a delimiter, or like a header field that declares one.
fn may_begin(window: &[u8], at: usize) -> bool {
    begins_line(window, at) || !window[at..].starts_with(b"--") && !before_content(window, at)
}

/// The best position at which to split `text`, as an offset in `window`, not before `floor`.
fn best(text: &Mapped<'_>, kind: MediaKind, mime: Mime<'_>, window: &[u8], floor: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let positions = SplitPositions { text, encoding: mime.encoding(), window, floor };
    let empty_line = |at: usize| after_empty_line(bytes, at);
    let begins_tag = |at: usize| bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic);
    let unfolded = |at: usize| !matches!(bytes[at], b' ' | b'\t') && !property::ends_softly(&bytes[..at - 1]);
    match kind {
        MediaKind::Html | MediaKind::Xml => {
            let tried = Cell::new(0);
            let outside = |at: usize| {
                tried.set(tried.get() + 1);
                begins_tag(at) && tried.get() < TRIES && !is_inside(&bytes[..at])
            };
            positions.last(b'<', &outside).or_else(|| positions.last(b'<', &begins_tag))
        }
        MediaKind::Folded => positions.last(b'\n', &unfolded),
        _ => positions.last(b'\n', &empty_line),
    }
    .or_else(|| positions.last(b'\n', &|_| true))
    .or_else(|| positions.last(b' ', &|_| true))
}

/// The positions at which a text can be split.
struct SplitPositions<'p> {
    text: &'p Mapped<'p>,
    encoding: TransferEncoding,
    window: &'p [u8],
    /// No position before this offset in `window` is allowed.
    floor: usize,
}

impl SplitPositions<'_> {
    /// The last position that `fits`, by its offset in the text: after `byte`, or before it if that
    /// is `<`.
    fn last(&self, byte: u8, fits: &dyn Fn(usize) -> bool) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let after = usize::from(byte != b'<');
        let ats = memrchr_iter(byte, bytes).map(|at| at + after).filter(|&at| at < bytes.len());
        let starts = ats.filter_map(|at| self.start(at).map(|(start, separate)| (at, start, separate)));
        let mut near = starts.take_while(|&(_, start, _)| start >= self.floor && start > 0);
        near.find(|&(at, _, separate)| separate && fits(at)).map(|(_, start, _)| start)
    }

    /// The last position that is not after `at` of the text, there and in `window`, because bytes of the text may share
    /// bytes of the file.
    fn before(&self, at: usize) -> Option<(usize, usize)> {
        let near = at.saturating_sub(MAX_LOOKBACK)..=at.min(self.text.as_bytes().len() - 1);
        let separate = |at| self.start(at).filter(|&(_, separate)| separate).map(|(start, _)| (at, start));
        near.rev().find_map(separate)
    }

    /// The position where the byte at `at` of the text begins, and true if it shares no byte of the
    /// file with the byte before it.
    fn start(&self, at: usize) -> Option<(usize, bool)> {
        // A quoted-printable line must be complete, because its bytes are not the bytes of the
        // text.
        let whole_line = self.encoding == TransferEncoding::QuotedPrintable;
        let before = self.text.source(at.checked_sub(1)?..at)?;
        let after = usize::try_from(self.text.source(at..at + 1)?.start).ok()?;
        let fits = if whole_line { begins_line(self.window, after) } else { may_begin(self.window, after) };
        Some((after, before.end <= after as u64 && fits))
    }
}

/// The maximum number of bytes of a text before a position: more than a quoted-printable line has.
const MAX_LOOKBACK: usize = 4096;

/// The number of tags that are tried.
const TRIES: usize = 256;

/// Returns true if the end of an HTML page is inside a comment, or inside an element that is read
/// as a whole. Reads the last 64 KiB.
fn is_inside(html: &[u8]) -> bool {
    const MAX_LOOKBACK: usize = 64 * 1024;
    const NAMES: [&[u8]; 6] = [b"a", b"pre", b"script", b"style", b"textarea", b"title"];
    let html = &html[html.len().saturating_sub(MAX_LOOKBACK)..];
    if memmem::rfind(html, b"<!--") > memmem::rfind(html, b"-->") {
        return true;
    }
    let name = |tag: &[u8]| {
        let len = tag.iter().take(9).take_while(|b| b.is_ascii_alphabetic()).count();
        NAMES.iter().position(|name| name.eq_ignore_ascii_case(&tag[..len]))
    };
    let mut closed = [false; NAMES.len()];
    memrchr_iter(b'<', html).any(|at| match &html[at + 1..] {
        [b'/', tag @ ..] => {
            name(tag).into_iter().for_each(|name| closed[name] = true);
            false
        }
        tag => name(tag).is_some_and(|name| !closed[name]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_an_element() {
        for html in ["<p><a href=x>y", "<!-- x", "<SCRIPT>a", "</a><pre>x<b>y</b>", "--><!--"] {
            assert!(is_inside(html.as_bytes()), "{html}");
        }
        for html in ["", "<p>", "<a href=x>y</a>", "<!-- x -->", "<script>a</script><b>", "<abbr>x"] {
            assert!(!is_inside(html.as_bytes()), "{html}");
        }
    }
}
