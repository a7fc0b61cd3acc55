//! The validator: it knows URLs and nothing of prose.
//!
//! RFC 1738 gives URLs a grammar twice over: section 5 is its BNF, section 3
//! says in prose what the BNF leaves open. [`parse`] obeys both and returns
//! typed parts, borrowed from the input in their original spelling, so that
//! printing a [`Url`] gives the same bytes again. What practice writes is often
//! something else; [`assess`] says how far from the RFC a URL is, and why. A draft of
//! the RFC is a [`Dialect`] of its own: [`draft`].
//!
//! | module | knows | RFC 1738 |
//! |---|---|---|
//! | `url` | [`Url`], [`parse`]: any scheme | section 5 |
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
//! | [`generic`], `ip` | the generic syntax of today | RFC 3986 |
//! | `split`, `plausible` | [`authority`]; what a reader would still call a URL | neither |
//! | `grade` | [`assess`]: the three of them in order | |
//! | [`draft`], `dialect` | the draft of 1994, and the choice between the two | its BNF |
//! | `normalize` | [`normalize`](fn@normalize): spellings that mean the same | RFC 3986 section 6.2.2 |
//! | `rest`, `error` | what a production takes, and its refusal: [`ParseError`] | |
//!
//! A production is a small function: it takes the rest of the URL and returns a
//! value and what is left, or an [`ParseError`] that names the production and the
//! offset. There is no backtracking and no recursion, so every function here
//! takes time linear in its input, whatever that contains, and only [`decode`]
//! and [`normalize`](fn@normalize) allocate.
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
