//! A large text or mbox in pieces, which can be searched beside each other.
//!
//! A text is cut behind an empty line. No URL goes over one: whitespace ends a
//! bare URL, and between delimiters "an empty line" ends the attempt to put one
//! together. What stands before a URL is looked at back to the beginning of its
//! line at most. So the finds of the pieces are those of the whole, once their
//! offsets and lines are counted on from where the piece begins.
//!
//! That is not so for bare URLs that are joined by the width of the lines around
//! them, nor for the lines around a find; then a text stays whole.
//!
//! An mbox is cut where a message begins. What a message is does not depend on
//! those before it, and neither does where one begins: that is told from the end
//! of the line before, and from what follows, as far as [`LOOKAHEAD`]. So a reader
//! that begins in the middle of a message sees the next begin where every reader
//! does. And a piece is read as much farther than it goes, since that may tell
//! whether its last lines begin a message; what begins behind its end is left to
//! the next piece. All that the pieces have to be told is how many lines and
//! messages stand before them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use urlgrep::archive::{Files, Format, LOOKAHEAD, Reader};

use crate::args::Reading;
use crate::printer::Base;

/// How long a piece is at least, in bytes.
const PIECE: u64 = 8 * 1024 * 1024;

/// In how much of a file a place to cut it is looked for behind that.
const WINDOW: usize = 64 * 1024;

/// How much of a file is compared with what is read of it.
const HEAD: u64 = 4096;

/// A piece of a file.
#[derive(Clone, Debug)]
pub struct Piece {
    pub path: PathBuf,
    /// What the file is: text or an mbox.
    pub format: Format,
    /// The last piece of a file goes on to wherever that ends when it is read.
    pub range: Range<u64>,
}

/// Whether a file of so many bytes is long enough to be cut.
pub fn is_large(len: u64) -> bool {
    len >= 2 * PIECE
}

/// What is read of a file, if that is what stands in it, and not packed.
pub fn format(path: &Path, reading: Reading) -> io::Result<Option<Format>> {
    let mut raw = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut raw)?;
    let mut files = Files::new(File::open(path)?)?;
    let Some(file) = files.next_file()? else { return Ok(None) };
    let member = file.name().is_some();
    let mut reader = reading.reader(file);
    let format = reader.format();
    let mut read = Vec::new();
    reader.take(HEAD).read_to_end(&mut read)?;
    Ok((!member && read == raw).then_some(format))
}

/// The pieces of a file, which are all of it.
pub fn pieces(path: &Path, format: Format) -> io::Result<Vec<Piece>> {
    let cut = match format {
        Format::Mbox => second_message,
        _ => behind_empty_line,
    };
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let piece = |range| Piece { path: path.to_owned(), format, range };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut next = PIECE;
    while next.saturating_add(PIECE) <= len {
        match cut(&window(&mut file, next)?) {
            Some(at) => {
                let end = next + at as u64;
                pieces.push(piece(start..end));
                start = end;
                next = end.saturating_add(PIECE);
            }
            None => next = next.saturating_add(WINDOW as u64),
        }
    }
    pieces.push(piece(start..u64::MAX));
    Ok(pieces)
}

fn window(file: &mut File, from: u64) -> io::Result<Vec<u8>> {
    let mut window = Vec::with_capacity(WINDOW);
    file.seek(SeekFrom::Start(from))?;
    file.take(WINDOW as u64).read_to_end(&mut window)?;
    Ok(window)
}

/// Where the first empty line ends.
fn behind_empty_line(text: &[u8]) -> Option<usize> {
    let ends = memchr::memchr_iter(b'\n', text);
    let empty = ends.into_iter().find(|&end| matches!(text[..end], [.., b'\n'] | [.., b'\n', b'\r']));
    empty.map(|end| end + 1)
}

/// Where the first message begins, if the text is a part of an mbox, which may
/// begin anywhere: what a reader takes for the first is the rest of another.
fn second_message(text: &[u8]) -> Option<usize> {
    let mut reader = Reader::new(text).with_format(Format::Mbox);
    reader.next_message().ok()??;
    Some(reader.next_message().ok()??.span().start as usize)
}

impl Piece {
    /// How long it is.
    pub fn len(&self) -> usize {
        usize::try_from(self.range.end - self.range.start).unwrap_or(usize::MAX)
    }

    /// A reader of it.
    pub fn open(&self) -> io::Result<impl Read + use<>> {
        open(&self.path, &self.range)
    }

