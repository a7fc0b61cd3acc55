//! Finds where a bare URL ends, and why.
//!
//! The Appendix of RFC 1738 recommends a wrapper because of "punctuation marks that
//! might be mistaken for part of the URL". A bare URL has no wrapper, so its end is
//! found in two steps. First, one pass over the bytes finds the byte that stops the
//! URL: whitespace, a control character, a delimiter, a byte that is not ASCII, or a
//! bracket that closes nothing. Then the punctuation of the sentence is trimmed from
//! the end.

use std::ops::Range;

use super::delimited_rows::{self, CellsCache, LineCells};
use super::doi;
use super::opener::{Frame, Opener, is_emphasis};
use super::start::{AuthorityReader, Start, glued_scheme, is_sound, is_windows_file};
use super::unspaced_scripts;
use crate::bytes::class::{BREAK, COLON, INSIDE, PLAIN, SCHEME};
use crate::bytes::unicode::{self, Iri, LinkTerm, closes, opens};
use crate::bytes::window::Window;
use crate::grammar;
use crate::grammar::schemes::{LONGEST, SchemeRule};
use crate::matches::form::{Entity, Stop};
use crate::scan::TextOptions;
use crate::scan::encoded::{Reference, reference, reference_before};
use crate::simd::ClassMembers;

/// The maximum number of bytes that encode a byte of a URL, such as `&#x0000026;`.
const MAX_ENCODED_LEN: usize = 16;

const PLAINS: ClassMembers = ClassMembers::of(PLAIN.without(COLON));

/// The end of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At this offset, exclusive, and what stops it there, if the finder explains.
    At(usize, Option<Stop>),
    /// Not before the limit.
    TooLong,
}

/// The facts about a URL that trimming computes at most once, so that time is linear.
#[derive(Default)]
struct TrimCache {
    /// The number of apostrophes left in the URL.
    quotes: Option<usize>,
    /// The start of its fragment.
    fragment: Option<Option<usize>>,
}

/// The state of the pass over a URL. Facts about the surrounding text are computed on demand.
#[derive(Default)]
struct PassState {
    brackets: Brackets,
    /// True if its query has begun.
    query: bool,
    /// True if a `|` ends the URL in a query.
    has_bar: Option<bool>,
    /// True if an apostrophe opened a value.
    has_value: Option<bool>,
    /// The separator of the cells of its row.
    separator: Option<Option<u8>>,
    /// The frame that opens before it.
    frame: Option<Option<Frame>>,
    /// True if the frame closes in the same word.
    is_closed: Option<bool>,
    findings: PassResult,
}

/// The result of the pass over a URL, besides its end.
#[derive(Clone, Copy, Default)]
pub(crate) struct PassResult {
    /// The possible readings of its first run, if it contains one.
    run: Option<unspaced_scripts::RunReadings>,
    /// The position of its first punctuation character within a word, if it contains one.
    punctuation: Option<usize>,
    /// True if it contains a character reference.
    pub(super) has_entity: bool,
}

impl PassResult {
    /// Returns the other untrimmed end of the URL, if its first run or punctuation is read
    /// differently.
    #[inline(always)]
    pub(super) fn other_end(&self) -> Option<usize> {
        let of_run = |run: unspaced_scripts::RunReadings| if run.belongs { run.start } else { run.end };
        self.punctuation.or_else(|| self.run.map(of_run))
    }
}

/// Finds the end of a bare URL.
#[derive(Clone, Copy)]
pub(crate) struct EndFinder<'w, 'h> {
    pub(crate) window: &'w Window<'h>,
    /// The offset at which the scheme of the URL starts.
    pub(crate) start: usize,
    /// The maximum end of the URL.
    pub(crate) limit: usize,
    pub(crate) options: &'w TextOptions,
    /// True if the reason why the URL ends is recorded.
    pub(crate) explain: bool,
    /// The text with lines that may be rows, the URL's start in it, and the facts about the line of
    /// the last URL.
    row: (&'w Window<'w>, usize, &'w CellsCache),
}

impl<'w, 'h> EndFinder<'w, 'h> {
    /// Returns a finder for the end of the URL that starts at `start` and is too long at `limit`.
    #[inline(always)]
    pub(super) fn new(
        window: &'w Window<'h>,
        start: usize,
        limit: usize,
        options: &'w TextOptions,
        cells: &'w CellsCache,
    ) -> Self {
        EndFinder { window, start, limit, options, explain: false, row: (window, start, cells) }
    }

    /// Returns this finder for a decoded URL that starts at `start` of the text in `window`.
    pub(super) fn decoded_from(self, window: &'w Window<'w>, start: usize) -> Self {
        let (.., cells) = self.row;
        EndFinder { row: (window, start, cells), ..self }
    }

    /// Returns this finder, which records what stops the URL if `explain` is true.
    pub(super) fn explaining(self, explain: bool) -> Self {
        EndFinder { explain, ..self }
    }

    /// The end of the URL with the scheme that ends at `colon` and has the rule `rule`, if it is a
    /// URL.
    pub(super) fn end(&self, colon: usize, rule: Option<SchemeRule>) -> Option<usize> {
        let Self { window, limit, options, .. } = *self;
        let start = (AuthorityReader { window, limit, options }).bare_after_colon(colon, rule)?;
        let (End::At(stop, _), _) = self.after(&start) else { return None };
        let min_end = match start {
            Start::Open(at) => at,
            Start::Closed(..) => colon + 1,
        };
        let end = self.trimmed(start.end().unwrap_or(stop), min_end);
        is_sound(window, min_end, end, window.ahead(self.start..end)).then_some(end)
    }

    /// The end of the URL after `start`, before trimming, and the findings of the pass over it.
    #[inline(always)]
    pub(crate) fn after(&self, start: &Start) -> (End, PassResult) {
        match *start {
            Start::Open(at) if self.window.get(at) == Some(b':') => self.after_host(at),
            Start::Open(at) => self.after_authority(at),
            // The byte that stops the URL must be buffered; otherwise more of the URL may follow.
            Start::Closed(end, at) if at < self.limit => {
                (self.ended(at, |b| self.stop_of_closed(end, b)), PassResult::default())
            }
            Start::Closed(..) => (End::TooLong, PassResult::default()),
        }
    }

