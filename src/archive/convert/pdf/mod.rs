//! The links of PDF documents, as a page that contains them.
//!
//! A link is an annotation whose action has the key `/URI` (ISO 32000-1 §12.6.4.7): a string, in brackets or in
//! hexadecimal digits. Such a dictionary is an object of the file, or one of several in a stream that is compressed
//! (§7.5.7, `/ObjStm`).
//!
//! A viewer follows the object table, so an object may begin anywhere: after an unclosed comment,
//! within a string or a stream of another object, or in bytes that look damaged. Therefore nothing
//! is skipped. Every solidus of the file may begin the name `/URI`, and every keyword `obj` may
//! begin an object whose stream has objects; the [`syntax`] reads on from there, regardless of the
//! bytes around it. This reads little that a viewer does not show, and the result does not depend
//! on earlier bytes. The object table is not needed, and may be damaged.
//!
//! Ranges overlap only in a document that was constructed for it. A budget of [`READS`] times the
//! length makes that linear. Reads beyond it are reported, as are all links that were seen and not
//! read.
//!
//! Each link records its position in the file; the position of a link in a compressed stream is the
//! whole stream.
//!
//! # Incomplete support
//!
//! The text of a document is in streams of drawing instructions, and is not read. These are not
//! read either: encrypted links, links whose string is an object in a compressed stream, and files
//! in the document. The error of [`read`] says which of this is so. Actions of other kinds (a form
//! that is sent, a program) are not links that a reader follows.

mod filter;
mod syntax;

use std::io;
use std::ops::Range;

use encoding_rs::{UTF_16BE, UTF_16LE};
use memchr::{memchr_iter, memmem};

use crate::archive::source_map::Decoded;
use filter::{FILTERS, Filter, PARAMETERS, Parameters, StreamContent, USUAL};
use syntax::{
    PdfString, PdfToken, after_blanks, end_of_name, is_regular, is_space, reference, string, token,
};

/// The beginning of a document.
const MAGIC: &[u8] = b"%PDF-";

/// The beginning of a PostScript file. A document may begin with it, because viewers accept `%!PS-Adobe-3.0 PDF-1.4`
/// (ISO 32000-1, annex H, note 14).
const POSTSCRIPT: &[u8] = b"%!PS-Adobe-";

/// The maximum number of links in other objects that are resolved.
const MAX_ELSEWHERE: usize = 256;

/// The maximum length of an object number, in bytes.
const NUMBER: usize = 20;

/// The maximum number of decoded bytes of all streams of a document.
const MAX_DECODED: usize = 16 * 1024 * 1024;

/// The maximum number of times that each byte is read on average, besides the search for names and
/// keywords: at least twice in a document without damage.
const READS: usize = 4;

/// The number of bytes that may be read more often in a short document.
const SPARE: usize = 16 * 1024;

/// The distance from the end of the file within which the end mark must be, in bytes.
const END: usize = 2 * 1024;

/// The maximum length of the page of its links, in bytes.
const MAX_PAGE: usize = 4 * 1024 * 1024;

/// The distance from the beginning of a file at which a document may begin, in bytes (ISO 32000-1,
/// annex H, note 13).
const MAX_BEFORE: usize = 1024;

/// The number of bytes that show whether a file is a document.
pub(in crate::archive) const HEAD: usize = 2 * MAX_BEFORE;

/// Returns where a document begins in a file that begins with `bytes`. Because texts mention
/// `%PDF-`, a version must follow it and only spaces may precede it, or an object must follow.
pub(super) fn beginning(bytes: &[u8]) -> Option<usize> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let at = marks(head).next()?;
    let blanks = head[..at].strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&head[..at]);
    let is_first = has_version(&head[at..]) && blanks.iter().all(|b| is_space(*b));
    (is_first || last_object(head) > Some(at)).then_some(at)
}

/// Returns the bytes after the mark of a document, if `bytes` begin with one.
fn after_mark(bytes: &[u8]) -> Option<&[u8]> {
    let after_postscript = || bytes.strip_prefix(POSTSCRIPT)?.get(3..)?.strip_prefix(b" PDF-");
    bytes.strip_prefix(MAGIC).or_else(after_postscript)
}

/// Returns the positions of the marks in a file that begins with `bytes`.
fn marks(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let near = &bytes[..bytes.len().min(MAX_BEFORE + 1)];
    memchr_iter(MAGIC[0], near).filter(|&at| after_mark(&bytes[at..]).is_some())
}

/// Returns the position of the last keyword `obj` that a number precedes.
fn last_object(bytes: &[u8]) -> Option<usize> {
    objects(bytes).filter(|&keyword| number_before(&bytes[..keyword]).is_some()).last()
}

