//! The links of PDF documents, as a page that has them.
//!
//! A link is an annotation whose action has the key `/URI` (ISO 32000-1 §12.6.4.7): a string, in brackets or in
//! hexadecimal digits. Such a dictionary is an object of the file, or one of several in a stream that is compressed
//! (§7.5.7, `/ObjStm`). So the file is read from its beginning to its end: what is between streams, and what is in
//! the streams of objects. Its table of objects is not needed, and may be damaged.
//!
//! Each link knows where it is in the file; one in a compressed stream has all of that.
//!
//! # Incomplete support
//!
//! The text of a document is in streams of drawing instructions, and is not read. Links of encrypted documents are not read,
//! nor are those whose string is an object in a compressed stream; nor is a file in the document. The error of [`read`] says which of this is so. Actions
//! of other kinds (a form that is sent, a program) are none that a reader follows.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use flate2::read::ZlibDecoder;
use memchr::memmem;

use crate::archive::source_map::Decoded;

/// How a document begins.
const MARK: &[u8] = b"%PDF-";

/// How long the string of a link may be in the file, in bytes.
const LONGEST: usize = 16 * 1024;

/// How many links that are other objects are looked for.
const MAX_ELSEWHERE: usize = 256;

/// How long the number of an object and what follows it may be, in bytes.
const NUMBER: usize = 20;

/// How far before a stream its dictionary may begin, in bytes.
const DICTIONARY: usize = 4 * 1024;

/// How many bytes of the streams of a document are decompressed, together.
const MAX_INFLATED: usize = 16 * 1024 * 1024;

/// How far from the end of the file the mark of the end may be, in bytes.
const END: usize = 2 * 1024;

/// How long the page of its links may be, in bytes.
const MAX_PAGE: usize = 4 * 1024 * 1024;

/// Whether `bytes` begin a document: `%PDF-1.7`.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.strip_prefix(MARK).is_some_and(|version| matches!(version, [b'0'..=b'9', b'.', b'0'..=b'9', ..]))
}

/// Whether more bytes could make `bytes` the beginning of a document.
pub(super) fn may_begin(bytes: &[u8]) -> bool {
    MARK.starts_with(bytes)
}

/// The links of the document `file`, as a page, and what of it was not read.
pub(super) fn read(file: &[u8]) -> (Decoded, io::Error) {
    if is_encrypted(file) {
        let why = "it is encrypted, so its links are not read, nor is its text";
        return (Decoded::default(), unsupported(why));
    }
    let mut reader = PdfReader {
        file,
        page: Decoded::default(),
        left: MAX_INFLATED,
        elsewhere: Vec::new(),
        relative: 0,
        unread_streams: Unread::of("a stream of objects"),
        unread_objects: Unread::of("a link that is another object"),
        unread_lists: Unread::of("a list of links"),
    };
    reader.file();
    let PdfReader { page, relative, unread_streams, unread_objects, unread_lists, .. } = reader;
    let why = "of a PDF document only the links are read, its text is not";
    let (cut, files) = (cut(file), count_of(files_in(file), "file in it", "files in it"));
    let relative = count_of(relative, "link without a scheme", "links without a scheme");
    (page, unsupported(&format!("{why}{cut}{files}{relative}{unread_streams}{unread_objects}{unread_lists}")))
}

/// What is to say of the end of the document, which has a mark near it (ISO 32000-1 §7.5.5).
fn cut(file: &[u8]) -> &'static str {
    let end = &file[file.len().saturating_sub(END)..];
    if memmem::rfind(end, b"%%EOF").is_some() { "" } else { "; it is cut off, or something follows its end" }
}

/// How many files are in the document (ISO 32000-1 §7.11.4).
fn files_in(file: &[u8]) -> usize {
    let key = b"/EmbeddedFile";
    let is_type = |at: &usize| file.get(at + key.len()).is_none_or(|b| !b.is_ascii_alphanumeric());
    positions(file, key).filter(is_type).count()
}

/// What is to say of so many things that are not read.
fn count_of(count: usize, one: &str, many: &str) -> String {
    match count {
        0 => String::new(),
        1 => format!("; a {one} is not read"),
        count => format!("; {count} {many} are not read"),
    }
}

