//! Where one message ends and the next begins.
//!
//! The splitter is given the buffered bytes, which begin with the next message, and
//! returns the length of that message, or that it needs more bytes. It records how many
//! bytes it has searched, so that none is searched twice because a read ended there.

use memchr::{memmem, memrchr};

use super::container::babyl::{self, Layout};
use super::container::calendar;
use super::container::format::{self, Format};
use super::container::gap::Gap;
use super::container::mail::Verdict;
use super::container::mbox::{self, LOOKAHEAD};
use super::container::warc::{self, RecordLimits, Records};
use super::container::{emlx, listserv, mbx, mmdf, rnews};
use super::decode::folded::Folding;
use super::header::Fields;
use super::message::kind::MediaKind;
use super::message::message::Shape;
use super::message::mime::Mime;
use super::message::piece::{self, Begin, Limits, Piece};
use super::message::record::Block;
use super::message::structure::{Continuation, Cut};

/// The greatest length of a message that is yielded as a whole, in bytes: 16 MiB.
///
/// A longer one is yielded in pieces, as several messages of the same
/// [index](super::Message::index) and envelope. A part that does not fit in one piece is
/// in several, of which each is decoded. A piece ends at an empty line of the decoded
/// text if there is one, which no URL can span, or else at a line end.
pub const MAX_MESSAGE_LEN: usize = 16 * 1024 * 1024;

/// The greatest length of a chunk of text in which every other byte may be escaped, in bytes: the
/// map from each to its source takes several times that.
const MAX_ESCAPED_LEN: usize = 8 * 1024 * 1024;

/// The limits of a message.
pub(super) const LIMITS: Limits = Limits { message: MAX_MESSAGE_LEN, margin: LOOKAHEAD, choice: 1024 * 1024 };

/// The bytes that are buffered, and whether the input has more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffered<'b> {
    pub(super) bytes: &'b [u8],
    /// Whether these are the last bytes of the input.
    pub(super) last: bool,
}

/// A message, or a piece of one that is too long, as the first buffered bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) len: usize,
    pub(super) shape: Shape,
    /// Where it is cut, and how many bytes are needed to judge that.
    pub(super) cut: Option<(usize, Cut)>,
    /// How many messages come before it.
    pub(super) index: u64,
}

/// What is known about where messages end.
#[derive(Debug)]
pub(super) struct Splitter {
    limits: Limits,
    format: Option<Format>,
    /// Whether the format was recognised, and no message has been found yet.
    recognised: bool,
    /// How many bytes the next attempt to recognise the format needs.
    attempt: usize,
    /// Whether the bytes before the next message have been skipped.
    begun: bool,
    /// The length of the next message, if it is known.
    next: Option<usize>,
    /// How many bytes of the next message have been searched for its end.
    searched: usize,
    /// Whether the message of the last span continues.
    continues: bool,
    /// What was open before the last span, and what is open after it.
    before: Option<Box<Continuation>>,
    after: Option<Box<Continuation>>,
    /// How many messages have begun.
    count: u64,
    /// The records of a web archive, and what the rest of a long one is.
    records: Records,
    rest: Shape,
}

impl Splitter {
    pub(super) fn new(limits: Limits) -> Self {
        Splitter {
            limits,
            format: None,
            recognised: false,
            attempt: 0,
            begun: false,
            next: None,
            searched: 0,
            continues: false,
            before: None,
            after: None,
            count: 0,
            records: Records::default(),
            rest: Shape::default(),
        }
    }

    /// The limits of a message.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Sets the greatest length of a message, if it is less than before.
    pub(super) fn set_limit(&mut self, message: usize) {
        if message < self.limits.message {
            let choice = self.limits.choice.min(message / 16);
            self.limits = Limits { message, choice, ..self.limits };
        }
    }

    /// What was open before the last span.
    pub(super) fn before(&self) -> Option<&Continuation> {
        self.before.as_deref()
    }

    /// Sets the format.
    pub(super) fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Whether the format is known.
    pub(super) fn has_format(&self) -> bool {
        self.format.is_some()
    }

    /// Recognises the format by the first bytes of the input; `None` if it needs more of
    /// them.
    ///
    /// An attempt reads all bytes. So the next one waits for a sixteenth more of them, else an
    /// input that arrives byte by byte would cost the square of its length.
    pub(super) fn recognise(&mut self, buffered: Buffered<'_>) -> Option<Format> {
        let Buffered { bytes, last } = buffered;
        if self.format.is_none() && (last || bytes.len() >= self.attempt) {
            self.format = format::recognise(bytes, last);
            self.recognised = self.format.is_some();
            self.attempt = bytes.len() + bytes.len() / 16;
        }
        self.format
    }