/// Returns true if more bytes could show that `bytes` begin a document. A letter or a digit before the mark begins a
/// text, whose URLs must not wait for more input.
pub(in crate::archive) fn may_begin(bytes: &[u8]) -> bool {
    let letter = bytes.iter().position(u8::is_ascii_alphanumeric).unwrap_or(bytes.len());
    let at = memchr::memrchr(MAGIC[0], &bytes[..letter]).unwrap_or(letter);
    let begins = |mark: &[u8]| bytes[at..].starts_with(mark);
    let is_marked = at <= MAX_BEFORE && (begins(MAGIC) || begins(POSTSCRIPT));
    let needed = if is_marked { HEAD } else { MAX_BEFORE + MAGIC.len() };
    let may_be_mark = || MAGIC.starts_with(&bytes[at..]) || POSTSCRIPT.starts_with(&bytes[at..]);
    bytes.len() < needed && (letter == bytes.len() || is_marked || may_be_mark())
}

/// Returns true if the buffer has a line of text: the following text is searched before more is
/// read.
pub(super) fn has_line(bytes: &[u8]) -> bool {
    let is_text = |line: &[u8]| {
        line.iter().any(u8::is_ascii_alphanumeric)
            && !line.iter().any(|b| b.is_ascii_control() && *b != b'\t')
    };
    let end = memchr::memrchr2(b'\r', b'\n', bytes).unwrap_or(0);
    bytes[..end].split(|b| matches!(b, b'\r' | b'\n')).any(is_text)
}

/// Returns where a document may begin in a text that begins with `bytes`: at the first byte, if
/// that starts a mark, at a line that starts with a mark and a version, or before an object.
pub(in crate::archive) fn in_text(bytes: &[u8]) -> Option<usize> {
    // Nearly no text contains a mark, so objects are not searched for before one is found.
    let mut object = None;
    let mut is_before_object = |at| *object.get_or_insert_with(|| last_object(bytes)) > Some(at);
    let is_line = |at: usize| {
        let line = bytes[..at].iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        matches!(line, Some(b'\r' | b'\n')) && has_version(&bytes[at..])
    };
    marks(bytes).find(|&at| at == 0 || is_line(at) || is_before_object(at))
}

/// Returns true if a version follows: `%PDF-1.7`.
fn has_version(bytes: &[u8]) -> bool {
    matches!(after_mark(bytes), Some([b'0'..=b'9', b'.', b'0'..=b'9', ..]))
}

/// Returns the links of the document `file`, as a page, and an error for its skipped parts.
pub(super) fn read(file: &[u8]) -> (Decoded, Option<io::Error>) {
    let mut reader = PdfReader::read(file, false);
    if reader.is_encrypted {
        // The encryption is known only at the end of the file.
        reader = PdfReader::read(file, true);
    }
    reader.text_before();
    let unread = reader.unread();
    let error = (!unread.is_empty()).then(|| io::Error::new(io::ErrorKind::Unsupported, unread.join("; ")));
    (reader.page, error)
}

/// The number of unread parts of a document, and the offset of the first.
#[derive(Clone, Copy, Default)]
struct Unread {
    count: usize,
    first: usize,
}

impl Unread {
    fn add(&mut self, at: usize) {
        self.first = if self.count == 0 { at } else { self.first };
        self.count += 1;
    }

    /// Returns a note about parts of a kind of which something was searched.
    fn note(self, one: &str, many: &str) -> Option<String> {
        let Unread { count, first } = self;
        match count {
            0 => None,
            1 => Some(format!("one {one} at byte {first} was only partly searched")),
            _ => Some(format!("{count} {many}, the first at byte {first}, were only partly searched")),
        }
    }
}

/// Returns a note about unread parts of a kind.
fn count_of(count: usize, one: &str, many: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("one {one} was not searched")),
        count => Some(format!("{count} {many} were not searched")),
    }
}

/// Maps a range of some bytes to the file.
type ToFile<'s> = &'s dyn Fn(Range<usize>) -> Range<usize>;

/// A name that shows the content of a document.
#[derive(Clone, Copy)]
enum PdfKey {
    Link,
    /// An object stream.
    Objects,
    Table,
    Encryption,
    File,
}

const KEYS: [(&[u8], PdfKey); 6] = [
    (b"URI", PdfKey::Link),
    (b"ObjStm", PdfKey::Objects),
    (b"First", PdfKey::Objects),
    (b"XRef", PdfKey::Table),
    (b"Encrypt", PdfKey::Encryption),
    (b"EmbeddedFile", PdfKey::File),
];

