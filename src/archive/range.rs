//! Ranges of a file: the parts that readers in the middle of a file own.
//!
//! A file is a sequence of messages, web archive records, tar members, or paragraphs of text. **A
//! range owns the ones that start in it.** So the ranges `0..k` and `k..n` of a file together
//! contain all of them, each once, for any `k`. Two questions determine them.
//!
//! *Where does the first one start?*
//!
//! - Whether a line of an mbox starts a message depends on the line breaks before it, at most three bytes, and
//!   on the next [`LOOKAHEAD`](super::internal::LOOKAHEAD) bytes, and on no other bytes. A reader that
//!   starts in the middle of a message treats the rest of it as a message. So [`first_split_point`](super::internal::first_split_point)
//!   finds the starts instead of a reader.
//! - A record or a member may contain another: its length decides where the next one
//!   starts. So the headers are read from the start of the file, and the data between them are
//!   skipped.
//! - A text is divided after empty lines: no URL contains one, and no rule
//!   reads further back than the start of a line, except the rules of [`Join::Likely`](crate::Join::Likely). JSON is divided after lines.
//!
//! *Which is the last one?* The last one that starts before the end of the range. It is read
//! to its end, beyond the range. A message that is too long to be yielded as a whole arrives
//! in several pieces, some of which may start beyond the range: ownership is decided once,
//! by the first. Damage belongs to the range in which it starts. What is wrong with the end of
//! a tar archive belongs to its last member.
//!
//! All other files belong to the range that starts at 0: one message, a page, a compressed file, a
//! batch of news. But [`parts`] also divides what `xz -T` compressed: a part then begins to
//! decompress at a [point](super::seek_points), and owns the messages that start [three
//! bytes](super::split_points::LOOKBEHIND) after it or later: whether a message starts before that cannot be seen there.
//! If the web archive records are compressed one by one, a part contains the
//! [members](super::seek_points::members) of gzip that start in it, from one that begins with a
//! record to another.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::container::csv;
use super::container::format::{Divides, Format};
use super::container::layer::{LayerKind, outline};
use super::container::mail::Verdict;
use super::container::tar::next_member;
use super::options::ReadOptions;
use super::reader::Reader;
use super::seek_points::members::{GzipMembers, starts_member};
use super::seek_points::{Framed, SeekPoint, SeekPoints, read_at};
use super::shortened::became_shorter;
use super::split_points::next_split_point;
use super::walk::{Archive, with_path};

/// Opens a range of an archive: byte offsets from 0, the end exclusive.
///
/// The range yields the messages that start in it; the last one is read to its end, beyond the
/// range. So ranges that cover a file yield each of its messages once. A range of a web archive
/// yields the records that start in it. A range of a tar archive yields the members whose first
/// header starts in it. In a text, the start and the end of a range move forward to the next empty
/// line; in JSON, to the next line. All other uncompressed files cannot be divided: they belong to
/// the range that starts at 0.
///
/// Offsets count bytes of the file, or of the tar member. Lines and [indexes](super::Message::index)
/// begin at the first message of the range, unless [`Archive::with_base`] sets how many precede it.
///
/// This function searches for the first message of the range: in an mbox or a text, it reads up to
/// the next message; in a web archive or a tar archive, it reads the headers before the range. For
/// many ranges, use [`parts`], which reads these headers only once.
///
/// # Errors
///
/// Returns an error if the file cannot be opened or read. The error names the file.
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
    let archive = fs::File::open(path)
        .and_then(|mut file| Division::of(&mut file, format_by_name(path, None))?.range(file, range));
    with_path(path, archive)
}

/// Returns the format in which a file with this path is divided: `format`, if it is set. A CSV file is not divided,
/// because its cells may contain empty lines.
pub fn format_by_name(path: &Path, format: Option<Format>) -> Option<Format> {
    let may_be_rows = || csv::is_name(path.as_os_str().as_encoded_bytes()).then_some(Format::Csv);
    format.or_else(may_be_rows)
}

