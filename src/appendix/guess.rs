//! Bare URLs that a line end cut, joined on evidence.
//!
//! Nothing in RFC 1738 allows this, so it is done only on request. That the line is
//! full is not evidence: most URLs that end a full line are whole. The *stem* is the
//! URL up to the line end, the *token* is the first one on the next line. They are
//! joined if one of the [rules](Cut) says that the URL goes on, and no
//! [guard](Guards) says that the next line is something else.
//!
//! ```text
//!   > see http://www.example.org/cgi-bin/show.cgi?list=users&msg=   ← the stem ends in "="
//!   > 4711 for it                                                     (rule S)
//!     ────
//!     the token
//! ```
//!
//! The result is a new stem if it runs to the end of its line. All that is read is
//! bounded: lines of [`LINE`] bytes, [`CONTINUATIONS`] of them, and a few lines
//! before.
//!
//! Soft breaks of quoted-printable that nobody decoded are no guess: see
//! [`over_soft_breaks`].

use std::ops::{Range, RangeInclusive};

use super::Context;
use super::end::{End, EndFinder};
use super::leader::Leader;
use super::rejoin::starts_url;
use super::start::{AuthorityReader, Start};
use crate::bytes::class::{BLANK, BREAK, HIGH, INSIDE, SPACE};
use crate::bytes::unicode;
use crate::bytes::window::Window;
use crate::found::form::{Ending, Form, GuessRule, Joined};
use crate::found::readings::{Gap, Piece, Readings};
use crate::found::{Match, Pieces};
use crate::grammar;
use crate::grammar::schemes::LONGEST;

/// How many lines may follow the first.
const CONTINUATIONS: usize = 8;

/// How many lines at once may complete a URL that occurs elsewhere.
const AHEAD: usize = 3;

/// How long a URL may be that is looked up in the evidence, in bytes.
const LOOKUP: usize = 2048;

/// A bare URL up to the line end, which may be the start of a longer one.
pub(crate) struct Stem {
    /// The range of the match, the prefix included.
    pub(crate) span: Range<usize>,
    pub(crate) url: Range<usize>,
    /// Where the URL ended before anything was trimmed.
    pub(crate) untrimmed: usize,
    pub(crate) form: Form,
}

/// The URL that starts with `stem`, or `None` if no rule joins it.
pub(crate) fn rejoin(
    cx: &Context<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let goes_on = breaks(cx.window, line_end_after(cx, stem.untrimmed)) && !is_mailto(cx, stem);
    if !goes_on {
        return None;
    }
    let opening = Opening::of(cx, stem.url.start)?;
    let mut guess = Guess {
        cx,
        finder,
        guards: Guards { cx, finder, opening: &opening },
        opening: &opening,
        lines: Vec::new(),
        url: Vec::new(),
        stem,
    };
    guess.url.reserve(2 * (stem.untrimmed - stem.url.start));
    guess.url.extend_from_slice(cx.window.ahead(stem.url.start..stem.untrimmed));
    let first = guess.step()?;
    while guess.lines.len() < CONTINUATIONS && guess.step().is_some() {}
    guess.into_match(first)
}

/// Where the line ends after the blanks, or the border of a terminal, at `at`.
fn line_end_after(cx: &Context<'_, '_>, at: usize) -> usize {
    let border = if cx.rules.width.is_some() { border(cx.window, at) } else { 0 };
    cx.window.skip(at + border, at + LINE, |b| BLANK.has(b))
}

fn is_mailto(cx: &Context<'_, '_>, stem: &Stem) -> bool {
    cx.window.has(stem.url.start, b"mailto:")
}

/// A URL that is being joined.
struct Guess<'w, 'h> {
    cx: &'w Context<'w, 'h>,
    finder: &'w EndFinder<'w, 'h>,
    guards: Guards<'w, 'h>,
    opening: &'w Opening<'h>,
    stem: &'w Stem,
    /// The lines that were joined to the first.
    lines: Vec<Next>,
    /// The URL so far, untrimmed.
    url: Vec<u8>,
}

impl Guess<'_, '_> {
    /// Joins the next line, or several, if a rule says so.
    fn step(&mut self) -> Option<GuessRule> {
        let (start, end) = match self.lines.last() {
            Some(last) => (last.start, last.token.end),
            None => (self.opening.start, self.stem.untrimmed),
        };
        let cut = Cut { cx: self.cx, opening: self.opening, line: start..end, url: &self.url };
        if cut.is_soft_break() {
            return None;
        }
        if cut.fills_terminal() {
            let next = self.guards.next_of_terminal(end)?;
            self.join(next);
            return Some(GuessRule::Terminal);
        }
        let next = self.guards.next(start, end)?;
        match cut.rule(&next) {
            Some(rule) => {
                self.join(next);
                Some(rule)
            }
            None => self.by_evidence(next),
        }
    }