/// The key that the name at `at` is, and the end of that.
fn key(bytes: &[u8], at: usize) -> Option<(PdfKey, usize)> {
    // Most names belong to fonts and to other resources.
    let begins =
        |name: &[u8]| matches!(name, b"UR" | b"Ob" | b"Fi" | b"XR" | b"En" | b"Em" | [b'#', _] | [_, b'#']);
    if !bytes.get(at + 1..at + 3).is_some_and(begins) {
        return None;
    }
    KEYS.iter().find_map(|(name, key)| Some((*key, end_of_name(bytes, at, name)?)))
}

#[derive(Default)]
struct PdfReader<'f> {
    file: &'f [u8],
    page: Decoded,
    /// The positions of the page's links in the file, and their ends in the page.
    order: Vec<(usize, usize)>,
    /// The number of bytes that may still be decoded.
    left: usize,
    /// The number of bytes that may still be read.
    budget: usize,
    /// The numbers of objects that are links, where these are referred to, and whether they were found.
    elsewhere: Vec<(u32, usize, bool)>,
    is_encrypted: bool,
    /// The position of the last name that marks an object stream.
    last_objects: Option<usize>,
    /// The number of streams that were read or contain no text.
    streams: usize,
    files: usize,
    /// The number of links without a scheme, whose base only the document may declare.
    relative: usize,
    encrypted: usize,
    unread_streams: Unread,
    unread_objects: Unread,
    unread_links: Unread,
    unread_strings: Unread,
}

impl<'f> PdfReader<'f> {
    /// Reads a document that is encrypted or not.
    fn read(file: &'f [u8], is_encrypted: bool) -> Self {
        let mut reader =
            PdfReader { file, is_encrypted, left: MAX_DECODED, budget: SPARE, ..PdfReader::default() };
        reader.names(file, &|range| range);
        if let Some(last) = reader.last_objects {
            reader.object_streams(last);
        }
        reader.sort();
        reader.links_elsewhere();
        reader
    }

    /// Returns notes about the unread parts: first the parts that may contain links, so that the
    /// list of links does not look complete.
    fn unread(&self) -> Vec<String> {
        let partly = [
            self.unread_streams.note("object stream", "object streams"),
            self.unread_objects.note("link in another object", "links in other objects"),
            self.unread_links.note("link beyond the limits", "links beyond the limits"),
            self.unread_strings.note("link string", "link strings"),
        ];
        let mut unread: Vec<_> = partly.into_iter().flatten().collect();
        unread.extend(count_of(self.encrypted, "encrypted link", "encrypted links"));
        if self.is_encrypted && !unread.is_empty() {
            unread.insert(0, "it is encrypted".to_owned());
        }
        unread.extend(count_of(self.relative, "link without a scheme", "links without a scheme"));
        let streams = memmem::find_iter(self.file, b"endstream").count().saturating_sub(self.streams);
        if streams > 0 {
            unread.push("only the links of PDF documents are searched, not their text".to_owned());
        }
        let end = &self.file[self.file.len().saturating_sub(END)..];
        if memmem::rfind(end, b"%%EOF").is_none() {
            unread.push("it is truncated, or something follows its end".to_owned());
        }
        unread.extend(count_of(self.files, "embedded file", "embedded files"));
        unread
    }

    /// Takes `len` bytes of the budget; returns false if fewer are left.
    fn may_read(&mut self, len: usize) -> bool {
        self.budget = self.budget.saturating_sub(len);
        self.budget > 0
    }

    /// Reads the names in `bytes`, and adds the links to the page; `source` is where a range of them is in the file.
    fn names(&mut self, bytes: &[u8], source: ToFile<'_>) {
        self.budget += READS * bytes.len();
        for name in memchr::memchr_iter(b'/', bytes) {
            match key(bytes, name) {
                Some((PdfKey::Link, end)) => self.value(bytes, name..end, source),
                Some((PdfKey::Objects, _)) => self.last_objects = Some(name),
                Some((PdfKey::Table, _)) => self.streams += 1,
                Some((PdfKey::Encryption, _)) => self.is_encrypted = true,
                Some((PdfKey::File, _)) => self.files += 1,
                None => {}
            }
        }
    }

    /// Adds the value of the key `name`, if it is a link.
    fn value(&mut self, bytes: &[u8], name: Range<usize>, source: ToFile<'_>) {
        let at = source(name.clone()).start;
        if self.budget == 0 || self.page.bytes.len() > MAX_PAGE {
            return self.unread_links.add(at);
        }
        let value = after_blanks(bytes, name.end);
        self.may_read(value - name.end);
        if let Some(string) = string(bytes, value) {
            self.may_read(string.read - value);
            self.link(&string, at, source);
            return;
        }
        let (number, end) = reference(bytes, value);
        self.may_read(end - value);
        match number {
            Some(number) if self.elsewhere.len() < MAX_ELSEWHERE => {
                self.elsewhere.push((number, source(value..value + 1).start, false));
            }
            Some(_) => self.unread_objects.add(at),
            None => {}
        }
    }

