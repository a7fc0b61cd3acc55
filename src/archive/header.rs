//! Header fields (RFC 5322 §2.2): their ranges, and the fields that a person reads.
//!
//! A header is a run of fields up to an empty line. A field is a name, a colon and a value, which
//! continues in the lines that begin with a space or tab. At any other line, the header ends, as if
//! the empty line were missing; but if a field follows it, the line is treated as a damaged field.

use std::ops::Range;

use memchr::memchr;

use crate::bytes::class::FIELD_NAME;
pub(crate) use crate::simd::lines::after_folds as fold_end;

/// The fields that trace a message, or identify it or another, in lower case, the most frequent
/// first. They are not read.
#[rustfmt::skip]
const TRACES: [&[u8]; 36] = [
    b"received", b"message-id", b"references", b"in-reply-to", b"return-path", b"path", b"xref",
    b"also-control", b"arc-authentication-results", b"arc-message-signature", b"arc-seal",
    b"authentication-results", b"content-class", b"content-id", b"control", b"dkim-signature",
    b"domainkey-signature", b"feedback-id", b"message-id-hash", b"original-message-id", b"received-spf",
    b"resent-message-id", b"supersedes", b"thread-index", b"x-evolution-source", b"x-face",
    b"x-gm-message-state", b"x-google-dkim-signature", b"x-google-smtp-source",
    b"x-mailman-original-message-id", b"x-message-id", b"x-message-id-hash", b"x-ms-tnef-correlator",
    b"x-original-message-id", b"x-received", b"x-uidl",
];

/// For each length of a name, the first letters of the [`TRACES`] of this length, a bit for each.
const FIRST_LETTERS: [u32; 32] = {
    let mut letters = [0; 32];
    let mut n = 0;
    while n < TRACES.len() {
        letters[TRACES[n].len()] |= letter_bit(TRACES[n][0]);
        n += 1;
    }
    letters
};

/// The bit of a letter, in either case.
const fn letter_bit(letter: u8) -> u32 {
    1 << (letter & 31)
}

/// Returns true if a field traces a message, or identifies it or another. Such a field is not read.
fn is_trace(name: &[u8]) -> bool {
    let letters = FIRST_LETTERS.get(name.len()).copied().unwrap_or_default();
    name.first().is_some_and(|&first| letters & letter_bit(first) != 0)
        && TRACES.iter().any(|trace| trace.eq_ignore_ascii_case(name))
}

/// A header field, as ranges of the text that contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeaderField {
    /// From the name to the end of the last line, including its line break.
    pub(crate) range: Range<usize>,
    /// The offset at which the name ends; where it begins, if the field is damaged.
    name_end: usize,
    /// The offset at which the value begins.
    value: usize,
}

impl HeaderField {
    pub(crate) fn name<'m>(&self, bytes: &'m [u8]) -> &'m [u8] {
        &bytes[self.range.start..self.name_end]
    }

    /// All bytes after the colon, including line breaks.
    pub(crate) fn value<'m>(&self, bytes: &'m [u8]) -> &'m [u8] {
        &bytes[self.value..self.range.end]
    }

    pub(crate) fn is(&self, bytes: &[u8], name: &[u8]) -> bool {
        self.name(bytes).eq_ignore_ascii_case(name)
    }

    /// Returns true if a reader of the message reads the field.
    pub(crate) fn is_read(&self, bytes: &[u8]) -> bool {
        !is_trace(self.name(bytes))
    }
}

/// The fields of the head that begins at an offset of a text, in order.
#[derive(Clone, Debug)]
pub(crate) struct HeaderFields<'m> {
    bytes: &'m [u8],
    at: usize,
    /// The offset at which the body begins, once the head has been read.
    body: Option<usize>,
}

impl<'m> HeaderFields<'m> {
    pub(crate) fn new(bytes: &'m [u8], at: usize) -> Self {
        HeaderFields { bytes, at, body: None }
    }

    /// Returns the offset at which the last field ends; the empty line after it is not included.
    pub(crate) fn end(&self) -> usize {
        self.at
    }

    /// Returns the offset at which the body begins, once all fields have been yielded.
    pub(crate) fn body(&self) -> usize {
        self.body.unwrap_or(self.at)
    }

    /// Returns the offset at which the body begins.
    pub(crate) fn into_body(mut self) -> usize {
        self.by_ref().for_each(drop);
        self.body()
    }

