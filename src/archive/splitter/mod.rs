//! Finds where one message ends and the next begins.
//!
//! The splitter gets the buffered bytes, which begin with the next message, and returns the length
//! of that message, or reports that it needs more bytes. It records how many bytes it has searched,
//! so that no byte is searched twice because a read ended there.

mod document;
pub(super) mod piece;

use std::sync::Arc;

pub(super) use self::document::OpenDocument;
use self::piece::{Beginning, Unclosed};
use super::container::format::{Buffered, Format, Framing, LeadingGap, Shape, SingleMessage};
use super::container::mail::Verdict;
use super::container::mbox::LOOKAHEAD;
use super::container::warc::Records;
use super::header::HeaderFields;
use super::limits::{Limits, MAX_MESSAGE_LEN, MAX_NESTED};
use super::message::kind::MediaKind;
use super::message::mime::Mime;
use super::message::record::Block;
use super::message::structure::MessageSplit;
use super::options::ReadOptions;
use super::reading::{Declared, Reading};
use super::what;

/// The limits of a message of a file.
pub(super) const LIMITS: Limits =
    Limits { message: MAX_MESSAGE_LEN, margin: LOOKAHEAD, choice: 1024 * 1024, depth: MAX_NESTED };

/// The number of bytes of a file's beginning that are kept: more than the first line of a batch or a
/// digest has.
const OPENING: usize = 256;

/// A message, or a piece of one that is too long, as the first buffered bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(super) len: usize,
    pub(super) shape: Shape,
    /// The split, and the number of bytes that are needed to find it.
    pub(super) split: Option<(usize, MessageSplit)>,
    /// The number of messages before it.
    pub(super) index: u64,
}

/// The state of the split: the format, the next message's length, and what an unfinished message
/// continues with.
#[derive(Clone, Debug, Default)]
pub(super) struct Splitter {
    /// The limits of a message.
    pub(super) limits: Limits,
    /// The framing of messages, if the format is known.
    pub(super) framing: Option<&'static Framing>,
    /// True if the file may consist of rows, by its name.
    pub(super) may_be_rows: bool,
    /// True if the format was recognised, and no message has been found yet.
    recognised: bool,
    /// The beginning of the file, if it may contain several messages in a row.
    opening: Option<Box<[u8]>>,
    /// The number of bytes that the next attempt to recognise the format needs.
    attempt: usize,
    /// True if the bytes before the next message have been skipped.
    begun: bool,
    /// The length of the next message, if it is known.
    pub(super) next: Option<usize>,
    /// The number of bytes of the next message that have been searched for its end.
    searched: usize,
    /// True if the message of the last span continues.
    continues: bool,
    /// The structures that were open before the last span, and that are open after it.
    pub(super) before: Option<Arc<Unclosed>>,
    after: Option<Arc<Unclosed>>,
    /// The number of messages that have begun.
    count: u64,
    /// The web archive records, and how the rest of a long one is read.
    records: Records,
    rest: Option<&'static Reading>,
    /// The declarations of the page or table that the last span begins or continues, outside of mail.
    pub(super) declared: Option<Box<Declared>>,
}

impl Splitter {
    pub(super) fn new(limits: Limits) -> Self {
        Splitter { limits, ..Splitter::default() }
    }

    /// A splitter of bytes in a recognised format.
    pub(super) fn recognised(limits: Limits, framing: &'static Framing) -> Self {
        Splitter { framing: Some(framing), recognised: true, ..Splitter::new(limits) }
    }

    /// Lowers the maximum length of a message.
    pub(super) fn set_limit(&mut self, message: usize) {
        if message < self.limits.message {
            // The same share of a message as in [`LIMITS`].
            let choice = self.limits.choice.min(message / 16);
            self.limits = Limits { message, choice, ..self.limits };
        }
    }

    /// Sets the format.
    pub(super) fn set_format(&mut self, format: Format) {
        self.framing = Some(format.framing());
    }

