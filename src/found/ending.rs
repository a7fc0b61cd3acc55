//! Why a match that nothing delimits ends where it does.

use std::fmt;

/// Why a match that nothing delimits ends where it does.
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

    /// What stops the URL.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// How many bytes between the URL and what stops it belong to the sentence around
    /// it, for example its full stop.
    pub fn trimmed(&self) -> usize {
        self.trimmed as usize
    }
}

/// What stops a URL.
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
    /// A closing bracket whose opening bracket is not in the URL.
    Closing(u8),
    /// An apostrophe, if another one precedes the URL.
    Apostrophe,
    /// A mark that separates the URL from another one.
    AnotherUrl(u8),
    /// A byte that is not valid in a host or port, after a URL that is a host alone.
    Host(u8),
    /// A byte that cannot continue a URL of a scheme without `//`.
    Scheme(u8),
}

/// An HTML entity of a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// `&lt;`
    Lt,
    /// `&gt;`
    Gt,
    /// `&quot;`
    Quot,
}

impl Entity {
    /// All of them.
    pub(crate) const ALL: [Entity; 3] = [Entity::Lt, Entity::Gt, Entity::Quot];

    /// The entity as it is written, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Entity::Lt => "&lt;",
            Entity::Gt => "&gt;",
            Entity::Quot => "&quot;",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stop::EndOfText => f.write_str("the end of the text"),
            Stop::EndOfLine => f.write_str("the end of the line"),
            Stop::Blank => f.write_str("a space"),
            Stop::Control(byte) => write!(f, "the control character 0x{byte:02X}"),
            Stop::NonAscii(byte) => write!(f, "the byte 0x{byte:02X}, which is not ASCII"),
            Stop::Delimiter(b'"') => f.write_str("a quotation mark, which no URL contains"),
            Stop::Delimiter(byte) => write!(f, "\"{}\", which no URL contains", char::from(byte)),
            Stop::Entity(entity) => write!(f, "\"{}\", which encodes a delimiter", entity.as_str()),
            Stop::Closing(byte) => {
                write!(f, "\"{}\", which closes no bracket of the URL", char::from(byte))
            }
            Stop::Apostrophe => f.write_str("\"'\", which also precedes the URL"),
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
