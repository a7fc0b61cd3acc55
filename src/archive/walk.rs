//! The owned walk of an archive: its files, and the messages in them.

use std::error::Error;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::container::binary::Binary;
use super::container::files::{FileSource, Files};
use super::container::format::Format;
use super::events::{Event, Events, Note};
use super::message::message::Message;
use super::message::undecoded::Undecoded;
use super::options::ReadOptions;
use super::reader::Reader;
use super::seek_points::Framed;
use super::split_points::{LOOKBEHIND, SplitReader};

/// Opens an archive, which may be compressed, or a zip or tar archive, or an Outlook mailbox.
///
/// # Errors
///
/// Returns an error if the file cannot be opened, or its first bytes cannot be read. The error names the
/// file.
///
/// # Example
///
/// ```no_run
/// use urlgrep::{Finder, archive};
///
/// let finder = Finder::new();
/// let mut archive = archive::open("comp.infosystems.www.misc.mbox.zip")?;
/// while let Some(message) = archive.next_message()? {
///     for text in message.texts() {
///         for m in finder.find_in(&text) {
///             println!("{:?} {:?}", message.envelope().and_then(|m| m.id()), m.to_str());
///         }
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> io::Result<Archive<fs::File>> {
    let path = path.as_ref();
    // A pipe cannot seek: its position is the next byte.
    let archive = fs::File::open(path).and_then(|file| match file.metadata()?.is_file() {
        true => Archive::seekable(file),
        false => Archive::new(file),
    });
    with_path(path, archive)
}

/// Returns the archive at this path, or the error with the path.
pub(super) fn with_path<R: Read>(path: &Path, archive: io::Result<Archive<R>>) -> io::Result<Archive<R>> {
    let archive = archive.map(|archive| archive.at_path(path));
    archive.map_err(|error| in_file(path.display().to_string(), error))
}

/// A walk through an archive: the messages of its files, one after the other.
///
/// The walk owns the input, so that a struct can hold it. Files are decompressed as by [`Files`],
/// and split into messages as by [`Reader`].
///
/// # Example
///
/// ```
/// use urlgrep::archive::Archive;
///
/// let mbox = &b"From a@h.org Fri Mar  2 10:11:12 2001\nSubject: one\n\nhttp://h.org/\n"[..];
/// let mut archive = Archive::new(mbox)?;
/// let message = archive.next_message()?.unwrap();
/// assert_eq!(message.envelope().unwrap().subject().as_deref(), Some("one"));
/// assert!(archive.next_message()?.is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Archive<R: Read> {
    events: Events<CurrentFile<R>>,
    path: Option<PathBuf>,
}

/// The current file, as a reader.
#[derive(Debug)]
struct CurrentFile<R: Read> {
    files: Files<Framed<R>>,
    /// The positions between which it is read, if it is a part of a compressed file.
    split: Option<SplitReader>,
}

impl<R: Read> Read for CurrentFile<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.split {
            Some(split) => split.read(&mut self.files, buf),
            None => self.files.read(buf),
        }
    }
}

impl<R: Read> FileSource for CurrentFile<R> {
    fn advance(&mut self) -> io::Result<bool> {
        self.files.advance()
    }

    fn name(&self) -> Option<&[u8]> {
        self.files.name()
    }

    fn binary(&self) -> Option<Binary> {
        self.files.binary()
    }
}

