//! Compressed files, recognised by their first bytes, and read as if they were not
//! compressed.
//!
//! | format | first bytes | streams in a row | window |
//! |---|---|---|---|
//! | gzip (RFC 1952) | `1f 8b 08` | yes | 32 KiB |
//! | bzip2 | `BZh1` to `BZh9` | yes | 900 kB |
//! | xz | `fd 37 7a 58 5a 00` | yes | at most 128 MiB |
//! | zstd (RFC 8878) | `28 b5 2f fd`, or a skippable frame | yes | at most 128 MiB |
//! | lz4 frames | `04 22 4d 18` | yes | 4 MB |
//! | lzma | none; a valid header | yes | at most 128 MiB |
//! | lzip | `LZIP` and `01` | yes | at most 128 MiB |
//! | compress (`.Z`) | `1f 9d` and a valid header | no | 64 Ki codes |
//!
//! All other files are read verbatim. A line `#! cunbatch`, or `#! gunbatch` and the
//! like, may precede the data, as it does in news batches.
//!
//! The data are decoded as they are read. Memory is the window and a buffer of 64 KiB, regardless
//! of the length of the output; a file that asks for a larger window is an error (`xz` and `zstd`
//! make one only on request). In a compressed file within another one that has such a window, half
//! of that is allowed.
//!
//! If a file is damaged or truncated, the bytes before the damage are yielded, then an error, and
//! then the end. How many bytes that are differs: gzip, xz and lzma decode up to the damaged byte,
//! bzip2, zstd and lz4 up to the last whole block. Zeros after the last stream are padding; other
//! data there are an error, since they are not read.
//!
//! | module | content |
//! |---|---|
//! | [`compression`] | the formats and how they are recognised |
//! | [`decompressed`] | the reader of decompressed data, and the decoder of lz4 |
//! | [`decoder`], [`lzw`] | the decoders that take steps |
//! | `zstd`, `zstd_c` | zstd: by a crate in Rust, or with the feature `zstd-c` by the library in C |
//! | [`step`] | the interface of the decoders |
//! | [`peek`] | the reader of compressed data |

