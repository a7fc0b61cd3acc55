//! Joins the pieces of a URL between two delimiters.
//!
//! The Appendix: "In some cases, extra whitespace (spaces, linebreaks, tabs,
//! etc.) may need to be added to break long URLs across lines. The whitespace
//! should be ignored when extracting the URL."
//!
//! The text after the opening delimiter is read line by line. The [line prefix](super::line_prefix)
//! of each line after the first is removed, and whitespace separates the rest into pieces. At
//! another `<`, a control character, an empty line or the limit, the delimiters do not enclose a
//! URL, and the same text is read again as bare URLs. An attempt reads each byte once and stops at
//! the next opening delimiter of its form, so no two attempts of one form read the same bytes. So
//! adversarial text costs no more than any other.

use std::cell::OnceCell;
use std::ops::Range;

use super::line::starts_url;
use super::line_prefix::LinePrefix;
use super::{Surroundings, terminal};
use crate::bytes::class::{AMPERSAND, APOSTROPHE, BLANK, BREAK, HIGH, INSIDE, QUOTE};
use crate::bytes::unicode;
use crate::bytes::window::Window;
use crate::matches::form::{Entity, Form};
use crate::matches::readings::{Gap, Piece};
use crate::scan::encoded::{Reference, reference};
use crate::simd::ClassMembers;

/// The bytes between delimiters. `<` and `>` are excluded; `"` is allowed in `<URL:…>`.
const IN_DELIMITERS: ClassMembers = ClassMembers::of(INSIDE.without(HIGH));
const IN_WRAPPER: ClassMembers = ClassMembers::of(INSIDE.without(HIGH).or(QUOTE));
const IN_REFERENCES: ClassMembers = ClassMembers::of(INSIDE.without(HIGH).without(AMPERSAND));
const IN_APOSTROPHES: ClassMembers = ClassMembers::of(INSIDE.without(HIGH).without(APOSTROPHE));

/// The number of line breaks that may be between quotation marks.
const QUOTE_BREAKS: usize = 3;

/// The error for a line that does not start with the token of the opening line.
struct NoToken;

/// The text between two delimiters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DelimitedText {
    /// At least one, none of them empty.
    pub(crate) pieces: Vec<Piece>,
    /// The offset of the closing delimiter.
    pub(crate) close: usize,
}

/// A reader of the text after an opening delimiter.
pub(crate) struct Rejoin<'w, 'h> {
    pub(crate) cx: &'w Surroundings<'w, 'h>,
    pub(crate) form: Form,
    /// The offset of the opening delimiter.
    pub(crate) open: usize,
    /// The first byte of the closing delimiter, which is a reference, `&gt;`, if the byte is `&`.
    close: u8,
    /// The bytes of a piece.
    inside: &'static ClassMembers,
    /// The offset at which the text is too long for a URL.
    limit: usize,
}

/// The text that is removed from the start of each line after the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Strip {
    /// The token that the opening line starts with.
    Token,
    /// The quote and comment characters.
    PrefixChars,
}

/// The first byte after whitespace.
#[derive(Clone, Copy)]
struct AfterSpace {
    at: usize,
    byte: u8,
    /// True if the whitespace has non-ASCII characters.
    wide: bool,
}

impl<'w, 'h> Rejoin<'w, 'h> {
    /// A reader of the text after the delimiter at `open`, up to `close`.
    pub(crate) fn new(cx: &'w Surroundings<'w, 'h>, form: Form, open: usize, close: u8) -> Self {
        let inside = match (form, close) {
            (Form::Wrapper, b'>') => &IN_WRAPPER,
            (_, b'&') => &IN_REFERENCES,
            (_, b'\'') => &IN_APOSTROPHES,
            _ => &IN_DELIMITERS,
        };
        Rejoin { cx, form, open, close, inside, limit: open.saturating_add(cx.rules.max_len) }
    }

    /// Returns true if the closing delimiter is at `at`.
    pub(crate) fn closes(&self, at: usize) -> bool {
        at < self.limit && self.cx.window.get(at) == Some(self.close) && self.close_len(at).is_some()
    }

