//! Entities: messages and parts, their bodies, and multiparts.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Section, SectionKind};
use crate::archive::delimiter::{before_break, has_content};
use crate::archive::header::begins_with;
use crate::archive::message::envelope::Envelope;
use crate::archive::message::kind::MediaKind;
use crate::archive::message::mime::Mime;

/// The numbers of such texts; for an inner multipart, its number precedes them.
pub(super) const PREAMBLE: &str = "preamble";
pub(super) const EPILOGUE: &str = "epilogue";

/// A message or a part.
#[derive(Clone, Debug)]
pub(super) struct MimeEntity<'m> {
    pub(super) at: usize,
    pub(super) number: String,
    /// The message that it is a part of; `None` if it is a message itself.
    pub(super) message: Option<Arc<Envelope<'m>>>,
    /// The message whose fields it has, if it was sent in parts.
    pub(super) outer: Option<Arc<Envelope<'m>>>,
    /// The kind of an entity without a Content-Type.
    pub(super) default: MediaKind,
    pub(super) depth: usize,
}

/// An open multipart.
#[derive(Clone, Debug)]
pub(super) struct Multipart<'m> {
    pub(super) boundary: Cow<'m, [u8]>,
    /// The prefix of its parts' numbers.
    pub(super) prefix: String,
    /// The kind of a part without a Content-Type.
    pub(super) default: MediaKind,
    pub(super) message: Arc<Envelope<'m>>,
    pub(super) depth: usize,
    pub(super) parts: usize,
    /// The offset at which the bytes before the next delimiter begin, if they are not in a part.
    pub(super) outside: Option<usize>,
    /// True if the boundary was guessed.
    pub(super) guessed: bool,
}

impl<'m> Multipart<'m> {
    /// The multipart that is the body `body`.
    pub(super) fn new(body: Section<'m>, depth: usize, boundary: Cow<'m, [u8]>, mime: &Mime<'m>) -> Self {
        let digest = mime.media_type().is_some_and(|media| media == "multipart/digest");
        Multipart {
            boundary,
            prefix: if body.number.is_empty() { String::new() } else { format!("{}.", body.number) },
            default: if digest { MediaKind::Message } else { MediaKind::Untyped },
            message: body.message,
            depth,
            parts: 0,
            outside: Some(body.range.start),
            guessed: false,
        }
    }

    /// The next part, which begins at `at`.
    pub(super) fn next_part(&mut self, at: usize) -> MimeEntity<'m> {
        self.parts += 1;
        MimeEntity {
            at,
            number: numbered(&self.prefix, self.parts),
            message: Some(Arc::clone(&self.message)),
            outer: None,
            default: self.default,
            depth: self.depth + 1,
        }
    }

    /// The bytes between its delimiters and outside of its parts: a part whose delimiter is missing, if they are
    /// `misplaced` or contain a Content field, or else text.
    pub(super) fn outside_section(
        &self,
        bytes: &[u8],
        range: Range<usize>,
        misplaced: bool,
    ) -> Option<Section<'m>> {
        match misplaced || has_content(&bytes[range.clone()]) {
            true => Some(self.raw(bytes, range)),
            false => self.outside_text(bytes, range),
        }
    }

    /// Bytes outside of its parts.
    fn raw(&self, bytes: &[u8], range: Range<usize>) -> Section<'m> {
        let number = self.prefix.strip_suffix('.').unwrap_or("1").to_owned();
        let range = range.start..before_break(bytes, range.start, range.end);
        Section { number, message: Arc::clone(&self.message), range, kind: SectionKind::Raw }
    }

    /// Text outside of its parts: its preamble or its epilogue. `None` if it was not written.
    pub(super) fn outside_text(&self, bytes: &[u8], range: Range<usize>) -> Option<Section<'m>> {
        let text = bytes[range.clone()].trim_ascii();
        let name = match self.parts {
            0 if is_notice(text) => return None,
            0 => PREAMBLE,
            _ => EPILOGUE,
        };
        let number = format!("{}{name}", self.prefix);
        (!text.is_empty()).then(|| Section { number, ..self.raw(bytes, range) })
    }
}

/// The number of the `n`-th part after `prefix`. A message may consist only of parts, so this does
/// not use the machinery of a format.
fn numbered(prefix: &str, n: usize) -> String {
    /// The usual maximum length of a number, including the numbers of the parts of an embedded
    /// message.
    const USUAL: usize = 16;
    let mut number = String::with_capacity(prefix.len() + USUAL);
    number.push_str(prefix);
    let digits = n.checked_ilog10().unwrap_or(0);
    for power in (0..=digits).rev() {
        let digit = n / 10_usize.pow(power) % 10;
        number.push(char::from(b'0' + digit as u8));
    }
    number
}

/// Returns true if a preamble is a notice for readers without MIME: it is one short paragraph that
/// mentions MIME or refers to itself ("This message has several parts."). The text before or after
/// such a paragraph was written for all readers.
fn is_notice(text: &[u8]) -> bool {
    /// The length of the longest notice; some explain more than others.
    const LONGEST: usize = 1024;
    const WORDS: [&[u8]; 3] = [b"mime", b"multi-part", b"multipart"];
    let has = |word: &&[u8]| text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    let of_itself = || begins_with(text, b"this ");
    let is_paragraph = || text.split(|&b| b == b'\n').all(|line| !line.trim_ascii().is_empty());
    text.len() <= LONGEST && is_paragraph() && (WORDS.iter().any(has) || of_itself())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_parts() {
        for n in [0, 1, 9, 10, 11, 99, 100, 101, 120, 999, 1000, 12_345] {
            assert_eq!(numbered("2.", n), format!("2.{n}"));
        }
    }
}
