//! The web archive records: WARC (ISO 28500, versions 0.x, 1.0 and 1.1), with WET and WAT, which
//! are also WARC; and ARC, versions 1 and 2.
//!
//! A record consists of a header and a block; the header declares the length of the block. The
//! length is trusted if another record, or the end of the file, is where it declares that the block
//! ends: then the block may contain records. If not, the record ends before the next one: before a
//! line `WARC/1.0` after an empty line, or an ARC line.
//!
//! A record longer than the [limit](crate::archive::MAX_MESSAGE_LEN) is yielded in chunks,
//! and its length is always believed. If nothing of it is read, such as a film, the
//! rest of it is skipped and never buffered.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::format::{self, Divides, Format, Framing, decimal, line_ends};
use super::mail::Verdict;
use crate::archive::header::{HeaderFields, begins_with, empty_line_end};
use crate::archive::reading;

pub(super) static FRAMING: Framing = Framing {
    starts: b"Ww",
    name: Some(("warc", "A web archive: WARC, WET, WAT, ARC")),
    has_lines: true,
    before: Some(format::empty_lines),
    divides: Some(Divides::Records { len, followed, enough: 2 * LONGEST_HEAD, in_gzip: "warc.gz" }),
    ..Framing::text(Format::Warc, begins, &reading::TEXT)
};

/// The beginning of a record, in upper or lower case: a literal of the grammar (ISO 28500 §4; RFC 2616 §2.1).
const MAGIC: &[u8] = b"WARC/";

/// The number of line breaks that may be between two records; two are correct.
const MAX_GAP: usize = 64;

/// The length of a record that ends at an unknown offset after the buffered bytes.
const UNKNOWN: usize = usize::MAX;

/// Finds the ends of a file's records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records {
    /// The length of the rest of the record that was begun, or [`UNKNOWN`]: all bytes before the next record.
    rest: usize,
    /// True if the rest is skipped.
    skips: bool,
}

impl Records {
    /// Returns the number of bytes that are skipped before the next record or its next chunk.
    pub(crate) fn skip(&mut self, bytes: &[u8], searched: &mut usize, last: bool) -> usize {
        let len = match self.rest {
            0 => return line_ends(bytes),
            _ if !self.skips => return 0,
            UNKNOWN => next(bytes, searched, last).unwrap_or(if last { bytes.len() } else { *searched }),
            len => bytes.len().min(len),
        };
        self.rest = match self.rest {
            UNKNOWN if !last && len == *searched => UNKNOWN,
            UNKNOWN => 0,
            left => left - len,
        };
        *searched = searched.saturating_sub(len);
        len
    }

    /// The length of the record at the start of `bytes`, or of the rest of one; `None` if more
    /// bytes are needed. It may exceed `bytes` if it exceeds `limit`, beyond which a record is yielded in chunks.
    /// `last` means that no more bytes follow, and `enough` that it does not wait for more bytes.
    pub(crate) fn end(
        &self,
        bytes: &[u8],
        searched: &mut usize,
        last: bool,
        enough: bool,
        limit: usize,
    ) -> Option<usize> {
        let up_to_next = |searched: &mut usize| {
            let end = next(bytes, searched, last);
            end.or(last.then_some(bytes.len())).or(enough.then_some(UNKNOWN)).filter(|&end| end > 0)
        };
        if bytes.is_empty() {
            return None;
        }
        let end = match self.rest {
            UNKNOWN => return up_to_next(searched),
            len @ 1.. if len <= bytes.len() => return Some(len),
            len @ 1.. => return if last { Some(bytes.len()) } else { enough.then_some(len) },
            0 => read(bytes, last || enough)?.and_then(|head| {
                let block = usize::try_from(head.block?).unwrap_or(UNKNOWN);
                Some(head.len.saturating_add(block).min(UNKNOWN - 1))
            }),
        };
        match end {
            Some(end) if end > limit && !last => return enough.then_some(end),
            Some(end) => match bytes.get(end..).map(|rest| followed(rest, last).0) {
                Some(Verdict::Yes) => return Some(end),
                Some(Verdict::Unknown) => return None,
                None if !last => return None,
                None | Some(Verdict::No) => {}
            },
            None => {}
        }
        up_to_next(searched)
    }