    /// Returns the end of the URL after its host and the colon at `at`. Without a port this is the
    /// colon of a login, unless the authority then has no host: `http://h.org:80{@/` ends at the
    /// port. This is determined before the rest of the URL is read, because each `x://` of
    /// `x://a:[@]x://a:[@]` shares that rest.
    #[inline(never)]
    fn after_host(&self, at: usize) -> (End, PassResult) {
        let in_authority = |b: u8| INSIDE.has(b) && !matches!(b, b'/' | b'?' | b'#');
        let port = self.window.skip(at + 1, self.limit, |b| b.is_ascii_digit());
        let end = self.window.skip(port, self.limit, in_authority);
        let is_whole = || EndFinder { limit: end, ..*self }.untrimmed(at) == End::TooLong;
        let has_host = || {
            let authority = grammar::authority(self.window.ahead(self.start..end));
            authority.is_none_or(|authority| grammar::host::plausible(authority.host()))
        };
        if end > port && end < self.limit && is_whole() && !has_host() {
            return (
                self.ended(if port > at + 1 { port } else { at }, Stop::Delimiter),
                PassResult::default(),
            );
        }
        self.after_authority(at)
    }

    /// Returns the end of the URL after its authority, or a part of it, which ends at `at`; or
    /// before, if brackets do not match within the parts of the URL and UTS #58 applies.
    #[inline(always)]
    fn after_authority(&self, from: usize) -> (End, PassResult) {
        let mut pass = PassState::default();
        match self.in_pass(from, &mut pass) {
            end @ End::At(at, _) if self.options.iri == Iri::All => {
                let flaw = unmatched(self.window.ahead(from..at));
                (flaw.map_or(end, |n| self.ended(from + n, Stop::Delimiter)), pass.findings)
            }
            end => (end, pass.findings),
        }
    }

    /// Returns the end at `at`. `own` returns the reason if the byte at `at` is valid in other URLs.
    fn ended(&self, at: usize, own: impl Fn(u8) -> Stop) -> End {
        End::At(at, self.stop(at, own))
    }

    /// Returns the reason why the URL stops at `at`, if it is requested; `own` returns the reason
    /// if the byte stops only this URL.
    pub(crate) fn stop(&self, at: usize, own: impl Fn(u8) -> Stop) -> Option<Stop> {
        let of_byte = |b| {
            let stops = || self.stops(b, at, &mut PassState::default());
            let stop = if PLAIN.has(b) { None } else { stops() };
            stop.or(stop_of(b)).unwrap_or_else(|| own(b))
        };
        self.explain.then(|| self.window.get(at).map_or(Stop::EndOfText, of_byte))
    }

    /// Returns why `byte`, which is valid in other URLs, ends this one at `end` at the latest.
    fn stop_of_closed(&self, end: usize, byte: u8) -> Stop {
        let url = self.window.ahead(self.start..end);
        let colon = memchr::memchr(b':', url);
        let is_host = colon.is_none_or(|colon| url[colon..].starts_with(b"://"));
        if is_host && self.window.has(end, b"http") {
            return Stop::AnotherUrl(b':');
        }
        if is_host { Stop::Host(byte) } else { Stop::Scheme(byte) }
    }

    /// Returns the end of the URL before trimming. Everything before `from` belongs to it.
    pub(crate) fn untrimmed(&self, from: usize) -> End {
        self.in_pass(from, &mut PassState::default())
    }

    /// Returns the end of the URL before trimming, in a pass that has begun.
    fn in_pass(&self, from: usize, pass: &mut PassState) -> End {
        let end = self.pass(from, pass);
        let End::At(at, _) = end else { return end };
        let open = !pass.brackets.is_empty();
        if !open
            && memchr::memrchr(b']', self.window.before(at, from.max(at.saturating_sub(TAIL_LEN)))).is_none()
        {
            return end;
        }
        match self.before_label(from..at, &pass.brackets) {
            label if label < at => self.ended(label, Stop::Delimiter),
            _ => end,
        }
    }

    /// Returns the end of the URL before trimming, if it continues at `from` after the text
    /// `outer`.
    pub(crate) fn untrimmed_after(&self, outer: &[u8], from: usize) -> End {
        self.pass(from, &mut PassState { brackets: Brackets::of(outer), ..PassState::default() })
    }

    /// Returns the end of the URL with its path in `url`, without a label at its end: an unclosed `[`
    /// or `{`, or, at the end of a path, `[` and a word.
    #[inline(never)]
    fn before_label(&self, url: Range<usize>, brackets: &Brackets) -> usize {
        let text = self.window.ahead(url.clone());
        // A frame shows the end of the URL exactly.
        if self.options.iri == Iri::All || self.is_framed_to(url.end) {
            return url.end;
        }
        if !brackets.is_empty() {
            let open = brackets.first_open().unwrap_or(url.end);
            return url.start + without_sigil(&text[..open - url.start]).len();
        }
        let follows = |&close: &usize| follows_label(&text[close + 1..]);
        let Some(close) = memchr::memrchr(b']', text).filter(follows) else {
            return url.end;
        };
        let label = memchr::memrchr(b'[', &text[..close]);
        let is_label = |&open: &usize| {
            let (before, label) = (&text[..open], &text[open + 1..close]);
            let is_title = is_title(label);
            let has_index = ends_in_parameter(before) || has_query(before) && !is_title && !label.is_empty();
            let is_part = before.ends_with(b"_") || has_index;
            match label.first() {
                // A word continues after an AsciiDoc label, `http://h.org[NFT]s`, which must be a title.
                _ if !is_punctuation(&text[close + 1..]) => is_title && !has_index,
                // AsciiDoc labels with an anchor, a user or a footnote: `[#a]`, `[@a]`, `[^1]`.
                Some(b'#' | b'@' | b'^') => true,
                // A number may be an index, `a[1]`, but a title, `[2nd]`, `[(PDF)]`, or the name of the last segment,
                // `/1362743[1362743]`, is a label.
                Some(b'0'..=b'9' | b'(') => {
                    (is_title || before.rsplit(|&b| b == b'/').next() == Some(label)) && !is_part
                }
                // Any other AsciiDoc label may be empty or a word. So may a parameter, `?a[]`, `?f[a]`, and a name
                // that an underscore joins, `a_[b]`; both belong to the URL.
                first => first.is_none_or(|b| b.is_ascii_alphabetic() || *b >= 0x80) && !is_part,
            }
        };
        url.start + label.filter(is_label).unwrap_or(text.len())
    }

