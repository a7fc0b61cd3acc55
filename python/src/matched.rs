//! `Match`: a URL, where it is, and what it is.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use urlgrep::ArchiveMatch;

use crate::facts::Facts;

/// A range of offsets, the end exclusive.
pub type Range = (u64, u64);

/// Where a match is, in the units of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub span: Range,
    pub segments: Vec<Range>,
}

/// A URL that was found.
///
/// Offsets count from 0, and ends are exclusive. They are code points of a `str`, bytes of
/// anything else. A match is immutable, can be compared for equality, hashed and pickled, and holds
/// neither the text nor the file. It has no order: sorted() needs a key.
#[pyclass(frozen, module = "urlgrep")]
#[derive(Debug)]
pub struct Match {
    url: Box<[u8]>,
    place: Place,
    /// Whether it is from a `str`.
    of_str: bool,
    path: Option<Vec<u8>>,
    /// Whether links were replaced by the URLs within them.
    unwraps: bool,
    /// What the facts are computed from.
    source: Option<Source>,
    /// They cost a pass of the grammar over the URL, which many callers do not need.
    facts: OnceLock<Facts>,
}

/// What the facts are computed from.
#[derive(Debug)]
enum Source {
    Text(Box<urlgrep::Match<'static>>),
    Archive(Box<ArchiveMatch>),
}

impl Match {
    /// A match in a text.
    pub fn in_text(matched: urlgrep::Match<'static>, place: Place, of_str: bool, unwraps: bool) -> Match {
        let url = matched.as_bytes().into();
        let source = Some(Source::Text(Box::new(matched)));
        Match { url, place, of_str, path: None, unwraps, source, facts: OnceLock::new() }
    }

    /// A match in the file at `path`.
    pub fn in_archive(matched: ArchiveMatch, path: Option<Vec<u8>>, unwraps: bool) -> Match {
        let pair = |range: std::ops::Range<u64>| (range.start, range.end);
        let segments = matched.segments().iter().cloned().map(pair).collect();
        let place = Place { span: pair(matched.span()), segments };
        let url = matched.in_text().as_bytes().into();
        let source = Some(Source::Archive(Box::new(matched)));
        Match { url, place, of_str: false, path, unwraps, source, facts: OnceLock::new() }
    }

    fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| match &self.source {
            Some(Source::Archive(matched)) => Facts::of_archive(matched, self.unwraps),
            Some(Source::Text(matched)) => Facts::of(matched, self.unwraps),
            None => unreachable!("a match that is restored has its facts"),
        })
    }

    /// Bytes of the text as a `str`: as they were, if the text was one.
    fn spell<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
        decode(py, bytes, if self.of_str { "surrogatepass" } else { "surrogateescape" })
    }

    /// What is compared: all but the source.
    fn key(&self) -> (&[u8], &Place, bool, &Option<Vec<u8>>) {
        (&self.url, &self.place, self.of_str, &self.path)
    }
}

/// Bytes as a `str`, by an error handler that keeps what is not UTF-8.
pub fn decode<'py>(py: Python<'py>, bytes: &[u8], errors: &str) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let decoded = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", errors))?;
    Ok(decoded.cast_into::<PyString>()?)
}

