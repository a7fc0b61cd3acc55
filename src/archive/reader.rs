//! Messages out of a stream of bytes.
//!
//! The reader keeps one buffer. What is read goes to its end; the message that
//! is given out is a slice of it, and is dropped from its front when the next one
//! is asked for. So nothing is copied but the part of a message that was cut off
//! where a read ended, and memory depends on the longest message only.
//!
//! That has a limit, too: of a message longer than [`LIMIT`] the beginning is
//! given out as a message, and the rest in pieces of plain text.

use std::cell::Cell;
use std::io::{self, Read};

use memchr::{memmem, memrchr};

use super::container::format::{self, Format};
use super::container::mbox::{self, LOOKAHEAD};
use super::container::rnews;
use super::lines::{Lines, Mark};
use super::message::message::{Message, ScanOptions, Shape};
use crate::bytes::read::read_some;

/// The length up to which a message is taken apart as one, in bytes: 16 MiB.
///
/// What a longer one has beyond it is read as text, in pieces. They end at an
/// empty line if there is one, which no URL can span, or else at a line end.
pub const LIMIT: usize = 16 * 1024 * 1024;

/// How many bytes are read at a time: few at first, for many files are short, and
/// twice as many whenever there were as many.
const FIRST_READ: usize = 8 * 1024;
const LONGEST_READ: usize = 128 * 1024;

/// How much of a message that is too long is searched for a good place to end the
/// piece at, in bytes.
const CHOICE: usize = 1024 * 1024;

/// A reader of an archive.
///
/// # Example
///
/// ```
/// use urlgrep::Finder;
/// use urlgrep::archive::Reader;
///
/// let mbox = "From a@h.org Fri Mar  2 10:11:12 2001
/// Message-ID: <1@h.org>
/// Subject: a link
/// Content-Transfer-Encoding: quoted-printable
///
/// It is at http://h.org/a=
/// /b
/// ";
/// let finder = Finder::new();
/// let mut reader = Reader::new(mbox.as_bytes());
/// let mut links = Vec::new();
/// while let Some(message) = reader.next_message()? {
///     for text in message.texts() {
///         for found in finder.find_in(&text) {
///             links.push((found.found().as_str().unwrap().to_owned(), found.segments()));
///         }
///     }
/// }
/// assert_eq!(links, [("http://h.org/a/b".to_owned(), vec![130..144, 146..148])]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    format: Option<Format>,
    /// Whether the format was told by how the input begins, and nothing more is
    /// known yet.
    recognised: bool,
    wanted: ScanOptions,
    counts_lines: bool,
    /// The bytes at hand are those from `start` to `filled`; the rest is room.
    buffer: Vec<u8>,
    start: usize,
    filled: usize,
    /// How many bytes are read next.
    read: usize,
    /// Where the buffer begins in the file.
    base: usize,
    mark: Cell<Mark>,
    /// Whether nothing more can be read, and why if that is an error.
    ended: bool,
    failed: Option<io::Error>,
    /// Whether the first message has been come to.
    begun: bool,
    /// The length of the next message, if that is known.
    len: Option<usize>,
    /// How many bytes the message has that was given out last.
    given: usize,
    /// How many bytes of the next one have been searched for its end.
    searched: usize,
    /// Whether the message that was given out last goes on.
    goes_on: bool,
    /// How many messages have been given out.
    count: u64,
    too_deep: Cell<bool>,
}

impl<R: Read> Reader<R> {
    /// A reader of what `input` gives.
    ///
    /// What it is is told by how it begins: see [`Format`].
    pub fn new(input: R) -> Self {
        Reader {
            input,
            format: None,
            recognised: false,
            wanted: ScanOptions { attachments: false, headers: true, dots: false },
            counts_lines: false,
            buffer: Vec::new(),
            start: 0,
            filled: 0,
            read: FIRST_READ,
            base: 0,
            mark: Cell::default(),
            ended: false,
            failed: None,
            begun: false,
            len: None,
            given: 0,
            searched: 0,
            goes_on: false,
            count: 0,
            too_deep: Cell::new(false),
        }
    }

    /// Says what the input is, however it begins.
    pub fn with_format(mut self, format: Format) -> Self {
        self.format = Some(format);
        self
    }

    /// Whether parts are read that are not text: images, programs and the like,
    /// decoded; they are not if not called.
    pub fn attachments(mut self, yes: bool) -> Self {
        self.wanted.attachments = yes;
        self
    }

