//! `Match`: a URL, its position, and its fields. Its attributes are the fields of the library.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyString, PyTuple, PyType};
use urlgrep::table::{Field, Row, Scope, Value, fields};

/// The fields that a match has in its own units. They are None in its facts.
const OF_MATCH: [&str; 5] = ["path", "start", "end", "pieces", "url"];

/// A range of offsets, the end exclusive.
pub type Range = (u64, u64);

/// The position of a match, in the units of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub span: Range,
    pub pieces: Vec<Range>,
}

/// A URL that was found.
///
/// Offsets count from 0, and ends are exclusive. They are code points of a `str`, bytes of
/// anything else. A match is immutable, can be compared for equality, hashed and pickled, and holds
/// neither the text nor the file. It has no order: sorted() needs a key.
#[pyclass(frozen, module = "urlgrep")]
pub struct Match {
    url: Box<[u8]>,
    place: Place,
    /// True if it is from a `str`.
    of_str: bool,
    path: Option<Vec<u8>>,
    /// True if links were replaced by the URLs within them.
    unwraps: bool,
    /// The source of the facts; `None` if they were restored.
    source: Option<Box<urlgrep::Match<'static>>>,
    /// The values of the fields, in the order of the table, which `pickle` keeps and `==` compares. They cost a pass of the
    /// grammar over the URL, which many callers do not need.
    facts: PyOnceLock<Vec<Py<PyAny>>>,
}

impl Match {
    /// Returns a match in a text.
    pub fn in_text(matched: urlgrep::Match<'static>, place: Place, of_str: bool, unwraps: bool) -> Match {
        let url = matched.as_bytes().into();
        let source = Some(Box::new(matched));
        Match { url, place, of_str, path: None, unwraps, source, facts: PyOnceLock::new() }
    }

    /// Returns a match in the file at `path`.
    pub fn in_archive(matched: urlgrep::Match<'static>, path: Option<Vec<u8>>, unwraps: bool) -> Match {
        let pair = |range: std::ops::Range<u64>| (range.start, range.end);
        let place = Place { span: pair(matched.span()), pieces: matched.pieces().map(pair).collect() };
        Match { path, ..Match::in_text(matched, place, false, unwraps) }
    }

    fn facts(&self, py: Python<'_>) -> PyResult<&[Py<PyAny>]> {
        let facts = self.facts.get_or_try_init(py, || {
            let Some(matched) = &self.source else { unreachable!("a match that is restored has its facts") };
            let row = Row::new(matched);
            let fact = |field: &Field| match OF_MATCH.contains(&field.name()) {
                true => Ok(py.None()),
                false => self.to_python(py, &field.value(&row)).map(Bound::unbind),
            };
            fields().iter().map(fact).collect::<PyResult<_>>()
        });
        facts.map(Vec::as_slice)
    }

    /// Returns a value as a Python object; a list becomes a tuple.
    fn to_python<'py>(&self, py: Python<'py>, value: &Value<'_>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match value {
            Value::Number(number) | Value::Counted(_, number) => number.into_pyobject(py)?.into_any(),
            Value::Name(name) => PyString::new(py, name).into_any(),
            Value::Url(text) | Value::Text(text) => self.spell(py, text)?.into_any(),
            Value::Names(names) => PyTuple::new(py, names)?.into_any(),
            Value::Urls(texts) | Value::Texts(texts) => {
                let texts: PyResult<Vec<_>> = texts.iter().map(|text| self.spell(py, text)).collect();
                PyTuple::new(py, texts?)?.into_any()
            }
            _ => py.None().into_bound(py),
        })
    }

    /// The value of a field, by its position in the table.
    fn value<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        // The first ones are known without a pass over the URL.
        Ok(match fields()[place].name() {
            "url" => self.spell(py, &self.url)?.into_any(),
            "start" => self.place.span.0.into_pyobject(py)?.into_any(),
            "end" => self.place.span.1.into_pyobject(py)?.into_any(),
            "pieces" => PyTuple::new(py, &self.place.pieces)?.into_any(),
            "path" => self.path(py)?.into_pyobject(py)?.into_any(),
            _ => self.facts(py)?[place].bind(py).clone(),
        })
    }

    /// The object of this name as a dict with the keys of `urlgrep --json`, or None: every object has its first field.
    fn object<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let facts = fields().iter().zip(self.facts(py)?);
        let mut keys = facts.clone().filter(|(field, _)| field.object() == Some(name)).peekable();
        if keys.peek().is_none_or(|(_, first)| first.is_none(py)) {
            return Ok(None);
        }
        // Only a message that is a record has the fields of a record.
        let is_record =
            facts.clone().any(|(field, fact)| field.scope() == Scope::Record && !fact.is_none(py));
        let keys = keys.filter(|(field, _)| is_record || field.scope() != Scope::Record);
        keys.map(|(field, fact)| (field.key(), fact)).into_py_dict(py).map(Some)
    }

    fn path<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.path.as_deref().map(|path| decode(py, path, "surrogateescape")).transpose()
    }

    /// Bytes of the text as a `str`: as they were, if the text was one.
    fn spell<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
        decode(py, bytes, if self.of_str { "surrogatepass" } else { "surrogateescape" })
    }

    /// Returns the values to compare: all except the source.
    fn key(&self) -> (&[u8], &Place, bool, &Option<Vec<u8>>) {
        (&self.url, &self.place, self.of_str, &self.path)
    }
}

