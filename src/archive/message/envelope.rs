//! The fields of a head that describe the message: Message-ID, From, Date and others.
//!
//! They may be read for each URL of the message. So the head is searched once for
//! all fields that have a method of their own, and no more than [`MAX_FIELD_LEN`] bytes of
//! their values are read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr3_iter;

use super::date;
use super::mime::Mime;
use crate::archive::decode::{charset, encoded_word};
use crate::archive::header::Fields;
use crate::bytes::unicode::lossy;

/// How many bytes of a value are read. No person writes more, but a program can, and
/// the value would be repeated with each match.
const MAX_FIELD_LEN: usize = 8 * 1024;

/// The fields of a head that describe the message.
///
/// They are parsed on demand. The first call costs a pass over the head,
/// and [`field`](Self::field) one each time. The other methods read 8 KiB of a value at
/// most.
#[derive(Clone, Debug)]
pub struct Envelope<'m> {
    /// The head, and perhaps the bytes after it.
    head: Cow<'m, [u8]>,
    known: OnceLock<FieldRanges>,
    owned: OnceLock<Arc<Envelope<'static>>>,
}

/// A field that has a method of its own.
#[derive(Clone, Copy)]
enum Known {
    Base,
    ContentType,
    Location,
    Cc,
    Date,
    From,
    Id,
    InReplyTo,
    ListId,
    Newsgroups,
    Subject,
    To,
}

/// The values of those fields, as ranges of the head.
#[derive(Clone, Debug, Default)]
struct FieldRanges([Option<Range<usize>>; Known::To as usize + 1]);

impl FieldRanges {
    /// The fields of a head. Of several fields of a name, the first counts.
    fn of(head: &[u8]) -> Self {
        let mut known = FieldRanges::default();
        for field in Fields::new(head, 0) {
            if let Some(which) = known_name(field.name(head)) {
                let end = field.range.end;
                let start = end - field.value(head).len();
                known.0[which as usize].get_or_insert(start..end.min(start + MAX_FIELD_LEN));
            }
        }
        known
    }
}

/// The field of this name.
fn known_name(name: &[u8]) -> Option<Known> {
    // Few other fields have these first letters and lengths.
    let (known, which) = match (name.first()?.to_ascii_lowercase(), name.len()) {
        (b'c', 2) => (&b"cc"[..], Known::Cc),
        (b'c', 12) if name[8] | 0x20 == b't' => (&b"content-type"[..], Known::ContentType),
        (b'c', 12) => (&b"content-base"[..], Known::Base),
        (b'c', 16) => (&b"content-location"[..], Known::Location),
        (b'd', 4) => (&b"date"[..], Known::Date),
        (b'f', 4) => (&b"from"[..], Known::From),
        (b'i', 11) => (&b"in-reply-to"[..], Known::InReplyTo),
        (b'l', 7) => (&b"list-id"[..], Known::ListId),
        (b'm', 10) => (&b"message-id"[..], Known::Id),
        (b'n', 10) => (&b"newsgroups"[..], Known::Newsgroups),
        (b's', 7) => (&b"subject"[..], Known::Subject),
        (b't', 2) => (&b"to"[..], Known::To),
        _ => return None,
    };
    known.eq_ignore_ascii_case(name).then_some(which)
}

impl<'m> Envelope<'m> {
    pub(crate) fn new(head: impl Into<Cow<'m, [u8]>>) -> Self {
        Envelope { head: head.into(), known: OnceLock::new(), owned: OnceLock::new() }
    }

