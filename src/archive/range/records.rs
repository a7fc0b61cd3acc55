//! The places where a web archive is divided: the starts of its records.

use std::io::{self, Read, Seek, SeekFrom};

use crate::archive::container::format::Format;
use crate::archive::container::mail::Verdict;
use crate::archive::container::warc;
use crate::archive::reader::Reader;

/// How many bytes are read of a record first; most heads are shorter.
const FEW: usize = 4096;

/// How many bytes suffice to tell whether a record follows, and what its head says.
const ENOUGH: usize = 2 * warc::LONGEST_HEAD;

/// The start of the first record, if the file begins with one.
pub(super) fn first_record<R: Read>(mut reader: Reader<R>) -> io::Result<Option<u64>> {
    Ok(match reader.advance()? && reader.message().record().is_some() {
        true => Some(reader.message().span().start),
        false => None,
    })
}

/// The start of the first record that starts at `at` or after it, or the end of the file, of
/// `len` bytes. A record starts at `from`, which is not after `at`.
pub(super) fn next_record<R: Read + Seek>(input: &mut R, from: u64, at: u64, len: u64) -> io::Result<u64> {
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
