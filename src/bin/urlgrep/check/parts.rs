//! The parts of a URL, by their names.

use std::io;

use serde_json::{Value, json};
use urlgrep::grammar::generic::Uri;
use urlgrep::grammar::{Gopher, HostPort, Login, NewsPart, Other, Prospero, Typecode, Url, Wais};

/// A part of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'u> {
    /// A part as it is written, escapes and all.
    Text(&'static str, &'u str),
    /// A Gopher type that is not written: it "defaults to "1"".
    DefaultType,
    /// A port that is written.
    Port(u16),
    /// The scheme's port, because none is written.
    DefaultPort(u16),
    /// The fields of a Prospero object, in order.
    Fields(Vec<(&'u str, &'u str)>),
}

impl Part<'_> {
    /// Calls `print` with name and value of each line that shows the part.
    pub fn each_line(&self, mut print: impl FnMut(&str, &str) -> io::Result<()>) -> io::Result<()> {
        match self {
            Part::Text(name, value) => print(name, value),
            Part::DefaultType => print("type", "1 (default)"),
            Part::Port(port) => print("port", &port.to_string()),
            Part::DefaultPort(port) => print("port", &format!("{port} (default)")),
            Part::Fields(fields) => {
                fields.iter().try_for_each(|(name, value)| print("field", &format!("{name}={value}")))
            }
        }
    }

    /// The part as a member of an object.
    pub fn to_json(&self) -> (String, Value) {
        let (name, value) = match self {
            Part::Text(name, value) => (*name, json!(value)),
            Part::DefaultType => ("type", json!("1")),
            Part::Port(port) | Part::DefaultPort(port) => ("port", json!(port)),
            Part::Fields(fields) => ("fields", json!(fields)),
        };
        (name.to_owned(), value)
    }
}

/// The parts of a URL that RFC 1738 accepts.
pub fn of<'u>(url: &Url<'u>) -> Vec<Part<'u>> {
    let mut parts = Parts(Vec::new());
    let port = url.port();
    match url {
        Url::Ftp(ftp) => {
            parts.login(ftp.login(), port);
            parts.text("path", ftp.path());
            parts.text("type", ftp.typecode().map(typecode));
        }
        Url::Http(http) => {
            parts.hostport(http.hostport(), port);
            parts.text("path", http.path());
            parts.text("search", http.search());
        }
        Url::Gopher(gopher) => parts.gopher(gopher),
        Url::Mailto(mailto) => {
            parts.text("address", Some(mailto.encoded()));
            parts.text("local", Some(mailto.local_part()));
            parts.text("domain", Some(mailto.domain()));
        }
        Url::News(news) => parts.news(news.part()),
        Url::Nntp(nntp) => {
            parts.hostport(nntp.hostport(), port);
            parts.text("group", Some(nntp.group()));
            parts.text("article", nntp.article());
        }
        Url::Telnet(telnet) => parts.login(telnet.login(), port),
        Url::Wais(wais) => parts.wais(wais),
        Url::File(file) => {
            parts.text("host", file.host());
            parts.text("path", Some(file.path()));
        }
        Url::Prospero(prospero) => parts.prospero(prospero),
        Url::Other(other) => parts.other(other),
        _ => {}
    }
    parts.0
}

/// The parts of a URL that only RFC 3986 accepts, which knows no defaults but
/// those of the schemes.
pub fn of_generic<'u>(uri: &Uri<'u>) -> Vec<Part<'u>> {
    let mut parts = Parts(Vec::new());
    parts.text("userinfo", uri.userinfo());
    if let Some(host) = uri.host() {
        parts.text("host", Some(host));
        // An empty port is as good as none.
        let digits = uri.port().filter(|digits| !digits.is_empty());
        let default = urlgrep::grammar::default_port(uri.scheme());
        let number = digits.map_or(default, |digits| digits.parse().ok());
        parts.port(digits, number);
    }
    parts.text("path", Some(uri.path()));
    parts.text("query", uri.query());
    parts.0
}

fn typecode(typecode: Typecode) -> &'static str {
    match typecode {
        Typecode::Ascii => "ascii",
        Typecode::Image => "image",
        Typecode::Directory => "directory",
    }
}

struct Parts<'u>(Vec<Part<'u>>);

impl<'u> Parts<'u> {
    fn text(&mut self, name: &'static str, value: Option<&'u str>) {
        self.0.extend(value.map(|value| Part::Text(name, value)));
    }

    /// A port as it is `written`, and the `number` that is meant.
    fn port(&mut self, written: Option<&'u str>, number: Option<u16>) {
        match (written, number) {
            (Some(_), Some(number)) => self.0.push(Part::Port(number)),
            (None, Some(number)) => self.0.push(Part::DefaultPort(number)),
            // More than 65535, which the grammar allows.
            (Some(digits), None) => self.0.push(Part::Text("port", digits)),
            (None, None) => {}
        }
    }

    fn hostport(&mut self, hostport: HostPort<'u>, port: Option<u16>) {
        self.text("host", Some(hostport.host()));
        self.port(hostport.port(), port);
    }

    fn login(&mut self, login: Login<'u>, port: Option<u16>) {
        self.text("user", login.user());
        self.text("password", login.password());
        self.hostport(login.hostport(), port);
    }

    fn gopher(&mut self, gopher: &Gopher<'u>) {
        self.hostport(gopher.hostport(), gopher.port());
        match gopher.gtype() {
            Some(gtype) => self.text("type", Some(gtype)),
            None => self.0.push(Part::DefaultType),
        }
        self.text("selector", gopher.selector());
        self.text("search", gopher.search());
        self.text("gopher+", gopher.gopher_plus());
    }

    fn news(&mut self, part: NewsPart<'u>) {
        match part {
            NewsPart::All => self.text("group", Some("*")),
            NewsPart::Group(group) => self.text("group", Some(group)),
            NewsPart::Article { unique, host } => {
                self.text("unique", Some(unique));
                self.text("host", Some(host));
            }
        }
    }

    fn wais(&mut self, wais: &Wais<'u>) {
        self.hostport(wais.hostport(), wais.port());
        self.text("database", Some(wais.database()));
        self.text("search", wais.search());
        self.text("wtype", wais.wtype());
        self.text("wpath", wais.wpath());
    }

    fn prospero(&mut self, prospero: &Prospero<'u>) {
        self.hostport(prospero.hostport(), prospero.port());
        self.text("object", Some(prospero.object_name()));
        let fields: Vec<_> = prospero.fields().collect();
        if !fields.is_empty() {
            self.0.push(Part::Fields(fields));
        }
    }

    fn other(&mut self, other: &Other<'u>) {
        match other.login() {
            Some(login) => {
                self.login(login, other.port());
                self.text("urlpath", other.urlpath());
            }
            None => self.text("schemepart", Some(other.schemepart())),
        }
    }
}
