//! Reading, whatever signals come in between.

use std::io::{self, Read};

/// Puts into `room` what one call of `reader` gives, and says how much; 0 at the
/// end.
pub(crate) fn read_some<R: Read + ?Sized>(reader: &mut R, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
