//! Readings: the URLs that joined pieces may be.
//!
//! The Appendix: "Because some typesetters and printers may (erroneously)
//! introduce a hyphen at the end of line when breaking a line, the interpreter
//! of a URL containing a line break immediately after a hyphen should ignore
//! all unencoded whitespace around the line break, and should be aware that the
//! hyphen may or may not actually be part of the URL."
//!
//! With *n* such breaks there are 2ⁿ readings. The first treats every hyphen as the
//! caller wants. Then come those that treat one hyphen differently, then two, and so
//! on, the last break first. Only the first nine are computed, so that adversarial
//! text does not cost more. The answer is the first of them with the best grade:
//! `ds.inter-⏎.net` with its hyphen is not a host, so the hyphen is dropped there.
//!
//! There can be one more reading: the URL ends at a space within a line, or, if lines were joined
//! by evidence, at the end of its first line.

use std::ops::Range;

use crate::bytes::unicode;
use crate::grammar::{self, Grade};

/// The number of readings that are kept besides the answer.
pub(super) const ALTERNATIVES: usize = 8;

/// The treatment of a hyphen at the end of a line between delimiters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Hyphen {
    /// Keep it. The reading without it is an alternative.
    ///
    /// In 2.7 GB of real archives, two of about 600 such hyphens were inserted by
    /// typesetters.
    #[default]
    Keep,
    /// Drop it. The reading with it is an alternative.
    Drop,
    /// Yield each of the equally well formed readings as a match of its own, likeliest first. At
    /// most nine readings are graded, so that the time stays linear.
    Both,
}

/// The gap after a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The end of the URL, or a gap that a reader does not see, such as a backslash in JSON.
    None,
    /// Blanks within a line.
    Blank,
    /// A line break, with the whitespace and the line prefix around it.
    Line,
}

/// A run of bytes without whitespace between delimiters, and the gap after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) range: Range<usize>,
    pub(crate) gap: Gap,
}

/// A reading: the indices of the hyphens that it treats differently from the default,
/// in descending order.
pub(crate) type HyphenChoice = Vec<usize>;

/// The pieces of a URL and the ways to read them.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    /// The pieces in the text, hyphens included.
    pieces: Vec<Range<usize>>,
    /// The pieces joined.
    full: Vec<u8>,
    /// The offsets in `full` of the hyphens that a line break follows.
    hyphens: Vec<usize>,
    /// True if hyphens are dropped by default.
    drop: bool,
    /// The reading that is the answer.
    pub(super) answer: HyphenChoice,
    /// The length of the prefix of `full` that is a reading of its own.
    cut: Option<usize>,
    /// A reading that is not a prefix of `full`.
    other: Option<Vec<u8>>,
}

