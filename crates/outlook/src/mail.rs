//! Converts the properties of a message into mail.
//!
//! ```text
//! MIME-Version: 1.0
//! Content-Type: multipart/mixed; boundary="=_1"
//! Received: …                                     the original header, or one from properties
//!
//! --=_1
//! Content-Type: text/plain; charset=utf-8
//!
//! the body
//! --=_1
//! Content-Type: message/rfc822
//!
//! a message in the message
//! --=_1--
//! ```
//!
//! [`Properties`] finds them, in the storages of a compound
//! file or in the nodes of a mailbox.

use std::io;

use crate::filetime;
use crate::rtf;
use crate::text::{Body, Text};

/// The maximum depth of nested messages.
const MAX_DEPTH: usize = 32;

/// The properties that form the field of this name; the last three are pages of a contact: business, personal, FTP.
const FIELDS: [(&str, u16); 7] = [
    ("Subject", 0x0037),
    ("To", 0x0E04),
    ("Cc", 0x0E03),
    ("Message-ID", 0x1035),
    ("X-URL", 0x3A51),
    ("X-URL", 0x3A50),
    ("X-URL", 0x3A4C),
];

/// The original header, the bodies, and the data, media type and file name of an attachment.
const TRANSPORT_HEAD: u16 = 0x007D;
const TEXT: u16 = 0x1000;
const HTML: u16 = 0x1013;
pub(crate) const COMPRESSED_RTF: u16 = 0x1009;
pub(crate) const DATA: u16 = 0x3701;
const MEDIA_TYPE: u16 = 0x370E;

/// The author's name, the address, and the one of these that is an email address.
const AUTHOR: u16 = 0x0C1A;
const AUTHOR_ADDRESS: [u16; 2] = [0x5D01, 0x0C1F];

/// Properties of a fixed length: the date of sending or arrival, and the code page of the text.
const DATES: [u32; 2] = [0x0039_0040, 0x0E06_0040];
const CODE_PAGES: [u32; 2] = [0x3FDE_0003, 0x3FFD_0003];

/// A source of messages, whose text is read as `T`: their properties, their attachments, and the messages in these.
pub(crate) trait Properties<T> {
    /// The position of a message or an attachment.
    type Place;
    /// A message or an attachment.
    type Item;

    /// The message at a position. Unreadable parts are missing, and the error explains why.
    fn message(&mut self, place: Self::Place) -> (Self::Item, Option<io::Error>);

    /// The attachment at a position; errors are as in [`message`](Self::message).
    fn attachment(&mut self, place: Self::Place) -> (Self::Item, Option<io::Error>);

    /// A property, if the item has it: text if possible, otherwise bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the property is damaged or too long.
    fn value(&mut self, item: &Self::Item, id: u16) -> io::Result<Option<Value<T>>>;

    /// A property of a fixed length, by its tag: its number, and its type below that.
    fn fixed(&self, item: &Self::Item, tag: u32) -> Option<u64>;

    /// The attachments of a message, in order.
    fn attachments(&mut self, message: &Self::Item) -> Vec<Self::Place>;

    /// The message in an attachment.
    fn embedded(&mut self, attachment: &Self::Item) -> Option<Self::Place>;
}

/// A message as mail.
pub(crate) struct Mail<'p, T, P: Properties<T>> {
    source: &'p mut P,
    /// True if attachments that are not text are read.
    attachments: bool,
    text: T,
    /// The first error.
    error: Option<io::Error>,
    tasks: Vec<Task<P::Place>>,
    /// The number of delimiters so far.
    delimiters: usize,
}

/// A part of the mail that is still to be written; the last one comes first.
enum Task<Place> {
    Message {
        place: Place,
        depth: usize,
    },
    /// The attachment of a message with this delimiter.
    Attachment {
        place: Place,
        delimiter: String,
        depth: usize,
    },
    Write(String),
}

impl<'p, T: Text, P: Properties<T>> Mail<'p, T, P> {
    /// The message at a position as mail, and the first error. `attachments` decides whether
    /// attachments that are not text are read.
    pub(crate) fn read(source: &'p mut P, place: P::Place, attachments: bool) -> (T, Option<io::Error>) {
        let tasks = vec![Task::Message { place, depth: 0 }];
        let mut mail = Mail { source, attachments, text: T::default(), error: None, tasks, delimiters: 0 };
        while let Some(task) = mail.tasks.pop() {
            match task {
                Task::Message { place, depth } => mail.message(place, depth),
                Task::Attachment { place, delimiter, depth } => mail.attachment(place, &delimiter, depth),
                Task::Write(text) => mail.write(&text),
            }
        }
        (mail.text, mail.error)
    }

