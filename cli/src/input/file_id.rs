//! The identity of a regular file, which does not depend on its name.

use std::fs;
use std::path::Path;

/// The identity of a regular file: its device and inode.
#[cfg(unix)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

#[cfg(unix)]
impl FileId {
    /// The identity of an open file, unless it is a pipe, a terminal or the like.
    pub fn of(file: &impl std::os::fd::AsFd) -> Option<FileId> {
        let file = fs::File::from(file.as_fd().try_clone_to_owned().ok()?);
        FileId::new(&file.metadata().ok()?)
    }

    /// The identity of the file at `path`. Symbolic links are followed.
    pub fn of_path(path: &Path) -> Option<FileId> {
        FileId::new(&fs::metadata(path).ok()?)
    }

    fn new(metadata: &fs::Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;

        metadata.is_file().then(|| FileId { device: metadata.dev(), inode: metadata.ino() })
    }

    /// Whether an entry of a directory may be this file. This needs no system call.
    pub fn may_be(&self, entry: &ignore::DirEntry) -> bool {
        entry.path_is_symlink() || entry.ino() == Some(self.inode)
    }
}

/// The identity of a regular file: on this system, its path without links.
#[cfg(not(unix))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileId(std::path::PathBuf);

#[cfg(not(unix))]
impl FileId {
    /// Not known: an open file has no path.
    pub fn of<T>(_: &T) -> Option<FileId> {
        None
    }

    /// The identity of the file at `path`. Symbolic links are followed.
    pub fn of_path(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().map(FileId)
    }

    /// Whether an entry of a directory may be this file.
    pub fn may_be(&self, entry: &ignore::DirEntry) -> bool {
        entry.path_is_symlink() || Some(entry.file_name()) == self.0.file_name()
    }
}