    /// Takes the first `len` bytes of a record, or of the rest of one with the length `next`.
    /// `skips` is true if the rest of it is skipped.
    pub(crate) fn take(&mut self, next: usize, len: usize, skips: impl FnOnce() -> bool) {
        let begins = !self.continues();
        self.rest = if next == UNKNOWN { UNKNOWN } else { next - len };
        if begins && self.continues() {
            self.skips = skips();
        }
    }

    /// Returns true if the next bytes are the rest of a record.
    pub(crate) fn continues(&self) -> bool {
        self.rest > 0
    }
}

/// The declared length of the record at the start of `bytes`; `None` if more bytes are needed.
fn len(bytes: &[u8], last: bool) -> Option<Option<u64>> {
    Some(read(bytes, last)?.and_then(|head| (head.len as u64).checked_add(head.block?)))
}

/// Returns whether a record, or the end of the file, is at the beginning of `bytes`, and the number
/// of line breaks before it.
fn followed(bytes: &[u8], last: bool) -> (Verdict, usize) {
    let gap = line_ends(&bytes[..bytes.len().min(MAX_GAP)]);
    let verdict = match bytes[gap..] {
        [] if last => Verdict::Yes,
        [] if gap < MAX_GAP => Verdict::Unknown,
        ref next => begins(next, last),
    };
    (verdict, gap)
}

/// Returns the offset at which the next record begins, after the first byte. `searched` is how many
/// bytes earlier calls have searched, and is advanced.
fn next(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let from = (*searched).min(bytes.len());
    for n in memchr_iter(b'\n', &bytes[from..]) {
        let at = from + n + 1;
        // The lines of most bodies begin with another byte.
        if !bytes.get(at).is_none_or(u8::is_ascii_alphabetic) {
            continue;
        }
        let after_empty = [&b"\n"[..], b"\n\r", b"\n\r\r"].iter().any(|end| bytes[..at - 1].ends_with(end));
        if begins_with(&bytes[at..], MAGIC) && !after_empty {
            continue;
        }
        match begins(&bytes[at..], last) {
            Verdict::Yes => return Some(at),
            // The line is examined again, with the line before it, when more bytes arrive.
            Verdict::Unknown => {
                *searched = at.saturating_sub(3).max(from);
                return None;
            }
            Verdict::No => {}
        }
    }
    *searched = bytes.len().saturating_sub(3).max(from);
    None
}

// The header of a record: the WARC fields (ISO 28500 §4), or the ARC line.
//
// ```text
//   WARC/1.0                                    http://h.org/ 192.0.2.1 20010302101112 text/html 57
//   WARC-Type: response                         HTTP/1.0 200 OK
//   WARC-Target-URI: http://h.org/              ...
//   Content-Length: 57
//
//   HTTP/1.0 200 OK
//   ...
// ```
//
// The ARC line contains the URL, the IP address, the date, the media type and the length, separated
// by spaces; in version 2, five other words are between the last two. A URL may contain spaces, so
// the words are counted from the end.

/// The maximum length of a header, in bytes.
const LONGEST_HEAD: usize = 64 * 1024;

/// The head of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordHead {
    /// The length of the head, with the empty line after the fields.
    pub(crate) len: usize,
    /// The length of the block after it, if it declares one.
    pub(crate) block: Option<u64>,
    /// The offset of the fields of WARC.
    fields: usize,
    /// The words of ARC, which has no fields.
    pub(crate) arc: Option<ArcLine>,
}

