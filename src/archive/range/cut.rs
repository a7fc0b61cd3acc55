//! Where an mbox or a text can be cut: where a message starts, or after an empty line.
//!
//! The bytes around a place decide that: [`LOOKBEHIND`] before it and, in an mbox,
//! [`LOOKAHEAD`](crate::archive::LOOKAHEAD) after it.

use std::io::{self, Read, Seek, SeekFrom};

use crate::archive::container::format::Format;
use crate::archive::container::mbox;

/// How many bytes before a place say whether an empty line ends there: LF CR LF.
const LOOKBEHIND: usize = 3;

/// How many bytes are read at a time.
const BLOCK: u64 = 32 * 1024;

/// The first place from `from` on where a file of this format can be cut, if `bytes`, which are
/// some of the file, show it: where a message of an mbox starts, or after an empty line of a text.
/// No place is before the fourth byte, since the bytes before it count.
///
/// `None` also for other formats: [`Division`](super::Division) knows where those can be divided.
///
/// # Example
///
/// ```
/// use urlgrep::archive::{Format, first_cut};
///
/// let text = b"one\n\ntwo\n\r\nthree\n";
/// assert_eq!(first_cut(Format::Text, text, 0), Some(5));
/// assert_eq!(first_cut(Format::Text, text, 6), Some(11));
/// assert_eq!(first_cut(Format::Text, text, 12), None);
/// ```
pub fn first_cut(format: Format, bytes: &[u8], from: usize) -> Option<usize> {
    find(format, bytes, &mut (from.max(LOOKBEHIND) - 1), false)
}

/// The first place after `searched`, which is advanced to where the bytes show none; `last` says
/// that no more bytes follow: then the end is such a place.
fn find(format: Format, bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    *searched = bytes.len().min(*searched);
    match format {
        Format::Mbox => mbox::end(bytes, searched, last),
        Format::Text => {
            let from = std::mem::replace(searched, bytes.len());
            let mut ends = memchr::memchr_iter(b'\n', &bytes[from..]).map(|end| from + end + 1);
            let cut = ends.find(|&end| mbox::after_empty_line(bytes, end));
            cut.or(last.then_some(bytes.len()))
        }
        _ => None,
    }
}

/// The first place from `at` on, which is not 0, where a file of this format, an mbox or a text, can
/// be cut; the end of the file if there is none.
pub(super) fn next_cut<R: Read + Seek>(input: &mut R, format: Format, at: u64) -> io::Result<u64> {
    let at = at.min(input.seek(SeekFrom::End(0))?);
    let mut base = at.saturating_sub(LOOKBEHIND as u64);
    input.seek(SeekFrom::Start(base))?;
    let (mut bytes, mut searched) = (Vec::new(), (at - base).saturating_sub(1) as usize);
    loop {
        let last = input.take(BLOCK).read_to_end(&mut bytes)? < BLOCK as usize;
        if let Some(cut) = find(format, &bytes, &mut searched, last) {
            return Ok(base + cut as u64);
        }
        let decided = searched.saturating_sub(LOOKBEHIND);
        bytes.drain(..decided);
        searched -= decided;
        base += decided as u64;
    }
}
