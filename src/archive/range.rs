//! Ranges of a file: what a reader that starts in the middle of a file owns.
//!
//! A range owns the messages that start in it. So the ranges `0..k`, `k..n` of a file have
//! all its messages, each once, wherever `k` is. Two questions decide which these are.
//!
//! *Where does the first one start?* Whether a line of an mbox starts a message depends on
//! the line ends before it and on the next [`LOOKAHEAD`](super::LOOKAHEAD) bytes, and on nothing else. All line
//! ends before it count: an empty line is two of them, and there may be more. So reading
//! starts at the last byte before the range that is neither CR nor LF. That byte and what
//! follows it belong to a message of the range before; the next message is the first one.
//!
//! *Which is the last one?* The last one that starts before the end of the range. It is read
//! to its end, beyond the range. A message that is too long to be yielded as a whole arrives
//! in several pieces, some of which may start beyond the range: ownership is decided once,
//! by the first.
//!
//! A text has no messages. It is divided after empty lines: no URL contains one, and no rule
//! reads further back than the start of a line. (The rule for URLs that a line end cut does:
//! see [`Join::Likely`](crate::Join::Likely).)
//!
//! All other files belong to the range that starts at 0: one message, a page, a compressed
//! file, and a batch of news, where the length in each header decides where the next is.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::container::files::Files;
use super::container::format::Format;
use super::reader::Reader;
use super::walk::{Archive, in_file};
use crate::bytes::read::read_some;

/// How many bytes are read at a time.
const BLOCK: usize = 16 * 1024;

/// How many first bytes show whether a file is compressed.
const HEAD: usize = 4096;

/// Opens a range of an archive: byte offsets from 0, the end exclusive.
///
/// The range yields the messages that start in it; the last one is read to its end, beyond
/// the range. So ranges that cover a file yield each of its messages once. A range of a text
/// starts and ends after the first empty line from its offsets on. Files that cannot be
/// divided belong to the range that starts at 0: all but an mbox and text that are not
/// compressed.
///
/// Offsets are those in the file. Lines and [indexes](super::Message::index) begin at the
/// first message of the range, unless [`Archive::with_base`] sets how many precede it.
///
/// Costs, besides the range, a search for the first message in it.
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
/// message of an mbox, a byte after an empty line of a text, or else the end of the file.
///
/// [`open_range`] yields the same for a range and for the range between its aligned ends.
/// A [`Reader`] that starts at an aligned offset yields the messages of the file from there.
/// Offset 0 is aligned.
///
/// Costs the bytes between `at` and the result. The position of `input` changes.
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
        let division = Division::of(&mut input, None)?;
        let start = division.align(&mut input, range.start)?;
        // The first message shows the format, as it does in the whole file.
        let mut format = division.format();
        let end = match &division.0 {
            Places::Start { .. } if range.contains(&0) => {
                input.rewind()?;
                return Archive::new(input);
            }
            Places::Start { .. } => start,
            Places::Messages { first } => {
                format = format.filter(|_| start > first.start);
                u64::MAX
            }
            Places::Text => division.align(&mut input, range.end)?,
        };
        input.seek(SeekFrom::Start(start))?;
        Ok(Archive::of_part(input, start..end, format).until(range.end))
    }
}

/// Where a file can be divided into ranges.
///
/// [`align`] is the same for one offset.
///
/// # Example
///
/// ```
/// use std::io::Cursor;
///
/// use urlgrep::archive::{Division, Format};
///
/// let mut text = Cursor::new("one\n\ntwo\n\nthree\n");
/// let division = Division::of(&mut text, None)?;
/// assert_eq!(division.format(), Some(Format::Text));
/// assert_eq!(division.align(&mut text, 6)?, 10);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Division(Places);

/// The places where a range can start.
#[derive(Clone, Debug)]
enum Places {
    /// Only 0, in a file of this length.
    Start { len: u64 },
    /// The messages of an mbox, of which this is the first. Its own separator may be
    /// missing.
    Messages { first: Range<u64> },
    /// After empty lines.
    Text,
}

impl Division {
    /// Where `input` can be divided if it has this format; `None` recognises the format by
    /// the first bytes, and by the first message if they begin like a single one. The
    /// position of `input` changes.
    ///
    /// # Errors
    ///
    /// If the input cannot be read.
    pub fn of<R: Read + Seek>(input: &mut R, format: Option<Format>) -> io::Result<Division> {
        let places = match is_verbatim(input)? {
            true => places(input, format)?,
            false => None,
        };
        Ok(Division(match places {
            Some(places) => places,
            None => Places::Start { len: input.seek(SeekFrom::End(0))? },
        }))
    }

    /// The format of the file, if it can be divided: [`Mbox`](Format::Mbox) or
    /// [`Text`](Format::Text).
    pub fn format(&self) -> Option<Format> {
        match self.0 {
            Places::Start { .. } => None,
            Places::Messages { .. } => Some(Format::Mbox),
            Places::Text => Some(Format::Text),
        }
    }

