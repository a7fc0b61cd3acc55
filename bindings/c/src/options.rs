//! The options of a finder.

use std::ffi::{CStr, c_char};
use std::str;

use core_library::{Finder, FinderBuilder};

use super::border::{DEFECT, bytes, free, guard, say};

/// The options of a finder to be compiled.
pub struct urlgrep_options {
    pub(crate) builder: FinderBuilder,
}

/// The text is not a URL.
pub const URLGREP_GRADE_NONE: u32 = 0;
/// No grammar accepts it, but a reader would recognise a URL.
pub const URLGREP_GRADE_LENIENT: u32 = 1;
/// RFC 3986 accepts it.
pub const URLGREP_GRADE_RFC3986: u32 = 2;
/// RFC 1738 accepts it.
pub const URLGREP_GRADE_RFC1738: u32 = 3;

/// Returns new options with the default values. Free them with urlgrep_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn urlgrep_options_new() -> *mut urlgrep_options {
    let options = || Box::new(urlgrep_options { builder: Finder::builder() });
    guard(std::ptr::null_mut(), || Box::into_raw(options()))
}

/// Frees options. Finders with these options are not affected.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_free(options: *mut urlgrep_options) {
    // SAFETY: as the header requires.
    unsafe { free(options) }
}

/// Sets the option `name`, such as `join`, to `value`: `true`, a name, a number in decimal digits,
/// or comma-separated names of schemes. An earlier value is replaced. README.md lists the options.
/// Returns false if the options are null, or if the option or its value is unknown; then the
/// options do not change, and a sentence with the expected value is written to `message`, at most
/// `capacity` bytes including a NUL at the end. `message` may be null. urlgrep_finder_new checks
/// whether the names of schemes are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_set(
    options: *mut urlgrep_options,
    name: *const u8,
    name_len: usize,
    value: *const u8,
    value_len: usize,
    message: *mut c_char,
    capacity: usize,
) -> bool {
    // SAFETY: as the header requires.
    let (options, name, value) =
        unsafe { (options.as_mut(), bytes(name, name_len), bytes(value, value_len)) };
    let set = guard(Err(DEFECT.to_owned()), || {
        let options = options.ok_or("expected options, found a null pointer")?;
        let (name, value) = (text("name", name)?, text("value", value)?);
        options.builder = options.builder.clone().set(name, value).map_err(|error| error.to_string())?;
        Ok(())
    });
    // SAFETY: as the header requires.
    set.map_err(|error| unsafe { say(&error, message.cast(), capacity) }).is_ok()
}

/// Sets an option like urlgrep_options_set, by a name and a value that end with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_set_str(
    options: *mut urlgrep_options,
    name: *const c_char,
    value: *const c_char,
    message: *mut c_char,
    capacity: usize,
) -> bool {
    // SAFETY: as the header requires. A null pointer has an invalid length.
    let len =
        |text: *const c_char| if text.is_null() { 1 } else { unsafe { CStr::from_ptr(text) }.count_bytes() };
    let (name_len, value_len) = (len(name), len(value));
    // SAFETY: as the header requires.
    unsafe { urlgrep_options_set(options, name.cast(), name_len, value.cast(), value_len, message, capacity) }
}

fn text<'t>(what: &str, bytes: Option<&'t [u8]>) -> Result<&'t str, String> {
    let bytes = bytes.ok_or_else(|| {
        format!("expected the {what} of an option, found a null pointer or an invalid length")
    })?;
    str::from_utf8(bytes)
        .map_err(|_| format!("expected the {what} of an option in UTF-8, found invalid UTF-8"))
}
