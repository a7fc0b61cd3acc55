//! The places where a text is divided: after empty lines.

use std::io::{self, Read, Seek, SeekFrom};

use super::blocks::{BLOCK, fill};

/// The first offset from `at` on that follows an empty line; the end of the file if there is
/// none.
pub(super) fn after_empty_line<R: Read + Seek>(input: &mut R, at: u64) -> io::Result<u64> {
    // An empty line and the line end before it: LF CR LF.
    let mut base = at.saturating_sub(3);
    input.seek(SeekFrom::Start(base))?;
    let mut block = [0; BLOCK];
    let mut kept = 0;
    loop {
        let len = kept + fill(input, &mut block[kept..])?;
        let bytes = &block[..len];
        let follows = |&end: &usize| base + end as u64 >= at && ends_in_empty_line(&bytes[..end]);
        if let Some(end) = memchr::memchr_iter(b'\n', bytes).map(|n| n + 1).find(follows) {
            return Ok(base + end as u64);
        }
        if len < BLOCK {
            return Ok(base + len as u64);
        }
        kept = 3;
        base += (len - kept) as u64;
        block.copy_within(len - kept.., 0);
    }
}

fn ends_in_empty_line(bytes: &[u8]) -> bool {
    bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n")
}