    /// Returns the offset at which the closing delimiter at `close` ends.
    pub(crate) fn after_close(&self, close: usize) -> usize {
        close + self.close_len(close).unwrap_or(1)
    }

    /// The length of the closing delimiter at `at`, if its first byte is there.
    fn close_len(&self, at: usize) -> Option<usize> {
        if self.close != b'&' {
            return Some(1);
        }
        let (reference, len) = reference(self.cx.window, at)?;
        (reference == Reference::Stop(Entity::Gt)).then_some(len)
    }

    /// Returns everything up to the closing delimiter. `first` is the run without whitespace at the
    /// start; it may be empty.
    ///
    /// A token at the start of the lines is a line prefix only if every line starts with it.
    pub(crate) fn body(&self, first: Range<usize>) -> Option<DelimitedText> {
        let prefix = OnceCell::new();
        let by_token = self.lines(first.clone(), &prefix, Strip::Token);
        by_token.unwrap_or_else(|NoToken| self.lines(first, &prefix, Strip::PrefixChars).unwrap_or(None))
    }

    /// Everything up to the closing delimiter, without the text that `strip` removes from its
    /// lines; `prefix` is the prefix of the opening line, once it is known.
    fn lines(
        &self,
        first: Range<usize>,
        prefix: &OnceCell<LinePrefix<'h>>,
        strip: Strip,
    ) -> Result<Option<DelimitedText>, NoToken> {
        // Add a piece only when the next one follows: most attempts fail earlier, and then allocate nothing.
        let mut pieces = Vec::new();
        let mut breaks = 0;
        let mut piece = first;
        loop {
            let Some(mut next) = self.after_space(piece.end) else { return Ok(None) };
            let spaced = next.at > piece.end;
            let mut gap = Gap::Blank;
            if BREAK.has(next.byte) {
                breaks += 1;
                gap = Gap::Line;
                // A literal continues on the next line after a backslash (C, shell, JavaScript).
                if self.form == Form::Quote && self.cx.window.ahead(piece.clone()).ends_with(b"\\") {
                    piece.end -= 1;
                }
                let line = match terminal::next_line(self.cx, piece.end) {
                    // A terminal does not repeat line prefixes.
                    Some(start) => self.text_at(start),
                    None => {
                        let of_line = || LinePrefix::of_line(self.cx.window, self.open, self.cx.back);
                        self.next_line(next.at, prefix.get_or_init(of_line), strip)?
                    }
                };
                let Some(line) = line else { return Ok(None) };
                next = line;
            }
            if next.byte == self.close && self.closes(next.at) {
                return Ok(self.closed(pieces, Piece { range: piece, gap }, next.at, spaced));
            }
            // Non-ASCII whitespace ends the URL.
            if next.wide && gap == Gap::Blank {
                return Ok(None);
            }
            let following = next.at..self.piece_end(next.at);
            let last = Piece { range: piece, gap };
            if following.is_empty() || !self.may_follow(&pieces, &last, following.clone(), breaks) {
                return Ok(None);
            }
            if !last.range.is_empty() {
                pieces.push(last);
            }
            piece = following;
        }
    }

    /// Completes `pieces` with `last`, before the closing delimiter at `close`. `spaced` is true if whitespace is before
    /// the delimiter, which a quotation mark does not allow after a piece on the same line.
    fn closed(
        &self,
        mut pieces: Vec<Piece>,
        last: Piece,
        close: usize,
        spaced: bool,
    ) -> Option<DelimitedText> {
        // A quoted URL on one line is read as a bare one.
        let bare = pieces.is_empty() || (spaced && last.gap != Gap::Line);
        // A string in a string escapes both quotation marks.
        let is_escaped = |quote: usize| self.cx.window.byte_before(quote) == Some(b'\\');
        let is_inner = self.form == Form::Quote && is_escaped(self.open) && is_escaped(close);
        let range = last.range.start..last.range.end - usize::from(is_inner && !last.range.is_empty());
        if range.is_empty() || (self.form == Form::Quote && bare) {
            return None;
        }
        pieces.push(Piece { range, gap: Gap::None });
        Some(DelimitedText { pieces, close })
    }

