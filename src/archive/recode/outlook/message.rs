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

use std::io;

use super::compound::Compound;
use super::property::{self, Value};
use super::rtf;
use crate::archive::header::Fields;
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
const COMPRESSED_RTF: u16 = 0x1009;
const DATA: u16 = 0x3701;
const MEDIA_TYPE: u16 = 0x370E;

/// The name of the author, the address, and the one of these that is a mail address.
const AUTHOR: u16 = 0x0C1A;
const AUTHOR_ADDRESS: [u16; 2] = [0x5D01, 0x0C1F];

/// Of a fixed length: when it was sent or arrived, and the code page of its text.
const DATES: [u32; 2] = [0x0039_0040, 0x0E06_0040];
const CODE_PAGES: [u32; 2] = [0x3FDE_0003, 0x3FFD_0003];

/// A message as mail.
pub(super) struct Mail<'c, 'f> {
    compound: &'c mut Compound<'f>,
    /// Whether attachments that are not text are read.
    attachments: bool,
    text: Decoded,
    /// What could not be read first.
    error: Option<io::Error>,
    tasks: Vec<Task>,
    /// How many delimiters there are.
    delimiters: usize,
}

/// What is written next, the last first.
enum Task {
    /// The message in this storage.
    Message {
        base: String,
        depth: usize,
    },
    /// The attachment in this storage, of a message with this delimiter.
    Attachment {
        base: String,
        delimiter: String,
        depth: usize,
    },
    Write(String),
}

impl<'c, 'f> Mail<'c, 'f> {
    /// The message of a file as mail, and what could not be read first.
    pub(super) fn read(compound: &'c mut Compound<'f>, attachments: bool) -> (Decoded, Option<io::Error>) {
        let tasks = vec![Task::Message { base: String::new(), depth: 0 }];
        let mut mail =
            Mail { compound, attachments, text: Decoded::default(), error: None, tasks, delimiters: 0 };
        while let Some(task) = mail.tasks.pop() {
            match task {
                Task::Message { base, depth } => mail.message(&base, depth),
                Task::Attachment { base, delimiter, depth } => mail.attachment(&base, &delimiter, depth),
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
    fn value(&mut self, base: &str, id: u16) -> Option<Value> {
        let value = property::read(self.compound, base, id);
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

    fn message(&mut self, base: &str, depth: usize) {
        self.delimiters += 1;
        let delimiter = format!("=_{}", self.delimiters);
        let fixed = self.compound.read(&format!("{base}/{}", property::FIXED));
        let fixed = self.note(fixed).flatten().unwrap_or_default().bytes;
        self.write(&format!("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"{delimiter}\"\n"));
        self.head(base, &fixed);
        self.write("\n");
        self.bodies(base, &fixed, &delimiter);
        self.tasks.push(Task::Write(format!("\n--{delimiter}--\n")));
        let attachments = self.compound.storages(&format!("{base}/"));
        for name in attachments.iter().rev().filter(|name| name.starts_with("__attach")) {
            let base = format!("{base}/{name}");
            self.tasks.push(Task::Attachment { base, delimiter: delimiter.clone(), depth });
        }
    }

    /// Writes the head as it came, and the fields that it does not have.
    fn head(&mut self, base: &str, fixed: &[u8]) {
        let mut names = Vec::new();
        if let Some(head) = self.value(base, TRANSPORT_HEAD).map(Value::into_decoded) {
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
            if let Some(value) = self.value(base, id) {
                self.field(name, &[("", value.into_decoded())]);
            }
        }
        if lacks("From") {
            self.author(base);
        }
        let date = DATES.into_iter().find_map(|tag| property::date(property::fixed(fixed, tag)?));
        if let Some(date) = date.filter(|_| lacks("Date")) {
            self.write(&format!("Date: {date}\n"));
        }
    }

    /// Writes the field From, if the author is known.
    fn author(&mut self, base: &str) {
        let name = self.value(base, AUTHOR).map(Value::into_decoded).unwrap_or_default();
        let address = AUTHOR_ADDRESS.into_iter().find_map(|id| self.value(base, id)).map(Value::into_decoded);
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

    /// Writes the bodies, each as a part. RTF is read if there is no other.
    fn bodies(&mut self, base: &str, fixed: &[u8], delimiter: &str) {
        let page = CODE_PAGES.into_iter().find_map(|tag| property::fixed(fixed, tag));
        let mut any = false;
        for (id, media) in [(TEXT, "text/plain"), (HTML, "text/html")] {
            if let Some(value) = self.value(base, id) {
                let charset = match value {
                    Value::Text(_) => "utf-8".to_owned(),
                    Value::Bytes(_) => charset(page),
                };
                self.part(delimiter, &format!("{media}; charset={charset}"), &value.into_decoded());
                any = true;
            }
        }
        if !any && let Some(Value::Bytes(stream)) = self.value(base, COMPRESSED_RTF) {
            let rtf = self.note(rtf::decompress(&stream)).unwrap_or_default();
            self.part(delimiter, "text/rtf", &rtf);
        }
    }

    fn part(&mut self, delimiter: &str, media: &str, text: &Decoded) {
        self.write(&format!("\n--{delimiter}\nContent-Type: {media}\nContent-Transfer-Encoding: binary\n\n"));
        self.text.append_part(text, 0..text.bytes.len());
    }

    fn attachment(&mut self, base: &str, delimiter: &str, depth: usize) {
        let inner = property::path(base, DATA, property::OBJECT);
        if self.compound.is_stream(&format!("{inner}/{}", property::FIXED)) && depth < MAX_DEPTH {
            self.write(&format!("\n--{delimiter}\nContent-Type: message/rfc822\n\n"));
            self.tasks.push(Task::Message { base: inner, depth: depth + 1 });
            return;
        }
        let media = self.value(base, MEDIA_TYPE).map(|value| media_type(&value.into_decoded().bytes));
        let media = media.flatten().unwrap_or_else(|| "application/octet-stream".to_owned());
        let is_text = media.starts_with("text/") || media.starts_with("message/");
        if (self.attachments || is_text)
            && let Some(data) = self.value(base, DATA)
        {
            self.part(delimiter, &media, &data.into_decoded());
        }
    }
}

/// The media type in a property, if it is valid. What a multipart has is a whole message.
fn media_type(value: &[u8]) -> Option<String> {
    let media = str::from_utf8(value).ok()?.trim().to_ascii_lowercase();
    let (kind, subtype) = media.split_once('/')?;
    let is_token = |token: &str| {
        !token.is_empty() && token.bytes().all(|b| b.is_ascii_alphanumeric() || b".+-_".contains(&b))
    };
    let multipart = kind == "multipart";
    (is_token(kind) && is_token(subtype))
        .then(|| if multipart { "message/rfc822".to_owned() } else { media.clone() })
}

/// The name of the charset of a code page.
fn charset(page: Option<u64>) -> String {
    // A code page is 32 bits; what is after them is not part of it.
    match page.map(|page| page as u32) {
        Some(932) => "shift_jis".to_owned(),
        Some(936) => "gbk".to_owned(),
        Some(949) => "euc-kr".to_owned(),
        Some(950) => "big5".to_owned(),
        Some(50_220..=50_222) => "iso-2022-jp".to_owned(),
        Some(54_936) => "gb18030".to_owned(),
        Some(65_000) => "utf-7".to_owned(),
        Some(65_001) => "utf-8".to_owned(),
        Some(page @ 1250..=1258) => format!("windows-{page}"),
        _ => "us-ascii".to_owned(),
    }
}