    /// Returns the offset at which the body begins if the head ends at the line at `at`, which is not a field. A line that
    /// continues a field does not end it, and a damaged one does so only if no field follows.
    #[cold]
    fn body_at(&self, at: usize) -> Option<usize> {
        match self.bytes[at..] {
            [] => Some(at),
            [b'\n', ..] => Some(at + 1),
            [b'\r', b'\n', ..] => Some(at + 2),
            // A line break that was converted twice.
            [b'\r', b'\r', b'\n', ..] => Some(at + 3),
            [b' ' | b'\t', ..] => None,
            _ => field_at(&self.bytes[fold_end(self.bytes, at)..]).is_none().then_some(at),
        }
    }
}

impl Iterator for HeaderFields<'_> {
    type Item = HeaderField;

    fn next(&mut self) -> Option<HeaderField> {
        if self.body.is_some() {
            return None;
        }
        let start = self.at;
        let field = field_at(&self.bytes[start..]);
        if field.is_none() {
            self.body = self.body_at(start);
            if self.body.is_some() {
                return None;
            }
        }
        let (name, value) = field.unwrap_or_default();
        self.at = fold_end(self.bytes, start);
        Some(HeaderField { range: start..self.at, name_end: start + name, value: start + value })
    }
}

impl std::iter::FusedIterator for HeaderFields<'_> {}

/// Returns the end of the field name at the beginning of `line`, and the beginning of its value, or
/// `None` if the line does not begin with a field.
pub(crate) fn field_at(line: &[u8]) -> Option<(usize, usize)> {
    let name = line.iter().position(|&b| !FIELD_NAME.has(b))?;
    let colon = name + line[name..].iter().position(|b| !matches!(b, b' ' | b'\t'))?;
    (name > 0 && line[colon] == b':').then_some((name, colon + 1))
}

/// Returns true if more bytes could make `line`, which has no line break and no colon, a field.
pub(crate) fn may_become_field(line: &[u8]) -> bool {
    let blank = |b: &u8| matches!(b, b' ' | b'\t');
    let name = line.iter().take_while(|b| b.is_ascii_graphic()).count();
    line[name..].iter().all(blank) && (name > 0 || line.is_empty())
}

/// Returns true if a line that may not be text contains a URL.
pub(crate) fn has_url(line: &[u8]) -> bool {
    memchr::memmem::find(line, b"://").is_some()
}

/// Returns true if `at` follows an empty line.
pub(crate) fn after_empty_line(bytes: &[u8], at: usize) -> bool {
    bytes[..at].ends_with(b"\n\n") || bytes[..at].ends_with(b"\n\r\n")
}

/// Returns the end of the first empty line after the next line break, from `from` on.
pub(crate) fn empty_line_end(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr_iter(b'\n', &bytes[from..]).map(|n| from + n + 1).find_map(|at| {
        // A line break that was converted twice has two.
        let returns = bytes[at..].iter().take(2).take_while(|&&b| b == b'\r').count();
        (bytes.get(at + returns) == Some(&b'\n')).then_some(at + returns + 1)
    })
}

/// Returns the offset at which the line after the one at `at` begins.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n + 1)
}

/// Returns true if a text begins with this name (case-insensitive).
pub(crate) fn begins_with(text: &[u8], name: &[u8]) -> bool {
    text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Returns true if a text ends with this name (case-insensitive).
pub(crate) fn ends_with(text: &[u8], name: &[u8]) -> bool {
    text.len().checked_sub(name.len()).is_some_and(|at| text[at..].eq_ignore_ascii_case(name))
}

/// The name in lower case; `None` if it is longer than any with a meaning. All letters are converted at once.
#[inline(always)]
pub(crate) fn lower<'l, const N: usize>(name: &[u8], lower: &'l mut [u8; N]) -> Option<&'l [u8]> {
    lower.get_mut(..name.len())?.copy_from_slice(name);
    lower.make_ascii_lowercase();
    Some(&lower[..name.len()])
}

