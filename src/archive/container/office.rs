//! XML of office documents: OOXML (ECMA-376, ISO 29500), OpenDocument (ISO 26300), and what Office 2003 wrote.
//!
//! A document is a zip archive of such files, or one file (`.fodt`, `.xml`). Each is recognised by
//! itself, by the namespace of its first element, which is declared in the tag of that element. The
//! prefix may be any: `<w:document xmlns:w="…">`, `<worksheet xmlns="…">`, `<x:worksheet
//! xmlns:x="…">`. Nothing after that declaration is examined.
//!
//! Two files of a document have no such namespace: drawings in VML, whose first element may have
//! none, and the `manifest.rdf` of OpenDocument. Both declare their kind soon after their first
//! tag.

use memchr::{memchr, memmem, memrchr, memrchr_iter};

use super::format::{Format, Framing, chunk_end};
use super::mail::Verdict;
use super::markup::{after_comments, name};
use crate::archive::decode::html::{self, Vocabulary};
use crate::archive::decode::office::{MICROSOFT, NAMESPACES, OfficeTag};
use crate::archive::header::begins_with;
use crate::archive::limits::Limits;
use crate::archive::reading::{ReadText, Reading};

/// A part of an office document.
pub(super) static FRAMING: Framing = Framing {
    starts: b"<",
    chunk_end: end_of_paragraph,
    ..Framing::text(Format::Office, begins, &PARAGRAPHS)
};

static PARAGRAPHS: Reading = Reading {
    is_markup: true,
    // OpenDocument 1.3, part 2, §4.8: nothing in an encrypted part itself shows that it is encrypted.
    warning: |bytes| {
        let is_encrypted = memmem::find(bytes, b":encryption-data").is_some();
        is_encrypted.then_some("declares that the document is encrypted; its text was not searched")
    },
    ..Reading::of(|bytes, wanted| ReadText::linked(html::read_as(Vocabulary::Office, bytes, wanted)))
};

/// The namespace of RDF, and what such an OpenDocument file has near its beginning.
const RDF: &[u8] = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const OF_MANIFEST: &[u8] = b"http://docs.oasis-open.org/ns/office/";
const NEAR: usize = 1024;

/// Returns whether a file begins like a part of an office document. `last` means that no more bytes
/// follow.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    if !bytes.starts_with(b"<") {
        return Verdict::No;
    }
    let Some(mut rest) = after_comments(bytes) else { return Verdict::Unknown };
    // The document type of OpenOffice.org has only a name.
    if begins_with(rest, b"<!doctype ") {
        let Some(end) = memchr(b'>', rest) else { return Verdict::Unknown };
        rest = rest[end + 1..].trim_ascii_start();
    }
    let tag = match rest {
        _ if b"<!--".starts_with(rest) || begins_with(b"<!doctype ", rest) => return Verdict::Unknown,
        [b'<', tag @ ..] => tag,
        _ => return Verdict::No,
    };
    let (root, mut rest) = name(tag);
    let prefix = memchr(b':', root).map_or(&b""[..], |colon| &root[..colon]);
    if root.is_empty() {
        return Verdict::No;
    }
    loop {
        let spaces = rest.len() - rest.trim_ascii_start().len();
        rest = &rest[spaces..];
        match rest.first() {
            None => return Verdict::Unknown,
            Some(b'>') if root == b"xml" => {
                let [office, vml] = MICROSOFT.map(|name| near(name, rest, last));
                return office.max(vml);
            }
            Some(b) if !b.is_ascii_alphabetic() || spaces == 0 => return Verdict::No,
            Some(_) => {}
        }
        let [name, value, after] = match attribute(rest) {
            Ok(attribute) => attribute,
            Err(verdict) => return verdict,
        };
        rest = after;
        let declared = match name {
            b"xmlns" => Some(&b""[..]),
            name => name.strip_prefix(b"xmlns:"),
        };
        match declared {
            Some(_) if root == b"xml" && MICROSOFT.iter().any(|name| value.starts_with(name)) => {
                return Verdict::Yes;
            }
            Some(declared) if declared == prefix => {
                return match value {
                    value if NAMESPACES.iter().any(|start| value.starts_with(start)) => Verdict::Yes,
                    RDF => near(OF_MANIFEST, rest, last),
                    _ => Verdict::No,
                };
            }
            _ => {}
        }
    }
}

/// The name and the value of the attribute that `bytes` begin with, and the bytes after it.
fn attribute(bytes: &[u8]) -> Result<[&[u8]; 3], Verdict> {
    let (name, rest) = name(bytes);
    let incomplete = |rest: &[u8]| if rest.is_empty() { Verdict::Unknown } else { Verdict::No };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"=").ok_or_else(|| incomplete(rest))?.trim_ascii_start();
    let Some((&quote @ (b'"' | b'\''), value)) = rest.split_first() else { return Err(incomplete(rest)) };
    let end = memchr(quote, value).ok_or(Verdict::Unknown)?;
    Ok([name, &value[..end], &value[end + 1..]])
}

/// Returns whether `name` occurs soon in a file that continues like this.
fn near(name: &[u8], rest: &[u8], last: bool) -> Verdict {
    match memmem::find(&rest[..rest.len().min(NEAR)], name) {
        Some(_) => Verdict::Yes,
        None if rest.len() < NEAR && !last => Verdict::Unknown,
        None => Verdict::No,
    }
}

