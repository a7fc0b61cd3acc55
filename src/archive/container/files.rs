//! The files of an input: itself, decompressed, or the members of a zip archive.

use std::fmt;
use std::io::{self, Read};

use super::compress::decompressed::{Decompressed, Opened, open, open_member};
use super::compress::zip::{Member, Zip};

/// The files of an input: one, or the members of a zip archive.
///
/// The format is recognised by the first bytes. gzip (several streams too), bzip2, xz,
/// zstd, lz4 and compress (`.Z`) are decompressed as they are read, in the memory of
/// their window, which is at most 128 MiB and usually far less; so are batches of news
/// after a line `#! cunbatch` or the like. A zip archive is read without seeking, and its
/// members may be compressed themselves. All other input is read verbatim.
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
    contents: Contents<R>,
    /// The name of the current file.
    name: Option<Vec<u8>>,
    /// Why the current file cannot be read.
    error: Option<io::Error>,
}

enum Contents<R: Read> {
    /// One file, before it is the current one.
    One(Decompressed<R>),
    /// The same as the current file.
    Current(Decompressed<R>),
    /// A zip archive, before its first member or at one that cannot be read.
    Zip(Box<Zip<R>>),
    /// A zip archive at a member that can be read.
    Member(Decompressed<Box<Zip<R>>>),
    Nothing,
}

impl<R: Read> fmt::Debug for Files<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().map(String::from_utf8_lossy);
        f.debug_struct("Files").field("name", &name).finish_non_exhaustive()
    }
}

impl<R: Read> Files<R> {
    /// The files of `input`.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        let contents = match open(input)? {
            Opened::One(file) => Contents::One(file),
            Opened::Zip(zip) => Contents::Zip(Box::new(zip)),
        };
        Ok(Files { contents, name: None, error: None })
    }

    /// One file, which is read verbatim.
    pub(crate) fn verbatim(input: R) -> Self {
        Files { contents: Contents::One(Decompressed::verbatim(input)), name: None, error: None }
    }

    /// The next file, or `None` after the last. The rest of the file before it is
    /// skipped.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or a zip archive is damaged; further files may follow
    /// an error of kind [`InvalidData`](io::ErrorKind::InvalidData).
    pub fn next_file(&mut self) -> io::Result<Option<File<'_, R>>> {
        Ok(self.advance()?.then_some(File(self)))
    }

    /// Advances to the next file; `false` after the last.
    pub(crate) fn advance(&mut self) -> io::Result<bool> {
        (self.name, self.error) = (None, None);
        let mut zip = match std::mem::replace(&mut self.contents, Contents::Nothing) {
            Contents::One(file) => {
                self.contents = Contents::Current(file);
                return Ok(true);
            }
            Contents::Current(_) | Contents::Nothing => return Ok(false),
            Contents::Zip(zip) => zip,
            Contents::Member(member) => member.into_inner(),
        };
        let opened = match zip.next() {
            None => return Ok(false),
            Some(Err(error)) => {
                self.contents = Contents::Zip(zip);
                return Err(error);
            }
            Some(Ok(Member { name, refused })) => {
                self.name = Some(name);
                match refused {
                    None => open_member(zip),
                    Some(why) => Err((zip, why)),
                }
            }
        };
        (self.contents, self.error) = match opened {
            Ok(member) => (Contents::Member(member), None),
            Err((zip, error)) => (Contents::Zip(zip), Some(error)),
        };
        Ok(true)
    }

    /// The name of the current file.
    pub(crate) fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    /// Reads from the current file.
    pub(crate) fn read_file(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match &mut self.contents {
            Contents::Current(file) => file.read(buf),
            Contents::Member(member) => member.read(buf),
            _ => self.error.take().map_or(Ok(0), Err),
        }
    }
}

/// A file, decompressed.
///
/// An error of reading says what is wrong, and after which byte of the decompressed
/// data; all bytes before that have been read, and nothing comes after the error.
pub struct File<'f, R: Read>(&'f mut Files<R>);

impl<R: Read> fmt::Debug for File<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name().map(String::from_utf8_lossy);
        f.debug_struct("File").field("name", &name).finish_non_exhaustive()
    }
}

impl<R: Read> File<'_, R> {
    /// The name of a member of a zip archive, as it is written there; `None` if the input
    /// is not a zip archive.
    pub fn name(&self) -> Option<&[u8]> {
        self.0.name()
    }
}

impl<R: Read> Read for File<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read_file(buf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        use std::io::Write;

        let mut batch = b"#! cunbatch\n".to_vec();
        let mut gzip = flate2::write::GzEncoder::new(&mut batch, flate2::Compression::fast());
        gzip.write_all(b"#! rnews 8\nA: b\n\nc\n").unwrap();
        gzip.finish().unwrap();
        let mut files = Files::new(&batch[..]).unwrap();
        let mut text = String::new();
        files.next_file().unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "#! rnews 8\nA: b\n\nc\n");
    }
}
