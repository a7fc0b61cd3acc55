//! Where a bare URL ends, and why.
//!
//! The Appendix of RFC 1738 recommends a wrapper because of "punctuation marks that
//! might be mistaken for part of the URL". A bare URL has no wrapper, so its end is
//! found in two steps. First, one pass over the bytes finds the byte that stops the
//! URL: whitespace, a control character, a delimiter, a byte that is not ASCII, or a
//! bracket that closes nothing. Then the punctuation of the sentence is trimmed from
//! the end.

use super::start::Start;
use crate::bytes::class::{BLANK, PLAIN, SCHEME};
use crate::bytes::unicode::{self, Iri, LinkTerm, closes, opens};
use crate::bytes::window::Window;
use crate::found::form::{Entity, Stop};
use crate::grammar::schemes::LONGEST;
use crate::scan::ReadOptions;
use crate::simd::Members;

/// How far before a URL the mark that opens its group of words may be, in bytes.
const GROUP: usize = 256;

const PLAINS: Members = Members::of(PLAIN);

/// Where a URL ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At this offset, exclusive.
    At(usize),
    /// Not before the limit.
    TooLong,
}

/// What trimming has found out about a URL, each at most once, so that time is linear.
#[derive(Default)]
struct Facts<'h> {
    /// How many apostrophes are left in it.
    quotes: Option<usize>,
    /// Where its fragment starts.
    fragment: Option<Option<usize>>,
    /// The text before it on its line.
    line: Option<&'h [u8]>,
}

/// Finds the end of a bare URL.
pub(crate) struct EndFinder<'w, 'h> {
    pub(crate) window: &'w Window<'h>,
    /// Where the scheme of the URL starts.
    pub(crate) start: usize,
    /// Where the URL is too long.
    pub(crate) limit: usize,
    pub(crate) options: &'w ReadOptions,
    /// Whether to say why the URL ends.
    pub(crate) explain: bool,
}

