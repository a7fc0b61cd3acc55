//! The files of an input that a thread of its own reads and decompresses, while another one
//! searches them.
//!
//! The bytes go through a channel in a few parcels, which come back to be filled again. So
//! memory is bounded, and either thread waits for the other. A parcel may have many small files:
//! waking a thread takes longer than searching a message.

use std::io::{self, Read};
use std::iter::Peekable;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SendError, Sender, SyncSender};
use std::thread;

use urlgrep::archive::internal::FileSource;
use urlgrep::archive::{Binary, Files};

use crate::error;

/// The number of parcels that may wait.
const MAX_WAITING: usize = 3;

/// The size of a parcel in bytes.
const PARCEL: usize = 256 * 1024;

/// The number of events in a parcel, at most.
const MAX_EVENTS: usize = 256;

/// The length of a read, at least, in bytes.
const MIN_READ: usize = 32 * 1024;

/// The bytes of files, one after the other.
#[derive(Default)]
struct Parcel {
    bytes: Vec<u8>,
    /// The events, each with the offset in the bytes at which it happens.
    events: Vec<(usize, Event)>,
}

enum Event {
    /// A file begins.
    File { name: Option<Vec<u8>>, binary: Option<Binary> },
    /// The file cannot be read further, and neither can the archive of this name that contains it, if any.
    Failure(io::Error, Option<Vec<u8>>),
    /// The archive of this name, or the input, is damaged; files may follow.
    Archive(Option<Vec<u8>>, io::Error),
}

/// The files of an input that another thread reads.
pub struct Ahead {
    parcels: Receiver<Parcel>,
    /// Parcels that were read.
    spare: Sender<Parcel>,
    /// The number of the file that is read. The thread skips those before it.
    wanted: Arc<AtomicU64>,
    file: u64,
    name: Option<Vec<u8>>,
    binary: Option<Binary>,
    /// True if the name belongs to a damaged archive.
    failed: bool,
    /// The archive that an error of the current file has ended.
    ended: Option<Vec<u8>>,
    /// The parcel that was received last, and how many of its bytes have been read.
    bytes: Vec<u8>,
    read: usize,
    events: Peekable<std::vec::IntoIter<(usize, Event)>>,
}

impl Ahead {
    /// Returns the files of the input that `open` opens, or `None` if the system cannot start a
    /// thread. With `prompt`, bytes are passed on as soon as they have been read.
    ///
    /// # Errors
    ///
    /// Returns the result of `open`.
    ///
    /// The thread keeps what `open` also returns to its end.
    pub fn start<R: Read, G, E: Send + 'static>(
        prompt: bool,
        open: impl FnOnce() -> Result<(Files<R>, G), E> + Send + 'static,
    ) -> Option<Result<Ahead, E>> {
        let (sender, parcels) = mpsc::sync_channel(MAX_WAITING);
        let (spare, spares) = mpsc::channel();
        let (opened_sender, opened) = mpsc::sync_channel(1);
        let wanted = Arc::new(AtomicU64::new(1));
        let (file, parcel, len) = (0, Parcel::default(), 0);
        let filler =
            Filler { parcels: sender, spares, wanted: Arc::clone(&wanted), prompt, file, parcel, len };
        let run = move || match open() {
            Ok((files, guard)) => {
                drop(opened_sender.send(Ok(())).map(|()| filler.run(files)));
                drop(guard);
            }
            Err(error) => drop(opened_sender.send(Err(error))),
        };
        thread::Builder::new().spawn(run).ok()?;
        let files = Ahead {
            parcels,
            spare,
            wanted,
            file: 0,
            name: None,
            binary: None,
            failed: false,
            ended: None,
            bytes: Vec::new(),
            read: 0,
            events: Vec::new().into_iter().peekable(),
        };
        // Without an answer, the other thread has panicked, where this thread would have panicked without it.
        Some(opened.recv().unwrap_or_else(|_| panic!("the input cannot be opened")).map(|()| files))
    }

    /// Receives the next parcel; returns `false` after the last one.
    fn receive(&mut self) -> bool {
        let Ok(Parcel { bytes, events }) = self.parcels.recv() else { return false };
        let read = std::mem::replace(&mut self.bytes, bytes);
        // Without a receiver, nothing more is read.
        let _ = self.spare.send(Parcel { bytes: read, events: Vec::new() });
        (self.read, self.events) = (0, events.into_iter().peekable());
        true
    }
}