    /// Recognises the format by the first bytes of the input; `None` if it needs more of
    /// them.
    ///
    /// An attempt reads all bytes. So the next one waits for a sixteenth more of them, because
    /// otherwise an input that arrives byte by byte would take quadratic time.
    pub(super) fn recognise(&mut self, buffered: Buffered<'_>) -> Option<Format> {
        let Buffered { bytes, last, .. } = buffered;
        if self.framing.is_none() && (last || bytes.len() >= self.attempt) {
            self.framing = what::lines(bytes, last, self.may_be_rows);
            self.recognised = self.framing.is_some();
            self.attempt = bytes.len() + bytes.len() / 16;
        }
        self.framing.map(|framing| framing.format)
    }

    /// The length of the bytes before the next message, which are skipped; `None` if it
    /// needs more bytes.
    pub(super) fn skip(&mut self, buffered: Buffered<'_>) -> Option<usize> {
        let framing = self.framing?;
        if self.begun && framing.has_records() && self.next.is_none() {
            return Some(self.records.skip(buffered.bytes, &mut self.searched, buffered.last));
        }
        if self.begun {
            return Some(0);
        }
        let find = if self.count == 0 { framing.before } else { framing.between };
        let gap = find.map_or(Some(LeadingGap { len: 0, ended: true }), |find| find(buffered))?;
        self.begun = gap.ended;
        Some(gap.len)
    }

    /// The length of the next message, or of its buffered part if it is too long; `None` if more
    /// bytes are needed, or if no message follows.
    pub(super) fn next_len(&mut self, buffered: Buffered<'_>) -> Option<usize> {
        if self.next.is_none() && self.begun {
            let framing = self.framing?;
            let end = self.end(framing, buffered);
            self.next = match framing.single {
                Some(single) => end.map(|len| self.first_of_many(&buffered.bytes[..len], framing, single)),
                None => end,
            };
        }
        self.next
    }

    /// The next message, whose length is known, or a piece of it. The bytes are at the offset `base` of the file.
    pub(super) fn take(&mut self, bytes: &[u8], base: u64, options: &ReadOptions) -> Option<Extent> {
        let next = self.next.take()?;
        let framing = self.framing?;
        if framing.has_records() {
            return Some(self.take_record(framing, bytes, next, options));
        }
        self.before = self.after.take();
        let limit = self.limit(framing);
        let window = &bytes[..next.min(limit)];
        let shape = self.shape(framing, window);
        self.count += u64::from(!self.continues && (self.count == 0 || !framing.in_pieces));
        let is_rest = std::mem::replace(&mut self.continues, next > limit);
        let (len, split) = match self.continues {
            true => {
                let beginning = Beginning { bytes: window, base, limits: self.limits, options };
                match piece::find_split(beginning, shape, self.before.as_deref()) {
                    Some((split, open)) => {
                        self.after = Some(Arc::new(open));
                        (split.at, Some((window.len(), split)))
                    }
                    None => ((framing.chunk_end)(window, self.limits), None),
                }
            }
            false => (next, None),
        };
        self.declare(shape, &bytes[..len], is_rest, self.continues);
        self.begun = self.continues || framing.between.is_none();
        self.searched = self.searched.saturating_sub(len);
        Some(Extent { len, shape, split, index: self.count - 1 })
    }

    /// The maximum length of a message, or of a chunk of text.
    fn limit(&self, framing: &Framing) -> usize {
        self.limits.message.min(framing.max_len)
    }

    /// Returns true if the next bytes continue the message or the record of the last span.
    pub(super) fn continues(&self) -> bool {
        self.continues || self.records.continues()
    }

