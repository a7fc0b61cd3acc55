//! The files of an input: itself, decompressed, or the members of an archive.

use std::io::{self, Read};

use urlgrep::archive::Files;

use super::apart::FilesApart;

/// The files of an input, in order.
pub enum InputFiles<'i> {
    /// This thread reads and decompresses them.
    Here(Files<Box<dyn Read + 'i>>),
    /// Another thread does.
    Apart(FilesApart),
}

/// A file of an input.
pub struct InputFile<'f> {
    /// The name in its archive, if it is a member of one.
    pub name: Option<Vec<u8>>,
    /// What the file is, if it is not text.
    pub binary: Option<&'static str>,
    pub reader: Box<dyn Read + 'f>,
}

impl InputFiles<'_> {
    /// The files that `open` opens. `guard` is passed to a thread of their own, which keeps it to
    /// its end; without one, or if the system starts no thread, this thread reads them. With
    /// `prompt`, bytes are passed on as soon as they have been read.
    ///
    /// # Errors
    ///
    /// What `open` returns.
    pub fn open<E: Send + 'static>(
        prompt: bool,
        guard: Option<impl Send + 'static>,
        open: impl Fn() -> Result<Files<Box<dyn Read>>, E> + Clone + Send + 'static,
    ) -> Result<InputFiles<'static>, E> {
        let apart = guard.and_then(|guard| {
            let open = open.clone();
            FilesApart::start(prompt, move || open().map(|files| (files, guard)))
        });
        match apart {
            Some(files) => files.map(InputFiles::Apart),
            None => open().map(InputFiles::Here),
        }
    }

    /// The next file; none after the last. The rest of the file before it is skipped.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or an archive is damaged, whose [`name`](Self::name) is known.
    /// Further files may follow.
    pub fn next_file(&mut self) -> io::Result<Option<InputFile<'_>>> {
        Ok(match self {
            InputFiles::Here(files) => files.next_file()?.map(|file| InputFile {
                name: file.name().map(<[u8]>::to_vec),
                binary: file.binary(),
                reader: Box::new(file),
            }),
            InputFiles::Apart(files) => files.advance()?.then(|| InputFile {
                name: files.name().map(<[u8]>::to_vec),
                binary: files.binary(),
                reader: Box::new(files),
            }),
        })
    }

    /// The name of the archive that an error is about; none for the input itself.
    pub fn name(&self) -> Option<&[u8]> {
        match self {
            InputFiles::Here(files) => files.name(),
            InputFiles::Apart(files) => files.name(),
        }
    }
}
