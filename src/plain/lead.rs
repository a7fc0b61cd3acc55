//! What precedes a plain URL.
//!
//! The byte before it may be a delimiter, part of a scheme, or a mark. If it is
//! whitespace, there may be a bracket or the marks of a quoted line before that. Nearly
//! always one or two bytes show that there is none of these.

use crate::bytes::class::{BLANK, BREAK, INSIDE, MARK, SCHEME, SPACE};

/// How far back quote marks are read, in bytes.
const LEADER: usize = 32;

/// The byte that must close the delimiter `last` before a URL, if `last` is one;
/// `None` if the rules have to decide. `far` is the byte before `last`, and `stop` are
/// the two bytes after the URL.
///
/// If the URL has a prefix, `last` and `far` are the bytes before the prefix.
#[inline(always)]
pub(super) fn close(
    far: u8,
    last: u8,
    stop: [u8; 2],
    prefixed: bool,
    is_lonely: impl FnOnce() -> bool,
) -> Option<Option<u8>> {
    match LEADS[last as usize] {
        Lead::Open(close) if stop[0] == close => Some(Some(close)),
        Lead::Open(close) if may_go_on(close, stop) => None,
        Lead::Open(_) | Lead::Nothing => Some(None),
        Lead::Leader if parts(far, last) || is_lonely() => Some(None),
        Lead::Joint if !prefixed && far < 0x80 && !SCHEME.has(far) => Some(None),
        _ => None,
    }
}

/// Whether a URL that continues with `stop` may extend to the delimiter `close`. If
/// not, the byte before the URL is not an opening delimiter.
#[inline(always)]
fn may_go_on(close: u8, [stop, next]: [u8; 2]) -> bool {
    match (close, stop) {
        // A quoted URL on one line is bare.
        (b'"', b' ' | b'\t') => SPACE.has(next),
        (b'"', b'\n') => next != b'"',
        (b'>', b'"') => true,
        _ if SPACE.has(stop) => next != b'<',
        _ => INSIDE.has(stop),
    }
}

/// Whether `lead` is whitespace after a byte that is no delimiter and no mark. This
/// makes most calls of [`is_lonely`] unnecessary.
#[inline(always)]
fn parts(far: u8, lead: u8) -> bool {
    match lead {
        b' ' => FARS[far as usize] == Far::Nothing,
        b'\n' => FARS[far as usize] != Far::Bracket,
        _ => false,
    }
}

/// What a byte with whitespace between it and a URL may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    Nothing,
    /// A quote mark, if it is on the same line.
    Mark,
    /// An opening bracket, or whitespace after one.
    Bracket,
}

static FARS: [Far; 256] = {
    let mut fars = [Far::Nothing; 256];
    let mut b = 0;
    while b < 256 {
        fars[b] = match b as u8 {
            b'<' => Far::Bracket,
            b if SPACE.has(b) => Far::Bracket,
            b if MARK.has(b) => Far::Mark,
            _ => Far::Nothing,
        };
        b += 1;
    }
    fars
};

/// Whether there is neither a bracket nor a prefix before the whitespace and quote
/// marks before `start`.
#[inline(never)]
pub(super) fn is_lonely(bytes: &[u8], start: usize) -> bool {
    let text = &bytes[start.saturating_sub(LEADER)..start];
    let end = |is_passed: fn(u8) -> bool| text.iter().rposition(|&b| !is_passed(b)).map(|n| n + 1);
    let Some(inner) = end(|b| BLANK.has(b)) else {
        return false;
    };
    match text[inner - 1] {
        b'<' | b':' | b'/' => false,
        b if BREAK.has(b) => ends_openly(&text[..inner]),
        b if !MARK.has(b) => true,
        // Initials may be part of a leader.
        _ => match end(|b| BLANK.has(b) || MARK.has(b) || b.is_ascii_alphanumeric()) {
            Some(leader) if BREAK.has(text[leader - 1]) => ends_openly(&text[..leader]),
            Some(_) => true,
            None => false,
        },
    }
}

/// Whether `text`, whose last byte is a break, has a line before the break that does
/// not end in a bracket.
fn ends_openly(text: &[u8]) -> bool {
    let ([line @ .., b'\r', b'\n'] | [line @ .., _]) = text else {
        return false;
    };
    line.last().is_some_and(|&b| b != b'<' && !BLANK.has(b))
}

/// How the byte before a URL may affect it.
#[derive(Clone, Copy)]
enum Lead {
    Nothing,
    /// Delimit it, if this byte follows it.
    Open(u8),
    /// Hide what precedes.
    Leader,
    /// Be part of a scheme only if the byte before is.
    Joint,
    /// Be part of the scheme or of a prefix; or quote the URL.
    Part,
}

static LEADS: [Lead; 256] = {
    let mut leads = [Lead::Nothing; 256];
    let mut b = 0;
    while b < 256 {
        leads[b] = match b as u8 {
            b'<' => Lead::Open(b'>'),
            b'"' => Lead::Open(b'"'),
            b'+' | b'-' | b'.' => Lead::Joint,
            b':' | b'/' | b'\'' | 0x80.. => Lead::Part,
            b if SCHEME.has(b) => Lead::Part,
            b if MARK.has(b) || SPACE.has(b) => Lead::Leader,
            _ => Lead::Nothing,
        };
        b += 1;
    }
    leads
};