    fn end(&mut self, framing: &Framing, Buffered { bytes, last, .. }: Buffered<'_>) -> Option<usize> {
        if bytes.is_empty() {
            return None;
        }
        // The bytes that suffice to find a message that ends before the limit.
        let enough = self.limit(framing) + self.limits.margin;
        let long = bytes.len() >= enough;
        if framing.has_records() {
            return self.records.end(bytes, &mut self.searched, last, last || long, self.limits.message);
        }
        let end = match framing.is_bounded && long {
            true => (framing.end)(&bytes[..enough], &mut self.searched, true),
            false => (framing.end)(bytes, &mut self.searched, last),
        };
        end.or_else(|| long.then_some(bytes.len()))
    }

    /// The length of the first message in these bytes. They seem to be a single message, but may be in another format
    /// with a damaged or missing first separator, or contain several messages in a row.
    ///
    /// A message with parts is a single one: a part may contain an mbox.
    fn first_of_many(&mut self, bytes: &[u8], framing: &Framing, single: SingleMessage) -> usize {
        if self.recognised {
            self.recognised = false;
            if let Some(end) = (single.second)(bytes).filter(|_| !has_parts(bytes)) {
                self.set_format(single.damaged);
                return end;
            }
            self.opening = Some(bytes[..bytes.len().min(OPENING)].into());
        }
        // The rest of a long message does not begin with its header.
        let opening = self.opening.as_ref().filter(|_| !self.continues);
        let near = &bytes[..bytes.len().min(self.limit(framing).saturating_add(self.limits.margin))];
        opening.and_then(|opening| (single.next)(near, opening)).unwrap_or(bytes.len())
    }

    /// The next record of a web archive, or the next chunk of one that is too long. Bytes
    /// between two records are text.
    fn take_record(&mut self, framing: &Framing, bytes: &[u8], next: usize, options: &ReadOptions) -> Extent {
        let continues = self.records.continues();
        let begins = !continues && (framing.begins)(bytes, true) == Verdict::Yes;
        self.count += u64::from(begins);
        let limit = self.limits.message;
        let len = if next > limit { (framing.chunk_end)(&bytes[..limit], self.limits) } else { next };
        self.searched = self.searched.saturating_sub(len);
        let shape = match (begins, continues) {
            (true, _) => Shape::Record,
            (false, true) => self.rest.map_or(Shape::TEXT, Shape::Text),
            (false, false) => Shape::TEXT,
        };
        self.declare(shape, &bytes[..len], continues, next > len);
        let rest = match shape {
            Shape::Record if next > len => Block::read(&bytes[..len]).and_then(|block| {
                let rest = block.rest(bytes, options.attachments)?;
                let label = block.mime.param(b"charset").unwrap_or_default();
                self.declared = rest.declared(&label, &bytes[block.body?], None).map(Box::new);
                Some(rest)
            }),
            Shape::Text(reading) => Some(reading),
            _ => None,
        };
        self.rest = rest;
        self.records.take(next, len, || rest.is_none());
        Extent { len, shape, split: None, index: self.count.saturating_sub(1) }
    }

    /// Keeps the declarations of the page or table in `bytes` for its next piece. `is_rest` means
    /// that they are such a piece.
    fn declare(&mut self, shape: Shape, bytes: &[u8], is_rest: bool, continues: bool) {
        if !is_rest {
            self.declared = None;
        }
        if continues && let Shape::Text(reading) = shape {
            self.declared = reading.declared(b"", bytes, self.declared.as_deref()).map(Box::new);
        }
    }

    fn shape(&self, framing: &Framing, bytes: &[u8]) -> Shape {
        match framing.shape {
            None => Shape::Text(framing.reading),
            _ if self.before.is_some() => Shape::Continued,
            _ if self.continues => Shape::TEXT,
            Some(shape) => shape(bytes),
        }
    }
}

/// Returns true if, by its header, the body of a message has parts or is not text.
fn has_parts(bytes: &[u8]) -> bool {
    let mime = Mime::of(bytes, HeaderFields::new(bytes, 0));
    !matches!(mime.kind(MediaKind::Text), MediaKind::Text | MediaKind::Html)
}
