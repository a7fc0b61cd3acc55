//! The Content fields of an entity, which describe its body (RFC 2045, RFC 2231).
//!
//! The fields are parsed leniently: for a missing or invalid value, the default of RFC 2045
//! applies, unencoded plain text.

use std::borrow::Cow;

use super::kind::MediaKind;
use crate::archive::decode::parameter::{param, token};
use crate::archive::decode::{charset, encoded_word};
use crate::archive::header::{HeaderFields, begins_with, is_one_of};
use crate::bytes::unicode::lossy;

/// The number of bytes of a Content-Type that are searched for the media type: more than four times
/// the length that RFC 6838 §4.2 allows for its two names.
const MAX_MEDIA_TYPE_LEN: usize = 1024;

/// The Content fields of an entity, borrowed from its header and parsed on demand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mime<'m>([Option<&'m [u8]>; FIELDS.len()]);

/// The Content fields of an entity, in separate memory.
pub(crate) type OwnedMime = [Option<Vec<u8>>; FIELDS.len()];

/// The Content fields, after `content-`, and their positions in a [`Mime`].
const FIELDS: [&[u8]; 5] = [b"type", b"transfer-encoding", b"disposition", b"location", b"base"];
const TYPE: usize = 0;
const ENCODING: usize = 1;
const DISPOSITION: usize = 2;
const LOCATION: usize = 3;
const BASE: usize = 4;

/// The Content-Transfer-Encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransferEncoding {
    Identity,
    QuotedPrintable,
    Base64,
    Uuencode,
}

impl<'m> Mime<'m> {
    /// The Content fields among `fields` of `bytes`.
    pub(crate) fn of(bytes: &'m [u8], fields: HeaderFields<'_>) -> Self {
        let mut mime = Mime::default();
        fields.for_each(|field| {
            mime.note(field.name(bytes), field.value(bytes));
        });
        mime
    }

    pub(crate) fn to_owned(self) -> OwnedMime {
        self.0.map(|value| value.map(<[u8]>::to_vec))
    }

    /// The fields that are `owned`.
    pub(crate) fn of_owned(owned: &'m OwnedMime) -> Self {
        Mime(owned.each_ref().map(Option::as_deref))
    }

    /// Records a field, and returns true if it is one of the Content fields. If a field occurs
    /// several times, the first one counts.
    pub(crate) fn note(&mut self, name: &[u8], value: &'m [u8]) -> bool {
        const PREFIX: &[u8] = b"content-";
        let Some((prefix, rest)) = name.split_at_checked(PREFIX.len()) else { return false };
        if !prefix.eq_ignore_ascii_case(PREFIX) {
            return false;
        }
        let Some(place) = FIELDS.iter().position(|field| field.eq_ignore_ascii_case(rest)) else {
            return false;
        };
        self.0[place].get_or_insert(value);
        true
    }

    /// Returns true if the body is evidently unencoded plain text: it has no Content fields, or
    /// only the usual ones.
    pub(crate) fn is_plain_text(&self) -> bool {
        let identity = self.0[ENCODING]
            .is_none_or(|value| is_one_of(value.trim_ascii(), &[b"7bit", b"8bit", b"binary"]));
        identity && self.0[TYPE].is_none_or(|value| is_plain_type(value.trim_ascii()))
    }

    /// The media type in lower case, `text/html`; `None` without a valid one.
    pub(crate) fn media_type(&self) -> Option<String> {
        let (kind, subtype) = self.types()?;
        let name = [kind, b"/", subtype].concat().to_ascii_lowercase();
        // A token is ASCII.
        String::from_utf8(name).ok()
    }

    /// Returns true if the entity has a Content-Disposition.
    pub(super) fn has_disposition(&self) -> bool {
        self.0[DISPOSITION].is_some()
    }

    /// Returns true if the sender declared the entity as an attachment (RFC 2183 §2.2).
    pub(crate) fn is_attachment(&self) -> bool {
        self.0[DISPOSITION].is_some_and(|value| begins_with(value.trim_ascii_start(), b"attachment"))
    }

    /// Returns true if the body is a text or a multipart, by its type or without one.
    pub(super) fn is_text(&self) -> bool {
        let is = |kind: &[u8], name: &[u8]| kind.eq_ignore_ascii_case(name);
        self.types().is_none_or(|(kind, _)| is(kind, b"text") || is(kind, b"multipart"))
    }