    /// Whether header fields are read; they are if not called.
    ///
    /// All are but those that only trace or identify: Received, Return-Path,
    /// Path, Message-ID, References, In-Reply-To, Content-ID, Supersedes, Xref,
    /// X-Face, the authentication results, and signatures (DKIM, ARC, DomainKey).
    pub fn headers(mut self, yes: bool) -> Self {
        self.wanted.headers = yes;
        self
    }

    /// Whether lines that begin with two dots lose one (RFC 3977 §3.1.1, RFC 5321
    /// §4.5.2); they do not if not called.
    pub fn dot_stuffing(mut self, yes: bool) -> Self {
        self.wanted.dots = yes;
        self
    }

    /// Whether texts can say on which [line](super::Text::place) something
    /// stands; they cannot if not called. Costs a pass over the input.
    pub fn line_numbers(mut self, yes: bool) -> Self {
        self.counts_lines = yes;
        self
    }

    /// What the input is.
    ///
    /// Reads as much of it as it takes to tell. An error that happens then is
    /// given later, where it happened.
    pub fn format(&mut self) -> Format {
        loop {
            if let Some(format) = self.format {
                return format;
            }
            match format::recognise(self.at_hand(), self.ended) {
                Some(format) => (self.format, self.recognised) = (Some(format), true),
                None => self.fill(),
            }
        }
    }

    /// Whether a text was given out that was not taken apart because it is nested
    /// more than [`DEPTH`](super::DEPTH) deep.
    pub fn depth_exceeded(&self) -> bool {
        self.too_deep.get()
    }

    /// How many bytes have been read.
    pub fn bytes_read(&self) -> usize {
        self.base + self.filled
    }

