//! The head of a record: the fields of WARC (ISO 28500 §4), or the one line of ARC.
//!
//! ```text
//!   WARC/1.0                                    http://h.org/ 192.0.2.1 20010302101112 text/html 57
//!   WARC-Type: response                         HTTP/1.0 200 OK
//!   WARC-Target-URI: http://h.org/              ...
//!   Content-Length: 57
//!
//!   HTTP/1.0 200 OK
//!   ...
//! ```
//!
//! The line of an ARC file has, separated by spaces, the URL, the IP address, the date,
//! the media type and the length; in version 2 five other words are between the last two.
//! A URL may have spaces, so the words are counted from the end.

use std::ops::Range;

use memchr::memchr;

use super::super::mail::Verdict;
use crate::archive::header::Fields;

/// The greatest length of a head, in bytes.
pub(crate) const LONGEST_HEAD: usize = 64 * 1024;

/// The head of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordHead {
    /// Its length, with the empty line after the fields.
    pub(crate) len: usize,
    /// The length of the block after it, if it says one.
    pub(crate) block: Option<u64>,
    pub(crate) syntax: Syntax,
}

/// What a head is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// Fields, which begin at this offset.
    Warc(usize),
    Arc(ArcLine),
}

/// The words of an ARC line, as ranges of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArcLine {
    pub(crate) url: Range<usize>,
    pub(crate) date: Range<usize>,
    pub(crate) media_type: Range<usize>,
}

/// The head that `bytes` begin with; `None` if there is none. `Err` if more bytes are needed
/// to tell; `last` says that no more follow.
pub(crate) fn read(bytes: &[u8], last: bool) -> Result<Option<RecordHead>, NeedsMore> {
    match begins(bytes, last) {
        Verdict::Unknown => return Err(NeedsMore),
        Verdict::No => return Ok(None),
        Verdict::Yes => {}
    }
    if !bytes.starts_with(b"WARC/") {
        return Ok(arc(bytes));
    }
    let near = &bytes[..bytes.len().min(LONGEST_HEAD)];
    let last = last || near.len() == LONGEST_HEAD;
    let Some(len) = empty_line_end(near) else {
        return if last { Ok(Some(warc(near))) } else { Err(NeedsMore) };
    };
    Ok(Some(warc(&near[..len])))
}

/// More bytes are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NeedsMore;

/// Whether `bytes` begin with a record.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    let near = &bytes[..bytes.len().min(LONGEST_HEAD)];
    let no_more = last || near.len() == LONGEST_HEAD;
    if !near.starts_with(b"WARC/") {
        return begins_arc(near, no_more);
    }
    match near[5..] {
        [major, b'.', minor, b'\n', ..]
        | [major, b'.', minor, b'\r', b'\n', ..]
        | [major, b'.', b'0'..=b'9', minor, b'\n' | b'\r', ..]
            if major.is_ascii_digit() && minor.is_ascii_digit() =>
        {
            Verdict::Yes
        }
        ref version if !no_more && version.len() < 6 && !version.contains(&b'\n') => Verdict::Unknown,
        _ => Verdict::No,
    }
}

fn begins_arc(near: &[u8], no_more: bool) -> Verdict {
    let Some(end) = memchr(b'\n', near) else {
        let may = no_more || !may_begin_arc(near);
        return if may { Verdict::No } else { Verdict::Unknown };
    };
    if arc_line(&near[..end]).is_some() { Verdict::Yes } else { Verdict::No }
}

/// Whether a line, which may be incomplete, begins with a URL and has no control characters.
fn may_begin_arc(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let scheme = line.iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    let begins = line.first().is_none_or(u8::is_ascii_alphabetic) && scheme <= 32;
    begins && line.get(scheme).is_none_or(|&b| b == b':') && line[scheme..].iter().all(|&b| b >= b' ')
}

/// The head of WARC that is `head`.
fn warc(head: &[u8]) -> RecordHead {
    let fields = memchr(b'\n', head).map_or(head.len(), |n| n + 1);
    let mut length = Fields::new(head, fields).filter(|field| field.is(head, b"content-length"));
    let block = length.next().and_then(|field| number(field.value(head).trim_ascii()));
    RecordHead { len: head.len(), block, syntax: Syntax::Warc(fields) }
}

/// The head of ARC that `bytes` begin with.
fn arc(bytes: &[u8]) -> Option<RecordHead> {
    let end = memchr(b'\n', bytes)?;
    let (line, block) = arc_line(&bytes[..end])?;
    Some(RecordHead { len: end + 1, block: Some(block), syntax: Syntax::Arc(line) })
}

/// The words of a line, and the length of the block after it.
fn arc_line(line: &[u8]) -> Option<(ArcLine, u64)> {
    // Most lines are refused by their last byte.
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if !line.last()?.is_ascii_digit() || !may_begin_arc(line) {
        return None;
    }
    arc_words(line, 5).or_else(|| arc_words(line, 10))
}

/// The same for a line of `count` words, of which the first may have spaces.
fn arc_words(line: &[u8], count: usize) -> Option<(ArcLine, u64)> {
    let mut words = Vec::with_capacity(count);
    let mut end = line.len();
    for _ in 1..count {
        let space = memchr::memrchr(b' ', &line[..end])?;
        words.push(space + 1..end);
        end = space;
    }
    let [media_type, date, ip] = &words[words.len() - 3..] else { return None };
    let is_date = date.len() == 14 && line[date.clone()].iter().all(u8::is_ascii_digit);
    let is_ip = line[ip.clone()].iter().all(|b| b.is_ascii_hexdigit() || b".:-".contains(b));
    let block = number(&line[words[0].clone()])?;
    let words = ArcLine { url: 0..end, date: date.clone(), media_type: media_type.clone() };
    (is_date && is_ip).then_some((words, block))
}

/// Where the first empty line ends.
fn empty_line_end(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', bytes).find_map(|n| match bytes[n + 1..] {
        [b'\n', ..] => Some(n + 2),
        [b'\r', b'\n', ..] => Some(n + 3),
        _ => None,
    })
}

fn number(digits: &[u8]) -> Option<u64> {
    let digits = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse().ok()
}
