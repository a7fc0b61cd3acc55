//! The header of a member of a zip archive: APPNOTE 4.3.7, and 4.5.3 for lengths beyond
//! 4 GB.

/// The length of a header without its name and extra fields.
pub(super) const HEADER: usize = 30;

/// The header of a member.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) name: Vec<u8>,
    encrypted: bool,
    /// Whether the length and the checksum are after the data.
    pub(super) length_follows: bool,
    /// Whether lzma data have an end mark.
    pub(super) end_mark: bool,
    pub(super) method: u16,
    pub(super) checksum: u32,
    /// The length of the data in the archive.
    pub(super) packed: u64,
    /// The length of the decompressed data.
    pub(super) unpacked: u64,
}

/// Methods of compression: APPNOTE 4.4.5.
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;
pub(super) const BZIP2: u16 = 12;
pub(super) const LZMA: u16 = 14;
pub(super) const ZSTD: u16 = 93;
pub(super) const XZ: u16 = 95;

impl Header {
    /// The length of the header that begins with `head`.
    pub(super) fn len(head: &[u8]) -> Option<usize> {
        let head = head.get(..HEADER)?;
        Some(HEADER + usize::from(u16_at(head, 26)) + usize::from(u16_at(head, 28)))
    }

    /// Reads a whole header.
    pub(super) fn read(bytes: &[u8]) -> Header {
        let flags = u16_at(bytes, 6);
        let (name, extra) = bytes[HEADER..].split_at(usize::from(u16_at(bytes, 26)));
        let (packed, unpacked) = (u32_at(bytes, 18), u32_at(bytes, 22));
        let mut long = long_lengths(extra).into_iter().flatten();
        // The length of the decompressed data comes first.
        let mut length = |short| match short {
            u32::MAX => long.next().unwrap_or(u64::from(u32::MAX)),
            short => u64::from(short),
        };
        let (unpacked, packed) = (length(unpacked), length(packed));
        Header {
            name: name.to_vec(),
            encrypted: flags & 1 != 0,
            length_follows: flags & 8 != 0,
            end_mark: flags & 2 != 0,
            method: u16_at(bytes, 8),
            checksum: u32_at(bytes, 14),
            packed,
            unpacked,
        }
    }

    pub(super) fn is_length_known(&self) -> bool {
        !self.length_follows || (self.method == STORED && self.packed > 0)
    }

    /// Why the member cannot be read, if it cannot.
    pub(super) fn refused(&self) -> Option<String> {
        if self.encrypted {
            return Some("this member of a zip archive is encrypted".into());
        }
        match self.method {
            STORED if !self.is_length_known() => {
                Some("this member of a zip archive is stored, but does not have its length".into())
            }
            ZSTD if self.length_follows => Some(
                "this member of a zip archive is compressed by zstd, but does not have its length".into(),
            ),
            STORED | DEFLATED | BZIP2 | LZMA | ZSTD | XZ => None,
            method => Some(format!(
                "this member of a zip archive is compressed by method {method}, {}; methods 0, 8, 12, 14, 93 and 95 are supported",
                method_name(method)
            )),
        }
    }
}

fn method_name(method: u16) -> &'static str {
    match method {
        1 => "shrink",
        2..=5 => "reduce",
        6 => "implode",
        9 => "Deflate64",
        97 => "WavPack",
        98 => "PPMd",
        _ => "which is not known",
    }
}

/// The numbers of the field for lengths beyond 4 GB.
fn long_lengths(mut extra: &[u8]) -> Option<impl Iterator<Item = u64>> {
    while let [a, b, c, d, rest @ ..] = extra {
        let field = rest.get(..usize::from(u16::from_le_bytes([*c, *d])))?;
        if u16::from_le_bytes([*a, *b]) == 1 {
            let numbers = field.chunks_exact(8).filter_map(<[u8]>::first_chunk);
            return Some(numbers.map(|&bytes| u64::from_le_bytes(bytes)));
        }
        extra = &rest[field.len()..];
    }
    None
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
