//! The search of a column, row by row.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::builder::{BooleanBufferBuilder, Int64Builder};
use arrow_array::{ListArray, RecordBatch, RecordBatchReader};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use urlgrep::archive::Archive;

use super::capsule::Columns;
use super::column::{Column, Rows};
use super::table::{self, Matches};
use crate::interrupt::Clock;
use crate::options::{OnError, Options};

/// A batch is complete after this many bytes of the column, or of URLs.
const BATCH: usize = 16 << 20;

/// How many rows are searched before the time is looked at.
const ROWS: usize = 256;

/// Searches rows.
struct RowSearch {
    options: Options,
    archive: bool,
    clock: Clock,
}

impl RowSearch {
    fn new(options: Options, archive: bool) -> Self {
        RowSearch { options, archive, clock: Clock::default() }
    }

    /// Runs the handlers of signals.
    fn check(&mut self) -> Result<(), ArrowError> {
        self.clock.check().map_err(|raised| ArrowError::ExternalError(Box::new(raised)))
    }

    /// Adds the matches in `bytes`, which are row `row`.
    fn search(&mut self, bytes: &[u8], row: u64, matches: &mut Matches) -> Result<(), ArrowError> {
        if self.archive {
            return self.search_archive(bytes, row, matches);
        }
        self.options.finder.find_iter(bytes).try_for_each(|matched| matches.push(&matched))
    }

    fn search_archive(&mut self, bytes: &[u8], row: u64, matches: &mut Matches) -> Result<(), ArrowError> {
        let failed = |error: io::Error| ArrowError::InvalidArgumentError(format!("row {row}: {error}"));
        let mut archive = match Archive::new(bytes) {
            Ok(archive) => archive.with_options(&self.options.read),
            Err(error) => return self.damaged(failed(error)),
        };
        loop {
            self.check()?;
            let message = match archive.next_message() {
                Ok(Some(message)) => message,
                Ok(None) => {
                    let undecoded = archive.undecoded().map(ToString::to_string);
                    return undecoded.map_or(Ok(()), |undecoded| warn(&format!("row {row}: {undecoded}")));
                }
                Err(error) => {
                    self.damaged(failed(error))?;
                    continue;
                }
            };
            let mut pushed = Ok(());
            let _ = self.options.finder.find_in_message(&message, |matched| {
                pushed = matches.push_archive(matched);
                if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            pushed?;
        }
    }

    /// What the options say about an error.
    fn damaged(&self, error: ArrowError) -> Result<(), ArrowError> {
        let (ArrowError::InvalidArgumentError(why), OnError::Warn) = (&error, self.options.errors) else {
            return Err(error);
        };
        warn(why)
    }
}

/// A row that is not valid.
fn invalid(row: u64, why: &str) -> ArrowError {
    ArrowError::InvalidArgumentError(format!("row {row}: {why}"))
}

/// Warns of what could not be read.
fn warn(why: &str) -> Result<(), ArrowError> {
    let warned = Python::attach(|py| crate::archive::warn(py, why));
    warned.map_err(|raised| ArrowError::ExternalError(Box::new(raised)))
}

/// The batches of a column.
pub struct Extract {
    search: RowSearch,
    /// The chunks to come.
    columns: Columns,
    /// The current chunk, and the next row in it.
    column: Option<(Column, usize)>,
    /// The number of the next row in the whole column.
    row: u64,
    matches: Matches,
    rows: Int64Builder,
    ready: VecDeque<RecordBatch>,
    ended: bool,
}

impl Extract {
    /// The batches of the chunks of a column.
    pub fn new(columns: Columns, options: Options, archive: bool) -> Self {
        let (search, matches) = (RowSearch::new(options, archive), Matches::default());
        let (rows, ready) = (Int64Builder::new(), VecDeque::new());
        Extract { search, columns, column: None, row: 0, matches, rows, ready, ended: false }
    }

    /// Searches the rows of one batch.
    fn advance(&mut self) -> Result<(), ArrowError> {
        let mut searched = 0;
        while searched < BATCH && self.matches.bytes() < BATCH && !self.ended {
            match &self.column {
                Some((column, at)) if *at < column.len => searched += self.search_rows()?,
                _ => self.next_column()?,
            }
            self.search.check()?;
        }
        self.flush()
    }

    /// Takes the next chunk.
    fn next_column(&mut self) -> Result<(), ArrowError> {
        let Some(column) = self.columns.next().transpose()? else {
            self.end();
            return Ok(());
        };
        let end = self.row.saturating_add(column.len as u64);
        if i64::try_from(end).is_err() {
            return Err(invalid(self.row, "the column has too many rows"));
        }
        // A chunk without buffers may have more rows than anyone could count.
        if matches!(column.rows, Rows::Null) {
            self.row = end
        } else {
            self.column = Some((column, 0))
        }
        Ok(())
    }

    /// Releases the column, although the batches may be kept.
    fn end(&mut self) {
        self.columns = Box::new(std::iter::empty());
        self.column = None;
        self.ended = true;
    }

    /// Searches some rows of the current chunk; returns how many bytes they have.
    fn search_rows(&mut self) -> Result<usize, ArrowError> {
        let Some((column, at)) = &mut self.column else {
            return Ok(0);
        };
        let mut searched = 0;
        let end = column.len.min(*at + ROWS);
        while *at < end && searched < BATCH / 16 {
            let bytes = column.get(*at).map_err(|why| invalid(self.row, &why))?;
            if let Some(bytes) = bytes {
                self.search.search(bytes, self.row, &mut self.matches)?;
                let found = self.matches.len() - self.rows.values_slice().len();
                self.rows.append_value_n(self.row as i64, found);
                searched += bytes.len();
            }
            *at += 1;
            self.row += 1;
        }
        Ok(searched)
    }

    fn flush(&mut self) -> Result<(), ArrowError> {
        if self.matches.len() > 0 {
            let batch = self.matches.finish_batch(&mut self.rows)?;
            self.ready.push_back(batch);
        }
        Ok(())
    }
}

impl Iterator for Extract {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() && !self.ended {
            if let Err(error) = self.advance() {
                self.end();
                return Some(Err(error));
            }
        }
        self.ready.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Extract {
    fn schema(&self) -> SchemaRef {
        table::schema()
    }
}

/// The same batches for the consumer of a C stream, which gets errors as text.
pub struct Exported(pub Extract);

impl Iterator for Exported {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        // A panic would end the process: the consumer is not Rust.
        let next = catch_unwind(AssertUnwindSafe(|| Some(self.0.next()?.map_err(text))));
        let next = next.unwrap_or_else(|_| {
            self.0.end();
            Some(Err("urlgrep panicked".to_owned()))
        });
        // So would a zero in the text, which goes out as a string of C.
        Some(next?.map_err(|why| ArrowError::InvalidArgumentError(why.replace('\0', "\\0"))))
    }
}

impl RecordBatchReader for Exported {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}

/// What an error says.
fn text(error: ArrowError) -> String {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            Ok(raised) => Python::attach(|py| interrupt_again(py, &raised)),
            Err(error) => error.to_string(),
        },
        ArrowError::CDataInterface(why) | ArrowError::InvalidArgumentError(why) => why,
        other => other.to_string(),
    }
}

