//! Carriage returns without line feeds as line breaks: mail of the classic Mac OS.

use std::io;

use memchr::{memchr, memchr2};

use super::StreamConverter;
use crate::archive::container::format;
use crate::archive::container::mail::Verdict;
use crate::archive::mapped::Origin;
use crate::bytes::buffer::Buffer;

/// The number of input bytes that are searched for its first two line breaks.
const MAX_EXAMINED: usize = 8 * 1024;

/// Returns whether an input that begins with `bytes` is mail whose lines end only with carriage
/// returns. `last` means that no more bytes follow.
///
/// Text and HTML are not converted, because nothing in them depends on lines.
pub(in crate::archive) fn are_carriage_returns(bytes: &[u8], last: bool) -> Verdict {
    let ends = first_two(&bytes[..bytes.len().min(MAX_EXAMINED)], last || bytes.len() >= MAX_EXAMINED);
    if ends == Verdict::No {
        return Verdict::No;
    }
    let mut converted = bytes.to_vec();
    convert(&mut converted);
    // Do not wait for more bytes than are needed, because a person may be typing.
    match format::recognise(&converted, last) {
        None => Verdict::Unknown,
        Some(format) if !format.framing().has_lines => Verdict::No,
        Some(_) => ends,
    }
}

/// Returns whether the first two line breaks are carriage returns without line feeds.
fn first_two(bytes: &[u8], last: bool) -> Verdict {
    let mut from = 0;
    for _ in 0..2 {
        let end = memchr2(b'\r', b'\n', &bytes[from..]);
        let Some(end) = end.map(|n| from + n) else {
            return if last { Verdict::No } else { Verdict::Unknown };
        };
        match bytes[end..] {
            [b'\r'] if !last => return Verdict::Unknown,
            [b'\r', b'\n', ..] | [b'\n', ..] => return Verdict::No,
            _ => from = end + 1,
        }
    }
    Verdict::Yes
}

/// Replaces each carriage return that no line feed follows with a line feed, including one at the end of `bytes`.
pub(super) fn convert(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(n) = memchr(b'\r', &bytes[at..]) {
        at += n + 1;
        if bytes.get(at) != Some(&b'\n') {
            bytes[at - 1] = b'\n';
        }
    }
}

/// The converter, which replaces each carriage return without a line feed with a line feed.
#[derive(Debug, Default)]
pub(crate) struct LineEnds {
    /// True if the last byte was a carriage return, which is not in the buffer yet.
    returned: bool,
    /// The number of input bytes so far.
    read: u64,
}

impl StreamConverter for LineEnds {
    fn push(&mut self, raw: &[u8], buffer: &mut Buffer) {
        self.read += raw.len() as u64;
        let Some(&last) = raw.last() else { return };
        let mut bytes = Vec::with_capacity(raw.len() + 1);
        bytes.extend(self.returned.then_some(b'\r'));
        self.returned = last == b'\r';
        bytes.extend_from_slice(&raw[..raw.len() - usize::from(self.returned)]);
        // A line feed does not follow the last byte, because it would be buffered.
        convert(&mut bytes);
        buffer.push(&bytes);
    }

    fn finish(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        if std::mem::take(&mut self.returned) {
            buffer.push(b"\n");
        }
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        self.read
    }

    fn origin<'r>(&'r self, _: &'r Buffer) -> Origin<'r> {
        Origin::Same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_of_the_classic_mac() {
        let verdict = |text: &str| are_carriage_returns(text.as_bytes(), true);
        assert_eq!(verdict("From: a\rTo: b\r\rc"), Verdict::Yes);
        assert_eq!(verdict("From a@h.org Fri Mar  2 10:11:12 2001\rFrom: a\r\rb"), Verdict::Yes);
        assert_eq!(verdict("From: a\r\nTo: b\r\n\r\nc"), Verdict::No);
        assert_eq!(verdict("From: a\rb\nTo: b\n\nc"), Verdict::No);
        // A single line break does not decide.
        assert_eq!(verdict("From: a\rTo: b\nSubject: c\n\nd"), Verdict::No);
        assert_eq!(verdict("a text\rof lines\r"), Verdict::No);
        assert_eq!(are_carriage_returns(b"From: a\rTo: b\r", false), Verdict::Unknown);
        assert_eq!(are_carriage_returns(b"<http://h.org/> and", false), Verdict::No);
    }

    #[test]
    fn wherever_reads_end() {
        let text = b"a\rb\r\nc\r\r\r\n\rd\r";
        for cut in 0..=text.len() {
            let (mut line_ends, mut buffer) = (LineEnds::default(), Buffer::default());
            line_ends.push(&text[..cut], &mut buffer);
            line_ends.push(&text[cut..], &mut buffer);
            line_ends.finish(&mut buffer).unwrap();
            assert_eq!(buffer.buffered(), b"a\nb\r\nc\n\n\r\n\nd\n", "{cut}");
            assert_eq!(line_ends.read, text.len() as u64);
        }
    }
}