    /// Writes text that is not in the file.
    fn write(&mut self, text: &str) {
        self.text.put(text.as_bytes(), 0..0);
    }

    /// A value, if the item has it and it can be read.
    fn value(&mut self, item: &P::Item, id: u16) -> Option<Value<T>> {
        let value = self.source.value(item, id);
        self.note(value).flatten()
    }

    fn note<N>(&mut self, result: io::Result<N>) -> Option<N> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    fn message(&mut self, place: P::Place, depth: usize) {
        self.delimiters += 1;
        let delimiter = format!("=_{}", self.delimiters);
        let (message, error) = self.source.message(place);
        self.note(error.map_or(Ok(()), Err));
        self.write(&format!("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"{delimiter}\"\n"));
        self.head(&message);
        self.write("\n");
        self.bodies(&message, &delimiter);
        self.tasks.push(Task::Write(format!("\n--{delimiter}--\n")));
        for place in self.source.attachments(&message).into_iter().rev() {
            self.tasks.push(Task::Attachment { place, delimiter: delimiter.clone(), depth });
        }
    }

    /// Writes the original header, and the fields that it lacks.
    fn head(&mut self, message: &P::Item) {
        let mut names = Vec::new();
        if let Some(head) = self.value(message, TRANSPORT_HEAD).map(Value::into_text) {
            for (name, range) in head.fields() {
                let name = name.to_ascii_lowercase();
                let structure = name.is_empty() || name.starts_with(b"content-") || name == b"mime-version";
                if !structure {
                    self.text.append_part(&head, range);
                    names.push(name);
                }
            }
            if !self.text.as_bytes().ends_with(b"\n") {
                self.write("\n");
            }
        }
        let lacks = |name: &str| !names.iter().any(|known| known.eq_ignore_ascii_case(name.as_bytes()));
        for (name, id) in FIELDS.into_iter().filter(|(name, _)| lacks(name)) {
            if let Some(value) = self.value(message, id) {
                self.field(name, &[("", value.into_text())]);
            }
        }
        if lacks("From") {
            let name = self.value(message, AUTHOR).map(Value::into_text).unwrap_or_default();
            let address =
                AUTHOR_ADDRESS.into_iter().find_map(|id| self.value(message, id)).map(Value::into_text);
            match address.filter(|address| !address.as_bytes().is_empty()) {
                Some(address) => self.field("From", &[("", name), (" <", address), (">", T::default())]),
                None if !name.as_bytes().is_empty() => self.field("From", &[("", name)]),
                None => {}
            }
        }
        let date = DATES.into_iter().find_map(|tag| filetime::rfc5322(self.source.fixed(message, tag)?));
        if let Some(date) = date.filter(|_| lacks("Date")) {
            self.write(&format!("Date: {date}\n"));
        }
    }

    /// Writes a field with these values, each after a text, on one line.
    fn field(&mut self, name: &str, values: &[(&str, T)]) {
        self.write(&format!("{name}: "));
        for (before, value) in values {
            self.write(before);
            let mut start = 0;
            for line in value.as_bytes().split(|b| matches!(b, b'\r' | b'\n')) {
                self.text.append_part(value, start..start + line.len());
                start += line.len() + 1;
            }
        }
        self.write("\n");
    }

    /// Writes the bodies, each as a part. RTF is read if the message has no other body; otherwise, only
    /// the links that the other bodies lack are read.
    fn bodies(&mut self, message: &P::Item, delimiter: &str) {
        let page = CODE_PAGES.into_iter().find_map(|tag| self.source.fixed(message, tag));
        let mut others = Vec::new();
        for (id, media) in [(TEXT, "text/plain"), (HTML, "text/html")] {
            if let Some(value) = self.value(message, id) {
                let charset = match value {
                    Value::Text(_) => "utf-8".to_owned(),
                    Value::Bytes(_) => charset(page),
                };
                let body = value.into_text();
                self.part(delimiter, &format!("{media}; charset={charset}"), &body);
                let end = self.text.as_bytes().len();
                others.push(Body { range: end - body.as_bytes().len()..end, is_html: id == HTML });
            }
        }
        let Some(Value::Bytes(stream)) = self.value(message, COMPRESSED_RTF) else { return };
        let rtf = decompress_rtf(&stream);
        if others.is_empty() {
            let rtf = self.note(rtf).unwrap_or_default();
            return self.part(delimiter, "text/rtf", &rtf);
        }
        // Links of RTF that is too long are in the other bodies as well.
        let links = self.text.missing_links(&rtf.unwrap_or_default(), &others);
        if !links.as_bytes().is_empty() {
            self.part(delimiter, "text/rtf", &links);
        }
    }