/// Returns true if `value` is one of these names (case-insensitive).
pub(crate) fn is_one_of(value: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|name| name.eq_ignore_ascii_case(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of a head, `name=value`, and then the body.
    fn read(text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let mut fields = HeaderFields::new(bytes, 0);
        let mut all: Vec<String> = Vec::new();
        for field in &mut fields {
            let [name, value] = [field.name(bytes), field.value(bytes)].map(String::from_utf8_lossy);
            all.push(format!("{name}={value}"));
        }
        all.push(text[fields.body()..].to_owned());
        all
    }

    #[test]
    fn fields_up_to_an_empty_line() {
        assert_eq!(read("A: 1\nB:2\n\nC: 3\n"), ["A= 1\n", "B=2\n", "C: 3\n"]);
        assert_eq!(read("A : 1\r\n\r\nbody"), ["A= 1\r\n", "body"]);
        assert_eq!(read("A: 1"), ["A= 1", ""]);
        assert_eq!(read("\nbody"), ["body"]);
        assert_eq!(read("A: 1\r\r\n\r\r\nC: 3\r\r\n"), ["A= 1\r\r\n", "C: 3\r\r\n"]);
    }

    #[test]
    fn a_value_continues_after_a_blank() {
        assert_eq!(read("A: 1\n 2\n\t3\nB: 4\n\n"), ["A= 1\n 2\n\t3\n", "B= 4\n", ""]);
    }

    #[test]
    fn another_line_ends_the_head() {
        assert_eq!(read("A: 1\nthe body\nof it"), ["A= 1\n", "the body\nof it"]);
        assert_eq!(read("A: 1\nno field\n\nB: 2"), ["A= 1\n", "no field\n\nB: 2"]);
    }

    #[test]
    fn a_damaged_field_does_not() {
        assert_eq!(
            read("A: 1\ngarbled \0 line\nB: 2\n\nbody"),
            ["A= 1\n", "=garbled \0 line\n", "B= 2\n", "body"]
        );
        assert_eq!(read(" x\nB: 2\n\nbody"), ["= x\n", "B= 2\n", "body"]);
    }

    #[test]
    fn trace_fields_are_not_read() {
        let read = |line: &[u8]| HeaderFields::new(line, 0).next().unwrap().is_read(line);
        assert!(!read(b"RECEIVED: from h.org\n"));
        assert!(!read(b"Message-Id: <1@h.org>\n"));
        assert!(!read(b"DKIM-Signature: v=1\n"));
        assert!(!read(b"Content-Class: urn:content-classes:message\n"));
        assert!(!read(b"X-Evolution-Source: imap://a@h.org/\n"));
        assert!(read(b"X-Mailer: http://h.org/\n"));
        assert!(read(b"Message: x\n"));
        assert!(read(b"X-URL: http://h.org/\n"));
        assert!(read(b"Subject: x\n"));
    }

    /// RFC 5322 §3.6.4 and §3.6.7, RFC 5536 §3 and §3.2, RFC 2045 §7, and fields of programs.
    #[test]
    fn every_trace_field() {
        let names = "Received Return-Path Message-ID References In-Reply-To Resent-Message-ID \
            Path Xref Also-Control Control Supersedes Content-ID Content-Class \
            ARC-Seal ARC-Message-Signature ARC-Authentication-Results Authentication-Results \
            DKIM-Signature DomainKey-Signature Received-SPF Feedback-ID Thread-Index \
            Message-ID-Hash Original-Message-ID X-Message-ID X-Message-ID-Hash X-Original-Message-ID \
            X-Mailman-Original-Message-ID X-Evolution-Source X-Face X-UIDL X-Received \
            X-GM-Message-State X-Google-DKIM-Signature X-Google-SMTP-Source X-MS-TNEF-Correlator";
        let all: Vec<&str> = names.split_ascii_whitespace().collect();
        assert_eq!(all.len(), TRACES.len());
        for name in all {
            for name in [name.to_owned(), name.to_lowercase(), name.to_uppercase()] {
                assert!(is_trace(name.as_bytes()), "{name}");
                assert!(!is_trace(format!("{name}s").as_bytes()), "{name}s");
                assert!(!is_trace(&name.as_bytes()[..name.len() - 1]), "{name} without its last letter");
            }
        }
    }

    #[test]
    fn names_in_any_letter_case() {
        for (value, expected) in [
            ("gzip", true),
            ("GZip", true),
            ("br", true),
            ("", false),
            ("b", false),
            ("brx", false),
            ("gzip ", false),
        ] {
            assert_eq!(is_one_of(value.as_bytes(), &[b"gzip", b"br"]), expected, "{value:?}");
        }
        assert!(!is_one_of(b"", &[]));
    }

    #[test]
    fn lines_that_may_become_fields() {
        for (line, expected) in [
            ("", true),
            ("Sub", true),
            ("Sub \t", true),
            ("Sub ject", false),
            (" Sub", false),
            (" ", false),
            ("S\u{e9}", false),
        ] {
            assert_eq!(may_become_field(line.as_bytes()), expected, "{line:?}");
        }
        for (text, expected) in [
            ("a\n\n", true),
            ("a\n\r\n", true),
            ("a\r\n\r\n", true),
            ("a\n", false),
            ("\n", false),
            ("a\n \n", false),
        ] {
            assert_eq!(after_empty_line(text.as_bytes(), text.len()), expected, "{text:?}");
        }
    }
}
