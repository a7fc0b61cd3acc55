//! A web archive record: its target, and the parts of it that are read.

use std::ops::Range;
use std::sync::Arc;

use super::date;
use super::kind::MediaKind;
use super::mime::Mime;
use crate::archive::container::warc::{self, ArcLine};
use crate::archive::header::{HeaderField, HeaderFields, line_end};

/// The maximum length of a value in the output, because it is repeated with each match.
const MAX_VALUE_LEN: usize = 8 * 1024;

/// A web archive record, and its target.
///
/// Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(Arc<RecordFields>);

#[derive(Debug, Default, PartialEq, Eq)]
struct RecordFields {
    id: Option<String>,
    /// The whole URL: links are resolved against it.
    uri: Option<String>,
    date: Option<String>,
    kind: Option<String>,
    offset: u64,
}

impl Record {
    /// The record at the start of `bytes`, at `offset` of the file.
    pub(crate) fn read(bytes: &[u8], offset: u64) -> Option<Self> {
        let head = warc::read(bytes, true)??;
        let field = |name| head.field(bytes, name);
        let date = if head.arc.is_some() { date::of_digits } else { date::rfc3339 };
        Some(Record(Arc::new(RecordFields {
            id: field("warc-record-id").map(text_of),
            uri: field("warc-target-uri").map(|uri| String::from_utf8_lossy(inside(uri)).into_owned()),
            date: field("warc-date").and_then(date),
            kind: field("warc-type").map(text_of),
            offset,
        })))
    }

    /// Returns the URL of the record: `WARC-Target-URI`, or the URL in ARC. Like the other values,
    /// it is truncated to 8 KiB.
    pub fn uri(&self) -> Option<&str> {
        let uri = self.0.uri.as_deref()?;
        let end = (0..=uri.len().min(MAX_VALUE_LEN)).rev().find(|&end| uri.is_char_boundary(end))?;
        Some(&uri[..end])
    }

    /// The whole URL of the record, against which links are resolved.
    pub(crate) fn base(&self) -> Option<&str> {
        self.0.uri.as_deref()
    }

    /// Returns the time of the capture, in the form of RFC 3339: `WARC-Date`, or the date in ARC.
    pub fn date(&self) -> Option<&str> {
        self.0.date.as_deref()
    }

    /// Returns the type of the record: `response`, `resource`, `conversion` and so on (ISO 28500 §6);
    /// `None` in ARC.
    pub fn kind(&self) -> Option<&str> {
        self.0.kind.as_deref()
    }

    /// Returns the record's own name, `WARC-Record-ID` without its brackets, or `None` in ARC.
    pub fn id(&self) -> Option<&str> {
        self.0.id.as_deref()
    }

    /// Returns the offset at which the record begins in the file, after decompression: a byte
    /// offset from 0.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }
}

/// A value without the brackets that some programs put around it.
fn inside(value: &[u8]) -> &[u8] {
    let value = value.trim_ascii();
    value.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).unwrap_or(value)
}

fn text_of(value: &[u8]) -> String {
    let value = inside(value);
    String::from_utf8_lossy(&value[..value.len().min(MAX_VALUE_LEN)]).into_owned()
}

/// The part of a record's block that is read, as ranges of the record.
#[derive(Clone, Debug)]
pub(crate) struct Block<'m> {
    /// The HTTP fields.
    pub(crate) fields: Range<usize>,
    /// The body, if it is read at all.
    pub(crate) body: Option<Range<usize>>,
    pub(crate) mime: Mime<'m>,
    /// Transfer-Encoding and Content-Encoding.
    pub(crate) transfer: Option<&'m [u8]>,
    pub(crate) content: Option<&'m [u8]>,
    /// True if the block is longer than these bytes.
    pub(crate) is_truncated: bool,
}

