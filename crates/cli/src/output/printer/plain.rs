//! Prints one URL on each line, after the fields that grep prints. The lines of the match follow and, with `--explain`,
//! the reasons why the URL starts and ends where it does, and its warnings.

use urlgrep::Match;
use urlgrep::table::Counted;
use urlgrep_print::explain::sentences;
use urlgrep_print::sheet::{Sheet, write_number};
use urlgrep_print::view::is_in_attribute;

use super::super::View;
use super::super::style::{NUMBER, OutputStyle, PATH, URL};

/// The fields before a URL, in this order, and the lines after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainOptions {
    /// The file name, followed by this byte.
    pub name: Option<u8>,
    /// The line of the first byte of the match.
    pub lines: bool,
    /// The column of the first byte of the match.
    pub columns: bool,
    /// The offset of the first byte of the match.
    pub offsets: bool,
    /// True if the other readings follow.
    pub alternatives: bool,
    /// True if an explanation follows.
    pub explain: bool,
    /// True if the lines of the match follow.
    pub context: bool,
}

impl PlainOptions {
    /// Prints a match.
    pub fn print(&self, out: &mut Sheet, style: OutputStyle, view: &View<'_>) {
        if let Some(end) = self.name {
            style.paint(&mut out.text, PATH, &view.path());
            out.text.push(end);
        }
        if self.lines || self.offsets {
            let position = if self.lines { view.matched.position() } else { None };
            let column = position.filter(|_| self.columns);
            let numbers = [
                position.map(|position| (Some(Counted::Line), position.line)),
                column.map(|position| (None, position.column)),
                self.offsets.then(|| (Some(Counted::Offset), view.offset + view.matched.span().start)),
            ];
            let (before, after) = style.around(NUMBER);
            for (counted, number) in numbers.into_iter().flatten() {
                out.text.extend_from_slice(before.as_bytes());
                match counted {
                    Some(counted) => out.number(counted, number),
                    None => write_number(&mut out.text, number),
                }
                out.text.extend_from_slice(after.as_bytes());
                out.text.push(b':');
            }
        }
        let out = &mut out.text;
        print_url(out, style, view, &view.url());
        if self.alternatives {
            for url in view.alternatives() {
                out.extend_from_slice(b"  or ");
                print_url(out, style, view, &url);
            }
        }
        let Some(context) = view.context else { return };
        if self.explain {
            let warnings = view.matched.warnings();
            let warnings = warnings.iter().map(|one| format!("{} (--warnings={one})", one.description()));
            for sentence in sentences(view.matched, view.decision, context).into_iter().chain(warnings) {
                out.extend_from_slice(format!("  : {sentence}\n").as_bytes());
            }
        }
        if self.context {
            // In an attribute, the pieces of a match are offsets in the attribute, not in the lines.
            let matched = (!is_in_attribute(view.matched)).then(|| view.matched.in_text());
            context.lines().for_each(|(start, line)| print_line(out, style, matched.as_ref(), start, line));
        }
    }
}

fn print_url(out: &mut Vec<u8>, style: OutputStyle, view: &View<'_>, url: &[u8]) {
    style.url(out, url, || view.link(url));
    out.push(b'\n');
}

/// Prints a line of the context, which starts at the offset `start`, with the
/// pieces of the URL in colour.
fn print_line(out: &mut Vec<u8>, style: OutputStyle, matched: Option<&Match<'_>>, start: u64, line: &[u8]) {
    out.extend_from_slice(b"  | ");
    let mut at = 0;
    for segment in matched.into_iter().flat_map(Match::pieces) {
        let index = |offset: u64| usize::try_from(offset.saturating_sub(start)).unwrap_or(usize::MAX);
        let from = index(segment.start).clamp(at, line.len());
        let to = index(segment.end).clamp(from, line.len());
        if from < to {
            style.print(out, &line[at..from]);
            style.paint(out, URL, &line[from..to]);
            at = to;
        }
    }
    style.print(out, &line[at..]);
    out.push(b'\n');
}