/// Returns the offset at which a chunk of a part that is too long ends: after a paragraph or a
/// cell, or else after a tag.
fn end_of_paragraph(bytes: &[u8], limits: Limits) -> usize {
    let end = bytes.len() - limits.margin;
    let floor = end.saturating_sub(limits.choice);
    let choice = &bytes[floor..end];
    let ends_paragraph = |&at: &usize| {
        let tag = memrchr(b'<', &choice[at.saturating_sub(LONGEST_TAG)..at]);
        let tag = tag.map(|n| &choice[at.saturating_sub(LONGEST_TAG) + n + 1..at]);
        let name = tag.and_then(|tag| tag.strip_prefix(b"/"));
        name.is_some_and(|name| matches!(OfficeTag::of(name), OfficeTag::Separate | OfficeTag::Paragraph))
    };
    let mut tags = memrchr_iter(b'>', choice);
    let last = tags.clone().next();
    tags.find(ends_paragraph).or(last).map_or_else(|| chunk_end(bytes, limits), |at| floor + at + 1)
}

/// The distance before its `>` at which an end tag may begin, in bytes.
const LONGEST_TAG: usize = 64;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::archive::container::format::recognise;

    #[track_caller]
    fn check(text: &str, format: Format) {
        let bytes = text.as_bytes();
        assert_eq!(recognise(bytes, true), Some(format), "{text}");
        for cut in 0..bytes.len() {
            let early = recognise(&bytes[..cut], false);
            assert!(early.is_none() || early == Some(format), "{cut} bytes of {text}: {early:?}");
        }
    }

    #[test]
    fn parts_of_documents() {
        for text in [
            "<?xml version=\"1.0\" standalone=\"yes\"?>\r\n<w:document xmlns:a=\"b\" \
             xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body/></w:document>",
            "<?xml version='1.0'?><!-- a --><worksheet \
             xmlns='http://purl.oclc.org/ooxml/spreadsheetml/main'></worksheet>",
            "<x:sst xmlns:x=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" count=\"0\"/>",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">",
            "<office:document-content a:b = \"c\"\n xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\">",
            "<!DOCTYPE manifest:manifest PUBLIC \"-//OpenOffice.org//DTD Manifest 1.0//EN\" \"Manifest.dtd\">\n\
             <manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">",
            "<!doctype a:b><a:b xmlns:a=\"http://openoffice.org/2001/manifest\"/>",
            "<xml xmlns:v=\"urn:schemas-microsoft-com:vml\">",
            "<xml><a:b xmlns:c=\"d\" xmlns:a=\"urn:schemas-microsoft-com:vml\">",
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<rdf:Description rdf:about=\"\">\n\
             <rdf:type rdf:resource=\"http://docs.oasis-open.org/ns/office/1.2/meta/pkg#Document\"/>",
        ] {
            check(text, Format::Office);
        }
    }

    #[test]
    fn other_markup() {
        // The namespace belongs to an attribute, or not to a known element.
        check(
            "<a xmlns:w=\"http://schemas.openxmlformats.org/\" xmlns=\"http://h.org/\"><b/></a>",
            Format::Xml,
        );
        check("<?xml version=\"1.0\"?><a b=\"http://schemas.openxmlformats.org/\"/>", Format::Xml);
        check(
            "<?xml version=\"1.0\"?><w:document a=b xmlns:w=\"http://purl.oclc.org/ooxml/\"/>",
            Format::Xml,
        );
        check("<!DOCTYPE a><b xmlns=\"http://h.org/\"/>", Format::Xml);
        check("<!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\">", Format::Html);
        check("<html xmlns:o=\"urn:schemas-microsoft-com:office:office\"><body>", Format::Html);
        let feed = "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><channel>";
        check(&format!("<?xml version=\"1.0\"?>{feed}"), Format::Xml);
    }

    #[test]
    fn chunks_end_after_paragraphs() {
        let limits = Limits { message: 100, margin: 2, choice: 40, depth: 0 };
        let end = |text: &str| end_of_paragraph(text.as_bytes(), limits);
        assert_eq!(end("<w:p><w:t>a b</w:t></w:p><w:p><w:t>c d</w:t>"), 25);
        assert_eq!(end("<si><t>a b c d</t>"), 8 - 1);
        assert_eq!(end("a b c d"), 4);
    }

    proptest! {
        #[test]
        fn more_bytes_do_not_change_the_verdict(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "<", ">", "/", " ", "\n", "a", "w:document", "xml", "rdf:RDF", "xmlns", ":w", ":rdf", "=", "\"", "'",
                    "<!--", "-->", "<?xml", "?>", "http://purl.oclc.org/ooxml/", "urn:schemas-microsoft-com:",
                    "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://docs.oasis-open.org/ns/office/",
                ]),
                0..12,
            ),
        ) {
            let text = words.concat();
            let whole = begins(text.as_bytes(), true) == Verdict::Yes;
            for cut in 0..=text.len() {
                match begins(&text.as_bytes()[..cut], false) {
                    Verdict::Unknown => {}
                    early => prop_assert_eq!(early == Verdict::Yes, whole, "{} bytes of {:?}", cut, &text),
                }
            }
        }
    }
}
