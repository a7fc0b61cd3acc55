//! A compressed file in which one can begin to decompress at several positions.
//!
//! Such a [`SeekPoint`] is the start of a block of xz. The index declares its offset in the
//! decompressed file; the declaration may be false. Gzip members and zstd frames that declare their
//! length could be seek points as well, but to decompress in one thread and search in another is as
//! fast there (docs/design/large-files.md).
//!
//! | module | content |
//! |---|---|
//! | [`xz`] | the blocks of an xz file, by the index |
//! | [`members`] | the gzip members in which web archive records begin; no index shows where they are |

pub(super) mod members;
mod xz;

use std::collections::VecDeque;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use self::xz::XzIndex;
use super::container::files::Files;
use super::container::format::Format;
use super::options::ReadOptions;
use super::pst::Pst;
use super::reader::Reader;
use super::shortened::check_not_shortened;
use super::split_points::first_split_point;

/// A position in a compressed file at which decompression can start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeekPoint {
    /// The offset in the file.
    pub at: u64,
    /// The offset in the decompressed file.
    pub start: u64,
}

/// The seek points of a compressed file after the first, which are found on demand.
///
/// A file has seek points if it is an xz stream of several blocks. A point may be wrong, because the
/// index may be. The worker that decompresses up to the point detects this.
#[derive(Clone, Debug)]
pub struct SeekPoints {
    index: Arc<XzIndex>,
    /// The minimum number of decompressed bytes between two points.
    min_len: u64,
    /// The last point.
    last: SeekPoint,
}

impl SeekPoints {
    /// Returns the seek points of a file with an index, at least `min_len` decompressed bytes
    /// apart. The position of `input` changes.
    pub fn of<R: Read + Seek>(input: &mut R, min_len: u64) -> Option<SeekPoints> {
        let index = Arc::new(XzIndex::of(input)?);
        Some(SeekPoints { index, min_len, last: SeekPoint::default() })
    }

    /// Returns true if a block starts at `at`.
    pub(super) fn is_start(&self, at: u64) -> bool {
        self.index.number(at).is_some()
    }

    /// Returns the compressed bytes from one point of this file to a later one, or to the end, as a
    /// compressed file for [`Files::of_rest`]. `open` opens a range of the file.
    pub fn stream<R: Read>(
        &self,
        from: SeekPoint,
        to: Option<SeekPoint>,
        open: impl FnOnce(Range<u64>) -> R,
    ) -> Framed<R> {
        let (before, range, after) = self.index.stream(from.at, to.map(|to| to.at));
        let (left, input) = (range.end - range.start, Source::Same(open(range)));
        Framed { before: before.into(), left, input, after: after.into() }
    }

    /// Returns the format of the compressed file, if it is one text, JSON or mbox file that can be
    /// divided within the first `window` bytes. This reads only the first bytes, so the rest may
    /// show another format. The position of `input` changes.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is damaged.
    pub fn format<R: Read + Seek>(
        input: &mut R,
        options: &ReadOptions,
        window: usize,
    ) -> io::Result<Option<Format>> {
        let head = head(input, window)?;
        let format = format(&head, options)?;
        Ok(format.filter(|&format| first_split_point(format, &head, 0).is_some()))
    }
}

/// The next point. After the last one, the file is read to its end.
impl Iterator for SeekPoints {
    type Item = SeekPoint;

    fn next(&mut self) -> Option<SeekPoint> {
        self.last = self.index.next(self.last, self.min_len)?;
        Some(self.last)
    }
}