    /// Reads the URL from `from` on, up to the byte that stops it.
    fn pass(&self, from: usize, pass: &mut PassState) -> End {
        let mut at = from;
        loop {
            let open = pass.brackets.first_open();
            // [`MAX_GROUP_LEN`] bounds the reads, because other URLs may start in a group. A frame needs no bound: the
            // character that closes it ends every URL, so no other URL starts there.
            let limit = match open {
                Some(open) if self.frame(pass).is_none() => self.limit.min(open + MAX_GROUP_LEN),
                _ => self.limit,
            };
            at = self.options.simd.skip(self.window, at, limit, &PLAINS);
            if at >= self.limit {
                return End::TooLong;
            }
            if let Some(open) = open.filter(|_| at >= limit) {
                // Backtrack: count only the brackets before `open`.
                pass.brackets = self.brackets(from..open + 1);
                return self.ended(open, Stop::Delimiter);
            }
            let Some(b) = self.window.get(at) else { return self.ended(at, Stop::Delimiter) };
            if b >= 0x80
                && self.options.iri != Iri::Ascii
                && let Some(after) = self.after_non_ascii(from, at, pass)
            {
                at = after;
                continue;
            }
            if matches!(b, b'<' | b'&')
                && let Some(after) = doi::skip(self.window, self.start, at)
            {
                pass.findings.has_entity |= b == b'&';
                at = after;
                continue;
            }
            if b == b':' {
                if let Some(scheme) = glued_scheme(self.window, from, at) {
                    return End::At(scheme, self.explain.then_some(Stop::AnotherUrl(b':')));
                }
                at += 1;
                continue;
            }
            if let Some(stop) = self.stops(b, at, pass) {
                return End::At(at, self.explain.then_some(stop));
            }
            at += 1;
        }
    }

    /// The frame that opens before the URL.
    #[inline(never)]
    fn frame(&self, pass: &mut PassState) -> Option<Frame> {
        *pass.frame.get_or_insert_with(|| self.opener().frame())
    }

    /// Returns the reason why the byte `b` at `at` stops the URL, unless the URL continues.
    #[inline(always)]
    fn stops(&self, b: u8, at: usize, pass: &mut PassState) -> Option<Stop> {
        pass.query |= b == b'?';
        match b {
            b'?' => None,
            b'\\' if self.separates_windows_path(at) => None,
            b'@' => (self.window.get(at + 1) == Some(b'{') && self.frame(pass).is_none())
                .then_some(Stop::Attribute),
            b'|' if !self.separates(at) => self.stops_at_bar(at, pass),
            b',' | b';' if !self.separates(at) => self.ends_cell(b, at, pass).then_some(Stop::Cell(b)),
            b'|' | b',' | b';' => Some(Stop::AnotherUrl(b)),
            b'&' => self.stops_at_ampersand(at, pass),
            b'\'' => (self.is_quoted() || self.ends_value(at, pass)).then_some(Stop::Apostrophe),
            _ => self.stops_at_bracket(b, at, pass),
        }
    }

    /// Returns the reason why a bracket, or a byte that no URL contains, stops the URL.
    #[inline(always)]
    fn stops_at_bracket(&self, b: u8, at: usize, pass: &mut PassState) -> Option<Stop> {
        if b == b'[' && self.is_end_tag(at) {
            return Some(Stop::Opening(b));
        }
        let continues = pass.brackets.continues_with(b, at, self.may_end(b, at))
            || matches!(b, b')' | b']' | b'}') && self.is_framed_after(at, pass);
        (!continues).then(|| stop_of(b).unwrap_or(Stop::Delimiter(b)))
    }

    /// Returns true if the frame of the URL closes after `at`, in the same word, so that the
    /// closing bracket there belongs to the URL, though nothing opens it.
    #[inline(never)]
    fn is_framed_after(&self, at: usize, pass: &mut PassState) -> bool {
        let Some(frame) = self.frame(pass).filter(|_| self.options.iri != Iri::All) else { return false };
        let closes = || {
            let end = self.window.skip(at, self.limit, |b| INSIDE.has(b));
            frame.end_in(self.window, at..end).is_some()
        };
        *pass.is_closed.get_or_insert_with(closes) && !frame.closes(self.window, at)
    }

    /// Returns true if the bracket at `at` opens an end tag of a forum: `[/url]`, or `[/*:m:3a]` in its database.
    #[inline(never)]
    fn is_end_tag(&self, at: usize) -> bool {
        let limit = at + 2 + MAX_TAG_LEN;
        let name = self.window.skip(at + 2, limit, |b| b.is_ascii_alphabetic() || b == b'*');
        let has_id = self.window.get(name) == Some(b':');
        let end = self.window.skip(name, limit, |b| has_id && (b.is_ascii_alphanumeric() || b == b':'));
        self.window.get(at + 1) == Some(b'/') && name > at + 2 && self.window.get(end) == Some(b']')
    }

    /// Returns true if the opening bracket `b` at `at` ends the URL when no bracket closes it. `$(` of a shell is the only
    /// round bracket that does.
    fn may_end(&self, b: u8, at: usize) -> bool {
        b != b'(' || self.window.byte_before(at) == Some(b'$')
    }

    /// The brackets that the URL has in `range`.
    fn brackets(&self, range: Range<usize>) -> Brackets {
        let mut brackets = Brackets::default();
        for (at, &b) in range.clone().zip(self.window.ahead(range)).filter(|(_, b)| !PLAIN.has(**b)) {
            brackets.continues_with(b, at, self.may_end(b, at));
        }
        brackets
    }

    /// Returns true if an apostrophe precedes the URL, or a reference to one, so that another one
    /// ends it.
    fn is_quoted(&self) -> bool {
        match self.window.byte_before(self.start) {
            Some(b';') => reference_before(self.window, self.start)
                .is_some_and(|(_, reference)| reference == Reference::Char('\'')),
            byte => byte == Some(b'\''),
        }
    }