    /// Adds a link whose string is at `at` of the file.
    fn link(&mut self, string: &PdfString, at: usize, source: ToFile<'_>) {
        let PdfString { bytes, is_whole, .. } = string;
        if !is_whole {
            self.unread_strings.add(at);
        }
        // Viewers read both byte orders, though the standard has only the first.
        let encoding = match &**bytes {
            [(0xFE, _), (0xFF, _), ..] => Some(UTF_16BE),
            [(0xFF, _), (0xFE, _), ..] => Some(UTF_16LE),
            _ => None,
        };
        let wide = encoding.map(|encoding| {
            let units: Vec<u8> = bytes[2..].iter().map(|(byte, _)| *byte).collect();
            let (url, _) = encoding.decode_without_bom_handling(&units[..units.len() & !1]);
            let range = bytes[0].1.start..bytes[bytes.len() - 1].1.end;
            url.bytes().map(|byte| (byte, range.clone())).collect()
        });
        let bytes: &Vec<_> = wide.as_ref().unwrap_or(bytes);
        let has_scheme = bytes.iter().any(|(byte, _)| *byte == b':');
        let is_ascii = || bytes.iter().all(|(byte, _)| matches!(byte, b' '..=b'~'));
        if self.is_encrypted && !is_ascii() {
            self.encrypted += 1;
            return;
        }
        self.relative += usize::from(!has_scheme && !bytes.is_empty());
        self.page.put(b"<a href=\"", 0..0);
        for (byte, range) in bytes {
            self.page.put(escaped(byte), source(range.clone()));
        }
        self.page.put(b"\"></a>\n", 0..0);
        self.order.push((at, self.page.bytes.len()));
    }

    /// Adds the bytes before the document, and the whole file if it may be a text that contains a
    /// document.
    fn text_before(&mut self) {
        let before = &self.file[..beginning(self.file).unwrap_or(0)];
        if !before.iter().any(u8::is_ascii_alphanumeric) {
            return;
        }
        let is_text = !self.file.iter().any(|b| matches!(b, 0..=8 | 0x0E..=0x1F));
        let text = if is_text { self.file } else { before };
        self.page.put(b"<pre>", 0..0);
        for (at, byte) in text.iter().enumerate() {
            self.page.put(escaped(byte), at..at + 1);
        }
        self.page.put(b"</pre>", 0..0);
    }

    /// Sorts the links into file order.
    fn sort(&mut self) {
        if self.order.is_sorted_by_key(|(at, _)| *at) {
            return;
        }
        let starts = std::iter::once(0).chain(self.order.iter().map(|(_, end)| *end));
        let mut links: Vec<_> =
            self.order.iter().zip(starts).map(|((at, end), start)| (*at, start..*end)).collect();
        links.sort_by_key(|(at, _)| *at);
        let page = std::mem::take(&mut self.page);
        links.into_iter().for_each(|(_, range)| self.page.append_part(&page, range));
    }

    /// Adds the links whose strings are objects of their own, `12 0 obj (http://h.org/) endobj`. If
    /// several objects have the same number, the object table contains one of them.
    fn links_elsewhere(&mut self) {
        let mut wanted = std::mem::take(&mut self.elsewhere);
        let file = self.file;
        if wanted.is_empty() {
            return;
        }
        for keyword in objects(file) {
            let Some(number) = number_before(&file[..keyword]) else { continue };
            if !wanted.iter().any(|(wanted, ..)| *wanted == number) || self.budget == 0 {
                continue;
            }
            let value = after_blanks(file, keyword + b"obj".len());
            self.may_read(value - keyword);
            if let Some(string) = string(file, value) {
                self.may_read(string.read - value);
                wanted.iter_mut().for_each(|(wanted, _, found)| *found |= *wanted == number);
                self.link(&string, value, &|range| range);
            }
        }
        wanted.iter().filter(|(_, _, found)| !found).for_each(|(_, at, _)| self.unread_objects.add(*at));
    }

