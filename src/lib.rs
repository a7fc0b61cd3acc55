//! Finds URLs in mail, news and other text, as the Appendix of RFC 1738 recommends.
//!
//! In mail, line breaks often split URLs. The Appendix, *Recommendations for URLs in Context*, recommends enclosing URLs in a
//! wrapper, `<URL:…>`, and ignoring whitespace inside. It warns that a hyphen at the end of a line "may or may not
//! actually be part of the URL". This crate implements these rules, including in quoted replies and comments. It also
//! finds URLs in prose without a wrapper, and grades how well formed each URL is.
//!
//! # Examples
//!
//! This text is from the Appendix:
//!
//! ```
//! let text = "
//!    Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
//!    type=d> but you can probably pick it up from <URL:ftp://ds.in
//!    ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
//!    net/instructions/overview.html#WARNING>.
//! ";
//! let urls: Vec<_> = urlgrep::find_iter(text).map(|m| m.to_string()).collect();
//! assert_eq!(urls, [
//!     "ftp://info.cern.ch/pub/www/doc;type=d",
//!     "ftp://ds.internic.net/rfc",
//!     "http://ds.internic.net/instructions/overview.html#WARNING",
//! ]);
//! ```
//!
//! A match is a range of the text, including delimiters. If the URL is broken across lines, each of
//! its pieces is a range:
//!
//! ```
//! let text = "<http://h.org/a\n b> or http://h.org/c.";
//! let broken = urlgrep::find(text).unwrap();
//! assert_eq!(&text[broken.range()], "<http://h.org/a\n b>");
//! let pieces: Vec<_> = broken.ranges().map(|range| &text[range]).collect();
//! assert_eq!(pieces, ["http://h.org/a", "b"]);
//! ```
//!
//! A [`Finder`] stores the options. Make it once, and share it between threads:
//!
//! ```
//! use urlgrep::{Finder, Join, Schemeless};
//!
//! let finder = Finder::builder().schemeless([Schemeless::Hosts]).join(Join::Likely).line_numbers(true).build()?;
//! let m = finder.find("home:\n  www.h.org/a").unwrap();
//! assert_eq!((m.as_str(), m.position().unwrap().line), ("www.h.org/a", 2));
//!
//! // This searches a reader of any length in bounded memory.
//! for m in finder.stream(&b"http://h.org/ and more"[..]) {
//!     assert_eq!(m?.to_string(), "http://h.org/");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! | to | use |
//! |---|---|
//! | search a string or bytes with the default options | [`find`], [`find_iter`] |
//! | search many short strings | a [`Finder`] that you keep: [`Finder::find`], [`Finder::is_match`] |
//! | search the rows of a column, or the lines of a log in memory, each as a separate text | [`Finder::batch`] |
//! | choose options: schemes, hyphens, joined lines, grades | [`Finder::builder`] |
//! | set options by name, or list them | [`FinderBuilder::set`], [`options()`] |
//! | read the URL of a match, its offsets, grade, warnings and other readings | [`Match`] |
//! | get the text between the matches as well | [`Finder::chunks`] |
//! | turn URLs in a text into links | a finder with [`Join::None`], so that each URL is one piece of the text; [`Match::url_range`], without delimiters |
//! | get the match that covers an offset, or the reason why no match does | [`Finder::find_covering`], [`Finder::explain_at`] |
//! | get the match that starts at an offset, in a parser of Markdown | [`Finder::match_at`] |
//! | search a reader, such as a file or standard input, in bounded memory | [`Finder::stream`] |
//! | search chunks as they arrive, in bounded memory | [`Finder::scanner`] |
//! | search a mailbox, an archive of news or a page, compressed or not | with the feature `archive`, `Finder::archive` by path, and `Finder::find_in_archive` for a reader such as standard input |
//! | search one message in memory | `Finder::find_in_mail`, with the same feature |
//! | read the messages and parts of such files yourself | `archive` |
//! | parse one URL | [`parse`]; strictly, [`rfc1738::parse`] |
//! | grade and normalize one URL | [`grammar`] |
//! | restore the original URL of a link that a mail filter rewrote | `unwrap`, with the feature `unwrap` |
//!
//! A stream and a scanner yield the same matches as a slice.
//!
//! # Features
//!
//! Only `draft` is enabled by default. With the default features, `memchr` is the only dependency.
//!
//! | feature | adds | and these crates |
//! |---|---|---|
//! | `archive` | `archive` and `Finder::archive`: mail, news and HTML, compressed or not | decoders of HTML, charsets and compressed data |
//! | `domains` | `Schemeless::Domains`: names without a scheme; `Match::registered_domain` and `public_suffix`; `FinderBuilder::invalid` | none; a table of public suffixes, 93 KB |
//! | `draft` | `grammar::draft`, the draft of 1994, as a dialect | none |
//! | `idna` | `Match::ascii`: hosts in punycode | idna, with its tables |
//! | `serde` | serialization of matches, in the shape of the program's JSON | serde, base64 |
//! | `unwrap` | `unwrap` and `FinderBuilder::unwrap`: URLs inside links that mail filters and sites rewrote; `FinderBuilder::nested`: URLs inside any URL | base64 |
//! | `zstd-c` | zstd by the C library: about twice as fast, but needs a C compiler | zstd-safe |
//!
//! The program `urlgrep` is a separate package, `urlgrep-cli`.
//!
//! # Incomplete support
//!
//! - Only `archive` decodes mail. All other functions read a text verbatim, except that they know
//!   the soft breaks of quoted-printable: a `=` that ends a line of 73 to 76 bytes.
//! - `archive` does not decode parts that are nested more than 100 deep, or messages that are encoded
//!   more than three times. It searches these as plain text. It reads a message over 16 MiB in pieces,
//!   and decodes each. An HTML page continues as a page in the next piece. An archive or a converted
//!   document is read only as far as it fits into one piece.
//! - A bare URL ends before Han, kana, Hangul, Thai, Lao, Khmer and Burmese letters, because the
//!   next word follows without a space, unless the letters are a whole word of the path: see
//!   [`Iri::Words`]. Between delimiters, it may contain any character except whitespace, control
//!   characters, `<` and `>`.
//! - Host names (`www.h.org`), other domain names and email addresses without a scheme
//!   match only on request: [`schemeless`](FinderBuilder::schemeless).
//!
//! # How it works
//!
//! Bytes flow one way:
//!
//! ```text
//!   file ──► archive ───────► scan ────────► appendix ──────► grammar ──────► Match
//!            decompress,      where may      what belongs     is it a URL,
//!            split messages,  a URL start?   to it?           how well formed?
//!            decode parts
//! ```
//!
//! An archive is decoded before the search, and its modules do not import the search. The scan
//! looks for colons, and for the scheme before each. The rules of the Appendix decide what belongs
//! to the URL: delimiters, line breaks, hyphens, and the punctuation that ends a sentence. The
//! grammar grades it. A table of [fields](table::fields()) lists the values of a match, and a table
//! of [options](options()) the rules of a search.
//!
//! For every text, a search takes time linear in its length. It cannot fail, and does not panic.
//! All offsets are in bytes from 0, with exclusive ends; lines and columns count from 1.