/// Returns the first offset from `at` on at which a range can start without a search: the start of
/// an mbox message, a web archive record or a tar member, the byte after an empty line of a text or
/// after a line of JSON, or else the end of the file.
///
/// [`open_range`] yields the same for a range and for the range between its aligned ends.
/// A [`Reader`] that starts at an aligned offset yields the messages of the file
/// from there. Offset 0 is aligned.
///
/// Reads the bytes between `at` and the result; in a web archive or a tar archive, reads the
/// headers of the records or members before it. The position of `input` changes.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
///
/// # Example
///
/// ```
/// use std::io::Cursor;
///
/// use urlgrep::archive::internal::align;
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
    /// Returns a range of the archive in `input`: see [`open_range`].
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read.
    pub fn of_range(mut input: R, range: Range<u64>) -> io::Result<Self> {
        Division::of(&mut input, None)?.range(input, range)
    }
}

/// The offsets at which a file can be divided into ranges.
///
/// [`align`] is the same for one offset.
///
/// # Example
///
/// ```
/// use std::io::Cursor;
///
/// use urlgrep::archive::Format;
/// use urlgrep::archive::internal::Division;
///
/// let mut text = Cursor::new("one\n\ntwo\n\nthree\n");
/// let division = Division::of(&mut text, None)?;
/// assert_eq!(division.format(), Some(Format::Text));
/// assert_eq!(division.align(&mut text, 6)?, 10);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Division {
    /// `None` if a range can start only at 0.
    places: Option<Starts>,
    /// The length of the file when it was opened.
    len: u64,
}

/// The positions at which a range can start.
#[derive(Clone, Debug)]
enum Starts {
    /// The offsets at which a file of this format can be split, after its first message, whose
    /// separator may be missing. Text and JSON do not have messages.
    SplitPoints { format: Format, first: Range<u64> },
    /// The web archive records of this format, or the tar members, which declare their lengths; the first starts here.
    Walked { format: Option<Format>, first: u64, last: LastStart },
}

/// The last start that was found while walking along the lengths in a file. A search for a later start begins there.
/// The matches do not depend on it.
type LastStart = Arc<AtomicU64>;

impl Division {
    /// Returns the division of `input` in this format. With `None`, the first bytes determine the
    /// format; if they look like a single message, this message is read as well. The position of
    /// `input` changes.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read.
    pub fn of<R: Read + Seek>(input: &mut R, format: Option<Format>) -> io::Result<Division> {
        input.rewind()?;
        let places = match outline(&mut *input)? {
            Some(LayerKind::Plain) => places(input, format)?,
            Some(LayerKind::Tar) => {
                Some(Starts::Walked { format: None, first: 0, last: LastStart::default() })
            }
            _ => None,
        };
        Ok(Division { places, len: input.seek(SeekFrom::End(0))? })
    }

    /// Returns the length of the file in bytes when it was opened.
    pub fn file_len(&self) -> u64 {
        self.len
    }

    /// Returns true if a range can start at an offset other than 0.
    pub fn is_divisible(&self) -> bool {
        self.places.is_some()
    }

    /// Returns the format of the file, if it can be divided: [`Mbox`](Format::Mbox), [`Warc`](Format::Warc),
    /// [`Json`](Format::Json) or [`Text`](Format::Text). Returns `None` for a tar archive as well, because each
    /// member has its own format.
    pub fn format(&self) -> Option<Format> {
        match self.places.as_ref()? {
            &Starts::SplitPoints { format, .. } => Some(format),
            Starts::Walked { format, .. } => *format,
        }
    }

