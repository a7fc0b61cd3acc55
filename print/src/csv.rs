//! Matches as comma-separated values.
//!
//! The values are those of RFC 4180. A spreadsheet takes a value that starts with `=`
//! and the like for a formula, and a formula can start programs or send other cells away. So such
//! a value gets an apostrophe, which spreadsheets show or drop, and never run.

use std::borrow::Cow;

use urlgrep::Head;

use crate::sheet::Sheet;
use crate::values::write_text;
use crate::view::{Requested, View};

/// The names of the columns of comma-separated values.
pub fn header(requested: Requested) -> Vec<u8> {
    let names: Vec<_> = requested.fields().map(|field| field.name()).collect();
    format!("{}\r\n", names.join(",")).into()
}

/// Prints a match as comma-separated values. `write` writes what is not a number: a [cell].
pub fn print_row(out: &mut Sheet, view: &View<'_>, head: &mut Head, write: impl Fn(&mut Vec<u8>, &[u8])) {
    head.read(view.hit.matched);
    let row = view.row(head);
    for (n, field) in view.requested.fields().enumerate() {
        if n > 0 {
            out.text.push(b',');
        }
        write_text(out, &field.value(&row), view.spelling, &write);
    }
    out.text.extend_from_slice(b"\r\n");
}

/// A value as a cell, which no spreadsheet takes for a formula unless it is `raw`.
///
/// "Fields containing line breaks (CRLF), double quotes, and commas should be
/// enclosed in double-quotes. [...] a double-quote appearing inside a field must
/// be escaped by preceding it with another double quote."
///
/// In some countries, spreadsheets separate cells at semicolons or tabs, and what
/// follows one in a value would be a cell of its own.
pub fn cell(value: &[u8], raw: bool) -> Cow<'_, [u8]> {
    let value: Cow<'_, [u8]> = match value.first() {
        Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r') if !raw => [b"'", value].concat().into(),
        _ => value.into(),
    };
    let is_special =
        |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n') || (!raw && matches!(byte, b';' | b'\t'));
    if !value.iter().any(is_special) {
        return value;
    }
    let mut quoted = vec![b'"'];
    for &byte in &*value {
        let twice = if byte == b'"' { 2 } else { 1 };
        quoted.extend(std::iter::repeat_n(byte, twice));
    }
    quoted.push(b'"');
    quoted.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of_cell(value: &str, raw: bool) -> String {
        String::from_utf8(cell(value.as_bytes(), raw).into_owned()).unwrap()
    }

    #[test]
    fn quotes() {
        assert_eq!(text_of_cell("a b;c", true), "a b;c");
        assert_eq!(text_of_cell("a b;c", false), "\"a b;c\"");
        assert_eq!(text_of_cell("a,\"b\"", true), "\"a,\"\"b\"\"\"");
        assert_eq!(text_of_cell("a\nb", true), "\"a\nb\"");
    }

    #[test]
    fn formulas() {
        for value in ["=1", "+1", "-1", "@a"] {
            assert_eq!(text_of_cell(value, false), format!("'{value}"));
            assert_eq!(text_of_cell(value, true), value);
        }
        for value in ["\ta", "\ra"] {
            assert_eq!(text_of_cell(value, false), format!("\"'{value}\""));
        }
        assert_eq!(text_of_cell("a=1", false), "a=1");
    }
}
