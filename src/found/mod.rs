//! What is found, and what can be said about it.

pub(crate) mod readings;

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU64;
use std::ops::Range;

use crate::bytes::position::Position;
use crate::found::readings::{Change, Readings};
use crate::grammar::{self, Assessment, Grade, Warnings};

/// How a URL stood in the text, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// `<URL:…>`, as the Appendix of RFC 1738 recommends.
    Wrapper,
    /// `<…>` without the prefix (the draft of 1994, RFC 2396, RFC 3986).
    Angle,
    /// `"…"` over several lines (RFC 2396, RFC 3986).
    Quote,
    /// `URL:…` without brackets.
    Prefixed,
    /// Nothing but the URL.
    Bare,
    /// The value of an attribute of HTML, `href` or another whose value is a URL.
    Href,
}

impl Form {
    /// The name as it is printed: `wrapper`, `angle`, `quote`, `prefixed`,
    /// `bare` or `href`.
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Wrapper => "wrapper",
            Form::Angle => "angle",
            Form::Quote => "quote",
            Form::Prefixed => "prefixed",
            Form::Bare => "bare",
            Form::Href => "href",
        }
    }
}

/// How the pieces of a URL that stood on several lines came together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Joined {
    /// Between delimiters, where the Appendix says that whitespace "should be
    /// ignored".
    Delimited,
    /// By a rule of the mail formats that leaves nothing to guess:
    /// `format=flowed` (RFC 3676), or the folding of a header field that says of
    /// its value that it is a URL.
    Flowed,
    /// By evidence, with nothing that delimits it: see
    /// [`Join::Likely`](crate::Join::Likely).
    Guess,
}

impl Joined {
    /// The name as it is printed: `delimited`, `flowed` or `guess`.
    pub fn as_str(self) -> &'static str {
        match self {
            Joined::Delimited => "delimited",
            Joined::Flowed => "flowed",
            Joined::Guess => "guess",
        }
    }
}

/// A scheme that goes without saying.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implied {
    Http,
    Ftp,
    Mailto,
}

impl Implied {
    fn name(self) -> &'static str {
        match self {
            Implied::Http => "http",
            Implied::Ftp => "ftp",
            Implied::Mailto => "mailto",
        }
    }

    /// What would stand before the URL.
    fn prefix(self) -> &'static [u8] {
        match self {
            Implied::Http => b"http://",
            Implied::Ftp => b"ftp://",
            Implied::Mailto => b"mailto:",
        }
    }
}

/// A URL that was found in a text.
///
/// The URL itself is borrowed from the text unless it had to be put together
/// from pieces. What can be said about it beyond that is worked out when it is
/// asked for, and costs a pass over the URL each time.
///
/// # Example
///
/// ```
/// let text = "the warning in <URL:http://ds.internic.\n  net/overview.html#WARNING>.";
/// let found = urlgrep::find(text).unwrap();
/// assert_eq!(found.as_bytes(), b"http://ds.internic.net/overview.html#WARNING");
/// assert_eq!(&text[found.span()], "<URL:http://ds.internic.\n  net/overview.html#WARNING>");
/// assert_eq!(found.segments().collect::<Vec<_>>(), [20..39, 42..67]);
/// ```
#[derive(Clone)]
pub struct Match<'h> {
    url: Cow<'h, [u8]>,
    span: Range<usize>,
    /// Where the URL begins, if it is in one piece.
    start: usize,
    form: Form,
    /// The scheme that goes without saying.
    implied: Option<Implied>,
    /// The line and column of the place. A line is never 0, which makes this
    /// smaller than a place that may be wanting.
    line: Option<NonZeroU64>,
    column: u64,
    pieces: Option<Box<Pieces>>,
}

/// A URL that was put together, and the other readings of it.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pub(crate) joined: Option<Joined>,
    pub(crate) readings: Readings,
    /// Which of the readings the URL is.
    pub(crate) answer: Change,
}

impl<'h> Match<'h> {
    /// A URL that stands in the text as it is, `url` being its range.
    pub(crate) fn whole(text: &'h [u8], span: Range<usize>, url: Range<usize>, form: Form) -> Self {
        Match {
            start: url.start,
            url: Cow::Borrowed(&text[url]),
            span,
            form,
            implied: None,
            line: None,
            column: 0,
            pieces: None,
        }
    }

    /// The same, with a scheme that goes without saying.
    pub(crate) fn implying(mut self, scheme: Implied) -> Self {
        self.implied = Some(scheme);
        self
    }

