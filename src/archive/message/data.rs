//! The data records: who wrote a JSON object, an XML element or a line of a chat, and when.
//!
//! Data is read only when a match asks for it. Then the block of lines around the match is read,
//! once for all matches in it. A record becomes message fields, so that an [`Envelope`] can read
//! them like any others.

use std::iter;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use memchr::memchr;

use super::date;
use super::envelope::Envelope;
use super::page::in_a_line;
use crate::archive::decode::members::{
    Facts, MAX_REPEATED, MemberWalk, RecordNotation, SourceRecord, SourceRecords, Span, range,
};
use crate::archive::mapped::Mapped;
use crate::bytes::unicode::lossy;

/// The minimum length of a block of lines, except the last, in bytes: few lines contain a match,
/// and each block takes memory.
const MIN_BLOCK: usize = 1024;

/// The number of records around a match that are examined although they lack a date or end before
/// it.
const MAX_OUTER: usize = 64;

/// The records of a text, which are found in its source.
#[derive(Debug)]
pub(crate) struct DataRecords<'m> {
    source: Mapped<'m>,
    notation: &'static RecordNotation,
    /// The keys whose values are kept.
    keep: &'m [Box<str>],
    /// The lines of the source, in blocks; a value of several lines is in one block.
    blocks: OnceLock<Box<[LineBlock]>>,
    /// The offset of a block, and the state of the path walk in it.
    walk: Mutex<(u32, MemberWalk)>,
}

/// The position of a document, such as a message, that is a value in a text with records.
#[derive(Debug)]
pub(crate) struct ValuePosition<'m> {
    pub(super) data: Arc<DataRecords<'m>>,
    pub(super) at: usize,
    /// The position of this text, if it is in such a document as well.
    pub(super) outer: Option<Arc<ValuePosition<'m>>>,
}

/// Lines, with their values and records once they have been requested.
#[derive(Debug)]
struct LineBlock {
    span: Span,
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
    pub(crate) fn new(source: Mapped<'m>, notation: &'static RecordNotation, keep: &'m [Box<str>]) -> Self {
        DataRecords { source, notation, keep, blocks: OnceLock::new(), walk: Mutex::default() }
    }

    /// Returns true if the whole source is one block and has no record, as most XML. Then no position is asked for.
    pub(crate) fn are_none(&self) -> bool {
        matches!(self.blocks(), [block] if self.read(block).1.is_empty())
    }

    fn blocks(&self) -> &[LineBlock] {
        self.blocks.get_or_init(|| {
            let source = self.source.as_bytes();
            let len = source.len();
            let is_whole = (self.notation.is_whole)(source);
            let end = |start: usize| {
                let line = source.get(start + MIN_BLOCK..).filter(|_| !is_whole);
                line.and_then(|line| memchr(b'\n', line)).map_or(len, |end| start + MIN_BLOCK + end + 1)
            };
            let spans =
                iter::successors(Some((0, end(0))), |&(_, start)| (start < len).then(|| (start, end(start))));
            spans
                .map(|(start, end)| LineBlock { span: (start as u32, end as u32), read: OnceLock::new() })
                .collect()
        })
    }

    /// The block with the byte at `at` of the source, and the position of the byte in it.
    fn around(&self, at: usize) -> Option<(&LineBlock, usize)> {
        let blocks = self.blocks();
        let block = &blocks[blocks.partition_point(|block| block.span.0 as usize <= at).checked_sub(1)?];
        Some((block, at - block.span.0 as usize))
    }

    fn bytes(&self, block: &LineBlock) -> &[u8] {
        &self.source.as_bytes()[range(block.span)]
    }

    fn read<'b>(&self, block: &'b LineBlock) -> &'b (Vec<Span>, Vec<DataRecord>) {
        block.read.get_or_init(|| {
            let SourceRecords { records: mut found, values, .. } =
                (self.notation.read)(self.bytes(block), self.keep);
            found.sort_unstable_by_key(|found| found.span.0);
            let mut records: Vec<DataRecord> = Vec::with_capacity(found.len());
            let mut around: Vec<u32> = Vec::new();
            for (n, SourceRecord { span, facts }) in found.into_iter().enumerate() {
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

    /// The records around the byte at `at` of a block, the nearest first.
    fn records<'b>(&self, block: &'b LineBlock, at: usize) -> impl Iterator<Item = &'b DataRecord> {
        let records = &self.read(block).1;
        let before = records.partition_point(|record| record.span.0 as usize <= at).checked_sub(1);
        let outer = |record: &&DataRecord| Some(&records[record.outer? as usize]);
        let around = iter::successors(before.map(|before| &records[before]), outer).take(MAX_OUTER);
        around.filter(move |record| range(record.span).contains(&at))
    }

    /// The fields of the nearest record around the byte at `at` of the source, and the offset at
    /// which it begins in the file.
    pub(crate) fn envelope(&self, at: usize) -> Option<(&Envelope<'static>, u64)> {
        let (block, at) = self.around(at)?;
        self.records(block, at).find_map(|record| {
            let fields = || self.fields(self.bytes(block), &record.facts);
            let envelope = record.envelope.get_or_init(fields).as_deref()?;
            let start = (block.span.0 + record.span.0) as usize;
            Some((envelope, self.source.source(start..start + 1)?.start))
        })
    }

    /// The text of the key with this number in the nearest record around the byte at `at` of the source that contains
    /// the key; the inner option is `None` if the value is null, or too long to be repeated with each match.
    pub(crate) fn kept(&self, at: usize, number: usize) -> Option<Option<String>> {
        let (block, at) = self.around(at)?;
        let of = |record: &DataRecord| record.facts.kept.get(number).copied().filter(|span| span.1 > 0);
        let value = &self.bytes(block)[range(self.records(block, at).find_map(of)?)];
        let is_shown = value.len() <= MAX_REPEATED && value != b"null";
        Some(is_shown.then(|| lossy(&(self.notation.text)(value)).into_owned()))
    }

    /// The path of the byte at `at` of the source.
    pub(crate) fn path(&self, at: usize) -> Option<String> {
        let (block, at) = self.around(at)?;
        let values = &self.read(block).0;
        let value = range(values[values.partition_point(|value| value.0 as usize <= at).checked_sub(1)?]);
        let mut last = self.walk.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != block.span.0 {
            *last = (block.span.0, MemberWalk::default());
        }
        value.contains(&at).then(|| last.1.path(self.bytes(block), value.start, at)).flatten()
    }

    /// The message fields of a record; `None` without a date.
    fn fields(&self, bytes: &[u8], facts: &Facts) -> Option<Box<Envelope<'static>>> {
        let text = |span| in_a_line(&lossy(&(self.notation.text)(&bytes[range(span)])));
        let written = facts.day_and_time.as_deref().map_or_else(|| text(facts.date), str::to_owned);
        let date = date::of_record(&written)?;
        let author = text(facts.author);
        let from = if author.is_empty() { author } else { format!("From: {author}\n") };
        Some(Box::new(Envelope::new(format!("{from}Date: {date}\n\n").into_bytes())))
    }
}
