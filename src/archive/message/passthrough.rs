//! Messages that need nothing done.
//!
//! Most mail and nearly all news is a head and a body that can be searched where
//! they stand. That can be seen without taking the head apart: no field speaks of
//! anything else. Whatever is not as plain as that is left to the
//! [walk](super::walk).

use std::ops::Range;

use memchr::memchr_iter;

use super::mime::Mime;
use super::unfold;
use crate::archive::header::{field_at, fold_end};
use crate::simd::lines::next_line;

/// A message that needs nothing done.
#[derive(Clone, Debug)]
pub(crate) struct Plain<'m> {
    pub(crate) head: Range<usize>,
    pub(crate) mime: Mime<'m>,
}

impl<'m> Plain<'m> {
    /// The message whose head begins at `at`, if it is one.
    ///
    /// The head that is given goes up to the first empty line. The walk may see it
    /// end before, at a line that is no field. Then what is behind that line is
    /// text to the walk, and here it is head: the same bytes, searched alike if the
    /// head is, for no URL goes over an empty line.
    pub(crate) fn read(bytes: &'m [u8], at: usize) -> Option<Self> {
        let mut mime = Mime::default();
        let mut line = at;
        loop {
            let rest = bytes.get(line..)?;
            if rest.starts_with(b"\n") || rest.starts_with(b"\r\n") {
                let plain = mime.is_plain() && !has_words(&bytes[at..line]);
                return plain.then_some(Plain { head: at..line, mime });
            }
            if TELLING.contains(rest.first()?) && !note(&bytes[line..fold_end(bytes, line)], &mut mime) {
                return None;
            }
            line = next_line(bytes, line, TELLING)?;
        }
    }
}

/// How a line begins that may be a field that matters, or empty.
const TELLING: [u8; 8] = *b"ACLacl\r\n";

/// Whether there may be an encoded word.
fn has_words(head: &[u8]) -> bool {
    memchr_iter(b'?', head).any(|at| head[..at].ends_with(b"="))
}

/// Takes note of a field; whether it can be read as it stands.
fn note<'m>(field: &'m [u8], mime: &mut Mime<'m>) -> bool {
    let Some((name, value)) = field_at(field) else {
        return true;
    };
    let (name, value) = (&field[..name], &field[value..]);
    mime.note(name, value) || !unfold::concerns(name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(message: &str) -> Option<&str> {
        Plain::read(message.as_bytes(), 0).map(|plain| &message[plain.head])
    }

    #[test]
    fn what_is_plain() {
        assert_eq!(head("From: a\nTo: b\n\nc"), Some("From: a\nTo: b\n"));
        for field in [
            "Content-Type: text/plain",
            "content-type: TEXT/Plain;\r\n\tcharset=\"UTF-8\"\r",
            "Content-Transfer-Encoding: 7bit",
            "Content-Length: 7",
            "Subject: <http://h.org/\n a>?",
            "List-Post: <http://h.org/a>",
            "no field",
        ] {
            let message = format!("{field}\n\nb");
            assert_eq!(head(&message), Some(&message[..message.len() - 2]), "{field}");
        }
    }

    #[test]
    fn a_return_alone_is_no_empty_line() {
        assert_eq!(head("From: a\n\rb\nTo: c\n\nd"), Some("From: a\n\rb\nTo: c\n"));
    }

    #[test]
    fn what_needs_more() {
        for field in [
            "Content-Type: text/html",
            "Content-Type: text/plain; format=flowed",
            "CONTENT-TYPE: text/plain; charset=utf-7",
            "Content-Type: text/plain;\n charset=utf-8;\n format=flowed",
            "Content-Transfer-Encoding: base64",
            "Subject: =?utf-8?q?a?=",
            "List-Post: <http://h.org/\n a>",
        ] {
            assert_eq!(head(&format!("{field}\n\nb")), None, "{field}");
            assert_eq!(head(&format!("To: c\r\n{field}\r\nFrom: d\r\n\r\nb")), None, "{field}");
        }
        assert_eq!(head("From: a\n"), None);
    }
}
