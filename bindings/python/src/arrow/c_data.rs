//! The Arrow C data interface: columns of other libraries, without a copy. All `unsafe` code of the
//! package is here.
//!
//! The interface passes pointers without sizes. How many bytes a buffer has follows from the length
//! and the offset of its array, from the last offset in it, or, for views, from a buffer of sizes.
//! The exporter vouches for that, and for the pointers. All else is checked: here counts, sums,
//! products and null pointers, before anything is read; in [`Column`] each offset, index and view,
//! when its row is read. arrow-array has an import, too, which relies on all of it.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface.html>

#![expect(unsafe_code, reason = "the C data interface passes pointers; each use says why it is sound")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::column::{Bounds, Column, Int, Ints, Layout, Rows};
use super::raise;

/// An `ArrowSchema`: a type.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Release<Schema>,
    private_data: *mut c_void,
}

/// An `ArrowArray`: rows, or the values of a dictionary.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *mut u8,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Release<Array>,
    private_data: *mut c_void,
}

/// An `ArrowArrayStream`: arrays of one type.
#[repr(C)]
struct Stream {
    get_schema: Callback<Schema>,
    get_next: Callback<Array>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Release<Stream>,
    private_data: *mut c_void,
}

type Release<T> = Option<unsafe extern "C" fn(*mut T)>;
type Callback<T> = Option<unsafe extern "C" fn(*mut Stream, *mut T) -> c_int>;

/// A struct of the interface. All zeros are a value of each: null pointers, and no functions.
trait Struct {
    /// The name of a capsule with one.
    const NAME: &CStr;

    /// The function that releases it; none if it has been released.
    fn release(&mut self) -> &mut Release<Self>;
}

macro_rules! structs {
    ($($type:ty, $name:literal;)*) => {$(
        impl Struct for $type {
            const NAME: &CStr = $name;

            fn release(&mut self) -> &mut Release<Self> {
                &mut self.release
            }
        }
    )*};
}

structs! {
    Schema, c"arrow_schema";
    Array, c"arrow_array";
    Stream, c"arrow_array_stream";
}

/// A struct that is ours to release.
struct Owned<T: Struct>(T);

impl<T: Struct> Drop for Owned<T> {
    fn drop(&mut self) {
        if let Some(release) = *self.0.release() {
            // SAFETY: the struct still has its function, so nobody has released it, and nobody else
            // can: `take` leaves none in the capsule, and a callback fills in one for its caller.
            // Nothing uses the struct after `drop`, so it is released once.
            unsafe { release(&raw mut self.0) }
        }
    }
}

// SAFETY: the interface lets a consumer move a struct, and call its functions from any thread, one
// call at a time, which `&mut` ensures.
unsafe impl<T: Struct> Send for Owned<T> {}

// SAFETY: of an array that is shared only fields are read; nobody writes them before it is dropped.
unsafe impl Sync for Owned<Array> {}

/// Moves the struct out of a capsule, and leaves a released one there.
fn take<T: Struct>(capsule: &Bound<'_, PyCapsule>) -> PyResult<Owned<T>> {
    let mut pointer: NonNull<T> = capsule.pointer_checked(Some(T::NAME))?.cast();
    // SAFETY: the name is that of the interface, which says that such a capsule points to an
    // initialized, aligned struct of this type, valid while the capsule is alive; `capsule` keeps it
    // alive. No code of Python runs while this reference exists, so nobody else uses the struct.
    let there = unsafe { pointer.as_mut() };
    let release = there.release().take();
    if release.is_none() {
        return Err(PyValueError::new_err("the Arrow column has been consumed"));
    }
    // SAFETY: as above. The struct is without its function now, so the copy is the only one that
    // is not released.
    let mut taken = unsafe { pointer.read() };
    *taken.release() = release;
    Ok(Owned(taken))
}

/// The column in a pair of capsules: its type, and its rows. With a path it is a field of structs.
///
/// # Errors
///
/// `TypeError` if it is one of neither strings nor bytes; `ValueError` if what the capsules have is
/// not valid, or has been taken, or there is no such field.
pub fn import_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
    path: Option<&str>,
) -> PyResult<Column> {
    let (schema, array) = (take::<Schema>(schema)?, take(array)?);
    schema.0.layout(path, false).and_then(|layout| import(array, &layout)).map_err(raise)
}

