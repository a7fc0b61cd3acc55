//! The URLs of a message, whose parts are decoded.

use std::ffi::c_void;

use super::border::{bytes, guard};
use super::finder::{passing, urlgrep_callback, urlgrep_finder};

/// Calls `callback` with each URL of a mail or news message, whose parts are decoded. Returns false
/// if an argument is not valid. The field "role" is the role of the URL for a reader, and the field
/// "text" is the link text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_find_in_mail(
    finder: *const urlgrep_finder,
    message: *const u8,
    len: usize,
    callback: urlgrep_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: as the header requires.
    let (finder, message) = unsafe { (finder.as_ref(), bytes(message, len)) };
    let (Some(finder), Some(message), Some(callback)) = (finder, message, callback) else { return false };
    guard(false, || {
        finder.0.find_in_mail(message).all(passing(callback, data));
        true
    })
}
