//! Files that change while they are divided and read: each search ends, with an error if something was lost.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use super::message;
use crate::make::seekable;
use urlgrep::archive::internal::Division;
use urlgrep::archive::{self, Archive};

/// A file that has another length after so many calls. It panics if a search does not end.
struct Changing<'f> {
    file: Cursor<&'f [u8]>,
    len: usize,
    changed: usize,
    calls: usize,
    after: usize,
}

/// So many calls are more than any search here needs.
const MOST: usize = 100_000;

impl<'f> Changing<'f> {
    /// A file of `len` of these bytes, and then of `changed`.
    fn new(bytes: &'f [u8], len: usize, changed: usize, after: usize) -> Self {
        Changing { file: Cursor::new(bytes), len, changed, calls: 0, after }
    }

    fn call(&mut self) -> usize {
        self.calls += 1;
        assert!(self.calls < MOST, "an endless loop");
        if self.calls > self.after { self.changed } else { self.len }
    }
}

impl Read for Changing<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = self.call() as u64;
        let left = len.saturating_sub(self.file.position());
        self.file.by_ref().take(left).read(room)
    }
}

impl Seek for Changing<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let len = self.call() as u64;
        match to {
            SeekFrom::End(by) => self.file.seek(SeekFrom::Start(len.checked_add_signed(by).unwrap())),
            to => self.file.seek(to),
        }
    }
}

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let text = "http://h.org/a some text\n\n".repeat(40).into_bytes();
    let mbox = (0..12).map(|n| message(n) + "\n").collect::<String>().into_bytes();
    let json = "{\"a\": \"http://h.org/\"}\n".repeat(40).into_bytes();
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 14\r\n\r\nhttp://h.org/\n\r\n\r\n";
    let html = "<html><body><a href=\"http://h.org/\">x</a></body></html>".repeat(9).into_bytes();
    let packed = seekable::packed(&mbox, 300);
    vec![
        ("text", text),
        ("mbox", mbox),
        ("json", json),
        ("web archive", record.repeat(12).into_bytes()),
        ("page", html),
        ("compressed mbox", packed),
    ]
}

/// The lengths of a file of `len` bytes after it changed, and the one before.
fn changes(len: usize) -> [(usize, usize); 4] {
    [(len, 0), (len, len / 2), (len, len - 1), (len / 2, len)]
}

#[test]
fn every_division_ends() {
    for (name, bytes) in files() {
        for (len, changed) in changes(bytes.len()) {
            for (after, size) in (0..60).flat_map(|after| [1, 100].map(|size| (after, size))) {
                let mut input = Changing::new(&bytes, len, changed, after);
                let Ok(parts) = archive::parts(&mut input, size, None) else { continue };
                let mut start = 0;
                for part in parts {
                    let range = part.range();
                    assert!(range.start == start && range.start <= range.end, "{name} {range:?}");
                    start = range.end;
                }
            }
        }
    }
}

#[test]
fn every_range_goes_on_or_is_an_error() {
    for (name, bytes) in files() {
        for (len, changed) in changes(bytes.len()) {
            let mut input = Changing::new(&bytes, len, changed, usize::MAX);
            let division = Division::of(&mut input, None).unwrap();
            input.after = 0;
            let (mut at, mut error) = (0, None);
            while at < division.file_len() && error.is_none() {
                match division.next(&mut input, at, 50) {
                    Ok(next) => at = next,
                    Err(why) => error = Some(why.to_string()),
                }
            }
            let is_lost = changed < len && matches!(name, "text" | "json" | "mbox");
            let expected = "the file became shorter while it was read; search a copy of it";
            assert_eq!(error.as_deref(), is_lost.then_some(expected), "{name} {len} {changed}");
        }
    }
}

/// Reads all messages, and returns the first error.
fn read<R: Read>(archive: io::Result<Archive<R>>) -> io::Result<()> {
    let mut archive = archive?;
    while archive.next_message()?.is_some() {}
    Ok(())
}

#[test]
fn a_file_that_becomes_shorter_is_an_error() {
    // It is longer than what is read at once.
    let text = "http://h.org/a some text\n\n".repeat(40_000).into_bytes();
    let len = text.len();
    for shorter in [0, len / 2, len - 1] {
        let input = Changing::new(&text, len, shorter, 5);
        let error = read(Archive::seekable(input)).unwrap_err();
        assert_eq!(error.to_string(), "the file became shorter while it was read; search a copy of it");
        // A part that another process has found.
        for part in archive::parts(&mut Cursor::new(&text), len as u64 / 3, None).unwrap() {
            let input = Cursor::new(&text[..shorter]);
            assert_eq!(part.open(input.clone()).is_err(), part.range().end > shorter as u64);
            assert_eq!(read(part.open(input)).is_err(), part.range().end > shorter as u64);
        }
    }
    // The length was never true, as that of some files in /sys.
    struct Said<'f>(Changing<'f>);
    impl Read for Said<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0.read(room)
        }
    }
    impl Seek for Said<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            match to {
                SeekFrom::End(0) => Ok(4096),
                to => self.0.seek(to),
            }
        }
    }
    read(Archive::seekable(Said(Changing::new(b"http://h.org/\n", 14, 14, 0)))).unwrap();
    read(Archive::seekable(Changing::new(&text, len / 2, len, 5))).unwrap();
}

#[test]
fn a_mailbox_that_becomes_shorter_is_an_error() {
    let mbox = (0..40).map(|n| message(n) + "\n").collect::<String>().into_bytes();
    for part in archive::parts(&mut Cursor::new(&mbox), 900, None).unwrap() {
        for shorter in [0, mbox.len() / 2, mbox.len() - 1] {
            let input = Cursor::new(&mbox[..shorter]);
            let is_cut = part.range().end > shorter as u64;
            assert_eq!(part.open(input.clone()).is_err(), is_cut, "{part:?} {shorter}");
            assert_eq!(read(part.open(input)).is_err(), is_cut, "{part:?} {shorter}");
        }
    }
}
