//! The files of an input: itself, decompressed, or the members of a container.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;

use super::Member;
use super::binary::Binary;
use super::compress::peek::PeekReader;
use super::layer::{Layer, LayerKind};
use crate::archive::header::ends_with;
use crate::archive::limits::MAX_LAYERS;
use crate::bytes::buffer::Buffer;
use crate::bytes::name::shortened;

/// Files that are read one after the other.
pub trait FileSource: Read {
    /// Advances to the next file, and skips the rest of the current one. Returns `false` after the
    /// last file.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Files::next_file`]. More files may follow.
    fn advance(&mut self) -> io::Result<bool>;

    /// See [`Files::name`].
    fn name(&self) -> Option<&[u8]> {
        None
    }

    /// See [`File::binary`].
    fn binary(&self) -> Option<Binary> {
        None
    }

    /// Returns the archive of the current file, if an error in this file ended the archive: then the
    /// archive yields neither another file nor an error of its own. Empty for the input itself.
    ///
    /// A caller that skips the rest of a file gets such an error from [`advance`](Self::advance).
    fn ended_archive(&self) -> Option<&[u8]> {
        None
    }
}

impl<S: FileSource + ?Sized> FileSource for Box<S> {
    fn advance(&mut self) -> io::Result<bool> {
        (**self).advance()
    }

    fn name(&self) -> Option<&[u8]> {
        (**self).name()
    }

    fn binary(&self) -> Option<Binary> {
        (**self).binary()
    }

    fn ended_archive(&self) -> Option<&[u8]> {
        (**self).ended_archive()
    }
}

/// The files of an input: one, or the archive members.
///
/// The format is recognised by the first bytes. gzip (several streams too), bzip2, xz,
/// zstd, lz4, lzma, lzip and compress (`.Z`) are decompressed as they are read, in the
/// memory of their window, which is at most 128 MiB and usually far less; so are batches
/// of news after a line `#! cunbatch` or the like. Zip and tar archives are read without
/// seeking. Their members may be compressed, or archives themselves, in up to
/// eight layers. All other input is read verbatim.
///
/// # Example
///
/// ```
/// use std::io::Read;
///
/// use urlgrep::archive::Files;
///
/// let mut files = Files::new(&b"not compressed"[..])?;
/// let mut text = String::new();
/// while let Some(mut file) = files.next_file()? {
///     assert_eq!(file.name(), None);
///     file.read_to_string(&mut text)?;
/// }
/// assert_eq!(text, "not compressed");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Files<R: Read> {
    place: Progress<R>,
    /// True before the first file, although it, or the container that it is in, is open.
    is_new: bool,
    /// The names of the containers that are members, each with `!/` after it.
    path: Vec<u8>,
    /// For each container, the length of the path of the one that it is a member of.
    outer: Vec<usize>,
    /// The lengths of the paths of those that are documents of an office program, or books.
    documents: Vec<usize>,
    /// The name of the current file or container.
    name: Option<Vec<u8>>,
    /// The format of the current file, if it is known and not text.
    binary: Option<Binary>,
    /// The memory of the file before the current one: the files of an archive may be many.
    memory: Buffer,
    /// The reason why the current file cannot be read.
    error: Option<io::Error>,
    /// True if an error of the current file has ended its archive.
    ended: bool,
}

/// The progress of reading.
enum Progress<R: Read> {
    /// In a file.
    File(PeekReader<Layer<R>>),
    /// In a container, between files or at one that cannot be read; after the last file, in none.
    Between(Option<Layer<R>>),
}

/// Members that OOXML, OpenDocument and EPUB have, before any image.
const IN_DOCUMENTS: [&[u8]; 4] = [b"[Content_Types].xml", b"_rels/.rels", b"docProps/app.xml", b"mimetype"];

/// The separator between the name of an archive and the name of its member.
const MEMBER: &[u8] = b"!/";

impl<R: Read> fmt::Debug for Files<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().map(String::from_utf8_lossy);
        f.debug_struct("Files").field("name", &name).finish_non_exhaustive()
    }
}

