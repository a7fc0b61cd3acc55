//! Known files that are not text.
//!
//! Such files are recognised and reported, because silence would suggest that they contain no URLs:
//! their text is compressed or in pieces, and a URL in it is often truncated. A file that is not in
//! this table is text.
//!
//! A magic number is long enough that it cannot begin a text: `MZ` and `BM` may, so the table
//! contains more bytes of their headers. A text differs from all of them in its first bytes, so
//! nothing waits for more than a line; only disk images have their magic number later, after bytes
//! that no text has.

use std::fmt;

use memchr::memchr2_iter;

/// A known format of files that are not text: a PNG image, a PDF document, an Outlook mailbox.
///
/// Its [`Display`](fmt::Display) is a noun with its article, and in parentheses the command that reads
/// such a file, if any, or where it is read: `a 7z archive (7z x -so FILE | urlgrep)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binary {
    /// The format with its article; in parentheses, the command that extracts text from it.
    what: &'static str,
    holds: Searchable,
}

impl Binary {
    /// Returns true if people keep text in such files: archives, documents and databases. Images,
    /// sounds, fonts, programs, tables of numbers and indexes do not contain text that people wrote
    /// for readers.
    pub fn may_hold_text(self) -> bool {
        self.holds == Searchable::Text
    }

    /// Returns the name of the format, without its article: `PNG image`.
    pub fn name(self) -> &'static str {
        let what = self.what.split(" (").next().unwrap_or_default();
        ["a ", "an "].iter().find_map(|article| what.strip_prefix(article)).unwrap_or(what)
    }

    /// Returns true if it is an image, a sound, a video or a font.
    pub(super) fn is_media(self) -> bool {
        self.holds == Searchable::Media
    }
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

/// A format and its magic number.
struct MagicRow {
    format: Binary,
    /// The offset of the magic number.
    at: usize,
    /// The magic number. `?` is any byte, `#` a hexadecimal digit, and `~` a control character that
    /// does not occur in text.
    magic: &'static [u8],
    /// The first byte of the file, or [`ANY`].
    first: u8,
    /// A further condition on the first bytes of a file.
    also: fn(&[u8]) -> bool,
}

/// Any byte, in a magic number.
const ANY: u8 = b'?';

/// The content that a user may search for in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Searchable {
    /// An archive, a document or a database: text that somebody wrote.
    Text,
    /// An image, a sound, a video or a font.
    Media,
    /// A program, numbers or an index: data for machines.
    Code,
}

const fn row(at: usize, magic: &'static [u8], what: &'static str, holds: Searchable) -> MagicRow {
    let first = if at == 0 { magic[0] } else { ANY };
    MagicRow { format: Binary { what, holds }, at, magic, first, also: |_| true }
}

const fn format(at: usize, magic: &'static [u8], what: &'static str) -> MagicRow {
    row(at, magic, what, Searchable::Text)
}

const fn media(at: usize, magic: &'static [u8], what: &'static str) -> MagicRow {
    row(at, magic, what, Searchable::Media)
}

const fn code(at: usize, magic: &'static [u8], what: &'static str) -> MagicRow {
    row(at, magic, what, Searchable::Code)
}

/// The number of bytes that identify a disk image.
pub(super) const DISK: usize = 0x8006;

/// A file of certificates.
const PKCS7: &str =
    "a file of PKCS #7 certificates (openssl pkcs7 -inform DER -print_certs -text -in FILE | urlgrep)";

/// A capture of network packets.
const PACKETS: &str = "a capture of network packets (tshark -V -r FILE | urlgrep)";

