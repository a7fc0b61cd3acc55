//! What the head of a message says about it: who wrote it, when, and so on.
//!
//! This is asked for each URL that is found in the message. So the head is gone
//! through once, for all that has a question of its own, and of no value more is
//! read than [`LONGEST`].

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::date;
use crate::archive::decode::encoded_word;
use crate::archive::header::Fields;

/// How much of a value is read, in bytes. Nobody writes so much; but a program
/// can, and would have it repeated with each find.
const LONGEST: usize = 8 * 1024;

/// What the head of a message says about it.
///
/// Nothing is worked out before it is asked for. The first question costs a pass
/// over the head, and [`field`](Self::field) one each time. Of the others no more
/// is read than 8 KiB of a value.
#[derive(Clone, Debug)]
pub struct Envelope<'m> {
    /// The head, and perhaps what follows it.
    head: &'m [u8],
    told: OnceCell<Told>,
}

/// Where the values stand of the fields that have a question of their own.
#[derive(Clone, Debug, Default)]
struct Told {
    date: Option<Range<usize>>,
    from: Option<Range<usize>>,
    id: Option<Range<usize>>,
    newsgroups: Option<Range<usize>>,
    subject: Option<Range<usize>>,
}

impl Told {
    /// What a head says. Of several fields of a name, the first counts.
    fn of(head: &[u8]) -> Self {
        let mut told = Told::default();
        for field in Fields::new(head, 0) {
            if let Some(slot) = told.slot(field.name(head)) {
                let end = field.range.end;
                let start = end - field.value(head).len();
                slot.get_or_insert(start..end.min(start + LONGEST));
            }
        }
        told
    }

    /// Where the value of the field of this name goes.
    fn slot(&mut self, name: &[u8]) -> Option<&mut Option<Range<usize>>> {
        let slots = [
            (&b"date"[..], &mut self.date),
            (b"from", &mut self.from),
            (b"message-id", &mut self.id),
            (b"newsgroups", &mut self.newsgroups),
            (b"subject", &mut self.subject),
        ];
        slots.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, slot)| slot)
    }
}

impl<'m> Envelope<'m> {
    pub(crate) fn new(head: &'m [u8]) -> Self {
        Envelope { head, told: OnceCell::new() }
    }

    /// The value that `which` chooses.
    fn value(&self, which: impl FnOnce(&Told) -> &Option<Range<usize>>) -> Option<&'m [u8]> {
        let range = which(self.told.get_or_init(|| Told::of(self.head))).clone()?;
        Some(&self.head[range])
    }

    /// The message-id, without its angle brackets.
    pub fn id(&self) -> Option<String> {
        let id = read(self.value(|told| &told.id)?);
        let inside = id.strip_prefix('<').and_then(|id| id.split_once('>'));
        Some(inside.map_or(id.as_str(), |(id, _)| id).to_owned())
    }

    /// Whom the message is from, as it says: `A <a@h.org>`.
    pub fn from(&self) -> Option<String> {
        self.value(|told| &told.from).map(read)
    }

    /// When the message was written, in the form of RFC 3339:
    /// `2001-03-02T10:11:12+01:00`. `None` if the field gives no day and time.
    pub fn date(&self) -> Option<String> {
        date::rfc3339(self.value(|told| &told.date)?)
    }

    /// The subject.
    pub fn subject(&self) -> Option<String> {
        self.value(|told| &told.subject).map(read)
    }

    /// The newsgroups, as they are written: separated by commas.
    pub fn newsgroups(&self) -> Option<String> {
        self.value(|told| &told.newsgroups).map(read)
    }

    /// The value of the first field of this name, in any letter case: unfolded,
    /// encoded words decoded (RFC 2047), what is not UTF-8 replaced, and a tab a
    /// blank, since it is there to fold the line (RFC 5322 section 2.2.3).
    pub fn field(&self, name: &str) -> Option<String> {
        let mut fields = Fields::new(self.head, 0);
        let field = fields.find(|field| field.is(self.head, name.as_bytes()))?;
        Some(read(field.value(self.head)))
    }
}

/// A value as it is meant.
fn read(value: &[u8]) -> String {
    let decoded =
        encoded_word::decode(value).map_or(Cow::Borrowed(value), |decoded| Cow::Owned(decoded.bytes));
    let text = String::from_utf8_lossy(decoded.trim_ascii());
    text.replace(['\r', '\n'], "").replace('\t', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_head_says() {
        let head = b"message-ID: <1@h.org>\r\nFrom: =?utf-8?q?J=C3=B6rg?= <j@h.org>\r\n\
            Date: Fri, 02 Mar 2001 10:11:12 +0100\r\nSubject: a long\r\n subject\r\n";
        let envelope = Envelope::new(head);
        assert_eq!(envelope.id().as_deref(), Some("1@h.org"));
        assert_eq!(envelope.from().as_deref(), Some("J\u{f6}rg <j@h.org>"));
        assert_eq!(envelope.date().as_deref(), Some("2001-03-02T10:11:12+01:00"));
        assert_eq!(envelope.subject().as_deref(), Some("a long subject"));
        assert_eq!(envelope.newsgroups(), None);
    }

    #[test]
    fn a_line_folded_with_a_tab_has_a_blank() {
        for head in ["Subject: a long\n\tsubject\n", "Subject: =?us-ascii?q?a_long?=\r\n\tsubject\r\n"] {
            assert_eq!(Envelope::new(head.as_bytes()).subject().as_deref(), Some("a long subject"), "{head}");
        }
    }

    #[test]
    fn of_several_the_first_counts() {
        let envelope = Envelope::new(b"Subject: one\nsubject: two\nX: three\nx: four\n\nFrom: a@h.org\n");
        assert_eq!(envelope.subject().as_deref(), Some("one"));
        assert_eq!(envelope.field("x").as_deref(), Some("three"));
        assert_eq!(envelope.from(), None);
    }

    #[test]
    fn a_long_value_is_cut() {
        let head = format!("Subject:{}\n", "a".repeat(2 * LONGEST));
        let envelope = Envelope::new(head.as_bytes());
        assert_eq!(envelope.subject().map(|subject| subject.len()), Some(LONGEST));
        assert_eq!(envelope.field("Subject").map(|subject| subject.len()), Some(2 * LONGEST));
    }
}
