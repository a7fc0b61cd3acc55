//! What the Content fields of an entity say about its body (RFC 2045).
//!
//! They are read as leniently as they are written: what is missing or makes no
//! sense means what RFC 2045 gives as the default, plain text as it stands.

use std::borrow::Cow;

use crate::archive::decode::transfer::escape;

/// How much of a Content-Type is looked at for the type, in bytes: more than four
/// times what RFC 6838 §4.2 allows the two names in it.
const LONGEST: usize = 1024;

/// What the Content fields say; borrowed from the head and taken apart when it
/// is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mime<'m> {
    /// The value of Content-Type.
    kind: Option<&'m [u8]>,
    /// The value of Content-Transfer-Encoding.
    encoding: Option<&'m [u8]>,
}

/// How a body is written in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Identity,
    QuotedPrintable,
    Base64,
}

/// What is done with a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It is read.
    Text,
    /// It is HTML, and read as such.
    Html,
    /// It has parts.
    Multipart,
    /// It is a message.
    Message,
    /// It is something else, for other programs.
    Other,
}

impl<'m> Mime<'m> {
    /// Takes note of a field; whether it is one of those that count here. Of
    /// several, the first counts.
    pub(crate) fn note(&mut self, name: &[u8], value: &'m [u8]) -> bool {
        let slot = if name.eq_ignore_ascii_case(b"content-type") {
            &mut self.kind
        } else if name.eq_ignore_ascii_case(b"content-transfer-encoding") {
            &mut self.encoding
        } else {
            return false;
        };
        slot.get_or_insert(value);
        true
    }

    /// Whether the body can be told to be plain text that is read as it stands, at
    /// a glance: nothing is said about it, or what most mail says.
    pub(crate) fn is_plain(&self) -> bool {
        let identity =
            self.encoding.is_none_or(|value| is_one_of(value.trim_ascii(), &[b"7bit", b"8bit", b"binary"]));
        identity && self.kind.is_none_or(|value| is_plain_type(value.trim_ascii()))
    }

    /// The media type in lower case, `text/html`; `None` if there is none that
    /// makes sense.
    pub(crate) fn media(&self) -> Option<String> {
        let (kind, subtype) = self.types()?;
        let text = format!("{}/{}", String::from_utf8_lossy(kind), String::from_utf8_lossy(subtype));
        Some(text.to_ascii_lowercase())
    }

    /// What is done with the body, where an entity that does not say what it is
    /// is `silent`.
    pub(crate) fn kind(&self, silent: Kind) -> Kind {
        let Some((kind, subtype)) = self.types() else {
            return if self.kind.is_none() { silent } else { Kind::Text };
        };
        let is = |name: &[u8]| kind.eq_ignore_ascii_case(name);
        let of = |names: &[&[u8]]| names.iter().any(|name| subtype.eq_ignore_ascii_case(name));
        if is(b"multipart") {
            Kind::Multipart
        } else if is(b"message") && of(&[b"rfc822", b"global", b"news"]) {
            Kind::Message
        } else if is(b"text") && of(&[b"html", b"x-html"]) {
            Kind::Html
        } else if [&b"application"[..], b"image", b"audio", b"video", b"model", b"font"].into_iter().any(is) {
            match of(&[b"xhtml+xml"]) {
                true => Kind::Html,
                false => Kind::Other,
            }
        } else {
            Kind::Text
        }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        let token = self.encoding.map(|value| token(value).0).unwrap_or_default();
        let is = |names: &[&[u8]]| names.iter().any(|name| token.eq_ignore_ascii_case(name));
        if is(&[b"quoted-printable", b"quoted_printable", b"qp"]) {
            Encoding::QuotedPrintable
        } else if is(&[b"base64", b"base-64"]) {
            Encoding::Base64
        } else {
            Encoding::Identity
        }
    }

    /// A parameter of the Content-Type, in the plain form or in that of
    /// RFC 2231, without its quotation marks.
    pub(crate) fn param(&self, name: &[u8]) -> Option<Cow<'m, [u8]>> {
        let mut pieces: Vec<Cow<'m, [u8]>> = Vec::new();
        for (key, value) in (Params { rest: behind_type(self.kind?) }) {
            if key.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            if let Some(extended) = section(key, name, pieces.len()) {
                pieces.push(if extended { decode(&value, pieces.is_empty()) } else { value });
            }
        }
        (!pieces.is_empty()).then(|| Cow::Owned(pieces.concat()))
    }

    /// The boundary of a multipart, empty if it gives none; `None` if this is no
    /// multipart.
    pub(crate) fn boundary(&self) -> Option<Cow<'m, [u8]>> {
        (self.kind(Kind::Text) == Kind::Multipart).then(|| self.param(b"boundary").unwrap_or_default())
    }

    /// Whether a parameter has this value, in any letter case.
    pub(crate) fn param_is(&self, name: &[u8], value: &[u8]) -> bool {
        self.param(name).is_some_and(|param| param.eq_ignore_ascii_case(value))
    }

    /// The type and the subtype as they are written.
    fn types(&self) -> Option<(&'m [u8], &'m [u8])> {
        let value = self.kind?;
        let (kind, rest) = token(&value[..value.len().min(LONGEST)]);
        let (subtype, _) = token(rest.strip_prefix(b"/")?);
        (!kind.is_empty() && !subtype.is_empty()).then_some((kind, subtype))
    }
}

fn is_one_of(value: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(value))
}