/// The chunks of a column.
pub struct Chunks {
    stream: Owned<Stream>,
    layout: Layout,
}

impl Chunks {
    /// The column in a capsule. With a path it is a field of structs.
    ///
    /// # Errors
    ///
    /// `TypeError` if it is one of neither strings nor bytes; `ValueError` if what the capsule has is
    /// not valid, or has been taken, or the exporter fails, or there is no such field.
    pub fn import(stream: &Bound<'_, PyCapsule>, path: Option<&str>) -> PyResult<Chunks> {
        let mut stream = take::<Stream>(stream)?;
        let schema = stream.0.call(stream.0.get_schema).map_err(raise)?;
        let layout = schema.0.layout(path, false).map_err(raise)?;
        Ok(Chunks { stream, layout })
    }
}

impl Iterator for Chunks {
    type Item = Result<Column, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let array = self.stream.0.call(self.stream.0.get_next);
        match array {
            // The end.
            Ok(array) if array.0.release.is_none() => None,
            array => Some(array.and_then(|array| import(array, &self.layout))),
        }
    }
}

impl Stream {
    fn call<T: Struct>(&mut self, callback: Callback<T>) -> Result<Owned<T>, ArrowError> {
        let callback = callback.ok_or_else(|| invalid("expected a stream, found one without functions"))?;
        let mut filled = MaybeUninit::zeroed();
        // SAFETY: the callback is one of this stream, which is not released before it is dropped.
        // `&mut` makes it the only call. It writes at most a struct to its second argument.
        let code = unsafe { callback(self, filled.as_mut_ptr()) };
        if code != 0 {
            // Nothing says what `filled` has then: it is not released.
            return Err(self.last_error(code));
        }
        // SAFETY: the callback has filled in a struct, or has left the zeros, which are one, too.
        Ok(Owned(unsafe { filled.assume_init() }))
    }

    fn last_error(&mut self, code: c_int) -> ArrowError {
        // SAFETY: as in `call`; this callback may be called after one that failed, which one has.
        let text = self.get_last_error.map(|callback| unsafe { callback(self) });
        let text = text.filter(|text| !text.is_null());
        // SAFETY: it is not null, so it is a string that ends with a zero, valid until the next call
        // on the stream. It is copied before.
        let text = text.map(|text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
        invalid(text.unwrap_or_else(|| format!("the Arrow stream failed with code {code}")))
    }
}

impl Schema {
    /// The layout of the type, or of the field at a path in it. `nested`: within a list or runs, in which there
    /// may be neither, so that types have an end.
    fn layout(&self, path: Option<&str>, nested: bool) -> Result<Layout, ArrowError> {
        let format = self.format()?;
        if let Some(path) = path.filter(|_| format == "+s") {
            let (index, rest) = self.field(path)?;
            return Ok(Layout::Field(index, Box::new(self.child(index)?.layout(rest, nested)?)));
        }
        if let Some(bounds) = Bounds::new(format).filter(|_| !nested) {
            return Ok(Layout::Lists(bounds, Box::new(self.child(0)?.layout(path, true)?)));
        }
        if format == "+r" && !nested {
            let ends = Int::new(self.child(0)?.format()?);
            let ends = ends.ok_or_else(|| invalid("expected integers for the ends of runs"))?;
            return Ok(Layout::Runs(ends, Box::new(self.child(1)?.layout(path, true)?)));
        }
        match path {
            Some(path) => {
                Err(ArrowError::SchemaError(format!("expected a struct with the field '{path}', found none")))
            }
            None => self.text(),
        }
    }

    /// The layout of a type of strings or bytes.
    fn text(&self) -> Result<Layout, ArrowError> {
        // SAFETY: it is null, or points to a struct that lives as long as this one.
        let dictionary = unsafe { self.dictionary.as_ref() };
        let values = dictionary.map(|values| Layout::new(values.format()?, None)).transpose()?;
        if dictionary.is_some_and(|values| !values.dictionary.is_null()) {
            let why = "expected a column of strings or bytes, found a dictionary of a dictionary";
            return Err(ArrowError::SchemaError(why.to_owned()));
        }
        Layout::new(self.format()?, values)
    }

