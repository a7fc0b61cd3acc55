//! Files that are not text, by their first bytes, and texts that resemble them.

use std::io;

use urlgrep::Finder;
use urlgrep::archive::{Archive, Files, Format, ReadOptions};

use crate::laws::ways::Trickle;

/// The first bytes of files, as programs write them.
const FILES: &[(&str, &[u8])] = &[
    ("a PNG image", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x06"),
    ("a JPEG image", b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
    ("a JPEG image", b"\xff\xd8\xff\xe1\x12\x34Exif\0\0II*\0"),
    ("a GIF image", b"GIF89a\x20\x03\x58\x02\xf7\0\0"),
    ("a GIF image", b"GIF87a\x01\0\x01\0\x80\0\0"),
    ("a TIFF image", b"II*\0\x08\0\0\0"),
    ("a TIFF image", b"MM\0*\0\0\0\x08"),
    ("a BMP image", b"BM\x36\x10\x0e\0\0\0\0\0\x36\0\0\0\x28\0\0\0"),
    ("an icon", b"\0\0\x01\0\x02\0\x10\x10\0\0\x01\0\x20\0"),
    ("a Photoshop image", b"8BPS\0\x01\0\0\0\0\0\0\0\x03"),
    ("a WebP image", b"RIFF\x24\x10\0\0WEBPVP8 \x18\x10\0\0"),
    ("a DjVu document", b"AT&TFORM\0\0\0\x10DJVUINFO"),
    ("a OneNote section", b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3"),
    ("a OneNote table of contents", b"\xa1\x2f\xff\x43\xd9\xef\x76\x4c\x9e\xe2\x10\xea\x57\x22\x76\x5f"),
    ("a Notes database, NSF (save", b"\x1a\0\0\x04\0\0\xd8\x0a\0\0\x2b\0"),
    ("a MOBI or AZW book (ebook-convert", b"A_title\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x5a\x1b\x2c\x3d\x5a\x1b\x2c\x3d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0BOOKMOBI\0\0"),
    // Short and long messages, objects and literals.
    ("a part of Pages, Numbers or Keynote", b"\0\x17\0\0\x15\x50\x10\x08\xb0\x9a7\x12\x0a\x08\xf5.\x12\x03\x01\0\x05\x18\x04"),
    ("a part of Pages, Numbers or Keynote", b"\0\xd6\x04\0\x9b\x16t\x15\x08\xbd\xac7\x12\x0f\x08\xd2\x01\x12\x03\x01\0\x05"),
    ("a part of Pages, Numbers or Keynote", b"\0\xd9\x1b\0\xeb_\xf0e8\x08\x01\x124\x08\x01\x12\x03\x01\0\x05\x18\xe0\x0b"),
    ("a part of Pages, Numbers or Keynote", b"\09U\0\x80\x80\x04\xf0<\x80\x0c\x08\x94\x9e7\x12\xf9\x0b\x08\x91\x03\x12\x03"),
    // RFC 5280 §4.1.2.1: version 3 is the integer 2; RFC 5652 §5.1: no digest algorithms, without and with empty content.
    ("an X.509 certificate", b"0\x82\x03\x7b0\x82\x02\x63\xa0\x03\x02\x01\x02\x02\x10\x52\x7e\xc3\x0a"),
    ("a file of PKCS #7 certificates", b"0\x82\x03\x7b\x06\x09*\x86H\x86\xf7\x0d\x01\x07\x02\xa0\x82\x03\x6c0\x82\x03\x68\x02\x01\x01\x31\x00\x30\x0f"),
    ("a file of PKCS #7 certificates", b"0\x83\x01\x03\x7b\x06\x09*\x86H\x86\xf7\x0d\x01\x07\x02\xa0\x83\x01\x03\x6c0\x83\x01\x03\x68\x02\x01\x01\x31\x00\x30\x0b"),
    // RFC 1740, appendix B.
    ("an AppleDouble file of macOS", b"\0\x05\x16\x07\0\x02\0\0Mac OS X        \0\x02"),
    ("a binary property list", b"bplist00\xd4\x01\x02\x03\x04\x05\x06"),
    ("an old Windows event log", b"0\0\0\0LfLe\x01\0\0\0\x01\0\0\0"),
    ("a Windows event log", b"ElfFile\0\0\0\0\0\0\0\0\0\x01\0"),
    ("an ELF program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"),
    ("a Windows or DOS program", b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0"),
    ("a Mach-O program", b"\xcf\xfa\xed\xfe\x07\0\0\x01\x03\0\0\0"),
    ("a Java class", b"\xca\xfe\xba\xbe\0\0\0\x34\0\x1d"),
    ("a WebAssembly module", b"\0asm\x01\0\0\0\x01\x05\x01\x60"),
    ("an SQLite database", b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20"),
    ("an Outlook mailbox", b"!BDN\x12\x34\x56\x78SM\x17\0\x13\0\x01\x01"),
    ("an Outlook Express mailbox", b"\xcf\xad\x12\xfe\xc5\xfd\x74\x6f\x66\xe3\xd1\x11"),
    ("a Dovecot dbox file", b"2 M1e C5a1b2c3d\n\x01\x02N                   00000000000000AA\nFrom: a"),
    ("a file that Dovecot encrypted", b"CRYPTED\x03\x07\x02\0\0\0\x01"),
    ("a Dovecot index", b"\x07\x03\x78\0\x50\x02\0\0\x28\0\0\0\x01\0\0\0"),
    ("a Dovecot index", b"\x01\x03\x28\0\x12\x34\x56\x5f\x02\0\0\0"),
    ("a Dovecot index", b"\x01\x08\x01\0\x12\x34\x56\x5f\x9b\x34\x56\x5f"),
    ("a Cyrus index or database", b"\xa1\x02\x8b\x0dCyrus mailbox header\n"),
    ("a Cyrus index or database", b"\xa1\x02\x8b\x0dtwoskip file\0\0\0\0"),
    ("a KMail index", b"# KMail-Index V1506\n\0\x08\0\0\0xV4\x12\x04\0\0"),
    ("an Evolution index", b"TEXT.000\x01\0\0\0\0\x04\0\0"),
    ("an Outlook Express mailbox of version 4", b"JMF6\x03\0\x01\0\x12"),
    ("an INN news spool (CNFS)", b"CBuf4\0\0\0/news/cycbuff/one"),
    ("a 7z archive", b"7z\xbc\xaf\x27\x1c\0\x04\x12\x34\x56\x78"),
    ("a RAR archive", b"Rar!\x1a\x07\0\xcf\x90\x73\0\0\x0d\0"),
    ("a RAR archive", b"Rar!\x1a\x07\x01\0\x33\x92\xb5\xe5"),
    ("a cabinet", b"MSCF\0\0\0\0\x12\x34\0\0\0\0\0\0\x2c\0\0\0"),
    ("an ar archive", b"!<arch>\ndebian-binary   1034567890  0     0     100644  4         `\n2.0\n"),
    ("a cpio archive", b"070701000A1B2C000081A4000003E8000003E800000001386D4380"),
    ("a cpio archive", b"070707000001123456100644001750001750000001000000"),
    ("a cpio archive", b"\xc7\x71\x01\x08\x34\x12\xa4\x81\xe8\x03\xe8\x03\x01\0\0\0"),
    ("an RPM package", b"\xed\xab\xee\xdb\x03\0\0\0\0\x01urlgrep-1.0"),
    ("an LHA archive", b"\x21\x9a-lh5-\x12\x34\0\0\x56\x78\0\0"),
    ("an ARJ archive", b"\x60\xea\x2a\0\x1e\x06\x01\0\0\0\x02\x12"),
    ("a zoo archive", b"ZOO 2.10 Archive.\x1a\0\0\xdc\xa7\xc4\xfd"),
    ("a StuffIt archive", b"SIT!\0\x01\0\0\x12\x34rLau\x01"),
    ("a BinHex file", b"(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH"),
    ("a BinHex file", b"(This file must be converted with BinHex 4.0)\r\n\r\n:$f*TEQKPH"),
    ("an MP3 file", b"ID3\x03\0\0\0\0\x10\x15TIT2"),
    ("an Ogg file", b"OggS\0\x02\0\0\0\0\0\0\0\0"),
    ("a FLAC file", b"fLaC\0\0\0\x22\x10\0\x10\0"),
    ("a WAV file", b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0"),
    ("an AVI video", b"RIFF\x12\x34\x56\0AVI LIST\x26\x01\0\0hdrl"),
    ("an MP4 video", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"),
    ("a Matroska", b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01"),
    ("a MIDI file", b"MThd\0\0\0\x06\0\x01\0\x02\x01\xe0"),
    ("a WOFF font", b"wOFF\0\x01\0\0\0\0\x12\x34"),
    ("a TrueType font", b"\0\x01\0\0\0\x0c\0\x80\0\x03\0\x40"),
    ("a gettext catalogue", b"\xde\x12\x04\x95\0\0\0\0\x05\0\0\0"),
    ("a Berkeley database", b"\0\0\0\0\x01\0\0\0\0\0\0\0\x61\x15\x06\0\x09\0\0\0"),
    ("a gdbm database", b"\xce\x9a\x57\x13\0\x10\0\0"),
    ("an HDF5 file", b"\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0"),
    ("a Parquet file (in Python: urlgrep.arrow.extract)", b"PAR1\x15\0\x15\x1c\x15\x20"),
    ("an Avro file", b"Obj\x01\x04\x14avro.codec\x08null"),
    ("an Arrow file (in Python: urlgrep.arrow.extract)", b"ARROW1\0\0\xff\xff\xff\xff"),
    ("a Python pickle", b"\x80\x04\x95\x12\0\0\0\0\0\0\0\x8c\x01a"),
    ("a compiled Python module", b"\xa7\x0d\r\n\0\0\0\0\x12\x34\x56\x78"),
    ("a LUKS volume", b"LUKS\xba\xbe\0\x01aes\0\0\0\0\0"),
    ("a squashfs image", b"hsqs\x07\0\0\0\x12\x34\x56\x60\0\0\x02\0"),
    ("a git object (git cat-file", b"x\x01K\xca\xc9OR0"),
    ("a git pack (git cat-file", b"PACK\0\0\0\x02\0\0\0\x05"),
    ("a capture of network packets", b"\xd4\xc3\xb2\xa1\x02\0\x04\0\0\0\0\0"),
    // The other spellings of these formats, and formats that are rare.
    ("a Dovecot index", b"\x01\x02\x28\0\x12\x34\x56\x5f\x01\0\0\0"),
    ("a Dovecot index", b"\x01\x08\0\0\x12\x34\x56\x5f\x9b\x34\x56\x5f"),
    ("an InstallShield cabinet", b"ISc(\x0c\x60\0\x01\0\0\0\0\0\x02\0\0"),
    ("a static library", b"!<arch>\n/               1034567890  0     0     0       14        `\n"),
    ("a static library", b"!<arch>\n__.SYMDEF       1034567890  0     0     0       14        `\n"),
    ("a cpio archive", b"070702000A1B2C000081A4000003E8000003E800000001386D4380"),
    ("a cpio archive", b"\x71\xc7\x08\x01\x12\x34\x81\xa4\x03\xe8\x03\xe8\0\x01\0\0"),
    ("a BinHex file", b"(This file must be converted with BinHex 4.0)\n:$f*TEQKPH"),
    ("a StuffIt archive", b"StuffIt (c)1997-2002 Aladdin Systems, Inc."),
    ("a xar archive", b"xar!\0\x1c\0\x01\0\0\0\0\0\0\x12\x34"),
    ("a Windows image", b"MSWIM\0\0\0\xd0\0\0\0\0\x0d\x01\0"),
    ("an lzop file", b"\x89LZO\0\r\n\x1a\n\x10\x30\x20\x80\x09\x40"),
    ("an old lz4 file", b"\x02\x21\x4c\x18\x12\0\0\0\xf0\x0f"),
    ("a snappy file", b"\xff\x06\0\0sNaPpY\0\x10\0\0"),
    ("an lrzip file", b"LRZI\0\x06\x34\x12\0\0\0\0\0\0"),
    ("an MS-DOS COMPRESS file", b"SZDD\x88\xf0\x27\x33\x41t\x34\x12\0\0"),
    ("a pack file", b"\x1f\x1e\0\0\x12\x34\x08\x01\x02\x03"),
    ("a compress -H file", b"\x1f\xa0\0\0\x12\x34\x08\x01\x02\x03"),
    ("an Outlook mailbox", b"!BDN\x12\x34\x56\x78SO\x17\0\x13\0\x01\x01"),
    ("an Outlook mailbox", b"!BDN\x12\x34\x56\x78AB\x17\0\x13\0\x01\x01"),
    ("an Access database", b"\0\x01\0\0Standard Jet DB\0\x01\0\0\0"),
    ("an Access database", b"\0\x01\0\0Standard ACE DB\0\x02\0\0\0"),
    ("a Berkeley database", b"\0\x06\x15\x61\0\0\0\x02\0\0\x04\xd2"),
    ("a Berkeley database", b"\x61\x15\x06\0\x02\0\0\0\xd2\x04\0\0"),
    ("a Berkeley database", b"\0\0\0\0\x01\0\0\0\0\0\0\0\x62\x31\x05\0\x09\0\0\0"),
    ("a gdbm database", b"\xcf\x9a\x57\x13\0\x10\0\0"),
    ("an EPS document with a preview", b"\xc5\xd0\xd3\xc6\x20\0\0\0\x34\x12\0\0"),
    ("the string list of a binary workbook", b"\x9f\x01\x08\x02\0\0\0\x02\0\0\0\x13\x0f\0"),
    ("the comment list of a binary workbook", b"\xf4\x04\0\xf6\x04\0\xf8\x04\x0a"),
    ("a CHM document", b"ITSF\x03\0\0\0\x60\0\0\0\x01\0\0\0"),
    ("a DVI document", b"\xf7\x02\x01\x83\x92\xc0\x1c\x3b\0\0\0\0\x03\xe8\x1b"),
    ("a WordPerfect document", b"\xff\x57\x50\x43\x34\x12\0\0\x01\x0a"),
    ("a GIF image", b"GIF87a@@\xf0\0\0\0\xff\xff\xff"),
    ("a GIF image", b"GIF89a@@\xf0\0\0\0\xff\xff\xff"),
    ("an EMF image", b"\x01\0\0\0\x6c\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0\x10\0\0\0 EMF\0\0\x01\0"),
    ("a cursor or a TGA image", b"\0\0\x02\0\x01\0\x20\x20\0\0\x10\0"),
    ("a JPEG 2000 image", b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftyp"),
    ("a JPEG XL image", b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftyp"),
    ("a GIMP image", b"gimp xcf v011\0\0\0\x02\x80\0\0\x01\xe0"),
    ("an MP3 file", b"ID3\x02\0\0\0\0\x10\x15TT2"),
    ("an MP3 file", b"ID3\x04\0\0\0\0\x10\x15TIT2"),
    ("a FLAC file", b"fLaC\x80\0\0\x22\x10\0\x10\0"),
    ("a MIDI file", b"RIFF\x12\x34\0\0RMIDdata\0\x34\0\0MThd"),
    ("an AIFF file", b"FORM\0\x01\x12\x34AIFFCOMM"),
    ("a Windows Media file", b"\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa"),
    ("a Flash video", b"FLV\x01\x05\0\0\0\x09\0\0\0\0"),
    ("a Flash file", b"CWS\x06\x34\x12\0\0\x78\x9c"),
    ("a Flash file", b"CWS\x0a\x34\x12\0\0\x78\xda"),
    ("an MPEG video", b"\0\0\x01\xba\x44\0\x04\0\x04\x01"),
    ("an MPEG video", b"\0\0\x01\xb3\x14\0\xf0\x13\xff\xff"),
    ("an AU file", b".snd\0\0\0\x18\0\0\x12\x34\0\0\0\x01"),
    ("a Windows or DOS program", b"MZ\x50\x01\x02\0\0\0\x04\0\x0f\0\xff\xff"),
    ("a Mach-O program", b"\xfe\xed\xfa\xce\0\0\0\x12\0\0\0\0"),
    ("a Mach-O program", b"\xfe\xed\xfa\xcf\x01\0\0\x12\0\0\0\0"),
    ("a Mach-O program", b"\xce\xfa\xed\xfe\x07\0\0\0\x03\0\0\0"),
    ("a Dalvik program", b"dex\n035\0\x12\x34\x56\x78"),
    ("an LLVM bitcode file", b"BC\xc0\xde\x35\x14\0\0\x05\0"),
    ("a Windows shortcut", b"L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0"),
    ("a TrueType font", b"true\0\x0c\0\x80\0\x03\0\x40"),
    ("an OpenType font", b"OTTO\0\x0c\0\x80\0\x03\0\x40"),
    ("a collection of fonts", b"ttcf\0\x01\0\0\0\0\0\x02"),
    ("a WOFF font", b"wOFFOTTO\0\0\x12\x34"),
    ("a WOFF font", b"wOF2\0\x01\0\0\0\0\x12\x34"),
    ("a WOFF font", b"wOF2OTTO\0\0\x12\x34"),
    ("a gettext catalogue", b"\x95\x04\x12\xde\0\0\0\0\0\0\0\x05"),
    ("a NetCDF file", b"CDF\x01\0\0\0\0\0\0\0\x0a"),
    ("a NetCDF file", b"CDF\x02\0\0\0\0\0\0\0\x0a"),
    ("an ORC file", b"ORC\x11\0\0\x0a\x06\x12\x04"),
    ("a Feather file", b"FEA1\0\0\0\0\x10\0\0\0"),
    ("a Python pickle", b"\x80\x02}q\0(U\x01a"),
    ("a Python pickle", b"\x80\x03}q\0(X\x01\0"),
    ("a Python pickle", b"\x80\x02]q\0(U\x01a"),
    ("a Python pickle", b"\x80\x03]q\0(X\x01\0"),
    ("a Python pickle", b"\x80\x05\x95\x12\0\0\0\0\0\0\0\x8c\x01a"),
    ("a NumPy array", b"\x93NUMPY\x01\0\x76\0{'descr'"),
    ("serialised Java objects", b"\xac\xed\0\x05sr\0\x11java.util"),
    ("a git index", b"DIRC\0\0\0\x02\0\0\0\x05"),
    ("a binary property list (plutil", b"bplist01\xd4\x01\x02\x03\x04\x05\x06"),
    ("a Virtual PC disk image", b"conectix\0\0\0\x02\0\x01\0\0"),
    ("a QEMU disk image", b"QFI\xfb\0\0\0\x03\0\0\0\0"),
    ("a VMware disk image", b"KDMV\x01\0\0\0\x03\0\0\0"),
    ("a Hyper-V disk image", b"vhdxfileM\0i\0c\0r\0"),
    ("a capture of network packets", b"\xa1\xb2\xc3\xd4\0\x02\0\x04\0\0\0\0"),
    ("a capture of network packets", b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a\x01\0\0\0"),
    ("an LHA archive", b"\x21\x9a-lz5-\x12\x34\0\0\x56\x78\0\0"),
    ("an ACE archive", b"\x12\x34\x31\0\0\0\x90**ACE**\x14\x14\x02"),
];

/// Texts that begin like one of these.
const TEXTS: &[&str] = &[
    "MZ is what programs begin with",
    "CRYPTED by hand",
    "# KMail-Index V1506\nis its first line",
    "TEXT.000 is followed by TEXT.001",
    "CBuf4 is the fourth",
    "BM and so on, and more",
    "ID3 is a tag",
    "GIF89a is a format of images",
    "RIFF or WAVE, or RIFF or AVI ",
    "PK is for Phil Katz",
    "OggS is a word",
    "fLaC is another",
    "PAR1 and PAR2",
    "ORC\nand elves",
    "Obj is short for object",
    "070701 was a Sunday, and 070707 too",
    "!<archive> is not one",
    "!BDN is a magic number",
    "Rar! is what it says",
    "SIT! said the man to the dog",
    "MThd begins a MIDI file",
    "FORM fields",
    "wOFF is a font",
    "true is not false",
    "OTTO was here",
    "PACK your bags",
    "a title of more than thirty-one bytes, then at byte sixty: BOOKMOBI",
    "two lines\nin thirty-one bytes--\0of which one is no name, ...BOOKMOBI",
    "a colon: in thirty-one bytes---\0of which one is no name, ...BOOKMOBI",
    "hsqs is squashfs",
    "7z is an archiver",
    "LZIP is a program, and LZIP\nis it",
    "BZh is no bzip2",
    "%PDF is no PDF",
    "dir/file",
    "\n\r\r\n",
    "a",
];

/// What is read of a file: the URLs, or the error.
fn read(input: impl io::Read, format: Option<Format>) -> io::Result<Vec<String>> {
    let options = ReadOptions { format, ..ReadOptions::default() };
    let mut archive = Archive::new(input)?.with_options(&options);
    let (finder, mut urls) = (Finder::new(), Vec::new());
    while let Some(message) = archive.next_message()? {
        for text in message.texts() {
            urls.extend(finder.find_in(&text).map(|m| m.to_str().unwrap().to_owned()));
        }
    }
    Ok(urls)
}

#[test]
fn known_files_are_an_error() {
    for (what, beginning) in FILES {
        for after in [&b" http://h.org/ "[..], &[0; 600], b""] {
            let file = [beginning, after].concat();
            for size in [1, 5, 10_000] {
                let error = read(Trickle(&file, size), None).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{what}");
                let said = error.to_string();
                assert!(said.starts_with(&format!("unsupported format: {what}")), "{what}: {said}");
            }
        }
        let file = [beginning, &b" http://h.org/ "[..]].concat();
        assert_eq!(read(&file[..], Some(Format::Text)).unwrap(), ["http://h.org/"], "{what}");
    }
}

#[test]
fn disk_images() {
    let mut iso = vec![0; 0x8000];
    iso.extend(b"\x01CD001\x01\0http://h.org/");
    let mut ext = vec![0; 0x438];
    ext.extend(b"\x53\xef\x01\0 http://h.org/");
    for (what, file) in [("an ISO 9660 image", iso), ("an ext2", ext)] {
        let error = read(Trickle(&file, 1000), None).unwrap_err().to_string();
        assert!(error.starts_with(&format!("unsupported format: {what}")), "{error}");
    }
    let zeros = [&[0; 100_000], &b" http://h.org/ "[..]].concat();
    assert_eq!(read(&zeros[..], None).unwrap(), ["http://h.org/"]);
}

#[test]
fn texts_that_resemble_them_are_searched() {
    for text in TEXTS {
        let text = format!("{text} <http://h.org/>\n");
        for size in [1, 5, 10_000] {
            assert_eq!(read(Trickle(text.as_bytes(), size), None).unwrap(), ["http://h.org/"], "{text}");
        }
    }
}

/// The table says that a person who types a URL is not kept waiting.
#[test]
fn nothing_waits_after_a_url_has_begun() {
    struct Typed<'t>(&'t [u8]);
    impl io::Read for Typed<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "it waits");
            let len = self.0.len().min(buf.len());
            buf[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }
    for text in
        ["<URL:http://h.org/a> and", "http://h.org/ ", "PK http://h.org/", "www.h.org \n", "MZ\nwww.h.org\n"]
    {
        let mut files = Files::new(Typed(text.as_bytes())).unwrap();
        let mut file = files.next_file().unwrap().unwrap();
        let mut read = vec![0; text.len()];
        io::Read::read_exact(&mut file, &mut read).unwrap();
        assert_eq!(read, text.as_bytes());
    }
}
