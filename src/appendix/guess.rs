//! Rejoins bare URLs that were broken at a line break, by evidence.
//!
//! RFC 1738 does not allow this, so it is done only on request. A full line alone is not evidence,
//! because most URLs at the end of a full line are complete. The *stem* is the URL up to the line
//! break, and the *token* is the first word of the next line. They are joined if one of the
//! [rules](BrokenUrl) decides that the URL continues, and no [guard](Guards) shows that the next line is
//! something else.
//!
//! ```text
//!   > see http://www.example.org/cgi-bin/show.cgi?list=users&msg=   ← the stem ends in "="
//!   > 4711 for it                                                     (rule S)
//!     ────
//!     the token
//! ```
//!
//! If the result extends to the end of its line, it becomes a new stem, at most [`CONTINUATIONS`]
//! times.
//!
//! Soft breaks of quoted-printable are not guesses: see [`of_quoted_printable`].

use std::ops::{Range, RangeInclusive};

use super::end::{End, EndFinder};
use super::filter;
use super::line::{
    Line, Lines, MAX_WRAPPED_LINE, Stem, has_url, is_blank, is_prompt, is_prose, is_soft_break,
    starts_attribute, starts_url, without_punctuation,
};
use super::notation::{self, TextDialect};
use super::start::{AuthorityReader, Start};
use super::{Surroundings, terminal};
use crate::bytes::class::{BLANK, HIGH, INSIDE};
use crate::bytes::file_kind;
use crate::grammar;
use crate::matches::form::{Ending, Form, GuessRule, JoinKind, Stop};
use crate::matches::readings::{Gap, Piece, Readings};
use crate::matches::{Joined, Match};

/// The maximum number of lines after the first. Arbitrary: eight lines hold 600 bytes, and each line
/// adds a chance of a wrong join.
const CONTINUATIONS: usize = 8;

/// The maximum number of lines that evidence may join at once. Each line costs a hash of the whole
/// URL.
const MAX_EVIDENCE_LINES: usize = 3;

/// The maximum number of lines after the first in a link that a mail filter rewrote: 2,400 bytes of
/// lines of 76. The limit bounds the search for a last parameter that is missing.
const MAX_FILTER_LINES: usize = 32;

/// The maximum length of a URL that is looked up in the evidence, in bytes. It bounds the time for
/// the hashes of a URL that continues line by line.
const MAX_LOOKUP_LEN: usize = 2048;

impl Stem {
    /// The URL in `pieces`, joined by `rule` or else by a format. The part on the first line is
    /// another reading, if the join is `in_doubt`.
    pub(super) fn joined(
        &self,
        cx: &Surroundings<'_, '_>,
        pieces: &[Piece],
        rule: Option<GuessRule>,
        in_doubt: bool,
    ) -> Option<Match<'static>> {
        let end = pieces.last()?.range.end;
        let readings = notation::readings(cx.window, pieces, cx.rules.hyphen);
        let unjoined = || cx.window.ahead(self.url.clone()).to_vec();
        let readings = if in_doubt { readings.or(unjoined()) } else { readings };
        let pieces = match rule {
            Some(rule) => Joined::guessed(rule, readings),
            None => Joined::new(Some(JoinKind::Flowed), readings),
        };
        let matched = Match::rejoined(self.span.start..end, self.form, pieces);
        grammar::is_url(matched.as_bytes()).then_some(matched)
    }
}

/// Returns true if the URL ends its line. A `mailto` URL never continues.
#[inline(always)]
pub(super) fn may_continue(cx: &Surroundings<'_, '_>, _: &EndFinder<'_, '_>, stem: &Stem) -> bool {
    cx.window.is_break(cx.window.skip(stem.untrimmed, stem.untrimmed + MAX_WRAPPED_LINE, |b| BLANK.has(b)))
        && !cx.window.has(stem.url.start, b"mailto:")
}

