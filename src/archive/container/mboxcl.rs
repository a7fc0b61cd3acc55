//! An mbox whose messages declare the length of their bodies, as on System V (mboxcl, mboxcl2).
//!
//! With a declared length, a body may contain a line that looks like a separator. But editing the file makes the
//! length wrong, so it is trusted only if exactly that many bytes later a separator with a date, or the end of the
//! file, follows. If not, the message ends as in any [mbox]. Whether a line separates depends on a length that is any
//! number of bytes before it, so such a file cannot be divided. A file has this format if the declared length of its
//! first message is correct.

use super::format::{self, Format, Framing};
use super::mail::Verdict;
use super::mbox;
use crate::archive::header::{HeaderFields, line_end};

/// Messages after separators, with lengths.
pub(super) static FRAMING: Framing = Framing {
    starts: b"F",
    before: Some(format::empty_lines),
    end,
    is_bounded: true,
    ..Framing::mail(Format::Mboxcl, begins, mbox::shape)
};

/// The number of header bytes that are examined.
const MAX_EXAMINED: usize = 16 * 1024;

fn begins(bytes: &[u8], last: bool) -> Verdict {
    match mbox::separates(bytes, 0) {
        Verdict::Yes => end_by_len(bytes, last).err().unwrap_or(Verdict::Yes),
        verdict => verdict,
    }
}

/// Returns the end of the message at the beginning of `bytes`, by its declared length, with the line breaks there:
/// `No` if the length is missing or wrong, and `Unknown` if more bytes are needed to decide.
fn end_by_len(bytes: &[u8], last: bool) -> Result<usize, Verdict> {
    /// The line break before a separator, and the empty line that some write.
    const BREAKS: usize = 4;
    let near = &bytes[..bytes.len().min(MAX_EXAMINED)];
    let is_whole = last || near.len() == MAX_EXAMINED;
    let mut fields = HeaderFields::new(near, mbox::head(near));
    let mut len = None;
    for field in fields.by_ref() {
        if !is_whole && field.range.end == near.len() {
            return Err(Verdict::Unknown);
        }
        if field.is(near, b"content-length") {
            len.get_or_insert(format::announced_len(field.value(near).trim_ascii()));
        }
    }
    if !is_whole && !matches!(near[fields.end()..], [b'\n', ..] | [b'\r', b'\n', ..]) {
        return Err(Verdict::Unknown);
    }
    let end = len.flatten().and_then(|len| fields.body().checked_add(len)).ok_or(Verdict::No)?;
    let rest = bytes.get(end..).ok_or(if last { Verdict::No } else { Verdict::Unknown })?;
    // The length is right if a dated separator or the end of the file follows.
    let breaks = rest.iter().take(BREAKS).take_while(|b| b"\r\n".contains(b)).count();
    let rest = &rest[breaks..];
    let line = &rest[..line_end(rest, 0).min(MAX_EXAMINED)];
    match () {
        () if rest.is_empty() && last || mbox::is_dated_separator(line) => Ok(end + breaks),
        () if !last && line.len() == rest.len() && line.len() < MAX_EXAMINED => Err(Verdict::Unknown),
        () => Err(Verdict::No),
    }
}

fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    match end_by_len(bytes, last) {
        Ok(end) => Some(end),
        Err(Verdict::Unknown) => None,
        Err(_) => mbox::end(bytes, searched, last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: &str = "From a@h.org Fri Mar  2 10:11:12 2001\n";

    fn message(len: usize, body: &str) -> String {
        format!("{FROM}To: a\nContent-Length: {len}\nSubject: b\n\n{body}")
    }

    fn first(file: &str) -> usize {
        let whole = end(file.as_bytes(), &mut 0, true).unwrap();
        let mut searched = 0;
        for cut in 0..file.len() {
            let early = end(&file.as_bytes()[..cut], &mut searched, false);
            assert!(early.is_none_or(|early| early == whole), "{cut} bytes of {file:?}: {early:?}");
        }
        whole
    }

    #[test]
    fn lengths_that_are_true() {
        let body = format!("a\n\n{FROM}Subject: inside\n\nc\n");
        for between in ["", "\n", "\n\n", "\r\n\r\n"] {
            let one = message(body.len(), &body) + between;
            assert_eq!(first(&format!("{one}{FROM}To: b\n\nc\n")), one.len());
            assert_eq!(first(&one), one.len());
            assert!(begins(one.as_bytes(), true) == Verdict::Yes);
        }
    }

    #[test]
    fn lengths_that_are_not() {
        let body = format!("a\n\n{FROM}Subject: inside\n\nc\n");
        let inside = message(10, "").len() + 3;
        for len in [0, body.len() - 3, body.len() + 3, 99, 99_999] {
            let one = message(len, &body);
            let inside = inside + len.to_string().len() - 2;
            assert_eq!(first(&format!("{one}\n{FROM}To: b\n\nc\n")), inside, "{len}");
            assert!(begins(one.as_bytes(), true) == Verdict::No, "{len}");
        }
        let prose = message(1, "a\nFrom me\n");
        assert_eq!(first(&prose), prose.len());
    }
}
