//! The result of a search: a match and its properties.
//!
//! | module | contains |
//! |---|---|
//! | here | [`Match`]: the URL and where it is |
//! | [`form`] | its form in the text, how it was joined, and why it ends where it does |
//! | [`readings`] | its other readings: pieces, gaps and hyphens |
//! | [`evidence`] | the URLs that occur unbroken |
//! | `ascii` | its spelling in ASCII, with the feature `idna` |
//! | `context` | where it is in a message or a page, with the feature `archive` |
//! | `text_host` | links whose text shows a different host, with the same feature |
//! | `invalid` | the part of it that is not valid, with the feature `domains` |
//! | `wrapped` | the rewritten link that contained it, with the feature `unwrap` |

#[cfg(feature = "idna")]
mod ascii;
#[cfg(feature = "archive")]
pub(crate) mod context;
pub(crate) mod evidence;
pub(crate) mod form;
#[cfg(feature = "domains")]
mod invalid;
pub(crate) mod readings;
#[cfg(feature = "archive")]
mod text_host;
#[cfg(feature = "unwrap")]
mod wrapped;

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::num::NonZeroU64;
use std::ops::Range;
use std::sync::Arc;
use std::vec;

#[cfg(feature = "archive")]
use crate::archive::Role;
use crate::bytes::haystack::Haystack;
use crate::bytes::position::Position;
use crate::bytes::unicode::lossy;
use crate::grammar::{self, Assessment, Dialect, Grade, Warning, Warnings};
#[cfg(feature = "unwrap")]
use crate::unwrap::{NestedUrl, nested};
#[cfg(feature = "archive")]
use context::MatchOrigin;
use form::{Ending, Form, GuessRule, Implied, JoinKind};
#[cfg(feature = "domains")]
pub use invalid::{Invalid, InvalidKind};
use readings::{HyphenChoice, Readings};

/// A URL in a text: its range, its readings, its grade and its warnings.
///
/// The URL is borrowed from the text unless it is joined from pieces. [`as_str`](Match::as_str) borrows it from the
/// match; [`into_cow`](Match::into_cow) returns it with the lifetime of the text. If the URL is one piece, you can
/// also slice the text at [`url_range`](Match::url_range). Other properties are computed when you ask for them, in
/// time linear in the length of the URL.
///
/// `T` is the type of the text, and so of the URL and its parts: `str`, or `[u8]` for text in other encodings. Readers,
/// streams and archives yield bytes.
///
/// # Example
///
/// ```
/// let text = "the warning in <URL:http://ds.internic.\n  net/overview.html#WARNING>.";
/// let m = urlgrep::find(text).unwrap();
/// assert_eq!(m.as_str(), "http://ds.internic.net/overview.html#WARNING");
/// assert_eq!(&text[m.range()], "<URL:http://ds.internic.\n  net/overview.html#WARNING>");
/// assert_eq!(m.pieces().collect::<Vec<_>>(), [20..39, 42..67]);
/// assert_eq!(m.host().as_deref(), Some("ds.internic.net"));
/// ```
pub struct Match<'h, T: ?Sized = [u8]> {
    url: Cow<'h, [u8]>,
    /// The range in the buffered part of the text, and where that part starts. The sum
    /// of the two may wrap: a part may start before the text does.
    span: Range<usize>,
    base: u64,
    /// The offset at which the URL starts, if it is in one piece.
    start: usize,
    form: Form,
    /// The implied scheme, if any.
    implied: Option<Implied>,
    /// The grammar by which the match is graded.
    dialect: Dialect,
    ending: Option<Ending>,
    /// True if an ellipsis follows the URL.
    is_truncated: bool,
    /// The line and column. A line is never 0, so this is smaller than an optional
    /// position.
    line: Option<NonZeroU64>,
    column: u64,
    pieces: Option<Arc<Joined>>,
    /// The position in a message or a page.
    #[cfg(feature = "archive")]
    origin: Option<MatchOrigin<'h>>,
    text: PhantomData<T>,
}

/// A URL that was joined, and its other readings.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    pub(crate) joined: Option<JoinKind>,
    /// The rule that joined them, if nothing delimits the URL.
    pub(crate) guess: Option<GuessRule>,
    pub(crate) readings: Readings,
    /// The reading of the URL.
    pub(crate) answer: HyphenChoice,
    /// The rewritten link that contained the URL. If it is set, `answer` is a reading of the link,
    /// not of the URL.
    #[cfg(feature = "unwrap")]
    wrapped: Option<wrapped::Wrapped>,
}

impl Joined {
    pub(crate) fn new(joined: Option<JoinKind>, readings: Readings) -> Self {
        let answer = readings.answer.clone();
        Joined {
            joined,
            guess: None,
            readings,
            answer,
            #[cfg(feature = "unwrap")]
            wrapped: None,
        }
    }

