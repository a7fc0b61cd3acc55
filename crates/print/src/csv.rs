//! Matches as comma-separated values.
//!
//! The values are written as in RFC 4180. A spreadsheet treats a value that starts with `=` or a
//! similar character as a formula, and a formula can start programs or send other cells to a
//! server. So such a value gets an apostrophe, which spreadsheets show or drop, but never run. Some
//! spreadsheets drop invisible characters, and treat a full-width sign as the ASCII sign: the first
//! visible character counts.

use std::borrow::Cow;
use std::iter;

use urlgrep::table::{Field, Scope};

use crate::columns::Columns;
use crate::escape::must_be_escaped;
use crate::memo::{Memo, Writer};
use crate::sheet::Sheet;
use crate::values::{has_any, write_text};
use crate::view::View;

/// The consumer for which the values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Programs and spreadsheets, so that no value is run as a formula.
    Safe,
    /// Programs: the values are verbatim.
    Raw,
    /// Spreadsheets that expect the line breaks of RFC 4180.
    Excel,
}

impl Style {
    /// Returns the end of a row. A program that reads lines would treat the CR of RFC 4180 as a
    /// part of the last value.
    fn line_break(self) -> &'static str {
        if self == Style::Excel { "\r\n" } else { "\n" }
    }

    /// Returns cells as a row.
    pub fn row(self, cells: &[impl AsRef<[u8]>]) -> Vec<u8> {
        let cells: Vec<_> = cells.iter().map(|value| cell(value.as_ref(), self)).collect();
        [&cells.join(&b","[..]), self.line_break().as_bytes()].concat()
    }
}

/// Comma-separated values of some fields.
#[derive(Debug)]
pub struct Rows {
    runs: Vec<Run>,
    style: Style,
}

/// Adjacent fields that are cached together, or not cached.
#[derive(Debug)]
struct Run {
    scope: Scope,
    fields: Vec<&'static Field>,
}

impl Rows {
    /// Rows with these columns.
    pub fn new(columns: &Columns, style: Style) -> Rows {
        let runs = columns.fields().chunk_by(|a, b| a.scope() == b.scope());
        let runs = runs.map(|run| Run { scope: run[0].scope(), fields: run.to_vec() }).collect();
        Rows { runs, style }
    }

    /// Returns the names of the columns.
    pub fn header(&self) -> Vec<u8> {
        let fields = self.runs.iter().flat_map(|run| &run.fields);
        self.style.row(&fields.map(|field| field.name()).collect::<Vec<_>>())
    }

    /// Prints a match. `write` writes a cell that is not a number.
    pub fn print(
        &self,
        out: &mut Sheet,
        view: &View<'_>,
        memo: &mut Memo,
        write: impl Fn(&mut Vec<u8>, &[u8]),
    ) {
        let write = |out: &mut Vec<u8>, value: &[u8]| write(out, &cell(value, self.style));
        memo.print(out, view, |writer| {
            for (number, Run { scope, fields }) in self.runs.iter().enumerate() {
                // Each cell has a comma after it.
                let cells = |writer: &mut Writer<'_>| {
                    for field in fields {
                        write_text(writer.out, &field.value(writer.row), writer.spelling, write);
                        writer.out.text.push(b',');
                    }
                };
                let (has_message, has_record) =
                    (writer.row.message().is_some(), writer.row.record().is_some());
                match scope {
                    Scope::Url => writer.cached(Scope::Url, number, cells),
                    // A record has its own header, and other matches may have no header.
                    Scope::Head if has_message && !has_record => writer.cached(Scope::Head, number, cells),
                    Scope::Record if !has_record => {
                        writer.out.text.extend(iter::repeat_n(b',', fields.len()))
                    }
                    _ => cells(writer),
                }
            }
        });
        // Instead of the comma after the last cell.
        out.text.pop();
        out.text.extend_from_slice(self.style.line_break().as_bytes());
    }
}