    /// The same fields in memory of their own, which is shared by all calls.
    pub(crate) fn to_shared(&self) -> Arc<Envelope<'static>> {
        Arc::clone(self.owned.get_or_init(|| Arc::new(Envelope::new(self.head.to_vec()))))
    }

    /// The bytes that the fields are read from: the head of the message, and perhaps bytes after it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.head
    }

    /// The value of a field, not decoded.
    fn value(&self, which: Known) -> Option<&[u8]> {
        let known = self.known.get_or_init(|| FieldRanges::of(&self.head));
        Some(&self.head[known.0[which as usize].clone()?])
    }

    fn decoded(&self, which: Known) -> Option<String> {
        self.value(which).map(|value| self.read(value))
    }

    /// What is in the first angle brackets of a field, or all of it.
    fn in_brackets(&self, which: Known) -> Option<String> {
        let value = self.decoded(which)?;
        let inside = value.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
        Some(inside.map_or(value.as_str(), |(inside, _)| inside).to_owned())
    }

    /// The message-id, without its angle brackets.
    pub fn id(&self) -> Option<String> {
        let id = self.decoded(Known::Id)?;
        let inside = id.strip_prefix('<').and_then(|id| id.split_once('>'));
        Some(inside.map_or(id.as_str(), |(id, _)| id).to_owned())
    }

    /// The author: `A <a@h.org>`; `None` if there is no field From.
    ///
    /// As all values that are decoded, it can have any character, also those that a terminal executes.
    pub fn from(&self) -> Option<String> {
        self.decoded(Known::From)
    }

    /// The receivers: `A <a@h.org>, b@h.org`.
    pub fn to(&self) -> Option<String> {
        self.decoded(Known::To)
    }

    /// The receivers of a copy.
    pub fn cc(&self) -> Option<String> {
        self.decoded(Known::Cc)
    }

    /// The name of the mailing list (RFC 2919), without its angle brackets and what is before them:
    /// `list.h.org`.
    pub fn list_id(&self) -> Option<String> {
        self.in_brackets(Known::ListId)
    }

    /// The id of the message that this one answers, without its angle brackets; the first one, if there are
    /// several.
    pub fn in_reply_to(&self) -> Option<String> {
        self.in_brackets(Known::InReplyTo)
    }

    /// The values of Content-Location and Content-Base.
    pub(crate) fn bases(&self) -> [Option<&[u8]>; 2] {
        [self.value(Known::Location), self.value(Known::Base)]
    }

    /// The date, in the form of RFC 3339: `2001-03-02T10:11:12+01:00`. `None` if the
    /// field has no day and time.
    pub fn date(&self) -> Option<String> {
        date::rfc3339(self.value(Known::Date)?)
    }

    /// The subject.
    pub fn subject(&self) -> Option<String> {
        self.decoded(Known::Subject)
    }

    /// The newsgroups, separated by commas.
    pub fn newsgroups(&self) -> Option<String> {
        self.decoded(Known::Newsgroups)
    }

    /// The value of the first field of this name, in any letter case: unfolded,
    /// encoded words decoded (RFC 2047), bytes that are not UTF-8 decoded by the charset of
    /// the body, or as windows-1252 if that is not known, and each tab replaced by a space, since it is there to fold the line (RFC 5322 §2.2.3).
    pub fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next()
    }

    /// The values of all fields of this name, in their order, each as [`field`](Self::field) returns the
    /// first.
    pub fn fields<'e>(&'e self, name: &'e str) -> impl Iterator<Item = String> + 'e {
        let fields = Fields::new(&self.head, 0).filter(|field| field.is(&self.head, name.as_bytes()));
        fields.map(|field| self.read(field.value(&self.head)))
    }

    /// A value, decoded and unfolded.
    fn read(&self, value: &[u8]) -> String {
        let may_be_encoded = charset::may_be_in_field(value);
        let unicode = may_be_encoded.then(|| charset::unicode_field(value, &self.charset())).flatten();
        let value = unicode.map_or(Cow::Borrowed(value), |unicode| Cow::Owned(unicode.bytes));
        let decoded = encoded_word::decode(&value).map(|decoded| Cow::Owned(decoded.bytes)).unwrap_or(value);
        let text = lossy(decoded.trim_ascii());
        let (mut unfolded, mut from) = (String::with_capacity(text.len()), 0);
        for at in memchr3_iter(b'\r', b'\n', b'\t', text.as_bytes()) {
            unfolded.push_str(&text[from..at]);
            unfolded.push_str(if text[at..].starts_with('\t') { " " } else { "" });
            from = at + 1;
        }
        unfolded + &text[from..]
    }

    /// The charset of the body, or of the fields if they are not ASCII.
    fn charset(&self) -> Vec<u8> {
        let mut mime = Mime::default();
        if let Some(value) = self.value(Known::ContentType) {
            mime.note(b"content-type", value);
        }
        mime.param(b"charset").unwrap_or_default().into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_head() {
        let head = &b"message-ID: <1@h.org>\r\nFrom: =?utf-8?q?J=C3=B6rg?= <j@h.org>\r\n\
            Date: Fri, 02 Mar 2001 10:11:12 +0100\r\nSubject: a long\r\n subject\r\n"[..];
        let envelope = Envelope::new(head);
        assert_eq!(envelope.id().as_deref(), Some("1@h.org"));
        assert_eq!(envelope.from().as_deref(), Some("J\u{f6}rg <j@h.org>"));
        assert_eq!(envelope.date().as_deref(), Some("2001-03-02T10:11:12+01:00"));
        assert_eq!(envelope.subject().as_deref(), Some("a long subject"));
        assert_eq!(envelope.newsgroups(), None);
    }

    #[test]
    fn receivers_lists_and_answers() {
        let envelope = Envelope::new(
            &b"To: =?utf-8?q?J=C3=B6rg?= <j@h.org>,\n a@h.org\nCC: b@h.org\n\
               List-Id: \"The list\" <list.h.org>\nIn-Reply-To: Your mail of today <1@h.org> <2@h.org>\n"[..],
        );
        assert_eq!(envelope.to().as_deref(), Some("J\u{f6}rg <j@h.org>, a@h.org"));
        assert_eq!(envelope.cc().as_deref(), Some("b@h.org"));
        assert_eq!(envelope.list_id().as_deref(), Some("list.h.org"));
        assert_eq!(envelope.in_reply_to().as_deref(), Some("1@h.org"));
        let bare = Envelope::new(&b"List-Id: list.h.org\nIn-Reply-To: your mail\n"[..]);
        assert_eq!(bare.list_id().as_deref(), Some("list.h.org"));
        assert_eq!(bare.in_reply_to().as_deref(), Some("your mail"));
        assert_eq!((bare.to(), bare.cc()), (None, None));
    }

    #[test]
    fn a_tab_that_folds_a_line_is_a_space() {
        for head in ["Subject: a long\n\tsubject\n", "Subject: =?us-ascii?q?a_long?=\r\n\tsubject\r\n"] {
            assert_eq!(Envelope::new(head.as_bytes()).subject().as_deref(), Some("a long subject"), "{head}");
        }
    }

    #[test]
    fn fields_that_are_not_ascii() {
        let subject = |head: &[u8]| Envelope::new(head).subject().unwrap();
        assert_eq!(subject(b"Subject: caf\xE9\n"), "café");
        assert_eq!(subject(b"Subject: \xCD\xC9\xD2\nContent-Type: text/plain; charset=koi8-r\n"), "мир");
        assert_eq!(subject("Subject: é\nContent-Type: text/plain; charset=koi8-r\n".as_bytes()), "é");
        let japanese = b"Subject: \x1B$BF|\x1B(B\nContent-Type: text/plain; charset=iso-2022-jp\n";
        assert_eq!(subject(japanese), "日");
    }

    #[test]
    fn of_several_the_first_counts() {
        let envelope =
            Envelope::new(&b"Subject: one\nsubject: two\nX: three\nx: four\n\nFrom: a@h.org\n"[..]);
        assert_eq!(envelope.subject().as_deref(), Some("one"));
        assert_eq!(envelope.field("x").as_deref(), Some("three"));
        assert_eq!(envelope.from(), None);
    }

    #[test]
    fn a_long_value_is_cut() {
        let head = format!("Subject:{}\n", "a".repeat(2 * MAX_FIELD_LEN));
        let envelope = Envelope::new(head.as_bytes());
        assert_eq!(envelope.subject().map(|subject| subject.len()), Some(MAX_FIELD_LEN));
        assert_eq!(envelope.field("Subject").map(|subject| subject.len()), Some(2 * MAX_FIELD_LEN));
    }
}
