//! The laws of every file that is read as an archive, damaged or not.

use std::ops::{ControlFlow, Range};

use urlgrep::archive::internal::LOOKAHEAD;
use urlgrep::archive::{Attachments, Envelope, Format, ReadOptions, Reader, Record};
use urlgrep::{Finder, Form, Iri, JoinKind, Match, Position};

use super::input::Input;
use super::walk;
use super::ways::Trickle;

/// The formats that a reader can be set to, and none.
const FORMATS: [Option<Format>; 21] = [
    None,
    Some(Format::Mail),
    Some(Format::Mbox),
    Some(Format::Rnews),
    Some(Format::Html),
    Some(Format::Calendar),
    Some(Format::Text),
    Some(Format::Mmdf),
    Some(Format::Babyl),
    Some(Format::Mbx),
    Some(Format::Emlx),
    Some(Format::Warc),
    Some(Format::Xml),
    Some(Format::Office),
    Some(Format::Listserv),
    Some(Format::Ldif),
    Some(Format::Mork),
    Some(Format::Rtf),
    Some(Format::Json),
    Some(Format::Git),
    Some(Format::Chat),
];

/// The properties of a match in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub url: String,
    pub form: Form,
    pub joined: Option<JoinKind>,
    pub span: Range<u64>,
    pub pieces: Vec<Range<u64>>,
    pub position: Option<Position>,
    pub message: u64,
    pub id: Option<String>,
    pub part: Option<String>,
    pub header: Option<String>,
    pub quote_depth: usize,
    pub text: Option<Vec<u8>>,
}

impl Link {
    pub(super) fn of(m: &Match<'_>) -> Link {
        let context = m.context().unwrap();
        Link {
            url: String::from_utf8_lossy(m.as_bytes()).into_owned(),
            form: m.form(),
            joined: m.joined(),
            span: m.span(),
            pieces: m.pieces().collect(),
            position: m.position(),
            message: context.message_index(),
            id: id(context.envelope(), context.record()),
            part: context.part().map(Into::into),
            header: context.header().map(Into::into),
            quote_depth: context.quote_depth(),
            text: context.link_text().map(|text| text.into_owned()),
        }
    }

    /// The match without its place in the file.
    fn unplaced(&self) -> Link {
        Link { span: 0..0, pieces: Vec::new(), position: None, ..self.clone() }
    }
}

/// What names the message or the record.
fn id(envelope: Option<&Envelope<'_>>, record: Option<&Record>) -> Option<String> {
    envelope.and_then(|envelope| envelope.id()).or_else(|| record?.uri().map(Into::into))
}

/// The matches in an archive that is read `step` bytes at a time.
pub fn links(bytes: &[u8], format: Option<Format>, step: usize) -> Vec<Link> {
    by_text(
        &Finder::new(),
        &ReadOptions { format, line_numbers: true, ..ReadOptions::default() },
        bytes,
        step,
    )
}

/// Checks the laws for these bytes, in every format.
pub fn holds(bytes: &[u8]) {
    for (format, headers) in FORMATS.into_iter().flat_map(|format| [(format, true), (format, false)]) {
        let how = ReadOptions {
            format,
            attachments: if headers { Attachments::Documents } else { Attachments::All },
            headers,
            line_numbers: true,
            ..ReadOptions::default()
        };
        for step in [1, 7, 4096] {
            if bytes.len() / step <= 20_000 {
                is_read_alike(&Finder::new(), &how, bytes, step);
            }
        }
    }
}

/// Checks the laws of an mbox in two parts, for every cut.
pub fn holds_in_parts(bytes: &[u8]) {
    let how = ReadOptions { format: Some(Format::Mbox), line_numbers: true, ..ReadOptions::default() };
    (0..bytes.len()).for_each(|from| is_read_alike_in_parts(&Finder::new(), &how, bytes, from));
}

/// Checks all laws, for an input of a fuzz target.
pub fn hold(input: &Input<'_>) {
    let Input { settings, size, cuts, text, .. } = input;
    // The sizes are one more than a square, so that each format has one.
    let format = FORMATS[(size - 1).isqrt() % FORMATS.len()];
    let how = ReadOptions {
        format,
        attachments: Attachments::ALL[usize::from(settings.hosts) + usize::from(settings.cells)],
        headers: settings.iri == Iri::Words,
        dot_stuffing: settings.addresses,
        line_numbers: true,
        ..ReadOptions::default()
    };
    let finder = settings.finder();
    is_read_alike(&finder, &how, text, *size);
    cuts.iter().for_each(|&cut| is_read_alike_in_parts(&finder, &how, text, cut));
    if walk::decompresses(text) {
        walk::hold(&finder, &how, input);
    }
}

