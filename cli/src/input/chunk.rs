//! A large text or mbox in chunks, which several threads can search.
//!
//! A text is cut after an empty line. No URL contains one: whitespace ends a bare
//! URL, and an empty line ends a wrapper that is not closed. Before a URL, no rule
//! reads further back than the start of its line. So the matches of the chunks are
//! those of the whole text, after the offset and line of the chunk are added.
//!
//! That is not so for bare URLs that are joined across lines, nor for `--context`.
//! With these a text is not cut.
//!
//! A web archive is cut where a record starts, and a tar archive where a member does. An
//! mbox is cut where a message starts. A reader of a chunk reads [`LOOKAHEAD`] bytes
//! past its end, to decide whether the last lines of the chunk start a message. Messages
//! that start after the end belong to the next chunk.
//!
//! [`Division`] decides where that is.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use urlgrep::archive::{Division, Format, LOOKAHEAD};

/// The minimum length of a chunk, in bytes.
const CHUNK: u64 = 2 * 1024 * 1024;

/// The length of the header of a member of a tar archive, in bytes.
const HEADER: u64 = 512;

/// A part of a file.
#[derive(Clone, Debug)]
pub struct Chunk {
    pub path: PathBuf,
    /// Text, mbox or web archive; none for members of a tar archive, whose numbers count from
    /// their own start.
    pub format: Option<Format>,
    /// The last chunk extends to the end that the file has when it is read.
    pub range: Range<u64>,
}

/// Whether a file of `len` bytes is long enough to be cut.
pub fn is_large(len: u64) -> bool {
    len >= 2 * CHUNK
}

/// The division of a file of this format; none recognises the format.
pub fn division(path: &Path, format: Option<Format>) -> io::Result<Division> {
    Division::of(&mut File::open(path)?, format)
}

/// The chunks of a file, in order. Together they are the whole file.
///
/// The end of each is looked for when it is wanted: in a tar archive that takes a read for each
/// few members, while other threads search the chunks before it.
pub struct Chunks {
    path: PathBuf,
    file: File,
    division: Division,
    /// Where the next chunk starts; none after the last.
    start: Option<u64>,
    len: u64,
}

impl Chunks {
    pub fn new(path: &Path, division: Division) -> io::Result<Chunks> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Chunks { path: path.to_owned(), file, division, start: Some(0), len })
    }

    /// Where the chunk at `start` ends; none if it is the last, also because of an error, which
    /// its search reports.
    fn end(&mut self, start: u64) -> Option<u64> {
        let more = start.saturating_add(2 * CHUNK) <= self.len;
        let end = more.then(|| self.division.align(&mut self.file, start + CHUNK).ok()).flatten();
        end.filter(|&end| end < self.len)
    }
}

impl Iterator for Chunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        let start = self.start?;
        self.start = self.end(start);
        let range = start..self.start.unwrap_or(u64::MAX);
        Some(Chunk { path: self.path.clone(), format: self.division.format(), range })
    }
}

impl Chunk {
    /// Whether it extends to the end of the file.
    pub fn is_last(&self) -> bool {
        self.range.end == u64::MAX
    }

    /// A reader of the chunk.
    pub fn open(&self) -> io::Result<impl Read + use<>> {
        open(&self.path, &self.range)
    }

    /// A reader of the bytes after the chunk that decide where its last message
    /// ends.
    pub fn lookahead(&self) -> io::Result<impl Read + use<>> {
        let Range { end, .. } = self.range;
        let range = match self.format {
            Some(Format::Mbox) if !self.is_last() => end..end.saturating_add(LOOKAHEAD as u64),
            None if !self.is_last() => end..end.saturating_add(HEADER),
            _ => 0..0,
        };
        open(&self.path, &range)
    }
}

fn open(path: &Path, range: &Range<u64>) -> io::Result<io::Take<File>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(range.start))?;
    Ok(file.take(range.end - range.start))
}

/// A reader that counts the line ends that it reads, while they are in the cache.
pub struct LineCounter<'l, R> {
    reader: R,
    /// None if they are not counted.
    lines: Option<&'l Cell<u64>>,
}

impl<'l, R: Read> LineCounter<'l, R> {
    pub fn new(reader: R, lines: Option<&'l Cell<u64>>) -> Self {
        LineCounter { reader, lines }
    }
}

impl<R: Read> Read for LineCounter<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(room)?;
        if let Some(lines) = self.lines {
            lines.set(lines.get() + memchr::memchr_iter(b'\n', &room[..len]).count() as u64);
        }
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn chunks(path: &Path, format: Format) -> Vec<Chunk> {
        Chunks::new(path, division(path, Some(format)).unwrap()).unwrap().collect()
    }

    fn file(paragraph: &str, times: usize) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(paragraph.repeat(times).as_bytes()).unwrap();
        file
    }

    /// Checks that the chunks are the whole file. Returns the four bytes before and
    /// the five bytes after each cut.
    fn cuts(file: &tempfile::NamedTempFile, format: Format) -> Vec<(String, String)> {
        let chunks = chunks(file.path(), format);
        assert!(chunks.len() > 2 && is_large(file.as_file().metadata().unwrap().len()));
        assert_eq!((chunks[0].range.start, chunks[chunks.len() - 1].range.end), (0, u64::MAX));
        let text = |range| io::read_to_string(open(file.path(), &range).unwrap()).unwrap();
        let cut = |two: &[Chunk]| {
            let at = two[1].range.start;
            assert_eq!(two[0].range.end, at);
            (text(at - 4..at), text(at..at + 5))
        };
        chunks.windows(2).map(cut).collect()
    }

    #[test]
    fn texts_are_cut_after_empty_lines() {
        for paragraph in ["some text\n\nand more\n", "\r\nsome text\r\n"] {
            for (before, _) in cuts(&file(paragraph, 2_000_000), Format::Text) {
                assert!(before.ends_with("\n\n") || before == "\r\n\r\n", "{before:?}");
            }
        }
    }

    #[test]
    fn mboxes_are_cut_where_messages_start() {
        let head = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nContent-Length: 9\n\n";
        let file = file(&format!("{head}some text\n\nFrom me\nmore\n>From you\nend\n"), 250_000);
        for (before, after) in cuts(&file, Format::Mbox) {
            assert_eq!((&*before, &*after), ("end\n", "From "));
        }
        let lines = Cell::new(0);
        for chunk in chunks(file.path(), Format::Mbox) {
            let counter = LineCounter::new(chunk.open().unwrap(), Some(&lines));
            io::copy(&mut counter.chain(chunk.lookahead().unwrap()), &mut io::sink()).unwrap();
        }
        assert_eq!(lines.get(), 10 * 250_000);
    }

    #[test]
    fn a_file_without_a_place_to_cut_is_one_chunk() {
        let file = file("http://h.org/\n", 2_000_000);
        for format in [Format::Text, Format::Mbox] {
            let chunks = chunks(file.path(), format);
            assert!(chunks.len() == 1 && chunks[0].range == (0..u64::MAX));
        }
    }
}
