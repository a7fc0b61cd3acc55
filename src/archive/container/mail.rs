//! The beginning of a message (RFC 5322, RFC 5536), and how it differs from other
//! text with colons.
//!
//! After a separator, two fields that occur only in mail and news show a message ([`begins`]).
//! Without a separator, two fields prove little: YAML, control files and HTTP headers contain
//! `date:`, `from:` and `references:` as well, and text that is treated as mail is decoded like
//! mail. So without a separator ([`begins_alone`]), each line up to the first empty one must be a
//! field or a continuation, and two fields must have [typical values](Witness). An entity that was
//! saved without a header ([`begins_entity`]) must contain the delimiter of its Content-Type.

use std::borrow::Cow;

use crate::archive::decode::parameter::param;
use crate::archive::delimiter::has_delimiter;
use crate::archive::header::{
    HeaderField, HeaderFields, begins_with, fold_end, has_url, is_one_of, may_become_field,
};

/// The verdict on the bytes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    No,
    /// More bytes are needed to decide.
    Unknown,
    Yes,
}

/// Fields that occur only in mail and news, in lower case.
#[rustfmt::skip]
const FIELDS: [&[u8]; 29] = [
    b"article-i.d.", b"content-transfer-encoding", b"content-type", b"date", b"delivered-to", b"dkim-signature",
    b"envelope-to", b"from", b"in-reply-to", b"list-id", b"message-id", b"mime-version", b"newsgroups", b"path",
    b"posting-version", b"received", b"references", b"relay-version", b"reply-to", b"return-path", b"sender",
    b"subject", b"to", b"x-account-key", b"x-mozilla-keys", b"x-mozilla-status", b"x-mozilla-status2",
    b"x-uidl", b"xref",
];

/// Returns whether `bytes`, which follow a separator, begin a message: with header fields, two of
/// which occur only in mail and news. The first line may be anything, because it may have separated
/// the message from another one. `last` means that no more bytes follow.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    let mut fields = HeaderFields::new(bytes, 0);
    let mut known = 0;
    for field in &mut fields {
        let complete = last || field.range.end < bytes.len();
        let name = field.name(bytes);
        // Only the first line may be damaged.
        if name.is_empty() && complete && field.range.start > 0 {
            return Verdict::No;
        }
        known += usize::from(is_one_of(name, &FIELDS));
        if known == 2 {
            return Verdict::Yes;
        }
    }
    // The last line may be incomplete; the first decides nothing by itself.
    let mut rest = &bytes[fields.end()..];
    if fields.end() == 0 {
        rest = &rest[fold_end(rest, 0)..];
    }
    may_continue(rest, last)
}

/// The evidence of a field for a mail header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Witness {
    /// A field with a value that only mail and news programs write.
    Certain,
    /// A field with an email address.
    Address,
    /// A field with another value that occurs in mail, or with a capital letter in its name.
    Likely,
    /// A field that describes the content, as in mail and HTTP.
    Content,
    None,
}

/// Returns true if a header belongs to a message, by the number of its fields for each kind of witness.
fn suffice([certain, addresses, likely, content, _]: [usize; Witness::None as usize + 1]) -> bool {
    let special = certain + addresses;
    special + likely > 1 || special > 0 && content > 0
}

/// Returns whether `bytes` begin a message that does not follow a separator. The first line may be
/// anything. `last` means that no more bytes follow.
pub(crate) fn begins_alone(bytes: &[u8], last: bool) -> Verdict {
    let mut fields = HeaderFields::new(bytes, 0);
    let mut witnesses = [0; Witness::None as usize + 1];
    for field in fields.by_ref() {
        if !last && field.range.end == bytes.len() {
            return Verdict::Unknown;
        }
        let is_damaged = field.name(bytes).is_empty();
        // The first line is not searched.
        let is_lost = is_damaged && (field.range.start > 0 || has_url(&bytes[field.range.clone()]));
        if is_lost || is_mapping(field.value(bytes)) {
            return Verdict::No;
        }
        witnesses[Witness::of(&field, bytes) as usize] += 1;
        if witnesses[Witness::Certain as usize] > 0 && suffice(witnesses) {
            return Verdict::Yes;
        }
    }
    let is_head = suffice(witnesses);
    match &bytes[fields.end()..] {
        [] if last && is_head => Verdict::Yes,
        [b'\n', ..] | [b'\r', b'\n', ..] | [b'\r', b'\r', b'\n', ..] if is_head => Verdict::Yes,
        [] | [b'\r'] | [b'\r', b'\r'] if !last => Verdict::Unknown,
        // The first line decides nothing by itself.
        rest if fields.end() == 0 => may_continue(&rest[fold_end(rest, 0)..], last),
        rest => may_continue(rest, last),
    }
}