fn unsupported(why: &str) -> io::Error {
    let why = format!("{why} (--pre '*.pdf pdftotext {{}} -')");
    io::Error::new(io::ErrorKind::Unsupported, why)
}

/// Whether the strings of the document are encrypted: a dictionary has that key.
fn is_encrypted(file: &[u8]) -> bool {
    let key = b"/Encrypt";
    positions(file, key).any(|at| file.get(at + key.len()).is_none_or(|b| !b.is_ascii_alphanumeric()))
}

/// What of a document was not read, besides its text: how often, and where first.
struct Unread {
    what: &'static str,
    count: usize,
    first: usize,
}

impl Unread {
    const fn of(what: &'static str) -> Self {
        Unread { what, count: 0, first: 0 }
    }

    fn add(&mut self, at: usize) {
        self.first = if self.count == 0 { at } else { self.first };
        self.count += 1;
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unread { what, count, first } = self;
        match count {
            0 => Ok(()),
            1 => write!(f, "; {what} at byte {first} is not read to its end"),
            _ => write!(f, "; {count} times {what}, first at byte {first}, is not read to its end"),
        }
    }
}

/// Where `word` is in `bytes` next, from `from` on.
#[inline(never)]
fn next(bytes: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    memmem::find(&bytes[from..], word).map(|n| from + n)
}

/// Where `word` is in `bytes`.
fn positions(bytes: &[u8], word: &'static [u8]) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = next(bytes, from, word)?;
        from = at + word.len();
        Some(at)
    })
}

/// Where a range of some bytes is in the file.
type Source<'s> = &'s dyn Fn(Range<usize>) -> Range<usize>;

struct PdfReader<'f> {
    file: &'f [u8],
    page: Decoded,
    /// How many bytes may still be decompressed.
    left: usize,
    /// The numbers of objects that are links, and where these are named.
    elsewhere: Vec<(u32, usize)>,
    /// How many links have no scheme: to what they are relative only the document says, if anything does.
    relative: usize,
    unread_streams: Unread,
    unread_objects: Unread,
    unread_lists: Unread,
}