impl FileSource for Ahead {
    fn advance(&mut self) -> io::Result<bool> {
        // An input without members is one file. Nothing has to be read to know that no other follows.
        if self.file > 0 && self.name.is_none() && !self.failed {
            return Ok(false);
        }
        (self.name, self.binary, self.failed, self.ended) = (None, None, false, None);
        self.wanted.store(self.file + 1, Ordering::Relaxed);
        loop {
            let Some((at, event)) = self.events.next() else {
                if self.receive() { continue } else { return Ok(false) }
            };
            self.read = at;
            match event {
                Event::File { name, binary } => {
                    (self.name, self.binary) = (name, binary);
                    self.file += 1;
                    return Ok(true);
                }
                Event::Archive(name, error) => {
                    (self.name, self.failed) = (name, true);
                    return Err(error);
                }
                // A caller that skips a file does not see the file's error, but an error of its
                // archive.
                Event::Failure(error, Some(archive)) => {
                    (self.name, self.failed) = (Some(archive).filter(|name| !name.is_empty()), true);
                    return Err(error);
                }
                Event::Failure(_, None) => {}
            }
        }
    }

    fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    fn ended_archive(&self) -> Option<&[u8]> {
        self.ended.as_deref()
    }

    fn binary(&self) -> Option<Binary> {
        self.binary
    }
}

/// The bytes of the current file.
impl Read for Ahead {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let next = self.events.peek();
            let rest = &self.bytes[self.read..next.map_or(self.bytes.len(), |(at, _)| *at)];
            if !rest.is_empty() || room.is_empty() {
                let len = rest.len().min(room.len());
                room[..len].copy_from_slice(&rest[..len]);
                self.read += len;
                return Ok(len);
            }
            if next.is_none() {
                if self.receive() { continue } else { return Ok(0) }
            }
            // An event that is not a failure belongs to the next file.
            let failed = |(_, event): &(usize, Event)| matches!(event, Event::Failure(..));
            return match self.events.next_if(failed) {
                Some((_, Event::Failure(error, ended))) => {
                    self.ended = ended;
                    Err(error)
                }
                _ => Ok(0),
            };
        }
    }
}

/// The side of the thread that reads.
struct Filler {
    parcels: SyncSender<Parcel>,
    spares: Receiver<Parcel>,
    wanted: Arc<AtomicU64>,
    prompt: bool,
    /// The number of the current file, from 1.
    file: u64,
    /// The data that are not sent yet.
    parcel: Parcel,
    /// The number of its bytes. The rest is room.
    len: usize,
}

/// The receiver of the parcels is gone.
type Gone = SendError<Parcel>;

impl Filler {
    /// Sends all files until the receiver is gone.
    fn run<R: Read>(mut self, mut files: Files<R>) {
        if let Err(interrupted) = error::catch(|| self.fill(&mut files)) {
            let _ = self.push(Event::Failure(io::Error::other(interrupted), Some(Vec::new())));
        }
        let _ = self.send();
    }

    /// Sends the files, and the errors between them.
    fn fill<R: Read>(&mut self, files: &mut Files<R>) -> Result<(), Gone> {
        loop {
            match files.next_file() {
                Ok(Some(file)) => {
                    self.file += 1;
                    let (name, binary) = (file.name().map(<[u8]>::to_vec), file.binary());
                    self.push(Event::File { name, binary })?;
                    self.file(files)?;
                }
                Ok(None) => return Ok(()),
                Err(error) => self.push(Event::Archive(files.name().map(<[u8]>::to_vec), error))?,
            }
        }
    }

    /// Sends the bytes of the current file, as long as it is wanted.
    fn file<R: Read>(&mut self, files: &mut Files<R>) -> Result<(), Gone> {
        while self.wanted.load(Ordering::Relaxed) <= self.file {
            if PARCEL - self.len < MIN_READ {
                self.send()?;
            }
            self.parcel.bytes.resize(PARCEL, 0);
            match files.file().read(&mut self.parcel.bytes[self.len..]) {
                Ok(0) => break,
                Ok(len) => self.len += len,
                Err(error) => {
                    self.push(Event::Failure(error, files.ended_archive().map(<[u8]>::to_vec)))?;
                    break;
                }
            }
            if self.prompt {
                self.send()?;
            }
        }
        Ok(())
    }