/// What an exception says. Ctrl-C becomes an error of the consumer, which a program may handle. So
/// it is sent again, and comes as soon as Python runs.
fn interrupt_again(py: Python<'_>, raised: &PyErr) -> String {
    if !raised.is_instance_of::<PyKeyboardInterrupt>(py) {
        return raised.to_string();
    }
    let _ = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
    "interrupted".to_owned()
}

/// A list of matches for each row of a column; null where the row is.
pub fn lists(columns: Columns, options: Options, archive: bool) -> Result<ListArray, ArrowError> {
    let mut search = RowSearch::new(options, archive);
    let mut matches = Matches::default();
    let mut offsets = vec![0_i32];
    let mut valid = BooleanBufferBuilder::new(0);
    for column in columns {
        let column = column?;
        // A column without buffers can have more rows than memory.
        if offsets.try_reserve(column.len).is_err() {
            let why = "the column has too many rows; use urlgrep.arrow.extract";
            return Err(ArrowError::InvalidArgumentError(why.to_owned()));
        }
        for at in 0..column.len {
            let row = (offsets.len() - 1) as u64;
            let bytes = column.get(at).map_err(|why| invalid(row, &why))?;
            if let Some(bytes) = bytes {
                search.search(bytes, row, &mut matches)?;
            }
            valid.append(bytes.is_some());
            // URLs have less than 2 GiB in all, so there are not as many.
            offsets.push(matches.len() as i32);
            if at % ROWS == 0 {
                search.check()?;
            }
        }
    }
    let item = Field::new("item", DataType::Struct(table::fields()), false);
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let nulls = NullBuffer::new(valid.finish());
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    ListArray::try_new(Arc::new(item), offsets, Arc::new(matches.finish_structs()?), nulls)
}
