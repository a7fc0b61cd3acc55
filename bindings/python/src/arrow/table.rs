//! The columns that a caller chose, as they are built.

use std::collections::VecDeque;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use pyo3::Python;
use urlgrep::archive::Archive;
use urlgrep::table::Head;
use urlgrep::{Finder, Match};

use super::builder::{Builder, Size};
use super::columns::{Column, Failure, Scope};
use super::external;
use super::output_row::{MatchSource, OutputRow};

/// A batch is complete after this many bytes of strings.
pub const BATCH: usize = 16 << 20;

/// The columns that are built, in their order.
#[derive(Clone)]
pub struct Chosen {
    /// With their names. The column of errors is the last.
    pub columns: Vec<(String, &'static Column)>,
    /// The kind of rows that are searched.
    pub scope: Scope,
    /// True if there is a column of errors.
    pub errors: bool,
}

impl Chosen {
    /// Returns the fields of the columns.
    pub fn fields(&self) -> Fields {
        let field =
            |(name, column): &(String, &Column)| column.field(self.scope, self.errors).with_name(name);
        self.columns.iter().map(field).collect()
    }
}

/// The batch that is built, and those that are complete.
pub struct Output {
    pub chosen: Chosen,
    builders: Vec<Builder>,
    /// The source of the next matches.
    pub place: MatchSource,
    head: Head,
    /// The approximate number of bytes that the rows take so far.
    size: Size,
    /// The number of rows.
    pub len: usize,
    /// The most rows of a batch, and about how many bytes it has.
    rows: usize,
    most: usize,
    ready: VecDeque<RecordBatch>,
    /// About how many bytes the batches have that are complete.
    bytes: usize,
    /// True if the search has ended, so that no more batches come.
    pub ended: bool,
}

impl Output {
    /// Batches of at most `rows` rows.
    pub fn new(chosen: Chosen, rows: usize) -> Self {
        Output {
            builders: chosen.columns.iter().map(|(_, column)| Builder::new(column)).collect(),
            chosen,
            place: MatchSource::default(),
            head: Head::default(),
            size: Size::default(),
            len: 0,
            rows,
            most: BATCH,
            ready: VecDeque::new(),
            bytes: 0,
            ended: false,
        }
    }

    /// Returns one batch, whose size is bounded by the size of its columns.
    pub fn whole(chosen: Chosen) -> Self {
        Output { most: usize::MAX, ..Output::new(chosen, usize::MAX) }
    }

    /// Begins another message, in this member of an archive. This must be called before the memory of the last
    /// one is reused.
    pub fn begin_message(&mut self, member: Option<&[u8]>) {
        self.head.clear();
        let place = &mut self.place;
        if place.member.as_deref().map(str::as_bytes) != member {
            place.member = member.map(|member| String::from_utf8_lossy(member).into_owned());
        }
    }

    /// Adds a match, and completes the batch if it is long enough.
    ///
    /// # Errors
    ///
    /// Returns an error if more than 2 GiB have not been taken.
    pub fn push(&mut self, matched: &Match<'_>) -> Result<(), ArrowError> {
        self.head.read(matched);
        let found = OutputRow::new(matched, &self.place, &self.head);
        self.builders.iter_mut().try_for_each(|builder| builder.push(Some(&found), &mut self.size))?;
        self.end_row()
    }

    /// Adds a failure to read, and completes the batch if it is long enough. Without a column for failures, Python warns
    /// of it.
    ///
    /// # Errors
    ///
    /// Returns an error if more than 2 GiB have not been taken, or if the warning is raised.
    pub fn report(
        &mut self,
        kind: &'static str,
        message: String,
        bytes_read: Option<u64>,
    ) -> Result<(), ArrowError> {
        if !self.chosen.errors {
            let row = self.place.row.map(|row| format!("row {row}").into());
            let warning = match row.or_else(|| self.place.name()) {
                Some(place) => format!("{place}: {message}"),
                None => message,
            };
            return Python::attach(|py| crate::archive::warn(py, &warning)).map_err(external);
        }
        let failure = Failure { kind, message, bytes_read };
        let found = OutputRow::failed(&failure, &self.place);
        self.builders.iter_mut().try_for_each(|builder| builder.push(Some(&found), &mut self.size))?;
        self.end_row()
    }

    fn end_row(&mut self) -> Result<(), ArrowError> {
        self.len += 1;
        // The values of the row that are not strings.
        self.size.add(16)?;
        if self.size.0 < self.most && self.len < self.rows {
            return Ok(());
        }
        self.flush()?;
        Size::default().add(self.bytes)
    }

    /// The columns. The builders are empty then.
    fn finish(&mut self) -> Result<Vec<ArrayRef>, ArrowError> {
        (self.size, self.len) = (Size::default(), 0);
        self.builders.iter_mut().map(Builder::finish).collect()
    }

    /// Returns the matches as items of a list: structs, or with `bare` the values of the first
    /// column.
    ///
    /// # Errors
    ///
    /// Returns an error if the columns were not of the same length, which they are.
    pub fn finish_items(&mut self, bare: bool) -> Result<(Field, ArrayRef), ArrowError> {
        let (fields, len) = (self.chosen.fields(), self.len);
        let columns = self.finish()?;
        if bare {
            return Ok((fields[0].as_ref().clone().with_name("item"), columns[0].clone()));
        }
        let item = Field::new("item", DataType::Struct(fields.clone()), false);
        Ok((item, Arc::new(StructArray::try_new_with_length(fields, columns, None, len)?)))
    }

    /// Adds the matches of the current message of an archive after the first `skipped`, until `most` bytes of batches are
    /// complete. Returns how many of them have been added, if there may be more.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    pub fn search_message<R: Read>(
        &mut self,
        archive: &Archive<R>,
        finder: &Finder,
        skipped: usize,
        most: usize,
    ) -> Result<Option<usize>, ArrowError> {
        self.begin_message(archive.member());
        let Some(message) = archive.message() else { return Ok(None) };
        let (mut seen, mut pushed) = (0, Ok(()));
        let stopped = finder.find_in_message(&message, |matched| {
            seen += 1;
            if seen > skipped {
                pushed = self.push(matched);
            }
            let continues = pushed.is_ok() && self.bytes < most;
            if continues { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        pushed.map(|()| stopped.is_break().then_some(seen))
    }

    /// Completes the batch, if it has a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the columns were not of the same length, which they are.
    pub fn flush(&mut self) -> Result<(), ArrowError> {
        if self.len > 0 {
            self.bytes += self.size.0;
            let schema = Arc::new(Schema::new(self.chosen.fields()));
            let columns = self.finish()?;
            self.ready.push_back(RecordBatch::try_new(schema, columns)?);
        }
        Ok(())
    }

    /// Returns true if there is a batch that is complete.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns the next batch that is complete.
    pub fn take(&mut self) -> Option<RecordBatch> {
        let batch = self.ready.pop_front();
        if self.ready.is_empty() {
            self.bytes = 0;
        }
        batch
    }
}