    /// The length of the bytes before the next message, which are skipped; `None` if it
    /// needs more bytes. `first`: these are the first bytes of the input.
    pub(super) fn skip(&mut self, buffered: Buffered<'_>, first: bool) -> Option<usize> {
        let format = self.format?;
        if self.begun && format == Format::Warc && self.next.is_none() {
            return Some(self.records.skip(buffered.bytes, &mut self.searched, buffered.last));
        }
        if self.begun {
            return Some(0);
        }
        let Buffered { bytes, last } = buffered;
        let gap = match format {
            Format::Text | Format::Html | Format::Calendar | Format::Xml | Format::Ldif | Format::Mork => {
                Gap { len: 0, ended: true }
            }
            Format::Listserv => listserv::gap(bytes, last)?,
            Format::Mmdf => mmdf::gap(bytes, last)?,
            Format::Babyl => babyl::gap(bytes, last),
            Format::Mbx => mbx::gap(bytes, last)?,
            Format::Emlx => emlx::gap(bytes, self.count),
            Format::Mail | Format::Mbox | Format::Rnews | Format::Warc => format::gap(bytes, first, last)?,
        };
        self.begun = gap.ended;
        Some(gap.len)
    }

    /// The length of the next message, or, if that is too long, of as much of it as is
    /// buffered; `None` if it needs more bytes, or there is no message.
    pub(super) fn next_len(&mut self, buffered: Buffered<'_>) -> Option<usize> {
        if self.next.is_none() && self.begun {
            let format = self.format?;
            let end = self.end(format, buffered);
            let single = format == Format::Mail && self.recognised;
            self.next = if single { end.map(|len| self.first_of_many(buffered.bytes, len)) } else { end };
        }
        self.next
    }

    /// The next message, whose length is known, or a piece of it. `attachments` says that
    /// parts that are not text are read.
    pub(super) fn take(&mut self, bytes: &[u8], attachments: bool) -> Option<Span> {
        let next = self.next.take()?;
        if self.format == Some(Format::Warc) {
            return Some(self.take_record(bytes, next, attachments));
        }
        self.before = self.after.take();
        let limit = self.limit();
        let window = &bytes[..next.min(limit)];
        let shape = self.shape(window);
        self.count += u64::from(!self.continues);
        self.continues = next > limit;
        let (len, cut) = match self.continues {
            true => self.piece(window, shape, attachments),
            false => (next, None),
        };
        let has_gaps =
            matches!(self.format, Some(Format::Mmdf | Format::Babyl | Format::Emlx | Format::Listserv));
        self.begun = self.continues || !has_gaps;
        self.searched = self.searched.saturating_sub(len);
        Some(Span { len, shape, cut, index: self.count - 1 })
    }

    /// The length of the first piece of a message that is longer than `window`, and where
    /// it is cut if it has a structure.
    fn piece(&mut self, window: &[u8], shape: Shape, attachments: bool) -> (usize, Option<(usize, Cut)>) {
        let begin = match (shape, &self.before) {
            (Shape::Mail(start), _) => Some(Begin::Head(start)),
            (Shape::Apart { head, head_end, body }, _) => Some(Begin::Apart { head, head_end, body }),
            (Shape::Continued, Some(before)) => Some(Begin::Continued(before)),
            _ => None,
        };
        let piece = begin.and_then(|begin| piece::cut(window, begin, self.limits, attachments));
        if let Some(Piece { cut, then }) = piece {
            self.after = Some(Box::new(then));
            return (cut.at, Some((window.len(), cut)));
        }
        let end = match shape {
            Shape::Folded(Folding::Calendar | Folding::Ldif) => {
                calendar::chunk_end(window, window.len() - self.limits.choice)
            }
            _ => chunk_end(window, self.limits),
        };
        (end, None)
    }

    /// The greatest length of a message, or of a chunk of text.
    fn limit(&self) -> usize {
        match self.format {
            Some(Format::Ldif | Format::Mork) => self.limits.message.min(MAX_ESCAPED_LEN),
            _ => self.limits.message,
        }
    }

    /// Whether the next bytes continue the message or the record of the last span.
    pub(super) fn continues(&self) -> bool {
        self.continues || self.records.continues()
    }

    /// Forgets the length of the next message.
    pub(super) fn forget(&mut self) {
        self.next = None;
    }

