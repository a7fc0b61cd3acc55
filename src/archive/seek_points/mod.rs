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

use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom, Take};
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
        let len = range.end - range.start;
        Framed::of(before, Source::Same(open(range)), len, after)
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
pub struct Framed<R>(Chain<Chain<Added, Take<Source<R>>>, Added>);

/// Bytes that are added.
type Added = Cursor<Vec<u8>>;

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

impl<R: Read> Framed<R> {
    /// An input as it is.
    pub(super) fn whole(input: R) -> Self {
        Framed::of(Vec::new(), Source::Same(input), u64::MAX, Vec::new())
    }

    /// The first `len` bytes of a source, between others.
    fn of(before: Vec<u8>, input: Source<R>, len: u64, after: Vec<u8>) -> Self {
        Framed(Cursor::new(before).chain(input.take(len)).chain(Cursor::new(after)))
    }

    /// The source, which ends after a number of bytes.
    fn source(&mut self) -> &mut Take<Source<R>> {
        self.0.get_mut().0.get_mut().1
    }

    /// Returns the first `len` bytes of this input.
    pub(super) fn with_len(mut self, len: u64) -> Self {
        self.source().set_limit(len);
        self
    }

    pub(super) fn get_mut(&mut self) -> &mut R {
        match self.source().get_mut() {
            Source::Same(input) | Source::File { input, .. } => input,
            Source::Mailbox(mailbox, _) => mailbox.0.get_mut(),
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
            let mailbox = Source::Mailbox(Box::new(Pst::new(input)?), Pst::read);
            return Ok(Framed::of(Vec::new(), mailbox, u64::MAX, Vec::new()));
        }
        Ok(Framed::of_file(input, head.len() as u64..len, head))
    }

    /// The rest of a file after `before`, from the start of `range` on, where the input is, which had bytes up to its
    /// end when it was opened.
    pub(super) fn of_file(input: R, range: Range<u64>, before: Vec<u8>) -> Self {
        let now = |input: &mut R| input.seek(SeekFrom::End(0));
        let file = Source::File { input, at: range.start, len: range.end, now };
        Framed::of(before, file, u64::MAX, Vec::new())
    }
}

impl<R: Read> Read for Framed<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room)
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
                let input = Framed::of(b"<".to_vec(), Source::Same(&b"abc"[..]), len, b">>".to_vec());
                let (mut input, mut read, mut room) = (input, Vec::new(), vec![0; size]);
                while let Ok(len @ 1..) = input.read(&mut room) {
                    read.extend_from_slice(&room[..len]);
                }
                assert_eq!(read, b"<abc>>", "{len} by {size}");
            }
        }
    }
}