impl<'h> EndFinder<'_, 'h> {
    /// The end of the URL after `start`, before anything is trimmed.
    #[inline(always)]
    pub(crate) fn after(&self, start: &Start) -> End {
        match *start {
            Start::Open(at) => self.within_parts(at, self.untrimmed(at)),
            Start::Closed(end, at) if end < self.limit => End::At(at),
            Start::Closed(..) => End::TooLong,
        }
    }

    /// What stops the URL after `start` at `at`, if the options ask for that. If it is a byte
    /// that other URLs may contain, `start` says why it stops this one.
    pub(crate) fn stop(&self, start: &Start, at: usize) -> Option<Stop> {
        let of_this = |byte| match start {
            Start::Open(_) => Stop::Delimiter(byte),
            &Start::Closed(end, _) => self.stop_of_closed(end, byte),
        };
        self.explain.then(|| self.explained(at).unwrap_or_else(of_this))
    }

    /// What stops a mail address at `at`.
    pub(crate) fn stop_of_address(&self, at: usize) -> Option<Stop> {
        self.explain.then(|| self.explained(at).unwrap_or_else(Stop::Scheme))
    }

    /// Why `byte`, which other URLs may contain, stops a URL that ends at `end` at the
    /// latest.
    fn stop_of_closed(&self, end: usize, byte: u8) -> Stop {
        let url = self.window.ahead(self.start..end);
        let colon = memchr::memchr(b':', url);
        let is_host = colon.is_none_or(|colon| url[colon..].starts_with(b"://"));
        if is_host { Stop::Host(byte) } else { Stop::Scheme(byte) }
    }

    /// Where the URL ends before anything is trimmed. Everything before `from` belongs
    /// to it.
    pub(crate) fn untrimmed(&self, from: usize) -> End {
        self.untrimmed_in(from, &mut Depth::default())
    }

    /// The same after text that has opened brackets.
    pub(crate) fn untrimmed_in(&self, from: usize, depth: &mut Depth) -> End {
        let quoted = self.is_quoted();
        let mut query = false;
        let mut at = from;
        loop {
            at = self.options.simd.skip(self.window, at, self.limit, &PLAINS);
            if at >= self.limit {
                return End::TooLong;
            }
            let Some(b) = self.window.get(at) else {
                return End::At(at);
            };
            if b >= 0x80 && self.options.iri != Iri::Ascii {
                match self.over_wide(from, at) {
                    Some(after) => at = after,
                    None => return End::At(at),
                }
                continue;
            }
            query |= b == b'?';
            let goes_on = match b {
                b'?' => true,
                b'@' => self.window.get(at + 1) != Some(b'{'),
                b'|' => (query || self.is_drive(at)) && !self.separates(at),
                b',' | b';' => !self.separates(at),
                b'&' => self.entity(at).is_none(),
                b'\'' => !quoted,
                _ => balances(b, depth),
            };
            if !goes_on {
                return End::At(at);
            }
            at += 1;
        }
    }

    /// What stops the URL at `at`, if it stops every URL. Otherwise the byte is the
    /// error.
    fn explained(&self, at: usize) -> Result<Stop, u8> {
        let Some(byte) = self.window.get(at) else {
            return Ok(Stop::EndOfText);
        };
        match byte {
            b'\n' | b'\r' => Ok(Stop::EndOfLine),
            b' ' | b'\t' | 0x0B | 0x0C => Ok(Stop::Blank),
            b',' | b';' | b'|' if self.separates(at) => Ok(Stop::AnotherUrl(byte)),
            b'<' | b'>' | b'"' | b'`' | b'\\' | b'|' => Ok(Stop::Delimiter(byte)),
            b')' | b']' | b'}' => Ok(Stop::Closing(byte)),
            b'@' => Ok(Stop::Attribute),
            b'\'' if self.is_quoted() => Ok(Stop::Apostrophe),
            b'&' => self.entity(at).map(Stop::Entity).ok_or(byte),
            0x80.. => Ok(Stop::NonAscii(byte)),
            ..b' ' | 0x7F => Ok(Stop::Control(byte)),
            _ => Err(byte),
        }
    }

    /// Whether an apostrophe precedes the URL, so that another one ends it.
    fn is_quoted(&self) -> bool {
        self.window.byte_before(self.start) == Some(b'\'')
    }

    /// The entity of a delimiter at `at`, if there is one.
    fn entity(&self, at: usize) -> Option<Entity> {
        Entity::ALL.into_iter().find(|entity| self.window.has(at, entity.as_str().as_bytes()))
    }

    /// Where the URL, of which what is before `from` was read already, continues after the
    /// character beyond ASCII at `at`, if it does.
    #[inline(never)]
    fn over_wide(&self, from: usize, at: usize) -> Option<usize> {
        let goes_on = at > from && self.window.byte_before(at).is_some_and(|b| b >= 0x80);
        if !goes_on && !unicode::is_run(self.window, at) {
            return None;
        }
        let c = unicode::char_at(self.window, at)?;
        (self.options.iri.link_term(c) != LinkTerm::Hard).then(|| at + c.len_utf8())
    }

    /// Whether `b`, which is before `end`, is there twice.
    fn is_run(&self, b: u8, end: usize) -> bool {
        self.window.before(end, self.start).ends_with(&[b, b])
    }

    /// The same end, or one before it if brackets do not match within the parts of the
    /// URL and UTS #58 applies.
    fn within_parts(&self, from: usize, end: End) -> End {
        match end {
            End::At(at) if self.options.iri == Iri::All => match unmatched(self.window.ahead(from..at)) {
                Some(n) => End::At(from + n),
                None => end,
            },
            _ => end,
        }
    }

    /// Whether the `|` at `at` is that of a drive: `file:///C|/a`.
    fn is_drive(&self, at: usize) -> bool {
        let start = b"file:///";
        at == self.start + start.len() + 1 && self.window.has(self.start, start)
    }

    /// Whether the mark at `at` separates the URL from another one.
    fn separates(&self, at: usize) -> bool {
        let end = self.window.skip(at + 1, at + 1 + LONGEST, |b| SCHEME.has(b));
        self.window.get(at + 1).is_some_and(|b| b.is_ascii_alphabetic()) && self.window.has(end, b"://")
    }

    /// Where the URL that ends at `end` ends without the punctuation of the sentence;
    /// not before `floor`.
    #[inline(always)]
    pub(crate) fn trimmed(&self, end: usize, floor: usize) -> usize {
        match self.window.byte_before(end) {
            Some(b's') => self.without_possessive(end, floor),
            Some(b) if b.is_ascii_alphanumeric() => end,
            // Alone these are trimmed only if they are before the URL, too.
            Some(b @ (b'/' | b'-' | b'=')) if !self.is_run(b, end) && self.mark_before() != Some(b) => end,
            _ => self.without_marks(end, floor),
        }
    }

    /// The same if a mark or a character beyond ASCII is last.
    #[inline(never)]
    fn without_marks(&self, end: usize, floor: usize) -> usize {
        let mark = self.mark_before();
        let mut facts = Facts::default();
        let mut end = end;
        while end > floor
            && let Some(last) = self.window.byte_before(end)
        {
            if last >= 0x80 {
                match unicode::char_before(self.window, end, floor).filter(|&c| self.trims_wide(c)) {
                    Some(c) => end -= c.len_utf8(),
                    None => break,
                }
                continue;
            }
            // A run is read once, however long it is.
            let run = self.window.skip_back(end, floor, |b| b == last);
            if mark == Some(last) || (is_emphasis(last, end - run) && self.opens_group(last, &mut facts)) {
                end = run;
            } else if self.trims(last, end, floor, &mut facts) {
                // Of several apostrophes the first may still close what another one opened.
                end = if last == b'\'' && end - run > 1 { run + 1 } else { run };
            } else {
                break;
            }
        }
        self.without_possessive(end, floor)
    }

    /// The end without `'s` after a slash, which is no part of a path.
    fn without_possessive(&self, end: usize, floor: usize) -> usize {
        if self.window.before(end, floor.max(end.saturating_sub(3))) == b"/'s" { end - 2 } else { end }
    }

    /// Whether the mark `last`, which ends at `end`, belongs to the sentence around
    /// the URL.
    fn trims(&self, last: u8, end: usize, floor: usize, facts: &mut Facts<'h>) -> bool {
        let url = self.window.before(end, self.start);
        match last {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'(' | b'[' | b'{' | b'|' => true,
            // TeX closes a quotation with two.
            b'\'' if self.window.before(end, floor).ends_with(b"''") => true,
            b'\'' => {
                let count = facts.quotes.get_or_insert_with(|| count(url, b'\''));
                let unmatched = *count % 2 == 1;
                *count -= usize::from(unmatched);
                unmatched
            }
            b'-' if end - 1 > floor && self.window.byte_before(end - 1) == Some(b'-') => {
                let fragment = *facts.fragment.get_or_insert_with(|| memchr::memchr(b'#', url));
                fragment.is_none_or(|at| at >= url.len())
            }
            _ => false,
        }
    }

    /// Whether `c`, which is not ASCII, belongs to the sentence around the URL if it is
    /// last.
    fn trims_wide(&self, c: char) -> bool {
        matches!(self.options.iri.link_term(c), LinkTerm::Soft | LinkTerm::Open)
    }

    /// Whether a run of `mark` opens the group of words that the URL is in, on the same
    /// line: `*Site: http://h.org/a*`. It starts the line or follows a blank, a word follows
    /// it, and it is not closed before the URL.
    fn opens_group(&self, mark: u8, facts: &mut Facts<'h>) -> bool {
        let line = facts.line.get_or_insert_with(|| {
            let text = self.window.before(self.start, self.start.saturating_sub(GROUP));
            &text[memchr::memrchr2(b'\n', b'\r', text).map_or(0, |n| n + 1)..]
        });
        let Some(last) = memchr::memrchr(mark, line) else {
            return false;
        };
        let run = line[..=last].iter().rev().take_while(|&&b| b == mark).count();
        let is_apart = |byte: Option<&u8>| byte.is_none_or(|&b| BLANK.has(b));
        let opens = is_apart(line[..last + 1 - run].last()) && !is_apart(line.get(last + 1));
        opens && is_emphasis(mark, run)
    }

    /// The mark before the scheme, if it is emphasis or a ruler: `*`, `_`, `~`, `#`, or any
    /// mark that is there twice. A run of it at the end is then not part of the URL.
    fn mark_before(&self) -> Option<u8> {
        let mark = self.window.byte_before(self.start).filter(u8::is_ascii_punctuation)?;
        let twice = self.start > 1 && self.window.byte_before(self.start - 1) == Some(mark);
        (twice || matches!(mark, b'*' | b'_' | b'~' | b'#')).then_some(mark)
    }
}

