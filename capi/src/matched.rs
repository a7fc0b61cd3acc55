//! What is known of a match.

use core_library::grammar::{self, Grade};
use core_library::{Form, Match};

use super::border::{bytes, copy, guard, urlgrep_range};
use super::options::{
    URLGREP_GRADE_LENIENT, URLGREP_GRADE_NONE, URLGREP_GRADE_RFC1738, URLGREP_GRADE_RFC3986,
};

/// A URL in a text.
pub struct urlgrep_match<'m>(pub(crate) Match<'m>);

/// <URL:...>, as the Appendix of RFC 1738 recommends.
pub const URLGREP_FORM_WRAPPER: u32 = 0;
/// <...> without the prefix.
pub const URLGREP_FORM_ANGLE: u32 = 1;
/// Between quotation marks, over several lines.
pub const URLGREP_FORM_QUOTE: u32 = 2;
/// In brackets, around a line end.
pub const URLGREP_FORM_PAREN: u32 = 3;
/// URL:... without brackets.
pub const URLGREP_FORM_PREFIXED: u32 = 4;
/// The URL alone.
pub const URLGREP_FORM_BARE: u32 = 5;
/// The value of an attribute of HTML.
pub const URLGREP_FORM_HREF: u32 = 6;
/// Written so that no program opens it.
pub const URLGREP_FORM_DEFANGED: u32 = 7;
/// A form that a later version of the library knows.
pub const URLGREP_FORM_OTHER: u32 = 0xFFFF;

/// The URL, without what broke it, and its length. It is valid as long as the match; it need not be freed, and
/// does not end with NUL. Null, and 0, if the match is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_url(matched: *const urlgrep_match<'_>, len: *mut usize) -> *const u8 {
    // SAFETY: the caller's promise.
    let (url, len) = unsafe { (matched.as_ref().map(|matched| matched.0.as_bytes()), len.as_mut()) };
    if let Some(len) = len {
        *len = url.map_or(0, <[u8]>::len);
    }
    url.map_or(std::ptr::null(), <[u8]>::as_ptr)
}

/// Where the match is in the text, with its delimiters. Of a scanner, in all chunks together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_span(matched: *const urlgrep_match<'_>) -> urlgrep_range {
    // SAFETY: the caller's promise.
    let span = unsafe { matched.as_ref() }.map_or(0..0, |matched| matched.0.span());
    urlgrep_range { start: span.start, end: span.end }
}

/// The ranges of the text whose concatenation is the URL, in their order. Writes at most `capacity` of them to
/// `ranges`, which may be null, and returns how many there are. Most URLs have one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_segments(
    matched: *const urlgrep_match<'_>,
    ranges: *mut urlgrep_range,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let mut count = 0;
    for segment in matched.0.segments() {
        if count < capacity && !ranges.is_null() {
            // SAFETY: the caller promises that there is room for `capacity` ranges.
            unsafe { ranges.add(count).write(urlgrep_range { start: segment.start, end: segment.end }) };
        }
        count += 1;
    }
    count
}

/// How the URL is written in the text: URLGREP_FORM_...
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_form(matched: *const urlgrep_match<'_>) -> u32 {
    // SAFETY: the caller's promise.
    match unsafe { matched.as_ref() }.map(|matched| matched.0.form()) {
        Some(Form::Wrapper) => URLGREP_FORM_WRAPPER,
        Some(Form::Angle) => URLGREP_FORM_ANGLE,
        Some(Form::Quote) => URLGREP_FORM_QUOTE,
        Some(Form::Paren) => URLGREP_FORM_PAREN,
        Some(Form::Prefixed) => URLGREP_FORM_PREFIXED,
        Some(Form::Bare) => URLGREP_FORM_BARE,
        Some(Form::Href) => URLGREP_FORM_HREF,
        Some(Form::Defanged) => URLGREP_FORM_DEFANGED,
        _ => URLGREP_FORM_OTHER,
    }
}

/// How well formed the URL is: URLGREP_GRADE_...
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_grade(matched: *const urlgrep_match<'_>) -> u32 {
    // SAFETY: the caller's promise.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return URLGREP_GRADE_NONE };
    guard(URLGREP_GRADE_NONE, || number(matched.0.grade()))
}

/// The line and the column, in bytes, from 1, at which the match starts. False if lines are not counted: see
/// urlgrep_options_line_numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_position(
    matched: *const urlgrep_match<'_>,
    line: *mut u64,
    column: *mut u64,
) -> bool {
    // SAFETY: the caller's promise.
    let (matched, line, column) = unsafe { (matched.as_ref(), line.as_mut(), column.as_mut()) };
    let Some(position) = matched.and_then(|matched| matched.0.position()) else { return false };
    line.into_iter().for_each(|line| *line = position.line);
    column.into_iter().for_each(|column| *column = position.column);
    true
}

/// Writes the URL with the scheme that it implies, http://www.h.org/ for www.h.org/, to `buffer`, at most `capacity`
/// bytes of it, without NUL. Returns its length: more than `capacity` if it did not fit. `buffer` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_href(
    matched: *const urlgrep_match<'_>,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let href = guard(None, || Some(matched.0.href()));
    // SAFETY: the caller's promise.
    href.map_or(0, |href| unsafe { copy(&href, buffer, capacity) })
}

/// Writes the scheme, in lower case, as urlgrep_match_href writes the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_scheme(
    matched: *const urlgrep_match<'_>,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let scheme = guard(None, || Some(matched.0.scheme()));
    // SAFETY: the caller's promise.
    scheme.map_or(0, |scheme| unsafe { copy(scheme.as_bytes(), buffer, capacity) })
}

/// Writes the host, in lower case, as urlgrep_match_href writes the URL. 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_host(
    matched: *const urlgrep_match<'_>,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let host = guard(None, || matched.0.host());
    // SAFETY: the caller's promise.
    host.map_or(0, |host| unsafe { copy(host.as_bytes(), buffer, capacity) })
}

/// Writes another reading of the URL, as urlgrep_match_href writes the URL: that of this number, from 0. Returns 0 if
/// there are not so many. Each call finds all of them anew.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_alternative(
    matched: *const urlgrep_match<'_>,
    number: usize,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let Some(matched) = (unsafe { matched.as_ref() }) else { return 0 };
    let reading = guard(None, || matched.0.alternatives().into_iter().nth(number));
    // SAFETY: the caller's promise.
    reading.map_or(0, |reading| unsafe { copy(&reading, buffer, capacity) })
}

/// How well formed a URL is, by RFC 1738 and then by RFC 3986: URLGREP_GRADE_... If the grade is not the best one, and
/// `offset` is not null, it gets the offset at which RFC 1738 does not accept the URL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_check(url: *const u8, len: usize, offset: *mut usize) -> u32 {
    // SAFETY: the caller's promise.
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