pub(super) mod compression;
pub(crate) mod decoder;
pub(super) mod decompressed;
mod lzw;
pub(crate) mod peek;
pub(crate) mod step;
#[cfg(not(feature = "zstd-c"))]
mod zstd;
#[cfg(feature = "zstd-c")]
mod zstd_c;

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use proptest::prelude::*;

    use super::compression::HEAD;
    use crate::archive::Files;
    use crate::archive::container::encode::{Encoder, bzip2, compressions, gzip, lz4, xz, zstd};
    use crate::archive::container::files::FileSource;

    /// Some kilobytes that compress well, but not to nothing.
    fn text() -> Vec<u8> {
        (0..150).flat_map(|n| format!("{n}: http://h.org/{}\n", n * 7919 % 1000).into_bytes()).collect()
    }

    /// As `compress -b 12` writes it, the table never being emptied.
    fn compress(data: &[u8]) -> Vec<u8> {
        const LONGEST: u32 = 12;
        let mut table: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).chain([Vec::new()]).collect();
        let (mut bits, mut length, mut group, mut file) =
            (Vec::new(), 9, 0, vec![0x1f, 0x9d, 0x80 | LONGEST as u8]);
        let mut rest = data;
        while !rest.is_empty() {
            // A decoder has the entry only one code later.
            if table.len() > 1 << length && length < LONGEST {
                bits.extend(vec![false; ((8 - group % 8) % 8 * length) as usize]);
                (length, group) = (length + 1, 0);
            }
            let code = (0..table.len())
                .filter(|&n| n != 256 && rest.starts_with(&table[n]))
                .max_by_key(|&n| table[n].len());
            let code = code.unwrap();
            bits.extend((0..length).map(|n| code >> n & 1 == 1));
            group += 1;
            let run = table[code].len();
            if table.len() < 1 << LONGEST {
                table.push(rest[..rest.len().min(run + 1)].to_vec());
            }
            rest = &rest[run..];
        }
        file.extend(
            bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))),
        );
        file
    }

    /// The one file of an input.
    fn reader<R: Read>(file: R) -> io::Result<Files<R>> {
        let mut files = Files::new(file)?;
        assert!(files.advance()? && files.name().is_none());
        Ok(files)
    }

    /// The decompressed data, read `len` bytes at a time, and the error if there is one.
    fn unpack_by(file: &[u8], len: usize) -> (Vec<u8>, Option<String>) {
        drain(reader(file).unwrap(), len)
    }

    fn drain(mut reader: impl Read, len: usize) -> (Vec<u8>, Option<String>) {
        let (mut out, mut piece) = (Vec::new(), vec![0; len]);
        loop {
            match reader.read(&mut piece) {
                Ok(0) => return (out, None),
                Ok(len) => out.extend_from_slice(&piece[..len]),
                Err(error) => {
                    assert_eq!(reader.read(&mut piece).unwrap(), 0, "nothing comes after an error");
                    return (out, Some(error.to_string()));
                }
            }
        }
    }

    fn unpack(file: &[u8]) -> (Vec<u8>, Option<String>) {
        unpack_by(file, 4096)
    }

    #[test]
    fn other_files_are_read_verbatim() {
        for file in [
            &b""[..],
            b"B",
            b"PK",
            b"\x1f",
            b"\x1f\x8b",
            b"\x1f\x9d\xff",
            b"BZhx",
            b"http://h.org/",
            b"\xfd7zX",
        ] {
            assert_eq!(unpack_by(file, 1), (file.to_vec(), None));
            assert_eq!(unpack(file), (file.to_vec(), None));
        }
    }

    #[test]
    fn one_stream() {
        for (name, encode) in compressions().into_iter().chain([("compress", compress as Encoder)]) {
            for data in [&b"h"[..], b"http://h.org/", &text()] {
                let file = encode(data);
                assert_ne!(file, data);
                for len in [1, 7, 65536] {
                    assert!(unpack_by(&file, len) == (data.to_vec(), None), "{name} {len}");
                }
            }
        }
    }

    #[test]
    fn an_empty_stream() {
        for (name, encode) in compressions() {
            assert_eq!(unpack(&encode(b"")), (Vec::new(), None), "{name}");
        }
    }

    #[test]
    fn streams_in_a_row() {
        for (name, encode) in compressions() {
            let file = [encode(b"http:"), encode(b""), encode(b"//h.org/")].concat();
            assert_eq!(unpack(&file), (b"http://h.org/".to_vec(), None), "{name}");
            let padded = [encode(b"http:"), vec![0; 512], encode(b"//h.org/"), vec![0; 70000]].concat();
            assert_eq!(unpack(&padded), (b"http://h.org/".to_vec(), None), "{name}");
        }
    }

    #[test]
    fn a_million_empty_streams() {
        for encode in [bzip2 as Encoder, zstd] {
            let file = [encode(b"").repeat(1_000_000), encode(b"http://h.org/")].concat();
            assert_eq!(unpack(&file), (b"http://h.org/".to_vec(), None));
        }
    }

    #[test]
    fn frames_to_skip() {
        for number in 0x4f..=0x60 {
            let skipped = &[&[number][..], b"\x2a\x4d\x18\x03\0\0\0abc"].concat()[..];
            let is_skipped = (0x50..=0x5f).contains(&number);
            let file = [skipped, &zstd(b"http:")[..], skipped, &zstd(b"//h.org/"), skipped].concat();
            assert_eq!(unpack(&file) == (b"http://h.org/".to_vec(), None), is_skipped, "{number}");
            let file = [&lz4(b"http:")[..], skipped, &lz4(b"//h.org/")].concat();
            assert_eq!(unpack(&file) == (b"http://h.org/".to_vec(), None), is_skipped, "{number}");
        }
    }

    #[test]
    fn other_data_after_the_end() {
        for (name, encode) in compressions() {
            let file = [&encode(b"http://h.org/")[..], b"junk"].concat();
            let error = format!("skipped trailing data after the {name} data after 13 decompressed bytes");
            assert_eq!(unpack(&file), (b"http://h.org/".to_vec(), Some(error)));
        }
    }

    #[test]
    fn cut_off_anywhere() {
        let data = text();
        for (name, encode) in compressions() {
            let file = encode(&data);
            for len in 0..file.len() {
                let (out, error) = unpack(&file[..len]);
                if len >= HEAD {
                    assert!(data.starts_with(&out), "{name} {len}");
                    let said = format!("truncated {name} data after {} decompressed bytes", out.len());
                    assert_eq!(error, Some(said), "{len}");
                }
            }
        }
        // The last code is followed by less than a byte.
        let file = [compress(b"abcdefgh"), vec![0]].concat();
        let said = "truncated compress data after 8 decompressed bytes".to_owned();
        assert_eq!(unpack(&file), (b"abcdefgh".to_vec(), Some(said)));
    }

    #[test]
    fn data_before_the_cut_are_read() {
        let data = text();
        for (name, encode) in [("gzip", gzip as Encoder), ("xz", xz), ("compress", compress)] {
            let file = encode(&data);
            let (out, _) = unpack_by(&file[..file.len() * 3 / 4], 65536);
            assert!(out.len() > data.len() / 2, "{name} {}", out.len());
        }
        // Keep only the complete blocks.
        let noise: Vec<u8> = (0..600_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for (name, encode) in [("zstd", zstd as Encoder), ("lz4", lz4)] {
            let file = encode(&noise);
            let (out, error) = unpack_by(&file[..file.len() * 3 / 4], 65536);
            assert!(noise.starts_with(&out) && out.len() > noise.len() / 3, "{name} {}", out.len());
            assert!(error.is_some(), "{name}");
        }
    }

    #[test]
    fn a_checksum_that_does_not_match() {
        let mut file = gzip(b"http://h.org/");
        let at = file.len() - 8;
        file[at] ^= 1;
        let (out, error) = unpack(&file);
        assert_eq!(out, b"http://h.org/");
        let error = error.unwrap();
        assert!(error.starts_with("corrupt gzip data after 13 decompressed bytes: "), "{error}");
    }

    /// The header of a zstd frame of 13 bytes, with a checksum.
    const ZSTD_FRAME: &[u8] = b"\x28\xb5\x2f\xfd\x24\x0d";

    #[test]
    fn a_checksum_of_zstd() {
        // The last block, which is not compressed; the low half of the XXH64 of its bytes.
        let file = [ZSTD_FRAME, b"\x69\0\0http://h.org/", b"\x7d\xeb\x93\x53"].concat();
        assert_eq!(unpack(&file), (b"http://h.org/".to_vec(), None));
        for at in file.len() - 4..file.len() {
            let mut file = file.clone();
            file[at] ^= 1;
            for len in [1, 13, 4096] {
                let (out, error) = unpack_by(&file, len);
                assert_eq!(out, b"http://h.org/");
                assert!(error.unwrap().starts_with("corrupt zstd data after 13 "));
            }
        }
    }

    #[test]
    fn the_blocks_of_zstd_before_a_damaged_one() {
        // Two blocks, and one of an undefined type.
        let file = [ZSTD_FRAME, b"\x28\0\0http:", b"\x18\0\0//h", b"\x2f\0\0.org/"].concat();
        for len in [1, 3, 5, 8, 9, 4096] {
            let (out, error) = unpack_by(&file, len);
            assert_eq!(out.escape_ascii().to_string(), "http://h", "{len}");
            assert!(error.unwrap().starts_with("corrupt zstd data after 8 "), "{len}");
        }
    }

    #[test]
    fn a_byte_changed_anywhere() {
        let data = text();
        for (_, encode) in compressions().into_iter().chain([("compress", compress as Encoder)]) {
            let file = encode(&data);
            for at in 0..file.len() {
                let mut file = file.clone();
                file[at] ^= 0x55;
                unpack_by(&file, 65536);
            }
        }
    }

    #[test]
    fn windows_that_are_too_large() {
        // A frame with a window of 1 GB.
        let (out, error) = unpack(b"\x28\xb5\x2f\xfd\0\xa0\x01\0\0");
        assert_eq!(out, b"");
        assert_eq!(
            error.unwrap(),
            "zstd data needs a window of 1024 MiB, but the limit is 128 MiB; try: zstd -dc --long=30 FILE | urlgrep"
        );
        // A block whose header, of 12 bytes, asks for a dictionary of 1 GB.
        let mut file = xz(b"http://h.org/");
        file[16] = 36;
        let mut checksum = flate2::Crc::new();
        checksum.update(&file[12..20]);
        file[20..24].copy_from_slice(&checksum.sum().to_le_bytes());
        let error = "skipped the rest after 0 decompressed bytes: xz data needs more than 129 MiB of memory, which is the limit";
        assert_eq!(unpack(&file), (Vec::new(), Some(error.to_owned())));
    }

    #[test]
    fn a_gigabyte_of_zeros() {
        let file = gzip(&vec![0; 16 << 20]).repeat(64);
        assert!(file.len() < 2 << 20);
        let mut reader = reader(&file[..]).unwrap();
        let (mut piece, mut len) = (vec![1; 1 << 16], 0_u64);
        loop {
            let read = reader.read(&mut piece).unwrap();
            assert!(piece[..read].iter().all(|&b| b == 0));
            len += read as u64;
            if read == 0 {
                break;
            }
        }
        assert_eq!(len, 1 << 30);
    }

    /// A code table that is emptied, and codes that fill up a group of eight.
    #[test]
    fn compress_with_a_table_that_is_emptied() {
        // Codes of nine bits: "a", "b", 256, six that are left out, then "c", 257.
        let codes = [97, 98, 256, 0, 0, 0, 0, 0, 99, 100, 257];
        let bits: Vec<bool> = codes.iter().flat_map(|code| (0..9).map(move |n| code >> n & 1 == 1)).collect();
        let bytes =
            bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
        let file: Vec<u8> = [0x1f, 0x9d, 0x90].into_iter().chain(bytes).collect();
        assert_eq!(unpack(&file), (b"abcdcd".to_vec(), None));
    }

    /// Eight bits of a code of nine, and a code with seven bits of another.
    #[test]
    fn compress_that_ends_within_a_code() {
        for (file, out) in [(&b"\x1f\x9d\x90\x61"[..], &b""[..]), (b"\x1f\x9d\x90\x61\xfe", b"a")] {
            let (unpacked, error) = unpack(file);
            assert_eq!(unpacked, out);
            assert!(error.unwrap().starts_with("truncated compress data"));
        }
    }

    #[test]
    fn compress_with_a_code_that_is_not_in_the_table() {
        let (out, error) = unpack(b"\x1f\x9d\x90\x61\xfe\x03");
        assert_eq!(out, b"a");
        assert!(error.unwrap().starts_with("corrupt compress data after 1 "));
    }

    /// A reader that fails.
    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }

    #[test]
    fn what_cannot_be_read_is_no_damage() {
        assert_eq!(reader(Failing).err().unwrap().to_string(), "the disk is on fire");
        for (name, encode) in compressions() {
            let file = encode(&text());
            let (_, error) = drain(reader(file[..file.len() / 2].chain(Failing)).unwrap(), 65536);
            assert_eq!(error.as_deref(), Some("the disk is on fire"), "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn any_data(data in prop::collection::vec(any::<u8>(), 0..2000), repeat in 1..5_usize) {
            let data = data.repeat(repeat);
            for (_, encode) in compressions().into_iter().chain([("compress", compress as Encoder)]) {
                let expected = data.clone();
                prop_assert!(unpack(&encode(&data)) == (expected, None));
            }
        }

        #[test]
        fn any_bytes_after_a_header(data in prop::collection::vec(any::<u8>(), 0..500)) {
            for head in [&b"\x1f\x8b\x08"[..], b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18", b"\x1f\x9d\x90"] {
                unpack(&[head, &data].concat());
            }
        }
    }
}
