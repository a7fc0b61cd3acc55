//! The forms of URLs in a text, how broken ones are joined, and why they end.

use std::fmt;

use crate::bytes::name::named;

/// The way in which the text delimits a URL. If several forms fit, the first one counts.
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
    /// Only the URL.
    Bare,
    /// The value of an HTML attribute that contains a URL, such as `href`.
    Attribute,
    /// A defanged URL, such as `hxxp://h[.]org/`, which was
    /// [restored](crate::FinderBuilder::refang).
    Defanged,
    /// A URL within another, as `FinderBuilder::nested` yields it.
    Nested,
}

named! {
    Form:
    /// The name: `wrapper`, `angle`, `quote`, `paren`, `prefixed`, `bare`, `attribute`, `defanged` or
    /// `nested`.
    Wrapper => "wrapper",
    Angle => "angle",
    Quote => "quote",
    Paren => "paren",
    Prefixed => "prefixed",
    Bare => "bare",
    Attribute => "attribute",
    Defanged => "defanged",
    Nested => "nested",
}

/// The way in which the pieces of a URL on several lines were joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JoinKind {
    /// Between delimiters, where whitespace "should be ignored" (RFC 1738,
    /// Appendix).
    Delimited,
    /// By an exact rule of a mail format: `format=flowed` (RFC 3676), or the folding of a header
    /// field that is defined to contain a URL.
    Flowed,
    /// By evidence, without delimiters: see [`Join::Likely`].
    Guess,
}

named! {
    JoinKind:
    /// The name: `delimited`, `flowed` or `guess`.
    Delimited => "delimited",
    Flowed => "flowed",
    Guess => "guess",
}

/// The rule by which a bare URL is joined across a line break: [`Join::Likely`].
///
/// The *stem* is the URL up to the line break, and the *token* is the first word of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GuessRule {
    /// S: the stem ends in punctuation after which the URL must continue: a single `-` or `_`, `%`,
    /// `=` or `&` of a query, or `?`. The line has at least 45 characters, or the stem ends in a
    /// hyphen that is plainly within a name.
    Stem,
    /// D: the stem ends in a single dot, and the token contains the rest of a name.
    Dot,
    /// W: the line is about as long as the full lines of the text, or the token would not have
    /// fitted on it; and the token is the only word on its line.
    FullLine,
    /// E: the joined URL occurs unbroken elsewhere, according to [`Evidence`](crate::Evidence).
    Evidence,
    /// P, for text copied from a page: the stem ends in a slash or is only a scheme, and the token
    /// may continue a URL. The token is the only word before an empty line, or a file name that is
    /// alone on its line or follows a space before the line break.
    Page,
    /// M: the stem ends within a word, and the token cannot be read by itself: it starts with
    /// URL punctuation, or the line is full or nearly full.
    Middle,
    /// L: the URL continues in the string literal on the next line, or after a backslash at the end of the line.
    Literal,
    /// F: the URL is a rewritten link whose last parameter is on a later line.
    Filter,
    /// T: the line is as [wide](crate::FinderBuilder::width) as the terminal.
    Terminal,
}

named! {
    GuessRule:
    /// The name: `S`, `D`, `W`, `E`, `P`, `M`, `L`, `F` or `T`.
    Stem => "S",
    Dot => "D",
    FullLine => "W",
    Evidence => "E",
    Page => "P",
    Middle => "M",
    Literal => "L",
    Filter => "F",
    Terminal => "T",
}

impl GuessRule {
    /// Returns the evidence, as a sentence about the URL.
    pub fn evidence(self) -> &'static str {
        match self {
            GuessRule::Stem => "its first line is long and ends in a character that rarely ends a URL",
            GuessRule::Dot => "its first line ends in a dot, and the next one continues the name",
            GuessRule::FullLine => {
                "its first line is full, or the rest would not fit on it, and the next line contains only the rest"
            }
            GuessRule::Evidence => "the joined URL occurs unbroken elsewhere in the input",
            GuessRule::Page => {
                "its first line ends in a slash or after the scheme, and the next line is one word or starts with a file name"
            }
            GuessRule::Middle => "its first line ends within a word, and the rest cannot be read by itself",
            GuessRule::Literal => "the next string literal or line of a program continues the URL",
            GuessRule::Filter => "a mail filter rewrote the link, which ends on a later line",
            GuessRule::Terminal => "the URL fills a line of the terminal",
        }
    }
}

/// The URLs that are rejoined across lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Join {
    /// Broken URLs are not rejoined: a URL ends at the end of its line.
    None,
    /// URLs between delimiters, by the Appendix of RFC 1738.
    #[default]
    Delimited,
    /// Bare URLs as well, by evidence: the URL extends to the end of its line, a [rule](GuessRule)
    /// decides that it continues, and the next line does not start another URL or paragraph. Such a
    /// match is [`JoinKind::Guess`]. The part on the first line is one of its
    /// [alternatives](crate::Match::alternatives).
    Likely,
}

named! {
    Join, FromStr:
    /// Returns the name: `none`, `delimited` or `likely`.
    None => "none",
    Delimited => "delimited",
    Likely => "likely",
}

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

