//! The search of a column, row by row.

use std::io;
use std::sync::Arc;

use arrow_array::ListArray;
use arrow_array::builder::BooleanBufferBuilder;
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::ArrowError;
use urlgrep::archive::Archive;
use urlgrep::{Batch, Finder, Match};

use super::capsule::Columns;
use super::column::{BorrowedColumn, Row, RowBytes};
use super::columns::Failure;
use super::external;
use super::stream::Batched;
use super::table::{BATCH, Output};
use crate::interrupt::Clock;
use crate::options::{OnError, Options};

/// The numbers of rows and bytes that are searched before the clock is read.
const ROWS: usize = 256;
const BYTES: usize = BATCH / 16;

/// The number of bytes that are searched for the first batch, so that it comes early. Each of the
/// next ones gets twice as many, at most [`BATCH`].
const FIRST: usize = BATCH / 256;

/// The number that a row adds to the searched bytes besides its own, because even null rows take
/// time.
const ROW: usize = 16;

/// Searches rows.
pub struct Search {
    pub options: Options,
    /// True if a row is a message or a file.
    pub archive: bool,
    pub clock: Clock,
}

impl Search {
    /// Runs the handlers of signals.
    fn check(&mut self) -> Result<(), ArrowError> {
        self.clock.check().map_err(external)
    }

    /// Adds the matches in row `at` of a chunk, which is row `row` of the column. Returns how many bytes it has; `None`
    /// if it is null.
    #[inline]
    fn search<'c>(
        &mut self,
        texts: &mut RowTexts<'_, 'c>,
        (column, at): (&'c BorrowedColumn, usize),
        row: u64,
        output: &mut Output,
    ) -> Result<Option<usize>, ArrowError> {
        let (items, range) = match column.get(at).map_err(|why| invalid(row, &why))? {
            Row::Null => return Ok(None),
            Row::Text(place) => return self.search_text(texts, place, row, output).map(Some),
            Row::List(items, range) => (items, range),
        };
        // Each item is a text of its own.
        let (mut searched, mut next) = (0, (ROWS, BYTES));
        for (item, at) in range.enumerate() {
            if item >= next.0 || searched >= next.1 {
                self.check()?;
                next = (item + ROWS, searched + BYTES);
            }
            output.place.item = Some(item as u64);
            // A layout has no list within a list.
            if let Row::Text(place) = items.get(at).map_err(|why| invalid(row, &why))? {
                searched += ROW + self.search_text(texts, place, row, output)?;
            }
        }
        Ok(Some(searched))
    }

    #[inline]
    fn search_text<'c>(
        &mut self,
        texts: &mut RowTexts<'_, 'c>,
        place: RowBytes<'c>,
        row: u64,
        output: &mut Output,
    ) -> Result<usize, ArrowError> {
        let len = place.range.len();
        output.place.row = Some(row);
        if self.archive {
            self.search_archive(&place.buffer[place.range], row, output)?;
        } else {
            texts.find_iter(place).try_for_each(|matched| output.push(&matched))?;
        }
        Ok(len)
    }

    fn search_archive(&mut self, bytes: &[u8], row: u64, output: &mut Output) -> Result<(), ArrowError> {
        let mut archive = match Archive::new(bytes) {
            Ok(archive) => archive.with_options(&self.options.read),
            Err(error) => return self.damaged(row, &error, output),
        };
        loop {
            self.check()?;
            match archive.next_message() {
                Ok(Some(_)) => {
                    output.search_message(&archive, &self.options.finder, 0, usize::MAX)?;
                }
                Ok(None) => {
                    let mut notes = archive.take_notes();
                    return notes.try_for_each(|note| output.report("undecoded", note.to_string(), None));
                }
                Err(error) => self.damaged(row, &error, output)?,
            }
        }
    }

    /// Handles an error as the options require.
    fn damaged(&self, row: u64, error: &io::Error, output: &mut Output) -> Result<(), ArrowError> {
        match self.options.errors {
            OnError::Raise => Err(invalid(row, &error.to_string())),
            _ => output.report(Failure::kind_of(error), error.to_string(), None),
        }
    }
}

/// The search of the rows of a column as texts.
struct RowTexts<'f, 'c> {
    texts: Batch<'f, 'c>,
    /// The batch of short views. They are in a separate buffer, between the ones that contain where
    /// others are.
    inline: Batch<'f, 'c>,
}