/// Returns whether `bytes` begin an entity without a message header: the Content-Type of a
/// multipart, and then one of its delimiters. `last` means that no more bytes follow.
pub(crate) fn begins_entity(bytes: &[u8], last: bool) -> Verdict {
    let mut fields = HeaderFields::new(bytes, 0);
    let first = fields.next().filter(|first| first.is(bytes, b"content-type"));
    let Some(boundary) = first.and_then(|first| boundary(first.value(bytes))) else { return Verdict::No };
    fields.by_ref().for_each(drop);
    let body = fields.body();
    // Without an empty line, the delimiter is a damaged header line if a field follows it.
    let next = &bytes[fold_end(bytes, body)..];
    let is_body = body > fields.end() || next.contains(&b'\n') || !may_become_field(next);
    match has_delimiter(&bytes[body..], &boundary) {
        true if last || is_body => Verdict::Yes,
        false if last => Verdict::No,
        _ => Verdict::Unknown,
    }
}

/// The boundary of a multipart in the value of a Content-Type.
pub(super) fn boundary(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    let is_multipart = begins_with(value.trim_ascii_start(), b"multipart/");
    let boundary = is_multipart.then(|| param(value, b"boundary")).flatten()?.value;
    (!boundary.is_empty()).then_some(boundary)
}

/// Returns whether a header may continue with `line`, whose buffered part is not a field.
fn may_continue(line: &[u8], last: bool) -> Verdict {
    let complete = last || line.contains(&b'\n') || !may_become_field(line);
    if complete { Verdict::No } else { Verdict::Unknown }
}

/// Returns true if the value of a field looks like YAML after a key: an empty line, and then an item or a deeper
/// key.
fn is_mapping(value: &[u8]) -> bool {
    let mut lines = value.split(|&b| b == b'\n').map(<[u8]>::trim_ascii);
    let is_key = |line: &[u8]| {
        let colon = memchr::memchr(b':', line).filter(|&colon| colon > 0);
        colon.is_some_and(|at| {
            let is_word = line[..at].iter().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(b));
            is_word && line.get(at + 1).is_none_or(|&b| b == b' ')
        })
    };
    lines.next().is_some_and(<[u8]>::is_empty)
        && lines.next().is_some_and(|line| line == b"-" || line.starts_with(b"- ") || is_key(line))
}

const TRANSFER_ENCODINGS: [&[u8]; 5] = [b"quoted-printable", b"base64", b"7bit", b"8bit", b"binary"];

impl Witness {
    fn of(field: &HeaderField, bytes: &[u8]) -> Witness {
        let (name, value) = (field.name(bytes), field.value(bytes).trim_ascii());
        let any = |words: &[&[u8]]| words.iter().any(|word| memchr::memmem::find(value, word).is_some());
        let certain = |yes: bool| if yes { Witness::Certain } else { Witness::None };
        let is_capital = name.first().is_some_and(u8::is_ascii_uppercase) && !value.is_empty();
        let likely = |yes: bool| if yes || is_capital { Witness::Likely } else { Witness::None };
        match &*name.to_ascii_lowercase() {
            b"message-id" | b"article-i.d." => certain(is_id(value)),
            b"in-reply-to" | b"references" if is_id(value) => Witness::Certain,
            b"received" => certain(any(&[b"from ", b"by ", b"with "])),
            b"return-path" => certain(value.starts_with(b"<") || is_address(value)),
            b"mime-version" => certain(value.starts_with(b"1.")),
            b"dkim-signature" => certain(value.starts_with(b"v=")),
            b"x-mozilla-status" | b"x-mozilla-status2" | b"x-mozilla-keys" | b"x-account-key" | b"x-uidl" => {
                Witness::Certain
            }
            b"posting-version" | b"relay-version" => certain(any(&[b"version ", b"site "])),
            b"path" if memchr::memchr(b'!', value).is_some() => Witness::Certain,
            b"delivered-to" | b"envelope-to" => certain(is_address(value)),
            b"from" | b"to" | b"sender" | b"reply-to" if is_address(value) => Witness::Address,
            b"from" | b"to" if !begins_name(value) => Witness::None,
            b"from" | b"to" => likely(false),
            b"date" if is_date(value) => Witness::Likely,
            b"date" if is_capital => Witness::Content,
            b"subject" => likely(false),
            b"newsgroups" => likely(value.contains(&b'.')),
            // HTTP does not define this field.
            b"content-transfer-encoding" if is_one_of(value, &TRANSFER_ENCODINGS) => Witness::Likely,
            b"content-type" | b"list-id" | b"xref" => Witness::Content,
            _ => Witness::None,
        }
    }
}

