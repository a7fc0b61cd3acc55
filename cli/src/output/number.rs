//! Numbers in decimal.

/// Writes a number. The machinery of `fmt` takes several times as long.
pub fn write_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