    /// Pieces that `rule` joins.
    pub(crate) fn guessed(rule: GuessRule, readings: Readings) -> Self {
        Joined { guess: Some(rule), ..Joined::new(Some(JoinKind::Guess), readings) }
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
            implied: None,
            dialect: Dialect::Rfc1738,
            ending: None,
            is_truncated: false,
            line: None,
            column: 0,
            pieces: None,
            #[cfg(feature = "archive")]
            origin: None,
            text: PhantomData,
        }
    }

    /// Creates a match for a URL that is not in a text; `url` must include its scheme.
    #[doc(hidden)]
    pub fn of_url(url: &'h [u8]) -> Self {
        Match::verbatim(url, 0, 0..url.len(), Form::Bare)
    }

    /// Returns this match with an implied scheme.
    pub(crate) fn implying(self, scheme: Implied) -> Self {
        Match { implied: Some(scheme), ..self }
    }

    /// Returns this match with the reason why it ends, if the reason is known.
    pub(crate) fn ending_by(self, ending: Option<Ending>) -> Self {
        Match { ending, ..self }
    }

    /// Sets whether an ellipsis follows this match.
    pub(crate) fn truncated_if(self, is_truncated: bool) -> Self {
        Match { is_truncated, ..self }
    }

    /// A URL that is in the text verbatim, from `start` on, and may also be `other`.
    pub(crate) fn of_two_readings(
        url: &[u8],
        start: usize,
        span: Range<usize>,
        form: Form,
        other: &[u8],
    ) -> Match<'static> {
        let segment = start..start + url.len();
        let readings = Readings::decoded(url.to_vec(), vec![segment]).or(other.to_vec());
        Match::rejoined(span, form, Joined::new(None, readings))
    }

    /// A URL that was joined.
    pub(crate) fn rejoined(span: Range<usize>, form: Form, pieces: Joined) -> Match<'static> {
        let url = Cow::Owned(pieces.readings.spell(&pieces.answer));
        let pieces = Some(Arc::new(pieces));
        Match { url, pieces, ..Match::verbatim(b"", span.start, span, form) }
    }

    /// Returns this bare match with the delimiters at `span`, if it ends at `close`, where the
    /// closing delimiter begins.
    pub(crate) fn between(self, span: Range<usize>, close: usize, form: Form) -> Option<Self> {
        (self.span.end == close).then_some(Match { span, form, ..self })
    }

    /// Creates a match whose URL differs from the text at `span`: a relative reference or a
    /// defanged URL.
    pub(crate) fn resolved(url: Vec<u8>, span: Range<usize>, form: Form) -> Match<'static> {
        Match { url: Cow::Owned(url), ..Match::verbatim(b"", span.start, span, form) }
    }

    /// Sets the start of the part of the text from which offsets count.
    #[inline(always)]
    pub(crate) fn set_base(&mut self, base: u64) {
        self.base = base;
    }

    /// Sets the grammar by which the match is graded.
    pub(crate) fn set_dialect(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    /// Returns the URL as a string, or `None` if it is not UTF-8.
    pub fn to_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.url).ok()
    }
}

impl<'h> Match<'h, str> {
    /// Returns the URL, including its fragment. If there are several readings, this is the
    /// likeliest.
    ///
    /// [`into_cow`](Self::into_cow) returns it for as long as the text lives.
    pub fn as_str(&self) -> &str {
        str::of(&self.url)
    }

    /// Returns the match as a match of bytes, for a [`Row`](crate::table::Row).
    pub fn into_bytes(self) -> Match<'h> {
        self.of_text()
    }
}