/// Bytes as a `str`, with an error handler that keeps invalid UTF-8.
pub fn decode<'py>(py: Python<'py>, bytes: &[u8], errors: &str) -> PyResult<Bound<'py, PyString>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(PyString::new(py, text));
    }
    let decoded = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", errors))?;
    Ok(decoded.cast_into::<PyString>()?)
}

/// An attribute of a match: a field of the library, or an object of some.
#[pyclass(frozen, module = "urlgrep._urlgrep", name = "Field")]
#[derive(Debug)]
pub struct Attribute {
    name: &'static str,
    /// The index of the field in the table; `None` for an object.
    place: Option<usize>,
}

#[pymethods]
impl Attribute {
    fn __get__<'py>(
        this: PyRef<'py, Self>,
        matched: Option<PyRef<'py, Match>>,
        _class: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        match (matched, this.place) {
            (None, _) => Ok(this.into_pyobject(py)?.into_any()),
            (Some(matched), Some(place)) => matched.value(py, place),
            (Some(matched), None) => Ok(matched.object(py, this.name)?.into_pyobject(py)?.into_any()),
        }
    }

    /// Makes this a data descriptor, so that help() lists it as an attribute instead of a method.
    fn __set__(&self, _matched: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        Err(PyAttributeError::new_err(format!("attribute {:?} of urlgrep.Match is read-only", self.name)))
    }

    #[getter]
    fn __name__(&self) -> &str {
        self.name
    }

    #[getter]
    fn __doc__(&self) -> &str {
        match self.place {
            Some(place) => fields()[place].doc(),
            None => match self.name {
                "reason" => "The reason why the grade is not better: a dict, or None.",
                "ending" => {
                    "The reason why the URL ends, with explain=True or join='likely': a dict; None between delimiters."
                }
                "invalid" => "The part of the URL that is not valid: a dict, or None.",
                _ => {
                    "The message or web archive record that contains the match: a dict; None in other files."
                }
            },
        }
    }
}

/// Adds an attribute for each field and object to the class, except `hyphen`, which only the program sets.
pub fn add_attributes(class: &Bound<'_, PyType>) -> PyResult<()> {
    for (place, field) in fields().iter().enumerate().filter(|(_, field)| field.name() != "hyphen") {
        let (name, place) = field.object().map_or((field.name(), Some(place)), |object| (object, None));
        class.setattr(name, Attribute { name, place })?;
    }
    Ok(())
}

