//! The bytes of a section, from the first place where it may begin to that of the next one.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

use urlgrep::archive::{Files, Format, LOOKAHEAD};

use super::Section;
use super::entries::{Entries, Entry};
use super::starts::{WINDOW, first_start};
use crate::input::parts::Seen;

/// The length of a read, in bytes.
const BLOCK: usize = 64 * 1024;

/// A reader of a section. It yields the bytes of the section, and after them those that decide
/// where its last message ends.
pub struct SectionReader<'s> {
    section: &'s Section,
    file: File,
    files: Files<Box<dyn Read>>,
    /// The offset of what `files` yields next, in the decompressed file.
    offset: u64,
    /// The entry at which `files` end, and those after it.
    next: Option<Entry>,
    entries: Entries,
    /// Bytes that were read to look for a start.
    window: Vec<u8>,
    yielded: usize,
    /// How many of them are of the section.
    own: usize,
    /// Why reading failed after these bytes.
    error: Option<io::Error>,
    /// Whether nothing comes after these bytes.
    ended: bool,
    seen: &'s Seen,
}

impl<'s> SectionReader<'s> {
    /// The reader of a section, of which `seen` will tell, and where it starts; none if no message
    /// or paragraph starts in it.
    pub fn open(section: &'s Section, seen: &'s Seen) -> io::Result<Option<(u64, Self)>> {
        let Section { path, entry, next, entries, .. } = section;
        let mut reader = SectionReader {
            section,
            file: File::open(path)?,
            files: entries.open(path, *entry, *next)?,
            offset: entry.start,
            next: *next,
            entries: entries.clone(),
            window: Vec::new(),
            yielded: 0,
            own: 0,
            error: None,
            ended: false,
            seen,
        };
        if entry.start == 0 {
            return Ok(Some((0, reader)));
        }
        let Some(start) = reader.find_start() else { return Ok(None) };
        reader.yielded = start;
        Ok(Some((entry.start + start as u64, reader)))
    }

    /// Reads the first bytes at an entry, until they show where a section can start.
    fn find_start(&mut self) -> Option<usize> {
        self.window.clear();
        self.yielded = 0;
        let mut start = None;
        while start.is_none() && self.window.len() < WINDOW + LOOKAHEAD {
            let len = self.window.len();
            self.window.resize(len + BLOCK, 0);
            let read = self.files.file().read(&mut self.window[len..]);
            self.window.truncate(len + *read.as_ref().unwrap_or(&0));
            if !matches!(read, Ok(1..)) {
                self.error = read.err();
                break;
            }
            start = first_start(self.section.format, &self.window);
        }
        self.offset += self.window.len() as u64;
        self.own = self.window.len();
        start
    }

    /// Goes on at the entry at which the bytes so far end: to the start of the next section, which
    /// is later if there is none.
    fn continue_at(&mut self, next: Entry) -> io::Result<()> {
        if self.offset != next.start {
            let text =
                format!("the data before byte {} of the file have another length than it says", next.at);
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        self.next = self.entries.next(&mut self.file);
        self.files = self.entries.open(&self.section.path, next, self.next)?;
        if let Some(end) = self.find_start() {
            self.seen.end.set(next.start + end as u64);
            let lookahead = if self.section.format == Format::Mbox { LOOKAHEAD } else { 0 };
            self.window.truncate(end + lookahead);
            (self.own, self.ended) = (end, true);
        }
        Ok(())
    }
}

impl Read for SectionReader<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.yielded < self.window.len() {
                let len = (&self.window[self.yielded..]).read(room)?;
                self.seen.count(&room[..len.min(self.own.saturating_sub(self.yielded))]);
                self.yielded += len;
                return Ok(len);
            }
            if let Some(error) = self.error.take() {
                self.ended = true;
                return Err(error);
            }
            if self.ended || room.is_empty() {
                return Ok(0);
            }
            let len = self.files.file().read(room)?;
            if len > 0 {
                self.offset += len as u64;
                self.seen.count(&room[..len]);
                return Ok(len);
            }
            match self.next {
                Some(next) => self.continue_at(next).unwrap_or_else(|error| self.error = Some(error)),
                None => self.ended = true,
            }
        }
    }
}
