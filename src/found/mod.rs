//! The result of a search: a match and its properties.
//!
//! | module | contains |
//! |---|---|
//! | here | [`Match`]: the URL and where it is |
//! | [`form`] | its form in the text, and how it was joined |
//! | [`readings`] | its other readings: pieces, gaps and hyphens |
//! | [`ending`] | why it ends where it does |
//! | [`evidence`] | which URLs occur unbroken |
//! | `host`, `ascii` | its host and port; it in ASCII, with the feature `idna` |
//! | `premises` | what is not in the text: an implied scheme, the dialect |
//! | `serialize` | it in JSON, with the feature `serde` |
//! | `wrapped` | the wrapper that it was in, with the feature `unwrap` |
//! | `traits` | its equality and its display |

#[cfg(feature = "idna")]
mod ascii;
pub(crate) mod ending;
pub(crate) mod evidence;
pub(crate) mod form;
mod host;
mod premises;
pub(crate) mod readings;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
mod traits;
#[cfg(feature = "unwrap")]
mod wrapped;

use std::borrow::Cow;
use std::num::NonZeroU64;
use std::ops::Range;

use crate::bytes::position::Position;
use crate::grammar::{self, Assessment, Dialect, Grade, Warnings};
use ending::Ending;
use form::{Form, GuessRule, Implied, Joined};
use premises::Premises;
use readings::{HyphenChoice, Readings};

/// A URL that was matched in a text.
///
/// The URL is borrowed from the text unless it is joined from pieces. All other
/// properties are computed by their methods, each call in one pass over the URL.
///
/// # Example
///
/// ```
/// let text = "the warning in <URL:http://ds.internic.\n  net/overview.html#WARNING>.";
/// let m = urlgrep::find(text).unwrap();
/// assert_eq!(m.as_bytes(), b"http://ds.internic.net/overview.html#WARNING");
/// assert_eq!(&text[m.range()], "<URL:http://ds.internic.\n  net/overview.html#WARNING>");
/// assert_eq!(m.segments().collect::<Vec<_>>(), [20..39, 42..67]);
/// assert_eq!(m.host().as_deref(), Some("ds.internic.net"));
/// ```
#[derive(Clone)]
pub struct Match<'h> {
    url: Cow<'h, [u8]>,
    /// The range in the buffered part of the text, and where that part starts. The sum
    /// of the two may wrap: a part may start before the text does.
    span: Range<usize>,
    base: u64,
    /// Where the URL starts, if it is in one piece.
    start: usize,
    form: Form,
    premises: Premises,
    ending: Option<Ending>,
    /// The line and column. A line is never 0, so this is smaller than an optional
    /// position.
    line: Option<NonZeroU64>,
    column: u64,
    pieces: Option<Box<Pieces>>,
}

/// A URL that was joined, and its other readings.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pub(crate) joined: Option<Joined>,
    /// The rule that joined them, if nothing delimits the URL.
    pub(crate) guess: Option<GuessRule>,
    pub(crate) readings: Readings,
    /// Which of the readings the URL is.
    pub(crate) answer: HyphenChoice,
    /// The wrapper that the URL was in, which is then that reading.
    #[cfg(feature = "unwrap")]
    wrapped: Option<wrapped::Wrapped>,
}

impl Pieces {
    pub(crate) fn new(joined: Option<Joined>, readings: Readings) -> Self {
        let answer = readings.answer();
        #[cfg(feature = "unwrap")]
        let pieces = Pieces { joined, guess: None, readings, answer, wrapped: None };
        #[cfg(not(feature = "unwrap"))]
        let pieces = Pieces { joined, guess: None, readings, answer };
        pieces
    }
}

impl<'h> Match<'h> {
    /// A URL that is in the text verbatim, from `start` on.
    #[inline(always)]
    pub(crate) fn verbatim(url: &'h [u8], start: usize, span: Range<usize>, form: Form) -> Self {
        Match {
            url: Cow::Borrowed(url),
            span,
            base: 0,
            start,
            form,
            premises: Premises::default(),
            ending: None,
            line: None,
            column: 0,
            pieces: None,
        }
    }

    /// The same with an implied scheme.
    pub(crate) fn implying(self, scheme: Implied) -> Self {
        Match { premises: self.premises.implying(scheme), ..self }
    }

    /// The same with the reason why it ends, if there is one.
    pub(crate) fn ending_by(self, ending: Option<Ending>) -> Self {
        Match { ending, ..self }
    }

