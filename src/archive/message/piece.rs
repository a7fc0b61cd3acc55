//! Where a message that is too long is cut.
//!
//! A piece is parsed like a message, from what was open at the end of the one before it.
//! It ends where the texts of the two pieces are those of the whole message: in a body,
//! where an empty line is, or else a line end, of the decoded text; between parts; or
//! before the head of a part. A cut is at a byte that shares no byte of the file with the
//! one before it: in base64, between two quartets.

use std::cell::Cell;

use memchr::{memmem, memrchr_iter};

use super::kind::MediaKind;
use super::mime::{Mime, TransferEncoding};
use super::structure::{Continuation, Cut, PieceEnding, Structure};
use crate::archive::container::format::{Framing, Limits};
use crate::archive::decode::{charset, property, transfer};
use crate::archive::delimiter::before_content;
use crate::archive::header::after_empty_line;
use crate::archive::mapped::Mapped;
use crate::archive::options::Attachments;
use crate::archive::what::{all_lines, is_document};

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
    Continued(&'c Continuation),
}

impl<'c> Begin<'c> {
    /// The structure of the bytes that begin like this.
    pub(crate) fn structure(self, bytes: &'c [u8]) -> Structure<'c> {
        match self {
            Begin::Head(start) => Structure::new(bytes, start),
            Begin::Apart { head, head_end, body } => Structure::apart(bytes, head..head_end, body),
            Begin::Continued(continuation) => Structure::resume(bytes, continuation),
        }
    }
}

/// A piece of a message.
#[derive(Debug)]
pub(crate) struct MessagePiece {
    pub(crate) cut: Cut,
    pub(crate) then: Continuation,
}

/// The first piece of `window`, the first bytes of a message that is longer; `None` if it
/// cannot be cut: a head is longer than a piece.
pub(crate) fn cut(
    window: &[u8],
    begin: Begin<'_>,
    limits: Limits,
    attachments: Attachments,
) -> Option<MessagePiece> {
    let until = window.len().checked_sub(limits.margin)?;
    let mut structure = begin.structure(window).cut(Some(Cut { at: until, until }));
    structure.by_ref().for_each(drop);
    let last = structure.ending()?;
    let (at, messages) = match last.is_head {
        true => (last.range.start, None),
        false => end(window, &last, until.saturating_sub(limits.choice), attachments),
    };
    let then = structure.continuation().filter(|_| (1..=window.len()).contains(&at))?;
    Some(MessagePiece { cut: Cut { at, until }, then: then.of_messages(messages) })
}

/// Where the piece ends in its last body, not before `floor`, and the format of the messages that the body has.
///
/// A body with messages is cut between two of them, however far back that is: the rest begins like the body, and is
/// recognised by that.
fn end(
    window: &[u8],
    last: &PieceEnding<'_>,
    floor: usize,
    attachments: Attachments,
) -> (usize, Option<&'static Framing>) {
    let (start, end) = (last.range.start, last.range.end);
    let floor = floor.max(start);
    let (kind, mime) = last.body.unwrap_or((MediaKind::Text, Mime::default()));
    if start == end {
        return (end, None);
    }
    let source = Mapped::verbatim(&window[start..end], start as u64);
    let lines = |floor| best(&source, MediaKind::Text, Mime::default(), None, window, floor);
    // The whole body may be in the next piece.
    let before = (start > 0).then_some(start);
    match attachments {
        // It is not read: any line end will do.
        Attachments::None if kind == MediaKind::Other => return (lines(floor).unwrap_or(end), None),
        // An archive or a document is read as a whole.
        Attachments::Documents if kind.is_data() && before.is_some() => return (start, None),
        _ => {}
    }
    let text = decoded(&source, kind, mime);
    let messages = kind.is_data().then(|| all_lines(text.as_bytes())).filter(|framing| framing.has_several());
    let places = |messages, floor| best(&text, kind, mime, messages, window, floor);
    let between = messages.and_then(|_| places(messages, start));
    let place = between.or_else(|| places(None, floor)).or_else(|| places(None, start));
    let anywhere = || (floor + 1..=end).rev().find(|&at| may_begin(window, at)).unwrap_or(end);
    (place.or(before).or_else(|| lines(floor)).unwrap_or_else(anywhere), messages)
}

fn begins_line(window: &[u8], at: usize) -> bool {
    window[..at].ends_with(b"\n")
}

/// Returns true if a piece that begins at `at` is read like the bytes there: the rest of a line may not seem to
/// be a delimiter, nor a field that shows one.
fn may_begin(window: &[u8], at: usize) -> bool {
    begins_line(window, at) || !window[at..].starts_with(b"--") && !before_content(window, at)
}

/// The text of a body before its kind is considered.
fn decoded<'m>(source: &Mapped<'m>, kind: MediaKind, mime: Mime<'_>) -> Mapped<'m> {
    let decoded = source.clone().decoded_by(|bytes| match mime.encoding() {
        TransferEncoding::QuotedPrintable => Some(transfer::quoted_printable(bytes, true)),
        TransferEncoding::Base64 => Some(transfer::base64_of_part(bytes, true, is_document)),
        TransferEncoding::Identity | TransferEncoding::Uuencode => None,
    });
    if kind.is_data() {
        return decoded;
    }
    let label = mime.param(b"charset").unwrap_or_default();
    decoded.decoded_by(|bytes| charset::decode(bytes, kind.reading().charset(&label, bytes)))
}

/// The best place to cut `text`, as an offset in `window`, not before `floor`; between two messages, if it has any.
fn best(
    text: &Mapped<'_>,
    kind: MediaKind,
    mime: Mime<'_>,
    messages: Option<&Framing>,
    window: &[u8],
    floor: usize,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let places = Places { text, encoding: mime.encoding(), window, floor };
    if let Some(framing) = messages {
        return places.last(b'\n', &|at| framing.separates(&bytes[at..]));
    }
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

/// How many tags are tried.
const TRIES: usize = 256;

/// Whether the end of a page of HTML is inside a comment, or an element that is read as a
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
