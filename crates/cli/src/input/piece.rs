//! The unit that a thread searches: an input, or a piece of a large file, so that several threads
//! can search that file.
//!
//! | file | its pieces |
//! |---|---|
//! | text | ranges that are split after an empty line. URLs do not contain one: whitespace ends a bare URL, and an unclosed wrapper ends at an empty line. Before a URL, no rule reads further back than the start of its line. That is not so for bare URLs that are joined across lines, nor for `--context`: with these a text is not cut |
//! | JSON | ranges that are split after a line, which no string spans |
//! | mbox | ranges that are split where a message starts |
//! | web archive | ranges that are split where a record starts |
//! | tar archive | ranges that are split where a member starts |
//! | text, JSON or mbox, compressed by `xz -T` | from a [seek point](super::seek_points) to the next |
//! | web archive whose records are compressed one by one | from a member of gzip that begins with a record to another |
//! | all others | the whole |
//!
//! So the pieces yield the same matches as the file, after the lines and messages of the pieces
//! before are added, and in such a web archive the bytes. [`Division`], [`SeekPoints`] and [`GzipMembers`] decide where a
//! piece ends.

use std::io::{self, Read};
use std::rc::Rc;
use std::sync::Arc;

use urlgrep::archive::internal::{Division, GzipMembers, SeekPoint, SeekPoints};
use urlgrep::archive::{Files, Format, ReadOptions};
use urlgrep_print::sheet::Known;

use super::file::{FileRange, OpenFile, bytes};
use super::files::{InputFiles, Part, lookahead};
use super::seek_points::{MemberReader, PointReader};
use super::{Input, Sizes};

/// An input, or a piece of one.
pub struct Piece {
    pub input: Input,
    /// The whole, if it is open already.
    pub file: Option<Arc<OpenFile>>,
    /// The piece after it.
    pub next: Next,
    /// The source of the piece; `None` for a whole input.
    pub source: Option<Source>,
}

/// The successor of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another input, or nothing.
    Input,
    /// Further members of the same archive.
    Members,
    /// More of the same file.
    SameFile,
}

/// A piece of a file.
pub struct Source {
    /// The file, which all its pieces share.
    file: Arc<OpenFile>,
    /// The length in bytes.
    pub len: u64,
    /// `None` for tar members.
    format: Option<Format>,
    /// The start of the piece, and the start of the next one; `None` if it extends to the end that
    /// the file has when it is read. It starts and ends after these if they are seek points.
    from: SeekPoint,
    to: Option<SeekPoint>,
    unit: Unit,
}

/// The contents of a piece.
enum Unit {
    /// Bytes of the file.
    Bytes,
    /// Compressed blocks, and the seek points after it.
    Blocks(SeekPoints),
    /// Members of gzip.
    Members,
}

impl Piece {
    pub fn whole(input: Input) -> Piece {
        Piece { input, file: None, next: Next::Input, source: None }
    }
}

impl Source {
    /// Returns true if the piece is more of a file that begins before it.
    pub fn continues(&self) -> bool {
        self.from.at > 0 && self.format.is_some()
    }

    /// Opens the piece. Line ends are counted if more of the file follows, and their
    /// number is wanted.
    pub fn open(&self, counts_lines: bool, sizes: Sizes) -> io::Result<InputFiles> {
        let file = &self.file;
        let (start, end) = (self.from.start, self.to.map_or(u64::MAX, |to| to.start));
        let range = || bytes(file, start..end.saturating_add(lookahead(self.format) as u64));
        let Some(format) = self.format else {
            // The type of all other files.
            let range: Box<dyn Read> = Box::new(range());
            return Ok(InputFiles::all(Files::of_members(range, start..end)));
        };
        let known = match self.unit {
            _ if self.from.at == 0 => Known::All,
            Unit::Bytes | Unit::Blocks(_) => Known::Offset,
            Unit::Members => Known::Nothing,
        };
        let part = |end| Part::new(format, known, start..end, counts_lines);
        match &self.unit {
            Unit::Bytes => Ok(InputFiles::of_part(part(end), range())),
            Unit::Blocks(points) => {
                let (part, ends) = (part(u64::MAX), (self.from, self.to));
                let reader =
                    PointReader::open(Arc::clone(file), points.clone(), ends, sizes, Rc::clone(&part))?;
                Ok(InputFiles::of_part(part, reader))
            }
            Unit::Members => {
                let (part, end) = (part(u64::MAX), self.to.map(|to| to.at));
                let reader = MemberReader::open(Arc::clone(file), self.from.at, end, Rc::clone(&part))?;
                Ok(InputFiles::of_part(part, reader))
            }
        }
    }
}

