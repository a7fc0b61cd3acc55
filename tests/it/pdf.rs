//! Spellings of the syntax of PDF (ISO 32000-1 §7) with which a sender could hide links that a viewer shows, and two of them
//! together.

use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::process::Command;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use urlgrep::Finder;
use urlgrep::archive::{Archive, Format, Reader};

/// What a document is made of: two links, one of which is in an object stream.
struct Parts {
    before: Vec<u8>,
    header: &'static str,
    /// What precedes each object, and what follows its keyword.
    comment: &'static str,
    after_obj: &'static str,
    key: &'static str,
    /// The value of the key, with `URL` where that is.
    value: fn(&str) -> String,
    objects: &'static str,
    /// The first and the last entries of the object stream.
    first: &'static str,
    last: &'static str,
    filter: &'static str,
    encode: fn(&[u8]) -> Vec<u8>,
    stream: &'static str,
    end: &'static str,
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

pub fn ascii85(bytes: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::new();
    for group in bytes.chunks(4) {
        let number = (0..4).fold(0, |number, n| number << 8 | group.get(n).map_or(0, |b| u32::from(*b)));
        let digits = (0..5).map(|n| (number / 85_u32.pow(4 - n) % 85) as u8 + b'!');
        encoded.extend(digits.take(group.len() + 1));
    }
    [encoded, b"~>".to_vec()].concat()
}

/// Rows of four bytes, each of which has another filter of PNG.
fn predicted(bytes: &[u8]) -> Vec<u8> {
    let mut rows = bytes.to_vec();
    rows.resize(bytes.len().next_multiple_of(4), b' ');
    let at = |row: usize, n: usize| if row == 0 { 0 } else { rows[4 * (row - 1) + n] };
    let mut encoded = Vec::new();
    for row in 1..=rows.len() / 4 {
        let kind = (row % 3) as u8;
        encoded.push(kind);
        encoded.extend((0..4).map(|n| match kind {
            0 => at(row, n),
            1 if n == 0 => at(row, n),
            1 => at(row, n).wrapping_sub(at(row, n - 1)),
            _ => at(row, n).wrapping_sub(at(row - 1, n)),
        }));
    }
    deflated(&encoded)
}

/// The spellings: each changes some of the parts.
const SPELLINGS: &[fn(&mut Parts)] = &[
    |_| {},
    |p| p.before = b"\n".to_vec(),
    |p| p.before = b"\xEF\xBB\xBF".to_vec(),
    |p| p.before = [&b"\0\x01junk\0\n"[..], &[0xFF; 900]].concat(),
    |p| p.header = "%PDF-1.4 (junk",
    |p| p.comment = "%( << 1 0 obj (\n",
    |p| p.comment = "%/Encrypt 9 0 R\n",
    |p| p.comment = "( << /URI (junk\n",
    |p| p.comment = "1 0 obj << /Length 9 >> stream\n",
    |p| p.after_obj = "%obj\n\0",
    |p| p.key = "/U#52I",
    |p| p.key = "/#55#52#49",
    |p| p.value = |url| format!("\0\t\r\n({url})"),
    |p| p.value = |url| format!("%(junk)\n({url})"),
    |p| p.value = |url| format!("{}({url})", " ".repeat(5000)),
    |p| p.value = |url| format!("<{}>", hex(url.as_bytes())),
    |p| p.value = |url| format!("< {} >", hex(url.as_bytes()).replace('2', " 2\n")),
    |p| p.value = |url| format!("({})", url.replace('h', "\\150")),
    |p| p.value = |url| format!("({})", url.replace('/', "\\\r\n/")),
    |p| p.value = |url| format!("({})", url.replace(':', "\\:")),
    |p| p.objects = "/Obj#53tm",
    |p| p.first = "/X (obj)",
    |p| p.first = "/X (1 0 obj << ) /Y <3E3E>",
    |p| p.first = "/X << /Filter /LZWDecode /Type /X >>",
    |p| p.first = "% >> stream\n",
    |p| (p.first, p.last) = (PADDING, PADDING),
    |p| (p.filter, p.encode) = ("/Filter/Fl#61teDecode", deflated),
    |p| (p.filter, p.encode) = ("/Filter [ /FlateDecode ] /DecodeParms [ null ]", deflated),
    |p| (p.filter, p.encode) = ("/F#69lter%c\n/FlateDecode/DecodeParms<</Predictor 1>>", deflated),
    |p| (p.filter, p.encode) = ("", <[u8]>::to_vec),
    |p| {
        p.filter = "/Filter /FlateDecode /DecodeParms << /Columns 4 /Pre#64ictor 12 >>";
        p.encode = predicted;
    },
    |p| {
        p.filter = "/Filter [/ASCIIHexDecode /FlateDecode]";
        p.encode = |bytes| (hex(&deflated(bytes)) + ">").into_bytes();
    },
    |p| {
        (p.filter, p.encode) =
            ("/Filter [/ASCII85Decode/FlateDecode]", |bytes: &[u8]| ascii85(&deflated(bytes)))
    },
    |p| p.stream = ">> %c\nstream\r\n",
    |p| p.stream = ">>stream \n",
    |p| p.end = "endstream%",
    |p| p.header = "%!PS-Adobe-3.0 PDF-1.4",
    |p| p.last = "/X<AB>",
    |p| p.first = "/X<(>",
    |p| (p.filter, p.encode) = ("/Filter/LZWDecode/Filter/FlateDecode", deflated),
    |p| {
        p.filter = "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 4/X[/Columns 9]>>";
        p.encode = predicted;
    },
    |p| {
        p.filter = "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 4/X<</Columns 9/Y[9 0 R]>>>>";
        p.encode = predicted;
    },
    |p| {
        p.filter = "/Filter/FlateDecode/DecodeParms<</Columns 9>>/DecodeParms<</Predictor 12/Columns 4>>";
        p.encode = predicted;
    },
    |p| {
        p.filter = "/Filter/FlateDecode/DecodeParms<</Predictor 12.0/Columns 4.>>";
        p.encode = predicted;
    },
    |p| {
        p.value = |url| {
            format!(
                "<FFFE{}00>",
                hex(url.as_bytes())
                    .as_bytes()
                    .chunks(2)
                    .map(|digits| str::from_utf8(digits).unwrap())
                    .collect::<Vec<_>>()
                    .join("00")
            )
        }
    },
];

/// The number of the last spellings, which viewers other than qpdf read.
const NOT_QPDF: usize = 2;

const PADDING: &str = match str::from_utf8(&[b' '; 5000]) {
    Ok(padding) => padding,
    Err(_) => "",
};

const PLAIN: &str = "http://h.org/plain";
const PACKED: &str = "http://h.org/packed";

/// A document that is spelled in these ways.
fn document(spellings: &[usize]) -> Vec<u8> {
    let mut parts = Parts {
        before: Vec::new(),
        header: "%PDF-1.5",
        comment: "",
        after_obj: "",
        key: "/URI",
        value: |url| format!("({url})"),
        objects: "/ObjStm",
        first: "",
        last: "",
        filter: "/Filter /FlateDecode",
        encode: deflated,
        stream: ">>\nstream\n",
        end: "\nendstream",
    };
    spellings.iter().for_each(|n| SPELLINGS[*n](&mut parts));
    let Parts {
        before,
        header,
        comment,
        after_obj,
        key,
        value,
        objects,
        first,
        last,
        filter,
        encode,
        stream,
        end,
    } = parts;
    let link = |url| format!("<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI {key} {}>>>>", value(url));
    let content = encode(format!("5 0 {}", link(PACKED)).as_bytes());
    let head =
        format!("<<{first}/Type {objects} /N 1/First 4/Length {} {filter}{last}{stream}", content.len());
    let bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[4 0 R 5 0 R]>>".to_vec(),
        link(PLAIN).into_bytes(),
        [head.as_bytes(), &content, end.as_bytes()].concat(),
    ];
    let mut file = format!("{header}\n%\u{e9}\u{e9}\n").into_bytes();
    let mut table = vec![[0, 0, 0, 0, 0, 0]];
    for (number, body) in [1, 2, 3, 4, 6].into_iter().zip(bodies) {
        if number == 6 {
            table.push([2, 0, 0, 0, 6, 0]);
        }
        file.extend(comment.as_bytes());
        table.push(entry(file.len()));
        file.extend(format!("{number} 0 obj{after_obj}\n").as_bytes());
        file.extend(body);
        file.extend(b"\nendobj\n");
    }
    let start = file.len();
    table.push(entry(start));
    file.extend(b"7 0 obj\n<</Type/XRef/Size 8/Root 1 0 R/W[1 4 1]/Length 48>>\nstream\n");
    file.extend(table.concat());
    file.extend(format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n").as_bytes());
    [before, file].concat()
}

/// The row of the table of an object.
fn entry(at: usize) -> [u8; 6] {
    let [a, b, c, d] = (at as u32).to_be_bytes();
    [1, a, b, c, d, 0]
}

/// Each spelling, and each two of them.
fn pairs() -> impl Iterator<Item = [usize; 2]> {
    (0..SPELLINGS.len()).flat_map(|first| (first..SPELLINGS.len()).map(move |second| [first, second]))
}

/// The URLs in a file, and what is said of the bodies.
fn found(file: impl Read) -> (Vec<String>, Option<String>) {
    let finder = Finder::new();
    let mut archive = Archive::new(file).unwrap();
    let mut found = Vec::new();
    // The note on what is not read ends it.
    while let Ok(Some(message)) = archive.next_message() {
        for text in message.texts() {
            found.extend(finder.find_in(&text).map(|matched| matched.to_string()));
        }
    }
    (found, archive.undecoded().map(ToString::to_string))
}

/// A text that a scanner searches is yielded by [`Read`].
#[test]
fn a_document_in_a_text_that_is_read() {
    for (text, is_noted) in [("a\n%PDF-1.4\n", true), ("a %PDF-1.4\n", false)] {
        for len in 0..text.len() {
            let (first, rest) = text.as_bytes().split_at(len);
            let mut reader = Reader::new(first.chain(rest));
            assert_eq!(reader.format(), Format::Text);
            assert_eq!(reader.read_to_end(&mut Vec::new()).unwrap(), text.len());
            assert_eq!(reader.undecoded().is_some(), is_noted, "{text} {len}");
        }
    }
}

/// A text that mentions the mark of a document is searched as a text, wherever it is.
#[test]
fn a_text_with_a_document_in_it() {
    let text = "See http://h.org/a\n%PDF-1.4\n1 0 obj << /URI (http://h.org/b) >> endobj\nhttp://h.org/c\n";
    let (urls, said) = found(text.as_bytes());
    assert_eq!(urls, ["http://h.org/a", "http://h.org/b", "http://h.org/c"]);
    assert!(said.unwrap().starts_with("the body at byte 19 is a PDF document that follows text"));
    // Wherever reads end, and as far as a document may begin from the start of a file.
    for len in [19, 21, 28] {
        let (first, rest) = text.as_bytes().split_at(len);
        assert_eq!(found(first.chain(rest)), found(text.as_bytes()), "{len}");
    }
    for (len, is_near) in [(1024, true), (1025, false)] {
        let far = [&vec![b'a'; len - 1][..], b"\n%PDF-1.4\n"].concat();
        assert_eq!(found(&*far).1.is_some(), is_near, "{len}");
        assert_eq!(found(far[..len].chain(&far[len..])).1.is_some(), is_near, "{len}");
    }
    // Spaces may precede the mark, and anything if an object follows.
    for (text, at) in
        [("a\n \t%PDF-1.4\n", 4), ("a\nb%PDF-x\n1 0 obj", 3), ("a\n%!PS-Adobe-3.0 PDF-1.4\n", 2)]
    {
        let said = found(text.as_bytes()).1.unwrap_or_default();
        assert!(said.starts_with(&format!("the body at byte {at} is a PDF")), "{text}: {said}");
    }
    for text in ["a\nb %PDF-1.4\n", "a\n%!PS-Adobe-3.0\n1 0 obj", "a\n1 0 obj %PDF-1.4\n"] {
        assert_eq!(found(text.as_bytes()).1, None, "{text}");
    }
    let mail = "From: a@h.org\nTo: b@h.org\nContent-Type: application/pdf; name=a.pdf\n\n";
    let (mut urls, said) = found([mail, text].concat().as_bytes());
    urls.sort();
    assert_eq!(urls, ["http://h.org/a", "http://h.org/b", "http://h.org/b", "http://h.org/c"]);
    assert!(said.unwrap().starts_with("attachment a.pdf was only partly searched: it is truncated"));
    let mention = "A file begins with %PDF-1.4 (http://h.org/a)\n";
    assert_eq!(found(mention.as_bytes()), (vec!["http://h.org/a".to_owned()], None));
}

#[test]
fn no_spelling_hides_a_link() {
    for spellings in pairs() {
        let (found, _) = found(&*document(&spellings));
        for url in [PLAIN, PACKED] {
            assert!(found.iter().any(|found| found == url), "{spellings:?} {url}: {found:?}");
        }
    }
}

/// The documents are right: another program shows both links of each spelling.
#[test]
#[ignore = "needs qpdf"]
fn qpdf_shows_the_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pdf");
    for n in 0..SPELLINGS.len() - NOT_QPDF {
        fs::write(&path, document(&[n])).unwrap();
        let ran =
            Command::new("qpdf").args(["--json=2", "--json-stream-data=none"]).arg(&path).output().unwrap();
        let shown = String::from_utf8_lossy(&ran.stdout);
        for url in [PLAIN, PACKED] {
            let shows = shown.contains(&format!("\"/URI\": \"u:{url}\""));
            assert!(shows, "{n} {url}: {}", String::from_utf8_lossy(&ran.stderr));
        }
    }
}