    fn push(&mut self, event: Event) -> Result<(), Gone> {
        self.parcel.events.push((self.len, event));
        if self.prompt || self.parcel.events.len() >= MAX_EVENTS { self.send() } else { Ok(()) }
    }

    fn send(&mut self) -> Result<(), Gone> {
        let spare = self.spares.try_recv().unwrap_or_default();
        let mut parcel = std::mem::replace(&mut self.parcel, spare);
        parcel.bytes.truncate(self.len);
        self.len = 0;
        self.parcels.send(parcel)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A zip member that is stored.
    fn member(name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut member = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0".to_vec();
        let len = bytes.len() as u32;
        let numbers = [crc(bytes), len, len, name.len() as u32];
        member.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        [&member, name.as_bytes(), bytes].concat()
    }

    /// CRC-32, a bit at a time.
    fn crc(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 0 { crc >> 1 } else { crc >> 1 ^ 0xEDB8_8320 };
        !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
    }

    fn start(input: Vec<u8>, prompt: bool) -> Ahead {
        Ahead::start(prompt, || Files::new(Cursor::new(input)).map(|files| (files, ()))).unwrap().unwrap()
    }

    /// A name, and the bytes or an error.
    type ReadFile = (Option<String>, Result<Vec<u8>, String>);

    fn all(mut files: Ahead) -> Vec<ReadFile> {
        let mut all = Vec::new();
        loop {
            let more = files.advance().map_err(|error| error.to_string());
            let name = files.name().map(|name| String::from_utf8(name.to_vec()).unwrap());
            match more {
                Ok(false) => return all,
                Err(error) => all.push((name, Err(error))),
                Ok(true) => {
                    let mut bytes = Vec::new();
                    let read = files.read_to_end(&mut bytes);
                    all.push((name, read.map(|_| bytes).map_err(|error| error.to_string())));
                }
            }
        }
    }

    fn long(byte: u8) -> Vec<u8> {
        vec![byte; 3 * PARCEL + 5]
    }

    #[test]
    fn a_file_without_members() {
        for prompt in [false, true] {
            assert_eq!(all(start(long(b'a'), prompt)), [(None, Ok(long(b'a')))]);
            assert_eq!(all(start(Vec::new(), prompt)), [(None, Ok(Vec::new()))]);
        }
    }

    #[test]
    fn members_of_an_archive() {
        let end = [&b"PK\x05\x06"[..], &[0; 18]].concat();
        let zip = [member("a", b"a"), member("b", &long(b'b')), member("c", b""), member("d", b"d"), end];
        let zip = zip.concat();
        for prompt in [false, true] {
            let files = all(start(zip.clone(), prompt));
            let expected = [("a", b"a".to_vec()), ("b", long(b'b')), ("c", Vec::new()), ("d", b"d".to_vec())];
            assert_eq!(files, expected.map(|(name, bytes)| (Some(name.to_owned()), Ok(bytes))));
            // The rest of a file is skipped.
            let mut files = start(zip.clone(), prompt);
            let mut first = [0; 1];
            for name in ["a", "b", "c", "d"] {
                assert!(files.advance().unwrap());
                assert_eq!(files.name().unwrap(), name.as_bytes());
                assert_eq!(files.read(&mut first).unwrap(), usize::from(name != "c"));
            }
            assert!(!files.advance().unwrap());
        }
    }

    #[test]
    fn a_damaged_member() {
        let mut zip = [member("a", b"a"), member("b", b"b")].concat();
        // A bit of the checksum of the first member.
        zip[14] ^= 1;
        let mut ahead = start(zip.clone(), false);
        assert!(ahead.advance().unwrap());
        let mut here = Files::new(&zip[..]).unwrap();
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let error = here.next_file().unwrap().unwrap().read_to_end(&mut expected).unwrap_err();
        assert_eq!(ahead.read_to_end(&mut found).unwrap_err().to_string(), error.to_string());
        assert_eq!(found, expected);
        assert!(ahead.advance().unwrap());
        assert_eq!(ahead.name(), Some(&b"b"[..]));
    }

    #[test]
    fn an_input_that_cannot_be_opened() {
        let open = || Err::<(Files<io::Empty>, ()), _>("no");
        assert_eq!(Ahead::start(false, open).unwrap().err(), Some("no"));
    }

    #[test]
    fn a_reader_that_stops_early_ends_the_thread() {
        let mut files = start(long(b'a'), false);
        assert!(files.advance().unwrap());
        drop(files);
    }
}
