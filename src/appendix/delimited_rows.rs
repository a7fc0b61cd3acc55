//! Cells: URLs in rows with commas or semicolons between the cells.
//!
//! A comma may be part of a URL, but in a table it separates cells. A line is a row if a line next
//! to it has as many commas, and the same cell of both starts with a URL. Then a URL in any of its
//! cells ends with the cell. Commas between quotation marks do not count. The facts about a line are
//! kept for its other URLs, so that time is linear.

use std::cell::Cell;
use std::ops::Range;

use super::line::starts_url;
use super::terminal;
use crate::bytes::class::{BREAK, INSIDE};
use crate::bytes::window::Window;
use crate::scan::{CellSeparator, TextOptions};

/// The bytes that separate cells and may be part of a URL. A tab ends every URL.
const SEPARATORS: [u8; 2] = [b',', b';'];

/// The maximum length of a line, in bytes.
const MAX_ROW_LEN: usize = 2048;

/// The cached cells of the line that contained the last URL.
pub(crate) type CellsCache = Cell<Option<Box<LineCells>>>;

/// The cells of a line.
#[derive(Debug)]
pub(crate) struct LineCells {
    start: usize,
    end: usize,
    /// For each separator, a bit for each of the first cells in which URLs end at it.
    with_urls: [u64; SEPARATORS.len()],
    /// The number of each separator before `at`, and whether that is within quotation marks.
    at: usize,
    counts: [usize; SEPARATORS.len()],
    is_quoted: bool,
}

impl LineCells {
    /// The separator of the cell that the URL at `url` starts in. The facts about the `last` line
    /// are used, and replaced.
    pub(super) fn separator(
        last: &CellsCache,
        window: &Window<'_>,
        url: usize,
        options: &TextOptions,
    ) -> Option<u8> {
        let mut cells = match last.take().filter(|cells| (cells.at..cells.end).contains(&url)) {
            Some(cells) => cells,
            None => Box::new(LineCells::of_line(window, url, options)?),
        };
        cells.advance(window, url);
        let is_in = |n: &usize| cells.counts[*n] < 64 && cells.with_urls[*n] & 1 << cells.counts[*n] != 0;
        let separator = (0..SEPARATORS.len()).find(is_in).map(|n| SEPARATORS[n]);
        // The names in an LDAP URL contain commas (RFC 4516 §2).
        let is_ldap = window.ahead(url..url + 4).eq_ignore_ascii_case(b"ldap");
        let separator = separator.filter(|_| !cells.is_quoted && !is_ldap);
        // The lines may not be buffered yet.
        last.set(Some(cells).filter(|cells| window.is_last() || cells.end + MAX_ROW_LEN < window.len()));
        separator
    }

    /// The cells of the line that contains `url`.
    fn of_line(window: &Window<'_>, url: usize, options: &TextOptions) -> Option<Self> {
        let Range { start, end } = terminal::row(window, url, options.width, MAX_ROW_LEN)?;
        let with_urls = match options.cells {
            Some(CellSeparator::OfRow) => of_row(window.ahead(start..end)),
            Some(CellSeparator::Known(known)) => {
                SEPARATORS.map(|separator| if separator == known { u64::MAX } else { 0 })
            }
            None => of_neighbours(window, start..end, options.width),
        };
        let is_quoted = starts_quoted(window.ahead(start..end));
        Some(LineCells { start, end, with_urls, at: start, counts: [0; 2], is_quoted })
    }

    /// Counts the separators before `url`.
    fn advance(&mut self, window: &Window<'_>, url: usize) {
        debug_assert!(self.start <= self.at);
        for &b in window.ahead(self.at..url) {
            self.is_quoted ^= b == b'"';
            for (count, separator) in self.counts.iter_mut().zip(SEPARATORS) {
                *count += usize::from(b == separator && !self.is_quoted);
            }
        }
        self.at = url;
    }
}

/// Returns true if the quotation marks at both ends of `quoted` enclose a cell: a separator is next
/// to them, and the row has as many cells as a line next to it.
pub(super) fn is_cell(window: &Window<'_>, quoted: Range<usize>) -> bool {
    let Some(start) = window.line_start(quoted.start, quoted.start.saturating_sub(MAX_ROW_LEN)) else {
        return false;
    };
    let row = row_around(window, start..window.line_end(quoted.end, quoted.end + MAX_ROW_LEN));
    // In prose a comma may follow a quotation, but a space is before it. A tab at the start of a line indents it.
    let (opens, closes) = (window.before(quoted.start, start).last().copied(), window.get(quoted.end));
    let is_edge = |byte: Option<u8>| byte.is_none_or(|b| is_separator(b) || BREAK.has(b));
    let Some(separator) = opens.or(closes).filter(|&b| is_separator(b) && is_edge(opens) && is_edge(closes))
    else {
        return false;
    };
    let is_like = |line: Range<usize>| {
        let [row, other] = [&row, &row_around(window, line)]
            .map(|row| Cells::new(window.ahead(row.clone()), separator).count());
        row == other
    };
    let before = window.before_break(row.start, 0);
    let before = window.line_start(before, before.saturating_sub(MAX_ROW_LEN)).map(|start| start..before);
    let next = window.after_break(row.end);
    let after = window.is_break(row.end).then(|| next..window.line_end(next, next + MAX_ROW_LEN));
    let neighbours = [before.filter(|_| row.start > 0), after];
    window.get(row.start) != Some(b'\t') && neighbours.into_iter().flatten().any(is_like)
}