#[pymethods]
impl Match {
    /// The URL, including its fragment. If lines were joined or hyphens are in doubt, the likeliest
    /// reading. Bytes that are not UTF-8 are surrogates (PEP 383); those of a `str` are its own.
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.spell(py, &self.url)
    }

    /// The URL as the bytes that are in the text; of a `str`, in UTF-8.
    #[getter]
    fn url_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.url)
    }

    /// Where the match starts, its delimiters included: code points of a `str`, else bytes, from 0.
    #[getter]
    fn start(&self) -> u64 {
        self.place.span.0
    }

    /// Where the match ends, exclusive, its delimiters included.
    #[getter]
    fn end(&self) -> u64 {
        self.place.span.1
    }

    /// The ranges of the text that the URL is made of, in order: pairs (start, end). In decoded mail,
    /// the ranges that encode it.
    #[getter]
    fn segments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.place.segments)
    }

    /// The scheme in lower case, without the colon. Of a host or address without one, what it implies.
    #[getter]
    fn scheme(&self) -> &str {
        &self.facts().scheme
    }

    /// The host in lower case, or None.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.facts().host.as_deref()
    }

    /// The port in the URL, or else the default of the scheme, or None.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.facts().port
    }

    /// The URL in ASCII (IDNA and percent-encoding), or None if it is ASCII.
    #[getter]
    fn ascii(&self) -> Option<&str> {
        self.facts().ascii.as_deref()
    }

    /// How the URL is in the text: 'wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'href' or, with
    /// refang=True, 'defanged'.
    #[getter]
    fn form(&self) -> &str {
        &self.facts().form
    }

    /// What a reader of HTML sees of the link, or is told of its picture, at most 200 bytes; None for other
    /// matches.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.facts().text.as_deref().map(|text| self.spell(py, text)).transpose()
    }

    /// What the URL is to a reader: 'text', 'link', 'image', 'form', 'resource' or 'header'.
    #[getter]
    fn role(&self) -> &str {
        &self.facts().role
    }

    /// The element and the attribute of HTML or XML that have the URL, as 'a@href'; None for a URL in a text.
    #[getter]
    fn element(&self) -> Option<&str> {
        self.facts().element.as_deref()
    }

    /// How well formed the URL is: 'rfc1738', 'rfc3986' or 'lenient'; with dialect='draft', also
    /// 'draft1994'.
    #[getter]
    fn grade(&self) -> &str {
        &self.facts().grade
    }

    /// Why the grade is not better: a dict with 'production', 'offset' (a byte of the URL) and
    /// 'message'; or None.
    #[getter]
    fn reason<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.facts().reason.clone().map(|reason| reason.into_pyobject(py)).transpose()
    }

    /// How pieces on several lines were joined: 'delimited', 'flowed' or 'guess'; or None.
    #[getter]
    fn join(&self) -> Option<&str> {
        self.facts().join.as_deref()
    }

    /// The other readings of the URL, likeliest first, as `str`.
    #[getter]
    fn alternatives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let urls: PyResult<Vec<_>> =
            self.facts().alternatives.iter().map(|url| self.spell(py, url)).collect();
        PyTuple::new(py, urls?)
    }

    /// The warnings of RFC 1738 section 6 that apply: 'password', 'port', 'control', 'userinfo'.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.facts().warnings)
    }

    /// The names of the links that the URL was within, the outermost first, such as 'safelinks'; empty if
    /// there was none, or without unwrap=True. The link itself is the first of alternatives.
    #[getter]
    fn unwrapped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.facts().unwrapped.as_deref().unwrap_or_default())
    }

    /// The line on which the match starts, from 1; None unless line_numbers=True was given.
    #[getter]
    fn line(&self) -> Option<u64> {
        self.facts().line
    }

    /// The byte of that line at which the match starts, from 1; None unless line_numbers=True was given.
    #[getter]
    fn column(&self) -> Option<u64> {
        self.facts().column
    }

    /// The message, or the record of a web archive, that the match is in: a dict with the keys of
    /// `urlgrep --json`. None in other files.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.facts().message.as_ref().map(|message| message.to_dict(py)).transpose()
    }

    /// The path of the file, as 'a.zip!/b.mbox' for a member of an archive; None for a text, and for a
    /// file object without a name.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.path.as_deref().map(|path| decode(py, path, "surrogateescape")).transpose()
    }

    /// The match as a dict, with the keys and values of `urlgrep --json`; with unwrap=True, also 'unwrapped'.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("path", self.path(py)?)?;
        dict.set_item("line", self.line())?;
        dict.set_item("column", self.column())?;
        dict.set_item("start", self.start())?;
        dict.set_item("end", self.end())?;
        dict.set_item("segments", self.place.segments.iter().map(|&(a, b)| [a, b]).collect::<Vec<_>>())?;
        dict.set_item("url", self.url(py)?)?;
        dict.set_item("scheme", self.scheme())?;
        dict.set_item("host", self.host())?;
        dict.set_item("port", self.port())?;
        dict.set_item("ascii", self.ascii())?;
        dict.set_item("form", self.form())?;
        dict.set_item("text", self.text(py)?)?;
        dict.set_item("role", self.role())?;
        dict.set_item("element", self.element())?;
        dict.set_item("grade", self.grade())?;
        dict.set_item("reason", self.reason(py)?)?;
        dict.set_item("join", self.join())?;
        dict.set_item("alternatives", self.alternatives(py)?.to_list())?;
        dict.set_item("warnings", &self.facts().warnings)?;
        dict.set_item("message", self.message(py)?)?;
        if let Some(names) = &self.facts().unwrapped {
            dict.set_item("unwrapped", names)?;
        }
        Ok(dict)
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let url = self.url(py)?.repr()?;
        let text = format!("<urlgrep.Match {url} at {}..{}, {}", self.start(), self.end(), self.form());
        match self.path(py)? {
            Some(path) => Ok(format!("{text}, in {}>", path.repr()?)),
            None => Ok(text + ">"),
        }
    }

    /// A table for notebooks. Nothing in it can be followed, and no character does more than to be seen.
    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        this.py().import("urlgrep._html")?.call_method1("of_match", (this,))?.extract()
    }

    /// The URL.
    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        self.url(py)
    }

    // No order, but TypeError: by place, URL or host, the caller has to say which.
    fn __eq__(&self, other: &Match) -> bool {
        self.key() == other.key() && self.facts() == other.facts()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("urlgrep._urlgrep")?.getattr("restore")?;
        let path = self.path.as_ref().map(|path| PyBytes::new(py, path));
        let state = (
            self.url_bytes(py),
            self.place.span,
            &self.place.segments,
            self.of_str,
            path,
            self.facts().clone(),
        );
        Ok((restore, state.into_pyobject(py)?))
    }
}

/// A match that was pickled.
#[pyfunction]
pub fn restore(
    url: Vec<u8>,
    span: Range,
    segments: Vec<Range>,
    of_str: bool,
    path: Option<Vec<u8>>,
    facts: Facts,
) -> Match {
    let place = Place { span, segments };
    let unwraps = facts.unwrapped.is_some();
    Match { url: url.into(), place, of_str, path, unwraps, source: None, facts: facts.into() }
}