    fn join(&mut self, next: Next) {
        self.url.extend_from_slice(self.cx.window.ahead(next.token.clone()));
        self.lines.push(next);
    }

    /// Rule E: joins as many lines as make a URL that occurs unbroken elsewhere.
    fn by_evidence(&mut self, next: Next) -> Option<GuessRule> {
        let evidence = self.cx.rules.evidence.as_ref().filter(|_| self.url.len() <= LOOKUP)?;
        if next.has_url {
            return None;
        }
        let evidence = evidence.look_up();
        let before = (self.lines.len(), self.url.len());
        let (mut known, mut next) = (before, next);
        loop {
            let trimmed = self.finder.trimmed(next.token.end, next.token.start) - next.token.start;
            let joined = self.url.len() + trimmed;
            let (start, token_end, is_word) = (next.start, next.token.end, next.is_word);
            self.join(next);
            let stem = match before.0 {
                0 => self.cx.window.ahead(self.stem.url.clone()),
                _ => &self.url[..before.1],
            };
            if joined <= LOOKUP && evidence.joins(stem, &self.url[..joined], is_word) {
                known = (self.lines.len(), self.url.len());
            }
            if self.lines.len() == before.0 + AHEAD {
                break;
            }
            let Some(line) = self.guards.next(start, token_end) else {
                break;
            };
            next = line;
        }
        self.lines.truncate(known.0);
        self.url.truncate(known.1);
        (known > before).then_some(GuessRule::Evidence)
    }

    /// The match that `first` began to join.
    fn into_match(mut self, first: GuessRule) -> Option<Match<'static>> {
        let window = self.cx.window;
        // A line of which nothing is left, because marks end the URL, was not joined.
        let trimmed = |line: &Next| self.finder.trimmed(line.token.end, line.token.start);
        while self.lines.last().is_some_and(|last| trimmed(last) <= last.token.start) {
            self.lines.pop();
        }
        let last = self.lines.last_mut()?;
        let untrimmed = last.token.end;
        let end = self.finder.trimmed(untrimmed, last.token.start);
        last.token.end = end;
        let stop = self.finder.stop(&Start::Open(last.token.start), untrimmed);
        let tokens = self.lines.into_iter().map(|line| line.token).filter(|token| !token.is_empty());
        let ranges = std::iter::once(self.stem.url.start..self.stem.untrimmed).chain(tokens);
        let mut pieces = Vec::with_capacity(2);
        pieces.extend(ranges.map(|range| Piece { range, gap: Gap::Line }));
        pieces.last_mut()?.gap = Gap::None;
        let readings = Readings::new(|range| window.ahead(range), pieces, self.cx.rules.hyphen);
        let readings = readings.or(window.ahead(self.stem.url.clone()).to_vec());
        let mut pieces = Pieces::new(Some(Joined::Guess), readings);
        pieces.guess = Some(first);
        let matched = Match::rejoined(self.stem.span.start..end, self.stem.form, pieces);
        let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
        grammar::is_url(matched.as_bytes()).then(|| matched.ending_by(ending))
    }
}

/// The guards of a URL: what the next line must not be if it goes on with it.
///
/// A line of another quote depth is by another writer. A line that is indented less is
/// another paragraph. A URL, a host, an address or the name of a field starts something
/// of its own, and where URLs and their titles take turns, a title belongs to no URL.
struct Guards<'w, 'h> {
    cx: &'w Context<'w, 'h>,
    finder: &'w EndFinder<'w, 'h>,
    opening: &'w Opening<'h>,
}

impl Guards<'_, '_> {
    /// The line after the one that starts at `start` and breaks at `end`, if it may go
    /// on with the URL.
    fn next(&self, start: usize, end: usize) -> Option<Next> {
        let window = self.cx.window;
        let end = window.skip(end, end + LINE, |b| BLANK.has(b));
        if !breaks(window, end) {
            return None;
        }
        let line = after_break(window, end);
        // A mailer that left a blank before the break may have dropped the indentation.
        let has_blank = window.byte_before(end).is_some_and(|b| BLANK.has(b));
        let text = self.text_in_paragraph(start, line, has_blank)?;
        let next = Next::read(self.finder, line, text, starts_nothing)?;
        // Archives write addresses so.
        let is_address = window.has(next.word.end, b" at ");
        (self.is_token(&next) && !is_address && !self.is_list_of_titles(start, &next)).then_some(next)
    }

    /// The line after the one that fills the terminal up to `end`, if a word starts it.
    fn next_of_terminal(&self, end: usize) -> Option<Next> {
        let window = self.cx.window;
        let end = line_end_after(self.cx, end);
        let line = if breaks(window, end) { after_break(window, end) } else { return None };
        Next::read(self.finder, line, line, |word| !starts_url(word)).filter(|next| !next.token.is_empty())
    }