impl<R: Read> Files<R> {
    /// Returns the files of `input`.
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        let mut files = Files::at(Progress::Between(None));
        files.place = files.open(Layer::new(input));
        if let Progress::File(file) = &mut files.place
            && file.get_ref().depth == 0
            && let Some(error) = file.take_error()
        {
            return Err(error);
        }
        Ok(Files { is_new: true, ..files })
    }

    /// One file, which is read verbatim.
    pub(crate) fn verbatim(input: R) -> Self {
        Files { is_new: true, ..Files::at(Progress::File(PeekReader::new(Layer::new(input)))) }
    }

    /// Returns the tar members whose first header is in `part`, which starts at an
    /// [aligned](crate::archive::internal::Division::align) offset. `input` starts at the same
    /// offset, and may end after the header at the end of the part.
    pub fn of_members(input: R, part: Range<u64>) -> Self {
        Files::at(Progress::Between(Some(Layer::tar(PeekReader::new(Layer::new(input)), part))))
    }

    /// Returns the rest of a compressed file: `input` begins with a further gzip member, zstd or
    /// lz4 frame, or stream of another format. `offset` bytes of the decompressed file precede it;
    /// errors count from there. The decompressed data are read verbatim, regardless of their first
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read, or do not begin a compressed file.
    ///
    /// # Example
    ///
    /// ```
    /// use std::io::{Read, Write};
    ///
    /// use flate2::Compression;
    /// use flate2::write::GzEncoder;
    /// use urlgrep::archive::Files;
    ///
    /// let gzip = |text: &str| {
    ///     let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    ///     member.write_all(text.as_bytes())?;
    ///     member.finish()
    /// };
    /// let (first, second) = (gzip("one\n")?, gzip("two\n")?);
    /// let file = [&first[..], &second].concat();
    /// let mut files = Files::of_rest(&file[first.len()..], 4)?;
    /// let mut text = String::new();
    /// files.file().read_to_string(&mut text)?;
    /// assert_eq!(text, "two\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of_rest(input: R, offset: u64) -> io::Result<Self> {
        let mut input = PeekReader::new(Layer::new(input));
        let LayerKind::Compressed(compression) = LayerKind::recognise(&mut input) else {
            let other = || io::Error::new(io::ErrorKind::InvalidData, "expected compressed data");
            return Err(input.take_error().unwrap_or_else(other));
        };
        Ok(Files::at(Progress::File(PeekReader::new(Layer::compressed(input, compression, offset)))))
    }

    /// Returns true if it is before, between or after the members of a container.
    pub(crate) fn is_between(&self) -> bool {
        !self.is_new && matches!(self.place, Progress::Between(Some(_)))
    }

    fn at(place: Progress<R>) -> Self {
        Files {
            place,
            is_new: false,
            path: Vec::new(),
            outer: Vec::new(),
            documents: Vec::new(),
            name: None,
            binary: None,
            memory: Buffer::default(),
            error: None,
            ended: false,
        }
    }

    /// Returns the next file, or `None` after the last. It skips the rest of the current file.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read, or an archive is damaged; [`name`](Self::name)
    /// returns its name. Further files may follow: the next call continues with them.
    pub fn next_file(&mut self) -> io::Result<Option<File<'_, R>>> {
        Ok(self.advance()?.then_some(File(self)))
    }

    /// Returns the current file, which [`next_file`](Self::next_file) returned, to continue
    /// reading. Before the first file and after the last, it is empty.
    ///
    /// # Example
    ///
    /// ```
    /// use std::io::Read;
    ///
    /// use urlgrep::archive::Files;
    ///
    /// let mut files = Files::new(&b"not compressed"[..])?;
    /// assert!(files.next_file()?.is_some());
    /// let mut word = [0; 3];
    /// files.file().read_exact(&mut word)?;
    /// assert_eq!(&word, b"not");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn file(&mut self) -> File<'_, R> {
        File(self)
    }

    /// Returns the name of the current file, like [`File::name`]. After an error of
    /// [`next_file`](Self::next_file), it is the name of the archive with the error, or `None` for
    /// the input itself.
    pub fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    /// Opens the output of a layer: adds layers as long as its first bytes require them. Notes the format of a file that
    /// is known and not text, or the error for too many layers.
    fn open(&mut self, mut layer: Layer<R>) -> Progress<R> {
        loop {
            let mut file = PeekReader::with_memory(layer, std::mem::take(&mut self.memory));
            let kind = LayerKind::recognise(&mut file);
            let is_deepest = file.get_ref().depth == MAX_LAYERS;
            layer = match kind {
                LayerKind::Plain => return Progress::File(file),
                LayerKind::Binary(binary) => {
                    self.binary = Some(binary);
                    return Progress::File(file);
                }
                _ if is_deepest => {
                    let levels = format!("more than {MAX_LAYERS} levels of archives and compression");
                    let text = format!("nested too deeply ({levels}); skipped");
                    self.error = Some(io::Error::new(io::ErrorKind::Unsupported, text));
                    return Progress::Between(file.into_inner().into_container());
                }
                LayerKind::Zip => return Progress::Between(Some(Layer::zip(file))),
                LayerKind::Tar => return Progress::Between(Some(Layer::tar(file, 0..u64::MAX))),
                LayerKind::Compressed(compression) => Layer::compressed(file, compression, 0),
            };
        }
    }

    /// Begins with an archive member: it becomes the current file, or is returned if it
    /// is a container.
    fn enter(&mut self, archive: Layer<R>, member: Member) -> Option<Layer<R>> {
        // The name is repeated with each match.
        let own = shortened(member.name.into());
        let name = [&self.path[..], &own].concat();
        if let Some(error) = member.refused {
            (self.name, self.error, self.place) = (Some(name), Some(error), Progress::Between(Some(archive)));
            return None;
        }
        if IN_DOCUMENTS.contains(&&name[self.path.len()..]) {
            self.documents.push(self.path.len());
        }
        let is_in_document = self.documents.contains(&self.path.len());
        // ECMA-376, part 4, §2.8.1: the first bytes of an embedded font are encrypted.
        let is_font = ends_with(&name, b".odttf") || ends_with(&name, b".fntdata");
        let opened = self.open(archive);
        let is_media = is_font || self.binary.is_some_and(Binary::is_media);
        match opened {
            // The images and fonts of a document are not expected to be searched.
            Progress::File(file) if is_in_document && is_media => {
                let (layer, memory) = file.into_parts();
                (self.memory, self.binary) = (memory, None);
                layer.into_container()
            }
            Progress::Between(Some(inner)) if self.error.is_none() => {
                self.outer.push(self.path.len());
                self.path = [&name, MEMBER].concat();
                Some(inner)
            }
            opened => {
                (self.name, self.place) = (Some(name), opened);
                None
            }
        }
    }
}

