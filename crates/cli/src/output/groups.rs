//! `--group`: one row for each value of some fields, the most frequent first.
//!
//! A match is printed as one line of texts with NUL bytes between them: the start of its record, if it is in one, the
//! counted facts, and its values. They are escaped, so none of them has a NUL byte or a line break.

use std::collections::HashMap;
use std::io;
use std::iter::once;

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;
use urlgrep::table::{Field, Kind};
use urlgrep_print::columns;

use super::printer::{Notation, line};

/// The fields that are counted.
const COUNTED: [&str; 4] = ["message.date", "message.index", "path", "line"];

/// The columns before the columns of the values.
const BEFORE: [&str; 4] = ["count", "messages", "first", "last"];
/// The number of first columns that contain numbers, which are aligned to the right.
const NUMBERS: usize = 2;
/// The columns after the columns of the values.
const AFTER: [&str; 2] = ["path", "line"];

/// The greatest width to which a column of a table is padded.
const WIDEST: usize = 60;

/// Returns the fields that are printed of a match.
pub fn printed(fields: &[&'static Field]) -> Vec<&'static Field> {
    COUNTED.iter().filter_map(|name| columns::field(name).ok()).chain(fields.iter().copied()).collect()
}

/// The matches of each value.
#[derive(Debug)]
pub struct Groups {
    fields: Vec<&'static Field>,
    notation: Notation,
    groups: HashMap<Box<str>, Group>,
    /// The path of the last match, and the number of files so far.
    path: String,
    files: u64,
    /// The memory that the groups use, and the limit, in bytes.
    size: usize,
    memory: usize,
}

/// The matches of one value.
#[derive(Debug, Default)]
struct Group {
    count: u64,
    messages: u64,
    /// The message that was counted last: the number of its file, its index there, and the start of its record.
    message: Option<(u64, [u64; 2])>,
    /// By the clock of the sender, as --since compares them.
    first: Box<str>,
    last: Box<str>,
    path: Box<str>,
    line: Box<str>,
}

impl Groups {
    /// Creates groups without matches. Their values may use `memory` bytes.
    pub fn new(fields: Vec<&'static Field>, notation: Notation, memory: usize) -> Groups {
        let (groups, path) = Default::default();
        Groups { fields, notation, groups, path, files: 0, size: 0, memory }
    }

    /// Adds matches as they are printed.
    ///
    /// # Errors
    ///
    /// If the values take more memory than they may.
    pub fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        for line in String::from_utf8_lossy(lines).lines() {
            let mut parts = line.splitn(COUNTED.len() + 2, '\0');
            let [record, date, index, path, line, values] =
                [(); 6].map(|()| parts.next().unwrap_or_default());
            if self.path != path {
                path.clone_into(&mut self.path);
                self.files += 1;
            }
            let numbers = || [index, record].map(|number| number.parse().unwrap_or_default());
            let message = (!index.is_empty()).then(|| (self.files, numbers()));
            if !self.groups.contains_key(values) {
                let group = Group { path: path.into(), line: line.into(), ..Group::default() };
                // The group keeps the first and the last date. Its entry counts twice, because a map has up to twice
                // as many slots as entries.
                let texts = values.len() + path.len() + line.len() + 2 * date.len();
                self.size += 2 * size_of::<(Box<str>, Group)>() + texts;
                self.groups.insert(values.into(), group);
            }
            let Some(group) = self.groups.get_mut(values) else { continue };
            group.count += 1;
            if message.is_some() && group.message != message {
                group.message = message;
                group.messages += 1;
            }
            // Only dates in RFC 3339 form can be compared as text.
            if date.get(10..11) == Some("T") {
                if group.first.is_empty() || date < &*group.first {
                    group.first = date.into();
                }
                if date > &*group.last {
                    group.last = date.into();
                }
            }
        }
        if self.size <= self.memory {
            return Ok(());
        }
        let why = "--group: out of memory; raise --memory, or group by a field with fewer values";
        Err(io::Error::new(io::ErrorKind::OutOfMemory, why))
    }

    /// Returns the rows.
    pub fn rows(&self) -> Vec<u8> {
        let names = BEFORE.into_iter().chain(self.fields.iter().map(|field| field.name())).chain(AFTER);
        let names: Vec<_> = names.map(str::to_owned).collect();
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_unstable_by(|(a, one), (b, other)| other.count.cmp(&one.count).then(a.cmp(b)));
        let rows = groups.into_iter().map(|(values, group)| {
            let Group { count, messages, first, last, path, line, .. } = group;
            let before = [count.to_string(), messages.to_string(), first.to_string(), last.to_string()];
            let values = values.split('\0').map(str::to_owned);
            before.into_iter().chain(values).chain([path.to_string(), line.to_string()]).collect()
        });
        match self.notation {
            Notation::Json => rows.flat_map(|row| line(&self.object(&names, row))).collect(),
            Notation::Csv(style) => once(names).chain(rows).flat_map(|row| style.row(&row)).collect(),
            Notation::Plain => table(&once(names).chain(rows).map(shortened).collect::<Vec<_>>()),
        }
    }

    fn object(&self, names: &[String], row: Vec<String>) -> Value {
        let is_number = |name: &str| {
            let field = self.fields.iter().find(|field| field.name() == name);
            let kind = field.map(|field| field.kind());
            BEFORE[..NUMBERS].contains(&name)
                || name == "line"
                || matches!(kind, Some(Kind::Number | Kind::Port))
        };
        let value = |name: &str, text: String| match text.parse::<u64>() {
            Ok(number) if is_number(name) => number.into(),
            _ if text.is_empty() => Value::Null,
            _ => text.into(),
        };
        let entries = names.iter().zip(row).map(|(name, text)| (name.clone(), value(name, text)));
        Value::Object(entries.collect::<Map<_, _>>())
    }
}

/// A row as a table has it: days without a time, and path and line as one place.
fn shortened(mut row: Vec<String>) -> Vec<String> {
    row[NUMBERS..BEFORE.len()].iter_mut().for_each(|date| date.truncate("2001-03-02".len()));
    if let Some(line) = row.pop().filter(|line| !line.is_empty())
        && let Some(path) = row.last_mut()
    {
        path.extend([":", &line]);
    }
    row
}

/// Rows with aligned columns.
fn table(rows: &[Vec<String>]) -> Vec<u8> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0).min(WIDEST);
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        for (n, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(width.saturating_sub(cell.width()));
            match n {
                _ if n + 1 == columns => text.extend([cell, "\n"]),
                _ if n < NUMBERS => text.extend([&blanks, cell, "  "]),
                _ => text.extend([cell, &*blanks, "  "]),
            }
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(memory: usize) -> Groups {
        Groups::new(vec![columns::field("host").unwrap()], Notation::Plain, memory)
    }

    #[test]
    fn messages_and_dates_are_counted() {
        let mut groups = groups(usize::MAX);
        for (record, date, index, path, line, host) in [
            ("", "2001-03-02T10:00:00+00:00", "0", "m", "4", "b.org"),
            ("", "2001-03-02T10:00:00+00:00", "0", "m", "5", "a.org"),
            ("", "2001-03-02T10:00:00+00:00", "0", "m", "6", "a.org"),
            ("", "last week", "1", "m", "9", "a.org"),
            ("", "2000-03-02T10:00:00+00:00", "2", "m", "12", "a.org"),
            ("", "", "2", "n", "3", "a.org"),
            ("", "", "", "m", "", "c.org"),
            // The second record is in the first.
            ("0", "2001-03-02T10:00:00+00:00", "0", "o", "1", "d.org"),
            ("9", "2001-03-02T10:00:00+00:00", "0", "o", "1", "b.org"),
            ("0", "2001-03-02T10:00:00+00:00", "0", "o", "1", "d.org"),
            ("40", "2001-03-02T10:00:00+00:00", "0", "o", "2", "d.org"),
        ] {
            groups.add(format!("{record}\0{date}\0{index}\0{path}\0{line}\0{host}\n").as_bytes()).unwrap();
        }
        assert_eq!(
            String::from_utf8(groups.rows()).unwrap(),
            "count  messages  first       last        host   path:line\n\
             \u{20}   5         4  2000-03-02  2001-03-02  a.org  m:5\n\
             \u{20}   3         2  2001-03-02  2001-03-02  d.org  o:1\n\
             \u{20}   2         2  2001-03-02  2001-03-02  b.org  m:4\n\
             \u{20}   1         0                          c.org  m\n"
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut groups = groups(1000);
        let add = |n: u32| groups.add(format!("\0\0\0m\01\0{n}.org\n").as_bytes());
        assert!(
            (0..100)
                .map(add)
                .any(|added| added.is_err_and(|error| error.kind() == io::ErrorKind::OutOfMemory))
        );
    }

    /// The memory that one group takes is enough for it, and one byte less is not.
    #[test]
    fn the_memory_of_a_group() {
        let line = b"\0\0\0m\x001\0h.org\n";
        let mut one = groups(usize::MAX);
        one.add(line).unwrap();
        assert!(groups(one.size).add(line).is_ok());
        assert!(groups(one.size - 1).add(line).is_err());
    }
}