    /// Where the text of the line at `start` starts, after its leader and its
    /// indentation.
    fn text_of(&self, start: usize) -> usize {
        self.cx.window.skip(self.leader_end(start), self.finder.limit, |b| BLANK.has(b))
    }

    fn leader_end(&self, start: usize) -> usize {
        self.opening.leader_end(self.cx.window, start, self.finder.limit)
    }

    /// Where the text starts of the line at `two`, if that and the one at `one` have the
    /// same quote depth, and it is indented at least as much, or may be indented less.
    fn text_in_paragraph(&self, one: usize, two: usize, less: bool) -> Option<usize> {
        let window = self.cx.window;
        let parts = |start| {
            let leader = self.leader_end(start);
            (leader, window.skip(leader, self.finder.limit, |b| BLANK.has(b)))
        };
        let ((leader, text), (next_leader, next_text)) = (parts(one), parts(two));
        let marks = |range| window.ahead(range).iter().filter(|b| !BLANK.has(**b));
        let is_same = marks(one..leader).eq(marks(two..next_leader))
            && (less || column(window.ahead(two..next_text)) >= column(window.ahead(one..text)))
            && !matches!(window.get(next_text), Some(b'>' | b'|'));
        is_same.then_some(next_text)
    }

    /// Whether the token has text, and all of its word.
    fn is_token(&self, next: &Next) -> bool {
        let window = self.cx.window;
        let Range { start, end } = next.token;
        // What is trimmed from the end never starts with a letter or digit.
        let starts = window.get(start).is_some_and(|b| b.is_ascii_alphanumeric());
        let trimmed = || window.ahead(start..self.finder.trimmed(end, start));
        let has_text = starts || trimmed().iter().any(u8::is_ascii_alphanumeric);
        // A word that goes on beyond ASCII is one of prose.
        has_text && !window.get(end).is_some_and(|b| HIGH.has(b))
    }

    /// Whether URLs and titles take turns around the line at `start`.
    ///
    /// A token that is alone on its line and no word of prose is no title.
    fn is_list_of_titles(&self, start: usize, next: &Next) -> bool {
        if !self.is_url_at(start) || (next.is_alone && !next.is_word) {
            return false;
        }
        let window = self.cx.window;
        let after = breaks(window, next.end).then(|| after_break(window, next.end));
        let before = self.line_before(start);
        let two_before = before.and_then(|line| self.line_before(line));
        let follows = before.is_some_and(|line| !self.is_url_at(line));
        after.is_some_and(|line| self.is_url_at(line))
            || (follows && two_before.is_some_and(|line| self.is_url_at(line)))
    }

    /// Whether the line at `start` starts with a URL.
    fn is_url_at(&self, start: usize) -> bool {
        let text = self.text_of(start);
        starts_url(self.cx.window.ahead(text..text + LONGEST + "://".len()))
    }

    /// Where the line starts that is before the one at `start`.
    fn line_before(&self, start: usize) -> Option<usize> {
        let window = self.cx.window;
        let end = window.skip_back(start, start.saturating_sub(3).max(self.cx.back), |b| b == b'\r');
        let end = match window.byte_before(end).filter(|_| end > self.cx.back)? {
            b'\n' => end - 1,
            _ => end,
        };
        window.line_start(end, self.cx.back)
    }
}

/// Whether `word` starts nothing of its own: no URL, host, address or field.
fn starts_nothing(word: &[u8]) -> bool {
    let is_host = |prefix: &[u8]| word.len() > 4 && word[..4].eq_ignore_ascii_case(prefix);
    !word.ends_with(b":")
        && !is_host(b"www.")
        && !is_host(b"ftp.")
        && memchr::memchr(b'@', word).is_none()
        && !has_url(word)
}

/// The length of a line that may have to be cut within a URL, at least, in
/// characters.
const LONG: usize = 45;

/// The widths that texts are wrapped at, in bytes.
const WIDTHS: RangeInclusive<usize> = 72..=80;

/// How far before a line others are compared with it, in bytes.
const LINES: usize = 2048;

/// How many of them, at most.
const MOST: usize = 24;

/// How many lines a URL may fill, at most, after the first.
const CHAIN: usize = 4;

/// The lengths of the lines that end in a soft break of quoted-printable, the `=` included. RFC 2045
/// allows 76.
const SOFT: RangeInclusive<usize> = 73..=76;

/// The ends of names of files.
const EXTENSIONS: [&str; 64] = [
    "asp", "aspx", "avi", "bat", "bmp", "bz2", "cfm", "cgi", "cpp", "css", "csv", "deb", "diff", "doc",
    "docx", "dtd", "dvi", "eps", "exe", "gif", "gz", "hqx", "htm", "html", "ico", "iso", "jar", "jpeg",
    "jpg", "js", "json", "jsp", "lha", "lzh", "mov", "mp3", "mp4", "mpeg", "mpg", "msg", "patch", "pdf",
    "php", "php3", "pl", "png", "ppt", "ps", "py", "rpm", "rss", "rtf", "shtml", "svg", "tar", "tex", "tgz",
    "tif", "txt", "wav", "xhtml", "xml", "xz", "zip",
];