    /// Returns true if the body is declared as rows of cells (RFC 4180).
    pub(super) fn declares_rows(&self) -> bool {
        let is_rows = |subtype| is_one_of(subtype, &[b"csv", b"tab-separated-values"]);
        self.types()
            .is_some_and(|(kind, subtype)| is_one_of(kind, &[b"text", b"application"]) && is_rows(subtype))
    }

    /// Returns true if the entity has a Content-Type.
    pub(super) fn has_type(&self) -> bool {
        self.0[TYPE].is_some()
    }

    /// The kind of the body; `default` without a Content-Type.
    pub(crate) fn kind(&self, default: MediaKind) -> MediaKind {
        let Some((kind, subtype)) = self.types() else {
            return if self.0[TYPE].is_none() { default } else { MediaKind::Text };
        };
        match MediaKind::of(kind, subtype) {
            // RFC 2046 §5.2.2: the first part begins with the header of the message.
            MediaKind::Text if self.is_first_of_partial(kind, subtype) => MediaKind::Message,
            kind => kind,
        }
    }

    /// Returns true if the body is a message that was sent in parts, the first of which begins with
    /// its header.
    pub(super) fn is_partial(&self) -> bool {
        self.types().is_some_and(|(kind, subtype)| self.is_first_of_partial(kind, subtype))
    }

    /// Returns true if the body is the first part of a message that was sent in parts.
    fn is_first_of_partial(&self, kind: &[u8], subtype: &[u8]) -> bool {
        kind.eq_ignore_ascii_case(b"message")
            && subtype.eq_ignore_ascii_case(b"partial")
            && self.param_is(b"number", b"1")
    }

    pub(crate) fn encoding(&self) -> TransferEncoding {
        let token = self.0[ENCODING].map(encoding_name).unwrap_or_default();
        let is = |names: &[&[u8]]| is_one_of(token, names);
        if is(&[b"quoted-printable", b"quoted_printable", b"qp"]) {
            TransferEncoding::QuotedPrintable
        } else if is(&[b"base64", b"base-64"]) {
            TransferEncoding::Base64
        } else if is(&[b"x-uuencode", b"x-uue", b"uuencode", b"uue"]) {
            TransferEncoding::Uuencode
        } else {
            TransferEncoding::Identity
        }
    }

    /// A parameter of the Content-Type without its quotation marks, including one in sections or
    /// encoded (RFC 2231).
    pub(crate) fn param(&self, name: &[u8]) -> Option<Cow<'m, [u8]>> {
        Some(param(self.0[TYPE]?, name)?.value)
    }

    /// The file name of the body (RFC 2183), or its older form, the name in the Content-Type, with
    /// decoded words, which RFC 2047 does not allow there but programs write.
    pub(crate) fn filename(&self) -> Option<String> {
        let name = |field: usize, name| {
            // Most fields contain no name, and parsing them takes longer than checking that.
            let value = self.0[field].filter(|value| may_have_name(value));
            let found = value.and_then(|value| param(value, name));
            found.filter(|found| !found.value.is_empty())
        };
        let found = name(DISPOSITION, b"filename").or_else(|| name(TYPE, b"name"))?;
        let unicode = charset::unicode_field(&found.value, &found.charset);
        let value = unicode.map_or(found.value, |unicode| Cow::Owned(unicode.bytes));
        let decoded = encoded_word::decode(&value).map_or(value, |decoded| Cow::Owned(decoded.bytes));
        Some(lossy(&decoded).into_owned())
    }

    /// Returns the values of Content-Location and Content-Base: the URL of the body (RFC 2557
    /// §4.2), and the base of its relative links (RFC 2110 §4.2).
    pub(crate) fn bases(&self) -> [Option<&'m [u8]>; 2] {
        [self.0[LOCATION], self.0[BASE]]
    }

    /// The boundary of a multipart, or an empty text if it is missing; `None` if the body is not a
    /// multipart.
    pub(crate) fn boundary(&self) -> Option<Cow<'m, [u8]>> {
        (self.kind(MediaKind::Text) == MediaKind::Multipart)
            .then(|| self.param(b"boundary").unwrap_or_default())
    }

    /// Returns true if a parameter has this value (case-insensitive).
    pub(crate) fn param_is(&self, name: &[u8], value: &[u8]) -> bool {
        self.param(name).is_some_and(|param| param.eq_ignore_ascii_case(value))
    }

    /// The type and the subtype.
    fn types(&self) -> Option<(&'m [u8], &'m [u8])> {
        let value = self.0[TYPE]?;
        let (kind, rest) = token(&value[..value.len().min(MAX_MEDIA_TYPE_LEN)]);
        let (subtype, _) = token(rest.strip_prefix(b"/")?);
        (!kind.is_empty() && !subtype.is_empty()).then_some((kind, subtype))
    }
}

