//! The grammar of URLs: parses and grades one URL, without the text around it.
//!
//! [`parse`] reads URLs as they are today: the generic syntax of RFC 3986. RFC 1738 is stricter. It defines the
//! syntax twice: section 5 as a BNF, and section 3 in prose, with details that the BNF leaves open.
//! [`rfc1738::parse`] applies both and returns typed parts. The parts are borrowed from the input and keep their
//! spelling, so a URL prints the bytes that were parsed. [`assess`] returns the strictest grammar that accepts a URL,
//! and the reason why a stricter one rejects it. A draft of the RFC is a second [`Dialect`]: [`draft`].
//!
//! | item | purpose | defined in |
//! |---|---|---|
//! | [`rfc1738`] | URLs by the strict grammar, with a type for each scheme | RFC 1738, sections 2, 3 and 5 |
//! | [`draft`] | the grammar of the draft of 1994 | its BNF |
//! | [`parse`], [`Uri`] | URLs by the generic syntax | RFC 3986 |
//! | [`assess`], [`Grade`] | which of the grammars accepts a URL | |
//! | [`warnings`] | what a reader should check | RFC 1738, section 6 |
//! | [`authority`], [`split_fragment`], [`host`] | the parts of URLs that no grammar accepts | |
//! | [`Schemes`] | the schemes that a [`Finder`](crate::Finder) knows | |
//! | [`normalize`](fn@normalize) | one spelling for equivalent URLs | RFC 3986, section 6.2.2 |
//! | [`clean`](fn@clean), [`defang`](fn@defang) | a URL without tracking parameters; a spelling that no program opens | |
//! | [`decode`], [`ParseError`] | percent-encoding; why a grammar rejects a URL, and at which offset | RFC 1738, section 2.2 |
//!
//! A production is a small function. It takes the rest of the URL and returns a value and the rest
//! after it, or a [`ParseError`] that names the production and the offset. The functions neither
//! backtrack nor recurse, so each runs in time linear in its input. The parsers do not allocate. [`decode`],
//! [`clean`](fn@clean) and [`normalize`](fn@normalize) allocate if something changes, [`defang`](fn@defang)
//! always, and [`warnings`] for some hosts.
//!
//! # Example
//!
//! ```
//! use urlgrep::grammar::{self, rfc1738};
//!
//! let url = grammar::parse("http://h.org/~me/?q#top")?;
//! assert_eq!((url.host(), url.path(), url.query()), (Some("h.org"), "/~me/", Some("q")));
//!
//! // RFC 1738 knows no tilde, and no fragment.
//! let error = rfc1738::parse("http://h.org/~me/").unwrap_err();
//! assert_eq!((error.production(), error.offset()), ("hsegment", 13));
//! # Ok::<(), grammar::ParseError>(())
//! ```

// The modules of RFC 1738: `production` (sections 2.2 and 5), `schemes` (3 and 4), `login` (3.1),
// then a scheme each, `ftp`, `http`, `gopher`, `mailto`, `news`, `nntp`, `telnet`, `wais`, `file`
// and `prospero` (3.2 to 3.11), and `warning` (6). The others are not in it: `generic`, `split` and
// `resolve` are RFC 3986, and
// `grade`, `clean`, `defang` and `mixed` are practice.
mod clean;
mod defang;
#[cfg(feature = "draft")]
pub mod draft;
mod file;
mod ftp;
mod generic;
mod gopher;
mod grade;
mod http;
mod login;
mod mailto;
#[cfg(feature = "idna")]
mod mixed;
mod news;
mod nntp;
mod production;
mod prospero;
#[cfg(feature = "archive")]
pub(crate) mod resolve;
pub mod rfc1738;
pub(crate) mod schemes;
mod split;
mod telnet;
mod wais;
mod warning;

pub use self::clean::clean;
pub use self::defang::defang;
pub use self::generic::{Uri, parse};
pub(crate) use self::grade::is_url;
pub use self::grade::{Assessment, Dialect, Grade, assess, assess_by};
pub(crate) use self::production::Misplaced;
#[cfg(any(feature = "archive", feature = "unwrap"))]
pub(crate) use self::production::decode_bytes;
pub use self::production::{ParseError, decode};
pub use self::schemes::{Schemes, default_port, opens_safely};
pub(crate) use self::split::split;
pub use self::split::{Authority, authority, normalize, split_fragment};
pub use self::warning::{Warning, Warnings, WarningsIter, warnings};
#[cfg(feature = "unwrap")]
pub(crate) use self::{production::octet_of_escape, split::Split};

/// Host names in practice.
pub mod host {
    pub(crate) use crate::grammar::login::begins_with_escape;
    pub use crate::grammar::login::plausible;
}

/// Assertions that the tests of the schemes share.
#[cfg(test)]
mod testing {
    use super::rfc1738::parse;

    /// Asserts that a URL is accepted and prints the same bytes.
    #[track_caller]
    pub(super) fn accepted(url: &str) {
        match parse(url.as_bytes()) {
            Ok(parsed) => assert_eq!(parsed.to_string(), url),
            Err(error) => panic!("{url}: {error}"),
        }
    }

    /// Asserts that a URL is rejected, with this production and offset.
    #[track_caller]
    pub(super) fn refused(url: &str, production: &str, offset: usize) {
        match parse(url.as_bytes()) {
            Ok(parsed) => panic!("{url}: {parsed:?}"),
            Err(error) => assert_eq!((error.production(), error.offset()), (production, offset), "{url}"),
        }
    }
}
