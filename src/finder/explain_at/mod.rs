//! Explains why no match covers a position.
//!
//! The answer comes from the search itself: it runs on the text around the position, first with the
//! options as they are, then with one of them changed at a time. If no option makes a difference,
//! the rules decide: the functions of `scan`, `appendix` and `grammar` read the colon at the
//! position once more.

mod colon;
mod options;

use std::fmt;
use std::ops::Range;

use super::Finder;
use super::at::{self, Near};
#[cfg(feature = "archive")]
use crate::archive::Text;
use crate::bytes::class::{ANGLE, QUOTE, UNPRINTABLE};
use crate::bytes::haystack::{AsHaystack, Haystack};
use crate::bytes::window::Window;
use crate::grammar::{Misplaced, ParseError};
use crate::matches::Match;
use crate::matches::form::Ending;

/// The distance that the word at a position may extend before and after it, in bytes.
const WORD: usize = 4 * 1024;

/// The number of bytes of a URL or a word that a sentence shows.
const SHOWN: usize = 80;

/// The maximum number of file bytes that encode one byte of a text, if each byte is encoded
/// separately.
#[cfg(feature = "archive")]
const ENCODED: u64 = 64;

impl Finder {
    /// Returns the match that covers the byte at `offset` of `text`, as
    /// [`find_covering`](Self::find_covering) does, or the reason why no match covers it.
    ///
    /// This method runs about ten searches of the text around the offset. Each reads at most twice
    /// [`max_len`](crate::FinderBuilder::max_len) before the offset; the one with a larger
    /// `max_len` reads up to 2 MiB. So the cost does not depend on the length of the text.
    ///
    /// # Example
    ///
    /// ```
    /// let finder = urlgrep::Finder::new();
    /// let text = "see www.h.org, foo:bar and http://h$x/";
    /// let why = |offset| finder.explain_at(text, offset).to_string();
    /// assert_eq!(why(6), "www.h.org matches only with the option schemeless=hosts");
    /// assert_eq!(why(15), "\"foo:\" is not a known scheme, and \"//\" does not follow");
    /// assert_eq!(why(30), "the host after \"http://\" is not valid: \"$\" is not allowed at byte 35");
    /// ```
    pub fn explain_at<'h, H: AsHaystack + ?Sized>(&self, text: &'h H, offset: usize) -> Explanation<'h> {
        let text = text.as_haystack().bytes();
        let mut near = self.around(text, offset);
        Explanation(match near.covering.take() {
            Some(matched) => Answer::Match(matched),
            None => self.why_not(text, offset, near),
        })
    }

    /// Returns the explanation of [`explain_at`](Self::explain_at) for the byte at `at` of a file,
    /// or `None` if that byte does not encode a byte of `text` or of one of its [links](Text::links).
    /// If a match of [`find_in`](Self::find_in) covers the byte, the explanation contains it.
    ///
    /// Offsets count bytes of the text, or of the value of the attribute. The cost is a search of the
    /// text, and then as much as [`explain_at`](Self::explain_at).
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::archive::Reader;
    ///
    /// let mail = "From: a@h.org\nContent-Transfer-Encoding: base64\n\nc2VlIHd3dy5oLm9yZwo=\n";
    /// // The body is "see www.h.org", and "5oLm" encodes ".h.".
    /// let at = mail.find("5oLm").unwrap() as u64;
    /// let mut reader = Reader::new(mail.as_bytes());
    /// let message = reader.next_message()?.unwrap();
    /// let finder = urlgrep::Finder::new();
    /// let why = message.texts().find_map(|text| finder.explain_in(&text, at).map(|why| why.to_string()));
    /// assert_eq!(why.unwrap(), "www.h.org matches only with the option schemeless=hosts");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "archive")]
    pub fn explain_in<'t>(&self, text: &'t Text<'t>, at: u64) -> Option<Explanation<'t>> {
        if let Some(found) = self.find_in(text).find(|found| found.span().contains(&at)) {
            return Some(Explanation(Answer::Match(found)));
        }
        let (finder, bytes) = (self.of_text(text), text.as_bytes());
        let place = offset_of(at, bytes.len(), |range| text.sources(range)).map(|place| (bytes, place));
        let in_link = || {
            text.links().find_map(|link| {
                let value = link.as_bytes();
                Some((value, offset_of(at, value.len(), |range| link.sources(range))?))
            })
        };
        let (bytes, place) = place.or_else(in_link)?;
        Some(Explanation(match place {
            Some(offset) => finder.why_not(bytes, offset, finder.around(bytes, offset)),
            None => Answer::Why(Refusal::Encoded, None),
        }))
    }

    /// Returns the reason why no match covers the byte at `offset`, with the matches around it.
    fn why_not<'h>(&self, text: &'h [u8], offset: usize, near: Near<'h>) -> Answer<'h> {
        if offset >= text.len() {
            return Answer::Why(Refusal::OutOfText, None);
        }
        if let Some(by_option) = options::why(self, text, offset) {
            return Answer::Why(by_option, None);
        }
        let mut word = word_at(text, offset);
        let ended = near.before.filter(|last| !word.is_empty() && last.range().end >= word.start);
        if let Some(last) = &ended {
            word.start = last.range().end;
        }
        if let Some(next) = &near.after {
            word.end = word.end.min(next.range().start);
        }
        let (why, at) = match (colon::of(self, text, word.clone(), offset), ended) {
            (Some((colon, candidate)), _) => colon::why(self, text, &word, colon, candidate),
            (None, Some(last)) => {
                (Refusal::Ended { url: last.as_bytes().into(), ending: last.ending() }, None)
            }
            (None, None) if word.is_empty() => (Refusal::Blank, None),
            (None, None) => (Refusal::NoScheme { word: text[word].into() }, None),
        };
        Answer::Why(why, at)
    }

    /// The matches around `offset`, which record why they end.
    fn around<'h>(&self, text: &'h [u8], offset: usize) -> Near<'h> {
        at::near(&self.explaining(|_| {}), text, offset)
    }
}