    /// Adds the links in the object streams, the last of which has a name at `last`.
    fn object_streams(&mut self, last: usize) {
        let file = self.file;
        // The end of the last stream that has an end: the search for further ends stops there.
        let last_end = memmem::rfind(file, b"endstream").unwrap_or(0);
        for keyword in objects(&file[..last]) {
            let Some(ObjectStream { mut filters, parameters, is_elsewhere, body, .. }) =
                self.object_stream(keyword)
            else {
                continue;
            };
            filters.extend(is_elsewhere.then_some(Filter::Unsupported));
            self.streams += 1;
            if filters.is_empty() {
                // The names in an unfiltered stream were read together with the names of the file.
                continue;
            }
            let parameters = parameters.into_iter().chain(std::iter::repeat(USUAL));
            let filters: Vec<_> = filters.into_iter().zip(parameters).collect();
            let content = filter::decode(&file[body..], &filters, self.left);
            let StreamContent { bytes, read, is_whole } = content;
            self.left -= bytes.len().min(self.left);
            if !is_whole || !self.may_read(read) {
                self.unread_streams.add(body);
            }
            let word: &[u8] = if body <= last_end { b"endstream" } else { b"endobj" };
            let end = memmem::find(&file[body..], word).map_or(file.len(), |n| body + n);
            self.may_read(end - body);
            self.names(&bytes, &|_| body..end);
        }
    }

    /// The object stream after the `keyword`, if that object is one.
    fn object_stream(&mut self, keyword: usize) -> Option<ObjectStream> {
        let mut at = keyword + b"obj".len();
        let mut stream = ObjectStream::default();
        loop {
            if self.budget == 0 {
                self.unread_links.add(keyword);
                return None;
            }
            let token = token(self.file, at);
            let end = token.as_ref().map_or(self.file.len(), |(_, end)| *end);
            self.may_read(end - at);
            let (token, _) = token?;
            at = end;
            stream.push(token);
            if stream.depth == 0 {
                break;
            }
        }
        let keyword = after_blanks(self.file, at);
        self.may_read(keyword - at);
        let rest = self.file[keyword..].strip_prefix(b"stream").filter(|_| stream.is_one)?;
        // Writers put spaces before the end of the line, which the standard does not allow.
        let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let line = match rest[blanks..] {
            [b'\r', b'\n', ..] => blanks + 2,
            [b'\r' | b'\n', ..] => blanks + 1,
            _ => 0,
        };
        stream.body = self.file.len() - rest.len() + line;
        Some(stream)
    }
}

/// The meaning of an entry's value.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Entry {
    #[default]
    Other,
    Filters,
    Parameters,
}

/// A stream, as far as its dictionary was read.
#[derive(Default)]
struct ObjectStream {
    /// True if it contains objects.
    is_one: bool,
    filters: Vec<Filter>,
    parameters: Vec<Parameters>,
    /// True if a filter or a parameter is another object.
    is_elsewhere: bool,
    /// The offset at which its content begins.
    body: usize,
    /// The number of dictionaries that are open, and of arrays in the first and in the second of them.
    depth: usize,
    arrays: [usize; 2],
    entry: Entry,
    /// The parameter whose value follows.
    parameter: Option<usize>,
    /// True if a key was the last token: the next token is its value, even if it is a name.
    after_key: bool,
}

impl ObjectStream {
    /// Reads the next token of the dictionary. Only the parameters count among the dictionaries in
    /// it.
    fn push(&mut self, token: PdfToken<'_>) {
        let after_key = std::mem::take(&mut self.after_key);
        let arrays = self.arrays.get_mut(self.depth.wrapping_sub(1));
        let is_value = after_key || arrays.as_ref().is_none_or(|arrays| **arrays > 0);
        match token {
            PdfToken::OpenDictionary => {
                self.depth += 1;
                if self.depth == 2 {
                    (self.arrays[1], self.parameter) = (0, None);
                    if self.entry == Entry::Parameters {
                        self.parameters.push(USUAL);
                    }
                }
            }
            PdfToken::CloseDictionary => self.depth = self.depth.saturating_sub(1),
            PdfToken::OpenArray => arrays.into_iter().for_each(|arrays| *arrays += 1),
            PdfToken::CloseArray => arrays.into_iter().for_each(|arrays| *arrays = arrays.saturating_sub(1)),
            PdfToken::Name(_) if is_value && self.depth > 1 => {}
            PdfToken::Name(name) if is_value => {
                let is = |key: &[u8]| end_of_name(name, 0, key).is_some();
                self.is_one |= is(b"ObjStm");
                if self.entry == Entry::Filters {
                    let known = FILTERS.iter().find(|(key, _)| is(key));
                    self.filters.push(known.map_or(Filter::Unsupported, |(_, filter)| *filter));
                }
            }
            PdfToken::Name(name) => {
                self.after_key = true;
                self.key(name);
            }
            PdfToken::Word(word) if self.depth == 1 => match (self.entry, word) {
                (Entry::Other, _) => {}
                // References to other objects are not resolved.
                (_, b"R") => self.is_elsewhere = true,
                (Entry::Parameters, b"null") => self.parameters.push(USUAL),
                _ => {}
            },
            PdfToken::Word(word) if self.depth == 2 && self.arrays[1] == 0 => self.parameter(word, after_key),
            PdfToken::Word(_) | PdfToken::Other => {}
        }
    }

