//! Rows of cells (RFC 4180), with commas, semicolons or tabs between the cells.
//!
//! Prose has commas as well, so bytes alone never show this format. A name that ends in `.csv` or `.tsv`, or a declared
//! type, is a hint, and the first two rows confirm it: they have the same number of cells.

use std::iter;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memrchr2_iter};

use super::format::{self, Format, Framing};
use super::mail::Verdict;
use crate::archive::decode::members::MAX_REPEATED;
use crate::archive::header::is_one_of;
use crate::archive::limits::Limits;
use crate::archive::reading::{Reading, TABLE_HEAD};
use crate::bytes::unicode::lossy;

pub(super) static FRAMING: Framing =
    Framing { chunk_end, ..Framing::text(Format::Csv, |_, _| Verdict::No, &ROWS) };

/// Text whose lines are rows.
static ROWS: Reading = Reading { is_rows: true, ..Reading::TEXT };

/// Returns true if a file with this name may consist of rows. Its last extension may be of a compression.
pub fn is_name(name: &[u8]) -> bool {
    let parts: Vec<&[u8]> = name.rsplitn(3, |&b| b == b'.').collect();
    parts[..parts.len() - 1].iter().any(|extension| is_one_of(extension, &[b"csv", b"tsv"]))
}

/// Returns whether the first two rows of `bytes` have the same number of cells, or the only row has
/// several. `last` means that no more bytes follow.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    let near = &bytes[..bytes.len().min(TABLE_HEAD)];
    let second = row_len(near).and_then(|first| row_len(&near[first..]));
    match separator(near) {
        _ if second.is_none() && near.len() < TABLE_HEAD && !last => Verdict::Unknown,
        Some(_) => Verdict::Yes,
        None => Verdict::No,
    }
}

/// The separators between cells.
pub(crate) const SEPARATORS: [u8; 3] = *b",;\t";

/// The most frequent separator of the first row that occurs as often in the second, or in the only row.
pub(crate) fn separator(bytes: &[u8]) -> Option<u8> {
    let bytes = &bytes[..bytes.len().min(TABLE_HEAD)];
    let (first, rest) = bytes.split_at(row_len(bytes).unwrap_or(bytes.len()));
    let second = &rest[..row_len(rest).unwrap_or(rest.len())];
    let (one, two) = (separators(first), separators(second));
    let is_equal = |&n: &usize| one[n] > 0 && (second.trim_ascii().is_empty() || one[n] == two[n]);
    (0..one.len()).rev().filter(is_equal).max_by_key(|&n| one[n]).map(|n| SEPARATORS[n])
}

/// The length of the first row with its line break; `None` if it does not end.
fn row_len(bytes: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    memchr2_iter(b'"', b'\n', bytes).find_map(|at| {
        is_quoted ^= bytes[at] == b'"';
        (bytes[at] == b'\n' && !is_quoted).then_some(at + 1)
    })
}

/// The number of each separator in a row.
fn separators(row: &[u8]) -> [usize; 3] {
    let (mut counts, mut is_quoted) = ([0; 3], false);
    for &b in row {
        is_quoted ^= b == b'"';
        for (count, separator) in counts.iter_mut().zip(SEPARATORS) {
            *count += usize::from(b == separator && !is_quoted);
        }
    }
    counts
}

/// The rows of a table whose first row lists the names of the columns.
#[derive(Debug)]
pub(crate) struct Rows {
    separator: u8,
    names: Vec<String>,
    /// The columns that are kept.
    kept: Vec<Option<usize>>,
    /// The cells with a name in the row that was read last, and the end of that row.
    last: Mutex<(Vec<Range<usize>>, usize)>,
}

