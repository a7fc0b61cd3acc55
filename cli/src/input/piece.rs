//! What a thread searches: an input, or a piece of a large file, so that several threads can search
//! that.
//!
//! | file | its pieces |
//! |---|---|
//! | text | ranges that are cut after an empty line. No URL contains one: whitespace ends a bare URL, and an empty line ends a wrapper that is not closed. Before a URL, no rule reads further back than the start of its line. That is not so for bare URLs that are joined across lines, nor for `--context`: with these a text is not cut |
//! | JSON | ranges that are cut after a line, which no string spans |
//! | mbox | ranges that are cut where a message starts |
//! | web archive | ranges that are cut where a record starts |
//! | tar archive | ranges that are cut where a member starts |
//! | text, JSON or mbox, compressed | from a [seek point](super::points) to the next, if it has several |
//! | all others | the whole |
//!
//! So the matches of the pieces are those of the file, after the lines and messages of the pieces
//! before are added. [`Division`] and [`first_cut`] decide where that is.

use std::fs::File;
use std::io::{self, Read};
use std::rc::Rc;

use urlgrep::archive::{Division, Files, Format, ReadOptions, Reader, first_cut};

use super::file::{FileRange, OpenFile, bytes};
use super::files::{InputFiles, Part, lookahead};
use super::points::{PointReader, SeekPoint, SeekPoints};
use super::{Input, Sizes};

/// How many bytes of a compressed file, decompressed, show what it is.
const HEAD: u64 = 256 * 1024;

/// An input, or a piece of one.
pub struct Piece {
    pub input: Input,
    /// What the piece after it is.
    pub next: Next,
    /// Which piece it is; none for the whole.
    pub source: Option<Source>,
}

/// What follows a piece.
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
    /// The length in bytes.
    pub len: u64,
    /// None for members of a tar archive.
    format: Option<Format>,
    /// Where it starts, and where the next one does; none if it extends to the end that the file has
    /// when it is read. It starts and ends after these if they are seek points.
    from: SeekPoint,
    to: Option<SeekPoint>,
    /// The seek points after these, if the file is compressed.
    points: Option<SeekPoints>,
}

impl Piece {
    pub fn whole(input: Input) -> Piece {
        Piece { input, next: Next::Input, source: None }
    }
}

impl Source {
    /// Whether the piece is more of a file that begins before it.
    pub fn continues(&self) -> bool {
        self.from.start > 0 && self.format.is_some()
    }

    /// Opens the piece, in its file. Line ends are counted if more of the file follows, and their
    /// number is wanted.
    pub fn open(&self, file: OpenFile, counts_lines: bool, sizes: Sizes) -> io::Result<InputFiles> {
        let file = Rc::new(file);
        let (start, end) = (self.from.start, self.to.map_or(u64::MAX, |to| to.start));
        let range = || bytes(&file, start..end.saturating_add(lookahead(self.format) as u64));
        let Some(format) = self.format else {
            return Ok(InputFiles::Here(Files::of_members(Box::new(range()), start..end)));
        };
        let Some(points) = self.points.clone() else {
            return Ok(InputFiles::of_part(Part::new(format, start..end, counts_lines), range()));
        };
        let part = Part::new(format, start..u64::MAX, counts_lines);
        let reader = PointReader::open(file, points, (self.from, self.to), sizes, Rc::clone(&part))?;
        Ok(InputFiles::of_part(part, reader))
    }
}

/// The pieces of an input, in order. Together they are the whole.
///
/// The end of each is looked for when it is wanted: in a tar archive that takes a read for each few
/// members, while other threads search the pieces before it.
pub struct Pieces {
    input: Input,
    /// Where the next piece starts; none after the last.
    from: Option<SeekPoint>,
    /// None if there is one piece.
    divided: Option<Divided>,
}

/// A file that is divided.
struct Divided {
    file: Rc<OpenFile>,
    /// The length in bytes.
    len: u64,
    sizes: Sizes,
    format: Option<Format>,
    cuts: Cuts,
    /// Where the piece after the next one starts.
    to: Option<SeekPoint>,
}

/// Where a file can be cut.
enum Cuts {
    /// Its ranges are cut here.
    Ranges(Division),
    /// It is compressed, and cut after these, but for those that were yielded.
    Points(SeekPoints),
}