    /// Aligns offsets as [`align`] does; `input` is the same file. Ascending offsets cost one pass
    /// in total.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn align<R: Read + Seek>(&self, input: &mut R, at: u64) -> io::Result<u64> {
        let len = self.len;
        match &self.places {
            _ if at == 0 => Ok(0),
            None => Ok(len),
            Some(Starts::SplitPoints { first, .. }) if at <= first.start => Ok(first.start),
            Some(Starts::SplitPoints { first, .. }) if at < first.end => Ok(first.end),
            &Some(Starts::SplitPoints { format, .. }) => next_split_point(input, format, at),
            Some(Starts::Walked { first, .. }) if at <= *first => Ok(*first),
            Some(Starts::Walked { format, first, last: last_start }) => {
                let last = last_start.load(Ordering::Relaxed);
                let from = if last <= at { last } else { *first };
                let next = match format {
                    Some(format) => next_record(input, *format, from..at, len)?,
                    None => next_member(input, from, at, len)?,
                };
                if next < len {
                    last_start.store(next, Ordering::Relaxed);
                }
                Ok(next)
            }
        }
    }

    /// Returns the start of the range after the range at `from`, which contains `size` bytes (not 0) and the
    /// rest of a message.
    ///
    /// Advance every loop over the ranges of a file by this function: it returns an error instead of
    /// the same offset, so the loop ends.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or became shorter, so that the range is empty.
    pub fn next<R: Read + Seek>(&self, input: &mut R, from: u64, size: u64) -> io::Result<u64> {
        match self.align(input, from.saturating_add(size))? {
            next if next > from => Ok(next),
            _ => Err(became_shorter()),
        }
    }

    /// Returns a range of the archive that `input`, the same file, yields: see
    /// [`open_range`].
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or became shorter.
    pub fn range<R: Read + Seek>(&self, mut input: R, range: Range<u64>) -> io::Result<Archive<R>> {
        let start = self.align(&mut input, range.start)?;
        let end = match &self.places {
            // Messages that start before the end belong to the range.
            Some(Starts::SplitPoints { format, .. }) if format.framing().reads_beyond_end() => {
                range.end.min(input.seek(SeekFrom::End(0))?)
            }
            Some(Starts::Walked { format: None, .. }) => range.end.min(self.len),
            _ => self.align(&mut input, range.end)?,
        };
        Part { range: start..end, layout: self.layout(), decompressed: None }.open(input)
    }

    /// See [`parts`].
    fn parts<R: Read + Seek>(&self, input: &mut R, size: u64) -> io::Result<Vec<Part>> {
        let part = |range| Part { range, layout: self.layout(), decompressed: None };
        if self.len == 0 {
            return Ok(vec![part(0..0)]);
        }
        let (mut parts, mut start) = (Vec::new(), 0);
        while start < self.len {
            let end = self.next(input, start, size)?;
            parts.push(part(start..end));
            start = end;
        }
        Ok(parts)
    }

    fn layout(&self) -> Layout {
        match &self.places {
            None => Layout::Whole,
            &Some(Starts::SplitPoints { format, .. }) => Layout::File(format),
            Some(Starts::Walked { format, .. }) => format.map_or(Layout::Members, Layout::File),
        }
    }
}

/// Returns the parts of a file: each contains `size` bytes and the rest of the message there; the
/// last part may be shorter. Together they are the file. Each can be [opened](Part::open) without
/// the others, even in another process.
///
/// A file that cannot be divided is one part: see [`open_range`]. A compressed text, JSON or mbox
/// is divided if `xz -T` compressed it in blocks, and a web archive if its records are compressed one by one,
/// by gzip. `format` is the format of the file, if it is known.
///
/// Reads a few blocks for each part. In a web archive or a tar archive, this function also reads the
/// headers of all records or members; in a file compressed by `xz -T`, its index. In a web archive
/// compressed by gzip, it reads for each part the bytes up to the next record and 64 KiB after it,
/// or more if that record is longer.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
///
/// # Example
///
/// ```
/// use std::io::Cursor;
///
/// use urlgrep::archive;
///
/// let mut text = Cursor::new("one\n\ntwo\n\nthree\n");
/// let mut messages = Vec::new();
/// for part in archive::parts(&mut text, 4, None)? {
///     let mut archive = part.open(&mut text)?;
///     while let Some(message) = archive.next_message()? {
///         messages.push(message.span());
///     }
/// }
/// assert_eq!(messages, [0..5, 5..10, 10..16]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn parts<R: Read + Seek>(input: &mut R, size: u64, format: Option<Format>) -> io::Result<Vec<Part>> {
    let (size, division) = (size.max(1), Division::of(input, format)?);
    if division.is_divisible() {
        return division.parts(input, size);
    }
    if let Some(points) = SeekPoints::of(input, size) {
        return compressed_parts(input, points, size, format);
    }
    match GzipMembers::of(input, format)? {
        Some(members) => record_parts(input, members, size),
        None => division.parts(input, size),
    }
}

