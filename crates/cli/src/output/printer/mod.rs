//! The formats of the output.
//!
//! A printer writes into a [`Sheet`] in memory and has no state, so that several threads can share
//! one. It caches output in a [`Memo`], of which each thread has its own. JSON and comma-separated
//! values are written by `urlgrep_print`, which the page in a browser shares.

mod plain;
mod text;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use urlgrep::Match;
use urlgrep::table::{Counted, Value};
use urlgrep_print::json::Objects;
use urlgrep_print::memo::Memo;
use urlgrep_print::sheet::Sheet;
use urlgrep_print::spelling::Spelling;
use urlgrep_print::values::write_char;
use urlgrep_print::{csv, escape};

pub use plain::PlainOptions;
pub use text::Template;

use super::style::{NUMBER, OutputStyle, PATH, StyleOptions, URL};
use super::{HyphenDecision, View};

/// The format of the output, and what all formats share.
#[derive(Clone, Debug)]
pub struct PrinterOptions {
    pub format: OutputFormat,
    pub style: StyleOptions,
    /// True if a NUL byte follows every path.
    pub nul: bool,
    /// True if the path is printed above the matches of each file; without a choice, it is on a
    /// terminal.
    pub heading: Option<bool>,
    pub spelling: Spelling,
}

/// The format of the output.
#[derive(Clone, Debug)]
pub enum OutputFormat {
    /// Each match as grep prints it.
    Plain(PlainOptions),
    /// Each match as a JSON object.
    Json(Arc<Objects>),
    /// Each match as comma-separated values.
    Csv(Arc<csv::Rows>),
    /// Each match by a template.
    Template(Template),
    /// The values of each match, of which there are rows after the search.
    Groups(Template),
    /// Each URL with the number of its matches, after the search.
    UniqueCounts(Notation),
    /// The number of matches of each file, with its name; in plain text only with those names.
    Counts(CountNames, Notation),
    /// The file names that have matches.
    Names(Notation),
    /// Nothing, and the first match is enough.
    Quiet,
    /// Nothing.
    Nothing,
}

/// The notation of names and numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As grep writes them.
    Plain,
    /// As a JSON object on each line.
    Json,
    /// As comma-separated values.
    Csv(csv::Style),
}

/// The files whose path is printed with the number of their matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountNames {
    All,
    /// Only members of archives, of which there may be several in one file.
    Members,
    None,
}

/// The printer of a format.
#[derive(Clone)]
pub struct Printer {
    options: PrinterOptions,
    style: OutputStyle,
    /// True if the file name is printed above its matches.
    headings: bool,
}

impl Printer {
    /// Returns a printer for standard output.
    pub fn new(mut options: PrinterOptions) -> Printer {
        let terminal = io::stdout().is_terminal();
        let headings = match &mut options.format {
            // The name is printed once for each file.
            OutputFormat::Plain(plain) if options.heading.unwrap_or(terminal) => plain.name.take().is_some(),
            _ => false,
        };
        Printer { style: OutputStyle::new(options.style, terminal), options, headings }
    }

    /// Appends the line above the matches of a file, if the output has one.
    pub fn heading(&self, out: &mut Vec<u8>, name: &Path) {
        if self.headings {
            self.name(out, name, b'\n');
        }
    }

    /// Returns true if nothing depends on more than the first match of a file.
    pub fn needs_one(&self) -> bool {
        matches!(self.options.format, OutputFormat::Names(_) | OutputFormat::Quiet)
    }

    /// Returns true if the matches of each URL are counted.
    pub fn counts_urls(&self) -> bool {
        matches!(self.options.format, OutputFormat::UniqueCounts(_))
    }

    /// Returns true if the matches of each value are counted.
    pub fn counts_values(&self) -> bool {
        matches!(self.options.format, OutputFormat::Groups(_))
    }

    /// Returns true if only the URL of a match is printed, verbatim.
    pub fn prints_bare_urls(&self) -> bool {
        let PrinterOptions { format, spelling, .. } = &self.options;
        let bare = matches!(format, OutputFormat::Plain(plain) if *plain == PlainOptions::default());
        bare && !self.headings && self.style == OutputStyle::default() && *spelling == Spelling::default()
    }

    /// Returns the header, if the format has one.
    pub fn header(&self) -> Vec<u8> {
        match &self.options.format {
            OutputFormat::Csv(rows) => rows.header(),
            OutputFormat::UniqueCounts(Notation::Csv(style)) => style.row(&["url", "count"]),
            OutputFormat::Counts(_, Notation::Csv(style)) => style.row(&["path", "count"]),
            OutputFormat::Names(Notation::Csv(style)) => style.row(&["path"]),
            _ => Vec::new(),
        }
    }

