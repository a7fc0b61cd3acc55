//! The messages of an input, one after the other.
//!
//! A message is a slice of one rolling buffer, and is dropped from its front when
//! the next one is asked for. So nothing is copied except the part of a message that
//! was incomplete where a read ended, and memory depends on the longest message only.
//!
//! There is a limit to that: a message longer than [`MAX_MESSAGE_LEN`] is yielded in
//! pieces, each of which begins with the structure that is open at the end of the one
//! before it.
//!
//! [`MAX_MESSAGE_LEN`]: super::MAX_MESSAGE_LEN

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::container::format::{Format, Shape};
use super::convert;
use super::input::{Base, Input};
#[cfg(test)]
use super::limits::Limits;
use super::memory::{Memory, Share};
use super::message::arena::Arena;
use super::message::envelope::Envelope;
use super::message::message::{Message, MessagePiece};
use super::message::page;
use super::message::record::Record;
use super::message::text::MessageLines;
use super::message::undecoded::Undecoded;
use super::options::{Attachments, ReadOptions};
use super::splitter::{Extent, LIMITS, Splitter};
use super::what::Hint;
use crate::bytes::position::LineCounter;

/// A reader of an archive: the messages of an input.
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
///         for m in finder.find_in(&text) {
///             links.push((m.to_string(), m.pieces().collect::<Vec<_>>()));
///         }
///     }
/// }
/// assert_eq!(links, [("http://h.org/a/b".to_owned(), vec![130..144, 146..148])]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    pub(super) input: Input<R>,
    splitter: Splitter,
    pub(super) options: ReadOptions,
    pub(super) base: Base,
    /// Messages that start here or later are not yielded.
    end: u64,
    /// The message that was yielded last.
    current: Extent,
    /// `None` if lines are not counted.
    lines: Option<Mutex<LineCounter>>,
    depth_exceeded: AtomicBool,
    /// The arena for bytes that the message decodes and reads as a message.
    arena: Arena,
    undecoded: Undecoded,
    /// The current web archive record.
    record: Option<Record>,
    /// The head of the message that the current page is of.
    page: Option<Arc<Envelope<'static>>>,
    /// The first bytes of a text, as far as they were yielded, while a document may begin in them.
    head: Option<Vec<u8>>,
}

/// Before the first message.
const NO_MESSAGE: Extent = Extent { len: 0, shape: Shape::TEXT, split: None, index: 0 };

impl<R: Read> Reader<R> {
    /// Returns a reader of `input`, which recognises the format from the first bytes: see
    /// [`Format`].
    pub fn new(input: R) -> Self {
        Reader {
            input: Input::new(input),
            splitter: Splitter::new(LIMITS),
            options: ReadOptions::default(),
            base: Base::default(),
            end: u64::MAX,
            current: NO_MESSAGE,
            lines: None,
            depth_exceeded: AtomicBool::new(false),
            arena: Arena::default(),
            undecoded: Undecoded::default(),
            record: None,
            page: None,
            head: None,
        }
    }

    /// Sets the format, regardless of the first bytes.
    pub fn with_format(mut self, format: Format) -> Self {
        self.splitter.set_format(format);
        self
    }

    /// Sets how the input is read.
    pub fn with_options(mut self, options: &ReadOptions) -> Self {
        options.format.into_iter().for_each(|format| self.splitter.set_format(format));
        self.options = options.clone();
        self.counting_lines(options.line_numbers)
    }

    /// Returns this reader, which counts lines or not.
    pub(crate) fn counting_lines(mut self, yes: bool) -> Self {
        self.options.line_numbers = yes;
        self.lines = yes.then(|| self.base.line_counter());
        self
    }