    /// A URL that was joined.
    pub(crate) fn rejoined(span: Range<usize>, form: Form, pieces: Pieces) -> Match<'static> {
        let url = Cow::Owned(pieces.readings.spell(&pieces.answer));
        let pieces = Some(Box::new(pieces));
        Match { url, pieces, ..Match::verbatim(b"", span.start, span, form) }
    }

    /// A URL that the text at `span` means, in another spelling: a relative reference, or one that
    /// was defanged.
    pub(crate) fn resolved(url: Vec<u8>, span: Range<usize>, form: Form) -> Match<'static> {
        Match { url: Cow::Owned(url), ..Match::verbatim(b"", span.start, span, form) }
    }

    /// Sets where the part of the text that the offsets count from starts.
    #[inline(always)]
    pub(crate) fn set_base(&mut self, base: u64) {
        self.base = base;
    }

    /// Sets the grammar by which the match is graded.
    pub(crate) fn set_dialect(&mut self, dialect: Dialect) {
        self.premises = self.premises.graded_by(dialect);
    }

    /// Sets the line and column at which the match starts.
    pub(crate) fn set_position(&mut self, position: Position) {
        (self.line, self.column) = (NonZeroU64::new(position.line), position.column);
    }

    /// The URL, including its fragment. If there are several readings, this is the
    /// likeliest.
    ///
    /// Between delimiters and in attributes it can have any bytes except whitespace,
    /// control characters, `<` and `>`; in an attribute also spaces. Elsewhere it is UTF-8 that [`Iri`](crate::Iri)
    /// allows.
    pub fn as_bytes(&self) -> &[u8] {
        &self.url
    }

    /// The URL as a string, or `None` if it is not UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.url).ok()
    }

    /// The URL with its scheme, even if that is implied: `http://www.h.org/` for
    /// `www.h.org/`.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().hosts(true).build()?;
    /// assert_eq!(&*finder.find("at www.h.org/a").unwrap().href(), b"http://www.h.org/a");
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn href(&self) -> Cow<'_, [u8]> {
        match self.premises.implied() {
            None => Cow::Borrowed(&self.url),
            Some(scheme) => Cow::Owned([scheme.prefix(), &self.url].concat()),
        }
    }

    /// The range of the match in the whole text, delimiters included: byte offsets
    /// from 0, the end exclusive.
    ///
    /// Offsets are 64 bits wide, since a stream may be longer than memory. For a
    /// slice, [`range`](Self::range) returns the same as `usize`.
    pub fn span(&self) -> Range<u64> {
        self.absolute(self.span.clone())
    }

    /// The range of the match in the slice that was searched, delimiters included:
    /// byte offsets from 0, the end exclusive.
    ///
    /// In a stream whose offsets do not fit a `usize`, they wrap; use
    /// [`span`](Self::span).
    pub fn range(&self) -> Range<usize> {
        let base = self.base as usize;
        self.span.start.wrapping_add(base)..self.span.end.wrapping_add(base)
    }

    /// The ranges of the text whose concatenation is the URL, in order: byte
    /// offsets from 0, the ends exclusive. Of a relative link in HTML it is the link as it is
    /// written, and so it is of a defanged URL.
    pub fn segments(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        let whole = match self.form {
            // Of a relative reference it is not the URL itself, nor of a defanged one.
            Form::Href | Form::Defanged => self.span.clone(),
            _ => self.start..self.start + self.url.len(),
        };
        let pieces = self.pieces.as_ref().map(|pieces| pieces.readings.segments(&pieces.answer));
        let whole = pieces.is_none().then_some(whole);
        whole.into_iter().chain(pieces.into_iter().flatten()).map(|range| self.absolute(range))
    }

    /// The segments as ranges of the slice that was searched.
    #[cfg(feature = "archive")]
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.segments().map(|range| range.start as usize..range.end as usize)
    }

    fn absolute(&self, range: Range<usize>) -> Range<u64> {
        self.base.wrapping_add(range.start as u64)..self.base.wrapping_add(range.end as u64)
    }

    /// The form in which the URL is in the text.
    pub fn form(&self) -> Form {
        self.form
    }

    /// How pieces from several lines were joined; `None` if the URL is on one line.
    pub fn joined(&self) -> Option<Joined> {
        self.pieces.as_ref().and_then(|pieces| pieces.joined)
    }

    /// The rule that joined the pieces of a [guess](Joined::Guess), that of the first
    /// line end if there are several; `None` for other matches.
    ///
    /// ```
    /// use urlgrep::{Finder, GuessRule, Join};
    ///
    /// let finder = Finder::builder().join(Join::Likely).build()?;
    /// let m = finder.find("it is at http://www.example.org/archive/of/the-\nworking-group.html").unwrap();
    /// assert_eq!(m.as_bytes(), b"http://www.example.org/archive/of/the-working-group.html");
    /// assert_eq!(m.guess(), Some(GuessRule::Stem));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn guess(&self) -> Option<GuessRule> {
        self.pieces.as_ref().and_then(|pieces| pieces.guess)
    }

    /// Why the match ends where it does, if nothing delimits it and
    /// [`explain`](crate::FinderBuilder::explain) is on or the finder joins what is
    /// [likely](crate::Join::Likely).
    ///
    /// ```
    /// use urlgrep::{Finder, Stop};
    ///
    /// let finder = Finder::builder().explain(true).build()?;
    /// let ending = finder.find("(see http://h.org/.)").unwrap().ending().unwrap();
    /// assert_eq!((ending.stop(), ending.trimmed()), (Stop::Closing(b')'), 1));
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The scheme in lower case, without the colon. For a host or mail address without
    /// a scheme, it is the implied one.
    pub fn scheme(&self) -> Cow<'_, str> {
        let scheme = std::str::from_utf8(self.written_scheme()).unwrap_or("");
        match scheme.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Cow::Owned(scheme.to_ascii_lowercase()),
            false => Cow::Borrowed(scheme),
        }
    }

    /// Whether the scheme is written, not implied.
    #[cfg(feature = "archive")]
    pub(crate) fn has_scheme(&self) -> bool {
        self.premises.implied().is_none()
    }

    /// The scheme as it is written, or the one that is implied.
    pub(crate) fn written_scheme(&self) -> &[u8] {
        match self.premises.implied() {
            Some(scheme) => scheme.name().as_bytes(),
            None => &self.url[..memchr::memchr(b':', &self.url).unwrap_or(0)],
        }
    }

    /// The URL without its fragment (`#…`), which RFC 1738 does not count as
    /// part of it.
    pub fn without_fragment(&self) -> &[u8] {
        grammar::split_fragment(&self.url).0
    }

    /// The fragment after the `#`, if there is one.
    pub fn fragment(&self) -> Option<&[u8]> {
        grammar::split_fragment(&self.url).1
    }

    /// How well formed the URL is by the [dialect](crate::FinderBuilder::dialect) of the
    /// finder, and why its grade is not better. RFC 1738 ignores the fragment.
    ///
    /// The offset of the reason counts an implied scheme.
    pub fn assess(&self) -> Assessment {
        grammar::assess_by(self.premises.dialect(), &self.href()).unwrap_or_else(Assessment::refused)
    }

    /// How well formed the URL is: the grade of [`assess`](Self::assess).
    pub fn grade(&self) -> Grade {
        self.assess().grade()
    }

    /// The warnings of RFC 1738 §6 that apply to this URL.
    pub fn warnings(&self) -> Warnings {
        grammar::warnings(&self.href())
    }

    /// The other readings, likeliest first, at most eight.
    ///
    /// A match has other readings if a line breaks after a hyphen ("the hyphen may or
    /// may not actually be part of the URL", RFC 1738, Appendix), if there is a blank
    /// between the delimiters, or if lines were joined by evidence. If it was in a wrapper that was opened,
    /// the first is that wrapper.
    ///
    /// # Example
    ///
    /// ```
    /// let m = urlgrep::find("<URL:http://h.org/foo-\nbar>").unwrap();
    /// assert_eq!(m.as_bytes(), b"http://h.org/foo-bar");
    /// assert_eq!(m.alternatives(), [b"http://h.org/foobar"]);
    /// ```
    pub fn alternatives(&self) -> Vec<Vec<u8>> {
        let Some(pieces) = &self.pieces else {
            return Vec::new();
        };
        let others = pieces.readings.others(&pieces.answer);
        #[cfg(feature = "unwrap")]
        let others = pieces.with_wrapper(others);
        others
    }

    /// The readings with and without hyphens at line ends, each as a match of its own,
    /// likeliest first; empty if no hyphen is in doubt.
    ///
    /// This match is one of them. They differ only in those hyphens, and are equally
    /// well formed. [`alternatives`](Self::alternatives) has all of them except this
    /// match, and the readings that do not come from hyphens.
    ///
    /// # Example
    ///
    /// ```
    /// let text = "<URL:http://h.org/foo-\nbar>";
    /// let readings = urlgrep::find(text).unwrap().hyphen_readings();
    /// assert_eq!(readings[1].as_bytes(), b"http://h.org/foobar");
    /// assert_eq!(readings[1].segments().collect::<Vec<_>>(), [5..21, 23..26]);
    /// assert_eq!(readings[1].alternatives(), [b"http://h.org/foo-bar"]);
    /// ```
    pub fn hyphen_readings(&self) -> Vec<Match<'static>> {
        let Some(pieces) = &self.pieces else {
            return Vec::new();
        };
        let of = |answer| {
            let pieces = Pieces { answer, ..(**pieces).clone() };
            let reading = Match::rejoined(self.span.clone(), self.form, pieces);
            let Match { base, premises, ending, line, column, .. } = *self;
            let reading = Match { base, premises, ending, line, column, ..reading };
            #[cfg(feature = "unwrap")]
            let reading = reading.opened_again();
            reading
        };
        let readings = pieces.readings.hyphened();
        if readings.len() < 2 { Vec::new() } else { readings.into_iter().map(of).collect() }
    }

    /// The line and column where the match starts, if
    /// [`line_numbers`](crate::FinderBuilder::line_numbers) is on.
    pub fn position(&self) -> Option<Position> {
        self.line.map(|line| Position { line: line.get(), column: self.column })
    }

    /// The same match with an owned URL.
    pub fn into_owned(self) -> Match<'static> {
        let url = Cow::Owned(self.url.into_owned());
        Match { url, ..self }
    }
}

#[cfg(test)]
mod tests;