/// The number of decompressed bytes of a compressed file that show its kind.
const HEAD: usize = 256 * 1024;

/// The parts of a compressed file, from one of its points to another.
fn compressed_parts<R: Read + Seek>(
    input: &mut R,
    points: SeekPoints,
    size: u64,
    format: Option<Format>,
) -> io::Result<Vec<Part>> {
    let options = ReadOptions { format, ..ReadOptions::default() };
    let len = input.seek(SeekFrom::End(0))?;
    let whole = Part { range: 0..len, layout: Layout::Whole, decompressed: None };
    // Damage is found when the file is read.
    let Some(format) = SeekPoints::format(input, &options, HEAD).ok().flatten() else {
        return Ok(vec![whole]);
    };
    let (mut parts, mut from) = (Vec::new(), SeekPoint::default());
    let part = |from: SeekPoint, to: SeekPoint| Part {
        range: from.at..to.at,
        layout: Layout::File(format),
        decompressed: Some(from.start..to.start),
    };
    // Bytes that are added to the file in the meantime belong to its last part.
    for point in points.take_while(|point| point.at < len) {
        // Blocks without data do not form a part.
        if point.at - from.at >= size && point.start > from.start {
            parts.push(part(from, point));
            from = point;
        }
    }
    if parts.is_empty() {
        return Ok(vec![whole]);
    }
    parts.push(part(from, SeekPoint { at: len, start: u64::MAX }));
    Ok(parts)
}

/// The parts of a web archive compressed by gzip, from one member that begins with a record to another.
fn record_parts<R: Read + Seek>(input: &mut R, mut members: GzipMembers, size: u64) -> io::Result<Vec<Part>> {
    let len = input.seek(SeekFrom::End(0))?;
    let (mut parts, mut start) = (Vec::new(), 0_u64);
    let part = |range, layout| Part { range, layout, decompressed: None };
    let records = Layout::Records(members.format());
    while let Some(at) = start.checked_add(size).filter(|&at| at < len)
        && let Some(next) = members.next(input, at)?.filter(|&next| next < len)
    {
        parts.push(part(start..next, records));
        start = next;
    }
    let layout = if parts.is_empty() { Layout::Whole } else { records };
    parts.push(part(start..len, layout));
    Ok(parts)
}

/// A part of a file that can be read without the rest: see [`parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The start and the end are [aligned](Division::align), except for the end in messages and
    /// members. In a compressed file they are [points](SeekPoint).
    range: Range<u64>,
    layout: Layout,
    /// In a compressed file, the offsets in the decompressed one.
    decompressed: Option<Range<u64>>,
}

/// The way in which a part is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// As a whole file.
    Whole,
    /// As tar members.
    Members,
    /// As bytes in a file of this format.
    File(Format),
    /// As gzip members that are records of this format.
    Records(Format),
}

impl Part {
    /// Recreates a part, even in another process, from its [`range`](Self::range), its [`layout`](Self::layout) and
    /// its [`decompressed`](Self::decompressed) range. Returns `None` if the layout does not exist, or if a range ends
    /// before it starts.
    pub fn new(range: Range<u64>, layout: &str, decompressed: Option<Range<u64>>) -> Option<Part> {
        if [Some(&range), decompressed.as_ref()].into_iter().flatten().any(|range| range.start > range.end) {
            return None;
        }
        let layout = match layout {
            "auto" => Layout::Whole,
            "tar" => Layout::Members,
            name => match Format::named().find(|format| format.framing().in_gzip() == Some(name)) {
                Some(format) => Layout::Records(format),
                None => Layout::File(Format::named().find(|format| format.name() == Some(name))?),
            },
        };
        Some(Part { range, layout, decompressed })
    }