/// A URL that may be cut at the end of a line, and the rules S, D, W, P, M and T, by which the lines show
/// that it is.
struct Cut<'w, 'h> {
    cx: &'w Context<'w, 'h>,
    opening: &'w Opening<'h>,
    /// From the start of the line to its end.
    line: Range<usize>,
    /// The URL up to there.
    url: &'w [u8],
}

impl Cut<'_, '_> {
    /// The rule by which the URL goes on with `next`.
    fn rule(&self, next: &Next) -> Option<GuessRule> {
        let token = self.cx.window.ahead(next.token.clone());
        if self.ends_in_dot() && is_extension(token) {
            return Some(GuessRule::Dot);
        }
        if next.has_url {
            return None;
        }
        if (self.is_long() || self.goes_on_after_hyphen(token, next)) && self.is_open(token, next) {
            return Some(GuessRule::Stem);
        }
        if self.ends_in_dot() && is_rest_of_name(token) {
            return Some(GuessRule::Dot);
        }
        if self.is_full(next) {
            return Some(GuessRule::FullLine);
        }
        let token = token_without_marks(token);
        if self.is_page(token, next) {
            return Some(GuessRule::Page);
        }
        self.is_middle(token, next).then_some(GuessRule::Middle)
    }

    /// Rule P: whether the URL ends in a slash, and `token` goes on with it: it is alone before an empty line, it
    /// names the only file there, or it names one and a mailer left a blank before the break.
    fn is_page(&self, token: &[u8], next: &Next) -> bool {
        let goes_on = self.url.ends_with(b"/") && continues_url(token);
        let has_blank = || self.cx.window.get(self.line.end).is_some_and(|b| BLANK.has(b));
        goes_on
            && (self.ends_page(next)
                || names_path(token) && (has_blank() || next.is_alone && !self.is_list_of_files(next)))
    }

    /// Rule M: whether the URL ends within a word, and `token` cannot be read alone, because of the mark that it
    /// starts with or because the line is full.
    fn is_middle(&self, token: &[u8], next: &Next) -> bool {
        let len = self.line.len();
        let is_full = || MIDDLE.contains(&len) && is_no_word(token) && self.is_longest(len);
        let is_filled = || {
            let is_alone = self.text_of(self.line.start) + self.url.len() == self.line.end;
            let is_label = matches!(token.first(), Some(b'[' | b'(' | b'*'));
            WIDTHS.contains(&len) && is_alone && continues_url(token) && !is_label && self.ends_page(next)
        };
        let ends_in_word = self.url.last().is_some_and(|b| b.is_ascii_alphanumeric() || b"=&".contains(b));
        ends_in_word
            && !names_file(self.url)
            && (next.is_alone && starts_with_mark(token) || is_full() || is_filled())
    }

    /// Whether the URL ends in a hyphen, and `token` has a path or a query, or the line goes on with a URL already and
    /// `token` is alone before an empty line.
    fn goes_on_after_hyphen(&self, token: &[u8], next: &Next) -> bool {
        let has_mark = || token.iter().any(|b| b"/?".contains(b));
        let is_continued =
            || self.url.len() > self.line.len() && continues_url(token) && self.ends_page(next);
        self.url.ends_with(b"-") && (has_mark() || is_continued())
    }

    /// Whether the line after `next` has nothing but the name of a file, too.
    fn is_list_of_files(&self, next: &Next) -> bool {
        let window = self.cx.window;
        let text = self.text_of(after_break(window, next.end));
        let word = window.skip(text, text + LINE, |b| !SPACE.has(b));
        let is_alone =
            window.get(window.skip(word, word + LINE, |b| BLANK.has(b))).is_none_or(|b| BREAK.has(b));
        is_alone && names_path(window.ahead(text..word))
    }

    /// Rule T: whether the line is as wide as the terminal, and the URL runs to its end.
    fn fills_terminal(&self) -> bool {
        let Some(width) = self.cx.rules.width else {
            return false;
        };
        let end = line_end_after(self.cx, self.line.end);
        let is_end = end - self.line.end == border(self.cx.window, self.line.end);
        is_end && columns(self.cx.window.ahead(self.line.clone())) == width
    }

    /// Whether `next` is alone before an empty line, or before lines that go on with a URL alone, too.
    fn ends_page(&self, next: &Next) -> bool {
        let window = self.cx.window;
        let (mut end, mut last) = (next.end, next.word.clone());
        for _ in 0..CHAIN {
            if !next.is_alone || self.is_empty_after(end) {
                return next.is_alone;
            }
            // Of several names of files the URL has none.
            if names_file(window.ahead(last)) {
                return false;
            }
            let text = self.text_of(after_break(window, end));
            let word = window.skip(text, text + LINE, |b| !SPACE.has(b));
            end = window.skip(word, word + LINE, |b| BLANK.has(b));
            let is_alone = window.get(end).is_none_or(|b| BREAK.has(b));
            if !is_alone || !continues_url(window.ahead(text..word)) || starts_url(window.ahead(text..word)) {
                return false;
            }
            last = text..word;
        }
        false
    }

