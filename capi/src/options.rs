//! What a finder finds.

use std::str;

use core_library::{Finder, FinderBuilder, Grade, Hyphen, Iri, Join, Schemes};

use super::border::{bytes, free, guard};

/// The rules of a finder that is to be made. New options are those of a finder by default.
pub struct urlgrep_options {
    pub(crate) builder: FinderBuilder,
    /// The schemes of the builder.
    known: Schemes,
}

/// Which URLs are joined across line ends: none.
pub const URLGREP_JOIN_NONE: u32 = 0;
/// Those between delimiters. This is the default.
pub const URLGREP_JOIN_DELIMITED: u32 = 1;
/// Also bare ones, by evidence in the lines.
pub const URLGREP_JOIN_LIKELY: u32 = 2;

/// A hyphen before a line end is part of the URL. This is the default.
pub const URLGREP_HYPHEN_KEEP: u32 = 0;
/// It was inserted at the line end.
pub const URLGREP_HYPHEN_DROP: u32 = 1;
/// Each reading is a match.
pub const URLGREP_HYPHEN_BOTH: u32 = 2;

/// A bare URL has the letters of scripts that separate words. This is the default.
pub const URLGREP_IRI_WORDS: u32 = 0;
/// It has the letters of all scripts.
pub const URLGREP_IRI_ALL: u32 = 1;
/// It has ASCII only.
pub const URLGREP_IRI_ASCII: u32 = 2;

/// The text is not a URL.
pub const URLGREP_GRADE_NONE: u32 = 0;
/// No grammar accepts it, but a reader would take it for a URL.
pub const URLGREP_GRADE_LENIENT: u32 = 1;
/// RFC 3986 accepts it.
pub const URLGREP_GRADE_RFC3986: u32 = 2;
/// RFC 1738 accepts it.
pub const URLGREP_GRADE_RFC1738: u32 = 3;

/// New options, by default. Free them with urlgrep_options_free.
#[unsafe(no_mangle)]
pub extern "C" fn urlgrep_options_new() -> *mut urlgrep_options {
    let options = || urlgrep_options { builder: Finder::builder(), known: Schemes::default() };
    guard(std::ptr::null_mut(), || Box::into_raw(Box::new(options())))
}

/// Frees options. Finders that were made of them stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_free(options: *mut urlgrep_options) {
    // SAFETY: the caller's promise.
    unsafe { free(options) }
}

/// Changes the builder of `options`; false if these are null.
///
/// # Safety
///
/// `options` is null, or comes from urlgrep_options_new and is not used elsewhere.
unsafe fn set(
    options: *mut urlgrep_options,
    change: impl FnOnce(FinderBuilder) -> Option<FinderBuilder>,
) -> bool {
    // SAFETY: the caller's promise.
    let Some(options) = (unsafe { options.as_mut() }) else { return false };
    guard(false, || {
        let changed = change(options.builder.clone());
        changed.map(|builder| options.builder = builder).is_some()
    })
}

/// Sets which URLs are joined across line ends: URLGREP_JOIN_... False if the value is none of these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_join(options: *mut urlgrep_options, join: u32) -> bool {
    let value = match join {
        URLGREP_JOIN_NONE => Some(Join::None),
        URLGREP_JOIN_DELIMITED => Some(Join::Delimited),
        URLGREP_JOIN_LIKELY => Some(Join::Likely),
        _ => None,
    };
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| value.map(|join| builder.join(join))) }
}

/// Sets how a hyphen before a line end is read: URLGREP_HYPHEN_... False if the value is none of these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_hyphen(options: *mut urlgrep_options, hyphen: u32) -> bool {
    let value = match hyphen {
        URLGREP_HYPHEN_KEEP => Some(Hyphen::Keep),
        URLGREP_HYPHEN_DROP => Some(Hyphen::Drop),
        URLGREP_HYPHEN_BOTH => Some(Hyphen::Both),
        _ => None,
    };
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| value.map(|hyphen| builder.hyphen(hyphen))) }
}

/// Sets which characters beyond ASCII a bare URL has: URLGREP_IRI_... False if the value is none of these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_iri(options: *mut urlgrep_options, iri: u32) -> bool {
    let value = match iri {
        URLGREP_IRI_WORDS => Some(Iri::Words),
        URLGREP_IRI_ALL => Some(Iri::All),
        URLGREP_IRI_ASCII => Some(Iri::Ascii),
        _ => None,
    };
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| value.map(|iri| builder.iri(iri))) }
}

/// Sets the lowest grade that a match has: URLGREP_GRADE_... but none. False if the value is none of these.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_min_grade(options: *mut urlgrep_options, grade: u32) -> bool {
    let value = match grade {
        URLGREP_GRADE_LENIENT => Some(Grade::Lenient),
        URLGREP_GRADE_RFC3986 => Some(Grade::Rfc3986),
        URLGREP_GRADE_RFC1738 => Some(Grade::Rfc1738),
        _ => None,
    };
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| value.map(|grade| builder.min_grade(grade))) }
}

/// Sets whether www.h.org and ftp.h.org are matches without a scheme. False by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_hosts(options: *mut urlgrep_options, yes: bool) -> bool {
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| Some(builder.hosts(yes))) }
}

/// Sets whether mail addresses are matches without a scheme. False by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_addresses(options: *mut urlgrep_options, yes: bool) -> bool {
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| Some(builder.addresses(yes))) }
}

/// Sets whether URLs are matches that are written so that no program opens them: hxxp://h[.]org. False by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_refang(options: *mut urlgrep_options, yes: bool) -> bool {
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| Some(builder.refang(yes))) }
}

/// Sets whether lines are counted: see urlgrep_match_position. False by default; it costs a pass over the text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_line_numbers(options: *mut urlgrep_options, yes: bool) -> bool {
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| Some(builder.line_numbers(yes))) }
}

/// Says that the text is the screen of a terminal of so many columns: with URLGREP_JOIN_LIKELY, a bare URL that fills
/// a line goes on in the next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_width(options: *mut urlgrep_options, columns: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| Some(builder.width(columns))) }
}

/// Sets the maximum length of a URL in the text, in bytes. At least 16; 65536 by default. urlgrep_finder_new says if
/// it is too small.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_max_len(options: *mut urlgrep_options, len: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| Some(builder.max_len(len))) }
}

/// Adds a scheme whose URLs have no "//": `spotify` for spotify:track:4. False if the name is not UTF-8;
/// urlgrep_finder_new says if it is no scheme.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_add_known(
    options: *mut urlgrep_options,
    name: *const u8,
    len: usize,
) -> bool {
    // SAFETY: the caller's promise.
    let (options, name) = unsafe { (options.as_mut(), bytes(name, len)) };
    let (Some(options), Some(name)) = (options, name.and_then(|name| str::from_utf8(name).ok())) else {
        return false;
    };
    guard(false, || {
        options.known = options.known.clone().with(name);
        options.builder = options.builder.clone().schemes(options.known.clone());
        true
    })
}

/// Adds a scheme to those that are matches. Without one, all are. False if the name is not UTF-8;
/// urlgrep_finder_new says if it is no scheme.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlgrep_options_add_scheme(
    options: *mut urlgrep_options,
    name: *const u8,
    len: usize,
) -> bool {
    // SAFETY: the caller's promise.
    let name = unsafe { bytes(name, len) }.and_then(|name| str::from_utf8(name).ok());
    // SAFETY: the caller's promise.
    unsafe { set(options, |builder| name.map(|name| builder.scheme_filter([name]))) }
}
