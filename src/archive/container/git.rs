//! Objects of a git repository, as `git cat-file --batch` prints them: the archives of public-inbox, in which
//! each message is an object.
//!
//! Each object is preceded by a line with its name, type and length, and followed by a line feed. The length is
//! trusted if another such line, or the end of the file, is where it declares that the next object begins. If not,
//! the object ends before the next such line.

use memchr::memchr;

use super::format::{self, Format, Framing, Shape};
use super::mail::Verdict;

pub(super) static FRAMING: Framing = Framing {
    end,
    is_bounded: true,
    ..Framing::mail(Format::Git, begins, |bytes| Shape::Mail(announced(bytes).map_or(0, |(head, _)| head)))
};

/// The length of the longest line before an object: a name of 64 digits, a type, and a length.
const LINE_LEN: usize = 96;

/// The types of objects.
const TYPES: [&[u8]; 4] = [b"blob", b"commit", b"tag", b"tree"];

/// The length of the line at the beginning of `bytes`, and the length of the object after it;
/// `None` if the line does not precede an object.
fn announced(bytes: &[u8]) -> Option<(usize, usize)> {
    let line_len = memchr(b'\n', &bytes[..bytes.len().min(LINE_LEN)])?;
    let mut words = bytes[..line_len].split(|&b| b == b' ');
    let (name, kind, digits) = (words.next()?, words.next()?, words.next()?);
    let is_name = matches!(name.len(), 40 | 64) && name.iter().all(u8::is_ascii_hexdigit);
    let len = format::announced_len(digits)?;
    (is_name && TYPES.contains(&kind) && words.next().is_none()).then_some((line_len + 1, len))
}

/// Returns whether `bytes` begin with the line before an object.
fn begins(bytes: &[u8], last: bool) -> Verdict {
    let name_len = bytes.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    match () {
        () if announced(bytes).is_some() => Verdict::Yes,
        () if last || bytes.len() >= LINE_LEN || bytes.contains(&b'\n') => Verdict::No,
        () if name_len == bytes.len() || matches!(name_len, 40 | 64) => Verdict::Unknown,
        () => Verdict::No,
    }
}

/// Returns the offset at which the object at the beginning of `bytes` ends, with the line feed
/// after it. `searched` is the number of bytes that earlier calls have searched, and is advanced;
/// `last` means that no more bytes follow.
fn end(bytes: &[u8], searched: &mut usize, last: bool) -> Option<usize> {
    let next = announced(bytes).and_then(|(head, len)| head.checked_add(len)?.checked_add(1));
    let search = || format::end_before(b"\n", |line| begins(line, last), bytes, searched, last);
    format::end_by_len(next, bytes, LINE_LEN, last, |rest| announced(rest).is_some(), search)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "257cc5642cb1a054f08cc83f2d943e56fd3ebe99";

    #[test]
    fn the_line_before_an_object() {
        let line = format!("{NAME} blob 4\nfoo\n\n");
        assert_eq!(announced(line.as_bytes()), Some((48, 4)));
        assert_eq!(begins(line.as_bytes(), false), Verdict::Yes);
        for cut in 1..47 {
            assert_eq!(begins(&line.as_bytes()[..cut], false), Verdict::Unknown, "{cut}");
            assert_eq!(begins(&line.as_bytes()[..cut], true), Verdict::No, "{cut}");
        }
        for text in [
            format!("{NAME} blob x\n"),
            format!("{NAME} file 4\n"),
            format!("{NAME} blob 4 5\n"),
            format!("{NAME} missing\n"),
            format!("{} blob 4\n", &NAME[1..]),
            "beef is a word\n".to_owned(),
        ] {
            assert_eq!(begins(text.as_bytes(), false), Verdict::No, "{text}");
        }
    }

    #[test]
    fn every_type_and_both_lengths_of_a_name() {
        let long = NAME.repeat(2);
        for (name, is_it) in [(&long[..39], false), (NAME, true), (&long[..41], false), (&long[..64], true)] {
            for kind in ["blob", "commit", "tag", "tree"] {
                let line = format!("{name} {kind} 4\n");
                assert_eq!(announced(line.as_bytes()), is_it.then_some((line.len(), 4)), "{line}");
            }
        }
    }

    #[test]
    fn objects_end_where_they_say() {
        let first = format!("{NAME} blob 9\nTo: a\n\nb\n\n");
        let both = format!("{first}{NAME} blob 0\n\n");
        assert_eq!(end(both.as_bytes(), &mut 0, false), Some(first.len()));
        // A length that is wrong.
        let both = both.replace(" 9\n", " 7\n");
        assert_eq!(end(both.as_bytes(), &mut 0, true), Some(first.len()));
        let longer = both.replace(" 7\n", " 999\n");
        assert_eq!(end(longer.as_bytes(), &mut 0, true), Some(first.len() + 2));
    }
}