impl<'h, T: Haystack + ?Sized> Match<'h, T> {
    /// Returns this match as one of another type of text.
    #[inline(always)]
    pub(crate) fn of_text<U: ?Sized>(self) -> Match<'h, U> {
        Match {
            url: self.url,
            span: self.span,
            base: self.base,
            start: self.start,
            form: self.form,
            implied: self.implied,
            dialect: self.dialect,
            ending: self.ending,
            is_truncated: self.is_truncated,
            line: self.line,
            column: self.column,
            pieces: self.pieces,
            #[cfg(feature = "archive")]
            origin: self.origin,
            text: PhantomData,
        }
    }

    /// Sets the line and column at which the match starts.
    pub(crate) fn set_position(&mut self, position: Position) {
        (self.line, self.column) = (NonZeroU64::new(position.line), position.column);
    }

    /// Returns the bytes of the URL, including its fragment. If there are several readings, this is the
    /// likeliest.
    ///
    /// Between delimiters, it can contain any bytes except whitespace, control characters, `<` and `>`. In an
    /// attribute, spaces are allowed as well. Elsewhere, it is UTF-8 that [`Iri`](crate::Iri) allows; only an old
    /// DOI contains `<` and `>`.
    pub fn as_bytes(&self) -> &[u8] {
        &self.url
    }

    /// Returns the URL, borrowed from the text if it is in one piece there.
    ///
    /// ```
    /// use std::borrow::Cow;
    ///
    /// fn links(text: &str) -> Vec<Cow<'_, str>> {
    ///     urlgrep::find_iter(text).map(|m| m.into_cow()).collect()
    /// }
    /// assert_eq!(links("http://h.org/a <http://h.org/\nb>"), ["http://h.org/a", "http://h.org/b"]);
    /// ```
    pub fn into_cow(self) -> Cow<'h, T> {
        cow(self.url)
    }

    /// Returns the URL with its scheme, adding the implied scheme if the text has none: `http://www.h.org/` for
    /// `www.h.org/`.
    ///
    /// ```
    /// let finder = urlgrep::Finder::builder().schemeless([urlgrep::Schemeless::Hosts]).build()?;
    /// assert_eq!(finder.find("at www.h.org/a").unwrap().href(), "http://www.h.org/a");
    /// # Ok::<(), urlgrep::BuildError>(())
    /// ```
    pub fn href(&self) -> Cow<'_, T> {
        cow(self.href_bytes())
    }

    /// The bytes of the URL with its scheme.
    pub(crate) fn href_bytes(&self) -> Cow<'_, [u8]> {
        match self.implied {
            None => Cow::Borrowed(&self.url),
            // In a local part these are not delimiters (RFC 6068 §2).
            Some(Implied::Mailto) => {
                let mut href = Implied::Mailto.prefix().to_vec();
                for byte in self.url.chunks(1) {
                    href.extend_from_slice(match byte {
                        b"#" => b"%23",
                        b"?" => b"%3F",
                        other => other,
                    });
                }
                Cow::Owned(href)
            }
            Some(scheme) => Cow::Owned([scheme.prefix(), &self.url].concat()),
        }
    }

    /// Returns the range of the match in the searched text or file, including delimiters: byte offsets from 0, the
    /// end exclusive. In a message, it is the range of the file that encodes the match.
    ///
    /// Offsets are 64 bits wide, because a file may be longer than memory. For a slice,
    /// [`range`](Self::range) returns the same as `usize`.
    pub fn span(&self) -> Range<u64> {
        #[cfg(feature = "archive")]
        if let Some(origin) = &self.origin {
            return origin.span(self.text_range());
        }
        self.absolute(self.span.clone())
    }

    /// Returns the [span](Self::span) in the searched slice, as `usize`.
    ///
    /// If an offset in a stream exceeds `usize::MAX`, it wraps around.
    pub fn range(&self) -> Range<usize> {
        #[cfg(feature = "archive")]
        if self.origin.is_some() {
            let span = self.span();
            return span.start as usize..span.end as usize;
        }
        self.text_range()
    }

    /// Returns the range of the URL in the searched slice, without its delimiters: from the start of its first
    /// [piece](Self::pieces) to the end of the last.
    ///
    /// ```
    /// let m = urlgrep::find("see <URL:http://h.org/a>").unwrap();
    /// assert_eq!((m.range(), m.url_range(), m.url_span()), (4..24, 9..23, 9..23));
    /// ```
    pub fn url_range(&self) -> Range<usize> {
        let mut pieces = self.ranges();
        let Some(first) = pieces.next() else { return self.range() };
        first.start..pieces.last().map_or(first.end, |last| last.end)
    }

    /// Returns the range of the URL like [`url_range`](Self::url_range), in 64 bits like [`span`](Self::span).
    pub fn url_span(&self) -> Range<u64> {
        let mut pieces = self.pieces();
        let Some(first) = pieces.next() else { return self.span() };
        first.start..pieces.last().map_or(first.end, |last| last.end)
    }

    /// Returns the byte offset at which the match starts in the searched slice, including
    /// delimiters.
    pub fn start(&self) -> usize {
        self.range().start
    }

    /// Returns the byte offset after the end of the match in the searched slice, including
    /// delimiters.
    pub fn end(&self) -> usize {
        self.range().end
    }

    /// Returns the ranges of the text whose concatenation is the URL, in order: byte offsets from
    /// 0, the ends exclusive. If the text spells the URL differently (escapes, a relative link, a
    /// defanged, nested or unwrapped URL), the ranges cover the text as written, and their concatenation
    /// is not the URL. In a message, they cover the bytes of the file that encode the URL. For a slice,
    /// [`ranges`](Self::ranges) returns the same as `usize`.
    pub fn pieces(&self) -> Pieces {
        #[cfg(feature = "archive")]
        if let Some(origin) = &self.origin {
            let pieces = self.text_pieces().map(|piece| piece.start as usize..piece.end as usize);
            return Pieces { first: None, rest: origin.segments(pieces).into_iter() };
        }
        self.text_pieces()
    }

    /// The ranges of the text, or of the attribute, whose concatenation is the URL.
    pub(crate) fn text_pieces(&self) -> Pieces {
        let Some(pieces) = &self.pieces else {
            return Pieces { first: Some(self.absolute(self.whole())), rest: Vec::new().into_iter() };
        };
        let ranges = pieces.readings.segments(&pieces.answer).into_iter().map(|range| self.absolute(range));
        Pieces { first: None, rest: ranges.collect::<Vec<_>>().into_iter() }
    }

    /// Returns the range of a URL that is in one piece.
    fn whole(&self) -> Range<usize> {
        match self.form {
            // The range of a relative reference, a defanged URL or one within another is not the URL itself.
            Form::Attribute | Form::Defanged | Form::Nested => self.span.clone(),
            _ => self.start..self.start + self.url.len(),
        }
    }

    /// Returns the [pieces](Self::pieces) in the searched slice, as `usize`.
    ///
    /// # Example
    ///
    /// ```
    /// let text = "see <http://h.org/\n a>";
    /// let m = urlgrep::find(text).unwrap();
    /// let pieces: Vec<&str> = m.ranges().map(|range| &text[range]).collect();
    /// assert_eq!(pieces, ["http://h.org/", "a"]);
    /// assert_eq!(&text[m.range()], "<http://h.org/\n a>");
    /// ```
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + use<T> {
        self.pieces().map(|range| range.start as usize..range.end as usize)
    }

    /// The range in the searched slice, which may be a message text or an attribute.
    pub(crate) fn text_range(&self) -> Range<usize> {
        let base = self.base as usize;
        self.span.start.wrapping_add(base)..self.span.end.wrapping_add(base)
    }

    fn absolute(&self, range: Range<usize>) -> Range<u64> {
        self.base.wrapping_add(range.start as u64)..self.base.wrapping_add(range.end as u64)
    }

    /// Returns the form in which the text contains the URL.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns how the pieces on several lines were joined, or `None` if the URL is on one line.
    pub fn joined(&self) -> Option<JoinKind> {
        let joined = self.pieces.as_ref().and_then(|pieces| pieces.joined);
        #[cfg(feature = "archive")]
        let joined = joined.or_else(|| self.origin.as_ref()?.joined(self));
        joined
    }

    /// Returns the rule that joined the pieces of a [guess](JoinKind::Guess) at its first line
    /// break; `None` for other matches.
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

    /// Returns why the match ends where it does. It is known only if
    /// [`explain`](crate::FinderBuilder::explain) is on or the finder joins
    /// [likely](crate::Join::Likely) URLs; otherwise, and for a match with delimiters, the result is
    /// `None`.
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

    /// Returns the scheme in lower case, without the colon. For a host or email address without a
    /// scheme, it is the implied scheme.
    pub fn scheme(&self) -> Cow<'_, str> {
        let scheme = std::str::from_utf8(self.written_scheme()).unwrap_or("");
        match scheme.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Cow::Owned(scheme.to_ascii_lowercase()),
            false => Cow::Borrowed(scheme),
        }
    }

    /// Returns true if the text contains the scheme; it is implied for `www.h.org` and `me@h.org`.
    pub fn has_scheme(&self) -> bool {
        self.implied.is_none()
    }

    /// The scheme as written, or the one that is implied.
    pub(crate) fn written_scheme(&self) -> &[u8] {
        match self.implied {
            Some(scheme) => scheme.name().as_bytes(),
            None => {
                let scheme = &self.url[..memchr::memchr(b':', &self.url).unwrap_or(0)];
                // The colon of an unresolved relative link may be within a path.
                let is_scheme = scheme.iter().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b));
                if is_scheme { scheme } else { b"" }
            }
        }
    }

    /// Returns the host in lower case: the host of the authority or, in a `mailto:` URL, of the
    /// email address. Returns `None` if the URL has no host.
    ///
    /// Bytes that are not UTF-8 are replaced by U+FFFD.
    pub fn host(&self) -> Option<Cow<'_, str>> {
        let host = lossy(self.host_in(&self.url)?);
        match host.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Some(Cow::Owned(host.to_ascii_lowercase())),
            false => Some(host),
        }
    }

    /// Returns the registered domain of the [host](Self::host): its public suffix plus one label.
    /// Returns `None` if the host is an IP address, has no known public suffix, or is itself a
    /// public suffix.
    ///
    /// The list includes company suffixes: because `github.io` is one, `me.github.io` is a
    /// registered domain.
    ///
    /// ```
    /// let m = urlgrep::find("http://www.News.example.co.uk:80/a").unwrap();
    /// assert_eq!(m.registered_domain().as_deref(), Some("example.co.uk"));
    /// assert_eq!(urlgrep::find("http://192.0.2.1/").unwrap().registered_domain(), None);
    /// ```
    #[cfg(feature = "domains")]
    pub fn registered_domain(&self) -> Option<String> {
        let host = self.host()?;
        let domain = crate::suffix::registered_domain(host.trim_end_matches('.').as_bytes())?;
        Some(String::from_utf8_lossy(domain).into_owned())
    }

    /// Returns the public suffix of the [host](Self::host), under which domains can be registered,
    /// such as `com` or `co.uk`. Returns `None` if the host is an IP address, or has no known
    /// public suffix.
    ///
    /// ```
    /// let m = urlgrep::find("http://www.News.example.co.uk:80/a").unwrap();
    /// assert_eq!(m.public_suffix().as_deref(), Some("co.uk"));
    /// assert_eq!(urlgrep::find("http://localhost/").unwrap().public_suffix(), None);
    /// ```
    #[cfg(feature = "domains")]
    pub fn public_suffix(&self) -> Option<String> {
        let host = self.host()?;
        let host = host.trim_end_matches('.');
        let suffix = crate::suffix::of(host.as_bytes())?;
        Some(host[suffix.start..].to_owned())
    }

    /// Returns the path as written, including its slash: the text between the authority (or the
    /// scheme) and the query. Returns `None` if it is empty.
    ///
    /// ```
    /// let m = urlgrep::find("http://h.org/a%20b/?c=d#e").unwrap();
    /// assert_eq!(m.url_path(), Some("/a%20b/"));
    /// assert_eq!(m.query(), Some("c=d"));
    /// assert_eq!(urlgrep::find("http://h.org").unwrap().url_path(), None);
    /// ```
    pub fn url_path(&self) -> Option<&T> {
        self.path_in(&self.url).map(T::of)
    }

    /// Returns the query as written: the text between the first `?` and the fragment. Returns
    /// `None` without a `?`.
    pub fn query(&self) -> Option<&T> {
        self.query_in(&self.url).map(T::of)
    }

    /// The path in `url`, which is a spelling of this one.
    pub(crate) fn path_in<'u>(&self, url: &'u [u8]) -> Option<&'u [u8]> {
        let rest = self.after_authority(url);
        let mark = memchr::memchr(b'?', rest).filter(|_| !self.is_address());
        Some(&rest[..mark.unwrap_or(rest.len())]).filter(|path| !path.is_empty())
    }

    /// The query in `url`, which is a spelling of this one.
    pub(crate) fn query_in<'u>(&self, url: &'u [u8]) -> Option<&'u [u8]> {
        let rest = self.after_authority(url);
        let mark = memchr::memchr(b'?', rest).filter(|_| !self.is_address())?;
        Some(&rest[mark + 1..])
    }

    /// Returns the text after the authority (or the scheme) in `url`, a spelling of this URL,
    /// without the fragment.
    fn after_authority<'u>(&self, url: &'u [u8]) -> &'u [u8] {
        let rest = match self.implied {
            Some(Implied::Http | Implied::Ftp) => {
                let end = url.iter().position(|b| b"/?#".contains(b));
                &url[end.unwrap_or(url.len())..]
            }
            Some(Implied::Mailto) => return url,
            None => grammar::split(url).map_or(&[][..], |split| split.rest),
        };
        grammar::split_fragment(rest).0
    }

    /// The host in `url`, which is a spelling of this one.
    fn host_in<'u>(&self, url: &'u [u8]) -> Option<&'u [u8]> {
        let until = |stops: &[u8]| url.iter().position(|b| stops.contains(b)).unwrap_or(url.len());
        match self.implied {
            Some(Implied::Http | Implied::Ftp) => return Some(&url[..until(b":/?#")]),
            None if !self.written_scheme().eq_ignore_ascii_case(b"mailto") => {
                return Some(grammar::authority(url)?.host());
            }
            _ => {}
        }
        let address = if self.is_address() { url } else { &url[..until(b"?")] };
        memchr::memrchr(b'@', address).map(|at| &address[at + 1..])
    }

    /// Returns the port to contact: the port in the URL, or the default port of the scheme. Returns
    /// `None` if both are missing, or if the port exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        let url = self.href_bytes();
        let authority = grammar::authority(&url)?;
        match authority.port() {
            Some(port @ [_, ..]) => std::str::from_utf8(port).ok()?.parse().ok(),
            _ => grammar::default_port(str::from_utf8(self.written_scheme()).ok()?),
        }
    }

    /// Returns the URL without its fragment (`#…`), which RFC 1738 does not count as part of it.
    pub fn without_fragment(&self) -> &T {
        T::of(self.split_fragment().0)
    }

    /// Returns the fragment after the `#`, if there is one.
    pub fn fragment(&self) -> Option<&T> {
        self.split_fragment().1.map(T::of)
    }

    pub(crate) fn split_fragment(&self) -> (&[u8], Option<&[u8]>) {
        if self.is_address() { (&self.url, None) } else { grammar::split_fragment(&self.url) }
    }

    /// Returns true if it is an email address, which has neither fields nor a fragment.
    fn is_address(&self) -> bool {
        self.implied == Some(Implied::Mailto)
    }

    /// Assesses how well formed the URL is by the finder's
    /// [dialect](crate::FinderBuilder::dialect), and why its grade is not better. RFC 1738 ignores
    /// the fragment.
    ///
    /// The offset of the reason includes an implied scheme.
    pub fn assess(&self) -> Assessment {
        grammar::assess_by(self.dialect, &self.href_bytes()).unwrap_or_else(Assessment::refused)
    }

    /// Returns the [grade](Self::assess) of the URL, which describes how well formed it is.
    pub fn grade(&self) -> Grade {
        self.assess().grade()
    }

    /// Returns the warnings that apply to this URL: the warnings of RFC 1738 §6 and later ones,
    /// [`TextHost`](crate::Warning::TextHost) if it is a link with a text that shows another host,
    /// and [`Truncated`](crate::Warning::Truncated) if an ellipsis follows it. Warnings about the
    /// target of a URL, such as [`Redirect`](crate::Warning::Redirect), apply only in texts, links and
    /// forms.
    pub fn warnings(&self) -> Warnings {
        let warnings = grammar::warnings(&self.href_bytes()).with_if(Warning::Truncated, self.is_truncated);
        #[cfg(all(feature = "domains", feature = "unwrap"))]
        let warnings = warnings.with_if(Warning::Redirect, self.contains_another_site());
        #[cfg(feature = "archive")]
        let warnings = match self.role() {
            Role::Text | Role::Link | Role::FormAction => warnings,
            _ => warnings.without_places(),
        };
        #[cfg(feature = "archive")]
        // The text of a link shows where the outer URL leads.
        if let Some(origin) = self.origin.as_ref().filter(|_| self.form != Form::Nested) {
            return origin.warnings(self, warnings);
        }
        warnings
    }

    /// Returns the other readings, likeliest first, and at most eight.
    ///
    /// A match has other readings if a line breaks after a hyphen ("the hyphen may or may not
    /// actually be part of the URL", RFC 1738, Appendix), if the delimiters enclose a space, or if
    /// lines were joined by evidence. If it was inside a rewritten link that was opened, the first
    /// reading is that link.
    ///
    /// # Example
    ///
    /// ```
    /// let m = urlgrep::find("<URL:http://h.org/foo-\nbar>").unwrap();
    /// assert_eq!(m.as_str(), "http://h.org/foo-bar");
    /// assert_eq!(m.alternatives(), ["http://h.org/foobar"]);
    /// ```
    pub fn alternatives(&self) -> Vec<T::Owned> {
        let Some(pieces) = &self.pieces else {
            return Vec::new();
        };
        let others = pieces.readings.others(&pieces.answer);
        #[cfg(feature = "unwrap")]
        let others = pieces.with_wrapper(others);
        others.into_iter().map(T::of_vec).collect()
    }

    /// Returns the readings with and without hyphens at line breaks, each as a separate match,
    /// likeliest first. The list is empty if no hyphen is in doubt.
    ///
    /// This match is one of them. They differ only in those hyphens, and are equally well formed.
    /// [`alternatives`](Self::alternatives) omits this match, and adds the readings that do not come
    /// from hyphens.
    ///
    /// # Example
    ///
    /// ```
    /// let text = "<URL:http://h.org/foo-\nbar>";
    /// let readings = urlgrep::find(text).unwrap().hyphen_readings();
    /// assert_eq!(readings[1].as_str(), "http://h.org/foobar");
    /// assert_eq!(readings[1].pieces().collect::<Vec<_>>(), [5..21, 23..26]);
    /// assert_eq!(readings[1].alternatives(), ["http://h.org/foo-bar"]);
    /// ```
    pub fn hyphen_readings(&self) -> Vec<Match<'h, T>> {
        let readings = self.readings_in_text();
        #[cfg(feature = "archive")]
        if let Some(origin) = &self.origin {
            let readings = readings.into_iter().enumerate();
            return readings.map(|(n, reading)| reading.from(origin.of_reading(n)).of_text()).collect();
        }
        readings.into_iter().map(Match::of_text).collect()
    }

    /// The URLs within this one, in the order of the text.
    #[cfg(feature = "unwrap")]
    pub(crate) fn nested(&self) -> Vec<Match<'h, T>> {
        let href = self.href_bytes();
        let implied = href.len() - self.url.len();
        let of = |NestedUrl { url, range }: NestedUrl| {
            let pieces = self.segments_of(range.start - implied..range.end - implied);
            let span = pieces[0].start..pieces[pieces.len() - 1].end;
            let joined = self.joined().filter(|_| pieces.len() > 1);
            let nested =
                Match::rejoined(span, Form::Nested, Joined::new(joined, Readings::decoded(url, pieces)));
            let Match { base, dialect, line, column, .. } = *self;
            let nested = Match { base, dialect, line, column, ..nested };
            #[cfg(feature = "archive")]
            let nested = Match { origin: self.origin.clone(), ..nested };
            nested.of_text()
        };
        nested(&href).into_iter().map(of).collect()
    }

    /// The ranges of the text that encode a range of the URL, or all of it if the text has another spelling.
    #[cfg(feature = "unwrap")]
    fn segments_of(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let segments = match &self.pieces {
            Some(pieces) => pieces.readings.segments(&pieces.answer),
            None => vec![self.whole()],
        };
        if segments.iter().map(Range::len).sum::<usize>() != self.url.len() {
            return segments;
        }
        let mut at = 0;
        let part = |segment: Range<usize>| {
            let before = at;
            at += segment.len();
            let offset = |n: usize| segment.start + n.clamp(before, at) - before;
            offset(range.start)..offset(range.end)
        };
        segments.into_iter().map(part).filter(|part| !part.is_empty()).collect()
    }

    #[cfg(all(feature = "domains", feature = "unwrap"))]
    fn contains_another_site(&self) -> bool {
        let site = |url: &[u8]| {
            let host = grammar::authority(url)?.host().to_ascii_lowercase();
            Some(crate::suffix::registered_domain(&host).unwrap_or(&host).to_vec())
        };
        let href = self.href_bytes();
        nested(&href).iter().any(|nested| site(&nested.url) != site(&href))
    }

    /// The readings, with offsets only in the text.
    pub(crate) fn readings_in_text(&self) -> Vec<Match<'static>> {
        let Some(pieces) = &self.pieces else {
            return Vec::new();
        };
        let of = |answer| {
            let pieces = Joined { answer, ..(**pieces).clone() };
            let reading = Match::rejoined(self.span.clone(), self.form, pieces);
            let Match { base, implied, dialect, ending, line, column, .. } = *self;
            let reading = Match { base, implied, dialect, ending, line, column, ..reading };
            #[cfg(feature = "unwrap")]
            let reading = reading.opened_again();
            reading
        };
        let readings = pieces.readings.hyphened();
        if readings.len() < 2 { Vec::new() } else { readings.into_iter().map(of).collect() }
    }

    /// Returns the line and column where the match starts, if
    /// [`line_numbers`](crate::FinderBuilder::line_numbers) is on.
    pub fn position(&self) -> Option<Position> {
        self.position_at(|| self.span().start)
    }

    /// The line and column of the match, which starts at `start`.
    pub(crate) fn position_at(&self, start: impl FnOnce() -> u64) -> Option<Position> {
        #[cfg(feature = "archive")]
        if let Some(text) = self.context().and_then(|context| context.text()) {
            return text.position(start());
        }
        let _ = start;
        self.line.map(|line| Position { line: line.get(), column: self.column })
    }

    /// Returns the span and the pieces, which is cheaper together.
    pub(crate) fn places(&self) -> (Range<u64>, Vec<Range<u64>>) {
        let segments: Vec<_> = self.pieces().collect();
        let span = self.absolute(self.span.clone());
        let whole = self.text_pieces().all(|piece| piece == span);
        match (&segments[..], whole) {
            ([first, ..], true) => (first.start..segments[segments.len() - 1].end, segments),
            _ => (self.span(), segments),
        }
    }

    /// Returns the match with its own copy of the URL and of the facts about its message.
    pub fn into_owned(mut self) -> Match<'static, T> {
        let position = self.position();
        #[cfg(feature = "archive")]
        let origin = self.copied_origin();
        let url = Cow::Owned(std::mem::take(&mut self.url).into_owned());
        let mut owned = self.spelled(url);
        position.into_iter().for_each(|position| owned.set_position(position));
        #[cfg(feature = "archive")]
        let owned = Match { origin, ..owned };
        owned
    }

    /// The match in the text, with another spelling of the URL.
    fn spelled<'u>(&self, url: Cow<'u, [u8]>) -> Match<'u, T> {
        let Match { base, start, form, implied, dialect, ending, is_truncated, line, column, .. } = *self;
        let pieces = self.pieces.clone();
        let of_text = Match::verbatim(b"", start, self.span.clone(), form);
        Match { url, base, implied, dialect, ending, is_truncated, line, column, pieces, ..of_text }.of_text()
    }
}