/// Whether `value` is `text/plain`, with nothing behind it but a common charset that
/// is a superset of ASCII.
fn is_plain_type(value: &[u8]) -> bool {
    let Some((kind, rest)) = value.split_at_checked(b"text/plain".len()) else {
        return false;
    };
    let charset = || {
        let param = rest.strip_prefix(b";")?.trim_ascii_start();
        let (key, charset) = param.split_at_checked(b"charset=".len())?;
        let charset =
            charset.strip_prefix(b"\"").and_then(|inside| inside.strip_suffix(b"\"")).unwrap_or(charset);
        Some(
            key.eq_ignore_ascii_case(b"charset=")
                && is_one_of(
                    charset,
                    &[b"us-ascii", b"utf-8", b"iso-8859-1", b"iso-8859-15", b"windows-1252"],
                ),
        )
    };
    kind.eq_ignore_ascii_case(b"text/plain") && (rest.is_empty() || charset() == Some(true))
}

/// The token that `value` begins with, and what follows it and the blanks
/// behind it.
fn token(value: &[u8]) -> (&[u8], &[u8]) {
    let value = value.trim_ascii_start();
    let special = |&b: &u8| b <= b' ' || b >= 0x7F || b"()<>@,;:\\\"/[]?=".contains(&b);
    let (token, rest) = value.split_at(value.iter().position(special).unwrap_or(value.len()));
    (token, rest.trim_ascii_start())
}

/// What follows the media type in a Content-Type.
fn behind_type(value: &[u8]) -> &[u8] {
    memchr::memchr(b';', value).map_or(&[], |n| &value[n..])
}

/// The parameters of a Content-Type, as far as they can be made out.
struct Params<'m> {
    rest: &'m [u8],
}

impl<'m> Iterator for Params<'m> {
    type Item = (&'m [u8], Cow<'m, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let semicolon = memchr::memchr(b';', self.rest)?;
            let (key, rest) = token(&self.rest[semicolon + 1..]);
            self.rest = rest;
            let Some(value) = rest.strip_prefix(b"=") else {
                continue;
            };
            let (value, rest) = match value.trim_ascii_start() {
                [b'"', quoted @ ..] => unquote(quoted),
                plain => until_end(plain),
            };
            self.rest = rest;
            return Some((key, value));
        }
    }
}

/// What stands before the closing quotation mark, and what behind it.
fn unquote(quoted: &[u8]) -> (Cow<'_, [u8]>, &[u8]) {
    let mut text = Vec::new();
    let mut at = 0;
    while let Some(&b) = quoted.get(at) {
        match b {
            b'"' => return (Cow::Owned(text), &quoted[at + 1..]),
            b'\r' | b'\n' => {}
            b'\\' => {
                at += 1;
                text.extend(quoted.get(at));
            }
            b => text.push(b),
        }
        at += 1;
    }
    // The mark was forgotten: then the value ends as if there were none.
    until_end(quoted)
}

/// What stands before whitespace or a semicolon, and what behind it.
///
/// That takes in what only quotation marks allow: people forget them.
fn until_end(plain: &[u8]) -> (Cow<'_, [u8]>, &[u8]) {
    let end = plain.iter().position(|&b| b == b';' || b.is_ascii_whitespace()).unwrap_or(plain.len());
    (Cow::Borrowed(&plain[..end]), &plain[end..])
}

/// Whether `key` is the section `number` of the parameter `name` (RFC 2231), and
/// if so whether it is encoded.
fn section(key: &[u8], name: &[u8], number: usize) -> Option<bool> {
    let (head, tail) = key.split_at_checked(name.len())?;
    let tail = tail.strip_prefix(b"*").filter(|_| head.eq_ignore_ascii_case(name))?;
    let (digits, extended) = match tail.strip_suffix(b"*") {
        Some(digits) => (digits, true),
        None => (tail, tail.is_empty()),
    };
    let wanted = number.to_string();
    (digits == wanted.as_bytes() || (digits.is_empty() && number == 0)).then_some(extended)
}

/// An encoded section; the first begins with a charset and a language.
fn decode(value: &[u8], first: bool) -> Cow<'static, [u8]> {
    let text = match first {
        true => value.splitn(3, |&b| b == b'\'').last().unwrap_or_default(),
        false => value,
    };
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        match (b == b'%').then(|| escape(&text[at..])).flatten() {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(b);
                at += 1;
            }
        }
    }
    Cow::Owned(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mime(kind: &'static str) -> Mime<'static> {
        Mime { kind: Some(kind.as_bytes()), encoding: None }
    }

    fn param(kind: &'static str, name: &str) -> Option<String> {
        mime(kind).param(name.as_bytes()).map(|value| String::from_utf8(value.into_owned()).unwrap())
    }

    #[test]
    fn kinds() {
        assert_eq!(mime(" text/plain").kind(Kind::Message), Kind::Text);
        assert_eq!(mime("TEXT/HTML; charset=x").kind(Kind::Text), Kind::Html);
        assert_eq!(mime("multipart/mixed").kind(Kind::Text), Kind::Multipart);
        assert_eq!(mime("message/rfc822").kind(Kind::Text), Kind::Message);
        assert_eq!(mime("message/delivery-status").kind(Kind::Text), Kind::Text);
        assert_eq!(mime("image/gif").kind(Kind::Text), Kind::Other);
        assert_eq!(mime("text").kind(Kind::Message), Kind::Text);
        assert_eq!(Mime::default().kind(Kind::Message), Kind::Message);
        assert_eq!(mime("Text / Plain ;x=y").media().as_deref(), Some("text/plain"));
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
        let encoding = |value: &'static str| Mime { kind: None, encoding: Some(value.as_bytes()) }.encoding();
        assert_eq!(encoding(" Quoted-Printable\r\n"), Encoding::QuotedPrintable);
        assert_eq!(encoding("BASE64 (really)"), Encoding::Base64);
        assert_eq!(encoding("8bit"), Encoding::Identity);
        assert_eq!(encoding("x-unheard-of"), Encoding::Identity);
    }
}
