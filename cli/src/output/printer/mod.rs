//! The formats of the output.
//!
//! A printer writes into a [`Sheet`] in memory and has no state, so that several threads can
//! share one. What it remembers from match to match is in a [`Memo`], of which each thread has its
//! own.

mod json;
mod plain;
mod text;
mod values;

use std::io::{self, IsTerminal};
use std::path::Path;

use serde_json::json;
use urlgrep::TextOrBytes;

pub use json::line;
pub use plain::PlainOptions;
pub use text::Template;
pub use values::Requested;

use super::context::Context;
use super::style::{NUMBER, OutputStyle, PATH, Spelling, StyleOptions, URL};
use super::{Base, Hit, View};
use crate::escape;
use json::Urls;
use values::{OF_ENVELOPE, Value, write_number};

/// The format of the output, and what all formats share.
#[derive(Clone, Debug)]
pub struct PrinterOptions {
    pub format: OutputFormat,
    pub style: StyleOptions,
    /// Whether a NUL byte follows every path.
    pub nul: bool,
    /// Whether the path is printed above the matches of each file; without a choice, it is on a
    /// terminal.
    pub heading: Option<bool>,
    pub spelling: Spelling,
    /// The fields that only an option asks for.
    pub requested: Requested,
}

/// What is printed.
#[derive(Clone, Debug)]
pub enum OutputFormat {
    /// Each match as grep prints it.
    Plain(PlainOptions),
    /// Each match as a JSON object.
    Json,
    /// Each match as comma-separated values, which are verbatim or safe for spreadsheets.
    Csv { raw: bool },
    /// Each match by a template.
    Template(Template),
    /// Each URL with the number of its matches, after the search; as JSON or not.
    UniqueCounts { json: bool },
    /// The number of matches of each file, with its name or without.
    Counts(CountNames),
    /// The number of matches of each file, with its name, as JSON.
    JsonCounts,
    /// The names of files that have matches.
    Names,
    /// Nothing, and the first match is enough.
    Quiet,
    /// Nothing.
    Nothing,
}

/// Which files are named with the number of their matches.
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
    /// Whether the name of a file is printed above its matches.
    headings: bool,
}

impl Printer {
    /// A printer for standard output.
    pub fn new(mut options: PrinterOptions) -> Printer {
        let terminal = io::stdout().is_terminal();
        let headings = match &mut options.format {
            // The name is printed once for each file.
            OutputFormat::Plain(plain) if options.heading.unwrap_or(terminal) => plain.name.take().is_some(),
            _ => false,
        };
        Printer { style: OutputStyle::new(options.style, terminal), options, headings }
    }

    /// What is printed above the matches of a file, if anything.
    pub fn heading(&self, out: &mut Vec<u8>, name: &Path) {
        if self.headings {
            self.name(out, name, b'\n');
        }
    }

    /// Whether nothing depends on more than the first match of a file.
    pub fn needs_one(&self) -> bool {
        matches!(self.options.format, OutputFormat::Names | OutputFormat::Quiet)
    }

    /// Whether the matches of each URL are counted.
    pub fn counts_urls(&self) -> bool {
        matches!(self.options.format, OutputFormat::UniqueCounts { .. })
    }

    /// Whether only the URL of a match is printed, verbatim.
    pub fn prints_bare_urls(&self) -> bool {
        let PrinterOptions { format, spelling, .. } = &self.options;
        let bare = matches!(format, OutputFormat::Plain(plain) if *plain == PlainOptions::default());
        bare && !self.headings && self.style == OutputStyle::default() && *spelling == Spelling::default()
    }

    /// The header, if the format has one.
    pub fn header(&self) -> Vec<u8> {
        match self.options.format {
            OutputFormat::Csv { .. } => text::header(self.options.requested),
            _ => Vec::new(),
        }
    }

    /// A match as this printer prints it.
    pub fn view<'v>(&self, base: Base<'v>, hit: Hit<'v>, context: Option<&'v Context<'v>>) -> View<'v> {
        let PrinterOptions { spelling, requested, .. } = self.options;
        View { base, hit, context, spelling, requested }
    }

