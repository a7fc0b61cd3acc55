//! Where one message ends and the next begins.
//!
//! The splitter is given the buffered bytes, which begin with the next message, and
//! returns the length of that message, or that it needs more bytes. It records how many
//! bytes it has searched, so that none is searched twice because a read ended there.

use memchr::{memmem, memrchr};

use super::container::babyl::{self, Layout};
use super::container::format::{self, Format};
use super::container::gap::Gap;
use super::container::mail::Verdict;
use super::container::mbox::{self, LOOKAHEAD};
use super::container::warc::{self, Limits, Records};
use super::container::{emlx, mbx, mmdf, rnews};
use super::header::Fields;
use super::message::message::Shape;
use super::message::mime::{MediaKind, Mime};
use super::message::record::Block;

/// The greatest length of a message that is parsed as a whole, in bytes: 16 MiB.
///
/// The bytes of a longer one after this are read as text, in chunks. A chunk ends at
/// an empty line if there is one, which no URL can span, or else at a line end.
pub const MAX_MESSAGE_LEN: usize = 16 * 1024 * 1024;

/// How many bytes at the end of a chunk of a message that is too long are searched
/// for the best place to end it.
const CHUNK_END: usize = 1024 * 1024;

/// The bytes that are buffered, and whether the input has more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffered<'b> {
    pub(super) bytes: &'b [u8],
    /// Whether these are the last bytes of the input.
    pub(super) last: bool,
}

/// A message, or a chunk of one that is too long, as the first buffered bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) len: usize,
    pub(super) shape: Shape,
    /// How many messages come before it.
    pub(super) index: u64,
}

/// What is known about where messages end.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    format: Option<Format>,
    /// Whether the format was recognised, and no message has been found yet.
    recognised: bool,
    /// Whether the bytes before the next message have been skipped.
    begun: bool,
    /// The length of the next message, if it is known.
    next: Option<usize>,
    /// How many bytes of the next message have been searched for its end.
    searched: usize,
    /// Whether the message of the last span continues.
    continues: bool,
    /// How many messages have begun.
    count: u64,
    /// The records of a web archive, and what the rest of a long one is.
    records: Records,
    rest: Shape,
    /// Whether bodies that are not text are read.
    attachments: bool,
}

impl Splitter {
    /// Sets the format.
    pub(super) fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Whether the format is known.
    pub(super) fn has_format(&self) -> bool {
        self.format.is_some()
    }

    /// Sets whether bodies that are not text are read.
    pub(super) fn set_attachments(&mut self, yes: bool) {
        self.attachments = yes;
    }

    /// Recognises the format by the first bytes of the input; `None` if it needs more of
    /// them.
    pub(super) fn recognise(&mut self, buffered: Buffered<'_>) -> Option<Format> {
        if self.format.is_none() {
            self.format = format::recognise(buffered.bytes, buffered.last);
            self.recognised = self.format.is_some();
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
            Format::Text | Format::Html => Gap { len: 0, ended: true },
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

    /// The next message, whose length is known.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Option<Span> {
        let next = self.next.take()?;
        if self.format == Some(Format::Warc) {
            return Some(self.take_record(bytes, next));
        }
        let shape = self.shape(bytes);
        self.count += u64::from(!self.continues);
        self.continues = next > MAX_MESSAGE_LEN;
        let len = if self.continues { chunk_end(&bytes[..MAX_MESSAGE_LEN]) } else { next };
        let has_gaps = matches!(self.format, Some(Format::Mmdf | Format::Babyl | Format::Emlx));
        self.begun = self.continues || !has_gaps;
        self.searched = self.searched.saturating_sub(len);
        Some(Span { len, shape, index: self.count - 1 })
    }

    /// Whether the next bytes continue the message of the last span.
    pub(super) fn continues(&self) -> bool {
        self.continues
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
        let long = bytes.len() >= MAX_MESSAGE_LEN + LOOKAHEAD;
        // Not more than these, so that it does not matter where a read ended.
        let near = &bytes[..bytes.len().min(MAX_MESSAGE_LEN + LOOKAHEAD)];
        let searched = &mut self.searched;
        let end = match format {
            Format::Mbox => mbox::end(bytes, searched, last),
            Format::Mmdf => mmdf::end(bytes, searched, last),
            Format::Babyl => babyl::end(bytes, searched, last),
            Format::Emlx => emlx::end(bytes, last),
            Format::Rnews => rnews::end(near, searched, last || long),
            Format::Mbx => mbx::end(near, searched, last || long),
            Format::Warc => {
                let limits = Limits { last, enough: last || long, limit: MAX_MESSAGE_LEN };
                return self.records.end(bytes, searched, limits);
            }
            Format::Mail | Format::Html | Format::Text => last.then_some(bytes.len()),
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
    fn take_record(&mut self, bytes: &[u8], next: usize) -> Span {
        let continues = self.records.continues();
        let begins = !continues && warc::begins(bytes, true) == Verdict::Yes;
        self.count += u64::from(begins);
        let len = if next > MAX_MESSAGE_LEN { chunk_end(&bytes[..MAX_MESSAGE_LEN]) } else { next };
        self.searched = self.searched.saturating_sub(len);
        let shape = match (begins, continues) {
            (true, _) => Shape::Record,
            (false, true) => self.rest,
            (false, false) => Shape::Text,
        };
        let rest = match shape {
            Shape::Record if next > len => {
                let block = Block::read(&bytes[..len]);
                let kind = block.and_then(|block| block.rest(self.attachments));
                kind.map(|kind| if kind == MediaKind::Html { Shape::Html } else { Shape::Text })
            }
            shape => Some(shape),
        };
        self.rest = rest.unwrap_or(Shape::Text);
        self.records.take(next, len, || rest.is_none());
        Span { len, shape, index: self.count.saturating_sub(1) }
    }

    fn shape(&self, bytes: &[u8]) -> Shape {
        match self.format {
            Some(Format::Html) => Shape::Html,
            None | Some(Format::Text) => Shape::Text,
            Some(_) if self.continues => Shape::Text,
            Some(Format::Rnews) => Shape::Mail(rnews::head(bytes)),
            Some(Format::Mail | Format::Mbox | Format::Mmdf) => Shape::Mail(mbox::head(bytes)),
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
    let mut mime = Mime::default();
    Fields::new(bytes, 0).for_each(|field| {
        mime.note(field.name(bytes), field.value(bytes));
    });
    !matches!(mime.kind(MediaKind::Text), MediaKind::Text | MediaKind::Html)
}

/// Where a chunk of a message that is too long ends: not inside a URL, if possible.
fn chunk_end(bytes: &[u8]) -> usize {
    let floor = bytes.len() - CHUNK_END;
    // A separator may begin in the last bytes.
    let choice = &bytes[floor..bytes.len() - LOOKAHEAD];
    let after = |n: Option<usize>, len: usize| n.map(|n| floor + n + len);
    after(memmem::rfind(choice, b"\n\n"), 2)
        .or_else(|| after(memmem::rfind(choice, b"\n\r\n"), 3))
        .or_else(|| after(memrchr(b'\n', choice), 1))
        .or_else(|| after(choice.iter().rposition(u8::is_ascii_whitespace), 1))
        .unwrap_or(floor + choice.len())
}