/// The first `len` bytes from `offset` on, or as many as there are.
pub(super) fn read_at<R: Read + Seek>(input: &mut R, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::with_capacity(len);
    input.take(len as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The first decompressed bytes.
fn head<R: Read + Seek>(input: &mut R, window: usize) -> io::Result<Vec<u8>> {
    input.rewind()?;
    let mut head = Vec::new();
    Files::of_rest(input, 0)?.file().take(window as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// The format of a file that begins with these bytes, if it is one file and is not converted.
fn format(head: &[u8], options: &ReadOptions) -> io::Result<Option<Format>> {
    let mut reader = Reader::new(head).with_options(options);
    let format = reader.format();
    Ok((!reader.is_converted() && is_file(head, options)?).then_some(format))
}

/// Returns whether bytes belong to a file of text or mail, and not to an archive of such files.
fn is_file(head: &[u8], options: &ReadOptions) -> io::Result<bool> {
    let mut files = Files::new(head)?;
    let Some(mut file) = files.next_file()? else { return Ok(false) };
    if file.name().is_some() || (file.binary().is_some() && options.format.is_none()) {
        return Ok(false);
    }
    // A file that is not an archive is unpacked to itself: compare enough bytes to rule out chance.
    let mut first = [0; 64];
    let len = file.read(&mut first)?;
    Ok(head.starts_with(&first[..len]))
}

/// The number of bytes that show whether a file is an Outlook mailbox.
const PST_HEAD: usize = 10;

/// An input with added bytes before it, and after it or after a part of it.
#[derive(Debug)]
pub struct Framed<R> {
    before: VecDeque<u8>,
    input: Source<R>,
    /// The number of bytes that may still be read.
    left: u64,
    after: VecDeque<u8>,
}

/// The source of an input.
#[derive(Debug)]
enum Source<R> {
    /// The input as it is.
    Same(R),
    /// A file that was read up to `at` and had `len` bytes when it was opened. Its length `now` is
    /// looked up only if it ends before that.
    File { input: R, at: u64, len: u64, now: fn(&mut R) -> io::Result<u64> },
    /// An Outlook mailbox as an archive. The read function is stored, because only this variant needs
    /// `R: Seek`.
    Mailbox(Box<Pst<R>>, fn(&mut Pst<R>, &mut [u8]) -> io::Result<usize>),
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Same(input) => input.read(room),
            Source::File { input, at, len, now } => {
                let read = input.read(room)?;
                *at += read as u64;
                if read == 0 && !room.is_empty() {
                    // The error is returned once.
                    check_not_shortened(*at, std::mem::take(len), || now(input))?;
                }
                Ok(read)
            }
            Source::Mailbox(mailbox, read) => read(mailbox, room),
        }
    }
}

impl<R> Framed<R> {
    /// An input as it is.
    pub(super) fn whole(input: R) -> Self {
        Framed::of(Source::Same(input))
    }

    /// Returns the first `len` bytes of this input.
    pub(super) fn with_len(self, len: u64) -> Self {
        Framed { left: len, ..self }
    }

    fn of(input: Source<R>) -> Self {
        Framed { before: VecDeque::new(), input, left: u64::MAX, after: VecDeque::new() }
    }

    pub(super) fn get_mut(&mut self) -> &mut R {
        match &mut self.input {
            Source::Same(input) | Source::File { input, .. } => input,
            Source::Mailbox(mailbox, _) => mailbox.get_mut(),
        }
    }
}

impl<R: Read + Seek> Framed<R> {
    /// A file from its start: the messages of an Outlook mailbox, or else the file as it is.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read, or is a mailbox that is not read.
    pub(super) fn seekable(mut input: R) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        let head = read_at(&mut input, 0, PST_HEAD)?;
        if Pst::begins(&head) {
            return Ok(Framed::of(Source::Mailbox(Box::new(Pst::new(input)?), Pst::read)));
        }
        let file = Framed::of_file(input, head.len() as u64..len);
        Ok(Framed { before: head.into(), ..file })
    }

    /// The rest of a file from the start of `range` on, where the input is, which had bytes up to its end when it was
    /// opened.
    pub(super) fn of_file(input: R, range: Range<u64>) -> Self {
        let now = |input: &mut R| input.seek(SeekFrom::End(0));
        Framed::of(Source::File { input, at: range.start, len: range.end, now })
    }
}

impl<R: Read> Read for Framed<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if !self.before.is_empty() {
            return self.before.read(room);
        }
        let len = usize::try_from(self.left).map_or(room.len(), |left| left.min(room.len()));
        let read = self.input.read(&mut room[..len])?;
        self.left -= read as u64;
        if read == 0 && len > 0 {
            self.left = 0;
        }
        if read == 0 && self.left == 0 {
            return self.after.read(room);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes after an input follow it, even if the input has become shorter.
    #[test]
    fn an_input_that_ends_before_its_length() {
        for len in [3, 4, 100] {
            for size in [1, 2, 64] {
                let input = Framed {
                    before: b"<".to_vec().into(),
                    after: b">>".to_vec().into(),
                    ..Framed::whole(&b"abc"[..]).with_len(len)
                };
                let (mut input, mut read, mut room) = (input, Vec::new(), vec![0; size]);
                while let Ok(len @ 1..) = input.read(&mut room) {
                    read.extend_from_slice(&room[..len]);
                }
                assert_eq!(read, b"<abc>>", "{len} by {size}");
            }
        }
    }
}
