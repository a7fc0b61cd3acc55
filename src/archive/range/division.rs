//! Where a file can be divided into ranges.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cut::next_cut;
use super::records::{first_record, next_record};
use crate::archive::container::format::Format;
use crate::archive::container::recognise::{Outline, outline};
use crate::archive::container::tar::next_member;
use crate::archive::reader::Reader;
use crate::archive::walk::Archive;

/// Where a file can be divided into ranges.
///
/// [`align`](super::align) is the same for one offset.
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
    /// After empty lines.
    Text,
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
    /// [`Warc`](Format::Warc) or [`Text`](Format::Text); `None` also for a tar archive,
    /// whose members have a format each.
    pub fn format(&self) -> Option<Format> {
        match self.0 {
            Places::Start { .. } | Places::Members { .. } => None,
            Places::Messages { .. } => Some(Format::Mbox),
            Places::Records { .. } => Some(Format::Warc),
            Places::Text => Some(Format::Text),
        }
    }

    /// See [`align`](super::align); `input` is the same file. Offsets that ascend cost one pass.
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
            Places::Text => next_cut(input, Format::Text, at),
        }
    }

    /// A range of the archive that `input`, the same file, yields: see
    /// [`open_range`](super::open_range).
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
            Places::Records { .. } | Places::Text => self.align(&mut input, range.end)?,
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
        Format::Text => Ok(Some(Places::Text)),
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
