//! Finds for people: one URL a line, behind what grep would print there.

use std::io::{self, Write};
use std::path::Path;

use crate::escape;
use crate::hit::Hit;

/// What stands before a URL, in this order.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// The name of the input.
    pub names: bool,
    /// The line on which the find begins.
    pub lines: bool,
    /// And the column.
    pub columns: bool,
    /// The offset at which it begins.
    pub offsets: bool,
}

impl Plain {
    /// Prints a find.
    pub fn print(&self, out: &mut impl Write, name: &Path, hit: Hit<'_>, terminal: bool) -> io::Result<()> {
        if self.names {
            escape::write(out, escape::bytes(name), terminal)?;
            out.write_all(b":")?;
        }
        let place = if self.lines { hit.place() } else { None };
        if let Some(place) = place {
            write!(out, "{}:", place.line)?;
        }
        if let Some(place) = place.filter(|_| self.columns) {
            write!(out, "{}:", place.column)?;
        }
        if self.offsets {
            write!(out, "{}:", hit.span().start)?;
        }
        escape::write(out, hit.as_bytes(), terminal)?;
        out.write_all(b"\n")
    }
}
