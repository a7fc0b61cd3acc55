//! What holds for every file that is read as an archive, however damaged it is.

use std::io::Read;
use std::ops::{ControlFlow, Range};

use urlgrep::archive::{Files, Format, Reader};
use urlgrep::{Finder, Form, Joined, Located, Place};

use super::input::Input;
use super::ways::Trickle;

/// The formats that a reader can be told, and none.
const FORMATS: [Option<Format>; 6] = [
    None,
    Some(Format::Mail),
    Some(Format::Mbox),
    Some(Format::Rnews),
    Some(Format::Html),
    Some(Format::Text),
];

/// What a find in an archive tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub url: String,
    pub form: Form,
    pub joined: Option<Joined>,
    pub span: Range<usize>,
    pub segments: Vec<Range<usize>>,
    pub place: Option<Place>,
    pub message: u64,
    pub id: Option<String>,
    pub part: Option<String>,
    pub header: Option<String>,
    pub quote_depth: usize,
}

impl Link {
    fn of(located: &Located<'_>) -> Link {
        let text = located.text();
        Link {
            url: String::from_utf8_lossy(located.found().as_bytes()).into_owned(),
            form: located.found().form(),
            joined: located.joined(),
            span: located.span(),
            segments: located.segments(),
            place: located.place(),
            message: text.message_index(),
            id: text.envelope().and_then(|envelope| envelope.id()),
            part: text.part().map(Into::into),
            header: located.header().map(Into::into),
            quote_depth: located.quote_depth(),
        }
    }
}

/// How an archive is read.
struct How {
    format: Option<Format>,
    attachments: bool,
    dots: bool,
}

impl How {
    fn reader<R: Read>(&self, input: R) -> Reader<R> {
        let reader = Reader::new(input);
        let reader = match self.format {
            Some(format) => reader.with_format(format),
            None => reader,
        };
        reader.attachments(self.attachments).dot_stuffing(self.dots).line_numbers(true)
    }
}

/// The finds of an archive that comes `step` bytes at a time.
pub fn links(bytes: &[u8], format: Option<Format>, step: usize) -> Vec<Link> {
    by_text(&Finder::new(), &How { format, attachments: false, dots: false }, bytes, step)
}

/// What holds for these bytes, whatever they are taken for.
pub fn holds(bytes: &[u8]) {
    for format in FORMATS {
        let how = How { format, attachments: false, dots: false };
        for step in [1, 7, 4096] {
            if bytes.len() / step <= 20_000 {
                is_read_alike(&Finder::new(), &how, bytes, step);
            }
        }
    }
}

/// All of them, for an input of a fuzz target.
pub fn hold(input: &Input<'_>) {
    let Input { settings, size, text, .. } = input;
    let format = FORMATS[size % FORMATS.len()];
    let how = How { format, attachments: settings.hosts, dots: settings.addresses };
    let finder = settings.finder();
    is_read_alike(&finder, &how, text, *size);
    decompresses(text);
}

/// A file gives the same finds whole and in pieces, text by text and message by
/// message, and each is where it says that it is.
fn is_read_alike(finder: &Finder, how: &How, file: &[u8], step: usize) {
    let whole = by_text(finder, how, file, usize::MAX);
    assert_eq!(by_text(finder, how, file, step), whole, "{:?}, {step} bytes at a time", how.format);
    assert_eq!(by_message(finder, how, file), whole, "{:?}, message by message", how.format);
    whole.iter().for_each(|link| is_in_the_file(link, file));
}

/// The finds of each text of each message, with reads of so many bytes.
fn by_text(finder: &Finder, how: &How, file: &[u8], size: usize) -> Vec<Link> {
    let mut finds = Vec::new();
    let mut reader = how.reader(Trickle(file, size));
    while let Some(message) = reader.next_message().expect("nothing fails here") {
        for text in message.texts() {
            finds.extend(finder.find_in(&text).map(|located| Link::of(&located)));
        }
    }
    finds
}

/// The same by the shorter way.
fn by_message(finder: &Finder, how: &How, file: &[u8]) -> Vec<Link> {
    let mut finds = Vec::new();
    let mut reader = how.reader(file);
    while let Some(message) = reader.next_message().expect("nothing fails here") {
        let _ = finder.find_in_message(&message, |located| {
            finds.push(Link::of(located));
            ControlFlow::Continue(())
        });
    }
    finds
}

/// A find points at bytes of the file, and at the line they stand on.
fn is_in_the_file(link: &Link, file: &[u8]) {
    let Link { span, segments, place, .. } = link;
    assert!(span.end <= file.len(), "{link:?}");
    assert!(segments.iter().all(|s| s.start < s.end && s.end <= file.len()), "{link:?}");
    let before = &file[..span.start];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    assert_eq!(*place, Some(Place { line: line as u64, column: column as u64 }), "{link:?}");
}

/// Whatever is decompressed ends.
fn decompresses(file: &[u8]) {
    /// More than this is not asked for: little can be much.
    const ENOUGH: u64 = 1 << 20;
    let Ok(mut files) = Files::new(file) else {
        return;
    };
    while let Ok(Some(file)) = files.next_file() {
        // An error is an answer, too.
        let _ = std::io::copy(&mut file.take(ENOUGH), &mut std::io::sink());
    }
}
