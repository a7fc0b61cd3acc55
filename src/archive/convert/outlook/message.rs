//! The mail that the properties of a message are.
//!
//! ```text
//! MIME-Version: 1.0
//! Content-Type: multipart/mixed; boundary="=_1"
//! Received: …                                     the head as it came, or as it would be
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
//! Where they are is not known here: [`Properties`] finds them, in the storages of a compound
//! file or in the nodes of a mailbox.

use std::collections::HashSet;
use std::io;

use super::Stream;
use crate::archive::decode::{html, rtf, tnef};
use crate::archive::header::Fields;
use crate::archive::message::date::calendar;
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;

/// How deep messages in messages are read.
const MAX_DEPTH: usize = 32;

/// The properties that make the field of this name.
const FIELDS: [(&str, u16); 4] =
    [("Subject", 0x0037), ("To", 0x0E04), ("Cc", 0x0E03), ("Message-ID", 0x1035)];

/// The head as it came, the bodies, and the data, media type and file name of an attachment.
const TRANSPORT_HEAD: u16 = 0x007D;
const TEXT: u16 = 0x1000;
const HTML: u16 = 0x1013;
pub(in crate::archive) const COMPRESSED_RTF: u16 = 0x1009;
pub(in crate::archive) const DATA: u16 = 0x3701;
const MEDIA_TYPE: u16 = 0x370E;

/// The name of the author, the address, and the one of these that is an email address.
const AUTHOR: u16 = 0x0C1A;
const AUTHOR_ADDRESS: [u16; 2] = [0x5D01, 0x0C1F];

/// Of a fixed length: when it was sent or arrived, and the code page of its text.
const DATES: [u32; 2] = [0x0039_0040, 0x0E06_0040];
const CODE_PAGES: [u32; 2] = [0x3FDE_0003, 0x3FFD_0003];

/// What has messages: their properties, their attachments, and the messages in these.
pub(in crate::archive) trait Properties {
    /// Where a message or an attachment is.
    type Place;
    /// A message or an attachment.
    type Item;

    /// The message at a place. What cannot be read of it is missing, and the error says why.
    fn message(&mut self, place: Self::Place) -> (Self::Item, Option<io::Error>);

    /// The attachment at a place, as [`message`](Self::message).
    fn attachment(&mut self, place: Self::Place) -> (Self::Item, Option<io::Error>);

    /// A property, if the item has it: text if it can be, or else bytes.
    ///
    /// # Errors
    ///
    /// If it is damaged or too long.
    fn value(&mut self, item: &Self::Item, id: u16) -> io::Result<Option<Value>>;

    /// A property of a fixed length, by its tag: its number, and its type below that.
    fn fixed(&self, item: &Self::Item, tag: u32) -> Option<u64>;

    /// The attachments of a message, in order.
    fn attachments(&mut self, message: &Self::Item) -> Vec<Self::Place>;

    /// The message that an attachment is.
    fn embedded(&mut self, attachment: &Self::Item) -> Option<Self::Place>;
}

/// A message as mail.
pub(in crate::archive) struct Mail<'p, P: Properties> {
    source: &'p mut P,
    /// True if attachments that are not text are read.
    attachments: bool,
    text: Decoded,
    /// What could not be read first.
    error: Option<io::Error>,
    tasks: Vec<Task<P::Place>>,
    /// How many delimiters there are.
    delimiters: usize,
}

/// What is written next, the last first.
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

impl<'p, P: Properties> Mail<'p, P> {
    /// The message at a place as mail, and what could not be read first. `attachments` that are not text are read or
    /// left out.
    pub(in crate::archive) fn read(
        source: &'p mut P,
        place: P::Place,
        attachments: bool,
    ) -> (Decoded, Option<io::Error>) {
        let tasks = vec![Task::Message { place, depth: 0 }];
        let mut mail =
            Mail { source, attachments, text: Decoded::default(), error: None, tasks, delimiters: 0 };
        while let Some(task) = mail.tasks.pop() {
            match task {
                Task::Message { place, depth } => mail.message(place, depth),
                Task::Attachment { place, delimiter, depth } => mail.attachment(place, &delimiter, depth),
                Task::Write(text) => mail.write(&text),
            }
        }
        (mail.text, mail.error)
    }