impl Pieces {
    /// The only piece of an input.
    pub fn whole(input: Input) -> Pieces {
        Pieces { input, from: Some(SeekPoint::default()), divided: None }
    }

    /// The pieces of an input, which is this file. `cuts_text` says whether a text is cut.
    pub fn of(input: Input, file: File, options: &ReadOptions, sizes: Sizes, cuts_text: bool) -> Pieces {
        // The search reports what is wrong with the file.
        let divided = Divided::new(Rc::new(OpenFile::new(file, sizes)), options, sizes).ok().flatten();
        let divided = divided.filter(|divided| cuts_text || divided.format != Some(Format::Text));
        Pieces { divided, ..Pieces::whole(input) }
    }
}

impl Divided {
    /// How a file is divided, if it has several pieces.
    fn new(file: Rc<OpenFile>, options: &ReadOptions, sizes: Sizes) -> io::Result<Option<Divided>> {
        let division = Division::of(&mut FileRange::new(&file, 0..u64::MAX), options.format)?;
        let (format, cuts) = match division.is_divisible() {
            true => (division.format(), Cuts::Ranges(division)),
            false => match SeekPoints::of(&file, sizes) {
                Some(points) => (None, Cuts::Points(points)),
                None => return Ok(None),
            },
        };
        let mut divided = Divided { len: file.len()?, file, sizes, format, cuts, to: None };
        divided.to = divided.after(SeekPoint::default());
        if let (Cuts::Points(points), Some(_)) = (&divided.cuts, divided.to) {
            divided.format = format_of(&divided.file, points, options, sizes)?;
            divided.to = divided.to.filter(|_| divided.format.is_some());
        }
        Ok(divided.to.is_some().then_some(divided))
    }

    /// Where the piece after the one at `from` starts; none if that is the last, also because of an
    /// error, which its search reports.
    fn after(&mut self, from: SeekPoint) -> Option<SeekPoint> {
        let division = match &mut self.cuts {
            Cuts::Ranges(division) => division,
            Cuts::Points(points) => return points.next(&self.file),
        };
        let more = from.at.saturating_add(2 * self.sizes.range) <= self.len;
        let file = &mut FileRange::new(&self.file, 0..u64::MAX);
        let at = more.then(|| division.align(file, from.at + self.sizes.range).ok()).flatten()?;
        (at < self.len).then_some(SeekPoint { at, start: at })
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let from = self.from.take()?;
        let Some(divided) = &mut self.divided else { return Some(Piece::whole(self.input.clone())) };
        let to = divided.to;
        let source = Source {
            len: to.map_or(divided.len.max(from.at), |to| to.at) - from.at,
            format: divided.format,
            from,
            to,
            points: if let Cuts::Points(points) = &divided.cuts { Some(points.clone()) } else { None },
        };
        divided.to = to.and_then(|to| divided.after(to));
        self.from = to;
        let next = match (to, divided.format) {
            (None, _) => Next::Input,
            (Some(_), None) => Next::Members,
            (Some(_), Some(_)) => Next::SameFile,
        };
        Some(Piece { input: self.input.clone(), next, source: Some(source) })
    }
}

/// The format of what is compressed in a file, by its first bytes, if it can be cut: text, JSON or mbox. This
/// may be none for a file that begins like something else.
fn format_of(
    file: &Rc<OpenFile>,
    points: &SeekPoints,
    options: &ReadOptions,
    sizes: Sizes,
) -> io::Result<Option<Format>> {
    let mut head = Vec::new();
    points.open_rest(file, SeekPoint::default())?.1.file().take(HEAD).read_to_end(&mut head)?;
    let mut reader = Reader::new(&head[..]).with_options(options);
    let format = reader.format();
    let is_cut = first_cut(format, &head, 0).is_some_and(|cut| cut <= sizes.window);
    Ok((is_cut && !reader.is_recoded() && is_file(&head, options)?).then_some(format))
}

/// Whether bytes are those of a file of text or mail, and not of an archive of such files.
fn is_file(head: &[u8], options: &ReadOptions) -> io::Result<bool> {
    let mut files = Files::new(head)?;
    let Some(mut file) = files.next_file()? else { return Ok(false) };
    if file.name().is_some() || (file.binary().is_some() && options.format.is_none()) {
        return Ok(false);
    }
    let mut first = [0; 64];
    let len = file.read(&mut first)?;
    Ok(head.starts_with(&first[..len]))
}

#[cfg(test)]
mod tests;
