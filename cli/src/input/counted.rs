//! Inputs as they are read: bytes are counted, and interrupted reads are retried.

use std::io::{self, ErrorKind, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The progress of a search, shared by all threads.
#[derive(Debug, Default)]
pub struct Counters {
    /// The number of bytes that were read.
    pub bytes: AtomicU64,
    /// The number of matches that were printed.
    pub matches: AtomicU64,
}

/// A reader that counts its bytes. It is the only one in the program that retries a
/// read that a signal interrupted; all others read through it, or by functions of
/// the standard library that retry.
pub struct Counted<R> {
    reader: R,
    counters: Arc<Counters>,
}

impl<R: Read> Counted<R> {
    pub fn new(reader: R, counters: &Arc<Counters>) -> Counted<R> {
        Counted { reader, counters: Arc::clone(counters) }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let len = loop {
            match self.reader.read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.counters.bytes.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every other read is interrupted.
    struct Interrupted(bool);

    impl Read for Interrupted {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0 = !self.0;
            if self.0 { Err(ErrorKind::Interrupted.into()) } else { Ok(room.len().min(3)) }
        }
    }

    #[test]
    fn an_interrupted_read_is_retried() {
        let counters = Arc::default();
        let mut reader = Counted::new(Interrupted(false), &counters);
        assert_eq!(reader.read(&mut [0; 8]).unwrap(), 3);
        assert_eq!(reader.read(&mut [0; 2]).unwrap(), 2);
        assert_eq!(counters.bytes.load(Ordering::Relaxed), 5);
    }
}