impl<'m> Block<'m> {
    /// The block of the record in `bytes`.
    pub(crate) fn read(bytes: &'m [u8]) -> Option<Self> {
        let head = warc::read(bytes, true)??;
        let start = head.len.min(bytes.len());
        let len = head.block.map_or(usize::MAX, |len| usize::try_from(len).unwrap_or(usize::MAX));
        let end = start.saturating_add(len).min(bytes.len());
        // If the length is wrong, the record ends before the next one.
        let is_right = bytes[end..].iter().all(|b| matches!(b, b'\r' | b'\n'));
        let end = if is_right { end } else { bytes.len() };
        let nothing = Block {
            fields: start..start,
            body: None,
            mime: Mime::default(),
            transfer: None,
            content: None,
            is_truncated: head.block.is_some() && len > end - start,
        };
        let field = |name| head.field(bytes, name).map(<[u8]>::trim_ascii);
        let kind = field("warc-type").unwrap_or_default();
        let describes_file = |line: &ArcLine| bytes[line.url.clone()].starts_with(b"filedesc:");
        let is = |name: &[u8]| kind.eq_ignore_ascii_case(name);
        if is(b"warcinfo") || is(b"request") || head.arc.as_ref().is_some_and(describes_file) {
            return Some(nothing);
        }
        let is_http = bytes[start..end].starts_with(b"HTTP/");
        let mut read = match is_http {
            true => nothing.http(&bytes[..end], start),
            false => Block { body: Some(start..end), ..nothing },
        };
        // In WARC, this is the type of the HTTP message, not of its body.
        if !is_http || head.arc.is_some() {
            field("content-type").map(|value| read.mime.note(b"content-type", value));
        }
        read.body = read.body.filter(|_| !is(b"revisit"));
        Some(read)
    }

    /// The block with the HTTP header that begins at `start`, and the body after it.
    fn http(mut self, bytes: &'m [u8], start: usize) -> Self {
        let first = line_end(bytes, start);
        let mut fields = HeaderFields::new(bytes, first);
        for field in &mut fields {
            let value = field.value(bytes);
            self.mime.note(field.name(bytes), value);
            if field.is(bytes, b"transfer-encoding") {
                self.transfer.get_or_insert(value);
            } else if field.is(bytes, b"content-encoding") {
                self.content.get_or_insert(value);
            }
        }
        self.fields = first..fields.end();
        self.body = Some(fields.body()..bytes.len());
        self
    }

    /// The kind of the body; `None` if only its bytes can show it.
    pub(crate) fn kind(&self) -> Option<MediaKind> {
        let media_type = self.mime.media_type()?;
        let (kind, subtype) = media_type.split_once('/')?;
        Some(match (kind, subtype) {
            (_, "html" | "xhtml+xml") => MediaKind::Html,
            (_, subtype) if subtype == "xml" || subtype.ends_with("+xml") => MediaKind::Xml,
            (_, "json" | "x-ndjson") => MediaKind::Json,
            (_, subtype) if subtype.ends_with("+json") => MediaKind::Json,
            (_, "javascript" | "x-javascript" | "ecmascript" | "warc-fields") => MediaKind::Text,
            ("binary" | "message" | "multipart", _) => MediaKind::Other,
            _ => self.mime.kind(MediaKind::Text),
        })
    }

    /// Returns true if the body has a transfer or a content coding.
    pub(crate) fn is_coded(&self) -> bool {
        self.transfer.is_some() || self.content.is_some()
    }

    /// The next HTTP field that contains URLs.
    pub(crate) fn next_field(&mut self, bytes: &[u8]) -> Option<HeaderField> {
        let mut fields = HeaderFields::new(&bytes[..self.fields.end], self.fields.start);
        let field = fields.find(|field| field.is(bytes, b"location") || field.is(bytes, b"link"))?;
        self.fields.start = field.range.end;
        Some(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_media_type() {
        for (types, kind) in [
            ("text/html TEXT/HTML application/xhtml+xml", Some(MediaKind::Html)),
            ("text/xml application/xml application/rss+xml image/svg+xml", Some(MediaKind::Xml)),
            ("application/json text/json application/x-ndjson application/ld+json", Some(MediaKind::Json)),
            ("text/javascript application/x-javascript text/ecmascript", Some(MediaKind::Text)),
            ("application/warc-fields text/plain text/xmlx", Some(MediaKind::Text)),
            ("binary/octet-stream message/rfc822 multipart/mixed image/png", Some(MediaKind::Other)),
            ("nonsense", None),
        ] {
            for name in types.split(' ') {
                let record = format!(
                    "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: {name}\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"
                );
                assert_eq!(Block::read(record.as_bytes()).unwrap().kind(), kind, "{name}");
            }
        }
    }
}