    /// Returns a match in a file as this printer prints it, without context.
    pub fn view<'v>(
        &self,
        name: &'v Path,
        offset: u64,
        matched: &'v Match<'v>,
        decision: Option<HyphenDecision>,
    ) -> View<'v> {
        View { name, offset, matched, decision, context: None, spelling: self.options.spelling }
    }

    /// Prints a match, if the format prints matches.
    pub fn print(&self, out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
        match &self.options.format {
            OutputFormat::Plain(plain) => plain.print(out, self.style, view),
            OutputFormat::Json(objects) => objects.print(out, view, memo),
            OutputFormat::Csv(rows) => {
                rows.print(out, view, memo, |out, cell| self.style.print(out, cell));
            }
            OutputFormat::Template(template) => template.print(out, self.style, view, &mut memo.head),
            OutputFormat::Groups(template) => {
                let record = view.matched.context().and_then(|context| context.record_start());
                record.into_iter().for_each(|start| out.number(Counted::Offset, start));
                out.text.push(0);
                template.print(out, OutputStyle::ESCAPED, view, &mut memo.head);
            }
            _ => {}
        }
    }

    /// Returns a path on its own line.
    pub fn path(&self, name: &Path) -> Vec<u8> {
        let mut line = Vec::new();
        self.name(&mut line, name, b'\n');
        line
    }

    /// Appends the lines after the matches of a file, which is a `member` of an archive or not.
    pub fn end_of_file(&self, name: &Path, member: bool, matches: u64) -> Vec<u8> {
        let path = || self.options.spelling.of_bytes(escape::bytes(name));
        match self.options.format {
            OutputFormat::Counts(names, Notation::Plain) => {
                let is_named = names == CountNames::All || names == CountNames::Members && member;
                self.count(is_named.then_some(name), matches)
            }
            OutputFormat::Counts(_, notation) => record(notation, "path", &path(), Some(matches)),
            OutputFormat::Names(_) if matches == 0 => Vec::new(),
            OutputFormat::Names(Notation::Plain) => self.path(name),
            OutputFormat::Names(notation) => record(notation, "path", &path(), None),
            _ => Vec::new(),
        }
    }

    /// Appends the total number of matches after the numbers of several files with names.
    pub fn total(&self, files: u64, matches: u64) -> Vec<u8> {
        match self.options.format {
            OutputFormat::Counts(CountNames::All | CountNames::Members, Notation::Plain) if files > 1 => {
                self.count(Some(Path::new("total")), matches)
            }
            _ => Vec::new(),
        }
    }

    /// A number of matches on its own line, after the name that it belongs to.
    fn count(&self, name: Option<&Path>, matches: u64) -> Vec<u8> {
        let mut line = Vec::new();
        name.into_iter().for_each(|name| self.name(&mut line, name, b':'));
        line.extend_from_slice(format!("{matches}\n").as_bytes());
        line
    }

    /// Formats each URL with the number of its matches, if that is the format.
    pub fn unique_counts<'u>(&self, counts: impl Iterator<Item = (&'u [u8], u64)>) -> Vec<u8> {
        let mut lines = Vec::new();
        let OutputFormat::UniqueCounts(notation) = self.options.format else { return lines };
        for (url, count) in counts {
            let url = self.options.spelling.of(url);
            if notation != Notation::Plain {
                lines.extend(record(notation, "url", &url, Some(count)));
                continue;
            }
            self.style.paint(&mut lines, NUMBER, count.to_string().as_bytes());
            lines.push(b':');
            self.style.paint(&mut lines, URL, &url);
            lines.push(b'\n');
        }
        lines
    }

    /// Prints a path and the byte that ends it.
    fn name(&self, out: &mut Vec<u8>, name: &Path, end: u8) {
        self.style.paint(out, PATH, &self.options.spelling.of_bytes(escape::bytes(name)));
        out.push(if self.options.nul { 0 } else { end });
    }
}

/// A value and its count, if there is one, as JSON or comma-separated values.
fn record(notation: Notation, key: &str, value: &[u8], count: Option<u64>) -> Vec<u8> {
    if let Notation::Csv(style) = notation {
        let count = count.map(|count| count.to_string().into_bytes());
        return style.row(&[value.to_vec()].into_iter().chain(count).collect::<Vec<_>>());
    }
    let mut object = json!({ key: Value::Text(value.into()) });
    if let Some(count) = count {
        object["count"] = count.into();
    }
    line(&object)
}

/// Returns a value on its own line.
pub fn line(value: &Json) -> Vec<u8> {
    let mut line = Vec::new();
    // Only strings contain characters that must be escaped.
    value.to_string().chars().for_each(|char| write_char(&mut line, char));
    line.push(b'\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let value: Json = "a\x1b\x7f\u{9b}b\u{fc}\u{202e}c\u{e0041}".into();
        let line = String::from_utf8(line(&value)).unwrap();
        assert_eq!(line, "\"a\\u001b\\u007f\\u009bb\u{fc}\\u202ec\\udb40\\udc41\"\n");
        assert_eq!(serde_json::from_str::<Json>(&line).unwrap(), value);
    }
}
