//! Rows of cells (RFC 4180), with commas, semicolons or tabs between the cells.
//!
//! Prose has commas as well, so bytes alone never show this format. A name that ends in `.csv` or `.tsv`, or a declared
//! type, is a hint, and the first two rows confirm it: they have the same number of cells.

use memchr::{memchr2_iter, memrchr};

use super::format::{Format, Framing};
use super::mail::Verdict;
use crate::archive::header::is_one_of;
use crate::archive::reading::Reading;

pub(super) static FRAMING: Framing = Framing::text(Format::Csv, |_, _| Verdict::No, &ROWS);

/// Text whose lines are rows.
static ROWS: Reading = Reading { is_rows: true, ..Reading::TEXT };

/// The number of bytes in which the second row ends.
const ENOUGH: usize = 64 * 1024;

/// Returns true if a file with this name may consist of rows. Its last extension may be of a compression.
pub fn is_name(name: &[u8]) -> bool {
    let is = |name: &[u8], dot: usize| is_one_of(&name[dot + 1..], &[b"csv", b"tsv"]);
    let Some(dot) = memrchr(b'.', name) else { return false };
    let stem = &name[..dot];
    is(name, dot) || memrchr(b'.', stem).is_some_and(|dot| is(stem, dot))
}

/// Returns whether the first two rows of `bytes` have the same number of cells, or the only row has several. `last` means
/// that no more bytes follow.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    let last = last || bytes.len() >= ENOUGH;
    let bytes = &bytes[..bytes.len().min(ENOUGH)];
    let Some(first) = row_len(bytes) else {
        return if last { of_rows(bytes, b"") } else { Verdict::Unknown };
    };
    let (row, rest) = bytes.split_at(first);
    match row_len(rest) {
        Some(second) => of_rows(row, &rest[..second]),
        None if last => of_rows(row, rest),
        None => Verdict::Unknown,
    }
}

/// The length of the first row with its line break; `None` if it does not end.
fn row_len(bytes: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    memchr2_iter(b'"', b'\n', bytes).find_map(|at| {
        is_quoted ^= bytes[at] == b'"';
        (bytes[at] == b'\n' && !is_quoted).then_some(at + 1)
    })
}

fn of_rows(first: &[u8], second: &[u8]) -> Verdict {
    let (one, two) = (separators(first), separators(second));
    let is_equal = |n: usize| one[n] > 0 && (second.trim_ascii().is_empty() || one[n] == two[n]);
    if (0..one.len()).any(is_equal) { Verdict::Yes } else { Verdict::No }
}

/// The number of each separator in a row.
fn separators(row: &[u8]) -> [usize; 3] {
    let (mut counts, mut is_quoted) = ([0; 3], false);
    for &b in row {
        is_quoted ^= b == b'"';
        for (count, separator) in counts.iter_mut().zip(*b",;\t") {
            *count += usize::from(b == separator && !is_quoted);
        }
    }
    counts
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
        let quoted = format!("a,\"{}", "b,\n".repeat(ENOUGH));
        assert_eq!(begins(quoted.as_bytes(), false), Verdict::Yes);
    }
}
