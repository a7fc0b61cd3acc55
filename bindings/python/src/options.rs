//! The keyword arguments, which are the options of the command line, as a finder and options for
//! archives.

use pyo3::exceptions::{PyException, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use urlgrep::archive::{Attachments, Format, ReadOptions};
use urlgrep::{Finder, FinderBuilder, OptionKind, SearchOption};

/// The options of a search.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub finder: Finder,
    /// The builder of the finder; `None` without options.
    builder: Option<FinderBuilder>,
    /// The options for reading an archive.
    pub read: ReadOptions,
    pub errors: OnError,
    /// True if links are replaced by the URLs within them.
    pub unwraps: bool,
}

/// The treatment of an error in the middle of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The error is raised.
    #[default]
    Raise,
    /// The error becomes a warning, and the rest is searched.
    Warn,
    /// The error becomes a row of the table, and the rest is searched.
    Column,
}

/// The subject of a function's search, which decides the options it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchScope {
    Text,
    Archive,
    /// Archives, into a table.
    Table,
}

const ARCHIVE: [&str; 6] = ["format", "attachments", "headers", "dot_stuffing", "base", "errors"];

impl Options {
    /// Returns the options of a call.
    ///
    /// # Errors
    ///
    /// `TypeError` for an unknown option, or a value of the wrong type; `ValueError` for a value
    /// that is not valid. Both name the option.
    pub fn new(options: Option<&Bound<'_, PyDict>>, scope: SearchScope) -> PyResult<Options> {
        let mut all = Options::default();
        if options.is_none_or(|options| options.is_empty()) {
            return Ok(all);
        }
        let mut builder = Finder::builder();
        for (name, value) in options.into_iter().flat_map(|options| options.iter()) {
            let name: String = name.extract()?;
            if let Some(option) = of_search(&name) {
                all.unwraps |= name == "unwrap" && yes(&name, &value)?;
                builder = builder.set(&name, &text(option, &value)?).map_err(invalid)?;
            } else if scope != SearchScope::Text && ARCHIVE.contains(&name.as_str()) {
                set_archive(&mut all, &name, &value, scope)?;
            } else {
                return Err(unknown(&name, scope));
            }
        }
        all.finder = builder.clone().build().map_err(invalid)?;
        all.builder = Some(builder);
        Ok(all)
    }

    /// Returns the same options, by which lines are counted.
    ///
    /// # Errors
    ///
    /// Those of [`Options::new`].
    pub fn counting_lines(mut self) -> PyResult<Options> {
        let builder = self.builder.take().unwrap_or_default();
        self.finder = builder.line_numbers(true).build().map_err(invalid)?;
        self.read.line_numbers = true;
        Ok(self)
    }
}

/// The option of a search of that name, if this package has it.
fn of_search(name: &str) -> Option<&'static SearchOption> {
    urlgrep::options().iter().find(|option| option.name() == name)
}

/// Returns true if the option of that name is a list of names.
pub fn is_list(name: &str) -> bool {
    of_search(name).is_some_and(|option| matches!(option.kind(), OptionKind::Schemes | OptionKind::AnyOf(_)))
}

/// Returns the options of a search, and the type of each: for those who have only strings.
#[pyfunction]
#[pyo3(name = "_kinds")]
pub fn kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let kinds = PyDict::new(py);
    for option in urlgrep::options().iter() {
        let kind = match option.kind() {
            OptionKind::Flag => py.get_type::<PyBool>(),
            OptionKind::Number { .. } => py.get_type::<PyInt>(),
            _ => py.get_type::<PyString>(),
        };
        kinds.set_item(option.name(), kind)?;
    }
    Ok(kinds)
}

/// The value of an option of a search, as the text that the library reads.
fn text(option: &SearchOption, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = option.name();
    match option.kind() {
        OptionKind::Flag => Ok(yes(name, value)?.to_string()),
        OptionKind::Number { unit, .. } => number(name, value, unit),
        OptionKind::Schemes | OptionKind::AnyOf(_) => Ok(names(name, value)?.join(",")),
        _ => typed(name, value, "a str"),
    }
}

/// The digits of an int. The library decides which are valid.
fn number(name: &str, value: &Bound<'_, PyAny>, unit: &str) -> PyResult<String> {
    match value.extract::<usize>() {
        Ok(number) => Ok(number.to_string()),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(value.str()?.to_string()),
        Err(error) => {
            let message = |found: &str| format!("option {name:?}: expected an int ({unit}), found {found}");
            Err(wrong_type(value, error, message))
        }
    }
}