    /// Returns the offsets in the file: the messages that start here belong to the part, but see
    /// [`decompressed`](Self::decompressed).
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the layout of the file: the name of a [`Format`], `tar`, `warc.gz`, or `auto` if it
    /// is not divided.
    pub fn layout(&self) -> &'static str {
        match self.layout {
            Layout::Whole => "auto",
            Layout::Members => "tar",
            Layout::Records(format) => format.framing().in_gzip().unwrap_or("auto"),
            Layout::File(format) => format.name().unwrap_or("auto"),
        }
    }

    /// Returns the offsets in the decompressed file, for a part of a compressed file. Messages that
    /// start at least three bytes after the start belong to the part, up to three bytes after the
    /// end: the line breaks before a message decide whether it starts, and are in the block before
    /// it. The end of the last part is `u64::MAX`.
    pub fn decompressed(&self) -> Option<Range<u64>> {
        self.decompressed.clone()
    }

    /// Returns true if the offsets of messages and matches refer to the file, or to the
    /// decompressed file. In a part of a `warc.gz`, they count decompressed bytes from the start of
    /// the part, because the length of the data before it is unknown.
    pub fn has_offsets(&self) -> bool {
        !matches!(self.layout, Layout::Records(_))
    }

    /// Returns true if this is one of several parts of a compressed file: the data before it cannot be
    /// counted without decompressing them.
    pub fn is_compressed(&self) -> bool {
        self.decompressed.is_some() || matches!(self.layout, Layout::Records(_))
    }

    /// Returns the part of `input`, the same file, as an archive. It reads only the part, the end
    /// of its last message and, in an xz file, the index.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is shorter than when it was divided, or no part
    /// of a compressed file can start there: it is not the file that was divided.
    pub fn open<R: Read + Seek>(&self, mut input: R) -> io::Result<Archive<R>> {
        let Range { start, end } = self.range;
        if let (Layout::File(format), Some(decompressed)) = (self.layout, &self.decompressed) {
            let points = SeekPoints::of(&mut input, u64::MAX).filter(|points| points.is_start(start));
            let points = points.ok_or_else(another_file)?;
            let mut range = 0..0;
            let from = SeekPoint { at: start, start: decompressed.start };
            let mut framed = points.stream(from, None, |bytes| {
                range = bytes;
                input
            });
            framed.get_mut().seek(SeekFrom::Start(range.start))?;
            return Archive::of_cuts(framed, decompressed.clone(), format);
        }
        if matches!(self.layout, Layout::File(_)) && input.seek(SeekFrom::End(0))? < end {
            return Err(became_shorter());
        }
        input.seek(SeekFrom::Start(start))?;
        match self.layout {
            Layout::Whole if start == 0 && start < end => Archive::seekable(input),
            Layout::Members if start < end => Ok(Archive::of_members(input, start..end)),
            Layout::File(format) => {
                let is_open = format.framing().reads_beyond_end();
                Ok(Archive::of_part(input, start..end, Some(format), is_open))
            }
            Layout::Records(format) => {
                // A file that was replaced has no member here.
                if !starts_member(&read_at(&mut input, start, 4)?) {
                    return Err(another_file());
                }
                input.seek(SeekFrom::Start(start))?;
                Archive::of_records(Framed::whole(input).with_len(end - start), format)
            }
            Layout::Whole | Layout::Members => Ok(Archive::of_part(input, start..start, None, false)),
        }
    }
}

fn another_file() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "this is not the file that was divided, or it has changed since; divide it again",
    )
}

