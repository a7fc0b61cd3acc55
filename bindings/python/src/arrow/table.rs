//! The columns that a caller chose, as they are built.

use std::collections::VecDeque;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, StructBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, Field, Fields};
use pyo3::Python;
use urlgrep::archive::Archive;
use urlgrep::table::{Head, Row};
use urlgrep::{Finder, Match};

use super::builder::{Size, push, structs};
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
    /// The rows so far.
    built: StructBuilder,
    /// The source of the next matches.
    pub place: MatchSource,
    head: Head,
    /// The approximate number of bytes that the rows take so far.
    size: Size,
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
            built: structs(&chosen.fields()),
            chosen,
            place: MatchSource::default(),
            head: Head::default(),
            size: Size::default(),
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
        let columns = self.chosen.columns.iter().map(|(_, column)| *column);
        let found = OutputRow { place: &self.place, row: Ok(Row::new(matched).with_head(&self.head)) };
        push(&mut self.built, columns, Some(&found), &mut self.size)?;
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
            let name = || Some(String::from_utf8_lossy(&self.place.name()?).into_owned());
            let warning = match self.place.row.map(|row| format!("row {row}")).or_else(name) {
                Some(place) => format!("{place}: {message}"),
                None => message,
            };
            return Python::attach(|py| crate::archive::warn(py, &warning)).map_err(external);
        }
        let failure = Failure { kind, message, bytes_read };
        let columns = self.chosen.columns.iter().map(|(_, column)| *column);
        let found = OutputRow { place: &self.place, row: Err(&failure) };
        push(&mut self.built, columns, Some(&found), &mut self.size)?;
        self.end_row()
    }

    fn end_row(&mut self) -> Result<(), ArrowError> {
        // The values of the row that are not strings.
        self.size.add(16)?;
        if self.size.0 < self.most && self.len() < self.rows {
            return Ok(());
        }
        self.flush();
        Size::default().add(self.bytes)
    }

    /// Returns the number of rows so far.
    pub fn len(&self) -> usize {
        self.built.len()
    }

    /// Returns the matches as items of a list: structs, or with `bare` the values of the first
    /// column.
    pub fn finish_items(&mut self, bare: bool) -> (Field, ArrayRef) {
        let rows = self.built.finish();
        match bare {
            true => (rows.fields()[0].as_ref().clone().with_name("item"), rows.column(0).clone()),
            false => (Field::new("item", rows.data_type().clone(), false), Arc::new(rows)),
        }
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
    pub fn flush(&mut self) {
        if self.len() > 0 {
            self.bytes += std::mem::take(&mut self.size).0;
            self.ready.push_back(self.built.finish().into());
        }
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