/// The formats.
const FORMATS: &[MagicRow] = &[
    // Mail.
    format(0, b"2 M1e C########\n\x01\x02", "a Dovecot dbox file (doveadm fetch text all | urlgrep)"),
    format(0, b"CRYPTED\x03\x07", "a file that Dovecot encrypted (doveadm fetch text all | urlgrep)"),
    code(0, b"\x07?\x78\0", "a Dovecot index"),
    code(0, b"\x01\x02\x28\0", "a Dovecot index"),
    code(0, b"\x01\x03\x28\0", "a Dovecot index"),
    code(0, b"\x01\x08\0\0", "a Dovecot index"),
    code(0, b"\x01\x08\x01\0", "a Dovecot index"),
    code(0, b"\xa1\x02\x8b\x0d", "a Cyrus index or database"),
    // A KMail index may begin with any digit.
    MagicRow { first: b'#', ..code(1, b" KMail-Index V####\n\0", "a KMail index") },
    code(0, b"TEXT.000?\0\0\0", "an Evolution index"),
    format(0, b"JMF?\x03\0", "an Outlook Express mailbox of version 4"),
    format(0, b"CBuf?\0", "an INN news spool (CNFS)"),
    // Archives.
    format(0, b"7z\xbc\xaf\x27\x1c", "a 7z archive (7z x -so FILE | urlgrep)"),
    format(0, b"Rar!\x1a\x07", "a RAR archive (unrar p -inul FILE | urlgrep)"),
    format(0, b"MSCF\0\0\0\0", "a cabinet (7z x -so FILE | urlgrep)"),
    format(0, b"ISc(????\0", "an InstallShield cabinet"),
    code(0, b"!<arch>\n/ ", "a static library"),
    code(0, b"!<arch>\n__.SYMDEF", "a static library"),
    format(0, b"!<arch>\n", "an ar archive or a Debian package (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"070701####################", "a cpio archive (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"070702####################", "a cpio archive (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"070707####################", "a cpio archive (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"\xc7\x71???????????\0", "a cpio archive (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"\x71\xc7??????????\0", "a cpio archive (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"\xed\xab\xee\xdb", "an RPM package (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"\x60\xea?\0", "an ARJ archive (7z x -so FILE | urlgrep)"),
    format(0, b"ZOO ?.?? Archive.\x1a", "a zoo archive"),
    format(0, b"SIT!??????rLau", "a StuffIt archive (unar FILE)"),
    // RFC 1741: the data begins with a colon, one or two line breaks after the notice.
    format(0, b"(This file must be converted with BinHex 4.0)?:", "a BinHex file (unar FILE)"),
    format(0, b"(This file must be converted with BinHex 4.0)??:", "a BinHex file (unar FILE)"),
    format(0, b"(This file must be converted with BinHex 4.0)\r\n\r\n:", "a BinHex file (unar FILE)"),
    format(0, b"StuffIt (c)1997-", "a StuffIt archive (unar FILE)"),
    format(0, b"\0\x05\x16\x07\0\x02\0\0", "an AppleDouble file of macOS"),
    format(0, b"xar!\0", "a xar archive (bsdtar -xOf FILE | urlgrep)"),
    format(0, b"MSWIM\0\0\0", "a Windows image (7z x -so FILE | urlgrep)"),
    // Compressed files.
    format(0, b"\x89LZO\0\r\n\x1a\n", "an lzop file (lzop -dc FILE | urlgrep)"),
    format(0, b"\x02\x21\x4c\x18", "an old lz4 file (lz4 -dc FILE | urlgrep)"),
    format(0, b"\xff\x06\0\0sNaPpY", "a snappy file"),
    format(0, b"LRZI\0", "an lrzip file (lrzip -o - FILE | urlgrep)"),
    format(0, b"SZDD\x88\xf0\x27\x33", "an MS-DOS COMPRESS file (7z x -so FILE | urlgrep)"),
    format(0, b"\x1f\x1e", "a pack file (gzip -dc FILE | urlgrep)"),
    format(0, b"\x1f\xa0", "a compress -H file (gzip -dc FILE | urlgrep)"),
    // Mail and databases.
    format(0, b"!BDN????SM", "an Outlook mailbox, PST or OST (searched only as a separate file)"),
    format(0, b"!BDN????SO", "an Outlook mailbox, PST or OST (searched only as a separate file)"),
    format(0, b"!BDN????AB", "an Outlook mailbox, PST or OST (searched only as a separate file)"),
    format(0, b"\xcf\xad\x12\xfe", "an Outlook Express mailbox, DBX (readdbx FILE)"),
    format(0, b"\x1a\0\0\x04\0\0", "a Notes database, NSF (save its messages as EML)"),
    format(0, b"SQLite format 3\0", "an SQLite database (sqlite3 FILE .dump | urlgrep)"),
    format(0, b"\0\x01\0\0Standard Jet DB\0", "an Access database"),
    format(0, b"\0\x01\0\0Standard ACE DB\0", "an Access database"),
    format(0, b"\0\x06\x15\x61", "a Berkeley database"),
    format(0, b"\x61\x15\x06\0", "a Berkeley database"),
    format(0, b"\xce\x9a\x57\x13", "a gdbm database"),
    format(0, b"\xcf\x9a\x57\x13", "a gdbm database"),
    // Documents.
    format(0, b"\xc5\xd0\xd3\xc6", "an EPS document with a preview"),
    format(0, b"\x9f\x01\x08????????\x13", "the string list of a binary workbook (save it as XLSX)"),
    format(0, b"\xf4\x04\0\xf6\x04", "the comment list of a binary workbook (save it as XLSX)"),
    format(0, b"AT&TFORM????DJV", "a DjVu document (djvutxt FILE | urlgrep)"),
    format(0, b"ITSF\x03\0\0\0", "a CHM document (7z x -so FILE | urlgrep)"),
    format(0, b"\xf7\x02\x01\x83\x92\xc0\x1c\x3b", "a DVI document"),
    format(0, b"\xff\x57\x50\x43", "a WordPerfect document"),
    format(0, b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", "a OneNote section (export it as a web page)"),
    format(
        0,
        b"bplist00",
        "a binary property list, such as a Safari web archive (plistutil -i FILE | urlgrep)",
    ),
    code(0, b"\xa1\x2f\xff\x43\xd9\xef\x76\x4c", "a OneNote table of contents"),
    format(0, b"ElfFile\0", "a Windows event log (evtx_dump FILE | urlgrep)"),
    format(0, b"0\0\0\0LfLe", "an old Windows event log (evtexport FILE | urlgrep)"),
    MagicRow {
        also: is_iwork,
        ..format(
            0,
            b"\0????????????????????",
            "a part of Pages, Numbers or Keynote (export the document as PDF)",
        )
    },
    // Images.
    media(0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    media(0, b"\xff\xd8\xff", "a JPEG image"),
    media(0, b"GIF87a?~", "a GIF image"),
    media(0, b"GIF87a???~", "a GIF image"),
    media(0, b"GIF89a?~", "a GIF image"),
    media(0, b"GIF89a???~", "a GIF image"),
    MagicRow { first: 1, ..media(40, b" EMF", "an EMF image") },
    media(0, b"II*\0", "a TIFF image"),
    media(0, b"MM\0*", "a TIFF image"),
    media(0, b"BM????\0\0\0\0", "a BMP image"),
    media(0, b"\0\0\x01\0?\0", "an icon"),
    media(0, b"\0\0\x02\0?\0", "a cursor or a TGA image"),
    media(0, b"8BPS\0\x01", "a Photoshop image"),
    media(0, b"RIFF????WEBPVP8", "a WebP image"),
    media(0, b"\0\0\0\x0cjP  ", "a JPEG 2000 image"),
    media(0, b"\0\0\0\x0cJXL ", "a JPEG XL image"),
    media(0, b"gimp xcf ????\0", "a GIMP image"),
    // Sound and video.
    media(0, b"ID3\x02\0", "an MP3 file"),
    media(0, b"ID3\x03\0", "an MP3 file"),
    media(0, b"ID3\x04\0", "an MP3 file"),
    media(0, b"OggS\0", "an Ogg file"),
    media(0, b"fLaC\0\0\0\x22", "a FLAC file"),
    media(0, b"fLaC\x80\0\0\x22", "a FLAC file"),
    media(0, b"RIFF????WAVE??????\0\0", "a WAV file"),
    media(0, b"RIFF????AVI LIST", "an AVI video"),
    media(0, b"RIFF????RMIDdata", "a MIDI file"),
    media(0, b"FORM~???AIF", "an AIFF file"),
    media(0, b"MThd\0\0\0\x06", "a MIDI file"),
    media(0, b"\0\0\0?ftyp", "an MP4 video or a HEIC image"),
    media(0, b"\x1a\x45\xdf\xa3", "a Matroska or WebM video"),
    media(0, b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "a Windows Media file"),
    media(0, b"FLV\x01?\0\0\0", "a Flash video"),
    media(0, b"\0\0\x01\xba", "an MPEG video"),
    media(0, b"\0\0\x01\xb3", "an MPEG video"),
    media(0, b"CWS?????\x78\x9c", "a Flash file"),
    media(0, b"CWS?????\x78\xda", "a Flash file"),
    media(0, b".snd\0\0\0", "an AU file"),
    // Programs.
    code(0, b"\x7fELF", "an ELF program"),
    code(0, b"MZ?\0", "a Windows or DOS program"),
    code(0, b"MZ?\x01", "a Windows or DOS program"),
    code(0, b"\xca\xfe\xba\xbe", "a Java class or a Mach-O program"),
    code(0, b"\xfe\xed\xfa\xce", "a Mach-O program"),
    code(0, b"\xfe\xed\xfa\xcf", "a Mach-O program"),
    code(0, b"\xce\xfa\xed\xfe", "a Mach-O program"),
    code(0, b"\xcf\xfa\xed\xfe", "a Mach-O program"),
    code(0, b"\0asm\x01\0\0\0", "a WebAssembly module"),
    code(0, b"dex\n0??\0", "a Dalvik program"),
    code(0, b"BC\xc0\xde", "an LLVM bitcode file"),
    code(0, b"L\0\0\0\x01\x14\x02\0", "a Windows shortcut"),
    // git writes its objects with the fastest compression.
    format(0, b"x\x01", "a git object (git cat-file --batch-all-objects --batch | urlgrep)"),
    // Fonts and translations.
    media(0, b"\0\x01\0\0\0?", "a TrueType font"),
    media(0, b"true\0?", "a TrueType font"),
    media(0, b"OTTO\0?", "an OpenType font"),
    media(0, b"ttcf\0?\0\0", "a collection of fonts"),
    media(0, b"wOFF\0\x01\0\0", "a WOFF font"),
    media(0, b"wOFFOTTO\0", "a WOFF font"),
    media(0, b"wOF2\0\x01\0\0", "a WOFF font"),
    media(0, b"wOF2OTTO\0", "a WOFF font"),
    code(0, b"\xde\x12\x04\x95", "a gettext catalogue"),
    code(0, b"\x95\x04\x12\xde", "a gettext catalogue"),
    // Data.
    code(0, b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    code(0, b"CDF\x01", "a NetCDF file"),
    code(0, b"CDF\x02", "a NetCDF file"),
    format(0, b"PAR1\x15", "a Parquet file (in Python: urlgrep.arrow.extract)"),
    format(0, b"Obj\x01", "an Avro file"),
    format(0, b"ORC~", "an ORC file (in Python: urlgrep.arrow.extract)"),
    format(0, b"ARROW1\0\0", "an Arrow file (in Python: urlgrep.arrow.extract)"),
    format(0, b"FEA1\0\0\0\0", "a Feather file (in Python: urlgrep.arrow.extract)"),
    code(0, b"\x80\x02}q", "a Python pickle"),
    code(0, b"\x80\x03}q", "a Python pickle"),
    code(0, b"\x80\x02]q", "a Python pickle"),
    code(0, b"\x80\x03]q", "a Python pickle"),
    code(0, b"\x80\x04\x95", "a Python pickle"),
    code(0, b"\x80\x05\x95", "a Python pickle"),
    code(0, b"\x93NUMPY", "a NumPy array"),
    code(0, b"\xac\xed\0\x05", "serialised Java objects"),
    code(0, b"DIRC\0\0\0?", "a git index"),
    format(0, b"PACK\0\0\0?", "a git pack (git cat-file --batch-all-objects --batch | urlgrep)"),
    format(0, b"bplist0?", "a binary property list (plutil -p FILE | urlgrep)"),
    // Certificates, in DER: one of version 3 (RFC 5280 §4.1), and signed data (RFC 5652 §5.1) without signers and
    // content: the identifier of the content and an empty value have fewer than 32 bytes.
    format(
        0,
        b"0\x82??0\x82??\xa0\x03\x02\x01\x02\x02",
        "an X.509 certificate (openssl x509 -inform DER -noout -text -in FILE | urlgrep)",
    ),
    format(
        0,
        b"0\x82??\x06\x09*\x86H\x86\xf7\x0d\x01\x07\x02\xa0\x82??0\x82??\x02\x01\x01\x31\x00\x30~",
        PKCS7,
    ),
    format(
        0,
        b"0\x83???\x06\x09*\x86H\x86\xf7\x0d\x01\x07\x02\xa0\x83???0\x83???\x02\x01\x01\x31\x00\x30~",
        PKCS7,
    ),
    // Encrypted data and disks.
    format(0, b"LUKS\xba\xbe", "a LUKS volume"),
    format(0, b"hsqs????????\0", "a squashfs image (7z x -so FILE | urlgrep)"),
    format(0, b"conectix\0\0\0\x02", "a Virtual PC disk image"),
    format(0, b"QFI\xfb", "a QEMU disk image"),
    format(0, b"KDMV?\0\0\0", "a VMware disk image"),
    format(0, b"vhdxfile?\0", "a Hyper-V disk image"),
    format(0, b"\xd4\xc3\xb2\xa1", PACKETS),
    format(0, b"\xa1\xb2\xc3\xd4", PACKETS),
    format(0, b"\x0a\x0d\x0d\x0a????\x4d\x3c\x2b\x1a", PACKETS),
    // Formats with any first byte.
    format(2, b"-lh?-", "an LHA archive (lha pq FILE | urlgrep)"),
    format(2, b"-lz?-", "an LHA archive (lha pq FILE | urlgrep)"),
    format(7, b"**ACE**", "an ACE archive"),
    // The name before it is padded with zeros to 32 bytes. It must not contain a colon, so that a
    // URL or a line does not wait for more bytes.
    MagicRow {
        also: |head| !head[..head.len().min(31)].iter().any(|b| b"\n:".contains(b)),
        ..format(
            31,
            b"\0????????????????????????????BOOKMOBI",
            "a MOBI or AZW book (ebook-convert FILE book.epub)",
        )
    },
    format(0, b"????????\0\0\0\0\x61\x15\x06\0", "a Berkeley database"),
    format(0, b"????????\0\0\0\0\x62\x31\x05\0", "a Berkeley database"),
    code(0, b"?\x0d\r\n?\0\0\0", "a compiled Python module"),
    format(0x438, b"\x53\xef", "an ext2, ext3 or ext4 image"),
    format(0x8001, b"CD001", "an ISO 9660 image (7z x -so FILE | urlgrep)"),
];

/// The first byte of each format's files: small files are many, few are not text, and most are distinguished by it.
const FIRST: [u8; FORMATS.len()] = {
    let mut first = [ANY; FORMATS.len()];
    let mut n = 0;
    while n < FORMATS.len() {
        first[n] = FORMATS[n].first;
        n += 1;
    }
    first
};

/// Returns the format of a file that begins with `head`, if it is known and not text.
pub(super) fn recognise(head: &[u8]) -> Option<Binary> {
    let mut rows = memchr2_iter(*head.first()?, ANY, &FIRST).map(|n| &FORMATS[n]);
    rows.find(|row| row.fits(head) && row.end() <= head.len()).map(|row| row.format)
}

impl MagicRow {
    /// The end of the magic number.
    fn end(&self) -> usize {
        self.at + self.magic.len()
    }

    /// Returns true if `head` agrees with the magic number as far as both extend.
    fn fits(&self, head: &[u8]) -> bool {
        if self.first != ANY && head.first() != Some(&self.first) {
            return head.is_empty();
        }
        let found = head.get(self.at..).unwrap_or_default();
        let len = found.len().min(self.magic.len());
        let same = |(&magic, &byte): (&u8, &u8)| match magic {
            ANY => true,
            b'#' => byte.is_ascii_hexdigit(),
            b'~' => byte.is_ascii_control() && !byte.is_ascii_whitespace(),
            _ => magic == byte,
        };
        // The arbitrary bytes are often the first ones.
        self.magic[..len].iter().zip(&found[..len]).rev().all(same) && (self.also)(head)
    }
}

/// Returns true if more bytes after `head` could show its kind, except for disk images.
pub(super) fn may_begin(head: &[u8]) -> bool {
    let near = |format: &&MagicRow| format.end() <= 80;
    FORMATS.iter().filter(near).any(|format| head.len() < format.end() && format.fits(head))
}

/// Returns true if a file may be IWA: the length of a chunk after a zero, then Snappy data without a checksum, which
/// begin with a message of Protocol Buffers, `ArchiveInfo`, verbatim: the number of an object, then its parts.
fn is_iwork(head: &[u8]) -> bool {
    let is = |at: usize, byte: fn(u8) -> bool| head.get(at).copied().is_none_or(byte);
    let after_varint = |at: usize| at + 1 + head.iter().skip(at).take(3).take_while(|&&b| b >= 0x80).count();
    let literal = after_varint(4);
    let tag = match head.get(literal) {
        Some(0xF4) => 3,
        Some(0xF0) => 2,
        _ => 1,
    };
    let number = after_varint(literal + tag);
    is(3, |b| b < 2)
        && is(literal, |b| b & 3 == 0)
        && is(number, |b| b == 0x08)
        && is(after_varint(number + 1), |b| b == 0x12)
}

/// Returns true if the file may be a disk image: these begin with zeros or with a program, and
/// contain their magic number after that.
pub(super) fn may_be_disk(head: &[u8]) -> bool {
    head.get(..4).is_some_and(|start| start.contains(&0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chunk with a Snappy literal of each length, which begins with the length of the message.
    #[test]
    fn parts_of_iwork() {
        for (tag, is_it) in [
            (&[0x28][..], true),
            (&[0xF0, 0x40], true),
            (&[0xF4, 0x40, 0x01], true),
            (&[0xF0], false),
            (&[0xF4, 0x40], false),
            (&[0x29], false),
        ] {
            for (number, is_number) in [
                (&[0x08, 0x01, 0x12][..], true),
                (&[0x08, 0x81, 0x01, 0x12], true),
                (&[0x09, 0x01, 0x12], false),
                (&[0x08, 0x01, 0x13], false),
            ] {
                let head = [&[0, 0x40, 0, 0, 0x20], tag, &[0x0A], number, &[0x40, 0x40]].concat();
                assert_eq!(is_iwork(&head), is_it && is_number, "{tag:x?} {number:x?}");
            }
        }
    }
}