    /// Returns the reason why the ampersand at `at`, which may begin a character reference, stops
    /// the URL. The meaning of other ampersands is determined when the URL is decoded.
    fn stops_at_ampersand(&self, at: usize, pass: &mut PassState) -> Option<Stop> {
        match reference(self.window, at)? {
            (Reference::Stop(entity), _) => Some(Stop::Entity(entity)),
            (Reference::Char('\''), len) if self.is_quoted() || self.ends_value(at + len - 1, pass) => {
                Some(Stop::Entity(Entity::Apos))
            }
            (Reference::Char(_), _) => {
                pass.findings.has_entity = true;
                None
            }
        }
    }

    /// Returns true if the apostrophe at `at` closes a value that another one opened before the
    /// URL.
    fn ends_value(&self, at: usize, pass: &mut PassState) -> bool {
        let ends = self.window.get(at + 1).is_none_or(|b| b <= b' ' || b",;)]}\"".contains(&b));
        ends && *pass.has_value.get_or_insert_with(|| Opener::of(self.window, self.start).has_value())
    }

    /// Returns the reason why the `|` at `at` stops the URL: it belongs to a table, a template or a
    /// chat link, or it is not in a query.
    fn stops_at_bar(&self, at: usize, pass: &mut PassState) -> Option<Stop> {
        if self.is_drive(at) {
            return None;
        }
        if !pass.query {
            return Some(Stop::Delimiter(b'|'));
        }
        let opener = || Opener::of(self.window, self.start);
        // A decoded text ends at the first space of a label.
        let (text, start, _) = self.row;
        let bar = || text.skip(start, start + MAX_ENCODED_LEN * (at + 1 - self.start), |b| b != b'|');
        let has_bar = || opener().has_bar() || opener().has_label(text, bar());
        pass.has_bar.get_or_insert_with(has_bar).then_some(Stop::Cell(b'|'))
    }

    /// Returns true if `b`, which is at `at`, ends the cell that the URL is in.
    fn ends_cell(&self, b: u8, at: usize, pass: &mut PassState) -> bool {
        let always = self.options.cells.is_some();
        let (text, start, cells) = self.row;
        let separator =
            *pass.separator.get_or_insert_with(|| LineCells::separator(cells, text, start, self.options));
        separator == Some(b) && (always || !delimited_rows::names_file(self.window, at))
    }

    /// Returns the offset at which the URL continues after the non-ASCII character at `at`, if it
    /// does. The text before `from` was read already.
    #[inline(never)]
    fn after_non_ascii(&self, from: usize, at: usize, pass: &mut PassState) -> Option<usize> {
        let continues = at > from && self.window.byte_before(at).is_some_and(|b| b >= 0x80);
        if !continues && !unicode::is_run(self.window, at) {
            return None;
        }
        let c = unicode::char_at(self.window, at)?;
        if self.options.iri.link_term(c) != LinkTerm::Hard || self.is_in_run(from, at, pass) {
            return Some(at + c.len_utf8());
        }
        if self.options.iri != Iri::Words {
            return None;
        }
        let end = unspaced_scripts::punctuation_end(self.window, self.start, from, at, self.limit)?;
        pass.findings.punctuation = pass.findings.punctuation.or(Some(at));
        Some(end)
    }

    /// Returns true if the character at `at` is in a word of a script without spaces that belongs
    /// to the URL, whose host ends before `from`.
    fn is_in_run(&self, from: usize, at: usize, pass: &mut PassState) -> bool {
        if self.options.iri != Iri::Words {
            return false;
        }
        if let Some(run) = pass.findings.run {
            return run.belongs && at < run.end;
        }
        pass.findings.run = unspaced_scripts::read(self.window, self.start, from, at, self.limit);
        pass.findings.run.is_some_and(|run| run.belongs)
    }

    /// Returns true if the two bytes before `end` are both `b`.
    fn is_pair(&self, b: u8, end: usize) -> bool {
        self.window.before(end, self.start).ends_with(&[b, b])
    }

    /// Returns true if the `|` at `at` follows a drive letter: `file:///C|/a`.
    fn is_drive(&self, at: usize) -> bool {
        let start = b"file:///";
        at == self.start + start.len() + 1 && self.window.has(self.start, start)
    }

    /// Returns true if the backslash at `at` separates the names in a Windows path.
    fn separates_windows_path(&self, at: usize) -> bool {
        let continues = self.window.get(at + 1).is_some_and(|b| b == b'\\' || b != b'\'' && INSIDE.has(b));
        continues && is_windows_file(self.window.ahead(self.start..at + 2))
    }

    /// Returns true if the punctuation at `at` separates the URL from another one.
    fn separates(&self, at: usize) -> bool {
        let end = self.window.skip(at + 1, at + 1 + LONGEST, |b| SCHEME.has(b));
        self.window.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic()) && self.window.has(end, b"://")
    }

    /// Returns the end of the URL that ends at `end` without the punctuation of the sentence, but
    /// at least `floor`.
    #[inline(always)]
    pub(crate) fn trimmed(&self, end: usize, floor: usize) -> usize {
        match self.window.byte_before(end) {
            Some(b's') => self.without_possessive(end, floor),
            Some(b'M') if self.is_return(end, floor) => self.trimmed(end - 2, floor),
            Some(b'0'..=b'9') => self.without_position(end, floor),
            Some(b) if b.is_ascii_alphanumeric() => end,
            // One of these characters alone is trimmed only if it also precedes the URL.
            Some(b @ (b'/' | b'-' | b'='))
                if !self.is_pair(b, end)
                    && (self.opener().emphasis() != Some(b) || self.lacks_value(end)) =>
            {
                end
            }
            _ => self.without_punctuation(end, floor),
        }
    }

    /// Returns true if the URL that ends at `end` has a query without a value at its end: `?a=`.
    fn lacks_value(&self, end: usize) -> bool {
        let url = self.window.before(end, self.start);
        url.ends_with(b"=") && memchr::memchr(b'?', url).is_some()
    }

    /// Returns true if the `^M` before `end` shows the carriage return of a line break, as `cat -v` and `git diff`
    /// print it.
    fn is_return(&self, end: usize, floor: usize) -> bool {
        self.window.before(end, floor).ends_with(b"^M") && self.window.get(end).is_none_or(|b| BREAK.has(b))
    }

