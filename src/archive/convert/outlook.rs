//! Messages of Outlook (`.msg`, `.oft`) as mail. The crate `urlgrep_outlook` reads them, and
//! mailboxes; this module converts them to mail.
//!
//! Each byte of the mail knows where it is in the file: in the sectors of its stream. What is added
//! to make it mail (the Content fields and the delimiters of its parts) has no position in the
//! file. The mail has no line numbers.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use urlgrep_outlook::msg::{self, Message};
use urlgrep_outlook::{Body, Text};

use crate::archive::decode::{html, rtf};
use crate::archive::header::HeaderFields;
use crate::archive::role::Role;
use crate::archive::source_map::{Decoded, SourceMap};

pub(super) use msg::{begins, may_begin};

/// The mail that the compound file `file` is, the map from its streams to the file, and why it is
/// not all of the message;
/// `attachments` that are not text are read or left out.
///
/// # Errors
///
/// If it is not a message of Outlook, or its directory is damaged.
pub(super) fn read(file: &[u8], attachments: bool) -> io::Result<(Decoded, SourceMap, Option<io::Error>)> {
    let Message { mail, streams, error, .. } = msg::read(file, attachments)?;
    let mut map = SourceMap::default();
    for (at, range) in streams {
        map.add(at, range.clone(), range.len());
    }
    Ok((mail, map, error))
}

impl Text for Decoded {
    fn put(&mut self, text: &[u8], source: Range<usize>) {
        Decoded::put(self, text, source);
    }

    fn append_part(&mut self, other: &Decoded, range: Range<usize>) {
        Decoded::append_part(self, other, range);
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn fields(&self) -> Vec<(&[u8], Range<usize>)> {
        let start = self.bytes.len() - self.bytes.trim_ascii_start().len();
        let fields = HeaderFields::new(&self.bytes, start);
        fields.map(|field| (field.name(&self.bytes), field.range)).collect()
    }

    fn missing_links(&self, rtf: &Decoded, bodies: &[Body]) -> Decoded {
        let read = rtf::read(&rtf.bytes);
        let links: Vec<_> = read.links.iter().filter(|link| link.role() == Role::Link).collect();
        let mut missing: HashSet<&[u8]> = links.iter().map(|link| link.as_bytes()).collect();
        for Body { range, is_html, .. } in bodies {
            let body = &self.bytes[range.clone()];
            if missing.is_empty() {
                break;
            }
            // The links are stored and the words are not, because storing the words of a body would take 30 times its
            // length.
            if *is_html {
                let page = html::read(body, html::Wanted { resources: true, ..Default::default() });
                strike_words(&mut missing, &page.text.bytes);
                page.links.iter().for_each(|link| _ = missing.remove(link.as_bytes()));
            } else {
                strike_words(&mut missing, body);
            }
        }
        let mut fields = Decoded::default();
        for link in links.into_iter().filter(|link| missing.remove(link.as_bytes())) {
            if fields.bytes.is_empty() {
                fields.put(br"{\rtf1\ansicpg65001 ", 0..0);
            }
            fields.put(br#"{\field{\*\fldinst HYPERLINK ""#, 0..0);
            escape_in_field(&link.decoded().through(rtf), &mut fields);
            fields.put(br#""}}"#, 0..0);
        }
        fields
    }
}

/// Removes the links that occur among the words of a text.
fn strike_words(missing: &mut HashSet<&[u8]>, text: &[u8]) {
    let ends = |&b: &u8| b.is_ascii_whitespace() || matches!(b, b'<' | b'>' | b'"');
    for word in text.split(ends).filter(|word| word.contains(&b':')) {
        let after = word.iter().rev().take_while(|b| b".,;:!?)]}'".contains(b)).count();
        missing.remove(word);
        missing.remove(&word[..word.len() - after]);
    }
}

/// Appends a URL as written in quotation marks in a field of RTF.
fn escape_in_field(url: &Decoded, field: &mut Decoded) {
    let mut from = 0;
    for (at, byte) in url.bytes.iter().enumerate() {
        let before: &[u8] = match byte {
            b'\\' => br"\\\",
            b'"' => br"\\",
            b'{' | b'}' => br"\",
            _ => continue,
        };
        field.append_part(url, from..at);
        field.put(before, 0..0);
        from = at;
    }
    field.append_part(url, from..url.bytes.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Word reads `\\` and `\"` in an argument of a field; in RTF, each backslash and brace has a backslash before it.
    #[test]
    fn urls_in_a_field() {
        for (url, written) in [
            ("http://h.org/", "http://h.org/"),
            (r"file:\\h\a", r"file:\\\\\\\\h\\\\a"),
            ("http://h.org/\"a\"", r#"http://h.org/\\"a\\""#),
            ("http://h.org/{a}", r"http://h.org/\{a\}"),
        ] {
            let (mut decoded, mut field) = (Decoded::default(), Decoded::default());
            decoded.put(url.as_bytes(), 0..url.len());
            escape_in_field(&decoded, &mut field);
            assert_eq!(String::from_utf8_lossy(&field.bytes), written, "{url}");
            let page = format!(r#"{{\rtf1 {{\field{{\*\fldinst HYPERLINK "{written}"}}}}}}"#);
            let read = rtf::read(page.as_bytes());
            let links: Vec<_> =
                read.links.iter().map(|link| String::from_utf8_lossy(link.as_bytes())).collect();
            assert_eq!(links, [url]);
        }
    }
}
