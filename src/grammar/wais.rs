//! `wais:` (RFC 1738 section 3.9).

use std::fmt;

use super::http::final_search;
use super::login::{HostPort, hostport};
use super::production::*;

productions! {
    WAISURL: "waisurl", "RFC 1738 section 3.9", NO_ESCAPES,
        "a WAIS URL is \"wais://\", a host and port, \"/\" and a database";
    DATABASE: "database", "RFC 1738 section 3.9", ESCAPES,
        "a database consists of letters, digits, escapes and \"$-_.+!*'(),\"";
    WTYPE: "wtype", "RFC 1738 section 3.9", ESCAPES,
        "a document's type consists of letters, digits, escapes and \"$-_.+!*'(),\", and a \"/\" follows";
    WPATH: "wpath", "RFC 1738 section 3.9", ESCAPES,
        "a document-id consists of letters, digits, escapes and \"$-_.+!*'(),\"";
}

/// A WAIS database, a search in it or a document from it.
///
/// ```
/// use urlgrep::grammar::rfc1738::{Url, parse};
///
/// let wais = |url: &'static str| match parse(url) {
///     Ok(Url::Wais(wais)) => wais,
///     _ => unreachable!(),
/// };
/// let search = wais("wais://h.org/db?words");
/// assert_eq!(search.scheme(), "wais");
/// assert_eq!(search.hostport().host(), "h.org");
/// assert_eq!(search.port(), Some(210));
/// assert_eq!((search.database(), search.search()), ("db", Some("words")));
///
/// let document = wais("wais://h.org:210/db/TEXT/1%3d2");
/// assert_eq!(document.wtype(), Some("TEXT"));
/// assert_eq!(document.wpath(), Some("1%3d2"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wais<'a> {
    scheme: &'a str,
    hostport: HostPort<'a>,
    database: &'a str,
    form: WaisForm<'a>,
}

/// The three forms, by their productions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum WaisForm<'a> {
    Database,
    Index { search: &'a str },
    Doc { wtype: &'a str, wpath: &'a str },
}

impl<'a> Wais<'a> {
    /// Returns the scheme as written.
    pub fn scheme(&self) -> &'a str {
        self.scheme
    }

    /// Returns host and port.
    pub fn hostport(&self) -> HostPort<'a> {
        self.hostport
    }

    /// Returns the port, 210 if none is given; `None` if it exceeds 65535.
    pub fn port(&self) -> Option<u16> {
        self.hostport.number(Some(210))
    }

    /// Returns the name of the database.
    pub fn database(&self) -> &'a str {
        self.database
    }

    /// Returns the words to search for, if the URL is a search.
    pub fn search(&self) -> Option<&'a str> {
        match self.form {
            WaisForm::Index { search } => Some(search),
            _ => None,
        }
    }

    /// Returns the type of the document, if the URL designates one.
    pub fn wtype(&self) -> Option<&'a str> {
        match self.form {
            WaisForm::Doc { wtype, .. } => Some(wtype),
            _ => None,
        }
    }

    /// Returns the id of the document, if the URL designates one.
    pub fn wpath(&self) -> Option<&'a str> {
        match self.form {
            WaisForm::Doc { wpath, .. } => Some(wpath),
            _ => None,
        }
    }
}

impl fmt::Display for Wais<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.scheme, self.hostport, self.database)?;
        match self.form {
            WaisForm::Database => Ok(()),
            WaisForm::Index { search } => write!(f, "?{search}"),
            WaisForm::Doc { wtype, wpath } => write!(f, "/{wtype}/{wpath}"),
        }
    }
}

/// `waisurl = waisdatabase | waisindex | waisdoc`
///
/// All three start with `"wais://" hostport "/" database`; the next character
/// decides which it is.
pub(super) fn waisurl<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Wais<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &WAISURL)?)?;
    let (database, rest) = rest.expect("/", &WAISURL)?.run(UCHAR);
    let form = if let Some(rest) = rest.eat("?") {
        WaisForm::Index { search: final_search(rest)? }
    } else if let Some(rest) = rest.eat("/") {
        document(rest)?
    } else {
        rest.end(&DATABASE)?;
        WaisForm::Database
    };
    Ok(Wais { scheme, hostport, database, form })
}

/// The end of `waisdoc`: `wtype "/" wpath`, each `*uchar`.
fn document(rest: Rest<'_>) -> Result<WaisForm<'_>, ParseError> {
    let (wtype, rest) = rest.run(UCHAR);
    let wpath = rest.expect("/", &WTYPE)?.all(UCHAR, &WPATH)?;
    Ok(WaisForm::Doc { wtype, wpath })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{accepted, refused};

    #[test]
    fn three_forms() {
        accepted("wais://h.org/db");
        accepted("wais://h.org:210/");
        accepted("wais://h.org/db?");
        accepted("wais://h.org/db?a:b@c&d=e;f");
        accepted("wais://h.org/db//");
        accepted("wais://h.org/db/TEXT/1%3d2");
    }

    #[test]
    fn refusals() {
        refused("wais:h", "waisurl", 5);
        refused("wais://h.org", "waisurl", 12);
        refused("wais://h.org?q", "waisurl", 12);
        refused("wais://h.org/a=b", "database", 14);
        refused("wais://h.org/a?b/c", "search", 16);
        refused("wais://h.org/a/b", "wtype", 16);
        refused("wais://h.org/a/b?", "wtype", 16);
        refused("wais://h.org/a/b/c/d", "wpath", 18);
    }
}