    /// Returns the offset at which the piece that starts at `from` ends.
    #[inline(always)]
    pub(crate) fn piece_end(&self, from: usize) -> usize {
        let (window, simd) = (self.cx.window, self.cx.rules.scan.read.simd);
        let mut at = from;
        loop {
            at = simd.skip(window, at, self.limit, self.inside);
            // An ampersand may belong to the URL, or encode one of its characters.
            if self.close == b'&' && window.get(at) == Some(b'&') && at < self.limit {
                if matches!(reference(window, at), Some((Reference::Stop(_), _))) {
                    return at;
                }
                at += 1;
                continue;
            }
            if at >= self.limit || window.get(at).is_none_or(|b| b < 0x80) {
                return at;
            }
            match unicode::char_at(window, at) {
                Some(c) if unicode::is_space(c) => return at,
                Some(c) => at += c.len_utf8(),
                None => at += 1,
            }
        }
    }

    /// The first byte at or after `at` that is not whitespace within a line.
    #[inline(always)]
    fn after_space(&self, at: usize) -> Option<AfterSpace> {
        let byte = self.cx.window.get(at)?;
        if !BLANK.or(HIGH).has(byte) {
            return Some(AfterSpace { at, byte, wide: false });
        }
        // There is nearly always one space.
        match self.cx.window.get(at + 1) {
            Some(next) if byte == b' ' && !BLANK.or(HIGH).has(next) => {
                Some(AfterSpace { at: at + 1, byte: next, wide: false })
            }
            _ => self.after_blanks(at),
        }
    }

    fn after_blanks(&self, mut at: usize) -> Option<AfterSpace> {
        let window = self.cx.window;
        let mut wide = false;
        loop {
            at = window.skip(at, self.limit, |b| BLANK.has(b));
            let byte = window.get(at)?;
            match wide_space(window, at, byte) {
                Some(c) => (at, wide) = (at + c.len_utf8(), true),
                None => return Some(AfterSpace { at, byte, wide }),
            }
        }
    }

    /// The first byte of the next line that is neither a line prefix nor whitespace. The line break
    /// is at `at`. `None` if a URL cannot continue on that line.
    fn next_line(
        &self,
        at: usize,
        prefix: &LinePrefix<'h>,
        strip: Strip,
    ) -> Result<Option<AfterSpace>, NoToken> {
        let window = self.cx.window;
        let start = window.after_break(at);
        if prefix.is_empty() && !prefix.has_token() {
            return Ok(self.text_at(start));
        }
        // A line that starts with the closing quotation mark closes the URL.
        let closes = self.form == Form::Quote && prefix.token_starts_with(self.close);
        let by_token = strip == Strip::Token && prefix.has_token() && !closes;
        let text = match by_token {
            true => prefix.repeated(window, start, self.limit).ok_or(NoToken)?,
            false => prefix.strip(window, start, self.limit),
        };
        let Some(next) = self.text_at(text) else { return Ok(None) };
        // A line without a line prefix, where one is expected, continues the URL only if no
        // whitespace is before the closing delimiter.
        let lacks = !by_token && !prefix.is_empty() && text == start && next.byte != self.close;
        if lacks && !self.closes(self.piece_end(next.at)) {
            return Ok(None);
        }
        Ok(Some(next))
    }

    /// The first byte of the line at or after `at` that is not whitespace; `None` if the line is empty.
    fn text_at(&self, at: usize) -> Option<AfterSpace> {
        self.after_space(at).filter(|next| !BREAK.has(next.byte))
    }

    /// Returns true if the piece at `range` may continue the URL that has `pieces` and `last` so far.
    #[inline(always)]
    fn may_follow(&self, pieces: &[Piece], last: &Piece, range: Range<usize>, breaks: usize) -> bool {
        if last.range.is_empty() {
            return true;
        }
        let piece = self.cx.window.ahead(range);
        let by_form = match (self.form, last.gap) {
            (Form::Quote, Gap::Line) => breaks <= QUOTE_BREAKS && !self.ends_in_escape(last),
            (Form::Quote, _) => {
                piece.contains(&b'@') && self.cx.window.has(self.open + 1, b"mailto:") && pieces.is_empty()
            }
            // In angle brackets, a space may follow a slash, a hyphen or the colon of the scheme.
            (Form::Angle, Gap::Blank) => match self.cx.window.byte_before(last.range.end) {
                Some(b'/' | b'-') => true,
                Some(b':') => {
                    !self.has_scheme(pieces) && !self.has_colon(last.range.start..last.range.end - 1)
                }
                _ => false,
            },
            _ => true,
        };
        let has_scheme = || self.has_scheme(pieces) || self.has_colon(last.range.clone());
        by_form && !(self.is_another_url(last, piece) && has_scheme())
    }

