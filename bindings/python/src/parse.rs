//! `parse` and `parse_rfc1738`: the parts of a URL, for the classes in `_types.py`; `unwrap`: the URL within a link.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use urlgrep::grammar::rfc1738::{HostPort, Login, NewsPart, Typecode, Url};
use urlgrep::grammar::{self, ParseError};

use crate::matched::decode;
use crate::options::type_name;

/// Sets fields to the results of the methods of their names.
macro_rules! set {
    ($parts:expr, $url:expr, $($name:ident),+) => {
        $($parts.set(stringify!($name), $url.$name())?;)+
    };
}

/// The name of a class and its fields, or the production, section, offset and message of the
/// error.
#[derive(IntoPyObject)]
pub enum Parsed<'py> {
    Url(&'static str, Bound<'py, PyDict>),
    Error(&'static str, &'static str, usize, String),
}

impl<'py> Parsed<'py> {
    /// Every grammar rejects non-ASCII characters, so the byte offset of an error is also its offset in characters.
    fn of<T>(
        py: Python<'py>,
        parsed: Result<T, ParseError>,
        set: impl FnOnce(&Parts<'py>, T) -> PyResult<&'static str>,
    ) -> PyResult<Self> {
        let parts = Parts(PyDict::new(py));
        Ok(match parsed {
            Ok(url) => Parsed::Url(set(&parts, url)?, parts.0),
            Err(error) => {
                Parsed::Error(error.production(), error.section(), error.offset(), error.to_string())
            }
        })
    }
}

/// Returns the parts of a URL: see `urlgrep.parse`.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub fn parse<'py>(url: &Bound<'py, PyAny>) -> PyResult<Parsed<'py>> {
    Parsed::of(url.py(), grammar::parse(bytes_of(url)?.as_bytes()), |parts, uri| {
        parts.set("url", uri.to_string())?;
        parts.set("scheme", uri.scheme().to_ascii_lowercase())?;
        set!(parts, uri, userinfo, host, port, path, query, fragment);
        Ok("Uri")
    })
}

/// Returns the parts of a URL of RFC 1738: see `urlgrep.parse_rfc1738`.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub fn parse_rfc1738<'py>(url: &Bound<'py, PyAny>) -> PyResult<Parsed<'py>> {
    Parsed::of(url.py(), grammar::rfc1738::parse(bytes_of(url)?.as_bytes()), |parts, url| parts.of(&url))
}

/// The bytes of a URL.
fn bytes_of<'py>(url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(text) = url.cast::<PyString>() {
        Ok(text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into()?)
    } else if let Ok(bytes) = url.cast::<PyBytes>() {
        Ok(bytes.clone())
    } else {
        Err(PyTypeError::new_err(format!("expected str or bytes, found {}", type_name(url))))
    }
}

/// Returns the URL inside a rewritten link, such as a Safe Links URL, or None if `url` is not such
/// a link, or contains a key instead of a URL.
///
/// No network is used. Links within links are opened as well, at most ten. Time is linear in the length of the
/// URL for each. The result is a str or bytes, as `url` is; the option unwrap does the same to all matches.
///
/// Raises TypeError for anything else than a str or bytes.
#[pyfunction]
#[pyo3(signature = (url, /))]
pub fn unwrap<'py>(url: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = url.py();
    let bytes = bytes_of(url)?;
    let Some(inner) = urlgrep::unwrap(bytes.as_bytes()) else { return Ok(None) };
    Ok(Some(match url.is_instance_of::<PyString>() {
        true => decode(py, inner.as_bytes(), "surrogatepass")?.into_any(),
        false => PyBytes::new(py, inner.as_bytes()).into_any(),
    }))
}

/// The fields of a URL.
struct Parts<'py>(Bound<'py, PyDict>);

impl<'py> Parts<'py> {
    fn set(&self, name: &str, value: impl IntoPyObject<'py>) -> PyResult<()> {
        self.0.set_item(name, value)
    }

    fn tuple<T: IntoPyObject<'py>>(&self, name: &str, values: impl Iterator<Item = T>) -> PyResult<()> {
        let values: Vec<T> = values.collect();
        self.set(name, PyTuple::new(self.0.py(), values)?)
    }

    fn hostport(&self, hostport: HostPort<'_>, port: Option<u16>) -> PyResult<()> {
        self.set("host", hostport.host())?;
        self.set("port", port)
    }

    fn login(&self, login: Login<'_>, port: Option<u16>) -> PyResult<()> {
        self.set("user", login.user())?;
        self.set("password", login.password())?;
        self.hostport(login.hostport(), port)
    }

    /// Sets the fields and returns the name of the class.
    fn of(&self, url: &Url<'_>) -> PyResult<&'static str> {
        self.set("url", url.to_string())?;
        self.set("scheme", url.scheme().to_ascii_lowercase())?;
        Ok(match url {
            Url::Ftp(ftp) => {
                self.login(ftp.login(), ftp.port())?;
                set!(self, ftp, path);
                self.tuple("segments", ftp.segments())?;
                self.set("typecode", ftp.typecode().map(typecode))?;
                "Ftp"
            }
            Url::Http(http) => {
                self.hostport(http.hostport(), http.port())?;
                set!(self, http, path, search);
                self.tuple("segments", http.segments())?;
                "Http"
            }
            Url::File(file) => {
                set!(self, file, host, path);
                self.tuple("segments", file.segments())?;
                "File"
            }
            Url::Telnet(telnet) => {
                self.login(telnet.login(), telnet.port())?;
                "Telnet"
            }
            Url::Other(other) => {
                set!(self, other, schemepart);
                match other.login() {
                    Some(login) => self.login(login, other.port())?,
                    None => ["user", "password", "host", "port"]
                        .into_iter()
                        .try_for_each(|n| self.set(n, None::<&str>))?,
                }
                self.set("path", other.urlpath())?;
                "Other"
            }
            Url::Gopher(gopher) => {
                self.hostport(gopher.hostport(), gopher.port())?;
                self.set("item_type", char::from(gopher.item_type()))?;
                set!(self, gopher, selector, search, gopher_plus);
                "Gopher"
            }
            Url::Nntp(nntp) => {
                self.hostport(nntp.hostport(), nntp.port())?;
                set!(self, nntp, group, article);
                "Nntp"
            }
            Url::Wais(wais) => {
                self.hostport(wais.hostport(), wais.port())?;
                set!(self, wais, database, search, wtype, wpath);
                "Wais"
            }
            Url::Prospero(prospero) => {
                self.hostport(prospero.hostport(), prospero.port())?;
                set!(self, prospero, object_name);
                self.tuple("fields", prospero.fields())?;
                "Prospero"
            }
            Url::Mailto(mailto) => {
                self.set("address", String::from_utf8_lossy(&mailto.address()))?;
                set!(self, mailto, local_part, domain);
                "Mailto"
            }
            Url::News(news) => {
                let (group, article) = match news.part() {
                    NewsPart::Group(group) => (Some(group), None),
                    part @ NewsPart::Article { .. } => (None, Some(part.to_string())),
                    _ => (None, None),
                };
                self.set("group", group)?;
                self.set("article", article)?;
                "News"
            }
            // A kind that this package does not know yet.
            _ => "Url",
        })
    }
}

fn typecode(code: Typecode) -> &'static str {
    match code {
        Typecode::Ascii => "a",
        Typecode::Image => "i",
        Typecode::Directory => "d",
    }
}
