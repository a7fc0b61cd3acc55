//! A column of strings or bytes, regardless of its layout. Its source may be wrong, such as an
//! offset, so each row is checked when it is read.

use std::ops::Range;

use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Fields};

/// The items of a list.
pub enum Bounds {
    /// The items between two offsets.
    Offsets(Ints),
    /// The number of items in the second buffer, from the offset in the first.
    Views(Ints, Ints),
    /// A fixed number of items in each list.
    Fixed(usize),
}

/// The type of the integers of a buffer.
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
pub struct BorrowedColumn {
    /// Counted from the first row.
    pub nulls: Option<NullBuffer>,
    /// The row of the buffers that is the first.
    pub first: usize,
    pub len: usize,
    pub rows: Rows,
}

/// The layout of a column's rows in its buffers.
pub enum Rows {
    /// Offsets, and the bytes that they are in: strings or bytes, which is the same here.
    Strings(Ints, Buffer),
    /// Views: the bytes of a short row, or the position of a long row's bytes.
    Views(Buffer, Vec<Buffer>),
    /// Rows of this length, in bytes.
    Fixed(usize, Buffer),
    /// Indices of values.
    Dictionary(Ints, Box<BorrowedColumn>),
    /// Values, each for the rows from the end of the previous value up to a row number.
    Runs(Ints, Box<BorrowedColumn>),
    /// A field of structs.
    Field(Box<BorrowedColumn>),
    /// Lists of items.
    Lists(Bounds, Box<BorrowedColumn>),
    /// Nothing: all rows are null.
    Null,
}

/// The content of a row.
pub enum Row<'c> {
    Null,
    Text(RowBytes<'c>),
    /// The items of a list: those rows of a column.
    List(&'c BorrowedColumn, Range<usize>),
}

impl Bounds {
    /// Returns the range of a list's items. It is not compared with the length of the child.
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

/// Compares a type, or the field at a path in it, with those that are read. `nested`: within a list or runs, in
/// which there may be neither, so that types have an end.
///
/// # Errors
///
/// `ArrowError::SchemaError` if its values are neither strings nor bytes; another error if the
/// field does not exist.
pub fn check_type(data_type: &DataType, path: Option<&str>, nested: bool) -> Result<(), ArrowError> {
    use DataType as Type;

    match (data_type, path) {
        (Type::Struct(fields), Some(path)) => {
            let (index, rest) = field(fields, path)?;
            check_type(fields[index].data_type(), rest, nested)
        }
        (
            Type::List(values)
            | Type::LargeList(values)
            | Type::ListView(values)
            | Type::LargeListView(values)
            | Type::FixedSizeList(values, _)
            | Type::RunEndEncoded(_, values),
            _,
        ) if !nested => check_type(values.data_type(), path, true),
        (_, Some(path)) => {
            let why = format!("expected a struct with the field '{path}', found no struct");
            Err(ArrowError::SchemaError(why))
        }
        (Type::Dictionary(_, values), _) if !matches!(**values, Type::Dictionary(..)) => {
            check_type(values, None, true)
        }
        (Type::FixedSizeBinary(width), _) => fixed(*width).map(drop),
        (data_type, _) if data_type.is_string() || data_type.is_binary() || is_nothing(data_type) => Ok(()),
        (other, _) => Err(not_read(other)),
    }
}

fn not_read(data_type: &DataType) -> ArrowError {
    let found = match data_type {
        DataType::Struct(_) => "Struct (a table or several columns: pass one column of it)".to_owned(),
        DataType::Map(..) => "Map".to_owned(),
        DataType::RunEndEncoded(..) => "RunEndEncoded inside a run-end-encoded column or a list".to_owned(),
        DataType::Union(..) => "Union".to_owned(),
        data_type if data_type.is_list() => "List inside a list, or of run-end-encoded values".to_owned(),
        data_type => data_type.to_string(),
    };
    ArrowError::SchemaError(format!("expected a column of strings or bytes, found a column of {found}"))
}

/// Returns true if all rows are null, as the import makes nulls a struct without fields.
pub fn is_nothing(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Struct(fields) if fields.is_empty())
}

/// Returns the error for an invalid column.
pub fn invalid(why: impl Into<String>) -> ArrowError {
    ArrowError::CDataInterface(why.into())
}

/// The number of the field at the beginning of a path, and the text after its dot. A name may have
/// dots: the longest one counts.
fn field<'p>(fields: &Fields, path: &'p str) -> Result<(usize, Option<&'p str>), ArrowError> {
    let mut found: Vec<(usize, Option<&str>)> = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let rest = path.strip_prefix(field.name());
        match rest.map(|rest| rest.strip_prefix('.').ok_or(rest)) {
            Some(Err("")) => found.push((index, None)),
            Some(Ok(rest)) => found.push((index, Some(rest))),
            _ => {}
        }
    }
    let shortest = found.iter().map(|(_, rest)| rest.map(str::len)).min();
    found.retain(|(_, rest)| Some(rest.map(str::len)) == shortest);
    let names = || fields.iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(", ");
    match found[..] {
        [one] => Ok(one),
        _ => Err(invalid(format!("expected exactly one field '{path}'; the fields are: {}", names()))),
    }
}

