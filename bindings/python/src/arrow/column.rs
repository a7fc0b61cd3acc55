//! A column of strings or bytes, whatever its layout is. What it was made of may be wrong, such as
//! an offset: each row is checked when it is read.

use std::ops::Range;

use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType};

/// How the rows of a column are in its buffers.
pub enum Layout {
    /// Offsets, and the bytes that they are in: strings or bytes, which is the same here.
    Strings(Int),
    /// Views: the bytes of a short row, or where those of a long one are.
    Views,
    /// As many bytes for each row.
    Fixed(usize),
    /// Indices of values.
    Dictionary(Int, Box<Layout>),
    /// Values, each for the rows before a row number that is after those of the one before.
    Runs(Int, Box<Layout>),
    /// The field of structs that has this number.
    Field(usize, Box<Layout>),
    /// Lists of items.
    Lists(Bounds<Int>, Box<Layout>),
    /// Nothing: all rows are null.
    Null,
}

/// Which items are in a list. In a layout `T` is what the integers are, in a column it is the integers.
#[derive(Clone, Copy)]
pub enum Bounds<T> {
    /// Those between two offsets.
    Offsets(T),
    /// As many as the second says, from the offset that the first has.
    Views(T, T),
    /// As many for each list.
    Fixed(usize),
}

/// What integers of a buffer are.
#[derive(Clone, Copy)]
pub struct Int {
    /// In bytes: 1, 2, 4 or 8.
    pub width: usize,
    pub signed: bool,
}

/// Integers in a buffer, which need not be aligned.
pub struct Ints {
    bytes: Buffer,
    int: Int,
}

/// The rows of a column, in the buffers of another library.
pub struct Column {
    /// Counted from the first row.
    pub nulls: Option<NullBuffer>,
    /// Which row of the buffers is the first.
    pub first: usize,
    pub len: usize,
    pub rows: Rows,
}

/// The buffers of a column: see [`Layout`].
pub enum Rows {
    Strings(Ints, Buffer),
    Views(Buffer, Vec<Buffer>),
    Fixed(usize, Buffer),
    Dictionary(Ints, Box<Column>),
    Runs(Ints, Box<Column>),
    Field(Box<Column>),
    Lists(Bounds<Ints>, Box<Column>),
    Null,
}

/// What is in a row.
pub enum Row<'c> {
    Null,
    Text(Place<'c>),
    /// The items of a list: those rows of a column.
    List(&'c Column, Range<usize>),
}

impl Layout {
    /// The layout of a type with this format; `values` is that of its dictionary.
    ///
    /// # Errors
    ///
    /// `ArrowError::SchemaError` if it is one of neither strings nor bytes.
    pub fn new(format: &str, values: Option<Layout>) -> Result<Layout, ArrowError> {
        match (values, format) {
            (Some(values), _) => Int::new(format).map(|int| Layout::Dictionary(int, Box::new(values))),
            (None, "u" | "z") => Some(Layout::Strings(Int::I32)),
            (None, "U" | "Z") => Some(Layout::Strings(Int::I64)),
            (None, "vu" | "vz") => Some(Layout::Views),
            (None, "n") => Some(Layout::Null),
            (None, _) => format.strip_prefix("w:").and_then(|width| width.parse().ok()).map(Layout::Fixed),
        }
        .ok_or_else(|| {
            let found = name(format);
            ArrowError::SchemaError(format!("expected a column of strings or bytes, found one of {found}"))
        })
    }
}

impl Bounds<Int> {
    /// Those of a type of lists with this format.
    pub fn new(format: &str) -> Option<Bounds<Int>> {
        match format {
            "+l" => Some(Bounds::Offsets(Int::I32)),
            "+L" => Some(Bounds::Offsets(Int::I64)),
            "+vl" => Some(Bounds::Views(Int::I32, Int::I32)),
            "+vL" => Some(Bounds::Views(Int::I64, Int::I64)),
            _ => format.strip_prefix("+w:").and_then(|width| width.parse().ok()).map(Bounds::Fixed),
        }
    }
}

impl Bounds<Ints> {
    /// The items of a list. They may not be there.
    fn get(&self, at: usize) -> Option<Range<usize>> {
        Some(match self {
            Bounds::Offsets(offsets) => offsets.get(at)?..offsets.get(at + 1)?,
            Bounds::Views(offsets, sizes) => {
                let start = offsets.get(at)?;
                start..start.checked_add(sizes.get(at)?)?
            }
            Bounds::Fixed(width) => at.checked_mul(*width)?..(at + 1).checked_mul(*width)?,
        })
    }
}

/// The name of a type.
fn name(format: &str) -> String {
    match format.strip_prefix('+') {
        Some("s") => "Struct (a table or several columns: pass one column of it)".to_owned(),
        Some("m") => "Map".to_owned(),
        Some("r") => "RunEndEncoded (within another, or within a list)".to_owned(),
        Some(nested) if nested.starts_with('u') => "Union".to_owned(),
        Some(_) => "List (within another, or of runs)".to_owned(),
        None => {
            let schema = FFI_ArrowSchema::try_new(format, Vec::new(), None);
            let data_type = schema.and_then(|schema| DataType::try_from(&schema));
            data_type.map_or_else(|_| format!("the format {format:?}"), |data_type| data_type.to_string())
        }
    }
}

impl Int {
    pub const I32: Int = Int { width: 4, signed: true };
    pub const I64: Int = Int { width: 8, signed: true };

    /// The integers of a type with this format.
    pub fn new(format: &str) -> Option<Int> {
        let width = match format {
            "c" | "C" => 1,
            "s" | "S" => 2,
            "i" | "I" => 4,
            "l" | "L" => 8,
            _ => return None,
        };
        Some(Int { width, signed: format.starts_with(|letter: char| letter.is_ascii_lowercase()) })
    }
}

impl Ints {
    pub fn new(bytes: Buffer, int: Int) -> Ints {
        Ints { bytes, int }
    }

    /// How many there are.
    fn len(&self) -> usize {
        self.bytes.len() / self.int.width
    }

    /// The number of the first one above `value`, if they are in order; `None` if one is negative.
    fn first_above(&self, value: usize) -> Option<usize> {
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start.midpoint(end);
            if self.get(middle)? > value { end = middle } else { start = middle + 1 }
        }
        Some(start)
    }

    /// One of them; `None` if it is negative, or there are not as many.
    pub fn get(&self, index: usize) -> Option<usize> {
        let bytes = self.bytes.get(index.checked_mul(self.int.width)?..)?;
        let value = match self.int.width {
            1 => u64::from(*bytes.first()?),
            2 => u64::from(u16::from_ne_bytes(*bytes.first_chunk()?)),
            4 => u64::from(u32::from_ne_bytes(*bytes.first_chunk()?)),
            _ => u64::from_ne_bytes(*bytes.first_chunk()?),
        };
        let sign = self.int.width * 8 - 1;
        if self.int.signed && value >> sign != 0 { None } else { usize::try_from(value).ok() }
    }
}