    /// Prints a match, if the format prints matches.
    pub fn print(&self, out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
        match &self.options.format {
            OutputFormat::Plain(plain) => plain.print(out, self.style, view),
            OutputFormat::Json => json::print(out, view, memo),
            OutputFormat::Csv { raw } => text::print_row(out, self.style, view, memo, *raw),
            OutputFormat::Template(template) => template.print(out, self.style, view, memo),
            _ => {}
        }
    }

    /// A path on its own line.
    pub fn path(&self, name: &Path) -> Vec<u8> {
        let mut line = Vec::new();
        self.name(&mut line, name, b'\n');
        line
    }

    /// What follows the matches of a file, which is a `member` of an archive or not.
    pub fn end_of_file(&self, name: &Path, member: bool, matches: u64) -> Vec<u8> {
        match self.options.format {
            OutputFormat::Counts(names) => {
                let mut line = Vec::new();
                if names == CountNames::All || names == CountNames::Members && member {
                    self.name(&mut line, name, b':');
                }
                line.extend_from_slice(format!("{matches}\n").as_bytes());
                line
            }
            OutputFormat::JsonCounts => {
                let path = self.options.spelling.of_bytes(escape::bytes(name));
                line(&json!({ "path": TextOrBytes(&path), "count": matches }))
            }
            OutputFormat::Names if matches > 0 => self.path(name),
            _ => Vec::new(),
        }
    }

    /// The number of matches of all files, after those of several that are named.
    pub fn total(&self, files: u64, matches: u64) -> Vec<u8> {
        let is_named =
            matches!(self.options.format, OutputFormat::Counts(names) if names != CountNames::None);
        if !is_named || files < 2 {
            return Vec::new();
        }
        let mut line = Vec::new();
        self.name(&mut line, Path::new("total"), b':');
        line.extend_from_slice(format!("{matches}\n").as_bytes());
        line
    }