fn set_archive(all: &mut Options, name: &str, value: &Bound<'_, PyAny>, scope: SearchScope) -> PyResult<()> {
    match name {
        "format" => all.read.format = format(value)?,
        "attachments" => {
            let ways = Attachments::ALL.map(|one| (one.as_str(), one));
            all.read.attachments = one_of(name, value, &ways)?;
        }
        "headers" => all.read.headers = yes(name, value)?,
        "dot_stuffing" => all.read.dot_stuffing = yes(name, value)?,
        // The URL of a page, which its relative links are resolved against.
        "base" => {
            let url: String = typed(name, value, "a str")?;
            let parts = urlgrep::grammar::parse(url.as_bytes());
            if !parts.is_ok_and(|parts| parts.host().is_some_and(|host| !host.is_empty())) {
                let why = format!(
                    "option \"base\": expected a URL with a host, such as http://h.org/a/, found {url:?}"
                );
                return Err(PyValueError::new_err(why));
            }
            all.read.base_url = Some(url.into());
        }
        // The only other option in ARCHIVE is `errors`.
        _ => {
            let ways = [("raise", OnError::Raise), ("warn", OnError::Warn), ("column", OnError::Column)];
            all.errors = one_of(name, value, &ways[..if scope == SearchScope::Table { 3 } else { 2 }])?;
        }
    }
    Ok(())
}

fn unknown(name: &str, scope: SearchScope) -> PyErr {
    if let Some(new) = SearchOption::new_name(name) {
        return PyTypeError::new_err(format!("the option {name:?} is now called {new:?}"));
    }
    let mut names: Vec<_> = urlgrep::options().iter().map(SearchOption::name).collect();
    let mut hint = "";
    match scope {
        SearchScope::Archive | SearchScope::Table => names.extend(ARCHIVE),
        SearchScope::Text if ARCHIVE.contains(&name) => {
            hint = " (it is for archives: urlgrep.open, or archive=True)"
        }
        SearchScope::Text => {}
    }
    PyTypeError::new_err(format!("unknown option {name:?}{hint}; expected one of {}", names.join(", ")))
}

fn invalid(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns a `TypeError` for a value that could not be converted, because of `error`. Only an
/// `Exception` is replaced: Ctrl-C may come while Python converts.
pub fn wrong_type(value: &Bound<'_, PyAny>, error: PyErr, message: impl FnOnce(&str) -> String) -> PyErr {
    match error.is_instance_of::<PyException>(value.py()) {
        true => PyTypeError::new_err(message(&type_name(value))),
        false => error,
    }
}

fn typed<'py, T: FromPyObjectOwned<'py>>(
    name: &str,
    value: &Bound<'py, PyAny>,
    expected: &str,
) -> PyResult<T> {
    value.extract().map_err(|error: T::Error| {
        let message = |found: &str| format!("option {name:?}: expected {expected}, found {found}");
        wrong_type(value, error.into(), message)
    })
}

fn yes(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    typed(name, value, "a bool")
}

fn one_of<T: Copy>(name: &str, value: &Bound<'_, PyAny>, values: &[(&str, T)]) -> PyResult<T> {
    let chosen: String = typed(name, value, "a str")?;
    match values.iter().find(|(name, _)| *name == chosen) {
        Some((_, value)) => Ok(*value),
        None => {
            let names: Vec<_> = values.iter().map(|(name, _)| format!("{name:?}")).collect();
            let names = names.join(", ");
            Err(PyValueError::new_err(format!("option {name:?}: expected one of {names}, found {chosen:?}")))
        }
    }
}

/// Returns the format of that name; none for `auto`.
///
/// # Errors
///
/// `TypeError` or `ValueError` for anything else.
pub fn format(value: &Bound<'_, PyAny>) -> PyResult<Option<Format>> {
    let mut formats = vec![("auto", None)];
    formats.extend(Format::named().filter_map(|format| Some((format.name()?, Some(format)))));
    one_of("format", value, &formats)
}

/// Returns one name, several with commas between, or a list.
///
/// # Errors
///
/// `TypeError` for anything else, `ValueError` for a name that is empty or has a comma.
pub fn names(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let names: Vec<String> = match value.cast::<PyString>() {
        Ok(names) => names.extract::<String>()?.split(',').map(str::to_owned).collect(),
        Err(_) => typed(name, value, "a str or a list of str")?,
    };
    match names.iter().find(|name| name.is_empty() || name.contains(',')) {
        Some(odd) => Err(PyValueError::new_err(format!("option {name:?}: expected names, found {odd:?}"))),
        None => Ok(names),
    }
}

/// Returns the name of the type of a value, for errors.
pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().qualname().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}
