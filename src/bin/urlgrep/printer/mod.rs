//! What is printed.

mod fields;
mod json;
mod look;
mod plain;
mod view;

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

use urlgrep::Found;

use crate::args::Args;
use crate::escape;
use crate::spelling::Spelling;
pub use fields::Template;
pub use json::{reason, text, write_line};
use look::{Look, PATH, PLACE, URL};
use plain::Plain;
use view::View;

/// How much output is gathered before it is written, in bytes.
const BUFFER: usize = 64 * 1024;

/// Standard output, and what is printed to it.
pub struct Printer {
    out: BufWriter<StdoutLock<'static>>,
    /// Whether a terminal reads it.
    terminal: bool,
    look: Look,
    /// Whether every line is written when it is complete.
    by_line: bool,
    /// Whether a NUL byte stands behind every path.
    nul: bool,
    spelling: Spelling,
    kind: Kind,
}

/// What is printed.
enum Kind {
    /// Each find, for people.
    Plain(Plain),
    /// Each find, for programs.
    Json,
    /// Each find, as comma-separated values.
    Csv,
    /// Each find by a template.
    Template(Template),
    /// How often each URL was found in the whole run.
    Tallies,
    /// How many finds each input has.
    Counts { names: bool },
    /// The inputs that have finds.
    Names,
    /// Nothing.
    Quiet,
}

impl Printer {
    /// The printer that is asked for. With `many` inputs their names are
    /// printed unless that is not wanted.
    pub fn new(args: &Args, many: bool) -> Printer {
        let names = args.with_filename || (many && !args.no_filename);
        let kind = if args.quiet {
            Kind::Quiet
        } else if args.files_with_matches {
            Kind::Names
        } else if args.count && args.unique {
            Kind::Tallies
        } else if args.count {
            Kind::Counts { names }
        } else if args.json {
            Kind::Json
        } else if args.output.csv {
            Kind::Csv
        } else if let Some(template) = &args.output.format {
            Kind::Template(template.clone())
        } else {
            Kind::Plain(Plain {
                name: names.then_some(if args.output.null { 0 } else { b':' }),
                lines: args.line_number || args.column,
                columns: args.column,
                offsets: args.byte_offset,
                alternatives: args.output.alternatives,
            })
        };
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        Printer {
            out: BufWriter::with_capacity(BUFFER, stdout.lock()),
            terminal,
            look: Look::new(&args.output, terminal),
            by_line: args.output.line_buffered,
            nul: args.output.null,
            spelling: Spelling::new(args),
            kind,
        }
    }

    /// Whether the first find of an input tells all that is printed of it.
    pub fn needs_one(&self) -> bool {
        matches!(self.kind, Kind::Names | Kind::Quiet)
    }

    /// Prints what stands before all finds.
    pub fn begin(&mut self) -> io::Result<()> {
        match self.kind {
            Kind::Csv => fields::print_header(&mut self.out),
            _ => Ok(()),
        }
    }

    /// Prints a find, if finds are printed.
    pub fn find(&mut self, name: &Path, found: &Found<'_>) -> io::Result<()> {
        let view = View { name, found, spelling: self.spelling };
        match &self.kind {
            Kind::Plain(plain) => plain.print(&mut self.out, self.look, &view)?,
            Kind::Json => json::print(&mut self.out, &view)?,
            Kind::Csv => fields::print_row(&mut self.out, self.look, &view)?,
            Kind::Template(template) => template.print(&mut self.out, self.look, &view)?,
            Kind::Tallies | Kind::Counts { .. } | Kind::Names | Kind::Quiet => return Ok(()),
        }
        if self.by_line { self.out.flush() } else { Ok(()) }
    }

    /// Prints the path of an input on a line of its own.
    pub fn path(&mut self, name: &Path) -> io::Result<()> {
        self.name(name, b'\n')?;
        if self.by_line { self.out.flush() } else { Ok(()) }
    }

    /// Writes out what has been gathered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Ends what was found in one block of an input. More may be long in
    /// coming, and somebody may be waiting.
    pub fn end_block(&mut self) -> io::Result<()> {
        if self.terminal { self.out.flush() } else { Ok(()) }
    }

    /// Ends an input in which there were so many finds.
    pub fn end_input(&mut self, name: &Path, finds: u64) -> io::Result<()> {
        match self.kind {
            Kind::Counts { names } => {
                if names {
                    self.name(name, b':')?;
                }
                writeln!(self.out, "{finds}")?;
            }
            Kind::Names if finds > 0 => self.path(name)?,
            _ => {}
        }
        self.out.flush()
    }

    /// Prints how often each URL was found, if that is wanted.
    pub fn tallies<'u>(&mut self, tallies: impl Iterator<Item = (&'u [u8], u64)>) -> io::Result<()> {
        if !matches!(self.kind, Kind::Tallies) {
            return Ok(());
        }
        for (url, times) in tallies {
            self.look.paint(&mut self.out, PLACE, times.to_string().as_bytes())?;
            self.out.write_all(b":")?;
            self.look.paint(&mut self.out, URL, &self.spelling.of(url))?;
            self.out.write_all(b"\n")?;
        }
        self.out.flush()
    }

    /// Prints a path and what stands behind it.
    fn name(&mut self, name: &Path, end: u8) -> io::Result<()> {
        self.look.paint(&mut self.out, PATH, escape::bytes(name))?;
        self.out.write_all(&[if self.nul { 0 } else { end }])
    }
}
