//! The productions whose names end in `address`, and those that they alone have.

use super::super::{
    HostPort, NewsPart,
    chars::ALPHADIGIT,
    error::{ParseError, Production},
    rest::Rest,
};
use super::chars::{XALPHA, digits, final_search, ialpha, path, run, xalphas};
use super::login::{before_at_sign, host, hostname, hostport, login};
use super::url::{AfsAddress, Url};

static HTTPADDRESS: Production = Production::draft(
    "httpaddress",
    "an HTTP address is \"http://\", a host and port, perhaps \"/\" and a path, perhaps \"?\" and a search",
);

static FTPADDRESS: Production =
    Production::draft("ftpaddress", "an FTP address is \"ftp://\", a login, \"/\" and a path");

static AFSADDRESS: Production =
    Production::draft("afsaddress", "an AFS address is \"afs://\", the name of a cell, \"/\" and a path");

static WAISADDRESS: Production =
    Production::draft("waisaddress", "a WAIS address is \"wais://\", a host and port, \"/\" and a database");

static DATABASE: Production = Production::draft(
    "database",
    "a database is one or more letters, digits, escapes, spaces or \"$-_@.&!*\"'():;,\"",
);

static WTYPE: Production = Production::draft(
    "wtype",
    "a document's type is one or more letters, digits, escapes, spaces or \"$-_@.&!*\"'():;,\", and a \"/\" follows",
);

static WAISDOC: Production = Production::draft(
    "waisdoc",
    "after the database of a document come its type, digits and a path, each after a \"/\"",
);

static GROUPART: Production =
    Production::draft("groupart", "\"*\", a newsgroup or a message-id follows, and nothing else");

static PROSPEROLINK: Production = Production::draft(
    "prosperolink",
    "a Prospero link is \"prospero://\", a host and port, \"/\" and an object's name",
);

static TELNETADDRESS: Production =
    Production::draft("telnetaddress", "a Telnet address is \"telnet://\" and a login, and no \"/\"");

static GOPHERADDRESS: Production = Production::draft(
    "gopheraddress",
    "a Gopher address is \"gopher://\", a host and port, perhaps \"/\" and a type, perhaps \"?\" and a search",
);

static GTYPE: Production = Production::draft(
    "gtype",
    "a Gopher type is a letter, a digit, an escape, a space or one of \"$-_@.&!*\"'():;,\"",
);

pub(super) static PATH: Production = Production::draft(
    "path",
    "a path is made of letters, digits, escapes, spaces and \"$-_@.&!*\"'():;,+\", and of \"/\" after any of these",
);

/// `httpaddress = "http://" hostport [ "/" path ] [ "?" search ]`
pub(super) fn httpaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &HTTPADDRESS)?)?;
    let mut url_path = None;
    let mut end = rest;
    if let Some(rest) = rest.eat("/") {
        let (path, rest) = path(rest);
        (url_path, end) = (Some(path), rest);
    }
    let search = final_search(end, &PATH)?;
    Ok(Url::Http { scheme, hostport, path: url_path, search })
}

/// `ftpaddress = "ftp://" login "/" path`
pub(super) fn ftpaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (login, rest) = login(rest.expect("//", &FTPADDRESS)?)?;
    let path = final_path(rest.expect("/", &FTPADDRESS)?)?;
    Ok(Url::Ftp { scheme, login, path })
}

/// `afsaddress = "afs://" cellname "/" path`
pub(super) fn afsaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<AfsAddress<'a>, ParseError> {
    if !scheme.eq_ignore_ascii_case("afs") {
        return Err(rest.refuse(&AFSADDRESS));
    }
    let (cellname, rest) = cellname(rest.expect("//", &AFSADDRESS)?)?;
    let path = final_path(rest.expect("/", &AFSADDRESS)?)?;
    Ok(AfsAddress { scheme, cellname, path })
}

/// `cellname = hostname`
fn cellname(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    hostname(rest)
}

/// `newsaddress = "news:" groupart`
pub(super) fn newsaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let groupart = groupart(rest)?;
    Ok(Url::News { scheme, groupart })
}

/// `groupart = "*" | group | article`
///
/// An article's at-sign is a character of a group's name, too: the article wins.
fn groupart(rest: Rest<'_>) -> Result<NewsPart<'_>, ParseError> {
    if rest.bytes() == b"*" {
        return Ok(NewsPart::All);
    }
    run(rest, XALPHA).1.end(&GROUPART)?;
    match article(rest) {
        Some(article) => Ok(article),
        None => group(rest),
    }
}

/// `group = ialpha [ "." group ]`, at the end of a URL.
fn group(rest: Rest<'_>) -> Result<NewsPart<'_>, ParseError> {
    ialpha(rest, XALPHA, &GROUPART).map(|(group, _)| NewsPart::Group(group))
}

/// `article = xalphas "@" host`, at the end of a URL.
fn article(rest: Rest<'_>) -> Option<NewsPart<'_>> {
    let final_host = |rest| {
        let (host, rest) = host(rest)?;
        rest.end(&GROUPART)?;
        Ok(host)
    };
    let (unique, host) = before_at_sign(rest, final_host)?;
    Some(NewsPart::Article { unique, host })
}

/// `waisaddress = waisindex | waisdoc`
///
/// Both begin `"wais://" hostport "/" database`; the next character tells them apart.
pub(super) fn waisaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &WAISADDRESS)?)?;
    let (database, rest) = database(rest.expect("/", &WAISADDRESS)?)?;
    match rest.eat("/") {
        Some(rest) => waisdoc(scheme, hostport, database, rest),
        None => waisindex(scheme, hostport, database, rest),
    }
}

