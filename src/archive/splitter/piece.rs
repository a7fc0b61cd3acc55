//! Where a message that is too long is cut.
//!
//! A piece is parsed like a message, from what was open at the end of the one before it.
//! It ends where the texts of the two pieces are those of the whole message: in a body,
//! where an empty line is, or else a line end, of the decoded text; between parts; or
//! before the head of a part. A cut is at a byte that shares no byte of the file with the
//! one before it: in base64, between two quartets.

//!
//! A document in the body continues in the next piece: its format is known there, and how many messages it has had. Of a
//! message in it that is cut, the same is known as of the one around it.

use std::cell::Cell;

use memchr::{memmem, memrchr_iter};

use super::document::OpenDocument;
use crate::archive::container::format::{Content, Format, Limits, Shape};
use crate::archive::decode::{charset, property};
use crate::archive::delimiter::before_content;
use crate::archive::header::after_empty_line;
use crate::archive::mapped::Mapped;
use crate::archive::message::encoded::{examined, transferred};
use crate::archive::message::envelope::Envelope;
use crate::archive::message::kind::MediaKind;
use crate::archive::message::mime::{Mime, TransferEncoding};
use crate::archive::message::page;
use crate::archive::message::record::Record;
use crate::archive::message::structure::{Continuation, Cut, DocumentCut, PieceEnding, Structure};
use crate::archive::message::text::TextKind;
use crate::archive::options::{Attachments, ReadOptions};
use crate::archive::what::{self, Hint, What};

/// What a piece begins with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Begin<'c> {
    /// The head of the message, at this offset.
    Head(usize),
    /// The head of a message whose body does not follow it.
    Apart {
        head: usize,
        head_end: usize,
        body: usize,
    },
    Continued(&'c Open),
}

impl<'c> Begin<'c> {
    /// What a message of this shape begins with, before which this was open; `None` if it is not mail.
    pub(crate) fn of(shape: Shape, before: Option<&'c Open>) -> Option<Self> {
        match shape {
            Shape::Mail(start) => Some(Begin::Head(start)),
            Shape::Apart { head, head_end, body } => Some(Begin::Apart { head, head_end, body }),
            Shape::Continued => before.map(Begin::Continued),
            Shape::Record | Shape::Text(_) => None,
        }
    }

    /// The structure of the bytes that begin like this.
    pub(crate) fn structure(self, bytes: &'c [u8]) -> Structure<'c> {
        match self {
            Begin::Head(start) => Structure::new(bytes, start),
            Begin::Apart { head, head_end, body } => Structure::apart(bytes, head..head_end, body),
            Begin::Continued(open) => Structure::resume(bytes, &open.structure),
        }
    }
}

/// What is open at the end of a piece of a message, and continues in the next one.
#[derive(Debug)]
pub(crate) struct Open {
    structure: Continuation,
    /// The document that the body is which is open.
    pub(crate) document: Option<OpenDocument>,
}

impl Open {
    /// The envelope of the message.
    pub(crate) fn envelope(&self) -> &Envelope<'static> {
        self.structure.envelope()
    }
}

/// A piece of a message.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) cut: Cut,
    pub(crate) then: Open,
}

/// The first bytes of a message that is longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning<'w> {
    pub(crate) bytes: &'w [u8],
    /// Their offset in the file.
    pub(crate) base: u64,
    pub(crate) limits: Limits,
    pub(crate) options: &'w ReadOptions,
}

/// The first piece of such a message; `None` if it cannot be cut: a head is longer than a piece.
pub(crate) fn cut(window: Beginning<'_>, begin: Begin<'_>) -> Option<Piece> {
    let until = window.bytes.len().checked_sub(window.limits.margin)?;
    let mut structure = begin.structure(window.bytes).cut(Some(Cut { at: until, until, document: None }));
    structure.by_ref().for_each(drop);
    let last = structure.ending()?;
    let before = match begin {
        Begin::Continued(Open { document, .. }) if last.range.start == 0 => document.as_ref(),
        _ => None,
    };
    let Ending { at, document, page } = match last.is_head {
        true => Ending::at(last.range.start),
        false => window.end(&last, until.saturating_sub(window.limits.choice), before),
    };
    let structure =
        structure.continuation().filter(|_| (1..=window.bytes.len()).contains(&at))?.of_page(page);
    let (cut, open) = document.unzip();
    Some(Piece { cut: Cut { at, until, document: cut }, then: Open { structure, document: open } })
}

