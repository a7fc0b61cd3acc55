//! Archives, made by hand.

use std::io::Write as _;

pub mod encode;
#[allow(dead_code, reason = "some of it is for one test")]
pub mod pst;
#[allow(dead_code, reason = "some of them are for the tests of the program")]
pub mod seekable;

/// What is at byte 257 of a header.
pub const POSIX: &[u8; 8] = b"ustar\x0000";
pub const GNU: &[u8; 8] = b"ustar  \0";
pub const V7: &[u8; 8] = &[0; 8];

pub const MBOX: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nMessage-ID: <1@h.org>\n\nhttp://h.org/mbox\n";
pub const MAIL: &str = "From: a@h.org\nMessage-ID: <2@h.org>\n\nhttp://h.org/mail\n";
pub const TEXT: &str = "some\nhttp://h.org/text\n";
pub const HTML: &str = "<html><a href=http://h.org/html>x</a></html>\n";

/// Four files, by name.
pub const FILES: [(&str, &str); 4] =
    [("dir/b.mbox", MBOX), ("cur/1:2,S", MAIL), ("t.txt", TEXT), ("i", HTML)];

/// The four files, as members of an archive.
pub fn plain() -> Vec<(String, Vec<u8>)> {
    FILES.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

/// The header of a member of a tar archive; `magic` is what is at byte 257.
pub fn header(name: &str, kind: u8, size: u64, magic: &[u8; 8]) -> Vec<u8> {
    let mut header = vec![0; 512];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(108, b"0001750\0");
    put(116, b"0001750\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"07316712345\0");
    put(156, &[kind]);
    put(257, magic);
    sum(&mut header);
    header
}

/// Writes the checksum of a header.
pub fn sum(header: &mut [u8]) {
    header[148..156].fill(b' ');
    let sum: u64 = header.iter().map(|&b| u64::from(b)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
}

/// Data, and zeros up to the next block.
pub fn padded(data: &[u8]) -> Vec<u8> {
    let mut blocks = data.to_vec();
    blocks.resize(data.len().next_multiple_of(512), 0);
    blocks
}

/// A member of a tar archive.
pub fn member(name: &str, kind: u8, data: &[u8], magic: &[u8; 8]) -> Vec<u8> {
    [header(name, kind, data.len() as u64, magic), padded(data)].concat()
}

/// What ends a tar archive.
pub const END: [u8; 1024] = [0; 1024];

pub fn tar(files: &[(String, Vec<u8>)], magic: &[u8; 8]) -> Vec<u8> {
    let members = files.iter().map(|(name, data)| member(name, b'0', data, magic));
    members.chain([END.to_vec()]).collect::<Vec<_>>().concat()
}

/// Each name begins with `before`, and is in a member of its own.
pub fn tar_with_long_names(files: &[(String, Vec<u8>)], before: &str) -> Vec<u8> {
    let members = files.iter().map(|(name, data)| {
        let long = format!("{before}{name}\0");
        let cut = &long[..100];
        let name = member("././@LongLink", b'L', long.as_bytes(), GNU);
        [name, member(cut, b'0', data, GNU)].concat()
    });
    members.chain([END.to_vec()]).collect::<Vec<_>>().concat()
}

/// A record of pax, with its length.
pub fn record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let len = (1..).find(|len: &usize| len - len.to_string().len() == rest.len()).unwrap();
    format!("{len}{rest}")
}

/// Each name begins with `before`, and it and the size are in records.
pub fn tar_pax(files: &[(String, Vec<u8>)], before: &str) -> Vec<u8> {
    let members = files.iter().map(|(name, data)| {
        let path = record("path", &format!("{before}{name}"));
        let records = path + &record("mtime", "984000000.5") + &record("size", &data.len().to_string());
        let head = member("PaxHeaders/x", b'x', records.as_bytes(), POSIX);
        [head, header("short", b'0', 0, POSIX), padded(data)].concat()
    });
    let comment = record("comment", "of all members");
    let global = member("pax_global_header", b'g', comment.as_bytes(), POSIX);
    [global].into_iter().chain(members).chain([END.to_vec()]).collect::<Vec<_>>().concat()
}

/// A file `s` with `data` after a hole of `hole` bytes, and of `length` bytes in all.
pub fn sparse(hole: u64, data: &[u8], length: u64) -> Vec<(&'static str, Vec<u8>)> {
    let stored = data.len() as u64;
    let mut old = header("s", b'S', stored, GNU);
    old[386..398].copy_from_slice(format!("{hole:011o}\0").as_bytes());
    old[398..410].copy_from_slice(format!("{stored:011o}\0").as_bytes());
    old[483..495].copy_from_slice(format!("{length:011o}\0").as_bytes());
    sum(&mut old);
    let pax = |records: &[(&str, String)], data: &[u8]| {
        let records: String = records.iter().map(|(key, value)| record(key, value)).collect();
        let records = member("PaxHeaders/s", b'x', records.as_bytes(), POSIX);
        [records, member("GNUSparseFile.1/s", b'0', data, POSIX), END.to_vec()].concat()
    };
    let name = ("GNU.sparse.name", "s".to_owned());
    let (at, len) = (hole.to_string(), stored.to_string());
    let size = ("GNU.sparse.size", length.to_string());
    let real = ("GNU.sparse.realsize", length.to_string());
    let first = [("GNU.sparse.offset", at.clone()), ("GNU.sparse.numbytes", len.clone())];
    let [major, minor] = [("GNU.sparse.major", "1".to_owned()), ("GNU.sparse.minor", "0".to_owned())];
    let map = padded(format!("1\n{at}\n{len}\n").as_bytes());
    vec![
        ("old", [old, padded(data), END.to_vec()].concat()),
        ("0.0", pax(&[size.clone(), first[0].clone(), first[1].clone(), ("path", "s".to_owned())], data)),
        ("0.1", pax(&[name.clone(), size, ("GNU.sparse.map", format!("{at},{len}"))], data)),
        ("1.0", pax(&[major, minor, name, real], &[&map, data].concat())),
    ]
}

/// A zip archive of stored members.
pub fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let members = files.iter().map(|(name, data)| zip_member(name, 0, data, data));
    members.chain([[&b"PK\x05\x06"[..], &[0; 18]].concat()]).collect::<Vec<_>>().concat()
}

pub fn zip_member(name: &str, method: u16, data: &[u8], packed: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(data);
    let mut member = b"PK\x03\x04\x14\0\0\0".to_vec();
    member.extend(method.to_le_bytes());
    member.extend([0; 4]);
    let numbers = [crc.sum(), packed.len() as u32, data.len() as u32, name.len() as u32];
    member.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
    [&member, name.as_bytes(), packed].concat()
}

/// A compound file with these streams; the names of storages end with a slash.
pub fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut compound = cfb::CompoundFile::create(std::io::Cursor::new(Vec::new())).unwrap();
    for (path, bytes) in streams {
        let (storage, _) = path.rsplit_once('/').unwrap_or_default();
        if !storage.is_empty() {
            compound.create_storage_all(storage).unwrap();
        }
        compound.create_stream(path).unwrap().write_all(bytes).unwrap();
    }
    compound.into_inner().into_inner()
}
