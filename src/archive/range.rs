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
//!   see [`Join::Likely`](crate::Join::Likely).) JSON is divided after lines.
//!
//! *Which is the last one?* The last one that starts before the end of the range. It is read
//! to its end, beyond the range. A message that is too long to be yielded as a whole arrives
//! in several pieces, some of which may start beyond the range: ownership is decided once,
//! by the first. Damage belongs to the range in which it starts. What is wrong with the end of
//! a tar archive belongs to its last member.
//!
//! All other files belong to the range that starts at 0: one message, a page, a compressed
//! file, a batch of news.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::container::format::Format;
use super::container::layer::{Outline, outline};
use super::container::mail::Verdict;
use super::container::tar::next_member;
use super::container::{mbox, warc};
use super::reader::Reader;
use super::walk::{Archive, in_file};

/// Opens a range of an archive: byte offsets from 0, the end exclusive.
///
/// The range yields the messages that start in it; the last one is read to its end, beyond
/// the range. So ranges that cover a file yield each of its messages once. A range of a web
/// archive yields the records that start in it, and one of a tar archive the members whose
/// first header does. A range of a text
/// starts and ends after the first empty line from its offsets on, and one of JSON after the
/// first line. Files that cannot be
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
/// after an empty line of a text or after a line of JSON, or else the end of the file.
///
/// [`open_range`] yields the same for a range and for the range between its aligned ends.
/// A [`Reader`] that starts at an aligned offset yields the messages of the file
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
    /// The records of a web archive, of which this is the start of the first.
    Records { first: u64, walk: Walk },
    /// The members of a tar archive.
    Members { walk: Walk },
    /// After empty lines of a text, or after lines of JSON.
    Lines(Format),
}

/// The way along the lengths in a file.
#[derive(Clone, Debug)]
struct Walk {
    /// The last start that was found; the next search begins there if it is for a later one.
    /// What is found does not depend on it.
    last: Arc<AtomicU64>,
    /// The length of the file.
    len: u64,
}

impl Walk {
    fn new<R: Seek>(input: &mut R, first: u64) -> io::Result<Self> {
        Ok(Walk { last: Arc::new(first.into()), len: input.seek(SeekFrom::End(0))? })
    }

    /// The first start from `at` on, by a search from an earlier one, which is `first` if no
    /// other is known. The search is also told the length of the file.
    fn next(&self, first: u64, at: u64, search: impl FnOnce(u64, u64) -> io::Result<u64>) -> io::Result<u64> {
        let last = self.last.load(Ordering::Relaxed);
        let next = search(if last <= at { last } else { first }, self.len)?;
        if next < self.len {
            self.last.store(next, Ordering::Relaxed);
        }
        Ok(next)
    }
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
        input.rewind()?;
        let places = match outline(&mut *input)? {
            Outline::File => places(input, format)?,
            Outline::Tar => Some(Places::Members { walk: Walk::new(input, 0)? }),
            Outline::Other => None,
        };
        Ok(Division(match places {
            Some(places) => places,
            None => Places::Start { len: input.seek(SeekFrom::End(0))? },
        }))
    }

    /// Whether a range can start anywhere but at 0.
    pub fn is_divisible(&self) -> bool {
        !matches!(self.0, Places::Start { .. })
    }

    /// The format of the file, if it can be divided: [`Mbox`](Format::Mbox),
    /// [`Warc`](Format::Warc), [`Json`](Format::Json) or [`Text`](Format::Text); `None` also for a tar archive,
    /// whose members have a format each.
    pub fn format(&self) -> Option<Format> {
        match self.0 {
            Places::Start { .. } | Places::Members { .. } => None,
            Places::Messages { .. } => Some(Format::Mbox),
            Places::Records { .. } => Some(Format::Warc),
            Places::Lines(format) => Some(format),
        }
    }

    /// See [`align`]; `input` is the same file. Offsets that ascend cost one pass.
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
            Places::Messages { .. } => next_cut(input, Format::Mbox, at),
            Places::Records { first, .. } if at <= *first => Ok(*first),
            Places::Records { first, walk } => {
                walk.next(*first, at, |from, len| next_record(input, from, at, len))
            }
            Places::Members { walk } => walk.next(0, at, |from, len| next_member(input, from, at, len)),
            &Places::Lines(format) => next_cut(input, format, at),
        }
    }

    /// A range of the archive that `input`, the same file, yields: see
    /// [`open_range`].
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn range<R: Read + Seek>(&self, mut input: R, range: Range<u64>) -> io::Result<Archive<R>> {
        let start = self.align(&mut input, range.start)?;
        // The first message shows the format, as it does in the whole file.
        let mut format = self.format();
        let end = match &self.0 {
            Places::Start { .. } if range.contains(&0) => {
                input.rewind()?;
                return Archive::new(input);
            }
            Places::Members { walk } if start < range.end.min(walk.len) => {
                input.seek(SeekFrom::Start(start))?;
                return Ok(Archive::of_members(input, start..range.end));
            }
            Places::Start { .. } | Places::Members { .. } => start,
            Places::Messages { first } => {
                format = format.filter(|_| start > first.start);
                u64::MAX
            }
            Places::Records { .. } | Places::Lines(_) => self.align(&mut input, range.end)?,
        };
        input.seek(SeekFrom::Start(start))?;
        let archive = Archive::of_part(input, start..end, format);
        // The others end where their bytes do.
        Ok(if let Places::Messages { .. } = self.0 { archive.until(range.end) } else { archive })
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
        Format::Text | Format::Json => Ok(Some(Places::Lines(found))),
        Format::Mbox => Ok(first_message(reader.with_format(found))?.map(|first| Places::Messages { first })),
        // It may be an mbox whose first separator is damaged or missing.
        Format::Mail if format.is_none() => {
            Ok(first_message(reader)?.map(|first| Places::Messages { first }))
        }
        Format::Warc => match first_record(reader.with_format(found))? {
            Some(first) => Ok(Some(Places::Records { first, walk: Walk::new(input, first)? })),
            None => Ok(None),
        },
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

// Where an mbox, a text or JSON can be cut: where a message starts, after an empty line, after a line.
//
// The bytes around a place decide that: [`LOOKBEHIND`] before it and, in an mbox,
// [`LOOKAHEAD`](crate::archive::LOOKAHEAD) after it.

/// How many bytes before a place say whether an empty line ends there: LF CR LF.
const LOOKBEHIND: usize = 3;

/// How many bytes are read at a time.
const BLOCK: u64 = 32 * 1024;

/// The first place from `from` on where a file of this format can be cut, if `bytes`, which are
/// some of the file, show it: where a message of an mbox starts, after an empty line of a text, or after
/// a line of JSON.
/// No place is before the fourth byte, since the bytes before it count.
///
/// `None` also for other formats: [`Division`] knows where those can be divided.
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
        Format::Text | Format::Json => {
            let from = std::mem::replace(searched, bytes.len());
            let mut ends = memchr::memchr_iter(b'\n', &bytes[from..]).map(|end| from + end + 1);
            let cut = ends.find(|&end| format == Format::Json || mbox::after_empty_line(bytes, end));
            cut.or(last.then_some(bytes.len()))
        }
        _ => None,
    }
}

