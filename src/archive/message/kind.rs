//! The kinds of bodies, by their media types (RFC 2046 and the registry of IANA).

use crate::archive::container::mail::Verdict;
use crate::archive::container::{calendar, json, markup, office, rtf};
use crate::archive::decode::html::{self, Vocabulary};
use crate::archive::header::{ends_with, lower};
use crate::archive::reading::{self, ReadText, Reading};

/// The length of the longest name of a type or a subtype, rounded up.
const LONGEST: usize = 16;

/// XML by its type, which may be a part of an office document.
static XML: Reading = Reading {
    records: Some(&html::ELEMENTS),
    ..Reading::of_pages(|bytes, wanted| {
        let is_office = office::begins(bytes, true) == Verdict::Yes;
        let vocabulary = if is_office { Vocabulary::Office } else { Vocabulary::Xml };
        ReadText::linked(html::read_as(vocabulary, bytes, wanted))
    })
};

/// The kind of a body, which decides how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaKind {
    Text,
    /// A part without a type, which its bytes decide.
    Untyped,
    Html,
    Xml,
    /// A calendar or a card (RFC 5545, RFC 6350), whose lines are folded.
    Folded,
    Rtf,
    /// Strings, each a text of its own.
    Json,
    Multipart,
    /// A message inside the message.
    Message,
    /// An entity that is signed and not in the clear (RFC 8551 §3.5.2).
    Signed,
    /// The properties and attachments of an Outlook message.
    Tnef,
    /// Data for other programs.
    Other,
}

impl MediaKind {
    /// The kind of a body of this media type.
    pub(super) fn of(kind: &[u8], subtype: &[u8]) -> Self {
        match [lower(kind, &mut [0; LONGEST]), lower(subtype, &mut [0; LONGEST])]
            .map(Option::unwrap_or_default)
        {
            [b"multipart", _] => MediaKind::Multipart,
            [b"message", b"rfc822" | b"global" | b"news"] => MediaKind::Message,
            [b"text", b"html" | b"x-html" | b"x-amp-html"] | [_, b"xhtml+xml"] => MediaKind::Html,
            [b"text" | b"application", b"xml"] => MediaKind::Xml,
            _ if ends_with(subtype, b"+xml") => MediaKind::Xml,
            [b"text", b"calendar" | b"x-vcalendar" | b"vcard" | b"x-vcard" | b"directory"] => {
                MediaKind::Folded
            }
            [b"text" | b"application", b"rtf" | b"x-rtf"] => MediaKind::Rtf,
            [b"text", b"json"] => MediaKind::Json,
            [b"application", b"ms-tnef" | b"vnd.ms-tnef"] => MediaKind::Tnef,
            [b"application", b"pkcs7-mime" | b"x-pkcs7-mime"] => MediaKind::Signed,
            [b"application" | b"image" | b"audio" | b"video" | b"model" | b"font", _] => MediaKind::Other,
            _ => MediaKind::Text,
        }
    }

    /// Returns how a text of this kind is read.
    pub(crate) fn reading(self) -> &'static Reading {
        match self {
            MediaKind::Html => &markup::PAGE,
            MediaKind::Xml => &XML,
            MediaKind::Folded => &calendar::CARDS,
            MediaKind::Rtf => &rtf::DOCUMENT,
            MediaKind::Json => &json::STRINGS,
            _ => &reading::TEXT,
        }
    }

    /// Returns true if its bytes are data for other programs, and not of a text.
    pub(crate) fn is_data(self) -> bool {
        matches!(self, MediaKind::Signed | MediaKind::Tnef | MediaKind::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_media_type() {
        for (kind, types) in [
            (MediaKind::Multipart, "multipart/mixed multipart/x"),
            (MediaKind::Message, "message/rfc822 message/global message/news"),
            (MediaKind::Html, "text/html text/x-html text/x-amp-html application/xhtml+xml text/xhtml+xml"),
            (MediaKind::Xml, "text/xml application/xml image/svg+xml application/atom+xml x/y+xml"),
            (MediaKind::Folded, "text/calendar text/x-vcalendar text/vcard text/x-vcard text/directory"),
            (MediaKind::Rtf, "text/rtf text/x-rtf application/rtf application/x-rtf"),
            (MediaKind::Json, "text/json"),
            (MediaKind::Tnef, "application/ms-tnef application/vnd.ms-tnef"),
            (MediaKind::Signed, "application/pkcs7-mime application/x-pkcs7-mime"),
            (MediaKind::Other, "application/pdf image/png audio/x video/x model/x font/x"),
            // Each of these is the subtype of another type.
            (MediaKind::Other, "application/html application/calendar application/json image/rtf image/xml"),
            (
                MediaKind::Text,
                "text/plain text/markdown text/ms-tnef text/pkcs7-mime text/rfc822 message/html x/y",
            ),
            (MediaKind::Text, "message/partial message/xml text/+xmlx text/x"),
        ] {
            for name in types.split(' ') {
                let (first, second) = name.split_once('/').unwrap();
                for (first, second) in [(first, second), (&*first.to_uppercase(), &*second.to_uppercase())] {
                    assert_eq!(MediaKind::of(first.as_bytes(), second.as_bytes()), kind, "{first}/{second}");
                }
            }
        }
    }

    /// Markup declares its own charset, and only data are not searched.
    #[test]
    fn how_each_kind_is_read() {
        for (kind, markup, plain, data) in [
            (MediaKind::Text, false, true, false),
            (MediaKind::Untyped, false, true, false),
            (MediaKind::Html, true, false, false),
            (MediaKind::Xml, true, false, false),
            (MediaKind::Folded, false, false, false),
            (MediaKind::Rtf, false, false, false),
            (MediaKind::Json, false, false, false),
            (MediaKind::Multipart, false, true, false),
            (MediaKind::Message, false, true, false),
            (MediaKind::Signed, false, true, true),
            (MediaKind::Tnef, false, true, true),
            (MediaKind::Other, false, true, true),
        ] {
            let reading = kind.reading();
            let found = (reading.is_markup, reading.read.is_none(), kind.is_data());
            assert_eq!(found, (markup, plain, data), "{kind:?}");
        }
    }
}