#[pymethods]
impl Match {
    /// The URL as the bytes of the text; for a `str`, in UTF-8.
    #[getter]
    fn url_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.url)
    }

    /// The range of the URL in the text, without its delimiters: from the start of its first piece to the end of the last.
    #[getter]
    fn url_range(&self) -> (u64, u64) {
        match &*self.place.pieces {
            [first, .., last] => (first.0, last.1),
            [piece] => *piece,
            [] => self.place.span,
        }
    }

    /// True if the text contains the scheme; it is implied for `www.h.org` and `me@h.org`.
    #[getter]
    fn has_scheme(&self, py: Python<'_>) -> PyResult<bool> {
        let href = fields().iter().position(|field| field.name() == "href");
        href.map_or(Ok(true), |href| self.facts(py)?[href].bind(py).eq(self.spell(py, &self.url)?))
    }

    /// Raises AttributeError with the new name of a renamed attribute. Python calls this only for names that do not
    /// exist.
    fn __getattr__(&self, name: &str) -> PyResult<()> {
        let hint = match name {
            "segments" => "; it is now called 'pieces'",
            "tld" => "; it is now called 'public_suffix'",
            _ => "",
        };
        Err(PyAttributeError::new_err(format!("'urlgrep.Match' object has no attribute '{name}'{hint}")))
    }

    /// The match as a dict, with the keys and values of `urlgrep --json`; with unwrap=True, also 'unwrapped'.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (place, field) in fields().iter().enumerate() {
            match field.object() {
                Some(name) if field.is_usual() && !dict.contains(name)? => {
                    dict.set_item(name, self.object(py, name)?)?;
                }
                None if field.is_usual() || (self.unwraps && field.name() == "unwrapped") => {
                    let value = self.value(py, place)?;
                    // JSON has no tuples, so return a list.
                    let value = if value.is_instance_of::<PyTuple>() { as_list(&value)? } else { value };
                    dict.set_item(field.name(), value)?;
                }
                _ => {}
            }
        }
        Ok(dict)
    }

    fn __repr__<'py>(this: &Bound<'py, Self>) -> PyResult<String> {
        let matched = this.get();
        let (url, form) = (matched.spell(this.py(), &matched.url)?.repr()?, this.getattr("form")?);
        let (start, end) = matched.place.span;
        let text = format!("<urlgrep.Match {url} at {start}..{end}, {form}");
        match matched.path(this.py())? {
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
        self.spell(py, &self.url)
    }

    // Matches have no order, so `<` raises TypeError: the caller has to choose a key, such as the position or the
    // host.
    fn __eq__(&self, py: Python<'_>, other: &Match) -> PyResult<bool> {
        if self.key() != other.key() {
            return Ok(false);
        }
        let mut facts = self.facts(py)?.iter().zip(other.facts(py)?);
        facts.try_fold(true, |same, (fact, other)| Ok(same && fact.bind(py).eq(other)?))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("urlgrep._urlgrep")?.getattr("restore")?;
        let path = self.path.as_ref().map(|path| PyBytes::new(py, path));
        let Match { place: Place { span, pieces }, of_str, unwraps, .. } = self;
        // By their names, so that other versions of the package restore them.
        let facts = fields().iter().map(Field::name).zip(self.facts(py)?).into_py_dict(py)?;
        let state = (self.url_bytes(py), span, pieces, of_str, unwraps, path, facts);
        Ok((restore, state.into_pyobject(py)?))
    }
}

/// A tuple as a list, and tuples in it as lists.
fn as_list<'py>(tuple: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let items: PyResult<Vec<_>> = tuple.try_iter()?.collect();
    let list =
        |item: Bound<'py, PyAny>| if item.is_instance_of::<PyTuple>() { as_list(&item) } else { Ok(item) };
    let items: PyResult<Vec<_>> = items?.into_iter().map(list).collect();
    Ok(items?.into_pyobject(tuple.py())?.into_any())
}

/// Returns a match that was pickled.
#[pyfunction]
pub fn restore(
    url: Vec<u8>,
    span: Range,
    pieces: Vec<Range>,
    of_str: bool,
    unwraps: bool,
    path: Option<Vec<u8>>,
    facts: &Bound<'_, PyDict>,
) -> PyResult<Match> {
    let py = facts.py();
    // A field of another version is None.
    let fact = |field: &Field| Ok(facts.get_item(field.name())?.map_or_else(|| py.None(), Bound::unbind));
    let kept = fields().iter().map(fact).collect::<PyResult<_>>()?;
    let facts = PyOnceLock::new();
    let _ = facts.set(py, kept);
    let place = Place { span, pieces };
    Ok(Match { url: url.into(), place, of_str, path, unwraps, source: None, facts })
}
