//! The fields of a match as plain values, which `pickle` keeps and `==` compares.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use urlgrep::table::{Field, Kind, Row, Scope, Value, fields};

/// The fields that a match has in its own units. Here they are null.
const OF_MATCH: [&str; 5] = ["path", "start", "end", "pieces", "url"];

/// The values of the fields, in the order of the table. Names are texts, so that they can be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts(Vec<Value<'static>>);

impl Facts {
    /// Returns the facts of a match.
    pub fn of(row: &Row<'_>) -> Facts {
        let value = |field: &Field| match OF_MATCH.contains(&field.name()) {
            true => Value::Null,
            // In one of the types that are restored.
            false => match field.value(row) {
                Value::Counted(_, number) => Value::Number(number),
                Value::Name(name) => Value::Text(name.as_bytes().into()),
                Value::Url(url) => Value::Text(url.into_owned().into()),
                Value::Names(names) => {
                    Value::Urls(names.into_iter().map(|name| name.as_bytes().into()).collect())
                }
                value => value.into_owned(),
            },
        };
        Facts(fields().iter().map(value).collect())
    }

    /// Returns true if the match is in a web archive record.
    pub fn is_of_record(&self) -> bool {
        let mut values = fields().iter().zip(&self.0);
        values.any(|(field, value)| field.scope() == Scope::Record && *value != Value::Null)
    }

    /// Returns the value of a field, by its position in the table.
    pub fn get(&self, place: usize) -> &Value<'static> {
        &self.0[place]
    }

    /// Returns true if the object of this name is null: its first field, which every object has, is
    /// null.
    pub fn is_null(&self, object: &str) -> bool {
        let mut values = fields().iter().zip(&self.0);
        values
            .find(|(field, _)| field.object() == Some(object))
            .is_none_or(|(_, value)| *value == Value::Null)
    }

    /// Returns the values by their names, of types that any version of the package restores.
    pub fn to_state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let state = PyDict::new(py);
        for (field, value) in fields().iter().zip(&self.0) {
            let name = field.name();
            match value {
                Value::Number(number) => state.set_item(name, number)?,
                Value::Text(text) => state.set_item(name, PyBytes::new(py, text))?,
                Value::Ranges(ranges) => {
                    state.set_item(
                        name,
                        ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>(),
                    )?;
                }
                Value::Urls(urls) => {
                    state.set_item(name, urls.iter().map(|url| PyBytes::new(py, url)).collect::<Vec<_>>())?;
                }
                _ => {}
            }
        }
        Ok(state)
    }

    /// Returns the values of a state. A field that it does not have is null.
    pub fn of_state(state: &Bound<'_, PyDict>) -> PyResult<Facts> {
        let value = |field: &Field| {
            let Some(value) = state.get_item(field.name())? else { return Ok(Value::Null) };
            Ok(match field.kind() {
                Kind::Number | Kind::Port => Value::Number(value.extract()?),
                Kind::Ranges => {
                    let pairs: Vec<(u64, u64)> = value.extract()?;
                    Value::Ranges(pairs.into_iter().map(|(start, end)| start..end).collect())
                }
                Kind::Texts => {
                    Value::Urls(value.extract::<Vec<Vec<u8>>>()?.into_iter().map(Cow::Owned).collect())
                }
                _ => Value::Text(Cow::Owned(value.extract()?)),
            })
        };
        Ok(Facts(fields().iter().map(value).collect::<PyResult<_>>()?))
    }
}