    /// The next message, or `None` behind the last.
    ///
    /// Text is given in pieces, and HTML as one, as if these were messages without
    /// a head.
    ///
    /// # Errors
    ///
    /// An error of the input is given behind the messages before it, the last of
    /// which may be incomplete, and once; [`Interrupted`](io::ErrorKind::Interrupted)
    /// is tried again.
    pub fn next_message(&mut self) -> io::Result<Option<Message<'_>>> {
        self.format();
        self.drop_given();
        let len = loop {
            match self.message_len() {
                Some(len) => break len,
                None if self.ended => return self.failed.take().map_or(Ok(None), Err),
                None => self.fill(),
            }
        };
        let (end, goes_on) = match len {
            len if len <= LIMIT => (len, false),
            _ => (piece(&self.at_hand()[..LIMIT]), true),
        };
        let format = self.format();
        let shape = self.shape(format);
        self.count += u64::from(!self.goes_on);
        self.len = None;
        self.given = end;
        self.searched = self.searched.saturating_sub(end);
        self.goes_on = goes_on;
        Ok(Some(self.message(shape)))
    }

    /// Whether the next message can be given without reading more; `false` behind
    /// the last.
    ///
    /// Whoever gathers what was found can give it away before a read that may take
    /// long.
    pub fn is_at_hand(&mut self) -> bool {
        self.drop_given();
        self.format.is_some() && self.message_len().is_some()
    }

    /// The length of the next message, as far as it is at hand if it is too long;
    /// `None` if it takes more bytes to tell, or there is none.
    fn message_len(&mut self) -> Option<usize> {
        if self.len.is_none() {
            let format = self.format?;
            if !self.begin(format) {
                return None;
            }
            let bytes = &self.buffer[self.start..self.filled];
            // Whether a message ends up to there can be told.
            let long = bytes.len() >= LIMIT + LOOKAHEAD;
            let last = self.ended || long;
            let end = match format {
                _ if bytes.is_empty() => None,
                Format::Mbox => {
                    mbox::end(bytes, &mut self.searched, self.ended).or_else(|| long.then_some(bytes.len()))
                }
                // No more than these, so that it does not matter where a read ended.
                Format::Rnews => {
                    rnews::end(&bytes[..bytes.len().min(LIMIT + LOOKAHEAD)], &mut self.searched, last)
                }
                Format::Mail | Format::Html | Format::Text => last.then_some(bytes.len()),
            };
            self.len = match end {
                Some(len) if format == Format::Mail && self.recognised => Some(self.first_of_many(len)),
                end => end,
            };
        }
        self.len
    }

    /// Goes past what may stand before the first message; whether that is done.
    fn begin(&mut self, format: Format) -> bool {
        if self.begun || matches!(format, Format::Text | Format::Html) {
            return true;
        }
        let first = self.base + self.start == 0;
        if first && !self.ended && format::may_be_mark(self.at_hand()) {
            return false;
        }
        let beginning = if first { format::beginning } else { format::line_ends };
        self.given = beginning(self.at_hand());
        self.drop_given();
        self.begun = self.ended || !self.at_hand().is_empty();
        self.begun
    }

    /// The length of the first message of a file that begins like a single one, but
    /// is an mbox whose first separator is damaged or gone.
    fn first_of_many(&mut self, len: usize) -> usize {
        self.recognised = false;
        match mbox::first_of_many(&self.at_hand()[..len]) {
            Some(end) => {
                self.format = Some(Format::Mbox);
                end
            }
            None => len,
        }
    }

    /// What the next message is.
    fn shape(&self, format: Format) -> Shape {
        let bytes = self.at_hand();
        match format {
            Format::Text => Shape::Text,
            Format::Html => Shape::Html,
            _ if self.goes_on => Shape::Text,
            Format::Rnews => Shape::Mail(rnews::head(bytes)),
            Format::Mail | Format::Mbox => Shape::Mail(mbox::head(bytes)),
        }
    }

    /// The message that is given out.
    fn message(&self, shape: Shape) -> Message<'_> {
        let bytes = &self.at_hand()[..self.given];
        let base = self.base + self.start;
        let lines = self.counts_lines.then_some(Lines { bytes, base, mark: &self.mark });
        Message {
            bytes,
            base,
            index: self.count - 1,
            shape,
            wanted: self.wanted,
            lines,
            too_deep: &self.too_deep,
        }
    }

    fn at_hand(&self) -> &[u8] {
        &self.buffer[self.start..self.filled]
    }

    /// Goes on behind the message that was given out last.
    fn drop_given(&mut self) {
        if self.counts_lines {
            let end = self.base + self.start + self.given;
            self.mark.get_mut().go_to(end, &self.buffer[..self.filled], self.base);
        }
        self.start += self.given;
        self.given = 0;
    }

    /// Reads more.
    fn fill(&mut self) {
        self.make_room();
        match read_some(&mut self.input, &mut self.buffer[self.filled..self.filled + self.read]) {
            Ok(len) if len > 0 => {
                self.filled += len;
                if len == self.read {
                    self.read = LONGEST_READ.min(2 * len);
                }
            }
            end => {
                self.ended = true;
                self.failed = end.err();
            }
        }
    }

    /// Makes room for a read: by moving down what is at hand if that is less than
    /// what was given out before it, which makes the moves cheap and keeps to the
    /// part of the buffer that is in the cache; or else by enlarging the buffer.
    fn make_room(&mut self) {
        let len = self.filled - self.start;
        if self.start >= len && self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.base += self.start;
            (self.start, self.filled) = (0, len);
        }
        if self.buffer.len() - self.filled < self.read {
            let more = self.buffer.len().max(2 * self.read);
            self.buffer.resize(self.buffer.len() + more, 0);
        }
    }
}

/// What has not been given out in messages, as it is.
impl<R: Read> Read for Reader<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.drop_given();
        self.len = None;
        let mut at_hand = self.at_hand();
        if at_hand.is_empty() && !self.ended {
            return self.input.read(room);
        }
        let len = at_hand.read(room)?;
        self.start += len;
        if len == 0 && !room.is_empty() {
            return self.failed.take().map_or(Ok(0), Err);
        }
        Ok(len)
    }
}

/// Where a piece of a message that is too long ends: not in the middle of a URL,
/// if that can be helped.
fn piece(bytes: &[u8]) -> usize {
    let floor = bytes.len() - CHOICE;
    // What begins in the last bytes might be a separator.
    let choice = &bytes[floor..bytes.len() - LOOKAHEAD];
    let behind = |n: Option<usize>, len: usize| n.map(|n| floor + n + len);
    behind(memmem::rfind(choice, b"\n\n"), 2)
        .or_else(|| behind(memmem::rfind(choice, b"\n\r\n"), 3))
        .or_else(|| behind(memrchr(b'\n', choice), 1))
        .or_else(|| behind(choice.iter().rposition(u8::is_ascii_whitespace), 1))
        .unwrap_or(floor + choice.len())
}