    /// The end without trailing punctuation and non-ASCII characters that belong to the sentence.
    #[inline(never)]
    fn without_punctuation(&self, end: usize, floor: usize) -> usize {
        let opener = self.opener();
        if let Some(frame) =
            opener.frame().filter(|frame| frame.closes(self.window, end) && !self.is_broken_or_shortened(end))
        {
            let ends_sentence = matches!(self.window.byte_before(end), Some(b'.' | b',')) && end > floor;
            return end - usize::from(ends_sentence && frame.is_quotation());
        }
        let emphasis = opener.emphasis();
        let mut cache = TrimCache::default();
        let mut end = end;
        while end > floor
            && let Some(last) = self.window.byte_before(end)
        {
            if last >= 0x80 {
                match unicode::char_before(self.window, end, floor).filter(|&c| self.trims_non_ascii(c)) {
                    Some(c) => end -= c.len_utf8(),
                    None => break,
                }
                continue;
            }
            // A run is read once, however long it is.
            let run = self.window.skip_back(end, floor, |b| b == last);
            if emphasis == Some(last) || (is_emphasis(last, end - run) && opener.opens_group(last)) {
                end = run;
            } else if self.trims(last, end, floor, &mut cache) {
                // The first of several apostrophes may still close an earlier one.
                end = if last == b'\'' && end - run > 1 { run + 1 } else { run };
            } else {
                break;
            }
        }
        self.without_position(self.without_possessive(end, floor), floor)
    }

    /// Returns true if the URL up to `end` contains a line break or ends with an ellipsis, so that the text of the frame
    /// is not the URL.
    fn is_broken_or_shortened(&self, end: usize) -> bool {
        let url = self.window.before(end, self.start);
        url.ends_with(b"...") || memchr::memchr2(b'\n', b'\r', url).is_some()
    }

    fn opener(&self) -> Opener<'h> {
        Opener::of(self.window, self.start)
    }

    /// Returns true if the frame before the URL closes at `end`.
    fn is_framed_to(&self, end: usize) -> bool {
        self.opener().frame().is_some_and(|frame| frame.closes(self.window, end))
    }

    /// The end without the line and the column of a position in a program:
    /// `https://h.org/app.min.js:1:5`.
    #[inline]
    fn without_position(&self, end: usize, floor: usize) -> usize {
        let digits = self.window.skip_back(end, floor, |b| b.is_ascii_digit());
        if digits == end || self.window.byte_before(digits) != Some(b':') || digits <= floor + 1 {
            return end;
        }
        self.before_position(end, digits - 1, floor)
    }

    /// The end of the URL that ends at `end` in `:` and digits, which start at `colon`, without its
    /// position.
    #[inline(never)]
    fn before_position(&self, end: usize, colon: usize, floor: usize) -> usize {
        let window = self.window;
        let digits = window.skip_back(colon, floor, |b| b.is_ascii_digit());
        let is_column = digits < colon && digits > floor + 1 && window.byte_before(digits) == Some(b':');
        let position = if is_column { digits - 1 } else { colon };
        let url = window.before(position, floor);
        let (path, query) = url.split_at(memchr::memchr(b'?', url).unwrap_or(url.len()));
        // A host may end like a file: `http://h.pl:80`.
        let is_host = path.strip_prefix(b"//").is_some_and(|host| !host.contains(&b'/'));
        let is_position = !is_host
            && names_program(path)
            && (query.is_empty() || is_column)
            && memchr::memchr(b'#', url).is_none();
        if is_position { position } else { end }
    }

    /// Returns the end without a possessive `'s` after a slash, which is not part of a path, or
    /// `’s` after anything.
    fn without_possessive(&self, end: usize, floor: usize) -> usize {
        if self.window.before(end, floor.max(end.saturating_sub(3))) == b"/'s" {
            return end - 2;
        }
        let url = self.window.before(end, floor);
        match url.strip_suffix("’s".as_bytes()) {
            Some(owner) if !self.is_framed_to(end) => floor + owner.len(),
            _ => end,
        }
    }

    /// Returns true if the punctuation `last`, which ends at `end`, belongs to the sentence around
    /// the URL.
    fn trims(&self, last: u8, end: usize, floor: usize, cache: &mut TrimCache) -> bool {
        let url = self.window.before(end, self.start);
        match last {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'(' | b'[' | b'{' | b'|' => true,
            // TeX closes a quotation with two.
            b'\'' if self.window.before(end, floor).ends_with(b"''") => true,
            b'\'' => {
                let count = cache.quotes.get_or_insert_with(|| count(url, b'\''));
                let unmatched = *count % 2 == 1;
                *count -= usize::from(unmatched);
                unmatched
            }
            b'-' if end - 1 > floor && self.window.byte_before(end - 1) == Some(b'-') => {
                let fragment = *cache.fragment.get_or_insert_with(|| memchr::memchr(b'#', url));
                fragment.is_none_or(|at| at >= url.len())
            }
            _ => false,
        }
    }

    /// Returns true if `c`, which is not ASCII, belongs to the sentence around the URL when it is
    /// the last character.
    fn trims_non_ascii(&self, c: char) -> bool {
        matches!(self.options.iri.link_term(c), LinkTerm::Soft | LinkTerm::Open)
    }
}

/// The extensions of files after which programs print a colon and a line number: programs, pages
/// and generated files.
#[rustfmt::skip]
const PROGRAMS: [&str; 48] = [
    "astro", "c", "cc", "cjs", "clj", "coffee", "cpp", "cs", "css", "cts", "dart", "erl", "ex", "exs", "go", "h",
    "hpp", "hs", "htm", "html", "java", "jl", "js", "jsp", "jsx", "kt", "less", "lua", "mjs", "ml", "mts", "php",
    "pl", "pm", "py", "rb", "rs", "scala", "scss", "sh", "sql", "svelte", "swift", "ts", "tsx", "vue", "wasm", "zig",
];

/// Returns true if `path` ends with a source file name.
fn names_program(path: &[u8]) -> bool {
    let extension =
        memchr::memrchr2(b'.', b'/', path).filter(|&at| path[at] == b'.').map(|dot| &path[dot + 1..]);
    extension.is_some_and(|name| PROGRAMS.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes())))
}

