//! Reads that are retried when a signal interrupts them.

use std::io::{self, Read};

/// Reads once into `room`; returns how many bytes came, 0 at the end.
///
/// # Errors
///
/// Those of the reader, except that [`Interrupted`](io::ErrorKind::Interrupted) is
/// retried.
pub(crate) fn read_some<R: Read + ?Sized>(reader: &mut R, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
