//! The columns of the result.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use urlgrep::{Match, TextMatch};

/// How many bytes the URLs of one batch may have: offsets of Utf8 and Binary are signed and 32
/// bits wide.
const MOST: usize = i32::MAX as usize;

/// The columns of a match, without the row that it is in.
#[derive(Debug, Default)]
pub struct Matches {
    url: StringBuilder,
    url_bytes: BinaryBuilder,
    start: Int64Builder,
    end: Int64Builder,
    scheme: StringBuilder,
    host: StringBuilder,
    form: StringBuilder,
    grade: StringBuilder,
    join: StringBuilder,
    bytes: usize,
    len: usize,
}

/// The fields of a match.
pub fn fields() -> Fields {
    Fields::from(vec![
        // Null if it is not UTF-8.
        Field::new("url", DataType::Utf8, true),
        Field::new("url_bytes", DataType::Binary, false),
        Field::new("start", DataType::Int64, false),
        Field::new("end", DataType::Int64, false),
        Field::new("scheme", DataType::Utf8, false),
        Field::new("host", DataType::Utf8, true),
        Field::new("form", DataType::Utf8, false),
        Field::new("grade", DataType::Utf8, false),
        Field::new("join", DataType::Utf8, true),
    ])
}

/// The schema of batches: the row, and the fields of a match.
pub fn schema() -> SchemaRef {
    let row = Arc::new(Field::new("row", DataType::Int64, false));
    Arc::new(Schema::new([&[row], &fields()[..]].concat()))
}

impl Matches {
    /// The number of matches.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of bytes of their URLs.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a match in a text.
    ///
    /// # Errors
    ///
    /// If the URLs are longer than 2 GiB in all.
    pub fn push(&mut self, matched: &Match<'_>) -> Result<(), ArrowError> {
        let (span, joined) = (matched.span(), matched.joined());
        self.push_at(matched, span, joined.map(|joined| joined.as_str()))
    }

    /// Adds a match in an archive.
    ///
    /// # Errors
    ///
    /// If the URLs are longer than 2 GiB in all.
    pub fn push_archive(&mut self, matched: &TextMatch<'_>) -> Result<(), ArrowError> {
        let joined = matched.joined();
        self.push_at(matched.in_text(), matched.span(), joined.map(|joined| joined.as_str()))
    }

    fn push_at(
        &mut self,
        matched: &Match<'_>,
        span: std::ops::Range<u64>,
        join: Option<&str>,
    ) -> Result<(), ArrowError> {
        let url = matched.as_bytes();
        // Each host and scheme is a part of its URL; a name of a form or grade is short.
        let bytes = self.bytes + url.len() + 16;
        if bytes > MOST {
            let why =
                "the URLs have more than 2 GiB; pass fewer rows at a time, or use urlgrep.arrow.extract";
            return Err(ArrowError::InvalidArgumentError(why.to_owned()));
        }
        self.bytes = bytes;
        self.len += 1;
        self.url.append_option(matched.as_str());
        self.url_bytes.append_value(url);
        self.start.append_value(span.start as i64);
        self.end.append_value(span.end as i64);
        self.scheme.append_value(matched.scheme());
        self.host.append_option(matched.host());
        self.form.append_value(matched.form().as_str());
        self.grade.append_value(matched.grade().as_str());
        self.join.append_option(join);
        Ok(())
    }

    /// The columns. The builders are empty then.
    fn finish(&mut self) -> Vec<ArrayRef> {
        (self.bytes, self.len) = (0, 0);
        vec![
            Arc::new(self.url.finish()),
            Arc::new(self.url_bytes.finish()),
            Arc::new(self.start.finish()),
            Arc::new(self.end.finish()),
            Arc::new(self.scheme.finish()),
            Arc::new(self.host.finish()),
            Arc::new(self.form.finish()),
            Arc::new(self.grade.finish()),
            Arc::new(self.join.finish()),
        ]
    }

    /// The matches as structs.
    ///
    /// # Errors
    ///
    /// If the columns were not of the same length, which they are.
    pub fn finish_structs(&mut self) -> Result<StructArray, ArrowError> {
        StructArray::try_new(fields(), self.finish(), None)
    }

    /// The matches as a batch; `rows` has the row of each.
    ///
    /// # Errors
    ///
    /// If `rows` does not have as many.
    pub fn finish_batch(&mut self, rows: &mut Int64Builder) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(rows.finish())];
        columns.extend(self.finish());
        RecordBatch::try_new(schema(), columns)
    }
}
