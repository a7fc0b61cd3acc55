//! The parts of a URL, with their names.

use serde_json::{Map, Value, json};
use urlgrep::grammar::Uri;
use urlgrep::grammar::draft;
use urlgrep::grammar::rfc1738::{HostPort, Login, Mailto, NewsPart, Other, Typecode, Url};

/// The parts of a URL, as written, with their escapes.
#[derive(Default)]
pub struct Parts {
    /// The name and the value of each line.
    pub lines: Vec<(&'static str, String)>,
    pub json: Map<String, Value>,
}

/// Returns the parts of a URL that conforms to RFC 1738.
pub fn of(url: &Url<'_>) -> Parts {
    let mut parts = Parts::default();
    let port = url.port();
    match url {
        Url::Ftp(ftp) => {
            parts.login(ftp.login(), port);
            parts.texts(&[("path", ftp.path()), ("type", ftp.typecode().map(typecode))]);
        }
        Url::Http(http) => {
            parts.hostport(http.hostport(), port);
            parts.texts(&[("path", http.path()), ("search", http.search())]);
        }
        Url::Gopher(gopher) => {
            parts.hostport(gopher.hostport(), port);
            // "If <gopher-path> is omitted, the type defaults to "1"" (RFC 1738, 3.4).
            match gopher.gtype() {
                Some(gtype) => parts.texts(&[("type", Some(gtype))]),
                None => parts.add("type", "1 (default)".to_owned(), json!("1")),
            }
            parts.texts(&[("selector", gopher.selector()), ("search", gopher.search())]);
            parts.texts(&[("gopher+", gopher.gopher_plus())]);
        }
        Url::Mailto(mailto) => parts.mailto(mailto),
        Url::News(news) => parts.news(news.part()),
        Url::Nntp(nntp) => {
            parts.hostport(nntp.hostport(), port);
            parts.texts(&[("group", Some(nntp.group())), ("article", nntp.article())]);
        }
        Url::Telnet(telnet) => parts.login(telnet.login(), port),
        Url::Wais(wais) => {
            parts.hostport(wais.hostport(), port);
            parts.texts(&[("database", Some(wais.database())), ("search", wais.search())]);
            parts.texts(&[("wtype", wais.wtype()), ("wpath", wais.wpath())]);
        }
        Url::File(file) => parts.texts(&[("host", file.host()), ("path", Some(file.path()))]),
        Url::Prospero(prospero) => {
            parts.hostport(prospero.hostport(), port);
            parts.texts(&[("object", Some(prospero.object_name()))]);
            let fields: Vec<_> = prospero.fields().collect();
            parts.lines.extend(fields.iter().map(|(name, value)| ("field", format!("{name}={value}"))));
            parts.json.extend((!fields.is_empty()).then(|| ("fields".to_owned(), json!(fields))));
        }
        Url::Other(other) => parts.other(other),
        _ => {}
    }
    parts
}

/// Returns the parts of a URL that conforms to the draft of 1994.
pub fn of_draft(url: &draft::Url<'_>) -> Parts {
    let mut parts = Parts::default();
    let port = url.port();
    match *url {
        draft::Url::Generic { path, search, .. } => parts.texts(&[("path", Some(path)), ("search", search)]),
        draft::Url::Http { hostport, path, search, .. } => {
            parts.hostport(hostport, port);
            parts.texts(&[("path", path), ("search", search)]);
        }
        draft::Url::Ftp { login, path, .. } => {
            parts.login(login, port);
            parts.texts(&[("path", Some(path))]);
        }
        draft::Url::News { groupart, .. } => parts.news(groupart),
        draft::Url::Prospero { hostport, hsoname, version, attributes, .. } => {
            parts.hostport(hostport, port);
            let attributes = Some(attributes).filter(|attributes| !attributes.is_empty());
            parts.texts(&[("hsoname", Some(hsoname)), ("version", version), ("attributes", attributes)]);
        }
        draft::Url::Telnet { login, .. } => parts.login(login, port),
        draft::Url::Gopher { hostport, gtype, selector, search, .. } => {
            parts.hostport(hostport, port);
            parts.texts(&[("type", gtype), ("selector", gtype.map(|_| selector)), ("search", search)]);
        }
        draft::Url::WaisIndex { hostport, database, search, .. } => {
            parts.hostport(hostport, port);
            parts.texts(&[("database", Some(database)), ("search", search)]);
        }
        draft::Url::WaisDoc { hostport, database, wtype, digits, path, .. } => {
            parts.hostport(hostport, port);
            parts.texts(&[("database", Some(database)), ("wtype", Some(wtype))]);
            parts.texts(&[("digits", Some(digits)), ("path", Some(path))]);
        }
        _ => {}
    }
    parts
}

/// Returns the parts of a URL that is valid only by RFC 3986.
pub fn of_generic(uri: &Uri<'_>) -> Parts {
    let mut parts = Parts::default();
    if uri.scheme().eq_ignore_ascii_case("mailto") && uri.host().is_none() {
        parts.texts(&[("address", Some(uri.path())), ("headers", uri.query())]);
        return parts;
    }
    parts.texts(&[("userinfo", uri.userinfo()), ("host", uri.host())]);
    if uri.host().is_some() {
        // An empty port means the default port.
        let digits = uri.port().filter(|digits| !digits.is_empty());
        let default = urlgrep::grammar::default_port(uri.scheme());
        let number = digits.map_or(default, |digits| digits.parse().ok());
        parts.port(digits, number);
    }
    parts.texts(&[("path", Some(uri.path())), ("query", uri.query())]);
    parts
}

fn typecode(typecode: Typecode) -> &'static str {
    match typecode {
        Typecode::Ascii => "ascii",
        Typecode::Image => "image",
        Typecode::Directory => "directory",
    }
}