    /// The number of the field that a path begins with, and what follows its dot. A name may have dots: the longest
    /// one counts.
    fn field<'p>(&self, path: &'p str) -> Result<(usize, Option<&'p str>), ArrowError> {
        let mut found: Vec<(usize, Option<&str>)> = Vec::new();
        let mut names = Vec::new();
        for index in 0..usize::try_from(self.n_children).unwrap_or(0) {
            let name = self.child(index)?.name();
            let rest = path.strip_prefix(&name);
            match rest.map(|rest| rest.strip_prefix('.').ok_or(rest)) {
                Some(Err("")) => found.push((index, None)),
                Some(Ok(rest)) => found.push((index, Some(rest))),
                _ => {}
            }
            names.push(name);
        }
        let shortest = found.iter().map(|(_, rest)| rest.map(str::len)).min();
        found.retain(|(_, rest)| Some(rest.map(str::len)) == shortest);
        match found[..] {
            [one] => Ok(one),
            _ => Err(invalid(format!("expected one field '{path}', found these: {}", names.join(", ")))),
        }
    }

    fn child(&self, index: usize) -> Result<&Schema, ArrowError> {
        if self.children.is_null() || index >= usize::try_from(self.n_children).unwrap_or(0) {
            return Err(invalid("expected the type of a field or of items, found none"));
        }
        // SAFETY: `children` is not null, so it has as many pointers as there are children, which is more than
        // `index`. It may not be aligned.
        let child = unsafe { self.children.add(index).read_unaligned() };
        // SAFETY: it is null, or points to a struct that lives as long as this one.
        unsafe { child.as_ref() }
            .ok_or_else(|| invalid("expected the type of a field or of items, found none"))
    }

    fn name(&self) -> String {
        if self.name.is_null() {
            return String::new();
        }
        // SAFETY: it is a string that ends with a zero, and lives as long as the struct.
        unsafe { CStr::from_ptr(self.name) }.to_string_lossy().into_owned()
    }

    fn format(&self) -> Result<&str, ArrowError> {
        if self.format.is_null() {
            return Err(invalid("expected the format of a type, found a null pointer"));
        }
        // SAFETY: it is a string that ends with a zero, and lives as long as the struct.
        let format = unsafe { CStr::from_ptr(self.format) };
        format.to_str().map_err(|_| invalid("expected the format of a type in UTF-8"))
    }
}

fn import(array: Owned<Array>, layout: &Layout) -> Result<Column, ArrowError> {
    let owner = Arc::new(array);
    Buffers::new(&owner.0, &owner)?.column(layout)
}

fn invalid(why: impl Into<String>) -> ArrowError {
    ArrowError::CDataInterface(why.into())
}

/// The buffers of an array.
struct Buffers<'a> {
    array: &'a Array,
    /// What releases the buffers: of a dictionary, the array that it belongs to.
    owner: &'a Arc<Owned<Array>>,
    /// The first row of the buffers that is in the array.
    first: usize,
    /// The row after the last one.
    end: usize,
}

impl<'a> Buffers<'a> {
    fn new(array: &'a Array, owner: &'a Arc<Owned<Array>>) -> Result<Self, ArrowError> {
        let count = |count: i64| isize::try_from(count).ok().filter(|&count| count >= 0);
        let rows = count(array.offset).zip(count(array.length));
        let end = rows.and_then(|(first, length)| first.checked_add(length));
        let (Some((first, _)), Some(end)) = (rows, end) else {
            let found = format!("offset {} and length {}", array.offset, array.length);
            return Err(invalid(format!("expected the rows of an array, found {found}")));
        };
        Ok(Buffers { array, owner, first: first.cast_unsigned(), end: end.cast_unsigned() })
    }

    /// The column that they are, if its layout is this one.
    fn column(&self, layout: &Layout) -> Result<Column, ArrowError> {
        let len = self.end - self.first;
        // No buffer of an array without rows is looked at: it may have none.
        if len == 0 || matches!(layout, Layout::Null) {
            return Ok(Column { nulls: None, first: 0, len, rows: Rows::Null });
        }
        self.check_counts(layout)?;
        Ok(Column { nulls: self.nulls()?, first: self.first, len, rows: self.rows(layout)? })
    }

