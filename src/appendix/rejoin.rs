//! Putting together what stands between two delimiters.
//!
//! The Appendix: "In some cases, extra whitespace (spaces, linebreaks, tabs,
//! etc.) may need to be added to break long URLs across lines. The whitespace
//! should be ignored when extracting the URL."
//!
//! The text behind the opening delimiter is read line by line. Of each line
//! after the first the [leader](super::leader) goes; what is left falls into
//! pieces between whitespace. The reading is given up, so that what it went
//! over is read as bare URLs, at another `<`, a control character, an empty
//! line, or the limit. It goes over every byte once, and since it stops at `<`
//! no two readings go over the same bytes: hostile text costs no more than any
//! other.

use std::ops::Range;

use super::Context;
use super::leader::Leader;
use crate::bytes::class::{BLANK, BREAK, INSIDE};
use crate::found::form::Form;
use crate::found::readings::{Gap, Piece};
use crate::grammar::schemes::{LONGEST, is_scheme};

/// How many line breaks may stand between quotation marks.
const QUOTE_BREAKS: usize = 3;

/// The pieces so far.
///
/// Most attempts fail at the second piece, so the first one alone takes no
/// memory.
#[derive(Default)]
struct Pieces {
    only: Option<Piece>,
    /// All of them, if there are several.
    several: Vec<Piece>,
}

impl Pieces {
    fn push(&mut self, range: Range<usize>) {
        let piece = Piece { range, gap: Gap::Blank };
        if self.several.is_empty() {
            let Some(first) = self.only.take() else {
                self.only = Some(piece);
                return;
            };
            self.several.push(first);
        }
        self.several.push(piece);
    }

    fn as_slice(&self) -> &[Piece] {
        if self.several.is_empty() { self.only.as_slice() } else { &self.several }
    }

    /// Says what stands behind the last piece.
    fn mark_gap(&mut self, gap: Gap) {
        if let Some(last) = self.several.last_mut().or(self.only.as_mut()) {
            last.gap = gap;
        }
    }

    /// Whether a line ends behind the last piece, if there is any.
    fn end_line(&self) -> bool {
        self.as_slice().last().is_none_or(|last| last.gap == Gap::Line)
    }

    /// All of them, before the delimiter at `close`.
    fn body(mut self, close: usize) -> Option<Body> {
        self.mark_gap(Gap::None);
        self.several.extend(self.only);
        (!self.several.is_empty()).then_some(Body { pieces: self.several, close })
    }
}

/// What stands between two delimiters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Body {
    /// At least one, none of them empty.
    pub(crate) pieces: Vec<Piece>,
    /// Where the closing delimiter stands.
    pub(crate) close: usize,
}

/// A reader of what stands behind an opening delimiter.
pub(crate) struct Rejoin<'w, 'h> {
    pub(crate) cx: &'w Context<'w, 'h>,
    pub(crate) form: Form,
    /// Where the opening delimiter stands.
    pub(crate) open: usize,
}

