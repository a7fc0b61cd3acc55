//! The facts about a match.

use std::ffi::{CString, c_char};
use std::sync::LazyLock;

use core_library::Match;
use core_library::grammar::{self, Grade};
use core_library::table::{Row, fields};

use super::border::{bytes, copy, guard, urlgrep_range};
use super::options::{
    URLGREP_GRADE_LENIENT, URLGREP_GRADE_NONE, URLGREP_GRADE_RFC1738, URLGREP_GRADE_RFC3986,
};

/// A URL in a text.
pub struct urlgrep_match<'m>(pub(crate) Match<'m>);

/// Returns the rejoined URL, and sets `len` to its length. The URL is valid as long as the match,
/// need not be freed, and does not end with NUL. Returns null, and the length 0, if the match is
/// null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_url(matched: *const urlgrep_match<'_>, len: *mut usize) -> *const u8 {
    // SAFETY: as the header requires.
    let (url, len) = unsafe { (matched.as_ref().map(|matched| matched.0.as_bytes()), len.as_mut()) };
    if let Some(len) = len {
        *len = url.map_or(0, <[u8]>::len);
    }
    url.map_or(std::ptr::null(), <[u8]>::as_ptr)
}

/// Returns the range of the match in the text, including delimiters. Offsets of a scanner count
/// from the start of the first chunk. In a message, the range covers the bytes that encode the
/// match.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_span(matched: *const urlgrep_match<'_>) -> urlgrep_range {
    // SAFETY: as the header requires.
    let span = unsafe { matched.as_ref() }.map_or(0..0, |matched| matched.0.span());
    urlgrep_range { start: span.start, end: span.end }
}

/// Returns the range of the URL in the text, without its delimiters: from the start of its first
/// piece to the end of the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_url_span(matched: *const urlgrep_match<'_>) -> urlgrep_range {
    // SAFETY: as the header requires.
    let span = unsafe { matched.as_ref() }.map_or(0..0, |matched| matched.0.url_span());
    urlgrep_range { start: span.start, end: span.end }
}

/// Writes the ranges of the text whose concatenation is the URL, in order, or in a message the
/// ranges that encode it. At most `capacity` ranges are written to `ranges`, which may be null.
/// Returns their number, which is 1 for most URLs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_pieces(
    matched: *const urlgrep_match<'_>,
    ranges: *mut urlgrep_range,
    capacity: usize,
) -> usize {
    // SAFETY: as the header requires.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let mut count = 0;
    for segment in matched.0.pieces() {
        if count < capacity && !ranges.is_null() {
            // SAFETY: the caller promises that there is room for `capacity` ranges.
            unsafe { ranges.add(count).write(urlgrep_range { start: segment.start, end: segment.end }) };
        }
        count += 1;
    }
    count
}

/// Gets the line and the column at which the match starts, from 1; columns count bytes. Returns
/// false if lines are not counted: see the option line_numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_position(
    matched: *const urlgrep_match<'_>,
    line: *mut u64,
    column: *mut u64,
) -> bool {
    // SAFETY: as the header requires.
    let (matched, line, column) = unsafe { (matched.as_ref(), line.as_mut(), column.as_mut()) };
    let Some(position) = matched.and_then(|matched| matched.0.position()) else { return false };
    line.into_iter().for_each(|line| *line = position.line);
    column.into_iter().for_each(|column| *column = position.column);
    true
}

/// Writes the value of a field to `buffer`, at most `capacity` bytes, without a NUL. Returns the
/// length of the value: more than `capacity` if it did not fit, 0 if the value or the match is
/// null, and SIZE_MAX if the field is unknown. `buffer` may be null.
///
/// The names and values are the same as in the program's --format: "scheme", "host", "port",
/// "form", "grade", "href", "message.subject" and so on, in UTF-8 unless the text contains other
/// bytes. With the option explain, "ending.stop" explains what ends the URL, and "ending.trimmed"
/// is the number of bytes before that which belong to the sentence around it. Each call computes
/// the value again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_field(
    matched: *const urlgrep_match<'_>,
    name: *const u8,
    len: usize,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: as the header requires.
    let (matched, name) = unsafe { (matched.as_ref(), bytes(name, len)) };
    let Some(field) = fields().iter().find(|field| Some(field.name().as_bytes()) == name) else {
        return usize::MAX;
    };
    let Some(matched) = matched else { return 0 };
    guard(usize::MAX, || {
        let row = Row::new(&matched.0);
        // SAFETY: as the header requires.
        unsafe { copy(&field.value(&row).to_text(), buffer, capacity) }
    })
}

/// Returns the name of the field with this number, from 0, or null after the last field. The name
/// ends with NUL and need not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn urlgrep_field_name(number: usize) -> *const c_char {
    static NAMES: LazyLock<Vec<CString>> = LazyLock::new(|| {
        fields().iter().map(|field| CString::new(field.name()).unwrap_or_default()).collect()
    });
    guard(std::ptr::null(), || NAMES.get(number).map_or(std::ptr::null(), |name| name.as_ptr()))
}

/// Writes the alternative reading with this number, from 0, as urlgrep_match_field writes a value.
/// Returns 0 after the last reading. Each call computes all readings again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_alternative(
    matched: *const urlgrep_match<'_>,
    number: usize,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: as the header requires.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let reading = guard(None, || matched.0.alternatives().into_iter().nth(number));
    // SAFETY: as the header requires.
    reading.map_or(0, |reading| unsafe { copy(&reading, buffer, capacity) })
}

/// Returns the grade of a URL: URLGREP_GRADE_... If the grade is not the best one, and `offset` is
/// not null, `offset` is set to the offset at which the grammar of the next better grade rejects the
/// URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_check(url: *const u8, len: usize, offset: *mut usize) -> u32 {
    // SAFETY: as the header requires.
    let (url, offset) = unsafe { (bytes(url, len), offset.as_mut()) };
    let Some(url) = url else { return URLGREP_GRADE_NONE };
    let checked = guard(None, || {
        Some(match grammar::assess(url) {
            Ok(assessment) => (number(assessment.grade()), assessment.reason().map(|reason| reason.offset())),
            Err(error) => (URLGREP_GRADE_NONE, Some(error.offset())),
        })
    });
    let (grade, rejected) = checked.unwrap_or((URLGREP_GRADE_NONE, None));
    if let (Some(offset), Some(rejected)) = (offset, rejected) {
        *offset = rejected;
    }
    grade
}

/// The number of a grade, of which a better one has a higher number.
fn number(grade: Grade) -> u32 {
    match grade {
        Grade::Lenient => URLGREP_GRADE_LENIENT,
        Grade::Rfc3986 => URLGREP_GRADE_RFC3986,
        _ => URLGREP_GRADE_RFC1738,
    }
}
