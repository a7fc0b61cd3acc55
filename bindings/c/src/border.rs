//! The values that cross the border to C: bytes, pointers, panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

/// A range of bytes from `start` up to, but not including, `end`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct urlgrep_range {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
}

/// The message after a panic.
pub(crate) const DEFECT: &str =
    concat!("internal error; please report it at ", env!("CARGO_PKG_REPOSITORY"), "/issues");

/// Returns the result of `run`, or `otherwise` if it panics. A defect of the library must not
/// unwind into C, which would be undefined.
pub(crate) fn guard<T>(otherwise: T, run: impl FnOnce() -> T) -> T {
    // A panic may leave only the caller's iterator or scanner half changed. They are safe to use
    // and to free; only their matches may be wrong.
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(otherwise)
}

/// The `len` bytes at `bytes`, or `None` if the length is not valid.
///
/// # Safety
///
/// `bytes` is null, or `len` bytes can be read there and do not change during `'a`.
pub(crate) unsafe fn bytes<'a>(bytes: *const u8, len: usize) -> Option<&'a [u8]> {
    match (bytes.is_null(), len) {
        (_, 0) => Some(&[]),
        (true, _) => None,
        // No object is larger than isize::MAX; this also catches a negative length.
        (false, len) if isize::try_from(len).is_err() => None,
        // SAFETY: not null, at most isize::MAX bytes, and the caller promises the rest.
        (false, len) => Some(unsafe { slice::from_raw_parts(bytes, len) }),
    }
}

/// Copies as much of `value` to `buffer` as fits, and returns the length of `value`.
///
/// # Safety
///
/// `buffer` is null, or `capacity` bytes can be written there.
pub(crate) unsafe fn copy(value: &[u8], buffer: *mut u8, capacity: usize) -> usize {
    if !buffer.is_null() {
        // SAFETY: the caller promises `capacity` bytes, and a value of the library does not overlap them.
        unsafe { ptr::copy_nonoverlapping(value.as_ptr(), buffer, value.len().min(capacity)) };
    }
    value.len()
}

/// Copies a sentence, and a NUL at its end.
///
/// # Safety
///
/// `message` is null, or `capacity` bytes can be written there.
pub(crate) unsafe fn say(sentence: &str, message: *mut u8, capacity: usize) {
    let Some(room) = capacity.checked_sub(1).filter(|_| !message.is_null()) else { return };
    // SAFETY: `room` is less than `capacity`.
    unsafe {
        let len = copy(sentence.as_bytes(), message, room).min(room);
        message.add(len).write(0);
    }
}

/// Frees a value; null is ignored.
///
/// # Safety
///
/// `value` is null, or was boxed by this library and is not used again.
pub(crate) unsafe fn free<T>(value: *mut T) {
    if !value.is_null() {
        // SAFETY: the caller promises that it is the pointer of a box.
        let value = unsafe { Box::from_raw(value) };
        guard((), || drop(value));
    }
}
