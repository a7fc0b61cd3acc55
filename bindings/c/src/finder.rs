//! The searches: in a text, at an offset, match by match, and in chunks.

use std::ffi::{c_char, c_void};
use std::ptr;

use core_library::{FindIter, Finder, Match, Scanner};

use super::border::{DEFECT, bytes, free, guard, say};
use super::matched::urlgrep_match;
use super::options::urlgrep_options;

/// A set of rules by which URLs are found.
pub struct urlgrep_finder(pub(crate) Finder);

/// An iterator over the matches of a text.
pub struct urlgrep_iter<'i> {
    matches: FindIter<'i, 'i>,
    current: Option<urlgrep_match<'i>>,
}

/// A search of a text that comes in chunks.
pub struct urlgrep_scanner(Scanner);

/// Called with each match, and the `data` that was passed to the search. The match is valid until
/// the callback returns. If the callback returns false, it is not called again. It must neither
/// throw nor longjmp.
pub type urlgrep_callback =
    Option<unsafe extern "C" fn(matched: *const urlgrep_match<'_>, data: *mut c_void) -> bool>;

/// Returns a finder with these options, or with the default options if they are null. Free it with
/// urlgrep_finder_free; the options may be freed earlier. Returns null if an option is not valid:
/// then a sentence that explains the error is written to `message`, at most `capacity` bytes
/// including a NUL at the end. `message` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_finder_new(
    options: *const urlgrep_options,
    message: *mut c_char,
    capacity: usize,
) -> *mut urlgrep_finder {
    // SAFETY: as the header requires.
    let builder = unsafe { options.as_ref() }.map(|options| &options.builder);
    let built = guard(Err(DEFECT.to_owned()), || {
        let builder = builder.cloned().unwrap_or_else(Finder::builder);
        builder.build().map(|finder| Box::new(urlgrep_finder(finder))).map_err(|error| error.to_string())
    });
    built.map_or_else(
        |error| {
            // SAFETY: as the header requires.
            unsafe { say(&error, message.cast(), capacity) };
            ptr::null_mut()
        },
        Box::into_raw,
    )
}

/// Frees a finder. Its iterators must not be used again; its scanners may be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_finder_free(finder: *mut urlgrep_finder) {
    // SAFETY: as the header requires.
    unsafe { free(finder) }
}

/// Calls `callback` with each URL of a text, in the order in which they start. Returns false if an
/// argument is not valid: if the finder or the callback is null, or if `text` is null and `len` is
/// not 0. Time is linear in the length of the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_find_all(
    finder: *const urlgrep_finder,
    text: *const u8,
    len: usize,
    callback: urlgrep_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: as the header requires.
    let (finder, text) = unsafe { (finder.as_ref(), bytes(text, len)) };
    let (Some(finder), Some(text), Some(callback)) = (finder, text, callback) else { return false };
    guard(false, || {
        finder.0.find_iter(text).all(passing(callback, data));
        true
    })
}

/// Calls `callback` with the URL that covers the byte `offset` of a text, if the text has one: the
/// byte is in the URL, in its delimiters, or between its pieces. Returns true if a URL was found.
/// Reads only the text near the offset: twice the maximum length of a URL before it, and as much as
/// it needs after it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_find_covering(
    finder: *const urlgrep_finder,
    text: *const u8,
    len: usize,
    offset: usize,
    callback: urlgrep_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: as the header requires.
    let (finder, text) = unsafe { (finder.as_ref(), bytes(text, len)) };
    let (Some(finder), Some(text)) = (finder, text) else { return false };
    guard(false, || is_told(finder.0.find_covering(text, offset), callback, data))
}

/// Calls `callback` with the URL that starts at the byte `offset` of a text, including delimiters,
/// as if the text began there. Returns true if a URL was found. The cost depends on the length of
/// the URL, not of the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_match_at(
    finder: *const urlgrep_finder,
    text: *const u8,
    len: usize,
    offset: usize,
    callback: urlgrep_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: as the header requires.
    let (finder, text) = unsafe { (finder.as_ref(), bytes(text, len)) };
    let (Some(finder), Some(text)) = (finder, text) else { return false };
    guard(false, || is_told(finder.0.match_at(text, offset), callback, data))
}