    /// Each URL and the number of its matches, if that is the format.
    pub fn unique_counts<'u>(&self, counts: impl Iterator<Item = (&'u [u8], u64)>) -> Vec<u8> {
        let mut lines = Vec::new();
        let OutputFormat::UniqueCounts { json } = self.options.format else { return lines };
        for (url, count) in counts {
            let url = self.options.spelling.of(url);
            if json {
                lines.extend(line(&json!({ "url": TextOrBytes(&url), "count": count })));
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

/// What is remembered from match to match: the header fields of the message of the last match,
/// as they are printed, and the last URLs.
///
/// To decode the fields for each match would take longer than to find it.
#[derive(Debug, Default)]
pub struct Memo {
    /// The address and length of the head.
    head: Option<(usize, usize)>,
    envelope: [Option<String>; 9],
    /// The same as members of a JSON object, each after a comma.
    json: Sheet,
    urls: Urls,
}

impl Memo {
    /// Forgets the message. This must be called before its memory is reused.
    pub fn clear(&mut self) {
        self.head = None;
    }

    /// Reads the fields of the message of a match, if it is not that of the last call.
    pub fn read(&mut self, view: &View<'_>) {
        let Some(envelope) = view.hit.archive().and_then(|matched| matched.text().envelope()) else { return };
        let head = envelope.as_bytes();
        let head = Some((head.as_ptr().addr(), head.len()));
        if self.head == head {
            return;
        }
        let spelled = |field: Option<String>| field.map(|field| view.spelling.of_text(field));
        self.head = head;
        self.envelope = [
            spelled(envelope.id()),
            spelled(envelope.from()),
            envelope.date(),
            spelled(envelope.subject()),
            spelled(envelope.newsgroups()),
            spelled(envelope.to()),
            spelled(envelope.cc()),
            spelled(envelope.list_id()),
            spelled(envelope.in_reply_to()),
        ];
        self.json.clear();
        for (field, value) in OF_ENVELOPE.iter().zip(&self.envelope) {
            self.json.text.extend_from_slice(field.json.as_bytes());
            Value::text(value.as_deref()).write_json(&mut self.json);
        }
    }
}

/// What is counted from the start of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Line,
    Message,
}

/// How many lines and messages precede a chunk in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preceding {
    pub lines: u64,
    pub messages: u64,
}

/// Printed text, and the numbers that are left out of it.
///
/// Several threads search the chunks of a large file. How many lines and messages precede a
/// chunk is known only when all chunks before it have been searched. So the numbers of a chunk
/// count from its start, and are left out of its text; the output, which gets the chunks in
/// order, adds what precedes them and puts them in.
#[derive(Debug, Default)]
pub struct Sheet {
    pub text: Vec<u8>,
    /// None if numbers are printed at once.
    left_out: Option<Vec<Number>>,
}

/// A number that is left out of a text.
#[derive(Debug)]
struct Number {
    /// Where it belongs in the text.
    at: usize,
    counted: Counted,
    number: u64,
}

impl Sheet {
    /// An empty sheet. Numbers are left out if what precedes the chunk is not known.
    pub fn new(known: bool) -> Sheet {
        Sheet { text: Vec::new(), left_out: (!known).then(Vec::new) }
    }

    /// An empty sheet of the same kind.
    pub fn next(&self) -> Sheet {
        Sheet::new(self.left_out.is_none())
    }

    /// Prints a number, or leaves it out.
    pub fn number(&mut self, counted: Counted, number: u64) {
        match &mut self.left_out {
            Some(numbers) => numbers.push(Number { at: self.text.len(), counted, number }),
            None => write_number(&mut self.text, number),
        }
    }

    /// The approximate size of its memory in bytes.
    pub fn size(&self) -> usize {
        let numbers = self.left_out.as_ref().map_or(0, Vec::capacity);
        self.text.capacity() + numbers * size_of::<Number>()
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.left_out.iter_mut().for_each(Vec::clear);
    }

    /// Puts in the numbers that were left out. `ends` are offsets of the text, in order, which
    /// move with it.
    pub fn complete<'e>(&mut self, preceding: Preceding, ends: impl Iterator<Item = &'e mut usize>) {
        let Some(numbers) = self.left_out.take().filter(|numbers| !numbers.is_empty()) else { return };
        // Most numbers have fewer digits.
        let mut text = Vec::with_capacity(self.text.len() + 8 * numbers.len());
        let mut ends = ends.peekable();
        let mut from = 0;
        for Number { at, counted, number } in numbers {
            while let Some(end) = ends.next_if(|end| **end <= at) {
                *end += text.len() - from;
            }
            text.extend_from_slice(&self.text[from..at]);
            let before = match counted {
                Counted::Line => preceding.lines,
                Counted::Message => preceding.messages,
            };
            write_number(&mut text, before + number);
            from = at;
        }
        ends.for_each(|end| *end += text.len() - from);
        text.extend_from_slice(&self.text[from..]);
        self.text = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_are_printed_at_once() {
        let mut sheet = Sheet::new(true);
        sheet.number(Counted::Line, 7);
        sheet.text.push(b':');
        sheet.complete(Preceding { lines: 10, messages: 1 }, [].iter_mut());
        assert_eq!(sheet.text, b"7:");
    }

    #[test]
    fn numbers_that_are_left_out() {
        let mut sheet = Sheet::new(false);
        let mut ends = Vec::new();
        // The first begins with a number, the second has two, and the third has none.
        sheet.number(Counted::Line, 7);
        sheet.text.extend_from_slice(b":a\n");
        ends.push(sheet.text.len());
        sheet.text.push(b'<');
        sheet.number(Counted::Message, 0);
        sheet.number(Counted::Line, 90);
        sheet.text.extend_from_slice(b">b\n");
        ends.push(sheet.text.len());
        sheet.text.extend_from_slice(b"c\n");
        ends.push(sheet.text.len());
        sheet.complete(Preceding { lines: 10, messages: 5 }, ends.iter_mut());
        assert_eq!(String::from_utf8(sheet.text).unwrap(), "17:a\n<5100>b\nc\n");
        assert_eq!(ends, [5, 13, 15]);
    }
}