    /// A reader of what stands behind it, as far as that matters.
    pub fn behind(&self) -> io::Result<impl Read + use<>> {
        let Range { end, .. } = self.range;
        let range = match self.format {
            Format::Mbox if end < u64::MAX => end..end.saturating_add(LOOKAHEAD as u64),
            _ => 0..0,
        };
        open(&self.path, &range)
    }

    /// How many lines there are in it, and how many messages if these are
    /// `numbered`: one pass over it.
    pub fn count(&self, numbered: bool) -> io::Result<Base> {
        let mut lines = Lines { reader: self.open()?, count: 0 };
        let messages = match self.format {
            Format::Mbox if numbered => count_messages((&mut lines).chain(self.behind()?), self.len())?,
            _ => read_all(&mut lines).map(|()| 0)?,
        };
        Ok(Base { offset: 0, lines: lines.count, messages })
    }
}

fn open(path: &Path, range: &Range<u64>) -> io::Result<io::Take<File>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(range.start))?;
    Ok(file.take(range.end - range.start))
}

/// A reader that counts the line ends that go through it.
struct Lines<R> {
    reader: R,
    count: u64,
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(room)?;
        self.count += memchr::memchr_iter(b'\n', &room[..len]).count() as u64;
        Ok(len)
    }
}

/// Reads, and does nothing else.
fn read_all(mut reader: impl Read) -> io::Result<()> {
    let mut room = vec![0; WINDOW];
    loop {
        match reader.read(&mut room) {
            Ok(0) => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(error),
            _ => {}
        }
    }
}

/// How many messages begin in the first `len` bytes of what a reader gives.
fn count_messages(reader: impl Read, len: usize) -> io::Result<u64> {
    let mut reader = Reader::new(reader).with_format(Format::Mbox);
    let mut messages = 0;
    while let Some(message) = reader.next_message()?.filter(|message| message.span().start < len as u64) {
        messages = message.index() + 1;
    }
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn file(paragraph: &str, times: usize) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(paragraph.repeat(times).as_bytes()).unwrap();
        file
    }

    /// Expects that the pieces are all there is, and gives the four bytes before each
    /// but the first, and the five behind that.
    fn cuts(file: &tempfile::NamedTempFile, format: Format) -> Vec<(String, String)> {
        let pieces = pieces(file.path(), format).unwrap();
        assert!(pieces.len() > 2 && is_large(file.as_file().metadata().unwrap().len()));
        assert_eq!((pieces[0].range.start, pieces[pieces.len() - 1].range.end), (0, u64::MAX));
        let text = |range| io::read_to_string(open(file.path(), &range).unwrap()).unwrap();
        let cut = |two: &[Piece]| {
            let at = two[1].range.start;
            assert_eq!(two[0].range.end, at);
            (text(at - 4..at), text(at..at + 5))
        };
        pieces.windows(2).map(cut).collect()
    }

    #[test]
    fn texts_are_cut_behind_empty_lines() {
        for paragraph in ["some text\n\nand more\n", "\r\nsome text\r\n"] {
            for (before, _) in cuts(&file(paragraph, 2_000_000), Format::Text) {
                assert!(before.ends_with("\n\n") || before == "\r\n\r\n", "{before:?}");
            }
        }
    }

    #[test]
    fn mboxes_are_cut_where_messages_begin() {
        let head = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nContent-Length: 9\n\n";
        let file = file(&format!("{head}some text\n\nFrom me\nmore\n>From you\nend\n"), 250_000);
        for (before, behind) in cuts(&file, Format::Mbox) {
            assert_eq!((&*before, &*behind), ("end\n", "From "));
        }
        let pieces = pieces(file.path(), Format::Mbox).unwrap();
        for (numbered, messages) in [(true, 250_000), (false, 0)] {
            let counts = pieces.iter().map(|piece| piece.count(numbered).unwrap());
            let sums = counts.fold((0, 0), |sums, base| (sums.0 + base.lines, sums.1 + base.messages));
            assert_eq!(sums, (10 * 250_000, messages));
        }
    }

    #[test]
    fn without_a_place_to_cut_there_is_one_piece() {
        let file = file("http://h.org/\n", 2_000_000);
        for format in [Format::Text, Format::Mbox] {
            let pieces = pieces(file.path(), format).unwrap();
            assert!(pieces.len() == 1 && pieces[0].range == (0..u64::MAX));
        }
    }
}
