//! Digests of plain text (RFC 1153): several messages in the body of one.
//!
//! RFC 1153 has a preamble, a line of 70 hyphens, the messages with a line of 30 hyphens
//! between them, and a trailer, `End of X Digest`. Empty lines are before and after
//! each of these lines. Each message is a message of its own, with an envelope, and may have parts.

use std::collections::VecDeque;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use super::kind::MediaKind;
use super::mime::Mime;
use super::structure::{Section, SectionKind};
use crate::archive::container::mail::{self, Verdict};
use crate::archive::header::{after_empty_line, field_at, line_end};
use crate::simd::lines::next_line;

/// The lengths of the line after the preamble, and of the one between messages.
const FIRST: usize = 70;
const NEXT: usize = 30;

/// The parts of a digest, as ranges of its text.
#[derive(Debug)]
pub(super) struct Digest {
    preamble: Range<usize>,
    messages: Vec<Range<usize>>,
    trailer: Range<usize>,
}

impl Digest {
    /// The parts of `text`; `None` if it is not a digest.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        if text.len() <= FIRST {
            return None;
        }
        let (first, start) =
            hyphens(text, 0).find_map(|line| Some((line, message_after(text, line, FIRST)?)))?;
        let mut digest = Digest { preamble: 0..first, messages: Vec::new(), trailer: text.len()..text.len() };
        let mut from = start;
        for line in hyphens(text, start) {
            if let Some(next) = message_after(text, line, NEXT) {
                digest.messages.push(from..line);
                from = next;
            } else if let Some(trailer) = after_line(text, line, NEXT)
                && text[trailer..].starts_with(b"End of ")
            {
                digest.trailer = trailer..text.len();
                digest.messages.push(from..line);
                return Some(digest);
            }
        }
        digest.messages.push(from..text.len());
        Some(digest)
    }

    /// The sections of the digest that is the body `of`: its messages, and the texts around them.
    pub(super) fn sections<'m>(&self, of: &Section<'m>) -> VecDeque<Section<'m>> {
        let section = |range: &Range<usize>, number: String, kind| Section {
            number,
            message: Arc::clone(&of.message),
            range: range.clone(),
            kind,
        };
        let text =
            |range| section(range, of.number.clone(), SectionKind::Body(MediaKind::Text, Mime::default()));
        let message = |(n, range)| section(range, format!("{}.{}", of.number, n + 1), SectionKind::Message);
        let messages = self.messages.iter().enumerate().map(message);
        iter::once(text(&self.preamble)).chain(messages).chain([text(&self.trailer)]).collect()
    }
}

/// The lines from `from` on, the beginning of one, that begin with a hyphen.
fn hyphens(text: &[u8], from: usize) -> impl Iterator<Item = usize> {
    let first = text[from..].starts_with(b"-").then_some(from);
    let next = move |&at: &usize| next_line(text, at, *b"-");
    std::iter::successors(first.or_else(|| next(&from)), next)
}

/// Returns true if the line at `at` may be the one before the first message of a digest.
pub(super) fn may_begin(text: &[u8], at: usize) -> bool {
    text[at..].starts_with(&[b'-'; FIRST])
}

/// Returns true if the body of a message is a digest, or if its head has the line before the first message, because
/// that line is in the body to the structure. A quick look: every 64th byte shows whether there is such a line.
pub(super) fn may_be_in(message: &[u8], body: usize) -> bool {
    let is_hyphen = |b: &&u8| **b == b'-';
    let is_in_line = |&at: &usize| {
        let before = message[..at].iter().rev().take(FIRST).take_while(is_hyphen).count();
        before + message[at..].iter().take(FIRST).take_while(is_hyphen).count() >= FIRST
    };
    let first = (0..message.len()).step_by(64).filter(|&at| message[at] == b'-').find(is_in_line);
    first.is_some_and(|at| at < body || Digest::of(&message[body..]).is_some())
}

/// Returns the offset at which the line after the hyphens begins, if the line at `at` is `len`
/// hyphens, between empty lines.
fn after_line(text: &[u8], at: usize, len: usize) -> Option<usize> {
    if !text[at..].starts_with(&[b'-'; FIRST][..len]) {
        return None;
    }
    let separate = at == 0 || after_empty_line(text, at);
    let end = line_end(text, at);
    let alone = text[at..end].trim_ascii_end().len() == len;
    let empty = matches!(text[end..], [b'\n', ..] | [b'\r', b'\n', ..]);
    (separate && alone && empty).then(|| end + text[end..].iter().take_while(|b| b"\r\n".contains(b)).count())
}

/// Returns the offset at which the message after such a line begins.
fn message_after(text: &[u8], at: usize, len: usize) -> Option<usize> {
    /// The number of header bytes that are examined.
    const NEAR: usize = 8 * 1024;
    let start = after_line(text, at, len)?;
    let near = &text[start..text.len().min(start + NEAR)];
    (field_at(near).is_some() && mail::begins(near, true) == Verdict::Yes).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(messages: &[&str]) -> String {
        let between = format!("\n{}\n\n", "-".repeat(30));
        let all = messages.join(&between);
        format!("X Digest\n\nTopics\n\n{}\n\n{all}{between}End of X Digest\n****\n", "-".repeat(70))
    }

    #[test]
    fn messages_between_lines_of_hyphens() {
        for line_end in ["\n", "\r\n"] {
            let text = digest(&["From: a\nDate: b\n\none\n", "From: c\nSubject: d\n\ntwo\n"]);
            let text = text.replace('\n', line_end);
            let parts = Digest::of(text.as_bytes()).unwrap();
            let lines = |range: &Range<usize>| text[range.clone()].replace(line_end, "\n");
            assert_eq!(lines(&parts.preamble), "X Digest\n\nTopics\n\n");
            let messages: Vec<String> = parts.messages.iter().map(lines).collect();
            assert_eq!(messages, ["From: a\nDate: b\n\none\n\n", "From: c\nSubject: d\n\ntwo\n\n"]);
            assert_eq!(lines(&parts.trailer), "End of X Digest\n****\n");
        }
    }

    #[test]
    fn a_line_of_hyphens_in_a_message() {
        let text = digest(&[&format!("From: a\nDate: b\n\none\n\n{}\n\nnot: a head\n", "-".repeat(30))]);
        assert_eq!(Digest::of(text.as_bytes()).unwrap().messages.len(), 1);
    }

    #[test]
    fn other_texts() {
        let line = "-".repeat(70);
        for text in [
            format!("a\n\n{line}\n\nb\n"),
            format!("a\n{line}\n\nFrom: a\nDate: b\n\n"),
            format!("a\n\n{line}-\n\nFrom: a\nDate: b\n\n"),
            format!("a\n\n{line}\nFrom: a\nDate: b\n\n"),
        ] {
            assert!(Digest::of(text.as_bytes()).is_none(), "{text}");
        }
    }
}