/// Calls `callback`, which may be null, with a match. Returns true if there is a match.
fn is_told(matched: Option<Match<'_>>, callback: urlgrep_callback, data: *mut c_void) -> bool {
    let Some(matched) = matched else { return false };
    if let Some(callback) = callback {
        // SAFETY: the match lives until the callback has returned.
        unsafe { callback(&urlgrep_match(matched), data) };
    }
    true
}

/// Returns an iterator over the URLs of a text. The text and the finder must stay valid until the
/// iterator is freed with urlgrep_iter_free. Returns null if the finder is null, or if the text
/// is null and its length is not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_iter_new<'i>(
    finder: *const urlgrep_finder,
    text: *const u8,
    len: usize,
) -> *mut urlgrep_iter<'i> {
    // SAFETY: the caller promises that both stay until the iterator is freed.
    let (finder, text) = unsafe { (finder.as_ref::<'i>(), bytes::<'i>(text, len)) };
    let (Some(finder), Some(text)) = (finder, text) else { return ptr::null_mut() };
    guard(ptr::null_mut(), || {
        Box::into_raw(Box::new(urlgrep_iter { matches: finder.0.find_iter(text), current: None }))
    })
}

/// Returns the next match, or null after the last one. The match is valid until the next call, or
/// until the iterator is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_iter_next<'i>(iter: *mut urlgrep_iter<'i>) -> *const urlgrep_match<'i> {
    // SAFETY: as the header requires.
    let Some(iter) = (unsafe { iter.as_mut() }) else { return ptr::null() };
    guard(ptr::null(), || {
        iter.current = iter.matches.next().map(urlgrep_match);
        iter.current.as_ref().map_or(ptr::null(), ptr::from_ref)
    })
}

/// Frees an iterator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_iter_free(iter: *mut urlgrep_iter<'_>) {
    // SAFETY: as the header requires.
    unsafe { free(iter) }
}

/// Returns a scanner for a text that comes in chunks, or null if the finder is null. Free it with
/// urlgrep_scanner_free; the finder may be freed earlier.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_scanner_new(finder: *const urlgrep_finder) -> *mut urlgrep_scanner {
    // SAFETY: as the header requires.
    let Some(finder) = (unsafe { finder.as_ref() }) else { return ptr::null_mut() };
    guard(ptr::null_mut(), || Box::into_raw(Box::new(urlgrep_scanner(finder.0.scanner()))))
}

/// Frees a scanner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_scanner_free(scanner: *mut urlgrep_scanner) {
    // SAFETY: as the header requires.
    unsafe { free(scanner) }
}

/// Adds a chunk, and calls `callback` with the matches that are certain now. A URL may be split
/// between chunks. Returns false if an argument is not valid. After the callback has returned
/// false, the remaining matches of this call are skipped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_scanner_push(
    scanner: *mut urlgrep_scanner,
    chunk: *const u8,
    len: usize,
    callback: urlgrep_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: as the header requires.
    let (scanner, chunk) = unsafe { (scanner.as_mut(), bytes(chunk, len)) };
    let (Some(scanner), Some(chunk), Some(callback)) = (scanner, chunk, callback) else { return false };
    guard(false, || {
        let mut pass = passing(callback, data);
        scanner.0.push(chunk, |matched| _ = pass(matched));
        true
    })
}

/// Ends the text, and calls `callback` with the last matches. The scanner can then begin another text, at offset 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_scanner_finish(
    scanner: *mut urlgrep_scanner,
    callback: urlgrep_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: as the header requires.
    let (Some(scanner), Some(callback)) = (unsafe { scanner.as_mut() }, callback) else { return false };
    guard(false, || {
        let mut pass = passing(callback, data);
        scanner.0.finish(|matched| _ = pass(matched));
        true
    })
}

/// Passes matches on until the callback wants no more. Returns true if it wants more.
pub(crate) fn passing(
    callback: unsafe extern "C" fn(*const urlgrep_match<'_>, *mut c_void) -> bool,
    data: *mut c_void,
) -> impl FnMut(Match<'_>) -> bool {
    let mut wanted = true;
    move |matched| {
        // SAFETY: the match lives until the callback has returned.
        wanted = wanted && unsafe { callback(&urlgrep_match(matched), data) };
        wanted
    }
}