    fn check_counts(&self, layout: &Layout) -> Result<(), ArrowError> {
        let (found, children) = (self.array.n_buffers, self.array.n_children);
        let (buffers, of_layout) = match layout {
            Layout::Strings(_) => (3..4, 0),
            Layout::Views => (3..isize::MAX as i64 / 8, 0),
            Layout::Fixed(_) | Layout::Dictionary(..) | Layout::Null => (2..3, 0),
            Layout::Runs(..) => (0..1, 2),
            // Of those that the type has, only one is read.
            Layout::Field(..) => (1..2, children),
            Layout::Lists(Bounds::Fixed(_), _) => (1..2, 1),
            Layout::Lists(Bounds::Offsets(_), _) => (2..3, 1),
            Layout::Lists(Bounds::Views(..), _) => (3..4, 1),
        };
        if buffers.contains(&found) && children == of_layout {
            return Ok(());
        }
        let expected = buffers.start;
        Err(invalid(format!(
            "expected {expected} buffers of a column, found {found} and {children} children"
        )))
    }

    /// Which rows are null, from the first row of the array.
    fn nulls(&self) -> Result<Option<NullBuffer>, ArrowError> {
        let nulls = match self.pointer(0) {
            None => None,
            // SAFETY: the first buffer has a bit for each row.
            Some(_) => Some(unsafe { self.buffer(0, self.end.div_ceil(8))? }),
        };
        let bits = |bits| NullBuffer::new(BooleanBuffer::new(bits, self.first, self.end - self.first));
        let nulls = nulls.map(bits);
        let (said, found) = (self.array.null_count, nulls.as_ref().map_or(0, NullBuffer::null_count));
        // -1: nobody has counted them.
        if said != -1 && usize::try_from(said) != Ok(found) {
            return Err(invalid(format!("expected {said} nulls in an array, found {found}")));
        }
        Ok(nulls.filter(|_| found > 0))
    }

    fn rows(&self, layout: &Layout) -> Result<Rows, ArrowError> {
        Ok(match layout {
            Layout::Strings(int) => self.strings(*int)?,
            Layout::Views => self.views()?,
            // SAFETY: the second buffer has a value for each row.
            Layout::Fixed(width) => Rows::Fixed(*width, unsafe { self.values(1, self.end, *width)? }),
            Layout::Dictionary(int, layout) => {
                // SAFETY: as above: an index for each row.
                let indices = unsafe { self.values(1, self.end, int.width)? };
                // SAFETY: it is null, or points to a struct that lives as long as the array.
                let values = unsafe { self.array.dictionary.as_ref() };
                let values = values.ok_or_else(|| invalid("expected a dictionary, found none"))?;
                let values = Buffers::new(values, self.owner)?.column(layout)?;
                Rows::Dictionary(Ints::new(indices, *int), Box::new(values))
            }
            Layout::Runs(int, layout) => self.runs(*int, layout)?,
            Layout::Field(index, layout) => {
                let values = self.child(*index)?.column(layout)?;
                if values.len < self.end {
                    return Err(invalid(format!(
                        "expected {} rows of a field, found {}",
                        self.end, values.len
                    )));
                }
                Rows::Field(Box::new(values))
            }
            Layout::Lists(bounds, layout) => {
                Rows::Lists(self.bounds(*bounds)?, Box::new(self.child(0)?.column(layout)?))
            }
            Layout::Null => Rows::Null,
        })
    }

    /// Runs have no buffers, but two children: where they end, which counts rows of the array, and their values.
    fn runs(&self, int: Int, layout: &Layout) -> Result<Rows, ArrowError> {
        let ends = self.child(0)?;
        // SAFETY: the second buffer of the ends has one for each row.
        let bytes = unsafe { ends.values(1, ends.end, int.width)? };
        let bytes = bytes.slice(ends.first * int.width);
        Ok(Rows::Runs(Ints::new(bytes, int), Box::new(self.child(1)?.column(layout)?)))
    }

    fn bounds(&self, bounds: Bounds<Int>) -> Result<Bounds<Ints>, ArrowError> {
        Ok(match bounds {
            // SAFETY: the second buffer has an offset for each row, and one for the end of the last; a row is at most
            // `isize::MAX`, so the sum does not overflow.
            Bounds::Offsets(int) => {
                Bounds::Offsets(Ints::new(unsafe { self.values(1, self.end + 1, int.width)? }, int))
            }
            Bounds::Views(int, size) => {
                // SAFETY: the second buffer has an offset for each row.
                let offsets = Ints::new(unsafe { self.values(1, self.end, int.width)? }, int);
                // SAFETY: the third buffer has a size for each row.
                Bounds::Views(offsets, Ints::new(unsafe { self.values(2, self.end, size.width)? }, size))
            }
            Bounds::Fixed(width) => Bounds::Fixed(width),
        })
    }