impl Readings {
    /// The readings of `pieces`, which are in text order; `text` returns the bytes of
    /// a range.
    pub(crate) fn new<'t>(
        text: impl Fn(Range<usize>) -> &'t [u8],
        pieces: Vec<Piece>,
        hyphen: Hyphen,
    ) -> Self {
        let mut full = Vec::with_capacity(pieces.iter().map(|piece| piece.range.len()).sum());
        let mut hyphens = Vec::new();
        let mut cut = None;
        for piece in &pieces {
            let bytes = text(piece.range.clone());
            match bytes {
                // Adversarial text has many pieces of one byte.
                [byte] => full.push(*byte),
                _ => full.extend_from_slice(bytes),
            }
            match piece.gap {
                Gap::Line if bytes.last() == Some(&b'-') => hyphens.push(full.len() - 1),
                Gap::Blank => cut = cut.or(Some(full.len())),
                Gap::Line | Gap::None => {}
            }
        }
        let pieces = pieces.into_iter().map(|piece| piece.range).collect();
        let drop = hyphen == Hyphen::Drop;
        let mut readings =
            Readings { pieces, full, hyphens, drop, answer: HyphenChoice::new(), cut, other: None };
        if !readings.hyphens.is_empty() {
            readings.answer = readings.likeliest();
        }
        readings
    }

    /// Creates the only reading, `url`; `segments` are its source ranges.
    pub(crate) fn decoded(url: Vec<u8>, segments: Vec<Range<usize>>) -> Self {
        let (hyphens, answer) = (Vec::new(), HyphenChoice::new());
        Readings { pieces: segments, full: url, hyphens, drop: false, answer, cut: None, other: None }
    }

    /// Returns the readings of a URL, or `None` if it is certain that no reading is a URL.
    pub(crate) fn of_url<'t>(
        text: impl Fn(Range<usize>) -> &'t [u8],
        pieces: Vec<Piece>,
        hyphen: Hyphen,
    ) -> Option<Self> {
        (!none_is_url(&text, &pieces)).then(|| Self::new(text, pieces, hyphen))
    }

    /// The first of the readings that have the best grade.
    fn likeliest(&self) -> HyphenChoice {
        let first = grade(&self.spell(&[]));
        if first == Some(Grade::Rfc1738) || Some(first) == self.bound() {
            return HyphenChoice::new();
        }
        self.hyphened().swap_remove(0)
    }

    /// Returns the grade that no reading exceeds, if it is known: the grade of the reading without
    /// hyphens, or with the hyphens that may be the whole of a part that must not be empty
    /// (`mailto:a@h.-`).
    ///
    /// No grammar needs any other hyphen after the scheme. So two or three runs of the grammar are
    /// enough if all readings have the same grade. The bound is not known if a hyphen may be in the
    /// scheme, or if dropping hyphens joins slashes before the host, or bytes that form whitespace.
    fn bound(&self) -> Option<Option<Grade>> {
        let before = &self.full[..*self.hyphens.first()?];
        let after_scheme = memchr::memchr(b':', before)? + 1;
        let len = self.full.len();
        let dropped = self.spell_by(len, |_| true);
        let has_authority = |url: &[u8]| url[after_scheme..].starts_with(b"//");
        if has_authority(&dropped) != has_authority(before) || unicode::has_space(&dropped) {
            return None;
        }
        let is_alone = |&at: &usize| at == after_scheme || matches!(self.full[at - 1], b'@' | b'.');
        if !self.hyphens.iter().any(is_alone) {
            return Some(grade(&dropped));
        }
        let kept = self.spell_by(len, |i| !is_alone(&self.hyphens[i]));
        Some(grade(&dropped).max(grade(&kept)))
    }

    /// Returns these readings and one more: `other`, unless it only differs because the characters
    /// of this one were decoded to UTF-8.
    pub(crate) fn or(mut self, other: Vec<u8>) -> Self {
        self.other =
            Some(other).filter(|other| str::from_utf8(&self.full).is_err() || str::from_utf8(other).is_ok());
        self
    }

    /// The readings that differ in hyphens, the answer first: of the first nine, the readings with
    /// the best grade, each spelling once.
    pub(crate) fn hyphened(&self) -> Vec<HyphenChoice> {
        let mut weighed: Vec<(Vec<u8>, HyphenChoice, Option<Grade>)> = Vec::new();
        for choice in choices(self.hyphens.len()).take(1 + ALTERNATIVES) {
            let url = self.spell(&choice);
            if weighed.iter().all(|(other, ..)| *other != url) {
                let grade = grade(&url);
                weighed.push((url, choice, grade));
            }
        }
        let best = weighed.iter().map(|&(.., grade)| grade).max().flatten();
        weighed.into_iter().filter(|&(.., grade)| grade == best).map(|(_, choice, _)| choice).collect()
    }

    /// The URL of a reading.
    pub(crate) fn spell(&self, choice: &[usize]) -> Vec<u8> {
        self.spell_to(choice, self.full.len())
    }

    /// The ranges of the text that form a reading.
    pub(crate) fn segments(&self, choice: &[usize]) -> Vec<Range<usize>> {
        let mut at = 0;
        let mut segments = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let dropped = self.drops(choice, at + piece.len() - 1);
            at += piece.len();
            let segment = piece.start..piece.end - usize::from(dropped);
            if !segment.is_empty() {
                segments.push(segment);
            }
        }
        segments
    }

    /// The URLs of the readings other than `choice`, in order.
    pub(crate) fn others(&self, choice: &[usize]) -> Vec<Vec<u8>> {
        let others = self.hyphened().into_iter().filter(|other| other != choice);
        let mut others: Vec<_> = others.map(|other| self.spell(&other)).collect();
        let cut = self.cut.map(|len| self.spell_to(choice, len));
        others.truncate(ALTERNATIVES - usize::from(self.other.is_some()));
        for url in cut.into_iter().chain(self.other.clone()) {
            if !others.contains(&url) && url != self.spell(choice) && grammar::is_url(&url) {
                others.push(url);
            }
        }
        others.truncate(ALTERNATIVES);
        others
    }

    /// Returns true if the byte at `at` of `full` is a hyphen that `choice` drops.
    fn drops(&self, choice: &[usize], at: usize) -> bool {
        self.hyphens.binary_search(&at).is_ok_and(|i| self.drop != choice.contains(&i))
    }

    fn spell_to(&self, choice: &[usize], len: usize) -> Vec<u8> {
        if !self.drop && choice.is_empty() {
            return self.full[..len].to_vec();
        }
        self.spell_by(len, |i| self.drop != choice.contains(&i))
    }

    /// The first `len` bytes without the hyphens that `drops` chooses.
    fn spell_by(&self, len: usize, drops: impl Fn(usize) -> bool) -> Vec<u8> {
        let mut url = Vec::with_capacity(len);
        let mut from = 0;
        let dropped = |&(i, at): &(usize, usize)| at < len && drops(i);
        for (_, at) in self.hyphens.iter().copied().enumerate().filter(dropped) {
            url.extend_from_slice(&self.full[from..at]);
            from = at + 1;
        }
        url.extend_from_slice(&self.full[from..len]);
        url
    }
}