    /// Whether the `=` at the end is a soft break of quoted-printable, so that it is no
    /// part of the URL.
    fn is_soft_break(&self) -> bool {
        self.url.ends_with(b"=") && SOFT.contains(&self.line.len())
    }

    /// Whether the line has as many characters as one that is wrapped.
    fn is_long(&self) -> bool {
        let continues = |b: &&u8| **b & 0xC0 == 0x80;
        let line = self.cx.window.ahead(self.line.clone());
        line.len() >= LONG && line.len() - line.iter().filter(continues).count() >= LONG
    }

    /// Rule S: whether the URL ends in a mark that `token` has to follow.
    fn is_open(&self, token: &[u8], next: &Next) -> bool {
        let Some((&last, rest)) = self.url.split_last() else {
            return false;
        };
        let in_query = || rest.contains(&b'?');
        token.first().is_some_and(u8::is_ascii_alphanumeric)
            && match last {
                b'-' | b'_' => rest.last() != Some(&last),
                b'%' => {
                    !closes_name(rest) && token.iter().take(2).filter(|b| b.is_ascii_hexdigit()).count() == 2
                }
                b'=' | b'&' => in_query() && (!next.is_word || next.is_alone),
                b'?' => starts_parameter(token),
                _ => false,
            }
    }

    /// Rule D: whether the URL ends in a dot that is no ellipsis.
    fn ends_in_dot(&self) -> bool {
        matches!(self.url, [.., before, b'.'] if *before != b'.')
    }

    /// Rule W: whether the line is as long as the full lines of the text, the token is
    /// alone between it and an empty line, and the URL is not whole already.
    ///
    /// A line is full, too, if it is long and ends after a slash, and no text is so wide
    /// that the token would have fit: people cut long URLs there by hand.
    fn is_full(&self, next: &Next) -> bool {
        let len = self.line.len();
        if !next.is_alone || names_file(self.url) || self.ends_sentence(next) {
            return false;
        }
        let overflows = len + next.word.len() > *WIDTHS.end();
        let at_slash = self.url.ends_with(b"/") && overflows && !next.is_word && self.is_long();
        match WIDTHS.contains(&len) && self.ends_paragraph(next, len) {
            true => self.is_longest(len) || (at_slash && self.is_empty_after(next.end)),
            false => at_slash && self.is_empty_after(next.end),
        }
    }

    /// Whether `next` is the last word of a sentence.
    fn ends_sentence(&self, next: &Next) -> bool {
        let last = self.cx.window.ahead(next.word.clone()).last();
        next.is_word && last.is_some_and(|b| !b.is_ascii_alphabetic())
    }

    /// Whether an empty line follows `next`, or lines of `len` bytes that have one word
    /// each and what is left of the last one.
    fn ends_paragraph(&self, next: &Next, len: usize) -> bool {
        let window = self.cx.window;
        let (mut start, mut end) = (next.start, next.end);
        for _ in 0..CHAIN {
            if self.is_empty_after(end) {
                return true;
            }
            if end - start != len {
                return false;
            }
            start = after_break(window, end);
            let text = self.text_of(start);
            let word = window.skip(text, start + LINE, |b| !SPACE.has(b));
            end = window.skip(word, start + LINE, |b| BLANK.has(b));
            if word == text || !(breaks(window, end) || window.get(end).is_none()) {
                return false;
            }
        }
        false
    }

    /// Whether the line after the break at `end` is empty, its leader aside, or missing.
    fn is_empty_after(&self, end: usize) -> bool {
        let window = self.cx.window;
        if !breaks(window, end) {
            return true;
        }
        let text = self.text_of(after_break(window, end));
        window.get(text).is_none() || breaks(window, text)
    }

    /// Where the text of the line at `start` starts.
    fn text_of(&self, start: usize) -> usize {
        let limit = start + LINE;
        self.cx.window.skip(self.opening.leader_end(self.cx.window, start, limit), limit, |b| BLANK.has(b))
    }

    /// Whether no line before this one is longer than its `len` bytes, and one is as
    /// long.
    fn is_longest(&self, len: usize) -> bool {
        let floor = self.cx.back.max(self.line.start.saturating_sub(LINES));
        let mut rest = self.cx.window.before(self.line.start, floor);
        let mut found = false;
        for _ in 0..MOST {
            let Some(before) = rest.strip_suffix(b"\n") else {
                break;
            };
            let start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
            let other = before[start..].strip_suffix(b"\r").unwrap_or(&before[start..]).len();
            rest = &before[..start];
            if other > len {
                return false;
            }
            found |= other == len;
        }
        found
    }
}