/// The distance after a label within which the URL may seem to continue, in bytes: punctuation, or
/// the rest of a word. Arbitrary; a larger value costs time, because the end of each URL is searched
/// for a bracket.
const TAIL_LEN: usize = 16;

/// Returns true if `text`, which follows a label of AsciiDoc, is punctuation, or the rest of the
/// label's word and punctuation: `[NFT]s`, `[viem]'s`, `[NFT]s,`.
fn follows_label(text: &[u8]) -> bool {
    let word = &text[..text.iter().rposition(|b| !AFTER_LABEL.contains(b)).map_or(0, |n| n + 1)];
    word == b"'s" || word.iter().all(u8::is_ascii_lowercase)
}

/// The punctuation that may follow a label.
const AFTER_LABEL: &[u8] = b".,;:!?*";

/// Returns true if `text` is punctuation.
fn is_punctuation(text: &[u8]) -> bool {
    text.iter().all(|b| AFTER_LABEL.contains(b))
}

/// Returns true if `label` is a title rather than a class of characters, `[a-z]`, `[ti]`.
fn is_title(label: &[u8]) -> bool {
    let is_class =
        label.len() < 3 && !label.iter().any(u8::is_ascii_uppercase) || matches!(label, [_, b'-', _, ..]);
    label.iter().any(|b| b.is_ascii_alphabetic() || *b >= 0x80) && label != b"." && !is_class
}

/// `url` without the `$` or `#` before a bracket: `${name}`, `#{name}`.
fn without_sigil(url: &[u8]) -> &[u8] {
    url.strip_suffix(b"$").or(url.strip_suffix(b"#")).unwrap_or(url)
}

/// Returns true if `url` has a query and no fragment.
fn has_query(url: &[u8]) -> bool {
    url.contains(&b'?') && !url.contains(&b'#')
}

/// Returns true if `url` ends in a query that an index may continue: in the name of a parameter, `?f[a]`, which is not
/// empty, or in a value that is empty, `?f=[a]`, or a variable, `?f=$a[b]`.
fn ends_in_parameter(url: &[u8]) -> bool {
    let last = url.rsplit(|b| b"?&".contains(b)).next().unwrap_or(url);
    let is_value = last.is_empty() || last.contains(&b'=');
    has_query(url) && (!is_value || last.ends_with(b"=") || last.contains(&b'$'))
}

fn count(text: &[u8], wanted: u8) -> usize {
    text.iter().filter(|&&b| b == wanted).count()
}

/// Returns the reason why a byte stops the URL, because no URL contains it or it ends this one.
fn stop_of(b: u8) -> Option<Stop> {
    match b {
        b'\n' | b'\r' => Some(Stop::EndOfLine),
        b' ' | b'\t' | 0x0B | 0x0C => Some(Stop::Blank),
        b'[' | b'{' => Some(Stop::Opening(b)),
        b'<' | b'>' | b'"' | b'`' | b'\\' | b'|' => Some(Stop::Delimiter(b)),
        b')' | b']' | b'}' => Some(Stop::Closing(b)),
        0x80.. => Some(Stop::NonAscii(b)),
        ..b' ' | 0x7F => Some(Stop::Control(b)),
        _ => None,
    }
}

/// Pairs of brackets, which a bare URL may have.
const BRACKETS: [(u8, u8); 3] = [(b'(', b')'), (b'[', b']'), (b'{', b'}')];

/// The maximum distance between an opening bracket and the closing one, in bytes, for brackets that
/// end a URL if nothing closes them: without a limit, each URL of `http://h.org/{http://h.org/{`
/// would be read to the end of the text. Arbitrary: groups in real URLs are names and numbers of a few
/// words; twice as many bytes would be read again for each URL of such a text.
const MAX_GROUP_LEN: usize = 96;

/// The maximum length of a forum tag's name with its id, in bytes: `blockquote:1a2b3c4d`.
const MAX_TAG_LEN: usize = 20;

/// The brackets of a URL, as far as it has been read, counted by kind.
#[derive(Default)]
struct Brackets([OpenBrackets; BRACKETS.len()]);

/// The brackets of one kind that are open.
#[derive(Clone, Copy, Default)]
struct OpenBrackets {
    count: u32,
    /// The first bracket that ends the URL unless something closes it, and the number of brackets
    /// open before it.
    first: Option<(usize, u32)>,
}

impl Brackets {
    /// The brackets that `text` leaves open. None of them ends a URL.
    fn of(text: &[u8]) -> Self {
        let mut brackets = Brackets::default();
        for (at, &b) in text.iter().enumerate() {
            brackets.continues_with(b, at, false);
        }
        brackets
    }

    /// Returns true if no bracket is open.
    fn is_empty(&self) -> bool {
        self.0.iter().all(|open| open.count == 0)
    }

    /// Returns the offset of the first bracket that ends the URL, because nothing closes it.
    fn first_open(&self) -> Option<usize> {
        self.0.iter().filter_map(|open| open.first).map(|(at, _)| at).min()
    }

    /// Returns true if a URL continues after the byte `b`, which is at `at`: it opens a bracket, which `may_end` the
    /// URL, or closes one.
    fn continues_with(&mut self, b: u8, at: usize, may_end: bool) -> bool {
        for ((open, close), kind) in BRACKETS.into_iter().zip(&mut self.0) {
            if b == open {
                if may_end {
                    kind.first.get_or_insert((at, kind.count));
                }
                kind.count += 1;
                return true;
            }
            if b == close && kind.count > 0 {
                kind.count -= 1;
                kind.first.take_if(|(_, before)| kind.count <= *before);
                return true;
            }
        }
        false
    }
}

/// The separator before the text directives of a fragment.
const DIRECTIVE: &str = ":~:";

/// A part of a URL after its host.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UrlPart {
    Path,
    Query,
    Fragment,
    Directive,
}