    /// Returns true if `last` ends in a literal's escape of a line break, a tab or a backslash, which
    /// ends the URL.
    fn ends_in_escape(&self, last: &Piece) -> bool {
        let text = self.cx.window.ahead(last.range.clone());
        matches!(text, [.., b'\\', b'n' | b'r' | b't'] | [.., b'\\'])
    }

    /// Returns true if `pieces` contain the colon of a scheme.
    fn has_scheme(&self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| self.has_colon(piece.range.clone()))
    }

    fn has_colon(&self, range: Range<usize>) -> bool {
        self.cx.window.ahead(range).contains(&b':')
    }

    /// Returns true if `piece` starts another URL that is not part of this one, as it is in
    /// `http://web.archive.org/web/1996/⏎http://h.org/`. Quotation marks may enclose a list of namespaces
    /// that end in a slash: `xsi:schemaLocation`.
    fn is_another_url(&self, last: &Piece, piece: &[u8]) -> bool {
        let ends_in_joint = || match self.cx.window.byte_before(last.range.end) {
            Some(b'/') => self.form != Form::Quote,
            byte => matches!(byte, Some(b'=' | b':')),
        };
        let is_inside = || last.gap == Gap::Line && ends_in_joint();
        piece.len() >= "a://".len() && !is_inside() && starts_url(piece)
    }
}

/// The non-ASCII whitespace that starts with `byte` at `at`, if any.
fn wide_space(window: &Window<'_>, at: usize, byte: u8) -> Option<char> {
    let c = if byte >= 0x80 { unicode::char_at(window, at) } else { None };
    c.filter(|&c| unicode::is_space(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::{Notes, Rules};

    /// The pieces between the first delimiter of `text` and its closing one, separated by `_` for a
    /// space and by `|` for a line break.
    fn body(form: Form, text: &str) -> Option<String> {
        let window = Window::whole(text.as_bytes());
        let open = text.find(['<', '"'])?;
        let cx = Surroundings {
            window: &window,
            rules: &Rules::default(),
            consumed: 0,
            back: 0,
            notes: &Notes::default(),
        };
        let close = if form == Form::Quote { b'"' } else { b'>' };
        let rejoin = Rejoin::new(&cx, form, open, close);
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
    fn whitespace_separates_the_pieces() {
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
    fn what_may_follow_a_blank() {
        assert_eq!(body(Form::Angle, "<a word>"), None);
        assert_eq!(body(Form::Angle, "<a words,>"), None);
        assert_eq!(body(Form::Angle, "<a b/c>"), None);
        assert_eq!(body(Form::Angle, "<a/ b>").as_deref(), Some("a/_b"));
        assert_eq!(body(Form::Angle, "<a: b- c>").as_deref(), Some("a:_b-_c"));
        assert_eq!(body(Form::Angle, "<a:b: c>"), None);
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
    fn another_url_is_not_a_piece() {
        assert_eq!(body(Form::Angle, "<http://a.org/, http://b.org/>"), None);
        assert_eq!(body(Form::Wrapper, "<http://a.org/x\nhttp://b.org/>"), None);
        assert_eq!(
            body(Form::Wrapper, "<http://a.org/\nhttp://b.org/>").as_deref(),
            Some("http://a.org/|http://b.org/")
        );
        assert_eq!(body(Form::Quote, "\"http://a.org/\nhttp://b.org/\""), None);
        assert_eq!(
            body(Form::Quote, "\"http://a.org/?u=\nhttp://b.org/\"").as_deref(),
            Some("http://a.org/?u=|http://b.org/")
        );
    }
}