impl Parts {
    fn add(&mut self, name: &'static str, line: String, value: Value) {
        self.lines.push((name, line));
        self.json.insert(name.to_owned(), value);
    }

    /// Adds the texts that are present.
    fn texts(&mut self, parts: &[(&'static str, Option<&str>)]) {
        for (name, value) in parts.iter().filter_map(|&(name, value)| Some((name, value?))) {
            self.add(name, value.to_owned(), json!(value));
        }
    }

    /// Adds a port: its digits, if there are any, and the number that applies.
    fn port(&mut self, digits: Option<&str>, number: Option<u16>) {
        match number {
            Some(port) if digits.is_none() => self.add("port", format!("{port} (default)"), json!(port)),
            Some(port) => self.add("port", port.to_string(), json!(port)),
            // The grammar allows ports above 65535.
            None => self.texts(&[("port", digits)]),
        }
    }

    fn hostport(&mut self, hostport: HostPort<'_>, port: Option<u16>) {
        self.texts(&[("host", Some(hostport.host()))]);
        self.port(hostport.port(), port);
    }

    fn login(&mut self, login: Login<'_>, port: Option<u16>) {
        self.texts(&[("user", login.user()), ("password", login.password())]);
        self.hostport(login.hostport(), port);
    }

    /// RFC 1738 has no header fields in a URL, so that "?" and the text after it are part of the
    /// email address there. Everybody reads them as RFC 6068 does.
    fn mailto(&mut self, mailto: &Mailto<'_>) {
        let (address, headers) = match mailto.encoded().split_once('?') {
            Some((address, headers)) => (address, Some(headers)),
            None => (mailto.encoded(), None),
        };
        if !address.is_empty() {
            let domain = mailto.domain().split('?').next();
            self.texts(&[
                ("address", Some(address)),
                ("local", Some(mailto.local_part())),
                ("domain", domain),
            ]);
        }
        self.texts(&[("headers", headers)]);
    }

    fn news(&mut self, part: NewsPart<'_>) {
        match part {
            NewsPart::All => self.texts(&[("group", Some("*"))]),
            NewsPart::Group(group) => self.texts(&[("group", Some(group))]),
            NewsPart::Article { unique, host } => {
                self.texts(&[("unique", Some(unique)), ("host", Some(host))])
            }
        }
    }

    fn other(&mut self, other: &Other<'_>) {
        match other.login() {
            Some(login) => {
                self.login(login, other.port());
                // RFC 1738 does not know https; RFC 9110 §4.2.2 gives it the syntax of http.
                match other.urlpath().filter(|_| other.scheme().eq_ignore_ascii_case("https")) {
                    Some(path) => {
                        let (path, search) = path.split_once('?').map_or((path, None), |(a, b)| (a, Some(b)));
                        self.texts(&[("path", Some(path)), ("search", search)]);
                    }
                    None => self.texts(&[("urlpath", other.urlpath())]),
                }
            }
            None => self.texts(&[("schemepart", Some(other.schemepart()))]),
        }
    }
}