impl Int {
    pub const I32: Int = Int { width: 4, signed: true };
    pub const I64: Int = Int { width: 8, signed: true };

    /// The integers of a type.
    fn new(data_type: &DataType) -> Result<Int, ArrowError> {
        let width = data_type.primitive_width().filter(|_| data_type.is_integer());
        let width = width.ok_or_else(|| invalid("expected integers for indices or the ends of runs"))?;
        Ok(Int { width, signed: data_type.is_signed_integer() })
    }
}

impl Ints {
    /// Returns their number.
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

    /// Returns one of them; `None` if it is negative, or there are not as many.
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
pub struct RowBytes<'c> {
    pub buffer: &'c [u8],
    /// In the buffer.
    pub range: Range<usize>,
    /// True if they are in a view, which other rows need not be.
    pub inline: bool,
}

impl BorrowedColumn {
    /// Returns the column in an array, or in the field at a path in it. Its type is one that
    /// [`check_type`] accepts.
    ///
    /// # Errors
    ///
    /// Returns an error if the array lacks the buffers or children of its type.
    pub fn new(data: &ArrayData, path: Option<&str>) -> Result<BorrowedColumn, ArrowError> {
        use DataType as Type;

        let buffer = |index| {
            let buffers = data.buffers();
            let found = || invalid(format!("expected more than {} buffers of a column", buffers.len()));
            buffers.get(index).cloned().ok_or_else(found)
        };
        let ints = |index, int| buffer(index).map(|bytes| Ints { bytes, int });
        let child = |index: usize, path| BorrowedColumn::new(&data.child_data()[index], path).map(Box::new);
        let lists = |bounds| child(0, path).map(|items| Rows::Lists(bounds, items));
        let rows = match (data.data_type(), path) {
            (Type::Struct(fields), Some(path)) => {
                let (index, rest) = field(fields, path)?;
                let (values, end) = (child(index, rest)?, data.offset() + data.len());
                if values.len < end {
                    return Err(invalid(format!("expected {end} rows of a field, found {}", values.len)));
                }
                Rows::Field(values)
            }
            (Type::List(_), _) => lists(Bounds::Offsets(ints(0, Int::I32)?))?,
            (Type::LargeList(_), _) => lists(Bounds::Offsets(ints(0, Int::I64)?))?,
            (Type::ListView(_), _) => lists(Bounds::Views(ints(0, Int::I32)?, ints(1, Int::I32)?))?,
            (Type::LargeListView(_), _) => lists(Bounds::Views(ints(0, Int::I64)?, ints(1, Int::I64)?))?,
            (Type::FixedSizeList(_, width), _) => lists(Bounds::Fixed(fixed(*width)?))?,
            // Two children: where the runs end, which counts rows of the array, and their values.
            (Type::RunEndEncoded(..), _) => {
                let ends = &data.child_data()[0];
                let int = Int::new(ends.data_type())?;
                let bytes = ends.buffers()[0].slice(ends.offset() * int.width);
                Rows::Runs(Ints { bytes, int }, child(1, path)?)
            }
            (Type::Utf8 | Type::Binary, _) => Rows::Strings(ints(0, Int::I32)?, buffer(1)?),
            (Type::LargeUtf8 | Type::LargeBinary, _) => Rows::Strings(ints(0, Int::I64)?, buffer(1)?),
            (Type::Utf8View | Type::BinaryView, _) => {
                Rows::Views(buffer(0)?, data.buffers().iter().skip(1).cloned().collect())
            }
            (Type::FixedSizeBinary(width), _) => Rows::Fixed(fixed(*width)?, buffer(0)?),
            (Type::Dictionary(key, _), _) => Rows::Dictionary(ints(0, Int::new(key)?)?, child(0, None)?),
            (nothing, _) if is_nothing(nothing) => Rows::Null,
            (other, _) => return Err(not_read(other)),
        };
        Ok(BorrowedColumn { nulls: nulls(data)?, first: data.offset(), len: data.len(), rows })
    }