/// The name of an encoding: the first token, after comments and quotation marks.
///
/// Comments and quotation marks before it are not valid, but both occur: RFC 2045 §6.1 requires a
/// token there, and RFC 822 allows comments anywhere.
fn encoding_name(value: &[u8]) -> &[u8] {
    let mut rest = value.trim_ascii_start();
    let mut depth = 0_usize;
    while let Some((&b, after)) = rest.split_first() {
        match b {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b'\\' if depth > 0 && !after.is_empty() => {
                rest = &after[1..];
                continue;
            }
            b'"' | b'\'' | b'<' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ if depth > 0 => {}
            _ => break,
        }
        rest = after;
    }
    let name = token(rest).0;
    name.strip_suffix(b"'").unwrap_or(name)
}

/// Returns true if `value` is `text/plain`, and its only parameter, if any, a common charset that
/// is a superset of ASCII.
fn is_plain_type(value: &[u8]) -> bool {
    const CHARSETS: [&[u8]; 5] = [b"us-ascii", b"utf-8", b"iso-8859-1", b"iso-8859-15", b"windows-1252"];
    let Some((kind, rest)) = value.split_at_checked(b"text/plain".len()) else { return false };
    let is_plain = || {
        let param = rest.strip_prefix(b";")?.trim_ascii_start();
        let (key, charset) = param.split_at_checked(b"charset=".len())?;
        let inside = charset.strip_prefix(b"\"").and_then(|inside| inside.strip_suffix(b"\""));
        Some(key.eq_ignore_ascii_case(b"charset=") && is_one_of(inside.unwrap_or(charset), &CHARSETS))
    };
    kind.eq_ignore_ascii_case(b"text/plain") && (rest.is_empty() || is_plain() == Some(true))
}