// On docs.rs each item lists the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

/// The README, so that its examples are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "archive")]
pub mod archive;
pub mod grammar;

/// A match as a row of a table: its fields by name, for programs that write JSON, CSV or columns.
pub mod table {
    #[cfg(feature = "archive")]
    pub use crate::fields::mail::Head;
    pub use crate::fields::row::Row;
    pub use crate::fields::value::{Counted, Value};
    pub use crate::fields::{Field, Kind, Scope, fields};
}

// The diagram in "How it works" shows the stages. `bytes` is below all of them, `simd` reads many bytes at
// once, `plain` is the fast path, `fields` is the table of values, `suffix` has the public
// suffixes, and `unwrap` opens links within links.
mod appendix;
mod bytes;
mod fields;
mod finder;
mod matches;
mod plain;
mod scan;
mod simd;
#[cfg(feature = "domains")]
mod suffix;
#[cfg(feature = "unwrap")]
mod unwrap;

pub use bytes::haystack::{AsHaystack, Haystack};
pub use bytes::name::ParseNameError;
pub use bytes::position::Position;
pub use bytes::unicode::Iri;
#[cfg(feature = "archive")]
pub use finder::{ArchiveMatches, FindIn};
pub use finder::{
    Batch, BuildError, Chunk, Chunks, Explanation, FindIter, Finder, FinderBuilder, OptionError, OptionKind,
    Refusal, Scanner, SearchOption, Stream, find, find_iter, options,
};
pub use grammar::{Dialect, Grade, Warning, parse, rfc1738};
#[cfg(feature = "archive")]
pub use matches::context::Context;
pub use matches::evidence::Evidence;
pub use matches::form::{Ending, Entity, Form, GuessRule, Join, JoinKind, Stop};
pub use matches::readings::Hyphen;
#[cfg(feature = "domains")]
pub use matches::{Invalid, InvalidKind};
pub use matches::{Match, Pieces};
pub use scan::Schemeless;
#[cfg(feature = "unwrap")]
pub use unwrap::{REWRITERS, Unwrapped, unwrap};