impl PdfReader<'_> {
    fn file(&mut self) {
        let file = self.file;
        // Where the last stream ends that has an end: nothing is searched for one after that.
        let last_end = memmem::rfind(file, b"endstream").unwrap_or(0);
        let mut at = 0;
        for keyword in positions(file, b"stream") {
            let Some(body) = body_after(file, at, keyword) else { continue };
            self.links(&file[at..keyword], &|range| at + range.start..at + range.end);
            let word: &[u8] = if body <= last_end { b"endstream" } else { b"endobj" };
            let end = next(file, body, word).unwrap_or(file.len());
            let dictionary = &file[at.max(keyword.saturating_sub(DICTIONARY))..keyword];
            if let Some(objects) = self.objects(dictionary, body..end) {
                self.links(&objects, &|_| body..end);
            }
            at = end;
        }
        self.links(&file[at..], &|range| at + range.start..at + range.end);
        self.links_elsewhere();
    }

    /// The objects in the stream at `body`, if it has any; `before` ends with its dictionary.
    fn objects(&mut self, before: &[u8], body: Range<usize>) -> Option<Vec<u8>> {
        let dictionary = &before[positions(before, b"obj").last().unwrap_or(0)..];
        let has = |name: &str| next(dictionary, 0, name.as_bytes()).is_some();
        if !has("/ObjStm") {
            return None;
        }
        let bytes = &self.file[body.clone()];
        if !has("/Filter") {
            return Some(bytes.to_vec());
        }
        // `/DecodeParms` is no filter.
        let filters =
            positions(dictionary, b"Decode").count() - positions(dictionary, b"DecodeParms").count();
        let is_known = has("/FlateDecode") && filters == 1 && !has("/Predictor");
        let mut objects = Vec::new();
        let mut inflated = ZlibDecoder::new(bytes).take(self.left as u64);
        let is_whole = is_known && inflated.read_to_end(&mut objects).is_ok();
        self.left -= objects.len().min(self.left);
        if !is_whole || self.left == 0 {
            self.unread_streams.add(body.start);
        }
        Some(objects)
    }

    /// Adds the links in `bytes` to the page; `source` is where a range of them is in the file.
    fn links(&mut self, bytes: &[u8], source: Source<'_>) {
        let mut from = 0;
        while let Some(name) = memchr::memchr(b'/', &bytes[from..]).map(|n| from + n) {
            from = name + 1;
            let Some(value) = value_of_uri(bytes, name) else { continue };
            if self.page.bytes.len() > MAX_PAGE {
                return self.unread_lists.add(source(name..name + 1).start);
            }
            if let Some(string) = string(bytes, value) {
                from = self.link(string, source);
            } else if let Some(number) = reference(&bytes[value..]) {
                let at = source(value..value + 1).start;
                match self.elsewhere.len() < MAX_ELSEWHERE {
                    true => self.elsewhere.push((number, at)),
                    false => self.unread_objects.add(at),
                }
            }
        }
    }

    /// Adds the links whose strings are objects of their own, `12 0 obj (http://h.org/) endobj`.
    fn links_elsewhere(&mut self) {
        let mut wanted = std::mem::take(&mut self.elsewhere);
        let file = self.file;
        for keyword in positions(file, b"obj") {
            if wanted.is_empty() {
                return;
            }
            let Some(number) = number_before(&file[..keyword]) else { continue };
            let is_it = |&(wanted, _): &(u32, usize)| wanted == number;
            if wanted.iter().any(is_it)
                && let Some(string) = string(file, after_blanks(file, keyword + b"obj".len()))
            {
                wanted.retain(|link| !is_it(link));
                self.link(string, &|range| range);
            }
        }
        for (_, at) in wanted {
            self.unread_objects.add(at);
        }
    }

    /// Adds the link `string`; returns where it ends.
    fn link(&mut self, string: PdfString, source: Source<'_>) -> usize {
        let PdfString { bytes, end } = string;
        let has_scheme = bytes.iter().any(|(byte, _)| *byte == b':');
        self.relative += usize::from(!has_scheme && !bytes.is_empty());
        self.page.put(b"<a href=\"", 0..0);
        if let [(0xFE, first), (0xFF, _), units @ ..] = &*bytes {
            let units: Vec<u8> = units.iter().map(|(byte, _)| *byte).collect();
            let units = units.as_chunks().0.iter().map(|unit| u16::from_be_bytes(*unit));
            let url: String =
                char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            for byte in url.as_bytes() {
                self.page.put(escaped(byte), source(first.start..end));
            }
        } else {
            for (byte, range) in &bytes {
                self.page.put(escaped(byte), source(range.clone()));
            }
        }
        self.page.put(b"\"></a>\n", 0..0);
        end
    }
}

/// The number of the object that a reference names, which `bytes` begin with: `12 0 R`.
fn reference(bytes: &[u8]) -> Option<u32> {
    let text = str::from_utf8(&bytes[..bytes.len().min(NUMBER)]).unwrap_or("");
    let mut words = text.split(|c: char| c.is_ascii_whitespace() || "/>".contains(c));
    let number = words.next()?.parse().ok()?;
    words.next()?.parse::<u32>().ok()?;
    (words.next() == Some("R")).then_some(number)
}

/// The number of the object whose `obj` follows `bytes`: `12 0 `.
fn number_before(bytes: &[u8]) -> Option<u32> {
    let digits = |bytes: &[u8]| bytes.iter().rev().take_while(|b| b.is_ascii_digit()).count().min(NUMBER);
    let bytes = bytes.trim_ascii_end();
    let generation = digits(bytes);
    let bytes = bytes[..bytes.len() - generation].trim_ascii_end();
    let number = &bytes[bytes.len() - digits(bytes)..];
    if generation == 0 { None } else { str::from_utf8(number).ok()?.parse().ok() }
}

/// The string at `at`.
fn string(bytes: &[u8], at: usize) -> Option<PdfString> {
    match bytes.get(at)? {
        b'(' => Some(literal(bytes, at)),
        b'<' if bytes.get(at + 1) != Some(&b'<') => Some(hexadecimal(bytes, at)),
        _ => None,
    }
}

