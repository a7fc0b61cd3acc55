//! A file without a name. Nothing of it remains if the process ends before it is named,
//! whatever ends it.
//!
//! Linux has such files, on most file systems. Elsewhere the report has a name from the
//! start, and remains after a signal.

use std::fs::File;
use std::io;
use std::path::Path;

/// A file in a directory; none if it would need a name.
#[cfg(target_os = "linux")]
pub fn create(directory: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(open(directory, flags, Mode::from_raw_mode(0o666)).ok()?);
    // Without /proc it would get no name.
    path(&file).exists().then_some(file)
}

/// Names a file that has no name.
#[cfg(target_os = "linux")]
pub fn name(file: &File, name: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;

    use rustix::fs::{AtFlags, CWD, linkat};

    if file.metadata()?.nlink() > 0 {
        return Ok(());
    }
    Ok(linkat(CWD, path(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

/// The path of an open file.
#[cfg(target_os = "linux")]
fn path(file: &File) -> std::path::PathBuf {
    use std::os::fd::AsRawFd;

    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// There are no files without names on this system.
#[cfg(not(target_os = "linux"))]
pub fn create(_: &Path) -> Option<File> {
    None
}

/// Each file has a name on this system.
#[cfg(not(target_os = "linux"))]
pub fn name(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}