impl<T: Haystack + ?Sized> Clone for Match<'_, T> {
    fn clone(&self) -> Self {
        #[cfg(feature = "archive")]
        let origin = self.origin.clone();
        let copy = self.spelled(self.url.clone());
        #[cfg(feature = "archive")]
        let copy = Match { origin, ..copy };
        copy
    }
}

/// A URL, or a part of one, as a text.
fn cow<T: Haystack + ?Sized>(url: Cow<'_, [u8]>) -> Cow<'_, T> {
    match url {
        Cow::Borrowed(url) => Cow::Borrowed(T::of(url)),
        Cow::Owned(url) => Cow::Owned(T::of_vec(url)),
    }
}

/// The ranges of the text or the file that form a URL: byte offsets from 0, the ends exclusive.
///
/// Returned by [`Match::pieces`].
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The single range of most URLs, which does not need an allocation.
    first: Option<Range<u64>>,
    rest: vec::IntoIter<Range<u64>>,
}

impl Iterator for Pieces {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        self.first.take().or_else(|| self.rest.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = usize::from(self.first.is_some()) + self.rest.len();
        (len, Some(len))
    }
}

impl ExactSizeIterator for Pieces {}

impl FusedIterator for Pieces {}

impl<T: Haystack + ?Sized> Match<'_, T> {
    /// Returns the key by which matches are compared: the URL, its offsets, and how it was matched.
    fn key(&self) -> (&[u8], Range<u64>, Form, Option<JoinKind>, Option<Position>) {
        (&self.url, self.span(), self.form, self.joined(), self.position())
    }
}