/// The first place from `at` on, which is not 0, where a file of this format, an mbox, a text or JSON, can
/// be cut; the end of the file if there is none.
fn next_cut<R: Read + Seek>(input: &mut R, format: Format, at: u64) -> io::Result<u64> {
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

// The places where a web archive is divided: the starts of its records.

/// How many bytes are read of a record first; most heads are shorter.
const FEW: usize = 4096;

/// How many bytes suffice to tell whether a record follows, and what its head says.
const ENOUGH: usize = 2 * warc::LONGEST_HEAD;

/// The start of the first record, if the file begins with one.
fn first_record<R: Read>(mut reader: Reader<R>) -> io::Result<Option<u64>> {
    Ok(match reader.advance()? && reader.message().record().is_some() {
        true => Some(reader.message().span().start),
        false => None,
    })
}

/// The start of the first record that starts at `at` or after it, or the end of the file, of
/// `len` bytes. A record starts at `from`, which is not after `at`.
fn next_record<R: Read + Seek>(input: &mut R, from: u64, at: u64, len: u64) -> io::Result<u64> {
    let mut start = from;
    // Nothing starts after the end.
    while start < at.min(len) {
        start = match by_length(input, start, len)? {
            Some(next) => next,
            None => by_search(input, start)?.unwrap_or(len),
        };
    }
    Ok(start)
}

/// The start of the record after the one at `start`, or the end of the file, if the length of
/// that record leads there.
fn by_length<R: Read + Seek>(input: &mut R, start: u64, len: u64) -> io::Result<Option<u64>> {
    let head = with_enough(input, start, |bytes, last| warc::read(bytes, last).ok())?;
    let block = head.flatten().and_then(|head| start.checked_add(head.len as u64)?.checked_add(head.block?));
    let Some(end) = block.filter(|&end| end <= len) else {
        return Ok(None);
    };
    let followed = with_enough(input, end, |bytes, last| match warc::followed(bytes, last) {
        (Verdict::Unknown, _) => None,
        (verdict, apart) => Some((verdict, apart)),
    })?;
    let next = followed.filter(|(verdict, _)| *verdict == Verdict::Yes);
    Ok(next.map(|(_, apart)| end + apart as u64))
}

/// The start of the record after the one at `start`, which is not where its length says;
/// `None` if there is none.
fn by_search<R: Read + Seek>(input: &mut R, start: u64) -> io::Result<Option<u64>> {
    input.seek(SeekFrom::Start(start))?;
    let mut reader = Reader::new(input).with_format(Format::Warc).with_base(start, 0, 0);
    while reader.advance()? {
        let message = reader.message();
        if message.index() > 0 {
            return Ok(Some(message.span().start));
        }
    }
    Ok(None)
}

/// What `judge` returns for the bytes from `offset` on: for a few of them, or for more if it
/// returns none. It is also told whether no more follow that count.
fn with_enough<R: Read + Seek, T>(
    input: &mut R,
    offset: u64,
    judge: impl Fn(&[u8], bool) -> Option<T>,
) -> io::Result<Option<T>> {
    let few = read_at(input, offset, FEW)?;
    match judge(&few, few.len() < FEW) {
        None if few.len() == FEW => {
            let bytes = read_at(input, offset, ENOUGH)?;
            Ok(judge(&bytes, bytes.len() < ENOUGH))
        }
        judged => Ok(judged),
    }
}

/// The first `len` bytes from `offset` on, or as many as there are.
fn read_at<R: Read + Seek>(input: &mut R, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::with_capacity(len);
    input.take(len as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
