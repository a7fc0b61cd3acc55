//! Header fields whose folds can be taken out without a guess.
//!
//! A fold inside a URL is not a hyphen that somebody typed at the end of a line:
//! it was put in by a program that looked for a place to break the field. RFC 2369
//! §2 has clients ignore "any whitespace, that might be inserted by poorly behaved
//! MTAs" between the brackets of a list field, RFC 2017 §3.1 says the same of the
//! URL parameter of an external body, and RFC 2557 §4.4.1 of Content-Location,
//! whose value is all URL. So these lines are one.

use crate::archive::header::Field;
use crate::archive::source_map::Decoded;

/// A field without its folds.
#[derive(Debug)]
pub(crate) struct Unfolded {
    pub(crate) decoded: Decoded,
    /// Where two lines became one, as offsets in the decoded text.
    pub(crate) joins: Vec<usize>,
}

/// What the folds of a field stand in when they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    Brackets,
    Quotes,
    /// All of the value.
    Colon,
}

/// Whether the field of this name and value can be unfolded exactly, and has
/// something to unfold.
pub(crate) fn concerns(name: &[u8], value: &[u8]) -> bool {
    memchr::memchr(b'\n', value.trim_ascii_end()).is_some() && between(name).is_some()
}

fn between(name: &[u8]) -> Option<Between> {
    let is = |names: &[&[u8]]| names.iter().any(|other| other.eq_ignore_ascii_case(name));
    let list = name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"list-"));
    if list || is(&[b"archived-at"]) {
        Some(Between::Brackets)
    } else if is(&[b"content-type"]) {
        Some(Between::Quotes)
    } else if is(&[b"content-location", b"content-base"]) {
        Some(Between::Colon)
    } else {
        None
    }
}

/// The field, name and all, with the folds inside its URLs taken out; `None` if it
/// has none.
pub(crate) fn unfold(field: &Field, bytes: &[u8]) -> Option<Unfolded> {
    if !concerns(field.name(bytes), field.value(bytes)) {
        return None;
    }
    let between = between(field.name(bytes))?;
    let source = &bytes[field.range.clone()];
    let text = source.trim_ascii_end().len();
    let mut unfolded = Unfolded { decoded: Decoded::default(), joins: Vec::new() };
    let mut inside = false;
    let mut from = 0;
    let mut at = 0;
    while at < text {
        let was = inside;
        match source[at] {
            b'<' if between == Between::Brackets => inside = true,
            b'>' if between == Between::Brackets => inside = false,
            b'"' if between == Between::Quotes => inside = !was,
            b':' if between == Between::Colon => inside = true,
            b'\r' | b'\n' if inside => {
                let fold = source[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
                unfolded.decoded.copy(source, from..at);
                unfolded.joins.push(unfolded.decoded.bytes.len());
                from = at + fold;
                at = from;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    unfolded.decoded.copy(source, from..source.len());
    Some(unfolded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::header::Fields;

    fn unfolded(head: &str) -> Option<String> {
        let field = Fields::new(head.as_bytes(), 0).next()?;
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