/// The widths at which programs cut words, in bytes.
const MIDDLE: RangeInclusive<usize> = 76..=80;

/// The token without the marks of the sentence at its end.
fn token_without_marks(token: &[u8]) -> &[u8] {
    &token[..token.iter().rposition(|b| !b".,;:!?)'\"".contains(b)).map_or(0, |n| n + 1)]
}

/// Whether `token` has what URLs have and words do not. Groups of letters and digits with hyphens between them are
/// what unwanted mail ends with.
fn continues_url(token: &[u8]) -> bool {
    let is_key = || token.split(|&b| b == b'-').count() > 2;
    token.iter().any(|b| b"/.=?_%&".contains(b)) || token.iter().any(u8::is_ascii_digit) && !is_key()
}

/// Whether `token` is a path of more than words, or the name of a file.
fn names_path(token: &[u8]) -> bool {
    let is_words = || token.split(|&b| b == b'/').all(|word| !word.is_empty() && is_word(word));
    names_file(token) || token.contains(&b'/') && !is_words()
}

/// Whether `token` starts with a mark of URLs that starts no word.
fn starts_with_mark(token: &[u8]) -> bool {
    match token {
        [b'.', rest @ ..] => is_extension(rest),
        [b'/', rest @ ..] => names_file(rest),
        // A blank of quoted-printable.
        b"=20" => false,
        [b'&' | b'=' | b'%', rest @ ..] => rest.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    }
}

/// Whether `token` cannot be read alone: it starts with a mark of URLs, or has one within, or names a file.
fn is_no_word(token: &[u8]) -> bool {
    match token {
        [b'/' | b'_', rest @ ..] => rest.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => starts_with_mark(token) || names_path(token) || token.iter().any(|b| b"=%".contains(b)),
    }
}

/// Whether the `%` after `url` closes the name of a variable: `%NAME%`.
fn closes_name(url: &[u8]) -> bool {
    let name = memchr::memrchr(b'%', url).map_or(&[][..], |at| &url[at + 1..]);
    !name.is_empty() && name.iter().all(|b| b.is_ascii_uppercase() || *b == b'_')
}

/// The length of the border of a terminal at `at`: `|` or `│`.
fn border(window: &Window<'_>, at: usize) -> usize {
    match window.get(at) {
        Some(b'|') => 1,
        Some(0xE2) if window.has(at, "│".as_bytes()) => "│".len(),
        _ => 0,
    }
}

/// How many columns `line` takes in a terminal.
fn columns(line: &[u8]) -> usize {
    let text = String::from_utf8_lossy(line);
    text.chars().map(|c| if unicode::is_wide(c) { 2 } else { 1 }).sum()
}

/// Whether `token` starts with a name and `=`.
fn starts_parameter(token: &[u8]) -> bool {
    let name = token.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
    name > 0 && token.get(name) == Some(&b'=')
}

/// Whether `token` has the rest of a name and a path or a query after it.
fn is_rest_of_name(token: &[u8]) -> bool {
    let starts = token.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    starts && token.iter().any(|b| b"/?".contains(b))
}

/// Whether `token` is the end of the name of a file, sentence punctuation aside.
fn is_extension(token: &[u8]) -> bool {
    let end = token.iter().rposition(|b| !b".,;:!?)'".contains(b)).map_or(0, |n| n + 1);
    EXTENSIONS.iter().any(|name| name.as_bytes() == &token[..end])
}

/// Whether `url` ends with the name of a file, so that it is likely whole.
fn names_file(url: &[u8]) -> bool {
    let name = memchr::memrchr(b'/', url).map_or(url, |slash| &url[slash + 1..]);
    let extension = memchr::memrchr(b'.', name).map(|dot| &name[dot + 1..]);
    extension.is_some_and(|name| (1..=5).contains(&name.len()) && name.iter().all(u8::is_ascii_alphanumeric))
}

/// How long a line may be that is joined to the one before it, in bytes. A longer one
/// was not wrapped.
const LINE: usize = 1024;

/// How far apart tab stops are, in columns.
const TAB: usize = 8;

/// Whether a line ends at `at`.
fn breaks(window: &Window<'_>, at: usize) -> bool {
    window.get(at).is_some_and(|b| BREAK.has(b))
}

/// Where the line starts that follows the break at `at`: LF, CR, CR LF or CR CR LF.
fn after_break(window: &Window<'_>, at: usize) -> usize {
    let mut next = at;
    while next < at + 2 && window.get(next) == Some(b'\r') {
        next += 1;
    }
    match window.get(next) {
        Some(b'\n') => next + 1,
        _ => at + 1,
    }
}

/// Where the line ends that continues at `from`, or `limit` if it does not end before.
fn line_end(window: &Window<'_>, from: usize, limit: usize) -> usize {
    let buffered = limit.min(window.len()).max(from);
    match memchr::memchr2(b'\n', b'\r', window.ahead(from..buffered)) {
        Some(n) => from + n,
        None => window.skip(buffered, limit, |b| !BREAK.has(b)),
    }
}

