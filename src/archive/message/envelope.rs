//! The header fields that describe the message: Message-ID, From, Date and others.
//!
//! The fields may be read for each URL of the message. So the header is searched once for all
//! fields with their own method, and at most [`MAX_FIELD_LEN`] bytes of their values are read.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr3_iter;

use super::date;
use super::mime::Mime;
use crate::archive::decode::{charset, encoded_word};
use crate::archive::header::{HeaderFields, begins_with, is_one_of, line_end, lower};
use crate::bytes::unicode::lossy;

/// The number of bytes of a value that are read. People do not write more, but programs can, and
/// the value would be repeated with each match.
const MAX_FIELD_LEN: usize = 8 * 1024;

/// The number of bytes of a header that a message in parts takes over. A hundred of these may be
/// nested.
const MAX_INHERITED_LEN: usize = 64 * 1024;

/// The header fields that describe a message.
///
/// The fields are parsed on demand. The first call costs a pass over the header, and so does each
/// call of [`field`](Self::field). The other methods read at most 8 KiB of a value.
#[derive(Clone, Debug)]
pub struct Envelope<'m> {
    /// The header, optionally followed by other bytes.
    head: Cow<'m, [u8]>,
    /// The lines before the header, such as the separator of an mbox; may be empty.
    separator: Cow<'m, [u8]>,
    known: OnceLock<FieldRanges>,
    owned: OnceLock<Arc<Envelope<'static>>>,
}

/// The beginning of the line before a message in an mbox.
const SEPARATOR: &[u8] = b"From ";

/// Returns true if a field describes the content of a message.
pub(super) fn is_content(name: &[u8]) -> bool {
    begins_with(name, b"content-") || is_one_of(name, &[b"encrypted", b"mime-version"])
}

/// Returns true if a field describes the content or the identity of a message. For a message in parts, the
/// fields in its first part do that.
fn is_of_content(name: &[u8]) -> bool {
    is_content(name) || is_one_of(name, &[b"subject", b"message-id"])
}

/// Whole lines: the last one may lack its line break.
fn lines(field: &[u8]) -> impl Iterator<Item = u8> {
    let end = (!field.ends_with(b"\n")).then_some(b'\n');
    field.iter().copied().chain(end)
}

/// A field with its own method.
#[derive(Clone, Copy)]
enum KnownField {
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
    Received,
    Subject,
    To,
}

/// The values of these fields, as ranges of the header.
type FieldRanges = [Option<Range<usize>>; KnownField::To as usize + 1];

/// The fields of a header. If a field occurs several times, the first one counts.
fn known_fields(head: &[u8]) -> FieldRanges {
    let mut known = FieldRanges::default();
    for field in HeaderFields::new(head, 0) {
        if let Some(which) = known_name(field.name(head)) {
            let end = field.range.end;
            let start = end - field.value(head).len();
            known[which as usize].get_or_insert(start..end.min(start + MAX_FIELD_LEN));
        }
    }
    known
}

/// The field of this name.
fn known_name(name: &[u8]) -> Option<KnownField> {
    Some(match lower(name, &mut [0; LONGEST_KNOWN])? {
        b"content-base" => KnownField::Base,
        b"content-type" => KnownField::ContentType,
        b"content-location" => KnownField::Location,
        b"cc" => KnownField::Cc,
        b"date" => KnownField::Date,
        b"from" => KnownField::From,
        b"message-id" => KnownField::Id,
        b"in-reply-to" => KnownField::InReplyTo,
        b"list-id" => KnownField::ListId,
        b"newsgroups" => KnownField::Newsgroups,
        b"received" => KnownField::Received,
        b"subject" => KnownField::Subject,
        b"to" => KnownField::To,
        _ => return None,
    })
}

/// The length of the longest of these names.
const LONGEST_KNOWN: usize = "content-location".len();

impl<'m> Envelope<'m> {
    pub(crate) fn new(head: impl Into<Cow<'m, [u8]>>) -> Self {
        Envelope::after(b"", head)
    }

    /// The fields of a header after an mbox separator, if `before` begins with one.
    pub(crate) fn after(before: &'m [u8], head: impl Into<Cow<'m, [u8]>>) -> Self {
        let separator = Cow::Borrowed(if before.starts_with(SEPARATOR) { before } else { b"" });
        Envelope { head: head.into(), separator, known: OnceLock::new(), owned: OnceLock::new() }
    }

