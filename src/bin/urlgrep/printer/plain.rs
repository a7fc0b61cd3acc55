//! Finds for people: one URL a line, behind what grep would print there.

use urlgrep::Match;

use super::look::{Look, PATH, PLACE, Target, URL};
use super::view::View;
use crate::{escape, explain};

/// What stands before a URL, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Whether it is explained where the URL begins and ends.
    pub explained: bool,
    /// Whether the lines follow in which it stood.
    pub context: bool,
}

impl Plain {
    /// Prints a find.
    pub fn print(&self, out: &mut Vec<u8>, look: Look, view: &View<'_>) {
        self.print_find(out, look, view);
        if self.alternatives {
            for url in view.alternatives() {
                out.extend_from_slice(b"  or ");
                look.url(out, &url, &Target { scheme: view.hit.found().scheme(), url: &url });
                out.extend_from_slice(b"\n");
            }
        }
        let Some(around) = view.around else { return };
        if self.explained {
            for sentence in explain::sentences(view.hit, around) {
                out.extend_from_slice(format!("  : {sentence}\n").as_bytes());
            }
        }
        if self.context {
            // The pieces of an attribute are not those of the text it stands in.
            let found = Some(view.hit.found()).filter(|_| !view.hit.is_in_attribute());
            around.lines().for_each(|(start, line)| print_line(out, look, found, start, line));
        }
    }

    fn print_find(&self, out: &mut Vec<u8>, look: Look, view: &View<'_>) {
        let found = view.hit.found();
        if let Some(end) = self.name {
            look.paint(out, PATH, escape::bytes(view.name));
            out.push(end);
        }
        if self.lines || self.offsets {
            self.print_place(out, look, view);
        }
        let url = view.url();
        if look.has_links() {
            look.url(out, &url, &Target { scheme: found.scheme(), url: &url });
        } else {
            look.paint(out, URL, &url);
        }
        out.push(b'\n');
    }

    fn print_place(&self, out: &mut Vec<u8>, look: Look, view: &View<'_>) {
        let place = if self.lines { view.place() } else { None };
        let line = place.map(|place| place.line);
        let column = place.filter(|_| self.columns).map(|place| place.column);
        let offset = self.offsets.then(|| view.span().start as u64);
        for number in [line, column, offset].into_iter().flatten() {
            look.paint(out, PLACE, number.to_string().as_bytes());
            out.push(b':');
        }
    }
}

/// Prints a line that a find stood in, or one near it, with the pieces of the
/// URL in their colour. The line begins at the offset `start`.
fn print_line(out: &mut Vec<u8>, look: Look, found: Option<&Match<'_>>, start: usize, line: &[u8]) {
    out.extend_from_slice(b"  | ");
    let mut at = 0;
    for segment in found.into_iter().flat_map(Match::segments) {
        let from = segment.start.saturating_sub(start).clamp(at, line.len());
        let to = segment.end.saturating_sub(start).clamp(from, line.len());
        if from < to {
            look.print(out, &line[at..from]);
            look.paint(out, URL, &line[from..to]);
            at = to;
        }
    }
    look.print(out, &line[at..]);
    out.extend_from_slice(b"\n");
}