impl<'h> Rejoin<'_, 'h> {
    fn close(&self) -> u8 {
        if self.form == Form::Quote { b'"' } else { b'>' }
    }

    fn limit(&self) -> usize {
        self.open.saturating_add(self.cx.rules.max_len)
    }

    /// Whether the closing delimiter stands at `at`.
    pub(crate) fn closes(&self, at: usize) -> bool {
        at < self.limit() && self.cx.window.get(at) == Some(self.close())
    }

    /// Everything to the closing delimiter, of which `first`, which may be empty,
    /// is what no whitespace parts.
    pub(crate) fn body(&self, first: Range<usize>) -> Option<Body> {
        let mut pieces = Pieces::default();
        let mut leader = None;
        let mut breaks = 0;
        let mut piece = first;
        loop {
            if !piece.is_empty() {
                pieces.push(piece.clone());
            }
            let (mut at, mut byte) = self.behind_blanks(piece.end)?;
            let spaced = at > piece.end;
            while BREAK.has(byte) {
                breaks += 1;
                pieces.mark_gap(Gap::Line);
                let leader =
                    leader.get_or_insert_with(|| Leader::of_line(self.cx.window, self.open, self.cx.back));
                (at, byte) = self.next_line(at, byte, leader)?;
            }
            if byte == self.close() && self.closes(at) {
                // "Quotes around a URL on one line are simply bare."
                let bare = pieces.several.is_empty() || (spaced && !pieces.end_line());
                return if self.form == Form::Quote && bare { None } else { pieces.body(at) };
            }
            piece = at..self.piece_end(at);
            if piece.is_empty() || !self.may_follow(pieces.as_slice(), piece.clone(), breaks) {
                return None;
            }
        }
    }

    /// Where the piece that begins at `from` ends.
    pub(crate) fn piece_end(&self, from: usize) -> usize {
        let quote = self.form != Form::Quote;
        self.cx.window.skip(from, self.limit(), |b| INSIDE.has(b) || (quote && b == b'"'))
    }

    /// Where the text goes on behind the blanks at `at`, if there are any, and with
    /// what byte.
    #[inline(always)]
    fn behind_blanks(&self, at: usize) -> Option<(usize, u8)> {
        let byte = self.cx.window.get(at)?;
        if !BLANK.has(byte) {
            return Some((at, byte));
        }
        let behind = self.cx.window.skip(at, self.limit(), |b| BLANK.has(b));
        Some((behind, self.cx.window.get(behind)?))
    }

    /// Where the line that follows the break at `at`, with the byte `end`, goes on
    /// behind its leader, and with what byte; `None` if the reading ends there.
    fn next_line(&self, at: usize, end: u8, leader: &Leader<'h>) -> Option<(usize, u8)> {
        let crlf = end == b'\r' && self.cx.window.get(at + 1) == Some(b'\n');
        let start = at + 1 + usize::from(crlf);
        let behind = leader.strip(self.cx.window, start, self.limit());
        let (text, first) = self.behind_blanks(behind)?;
        if BREAK.has(first) {
            return None;
        }
        // "A continuation line without any leader is accepted only if it is
        // URL characters up to the `>` and nothing else."
        if !leader.is_empty()
            && behind == start
            && first != self.close()
            && self.cx.window.get(self.piece_end(text)) != Some(self.close())
        {
            return None;
        }
        Some((text, first))
    }

    /// Whether the piece at `range` may belong to the URL whose `pieces` came
    /// before it.
    fn may_follow(&self, pieces: &[Piece], range: Range<usize>, breaks: usize) -> bool {
        let Some(last) = pieces.last() else {
            return true;
        };
        let piece = self.cx.window.ahead(range);
        let by_form = match (self.form, last.gap) {
            (Form::Quote, Gap::Line) => breaks <= QUOTE_BREAKS,
            (Form::Quote, _) => false,
            (Form::Angle, Gap::Blank) => !is_plain_word(piece),
            _ => true,
        };
        by_form && !(self.is_another_url(last, piece) && self.has_scheme(pieces))
    }

    /// Whether a scheme is complete in `pieces`.
    fn has_scheme(&self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| self.cx.window.ahead(piece.range.clone()).contains(&b':'))
    }

    /// Whether `piece` begins a URL of its own, rather than one that is inside
    /// another (`http://web.archive.org/web/1996/⏎http://h.org/`).
    fn is_another_url(&self, last: &Piece, piece: &[u8]) -> bool {
        let before = self.cx.window.byte_before(last.range.end);
        let inside = last.gap == Gap::Line && matches!(before, Some(b'/' | b'=' | b':'));
        !inside && starts_url(piece)
    }
}

/// Whether `text` begins with a scheme and `//`.
pub(crate) fn starts_url(text: &[u8]) -> bool {
    if text.len() < "a://".len() {
        return false;
    }
    let text = &text[..text.len().min(LONGEST + 3)];
    let Some(colon) = memchr::memchr(b':', text) else {
        return false;
    };
    text[colon..].starts_with(b"://") && is_scheme(&text[..colon])
}