/// The row that contains the text of a `line`: its quoted cells may contain line breaks.
fn row_around(window: &Window<'_>, line: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = line;
    let (floor, limit) = (start.saturating_sub(MAX_ROW_LEN / 2), end + MAX_ROW_LEN / 2);
    while start > floor
        && starts_quoted(window.ahead(start..end))
        && let Some(before) = window.line_start(window.before_break(start, floor), floor)
    {
        start = before;
    }
    let is_open = |text: Range<usize>| window.ahead(text).iter().filter(|&&b| b == b'"').count() % 2 == 1;
    let mut open = is_open(start..end);
    while open && window.is_break(end) {
        let next = window.after_break(end);
        end = window.line_end(next, limit.max(next));
        open = !is_open(next..end);
    }
    start..end
}

/// Returns true if `b` separates the cells of a row.
fn is_separator(b: u8) -> bool {
    SEPARATORS.contains(&b) || b == b'\t'
}

/// The separator of a row that is known to be one: the most frequent one.
fn of_row(line: &[u8]) -> [u64; SEPARATORS.len()] {
    match [b'\t', b',', b';'].map(|separator| Cells::new(line, separator).count()) {
        [tabs, commas, semicolons] if tabs > commas.max(semicolons) => [0, 0],
        [_, commas, semicolons] if semicolons > commas => [0, u64::MAX],
        _ => [u64::MAX, 0],
    }
}

/// Returns, for each separator, the cells with URLs in the lines before and after `line`, if those
/// lines have the same number of cells.
fn of_neighbours(window: &Window<'_>, line: Range<usize>, width: Option<usize>) -> [u64; SEPARATORS.len()] {
    let row = |at| terminal::row(window, at, width, MAX_ROW_LEN).map_or(&[][..], |row| window.ahead(row));
    let before = if line.start > 0 { row(window.before_break(line.start, 0)) } else { &[] };
    let after = if window.get(line.end).is_some() { row(window.after_break(line.end)) } else { &[] };
    let line = window.ahead(line);
    SEPARATORS.map(|separator| shared_cells(line, before, separator) | shared_cells(line, after, separator))
}

/// The cells of `line` that start with a URL, if the lines have as many cells, and the same cell of both starts with a
/// URL. If the text before the first separator is equal in all lines, the separator belongs to the URL, unless another
/// cell starts a different URL.
fn shared_cells(line: &[u8], other: &[u8], separator: u8) -> u64 {
    let count = Cells::new(line, separator).count();
    if count == 1 || Cells::new(other, separator).count() != count {
        return 0;
    }
    let pairs = Cells::new(line, separator).zip(Cells::new(other, separator)).take(64).enumerate();
    let with_urls = pairs.filter(|(_, (one, _))| starts_cell(one));
    // The lines are rows if one of these cells differs or is not the first cell. A cell that is equal in both lines
    // repeats a URL. In prose, a space is after a comma.
    let (cells, are_rows) = with_urls.fold((0, false), |(cells, are_rows), (n, (one, two))| {
        let is_shared = starts_cell(two) && (one != two || n > 0 && starts_url(one));
        (cells | 1 << n, are_rows || is_shared)
    });
    if are_rows { cells } else { 0 }
}

/// Returns true if a URL starts `cell`, spaces and quotation marks aside.
fn starts_cell(cell: &[u8]) -> bool {
    let start = cell.iter().take_while(|b| b" \t\"'".contains(b)).count();
    starts_url(&cell[start..])
}

/// Returns true if `line` starts within a quoted cell, which contains line breaks: its first quotation mark closes a
/// cell, as in `the end",1`.
fn starts_quoted(line: &[u8]) -> bool {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|b| is_separator(*b));
    let first = memchr::memchr(b'"', line);
    first.is_some_and(|at| !is_edge(line[..at].last()) && is_edge(line.get(at + 1)))
}

/// The cells of a line.
struct Cells<'l> {
    rest: Option<&'l [u8]>,
    separator: u8,
    is_quoted: bool,
}

impl<'l> Cells<'l> {
    fn new(line: &'l [u8], separator: u8) -> Self {
        Cells { rest: Some(line), separator, is_quoted: starts_quoted(line) }
    }
}