/// The word that contains the byte at `offset`, without delimiters; empty outside of words.
fn word_at(text: &[u8], offset: usize) -> Range<usize> {
    let in_word = |b: u8| !UNPRINTABLE.or(ANGLE).or(QUOTE).has(b);
    let window = Window::whole(text);
    let end = window.skip(offset, offset.saturating_add(WORD), in_word);
    if end == offset {
        offset..offset
    } else {
        window.skip_back(offset, offset.saturating_sub(WORD), in_word)..end
    }
}

/// The offset of the byte of a text of `len` bytes that the byte at `at` of the file encodes, if it
/// encodes one; the inner value is `None` if it does not encode it by itself. `sources` maps the
/// text to the file, in order.
#[cfg(feature = "archive")]
fn offset_of(
    at: u64,
    len: usize,
    sources: impl Fn(Range<usize>) -> Vec<Range<u64>>,
) -> Option<Option<usize>> {
    let starts_after = |n: usize| sources(n..len).first().is_none_or(|source| source.start > at);
    let (mut known, mut after) = (0, len);
    while known < after {
        let middle = known.midpoint(after);
        if starts_after(middle) { after = middle } else { known = middle + 1 }
    }
    let n = known.checked_sub(1)?;
    let source = sources(n..n + 1).into_iter().find(|source| source.contains(&at))?;
    // Several bytes that are encoded together have one source: the first one is taken.
    let alone = source.end - source.start <= ENCODED;
    Some(alone.then_some(n))
}

/// The result of a search at a position: the match there, or the reason why no match is there.
///
/// Made by [`Finder::explain_at`] and `Finder::explain_in`. It prints as one sentence, without a full stop.
#[derive(Clone, Debug)]
pub struct Explanation<'h>(Answer<'h>);

#[derive(Clone, Debug)]
enum Answer<'h> {
    Match(Match<'h>),
    /// The reason, and the offset of the byte that is out of place in a host.
    Why(Refusal, Option<usize>),
}

impl<'h> Explanation<'h> {
    /// Returns the match that covers the position, delimiters included. It has an
    /// [ending](Match::ending), but no [position](Match::position).
    pub fn matched(&self) -> Option<&Match<'h>> {
        match &self.0 {
            Answer::Match(matched) => Some(matched),
            Answer::Why(..) => None,
        }
    }

    /// Returns the reason why no match covers the position, or `None` if a match does.
    pub fn why_not(&self) -> Option<&Refusal> {
        match &self.0 {
            Answer::Match(_) => None,
            Answer::Why(why, _) => Some(why),
        }
    }

    /// Returns the offset of the byte that makes the text after `//` an invalid
    /// [host](Refusal::Host), or the length of the text if it ends too early. Returns `None` for
    /// any other reason.
    pub fn out_of_place(&self) -> Option<usize> {
        match self.0 {
            Answer::Match(_) => None,
            Answer::Why(_, at) => at,
        }
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Answer::Match(matched) => {
                let Range { start, end } = matched.range();
                write!(
                    f,
                    "the URL {} at bytes {start}..{end} covers this position",
                    Shown(matched.as_bytes())
                )
            }
            Answer::Why(why, None) => why.fmt(f),
            Answer::Why(why, Some(at)) => write!(f, "{why} at byte {at}"),
        }
    }
}