/// `database = xalphas`
fn database(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    xalphas(rest, &DATABASE)
}

/// `wtype = xalphas`
fn wtype(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    xalphas(rest, &WTYPE)
}

/// `waisindex = "wais://" hostport "/" database [ "?" search ]`, after the database.
fn waisindex<'a>(
    scheme: &'a str,
    hostport: HostPort<'a>,
    database: &'a str,
    rest: Rest<'a>,
) -> Result<Url<'a>, ParseError> {
    let search = final_search(rest, &DATABASE)?;
    Ok(Url::WaisIndex { scheme, hostport, database, search })
}

/// `waisdoc = "wais://" hostport "/" database "/" wtype "/" digits "/" path`, after the
/// slash that ends the database.
fn waisdoc<'a>(
    scheme: &'a str,
    hostport: HostPort<'a>,
    database: &'a str,
    rest: Rest<'a>,
) -> Result<Url<'a>, ParseError> {
    let (wtype, rest) = wtype(rest)?;
    let (digits, rest) = digits(rest.expect("/", &WTYPE)?, &WAISDOC)?;
    let path = final_path(rest.expect("/", &WAISDOC)?)?;
    Ok(Url::WaisDoc { scheme, hostport, database, wtype, digits, path })
}

/// `prosperoaddress = prosperolink`
pub(super) fn prosperoaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    prosperolink(scheme, rest)
}

/// `prosperolink = "prospero://" hostport "/" hsoname [ "%00" version [ attributes ] ]`
fn prosperolink<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, rest) = hostport(rest.expect("//", &PROSPEROLINK)?)?;
    let name = final_path(rest.expect("/", &PROSPEROLINK)?)?;
    let (hsoname, link) = hsoname(name);
    let (version, attributes) = match link {
        Some((version, attributes)) => (Some(version), attributes),
        None => (None, ""),
    };
    Ok(Url::Prospero { scheme, hostport, hsoname, version, attributes })
}

/// `hsoname = path`, and the version and attributes after it.
///
/// All of them together are a path as well, so that this refuses nothing. The link
/// begins at the last escape, if that is `%00` and what follows is a link.
fn hsoname(name: &str) -> (&str, Option<(&str, &str)>) {
    let link = name.rfind('%').filter(|&at| name[at..].starts_with("%00")).and_then(|at| {
        let (version, rest) = version(&name[at + "%00".len()..]);
        let is_link = !version.is_empty() && is_attributes(rest);
        is_link.then_some((&name[..at], Some((version, rest))))
    });
    link.unwrap_or((name, None))
}

/// `version = digits`, and what follows it.
fn version(link: &str) -> (&str, &str) {
    link.split_at(link.bytes().take_while(u8::is_ascii_digit).count())
}

/// Whether this is `[ attributes ]`: `attributes = attribute [ attributes ]`, where
/// `attribute = alphanums`. Nothing divides one from the next.
fn is_attributes(text: &str) -> bool {
    text.bytes().all(|byte| ALPHADIGIT.has(byte))
}

/// `telnetaddress = "telnet://" login`
pub(super) fn telnetaddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (login, rest) = login(rest.expect("//", &TELNETADDRESS)?)?;
    rest.end(&TELNETADDRESS)?;
    Ok(Url::Telnet { scheme, login })
}

/// `gopheraddress = "gopher://" hostport [ "/" gtype [ selector ] ] [ "?" search ]`
pub(super) fn gopheraddress<'a>(scheme: &'a str, rest: Rest<'a>) -> Result<Url<'a>, ParseError> {
    let (hostport, mut rest) = hostport(rest.expect("//", &GOPHERADDRESS)?)?;
    let (mut gtype, mut selector) = (None, "");
    if let Some(after) = rest.eat("/") {
        let (one, after) = self::gtype(after)?;
        gtype = Some(one);
        (selector, rest) = self::selector(after);
    }
    let search = final_search(rest, &PATH)?;
    Ok(Url::Gopher { scheme, hostport, gtype, selector, search })
}

/// `gtype = xalpha`
fn gtype(rest: Rest<'_>) -> Result<(&str, Rest<'_>), ParseError> {
    match run(rest, XALPHA).0.bytes().next() {
        None => Err(rest.refuse(&GTYPE)),
        Some(b'%') => Ok(rest.take(3)),
        Some(_) => Ok(rest.take(1)),
    }
}

/// `selector = path`
fn selector(rest: Rest<'_>) -> (&str, Rest<'_>) {
    path(rest)
}

/// `path` at the end of a URL.
fn final_path(rest: Rest<'_>) -> Result<&str, ParseError> {
    let (path, rest) = path(rest);
    rest.end(&PATH)?;
    Ok(path)
}