    /// A child of the array, which is released with it.
    fn child(&self, index: usize) -> Result<Buffers<'a>, ArrowError> {
        let none = || invalid("expected a field or items, found none");
        if self.array.children.is_null() || index >= usize::try_from(self.array.n_children).unwrap_or(0) {
            return Err(none());
        }
        // SAFETY: `children` is not null, so it has as many pointers as the array has children, which is more than
        // `index`. It may not be aligned.
        let child = unsafe { self.array.children.add(index).read_unaligned() };
        // SAFETY: it is null, or points to a struct that lives as long as the array.
        Buffers::new(unsafe { child.as_ref() }.ok_or_else(none)?, self.owner)
    }

    fn strings(&self, int: Int) -> Result<Rows, ArrowError> {
        // SAFETY: the second buffer has an offset for each row, and one for the end of the last; a
        // row is at most `isize::MAX`, so the sum does not overflow.
        let offsets = Ints::new(unsafe { self.values(1, self.end + 1, int.width)? }, int);
        // Those between are checked when their rows are read.
        let (first, last) = (offsets.get(self.first), offsets.get(self.end));
        let size = last.filter(|&last| first.is_some_and(|first| first <= last));
        let size = size.ok_or_else(|| invalid("expected offsets in order, found others"))?;
        // SAFETY: the third buffer has the bytes up to the last offset. Nothing else says how many
        // it has: this is what the exporter has to vouch for.
        Ok(Rows::Strings(offsets, unsafe { self.buffer(2, size)? }))
    }

    fn views(&self) -> Result<Rows, ArrowError> {
        // SAFETY: the second buffer has a view of 16 bytes for each row.
        let views = unsafe { self.values(1, self.end, 16)? };
        // `check_counts` has seen that there are at least 3, and that the product fits.
        let last = self.array.n_buffers as usize - 1;
        // SAFETY: the last buffer has the size of each between, in 8 bytes.
        let sizes = Ints::new(unsafe { self.buffer(last, (last - 2) * 8)? }, Int::I64);
        let bytes = (2..last).map(|index| {
            let size =
                sizes.get(index - 2).ok_or_else(|| invalid("expected a size, found a negative one"))?;
            // SAFETY: the size is the one that the exporter says.
            unsafe { self.buffer(index, size) }
        });
        Ok(Rows::Views(views, bytes.collect::<Result<_, _>>()?))
    }

    /// A buffer: `count` values of `width` bytes.
    ///
    /// # Safety
    ///
    /// The interface must say that it has as many.
    unsafe fn values(&self, index: usize, count: usize, width: usize) -> Result<Buffer, ArrowError> {
        let size = count.checked_mul(width).ok_or_else(|| invalid("an array has too many rows"))?;
        // SAFETY: the caller says so.
        unsafe { self.buffer(index, size) }
    }

    /// The first `size` bytes of a buffer.
    ///
    /// # Safety
    ///
    /// The interface must say that it has as many.
    unsafe fn buffer(&self, index: usize, size: usize) -> Result<Buffer, ArrowError> {
        // Such a buffer may be null.
        if size == 0 {
            return Ok(Buffer::default());
        }
        let fits = |pointer: &NonNull<u8>| {
            isize::try_from(size).is_ok() && pointer.addr().checked_add(size).is_some()
        };
        let pointer = self.pointer(index).filter(fits);
        let pointer =
            pointer.ok_or_else(|| invalid(format!("expected a buffer of {size} bytes, found none")))?;
        // SAFETY: the pointer is not null, and the exporter vouches for as many bytes after it, by
        // the caller. They have less than `isize::MAX` bytes and do not wrap around. Nobody changes
        // or frees them before the array is released, and the buffer keeps its owner.
        Ok(unsafe { Buffer::from_custom_allocation(pointer, size, self.owner.clone()) })
    }

    /// Where a buffer starts; `None` if it is null, or there is none.
    fn pointer(&self, index: usize) -> Option<NonNull<u8>> {
        let count = usize::try_from(self.array.n_buffers).unwrap_or(0);
        if self.array.buffers.is_null() || index >= count {
            return None;
        }
        // SAFETY: `buffers` is not null, so it has as many pointers as the array has buffers, which
        // is more than `index`. It may not be aligned.
        NonNull::new(unsafe { self.array.buffers.add(index).read_unaligned() })
    }
}