    /// Sets how much of the file precedes the input: `offset` bytes with `lines` line breaks, and
    /// `messages` messages. The input starts at the start of a line. Offsets, lines and
    /// [indexes](Message::index) then refer to the file.
    ///
    /// A range that [`open_range`](super::open_range) opens starts where a reader can start.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::archive::{Format, Reader};
    ///
    /// let mbox = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a\n\nhttp://h.org/\n\n".repeat(2);
    /// let half = mbox.len() / 2;
    /// let second = Reader::new(&mbox.as_bytes()[half..]);
    /// let mut second = second.with_format(Format::Mbox).with_base(half as u64, 5, 1);
    /// let message = second.next_message()?.unwrap();
    /// assert_eq!((message.index(), message.span().start), (1, half as u64));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_base(mut self, offset: u64, lines: u64, messages: u64) -> Self {
        self.base = Base { offset, lines, messages };
        self.input.restart(offset);
        self.lines = self.lines.map(|_| self.base.line_counter());
        self
    }

    /// Sets the end of the range: messages that start at `end` or later are not yielded, and the
    /// last one before `end` is read to its own end.
    pub fn until(mut self, end: u64) -> Self {
        self.end = end;
        self
    }

    /// Sets the budget for long messages, which readers share. Without one, a reader has its own.
    #[doc(hidden)]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.input.share = Some(Share::new(memory));
        self
    }

    /// Returns the format of the input.
    ///
    /// Reads as many bytes as are needed to recognise it. An error of such a read is
    /// returned later, by [`next_message`](Self::next_message).
    pub fn format(&mut self) -> Format {
        let format_is_set = self.splitter.framing.is_some();
        let attachments = self.options.attachments != Attachments::None;
        let hint = Hint { format_is_set, attachments, all: false };
        // The loop ends because `fill` reaches the limit of the buffer or the end of the input.
        loop {
            let format = match self.input.settle(hint) {
                true => self.splitter.recognise(self.input.buffered()),
                false => None,
            };
            match format {
                Some(format) => {
                    if !format_is_set {
                        self.expect_pdf(format);
                    }
                    return format;
                }
                None => self.input.fill(),
            }
        }
    }

    /// Prepares a note on a PDF document in a text, unless the caller set the format or the text
    /// begins before the input.
    fn expect_pdf(&mut self, format: Format) {
        let may_follow =
            self.options.format.is_none() && format.framing().is_plain() && self.base.offset == 0;
        self.head = may_follow.then(Vec::new);
    }

    /// Returns true if the input is converted as it is read: from UTF-16 or UTF-32 to UTF-8, from
    /// carriage returns to line feeds, or from an Outlook message to mail.
    ///
    /// The texts of its messages map back to the bytes of the file. Lines are counted after
    /// converting, and a column is a byte of the converted line; an Outlook message has neither.
    /// The bytes that the reader yields by [`Read`] are those after converting.
    pub fn is_converted(&mut self) -> bool {
        self.format();
        self.input.is_converted()
    }

    /// Returns true if a text was yielded without decoding, because it is nested more than
    /// [`MAX_DEPTH`](super::MAX_DEPTH) deep.
    pub fn depth_exceeded(&self) -> bool {
        self.depth_exceeded.load(Ordering::Relaxed)
    }

    /// Returns the bodies that were not decoded completely, or `None` if all were.
    pub fn undecoded(&self) -> Option<&Undecoded> {
        (self.undecoded.count() > 0).then_some(&self.undecoded)
    }

    /// The bodies that were not decoded, and whether texts were nested too deeply, since this was asked last.
    pub(super) fn take_notes(&mut self) -> (Undecoded, bool) {
        (std::mem::take(&mut self.undecoded), std::mem::take(self.depth_exceeded.get_mut()))
    }

    /// Returns the number of bytes of the input that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.input.bytes_read() - self.base.offset
    }

    /// Returns the next message, or `None` after the last.
    ///
    /// Text is yielded in chunks, and HTML in pieces of up to 16 MiB, as messages without a header.
    ///
    /// # Errors
    ///
    /// An error of the input is returned once, after the messages before it, the last
    /// of which may be incomplete; [`Interrupted`](io::ErrorKind::Interrupted) is
    /// retried.
    pub fn next_message(&mut self) -> io::Result<Option<Message<'_>>> {
        Ok(self.advance()?.then(|| self.message()))
    }

    /// Returns true if the next message can be yielded without a read, and false after the last.
    ///
    /// A caller that collects results can pass them on before a read, which may take
    /// long.
    pub fn is_buffered(&mut self) -> bool {
        self.consume_message();
        self.next_len().is_some()
    }

    /// Returns this reader with message limits different from [`MAX_MESSAGE_LEN`].
    ///
    /// [`MAX_MESSAGE_LEN`]: super::MAX_MESSAGE_LEN
    #[cfg(test)]
    pub(crate) fn with_limits(mut self, limits: Limits) -> Self {
        self.splitter = Splitter::new(limits);
        self
    }

    /// Advances to the next message; `false` after the last.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        self.format();
        self.consume_message();
        while self.next_len().is_none() && !self.is_at_end() {
            if self.input.ended {
                // An error beyond the end belongs to the message that starts there.
                let error = self.input.error.take().filter(|_| self.input.buffer.end_offset() < self.end);
                return error.map_or(Ok(false), Err);
            }
            self.input.fill();
            self.input.limit.into_iter().for_each(|limit| self.splitter.set_limit(limit));
        }
        if self.is_at_end() {
            return Ok(false);
        }
        let buffered = self.input.buffer.buffered();
        let begins = !self.splitter.continues();
        self.current =
            self.splitter.take(buffered, self.input.buffer.offset(), &self.options).unwrap_or(NO_MESSAGE);
        let Extent { len, shape, .. } = self.current;
        if let Shape::Record = shape {
            self.record = Record::read(buffered, self.input.buffer.offset());
        }
        // The pieces of a long page have one head.
        if begins {
            let may_be_page = matches!(shape, Shape::Text(reading) if reading.may_be_page);
            let head = may_be_page.then(|| page::head(&buffered[..len])).flatten();
            self.page = head.map(|head| Arc::new(Envelope::new(head)));
        }
        note_pdf(&mut self.head, &self.undecoded, &self.input.buffer.buffered()[..len]);
        Ok(true)
    }

    /// Returns true if the next message starts at the end or after it. The rest of a long message
    /// belongs to its first piece.
    fn is_at_end(&self) -> bool {
        self.input.buffer.offset() >= self.end && !self.splitter.continues()
    }

    /// The message that it has advanced to.
    pub(super) fn message(&self) -> Message<'_> {
        let Extent { len, shape, split, index } = self.current;
        let buffered = self.input.buffer.buffered();
        let bytes = &buffered[..len];
        let end = split.map(|(len, split)| (&buffered[..len], split));
        let Splitter { before, declared, .. } = &self.splitter;
        let piece = MessagePiece { before: before.as_deref(), end, declared: declared.as_deref() };
        let base = self.input.buffer.offset();
        let origin = self.input.origin();
        let lines = self.lines.as_ref().map(|counter| MessageLines { bytes, base, counter });
        Message {
            bytes,
            base,
            inside: None,
            depth: 0,
            origin,
            index: self.base.messages + index,
            shape,
            piece,
            options: &self.options,
            lines,
            depth_exceeded: &self.depth_exceeded,
            arena: &self.arena,
            undecoded: &self.undecoded,
            record: self.record.as_ref(),
            page: self.page.as_ref(),
            share: self.input.share.as_ref(),
        }
    }

    /// Begins with the data that the input yields after its end. The options stay; the format is
    /// recognised again if it is `None`, and may be rows by the name of the data.
    pub(super) fn restart(&mut self, format: Option<Format>, may_be_rows: bool) {
        self.input.restart(self.base.offset);
        self.splitter = Splitter::new(self.splitter.limits);
        self.splitter.may_be_rows = may_be_rows;
        self.record = None;
        self.head = None;
        if let Some(format) = format {
            self.splitter.set_format(format);
            self.expect_pdf(format);
        }
        self.current = NO_MESSAGE;
        // A file before this may have been read as a text, whose lines the scanner counts.
        self.lines = self.options.line_numbers.then(|| self.base.line_counter());
    }

    /// Returns a reader of another input, with the same options. The new reader reuses the memory
    /// of this one, which is faster than [`new`](Self::new) for many short inputs.
    pub fn with_input<S: Read>(self, input: S) -> Reader<S> {
        let Reader { input: earlier, options, .. } = self;
        let reader = Reader::new(input).with_options(&options);
        Reader { input: reader.input.in_memory_of(earlier), ..reader }
    }

    /// The length of the next message; `None` if it needs more bytes, or no message follows.
    fn next_len(&mut self) -> Option<usize> {
        let skipped = self.splitter.skip(self.input.buffered())?;
        if skipped > 0 {
            self.consume(skipped);
        }
        self.splitter.next_len(self.input.buffered())
    }

    fn consume_message(&mut self) {
        self.consume(self.current.len);
        self.current.len = 0;
        self.arena = Arena::default();
    }

    fn consume(&mut self, len: usize) {
        let buffer = &self.input.buffer;
        if let Some(lines) = &mut self.lines {
            let lines = lines.get_mut().unwrap_or_else(PoisonError::into_inner);
            lines.move_to(buffer.offset() + len as u64, buffer.buffered(), buffer.offset());
        }
        self.input.consume(len);
    }
}

