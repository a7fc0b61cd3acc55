//! The library for C: opaque types, and functions that never unwind.
//!
//! `include/urlgrep.h` is made from these files by cbindgen; `make verify` compares them. Each
//! function checks its pointers, and runs the library within [`guard`], so that a panic becomes the
//! result of an error. The types are boxed types of the library: C sees pointers to them.
//!
//! Every `unsafe` block rests on the header's requirements for callers: a pointer is null, or comes
//! from the function that makes such values and has not been freed; bytes are as many as their
//! length says; and what is not shared between threads is not used by two at a time.

#![allow(non_camel_case_types)]
// The obligations of callers are the same for all functions: see above, and the beginning of the
// header.
#![allow(clippy::missing_safety_doc)]

// | module | contains |
// |---|---|
// | `border` | the values that cross the border: bytes, pointers, panics |
// | `finder` | the searches |
// | `mail` | the URLs of a message |
// | `matched` | what is known of a match |
// | `options` | the options of a finder |

mod border;
mod finder;
#[cfg(feature = "archive")]
mod mail;
mod matched;
mod options;

use std::ffi::c_char;

pub use border::*;
pub use finder::*;
#[cfg(feature = "archive")]
pub use mail::*;
pub use matched::*;
pub use options::*;

/// Returns the version of the library, such as "0.1.0". It need not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn urlgrep_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