    /// See [`align`]; `input` is the same file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn align<R: Read + Seek>(&self, input: &mut R, at: u64) -> io::Result<u64> {
        match &self.0 {
            _ if at == 0 => Ok(0),
            Places::Start { len } => Ok(*len),
            Places::Messages { first } if at <= first.start => Ok(first.start),
            Places::Messages { first } if at < first.end => Ok(first.end),
            Places::Messages { .. } => next_message(input, at),
            Places::Text => after_empty_line(input, at),
        }
    }
}

/// Where a file that is not compressed can be divided; `None` if nowhere.
fn places<R: Read + Seek>(input: &mut R, format: Option<Format>) -> io::Result<Option<Places>> {
    input.rewind()?;
    let mut reader = Reader::new(&mut *input);
    let found = match format {
        Some(format) => format,
        None => reader.format(),
    };
    if reader.is_recoded() {
        return Ok(None);
    }
    match found {
        Format::Text => Ok(Some(Places::Text)),
        Format::Mbox => Ok(first_message(reader.with_format(found))?.map(|first| Places::Messages { first })),
        // It may be an mbox whose first separator is damaged or missing.
        Format::Mail if format.is_none() => {
            Ok(first_message(reader)?.map(|first| Places::Messages { first }))
        }
        _ => Ok(None),
    }
}

/// The first message of an mbox, if another follows.
fn first_message<R: Read>(mut reader: Reader<R>) -> io::Result<Option<Range<u64>>> {
    let mut start = None;
    while reader.advance()? && reader.format() == Format::Mbox {
        let message = reader.message();
        let first = *start.get_or_insert(message.span().start);
        if message.index() > 0 {
            return Ok(Some(first..message.span().start));
        }
    }
    Ok(None)
}

/// Whether the first bytes of a file are read verbatim: it is not compressed, and has no
/// members.
fn is_verbatim<R: Read + Seek>(input: &mut R) -> io::Result<bool> {
    let mut raw = Vec::new();
    input.rewind()?;
    input.by_ref().take(HEAD as u64).read_to_end(&mut raw)?;
    input.rewind()?;
    let mut files = Files::new(input)?;
    let mut read = Vec::new();
    // An error is one of the container, and is found again when that is read.
    let is_read = match files.next_file() {
        Ok(Some(file)) if file.name().is_none() && file.binary().is_none() => {
            file.take(HEAD as u64).read_to_end(&mut read).is_ok()
        }
        _ => false,
    };
    Ok(is_read && read == raw)
}

/// The start of the first message of an mbox that starts at `at` or after it; the end of
/// the file if there is none. `at` is after the start of the first of all.
fn next_message<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    let base = before_line_ends(input, at)?;
    input.seek(SeekFrom::Start(base))?;
    let mut reader = Reader::new(input).with_format(Format::Mbox).with_base(base, 0, 0);
    let mut last = None;
    while reader.advance()? {
        let message = reader.message();
        if last.replace(message.index()) != Some(message.index()) && message.span().start >= at {
            return Ok(message.span().start);
        }
    }
    Ok(base + reader.bytes_read())
}

/// The offset of the last byte before `at` that is neither CR nor LF; 0 if there is none.
fn before_line_ends<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    let mut block = [0; BLOCK];
    let mut end = at;
    while end > 0 {
        let start = end.saturating_sub(BLOCK as u64);
        input.seek(SeekFrom::Start(start))?;
        // Both are offsets in a block. The file may be shorter than `at`.
        let len = fill(input, &mut block[..(end - start) as usize])?;
        if let Some(last) = block[..len].iter().rposition(|b| !matches!(b, b'\r' | b'\n')) {
            return Ok(start + last as u64);
        }
        end = start;
    }
    Ok(0)
}

/// The first offset from `at` on that follows an empty line; the end of the file if there is
/// none.
fn after_empty_line<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    // An empty line and the line end before it: LF CR LF.
    let mut base = at.saturating_sub(3);
    input.seek(SeekFrom::Start(base))?;
    let mut block = [0; BLOCK];
    let mut kept = 0;
    loop {
        let len = kept + fill(input, &mut block[kept..])?;
        let bytes = &block[..len];
        let follows = |&end: &usize| base + end as u64 >= at && ends_in_empty_line(&bytes[..end]);
        if let Some(end) = memchr::memchr_iter(b'\n', bytes).map(|n| n + 1).find(follows) {
            return Ok(base + end as u64);
        }
        if len < BLOCK {
            return Ok(base + len as u64);
        }
        kept = 3;
        base += (len - kept) as u64;
        block.copy_within(len - kept.., 0);
    }
}

fn ends_in_empty_line(bytes: &[u8]) -> bool {
    bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")
}

/// Reads until `room` is full or the input ends; returns how many bytes came.
fn fill(input: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < room.len() {
        match read_some(input, &mut room[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}
