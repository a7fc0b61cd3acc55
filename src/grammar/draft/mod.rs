//! The draft of 1994: the validator's second dialect.
//!
//! RFC 1738 had drafts. One of them has a grammar in a BNF of its own, which other
//! programs of that year obeyed. Each function here has the name of a production of
//! that BNF and accepts what it accepts, to the letter, with one exception: schemes
//! may be in any letter case, as RFC 1738 section 2.1 has it "for resiliency".
//!
//! What differs from RFC 1738 (DESIGN.md has a table of all of it):
//!
//! - `safe` has `@` and `&` and no `+`; `extra` has the quotation mark, `:`, `;` and the
//!   space. `=` is in no production, and `~` is `national`.
//! - A name (`ialpha`) is a letter and any of these characters. So is a host.
//! - A path has no slash at its start and no two together. `ftp` needs one, `telnet`
//!   has none, and a search is words with `+` between them.
//! - There are no `mailto`, `nntp` and `file`. What has no production of its own is
//!   `generic`, a scheme and a path: `mailto:me@h.org`, but not `https://h.org/`.
//! - A fragment belongs to the grammar: [`fragmentaddress`].
//! - [`afsaddress`] "is left in as historical note, but is not a url production".
//!
//! Some of the BNF is ambiguous: the colon of a port is a character of a host, too.
//! What is accepted does not depend on that, and the parts are those that a reader
//! sees. There is no backtracking: the time is linear in the length.
//!
//! ```
//! use urlgrep::grammar::draft::{self, Url};
//!
//! let Url::Prospero { hsoname, version, attributes, .. } =
//!     draft::parse(b"prospero://h.org/pros/name%0012a1b2")? else { unreachable!() };
//! assert_eq!((hsoname, version, attributes), ("pros/name", Some("12"), "a1b2"));
//!
//! let error = draft::parse(b"http://h.org/~me/").unwrap_err();
//! assert_eq!((error.production(), error.offset()), ("path", 13));
//! # Ok::<(), urlgrep::grammar::ParseError>(())
//! ```

mod address;
mod chars;
mod login;
mod url;

pub use self::url::{AfsAddress, FragmentAddress, Url};
use self::{
    address::{
        PATH, ftpaddress, gopheraddress, httpaddress, newsaddress, prosperoaddress, telnetaddress,
        waisaddress,
    },
    chars::{XALPHA, final_search, ialpha, path, xalphas},
};
use super::{
    chars::COLON,
    error::{ParseError, Production},
    rest::Rest,
    schemes::{UrlKind, known},
    split_fragment,
};

static SCHEME: Production = Production::draft(
    "scheme",
    "a scheme is a letter and then letters, digits, escapes, spaces and \"$-_@.&!*\"'();,\", and a colon follows",
);

static FRAGMENTID: Production = Production::draft(
    "fragmentid",
    "a fragment is one or more letters, digits, escapes, spaces or \"$-_@.&!*\"'():;,\"",
);

static AFS_IS_NO_URL: Production = Production::draft(
    "afsaddress",
    "an AFS address \"is left in as historical note, but is not a url production\"",
);

/// Parses a URL of the draft with its fragment:
/// `fragmentaddress = uri [ "#" fragmentid ]`, where `fragmentid = xalphas`.
///
/// The time is linear in the length, and nothing is allocated.
///
/// # Errors
///
/// [`ParseError`] names the production that was not met, and where.
///
/// ```
/// use urlgrep::grammar::draft::fragmentaddress;
///
/// let address = fragmentaddress(b"http://h.org/a?b+c#d")?;
/// assert_eq!(address.uri().to_string(), "http://h.org/a?b+c");
/// assert_eq!(address.fragmentid(), Some("d"));
///
/// let error = fragmentaddress(b"http://h.org/a#~d").unwrap_err();
/// assert_eq!((error.production(), error.offset()), ("fragmentid", 15));
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn fragmentaddress(text: &[u8]) -> Result<FragmentAddress<'_>, ParseError> {
    let (url, fragment) = split_fragment(text);
    let uri = parse(url)?;
    let fragmentid = match fragment {
        Some(_) => Some(fragmentid(Rest::new(text).skip(url.len() + 1))?),
        None => None,
    };
    Ok(FragmentAddress { uri, fragmentid })
}