/// The URL that starts with `stem`, or `None` if no rule joins it.
pub(super) fn rejoin(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let lines = &Lines::around(cx, stem.url.start..stem.untrimmed)?;
    let guards = Guards { cx, finder, lines };
    let mut guess = Guess { cx, finder, guards, lines, stem, joined: Vec::new(), url: Vec::new() };
    guess.url.reserve(2 * (stem.untrimmed - stem.url.start));
    guess.url.extend_from_slice(cx.window.ahead(stem.url.start..stem.untrimmed));
    let first = guess.step()?;
    while guess.joined.len() < CONTINUATIONS && guess.step().is_some() {}
    guess.into_match(first)
}

/// A URL that is being joined.
struct Guess<'w, 'h> {
    cx: &'w Surroundings<'w, 'h>,
    finder: &'w EndFinder<'w, 'h>,
    guards: Guards<'w, 'h>,
    lines: &'w Lines<'w, 'h>,
    stem: &'w Stem,
    /// The lines that were joined to the first one.
    joined: Vec<LineBelow<'h>>,
    /// The URL so far, untrimmed.
    url: Vec<u8>,
}

impl<'h> Guess<'_, 'h> {
    /// Joins the next line, or several, if a rule decides so.
    fn step(&mut self) -> Option<GuessRule> {
        let line = self.line(self.joined.len());
        match filter::end(&self.url) {
            Some(Some(_)) => return None,
            Some(None) => return self.by_filter(line).then_some(GuessRule::Filter),
            None => {}
        }
        let before = self.joined.len().checked_sub(1).map(|n| self.line(n).len());
        let broken = BrokenUrl { cx: self.cx, lines: self.lines, line, before, url: &self.url };
        if broken.is_soft_break() {
            return None;
        }
        let next = self.guards.next(&line)?;
        // After a line that fills the terminal, only rule T (`terminal.rs`) and evidence apply.
        let rule = if terminal::next_line(self.cx, line.end()).is_some() { None } else { broken.rule(&next) };
        match rule {
            Some(rule) => {
                self.join(next);
                Some(rule)
            }
            None => self.by_evidence(next),
        }
    }

    /// Returns the line of the URL after the first `n`, up to the URL's end in it.
    fn line(&self, n: usize) -> Line<'h> {
        n.checked_sub(1).map_or(self.lines.first, |n| self.joined[n].line)
    }

    fn join(&mut self, next: LineBelow<'h>) {
        self.url.extend_from_slice(self.cx.window.ahead(next.token.clone()));
        self.joined.push(LineBelow { line: next.line.up_to(next.token.end), ..next });
    }

    /// Rule F: joins the lines after `line` up to the one in which the rewritten link ends.
    fn by_filter(&mut self, mut line: Line<'h>) -> bool {
        let before = (self.joined.len(), self.url.len());
        for _ in 0..MAX_FILTER_LINES {
            let Some(next) = self.guards.next_of_filter(&line) else { break };
            let (from, is_alone) = (self.url.len(), next.is_alone() && next.token.len() == next.word.len());
            self.join(next);
            if let Some(end) = filter::end(&self.url).flatten()
                && let Some(last) = self.joined.last_mut()
            {
                last.token.end = last.token.start + end - from;
                self.url.truncate(end);
                return true;
            }
            match self.joined.last() {
                Some(last) if is_alone => line = last.line,
                _ => break,
            }
        }
        self.joined.truncate(before.0);
        self.url.truncate(before.1);
        false
    }

    /// Rule E: joins the number of lines that yields a URL which occurs unbroken elsewhere.
    fn by_evidence(&mut self, next: LineBelow<'h>) -> Option<GuessRule> {
        let evidence = self.cx.rules.evidence.as_ref().filter(|_| self.url.len() <= MAX_LOOKUP_LEN)?;
        if next.has_url() || next.is_capitalised() {
            return None;
        }
        let evidence = evidence.look_up();
        let before = (self.joined.len(), self.url.len());
        let (mut known, mut next) = (before, next);
        loop {
            let Range { start, end } = next.token;
            let joined = self.url.len() + self.finder.trimmed(end, start) - start;
            let is_prose = next.is_prose();
            self.join(next);
            let stem = match before.0 {
                0 => self.cx.window.ahead(self.stem.url.clone()),
                _ => &self.url[..before.1],
            };
            if joined <= MAX_LOOKUP_LEN && evidence.joins(stem, &self.url[..joined], is_prose) {
                known = (self.joined.len(), self.url.len());
            }
            let last = self.joined.last().filter(|_| self.joined.len() < before.0 + MAX_EVIDENCE_LINES);
            let Some(following) = last.and_then(|last| self.guards.next(&last.line)) else { break };
            next = following;
        }
        self.joined.truncate(known.0);
        self.url.truncate(known.1);
        (known > before).then_some(GuessRule::Evidence)
    }

    /// The match that `first` began to join.
    fn into_match(mut self, first: GuessRule) -> Option<Match<'static>> {
        // A line was not joined if trimming removed all of it.
        let trimmed = |next: &LineBelow<'_>| self.finder.trimmed(next.token.end, next.token.start);
        while self.joined.last().is_some_and(|last| trimmed(last) <= last.token.start) {
            self.joined.pop();
        }
        let last = self.joined.last_mut()?;
        let untrimmed = last.token.end;
        let end = self.finder.trimmed(untrimmed, last.token.start);
        last.token.end = end;
        let stop = last.stop;
        let tokens = self.joined.into_iter().map(|next| next.token).filter(|token| !token.is_empty());
        let ranges = std::iter::once(self.stem.url.start..self.stem.untrimmed).chain(tokens);
        let mut pieces = Vec::with_capacity(2);
        pieces.extend(ranges.map(|range| Piece { range, gap: Gap::Line }));
        pieces.last_mut()?.gap = Gap::None;
        let matched = self.stem.joined(self.cx, &pieces, Some(first), true)?;
        let ending = stop.map(|stop| Ending::new(stop, end, untrimmed));
        Some(matched.ending_by(ending))
    }
}