    fn end(&mut self, format: Format, Buffered { bytes, last }: Buffered<'_>) -> Option<usize> {
        if bytes.is_empty() {
            return None;
        }
        // These bytes suffice to find a message that ends before the limit.
        let enough = self.limit() + LOOKAHEAD;
        let long = bytes.len() >= enough;
        // Not more than these, so that it does not matter where a read ended.
        let near = &bytes[..bytes.len().min(enough)];
        let searched = &mut self.searched;
        let end = match format {
            Format::Mbox => mbox::end(bytes, searched, last),
            Format::Mmdf => mmdf::end(bytes, searched, last),
            Format::Babyl => babyl::end(bytes, searched, last),
            Format::Emlx => emlx::end(bytes, last),
            Format::Rnews => rnews::end(near, searched, last || long),
            Format::Mbx => mbx::end(near, searched, last || long),
            Format::Warc => {
                let limits = RecordLimits { last, enough: last || long, limit: self.limits.message };
                return self.records.end(bytes, searched, limits);
            }
            Format::Listserv => listserv::end(bytes, searched, last),
            Format::Mail
            | Format::Html
            | Format::Calendar
            | Format::Xml
            | Format::Ldif
            | Format::Mork
            | Format::Text => last.then_some(bytes.len()),
        };
        end.or_else(|| long.then_some(bytes.len()))
    }

    /// The length of the first message of a file that begins like a single one, but
    /// is an mbox whose first separator is damaged or missing.
    ///
    /// A message with parts is a single one: a part may contain an mbox.
    fn first_of_many(&mut self, bytes: &[u8], len: usize) -> usize {
        self.recognised = false;
        let bytes = &bytes[..len];
        match mbox::first_separator(bytes).filter(|_| !has_parts(bytes)) {
            Some(end) => {
                self.format = Some(Format::Mbox);
                end
            }
            None => len,
        }
    }

    /// The next record of a web archive, or the next chunk of one that is too long. Bytes
    /// between two records are text.
    fn take_record(&mut self, bytes: &[u8], next: usize, attachments: bool) -> Span {
        let continues = self.records.continues();
        let begins = !continues && warc::begins(bytes, true) == Verdict::Yes;
        self.count += u64::from(begins);
        let limit = self.limits.message;
        let len = if next > limit { chunk_end(&bytes[..limit], self.limits) } else { next };
        self.searched = self.searched.saturating_sub(len);
        let shape = match (begins, continues) {
            (true, _) => Shape::Record,
            (false, true) => self.rest,
            (false, false) => Shape::Text,
        };
        let rest = match shape {
            Shape::Record if next > len => {
                let block = Block::read(&bytes[..len]);
                let kind = block.and_then(|block| block.rest(attachments));
                kind.map(|kind| if kind == MediaKind::Html { Shape::Html } else { Shape::Text })
            }
            shape => Some(shape),
        };
        self.rest = rest.unwrap_or(Shape::Text);
        self.records.take(next, len, || rest.is_none());
        Span { len, shape, cut: None, index: self.count.saturating_sub(1) }
    }

    fn shape(&self, bytes: &[u8]) -> Shape {
        match self.format {
            Some(Format::Html) => Shape::Html,
            Some(Format::Calendar) => Shape::Folded(Folding::Calendar),
            Some(Format::Ldif) => Shape::Folded(Folding::Ldif),
            Some(Format::Mork) => Shape::Folded(Folding::Mork),
            Some(Format::Xml) => Shape::Xml,
            None | Some(Format::Text) => Shape::Text,
            Some(_) if self.before.is_some() => Shape::Continued,
            Some(_) if self.continues => Shape::Text,
            Some(Format::Rnews) => Shape::Mail(rnews::head(bytes)),
            Some(Format::Mail | Format::Mbox | Format::Mmdf | Format::Listserv) => {
                Shape::Mail(mbox::head(bytes))
            }
            Some(Format::Warc) => Shape::Record,
            Some(Format::Mbx) => Shape::Mail(mbx::head(bytes)),
            Some(Format::Emlx) => Shape::Mail(emlx::head(bytes)),
            Some(Format::Babyl) => match babyl::layout(bytes) {
                Layout::Together(head) => Shape::Mail(head),
                Layout::Apart { head, head_end, body } => Shape::Apart { head, head_end, body },
            },
        }
    }
}

/// Whether the body of a message has parts, or is not text, by its head.
fn has_parts(bytes: &[u8]) -> bool {
    let mime = Mime::of(bytes, Fields::new(bytes, 0));
    !matches!(mime.kind(MediaKind::Text), MediaKind::Text | MediaKind::Html)
}

/// Where a chunk of a text that is too long ends: not inside a URL, if possible.
fn chunk_end(bytes: &[u8], limits: Limits) -> usize {
    // A separator may begin in the last bytes.
    let end = bytes.len() - limits.margin;
    let floor = end.saturating_sub(limits.choice);
    let choice = &bytes[floor..end];
    let after = |n: Option<usize>, len: usize| n.map(|n| floor + n + len);
    after(memmem::rfind(choice, b"\n\n"), 2)
        .or_else(|| after(memmem::rfind(choice, b"\n\r\n"), 3))
        .or_else(|| after(memrchr(b'\n', choice), 1))
        .or_else(|| after(choice.iter().rposition(u8::is_ascii_whitespace), 1))
        .unwrap_or(end)
}
