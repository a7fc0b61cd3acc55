//! Ranges of a file: what a reader that starts in the middle of a file owns.
//!
//! A file is a sequence of messages, records of a web archive, members of a tar archive, or
//! paragraphs of text. **A range owns those that start in it.** So the ranges `0..k`, `k..n` of
//! a file have all of them, each once, wherever `k` is. Two questions decide which these are.
//!
//! *Where does the first one start?*
//!
//! - Whether a line of an mbox starts a message depends on the line ends before it, three bytes
//!   at most, and on the next [`LOOKAHEAD`](super::LOOKAHEAD) bytes, and on nothing else. What a
//!   reader that starts at any offset takes for its first message is the rest of one, or its
//!   line ends. So the starts are looked for without a reader ([`first_cut`]).
//! - A record or a member may contain another: its length decides where the next one
//!   starts. So the heads are read from the first of the file on, and what is between them is
//!   skipped.
//! - A text is divided after empty lines: no URL contains one, and no rule
//!   reads further back than the start of a line. (The rule for URLs that a line end cut does:
//!   see [`Join::Likely`](crate::Join::Likely).)
//!
//! *Which is the last one?* The last one that starts before the end of the range. It is read
//! to its end, beyond the range. A message that is too long to be yielded as a whole arrives
//! in several pieces, some of which may start beyond the range: ownership is decided once,
//! by the first. Damage belongs to the range in which it starts. What is wrong with the end of
//! a tar archive belongs to its last member.
//!
//! All other files belong to the range that starts at 0: one message, a page, a compressed
//! file, a batch of news.

mod cut;
mod division;
mod records;

use std::fs;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::Path;

pub use cut::first_cut;
pub use division::Division;

use super::walk::{Archive, in_file};

/// Opens a range of an archive: byte offsets from 0, the end exclusive.
///
/// The range yields the messages that start in it; the last one is read to its end, beyond
/// the range. So ranges that cover a file yield each of its messages once. A range of a web
/// archive yields the records that start in it, and one of a tar archive the members whose
/// first header does. A range of a text
/// starts and ends after the first empty line from its offsets on. Files that cannot be
/// divided belong to the range that starts at 0: all but these, if they are not compressed.
///
/// Offsets are those in the file, or in the member of a tar archive. Lines and
/// [indexes](super::Message::index) begin at the
/// first message of the range, unless [`Archive::with_base`] sets how many precede it.
///
/// Costs, besides the range, a search for the first message in it: in an mbox or a text up to
/// the next one, in a web archive or a tar archive a walk along the heads before it.
/// [`Division::range`] shares that walk among ranges.
///
/// # Errors
///
/// If the file cannot be opened or read. The error names the file.
///
/// # Example
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path().join("mbox");
/// # std::fs::write(&path, "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a\n\nhttp://h.org/\n\n".repeat(10))?;
/// use urlgrep::archive;
///
/// let len = std::fs::metadata(&path)?.len();
/// let mut messages = 0;
/// for start in (0..len).step_by(100) {
///     let mut range = archive::open_range(&path, start..start + 100)?;
///     while range.next_message()?.is_some() {
///         messages += 1;
///     }
/// }
/// assert_eq!(messages, 10);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open_range(path: impl AsRef<Path>, range: Range<u64>) -> io::Result<Archive<fs::File>> {
    let path = path.as_ref();
    match fs::File::open(path).and_then(|file| Archive::of_range(file, range)) {
        Ok(archive) => Ok(archive.at_path(path)),
        Err(error) => Err(in_file(path.display().to_string(), error)),
    }
}

/// The first offset from `at` on where a range can start without a search: the start of a
/// message of an mbox, of a record of a web archive or of a member of a tar archive, a byte
/// after an empty line of a text, or else the end of the file.
///
/// [`open_range`] yields the same for a range and for the range between its aligned ends.
/// A [`Reader`](super::Reader) that starts at an aligned offset yields the messages of the file
/// from there. Offset 0 is aligned.
///
/// Costs the bytes between `at` and the result; in a web archive or a tar archive a walk along
/// the heads before it. The position of `input` changes.
///
/// # Errors
///
/// If the file cannot be read.
///
/// # Example
///
/// ```
/// use std::io::Cursor;
///
/// use urlgrep::archive::align;
///
/// let mut text = Cursor::new("one\n\ntwo\n\nthree\n");
/// assert_eq!(align(&mut text, 1)?, 5);
/// assert_eq!(align(&mut text, 5)?, 5);
/// assert_eq!(align(&mut text, 6)?, 10);
/// assert_eq!(align(&mut text, 11)?, 16);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn align<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    Division::of(input, None)?.align(input, at)
}

impl<R: Read + Seek> Archive<R> {
    /// A range of the archive that `input` yields: see [`open_range`].
    ///
    /// # Errors
    ///
    /// If the input cannot be read.
    pub fn of_range(mut input: R, range: Range<u64>) -> io::Result<Self> {
        Division::of(&mut input, None)?.range(input, range)
    }
}