/// The line on which a URL starts.
struct Opening<'h> {
    start: usize,
    leader: Leader<'h>,
}

impl<'h> Opening<'h> {
    /// The line of the URL at `url`, unless it starts too far before it.
    fn of(cx: &Context<'_, 'h>, url: usize) -> Option<Self> {
        let start = cx.window.line_start(url, cx.back)?;
        Some(Opening { start, leader: Leader::of_line(cx.window, url, cx.back) })
    }

    /// Where the leader ends of the line that starts at `start`.
    fn leader_end(&self, window: &Window<'_>, start: usize, limit: usize) -> usize {
        self.leader.strip(window, start, limit)
    }
}

/// A line that may go on with the URL.
struct Next {
    start: usize,
    /// Where the line ends, its break excluded.
    end: usize,
    /// Everything up to the first whitespace.
    word: Range<usize>,
    /// What of it a URL may have, untrimmed.
    token: Range<usize>,
    /// Whether the token is a word of prose.
    is_word: bool,
    /// Whether nothing follows the word on its line.
    is_alone: bool,
    /// Whether a URL follows it.
    has_url: bool,
}

impl Next {
    /// The line that starts at `start`, whose text starts at `text`, if its first `word`
    /// may be a token.
    fn read(
        finder: &EndFinder<'_, '_>,
        start: usize,
        text: usize,
        may_join: impl Fn(&[u8]) -> bool,
    ) -> Option<Self> {
        let window = finder.window;
        let limit = finder.limit.min(start.saturating_add(LINE));
        let end = line_end(window, text, limit);
        if end >= limit || end == text {
            return None;
        }
        let word = window.skip(text, end, |b| !BLANK.has(b));
        if !may_join(window.ahead(text..word)) {
            return None;
        }
        let End::At(token) = finder.untrimmed(text) else {
            return None;
        };
        Some(Next {
            start,
            end,
            word: text..word,
            token: text..token,
            is_word: is_word(window.ahead(text..word)),
            has_url: has_url(window.ahead(word..end)),
            is_alone: window.skip(word, end, |b| BLANK.has(b)) == end,
        })
    }
}

/// Whether `text` has a scheme's `://`.
fn has_url(text: &[u8]) -> bool {
    memchr::memchr_iter(b':', text).any(|colon| text[colon + 1..].starts_with(b"//"))
}

/// Whether `word` is one of prose: letters, also with a hyphen or an apostrophe between
/// them, sentence punctuation aside.
fn is_word(word: &[u8]) -> bool {
    let end = word.iter().rposition(|b| !b".,;:!?)'\"".contains(b)).map_or(0, |n| n + 1);
    let letters = |part: &[u8]| part.iter().all(|b| b.is_ascii_alphabetic() || *b >= 0x80);
    word[..end].split(|b| b"-'".contains(b)).all(letters)
}

/// The column after the text `line`, which has a leader and whitespace.
fn column(line: &[u8]) -> usize {
    let next = |at: usize, b: &u8| if *b == b'\t' { (at / TAB + 1) * TAB } else { at + 1 };
    line.iter().fold(0, next)
}

