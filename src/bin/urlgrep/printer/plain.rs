//! Finds for people: one URL a line, behind what grep would print there.

use std::io::{self, Write};

use super::look::{Look, PATH, PLACE, Target};
use super::view::View;
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
    /// Whether the other readings follow.
    pub alternatives: bool,
}

impl Plain {
    /// Prints a find.
    pub fn print(&self, out: &mut impl Write, look: Look, view: &View<'_>) -> io::Result<()> {
        let found = view.found;
        if let Some(end) = self.name {
            look.paint(out, PATH, escape::bytes(view.name))?;
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
        let scheme = found.scheme();
        let url = view.url();
        look.url(out, &url, &Target { scheme, url: &url })?;
        out.write_all(b"\n")?;
        if !self.alternatives {
            return Ok(());
        }
        for url in view.alternatives() {
            out.write_all(b"  or ")?;
            look.url(out, &url, &Target { scheme, url: &url })?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}
