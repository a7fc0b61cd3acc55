//! Mailboxes of Outlook, which the crate `urlgrep_outlook` reads.

use std::fmt;
use std::io::{self, Read, Seek};

use super::source_map::Decoded;

/// The messages of an Outlook mailbox (PST or OST), as a tar archive.
///
/// The type implements [`Read`] and yields this archive, which is not compressed. Each message is a
/// member: its name is the path of its folder, and the number of the message in the folder, from 1.
/// Its data are the message as mail: the original header, or one made of the properties; the
/// bodies; and the attachments, with attached messages as mail.
///
/// The reader supports files of all versions, ANSI and Unicode, including files with pages of 4096
/// bytes and compressed blocks, and both encodings of data. A password does not encrypt the file,
/// and is ignored. Reading needs random access, so the input must be a file or in memory.
///
/// If a tree of a file is damaged or truncated, the whole file is read once for the intact rest of
/// it.
///
/// Takes the memory of one message several times, and 12 bytes or more for each message of the mailbox.
/// At most 192 MiB of a message are read, and 64 MiB of a body or an attachment.
///
/// # Errors
///
/// Damage in one message does not affect the others: the reader yields everything that could be
/// read, and at the end an error of kind [`InvalidData`](io::ErrorKind::InvalidData), which describes
/// the first damaged message and counts them.
///
/// # Example
///
/// ```no_run
/// use std::fs::File;
///
/// use urlgrep::archive::{Files, Pst};
///
/// let mut files = Files::new(Pst::new(File::open("archive.pst")?)?)?;
/// while let Some(file) = files.next_file()? {
///     // Inbox/Project X/12.eml
///     println!("{}", String::from_utf8_lossy(file.name().unwrap_or_default()));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Pst<R>(pub(super) urlgrep_outlook::Pst<R, Decoded>);

impl<R> fmt::Debug for Pst<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Pst<()> {
    /// Returns true if a file that begins with these bytes is an Outlook mailbox. 10 bytes are
    /// enough.
    ///
    /// # Example
    ///
    /// ```
    /// use urlgrep::archive::Pst;
    ///
    /// assert!(Pst::begins(b"!BDN\0\0\0\0SM\x17\0"));
    /// assert!(!Pst::begins(b"From: a@h.org\n"));
    /// ```
    pub fn begins(head: &[u8]) -> bool {
        urlgrep_outlook::pst::begins(head)
    }
}

impl<R: Read + Seek> Pst<R> {
    /// Returns the mailbox in `input`, from its first byte on.
    ///
    /// Costs a few reads. The tree of nodes is read with the first byte.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read, has another header, or declares that it is
    /// encrypted with a key.
    pub fn new(input: R) -> io::Result<Self> {
        urlgrep_outlook::Pst::new(input).map(Pst)
    }
}

impl<R: Read + Seek> Read for Pst<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room)
    }
}
