//! `--csv`: comma-separated values (RFC 4180).
//!
//! A spreadsheet takes a value that starts with `=` and the like for a formula, and a
//! formula can start programs or send other cells away. So such a value gets an
//! apostrophe, which spreadsheets show or drop, and never run.

use std::borrow::Cow;

use super::super::sheet::Sheet;
use super::super::style::OutputStyle;
use super::super::view::View;
use super::memo::Memo;
use super::value::Value;
use super::values::{self, Field, Values};

/// How comma-separated values are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvOptions {
    /// Whether there is a column `hyphen`.
    pub hyphen: bool,
    /// Whether there is a column `unwrapped`.
    pub unwrapped: bool,
    /// Whether the values are verbatim, for programs.
    pub raw: bool,
}

impl CsvOptions {
    fn columns(self) -> impl Iterator<Item = &'static Field> {
        let is_column = move |field: &&Field| match field.name {
            "hyphen" => self.hyphen,
            "unwrapped" => self.unwrapped,
            _ => true,
        };
        values::all().filter(is_column)
    }

    /// Prints the names of the columns.
    pub fn print_header(self, out: &mut Vec<u8>) {
        let names: Vec<_> = self.columns().map(|field| field.name).collect();
        out.extend_from_slice(names.join(",").as_bytes());
        out.extend_from_slice(b"\r\n");
    }

    /// Prints a match.
    pub fn print(self, out: &mut Sheet, style: OutputStyle, view: &View<'_>, memo: &mut Memo) {
        memo.read(view);
        let mut text = std::mem::take(&mut memo.text);
        let values = Values::new(view, memo);
        for (n, field) in self.columns().enumerate() {
            if n > 0 {
                out.text.push(b',');
            }
            let value = (field.value)(&values);
            if let Value::Counted(counted, number) = value {
                out.number(counted, number);
                continue;
            }
            text.clear();
            value.write_text(&mut text);
            let value = if self.raw { Cow::Borrowed(&text[..]) } else { neutral(&text) };
            style.print(&mut out.text, &quoted(&value, self.raw));
        }
        out.text.extend_from_slice(b"\r\n");
        memo.text = text;
    }
}

/// A value that no spreadsheet takes for a formula.
fn neutral(value: &[u8]) -> Cow<'_, [u8]> {
    match value.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') => [b"'", value].concat().into(),
        _ => value.into(),
    }
}

/// "Fields containing line breaks (CRLF), double quotes, and commas should be
/// enclosed in double-quotes. [...] a double-quote appearing inside a field must
/// be escaped by preceding it with another double quote."
///
/// In some countries, spreadsheets separate cells at semicolons or tabs, and what
/// follows one in a value would be a cell of its own.
fn quoted(value: &[u8], raw: bool) -> Cow<'_, [u8]> {
    let is_special =
        |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n') || (!raw && matches!(byte, b';' | b'\t'));
    if !value.iter().any(is_special) {
        return Cow::Borrowed(value);
    }
    let mut quoted = vec![b'"'];
    for &byte in value {
        let twice = if byte == b'"' { 2 } else { 1 };
        quoted.extend(std::iter::repeat_n(byte, twice));
    }
    quoted.push(b'"');
    Cow::Owned(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes() {
        assert_eq!(&*quoted(b"a b;c", true), b"a b;c");
        assert_eq!(&*quoted(b"a b;c", false), b"\"a b;c\"");
        assert_eq!(&*quoted(b"a,\"b\"", true), b"\"a,\"\"b\"\"\"");
        assert_eq!(&*quoted(b"a\nb", true), b"\"a\nb\"");
    }

    #[test]
    fn formulas() {
        for value in ["=1", "+1", "-1", "@a", "\ta", "\ra"] {
            assert_eq!(&*neutral(value.as_bytes()), format!("'{value}").as_bytes());
        }
        assert_eq!(&*neutral(b"a=1"), b"a=1");
    }
}