/// The reason why no match covers a position.
///
/// Its `Display` is a sentence without offsets and without a full stop: see
/// [`Explanation::out_of_place`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The text ends before the position.
    OutOfText,
    /// The position is a space, a delimiter or a control character outside of a URL.
    Blank,
    /// The word at the position has no scheme: `example` in `an example`.
    NoScheme {
        /// The word around the position. Matches next to it, and the text beyond them, are not part of it.
        word: Vec<u8>,
    },
    /// The scheme of the word is unknown, and `//` does not follow: `foo:bar`.
    UnknownScheme {
        /// The name, without the colon.
        name: String,
    },
    /// No scheme name precedes `://`, or only one that a program replaces: `${scheme}://h.org`.
    NoName,
    /// A known scheme is only the end of a longer word: `hotel:1` ends in `tel:1`.
    InWord {
        /// The name, without the colon.
        name: String,
    },
    /// The text after the colon of a known scheme is not the text that it needs.
    Incomplete {
        /// The scheme, without the colon.
        name: String,
        /// The text that must follow.
        needs: &'static str,
    },
    /// The text after `//` is not a host.
    Host {
        /// The URL, up to where its authority begins.
        before: Vec<u8>,
        /// The byte that is out of place; `None` if the text ends there.
        found: Option<u8>,
    },
    /// The grammar rejects the text after a scheme, or after the prefix `URL:`.
    Grammar {
        /// The rejected text, from the scheme on.
        url: Vec<u8>,
        /// The production and the offset.
        error: ParseError,
    },
    /// A URL ends before the position, in the same word.
    Ended {
        /// The URL.
        url: Vec<u8>,
        /// The reason why the URL ends, or `None` if a delimiter ends it.
        ending: Option<Ending>,
    },
    /// An option rejects the match at the position, for example a list of schemes.
    Rejected {
        /// The option, as a [`FinderBuilder`](crate::FinderBuilder) names it.
        option: &'static str,
        /// The value of the option.
        value: String,
        /// The URL.
        url: Vec<u8>,
    },
    /// The text at the position matches only with another value of an option: `www.h.org` needs
    /// `schemeless`.
    Unsearched {
        /// The option, as a [`FinderBuilder`](crate::FinderBuilder) names it.
        option: &'static str,
        /// The value; empty if the option is a flag.
        value: &'static str,
        /// The URL.
        url: Vec<u8>,
    },
    /// The rules do not find a URL after the scheme: `http:` at the end of a sentence.
    Refused {
        /// The scheme or the prefix `URL`, without the colon.
        name: String,
    },
    /// The byte belongs to encoded data, such as a compressed member, so it has no position in the
    /// text.
    Encoded,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::OutOfText => f.write_str("the text ends before this position"),
            Refusal::Blank => f.write_str("a space or a delimiter is at this position"),
            Refusal::NoScheme { word } => {
                write!(f, "\"{}\" has no scheme: a URL starts with a name and a colon", Shown(word))
            }
            Refusal::UnknownScheme { name } => {
                write!(f, "\"{name}:\" is not a known scheme, and \"//\" does not follow")
            }
            Refusal::NoName => f.write_str("no scheme name precedes \"://\""),
            Refusal::InWord { name } => write!(f, "\"{name}:\" is only the end of a longer word"),
            Refusal::Incomplete { name, needs } => write!(f, "\"{name}:\" must be followed by {needs}"),
            Refusal::Host { before, found } => {
                write!(f, "the host after \"{}\" is not valid: ", Shown(before))?;
                match found {
                    None => f.write_str("the text ends too early"),
                    Some(byte) => Misplaced(*byte).fmt(f),
                }
            }
            Refusal::Grammar { url, error } => write!(f, "the grammar rejects \"{}\": {error}", Shown(url)),
            Refusal::Ended { url, ending } => {
                write!(f, "the URL {} ends before this position", Shown(url))?;
                match ending {
                    None => Ok(()),
                    Some(ending) if ending.trimmed() == 0 => write!(f, ", at {}", ending.stop()),
                    Some(ending) => {
                        write!(f, ", at the end of the sentence, before {}", ending.stop())
                    }
                }
            }
            Refusal::Rejected { option, value, url } => {
                write!(f, "the option {option}={value} rejects {}", Shown(url))
            }
            Refusal::Unsearched { option, value: "", url } => {
                write!(f, "{} matches only with the option {option}", Shown(url))
            }
            Refusal::Unsearched { option, value, url } => {
                write!(f, "{} matches only with the option {option}={value}", Shown(url))
            }
            Refusal::Refused { name } => write!(f, "no rule finds a URL after \"{name}:\""),
            Refusal::Encoded => f.write_str("this byte is part of encoded or compressed data"),
        }
    }
}

/// Bytes of the text; only the first are shown.
struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_long = self.0.len() > SHOWN;
        let shown = if is_long { &self.0[..SHOWN] } else { self.0 };
        write!(f, "{}{}", String::from_utf8_lossy(shown), if is_long { "…" } else { "" })
    }
}