impl RecordHead {
    /// Returns the value of a field in `bytes`, which begin with the header, or the word of an ARC line with the same
    /// meaning.
    pub(crate) fn field<'b>(&self, bytes: &'b [u8], name: &str) -> Option<&'b [u8]> {
        let Some(line) = &self.arc else {
            let head = &bytes[..self.len.min(bytes.len())];
            let field = HeaderFields::new(head, self.fields).find(|field| field.is(head, name.as_bytes()))?;
            return Some(field.value(head));
        };
        let word = match name {
            "warc-target-uri" => &line.url,
            "warc-date" => &line.date,
            "content-type" => &line.media_type,
            _ => return None,
        };
        Some(&bytes[word.clone()])
    }
}

/// The words of an ARC line, as ranges of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArcLine {
    pub(crate) url: Range<usize>,
    date: Range<usize>,
    media_type: Range<usize>,
}

/// Returns the header at the start of `bytes`, if any; `None` if more bytes are needed. `last` means that no more follow.
pub(crate) fn read(bytes: &[u8], last: bool) -> Option<Option<RecordHead>> {
    match begins(bytes, last) {
        Verdict::Unknown => return None,
        Verdict::No => return Some(None),
        Verdict::Yes => {}
    }
    if !begins_with(bytes, MAGIC) {
        let end = memchr(b'\n', bytes).unwrap_or(0);
        let arc = |(line, block)| RecordHead { len: end + 1, block: Some(block), fields: 0, arc: Some(line) };
        return Some(arc_line(&bytes[..end]).map(arc));
    }
    let near = &bytes[..bytes.len().min(LONGEST_HEAD)];
    let last = last || near.len() == LONGEST_HEAD;
    let len = empty_line_end(near, 0).or(last.then_some(near.len()))?;
    Some(Some(warc(&near[..len])))
}

/// Returns whether `bytes` begin with a record.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    let near = &bytes[..bytes.len().min(LONGEST_HEAD)];
    let no_more = last || near.len() == LONGEST_HEAD;
    if !begins_with(near, MAGIC) {
        return match memchr(b'\n', near) {
            Some(end) if arc_line(&near[..end]).is_some() => Verdict::Yes,
            None if !no_more && may_begin_arc(near) => Verdict::Unknown,
            _ => Verdict::No,
        };
    }
    let (version, fields) = match memchr(b'\n', &near[MAGIC.len()..]) {
        Some(end) => near[MAGIC.len()..].split_at(end + 1),
        None if no_more || near.len() > LONGEST_VERSION => return Verdict::No,
        None => return Verdict::Unknown,
    };
    let is_version = matches!(version.trim_ascii_end(), [major, b'.', minor @ ..]
        if major.is_ascii_digit() && matches!(minor.len(), 1 | 2) && minor.iter().all(u8::is_ascii_digit));
    // A record field must follow, because a text may also mention the format.
    let verdict = |name: &[u8]| match fields.get(..name.len()) {
        Some(start) if start.eq_ignore_ascii_case(name) => Verdict::Yes,
        None if !no_more && name[..fields.len()].eq_ignore_ascii_case(fields) => Verdict::Unknown,
        _ => Verdict::No,
    };
    // No field begins with both.
    if is_version { verdict(b"WARC-").max(verdict(b"Content-")) } else { Verdict::No }
}

/// The maximum length of a line like `WARC/1.10`.
const LONGEST_VERSION: usize = 12;

/// Returns true if a line, which may be incomplete, begins with a URL and has no control
/// characters.
fn may_begin_arc(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let scheme = line.iter().take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b)).count();
    let begins = line.first().is_none_or(u8::is_ascii_alphabetic) && scheme <= 32;
    begins && line.get(scheme).is_none_or(|&b| b == b':') && line[scheme..].iter().all(|&b| b >= b' ')
}

