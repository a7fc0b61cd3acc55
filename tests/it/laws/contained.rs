//! Containers that are made around a file, so that the fuzzer gets into them: it cannot
//! guess a checksum.

/// The file in container number `number`; `None` if there is no such container.
pub fn contained(number: u8, file: &[u8]) -> Option<Vec<u8>> {
    match number {
        1 => Some(tar(file)),
        2 => Some(zip(file)),
        3 => Some(gzip(file)),
        4 => Some(tar(&zip(file))),
        5 => Some(gzip(&tar(file))),
        6 => Some(zip(&gzip(file))),
        _ => None,
    }
}

/// A tar archive of one member.
fn tar(file: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    header[0] = b'a';
    header[124..136].copy_from_slice(format!("{:011o}\0", file.len()).as_bytes());
    header[148..156].fill(b' ');
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u64 = header.iter().map(|&b| u64::from(b)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut tar = [&header, file].concat();
    tar.resize(tar.len().next_multiple_of(512) + 1024, 0);
    tar
}

/// A zip archive of one member, which is stored.
fn zip(file: &[u8]) -> Vec<u8> {
    let len = (file.len() as u32).to_le_bytes();
    let about = [b"\x14\0\0\0\0\0\0\0\0\0", &crc(file)[..], &len, &len, b"\x01\0\0\0"].concat();
    let member = [b"PK\x03\x04", &about[..], b"a", file].concat();
    let entry = [b"PK\x01\x02\x14\0", &about[..], &[0; 14 - 4], &[0; 4], b"a"].concat();
    let (at, size) = ((member.len() as u32).to_le_bytes(), (entry.len() as u32).to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &size[..], &at, b"\0\0"].concat();
    [member, entry, end].concat()
}

/// A gzip file of stored blocks.
fn gzip(file: &[u8]) -> Vec<u8> {
    let mut gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\xff".to_vec();
    for block in file.chunks(0xffff) {
        let len = block.len() as u16;
        gzip.push(0);
        gzip.extend(len.to_le_bytes());
        gzip.extend((!len).to_le_bytes());
        gzip.extend(block);
    }
    // The last block is empty.
    gzip.extend(b"\x01\0\0\xff\xff");
    gzip.extend(crc(file));
    gzip.extend((file.len() as u32).to_le_bytes());
    gzip
}

/// The CRC of zip and gzip.
fn crc(file: &[u8]) -> [u8; 4] {
    let shift = |crc: u32, _| crc >> 1 ^ if crc & 1 > 0 { 0xEDB8_8320 } else { 0 };
    let crc = file.iter().fold(!0, |crc, &b| (0..8).fold(crc ^ u32::from(b), shift));
    (!crc).to_le_bytes()
}