/// What a byte is in the value of an attribute.
fn escaped(byte: &u8) -> &[u8] {
    match byte {
        b'&' => b"&amp;",
        b'"' => b"&quot;",
        byte => std::slice::from_ref(byte),
    }
}

/// Where the stream begins whose `keyword` follows a dictionary in `file`, and that line.
fn body_after(file: &[u8], from: usize, keyword: usize) -> Option<usize> {
    let before = file.get(from..keyword)?.trim_ascii_end();
    let line = keyword + b"stream".len();
    let end = match file.get(line..)? {
        [b'\r', b'\n', ..] => line + 2,
        [b'\r' | b'\n', ..] => line + 1,
        _ => return None,
    };
    before.ends_with(b">>").then_some(end)
}

/// Where the value of the key at `name` begins, if that is `/URI`. Any of its letters may be written `#55`.
fn value_of_uri(bytes: &[u8], name: usize) -> Option<usize> {
    let mut at = name + 1;
    for letter in *b"URI" {
        let escape = || {
            let digits = bytes.get(at + 1..at + 3)?;
            u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
        };
        at += match *bytes.get(at)? {
            byte if byte == letter => 1,
            b'#' if escape() == Some(letter) => 3,
            _ => return None,
        };
    }
    let is_apart = bytes.get(at).is_some_and(|b| is_space(*b) || b"(<%".contains(b));
    is_apart.then(|| after_blanks(bytes, at))
}

/// Where the blanks and comments at `at` end.
fn after_blanks(bytes: &[u8], at: usize) -> usize {
    let limit = bytes.len().min(at + LONGEST);
    let (mut at, mut in_comment) = (at, false);
    while at < limit && (in_comment || is_space(bytes[at]) || bytes[at] == b'%') {
        in_comment = (in_comment || bytes[at] == b'%') && !matches!(bytes[at], b'\r' | b'\n');
        at += 1;
    }
    at
}

fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// A string (§7.3.4): each byte of it and the range that encodes that; and where it ends.
struct PdfString {
    bytes: Vec<(u8, Range<usize>)>,
    end: usize,
}

/// The string in the round brackets that open at `open`. They are balanced; if they are not, the first closing one ends it.
fn literal(bytes: &[u8], open: usize) -> PdfString {
    let limit = bytes.len().min(open + LONGEST);
    let (mut string, mut depth, mut first, mut at) = (Vec::new(), 1, None, open + 1);
    while at < limit {
        let (byte, len) = match bytes[at] {
            b'\\' => escape(&bytes[at..limit]),
            b'(' => {
                depth += 1;
                (Some(b'('), 1)
            }
            b')' => {
                depth -= 1;
                first = first.or(Some((string.len(), at + 1)));
                if depth == 0 {
                    return PdfString { bytes: string, end: at + 1 };
                }
                (Some(b')'), 1)
            }
            b'\r' | b'\n' => (None, 1),
            byte => (Some(byte), 1),
        };
        string.extend(byte.map(|byte| (byte, at..at + len)));
        at += len;
    }
    let (len, end) = first.unwrap_or((0, limit));
    string.truncate(len);
    PdfString { bytes: string, end }
}