/// The guards of a URL: the kinds of lines that cannot continue it.
///
/// A line of another quote depth has another author. A line that is indented less is another
/// paragraph. A URL, a host, an email address or a field name starts something new, and where URLs
/// alternate with their titles, a title does not belong to a URL.
struct Guards<'w, 'h> {
    cx: &'w Surroundings<'w, 'h>,
    finder: &'w EndFinder<'w, 'h>,
    lines: &'w Lines<'w, 'h>,
}

impl<'h> Guards<'_, 'h> {
    /// The line after `line`, if it may continue with the URL.
    fn next(&self, line: &Line<'_>) -> Option<LineBelow<'h>> {
        let end = self.cx.window.skip(line.end(), line.end() + MAX_WRAPPED_LINE, |b| BLANK.has(b));
        let next = self.lines.after(end).filter(|next| self.is_in_paragraph(line, next))?;
        let after_hyphen = line.bytes.ends_with(b"-");
        let may_join = |word: &[u8]| !is_email(word) || after_hyphen && is_rest_of_identifier(word);
        let next = self.read(next, |word| starts_nothing_new(word) && may_join(word))?;
        // List archives write email addresses as `user at h.org`.
        let is_spelled = next.rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case(b" at "));
        // The lines of a log share their first column.
        let is_column = line.split_word().0 == next.word;
        let is_other = is_spelled || is_column || self.is_list_of_titles(line, &next);
        (self.is_token(&next) && !is_other).then_some(next)
    }

    /// The line after `line`, if it may continue with the rewritten link. If one mailer broke a URL
    /// and another quoted it, the quote depth changes, and a line with only quote characters may be
    /// in between.
    fn next_of_filter(&self, line: &Line<'_>) -> Option<LineBelow<'h>> {
        let after = |at| self.lines.after(self.cx.window.skip(at, at + MAX_WRAPPED_LINE, |b| BLANK.has(b)));
        let next = after(line.end())?;
        let is_mark = next.is_empty() && !next.bytes.is_empty();
        let next = if is_mark { after(next.end())? } else { next };
        self.read(next, |word| !starts_url(word)).filter(|next| !next.token.is_empty())
    }

    /// Returns the part of `line` that the URL may contain, if it may contain the first word.
    fn read(&self, line: Line<'h>, may_join: impl Fn(&[u8]) -> bool) -> Option<LineBelow<'h>> {
        let (word, rest) = line.split_word();
        if word.is_empty() || !line.is_whole() || line.end() >= self.finder.limit || !may_join(word) {
            return None;
        }
        let start = line.text_start();
        match self.finder.untrimmed(start) {
            End::At(end, stop) => Some(LineBelow { line, word, rest, token: start..end, stop }),
            End::TooLong => None,
        }
    }

    /// Returns true if `next` has the same quote depth as `line`, and at least the same
    /// indentation.
    fn is_in_paragraph(&self, line: &Line<'_>, next: &Line<'_>) -> bool {
        // A mailer that left a space before the break may have dropped the indentation.
        let has_blank = || self.cx.window.get(line.end()).is_some_and(|b| BLANK.has(b));
        line.has_depth_of(next) && (next.column() >= line.column() || has_blank())
    }

    /// Returns true if the token contains text, and is its whole word.
    fn is_token(&self, next: &LineBelow<'_>) -> bool {
        let window = self.cx.window;
        let Range { start, end } = next.token;
        // The trimmed end never starts with a letter or digit.
        let starts = window.get(start).is_some_and(|b| b.is_ascii_alphanumeric());
        let trimmed = || window.ahead(start..self.finder.trimmed(end, start));
        let has_text = starts || trimmed().iter().any(u8::is_ascii_alphanumeric);
        // A word with non-ASCII characters is a word of prose.
        has_text && !window.get(end).is_some_and(|b| HIGH.has(b))
    }

    /// Returns true if URLs and titles alternate around `line`.
    ///
    /// A token is not a title if it is the only word on its line and does not look like prose.
    fn is_list_of_titles(&self, line: &Line<'_>, next: &LineBelow<'_>) -> bool {
        if !line.starts_url() || (next.is_alone() && !next.is_prose()) {
            return false;
        }
        let mut before = self.lines.before(line.start).map(|line| self.lines.at(line.start).starts_url());
        self.lines.after(next.line.end()).is_some_and(|line| line.starts_url())
            || before.next() == Some(false) && before.next() == Some(true)
    }
}

/// Returns true unless `word` starts something new: a URL, a host or a field.
fn starts_nothing_new(word: &[u8]) -> bool {
    let is_host = |prefix: &[u8]| word.len() > 4 && word[..4].eq_ignore_ascii_case(prefix);
    // Comment characters may end like this: `//!`.
    let is_mark = word.ends_with(b":") || without_punctuation(word).ends_with(b"//");
    !is_mark && !is_host(b"www.") && !is_host(b"ftp.") && !has_url(word) && !is_prompt(word)
}

/// Returns true if `word` may be an email address: it contains an `@` without a path after it.
/// Ornaments may follow.
fn is_email(word: &[u8]) -> bool {
    memchr::memchr(b'@', word).is_some_and(|at| !word[at..].contains(&b'/') || word.ends_with(b"//"))
}

/// Returns true if `word` contains digits and a hyphen before its `@`, like message identifiers:
/// `3-ann@h.org`.
fn is_rest_of_identifier(word: &[u8]) -> bool {
    let local = &word[..memchr::memchr(b'@', word).unwrap_or(0)];
    local.contains(&b'-') && local.iter().any(u8::is_ascii_digit)
}

/// The minimum length of a line that may have been broken within a URL, in characters.
const MIN_BROKEN_LINE: usize = 45;

/// The widths that texts are wrapped at, in bytes.
const WIDTHS: RangeInclusive<usize> = 72..=80;

/// The maximum number of preceding lines that a line is compared with.
const MAX_COMPARED_LINES: usize = 24;

/// A URL that may be broken at the end of a line. The rules S, D, W, P and M look for evidence of
/// the break in the lines around it.
struct BrokenUrl<'w, 'h> {
    cx: &'w Surroundings<'w, 'h>,
    lines: &'w Lines<'w, 'h>,
    /// The line up to the end of the URL.
    line: Line<'h>,
    /// The length of the line before `line`, if the URL is on that one as well.
    before: Option<usize>,
    /// The URL up to the end of `line`.
    url: &'w [u8],
}

impl BrokenUrl<'_, '_> {
    /// Returns the rule by which the URL continues with `next`.
    fn rule(&self, next: &LineBelow<'_>) -> Option<GuessRule> {
        let token = self.cx.window.ahead(next.token.clone());
        if self.ends_in_dot() && is_extension(token) {
            return Some(GuessRule::Dot);
        }
        if next.has_url() {
            return None;
        }
        if (self.is_long() || self.continues_after_hyphen(token, next)) && self.is_open(token, next) {
            return Some(GuessRule::Stem);
        }
        if self.ends_in_dot() && is_rest_of_name(token) {
            return Some(GuessRule::Dot);
        }
        if self.is_full(next) || self.is_next_of_full(next) {
            return Some(GuessRule::FullLine);
        }
        let token = without_punctuation(token);
        if self.is_page(token, next) {
            return Some(GuessRule::Page);
        }
        self.is_middle(token, next).then_some(GuessRule::Middle)
    }

    /// Rule P: returns true if the URL ends in a slash, and `token` continues it: `token` is the
    /// only word before an empty line, the only file name there, or a file name after a space that
    /// a mailer left before the break.
    fn is_page(&self, token: &[u8], next: &LineBelow<'_>) -> bool {
        let may_be_page = self.url.ends_with(b"/") && continues_url(token);
        let has_blank = || self.cx.window.get(self.line.end()).is_some_and(|b| BLANK.has(b));
        may_be_page
            && (self.ends_page(next)
                || names_path(token) && (has_blank() || next.is_alone() && !self.is_list_of_files(next)))
    }

    /// Rule M: returns true if the URL ends within a word, and `token` cannot be read by itself,
    /// because of its first character or because the line is full.
    fn is_middle(&self, token: &[u8], next: &LineBelow<'_>) -> bool {
        let len = self.line.len();
        let is_full = || MIDDLE_WIDTHS.contains(&len) && looks_like_url_part(token) && self.is_longest(len);
        let is_alone = self.line.text_start() + self.url.len() == self.line.end();
        let is_wrapped =
            || is_alone && len >= MIN_STEM && next.is_alone() && looks_like_url_part(without_fragment(token));
        let is_filled = || {
            let is_label = matches!(token.first(), Some(b'[' | b'(' | b'*'));
            WIDTHS.contains(&len) && is_alone && continues_url(token) && !is_label && self.ends_page(next)
        };
        if next.is_alone() && starts_query(token) && !self.url.contains(&b'?') {
            return true;
        }
        let ends_in_word = self.url.last().is_some_and(|b| b.is_ascii_alphanumeric() || b"=&".contains(b));
        ends_in_word
            && !names_file(self.url)
            && (next.is_alone() && starts_with_punctuation(token) || is_full() || is_filled() || is_wrapped())
    }

    /// Returns true if the URL ends in a hyphen, and `token` contains a path or a query, or the
    /// line already continues a URL and `token` is the only word before an empty line.
    fn continues_after_hyphen(&self, token: &[u8], next: &LineBelow<'_>) -> bool {
        let has_path_or_query = || token.iter().any(|b| b"/?".contains(b));
        let is_continued =
            || self.url.len() > self.line.len() && continues_url(token) && self.ends_page(next);
        self.url.ends_with(b"-") && (has_path_or_query() || is_continued())
    }

    /// Returns true if the line after `next` contains only a file name as well.
    fn is_list_of_files(&self, next: &LineBelow<'_>) -> bool {
        let following = self.lines.after(next.line.end());
        following.and_then(|line| line.only_word()).is_some_and(names_path)
    }

    /// Returns true if `next` is the only word before an empty line, or before lines that contain
    /// only the continuation of a URL.
    fn ends_page(&self, next: &LineBelow<'_>) -> bool {
        // A line that is one of several file names does not continue a URL.
        let continues = |line: &Line<'_>, word: &[u8]| {
            !line.only_word().is_some_and(names_file) && continues_url(word) && !starts_url(word)
        };
        next.is_alone() && self.lines.ends_paragraph(&next.line, continues)
    }

    /// Returns true if the `=` at the end is a quoted-printable soft break, so that it is not part
    /// of the URL.
    fn is_soft_break(&self) -> bool {
        is_soft_break(self.cx.window, self.line.end())
    }

    /// Returns true if the line has as many characters as one that is wrapped.
    fn is_long(&self) -> bool {
        let continues = |b: &&u8| **b & 0xC0 == 0x80;
        let line = self.line.bytes;
        line.len() >= MIN_BROKEN_LINE && line.len() - line.iter().filter(continues).count() >= MIN_BROKEN_LINE
    }

    /// Rule S: returns true if the URL ends in punctuation that `token` has to follow.
    fn is_open(&self, token: &[u8], next: &LineBelow<'_>) -> bool {
        let Some((&last, rest)) = self.url.split_last() else { return false };
        let in_query = || rest.contains(&b'?');
        token.first().is_some_and(u8::is_ascii_alphanumeric)
            && match last {
                b'_' | b'=' if next.is_capitalised() => false,
                b'-' | b'_' => rest.last() != Some(&last),
                b'%' => {
                    !closes_name(rest) && token.iter().take(2).filter(|b| b.is_ascii_hexdigit()).count() == 2
                }
                b'=' | b'&' => in_query() && (!next.is_prose() || next.is_alone()),
                b'?' => starts_parameter(token),
                _ => false,
            }
    }

    /// Rule D: returns true if the URL ends in a single dot and not in an ellipsis.
    fn ends_in_dot(&self) -> bool {
        matches!(self.url, [.., before, b'.'] if *before != b'.')
    }

    /// Rule W: returns true if the line is as long as the full lines of the text, the token is the
    /// only word between it and an empty line, and the URL is not complete yet.
    ///
    /// A line is also full if it is long and ends after a slash, and the token would not have fit
    /// into any common width, because people break long URLs there by hand.
    fn is_full(&self, next: &LineBelow<'_>) -> bool {
        let len = self.line.len();
        if !next.is_alone() || names_file(self.url) || self.ends_sentence(next) {
            return false;
        }
        let overflows = len + next.word.len() > *WIDTHS.end();
        let at_slash = self.url.ends_with(b"/") && overflows && !next.is_prose() && self.is_long();
        let is_filled =
            WIDTHS.contains(&len) && self.lines.ends_paragraph(&next.line, |line, _| line.len() == len);
        is_filled && self.is_longest(len) || at_slash && self.lines.is_last(&next.line)
    }

    /// Rule W: returns true if the URL fills its line and the previous line up to its end, both are
    /// about as long, and `next` is the only word on its line.
    fn is_next_of_full(&self, next: &LineBelow<'_>) -> bool {
        let len = self.line.len();
        let is_as_long = || self.before.is_some_and(|before| before.abs_diff(len) <= 2);
        len >= MIN_STEM && self.url.len() > len && is_as_long() && next.is_alone()
    }

    /// Returns true if `next` is the last word of a sentence.
    fn ends_sentence(&self, next: &LineBelow<'_>) -> bool {
        next.is_prose() && next.word.last().is_some_and(|b| !b.is_ascii_alphabetic())
    }

    /// Returns true if the longest line before this one has exactly `len` bytes, as this one does.
    fn is_longest(&self, len: usize) -> bool {
        self.lines.before(self.line.start).take(MAX_COMPARED_LINES).map(|line| line.len()).max() == Some(len)
    }
}

