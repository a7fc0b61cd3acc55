//! Writes the headers of a tar archive (POSIX pax).

/// The length of a block.
pub(super) const BLOCK: usize = 512;

/// The greatest length of a name in a header.
const NAME: usize = 100;

/// The header of a member. A record precedes it if the name does not fit or is not ASCII.
pub(super) fn header(name: &str, len: usize) -> Vec<u8> {
    let mut headers = Vec::new();
    if name.len() > NAME || !name.is_ascii() {
        let record = record(name);
        headers.extend(block("name", b'x', record.len()));
        headers.extend(record.as_bytes());
        headers.resize(headers.len().next_multiple_of(BLOCK), 0);
    }
    headers.extend(block(name, b'0', len));
    headers
}

/// A header.
fn block(name: &str, kind: u8, len: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let name = &name.as_bytes()[..name.len().min(NAME)];
    let size = format!("{len:011o}");
    let fields: [(usize, &[u8]); 8] = [
        (0, name),
        (100, b"0000644"),
        (108, b"0000000"),
        (116, b"0000000"),
        (124, size.as_bytes()),
        (136, b"00000000000"),
        (148, b"        "),
        (257, b"ustar\x0000"),
    ];
    for (at, value) in fields {
        block[at..at + value.len()].copy_from_slice(value);
    }
    block[156] = kind;
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// `LENGTH path=NAME` and a line break; the length counts its own digits.
fn record(name: &str) -> String {
    let rest = format!(" path={name}\n");
    let mut len = rest.len();
    while len != rest.len() + len.to_string().len() {
        len = rest.len() + len.to_string().len();
    }
    format!("{len}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_count_themselves() {
        for len in [1, 80, 89, 90, 91, 92, 93, 990, 991, 992, 993] {
            let record = record(&"a".repeat(len));
            let said: usize = record.split(' ').next().unwrap().parse().unwrap();
            assert_eq!(said, record.len());
        }
    }
}