/// Returns true if certainly no reading of `pieces` is a URL: if the URL has an authority and the
/// reading without hyphens is not a URL, no reading is. See [`Readings::bound`].
fn none_is_url<'t>(text: impl Fn(Range<usize>) -> &'t [u8], pieces: &[Piece]) -> bool {
    let has_hyphen = |piece: &Piece| piece.gap == Gap::Line && text(piece.range.clone()).ends_with(b"-");
    if !pieces.iter().any(has_hyphen) {
        return false;
    }
    let mut url = Vec::with_capacity(pieces.iter().map(|piece| piece.range.len()).sum());
    let mut first = None;
    for piece in pieces {
        let bytes = text(piece.range.clone());
        let hyphen = bytes.strip_suffix(b"-").filter(|_| piece.gap == Gap::Line);
        url.extend_from_slice(hyphen.unwrap_or(bytes));
        first = first.or(hyphen.map(|_| url.len()));
    }
    let before = &url[..first.unwrap_or(0)];
    let colon = memchr::memchr(b':', before).filter(|&colon| before[colon..].starts_with(b"://"));
    // Fast path: the host usually ends before the first hyphen, and then the text is usually a URL.
    let Some(colon) = colon.filter(|&colon| !before[colon + 3..].contains(&b'/')) else {
        return false;
    };
    // No grammar checks the hosts of these schemes.
    let is_address = [&b"mailto"[..], b"news"].iter().any(|name| name.eq_ignore_ascii_case(&url[..colon]));
    !is_address && !unicode::has_space(&url) && !grammar::is_url(&url)
}

/// The grade of `url`, or `None` if the grammar refuses it, or if two pieces form whitespace: a
/// character whose bytes a line break separates.
fn grade(url: &[u8]) -> Option<Grade> {
    let assessment = grammar::assess(url).ok().filter(|_| !unicode::has_space(url));
    assessment.map(|assessment| assessment.grade())
}

/// The subsets of `n` breaks, by size: the empty one, each single break, each pair, and so on, the
/// last break first.
fn choices(n: usize) -> impl Iterator<Item = HyphenChoice> {
    let mut next = Some(Vec::new());
    std::iter::from_fn(move || {
        let current = next.take()?;
        next = after(&current, n);
        Some(current)
    })
}

