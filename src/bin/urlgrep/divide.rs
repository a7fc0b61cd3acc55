//! A large text in pieces, which can be searched beside each other.
//!
//! A text is cut behind an empty line. No URL goes over one: whitespace ends a
//! bare URL, and between delimiters "an empty line" ends the attempt to put one
//! together. What stands before a URL is looked at back to the beginning of its
//! line at most. So the finds of the pieces are those of the whole, once their
//! offsets and lines are counted on from where the piece begins.
//!
//! That is not so for bare URLs that are joined by the width of the lines around
//! them, nor for the lines around a find; then a text stays whole.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// How long a piece is at least, in bytes.
const PIECE: u64 = 8 * 1024 * 1024;

/// In how much text an empty line is looked for behind that.
const WINDOW: usize = 64 * 1024;

/// Whether a file of so many bytes is long enough to be cut.
pub fn is_large(len: u64) -> bool {
    len >= 2 * PIECE
}

/// The pieces of a file, which are all of it; the last goes on to wherever the
/// file ends when it is read.
pub fn pieces(path: &Path) -> io::Result<Vec<Range<u64>>> {
    let mut file = File::open(path)?;
    let len = file.metadata()?.len();
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut next = PIECE;
    while next.saturating_add(PIECE) <= len {
        match behind_empty_line(&mut file, next)? {
            Some(cut) => {
                pieces.push(start..cut);
                start = cut;
                next = cut.saturating_add(PIECE);
            }
            None => next = next.saturating_add(WINDOW as u64),
        }
    }
    pieces.push(start..u64::MAX);
    Ok(pieces)
}

/// Where the first empty line ends behind `from`, if that is near.
fn behind_empty_line(file: &mut File, from: u64) -> io::Result<Option<u64>> {
    let mut window = Vec::with_capacity(WINDOW);
    file.seek(SeekFrom::Start(from))?;
    file.take(WINDOW as u64).read_to_end(&mut window)?;
    let ends = memchr::memchr_iter(b'\n', &window);
    let empty = ends.into_iter().find(|&end| matches!(window[..end], [.., b'\n'] | [.., b'\n', b'\r']));
    Ok(empty.map(|end| from + end as u64 + 1))
}

/// A reader of one piece.
pub fn open(path: &Path, piece: &Range<u64>) -> io::Result<io::Take<File>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(piece.start))?;
    Ok(file.take(piece.end - piece.start))
}

/// How many line ends there are in what a reader gives.
pub fn count_lines(mut reader: impl Read) -> io::Result<u64> {
    let mut room = vec![0; WINDOW];
    let mut lines = 0;
    loop {
        match reader.read(&mut room) {
            Ok(0) => return Ok(lines),
            Ok(len) => lines += memchr::memchr_iter(b'\n', &room[..len]).count() as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
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

    #[test]
    fn pieces_end_behind_empty_lines_and_are_all_there_is() {
        for paragraph in ["some text\n\nand more\n", "\r\nsome text\r\n"] {
            let file = file(paragraph, 2_000_000);
            let pieces = pieces(file.path()).unwrap();
            assert!(pieces.len() > 2 && is_large(file.as_file().metadata().unwrap().len()));
            assert_eq!((pieces[0].start, pieces[pieces.len() - 1].end), (0, u64::MAX));
            for two in pieces.windows(2) {
                assert_eq!(two[0].end, two[1].start);
                let mut before = vec![0; 4];
                open(file.path(), &(two[1].start - 4..two[1].start))
                    .unwrap()
                    .read_exact(&mut before)
                    .unwrap();
                assert!(before.ends_with(b"\n\n") || before == b"\r\n\r\n", "{before:?}");
            }
        }
    }

    #[test]
    fn without_empty_lines_there_is_one_piece() {
        let file = file("http://h.org/\n", 2_000_000);
        let pieces = pieces(file.path()).unwrap();
        assert!(pieces.len() == 1 && pieces[0].end == u64::MAX);
        assert_eq!(count_lines(open(file.path(), &(7..35)).unwrap()).unwrap(), 2);
    }
}
