//! Ranges of a file: their matches together are those of the whole file.

mod changing;
mod compressed;
mod containers;
mod members;

use std::fmt::Write as _;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;

use urlgrep::archive::internal::{Division, align};
use urlgrep::archive::{self, Archive, Part, Reader, open_range};
use urlgrep::{Finder, Match};

/// What is compared of a match: member, URL, bytes, line and column, index and Message-ID; or
/// the text of an error.
type Facts = Result<(Option<Vec<u8>>, String, Range<u64>, Option<(u64, u64)>, u64, Option<String>), String>;

fn facts(m: &Match<'static>) -> Facts {
    let id = m.context().unwrap().envelope().and_then(|envelope| envelope.id());
    let position = m.position().map(|position| (position.line, position.column));
    Ok((
        m.context().unwrap().member().map(Into::into),
        m.to_string(),
        m.span(),
        position,
        m.context().unwrap().message_index(),
        id,
    ))
}

/// A file, and what is known about it without ranges.
struct Whole<'f> {
    file: &'f [u8],
    finder: Finder,
    division: Division,
    matches: Vec<Facts>,
    /// The offset of each message, if they have offsets in the file.
    starts: Vec<u64>,
    /// The offset of each line feed.
    line_feeds: Vec<u64>,
}

impl<'f> Whole<'f> {
    fn new(file: &'f [u8]) -> Self {
        let finder = Finder::builder().line_numbers(true).build().unwrap();
        let division = Division::of(&mut Cursor::new(file), None).unwrap();
        let mut starts = Vec::new();
        let mut reader = Reader::new(file);
        while let Some(message) = reader.next_message().unwrap() {
            if starts.len() as u64 == message.index() && division.format().is_some() {
                starts.push(message.span().start);
            }
        }
        let line_feeds = memchr::memchr_iter(b'\n', file).map(|at| at as u64).collect();
        let mut whole = Whole { file, finder, division, matches: Vec::new(), starts, line_feeds };
        whole.matches = whole.matches(Archive::new(file).unwrap());
        whole
    }

    /// The matches of an archive.
    fn matches<R: io::Read>(&self, archive: Archive<R>) -> Vec<Facts> {
        let found = self.finder.find_in_archive(archive);
        found.map(|m| m.map_err(|error| error.to_string()).and_then(|m| facts(&m))).collect()
    }

    /// The matches of a range, with the lines and indexes of the file.
    fn range(&self, range: Range<u64>) -> Vec<Facts> {
        let mut input = Cursor::new(self.file);
        let start = align(&mut input, range.start).unwrap();
        // It remembers the ranges before.
        assert_eq!(self.division.align(&mut input, range.start).unwrap(), start);
        self.counted(self.division.range(input, range).unwrap(), start)
    }

    /// The matches of an archive that begins here, with the lines and indexes of the file.
    fn counted<R: io::Read>(&self, archive: Archive<R>, start: u64) -> Vec<Facts> {
        let before = |offsets: &[u64]| offsets.partition_point(|&at| at < start) as u64;
        // A text is one message.
        let messages = if self.starts.len() > 1 { before(&self.starts) } else { 0 };
        self.matches(archive.with_base(before(&self.line_feeds), messages))
    }

    /// Checks the parts of this size: they follow each other, nothing before one is read, and their matches are those
    /// of the file.
    #[track_caller]
    fn check_parts(&self, size: u64) {
        let mut union = Vec::new();
        for part in parts_of(self.file, size) {
            let start = part.range().start;
            let input = After { file: Cursor::new(self.file), start };
            union.extend(self.counted(part.open(input).unwrap(), start));
        }
        assert!(union == self.matches, "parts of {size}: {} of {} matches", union.len(), self.matches.len());
    }

    /// Checks the ranges between these cuts, the last of which ends at the end of the file or
    /// after it.
    #[track_caller]
    fn check(&self, cuts: &[u64]) {
        let len = self.file.len() as u64;
        let ends = [len, len + 1, u64::MAX];
        let mut start = 0;
        let mut union = Vec::new();
        for &end in cuts.iter().chain([&ends[cuts.len() % 3]]) {
            union.extend(self.range(start..end));
            start = end;
        }
        assert!(union == self.matches, "cuts {cuts:?}: {} of {} matches", union.len(), self.matches.len());
        self.check_parts(
            cuts.iter().copied().find(|&cut| cut > 0).unwrap_or(1).max(self.file.len() as u64 / 1000),
        );
    }
}

/// The parts of a file of this size, as another process gets them. They follow each other.
#[track_caller]
fn parts_of(file: &[u8], size: u64) -> Vec<Part> {
    let parts = archive::parts(&mut Cursor::new(file), size, None).unwrap();
    let mut start = 0;
    for part in &parts {
        let range = part.range();
        assert!(range.start == start && (range.start < range.end || file.is_empty()), "{range:?}");
        start = range.end;
    }
    assert_eq!(start, file.len() as u64);
    parts.iter().map(|part| Part::new(part.range(), part.layout(), part.decompressed()).unwrap()).collect()
}

/// A file of which nothing before `start` may be read.
struct After<'f> {
    file: Cursor<&'f [u8]>,
    start: u64,
}

impl Read for After<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        assert!(self.file.position() >= self.start);
        self.file.read(room)
    }
}

impl Seek for After<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Message `n`, with a URL in its head and its body.
fn message(n: usize) -> String {
    format!(
        "From a@h.org Fri Mar  2 10:11:12 2001\nMessage-ID: <{n}@h.org>\nSubject: {n}\nList-Post: <http://h.org/l{n}>\n\n\
        body http://h.org/b{n}\n"
    )
}

