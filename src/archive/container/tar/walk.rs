//! Where the members of an archive start, without their data.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::Tar;
use super::header::{BLOCK, Header, Kind};
use crate::archive::container::budget::Budget;
use crate::archive::container::compress::peek::PeekReader;

/// How many bytes of data are skipped by a seek; fewer are read.
const FAR: u64 = 64 * 1024;

/// How many bytes are read at a time: the headers of several small files.
const WINDOW: usize = 16 * 1024;

/// The offset of the first member that starts at `at` or after it, or of damage there; the end
/// of the archive, of `len` bytes, if there is none. A member starts at `from`, or damage; it is
/// not after `at`.
///
/// # Errors
///
/// If the input cannot be read.
pub(crate) fn next_member<R: Read + Seek>(input: &mut R, from: u64, at: u64, len: u64) -> io::Result<u64> {
    let mut input = BufReader::with_capacity(WINDOW, input);
    let mut start = from;
    loop {
        input.seek(SeekFrom::Start(start))?;
        while let Some(next) = after_file(&mut input, start)? {
            match start {
                _ if start >= at => return Ok(start),
                _ if next >= len => return Ok(len),
                _ => start = next,
            }
        }
        input.seek(SeekFrom::Start(start))?;
        let mut tar = Tar::new(PeekReader::new(&mut input), start..u64::MAX, Budget::default());
        start = loop {
            match tar.next() {
                None => return Ok(len),
                Some(Ok(_)) => {}
                // What is wrong with the archive is found again when it is read.
                Some(Err(error)) if is_of_archive(&error) => {}
                Some(Err(error)) => return Err(error),
            }
            if tar.start >= at {
                return Ok(tar.start);
            }
            let data = tar.left.saturating_add(tar.padding);
            if data > FAR {
                break tar.at.saturating_add(data);
            }
        };
        if start >= len {
            return Ok(len);
        }
    }
}

/// Where the data of the member at `start` ends, if that is a file and all about it is in one
/// header, as it is with most. `input` is at the header, and then at that end.
fn after_file<R: Read + Seek>(input: &mut BufReader<R>, start: u64) -> io::Result<Option<u64>> {
    let mut block = [0; BLOCK];
    match input.read_exact(&mut block) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let header = Header::read(&block);
    let file = header.filter(|header| header.kind() == Kind::File && !header.name().ends_with(b"/"));
    let data = file.and_then(|header| header.size().checked_next_multiple_of(BLOCK as u64));
    let Some(data) = data.and_then(|data| i64::try_from(data).ok()) else {
        return Ok(None);
    };
    input.seek_relative(data)?;
    Ok(Some(start.saturating_add(BLOCK as u64).saturating_add_signed(data)))
}

fn is_of_archive(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}
