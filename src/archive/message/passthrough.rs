//! Messages that need no decoding.
//!
//! Most mail and nearly all news is a head and a body that can be searched verbatim.
//! No field in their heads requires anything else, which can be seen without parsing
//! them. All other messages are left to the [structure](super::structure).

use std::ops::Range;

use super::mime::Mime;
use super::unfold;
use crate::archive::decode::encoded_word;
use crate::archive::header::{field_at, fold_end};
use crate::simd::lines::next_line;

/// The header of the message that begins at `at`, and its Content fields, if it needs no decoding.
///
/// The header ends at the first empty line. In the structure, it may end earlier, at a line that is
/// not a field; the lines after that are then text. The bytes are equal, and a search of the header
/// finds the same URLs, because no URL spans an empty line.
pub(super) fn read(bytes: &[u8], at: usize) -> Option<(Range<usize>, Mime<'_>)> {
    let mut mime = Mime::default();
    let mut line = at;
    loop {
        let rest = bytes.get(line..)?;
        if rest.starts_with(b"\n") || rest.starts_with(b"\r\n") || rest.starts_with(b"\r\r\n") {
            let plain = !encoded_word::may_be_in(&bytes[at..line]);
            return plain.then_some((at..line, mime));
        }
        if FIRST.contains(rest.first()?) && !note(&bytes[line..fold_end(bytes, line)], &mut mime) {
            return None;
        }
        line = next_line(bytes, line, FIRST)?;
    }
}

/// The first bytes of the lines that matter: fields that may require decoding, and
/// empty lines.
const FIRST: [u8; 8] = *b"ACLacl\r\n";

/// Notes a Content field; returns whether the field, and so far the body, can be read verbatim.
fn note<'m>(field: &'m [u8], mime: &mut Mime<'m>) -> bool {
    let Some((name, value)) = field_at(field) else { return true };
    let (name, value) = (&field[..name], &field[value..]);
    if mime.note(name, value) { mime.is_plain_text() } else { !unfold::applies(name, value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(message: &str) -> Option<&str> {
        read(message.as_bytes(), 0).map(|(head, _)| &message[head])
    }

    #[test]
    fn messages_without_decoding() {
        assert_eq!(head("From: a\nTo: b\n\nc"), Some("From: a\nTo: b\n"));
        for field in [
            "Content-Type: text/plain",
            "content-type: TEXT/Plain;\r\n\tcharset=\"UTF-8\"\r",
            "Content-Transfer-Encoding: 7bit",
            "Content-Length: 7",
            "Subject: <http://h.org/\n a>?",
            "List-Post: <http://h.org/a>",
            "List-Unsubscribe: <http://h.org/a>,\n\t<mailto:a@h.org>",
            "no field",
        ] {
            let message = format!("{field}\n\nb");
            assert_eq!(head(&message), Some(&message[..message.len() - 2]), "{field}");
        }
    }

    #[test]
    fn a_carriage_return_alone_is_not_an_empty_line() {
        assert_eq!(head("From: a\n\rb\nTo: c\n\nd"), Some("From: a\n\rb\nTo: c\n"));
    }

    #[test]
    fn messages_that_need_decoding() {
        for field in [
            "Content-Type: text/html",
            "Content-Type: text/plain; format=flowed",
            "CONTENT-TYPE: text/plain; charset=utf-7",
            "Content-Type: text/plain;\n charset=utf-8;\n format=flowed",
            "Content-Transfer-Encoding: base64",
            "Subject: =?utf-8?q?a?=",
            "List-Post: <http://h.org/\n a>",
            "list-post: <http://h.org/\n a>",
            "Archived-At: <http://h.org/\n a>",
            "archived-at: <http://h.org/\n a>",
            "content-type: text/html",
        ] {
            assert_eq!(head(&format!("{field}\n\nb")), None, "{field}");
            assert_eq!(head(&format!("To: c\r\n{field}\r\nFrom: d\r\n\r\nb")), None, "{field}");
        }
        assert_eq!(head("From: a\n"), None);
    }
}