/// Two matches are equal if their URLs, offsets, pieces, forms, kinds of join and positions are
/// equal. The message, the dialect and the other readings do not matter.
impl<T: Haystack + ?Sized> PartialEq for Match<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key() && self.pieces().eq(other.pieces())
    }
}

impl<T: Haystack + ?Sized> Eq for Match<'_, T> {}

impl<T: Haystack + ?Sized> Hash for Match<'_, T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The URL; bytes that are not UTF-8 are replaced by U+FFFD.
impl<T: Haystack + ?Sized> fmt::Display for Match<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&self.url))
    }
}

/// The URL as text, because a list of bytes would be hard to read, and its position.
impl<T: Haystack + ?Sized> fmt::Debug for Match<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("url", &String::from_utf8_lossy(&self.url))
            .field("span", &self.span())
            .field("form", &self.form)
            .field("joined", &self.joined())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use crate::Finder;

    #[test]
    fn debug_shows_the_url() {
        let m = crate::find("at <http://h.org/\n x>").unwrap();
        let shown =
            "Match { url: \"http://h.org/x\", span: 3..21, form: Angle, joined: Some(Delimited), .. }";
        assert_eq!(format!("{m:?}"), shown);
        assert_eq!(format!("{m:>16}"), "  http://h.org/x");
    }

    #[test]
    fn an_address_has_no_delimiters_of_a_url() {
        let finder = Finder::builder().schemeless([crate::Schemeless::Emails]).build().unwrap();
        let m = finder.find("<a?b#c@h.org>").unwrap();
        assert_eq!(m.href(), "mailto:a%3Fb%23c@h.org");
        assert_eq!((m.host().as_deref(), m.without_fragment()), (Some("h.org"), "a?b#c@h.org"));
        assert_eq!((m.url_path(), m.query(), m.fragment()), (Some("a?b#c@h.org"), None, None));
    }

    #[test]
    fn hosts_and_ports() {
        let finder = Finder::builder()
            .schemeless([crate::Schemeless::Hosts, crate::Schemeless::Emails])
            .build()
            .unwrap();
        for (text, scheme, host, port) in [
            ("HTTP://H.org:8080/a@b", "http", Some("h.org"), Some(8080)),
            ("ftp://me:secret@h.org", "ftp", Some("h.org"), Some(21)),
            ("http://[2001:db8::7]:80/", "http", Some("[2001:db8::7]"), Some(80)),
            ("http://h.org:/", "http", Some("h.org"), Some(80)),
            ("http://h.org:99999/", "http", Some("h.org"), None),
            ("x-new://h.org/", "x-new", Some("h.org"), None),
            ("MailTo:me@H.org?to=you@i.org", "mailto", Some("h.org"), None),
            ("www.h.org:81/a", "http", Some("www.h.org"), Some(81)),
            ("ftp.h.org/a", "ftp", Some("ftp.h.org"), Some(21)),
            ("me@h.org", "mailto", Some("h.org"), None),
            ("news:comp.lang.c", "news", None, None),
            ("file:/etc/motd", "file", None, None),
        ] {
            let m = finder.find(text).unwrap();
            assert_eq!((&*m.scheme(), m.host().as_deref(), m.port()), (scheme, host, port), "{text}");
        }
    }

    #[cfg(feature = "domains")]
    #[test]
    fn registered_domains_and_suffixes() {
        for (text, domain, public_suffix) in [
            ("http://a.b.H.org/", Some("h.org"), Some("org")),
            ("http://h.org./", Some("h.org"), Some("org")),
            ("http://a.h.co.uk:80/", Some("h.co.uk"), Some("co.uk")),
            ("http://me.github.io/", Some("me.github.io"), Some("github.io")),
            ("http://co.uk/", None, Some("co.uk")),
            ("http://localhost/", None, None),
            ("http://printer.internal/", None, None),
            ("http://192.0.2.1/", None, None),
            ("http://[2001:db8::7]/", None, None),
            ("http://b\u{fc}cher.a.h.de/", Some("h.de"), Some("de")),
            ("mailto:me@a.h.org", Some("h.org"), Some("org")),
            ("news:comp.lang.c", None, None),
        ] {
            let m = crate::find(text).unwrap();
            let found = (m.registered_domain(), m.public_suffix());
            assert_eq!((found.0.as_deref(), found.1.as_deref()), (domain, public_suffix), "{text}");
        }
    }

    /// RFC 3986, 3.3 and 3.4: the path may be empty, and so may the query after its mark.
    #[test]
    fn paths_and_queries() {
        let finder = crate::Finder::builder()
            .schemeless([crate::Schemeless::Hosts, crate::Schemeless::Emails])
            .build()
            .unwrap();
        for (text, path, query) in [
            ("http://h.org", None, None),
            ("http://h.org/", Some("/"), None),
            ("http://u:p@h.org:80/a/b;c?d=e?f/g#h?i", Some("/a/b;c"), Some("d=e?f/g")),
            ("<http://h.org/?>", Some("/"), Some("")),
            ("http://h.org?a", None, Some("a")),
            ("http://h.org#a?b", None, None),
            ("http://[2001:db8::7]:80/a", Some("/a"), None),
            ("<URL:http://h.org/a\nb?c>", Some("/ab"), Some("c")),
            ("www.h.org:81/a?b", Some("/a"), Some("b")),
            ("ftp.h.org", None, None),
            ("me@h.org", Some("me@h.org"), None),
            ("MailTo:me@H.org?to=you@i.org", Some("me@H.org"), Some("to=you@i.org")),
            ("news:comp.lang.c", Some("comp.lang.c"), None),
            ("file:///etc/motd", Some("/etc/motd"), None),
        ] {
            let m = finder.find(text).unwrap();
            assert_eq!((m.url_path(), m.query()), (path, query), "{text}");
        }
    }

    #[test]
    #[allow(
        clippy::mutable_key_type,
        reason = "what a text remembers of its last field is no part of the key"
    )]
    fn equal_matches_have_equal_hashes() {
        use std::collections::HashSet;

        let text = "http://h.org/ http://h.org/";
        let finder = Finder::new();
        let slice: HashSet<_> = finder.find_iter(text.as_bytes()).map(|m| m.into_owned()).collect();
        let stream: HashSet<_> = finder.stream(text.as_bytes()).map(|m| m.unwrap()).collect();
        assert_eq!(slice.len(), 2);
        assert_eq!(slice, stream);
    }
}