    /// A URL that was put together.
    pub(crate) fn rejoined(span: Range<usize>, form: Form, pieces: Pieces) -> Match<'static> {
        let url = Cow::Owned(pieces.readings.spell(&pieces.answer));
        Match {
            url,
            start: span.start,
            span,
            form,
            implied: None,
            line: None,
            column: 0,
            pieces: Some(Box::new(pieces)),
        }
    }

    /// Moves all offsets by `by`.
    #[inline(always)]
    pub(crate) fn move_by(&mut self, by: isize) {
        let moved = |at: usize| at.wrapping_add_signed(by);
        self.span = moved(self.span.start)..moved(self.span.end);
        self.start = moved(self.start);
        if let Some(pieces) = &mut self.pieces {
            pieces.readings.move_by(by);
        }
    }

    pub(crate) fn set_place(&mut self, place: Position) {
        (self.line, self.column) = (NonZeroU64::new(place.line), place.column);
    }

    /// The URL, fragment included: the answer, where there are several
    /// readings.
    ///
    /// Between delimiters and in attributes it can hold any bytes but whitespace,
    /// control characters, `<` and `>`; elsewhere it is ASCII, or UTF-8 under
    /// [`iri`](crate::FinderBuilder::iri).
    pub fn as_bytes(&self) -> &[u8] {
        &self.url
    }

    /// The URL as a string, or `None` if it is not UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.url).ok()
    }

    /// The range of the find in the text, delimiters included: byte offsets
    /// from 0, the end exclusive.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The ranges of the text whose concatenation is the URL, in order: byte
    /// offsets from 0, the ends exclusive.
    pub fn segments(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let whole = self.start..self.start + self.url.len();
        let pieces = self.pieces.as_ref().map(|pieces| pieces.readings.segments(&pieces.answer));
        let whole = pieces.is_none().then_some(whole);
        whole.into_iter().chain(pieces.into_iter().flatten())
    }

    /// How the URL stood in the text.
    pub fn form(&self) -> Form {
        self.form
    }

    /// How pieces from several lines came together; `None` if the URL stood on
    /// one line.
    pub fn joined(&self) -> Option<Joined> {
        self.pieces.as_ref().and_then(|pieces| pieces.joined)
    }

    /// The scheme as it is written, without the colon; of a host or mail address
    /// that has none, the one that goes without saying.
    pub fn scheme(&self) -> &str {
        if let Some(scheme) = self.implied {
            return scheme.name();
        }
        let end = memchr::memchr(b':', &self.url).unwrap_or(0);
        std::str::from_utf8(&self.url[..end]).unwrap_or("")
    }

    /// The URL without its fragment (`#…`), which RFC 1738 does not count as
    /// part of it.
    pub fn without_fragment(&self) -> &[u8] {
        grammar::split_fragment(&self.url).0
    }

    /// The fragment behind the `#`, if there is one.
    pub fn fragment(&self) -> Option<&[u8]> {
        grammar::split_fragment(&self.url).1
    }

    /// How well formed the URL is, fragment aside, and why it is no better.
    ///
    /// Where a scheme goes without saying, it is put before what stands in the
    /// text, and the offset of the reason counts it.
    pub fn assess(&self) -> Assessment {
        grammar::assess(&self.whole_url()).unwrap_or_else(Assessment::refused)
    }

    /// The URL with its scheme, even if that goes without saying.
    pub(crate) fn whole_url(&self) -> Cow<'_, [u8]> {
        match self.implied {
            None => Cow::Borrowed(&self.url),
            Some(scheme) => Cow::Owned([scheme.prefix(), &self.url].concat()),
        }
    }

    /// How well formed the URL is, fragment aside.
    pub fn grade(&self) -> Grade {
        self.assess().grade()
    }

    /// What RFC 1738 §6 warns of in this URL.
    pub fn warnings(&self) -> Warnings {
        grammar::warnings(&self.whole_url())
    }

    /// The other readings, likeliest first, at most eight.
    ///
    /// There are some where a line broke after a hyphen ("the hyphen may or may
    /// not actually be part of the URL"), where a blank stood between the
    /// delimiters, and where lines were joined by evidence.
    ///
    /// # Example
    ///
    /// ```
    /// let found = urlgrep::find("<URL:http://h.org/foo-\nbar>").unwrap();
    /// assert_eq!(found.as_bytes(), b"http://h.org/foo-bar");
    /// assert_eq!(found.alternatives(), [b"http://h.org/foobar"]);
    /// ```
    pub fn alternatives(&self) -> Vec<Vec<u8>> {
        self.pieces.as_ref().map_or_else(Vec::new, |pieces| pieces.readings.others(&pieces.answer))
    }

    /// The readings that hyphens at line ends leave open, each as a find of its
    /// own, likeliest first; none if no hyphen is in doubt.
    ///
    /// The find itself is one of them. They differ in nothing but those hyphens,
    /// and are equally well formed; [`alternatives`](Self::alternatives) has all of
    /// the others, and those that come about in other ways.
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
            let pieces = Pieces { joined: pieces.joined, readings: pieces.readings.clone(), answer };
            let mut found = Match::rejoined(self.span.clone(), self.form, pieces);
            (found.line, found.column) = (self.line, self.column);
            found
        };
        let readings = pieces.readings.hyphened();
        if readings.len() < 2 { Vec::new() } else { readings.into_iter().map(of).collect() }
    }

    /// The line and column where the find begins, if the finder was asked to
    /// [count lines](crate::FinderBuilder::line_numbers).
    pub fn place(&self) -> Option<Position> {
        self.line.map(|line| Position { line: line.get(), column: self.column })
    }

    /// The same find, with a URL of its own.
    pub fn into_owned(self) -> Match<'static> {
        let url = Cow::Owned(self.url.into_owned());
        Match { url, ..self }
    }
}

/// The URL as text and where it stood: bytes are not to be read by whoever looks
/// for what is wrong.
impl fmt::Debug for Match<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("url", &String::from_utf8_lossy(&self.url))
            .field("span", &self.span)
            .field("form", &self.form)
            .field("joined", &self.joined())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn debug_shows_the_url() {
        let found = crate::find("at <http://h.org/\n x>").unwrap();
        let shown =
            "Match { url: \"http://h.org/x\", span: 3..21, form: Angle, joined: Some(Delimited), .. }";
        assert_eq!(format!("{found:?}"), shown);
    }
}