/// Returns the offsets at which an uncompressed file can be divided, or `None` if it cannot be
/// divided.
fn places<R: Read + Seek>(input: &mut R, format: Option<Format>) -> io::Result<Option<Starts>> {
    input.rewind()?;
    let mut reader = Reader::new(&mut *input);
    let found = format.unwrap_or_else(|| reader.format());
    if reader.is_converted() {
        return Ok(None);
    }
    let framing = found.framing();
    match framing.divides {
        Some(Divides::Lines { least, .. }) => {
            let least = least(reader.input.buffered().bytes);
            let is_long = input.seek(SeekFrom::End(0))? >= least;
            Ok(is_long.then_some(Starts::SplitPoints { format: found, first: 0..0 }))
        }
        Some(Divides::Messages(_)) => first_message(reader.with_format(found)),
        Some(Divides::Records { .. }) => {
            let mut reader = reader.with_format(found);
            let is_record = reader.advance()? && reader.message().record().is_some();
            let first = is_record.then(|| reader.message().span().start);
            let walked =
                |first: u64| Starts::Walked { format: Some(found), first, last: Arc::new(first.into()) };
            Ok(first.map(walked))
        }
        // The file may be an mbox whose first separator is damaged or missing.
        None if framing.single.is_some() && format.is_none() => first_message(reader),
        None => Ok(None),
    }
}

/// The split points of a mailbox that has another message after the first one.
fn first_message<R: Read>(mut reader: Reader<R>) -> io::Result<Option<Starts>> {
    let mut start = None;
    while reader.advance()? {
        let format = reader.format();
        if !format.framing().reads_beyond_end() {
            break;
        }
        let message = reader.message();
        let first = *start.get_or_insert(message.span().start);
        if message.index() > 0 {
            return Ok(Some(Starts::SplitPoints { format, first: first..message.span().start }));
        }
    }
    Ok(None)
}

// The positions where a web archive is divided: the starts of its records.

/// The number of record bytes that are read first; most headers are shorter.
const FEW: usize = 4096;

/// The start of the first record that starts at the end of `before` or later, or the end of the file, which
/// has `len` bytes. A record starts at the start of `before`.
fn next_record<R: Read + Seek>(
    input: &mut R,
    format: Format,
    before: Range<u64>,
    len: u64,
) -> io::Result<u64> {
    let mut start = before.start;
    // Records that start after the end do not belong to the range.
    while start < before.end.min(len) {
        start = match by_length(input, format, start, len)? {
            Some(next) => next,
            None => by_search(input, format, start)?.unwrap_or(len),
        };
    }
    Ok(start)
}

/// The start of the record after the one at `start`, or the end of the file, if the length of
/// that record leads there.
fn by_length<R: Read + Seek>(input: &mut R, format: Format, start: u64, len: u64) -> io::Result<Option<u64>> {
    let Some(Divides::Records { len: record, followed, enough, .. }) = format.framing().divides else {
        return Ok(None);
    };
    let record = with_enough(input, start, enough, record)?.flatten();
    let Some(end) = record.and_then(|record| start.checked_add(record)).filter(|&end| end <= len) else {
        return Ok(None);
    };
    let followed = with_enough(input, end, enough, |bytes, last| match followed(bytes, last) {
        (Verdict::Unknown, _) => None,
        (verdict, gap) => Some((verdict, gap)),
    })?;
    let next = followed.filter(|(verdict, _)| *verdict == Verdict::Yes);
    Ok(next.map(|(_, gap)| end + gap as u64))
}

/// The start of the record after the one at `start`, whose length is wrong; `None` if no record
/// follows.
fn by_search<R: Read + Seek>(input: &mut R, format: Format, start: u64) -> io::Result<Option<u64>> {
    input.seek(SeekFrom::Start(start))?;
    let mut reader = Reader::new(input).with_format(format).with_base(start, 0, 0);
    while reader.advance()? {
        let message = reader.message();
        if message.index() > 0 {
            return Ok(Some(message.span().start));
        }
    }
    Ok(None)
}

/// Returns the result of `judge` for the bytes from `offset` on: for a few bytes, or for more if it
/// returns `None`. Its second argument is true if more bytes follow.
fn with_enough<R: Read + Seek, T>(
    input: &mut R,
    offset: u64,
    enough: usize,
    judge: impl Fn(&[u8], bool) -> Option<T>,
) -> io::Result<Option<T>> {
    let few = read_at(input, offset, FEW)?;
    match judge(&few, few.len() < FEW) {
        None if few.len() == FEW => {
            let bytes = read_at(input, offset, enough)?;
            Ok(judge(&bytes, bytes.len() < enough))
        }
        judged => Ok(judged),
    }
}