/// Whether a run of `len` marks may be emphasis or a ruler.
fn is_emphasis(mark: u8, len: usize) -> bool {
    matches!(mark, b'*' | b'_' | b'~') || (len > 1 && mark.is_ascii_punctuation())
}

fn count(text: &[u8], wanted: u8) -> usize {
    text.iter().filter(|&&b| b == wanted).count()
}

/// Pairs of brackets, which a bare URL may have.
const BRACKETS: [(u8, u8); 3] = [(b'(', b')'), (b'[', b']'), (b'{', b'}')];

/// How many brackets of each of the [`BRACKETS`] are open.
pub(crate) type Depth = [u32; BRACKETS.len()];

/// The brackets that `text` leaves open.
pub(crate) fn depth_of(text: &[u8]) -> Depth {
    let mut depth = Depth::default();
    text.iter().for_each(|&b| {
        balances(b, &mut depth);
    });
    depth
}

/// Whether a URL continues after `b`; `depth` is how many brackets of each kind are
/// open.
fn balances(b: u8, depth: &mut Depth) -> bool {
    for ((open, close), depth) in BRACKETS.into_iter().zip(depth) {
        if b == open {
            *depth += 1;
            return true;
        }
        if b == close {
            let opened = *depth > 0;
            *depth = depth.saturating_sub(1);
            return opened;
        }
    }
    false
}

