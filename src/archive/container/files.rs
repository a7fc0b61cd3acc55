//! The files that a file holds: itself, decompressed, or the members of a zip
//! archive.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::compress::zip::{Data, Zip};
use super::compress::{self, Opened};

/// Opens a file, which may be compressed or a zip archive.
///
/// # Errors
///
/// If the file cannot be opened, or its first bytes cannot be read.
///
/// # Example
///
/// ```no_run
/// use urlgrep::Finder;
/// use urlgrep::archive::{self, Reader};
///
/// let finder = Finder::new();
/// let mut files = archive::open("comp.infosystems.www.misc.mbox.zip")?;
/// while let Some(file) = files.next_file()? {
///     let mut reader = Reader::new(file);
///     while let Some(message) = reader.next_message()? {
///         for text in message.texts() {
///             for found in finder.find_in(&text) {
///                 println!("{:?} {:?}", message.envelope().and_then(|m| m.id()), found.found().as_str());
///             }
///         }
///     }
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> io::Result<Files<fs::File>> {
    Files::new(fs::File::open(path)?)
}

/// The files that an input holds: one, or the members of a zip archive.
///
/// What the input is is told by its first bytes. gzip (several members too),
/// bzip2, xz, zstd, lz4 and compress (`.Z`) are decompressed as they are read, in
/// the memory of their window, which is at most 128 MiB and mostly far less; so
/// are batches of news behind a line `#! cunbatch` or the like. A zip archive
/// needs no seeking, and its members may be compressed themselves. Anything else
/// is passed on as it is.
pub struct Files<R: Read> {
    input: Input<R>,
}

enum Input<R: Read> {
    One(compress::Reader<R>),
    Zip(Zip<R>),
    Done,
}

impl<R: Read> fmt::Debug for Files<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}

impl<R: Read> Files<R> {
    /// The files that `input` holds.
    ///
    /// # Errors
    ///
    /// If the first bytes cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        let input = match compress::open(input)? {
            Opened::One(reader) => Input::One(reader),
            Opened::Zip(zip) => Input::Zip(zip),
        };
        Ok(Files { input })
    }

    /// The next file, or `None` behind the last. What is left of the one before is
    /// skipped.
    ///
    /// # Errors
    ///
    /// If the input cannot be read on.
    pub fn next_file(&mut self) -> io::Result<Option<File<'_, R>>> {
        if let Input::One(_) = self.input {
            let Input::One(reader) = std::mem::replace(&mut self.input, Input::Done) else {
                return Ok(None);
            };
            return Ok(Some(File { name: None, data: Ok(Source::One(reader)) }));
        }
        let Input::Zip(zip) = &mut self.input else {
            return Ok(None);
        };
        let Some(member) = zip.next().transpose()? else {
            return Ok(None);
        };
        Ok(Some(File { name: Some(member.name), data: member.data.map(Source::Member) }))
    }
}

/// A file, decompressed.
///
/// An error of reading says what is wrong and where in what comes out; everything
/// before it has been read by then, and nothing comes after it.
pub struct File<'f, R: Read> {
    name: Option<Vec<u8>>,
    data: io::Result<Source<'f, R>>,
}

enum Source<'f, R: Read> {
    One(compress::Reader<R>),
    Member(compress::Reader<Data<'f, R>>),
}

impl<R: Read> fmt::Debug for File<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.as_deref().map(String::from_utf8_lossy);
        f.debug_struct("File").field("name", &name).finish_non_exhaustive()
    }
}

impl<R: Read> File<'_, R> {
    /// The name of a member of a zip archive, as it is written there; `None` if
    /// there is no archive.
    pub fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }
}

impl<R: Read> Read for File<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match &mut self.data {
            Ok(Source::One(reader)) => reader.read(room),
            Ok(Source::Member(reader)) => reader.read(room),
            // Why the member cannot be read is said once.
            Err(error) => {
                let kind = error.kind();
                Err(std::mem::replace(error, io::Error::from(kind)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_no_name_of_its_own() {
        let mut files = Files::new(&b"some text"[..]).unwrap();
        let mut file = files.next_file().unwrap().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!((file.name(), &*text), (None, "some text"));
        drop(file);
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
