//! The URLs of a message, whose parts are decoded.

use std::ffi::c_void;

use core_library::ArchiveMatch;
use core_library::archive::Role;

use super::border::{bytes, copy, guard, urlgrep_range};
use super::finder::urlgrep_finder;
use super::matched::urlgrep_match;

/// A URL in a message of mail or news.
pub struct urlgrep_mail_match {
    matched: ArchiveMatch,
    in_text: urlgrep_match<'static>,
}

/// It is read in a text.
pub const URLGREP_ROLE_TEXT: u32 = 0;
/// It can be followed.
pub const URLGREP_ROLE_LINK: u32 = 1;
/// A picture that the message shows.
pub const URLGREP_ROLE_IMAGE: u32 = 2;
/// A form is sent there.
pub const URLGREP_ROLE_FORM: u32 = 3;
/// What else the message loads, names or hides.
pub const URLGREP_ROLE_RESOURCE: u32 = 4;
/// It is in a header field.
pub const URLGREP_ROLE_HEADER: u32 = 5;
/// A role that a later version of the library knows.
pub const URLGREP_ROLE_OTHER: u32 = 0xFFFF;

/// Called with each match in a message, as a urlgrep_callback is with those in a text.
pub type urlgrep_mail_callback =
    Option<unsafe extern "C" fn(matched: *const urlgrep_mail_match, data: *mut c_void) -> bool>;

/// Calls `callback` with each URL of a message of mail or news, whose parts are decoded. Returns false if an argument
/// is not valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_find_in_mail(
    finder: *const urlgrep_finder,
    message: *const u8,
    len: usize,
    callback: urlgrep_mail_callback,
    data: *mut c_void,
) -> bool {
    // SAFETY: the caller's promise.
    let (finder, message) = unsafe { (finder.as_ref(), bytes(message, len)) };
    let (Some(finder), Some(message), Some(callback)) = (finder, message, callback) else { return false };
    guard(false, || {
        for matched in finder.0.find_in_mail(message) {
            let in_text = urlgrep_match(matched.in_text().clone());
            // SAFETY: the match lives until the callback has returned.
            if !unsafe { callback(&urlgrep_mail_match { matched, in_text }, data) } {
                break;
            }
        }
        true
    })
}

/// The match in the decoded text or in the attribute: its span and segments are offsets there. It is valid as long as
/// the match in the message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_mail_match_in_text(
    matched: *const urlgrep_mail_match,
) -> *const urlgrep_match<'static> {
    // SAFETY: the caller's promise.
    let in_text = unsafe { matched.as_ref() }.map(|matched| &matched.in_text);
    in_text.map_or(std::ptr::null(), std::ptr::from_ref)
}

/// The bytes of the message that encode the match, with its delimiters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_mail_match_span(matched: *const urlgrep_mail_match) -> urlgrep_range {
    // SAFETY: the caller's promise.
    let span = unsafe { matched.as_ref() }.map_or(0..0, |matched| matched.matched.span());
    urlgrep_range { start: span.start, end: span.end }
}

/// What the URL is to the reader of the message: URLGREP_ROLE_...
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_mail_match_role(matched: *const urlgrep_mail_match) -> u32 {
    // SAFETY: the caller's promise.
    match unsafe { matched.as_ref() }.map(|matched| matched.matched.role()) {
        Some(Role::Text) => URLGREP_ROLE_TEXT,
        Some(Role::Link) => URLGREP_ROLE_LINK,
        Some(Role::Image) => URLGREP_ROLE_IMAGE,
        Some(Role::Form) => URLGREP_ROLE_FORM,
        Some(Role::Resource) => URLGREP_ROLE_RESOURCE,
        Some(Role::Header) => URLGREP_ROLE_HEADER,
        _ => URLGREP_ROLE_OTHER,
    }
}

/// Writes what a reader sees of a link, in UTF-8, as urlgrep_match_href writes the URL. 0 if it is no link, or has no
/// text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_mail_match_text(
    matched: *const urlgrep_mail_match,
    buffer: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let text = unsafe { matched.as_ref() }.and_then(|matched| matched.matched.link_text());
    // SAFETY: the caller's promise.
    text.map_or(0, |text| unsafe { copy(text, buffer, capacity) })
}