    /// Returns the content of a row below `len`.
    ///
    /// # Errors
    ///
    /// Returns a description of the error if the column is not valid at this row.
    #[inline]
    pub fn get(&self, row: usize) -> Result<Row<'_>, String> {
        let at = self.first + row;
        let null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        let found = match &self.rows {
            // Check the offsets of null rows as well, because they must not decrease.
            Rows::Strings(offsets, bytes) => range(offsets, bytes, at).ok_or_else(|| {
                format!(
                    "expected ascending offsets up to {}, the number of bytes in the column, found a different offset",
                    bytes.len()
                )
            })?,
            Rows::Null => return Ok(Row::Null),
            _ if null => return Ok(Row::Null),
            Rows::Views(views, bytes) => {
                view(views, bytes, at).ok_or("expected a view into the bytes of the column, found a view outside of them")?
            }
            Rows::Fixed(width, bytes) => place(bytes, at * width..(at + 1) * width),
            _ => return self.nested(at),
        };
        Ok(if null { Row::Null } else { Row::Text(found) })
    }

    /// Returns the content of a row of the buffers that is in another column.
    fn nested(&self, at: usize) -> Result<Row<'_>, String> {
        match &self.rows {
            Rows::Dictionary(indices, values) => {
                let index = indices.get(at).filter(|&index| index < values.len);
                let index = index.ok_or_else(|| {
                    format!("expected an index below {}, the number of values in the dictionary, found a different index", values.len)
                })?;
                values.get(index)
            }
            Rows::Runs(ends, values) => {
                let run = ends.first_above(at).filter(|&run| run < values.len);
                let run =
                    run.ok_or_else(|| format!("expected one of the {} runs to contain the row", values.len))?;
                values.get(run)
            }
            Rows::Lists(bounds, items) => {
                let range = bounds.get(at).filter(|range| range.start <= range.end && range.end <= items.len);
                let range = range.ok_or_else(|| {
                    format!(
                        "expected a list within the {} items of the column, found a list outside of them",
                        items.len
                    )
                })?;
                // Void items need no buffers, so their number may be too large to count them.
                Ok(Row::List(items, if items.is_void() { 0..0 } else { range }))
            }
            // A field has all rows of its structs.
            Rows::Field(values) => values.get(at),
            _ => Ok(Row::Null),
        }
    }

    /// Returns true if all rows are empty. Their number may be larger than any buffer.
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

/// A width that a type has.
fn fixed(width: i32) -> Result<usize, ArrowError> {
    usize::try_from(width)
        .map_err(|_| invalid(format!("expected a width of at least 0 for fixed-size values, found {width}")))
}

/// Returns the null rows. If an array declares that no row is null, this is trusted.
fn nulls(data: &ArrayData) -> Result<Option<NullBuffer>, ArrowError> {
    let Some(nulls) = data.nulls() else { return Ok(None) };
    let (said, found) = (nulls.null_count(), nulls.len() - nulls.inner().count_set_bits());
    if said != found {
        return Err(invalid(format!("expected {said} nulls in an array, found {found}")));
    }
    Ok(Some(nulls.clone()))
}

fn place(buffer: &[u8], range: Range<usize>) -> RowBytes<'_> {
    RowBytes { buffer, range, inline: false }
}

/// The bytes between two offsets.
fn range<'a>(offsets: &Ints, bytes: &'a [u8], at: usize) -> Option<RowBytes<'a>> {
    let range = offsets.get(at)?..offsets.get(at + 1)?;
    bytes.get(range.clone())?;
    Some(place(bytes, range))
}

/// The bytes of a view: its length, and the bytes themselves if they are at most 12, or else the first
/// four of them, and where they are: the number of a buffer and an offset.
fn view<'a>(views: &'a [u8], buffers: &'a [Buffer], at: usize) -> Option<RowBytes<'a>> {
    let from = at * 16;
    let view = views.get(from..)?.first_chunk::<16>()?;
    let int = |at: usize| Some(u32::from_ne_bytes(*view[at..].first_chunk()?) as usize);
    let len = int(0)?;
    if len <= 12 {
        return Some(RowBytes { buffer: views, range: from + 4..from + 4 + len, inline: true });
    }
    let (buffer, start) = (buffers.get(int(8)?)?, int(12)?);
    let range = start..start.checked_add(len)?;
    buffer.get(range.clone())?.starts_with(&view[4..8]).then(|| place(buffer, range))
}
