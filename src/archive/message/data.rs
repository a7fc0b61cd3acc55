//! The records of data: who wrote an object of JSON, and when, and where in its value a string is.
//!
//! Nothing of that is read before a match asks for it. Then the line of the match is read once for all its matches. A record becomes the fields that a message has, so that an [`Envelope`] can read them like
//! any others.

use std::borrow::Cow;
use std::iter;
use std::sync::{Mutex, OnceLock, PoisonError};

use memchr::{memchr, memchr_iter};

use super::date;
use super::envelope::Envelope;
use super::page::in_a_line;
use crate::archive::decode::members::{self, Facts, Found, Members, Span, Walk, range};
use crate::bytes::unicode::lossy;

/// How many records that have no date after all, or end before it, are looked at around a match.
const MAX_OUTER: usize = 64;

/// The records of a text, which are found in its source.
#[derive(Debug)]
pub(crate) struct DataRecords<'m> {
    source: Cow<'m, [u8]>,
    /// Its lines; a value of several lines is one of them.
    lines: OnceLock<Box<[Line]>>,
    /// How far the paths have been followed, in the line that begins there.
    walk: Mutex<(u32, Walk)>,
}

/// A line, with its values and records once they have been asked for. Most lines have no match.
#[derive(Debug)]
struct Line {
    start: u32,
    read: OnceLock<(Vec<Span>, Vec<DataRecord>)>,
}

#[derive(Debug)]
struct DataRecord {
    span: Span,
    facts: Facts,
    /// The record around it.
    outer: Option<u32>,
    envelope: OnceLock<Option<Box<Envelope<'static>>>>,
}

impl<'m> DataRecords<'m> {
    pub(crate) fn new(source: Cow<'m, [u8]>) -> Self {
        DataRecords { source, lines: OnceLock::new(), walk: Mutex::default() }
    }

    /// The values around the byte at `at` of the source, and where that is in them.
    fn around(&self, at: usize) -> Option<(&Line, usize)> {
        let lines = self.lines.get_or_init(|| {
            let is_long = members::is_long_value(&self.source);
            let ends = memchr_iter(b'\n', &self.source).map(|end| end as u32 + 1).filter(|_| !is_long);
            let starts = iter::once(0).chain(ends);
            starts.map(|start| Line { start, read: OnceLock::new() }).collect()
        });
        let line = &lines[lines.partition_point(|line| line.start as usize <= at).checked_sub(1)?];
        Some((line, at - line.start as usize))
    }

    /// The bytes from the start of a line on: those of others follow.
    fn bytes(&self, line: &Line) -> &[u8] {
        &self.source[line.start as usize..]
    }

    fn read<'l>(&self, line: &'l Line) -> &'l (Vec<Span>, Vec<DataRecord>) {
        line.read.get_or_init(|| {
            let bytes = self.bytes(line);
            let is_long = members::is_long_value(&self.source);
            let end = memchr(b'\n', bytes).filter(|_| !is_long).unwrap_or(bytes.len());
            let Members { mut found, values } = members::read(&bytes[..end]);
            found.sort_unstable_by_key(|found| found.span.0);
            let mut records: Vec<DataRecord> = Vec::with_capacity(found.len());
            let mut around: Vec<u32> = Vec::new();
            for (n, Found { span, facts }) in found.into_iter().enumerate() {
                while around.last().is_some_and(|&outer| records[outer as usize].span.1 <= span.0) {
                    around.pop();
                }
                let outer = around.last().copied();
                around.push(n as u32);
                records.push(DataRecord { span, facts, outer, envelope: OnceLock::new() });
            }
            (values, records)
        })
    }

    /// The fields of the nearest record around the byte at `at` of the source.
    pub(crate) fn envelope(&self, at: usize) -> Option<&Envelope<'static>> {
        let (line, at) = self.around(at)?;
        let records = &self.read(line).1;
        let before = records.partition_point(|record| record.span.0 as usize <= at).checked_sub(1)?;
        let outer = |record: &&DataRecord| Some(&records[record.outer? as usize]);
        let mut around = iter::successors(Some(&records[before]), outer).take(MAX_OUTER);
        around.find_map(|record| {
            let fields = || Self::fields(self.bytes(line), &record.facts);
            let is_around = range(record.span).contains(&at);
            is_around.then(|| record.envelope.get_or_init(fields).as_deref()).flatten()
        })
    }

    /// The path of the byte at `at` of the source.
    pub(crate) fn path(&self, at: usize) -> Option<String> {
        let (line, at) = self.around(at)?;
        let values = &self.read(line).0;
        let value = range(values[values.partition_point(|value| value.0 as usize <= at).checked_sub(1)?]);
        let mut last = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != line.start {
            *last = (line.start, Walk::default());
        }
        value.contains(&at).then(|| last.1.path(self.bytes(line), value.start, at)).flatten()
    }

    /// The fields that a record is; `None` if it has no date.
    fn fields(bytes: &[u8], facts: &Facts) -> Option<Box<Envelope<'static>>> {
        let text = |span| in_a_line(&lossy(&members::text(&bytes[range(span)])));
        let date = date::of_record(&text(facts.date))?;
        let author = text(facts.author);
        let from = if author.is_empty() { author } else { format!("From: {author}\n") };
        Some(Box::new(Envelope::new(format!("{from}Date: {date}\n\n").into_bytes())))
    }
}
