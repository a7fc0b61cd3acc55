//! The beginning of a message (RFC 5322, RFC 5536), and how it differs from other
//! text with colons.

use crate::archive::header::{Fields, fold_end, may_become_field};

/// What is known by the bytes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Yes,
    No,
    /// More bytes are needed to tell.
    Unknown,
}

/// Fields that only mail and news have, in lower case.
const FIELDS: [&[u8]; 29] = [
    b"article-i.d.",
    b"content-transfer-encoding",
    b"content-type",
    b"date",
    b"delivered-to",
    b"dkim-signature",
    b"envelope-to",
    b"from",
    b"in-reply-to",
    b"list-id",
    b"message-id",
    b"mime-version",
    b"newsgroups",
    b"path",
    b"posting-version",
    b"received",
    b"references",
    b"relay-version",
    b"reply-to",
    b"return-path",
    b"sender",
    b"subject",
    b"to",
    b"x-account-key",
    b"x-mozilla-keys",
    b"x-mozilla-status",
    b"x-mozilla-status2",
    b"x-uidl",
    b"xref",
];

/// Whether `bytes` begin a message: with header fields, two of which only mail and
/// news have. The first line may be anything: it may have separated the message from
/// another. `last` says that no more bytes follow.
pub(crate) fn begins(bytes: &[u8], last: bool) -> Verdict {
    let mut fields = Fields::new(bytes, 0);
    let mut known = 0;
    for field in &mut fields {
        let complete = last || field.range.end < bytes.len();
        let name = field.name(bytes);
        // No other line than the first may be damaged.
        if name.is_empty() && complete && field.range.start > 0 {
            return Verdict::No;
        }
        known += usize::from(FIELDS.iter().any(|known| known.eq_ignore_ascii_case(name)));
        if known == 2 {
            return Verdict::Yes;
        }
    }
    // The last line may be incomplete; the first decides nothing by itself.
    let mut unread = &bytes[fields.end()..];
    if fields.end() == 0 {
        unread = &unread[fold_end(unread, 0)..];
    }
    let complete = last || unread.contains(&b'\n') || !may_become_field(unread);
    if complete { Verdict::No } else { Verdict::Unknown }
}