/// The widths at which programs break words, in bytes.
const MIDDLE_WIDTHS: RangeInclusive<usize> = 76..=80;

/// The minimum length of a line that contains only the start of a URL, if the next one continues
/// with it, in bytes.
const MIN_STEM: usize = 60;

/// The token without its fragment.
fn without_fragment(token: &[u8]) -> &[u8] {
    memchr::memchr(b'#', token).map_or(token, |at| &token[..at])
}

/// Returns true if `token` is a query: `?` and a parameter.
fn starts_query(token: &[u8]) -> bool {
    token.strip_prefix(b"?").is_some_and(starts_parameter)
}

/// Returns true if `token` contains characters of URLs that words do not contain. Spam ends with groups of
/// letters and digits with hyphens between them.
fn continues_url(token: &[u8]) -> bool {
    let is_key = || token.split(|&b| b == b'-').count() > 2;
    token.iter().any(|b| b"/.=?_%&".contains(b)) || token.iter().any(u8::is_ascii_digit) && !is_key()
}

/// Returns true if `token` is a path of more than words, or a file name.
fn names_path(token: &[u8]) -> bool {
    let is_words = || token.split(|&b| b == b'/').all(|word| !word.is_empty() && is_prose(word));
    names_file(token) || token.contains(&b'/') && !is_words()
}