    fn part(&mut self, delimiter: &str, media: &str, text: &T) {
        self.write(&format!("\n--{delimiter}\nContent-Type: {media}\nContent-Transfer-Encoding: binary\n\n"));
        self.text.append_part(text, 0..text.as_bytes().len());
    }

    fn attachment(&mut self, place: P::Place, delimiter: &str, depth: usize) {
        let (attachment, error) = self.source.attachment(place);
        self.note(error.map_or(Ok(()), Err));
        if let Some(place) = self.source.embedded(&attachment) {
            if depth == MAX_DEPTH {
                let why =
                    format!("more than {MAX_DEPTH} levels of nesting; the deeper levels were not searched");
                self.note::<()>(Err(io::Error::new(io::ErrorKind::Unsupported, why)));
                return;
            }
            self.write(&format!("\n--{delimiter}\nContent-Type: message/rfc822\n\n"));
            self.tasks.push(Task::Message { place, depth: depth + 1 });
            return;
        }
        let media = self.value(&attachment, MEDIA_TYPE).map(|value| media_type(value.into_text().as_bytes()));
        let media = media.flatten().unwrap_or_else(|| "application/octet-stream".to_owned());
        let is_text = media.starts_with("text/") || media.starts_with("message/");
        if (self.attachments || is_text)
            && let Some(data) = self.value(&attachment, DATA)
        {
            self.part(delimiter, &media, &data.into_text());
        }
    }
}

/// The media type in a property, if it is valid. A multipart contains a whole message. A signed multipart is
/// the body of this message, and takes its fields (RFC 2046 §5.2.2.2).
fn media_type(value: &[u8]) -> Option<String> {
    let media = str::from_utf8(value).ok()?.trim().to_ascii_lowercase();
    let (kind, subtype) = media.split_once('/')?;
    let is_token = |token: &str| {
        !token.is_empty() && token.bytes().all(|b| b.is_ascii_alphanumeric() || b".+-_".contains(&b))
    };
    let media = match (kind, subtype) {
        ("multipart", "signed") => "message/partial; number=1",
        ("multipart", _) => "message/rfc822",
        _ => &media,
    };
    (is_token(kind) && is_token(subtype)).then(|| media.to_owned())
}

/// The name of the charset of a code page.
pub(crate) fn charset(page: Option<u64>) -> String {
    // A code page is a number of 32 bits; the bits after it are not part of it.
    match page.map(|page| page as u32) {
        Some(932) => "shift_jis".to_owned(),
        Some(936) => "gbk".to_owned(),
        Some(949) => "euc-kr".to_owned(),
        Some(950) => "big5".to_owned(),
        Some(20_866) => "koi8-r".to_owned(),
        Some(20_932 | 51_932) => "euc-jp".to_owned(),
        Some(21_866) => "koi8-u".to_owned(),
        Some(page @ 28_591..=28_605) => format!("iso-8859-{}", page - 28_590),
        Some(50_220..=50_222) => "iso-2022-jp".to_owned(),
        Some(54_936) => "gb18030".to_owned(),
        Some(65_000) => "utf-7".to_owned(),
        Some(65_001) => "utf-8".to_owned(),
        Some(page @ (874 | 1250..=1258)) => format!("windows-{page}"),
        _ => "us-ascii".to_owned(),
    }
}

/// A value of a property.
pub(crate) enum Value<T> {
    /// Text in UTF-8, and its position in the streams.
    Text(T),
    /// Bytes, or text in the code page of the message.
    Bytes(Stream),
}

impl<T: Text> Value<T> {
    /// The text, and its position in the streams.
    pub(crate) fn into_text(self) -> T {
        match self {
            Value::Text(text) => text,
            Value::Bytes(Stream { bytes, at }) => {
                let mut text = T::default();
                text.put(&bytes, at..at + bytes.len());
                text
            }
        }
    }
}

/// A stream that has been read.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    pub(crate) bytes: Vec<u8>,
    /// The number of bytes of streams that were read before it.
    pub(crate) at: usize,
}

