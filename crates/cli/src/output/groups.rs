//! `--group`: one row for each value of some fields, the most frequent first.
//!
//! A match is printed as one line of texts that NUL bytes separate: first what is counted of it, then its values. They are
//! escaped, so they have neither NUL bytes nor line breaks.

use std::collections::HashMap;
use std::io;

use serde_json::{Map, Value, json};
use unicode_width::UnicodeWidthStr;
use urlgrep::{Field, Kind};
use urlgrep_print::csv;

use super::printer::{Notation, Template, line};

/// What is counted of a match, before its values.
const COUNTED: &str = "{message.date}\0{path}\0{message.index}\0{line}\0";

/// The columns before and after those of the fields.
const BEFORE: [&str; 4] = ["count", "messages", "first", "last"];
const AFTER: [&str; 2] = ["path", "line"];

/// The width up to which the columns of a table are aligned.
const WIDEST: usize = 50;

/// The template of the line of a match.
pub fn template(fields: &[&'static Field]) -> Result<Template, String> {
    let values: Vec<_> = fields.iter().map(|field| format!("{{{}}}", field.name())).collect();
    Template::parse(&[COUNTED, &values.join("\0")].concat())
}

/// The matches of each value.
#[derive(Debug)]
pub struct Groups {
    fields: Vec<&'static Field>,
    notation: Notation,
    groups: HashMap<Box<str>, Group>,
    /// The path and the number of the message of the last match, and how many such messages there are so far.
    message: (Box<str>, u64),
    /// The bytes that the groups take, and may take.
    size: usize,
    memory: usize,
}

#[derive(Debug, Default)]
struct Group {
    count: u64,
    messages: u64,
    /// The last message that was counted.
    message: u64,
    first: Box<str>,
    last: Box<str>,
    path: Box<str>,
    line: Box<str>,
}

impl Groups {
    /// No values of these fields yet, which take at most so many bytes of `memory`.
    pub fn new(fields: Vec<&'static Field>, notation: Notation, memory: usize) -> Groups {
        Groups { fields, notation, groups: HashMap::new(), message: Default::default(), size: 0, memory }
    }

    /// Adds matches, a line each.
    ///
    /// # Errors
    ///
    /// If their values take more memory than they may.
    pub fn add(&mut self, lines: &[u8]) -> io::Result<()> {
        String::from_utf8_lossy(lines).lines().try_for_each(|line| self.add_match(line))
    }

    fn add_match(&mut self, line: &str) -> io::Result<()> {
        let (counted, values) = line.match_indices('\0').nth(3).map_or((line, ""), |(at, nul)| (&line[..at], &line[at + nul.len()..]));
        let mut counted = counted.split('\0');
        let [date, path, index, line] = [(); 4].map(|()| counted.next().unwrap_or_default());
        let message = [path, "\0", index].concat();
        if !index.is_empty() && *self.message.0 != message {
            self.message = (message.into(), self.message.1 + 1);
        }
        let group = match self.groups.get_mut(values) {
            Some(group) => group,
            None => {
                self.size += 2 * size_of::<(Box<str>, Group)>() + values.len() + path.len() + line.len();
                self.groups.entry(values.into()).or_insert(Group { path: path.into(), line: line.into(), ..Group::default() })
            }
        };
        group.count += 1;
        if !index.is_empty() && group.message != self.message.1 {
            group.messages += 1;
            group.message = self.message.1;
        }
        // One that is not in the form of RFC 3339 is as it was written.
        if date.get(10..11) == Some("T") {
            let dates = 2 * date.len();
            if group.first.is_empty() || date < &*group.first {
                self.size += if group.first.is_empty() { dates } else { 0 };
                group.first = date.into();
            }
            if date > &*group.last {
                group.last = date.into();
            }
        }
        let why = "the values of --group take more than --memory; allow more, or choose a field that has fewer";
        let is_full = self.size > self.memory;
        if is_full { Err(io::Error::new(io::ErrorKind::OutOfMemory, why)) } else { Ok(()) }
    }

    /// Returns the rows, the most frequent value first, below the names of the columns.
    pub fn rows(&self) -> Vec<u8> {
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_unstable_by(|(a, one), (b, other)| other.count.cmp(&one.count).then(a.cmp(b)));
        let rows = groups.into_iter().map(|(values, group)| group.cells(values));
        let names = BEFORE.into_iter().chain(self.fields.iter().map(|field| field.name())).chain(AFTER);
        let names: Vec<String> = names.map(str::to_owned).collect();
        match self.notation {
            Notation::Json => rows.flat_map(|row| line(&self.object(&names, row))).collect(),
            Notation::Csv(style) => {
                std::iter::once(names).chain(rows).flat_map(|row| style.row(&row)).collect()
            }
            Notation::Plain => table(std::iter::once(names).chain(rows).map(|row| self.shown(row)).collect()),
        }
    }
}