    /// Reads a key of the dictionary or of the parameters. The last of several equal keys counts.
    fn key(&mut self, name: &[u8]) {
        let is = |key: &[u8]| end_of_name(name, 0, key).is_some();
        if self.depth > 1 {
            self.parameter = PARAMETERS.iter().position(|key| is(key));
            return;
        }
        self.is_one |= is(b"First");
        self.entry = match () {
            () if is(b"Filter") || is(b"F") => {
                self.filters.clear();
                Entry::Filters
            }
            () if is(b"DecodeParms") || is(b"DP") => {
                self.parameters.clear();
                Entry::Parameters
            }
            () => Entry::Other,
        };
    }

    /// Reads the value of a parameter: a number, whose fraction does not count.
    fn parameter(&mut self, word: &[u8], after_key: bool) {
        let (Entry::Parameters, Some(key)) = (self.entry, self.parameter) else { return };
        let whole =
            word.split(|b| *b == b'.').next().and_then(|whole| str::from_utf8(whole).ok()?.parse().ok());
        match (self.parameters.last_mut(), whole) {
            (Some(parameters), Some(number)) if after_key => parameters[key] = number,
            _ => self.is_elsewhere |= word == b"R",
        }
    }
}

/// Returns the positions of the keyword `obj` in `file`.
fn objects(file: &[u8]) -> impl Iterator<Item = usize> {
    let is_apart = |at: usize| file.get(at).is_none_or(|b| !is_regular(*b));
    memmem::find_iter(file, b"obj")
        .filter(move |at| *at > 0 && is_apart(at - 1) && is_apart(at + b"obj".len()))
}

/// The number of the object whose `obj` follows `bytes`: `12 0 `.
fn number_before(bytes: &[u8]) -> Option<u32> {
    let digits = |bytes: &[u8]| bytes.iter().rev().take_while(|b| b.is_ascii_digit()).count().min(NUMBER);
    let trimmed = |bytes: &[u8]| bytes.len() - bytes.iter().rev().take_while(|b| is_space(**b)).count();
    let bytes = &bytes[..trimmed(bytes)];
    let generation = digits(bytes);
    let bytes = &bytes[..bytes.len() - generation];
    let bytes = &bytes[..trimmed(bytes)];
    let number = &bytes[bytes.len() - digits(bytes)..];
    if generation == 0 { None } else { str::from_utf8(number).ok()?.parse().ok() }
}