/// What separates the text directives of a fragment from the rest of it.
const DIRECTIVE: &str = ":~:";

/// A part of a URL after its host.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Query,
    Fragment,
    Directive,
}

/// The offset of the first bracket in `url`, which is what follows the host, that closes
/// none of its part, by Unicode Technical Standard #58.
///
/// There a closing bracket ends the link unless it closes the bracket that was opened
/// last, in the same part: a segment of the path, a name or value of the query, the
/// fragment. By default brackets are only counted.
fn unmatched(url: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(url).ok()?;
    let mut open = Vec::new();
    let mut part = Part::Path;
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

impl Part {
    /// The part that starts at `c`, with which `rest` starts.
    fn after(self, c: char, rest: &str) -> Option<Part> {
        match (self, c) {
            (Part::Path, '/') => Some(Part::Path),
            (Part::Path, '?') | (Part::Query, '&' | '=') => Some(Part::Query),
            (Part::Path | Part::Query, '#') => Some(Part::Fragment),
            (Part::Fragment, ':') if rest.starts_with(DIRECTIVE) => Some(Part::Directive),
            (Part::Directive, '&' | '=' | ',') => Some(Part::Directive),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Simd;

    const OPTIONS: ReadOptions = ReadOptions { iri: Iri::Ascii, simd: Simd::generic() };

    /// The URL in `text`, which starts at its first `h`.
    fn url(text: &str) -> &str {
        let window = Window::whole(text.as_bytes());
        let start = text.find('h').unwrap();
        let finder =
            EndFinder { window: &window, start, limit: text.len() + 1, options: &OPTIONS, explain: false };
        let End::At(end) = finder.untrimmed(start) else { panic!("{text} is not too long") };
        &text[start..finder.trimmed(end, start + 1)]
    }

    #[test]
    fn hard_stops() {
        for stop in [" ", "\t", "\n", "\u{7f}", "<", ">", "\"", "`", "\\", "|", "é", "&lt;", "&GT;", "&quot;"]
        {
            assert_eq!(url(&format!("h/a{stop}b")), "h/a", "{stop:?}");
        }
        assert_eq!(url("h/a?x|y"), "h/a?x|y");
        assert_eq!(url("h/a&amp;b"), "h/a&amp;b");
    }

    #[test]
    fn brackets_balance() {
        assert_eq!(url("(h/a)"), "h/a");
        assert_eq!(url("h/a_(b))"), "h/a_(b)");
        assert_eq!(url("[h/{a}]"), "h/{a}");
        assert_eq!(url("h/a("), "h/a");
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
        assert_eq!(url("=h/a="), "h/a=");
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
        let finder = EndFinder { window: &window, start: 0, limit: 10, options: &OPTIONS, explain: false };
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
}