/// The reason why a match without delimiters ends where it does.
///
/// The rules record it when they find the end: see
/// [`Match::ending`](crate::Match::ending).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    stop: Stop,
    trimmed: u32,
}

impl Ending {
    /// The ending of a URL that is stopped at `untrimmed`, and trimmed to `end`.
    pub(crate) fn new(stop: Stop, end: usize, untrimmed: usize) -> Self {
        Ending { stop, trimmed: u32::try_from(untrimmed - end).unwrap_or(u32::MAX) }
    }

    /// Returns the text that stops the URL.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Returns the number of bytes between the URL and its stop that belong to the sentence
    /// around it, for example its full stop.
    pub fn trimmed(&self) -> usize {
        self.trimmed as usize
    }
}

/// The text that stops a URL.
///
/// Its `Display` is a phrase that can follow *ends before*: `a space`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stop {
    /// The end of the text.
    EndOfText,
    /// The end of the line.
    EndOfLine,
    /// A space or a tab.
    Blank,
    /// A control character.
    Control(u8),
    /// A byte that is not ASCII.
    NonAscii(u8),
    /// A byte that a bare URL cannot contain: `<`, `>`, `"`, `\`, a backquote, or a
    /// `|` outside a query.
    Delimiter(u8),
    /// An HTML entity of a delimiter.
    Entity(Entity),
    /// A closing bracket without an opening bracket in the URL.
    Closing(u8),
    /// `@{`, which starts an attribute of AmigaGuide.
    Attribute,
    /// An apostrophe that closes a quotation opened before the URL.
    Apostrophe,
    /// An unclosed bracket, or a bracket that opens a label.
    Opening(u8),
    /// A character that ends a table cell or a template parameter.
    Cell(u8),
    /// A character that separates the URL from another one, or the colon of another one that directly follows.
    AnotherUrl(u8),
    /// A byte that is not valid in a host or port, after a URL that consists only of a host.
    Host(u8),
    /// A byte that cannot continue a URL of a scheme without `//`.
    Scheme(u8),
}

/// An HTML character reference to a character that URLs do not contain, such as `&gt;`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Entity {
    /// `&lt;`
    Lt,
    /// `&gt;`
    Gt,
    /// `&quot;`
    Quot,
    /// `&apos;`
    Apos,
    /// `&nbsp;`
    Nbsp,
    /// A number: it encodes a space, a control character, a backslash or a backquote.
    Other(char),
}

impl Entity {
    /// Returns the reference with its name in lower case, or `&#…;` if the character has no name.
    /// The text may contain its number instead.
    pub fn as_str(self) -> &'static str {
        match self {
            Entity::Lt => "&lt;",
            Entity::Gt => "&gt;",
            Entity::Quot => "&quot;",
            Entity::Apos => "&apos;",
            Entity::Nbsp => "&nbsp;",
            Entity::Other(_) => "&#…;",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stop::EndOfText => f.write_str("the end of the text"),
            Stop::EndOfLine => f.write_str("a line break"),
            Stop::Blank => f.write_str("a space"),
            Stop::Control(byte) => write!(f, "the control character 0x{byte:02X}"),
            Stop::NonAscii(byte) => write!(f, "the byte 0x{byte:02X}, which is not ASCII"),
            Stop::Delimiter(b'"') => f.write_str("a quotation mark, which no URL contains"),
            Stop::Delimiter(byte) => write!(f, "\"{}\", which no URL contains", char::from(byte)),
            Stop::Entity(entity) => write!(f, "\"{}\", which encodes a delimiter", entity.as_str()),
            Stop::Closing(byte) => {
                write!(f, "\"{}\", an unmatched closing bracket", char::from(byte))
            }
            Stop::Attribute => f.write_str("\"@{\", which starts an attribute of AmigaGuide"),
            Stop::Apostrophe => f.write_str("\"'\", the character that also precedes the URL"),
            Stop::Opening(byte) => {
                write!(f, "\"{}\", which nothing in the URL closes, or which opens a label", char::from(byte))
            }
            Stop::Cell(byte) => write!(f, "\"{}\", which ends a cell", char::from(byte)),
            Stop::AnotherUrl(b':') => f.write_str("the scheme of another URL"),
            Stop::AnotherUrl(byte) => write!(f, "\"{}\" and another URL", char::from(byte)),
            Stop::Host(byte) => {
                write!(f, "\"{}\", which neither a host nor a port can contain", char::from(byte))
            }
            Stop::Scheme(byte) => {
                write!(f, "\"{}\", which cannot be part of a URL of this scheme", char::from(byte))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The package for JavaScript has the numbers.
    #[test]
    fn the_number_of_a_value_is_its_place_in_the_list_of_all() {
        fn places<T: Copy>(all: &[T], number: fn(T) -> usize) {
            let numbers: Vec<_> = all.iter().map(|&value| number(value)).collect();
            assert_eq!(numbers, (0..all.len()).collect::<Vec<_>>());
        }
        places(&Form::ALL, |form| form as usize);
        places(&JoinKind::ALL, |joined| joined as usize);
        places(&GuessRule::ALL, |rule| rule as usize);
    }
}
