//! What is printed.
//!
//! A printer writes into memory and holds nothing but what is asked for, so that
//! it can be used by several threads.

mod fields;
mod json;
mod look;
mod plain;
mod view;

use std::io::{self, IsTerminal};
use std::path::Path;

use crate::args::Args;
use crate::around::Around;
use crate::escape;
use crate::hit::Hit;
use crate::page::Link;
use crate::spelling::Spelling;
use fields::Columns;
pub use fields::Template;
pub use json::{line, reason, text};
pub use look::Target;
use look::{Look, PATH, PLACE, URL};
use plain::Plain;
pub use view::{Base, Part, View};

/// How everything is printed.
#[derive(Clone)]
pub struct Printer {
    look: Look,
    /// Whether a NUL byte stands behind every path.
    nul: bool,
    spelling: Spelling,
    kind: Kind,
}

/// What is printed.
#[derive(Clone)]
enum Kind {
    /// Each find, for people.
    Plain(Plain),
    /// Each find, for programs.
    Json,
    /// Each find, as comma-separated values.
    Csv(Columns),
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
            Kind::Csv(Columns::new(args))
        } else if let Some(template) = &args.output.format {
            Kind::Template(template.clone())
        } else {
            Kind::Plain(Plain {
                name: names.then_some(if args.output.null { 0 } else { b':' }),
                lines: args.line_number || args.column,
                columns: args.column,
                offsets: args.byte_offset,
                alternatives: args.output.alternatives,
                explained: args.output.explain,
                context: args.output.context.is_some(),
            })
        };
        Printer {
            look: Look::new(&args.output, io::stdout().is_terminal()),
            nul: args.output.null,
            spelling: Spelling::new(args),
            kind,
        }
    }

    /// Whether the first find of an input tells all that is printed of it.
    pub fn needs_one(&self) -> bool {
        matches!(self.kind, Kind::Names | Kind::Quiet)
    }

    /// Whether all that is printed of a find is its URL, as it is.
    pub fn prints_bare_urls(&self) -> bool {
        let bare = matches!(&self.kind, Kind::Plain(plain) if *plain == Plain::default());
        bare && self.look == Look::default() && self.spelling == Spelling::default()
    }

    /// Prints what stands before all finds.
    pub fn begin(&self, out: &mut Vec<u8>) {
        if let Kind::Csv(columns) = self.kind {
            columns.print_header(out);
        }
    }

    /// Prints a find, if finds are printed, with what stands `around` it, if that
    /// was kept.
    pub fn find(&self, out: &mut Vec<u8>, input: &Part<'_>, hit: Hit<'_>, around: Option<&Around<'_>>) {
        let Part { name, base } = *input;
        let view = View { name, hit, around, spelling: self.spelling, base };
        match &self.kind {
            Kind::Plain(plain) => plain.print(out, self.look, &view),
            Kind::Json => json::print(out, &view),
            Kind::Csv(columns) => columns.print(out, self.look, &view),
            Kind::Template(template) => template.print(out, self.look, &view),
            Kind::Tallies | Kind::Counts { .. } | Kind::Names | Kind::Quiet => {}
        }
    }

    /// A find as it stands on a page, which is as it would be printed.
    pub fn link(&self, input: &Part<'_>, hit: Hit<'_>) -> Link {
        let Part { name, base } = *input;
        Link::of(&View { name, hit, around: None, spelling: self.spelling, base })
    }

    /// Prints the path of an input on a line of its own.
    pub fn path(&self, out: &mut Vec<u8>, name: &Path) {
        self.name(out, name, b'\n');
    }

    /// Ends an input in which there were so many finds.
    pub fn end_input(&self, out: &mut Vec<u8>, name: &Path, finds: u64) {
        match self.kind {
            Kind::Counts { names } => {
                if names {
                    self.name(out, name, b':');
                }
                out.extend_from_slice(finds.to_string().as_bytes());
                out.push(b'\n');
            }
            Kind::Names if finds > 0 => self.path(out, name),
            _ => {}
        }
    }

    /// Prints how often each URL was found, if that is wanted.
    pub fn tallies<'u>(&self, out: &mut Vec<u8>, tallies: impl Iterator<Item = (&'u [u8], u64)>) {
        if !matches!(self.kind, Kind::Tallies) {
            return;
        }
        for (url, times) in tallies {
            self.look.paint(out, PLACE, times.to_string().as_bytes());
            out.push(b':');
            self.look.paint(out, URL, &self.spelling.of(url));
            out.push(b'\n');
        }
    }

    /// Prints a path and what stands behind it.
    fn name(&self, out: &mut Vec<u8>, name: &Path, end: u8) {
        self.look.paint(out, PATH, escape::bytes(name));
        out.push(if self.nul { 0 } else { end });
    }
}