/// Mailboxes whose messages are hard to own.
fn mailboxes() -> [(&'static str, String); 8] {
    let with = |between: &str| (0..4).map(|n| message(n) + between).collect::<String>();
    let in_body = "From here it is http://h.org/x\nFrom bob Fri Mar  2 10:11:12 2001\nis quoted\n\n";
    [
        ("LF", with("\n")),
        ("CRLF", with("\n").replace('\n', "\r\n")),
        ("From in bodies", with(in_body)),
        ("empty lines", with("\n\n\n\n\n\n\n")),
        ("empty lines with CR", with("\n\n\n").replace('\n', "\r\n")),
        ("no empty line", with("")),
        ("empty lines first, no first separator", format!("\n\n\r\n{}", &with("\n")[38..])),
        ("no first separator, an empty line before the third", with("")[38..].replacen("b1\n", "b1\n\n", 1)),
    ]
}

#[test]
fn every_cut_of_small_mailboxes() {
    for (name, file) in mailboxes() {
        let whole = Whole::new(file.as_bytes());
        assert_eq!((whole.starts.len(), whole.matches.len() >= 8), (4, true), "{name}");
        for cut in 0..=file.len() as u64 {
            whole.check(&[cut]);
        }
        for step in [1, 2, 7, 50, 113] {
            whole.check(&(0..file.len() as u64).step_by(step).collect::<Vec<_>>());
        }
    }
}

#[test]
fn every_cut_of_a_text() {
    for line_end in ["\n", "\r\n"] {
        let text = "http://h.org/a\n\nhttp://h.org/b <URL:http://h.\norg/c>\n\n\n\nhttp://h.org/d\n"
            .replace('\n', line_end);
        let whole = Whole::new(text.as_bytes());
        assert_eq!(whole.matches.len(), 4);
        for cut in 0..=text.len() as u64 {
            whole.check(&[cut]);
        }
    }
}

/// It is yielded in chunks, of which all belong to one range.
#[test]
fn a_long_text_without_empty_lines() {
    let file = format!("http://h.org/a\n{}http://h.org/b\n\nhttp://h.org/c", "word\n".repeat(8_000_000));
    let whole = Whole::new(file.as_bytes());
    assert_eq!(whole.matches.len(), 3);
    whole.check(&[1000]);
    whole.check(&[1000, 30_000_000]);
}

#[test]
fn a_message_over_the_limit() {
    let mut file = message(0);
    let long = message(1);
    file.push_str(&long);
    for n in 0..30 {
        write!(file, "http://h.org/long{n}\n{}\n\n", "word ".repeat(200_000)).unwrap();
    }
    file.push_str(&message(2));
    let whole = Whole::new(file.as_bytes());
    assert_eq!((whole.starts.len(), whole.matches.len()), (3, 36));
    let second = message(0).len() as u64;
    whole.check(&[second]);
    whole.check(&[second + 1]);
    for size in [9_999_991, 16 << 20, 25_000_000] {
        whole.check(&(0..file.len() as u64).step_by(size).collect::<Vec<_>>());
    }
}

#[test]
fn twenty_sizes_of_a_large_mailbox() {
    let file: String = (0..3000).map(|n| message(n) + ["", "\n", "\n\n\n"][n % 3]).collect();
    let whole = Whole::new(file.as_bytes());
    assert_eq!(whole.starts.len(), 3000);
    for size in (1..=20).map(|n| 1009 * n * n) {
        whole.check(&(0..file.len() as u64).step_by(size).collect::<Vec<_>>());
    }
}

#[test]
fn files_that_cannot_be_divided() {
    let mail = "From: a\nMessage-ID: <1@h.org>\n\nhttp://h.org/a\n\n\nhttp://h.org/b\n";
    let page = "<html>\n\n<a href='http://h.org/a'>a</a>\n\nhttp://h.org/b";
    let batch =
        "#! rnews 31\nPath: a\n\nhttp://h.org/a\n\n\n\n\n#! rnews 27\nPath: b\n\nhttp://h.org/b\n\n\n\n";
    for file in [mail, page, batch] {
        let whole = Whole::new(file.as_bytes());
        assert_eq!(whole.matches.len(), 2, "{file}");
        for cut in 0..file.len() as u64 {
            let all = if cut == 0 { (0, 2) } else { (2, 0) };
            assert_eq!((whole.range(0..cut).len(), whole.range(cut..u64::MAX).len()), all);
        }
    }
}

#[test]
fn errors_name_the_file() {
    let error = open_range("no/such/file", 0..1).unwrap_err();
    assert!(error.to_string().starts_with("no/such/file: "), "{error}");
}

/// The name of a file is a hint that a text consists of rows. An empty line does not end a cell.
#[test]
fn rows_are_not_divided() {
    let file = "name,url,note\n1,http://h.org/a,b\n2,\"http://h.org/c,\n\n\",d\n";
    let dir = tempfile::tempdir().unwrap();
    let found = |name: &str, cuts: &[u64]| -> Vec<String> {
        let path = dir.path().join(name);
        std::fs::write(&path, file).unwrap();
        let ranges = cuts.windows(2).map(|cut| open_range(&path, cut[0]..cut[1]).unwrap());
        let matches = ranges.flat_map(|range| Finder::new().find_in_archive(range));
        matches.map(|m| m.unwrap().to_string()).collect()
    };
    let half = file.find("\n\n").unwrap() as u64;
    for cuts in [&[0, u64::MAX][..], &[0, half, u64::MAX]] {
        assert_eq!(found("a.csv", cuts), ["http://h.org/a", "http://h.org/c"]);
        assert_eq!(found("a.txt", cuts), ["http://h.org/a,b", "http://h.org/c"]);
    }
}
