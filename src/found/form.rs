//! The forms of URLs in a text, and how broken ones are joined.

use std::fmt;
use std::str::FromStr;

/// The form in which a URL is in the text, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// `<URL:…>`, as the Appendix of RFC 1738 recommends.
    Wrapper,
    /// `<…>` without the prefix (the draft of 1994, RFC 2396, RFC 3986).
    Angle,
    /// `"…"` or `'…'` over several lines (RFC 2396, RFC 3986).
    Quote,
    /// `(…)` or `[…]` around a line break.
    Paren,
    /// `URL:…` without brackets.
    Prefixed,
    /// The URL alone.
    Bare,
    /// The value of an HTML attribute, `href` or another whose value is a URL.
    Href,
    /// A URL that is written so that no program opens it, `hxxp://h[.]org/`, and that was
    /// [spelled out](crate::FinderBuilder::refang).
    Defanged,
}

impl Form {
    /// The name: `wrapper`, `angle`, `quote`, `paren`, `prefixed`, `bare`, `href` or `defanged`.
    pub fn as_str(self) -> &'static str {
        match self {
            Form::Wrapper => "wrapper",
            Form::Angle => "angle",
            Form::Quote => "quote",
            Form::Paren => "paren",
            Form::Prefixed => "prefixed",
            Form::Bare => "bare",
            Form::Href => "href",
            Form::Defanged => "defanged",
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How the pieces of a URL from several lines were joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Joined {
    /// Between delimiters, where whitespace "should be ignored" (RFC 1738,
    /// Appendix).
    Delimited,
    /// By a rule of a mail format that is exact: `format=flowed` (RFC 3676), or the
    /// folding of a header field whose value is defined to be a URL.
    Flowed,
    /// By evidence, without delimiters: see [`Join::Likely`].
    Guess,
}

impl Joined {
    /// The name: `delimited`, `flowed` or `guess`.
    pub fn as_str(self) -> &'static str {
        match self {
            Joined::Delimited => "delimited",
            Joined::Flowed => "flowed",
            Joined::Guess => "guess",
        }
    }
}

impl fmt::Display for Joined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The rule by which a bare URL is joined across a line end: [`Join::Likely`].
///
/// The *stem* is the URL up to the line end, the *token* is the first one on the next
/// line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GuessRule {
    /// S: the line is long, and the stem ends in a mark that the token has to follow: a
    /// single `-` or `_`, `%`, `=` or `&` of a query, or `?`.
    Stem,
    /// D: the stem ends in a single dot, and the token has the rest of a name.
    Dot,
    /// W: the line is exactly as long as the full lines of the text, and the token is
    /// alone before an empty line.
    FullLine,
    /// E: the joined URL occurs unbroken elsewhere, as [`Evidence`](crate::Evidence)
    /// says.
    Evidence,
}

impl GuessRule {
    /// The name: `S`, `D`, `W` or `E`.
    pub fn as_str(self) -> &'static str {
        match self {
            GuessRule::Stem => "S",
            GuessRule::Dot => "D",
            GuessRule::FullLine => "W",
            GuessRule::Evidence => "E",
        }
    }
}

impl fmt::Display for GuessRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Which URLs are joined from several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Join {
    /// None: a URL ends where its line does.
    None,
    /// Those between delimiters, by the Appendix of RFC 1738.
    #[default]
    Delimited,
    /// Bare ones, too, by evidence: the URL extends to the end of its line, a
    /// [rule](GuessRule) says that it continues, and the next line starts with neither
    /// another URL nor another paragraph. Such a match is [`Joined::Guess`]. The URL on
    /// the first line alone is one of its
    /// [alternatives](crate::Match::alternatives).
    Likely,
}

impl Join {
    /// The name: `none`, `delimited` or `likely`.
    pub fn as_str(self) -> &'static str {
        match self {
            Join::None => "none",
            Join::Delimited => "delimited",
            Join::Likely => "likely",
        }
    }
}

impl fmt::Display for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Join {
    type Err = ParseJoinError;

    fn from_str(name: &str) -> Result<Join, ParseJoinError> {
        let mut joins = [Join::None, Join::Delimited, Join::Likely].into_iter();
        joins.find(|join| join.as_str() == name).ok_or(ParseJoinError(()))
    }
}

/// The error for a name that is not the name of a [`Join`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseJoinError(());

impl fmt::Display for ParseJoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected \"none\", \"delimited\" or \"likely\"")
    }
}

impl std::error::Error for ParseJoinError {}

/// A scheme that a URL without one implies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implied {
    Http,
    Ftp,
    Mailto,
}

impl Implied {
    pub(super) fn name(self) -> &'static str {
        match self {
            Implied::Http => "http",
            Implied::Ftp => "ftp",
            Implied::Mailto => "mailto",
        }
    }

    /// The implied text before the URL.
    pub(super) fn prefix(self) -> &'static [u8] {
        match self {
            Implied::Http => b"http://",
            Implied::Ftp => b"ftp://",
            Implied::Mailto => b"mailto:",
        }
    }
}