impl<R: Read> Archive<R> {
    /// Returns the archive in `input`.
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        Ok(Archive::of(Files::new(Framed::whole(input))?))
    }

    /// Returns the archive in `input`, from its start, which may also be an Outlook mailbox: its
    /// messages are members, as in a tar archive. See [`Pst`](super::Pst).
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read, or declare that the mailbox is encrypted
    /// with a key.
    ///
    /// # Example
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use urlgrep::archive::Archive;
    ///
    /// let mut archive = Archive::seekable(Cursor::new("Subject: one\n\nhttp://h.org/\n"))?;
    /// assert!(archive.next_message()?.is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn seekable(input: R) -> io::Result<Self>
    where
        R: Seek,
    {
        Ok(Archive::of(Files::new(Framed::seekable(input)?)?))
    }

    fn of(files: Files<Framed<R>>) -> Self {
        Archive { events: Events::new(Reader::new(CurrentFile { files, split: None }), None), path: None }
    }

    /// Returns this archive with another reader.
    fn with_reader(self, change: impl FnOnce(Reader<CurrentFile<R>>) -> Reader<CurrentFile<R>>) -> Self {
        Archive { events: Events { reader: change(self.events.reader), ..self.events }, ..self }
    }

    /// A part of a file that is not compressed. `input` is at its start. If the part `is_open`, its last message may
    /// end after it.
    pub(super) fn of_part(input: R, part: Range<u64>, format: Option<Format>, is_open: bool) -> Self
    where
        R: Seek,
    {
        let Range { start, end } = part;
        let file = Framed::of_file(input, part, Vec::new());
        let file = if is_open { file } else { file.with_len(end.saturating_sub(start)) };
        let reader = Reader::new(CurrentFile { files: Files::verbatim(file), split: None });
        let reader = reader.with_base(start, 0, 0).until(if is_open { end } else { u64::MAX });
        Archive { events: Events::new(reader, format), path: None }
    }

    /// The tar members whose first header is in `part`. `input` is at its start.
    pub(super) fn of_members(input: R, part: Range<u64>) -> Self {
        Archive::of(Files::of_members(Framed::whole(input), part))
    }

    /// A part of a compressed file, whose offsets are those in the decompressed one: from the first
    /// position where a file of this format can be split to the first one from the end on. `input`
    /// begins to decompress at the start.
    pub(super) fn of_cuts(input: Framed<R>, part: Range<u64>, format: Format) -> io::Result<Self> {
        let mut files = Files::of_rest(input, part.start)?;
        let mut split = SplitReader::new(format, part.start);
        let start = match part.start {
            0 => Ok(0),
            // The bytes before the start count, and are not here.
            start => split.skip(&mut files, start.saturating_add(LOOKBEHIND as u64)),
        };
        let start = match start {
            // The part before reads that as well, and reports the error.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                return Ok(Archive::of(files));
            }
            start => start?,
        };
        let end = part.end.saturating_add(LOOKBEHIND as u64).max(start);
        split.until(if format.framing().reads_beyond_end() { u64::MAX } else { end });
        let reader = Reader::new(CurrentFile { files, split: Some(split) });
        Ok(Archive::in_file(reader.with_base(start, 0, 0).until(end), format))
    }

    /// The records in the gzip members that `input` yields. Offsets count from the first of them.
    pub(super) fn of_records(input: Framed<R>, format: Format) -> io::Result<Self> {
        let files = Files::of_rest(input, 0)?;
        Ok(Archive::in_file(Reader::new(CurrentFile { files, split: None }), format))
    }

    /// The rest of a file of this format, which is open already.
    fn in_file(reader: Reader<CurrentFile<R>>, format: Format) -> Self {
        let events = Events::new(reader.with_format(format), Some(format));
        Archive { events: Events { in_file: true, ..events }, path: None }
    }

    /// Returns this archive, with `path` in its errors.
    pub fn at_path(self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        Archive { path: Some(path.to_owned()), ..self.with_name_hint(path) }
    }

    /// Returns this archive, with `path` as a hint for its format, but not in its errors.
    #[doc(hidden)]
    pub fn with_name_hint(self, path: &Path) -> Self {
        Archive { events: self.events.named(path.as_os_str().as_encoded_bytes()), ..self }
    }

    /// Sets the number of line breaks and messages before the first message of a
    /// [range](super::open_range): they are added to lines and [indexes](Message::index). They are
    /// not added for tar members, which have lines and messages of their own.
    pub fn with_base(self, lines: u64, messages: u64) -> Self {
        if self.events.files().files.is_between() {
            return self;
        }
        let offset = self.events.reader.base.offset;
        self.with_reader(|reader| reader.with_base(offset, lines, messages))
    }

    /// Sets how the files are read.
    pub fn with_options(mut self, options: &ReadOptions) -> Self {
        self.events.format = options.format.or(self.events.format);
        self.with_reader(|reader| reader.with_options(options))
    }

    /// Sets whether the archive's lines are counted.
    pub(crate) fn counting_lines(self, yes: bool) -> Self {
        self.with_reader(|reader| reader.counting_lines(yes))
    }

    /// Returns the next message, or `None` after the last. Offsets, lines and
    /// [indexes](Message::index) are those in the current file.
    ///
    /// # Errors
    ///
    /// An error ends the current file, or the archive; the next call continues with the
    /// messages of the next file, if there is one. A file that is known not to be text (see
    /// [`File::binary`]) is an error of kind [`Unsupported`](io::ErrorKind::Unsupported),
    /// unless a format was set. A member of a zip or tar archive that cannot
    /// [hold text](Binary::may_hold_text), such as an image or a program, is skipped. If the
    /// archive was [opened](open) by its path, the error names the file, as `a.zip!/b` if it is a
    /// member of a zip or tar archive.
    ///
    /// [`File::binary`]: super::File::binary
    pub fn next_message(&mut self) -> io::Result<Option<Message<'_>>> {
        loop {
            match self.events.advance() {
                Ok(None) => return Ok(None),
                Ok(Some(Event::Message)) => return Ok(Some(self.events.message())),
                Ok(Some(Event::End)) => {}
                Ok(Some(Event::File)) => {
                    let is_member = self.member().is_some();
                    let binary = self.events.unsupported().filter(|b| !is_member || b.may_hold_text());
                    if let Some(binary) = binary {
                        let why = Note::Unsupported(binary).to_string();
                        return Err(self.named(io::Error::new(ErrorKind::Unsupported, why)));
                    }
                }
                Err(error) => return Err(self.named(error)),
            }
        }
    }

    /// Returns the message that [`next_message`](Self::next_message) yielded last, or `None`
    /// without a current file.
    ///
    /// Use this to resume the search of a message that has more matches than fit into your buffer.
    pub fn message(&self) -> Option<Message<'_>> {
        self.events.in_file.then(|| self.events.message())
    }

    /// Returns the name of the current file, if it is a zip or tar member. After an error, it is
    /// the name of the file or archive with the error.
    pub fn member(&self) -> Option<&[u8]> {
        self.events.files().name()
    }

    /// Takes the notes so far about skipped parts of the files.
    #[doc(hidden)]
    pub fn take_notes(&mut self) -> impl Iterator<Item = Note> + use<R> {
        self.events.take_notes()
    }

    /// Returns true if the nesting was too deep: see [`Reader::depth_exceeded`].
    pub fn depth_exceeded(&self) -> bool {
        self.events.reader.depth_exceeded()
    }

    /// Returns the bodies that were not decoded: see [`Reader::undecoded`].
    pub fn undecoded(&self) -> Option<&Undecoded> {
        self.events.reader.undecoded()
    }

    /// The error with the file name, if that is known.
    fn named(&self, error: io::Error) -> io::Error {
        let Some(path) = &self.path else { return error };
        let member = self.member().map(|member| format!("!/{}", String::from_utf8_lossy(member)));
        in_file(format!("{}{}", path.display(), member.unwrap_or_default()), error)
    }
}

/// Returns this error with the file name.
fn in_file(name: String, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), InFile { name, error })
}

/// An error, and the file that it is about.
#[derive(Debug)]
struct InFile {
    name: String,
    error: io::Error,
}

impl fmt::Display for InFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.error)
    }
}

impl Error for InFile {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