/// The bytes of a row: where they are.
pub struct Place<'c> {
    pub buffer: &'c [u8],
    /// In the buffer.
    pub range: Range<usize>,
    /// Whether they are in a view, which other rows need not be.
    pub inline: bool,
}

impl<'c> Place<'c> {
    /// The bytes.
    pub fn bytes(&self) -> &'c [u8] {
        &self.buffer[self.range.clone()]
    }
}

impl Column {
    /// What is in a row below `len`.
    ///
    /// # Errors
    ///
    /// A text if the column is not valid there.
    #[inline]
    pub fn get(&self, row: usize) -> Result<Row<'_>, String> {
        let at = self.first + row;
        let null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        let found = match &self.rows {
            // Also of a null row, because an offset must not be below the one before.
            Rows::Strings(offsets, bytes) => range(offsets, bytes, at).ok_or_else(|| {
                format!(
                    "expected offsets in order, up to the {} bytes of the column, found others",
                    bytes.len()
                )
            })?,
            Rows::Null => return Ok(Row::Null),
            _ if null => return Ok(Row::Null),
            Rows::Views(views, bytes) => {
                view(views, bytes, at).ok_or("expected a view of bytes of the column, found another")?
            }
            Rows::Fixed(width, bytes) => place(bytes, at * width..(at + 1) * width),
            _ => return self.nested(at),
        };
        Ok(if null { Row::Null } else { Row::Text(found) })
    }

    /// What is in a row of the buffers that is in another column.
    fn nested(&self, at: usize) -> Result<Row<'_>, String> {
        match &self.rows {
            Rows::Dictionary(indices, values) => {
                let index = indices.get(at).filter(|&index| index < values.len);
                let index = index.ok_or_else(|| {
                    format!("expected an index of the {} values of a dictionary, found another", values.len)
                })?;
                values.get(index)
            }
            Rows::Runs(ends, values) => {
                let run = ends.first_above(at).filter(|&run| run < values.len);
                let run =
                    run.ok_or_else(|| format!("expected that one of the {} runs has it", values.len))?;
                values.get(run)
            }
            Rows::Lists(bounds, items) => {
                let range = bounds.get(at).filter(|range| range.start <= range.end && range.end <= items.len);
                let range = range.ok_or_else(|| {
                    format!("expected a list of the {} items of the column, found another", items.len)
                })?;
                // Such items need no buffers, so there may be more than anyone could count.
                Ok(Row::List(items, if items.is_void() { 0..0 } else { range }))
            }
            // A field has all rows of its structs.
            Rows::Field(values) => values.get(at),
            _ => Ok(Row::Null),
        }
    }

    /// Whether there is nothing in any row, of which there may be more than anyone could count: no buffer has as many.
    pub fn is_void(&self) -> bool {
        match &self.rows {
            Rows::Null => true,
            Rows::Field(values) | Rows::Runs(_, values) | Rows::Lists(Bounds::Fixed(_), values) => {
                values.is_void()
            }
            _ => false,
        }
    }
}

fn place(buffer: &[u8], range: Range<usize>) -> Place<'_> {
    Place { buffer, range, inline: false }
}

/// The bytes between two offsets.
fn range<'a>(offsets: &Ints, bytes: &'a [u8], at: usize) -> Option<Place<'a>> {
    let range = offsets.get(at)?..offsets.get(at + 1)?;
    bytes.get(range.clone())?;
    Some(place(bytes, range))
}

/// The bytes of a view: its length, and the bytes themselves if they are at most 12, or else the first
/// four of them, and where they are: the number of a buffer and an offset.
fn view<'a>(views: &'a [u8], buffers: &'a [Buffer], at: usize) -> Option<Place<'a>> {
    let from = at * 16;
    let view = views.get(from..)?.first_chunk::<16>()?;
    let int = |at: usize| Some(u32::from_ne_bytes(*view[at..].first_chunk()?) as usize);
    let len = int(0)?;
    if len <= 12 {
        return Some(Place { buffer: views, range: from + 4..from + 4 + len, inline: true });
    }
    let (buffer, start) = (buffers.get(int(8)?)?, int(12)?);
    let range = start..start.checked_add(len)?;
    buffer.get(range.clone())?.starts_with(&view[4..8]).then(|| place(buffer, range))
}