/// The bytes that have not been yielded in messages. Lines are not counted any
/// more after the first read.
impl<R: Read> Read for Reader<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.consume_message();
        self.splitter.next = None;
        self.lines = None;
        let len = self.input.read(room)?;
        note_pdf(&mut self.head, &self.undecoded, &room[..len]);
        Ok(len)
    }
}

/// Records a PDF document that starts after a line of text. The line was already searched as text, so the input stays a
/// text. `first` collects the head over several reads.
fn note_pdf(first: &mut Option<Vec<u8>>, undecoded: &Undecoded, bytes: &[u8]) {
    let Some(mut head) = first.take() else { return };
    head.extend_from_slice(&bytes[..bytes.len().min(convert::PDF_HEAD)]);
    match convert::pdf_in_text(&head) {
        Some(at) => undecoded.note(at as u64, || {
            format!("is a PDF document that follows text, so only its bytes were searched (tail -c +{} FILE | urlgrep)", at + 1)
        }),
        None => *first = Some(head).filter(|head| head.len() < convert::PDF_HEAD),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::position::Position;
    use crate::bytes::unicode::lossy;

    /// A message of quoted-printable after another, from `base` of the file on.
    fn links_from(base: u64) -> Vec<(std::ops::Range<u64>, Vec<std::ops::Range<u64>>, Position)> {
        let mbox = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a\n\nfirst\n\n\
        From a@h.org Fri Mar  2 10:11:12 2001\nContent-Transfer-Encoding: quoted-printable\n\nab=\nc\n";
        let mut reader = Reader::new(mbox.as_bytes()).with_format(Format::Mbox);
        reader = reader.with_base(base, 0, 0).counting_lines(true);
        let mut links = Vec::new();
        while let Some(message) = reader.next_message().unwrap() {
            let body = message.texts().last().unwrap();
            let sources = body.sources(0..body.as_bytes().len());
            let position = body.position(sources[0].end - 1).unwrap();
            links.push((message.span(), sources, position));
        }
        assert_eq!(reader.bytes_read(), mbox.len() as u64);
        links
    }

    #[test]
    fn the_pieces_of_a_long_page_have_one_head() {
        let page = format!("<!-- MHonArc -->\n<!--X-Subject: a -->\n<html>\n{}", "<p>b</p>\n\n".repeat(100));
        let limits = Limits { message: 256, margin: 32, choice: 64, depth: 0 };
        let mut reader = Reader::new(page.as_bytes()).with_limits(limits);
        let mut pieces = 0;
        while let Some(message) = reader.next_message().unwrap() {
            let subject = message.envelope().and_then(|envelope| envelope.subject());
            assert_eq!((message.index(), subject.as_deref()), (0, Some("a")));
            for text in message.texts() {
                assert_eq!(text.envelope().unwrap().subject(), subject);
                assert_eq!((text.part(), text.content_type().as_deref()), (None, Some("text/html")));
            }
            pieces += 1;
        }
        assert!(pieces > 3, "{pieces}");
    }

    /// The charset and the `<base>` at the beginning of a page count for all of its pieces, at every place.
    #[test]
    fn the_pieces_of_a_long_page_have_one_charset_and_base() {
        let head = b"<html><meta charset=\"koi8-r\"><base href=\"http://h.org/d/\">\n";
        let page = [head, "<p>b</p>\n\n".repeat(400).as_bytes(), b"<a href=e>\xC4\xC1</a>\n<base href=no>\n"]
            .concat();
        let untyped = b"From: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: multipart/mixed; boundary=f\n\n--f\nContent-Type: application/x-g\n\n";
        let mail = b"From: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: text/html\n\n";
        let mbox = b"From: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: application/mbox\n\nFrom a Fri Mar  2 10:11:12 2001\nContent-Type: text/html\n\n";
        let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
        let len = http.len() + page.len();
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {len}\r\n\r\n"
        );
        let record = [record.as_bytes(), http].concat();
        for (before, after) in [
            (&b""[..], &b""[..]),
            (mail, b""),
            (untyped, b"--f\n\n<a href=e>\xC4\xC1</a>\n--f--\n"),
            (mbox, b""),
            (&record, b"\r\n\r\n"),
        ] {
            let input = [before, &page, after].concat();
            let limits = Limits { message: 1024, margin: 256, choice: 64, depth: 5 };
            let mut reader = Reader::new(&*input).with_limits(limits);
            let (mut pieces, mut last) = (0, None);
            while let Some(message) = reader.next_message().unwrap() {
                for text in message.texts() {
                    let word = lossy(&text.shown(0..text.as_bytes().len()))
                        .split_whitespace()
                        .last()
                        .unwrap_or("b")
                        .to_owned();
                    let bases: Vec<_> = text.bases().map(|base| lossy(&base).into_owned()).collect();
                    last = last.or((word != "b" && text.links().next().is_some()).then_some((word, bases)));
                }
                pieces += 1;
            }
            let expected = ("\u{434}\u{430}".to_owned(), vec!["http://h.org/d/".to_owned()]);
            assert_eq!(last, Some(expected), "{}", lossy(before));
            assert!(pieces > 3, "{pieces}");
        }
    }

    #[test]
    fn offsets_beyond_32_bits() {
        for base in [u64::from(u32::MAX) - 60, u64::from(u32::MAX) - 130, 1 << 32, 1 << 40] {
            let links = links_from(base);
            assert_eq!(links[0].0, base..base + 54);
            assert_eq!(links[1].0.start, base + 54);
            let body = links[1].0.start + 38 + 45;
            assert_eq!(links[1].1, [body..body + 2, body + 4..body + 6]);
            assert_eq!(links[1].2, Position { line: 9, column: 2 });
        }
    }
}