/// Returns the offset of the first closing bracket in `url`, the text after the host, that does not
/// close the last open bracket of its part, by Unicode Technical Standard #58.
///
/// In that standard, a closing bracket ends the link unless it closes the last opened bracket in
/// the same part: a segment of the path, a name or value of the query, or the fragment. By default,
/// brackets are only counted.
fn unmatched(url: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(url).ok()?;
    let mut open = Vec::new();
    let mut part = UrlPart::Path;
    for (at, c) in text.char_indices() {
        if let Some(next) = part.after(c, &text[at..]) {
            part = next;
            open.clear();
        } else if let Some(opening) = closes(c) {
            if open.pop() != Some(opening) {
                return Some(at);
            }
        } else if opens(c) {
            open.push(c);
        }
    }
    None
}

impl UrlPart {
    /// The part that starts at `c`, with which `rest` starts.
    fn after(self, c: char, rest: &str) -> Option<UrlPart> {
        match (self, c) {
            (UrlPart::Path, '/') => Some(UrlPart::Path),
            (UrlPart::Path, '?') | (UrlPart::Query, '&' | '=') => Some(UrlPart::Query),
            (UrlPart::Path | UrlPart::Query, '#') => Some(UrlPart::Fragment),
            (UrlPart::Fragment, ':') if rest.starts_with(DIRECTIVE) => Some(UrlPart::Directive),
            (UrlPart::Directive, '&' | '=' | ',') => Some(UrlPart::Directive),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::simd::Simd;

    const OPTIONS: TextOptions =
        TextOptions { iri: Iri::Ascii, cells: None, width: None, simd: Simd::generic() };

    /// The URL in `text`, which starts at its first `h`.
    fn url(text: &str) -> &str {
        let window = Window::whole(text.as_bytes());
        let start = text.find('h').unwrap();
        let cells = Cell::default();
        let finder = EndFinder::new(&window, start, text.len() + 1, &OPTIONS, &cells);
        let End::At(end, _) = finder.untrimmed(start) else { panic!("{text} is not too long") };
        &text[start..finder.trimmed(end, start + 1)]
    }

    #[test]
    fn hard_stops() {
        for stop in [" ", "\t", "\n", "\u{7f}", "<", ">", "\"", "`", "\\", "|", "é", "&lt;", "&GT;", "&quot;"]
        {
            assert_eq!(url(&format!("h/a{stop}b")), "h/a", "{stop:?}");
        }
        assert_eq!(url("h/a?x|y"), "h/a?x|y");
        for stop in ["&nbsp;", "&#xA0;", "&#32;", "&#92;"] {
            assert_eq!(url(&format!("h/a{stop}b")), "h/a", "{stop:?}");
        }
        // A reference to an apostrophe ends the URL only where an apostrophe does.
        assert_eq!(url("h/a&#39;b"), "h/a&#39;b");
        assert_eq!(url("h/a&amp;b&ampere=1"), "h/a&amp;b&ampere=1");
    }

    #[test]
    fn brackets_are_closed_nearby() {
        for (open, close) in [("[", "]"), ("{", "}"), ("$(", ")")] {
            let group = |len| format!("h/a{open}{}{close}b", "1".repeat(len));
            assert_eq!(url(&group(90)), group(90));
            assert_eq!(url(&group(200)), "h/a");
            let second = format!("{}{open}c{close}{}", group(90), "y".repeat(200));
            assert_eq!(url(&second), second);
            // Brackets within each other: the outer ones are closed too late.
            let x = "x".repeat(100);
            assert_eq!(url(&format!("h/a{open}{x}{open}{x}{close}{close}b")), "h/a");
        }
        let round = format!("h/a({})b", "x".repeat(200));
        assert_eq!(url(&round), round);
        // The last bracket does not close the open one.
        let crossed = format!("h/a[(]{}", "x".repeat(200));
        assert_eq!(url(&crossed), crossed);
        assert_eq!(url(&format!("h/a[{{]{}", "x".repeat(200))), url("h/a[{]x"));
        // The brackets that were closed after the bracket that ends the URL are open again.
        assert_eq!(url(&format!("h/${{a[b}}{}", "x".repeat(200))), "h/");
    }

    #[test]
    fn brackets_balance() {
        assert_eq!(url("(h/a)"), "h/a");
        assert_eq!(url("h/a_(b))"), "h/a_(b)");
        assert_eq!(url("[h/{a}]"), "h/{a}");
        assert_eq!(url("h/a("), "h/a");
    }

    #[test]
    fn labels_end_a_url() {
        assert_eq!(url("h/a[two words]"), "h/a");
        assert_eq!(url("h/{a [b"), "h/");
        assert_eq!(url("h/a[b]. x"), "h/a");
        assert_eq!(url("h/a[0] x"), "h/a[0]");
        assert_eq!(url("h/a_[b]. x"), "h/a_[b]");
        assert_eq!(url("h/[a].tsx"), "h/[a].tsx");
        for label in ["[]", "[^]", "[@a]", "[#1]", "#b[c]"] {
            assert_eq!(url(&format!("h/a{label} x")), &format!("h/a{label}")[..label.find('[').unwrap() + 3]);
        }
        assert_eq!(url("h/a?b[]"), "h/a?b[]");
        assert_eq!(url("h/$(a b)/c"), "h/");
        assert_eq!(url("h/#{ a }"), "h/");
        assert_eq!(url("h/a(b c)"), "h/a(b");
        assert_eq!(url("h/?f[a]"), "h/?f[a]");
        for label in ["[2nd]", "[3D models]", "[2.0-rc1].", "?v=1[Label]", "?v=1&w=2[a b]", "?v=1[]"] {
            assert_eq!(url(&format!("h/a{label} x")), &format!("h/a{label}")[..3 + label.find('[').unwrap()]);
        }
        for index in
            ["[0]=1", "[10]", "[0-9a-f]", "?b[0]=1", "?b[]=3", "?b=1&c[Label]", "?b=[key]", "?b=$c[key]"]
        {
            assert_eq!(url(&format!("h/a{index} x")), format!("h/a{index}"));
        }
        for (text, end) in
            [("[(HTML)]", 3), ("/12[12]", 6), ("[(1)]", 8), ("/12[2]", 9), ("_[(b)]", 9), ("?a[(b)]", 10)]
        {
            assert_eq!(url(&format!("h/a{text} x")), &format!("h/a{text}")[..end]);
        }
        assert_eq!(url("h/{a}[b{c]"), "h/{a}[b");
        assert_eq!(url("h/a[/url]"), "h/a");
        assert_eq!(url("h/a[/*:m:3a]"), "h/a");
        assert_eq!(url("h/a[/quote:1a2b3c4d]"), "h/a");
        assert_eq!(url("h/a[/1]"), "h/a[/1]");
        assert_eq!(url("h/a[/]b"), "h/a[/]b");
        for label in ["[NFT]s", "[NFT]s,", "[NFT]'s.", "[NFT]es!?"] {
            assert_eq!(url(&format!("h/{label} x")), "h/");
        }
        assert_eq!(url("h/[NFT]s.html"), "h/[NFT]s.html");
        assert_eq!(url("h/?a[NFT]s"), "h/?a[NFT]s");
    }

    #[test]
    fn places_in_programs() {
        assert_eq!(url("h/a.js:1:5)"), "h/a.js");
        assert_eq!(url("h/a.html:12: x"), "h/a.html");
        assert_eq!(url("h/a.tsx?t=1:2:3"), "h/a.tsx?t=1");
        for text in [
            "h/a.js#s:1:5",
            "h/#x.js:10",
            "h/#/a/x.js:1:5",
            "h/Talk:12",
            "h/a.png:12",
            "h/a.js?t=1:2",
            "h/a.js/b:1",
            "h/js:1",
        ] {
            assert_eq!(url(text), text);
        }
        assert_eq!(url("h/a/x.js:10"), "h/a/x.js");
    }

    #[test]
    fn every_kind_of_program() {
        let names = "astro c cc cjs clj coffee cpp cs css cts dart erl ex exs go h hpp hs htm html java jl js jsp jsx kt \
            less lua mjs ml mts php pl pm py rb rs scala scss sh sql svelte swift ts tsx vue wasm zig";
        for name in names.split_ascii_whitespace().flat_map(|name| [name.to_owned(), name.to_uppercase()]) {
            assert_eq!(url(&format!("h/a.{name}:12")), format!("h/a.{name}"));
            assert_eq!(url(&format!("h/a.{name}_:12")), format!("h/a.{name}_:12"));
        }
    }

    #[test]
    fn what_opens_says_what_closes() {
        assert_eq!(url("](h/a.)"), "h/a.");
        assert_eq!(url("`h/a?`"), "h/a?");
        assert_eq!(url("\"h/a,\""), "h/a");
        assert_eq!(url("'h/a:'"), "h/a:");
        assert_eq!(url("«h/a.»"), "h/a.");
        assert_eq!(url("\"see h/a:\""), "h/a");
        assert_eq!(url("(h/a.)"), "h/a");
        assert_eq!(url("|h/a?b|c"), "h/a?b");
        assert_eq!(url("<h/a?b|c>"), "h/a?b");
        assert_eq!(url("('1','x h/a','y'"), "h/a");
    }

    #[test]
    fn punctuation_is_trimmed_repeatedly() {
        assert_eq!(url("h/a.,;:!?"), "h/a");
        assert_eq!(url("h/a?!).'"), "h/a");
        assert_eq!(url("h/a--"), "h/a");
        assert_eq!(url("h/a-"), "h/a-");
        assert_eq!(url("h/a/?q="), "h/a/?q=");
        assert_eq!(url("h/a?x|"), "h/a?x");
    }

    #[test]
    fn unmatched_quotes_are_trimmed() {
        assert_eq!(url("h/it's"), "h/it's");
        assert_eq!(url("h/a'"), "h/a");
        assert_eq!(url("h/'a'"), "h/'a'");
        assert_eq!(url("h/'a''"), "h/'a'");
        assert_eq!(url("'h/a'b"), "h/a");
    }

    #[test]
    fn emphasis_and_rulers() {
        assert_eq!(url("*h/a*"), "h/a");
        assert_eq!(url("*h/a.*."), "h/a");
        assert_eq!(url("_h/a_b_"), "h/a_b");
        assert_eq!(url("==h/a=="), "h/a");
        assert_eq!(url("=h/a="), "h/a");
        assert_eq!(url("\"=h/a=\""), "h/a");
        assert_eq!(url("{=h/a=}"), "h/a");
        assert_eq!(url("a=h/a="), "h/a=");
        assert_eq!(url("=h/=a=,"), "h/=a");
        assert_eq!(url("=h/?a="), "h/?a=");
    }

    #[test]
    fn another_url_separates() {
        assert_eq!(url("h/a,http://h"), "h/a");
        assert_eq!(url("h/a;x-y://h"), "h/a");
        assert_eq!(url("h/a?b|ftp://h"), "h/a?b");
        assert_eq!(url("h/a,b"), "h/a,b");
    }

    #[test]
    fn a_url_that_is_too_long() {
        let window = Window::whole(b"http://h/aaaa");
        let cells = Cell::default();
        let finder = EndFinder::new(&window, 0, 10, &OPTIONS, &cells);
        assert_eq!(finder.untrimmed(8), End::TooLong);
    }

    #[test]
    fn brackets_match_within_a_part() {
        for url in ["/a(b)c/d", "/a[(b)]?a=(b)&(c)=d#e:~:text=(f)", "?a=[(b)]", "#a/(b?c=d)", "/a(", "/「a」"]
        {
            assert_eq!(unmatched(url.as_bytes()), None, "{url}");
        }
        for (url, at) in [
            ("/a[(b])c", 5),
            ("/a(b/c)d", 6),
            ("?a(=)b", 4),
            ("?a=b(&)c", 6),
            ("#a(b:~:text=c)d", 13),
            ("/a)", 2),
            ("/「a』", 5),
        ] {
            assert_eq!(unmatched(url.as_bytes()), Some(at), "{url}");
        }
    }

    #[test]
    fn titles_and_classes_of_characters() {
        for (label, expected) in [
            ("see", true),
            ("Ab", true),
            ("X", true),
            ("a b", true),
            ("ti", false),
            ("a-z", false),
            ("A-Z", false),
            ("a-z0-9", false),
            ("1", false),
            ("123", false),
            (".", false),
            ("", false),
        ] {
            assert_eq!(is_title(label.as_bytes()), expected, "{label}");
        }
    }
}