impl Rows {
    /// The rows of a table that begins with `bytes`, if all cells of its first row are words and
    /// not URLs. Only the first cell, above the numbers of the rows, may be empty, and the last
    /// one, if every row ends in a separator.
    pub(crate) fn of(bytes: &[u8], keep: &[Box<str>]) -> Option<Rows> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let first = &bytes[..row_len(&bytes[..bytes.len().min(TABLE_HEAD)])?];
        let separator = separator(bytes)?;
        let names: Vec<_> =
            cells(first, 0, separator).map(|cell| text(&first[cell]).trim().to_owned()).collect();
        let is_name = |name: &String| {
            let is_word = !name.starts_with(char::is_numeric) && name.contains(char::is_alphabetic);
            is_word && name.len() <= MAX_REPEATED && !name.contains("://")
        };
        let is_edge = |n: usize| n == 0 || n == names.len() - 1;
        let mut words =
            names.iter().enumerate().filter(|(n, name)| !(is_edge(*n) && name.is_empty())).peekable();
        let are_names = words.peek().is_some() && words.all(|(_, name)| is_name(name));
        let kept = keep.iter().map(|key| names.iter().position(|name| **name == **key)).collect();
        are_names.then_some(Rows { separator, names, kept, last: Mutex::default() })
    }

    /// The name of the column with the byte at `at` of the table.
    pub(crate) fn name(&self, table: &[u8], at: usize) -> Option<String> {
        let n = self.row(table, at, |cells| cells.partition_point(|cell| cell.end < at));
        self.names.get(n).filter(|name| !name.is_empty()).cloned()
    }

    /// The text of the kept column `number` in the row with the byte at `at` of the table, unless it is too long.
    pub(crate) fn kept(&self, table: &[u8], at: usize, number: usize) -> Option<String> {
        let column = self.kept[number]?;
        let cell = self.row(table, at, |cells| cells.get(column).cloned())?;
        (cell.len() <= MAX_REPEATED).then(|| text(&table[cell]))
    }

    /// Calls `read` with the cells of the row with the byte at `at` of the table.
    fn row<T>(&self, table: &[u8], at: usize, read: impl FnOnce(&[Range<usize>]) -> T) -> T {
        let (row, end) = &mut *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if row.first().is_some_and(|first| at < first.start) {
            *end = 0;
        }
        while *end <= at && *end < table.len() {
            let mut cells = cells(table, *end, self.separator);
            *row = cells.by_ref().take(self.names.len()).collect();
            *end = cells.last().or(row.last().cloned()).map_or(table.len(), |cell| cell.end + 1);
        }
        read(row)
    }
}

/// The cells of the row that begins at `start`, with their quotation marks. The row ends after the last one.
fn cells(bytes: &[u8], start: usize, separator: u8) -> impl Iterator<Item = Range<usize>> {
    let cell = move |start: usize| {
        let mut end = start;
        // Each pass skips one quoted run. A doubled mark ends one run and starts the next.
        while bytes.get(end) == Some(&b'"') {
            end += 1 + memchr(b'"', &bytes[end + 1..]).map_or(0, |n| n + 1);
        }
        start..end + memchr2(separator, b'\n', &bytes[end..]).unwrap_or(bytes.len() - end)
    };
    let is_last = move |last: &Range<usize>| bytes.get(last.end) != Some(&separator);
    iter::successors(
        Some(cell(start)),
        move |last| if is_last(last) { None } else { Some(cell(last.end + 1)) },
    )
}

/// The text of a cell.
fn text(cell: &[u8]) -> String {
    let cell = cell.strip_suffix(b"\r").unwrap_or(cell);
    match cell.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
        Some(inside) => lossy(inside).replace("\"\"", "\""),
        None => lossy(cell).into_owned(),
    }
}