/// Returns a value as a cell. Unless it is [`Style::Raw`], spreadsheets do not treat it as a formula.
///
/// "Fields containing line breaks (CRLF), double quotes, and commas should be
/// enclosed in double-quotes. [...] a double-quote appearing inside a field must
/// be escaped by preceding it with another double quote."
///
/// In some countries, spreadsheets separate cells at semicolons or tabs, and the text after one in
/// a value would be a cell of its own.
fn cell(value: &[u8], style: Style) -> Cow<'_, [u8]> {
    let raw = style == Style::Raw;
    let value: Cow<'_, [u8]> =
        if !raw && starts_formula(value) { [b"'", value].concat().into() } else { value.into() };
    if !is_special(&value, raw) {
        return value;
    }
    let doubled = value.split(|&byte| byte == b'"').collect::<Vec<_>>().join(&b"\"\""[..]);
    [b"\"", &doubled[..], b"\""].concat().into()
}

/// Returns true if a spreadsheet may treat a value as a formula.
fn starts_formula(value: &[u8]) -> bool {
    let visible = |&c: &char| !c.is_whitespace() && !must_be_escaped(c);
    match value.first() {
        None => false,
        Some(b'\t' | b'\r') => true,
        Some(&first) if first.is_ascii_graphic() => is_sign(first.into()),
        // Text that is not UTF-8 may be dropped as well.
        Some(_) => {
            let mut chars = value.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
            chars.find(visible).is_some_and(is_sign)
        }
    }
}

/// Returns true if a character starts a formula, or does so by its compatibility decomposition (NFKC), as full-width
/// ones do; a minus sign counts as a hyphen.
fn is_sign(c: char) -> bool {
    matches!(c, '=' | '\u{207C}' | '\u{208C}' | '\u{2A75}' | '\u{2A76}' | '\u{FE66}' | '\u{FF1D}')
        || matches!(c, '+' | '\u{207A}' | '\u{208A}' | '\u{FB29}' | '\u{FE62}' | '\u{FF0B}')
        || matches!(c, '-' | '\u{207B}' | '\u{208B}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}')
        || matches!(c, '@' | '\u{FE6B}' | '\u{FF20}')
}

/// Returns true if a value needs quotes.
fn is_special(value: &[u8], raw: bool) -> bool {
    has_any(value, |byte| {
        let separates = (byte == b';') | (byte == b'\t');
        (byte == b',') | (byte == b'"') | (byte == b'\r') | (byte == b'\n') | (separates & !raw)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of_cell(value: &str, raw: bool) -> String {
        let style = if raw { Style::Raw } else { Style::Safe };
        String::from_utf8(cell(value.as_bytes(), style).into_owned()).unwrap()
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
        for value in ["a=1", "", " ", "\u{200B}", "\u{200B}a=1", "(=1", "\u{FF21}=1", "\u{E4}-1"] {
            assert_eq!(text_of_cell(value, false), value);
        }
    }

    #[test]
    fn the_first_visible_character_starts_a_formula() {
        for sign in
            "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE66}\u{FE62}\u{FE63}\u{FE6B}\u{207C}\u{208A}\u{2212}"
                .chars()
        {
            for before in [
                "",
                " ",
                "\u{A0}",
                "\u{3000}",
                "\u{200B}",
                "\u{FEFF}",
                "\u{AD}",
                "\u{202E}",
                "\0",
                "\u{7F}\u{2060} ",
            ] {
                let value = format!("{before}{sign}1+1");
                assert_eq!(text_of_cell(&value, false), format!("'{value}"), "{value:?}");
                assert_eq!(text_of_cell(&value, true), value);
            }
        }
        assert_eq!(cell(b"\xFF=1", Style::Safe), &b"'\xFF=1"[..]);
        assert_eq!(text_of_cell("\n=1", false), "\"'\n=1\"");
    }
}