/// What the backslash that `bytes` begin with means, and its length with what follows it.
fn escape(bytes: &[u8]) -> (Option<u8>, usize) {
    let digits = bytes[1..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
    match bytes.get(1) {
        Some(b'0'..=b'7') => {
            let octal = bytes[1..=digits].iter().fold(0_u16, |octal, b| octal * 8 + u16::from(b - b'0'));
            (Some(octal as u8), 1 + digits)
        }
        Some(b'\r') if bytes.get(2) == Some(&b'\n') => (None, 3),
        // Tabs and line ends are no part of a URL.
        Some(b'n' | b'r' | b't' | b'b' | b'f' | b'\r' | b'\n') => (None, 2),
        Some(&byte) => (Some(byte), 2),
        None => (None, 1),
    }
}

/// The string of hexadecimal digits in the angle brackets that open at `open`.
fn hexadecimal(bytes: &[u8], open: usize) -> PdfString {
    let limit = bytes.len().min(open + LONGEST);
    let (mut string, mut high, mut at) = (Vec::new(), None, open + 1);
    while at < limit && bytes[at] != b'>' {
        let digit = char::from(bytes[at]).to_digit(16);
        if let Some(digit) = digit {
            match high.take() {
                None => high = Some((digit, at)),
                Some((first, start)) => string.push(((first << 4 | digit) as u8, start..at + 1)),
            }
        }
        at += 1;
    }
    if let Some((digit, start)) = high {
        string.push(((digit << 4) as u8, start..at));
    }
    PdfString { bytes: string, end: (at + 1).min(limit) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use proptest::prelude::*;

    use super::*;

    fn page(file: &[u8]) -> String {
        String::from_utf8(read(file).0.bytes).unwrap()
    }

    fn links(urls: &[&str]) -> String {
        urls.iter().map(|url| format!("<a href=\"{url}\"></a>\n")).collect()
    }

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn strings_of_links() {
        let file = br"%PDF-1.4
1 0 obj << /A << /S /URI /URI (http://h.org/a\(b\)(c)?x&y=\101\
z) >> >> endobj
2 0 obj << /A<</S/URI/URI<687474703A2F2F 682E6F72672F3> >> endobj
3 0 obj << /U#52I (http://h.org/d) /URIs (http://h.org/no) /URI << /Base (http://h.org/no) >> >> endobj
4 0 obj << /URI(\376\377\000h\000t\000t\000p\000:\000/\000/\000h\000.\000o\000r\000g)>> endobj
5 0 obj << /URI (http://h.org/e >> endobj 6 0 obj (x) ";
        let urls = ["http://h.org/a(b)(c)?x&amp;y=Az", "http://h.org/0", "http://h.org/d", "http://h.org"];
        let last = "http://h.org/e &gt;&gt; endobj 6 0 obj (x";
        assert_eq!(page(file), links(&urls) + &links(&[&last.replace("&gt;", ">")]));
    }

    #[test]
    fn streams_of_objects() {
        let objects = deflated(b"7 0 << /S /URI /URI (http://h.org/packed) >>");
        let drawing = b"BT /URI (http://h.org/drawn) ET";
        let mut file = b"%PDF-1.5\n1 0 obj << /Type /ObjStm /N 1 /Filter /FlateDecode >> stream\r\n".to_vec();
        file.extend(&objects);
        file.extend(b"\nendstream endobj\n2 0 obj << /Length 31 >>\nstream\n");
        file.extend(drawing);
        file.extend(b"\nendstream endobj\n3 0 obj << /URI (http://h.org/plain) >>");
        assert_eq!(page(&file), links(&["http://h.org/packed", "http://h.org/plain"]));
        let (page, error) = read(&file);
        let [packed, plain] = ["packed", "plain"].map(|word| {
            let at = memmem::find(&page.bytes, word.as_bytes()).unwrap();
            page.map.sources(at..at + word.len())
        });
        let body = memmem::find(&file, b"stream\r\n").unwrap() + 8;
        assert_eq!(packed, [body..body + objects.len() + 1]);
        assert_eq!(&file[plain[0].clone()], b"plain");
        assert!(error.to_string().starts_with("of a PDF document only the links are read"), "{error}");
    }

    #[test]
    fn what_is_not_read_is_said() {
        let said = |file: &[u8]| read(file).1.to_string();
        assert!(said(b"%PDF-1.4 trailer << /Encrypt 5 0 R >>").contains("encrypted"));
        assert!(said(b"%PDF-1.4 << /URI 12 0 R >>").contains("a link that is another object at byte 17"));
        assert!(said(&b"%PDF-1.4 << /URI 1 0 R >>".repeat(9)).contains("9 times a link"));
        assert!(said(b"%PDF-1.4 << /Encrypt << /EncryptMetadata false >> >>").contains("encrypted"));
        assert!(!said(b"%PDF-1.4 << /EncryptMetadata false >>").contains("encrypted"));
        assert!(said(b"%PDF-1.4 << /URI (x) >>").contains("cut off"));
        assert!(!said(b"%PDF-1.4 << /URI (x) >>\n%%EOF\n").contains("cut off"));
        assert!(
            said(b"%PDF-1.4 << /Type /EmbeddedFile >> << /EmbeddedFiles 1 0 R >>")
                .contains("; a file in it is not read")
        );
        assert!(
            said(b"%PDF-1.4 << /Type/EmbeddedFile>> <</Type/EmbeddedFile >>").contains("; 2 files in it are")
        );
        assert!(
            said(b"%PDF-1.4 << /URI (www.h.org) /URI () >>")
                .contains("; a link without a scheme is not read")
        );
        assert!(
            said(b"%PDF-1.4 << /URI (a) /URI (b) /URI (c:d) >>")
                .contains("; 2 links without a scheme are not")
        );
        let stream =
            |filter: &str| format!("%PDF-1.5 1 0 obj << /Type/ObjStm {filter} >> stream\nx\nendstream");
        assert!(said(stream("/Filter /LZWDecode").as_bytes()).contains("at byte"));
        assert!(said(stream("/Filter /FlateDecode").as_bytes()).contains("at byte"));
        assert!(said(stream("/Filter [/FlateDecode/FlateDecode]").as_bytes()).contains("at byte"));
        assert!(!said(stream("").as_bytes()).contains("at byte"));
        // The bytes differ from those before them, as in a picture (TIFF).
        let predicted = |parameters: &str| {
            let head =
                format!("%PDF-1.5 1 0 obj << /Type/ObjStm /Filter/FlateDecode {parameters} >> stream\n");
            [head.as_bytes(), &deflated(b"1 0 << /URI (http://h.org/a) >>"), b"\nendstream"].concat()
        };
        assert!(said(&predicted("/DecodeParms << /Predictor 2 >>")).contains("at byte"));
        assert!(!said(&predicted("")).contains("at byte"));
    }

    #[test]
    fn links_that_are_objects_of_their_own() {
        let file = b"%PDF-1.3\n1 0 obj << /S /URI /URI 12 0 R >> endobj\n12 0 obj\n(http://h.org/a)\nendobj 112 0 obj (http://h.org/b)";
        assert_eq!(page(file), links(&["http://h.org/a"]));
    }

    #[test]
    fn comments_and_streams_without_end() {
        let file = b"%PDF-1.3\n<< /URI % (x)\n(http://h.org/a) /L 1 >> stream\nx endobj 2 0 obj << /URI(http://h.org/b) >>";
        assert_eq!(page(file), links(&["http://h.org/a", "http://h.org/b"]));
    }

    #[test]
    fn what_grows_beyond_its_file() {
        let many = deflated(&b"/URI(http://h.org/x)".repeat(500_000));
        let mut file = b"%PDF-1.5\n1 0 obj << /Type /ObjStm /Filter /FlateDecode >> stream\n".to_vec();
        file.extend(&many);
        file.extend(b"\nendstream");
        let (page, error) = read(&file);
        assert!(
            page.bytes.len() < MAX_PAGE + LONGEST && error.to_string().contains("a list of links at byte")
        );
    }

    #[test]
    fn a_million_streams_without_end() {
        let file = [&b"%PDF-1.4 "[..], &b"<<>>stream\nendobj ".repeat(500_000)].concat();
        assert_eq!(page(&file), "");
    }

    #[test]
    fn a_million_brackets() {
        let file = [&b"%PDF-1.4 "[..], &b"/URI (".repeat(200_000)].concat();
        assert!(page(&file).len() < file.len());
    }

    proptest! {
        #[test]
        fn any_bytes(words in prop::collection::vec(prop::sample::select(vec![
            &b"%PDF-"[..], b"/URI", b"(", b")", b"<", b">", b">>", b"stream\n", b"endstream", b"\\", b"\\1", b"68", b"#55RI ", b"/#55RI ",
            b"http://h.org/", b"/ObjStm", b"/Filter", b"/FlateDecode", b"\xFE\xFF", b"\0", b" ", b"\n", b"obj", b"9 0 R",
        ]), 0..60)) {
            let file = words.concat();
            let (page, _) = read(&file);
            for at in 0..page.bytes.len() {
                prop_assert!(page.map.sources(at..at + 1).iter().all(|range| range.end <= file.len()));
            }
        }
    }
}
