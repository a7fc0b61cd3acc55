//! Numbers in few bytes: seven bits a byte, the lowest first.

/// The length of the longest number, in bytes.
pub(in crate::archive) const MAX_NUMBER_LEN: usize = 10;

/// Appends a number, seven bits a byte, the lowest first.
pub(in crate::archive) fn push(codes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        codes.push(number as u8 | 0x80);
        number >>= 7;
    }
    codes.push(number as u8);
}

/// Removes the first number; `None` if there is none.
pub(in crate::archive) fn pull(codes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = codes.split_first()?;
        *codes = rest;
        number |= usize::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}
