//! The records of a web archive: WARC (ISO 28500, versions 0.x, 1.0 and 1.1), with WET and
//! WAT, which are WARC too; and ARC, versions 1 and 2.
//!
//! A record is a head, and a block whose length the head says. The length is believed if
//! another record, or the end of the file, is where it says that the block ends: then the
//! block may contain records. If not, the record ends before the next one: before a line
//! `WARC/1.0` after an empty line, or a line of ARC.
//!
//! A record longer than the [limit](crate::archive::MAX_MESSAGE_LEN) is yielded in chunks,
//! and its length is believed in any case. If nothing of it is read, such as a film, the
//! rest of it is skipped and never buffered.

mod head;

use memchr::memchr_iter;

use super::format::{self, Format, Framing, Shape};
use super::mail::Verdict;

pub(crate) use head::{ArcLine, LONGEST_HEAD, NeedsMore, RecordHead, Syntax, begins, read};

pub(super) static FRAMING: Framing = Framing {
    name: Some(("warc", "A web archive: WARC, WET, WAT, ARC")),
    has_lines: true,
    before: Some(format::empty_lines),
    has_records: true,
    ..Framing::text(Format::Warc, begins, Shape::Record)
};

/// How many line ends may be between two records; two are correct.
const APART: usize = 64;

/// The length of a record that ends after the buffered bytes, nobody knows where.
const UNKNOWN: usize = usize::MAX;

/// Where the records of a file end.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// What is left of the record that was begun.
    rest: Rest,
    /// Whether the rest is skipped.
    skips: bool,
}

/// The rest of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Rest {
    #[default]
    Nothing,
    Bytes(usize),
    /// All bytes before the next record.
    UpToNext,
}

impl Records {
    /// How many of the bytes before the next record, or the next chunk of one, are skipped.
    pub(crate) fn skip(&mut self, bytes: &[u8], searched: &mut usize, last: bool) -> usize {
        let len = match self.rest {
            Rest::Nothing => return line_ends(bytes),
            _ if !self.skips => return 0,
            Rest::Bytes(len) => bytes.len().min(len),
            Rest::UpToNext => {
                next(bytes, searched, last).unwrap_or(if last { bytes.len() } else { *searched })
            }
        };
        self.rest = match self.rest {
            Rest::Bytes(left) if len < left => Rest::Bytes(left - len),
            Rest::UpToNext if !last && len == *searched => Rest::UpToNext,
            _ => Rest::Nothing,
        };
        *searched = searched.saturating_sub(len);
        len
    }

    /// The length of the record that `bytes` begin with, or of the rest of one; `None` if more
    /// bytes are needed. It may be more than `bytes` if that is more than `limit`. `enough`
    /// says that no more bytes are waited for.
    pub(crate) fn end(
        &self,
        bytes: &[u8],
        searched: &mut usize,
        RecordLimits { last, enough, limit }: RecordLimits,
    ) -> Option<usize> {
        let up_to_next = |searched: &mut usize| {
            let end = next(bytes, searched, last);
            end.or(last.then_some(bytes.len())).or(enough.then_some(UNKNOWN)).filter(|&end| end > 0)
        };
        if bytes.is_empty() {
            return None;
        }
        let end = match self.rest {
            Rest::UpToNext => return up_to_next(searched),
            Rest::Bytes(len) if len <= bytes.len() => return Some(len),
            Rest::Bytes(len) => return if last { Some(bytes.len()) } else { enough.then_some(len) },
            Rest::Nothing => match read(bytes, last || enough) {
                Err(NeedsMore) => return None,
                Ok(head) => head.and_then(|head| head.end()),
            },
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

    /// Takes the first `len` bytes of a record, or of the rest of one, of the length `next`.
    /// `skips` says whether the rest of it is skipped.
    pub(crate) fn take(&mut self, next: usize, len: usize, skips: impl FnOnce() -> bool) {
        let begins = self.rest == Rest::Nothing;
        self.rest = match next - len {
            _ if next == UNKNOWN => Rest::UpToNext,
            0 => Rest::Nothing,
            left => Rest::Bytes(left),
        };
        if begins && self.rest != Rest::Nothing {
            self.skips = skips();
        }
    }

    /// Whether the next bytes are the rest of a record.
    pub(crate) fn continues(&self) -> bool {
        self.rest != Rest::Nothing
    }
}

/// What bounds the search for the end of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordLimits {
    /// No more bytes follow.
    pub(crate) last: bool,
    /// No more bytes are waited for.
    pub(crate) enough: bool,
    /// A longer record is yielded in chunks.
    pub(crate) limit: usize,
}

impl RecordHead {
    /// Where the record ends; `None` if it does not say so.
    fn end(&self) -> Option<usize> {
        let block = usize::try_from(self.block?).unwrap_or(UNKNOWN);
        Some(self.len.saturating_add(block).min(UNKNOWN - 1))
    }
}

/// Whether a record, or the end of the file, is at the beginning of `bytes`, and after how many
/// line ends.
pub(crate) fn followed(bytes: &[u8], last: bool) -> (Verdict, usize) {
    let apart = line_ends(&bytes[..bytes.len().min(APART)]);
    let verdict = match bytes[apart..] {
        [] if last => Verdict::Yes,
        [] if apart < APART => Verdict::Unknown,
        ref next => begins(next, last),
    };
    (verdict, apart)
}

/// The length of the line ends that `bytes` begin with.
fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count()
}

/// Where the next record begins, after the first byte. `searched` is how many bytes earlier
/// calls have searched, and is advanced.
fn next(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let from = (*searched).min(bytes.len());
    for n in memchr_iter(b'\n', &bytes[from..]) {
        let at = from + n + 1;
        // The lines of most bodies begin with another byte.
        if !bytes.get(at).is_none_or(u8::is_ascii_alphabetic) {
            continue;
        }
        let after_empty = bytes[..at - 1].ends_with(b"\n") || bytes[..at - 1].ends_with(b"\n\r");
        if bytes[at..].starts_with(b"WARC/") && !after_empty {
            continue;
        }
        match begins(&bytes[at..], last) {
            Verdict::Yes => return Some(at),
            // It is judged again, with the line before it, when more bytes come.
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