    /// Returns this envelope for the first part of a message in parts: by RFC 2046 §5.2.2.2, it has
    /// the fields of the `outer` one, except the fields that describe the content and its identity.
    pub(crate) fn within(self, outer: &Envelope<'_>) -> Self {
        let fields = |head: &[u8], is_wanted: fn(&[u8]) -> bool| {
            let wanted = HeaderFields::new(head, 0).filter(|field| is_wanted(field.name(head)));
            wanted.flat_map(|field| lines(&head[field.range])).collect::<Vec<u8>>()
        };
        let inherited = &outer.head[..outer.head.len().min(MAX_INHERITED_LEN)];
        // Each field occurs once, because otherwise nested messages in parts would double their header at every level.
        // The subject and the identity of the outer message come last, because the first field counts.
        let head = [
            fields(inherited, |name| !is_of_content(name)),
            fields(&self.head, is_of_content),
            fields(inherited, |name| is_of_content(name) && !is_content(name)),
        ];
        let separator = Cow::Owned(outer.separator.to_vec());
        Envelope { separator, ..Envelope::new(head.concat()) }
    }

    /// Returns these fields in separate memory, which all calls share.
    pub(crate) fn to_shared(&self) -> Arc<Envelope<'static>> {
        let owned = || {
            let separator = Cow::Owned(self.separator.to_vec());
            Arc::new(Envelope { separator, ..Envelope::new(self.head.to_vec()) })
        };
        Arc::clone(self.owned.get_or_init(owned))
    }

    /// Returns the bytes from which the fields are read: the message header, and possibly bytes
    /// after it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.head
    }

    /// The value of a field, without decoding.
    fn value(&self, which: KnownField) -> Option<&[u8]> {
        let known = self.known.get_or_init(|| known_fields(&self.head));
        Some(&self.head[known[which as usize].clone()?])
    }

    fn decoded(&self, which: KnownField) -> Option<String> {
        self.value(which).map(|value| self.read(value))
    }

    /// Returns the content of the first angle brackets of a field, or the whole field.
    fn in_brackets(&self, which: KnownField) -> Option<String> {
        let value = self.decoded(which)?;
        let inside = value.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
        Some(inside.map_or(value.as_str(), |(inside, _)| inside).to_owned())
    }

    /// Returns the message-id, without its angle brackets.
    pub fn id(&self) -> Option<String> {
        let id = self.decoded(KnownField::Id)?;
        let inside = id.strip_prefix('<').and_then(|id| id.split_once('>'));
        Some(inside.map_or(id.as_str(), |(id, _)| id).to_owned())
    }

    /// Returns the author: `A <a@h.org>`, or `None` without a field From.
    ///
    /// Like all decoded values, it can contain any character, even terminal control sequences.
    pub fn from(&self) -> Option<String> {
        self.decoded(KnownField::From)
    }

    /// Returns the recipients in the field To: `A <a@h.org>, b@h.org`.
    pub fn to(&self) -> Option<String> {
        self.decoded(KnownField::To)
    }

    /// Returns the recipients in the field Cc.
    pub fn cc(&self) -> Option<String> {
        self.decoded(KnownField::Cc)
    }

    /// Returns the name of the mailing list (RFC 2919), without its angle brackets and the text
    /// before them: `list.h.org`.
    pub fn list_id(&self) -> Option<String> {
        self.in_brackets(KnownField::ListId)
    }

    /// Returns the id of the message to which this one replies, without its angle brackets, or the
    /// first of several.
    pub fn in_reply_to(&self) -> Option<String> {
        self.in_brackets(KnownField::InReplyTo)
    }

    /// The values of Content-Location and Content-Base.
    pub(crate) fn bases(&self) -> [Option<&[u8]>; 2] {
        [self.value(KnownField::Location), self.value(KnownField::Base)]
    }

    /// Returns the date in the form of RFC 3339: `2001-03-02T10:11:12+01:00`.
    ///
    /// The offset from UTC is the sender's, so parse two dates before you compare them. If the message has no field
    /// Date, the first Received field supplies the date, or else the mbox separator does, in UTC. Returns `None` if the
    /// field does not contain a day and a time.
    pub fn date(&self) -> Option<String> {
        if let Some(date) = self.value(KnownField::Date) {
            return match memchr::memmem::find(date, b"=?") {
                Some(_) => date::rfc3339(self.read(date).as_bytes()),
                None => date::rfc3339(date),
            };
        }
        let received = self.value(KnownField::Received).and_then(|value| value.rsplit(|&b| b == b';').next());
        received.and_then(date::rfc3339).or_else(|| {
            let before = if self.separator.is_empty() { &self.head } else { &self.separator };
            before
                .starts_with(SEPARATOR)
                .then(|| date::of_separator(&before[..line_end(before, 0)]))
                .flatten()
        })
    }

    /// Returns the subject.
    pub fn subject(&self) -> Option<String> {
        self.decoded(KnownField::Subject)
    }

    /// Returns the newsgroups, separated by commas.
    pub fn newsgroups(&self) -> Option<String> {
        self.decoded(KnownField::Newsgroups)
    }

    /// Returns the value of the first field of this name (case-insensitive). It is unfolded, with decoded words (RFC
    /// 2047). Bytes that are not UTF-8 are decoded by the charset of the body, or as windows-1252 if that is unknown. A
    /// space replaces each tab, because tabs are there to fold the line (RFC 5322 §2.2.3).
    pub fn field(&self, name: &str) -> Option<String> {
        self.fields(name).next()
    }

    /// Returns the values of all fields of this name, in order, decoded as by
    /// [`field`](Self::field).
    pub fn fields<'e>(&'e self, name: &'e str) -> impl Iterator<Item = String> + 'e {
        let fields = HeaderFields::new(&self.head, 0).filter(|field| field.is(&self.head, name.as_bytes()));
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
        if let Some(value) = self.value(KnownField::ContentType) {
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
    fn a_date_without_its_field() {
        let date =
            |head: &str, before: &'static str| Envelope::after(before.as_bytes(), head.as_bytes()).date();
        let separator = "From a1@h.org Sat Sep 14 20:56:38 1996\n>From b\n";
        let received = "Received: from h.org (a; b)\n by i.org; 2 Mar 2001 10:11:12 +0100\n\
                        Received: from j.org; 1 Mar 2001 1:00 Z\n";
        assert_eq!(date(received, separator).as_deref(), Some("2001-03-02T10:11:12+01:00"));
        assert_eq!(
            date("Received: from h.org\nTo: a\n", separator).as_deref(),
            Some("1996-09-14T20:56:38+00:00")
        );
        assert_eq!(date(&format!("{separator}To: a\n"), "").as_deref(), Some("1996-09-14T20:56:38+00:00"));
        assert_eq!(date("To: a\n", "http://h.org/ Sat Sep 14 20:56:38 1996\n"), None);
        // The value of the field counts.
        assert_eq!(date(&format!("{received}Date: today\n"), separator), None);
        let encoded = "Date: =?iso-8859-1?q?2_M=E4rz_2001_10=3A11?=\n";
        assert_eq!(date(encoded, "").as_deref(), Some("2001-03-02T10:11:00-00:00"));
        let shared = Envelope::after(separator.as_bytes(), &b"To: a\n"[..]).to_shared();
        assert_eq!(shared.date().as_deref(), Some("1996-09-14T20:56:38+00:00"));
    }

    #[test]
    fn the_fields_of_a_message_in_parts() {
        // RFC 2046 §5.2.2.2.
        let outer = Envelope::new(
            &b"X-Weird: 1\nFrom: a@h.org\nDate: 2 Mar 2001 10:11 Z\nSubject: part 1\nMessage-ID: <1@h.org>\n\
               MIME-Version: 1.0\nContent-type: message/partial; id=\"x\"; number=1"[..],
        );
        let inner = Envelope::new(
            &b"X-Weird: 2\nFrom: b@h.org\nMessage-ID: <2@h.org>\nEncrypted: x\nContent-type: text/html\n\nFrom: c"[..],
        );
        let whole = inner.within(&outer);
        assert_eq!(whole.from().as_deref(), Some("a@h.org"));
        assert_eq!(whole.id().as_deref(), Some("2@h.org"));
        assert_eq!(whole.subject().as_deref(), Some("part 1"));
        assert_eq!(whole.date().as_deref(), Some("2001-03-02T10:11:00+00:00"));
        assert_eq!(whole.field("content-type").as_deref(), Some("text/html"));
        assert_eq!(whole.fields("x-weird").collect::<Vec<_>>(), ["1"]);
    }

    #[test]
    fn messages_in_parts_within_each_other_need_little_memory() {
        let head = format!("X-Long: {}\nSubject: a\nMessage-ID: <1@h.org>\n", "x".repeat(1000));
        let mut envelope = Envelope::new(head.as_bytes());
        for _ in 0..100 {
            envelope = Envelope::new(head.as_bytes()).within(&envelope);
        }
        assert!(envelope.as_bytes().len() < 10 * head.len(), "{}", envelope.as_bytes().len());
        let long = "X: y\n".repeat(MAX_INHERITED_LEN);
        let whole = Envelope::new(head.as_bytes()).within(&Envelope::new(long.as_bytes()));
        assert!(whole.as_bytes().len() <= MAX_INHERITED_LEN + head.len() + 1, "{}", whole.as_bytes().len());
    }

    #[test]
    fn a_long_value_is_cut() {
        let head = format!("Subject:{}\n", "a".repeat(2 * MAX_FIELD_LEN));
        let envelope = Envelope::new(head.as_bytes());
        assert_eq!(envelope.subject().map(|subject| subject.len()), Some(MAX_FIELD_LEN));
        assert_eq!(envelope.field("Subject").map(|subject| subject.len()), Some(2 * MAX_FIELD_LEN));
    }
}
