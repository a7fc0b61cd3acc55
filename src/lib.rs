//! Finds every URL in mail, news and other free text, the way the Appendix of
//! RFC 1738 says a reader should.
//!
//! Text breaks URLs. The Appendix, *Recommendations for URLs in Context*, wraps
//! them as `<URL:…>`, lets whitespace break them anywhere, and warns that a
//! hyphen at the end of a line "may or may not actually be part of the URL".
//! This crate reads all of that, in quoted replies and comments too, and finds
//! the URLs that stand in prose without any wrapper.
//!
//! # Example
//!
//! The Appendix's own:
//!
//! ```
//! let text = "
//!    Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
//!    type=d> but you can probably pick it up from <URL:ftp://ds.in
//!    ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
//!    net/instructions/overview.html#WARNING>.
//! ";
//! let urls: Vec<_> = urlgrep::find_iter(text).map(|found| found.as_str().unwrap().to_owned()).collect();
//! assert_eq!(urls, [
//!     "ftp://info.cern.ch/pub/www/doc;type=d",
//!     "ftp://ds.internic.net/rfc",
//!     "http://ds.internic.net/instructions/overview.html#WARNING",
//! ]);
//! ```
//!
//! # Where to begin
//!
//! - [`find`] and [`find_iter`] search a slice by the default rules.
//! - [`Finder::builder`] makes a [`Finder`] with other rules: schemes, what to do
//!   with hyphens, whether to join bare URLs, the lowest grade.
//! - [`Finder::stream`] searches what a reader gives, [`Finder::scanner`] what is
//!   pushed into it; both find the same as a slice, in bounded memory.
//! - [`Match`] is what comes back: the URL, where it stood, its form, its other
//!   readings, its grade, its warnings.
//! - [`grammar`] takes one URL apart, and says what is wrong with it.
//! - `archive` takes mail, news and HTML apart, and [`Finder`] searches its texts.
//!
//! # How it works
//!
//! Bytes flow one way, and no module knows those before it:
//!
//! ```text
//!   text ──► scan ──────────► appendix ────────────► grammar ─────► Match
//!            where may a      what belongs to it?    is it one,
//!            URL start?       delimiters, leaders,   and how well
//!            colons, then     line breaks, hyphens,  formed?
//!            schemes          where it ends
//! ```
//!
//! | module | what it follows |
//! |---|---|
//! | `archive` | RFC 4155, 5322, 2045 to 2047, 3676, 2369 and others: mail and news before they are text |
//! | `scan` | RFC 1738 §2.1, the scheme; §3 and §4, the schemes that are known |
//! | `appendix` | RFC 1738, Appendix; RFC 2396 Appendix E and RFC 3986 Appendix C for delimiters without `URL:` |
//! | [`grammar`] | RFC 1738 §5 production by production, §3 scheme by scheme; RFC 3986 behind it; §6 for warnings |
//!
//! Time is linear in the length of the text, whatever the text is, and nothing
//! in the text can make a search fail or panic. All offsets are bytes from 0,
//! the ends exclusive; lines and columns count from 1.
//!
//! # Features
//!
//! `archive` is the module for mail and news, with what it takes to decompress
//! and to decode. `cli`, on by default, is the program `urlgrep` and what it needs,
//! `archive` among it. `domains` is the list of public suffixes for
//! [`FinderBuilder::domains`](FinderBuilder), and `idna` is what `Match::ascii` needs.
//! Without any of them the library depends on `memchr` alone.
//!
//! # Incomplete support
//!
//! - Mail has to go through `archive`: to all else text is what it is given, so that
//!   a URL that quoted-printable cut is found as it stands there.
//! - `archive` reads what a message has beyond 16 MiB as text, undecoded, and parts
//!   that are nested more than 100 deep; a message that was encoded as a whole,
//!   which RFC 2046 forbids, is one text.
//! - A bare URL ends at Han, kana, Hangul, Thai, Lao, Khmer and Burmese, where the next
//!   word follows without a space: see [`Iri`]. Between delimiters it may have any character.
//! - Host names (`www.h.org`), other domain names and mail addresses without a scheme are
//!   found only on request: [`hosts`](FinderBuilder::hosts), `domains` and
//!   [`addresses`](FinderBuilder::addresses).

/// The README, whose examples are tested as this crate's are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "archive")]
pub mod archive;
pub mod grammar;

mod appendix;
mod bytes;
mod finder;
mod found;
mod plain;
mod scan;
mod simd;

pub use bytes::position::Position;
pub use bytes::unicode::Iri;
pub use finder::stream::{Scanner, Stream};
#[cfg(feature = "archive")]
pub use finder::{ArchiveMatch, ArchiveMatches, FindIn};
pub use finder::{BuildError, FindIter, Finder, FinderBuilder, Span, Spans, find, find_iter};
pub use found::Match;
pub use found::ending::{Ending, Entity, Stop};
pub use found::form::{Form, Join, Joined, ParseJoinError};
pub use found::readings::Hyphen;
#[cfg(feature = "serde")]
pub use found::serialize::{MatchFields, TextOrBytes};
pub use grammar::scheme_set::Schemes;
pub use grammar::{Grade, Warning};
#[cfg(feature = "domains")]
pub use scan::Domains;