/// Returns true if a value contains a message identifier.
fn is_id(value: &[u8]) -> bool {
    value.starts_with(b"<") && value.ends_with(b">") && !value.contains(&b'/')
}

/// Returns true if a value contains an email address, or its path (`h!user`).
fn is_address(value: &[u8]) -> bool {
    let is_joint = |at: usize| {
        let [before, after] =
            [at.checked_sub(1), at.checked_add(1)].map(|at| at.and_then(|at| value.get(at)));
        [before, after].iter().all(|b| b.is_some_and(|b| b.is_ascii_alphanumeric() || b"-_.\"[>".contains(b)))
    };
    memchr::memchr2_iter(b'@', b'!', value).any(is_joint)
}

/// Returns true if a value may begin with a name, a comment or an address.
fn begins_name(value: &[u8]) -> bool {
    value.first().is_some_and(|&b| b.is_ascii_alphanumeric() || !b.is_ascii() || b"\"'(=_".contains(&b))
}

/// The names of months, as dates of mail abbreviate them.
pub(super) const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];

/// Returns true if a value is a date as in mail: with a month name, or like `3/2/93`, but not as in ISO 8601.
fn is_date(value: &[u8]) -> bool {
    let is_month = |word: &[u8]| word.get(..3).is_some_and(|word| is_one_of(word, &MONTHS));
    let mut words = value.split(|b| !b.is_ascii_alphabetic());
    let first = value.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_number = |part: &[u8]| matches!(part.len(), 1 | 2 | 4) && part.iter().all(u8::is_ascii_digit);
    let is_slashed = first.split(|&b| b == b'/').count() == 3 && first.split(|&b| b == b'/').all(is_number);
    is_slashed || words.any(is_month) && value.iter().any(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Verdict) {
        assert_eq!(begins_alone(text.as_bytes(), true), expected, "{text:?}");
        for cut in 0..text.len() {
            let early = begins_alone(&text.as_bytes()[..cut], false);
            assert!(early == Verdict::Unknown || early == expected, "{cut} bytes of {text:?}: {early:?}");
        }
    }

    #[test]
    fn messages_without_a_separator() {
        for text in [
            "From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nSubject: x\n\nb",
            "To: a\nSubject: b\n\nc",
            "From: a\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\nc",
            "From: root\nTo: undisclosed-recipients:;\nX-A: b\n\n",
            "Path: a!b!c\nNewsgroups: rec.crafts\nno field\n",
            "Received: from h.org by i.org;\n\tFri, 2 Mar 2001 10:11:12 +0000\nMessage-ID: <1@h.org>\nand damage",
            "garbage\nReturn-Path: <a@h.org>\nSubject: b\n\n",
            "from: Joe <joe@h.org>\ndate: Fri Mar  2 10:11:12 2001\nsubject: x\r\n\r\n",
            "From: root\nDate: 3/2/93 10:11\n\n",
            "Subject:\n folded\nTo:\n a@h.org\n\n",
            "To: a\r\r\nSubject: b\r\r\n\r\r\nc",
        ] {
            check(text, Verdict::Yes);
        }
    }

    #[test]
    fn entities_without_a_head() {
        let begins = |text: &str, expected| {
            assert_eq!(begins_entity(text.as_bytes(), true), expected, "{text:?}");
            for cut in 0..text.len() {
                let early = begins_entity(&text.as_bytes()[..cut], false);
                let is_short = begins_alone(&text.as_bytes()[..cut], false) == Verdict::Unknown;
                assert!(
                    is_short || early == Verdict::Unknown || early == expected,
                    "{cut} bytes of {text:?}"
                );
            }
        };
        for text in [
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\na",
            "content-type: Multipart/Alternative;\r\n boundary=\"b c\"\r\nX-A: b\r\n\r\npreamble\r\n--b c\r\n",
        ] {
            begins(text, Verdict::Yes);
        }
        // The delimiter decides, if a body has begun.
        let text = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
        assert_eq!(begins_entity(text.as_bytes(), false), Verdict::Yes);
        for text in [
            "Content-Type: multipart/mixed; boundary=b\n\n--c\n\na",
            "Content-Type: multipart/mixed\n\n--\n\na",
            "Content-Type: multipart/mixed; boundary=b\n--b\nhttp://h.org/",
            "Content-Type: multipart/mixed; boundary=b\nhttp://h.org/a\n--b\nFrom: a@h.org\nMessage-ID: <1@h.org>\n",
            "Content-Type: text/plain; boundary=b\n\n--b\n\na",
            "X-A: b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\na",
        ] {
            begins(text, Verdict::No);
        }
    }

    #[test]
    fn what_has_such_names_and_is_no_mail() {
        for text in [
            "title: A rule\nreferences:\n  - https://h.org/a\nauthor: F\ndate: 2020-01-01\n",
            "references:\n- https://h.org/a\ndate: 2020-01-01\nfrom: x\n",
            "from: registry.example.org/a:1\nsubject: build\ndate: 2024-05-06T07:08:09Z\n",
            "from: a@h.org\nto: b@h.org\nurls:\n  - https://h.org/a\n",
            "from: a@h.org\nto: b@h.org\nserver:\n  host: h.org\n",
            "---\ntitle: x\ndate: 2024-05-06\nsubject: y\n---\nText\n",
            "Package: a\nDescription: From: b\nDate: x\n",
            "from: a@h.org\nto: x\ncontent-type:\n  name: y\n",
            "HTTP/1.1 200 OK\nDate: Fri, 02 Mar 2001 10:11:12 GMT\nContent-Type: text/html\n\n<p>",
            "From: a\nTo: b\nthis is prose\nand more of it\n",
            "path: a/b\nsender: x\nreferences: https://h.org/a\n",
            "Note: x\n",
            // No single field is enough.
            "Message-ID: <1@h.org>\n\nb",
            "Message-ID: <1@h.org>\nx: b\n\n",
            "Title: a\nreferences:\n http://h.org/a\nDate: 2010-12-03 10:20\nTo: x\n\n",
            "see http://h.org/a\nFrom: a@h.org\nSubject: b\n\n",
            "References: <http://h.org/a>\nIn-Reply-To: <http://h.org/c>\n\n",
            "Message-ID: <http://h.org/a>\nX-A: b\nArticle-I.D.: <http://h.org/c>\n\n",
        ] {
            check(text, Verdict::No);
        }
    }

    fn witness(line: &str) -> Witness {
        let field = HeaderFields::new(line.as_bytes(), 0).next().unwrap();
        Witness::of(&field, line.as_bytes())
    }

    /// The evidence of each field with a value of its kind, and with another value.
    #[test]
    fn every_witness() {
        use Witness::{Address, Certain, Content, Likely, None};
        for (names, value, of_value, other, of_other) in [
            ("message-id article-i.d. in-reply-to references", "<1@h.org>", Certain, "<http://h.org/>", None),
            ("received", "by h.org", Certain, "today", None),
            ("return-path", "<>", Certain, "here", None),
            ("mime-version", "1.0", Certain, "2.0", None),
            ("dkim-signature", "v=1; a=x", Certain, "a=x", None),
            (
                "x-mozilla-status x-mozilla-status2 x-mozilla-keys x-account-key x-uidl",
                "1",
                Certain,
                "",
                Certain,
            ),
            ("posting-version relay-version", "version B 2.10", Certain, "2.10", None),
            ("path", "a!b", Certain, "a/b", None),
            ("delivered-to envelope-to", "a@h.org", Certain, "a", None),
            ("from to sender reply-to", "a@h.org", Address, "/a", None),
            ("date", "Fri, 2 Mar 2001", Likely, "2001-03-02", None),
            ("content-transfer-encoding", "8BIT", Likely, "gzip", None),
            ("content-type list-id xref", "x", Content, "", Content),
            ("x-mailer", "x", None, "", None),
        ] {
            for name in names.split(' ') {
                for (value, expected) in [(value, of_value), (other, of_other)] {
                    let line = format!("{name}: {value}\n");
                    assert_eq!(witness(&line), expected, "{line}");
                }
            }
        }
    }

    #[test]
    fn encodings_and_dates_of_witnesses() {
        for encoding in ["quoted-printable", "base64", "7bit", "8bit", "binary"] {
            for encoding in [encoding.to_owned(), encoding.to_uppercase()] {
                let line = format!("content-transfer-encoding: {encoding}\n");
                assert_eq!(witness(&line), Witness::Likely, "{line}");
            }
        }
        for (date, expected) in [
            ("2 Mar 2001", true),
            ("Mar", false),
            ("2 Nar 2001", false),
            ("2001/03/02 10:11", true),
            ("3/2/01", true),
            ("3/2/001", false),
            ("3/2", false),
            ("1/2/3/4", false),
        ] {
            assert_eq!(is_date(date.as_bytes()), expected, "{date}");
        }
    }

    /// Mail programs write capital letters.
    #[test]
    fn witnesses_with_a_capital_letter() {
        use Witness::{Content, Likely, None};
        for (line, expected) in [
            ("From: a\n", Likely),
            ("To: a\n", Likely),
            ("from: a\n", None),
            ("Subject: a\n", Likely),
            ("subject: a\n", None),
            ("newsgroups: a.b\n", Likely),
            ("newsgroups: a\n", None),
            ("Newsgroups: a\n", Likely),
            ("Date: 2001-03-02\n", Content),
            ("Subject:\n", None),
        ] {
            assert_eq!(witness(line), expected, "{line}");
        }
    }

    /// After a separator any two of them are a message.
    #[test]
    fn every_field_of_mail() {
        let names = "Date From Sender Reply-To To Message-ID In-Reply-To References Subject Return-Path Received \
            Newsgroups Path Xref Article-I.D. Posting-Version Relay-Version MIME-Version Content-Type \
            Content-Transfer-Encoding List-ID DKIM-Signature Delivered-To Envelope-To X-Account-Key X-UIDL \
            X-Mozilla-Keys X-Mozilla-Status X-Mozilla-Status2";
        for name in names.split_ascii_whitespace() {
            for text in [format!("{name}: x\nFrom: y\n"), format!("subject: y\n{}: x\n", name.to_lowercase())]
            {
                assert_eq!(begins(text.as_bytes(), true), Verdict::Yes, "{text}");
            }
            assert_eq!(begins(format!("{name}: x\nX-A: y\n").as_bytes(), true), Verdict::No, "{name}");
        }
        assert_eq!(names.split_ascii_whitespace().count(), FIELDS.len());
    }

    /// The value of a field that is YAML instead.
    #[test]
    fn values_that_are_mappings() {
        for (value, expected) in [
            ("\n  a: b\n", true),
            ("\n  a:\n", true),
            ("\n  a-b_1: c\n", true),
            ("\n  - a\n", true),
            ("\n  -\n", true),
            ("  \n  a: b\n", true),
            ("\n  : b\n", false),
            ("\n  a:b\n", false),
            ("\n  a b: c\n", false),
            ("\n  -a\n", false),
            ("\n  <a@h.org>\n", false),
            ("x\n  a: b\n", false),
            ("\n", false),
            ("", false),
        ] {
            assert_eq!(is_mapping(value.as_bytes()), expected, "{value:?}");
        }
    }

    /// A display name, a comment, an encoded word or an address (RFC 5322 §3.4, RFC 2047 §2).
    #[test]
    fn the_first_byte_of_a_name() {
        for (value, expected) in [
            ("Anna <a@h.org>", true),
            ("9a@h.org", true),
            ("_a@h.org", true),
            ("\"Anna\" <a@h.org>", true),
            ("'Anna' <a@h.org>", true),
            ("(Anna) a@h.org", true),
            ("=?utf-8?q?Anna?= <a@h.org>", true),
            ("\u{c4}nne <a@h.org>", true),
            ("", false),
            ("<a@h.org>", false),
            ("{a@h.org}", false),
            ("[a@h.org]", false),
            ("/a", false),
            ("-a@h.org", false),
            ("$a", false),
            ("*a", false),
            (":a", false),
            (" a", false),
        ] {
            assert_eq!(begins_name(value.as_bytes()), expected, "{value}");
        }
    }
}
