//! Where a page is put.

use std::fs::{self, Permissions};
use std::io::{self, Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::process;

/// The place of a page, and a name beside it, under which it is written.
#[derive(Debug)]
pub struct Position {
    /// As it was asked for.
    asked: PathBuf,
    /// In full, and what a link leads to.
    target: PathBuf,
    pub part: PathBuf,
    /// Those of the file that is replaced.
    permissions: Option<Permissions>,
}

impl Position {
    /// The place `path`.
    ///
    /// # Errors
    ///
    /// If it has no folder, or something is there that is not to be replaced: a
    /// folder, or a device.
    pub fn new(path: &Path) -> io::Result<Position> {
        let name = path.file_name().ok_or(ErrorKind::InvalidFilename)?;
        let (target, permissions) = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => (path.canonicalize()?, Some(metadata.permissions())),
            Ok(_) => return Err(Error::other("this is no file that could be replaced")),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                (folder(path).canonicalize()?.join(name), None)
            }
            Err(error) => return Err(error),
        };
        let mut part = target.clone().into_os_string();
        part.push(format!(".{}.part", process::id()));
        Ok(Position { asked: path.to_owned(), target, part: part.into(), permissions })
    }

    /// The path, as it was asked for.
    pub fn path(&self) -> &Path {
        &self.asked
    }

    /// The files that the page is and was, in full.
    pub fn files(&self) -> [PathBuf; 2] {
        [self.target.clone(), self.part.clone()]
    }

    /// Puts there what has been written.
    pub fn take(&self) -> io::Result<()> {
        if let Some(permissions) = &self.permissions {
            fs::set_permissions(&self.part, permissions.clone())?;
        }
        fs::rename(&self.part, &self.target)
    }
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}