/// Returns true if `token` starts with URL punctuation that does not start words.
fn starts_with_punctuation(token: &[u8]) -> bool {
    match token {
        [b'.', rest @ ..] => is_extension(rest),
        [b'/', rest @ ..] => names_file(rest),
        // A space of quoted-printable.
        b"=20" => false,
        [b'&' | b'=' | b'%', rest @ ..] => rest.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => false,
    }
}

/// Returns true if `token` cannot be read by itself: it starts with or contains punctuation of
/// URLs, or is a file name.
fn looks_like_url_part(token: &[u8]) -> bool {
    match token {
        [b'/' | b'_', rest @ ..] => rest.first().is_some_and(u8::is_ascii_alphanumeric),
        _ => starts_with_punctuation(token) || names_path(token) || token.iter().any(|b| b"=%".contains(b)),
    }
}

/// Returns true if the `%` after `url` closes the name of a variable: `%NAME%`.
fn closes_name(url: &[u8]) -> bool {
    let name = memchr::memrchr(b'%', url).map_or(&[][..], |at| &url[at + 1..]);
    !name.is_empty() && name.iter().all(|b| b.is_ascii_uppercase() || *b == b'_')
}

/// Returns true if `token` starts with a name and `=`.
fn starts_parameter(token: &[u8]) -> bool {
    let name = token.iter().take_while(|b| b.is_ascii_alphanumeric() || b"_-.".contains(b)).count();
    name > 0 && token.get(name) == Some(&b'=')
}