    /// Writes what is not in the file.
    fn write(&mut self, text: &str) {
        self.text.put(text.as_bytes(), 0..0);
    }

    /// A value, if there is one and it can be read.
    fn value(&mut self, item: &P::Item, id: u16) -> Option<Value> {
        let value = self.source.value(item, id);
        self.note(value).flatten()
    }

    fn note<T>(&mut self, result: io::Result<T>) -> Option<T> {
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

    /// Writes the head as it came, and the fields that it does not have.
    fn head(&mut self, message: &P::Item) {
        let mut names = Vec::new();
        if let Some(head) = self.value(message, TRANSPORT_HEAD).map(Value::into_decoded) {
            let start = head.bytes.len() - head.bytes.trim_ascii_start().len();
            for field in Fields::new(&head.bytes, start) {
                let name = field.name(&head.bytes).to_ascii_lowercase();
                let structure = name.is_empty() || name.starts_with(b"content-") || name == b"mime-version";
                if !structure {
                    self.text.append_part(&head, field.range);
                    names.push(name);
                }
            }
            if !self.text.bytes.ends_with(b"\n") {
                self.write("\n");
            }
        }
        let lacks = |name: &str| !names.iter().any(|known| known.eq_ignore_ascii_case(name.as_bytes()));
        for (name, id) in FIELDS.into_iter().filter(|(name, _)| lacks(name)) {
            if let Some(value) = self.value(message, id) {
                self.field(name, &[("", value.into_decoded())]);
            }
        }
        if lacks("From") {
            self.author(message);
        }
        let date = DATES.into_iter().find_map(|tag| date_of_filetime(self.source.fixed(message, tag)?));
        if let Some(date) = date.filter(|_| lacks("Date")) {
            self.write(&format!("Date: {date}\n"));
        }
    }

    /// Writes the field From, if the author is known.
    fn author(&mut self, message: &P::Item) {
        let name = self.value(message, AUTHOR).map(Value::into_decoded).unwrap_or_default();
        let address =
            AUTHOR_ADDRESS.into_iter().find_map(|id| self.value(message, id)).map(Value::into_decoded);
        match address.filter(|address| !address.bytes.is_empty()) {
            Some(address) => self.field("From", &[("", name), (" <", address), (">", Decoded::default())]),
            None if !name.bytes.is_empty() => self.field("From", &[("", name)]),
            None => {}
        }
    }

    /// Writes a field with these values, each after a text, on one line.
    fn field(&mut self, name: &str, values: &[(&str, Decoded)]) {
        self.write(&format!("{name}: "));
        for (before, value) in values {
            self.write(before);
            let mut start = 0;
            for line in value.bytes.split(|b| matches!(b, b'\r' | b'\n')) {
                self.text.append_part(value, start..start + line.len());
                start += line.len() + 1;
            }
        }
        self.write("\n");
    }

    /// Writes the bodies, each as a part. RTF is read if there is no other; else its links are that the others lack.
    fn bodies(&mut self, message: &P::Item, delimiter: &str) {
        let page = CODE_PAGES.into_iter().find_map(|tag| self.source.fixed(message, tag));
        let mut others = Vec::new();
        for (id, media) in [(TEXT, "text/plain"), (HTML, "text/html")] {
            if let Some(value) = self.value(message, id) {
                let charset = match value {
                    Value::Text(_) => "utf-8".to_owned(),
                    Value::Bytes(_) => charset(page),
                };
                let body = value.into_decoded();
                self.part(delimiter, &format!("{media}; charset={charset}"), &body);
                others.push((self.text.bytes.len() - body.bytes.len(), self.text.bytes.len(), id == HTML));
            }
        }
        let Some(Value::Bytes(stream)) = self.value(message, COMPRESSED_RTF) else {
            return;
        };
        if others.is_empty() {
            let rtf = self.note(decompress_rtf(&stream)).unwrap_or_default();
            return self.part(delimiter, "text/rtf", &rtf);
        }
        // What is too long is in the other bodies as well.
        let rtf = decompress_rtf(&stream).unwrap_or_default();
        let read = rtf::read(&rtf.bytes);
        let links: Vec<_> = read.links.iter().filter(|link| link.role() == Role::Link).collect();
        let mut missing = Missing(links.iter().map(|link| link.url()).collect());
        for (start, end, is_html) in others {
            missing.strike(&self.text.bytes[start..end], is_html);
        }
        let mut part = Decoded::default();
        for link in links.into_iter().filter(|link| missing.0.remove(link.url())) {
            part.put(br#"{\field{\*\fldinst HYPERLINK ""#, 0..0);
            escape_in_field(&link.decoded().through(&rtf), &mut part);
            part.put(br#""}}"#, 0..0);
        }
        self.links_of_rtf(&part, delimiter);
    }

    /// Writes these fields of RTF, if there are any, as a part.
    fn links_of_rtf(&mut self, fields: &Decoded, delimiter: &str) {
        if !fields.bytes.is_empty() {
            let mut rtf = Decoded::default();
            rtf.put(br"{\rtf1\ansicpg65001 ", 0..0);
            rtf.append_part(fields, 0..fields.bytes.len());
            self.part(delimiter, "text/rtf", &rtf);
        }
    }

    fn part(&mut self, delimiter: &str, media: &str, text: &Decoded) {
        self.write(&format!("\n--{delimiter}\nContent-Type: {media}\nContent-Transfer-Encoding: binary\n\n"));
        self.text.append_part(text, 0..text.bytes.len());
    }

    fn attachment(&mut self, place: P::Place, delimiter: &str, depth: usize) {
        let (attachment, error) = self.source.attachment(place);
        self.note(error.map_or(Ok(()), Err));
        if let Some(place) = self.source.embedded(&attachment) {
            if depth == MAX_DEPTH {
                let why =
                    format!("more than {MAX_DEPTH} messages are in each other; the deeper ones are not read");
                self.note::<()>(Err(io::Error::new(io::ErrorKind::Unsupported, why)));
                return;
            }
            self.write(&format!("\n--{delimiter}\nContent-Type: message/rfc822\n\n"));
            self.tasks.push(Task::Message { place, depth: depth + 1 });
            return;
        }
        let media = self.value(&attachment, MEDIA_TYPE).map(|value| media_type(&value.into_decoded().bytes));
        let media = media.flatten().unwrap_or_else(|| "application/octet-stream".to_owned());
        let is_text = media.starts_with("text/") || media.starts_with("message/");
        if (self.attachments || is_text)
            && let Some(data) = self.value(&attachment, DATA)
        {
            self.part(delimiter, &media, &data.into_decoded());
        }
    }
}

/// The links of RTF that have not been seen in another body.
///
/// The links are kept and the words of the bodies go by, not the other way round: a body of short words would take 30 times
/// its length.
#[derive(Debug)]
struct Missing<'l>(HashSet<&'l [u8]>);

impl Missing<'_> {
    /// Strikes the words of a body, and the links of one in HTML.
    fn strike(&mut self, body: &[u8], is_html: bool) {
        if self.0.is_empty() {
            return;
        }
        if !is_html {
            return self.strike_words(body);
        }
        let page = html::read(body, html::Wanted { resources: true, ..Default::default() });
        self.strike_words(&page.text.bytes);
        page.links.iter().for_each(|link| _ = self.0.remove(link.url()));
    }

    fn strike_words(&mut self, text: &[u8]) {
        let ends = |&b: &u8| b.is_ascii_whitespace() || matches!(b, b'<' | b'>' | b'"');
        for word in text.split(ends).filter(|word| word.contains(&b':')) {
            let after = word.iter().rev().take_while(|b| b".,;:!?)]}'".contains(b)).count();
            self.0.remove(word);
            self.0.remove(&word[..word.len() - after]);
        }
    }
}

/// Appends a URL as it is written in quotation marks in a field of RTF.
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

/// The media type in a property, if it is valid. What a multipart has is a whole message; one that is signed is the body of
/// this message, whose fields it has (as RFC 2046 §5.2.2.2 has it).
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
pub(in crate::archive) fn charset(page: Option<u64>) -> String {
    // A code page is 32 bits; what is after them is not part of it.
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
pub(in crate::archive) enum Value {
    /// Text in UTF-8, and its place among the streams.
    Text(Decoded),
    /// Bytes, or text in the code page of the message.
    Bytes(Stream),
}

impl Value {
    /// The text, and its place among the streams.
    pub(in crate::archive) fn into_decoded(self) -> Decoded {
        match self {
            Value::Text(text) => text,
            Value::Bytes(stream) => verbatim(&stream),
        }
    }
}

/// A stream as it is.
fn verbatim(stream: &Stream) -> Decoded {
    let mut decoded = Decoded::default();
    decoded.put(&stream.bytes, stream.at..stream.at + stream.bytes.len());
    decoded
}

/// The date of a number of tenths of microseconds since 1601, in the form of RFC 5322.
fn date_of_filetime(filetime: u64) -> Option<String> {
    const DAY: u64 = 24 * 60 * 60;
    const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let seconds = filetime / 10_000_000;
    let (days, time) = (seconds / DAY, seconds % DAY);
    let (year, month, day) = calendar(days);
    // 1601 begins with a Monday.
    let (weekday, month) = (WEEKDAYS[(days % 7) as usize], MONTHS[month]);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    let date = format!("{weekday}, {day:02} {month} {year} {hour:02}:{minute:02}:{second:02} +0000");
    (1601 < year && year < 10_000).then_some(date)
}

// Compressed RTF in the streams of a message.

/// The length of the header: the lengths of both forms, the kind and a checksum.
const RTF_HEADER: usize = 16;

/// RTF, and its place among the streams: that of the literal or reference for each byte.
/// What is not valid ends it.
///
/// # Errors
///
/// If it is too long.
fn decompress_rtf(stream: &Stream) -> io::Result<Decoded> {
    let Some(header) = stream.bytes.first_chunk::<RTF_HEADER>() else {
        return Ok(Decoded::default());
    };
    let len = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
    if &header[8..12] == b"LZFu" && len > tnef::MAX_RTF_LEN {
        let why = format!("the RTF of this message is longer than {} bytes, and not read", tnef::MAX_RTF_LEN);
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    let mut rtf = tnef::decompress(&stream.bytes).unwrap_or_default().decoded.moved(stream.at);
    rtf.bytes.truncate(len);
    Ok(rtf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // Seconds from 1601 to 1970, and those of the Unix time.
        let date = |unix: u64| date_of_filetime((11_644_473_600 + unix) * 10_000_000);
        assert_eq!(date(0).as_deref(), Some("Thu, 01 Jan 1970 00:00:00 +0000"));
        assert_eq!(date(951_782_400).as_deref(), Some("Tue, 29 Feb 2000 00:00:00 +0000"));
        assert_eq!(date(983_527_872).as_deref(), Some("Fri, 02 Mar 2001 10:11:12 +0000"));
        assert_eq!(super::date_of_filetime(0), None);
        assert_eq!(super::date_of_filetime(u64::MAX), None);
    }

    fn stream(kind: &[u8], len: u32, data: &[u8]) -> Stream {
        let header = [&[0; 4], &len.to_le_bytes()[..], kind, &[0; 4]].concat();
        Stream { bytes: [&header, data].concat(), at: 100 }
    }

    #[test]
    fn rtf_that_is_not_compressed() {
        let rtf = decompress_rtf(&stream(b"MELA", 6, b"{\\rtf}and more")).unwrap();
        assert_eq!(rtf.bytes, b"{\\rtf}");
        assert_eq!(rtf.map.sources(0..6), [116..122]);
    }

    #[test]
    fn damage_ends_it() {
        let whole = b"\x00abcdefgh\x01\x00\x00";
        for cut in 0..whole.len() {
            assert!(decompress_rtf(&stream(b"LZFu", 8, &whole[..cut])).unwrap().bytes.len() <= 8);
        }
        assert!(decompress_rtf(&stream(b"what", 8, whole)).unwrap().bytes.is_empty());
        assert!(decompress_rtf(&Stream::default()).unwrap().bytes.is_empty());
        assert!(decompress_rtf(&stream(b"LZFu", u32::MAX, whole)).is_err());
    }
}