/// Where a piece ends.
struct Ending {
    at: usize,
    /// The document that its last body is: as far as it is read in this piece, and from there on.
    document: Option<(DocumentCut, OpenDocument)>,
    /// The head that this body has, if it is the page of a message, of which the rest has none.
    page: Option<Vec<u8>>,
}

impl Ending {
    fn at(at: usize) -> Self {
        Ending { at, document: None, page: None }
    }
}

impl Beginning<'_> {
    /// Where the piece ends in its last body, not before `floor`. `before` is the document that the body was before this
    /// piece.
    fn end(self, last: &PieceEnding<'_>, floor: usize, before: Option<&OpenDocument>) -> Ending {
        let (window, start, end) = (self.bytes, last.range.start, last.range.end);
        let floor = floor.max(start);
        let (kind, mime) = last.body.unwrap_or((MediaKind::Text, Mime::default()));
        if start == end {
            return Ending::at(end);
        }
        let source = Mapped::verbatim(&window[start..end], start as u64);
        let lines = |floor| best(&source, MediaKind::Text, Mime::default(), window, floor);
        // The whole body may be in the next piece.
        let whole_next = (start > 0).then_some(start);
        match self.options.attachments {
            // It is not read: any line end will do.
            Attachments::None if kind == MediaKind::Other => return Ending::at(lines(floor).unwrap_or(end)),
            // An archive or a document is read as a whole.
            Attachments::Documents if kind.is_data() && whole_next.is_some() => return Ending::at(start),
            _ => {}
        }
        let text = transferred(source.clone(), mime, true);
        let document = before.cloned().or_else(|| self.document(&text, last, kind, mime));
        let reading = document.as_ref().map_or(kind.reading(), |document| document.framing.reading());
        let is_page = reading.may_be_page && TextKind::Body(mime).may_be_file();
        let page = if is_page { page::head(text.as_bytes()) } else { None };
        if let Some(document) = document
            && let Some((at, cut, then)) = self.cut_document(&text, mime, document)
        {
            return Ending { at, document: Some((cut, then)), page };
        }
        let text = decoded(text, kind, mime);
        let place = best(&text, kind, mime, window, floor).or_else(|| best(&text, kind, mime, window, start));
        let anywhere = || (floor + 1..=end).rev().find(|&at| may_begin(window, at)).unwrap_or(end);
        let at = place.or(whole_next).or_else(|| lines(floor)).unwrap_or_else(anywhere);
        Ending { at, document: None, page }
    }

    /// The document that a body is whose beginning is `text`.
    fn document(
        self,
        text: &Mapped<'_>,
        last: &PieceEnding<'_>,
        kind: MediaKind,
        mime: Mime<'_>,
    ) -> Option<OpenDocument> {
        // What is before a stuffed dot is not known here.
        last.body.filter(|_| self.limits.depth > 0 && !self.options.dot_stuffing)?;
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

    /// Cuts a document of which `text` is read; `None` if nothing of it is in the piece.
    fn cut_document(
        self,
        text: &Mapped<'_>,
        mime: Mime<'_>,
        mut document: OpenDocument,
    ) -> Option<(usize, DocumentCut, OpenDocument)> {
        let bytes = text.as_bytes();
        let framing = document.framing;
        let rest = bytes.get(document.at..).filter(|rest| !rest.is_empty())?;
        match framing.content {
            Content::Text(_) => {
                document.at += (framing.chunk_end)(rest, Limits { margin: 0, ..self.limits });
            }
            _ => {
                while let Some((message, span)) =
                    document.next(bytes, false, self.base + text.base, self.options)
                {
                    if matches!(span.shape, Shape::Record) {
                        let source = text.source(message.start..message.start + 1);
                        let offset = self.base + source.map_or(text.base, |source| source.start);
                        document.record = Record::read(&bytes[message.start..], offset);
                    }
                }
            }
        }
        let end = document.at;
        let places = Places { text, encoding: mime.encoding(), window: self.bytes, floor: 0 };
        let (at, place) = places.before(end).filter(|&(_, place)| place as u64 > text.base)?;
        let cut = DocumentCut { framing, limits: self.limits, end };
        Some((place, cut, document.in_next_piece(end - at)))
    }
}