/// Returns the offset at which a chunk of a table that is too long ends: after a row, if one ends near its end.
fn chunk_end(bytes: &[u8], limits: Limits) -> usize {
    let end = bytes.len() - limits.margin;
    let near = end.saturating_sub(limits.choice);
    // A line break between quotation marks does not end a row. Walking back, toggle at each mark, so that `is_quoted`
    // holds for the position.
    let mut is_quoted = !memchr_iter(b'"', &bytes[..end]).count().is_multiple_of(2);
    let ends_row = |at: &usize| {
        is_quoted ^= bytes[*at] == b'"';
        bytes[*at] == b'\n' && !is_quoted
    };
    let last = memrchr2_iter(b'"', b'\n', &bytes[near..end]).map(|n| near + n).find(ends_row);
    last.map_or_else(|| format::chunk_end(bytes, limits), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["a.csv", "b/a.TSV", "a.b.csv", "a.csv.gz", ".csv.zst", "a.csv.old"] {
            assert!(is_name(name.as_bytes()), "{name}");
        }
        for name in ["", "csv", "a.txt", "csv.gz", "acsv", "a.csv.tar.gz", "a.csvs"] {
            assert!(!is_name(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn two_rows() {
        for text in [
            "a,b\n1,2\n3\n",
            "a,b\n1,2",
            "a;b,c\r\n1;2\r\n",
            "a\tb\n1,1\t2\n",
            "a,b\n\"1,\n\"\"2\",3\n",
            "a,b\n",
            "a,b",
        ] {
            assert_eq!(begins(text.as_bytes(), true), Verdict::Yes, "{text}");
            for len in 0..text.len() {
                assert_ne!(begins(&text.as_bytes()[..len], false), Verdict::No, "{len} bytes of {text}");
            }
        }
        for text in
            ["", "a\nb\n", "one, two\nthree\n", "one, two, three\nfour, five\n", "see http://h.org/\n"]
        {
            assert_eq!(begins(text.as_bytes(), true), Verdict::No, "{text}");
        }
        let quoted = format!("a,\"{}", "b,\n".repeat(TABLE_HEAD));
        assert_eq!(begins(quoted.as_bytes(), false), Verdict::Yes);
    }

    /// The separator has the same number in both rows; a comma is preferred.
    #[test]
    fn separators_of_tables() {
        for (table, expected) in [
            ("a,b\n1,2", Some(b',')),
            ("a;b,c\n1;2", Some(b';')),
            ("a;b,c\n1;2,3", Some(b',')),
            ("a\tb\tc,d\n1\t2\t3,4\n", Some(b'\t')),
            ("a,\"b;c;d\"\n1,\"2;3;4\"\n", Some(b',')),
            ("a;b,c\n", Some(b',')),
            ("a;b\n\n", Some(b';')),
            ("a,b\n1;2", None),
            ("a\nb", None),
        ] {
            assert_eq!(separator(table.as_bytes()), expected, "{table}");
        }
    }

    #[test]
    fn long_cells_are_not_repeated() {
        for (len, is_kept) in [(MAX_REPEATED, true), (MAX_REPEATED + 1, false)] {
            let cell = "x".repeat(len);
            let table = format!("a,b\n1,{cell}\n");
            let rows = Rows::of(table.as_bytes(), &["b".into()]).unwrap();
            assert_eq!(rows.kept(table.as_bytes(), 4, 0), is_kept.then_some(cell), "{len}");
        }
    }

    /// The longest name of a column, and one byte more.
    #[test]
    fn long_names_are_no_names() {
        for (len, are_names) in [(MAX_REPEATED, true), (MAX_REPEATED + 1, false)] {
            let table = format!("a,{}\n1,2\n", "x".repeat(len));
            assert_eq!(Rows::of(table.as_bytes(), &[]).is_some(), are_names, "{len}");
        }
    }

    /// The first and the last name may be empty, as in a table with an index, or with a separator after each row.
    #[test]
    fn empty_names() {
        for (first, are_names) in
            [("a,b", true), (",b", true), ("a,", true), (",a,b,", true), ("a,,b", false), (",", false)]
        {
            assert_eq!(Rows::of(format!("{first}\n").as_bytes(), &[]).is_some(), are_names, "{first}");
        }
    }

    /// A chunk ends after the last row that is followed by others, or else where any text does.
    #[test]
    fn chunks_end_after_rows() {
        let limits = Limits { margin: 2, choice: 8, ..Limits::default() };
        for (bytes, end) in [
            ("a,b\nc,d\ne,f\n", 8),
            ("a,b\n\"c\nd\",e\nf,g", 12),
            ("a,b\n\"c\nd\n\"\"e", 4),
            ("a,b\n\"c\nd\ne\nf\ng\nh\n", 15),
        ] {
            assert_eq!(chunk_end(bytes.as_bytes(), limits), end, "{bytes}");
        }
    }
}
