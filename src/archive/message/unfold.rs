//! Header fields whose folds are not part of their URLs.
//!
//! A fold inside a URL is not a hyphen that a person typed at the end of a line: a program put it
//! where it could break the field. RFC 2369 §2 has clients ignore "any whitespace, that might be
//! inserted by poorly behaved MTAs" between the brackets of a list field, RFC 2017 §3.1 requires
//! the same for the URL parameter of an external body, and RFC 2557 §4.4.1 of Content-Location,
//! whose whole value is a URL. So these lines are joined without a guess.

use std::iter;
use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

use crate::archive::decode::folded::Unfolded;
use crate::archive::header::{HeaderField, begins_with, is_one_of};

/// The part of a value in which folds are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Brackets,
    Quotes,
    /// All of the value.
    Value,
}

/// Returns true if folds in the field of this name are not part of its URLs.
pub(crate) fn applies(name: &[u8], value: &[u8]) -> bool {
    inside(name).is_some_and(|inside| folds(inside, value).next().is_some())
}

fn inside(name: &[u8]) -> Option<Inside> {
    // Few other fields begin with these letters.
    if !matches!(name.first(), Some(b'A' | b'C' | b'L' | b'a' | b'c' | b'l')) {
        return None;
    }
    if begins_with(name, b"list-") || is_one_of(name, &[b"archived-at"]) {
        Some(Inside::Brackets)
    } else if is_one_of(name, &[b"content-type"]) {
        Some(Inside::Quotes)
    } else if is_one_of(name, &[b"content-location", b"content-base"]) {
        Some(Inside::Value)
    } else {
        None
    }
}

/// The field with its name, without the folds inside its URLs; `None` if it contains none.
pub(crate) fn unfold(field: &HeaderField, bytes: &[u8]) -> Option<Unfolded> {
    let value = field.value(bytes);
    let folds = folds(inside(field.name(bytes))?, value);
    let source = &bytes[field.range.clone()];
    let name = source.len() - value.len();
    let mut unfolded = Unfolded::default();
    let mut from = 0;
    for fold in folds {
        unfolded.join(source, from..name + fold.start);
        from = name + fold.end;
    }
    unfolded.with_rest(source, from)
}

/// The folds inside the part of a value: each line break, and the white space after it.
fn folds(part: Inside, value: &[u8]) -> impl Iterator<Item = Range<usize>> {
    // A line break at the end of the value is not a fold.
    let value = value.trim_ascii_end();
    let (mut at, mut inside) = (0, part == Inside::Value);
    iter::from_fn(move || {
        loop {
            let rest = &value[at..];
            let next = match part {
                Inside::Brackets => memchr3(b'<', b'>', b'\n', rest),
                Inside::Quotes => memchr2(b'"', b'\n', rest),
                Inside::Value => memchr(b'\n', rest),
            };
            let mark = at + next?;
            at = mark + 1;
            match value[mark] {
                b'<' => inside = true,
                b'>' => inside = false,
                b'"' => inside = !inside,
                _ if inside => {
                    let start = mark - usize::from(value[..mark].ends_with(b"\r"));
                    at += value[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                    return Some(start..at);
                }
                _ => {}
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::header::HeaderFields;

    fn unfolded(head: &str) -> Option<String> {
        let field = HeaderFields::new(head.as_bytes(), 0).next()?;
        let unfolded = unfold(&field, head.as_bytes())?;
        Some(String::from_utf8(unfolded.decoded.bytes).unwrap())
    }

    #[test]
    fn inside_the_brackets_of_a_list_field() {
        assert_eq!(
            unfolded("List-Post: <http://h.org/a-\n b>,\n <http://h.org/c>\n").as_deref(),
            Some("List-Post: <http://h.org/a-b>,\n <http://h.org/c>\n")
        );
        assert_eq!(
            unfolded("archived-at: <http://h.org/\r\n\ta>\r\n").as_deref(),
            Some("archived-at: <http://h.org/a>\r\n")
        );
        assert_eq!(unfolded("List-Post: <http://h.org/>\n"), None);
        assert_eq!(unfolded("List-Post: <http://h.org/>,\n <http://h.org/b>\n"), None);
        assert_eq!(unfolded("Subject: <http://h.org/\n a>\n"), None);
    }

    #[test]
    fn inside_the_quotes_of_a_parameter() {
        assert_eq!(
            unfolded("Content-Type: a/b;\n url=\"http://h.org/\n a\";\n x=y\n").as_deref(),
            Some("Content-Type: a/b;\n url=\"http://h.org/a\";\n x=y\n")
        );
    }

    #[test]
    fn all_of_a_location() {
        assert_eq!(
            unfolded("Content-Location:\n http://h.org/\n a\n").as_deref(),
            Some("Content-Location:http://h.org/a\n")
        );
    }
}