/// The set that follows `set`, whose members are in descending order.
fn after(set: &[usize], n: usize) -> Option<HyphenChoice> {
    // The rightmost member that can move down moves, and those after it follow it.
    let len = set.len();
    let Some(i) = (0..len).rev().find(|&i| set[i] > len - 1 - i) else {
        return (len < n).then(|| (0..=len).map(|i| n - 1 - i).collect());
    };
    let lower = set[i] - 1;
    Some(set[..i].iter().copied().chain((0..len - i).map(|k| lower - k)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    #[test]
    fn fewest_changes_first_and_the_last_break_before_the_first() {
        let sets: Vec<_> = choices(3).collect();
        assert_eq!(
            sets,
            [vec![], vec![2], vec![1], vec![0], vec![2, 1], vec![2, 0], vec![1, 0], vec![2, 1, 0]]
        );
        assert_eq!(choices(0).collect::<Vec<_>>(), [[0; 0]]);
    }

    fn pieces(text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut at = 0;
        for line in text.split('\n') {
            pieces.push(Piece { range: at..at + line.len(), gap: Gap::Line });
            at += line.len() + 1;
        }
        pieces.last_mut().unwrap().gap = Gap::None;
        pieces
    }

    fn readings(text: &str, hyphen: Hyphen) -> Readings {
        Readings::new(|range| &text.as_bytes()[range], pieces(text), hyphen)
    }

    fn spelled(text: &str, hyphen: Hyphen) -> Vec<String> {
        let readings = readings(text, hyphen);
        readings.hyphened().iter().map(|choice| String::from_utf8(readings.spell(choice)).unwrap()).collect()
    }

    #[test]
    fn kept_or_dropped() {
        let text = "http://h.org/foo-\nbar";
        assert_eq!(spelled(text, Hyphen::Keep), ["http://h.org/foo-bar", "http://h.org/foobar"]);
        assert_eq!(spelled(text, Hyphen::Drop), ["http://h.org/foobar", "http://h.org/foo-bar"]);
    }

    #[test]
    fn a_hyphen_that_the_grammar_rejects_is_dropped() {
        assert_eq!(spelled("ftp://ds.inter-\n.net/", Hyphen::Keep), ["ftp://ds.inter.net/"]);
        assert_eq!(spelled("http://h.org:80-\n80/", Hyphen::Keep), ["http://h.org:8080/"]);
        assert_eq!(spelled("http://h.org/%2-\n0", Hyphen::Keep), ["http://h.org/%20"]);
    }

    /// The Appendix of RFC 1738 has the delimiters; without them the URL ends at the first space.
    #[test]
    fn the_reading_up_to_a_blank() {
        let text = "http://h.org/a/b/c";
        let piece = |range, gap| Piece { range, gap };
        let pieces = vec![piece(0..15, Gap::Blank), piece(15..17, Gap::Blank), piece(17..18, Gap::None)];
        let readings = Readings::new(|range| &text.as_bytes()[range], pieces, Hyphen::Keep);
        assert_eq!(readings.others(&[]), [b"http://h.org/a/"]);
    }

    #[test]
    fn never_more_than_nine() {
        let text = format!("http://h.org/{}a", "b-\n".repeat(20));
        assert_eq!(spelled(&text, Hyphen::Keep).len(), 9);
    }

    /// The reading that is not joined is among the others, however many hyphens there are.
    #[test]
    fn the_unjoined_reading_has_room() {
        let other = "http://h.org/b-";
        for (hyphens, count) in [(0, 1), (1, 2), (2, 4), (3, 8), (4, 8), (5, 8), (20, 8)] {
            let text = format!("http://h.org/{}a", "b-\n".repeat(hyphens));
            let readings = readings(&text, Hyphen::Keep).or(other.into());
            let others = readings.others(&readings.answer);
            assert_eq!(
                (others.len(), others.last().unwrap().as_slice()),
                (count, other.as_bytes()),
                "{hyphens}"
            );
        }
    }

    /// The tokens that decide a grade, in any order.
    const TOKENS: &[&str] = &[
        "-\n", "-\n", "-\n", "-", "a", "b1", "1", "16", ".", "/", "//", "@", ":", "?", "#", "%", "4", "2F",
        "%2d", ";", ";type=", "=", "&", "+", "[", "::1]", "[v1.", "]", "*", ",", "_", "~", "{", "<",
        "\u{fc}", "a@b.org", "h.org", "%00",
    ];

    const SCHEMES: &[&str] = &[
        "http", "https", "ftp", "gopher", "mailto", "news", "nntp", "telnet", "wais", "file", "prospero",
        "x", "x-\ny", "urn", "sip",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2048))]

        #[test]
        fn the_bound_changes_no_answer(
            scheme in select(SCHEMES),
            after in select(&[":", "://", "://h.org/", "://a", ":/", ":a@h", ":-\n//a"][..]),
            tokens in proptest::collection::vec(select(TOKENS), 0..9),
            drop: bool,
        ) {
            let text = format!("{scheme}{after}{}", tokens.concat());
            let readings = readings(&text, if drop { Hyphen::Drop } else { Hyphen::Keep });
            if let Some(bound) = readings.bound() {
                let grades = choices(readings.hyphens.len()).map(|choice| grade(&readings.spell(&choice)));
                prop_assert!(grades.max().is_some_and(|best| best == bound), "{text:?}");
            }
            if none_is_url(|range| &text.as_bytes()[range], &pieces(&text)) {
                let mut all = choices(readings.hyphens.len());
                prop_assert!(all.all(|choice| !grammar::is_url(&readings.spell(&choice))), "{:?}", text);
            }
            prop_assert_eq!(&readings.answer, &readings.hyphened()[0], "{:?}", text);
        }
    }

    #[test]
    fn segments_leave_a_dropped_hyphen_out() {
        let readings = readings("http://h.org/a-\n-\nb", Hyphen::Drop);
        assert_eq!(readings.segments(&[]), [0..14, 18..19]);
    }
}