impl<'f, 'c> RowTexts<'f, 'c> {
    fn new(finder: &'f Finder) -> Self {
        RowTexts { texts: finder.batch(), inline: finder.batch() }
    }

    /// The matches in the row at `place`.
    #[inline]
    fn find_iter(&mut self, place: RowBytes<'c>) -> impl Iterator<Item = Match<'c>> {
        let texts = if place.inline { &mut self.inline } else { &mut self.texts };
        texts.find_iter(place.buffer, place.range)
    }
}

/// A row that is not valid.
fn invalid(row: u64, why: &str) -> ArrowError {
    ArrowError::InvalidArgumentError(format!("row {row}: {why}"))
}

/// The batches of a column.
pub struct Extract {
    search: Search,
    /// The chunks to come.
    columns: Columns,
    /// The current chunk, and the next row in it.
    column: Option<(BorrowedColumn, usize)>,
    /// The number of the next row in the whole column.
    row: u64,
    /// The number of bytes that are searched for the next batch.
    budget: usize,
    output: Output,
}

impl Extract {
    /// Returns the batches of the chunks of a column.
    pub fn new(columns: Columns, search: Search, output: Output) -> Self {
        Extract { search, columns, column: None, row: 0, budget: FIRST, output }
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
        if column.is_void() {
            self.row = end
        } else {
            self.column = Some((column, 0))
        }
        Ok(())
    }

    /// Searches rows of the current chunk until they have `most` bytes; returns how many they have.
    fn search_rows(&mut self, most: usize) -> Result<usize, ArrowError> {
        let Some((column, at)) = &mut self.column else { return Ok(0) };
        let finder = self.search.options.finder.clone();
        let mut texts = RowTexts::new(&finder);
        let (mut searched, mut next) = (0, (*at + ROWS, BYTES));
        while *at < column.len && searched < most && !self.output.is_ready() {
            if *at >= next.0 || searched >= next.1 {
                self.search.check()?;
                next = (*at + ROWS, searched + BYTES);
            }
            let found = self.search.search(&mut texts, (column, *at), self.row, &mut self.output)?;
            searched += ROW + found.unwrap_or(0);
            *at += 1;
            self.row += 1;
        }
        Ok(searched)
    }
}

impl Batched for Extract {
    fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    /// Searches the rows of one batch.
    fn advance(&mut self) -> Result<(), ArrowError> {
        let mut searched = 0;
        while searched < self.budget && !self.output.is_ready() && !self.output.ended {
            match &self.column {
                Some((column, at)) if *at < column.len => {
                    searched += self.search_rows(self.budget - searched)?;
                }
                _ => self.next_column()?,
            }
            self.search.check()?;
        }
        self.budget = (2 * self.budget).min(BATCH);
        // Rows after a batch that is ready begin the next one.
        if self.output.ended || !self.output.is_ready() {
            self.output.flush();
        }
        Ok(())
    }

    /// Releases the column, although the batches may be kept.
    fn end(&mut self) {
        self.columns = Box::new(std::iter::empty());
        self.column = None;
        self.output.ended = true;
    }
}

/// Returns a list of matches for each row of a column; null where the row is. They are structs, or
/// with `bare` the values of the only column.
pub fn lists(
    columns: Columns,
    mut search: Search,
    mut output: Output,
    bare: bool,
) -> Result<ListArray, ArrowError> {
    let finder = search.options.finder.clone();
    let mut offsets = vec![0_i32];
    let mut valid = BooleanBufferBuilder::new(0);
    for column in columns {
        let column = column?;
        // A column without buffers can have more rows than memory.
        if offsets.try_reserve(column.len).is_err() {
            let why = "the column has too many rows; use urlgrep.arrow.extract";
            return Err(ArrowError::InvalidArgumentError(why.to_owned()));
        }
        let mut texts = RowTexts::new(&finder);
        for at in 0..column.len {
            let row = (offsets.len() - 1) as u64;
            valid.append(search.search(&mut texts, (&column, at), row, &mut output)?.is_some());
            // All matches together take less than 2 GiB, so their number fits.
            offsets.push(output.len() as i32);
            if at % ROWS == 0 {
                search.check()?;
            }
        }
    }
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    let nulls = NullBuffer::new(valid.finish());
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    let (item, values) = output.finish_items(bare);
    ListArray::try_new(Arc::new(item), offsets, values, nulls)
}
