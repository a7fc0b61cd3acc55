//! The texts of a web archive record: the URLs in its HTTP fields, and its body.
//!
//! A body without a type, with a type other than text, or with the bytes of a document or an
//! archive is read like an [attachment](super::attached): by its bytes.

use std::ops::Range;

use super::http;
use super::kind::MediaKind;
use super::message::Message;
use super::part_context::PartContext;
use super::record::{Block, Record};
use super::text::{Text, TextKind};
use super::texts::Texts;
use crate::archive::container::format::Format;
use crate::archive::container::markup;
use crate::archive::convert::Converter;
use crate::archive::decode::html::{LinkKind, LinkSource, Links};
use crate::archive::decode::{charset, inline_file, wat};
use crate::archive::limits::MAX_BODY_LEN;
use crate::archive::mapped::Mapped;
use crate::archive::options::Attachments;
use crate::archive::reading::{self, Markup, ReadText, Reading};
use crate::archive::role::Role;
use crate::archive::what::{self, Hint, What};

/// The JSON of a metadata record, in which some strings are links.
static WAT: Reading = Reading::of(|bytes, _| ReadText::strings(wat::read(bytes)));

impl<'r> Message<'r> {
    /// The next HTTP field of a record that contains URLs, which are links: they may be relative, and the rest of the
    /// field is not read.
    pub(super) fn http_field(&self, block: &mut Block<'r>, context: &PartContext<'r>) -> Option<Text<'r>> {
        let field = self.options.headers.then(|| block.next_field(self.bytes))??;
        let name = field.name(self.bytes);
        let value = field.value(self.bytes);
        let start = field.range.end - value.len();
        let context = PartContext { kind: TextKind::Field(name), ..context.clone() };
        let mut text = self.text_in(context, self.mapped(field.range.start..field.range.start));
        let urls = if name.eq_ignore_ascii_case(b"link") { in_brackets(value) } else { vec![trimmed(value)] };
        let mut links = Links::default();
        links.begin(0);
        let (bytes, from) = (&self.bytes[field.range.clone()], start - field.range.start);
        for Range { start, end } in urls {
            let place = LinkSource::of(b"", Role::Header, LinkKind::Reference);
            links.push_verbatim(bytes, from + start..from + end, place);
        }
        text.markup = Some(Box::new(Markup { links, ..Markup::default() }));
        Some(text)
    }

    /// The decoded body; `None` without a body, or if it cannot be decoded.
    fn decoded_body(&self, block: &Block<'r>) -> Option<Mapped<'r>> {
        let range = block.body.clone()?;
        let note = |why: &str| self.undecoded.note(self.offset(range.start), || why.to_owned());
        let mut mapped = self.mapped(range.clone());
        if block.is_coded() && block.is_truncated && range.len() >= MAX_BODY_LEN / 2 {
            note("is longer than 16 MiB, and only its beginning was searched");
        }
        let is_chunked = |coding: &[u8]| coding.trim_ascii().eq_ignore_ascii_case(b"chunked");
        if block.transfer.is_some_and(|value| value.split(|&b| b == b',').any(is_chunked)) {
            mapped = mapped.decoded_by(http::dechunked);
        }
        let grow = |len| self.share.into_iter().for_each(|share| share.grow(len));
        for coding in block.content.unwrap_or_default().rsplit(|&b| b == b',') {
            let coding = coding.trim_ascii();
            mapped = match http::decode(mapped.as_bytes(), coding, &grow) {
                http::DecodedBody::Verbatim => mapped,
                http::DecodedBody::Decoded(bytes, is_whole) => {
                    if !is_whole {
                        note(
                            "is damaged, truncated or longer than 16 MiB, and only its beginning was searched",
                        );
                    }
                    mapped.opaque(bytes)
                }
                http::DecodedBody::Unknown => {
                    let coding = String::from_utf8_lossy(coding).escape_debug().to_string();
                    note(&format!("was not searched: unknown content coding \"{coding}\""));
                    return None;
                }
            };
        }
        Some(mapped)
    }
}