/// Returns a byte as written in an attribute's value.
fn escaped(byte: &u8) -> &[u8] {
    match byte {
        b'&' => b"&amp;",
        b'"' => b"&quot;",
        b'<' => b"&lt;",
        byte => std::slice::from_ref(byte),
    }
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
    fn lines_of_text_before_a_document() {
        for (bytes, has) in [
            (&b"a\n"[..], true),
            (b"a\tb\r", true),
            (b"a", false),
            (b"-- \n", false),
            (b"a\x01b\n", false),
            (b"a\x01b\n2\n", true),
        ] {
            assert_eq!(has_line(bytes), has, "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn beginnings() {
        for (bytes, at) in [
            (&b"%PDF-1.4"[..], Some(0)),
            (b"\n\0 %PDF-2.0\n", Some(3)),
            (b"\xEF\xBB\xBF%PDF-1.4", Some(3)),
            (b"%PDF-x.y\n%\xE2\n1 0\nobj<<", Some(0)),
            (b"\x01junk %PDF-1.4\n1 0 obj", Some(6)),
            (b"%PDF-x.y\nobj", None),
            (b"a file begins with %PDF-1.4 and\n1 2 objects", None),
            (b"%PDF is no PDF", None),
        ] {
            assert_eq!(beginning(bytes), at, "{}", bytes.escape_ascii());
        }
        let far = |len| beginning(&[&vec![b' '; len], &b"%PDF-1.4"[..]].concat());
        assert_eq!([far(MAX_BEFORE), far(MAX_BEFORE + 1)], [Some(MAX_BEFORE), None]);
        // A text is searched at once.
        assert_eq!(beginning(b"\n%!PS-Adobe-3.0 PDF-1.4"), Some(1));
        assert_eq!([beginning(b"%!PS-Adobe-3.0"), beginning(b"%!PS-Adobe-3.0 EPSF-1.4")], [None; 2]);
        assert!(
            may_begin(b"%") && may_begin(b"\n%!P") && may_begin(b"%!PS-Adobe-3.0 PD") && !may_begin(b"%!PX")
        );
        assert!(may_begin(b"") && may_begin(b"\n") && may_begin(b"\0\n%PD") && may_begin(b"\x01%PDF-1.4"));
        assert!(!may_begin(b"a text") && !may_begin(b"a %PD") && !may_begin(&[b' '; 2 * MAX_BEFORE]));
        assert_eq!(in_text(b"a text\n%PDF-1.4\n"), Some(7));
        assert_eq!(in_text(b"a %PDF-1.4\n%PDF-1.5\n"), Some(11));
        assert_eq!([in_text(b"a %PDF-1.4\n"), in_text(b"a\n%PDF-\n"), in_text(b"a")], [None; 3]);
    }

    /// A file that looks like a text with a document in it is read as both.
    #[test]
    fn text_before() {
        let text = b"http://h.org/<a>:\n%PDF-1.4\n1 0 obj";
        let shown = "<pre>http://h.org/&lt;a>:\n%PDF-1.4\n1 0 obj</pre>";
        assert_eq!(page(text), shown);
        let data = [text, &b"<< /URI (b:c) >> \0"[..]].concat();
        assert_eq!(page(&data), links(&["b:c"]) + "<pre>http://h.org/&lt;a>:\n</pre>");
    }

    /// Instructions are measured elsewhere; this bounds repeated reads.
    #[test]
    fn what_overlaps_is_read_a_few_times() {
        for (word, count) in [
            ("/URI%", 20_000),
            ("/URI(()", 20_000),
            ("/URI((", 20_000),
            ("/URI 1%", 20_000),
            ("/First 1 0 obj%", 8_000),
            ("/First 1 0 obj<<%", 8_000),
            ("/First 1 0 obj<<(", 8_000),
            ("/First 1 0 obj<<<a ", 8_000),
            ("1 0 obj<</First 1/F/Fl>>stream\n", 4_000),
        ] {
            let file = ["%PDF-1.4 /URI 1 0 R", &word.repeat(count)].concat();
            let mut reader = PdfReader::read(file.as_bytes(), false);
            reader.text_before();
            assert!(reader.budget < SPARE + READS * file.len(), "{word}");
            assert!(
                reader.page.bytes.len() < (READS + 1) * file.len() + SPARE + syntax::MAX_STRING,
                "{word}"
            );
            assert!(reader.unread().concat().contains("links beyond the limits"), "{word}");
        }
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
        let urls = ["http://h.org/packed", "http://h.org/drawn", "http://h.org/plain"];
        assert_eq!(page(&file), links(&urls));
        let (page, error) = read(&file);
        let [packed, plain] = ["packed", "plain"].map(|word| {
            let at = memmem::find(&page.bytes, word.as_bytes()).unwrap();
            page.map.sources(at..at + word.len())
        });
        let body = memmem::find(&file, b"stream\r\n").unwrap() + 8;
        assert_eq!(packed, [body..body + objects.len() + 1]);
        assert_eq!(&file[plain[0].clone()], b"plain");
        let error = error.unwrap().to_string();
        assert!(error.starts_with("only the links of PDF documents are searched, not their text"), "{error}");
    }

    #[test]
    fn object_streams_share_a_limit() {
        for (len, is_said) in [(MAX_DECODED / 2 - 1, false), (MAX_DECODED / 2, true)] {
            let stream = |len| {
                let head = b"1 0 obj<</Type/ObjStm/Filter/Fl>>stream\n";
                [&head[..], &deflated(&vec![b' '; len]), b"endstream endobj "].concat()
            };
            let streams = [stream(MAX_DECODED / 2), stream(len)].concat();
            let error = read(&[b"%PDF-1.5 ", &streams[..], b"%%EOF"].concat()).1;
            let said = error.map_or(String::new(), |error| error.to_string());
            assert_eq!(said.contains("one object stream at byte"), is_said, "{len}: {said}");
        }
    }

    #[test]
    fn what_is_not_read_is_said() {
        let said = |file: &[u8]| read(file).1.map_or(String::new(), |error| error.to_string());
        assert_eq!(said(b"%PDF-1.4 << /URI (http://h.org/) >>\n%%EOF"), "");
        let encrypted =
            said(b"%PDF-1.4 << /URI (\xE9\x01) /URI (a\xFF) >> trailer << /Encrypt 5 0 R >>\n%%EOF");
        assert_eq!(encrypted, "it is encrypted; 2 encrypted links were not searched");
        assert_eq!(said(b"%PDF-1.4 << /URI (http://h.org/) >> %/Encrypt\n%%EOF"), "");
        assert!(said(b"%PDF-1.4 << /URI 12 0 R >>").contains("one link in another object at byte 17"));
        assert!(
            said(&b"%PDF-1.4 << /URI 1 0 R >>".repeat(9))
                .contains("9 links in other objects, the first at byte 17, were")
        );
        assert!(!said(b"%PDF-1.4 << /URI (\xE9) /EncryptMetadata false >>").contains("encrypted"));
        assert!(said(b"%PDF-1.4 << /URI (x) >>").contains("truncated"));
        assert!(!said(b"%PDF-1.4 << /URI (x) >>\n%%EOF\n").contains("truncated"));
        assert!(
            said(b"%PDF-1.4 << /Type /EmbeddedFile >> << /EmbeddedFiles 1 0 R >>")
                .contains("; one embedded file was not searched")
        );
        assert!(
            said(b"%PDF-1.4 << /Type/EmbeddedFile>> <</Type/EmbeddedFile >>")
                .contains("; 2 embedded files were")
        );
        assert!(
            said(b"%PDF-1.4 << /URI (www.h.org) /URI () >>")
                .contains("one link without a scheme was not searched")
        );
        assert!(
            said(b"%PDF-1.4 << /URI (a) /URI (b) /URI (c:d) >>")
                .contains("2 links without a scheme were not")
        );
        let stream =
            |filter: &str| format!("%PDF-1.5 1 0 obj << /Type/ObjStm {filter} >> stream\nx\nendstream");
        assert!(said(stream("/Filter /LZWDecode").as_bytes()).contains("at byte"));
        assert!(said(stream("/Filter /FlateDecode").as_bytes()).contains("at byte"));
        assert!(said(stream("/Filter [/FlateDecode/FlateDecode]").as_bytes()).contains("at byte"));
        assert!(!said(stream("").as_bytes()).contains("at byte"));
        // A row that begins with an unknown filter probably has another length.
        let rows = |columns: &str| {
            let head = format!(
                "%PDF-1.5 1 0 obj<</Type/ObjStm/Filter/Fl/DecodeParms<</Predictor 12/Columns {columns}>>>>stream\n"
            );
            said(&[head.as_bytes(), &deflated(b"\x005 0 \0<</U\0RI(a\0:b)>\0>"), b"endstream %%EOF"].concat())
        };
        assert_eq!([rows("4"), rows("4.0")], [""; 2]);
        for columns in ["5", "9 0 R"] {
            assert!(rows(columns).contains("one object stream at byte"), "{columns}");
        }
    }

    /// Each limit is reached, and then exceeded by one.
    #[test]
    fn limits() {
        let whole = |inner: &[u8]| {
            let error = read(&[b"%PDF-1.4 /URI ", inner, b"%%EOF"].concat()).1;
            error.is_none_or(|error| !error.to_string().contains("was only partly searched"))
        };
        let literal = |len: usize| [b"(a:", &vec![b'x'; len - 2][..], b")"].concat();
        let digits = |len: usize| [b"<613a", &vec![b'7'; len - 4][..], b">"].concat();
        // Both brackets count.
        let len = syntax::MAX_STRING - 2;
        assert_eq!([whole(&literal(len)), whole(&literal(len + 1))], [true, false]);
        assert_eq!([whole(&digits(len)), whole(&digits(len + 1))], [true, false]);
        let elsewhere = |count: usize| {
            let references = (1..=count).map(|n| format!("/URI {n} 0 R "));
            let objects = (1..=count).map(|n| format!("{n} 0 obj (http://h.org/{n}) endobj "));
            references.chain(objects).collect::<String>()
        };
        let said = [MAX_ELSEWHERE, MAX_ELSEWHERE + 1].map(|count| whole(elsewhere(count).as_bytes()));
        assert_eq!(said, [true, false]);
        let cut = |len: usize| read(&[b"%PDF-1.4 %%EOF", &vec![b' '; len][..]].concat()).1.is_some();
        assert_eq!([cut(END - 5), cut(END - 4)], [false, true]);
    }

    /// A link of UTF-16 is where its characters are, without the brackets.
    #[test]
    fn places_of_utf_16() {
        for (string, len) in [
            (&b"<FEFF0061003A0062>"[..], 16),
            (b"<FEFF0061003A006>", 15),
            (b"(\xFE\xFF\0a\0:\0b)", 8),
            (b"(\xFF\xFEa\0:\0b\0)", 8),
            (b"<FEFF0061003A0062", 16),
        ] {
            let file = [b"%PDF-1.4 /URI ", string].concat();
            let page = read(&file).0;
            let at = links(&[""]).find("\">").unwrap();
            assert_eq!(page.map.sources(at..at + 1), [15..15 + len], "{}", string.escape_ascii());
        }
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
            page.bytes.len() < MAX_PAGE + syntax::MAX_STRING
                && error.unwrap().to_string().contains(" links beyond the limits, the first at byte 6")
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