/// Returns true if `token` contains the rest of a name and then a path or a query.
fn is_rest_of_name(token: &[u8]) -> bool {
    let starts = token.first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    starts && token.iter().any(|b| b"/?".contains(b))
}

/// Returns true if `token` is the end of a file name, sentence punctuation aside.
fn is_extension(token: &[u8]) -> bool {
    let end = token.iter().rposition(|b| !b".,;:!?)'".contains(b)).map_or(0, |n| n + 1);
    file_kind::is_extension(&token[..end])
}

/// Returns true if `url` ends with a file name, so that it is likely whole.
pub(super) fn names_file(url: &[u8]) -> bool {
    let name = memchr::memrchr(b'/', url).map_or(url, |slash| &url[slash + 1..]);
    let extension = memchr::memrchr(b'.', name).map(|dot| &name[dot + 1..]);
    extension.is_some_and(|name| (1..=5).contains(&name.len()) && name.iter().all(u8::is_ascii_alphanumeric))
}

/// A line that may continue with the URL.
struct LineBelow<'h> {
    line: Line<'h>,
    word: &'h [u8],
    /// The text after the word.
    rest: &'h [u8],
    /// The part of the word that the URL may contain, untrimmed, and the reason why it stops there.
    token: Range<usize>,
    stop: Option<Stop>,
}