impl<'r> Texts<'r> {
    /// Reads the body of a record, if it has one.
    pub(super) fn block_body(&mut self, block: &Block<'r>, context: &PartContext<'r>) {
        let Some(mapped) = self.message.decoded_body(block) else { return };
        let attachments = self.message.options.attachments;
        let body = TextKind::Block(block.mime);
        let Some(kind) = block.text_kind(mapped.as_bytes(), attachments) else {
            let what = what::what(mapped.as_bytes(), Hint::PART);
            let is_text = block.kind().is_none() && matches!(what, What::Lines(_));
            if is_text || attachments != Attachments::None {
                self.document_of(what, mapped, context.within(body));
            }
            return;
        };
        let is_metadata = self.message.record.and_then(Record::kind) == Some("metadata");
        let reading = match kind {
            MediaKind::Json if is_metadata => &WAT,
            _ => kind.reading(),
        };
        let mapped = match reading.is_markup {
            true => mapped,
            false => {
                let label = body.label();
                mapped.decoded_by(|bytes| charset::decode_file(bytes, &label))
            }
        };
        let context = PartContext { kind: body, ..context.clone() };
        if reading.read.is_none() && inline_file::may_be_in(mapped.as_bytes()) {
            return self.with_files(mapped, context);
        }
        self.text(mapped, context, reading);
    }
}

impl Block<'_> {
    /// The kind of the body, if its type is a text type; `None` if its bytes decide.
    fn text_kind(&self, body: &[u8], attachments: Attachments) -> Option<MediaKind> {
        let is_more = |kind: &MediaKind| match kind {
            MediaKind::Text => what::may_be_more(body) || what::all_lines(body).format == Format::Mail,
            _ => what::is_document(body),
        };
        let is_text =
            |kind: &MediaKind| !kind.is_data() && (attachments == Attachments::None || !is_more(kind));
        self.kind().filter(is_text)
    }

    /// Returns how the rest of the record is read, if the record is longer than these bytes;
    /// otherwise `None`.
    pub(crate) fn rest(&self, bytes: &[u8], attachments: Attachments) -> Option<&'static Reading> {
        let body = &bytes[self.body.clone()?];
        if self.is_coded() {
            return None;
        }
        let reading = match self.text_kind(body, attachments) {
            Some(kind) => kind.reading(),
            None if self.kind().is_some() && attachments == Attachments::None => return None,
            None => match what::what(body, Hint::PART) {
                What::Lines(framing) => framing.reading,
                What::Converted(Converter::LineEnds | Converter::Wide { .. }) => &reading::TEXT,
                _ if attachments == Attachments::All => &reading::TEXT,
                _ => return None,
            },
        };
        // Chunks of the other formats begin differently.
        Some(if reading.is_markup { &markup::PAGE } else { &reading::TEXT })
    }
}

/// The range of a value without the whitespace around it.
fn trimmed(value: &[u8]) -> Range<usize> {
    let start = value.len() - value.trim_ascii_start().len();
    start..start + value.trim_ascii().len()
}

/// The ranges between angle brackets and outside of quotation marks (RFC 8288 §3).
fn in_brackets(value: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut open, mut quoted) = (None, false);
    for (at, &b) in value.iter().enumerate() {
        match (b, open) {
            (b'>', Some(start)) => {
                ranges.push(start..at);
                open = None;
            }
            (b'"', None) => quoted = !quoted,
            (b'<', None) if !quoted => open = Some(at + 1),
            _ => {}
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_a_link_field() {
        let value = " </a>; rel=\"<next>\", <http://h.org/b,c>;rel=x, <d";
        let targets: Vec<_> = in_brackets(value.as_bytes()).into_iter().map(|range| &value[range]).collect();
        assert_eq!(targets, ["/a", "http://h.org/b,c"]);
    }
}