/// The bytes of the current file.
impl<R: Read> Read for Files<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = match &mut self.place {
            _ if self.is_new => Ok(0),
            Progress::File(file) => file.pass(buf),
            Progress::Between(_) => self.error.take().map_or(Ok(0), Err),
        };
        if read.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted) {
            self.place = match std::mem::replace(&mut self.place, Progress::Between(None)) {
                Progress::File(file) => Progress::Between(file.into_inner().into_container()),
                place => place,
            };
            self.ended = matches!(&self.place, Progress::Between(Some(archive)) if archive.is_over());
        }
        read
    }
}

impl<R: Read> FileSource for Files<R> {
    fn binary(&self) -> Option<Binary> {
        self.binary.filter(|_| !self.is_new)
    }

    fn advance(&mut self) -> io::Result<bool> {
        // The first file is open already, unless it is in a container.
        let is_file = self.error.is_some() || matches!(self.place, Progress::File(_));
        if std::mem::take(&mut self.is_new) && is_file {
            return Ok(true);
        }
        (self.name, self.binary, self.error, self.ended) = (None, None, None, false);
        let mut container = match std::mem::replace(&mut self.place, Progress::Between(None)) {
            Progress::File(file) => {
                let (layer, memory) = file.into_parts();
                self.memory = memory;
                let container = layer.into_container();
                // The caller did not read the file, but its first bytes had been examined.
                if let Some(error) = container.as_ref().and_then(Layer::skipped_error) {
                    self.name = self.path.strip_suffix(MEMBER).map(<[u8]>::to_vec);
                    self.place = Progress::Between(container);
                    return Err(error);
                }
                container
            }
            Progress::Between(container) => container,
        };
        while let Some(mut archive) = container {
            container = match archive.next() {
                Some(Ok(member)) => match self.enter(archive, member) {
                    Some(inner) => Some(inner),
                    None => return Ok(true),
                },
                Some(Err(error)) => {
                    self.name = self.path.strip_suffix(MEMBER).map(<[u8]>::to_vec);
                    self.place = Progress::Between(Some(archive));
                    return Err(error);
                }
                None => {
                    self.path.truncate(self.outer.pop().unwrap_or(0));
                    self.documents.retain(|&len| len <= self.path.len());
                    archive.into_outer()
                }
            };
        }
        Ok(false)
    }

    fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    fn ended_archive(&self) -> Option<&[u8]> {
        self.ended.then(|| self.path.strip_suffix(MEMBER).unwrap_or_default())
    }
}

/// A file, decompressed.
///
/// A read error describes the damage, and its position in the decompressed data; all bytes before
/// that have been read, and nothing comes after the error.
pub struct File<'f, R: Read>(&'f mut Files<R>);

impl<R: Read> fmt::Debug for File<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name().map(String::from_utf8_lossy);
        f.debug_struct("File").field("name", &name).finish_non_exhaustive()
    }
}

impl<R: Read> File<'_, R> {
    /// Returns the name of an archive member as written, or `None` if the input is not an archive. In
    /// a nested archive, it follows the name of the inner archive: `b.zip!/c.mbox`. In a name of more
    /// than 1,024 bytes, a digest replaces the middle.
    pub fn name(&self) -> Option<&[u8]> {
        self.0.name()
    }

    /// Returns the format of the file, if it is known and not text. Such a file can be read like
    /// any other, but text in it may be compressed, truncated, or surrounded by other bytes.
    pub fn binary(&self) -> Option<Binary> {
        self.0.binary()
    }
}

impl<R: Read> Read for File<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::container::encode::gzip;

    #[test]
    fn one_file_without_a_name() {
        let mut files = Files::new(&b"some text"[..]).unwrap();
        let mut file = files.next_file().unwrap().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!((file.name(), &*text), (None, "some text"));
        assert!(files.next_file().unwrap().is_none());
    }

    #[test]
    fn a_batch_that_was_compressed() {
        let batch = [&b"#! cunbatch\n"[..], &gzip(b"#! rnews 8\nA: b\n\nc\n")].concat();
        let mut files = Files::new(&batch[..]).unwrap();
        let mut text = String::new();
        files.next_file().unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "#! rnews 8\nA: b\n\nc\n");
    }
}
