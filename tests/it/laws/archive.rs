//! What holds for the finds of any archive, sound or not.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use urlgrep::archive::{Format, Reader};
use urlgrep::{Finder, Located};

/// A find, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub url: String,
    pub span: Range<usize>,
    pub segments: Vec<Range<usize>>,
    pub line: u64,
    pub message: u64,
    pub part: Option<String>,
}

impl Link {
    fn of(located: &Located<'_>) -> Link {
        Link {
            url: String::from_utf8_lossy(located.found().as_bytes()).into_owned(),
            span: located.span(),
            segments: located.segments(),
            line: located.place().expect("the reader counts lines").line,
            message: located.text().message_index(),
            part: located.text().part().map(str::to_owned),
        }
    }
}

/// A reader that gives `step` bytes a call.
struct Steps<'b> {
    bytes: &'b [u8],
    step: usize,
}

impl Read for Steps<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.step.min(room.len());
        self.bytes.read(&mut room[..len])
    }
}

fn reader(bytes: &[u8], format: Option<Format>, step: usize) -> Reader<Steps<'_>> {
    let reader = Reader::new(Steps { bytes, step }).line_numbers(true).attachments(false);
    match format {
        Some(format) => reader.with_format(format),
        None => reader,
    }
}

/// The finds of an archive that comes `step` bytes at a time.
pub fn links(bytes: &[u8], format: Option<Format>, step: usize) -> Vec<Link> {
    let finder = Finder::new();
    let mut reader = reader(bytes, format, step);
    let mut links = Vec::new();
    while let Some(message) = reader.next_message().expect("nothing fails to be read") {
        for text in message.texts() {
            links.extend(finder.find_in(&text).map(|located| Link::of(&located)));
        }
    }
    links
}

/// The same, by the way that searches before it takes apart.
fn at_once(bytes: &[u8], format: Option<Format>) -> Vec<Link> {
    let finder = Finder::new();
    let mut reader = reader(bytes, format, usize::MAX);
    let mut links = Vec::new();
    while let Some(message) = reader.next_message().expect("nothing fails to be read") {
        let _ = finder.find_in_message(&message, |located| {
            links.push(Link::of(located));
            ControlFlow::Continue(())
        });
    }
    links
}

/// Panics unless all that should hold for these bytes does.
pub fn holds(bytes: &[u8]) {
    let formats = [Format::Text, Format::Mail, Format::Mbox, Format::Rnews, Format::Html];
    for format in [None].into_iter().chain(formats.map(Some)) {
        let whole = links(bytes, format, usize::MAX);
        assert_eq!(at_once(bytes, format), whole, "{format:?}");
        for step in [1, 7, 4096] {
            if bytes.len() / step <= 20_000 {
                assert_eq!(links(bytes, format, step), whole, "{format:?}, {step} bytes at a time");
            }
        }
        for link in &whole {
            is_sound(bytes, link);
        }
    }
}

/// A find is where it says that it is.
fn is_sound(bytes: &[u8], link: &Link) {
    assert!(link.span.start < link.span.end && link.span.end <= bytes.len(), "{link:?}");
    let mut at = link.span.start;
    for segment in &link.segments {
        assert!(segment.start >= at && segment.start < segment.end, "{link:?}");
        at = segment.end;
    }
    assert!(at <= link.span.end, "{link:?}");
    let feeds = bytes[..link.span.start].iter().filter(|&&b| b == b'\n').count();
    assert_eq!(link.line, feeds as u64 + 1, "{link:?}");
}