/// The pieces of an input, in order. Together they are the whole.
///
/// The end of each is searched for when it is wanted: in a tar archive that takes a read for each few
/// members, while other threads search the pieces before it.
pub struct Pieces {
    input: Input,
    /// The file, if it is kept open for the only piece. Of many inputs that wait, each would take a descriptor.
    pub file: Option<Arc<OpenFile>>,
    /// The start of the next piece; `None` after the last one.
    from: Option<SeekPoint>,
    /// `None` if the input is one piece.
    divided: Option<Divided>,
}

/// A file that is divided.
struct Divided {
    file: Arc<OpenFile>,
    /// The length in bytes.
    len: u64,
    sizes: Sizes,
    format: Option<Format>,
    points: SplitPoints,
    /// The start of the piece after the next one.
    to: Option<SeekPoint>,
}

/// The offsets at which a file can be split.
enum SplitPoints {
    /// The ranges of a file that is not compressed.
    Ranges(Division),
    /// The seek points of a compressed file that have not been yielded.
    Points(SeekPoints),
    /// The members of a web archive whose records are compressed one by one.
    Members(GzipMembers),
}

impl Pieces {
    /// Returns the only piece of an input.
    pub fn whole(input: Input) -> Pieces {
        Pieces { input, file: None, from: Some(SeekPoint::default()), divided: None }
    }

    /// Returns the pieces of `file`, which is the input. `splits_text` is true if texts are split.
    pub fn of(
        input: Input,
        file: Arc<OpenFile>,
        options: &ReadOptions,
        sizes: Sizes,
        splits_text: bool,
    ) -> Pieces {
        // The search reports the error of the file.
        let divided = Divided::new(file, options, sizes).ok().flatten();
        let divided = divided.filter(|divided| splits_text || divided.format != Some(Format::Text));
        Pieces { divided, ..Pieces::whole(input) }
    }
}

impl Divided {
    /// Returns the division of a file, if it has several pieces.
    fn new(file: Arc<OpenFile>, options: &ReadOptions, sizes: Sizes) -> io::Result<Option<Divided>> {
        let input = &mut FileRange::new(&file, 0..u64::MAX);
        let division = Division::of(input, options.format)?;
        let len = division.file_len();
        let (format, points) = match division.is_divisible() {
            true => (division.format(), SplitPoints::Ranges(division)),
            false => match SeekPoints::of(input, sizes.point) {
                Some(points) => (None, SplitPoints::Points(points)),
                None => match GzipMembers::of(input, options.format)? {
                    Some(members) => (Some(members.format()), SplitPoints::Members(members)),
                    None => return Ok(None),
                },
            },
        };
        let mut divided = Divided { len, file, sizes, format, points, to: None };
        divided.to = divided.after(SeekPoint::default());
        if let (SplitPoints::Points(_), Some(_)) = (&divided.points, divided.to) {
            divided.format = SeekPoints::format(input, options, sizes.window)?;
            divided.to = divided.to.filter(|_| divided.format.is_some());
        }
        Ok(divided.to.is_some().then_some(divided))
    }

    /// Returns the start of the piece after the one at `from`, or `None` if that is the last one,
    /// or after an error, which its search reports. So a file that became shorter has no piece
    /// after this.
    fn after(&mut self, from: SeekPoint) -> Option<SeekPoint> {
        let file = &mut FileRange::new(&self.file, 0..u64::MAX);
        let more = from.at.saturating_add(2 * self.sizes.range) <= self.len;
        let (at, start) = match &mut self.points {
            SplitPoints::Points(points) => return points.next(),
            _ if !more => return None,
            SplitPoints::Ranges(division) => {
                let at = division.next(file, from.at, self.sizes.range).ok()?;
                (at, at)
            }
            SplitPoints::Members(members) => (members.next(file, from.at + self.sizes.point).ok()??, 0),
        };
        (at < self.len).then_some(SeekPoint { at, start })
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let from = self.from.take()?;
        let Some(divided) = &mut self.divided else {
            return Some(Piece { file: self.file.take(), ..Piece::whole(self.input.clone()) });
        };
        let to = divided.to;
        let source = Source {
            file: Arc::clone(&divided.file),
            len: to.map_or(divided.len.max(from.at), |to| to.at) - from.at,
            format: divided.format,
            from,
            to,
            unit: match &divided.points {
                SplitPoints::Ranges(_) => Unit::Bytes,
                SplitPoints::Points(points) => Unit::Blocks(points.clone()),
                SplitPoints::Members(_) => Unit::Members,
            },
        };
        divided.to = to.and_then(|to| divided.after(to));
        self.from = to;
        let next = match (to, divided.format) {
            (None, _) => Next::Input,
            (Some(_), None) => Next::Members,
            (Some(_), Some(_)) => Next::SameFile,
        };
        Some(Piece { input: self.input.clone(), file: None, next, source: Some(source) })
    }
}

#[cfg(test)]
mod tests;