/// Returns true if a field may contain a name parameter.
fn may_have_name(field: &[u8]) -> bool {
    let is_name = |at: usize| {
        let word = at.checked_sub(2).and_then(|start| field.get(start..at + 2));
        word.is_some_and(|word| word.eq_ignore_ascii_case(b"name"))
    };
    memchr::memchr2_iter(b'm', b'M', field).any(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mime(kind: &'static str) -> Mime<'static> {
        let mut mime = Mime::default();
        mime.note(b"Content-Type", kind.as_bytes());
        mime
    }

    #[test]
    fn names_of_files() {
        let filename = |disposition: &str| {
            let mut mime = mime("image/png; name=\"=?utf-8?q?a_=C3=A9.png?=\"");
            mime.note(b"content-disposition", disposition.as_bytes());
            mime.filename()
        };
        for (disposition, name) in [
            ("inline", "a é.png"),
            ("attachment; filename=\"a b.pdf\"", "a b.pdf"),
            ("attachment; filename=a.pdf", "a.pdf"),
            ("attachment; filename*=utf-8'en'%e2%82%ac.pdf", "€.pdf"),
            ("attachment; filename*=iso-8859-1''%e9.pdf", "é.pdf"),
            ("attachment; filename*0=a; filename*1*=%20b", "a b"),
            ("attachment; filename*0*=''a; filename*1*=%20b; filename*2=.c", "a b.c"),
            // Only the first section contains a charset (RFC 2231 §4.1).
            ("inline; filename*0*=koi8-r''%D0%D2%C9; filename*1*=%D7%C5%D4.t; filename*2=xt", "привет.txt"),
            ("attachment; filename=\"\"", "a é.png"),
        ] {
            assert_eq!(filename(disposition).as_deref(), Some(name), "{disposition}");
        }
    }

    fn param(kind: &'static str, name: &str) -> Option<String> {
        mime(kind).param(name.as_bytes()).map(|value| String::from_utf8(value.into_owned()).unwrap())
    }

    #[test]
    fn kinds() {
        assert_eq!(mime(" text/plain").kind(MediaKind::Message), MediaKind::Text);
        assert_eq!(mime("TEXT/HTML; charset=x").kind(MediaKind::Text), MediaKind::Html);
        assert_eq!(mime("multipart/mixed").kind(MediaKind::Text), MediaKind::Multipart);
        assert_eq!(mime("message/rfc822").kind(MediaKind::Text), MediaKind::Message);
        assert_eq!(mime("message/delivery-status").kind(MediaKind::Text), MediaKind::Text);
        assert_eq!(mime("image/gif").kind(MediaKind::Text), MediaKind::Other);
        assert_eq!(mime("message/partial; id=a; number=1").kind(MediaKind::Text), MediaKind::Message);
        assert_eq!(mime("message/partial; id=a; number=2").kind(MediaKind::Text), MediaKind::Text);
        assert_eq!(mime("text/x-amp-html").kind(MediaKind::Text), MediaKind::Html);
        assert_eq!(mime("application/xhtml+xml").kind(MediaKind::Text), MediaKind::Html);
        for xml in ["text/xml", "application/xml", "image/svg+xml", "application/rss+XML"] {
            assert_eq!(mime(xml).kind(MediaKind::Text), MediaKind::Xml, "{xml}");
        }
        assert_eq!(mime("text/calendar; method=REQUEST").kind(MediaKind::Text), MediaKind::Folded);
        assert_eq!(mime("application/rtf").kind(MediaKind::Text), MediaKind::Rtf);
        assert_eq!(mime("text").kind(MediaKind::Message), MediaKind::Text);
        assert_eq!(Mime::default().kind(MediaKind::Message), MediaKind::Message);
        assert_eq!(mime("Text / Plain ;x=y").media_type().as_deref(), Some("text/plain"));
    }

    #[test]
    fn rows() {
        for (value, is_it) in [
            ("text/csv", true),
            ("Text/CSV; header=present", true),
            ("application/csv", true),
            ("text/tab-separated-values", true),
            ("image/csv", false),
            ("text/csv-schema", false),
            ("text/plain", false),
            ("application/pdf", false),
        ] {
            assert_eq!(mime(value).declares_rows(), is_it, "{value}");
        }
        assert!(!Mime::default().declares_rows());
    }

    #[test]
    fn parameters() {
        assert_eq!(param("text/plain; charset=utf-8; format=flowed", "FORMAT").as_deref(), Some("flowed"));
        assert_eq!(param("x/y; boundary=\"a; b\\\"c\" ; z=1", "boundary").as_deref(), Some("a; b\"c"));
        assert_eq!(param("x/y; boundary=\"a; b\\\"c\" ; z=1", "z").as_deref(), Some("1"));
        assert_eq!(param("x/y; a; boundary=--=_x/y?z", "boundary").as_deref(), Some("--=_x/y?z"));
        assert_eq!(param("x/y; boundary=\"forgotten\n", "boundary").as_deref(), Some("forgotten"));
        assert_eq!(param("x/y", "boundary"), None);
    }

    #[test]
    fn parameters_in_sections() {
        let kind = "x/y; url*0=\"ftp://h.org/\"; url*1=\"a\"; name*=us-ascii'en'a%20b";
        assert_eq!(param(kind, "url").as_deref(), Some("ftp://h.org/a"));
        assert_eq!(param(kind, "name").as_deref(), Some("a b"));
        assert_eq!(param(kind, "ur"), None);
    }

    #[test]
    fn encodings() {
        let encoding = |value: &'static str| {
            let mut mime = Mime::default();
            mime.note(b"content-transfer-encoding", value.as_bytes());
            mime.encoding()
        };
        assert_eq!(encoding(" Quoted-Printable\r\n"), TransferEncoding::QuotedPrintable);
        assert_eq!(encoding("BASE64 (really)"), TransferEncoding::Base64);
        assert_eq!(encoding(" \"base64\""), TransferEncoding::Base64);
        assert_eq!(encoding("(a (nested\\)) comment)\r\n base64;"), TransferEncoding::Base64);
        assert_eq!(encoding("(base64) 7bit"), TransferEncoding::Identity);
        assert_eq!(encoding("(never closed base64"), TransferEncoding::Identity);
        assert_eq!(encoding("x-uuencode"), TransferEncoding::Uuencode);
        assert_eq!(encoding("8bit"), TransferEncoding::Identity);
        assert_eq!(encoding("x-unheard-of"), TransferEncoding::Identity);
    }
}
