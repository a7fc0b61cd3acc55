//! Messages of Outlook (`.msg`, `.oft`) as mail, and the other Outlook files.
//!
//! Such a message is a compound file (MS-CFB), a small file system in which each property is a
//! separate stream (MS-OXMSG). It is read as the mail that it came from or would become: the
//! original header, or one made of properties; the body in text and in HTML, or else in RTF; and
//! the attachments, some of which are messages themselves.
//!
//! Each byte of this mail has a position in the file, in the sectors of its stream. The bytes that
//! are added to make it mail (the Content fields and the delimiters of its parts) do not have one.
//! Such mail does not have line numbers.
//!
//! This module reads the streams of the file, and `storage` the properties in them.

mod storage;

use std::cell::RefCell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;

use cfb::CompoundFile;

use crate::mail::{Mail, Stream};
use crate::text::Text;
use storage::FIXED_PROPERTIES;

/// The first bytes of a compound file.
const MAGIC: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Streams that occur in only one kind of compound file.
const OTHERS: [(&str, &str); 6] = [
    // [MS-OFFCRYPTO] §2.3.4.4.
    ("EncryptedPackage", "an encrypted Office document (docx, xlsx, pptx)"),
    ("WordDocument", "a Word document (.doc)"),
    ("Workbook", "an Excel workbook (.xls)"),
    ("Book", "an Excel workbook (.xls)"),
    ("PowerPoint Document", "a PowerPoint presentation (.ppt)"),
    ("VisioDocument", "a Visio drawing (.vsd)"),
];

/// Returns true if `bytes` begin a compound file; 8 bytes suffice.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Returns true if more bytes could make `bytes` the beginning of a compound file.
pub fn may_begin(bytes: &[u8]) -> bool {
    MAGIC.starts_with(bytes)
}

/// An Outlook message as mail.
#[derive(Debug)]
#[non_exhaustive]
pub struct Message<T> {
    /// The mail. Its sources are offsets in the concatenated streams that were read.
    pub mail: T,
    /// The positions of these streams: for each part its offset, and its range in the file, in order. A part
    /// without a position is not listed.
    pub streams: Vec<(usize, Range<usize>)>,
    /// The reason why the mail is incomplete.
    pub error: Option<io::Error>,
}

/// Reads a compound file as mail. Attachments that are not text are read or left out.
///
/// Takes time and memory for the length of the file.
///
/// # Errors
///
/// Returns an error if the file is not an Outlook message, or if its directory is damaged. A damaged property
/// or attachment is only left out, and [`Message::error`] returns the first reason.
pub fn read<T: Text>(file: &[u8], attachments: bool) -> io::Result<Message<T>> {
    let mut compound = Compound::open(file)?;
    if !compound.compound.is_stream(FIXED_PROPERTIES) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, other(&compound)));
    }
    let (mail, error) = Mail::read(&mut compound, String::new(), attachments);
    Ok(Message { mail, streams: compound.extents, error })
}

/// Returns the reason why a compound file without a message is not read.
fn other(compound: &Compound<'_>) -> String {
    let kind = OTHERS.iter().find(|(name, _)| compound.compound.is_stream(name));
    let kind = kind.map_or("a compound file (OLE2) without a message", |(_, kind)| kind);
    format!("unsupported format: {kind}; save it as text or HTML")
}

// The streams of a compound file (MS-CFB), and where they are in it.
//
// The crate `cfb` reads the streams, but does not show where their sectors are. So it gets a reader
// that records which bytes it reads.

/// The ranges of the file that have been read.
type Reads = Rc<RefCell<Vec<Range<usize>>>>;

/// A reader that records which bytes are read.
struct Noted<'f> {
    file: Cursor<&'f [u8]>,
    reads: Reads,
}

impl Read for Noted<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        // An offset in a slice fits.
        let start = self.file.position() as usize;
        let len = self.file.read(room)?;
        self.reads.borrow_mut().push(start..start + len);
        Ok(len)
    }
}

impl Seek for Noted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A compound file.
struct Compound<'f> {
    file: &'f [u8],
    compound: CompoundFile<Noted<'f>>,
    reads: Reads,
    /// The number of bytes of streams that have been read.
    len: usize,
    /// The positions of the streams in the file, in sequence.
    extents: Vec<(usize, Range<usize>)>,
}

impl<'f> Compound<'f> {
    /// Opens a compound file.
    ///
    /// # Errors
    ///
    /// Returns an error if its directory cannot be read.
    fn open(file: &'f [u8]) -> io::Result<Self> {
        let reads = Reads::default();
        let noted = Noted { file: Cursor::new(file), reads: Rc::clone(&reads) };
        let compound = CompoundFile::open(noted).map_err(|_| damaged("its directory"))?;
        Ok(Compound { file, compound, reads, len: 0, extents: Vec::new() })
    }

    /// The names of the storages in the storage `path`, in order.
    fn storages(&self, path: &str) -> Vec<String> {
        let entries = self.compound.read_storage(path).into_iter().flatten();
        let mut names: Vec<_> =
            entries.filter(|entry| entry.is_storage()).map(|entry| entry.name().to_owned()).collect();
        names.sort_unstable();
        names
    }

    /// Reads the stream `path`, if it exists.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream is damaged.
    fn read(&mut self, path: &str) -> io::Result<Option<Stream>> {
        if !self.compound.is_stream(path) {
            return Ok(None);
        }
        let mut opened = self.compound.open_stream(path).map_err(|_| damaged(path))?;
        // Streams do not share sectors, so all of them fit into the file.
        let fits = usize::try_from(opened.len()).is_ok_and(|len| len <= self.file.len() - self.len);
        if !fits {
            return Err(damaged(path));
        }
        let mut bytes = Vec::new();
        self.reads.borrow_mut().clear();
        opened.read_to_end(&mut bytes).map_err(|_| damaged(path))?;
        let stream = Stream { at: self.len, bytes };
        let reads = self.reads.take();
        let found = reads.iter().flat_map(|read| &self.file[read.clone()]).take(stream.bytes.len());
        // If a later version of the crate reads differently, the bytes do not get a position.
        if found.eq(&stream.bytes) {
            let mut left = stream.bytes.len();
            for read in reads {
                let len = read.len().min(left);
                self.extents.push((stream.at + stream.bytes.len() - left, read.start..read.start + len));
                left -= len;
            }
        }
        self.len += stream.bytes.len();
        Ok(Some(stream))
    }
}

fn damaged(what: &str) -> io::Error {
    let why = format!("corrupt compound file (OLE2): {what} cannot be read");
    io::Error::new(io::ErrorKind::InvalidData, why)
}