/// `fragmentid = xalphas`, at the end.
fn fragmentid(rest: Rest<'_>) -> Result<&str, ParseError> {
    let (fragmentid, end) = xalphas(rest, &FRAGMENTID)?;
    end.end(&FRAGMENTID)?;
    Ok(fragmentid)
}

/// Parses a URL of the draft: `uri`, which is `url`.
///
/// The time is linear in the length, and nothing is allocated.
///
/// # Errors
///
/// [`ParseError`] names the production that was not met, and where. Of a scheme with
/// a production of its own, it is that production or `generic`, whichever came
/// farther.
///
/// ```
/// use urlgrep::grammar::draft::{Url, parse};
///
/// assert!(matches!(parse(b"gopher://h.org/11/a")?, Url::Gopher { gtype: Some("1"), selector: "1/a", .. }));
/// assert!(matches!(parse(b"mailto:me@h.org")?, Url::Generic { path: "me@h.org", .. }));
/// assert_eq!(parse(b"https://h.org/").unwrap_err().production(), "path");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn parse(url: &[u8]) -> Result<Url<'_>, ParseError> {
    uri(Rest::new(url))
}

/// `uri = url`
fn uri(rest: Rest<'_>) -> Result<Url<'_>, ParseError> {
    let (scheme, rest) = scheme(rest)?;
    self::url(scheme, rest)
}

/// Parses what the draft has "as historical note":
/// `afsaddress = "afs://" cellname "/" path`, where `cellname = hostname`.
///
/// It "is not a url production": [`parse`] refuses it.
///
/// # Errors
///
/// [`ParseError`] names the production that was not met, and where.
///
/// ```
/// use urlgrep::grammar::draft::{afsaddress, parse};
///
/// let afs = afsaddress(b"afs://cell.org/a/b")?;
/// assert_eq!((afs.cellname(), afs.path()), ("cell.org", "a/b"));
/// assert_eq!(parse(b"afs://cell.org/a/b").unwrap_err().production(), "afsaddress");
/// # Ok::<(), urlgrep::grammar::ParseError>(())
/// ```
pub fn afsaddress(text: &[u8]) -> Result<AfsAddress<'_>, ParseError> {
    let (scheme, rest) = scheme(Rest::new(text))?;
    address::afsaddress(scheme, rest)
}

/// `scheme = ialpha`, and the colon after it.
///
/// `ialpha` has the colon. The first one ends the scheme: what is a path after a later
/// one is also part of a path after the first.
fn scheme(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    let (name, after) = ialpha(rest, XALPHA.without(COLON), &SCHEME)?;
    Ok((name, after.expect(":", &SCHEME)?))
}

/// `url = generic | httpaddress | ftpaddress | newsaddress | prosperoaddress |
/// telnetaddress | gopheraddress | waisaddress`
///
/// "The "generic" production gives a higher level parsing of the same URLs as the
/// other productions": where another accepts a URL, that says what its parts are.
fn url<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let own = match known(scheme.as_bytes()).map(|known| known.kind) {
        Some(UrlKind::Http) => httpaddress(scheme, rest),
        Some(UrlKind::Ftp) => ftpaddress(scheme, rest),
        Some(UrlKind::News) => newsaddress(scheme, rest),
        Some(UrlKind::Prospero) => prosperoaddress(scheme, rest),
        Some(UrlKind::Telnet) => telnetaddress(scheme, rest),
        Some(UrlKind::Gopher) => gopheraddress(scheme, rest),
        Some(UrlKind::Wais) => waisaddress(scheme, rest),
        _ => match address::afsaddress(scheme, rest) {
            Ok(_) => Err(rest.refuse(&AFS_IS_NO_URL)),
            Err(_) => return generic(scheme, rest),
        },
    };
    own.or_else(|error| generic(scheme, rest).map_err(|other| error.farther(other)))
}

/// `generic = scheme ":" path [ "?" search ]`
fn generic<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (path, rest) = path(rest);
    let search = final_search(rest, &PATH)?;
    Ok(Url::Generic { scheme, path, search })
}

#[cfg(test)]
mod tests;