fn begins_line(window: &[u8], at: usize) -> bool {
    window[..at].ends_with(b"\n")
}

/// Returns true if a piece that begins at `at` is read like the bytes there: the rest of a line may not seem to
/// be a delimiter, nor a field that shows one.
fn may_begin(window: &[u8], at: usize) -> bool {
    begins_line(window, at) || !window[at..].starts_with(b"--") && !before_content(window, at)
}

/// The text of a body, whose transfer encoding is undone, before its kind is considered.
fn decoded<'m>(text: Mapped<'m>, kind: MediaKind, mime: Mime<'_>) -> Mapped<'m> {
    if kind.is_data() {
        return text;
    }
    let label = mime.param(b"charset").unwrap_or_default();
    text.decoded_by(|bytes| charset::decode(bytes, kind.reading().charset(&label, bytes)))
}

/// The best place to cut `text`, as an offset in `window`, not before `floor`.
fn best(text: &Mapped<'_>, kind: MediaKind, mime: Mime<'_>, window: &[u8], floor: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let places = Places { text, encoding: mime.encoding(), window, floor };
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
            places.last(b'<', &outside).or_else(|| places.last(b'<', &begins_tag))
        }
        MediaKind::Folded => places.last(b'\n', &unfolded),
        _ => places.last(b'\n', &empty_line),
    }
    .or_else(|| places.last(b'\n', &|_| true))
    .or_else(|| places.last(b' ', &|_| true))
}

/// The places where a text can be cut.
struct Places<'p> {
    text: &'p Mapped<'p>,
    encoding: TransferEncoding,
    window: &'p [u8],
    /// No place before this offset in `window` will do.
    floor: usize,
}

impl Places<'_> {
    /// The last place that `fits`, by its offset in the text: after `byte`, or before it if that is `<`.
    fn last(&self, byte: u8, fits: &dyn Fn(usize) -> bool) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let after = usize::from(byte != b'<');
        let places = memrchr_iter(byte, bytes).map(|at| at + after).filter(|&at| at < bytes.len());
        let mut places = places.filter_map(|at| self.place(at).map(|(place, apart)| (at, place, apart)));
        let near = places.by_ref().take_while(|&(_, place, _)| place >= self.floor && place > 0);
        let mut near = near.filter(|&(at, _, apart)| apart && fits(at));
        near.next().map(|(_, place, _)| place)
    }

    /// The last place that is not after `at` of the text, there and in `window`: bytes of the text may share bytes of the
    /// file.
    fn before(&self, at: usize) -> Option<(usize, usize)> {
        let near = at.saturating_sub(NEAR)..=at.min(self.text.as_bytes().len() - 1);
        let apart = |at| self.place(at).filter(|&(_, apart)| apart).map(|(place, _)| (at, place));
        near.rev().find_map(apart)
    }

    /// Where the byte at `at` of the text begins, and whether it shares no byte of the file with the one before it.
    fn place(&self, at: usize) -> Option<(usize, bool)> {
        // A line of quoted-printable must be whole: its bytes are not those of the text.
        let whole_line = self.encoding == TransferEncoding::QuotedPrintable;
        let before = self.text.source(at.checked_sub(1)?..at)?;
        let after = usize::try_from(self.text.source(at..at + 1)?.start).ok()?;
        let fits = if whole_line { begins_line(self.window, after) } else { may_begin(self.window, after) };
        let apart = before.end <= after as u64 && fits;
        Some((after, apart))
    }
}

/// How many bytes of a text are before a place, at most: more than a line of quoted-printable has.
const NEAR: usize = 4096;

/// How many tags are tried.
const TRIES: usize = 256;

/// Whether the end of an HTML page is inside a comment, or an element that is read as a
/// whole. Looks at the last 64 KiB.
fn is_inside(html: &[u8]) -> bool {
    const NEAR: usize = 64 * 1024;
    const NAMES: [&[u8]; 6] = [b"a", b"pre", b"script", b"style", b"textarea", b"title"];
    let html = &html[html.len().saturating_sub(NEAR)..];
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