impl<'l> Iterator for Cells<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest.take()?;
        for at in memchr::memchr2_iter(self.separator, b'"', rest) {
            if rest[at] == b'"' {
                self.is_quoted = !self.is_quoted;
            } else if !self.is_quoted {
                self.rest = Some(&rest[at + 1..]);
                return Some(&rest[..at]);
            }
        }
        Some(rest)
    }
}

/// Returns true if a number and the extension of a file, or the name of a page, follow the separator at `at` in the
/// word, as in `/0,1518,4711,00.html`.
pub(super) fn names_file(window: &Window<'_>, at: usize) -> bool {
    let word = window.ahead(at..window.skip(at, at + MAX_ROW_LEN, |b| INSIDE.has(b) && !b"?#".contains(&b)));
    word.split(|b| SEPARATORS.contains(b)).any(|cell| {
        let dot = cell.iter().position(|&b| b == b'.').unwrap_or(cell.len());
        let (name, extension) = (&cell[..dot], cell.get(dot + 1..).unwrap_or_default());
        let is_extension = (2..=5).contains(&extension.len())
            && extension[0].is_ascii_alphabetic()
            && extension.iter().all(u8::is_ascii_alphanumeric);
        let is_page = extension.ends_with(b"htm") || extension.ends_with(b"html");
        let in_name = |b: &u8| b.is_ascii_digit() || is_page && b.is_ascii_alphanumeric();
        is_extension && !name.is_empty() && name.iter().all(in_name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn separator(text: &str, always: bool) -> Option<char> {
        separator_in(text, always.then_some(CellSeparator::OfRow))
    }

    fn separator_in(text: &str, cells: Option<CellSeparator>) -> Option<char> {
        let url = text.find("http://u").unwrap();
        let known = Cell::default();
        let options = TextOptions { cells, ..TextOptions::default() };
        LineCells::separator(&known, &Window::whole(text.as_bytes()), url, &options).map(char::from)
    }

    #[test]
    fn a_line_like_the_next_one_is_a_row() {
        assert_eq!(separator("http://u,a,b\nhttp://v,c,d\n", false), Some(','));
        assert_eq!(separator("http://v;c;d\r\nhttp://u;a;b", false), Some(';'));
        assert_eq!(separator("x,http://u,b\ny,\"z,\",http://v\nz,http://w,c", false), None);
        assert_eq!(separator("x,y,z\n\"1,2\",http://u,b\n3,http://v,c", false), Some(','));
        assert_eq!(separator("x,http://u,http://w\ny,z,http://v\n", false), Some(','));
        assert_eq!(separator("http://u,a\nhttp://v,c,d\n", false), None);
        assert_eq!(separator("http://u,a\nx,http://v\n", false), None);
        assert_eq!(separator("http://u\nhttp://v\n", false), None);
        assert_eq!(separator("[1] http://u,a\n[2] http://v,b\n", false), None);
        assert_eq!(separator("http://u?x=a;b;1\nhttp://u?x=a;b;2\n", false), None);
        assert_eq!(separator("1,\"http://u,b\",x\n2,\"http://v,b\",x\n", false), None);
    }

    #[test]
    fn a_row_that_is_known_to_be_one() {
        assert_eq!(separator("http://u,a", true), Some(','));
        assert_eq!(separator("http://u;a;b,c", true), Some(';'));
        assert_eq!(separator("1,\"http://u,a\"", true), None);
        assert_eq!(separator("1\thttp://u,a\t2", true), None);
        assert_eq!(separator("d,\"t\nx\",http://u,1", true), Some(','));
        assert_eq!(separator("d,\"t\nsee http://u,1\",2", true), None);
    }

    /// The cells of a row may contain any number of other separators.
    #[test]
    fn a_row_of_a_known_table() {
        for (known, expected) in [(b',', Some(',')), (b';', Some(';')), (b'\t', None)] {
            assert_eq!(separator_in("http://u;a;b,c,d;e\tf", Some(CellSeparator::Known(known))), expected);
            assert_eq!(separator_in("http://u", Some(CellSeparator::Known(known))), expected);
            assert_eq!(separator_in("\"http://u;a,b\"", Some(CellSeparator::Known(known))), None);
        }
    }

    #[test]
    fn numbers_and_names_of_files() {
        let names = |text: &str| names_file(&Window::whole(text.as_bytes()), 0);
        assert!(
            names(",1518,4711,00.html")
                && names(",00.html?x")
                && names(",1.xml ")
                && names(",12,00.html,1")
                && names(",y.html")
        );
        assert!(!names(",a,report.pdf") && !names(",00") && !names(",2019-05-25,Ann") && !names(",1.5"));
        assert!(!names(",12.50") && !names(",www.h.org") && !names(",.html") && !names(",/y.html"));
    }
}
