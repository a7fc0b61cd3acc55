//! Rows of the tables by which pages and documents are read.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use urlgrep::Finder;
use urlgrep::archive::Archive;

use super::each;

/// The links of an input up to an error: the URL, its role and its text.
fn links(input: &[u8]) -> String {
    let mut archive = Archive::new(input).unwrap();
    let (finder, mut links) = (Finder::new(), Vec::new());
    while let Ok(Some(message)) = archive.next_message() {
        let _ = finder.find_in_message(&message, |m| {
            let text = m.context().unwrap().link_text().unwrap_or_default().into_owned();
            links.push(format!("{m} {} {}", m.role(), String::from_utf8(text).unwrap()));
            std::ops::ControlFlow::Continue(())
        });
    }
    links.join(", ").trim_end().to_owned()
}

/// A link around this HTML.
fn around(html: &str) -> String {
    links(format!("<html><a href=http://h.org/>x{html}</a></html>").as_bytes())
}

#[test]
fn elements_that_hide_their_content() {
    let (shown, hidden) = ("http://h.org/ link xhidden", "http://h.org/ link x");
    each(["template", "canvas", "video", "audio", "datalist"], |name| {
        around(&format!("<{name}>hidden</{name}>")) == hidden
    });
    each(["template", "canvas", "video", "audio", "datalist", "select"], |name| {
        links(format!("<html><{name}><a href=http://h.org/>x</a></{name}>").as_bytes())
            .starts_with("http://h.org/ resource")
    });
    // In SVG.
    each(["style", "script", "metadata", "defs"], |name| {
        around(&format!("<svg><{name}>hidden</{name}></svg>")) == hidden
    });
    each(["span", "b", "select"], |name| around(&format!("<{name}>hidden</{name}>")) == shown);
    each(["g", "text"], |name| around(&format!("<svg><{name}>hidden</{name}></svg>")) == shown);
}

#[test]
fn elements_that_end_a_cell() {
    let after =
        |name: &str| links(format!("<html><table><tr><td><a href=http://h.org/>x</{name}>y").as_bytes());
    each(["td", "th", "tr", "table", "caption"], |name| after(name) == "http://h.org/ link x");
    each(["span", "b"], |name| after(name) == "http://h.org/ link xy");
}

/// The start tags that end foreign content (WHATWG HTML §13.2.6.5).
#[test]
fn elements_that_end_foreign_content() {
    let names = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr \
        ol p pre ruby s small span strong strike sub sup table tt u ul var";
    // Character data is text in foreign content; elsewhere it is a comment that ends at the first bracket.
    let is_foreign = |name: &str| {
        links(format!("<html><svg><{name}><![CDATA[<a href=http://h.org/>x</a>]]>").as_bytes())
            == "http://h.org/ text"
    };
    each(names.split_ascii_whitespace(), |name| !is_foreign(name));
    each(["g", "text", "a", "center1"], is_foreign);
}

/// ISO 32000-1 §7.4.1 and the abbreviations of §8.9.7, around the same object.
#[test]
fn filters_of_pdf() {
    let object = b"2 0 << /S /URI /URI (http://h.org/a) >>";
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::default());
    deflated.write_all(object).unwrap();
    let deflated = deflated.finish().unwrap();
    let hex: String = object.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + ">";
    let document = |filter: &str, data: &[u8]| {
        let head = format!(
            "%PDF-1.4\n1 0 obj\n<< /A 2 0 R >>\nendobj\n3 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /{filter} /Length {} >>\nstream\n",
            data.len()
        );
        [head.as_bytes(), data, b"\nendstream\nendobj\n"].concat()
    };
    each(["FlateDecode", "Fl"], |name| links(&document(name, &deflated)) == "http://h.org/a link");
    each(["ASCIIHexDecode", "AHx"], |name| links(&document(name, hex.as_bytes())) == "http://h.org/a link");
    let ascii85 = crate::pdf::ascii85(object);
    each(["ASCII85Decode", "A85"], |name| links(&document(name, &ascii85)) == "http://h.org/a link");
    each(["LZWDecode", "A"], |name| links(&document(name, hex.as_bytes())).is_empty());
}