/// Whether `piece` is a word of prose: letters only, sentence punctuation
/// aside.
fn is_plain_word(piece: &[u8]) -> bool {
    let end = piece.iter().rposition(|b| !b".,;:!?)'".contains(b)).map_or(0, |n| n + 1);
    piece[..end].iter().all(|&b| b.is_ascii_alphabetic() || b >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::Rules;
    use crate::bytes::window::Window;

    /// The pieces between the first delimiter of `text` and the one that closes
    /// it, with a space for a blank between them and a slash for a line break.
    fn body(form: Form, text: &str) -> Option<String> {
        let window = Window::whole(text.as_bytes());
        let open = text.find(['<', '"'])?;
        let cx = Context { window: &window, rules: &Rules::default(), consumed: 0, back: 0 };
        let rejoin = Rejoin { cx: &cx, form, open };
        let body = rejoin.body(open + 1..rejoin.piece_end(open + 1))?;
        let mut joined = String::new();
        for piece in body.pieces {
            joined.push_str(&text[piece.range]);
            joined.push_str(match piece.gap {
                Gap::None => "",
                Gap::Blank => "_",
                Gap::Line => "|",
            });
        }
        Some(joined)
    }

    #[test]
    fn whitespace_parts_the_pieces() {
        assert_eq!(body(Form::Wrapper, "<a b>").as_deref(), Some("a_b"));
        assert_eq!(body(Form::Wrapper, "< a \r\n\t b >").as_deref(), Some("a|b"));
        assert_eq!(body(Form::Wrapper, "<\na\n>").as_deref(), Some("a"));
        assert_eq!(body(Form::Wrapper, "<a\rb>").as_deref(), Some("a|b"));
        assert_eq!(body(Form::Wrapper, "< >"), None);
    }

    #[test]
    fn what_ends_the_attempt() {
        assert_eq!(body(Form::Wrapper, "<a <b>"), None);
        assert_eq!(body(Form::Wrapper, "<a\n\nb>"), None);
        assert_eq!(body(Form::Wrapper, "> <a\n> \n> b>"), None);
        assert_eq!(body(Form::Wrapper, "<a\x1Bb>"), None);
        assert_eq!(body(Form::Wrapper, "<a"), None);
    }

    #[test]
    fn a_line_without_the_leader_must_reach_the_bracket() {
        assert_eq!(body(Form::Angle, "> <a\nb> x").as_deref(), Some("a|b"));
        assert_eq!(body(Form::Angle, "> <a\nb c> x"), None);
        assert_eq!(body(Form::Angle, "> <a\nb\n> c>"), None);
    }

    #[test]
    fn what_a_blank_may_stand_before() {
        assert_eq!(body(Form::Angle, "<a word>"), None);
        assert_eq!(body(Form::Angle, "<a words,>"), None);
        assert_eq!(body(Form::Angle, "<a b/c>").as_deref(), Some("a_b/c"));
        assert_eq!(body(Form::Quote, "\"a b/c\""), None);
        assert_eq!(body(Form::Quote, "\"a\n b\"").as_deref(), Some("a|b"));
        assert_eq!(body(Form::Quote, "\"a\nb \""), None);
    }

    #[test]
    fn a_quotation_breaks_three_times_at_most() {
        assert_eq!(body(Form::Quote, "\"a\nb\nc\nd\"").as_deref(), Some("a|b|c|d"));
        assert_eq!(body(Form::Quote, "\"a\nb\nc\nd\ne\""), None);
    }

    #[test]
    fn another_url_is_no_piece() {
        assert_eq!(body(Form::Angle, "<http://a.org/, http://b.org/>"), None);
        assert_eq!(body(Form::Wrapper, "<http://a.org/x\nhttp://b.org/>"), None);
        assert_eq!(
            body(Form::Wrapper, "<http://a.org/\nhttp://b.org/>").as_deref(),
            Some("http://a.org/|http://b.org/")
        );
    }
}