/// The URL of which only the `scheme` is on its line, with or without its slashes, joined with a token that has a dotted
/// host, and a path or nothing else before an empty line: rule P.
pub(super) fn of_scheme(cx: &Context<'_, '_>, start: usize, colon: usize) -> Option<Match<'static>> {
    let (window, limit, options) = (cx.window, cx.limit(start), &cx.rules.scan.read);
    let has_slashes = window.has(colon + 1, b"//");
    let stem = start..colon + 1 + if has_slashes { 2 } else { 0 };
    let line_end = window.skip(stem.end, limit, |b| BLANK.has(b));
    if !breaks(window, line_end) {
        return None;
    }
    let opening = Opening::of(cx, start)?;
    let finder = EndFinder::new(window, start, limit, options, &cx.notes.cells);
    let guards = Guards { cx, finder: &finder, opening: &opening };
    let line = after_break(window, line_end);
    let text = guards.text_in_paragraph(opening.start, line, line_end > stem.end)?;
    let host = text + if has_slashes { 0 } else { 2 };
    if !has_slashes && !window.has(text, b"//") {
        return None;
    }
    let begin = (AuthorityReader { window, limit, options }).dotted_host(host, 2)?;
    let has_path = matches!(begin, Start::Open(at) if window.get(at) == Some(b'/'));
    let next = Next::read(&finder, line, text, |_| true)?;
    let cut = Cut { cx, opening: &opening, line: opening.start..stem.end, url: b"" };
    if !has_path && !cut.ends_page(&next) {
        return None;
    }
    let end = finder.trimmed(next.token.end, host);
    let pieces = vec![Piece { range: stem, gap: Gap::Line }, Piece { range: text..end, gap: Gap::None }];
    let readings = Readings::new(|range| window.ahead(range), pieces, cx.rules.hyphen);
    let mut pieces = Pieces::new(Some(Joined::Guess), readings);
    pieces.guess = Some(GuessRule::Page);
    let matched = Match::rejoined(start..end, Form::Bare, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// The URL that starts with `stem`, joined over the soft line breaks of quoted-printable
/// (RFC 2045 §6.7) in text that nobody decoded.
///
/// List archives store mail as it came. A `=` that ends a line of about the length at which
/// programs break lines, with a URL running up to it, is a soft break: the URL continues on
/// the next line without the `=`.
#[inline(always)]
pub(super) fn over_soft_breaks(
    cx: &Context<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    // Nearly always this decides, and nothing has to be searched for the start of the line.
    if may_break(finder, stem.untrimmed) { rejoin_lines(cx, finder, stem) } else { None }
}

#[inline(never)]
fn rejoin_lines(cx: &Context<'_, '_>, finder: &EndFinder<'_, '_>, stem: &Stem) -> Option<Match<'static>> {
    let window = cx.window;
    let mut line = window.line_start(finder.start, cx.back)?;
    if is_continued(cx, line, finder.start) {
        return None;
    }
    let (mut from, mut end) = (finder.start, stem.untrimmed);
    let mut pieces = Vec::new();
    while may_break(finder, end) && SOFT.contains(&(end - line)) {
        pieces.push(Piece { range: from..end - 1, gap: Gap::None });
        line = window.after_break(end);
        from = line;
        match finder.untrimmed(line) {
            End::At(next) if next > line && !starts_url(window.ahead(line..next)) => end = next,
            _ => return None,
        }
    }
    if pieces.is_empty() {
        return None;
    }
    let last = from..finder.trimmed(end, from);
    let span = stem.span.start..last.end;
    let unjoined = window.ahead(stem.url.clone()).to_vec();
    pieces.push(Piece { range: last, gap: Gap::None });
    let readings = Readings::new(|range| window.ahead(range), pieces, cx.rules.hyphen).or(unjoined);
    let pieces = Pieces::new(Some(Joined::Flowed), readings);
    let matched = Match::rejoined(span, stem.form, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// Whether the line that starts at `line` continues a word over a soft break, and the URL at
/// `start` is part of that word. The word was read before, and each line is read once.
fn is_continued(cx: &Context<'_, '_>, line: usize, start: usize) -> bool {
    let window = cx.window;
    let before = window.before(window.before_break(line, cx.back), cx.back);
    matches!(before, [.., b, b'='] if INSIDE.has(*b))
        && !window.before(start, line).iter().any(|&b| BLANK.has(b))
}

/// Whether a line ends at `end` after a `=`.
fn may_break(finder: &EndFinder<'_, '_>, end: usize) -> bool {
    let window = finder.window;
    window.byte_before(end) == Some(b'=') && window.get(end).is_some_and(|b| BREAK.has(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_likely_the_end() {
        for url in ["http://h.org/a.html", "http://h.org/A.TXT", "http://h.org", "http://h.org/a.c"] {
            assert!(names_file(url.as_bytes()), "{url}");
        }
        for url in ["http://h.org/a/", "http://h.org/a", "http://h.org/a.", "http://h.org/a.htm/b", ""] {
            assert!(!names_file(url.as_bytes()), "{url}");
        }
    }

    #[test]
    fn parameters_and_extensions() {
        assert!(starts_parameter(b"list=users") && starts_parameter(b"a_b.c-d="));
        assert!(!starts_parameter(b"=x") && !starts_parameter(b"list") && !starts_parameter(b"a b=c"));
        assert!(
            is_extension(b"html") && is_extension(b"txt),") && !is_extension(b"htmlx") && !is_extension(b"")
        );
    }

    #[test]
    fn words_of_prose() {
        for word in ["and", "word.", "e-mail", "don't", "Mo\u{fc}l", "(sic)", ""] {
            assert_eq!(is_word(word.as_bytes()), !word.starts_with('('), "{word}");
        }
        for token in ["file.html", "a/b", "x=1", "1994", "foo_bar", "a1"] {
            assert!(!is_word(token.as_bytes()), "{token}");
        }
    }

    #[test]
    fn one_line_break() {
        for (text, next) in [("\na", 1), ("\r\na", 2), ("\r\r\na", 3), ("\r\ra", 1), ("\n\n", 1)] {
            assert_eq!(after_break(&Window::whole(text.as_bytes()), 0), next, "{text:?}");
        }
    }

    #[test]
    fn tabs_count_to_the_next_stop() {
        assert_eq!(column(b"  "), 2);
        assert_eq!(column(b" \t "), 9);
        assert_eq!(column(b">\t\t"), 16);
    }
}
