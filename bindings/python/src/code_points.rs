//! Offsets of a `str` count the code points of its UTF-8 bytes.

/// A position in UTF-8 that moves along with the matches.
///
/// Matches come in the order in which they start, so all of them cost one pass.
#[derive(Debug, Default)]
pub struct CodePoints {
    byte: usize,
    code_point: u64,
}

impl CodePoints {
    /// Returns the number of code points before the byte at `to`, which starts one.
    ///
    /// Costs a pass over the bytes since the last call.
    pub fn at(&mut self, utf8: &[u8], to: usize) -> u64 {
        match to >= self.byte {
            true => self.code_point += count(&utf8[self.byte..to]),
            false => self.code_point -= count(&utf8[to..self.byte]),
        }
        self.byte = to;
        self.code_point
    }
}

/// Returns the number of code points that start in `utf8`; surrogates that are encoded like other
/// code points count as well.
fn count(utf8: &[u8]) -> u64 {
    // A continuation byte is 10xxxxxx.
    utf8.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64
}