impl LineBelow<'_> {
    /// Returns true if nothing follows the word on its line.
    fn is_alone(&self) -> bool {
        is_blank(self.rest)
    }

    /// Returns true if the word is a word of prose.
    fn is_prose(&self) -> bool {
        is_prose(self.word)
    }

    /// Returns true if the word is a capitalised word of prose.
    fn is_capitalised(&self) -> bool {
        let is_small = |b: &u8| b.is_ascii_lowercase() || b".,".contains(b);
        self.is_prose()
            && self.word.first().is_some_and(u8::is_ascii_uppercase)
            && self.word.get(1).is_none_or(is_small)
    }

    /// Returns true if a URL follows the word.
    fn has_url(&self) -> bool {
        has_url(self.rest)
    }
}

/// Rule P: the URL with only its `scheme` on its line, with or without slashes, joined with a token that contains a
/// dotted host, and a path or no other word before an empty line.
pub(super) fn of_scheme(cx: &Surroundings<'_, '_>, start: usize, colon: usize) -> Option<Match<'static>> {
    let (window, limit, options) = (cx.window, cx.limit(start), &cx.rules.scan.read);
    let has_slashes = window.has(colon + 1, b"//");
    let stem = start..colon + 1 + if has_slashes { 2 } else { 0 };
    let line_end = window.skip(stem.end, limit, |b| BLANK.has(b));
    let lines = &Lines::around(cx, stem.clone())?;
    let line = lines.after(line_end)?;
    let host = line.text_start() + if has_slashes { 0 } else { 2 };
    let finder = EndFinder::new(window, start, limit, options, &cx.notes.cells);
    let guards = Guards { cx, finder: &finder, lines };
    if !guards.is_in_paragraph(&lines.first, &line) || !has_slashes && !window.has(host - 2, b"//") {
        return None;
    }
    let begin = (AuthorityReader { window, limit, options }).dotted_host(host, 2)?;
    let has_path = matches!(begin, Start::Open(at) if window.get(at) == Some(b'/'));
    let next = guards.read(line, |_| true)?;
    let broken = BrokenUrl { cx, lines, line: lines.first, before: None, url: b"" };
    if !has_path && !broken.ends_page(&next) {
        return None;
    }
    let end = finder.trimmed(next.token.end, host);
    let pieces =
        vec![Piece { range: stem, gap: Gap::Line }, Piece { range: next.token.start..end, gap: Gap::None }];
    let readings = Readings::new(|range| window.ahead(range), pieces, cx.rules.hyphen);
    let pieces = Joined::guessed(GuessRule::Page, readings);
    let matched = Match::rejoined(start..end, Form::Bare, pieces);
    grammar::is_url(matched.as_bytes()).then_some(matched)
}