/// The WARC header in `head`.
fn warc(head: &[u8]) -> RecordHead {
    let fields = memchr(b'\n', head).map_or(head.len(), |n| n + 1);
    let mut length = HeaderFields::new(head, fields).filter(|field| field.is(head, b"content-length"));
    let block = length.next().and_then(|field| decimal(field.value(head).trim_ascii()));
    RecordHead { len: head.len(), block, fields, arc: None }
}

/// The words of a line, and the length of the block after it.
fn arc_line(line: &[u8]) -> Option<(ArcLine, u64)> {
    // The last byte rules out most lines.
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if !line.last()?.is_ascii_digit() || !may_begin_arc(line) {
        return None;
    }
    arc_words(line, 5).or_else(|| arc_words(line, 10))
}

/// Returns the result of [`arc_line`] for a line of `count` words, of which the first may contain
/// spaces.
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
    let block = decimal(&line[words[0].clone()])?;
    let words = ArcLine { url: 0..end, date: date.clone(), media_type: media_type.clone() };
    (is_date && is_ip).then_some((words, block))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of an ARC record begins with a URL, whose scheme has at most 32 letters.
    #[test]
    fn what_may_become_an_arc_record() {
        let long = "x".repeat(32);
        for (line, may) in [
            ("", true),
            ("http", true),
            ("http://h.org/ 127.0.0.1 2001", true),
            ("http://h.org/\r", true),
            ("x-a+b.c:d", true),
            (&long, true),
            (&format!("{long}:a"), true),
            (&format!("{long}x"), false),
            ("1http:", false),
            ("http /", false),
            ("http:/\ta", false),
        ] {
            assert_eq!(may_begin_arc(line.as_bytes()), may, "{line:?}");
        }
    }

    #[test]
    fn versions_and_first_fields() {
        let field = "WARC-Type: response\r\n";
        for (version, is_one) in [
            ("0.9", true),
            ("1.0", true),
            ("1.10", true),
            ("1.100", false),
            ("10.0", false),
            ("x.0", false),
            ("1.x", false),
            ("1.", false),
            ("1", false),
        ] {
            for line_end in ["\n", "\r\n"] {
                let record = format!("WARC/{version}{line_end}{field}");
                let expected = if is_one { Verdict::Yes } else { Verdict::No };
                assert_eq!(begins(record.as_bytes(), true), expected, "{record}");
            }
        }
        for (text, early, late) in [
            ("WARC/", Verdict::Unknown, Verdict::No),
            ("WARC/1234567", Verdict::Unknown, Verdict::No),
            ("WARC/12345678", Verdict::No, Verdict::No),
            ("WARC/1.0\n", Verdict::Unknown, Verdict::No),
            ("WARC/1.0\nwarc", Verdict::Unknown, Verdict::No),
            ("WARC/1.0\nwarc-", Verdict::Yes, Verdict::Yes),
            ("warc/1.0\nWARC-", Verdict::Yes, Verdict::Yes),
            ("WARC/1.0\ncontent-", Verdict::Yes, Verdict::Yes),
            ("WARC/1.0\nDate: ", Verdict::No, Verdict::No),
        ] {
            assert_eq!(
                (begins(text.as_bytes(), false), begins(text.as_bytes(), true)),
                (early, late),
                "{text:?}"
            );
        }
    }

    /// As many line breaks between two records as are allowed, and one more.
    #[test]
    fn line_breaks_between_records() {
        for (count, expected) in [(2, Verdict::Yes), (MAX_GAP, Verdict::Yes), (MAX_GAP + 1, Verdict::No)] {
            let text = format!("{}WARC/1.0\nWARC-Type: response\n", "\n".repeat(count));
            assert_eq!(followed(text.as_bytes(), true).0, expected, "{count}");
            let cut = if count <= MAX_GAP { Verdict::Unknown } else { Verdict::No };
            assert_eq!(followed(&text.as_bytes()[..count], false).0, cut, "{count}");
            assert_eq!(followed(&text.as_bytes()[..count.min(MAX_GAP)], true).0, Verdict::Yes, "{count}");
        }
    }
}