// Compressed RTF in the streams of a message.

/// The length of the header: the lengths of both forms, the kind and a checksum.
const RTF_HEADER: usize = 16;

/// RTF, and its position in the streams: for each byte, the position of its literal or reference.
/// Invalid data end it.
///
/// # Errors
///
/// Returns an error if the RTF is too long.
fn decompress_rtf<T: Text>(stream: &Stream) -> io::Result<T> {
    let Some(header) = stream.bytes.first_chunk::<RTF_HEADER>() else { return Ok(T::default()) };
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if &header[8..12] == b"LZFu" && len > rtf::MAX_LEN {
        let why = format!("the RTF of this message is longer than {} bytes, and was skipped", rtf::MAX_LEN);
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let text = rtf::decompress(&stream.bytes, stream.at).map(|rtf| rtf.text).unwrap_or_default();
    Ok(cut(text, len))
}

/// The first `len` bytes of a text.
fn cut<T: Text>(text: T, len: usize) -> T {
    if text.as_bytes().len() <= len {
        return text;
    }
    let mut cut = T::default();
    cut.append_part(&text, 0..len);
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::Sourced;

    fn decompress_rtf(stream: &Stream) -> io::Result<Sourced> {
        super::decompress_rtf(stream)
    }

    fn stream(kind: &[u8], len: u32, data: &[u8]) -> Stream {
        let header = [&[0; 4], &len.to_le_bytes()[..], kind, &[0; 4]].concat();
        Stream { bytes: [&header, data].concat(), at: 100 }
    }

    /// The identifiers of Windows; a page that is unknown, or none, is taken for ASCII.
    #[test]
    fn charsets_of_code_pages() {
        for (page, name) in [
            (932, "shift_jis"),
            (936, "gbk"),
            (949, "euc-kr"),
            (950, "big5"),
            (20_866, "koi8-r"),
            (20_932, "euc-jp"),
            (51_932, "euc-jp"),
            (21_866, "koi8-u"),
            (28_591, "iso-8859-1"),
            (28_605, "iso-8859-15"),
            (50_220, "iso-2022-jp"),
            (50_222, "iso-2022-jp"),
            (54_936, "gb18030"),
            (65_000, "utf-7"),
            (65_001, "utf-8"),
            (874, "windows-874"),
            (1250, "windows-1250"),
            (1258, "windows-1258"),
            (1 << 32 | 1252, "windows-1252"),
            (1249, "us-ascii"),
            (1259, "us-ascii"),
            (28_590, "us-ascii"),
            (28_606, "us-ascii"),
            (20_127, "us-ascii"),
        ] {
            assert_eq!(charset(Some(page)), name, "{page}");
        }
        assert_eq!(charset(None), "us-ascii");
    }

    #[test]
    fn rtf_that_is_not_compressed() {
        let Sourced(rtf, sources) = decompress_rtf(&stream(b"MELA", 6, b"{\\rtf}and more")).unwrap();
        assert_eq!(rtf, b"{\\rtf}");
        assert_eq!((sources.len(), &sources[5]), (6, &(121..122)));
    }

    #[test]
    fn damage_ends_it() {
        let whole = b"\x00abcdefgh\x01\x00\x00";
        for cut in 0..whole.len() {
            assert!(decompress_rtf(&stream(b"LZFu", 8, &whole[..cut])).unwrap().as_bytes().len() <= 8);
        }
        assert!(decompress_rtf(&stream(b"what", 8, whole)).unwrap().as_bytes().is_empty());
        assert!(decompress_rtf(&Stream::default()).unwrap().as_bytes().is_empty());
        assert!(decompress_rtf(&stream(b"LZFu", u32::MAX, whole)).is_err());
    }

    #[test]
    fn media_types() {
        for (value, expected) in [
            ("text/plain", Some("text/plain")),
            (" Text/HTML\n", Some("text/html")),
            ("application/vnd.a-b+xml_1", Some("application/vnd.a-b+xml_1")),
            ("multipart/mixed", Some("message/rfc822")),
            ("multipart/signed", Some("message/partial; number=1")),
            ("multipart/", None),
            ("/plain", None),
            ("text", None),
            ("text/plain; charset=x", None),
            ("text/a/b", None),
            ("text/a\nTo: b", None),
            ("te xt/a", None),
            ("", None),
        ] {
            assert_eq!(media_type(value.as_bytes()).as_deref(), expected, "{value:?}");
        }
    }
}