/// Returns the end of the URL's line if it ends after a `=`, which hosts do not contain.
#[inline(always)]
fn soft_end(cx: &Surroundings<'_, '_>, stem: &Stem) -> usize {
    stem.untrimmed + usize::from(cx.window.get(stem.untrimmed) == Some(b'='))
}

/// Returns true if a `=` ends the line after the URL, or if the URL is a value of quoted-printable.
#[inline(always)]
pub(super) fn may_be_quoted_printable(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> bool {
    may_break(finder, soft_end(cx, stem)) || starts_attribute(cx.window, stem.url.start)
}

/// The URL that starts with `stem`, if it is written in quoted-printable (RFC 2045 §6.7) in text that was not
/// decoded: joined over its soft line breaks, and with the bytes that its escapes mean.
///
/// List archives store mail as it arrived. If a URL ends in a `=` at the end of a line of about the
/// length at which programs break lines, this is a soft break: the URL continues on the next line
/// without the `=`. Without such a break, only a `=3D` before the value shows how it is written,
/// because the query of any URL may contain `=3D`.
#[inline(never)]
pub(super) fn of_quoted_printable(
    cx: &Surroundings<'_, '_>,
    finder: &EndFinder<'_, '_>,
    stem: &Stem,
) -> Option<Match<'static>> {
    let (window, start, end) = (cx.window, finder.start, soft_end(cx, stem));
    // A rewritten link may itself end in a `=`.
    let is_whole = filter::end(window.ahead(start..end)).is_some_and(|end| end.is_some());
    let is_quoted = starts_attribute(window, start) || is_soft_break(window, end) && !is_whole;
    if !is_quoted || is_continued(cx, window.line_start(start, cx.back)?, start) {
        return None;
    }
    notation::read(cx, start, TextDialect::Quoted, Some(window.ahead(stem.url.clone())))
}

/// Returns true if the line at `line` continues a word over a soft break, and the URL at `start` is
/// part of that word. The word was read before, so each line is read only once.
fn is_continued(cx: &Surroundings<'_, '_>, line: usize, start: usize) -> bool {
    let window = cx.window;
    let before = window.before(window.before_break(line, cx.back), cx.back);
    matches!(before, [.., b, b'='] if INSIDE.has(*b))
        && !window.before(start, line).iter().any(|&b| BLANK.has(b) || b"<>\"".contains(&b))
}

/// Returns true if a line ends at `end` after a `=`.
fn may_break(finder: &EndFinder<'_, '_>, end: usize) -> bool {
    let window = finder.window;
    window.byte_before(end) == Some(b'=') && window.is_break(end)
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
}
