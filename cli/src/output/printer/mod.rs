//! The formats of the output.
//!
//! A printer writes into memory and has no state, so that several threads can share
//! one. What it remembers from match to match is in a [`Memo`], of which each thread has its own.

mod csv;
mod json;
mod memo;
mod plain;
mod template;
mod urls;
mod value;
mod values;

use std::io::{self, IsTerminal};
use std::path::Path;

pub use csv::CsvOptions;
pub use json::line;
pub use memo::Memo;
pub use plain::PlainOptions;
pub use template::Template;

use super::Hit;
use super::context::Context;
use super::sheet::Sheet;
use super::spelling::Spelling;
use super::style::{NUMBER, OutputStyle, PATH, URL};
use super::view::{Section, View};
use crate::escape;

pub use super::style::StyleOptions;

/// The format of the output, and what all formats share.
#[derive(Clone, Debug)]
pub struct PrinterOptions {
    pub format: OutputFormat,
    pub style: StyleOptions,
    /// Whether a NUL byte follows every path.
    pub nul: bool,
    pub heading: Heading,
    pub spelling: Spelling,
    /// Whether objects have the key `unwrapped`.
    pub unwrap: bool,
}

/// Whether the path is printed above the matches of each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    OnTerminal,
    Always,
    Never,
}

/// What is printed.
#[derive(Clone, Debug)]
pub enum OutputFormat {
    /// Each match as grep prints it.
    Plain(PlainOptions),
    /// Each match as a JSON object.
    Json,
    /// Each match as comma-separated values.
    Csv(CsvOptions),
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
    style: OutputStyle,
    nul: bool,
    /// Whether the name of a file is printed above its matches.
    pub headings: bool,
    spelling: Spelling,
    unwrap: bool,
    format: OutputFormat,
}

impl Printer {
    /// A printer for standard output.
    pub fn new(options: PrinterOptions) -> Printer {
        let PrinterOptions { mut format, style, nul, heading, spelling, unwrap } = options;
        let terminal = io::stdout().is_terminal();
        let grouped = heading == Heading::Always || (heading == Heading::OnTerminal && terminal);
        let mut headings = false;
        if let OutputFormat::Plain(plain) = &mut format
            && grouped
        {
            // The name is printed once for each file.
            headings = plain.name.take().is_some();
        }
        Printer { style: OutputStyle::new(style, terminal), nul, headings, spelling, unwrap, format }
    }

    /// What is printed above the matches of a file, if anything.
    pub fn heading(&self, out: &mut Vec<u8>, name: &Path) {
        if self.headings {
            self.path(out, name);
        }
    }

    /// Whether nothing depends on more than the first match of a file.
    pub fn needs_one(&self) -> bool {
        matches!(self.format, OutputFormat::Names | OutputFormat::Quiet)
    }

    /// Whether the matches of each URL are counted.
    pub fn counts_urls(&self) -> bool {
        matches!(self.format, OutputFormat::UniqueCounts { .. })
    }

    /// Whether only the URL of a match is printed, verbatim.
    pub fn prints_bare_urls(&self) -> bool {
        let bare = matches!(&self.format, OutputFormat::Plain(plain) if *plain == PlainOptions::default());
        bare && !self.headings && self.style == OutputStyle::default() && self.spelling == Spelling::default()
    }

    /// Prints the header, if the format has one.
    pub fn begin(&self, out: &mut Vec<u8>) {
        if let OutputFormat::Csv(options) = self.format {
            options.print_header(out);
        }
    }

    /// A match as this printer prints it.
    pub fn view<'v>(&self, section: Section<'v>, hit: Hit<'v>, context: Option<&'v Context<'v>>) -> View<'v> {
        View { section, hit, context, spelling: self.spelling, unwrap: self.unwrap }
    }

    /// Prints a match, if the format prints matches.
    pub fn print(&self, out: &mut Sheet, view: &View<'_>, memo: &mut Memo) {
        match &self.format {
            OutputFormat::Plain(plain) => plain.print(out, self.style, view),
            OutputFormat::Json => json::print(out, view, memo),
            OutputFormat::Csv(options) => options.print(out, self.style, view, memo),
            OutputFormat::Template(template) => template.print(out, self.style, view, memo),
            OutputFormat::UniqueCounts { .. }
            | OutputFormat::Counts(_)
            | OutputFormat::JsonCounts
            | OutputFormat::Names
            | OutputFormat::Quiet
            | OutputFormat::Nothing => {}
        }
    }

    /// Prints a path on its own line.
    pub fn path(&self, out: &mut Vec<u8>, name: &Path) {
        self.name(out, name, b'\n');
    }

    /// Prints what follows the matches of a file, which is a `member` of an archive or not.
    pub fn end_file(&self, out: &mut Vec<u8>, name: &Path, member: bool, matches: u64) {
        match self.format {
            OutputFormat::Counts(names) => {
                if names == CountNames::All || names == CountNames::Members && member {
                    self.name(out, name, b':');
                }
                out.extend_from_slice(matches.to_string().as_bytes());
                out.push(b'\n');
            }
            OutputFormat::JsonCounts => {
                json::print_count(out, "path", escape::bytes(name), matches);
            }
            OutputFormat::Names if matches > 0 => self.path(out, name),
            _ => {}
        }
    }

    /// Prints each URL and the number of its matches, if that is the format.
    pub fn unique_counts<'u>(&self, out: &mut Vec<u8>, counts: impl Iterator<Item = (&'u [u8], u64)>) {
        let OutputFormat::UniqueCounts { json } = self.format else { return };
        for (url, count) in counts {
            if json {
                json::print_count(out, "url", &self.spelling.of(url), count);
                continue;
            }
            self.style.paint(out, NUMBER, count.to_string().as_bytes());
            out.push(b':');
            self.style.paint(out, URL, &self.spelling.of(url));
            out.push(b'\n');
        }
    }

    /// Prints a path and the byte that ends it.
    fn name(&self, out: &mut Vec<u8>, name: &Path, end: u8) {
        self.style.paint(out, PATH, &self.spelling.of_bytes(escape::bytes(name)));
        out.push(if self.nul { 0 } else { end });
    }
}
