//! The grammar of URLs: parses and grades one URL, without the text around it.
//!
//! RFC 1738 defines the syntax of URLs in two places: section 5 is a BNF, and section
//! 3 states in prose what the BNF leaves open. [`parse`] applies both and returns typed
//! parts. The parts are borrowed from the input and keep their spelling, so a [`Url`]
//! prints the bytes that were parsed. Many URLs in use do not follow the RFC:
//! [`assess`] says how well formed a URL is, and why it is not better.
//! A draft of the RFC is a second [`Dialect`]: [`draft`].
//!
//! | module | contains | defined in RFC 1738 |
//! |---|---|---|
//! | `url` | [`Url`], [`parse`]: a URL of any scheme | section 5 |
//! | `chars` | character classes, escapes | sections 2.2 and 5 |
//! | `scheme` | the production of a scheme | section 2.1 |
//! | `schemes`, `scheme_set` | the table of schemes; those that a search knows | sections 3 and 4 |
//! | `login`, [`host`] | `//<user>:<password>@<host>:<port>` | section 3.1 |
//! | `path` | [`Segments`] | sections 3.2.2, 3.3 and 3.10 |
//! | `ftp` | [`Ftp`] | section 3.2 |
//! | `http` | [`Http`] | section 3.3 |
//! | `gopher` | [`Gopher`] | section 3.4 |
//! | `mailto`, `addr_spec` | [`Mailto`] | section 3.5, with RFC 822 section 6.1 |
//! | `news` | [`News`] | section 3.6 |
//! | `nntp` | [`Nntp`] | section 3.7 |
//! | `telnet` | [`Telnet`] | section 3.8 |
//! | `wais` | [`Wais`] | section 3.9 |
//! | `file` | [`File`] | section 3.10 |
//! | `prospero` | [`Prospero`] | section 3.11 |
//! | `other` | [`Other`]: every scheme without a production of its own | sections 2.1 and 4 |
//! | `warning` | [`Warning`] | section 6 |
//! | [`generic`], `ip` | the generic syntax | no: RFC 3986 |
//! | `split`, `plausible` | [`authority`]; the check for URLs that no grammar accepts | no |
//! | `grade` | [`assess`]: which of the three accepts a URL | no |
//! | [`draft`], `dialect` | the draft of 1994, and the choice between the two | no: its BNF |
//! | `normalize` | [`normalize`](fn@normalize): one spelling for equivalent URLs | no: RFC 3986 section 6.2.2 |
//! | `resolve` | relative references | no: RFC 3986 section 5 |
//! | `rest`, `error` | the input of a production, and its error, [`ParseError`] | no |
//!
//! A production is a small function. It takes the rest of the URL and returns a value
//! and the rest after it, or a [`ParseError`] that names the production and the offset.
//! There is no backtracking and no recursion, so every function here runs in time
//! linear in its input. Only [`decode`] and [`normalize`](fn@normalize) allocate.
//!
//! # Example
//!
//! ```
//! use urlgrep::grammar::{self, Url};
//!
//! let url = grammar::parse(b"ftp://myname@host.dom/%2Fetc/motd;type=a")?;
//! assert_eq!(url.host(), Some("host.dom"));
//! assert_eq!(url.port(), Some(21));
//! let Url::Ftp(ftp) = url else { unreachable!() };
//! assert!(ftp.segments().eq(["%2Fetc", "motd"]));
//!
//! let error = grammar::parse(b"http://h.org/~me/").unwrap_err();
//! assert_eq!((error.production(), error.offset()), ("hsegment", 13));
//! # Ok::<(), grammar::ParseError>(())
//! ```

mod addr_spec;
mod chars;
mod dialect;
pub mod draft;
mod error;
mod file;
mod ftp;
pub mod generic;
mod gopher;
mod grade;
pub mod host;
mod http;
mod ip;
mod login;
mod mailto;
mod news;
mod nntp;
mod normalize;
mod other;
mod path;
mod plausible;
mod prospero;
#[cfg(feature = "archive")]
pub(crate) mod resolve;
mod rest;
mod scheme;
pub(crate) mod scheme_set;
pub(crate) mod schemes;
mod split;
mod telnet;
#[cfg(test)]
mod testing;
mod url;
mod wais;
mod warning;

pub(crate) use self::grade::is_url;
pub use self::{
    chars::decode,
    dialect::Dialect,
    error::ParseError,
    file::File,
    ftp::{Ftp, Typecode},
    gopher::Gopher,
    grade::{Assessment, Grade, ParseGradeError, assess, assess_by},
    http::Http,
    login::{HostPort, Login},
    mailto::Mailto,
    news::{News, NewsPart},
    nntp::Nntp,
    normalize::normalize,
    other::Other,
    path::Segments,
    prospero::{Fields, Prospero},
    schemes::{default_port, opens_safely},
    split::{Authority, authority, split_fragment},
    telnet::Telnet,
    url::{Url, parse},
    wais::Wais,
    warning::{Warning, Warnings, WarningsIter, warnings},
};
#[cfg(feature = "unwrap")]
pub(crate) use chars::decode_bytes;