/// A file has the same matches whole and in pieces, by text and by message, and each
/// match has the right position. Without offsets it has the same matches.
fn is_read_alike(finder: &Finder, how: &ReadOptions, file: &[u8], step: usize) {
    let whole = by_text(finder, how, file, usize::MAX);
    assert_eq!(by_text(finder, how, file, step), whole, "{:?}, {step} bytes at a time", how.format);
    assert_eq!(by_message(finder, how, file), whole, "{:?}, message by message", how.format);
    let rough = by_text(finder, &ReadOptions { offsets: false, ..how.clone() }, file, usize::MAX);
    let unplaced = |links: &[Link]| links.iter().map(Link::unplaced).collect::<Vec<_>>();
    assert_eq!(unplaced(&rough), unplaced(&whole), "{:?}", how.format);
    let converted = Reader::new(file).with_options(how).is_converted();
    whole.iter().chain(&rough).for_each(|link| is_in_the_file(link, file, converted));
}

/// An mbox has the same matches in two parts. The second part starts at the first
/// message start that a reader sees which starts at `from`. A file that is converted has no
/// parts.
fn is_read_alike_in_parts(finder: &Finder, how: &ReadOptions, file: &[u8], from: usize) {
    let how = &ReadOptions { format: Some(Format::Mbox), ..how.clone() };
    if Reader::new(file).with_options(how).is_converted() {
        return;
    }
    let mut reader = Reader::new(&file[from..]).with_options(how).with_base(from as u64, 0, 0);
    let mut starts = Vec::new();
    while let Some(message) = reader.next_message().expect("nothing fails here") {
        starts.push(message.span().start as usize);
    }
    let Some(&cut) = starts.get(1) else {
        return;
    };
    let before = &file[..file.len().min(cut + LOOKAHEAD)];
    let mut both = by_text_until(finder, how, before, usize::MAX, cut);
    let messages = messages(how, before, cut);
    let lines = file[..cut].iter().filter(|&&b| b == b'\n').count();
    let mut after = Reader::new(&file[cut..]).with_options(how).with_base(cut as u64, lines as u64, messages);
    while let Some(message) = after.next_message().expect("nothing fails here") {
        for text in message.texts() {
            both.extend(finder.find_in(&text).map(|m| Link::of(&m)));
        }
    }
    assert_eq!(both, by_text(finder, how, file, usize::MAX), "cut at {cut}");
}

/// How many messages start in the first `len` bytes.
fn messages(how: &ReadOptions, file: &[u8], len: usize) -> u64 {
    let mut reader = Reader::new(file).with_options(how);
    let mut messages = 0;
    while let Some(message) = reader.next_message().expect("nothing fails here") {
        messages += u64::from(message.span().start < len as u64);
    }
    messages
}

/// The matches in each text of each message, with reads of `size` bytes.
fn by_text(finder: &Finder, how: &ReadOptions, file: &[u8], size: usize) -> Vec<Link> {
    by_text_until(finder, how, file, size, usize::MAX)
}

/// Those of the messages that start in the first `len` bytes.
fn by_text_until(finder: &Finder, how: &ReadOptions, file: &[u8], size: usize, len: usize) -> Vec<Link> {
    let mut links = Vec::new();
    let mut reader = Reader::new(Trickle(file, size)).with_options(how);
    // A file of Outlook may be refused.
    while let Ok(Some(message)) = reader.next_message() {
        if message.span().start >= len as u64 {
            break;
        }
        for text in message.texts() {
            links.extend(finder.find_in(&text).map(|m| Link::of(&m)));
        }
    }
    links
}

/// The same by [`Finder::find_in_message`].
fn by_message(finder: &Finder, how: &ReadOptions, file: &[u8]) -> Vec<Link> {
    let mut links = Vec::new();
    let mut reader = Reader::new(file).with_options(how);
    while let Ok(Some(message)) = reader.next_message() {
        let _ = finder.find_in_message(&message, |m| {
            links.push(Link::of(m));
            ControlFlow::Continue(())
        });
    }
    links
}

/// A match has valid offsets in the file, and the line and column of its first byte if the
/// file is not converted.
fn is_in_the_file(link: &Link, file: &[u8], converted: bool) {
    let Link { span, pieces, position, .. } = link;
    let len = file.len() as u64;
    assert!(span.end <= len, "{link:?}");
    assert!(pieces.iter().all(|s| s.start < s.end && s.end <= len), "{link:?}");
    if converted {
        return;
    }
    let before = &file[..span.start as usize];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    assert_eq!(*position, Some(Position { line: line as u64, column: column as u64 }), "{link:?}");
}
