//! Finds for people: one URL a line, behind what grep would print there.

use std::io::{self, Write};
use std::path::Path;

use urlgrep::Found;

use super::look::{Look, PATH, PLACE, Target};
use crate::escape;

/// What stands before a URL, in this order.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// The name of the input, with this behind it.
    pub name: Option<u8>,
    /// The line on which the find begins.
    pub lines: bool,
    /// And the column.
    pub columns: bool,
    /// The offset at which it begins.
    pub offsets: bool,
}

impl Plain {
    /// Prints a find.
    pub fn print(&self, out: &mut impl Write, look: Look, name: &Path, found: &Found<'_>) -> io::Result<()> {
        if let Some(end) = self.name {
            look.paint(out, PATH, escape::bytes(name))?;
            out.write_all(&[end])?;
        }
        let place = found.place();
        let line = place.filter(|_| self.lines).map(|place| place.line);
        let column = place.filter(|_| self.columns).map(|place| place.column);
        let offset = self.offsets.then(|| found.span().start as u64);
        for number in [line, column, offset].into_iter().flatten() {
            look.paint(out, PLACE, number.to_string().as_bytes())?;
            out.write_all(b":")?;
        }
        let url = found.as_bytes();
        look.url(out, url, &Target { scheme: found.scheme(), url })?;
        out.write_all(b"\n")
    }
}
