//! The destination of a report, and the files that it must not replace.
//!
//! If the user forgets the FILE of `--report FILE`, the first input file is taken as FILE. So a
//! report is written only to a path where no file exists, or over an earlier report, and never to
//! an input or the output. Symbolic links are resolved one by one: in a directory that other users
//! can write, a link could direct the report anywhere.
//!
//! This is checked before the search, and again when the report is moved to its
//! destination.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::process;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use urlgrep_print::escape::Escaped;

use super::MARK;
use crate::input::{FileId, Roots};

/// The maximum number of symbolic links that are followed; Linux has the same limit.
const MAX_LINKS: usize = 40;

/// The path of a report, and the file in the same directory in which it is written.
#[derive(Debug)]
pub struct Destination {
    /// The path on the command line.
    pub given: PathBuf,
    /// The path without symbolic links.
    target: PathBuf,
    pub file: Arc<File>,
    /// The file name, if the file has one.
    part: PathBuf,
    earlier: Option<Earlier>,
}

/// The earlier report, which is replaced.
#[derive(Debug)]
struct Earlier {
    id: Option<FileId>,
    permissions: Permissions,
}

impl Destination {
    /// Returns the destination `path` for a report on `roots`. The search skips this path.
    ///
    /// # Errors
    ///
    /// Returns an error if `path` is a file that must not be replaced, or if no file can be
    /// created.
    pub fn new(path: &Path, roots: &mut Roots) -> anyhow::Result<Destination> {
        let target = resolve(path)?;
        let earlier = earlier(&target, path)?;
        let id = earlier.as_ref().and_then(|earlier| earlier.id.clone());
        if let Some(id) = &id {
            let used = match () {
                () if roots.contains(id) => Some("an input"),
                () if FileId::of(&io::stdout()).as_ref() == Some(id) => Some("standard output"),
                () => None,
            };
            if let Some(used) = used {
                bail!(
                    "this file is also {used}; use another name for the report, such as --report=links.html"
                );
            }
        }
        let mut part = target.clone().into_os_string();
        part.push(format!(".{}.part", process::id()));
        let part = PathBuf::from(part);
        // Create a file without a name, if the system supports this.
        let file = match target.parent().and_then(create_unnamed) {
            Some(file) => file,
            None => OpenOptions::new().write(true).create_new(true).open(&part)?,
        };
        roots.walk.excluded.extend(id.into_iter().chain(FileId::of(&file)));
        Ok(Destination { given: path.to_owned(), target, file: Arc::new(file), part, earlier })
    }

    /// Moves the report to its destination, if the file there has not changed.
    pub fn publish(&self) -> anyhow::Result<()> {
        if let Some(Earlier { id, permissions }) = &self.earlier {
            self.file.set_permissions(permissions.clone())?;
            self.refuse_changed(id.as_ref())?;
            // A hard link cannot replace a file, but a rename can.
            name(&self.file, &self.part)?;
            return Ok(fs::rename(&self.part, &self.target)?);
        }
        name(&self.file, &self.part)?;
        // A hard link, unlike a rename, never replaces a file, but not every file system has hard links.
        match fs::hard_link(&self.part, &self.target) {
            // Dropping the destination removes the other name.
            Ok(()) => Ok(()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(changed()),
            Err(_) => {
                self.refuse_changed(None)?;
                Ok(fs::rename(&self.part, &self.target)?)
            }
        }
    }

    fn refuse_changed(&self, id: Option<&FileId>) -> anyhow::Result<()> {
        let is_link = fs::symlink_metadata(&self.target).is_ok_and(|metadata| metadata.is_symlink());
        let now = earlier(&self.target, &self.given).map_err(|_| changed())?;
        let same = now.is_some() == self.earlier.is_some() && now.and_then(|now| now.id).as_ref() == id;
        if same && !is_link { Ok(()) } else { Err(changed()) }
    }
}

impl Drop for Destination {
    /// Removes the file in which the page was written, unless it was moved.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.part);
    }
}

fn changed() -> anyhow::Error {
    anyhow!("not written, because another file with this name was created during the search")
}

/// `path` without symbolic links. Its last component need not exist.
fn resolve(path: &Path) -> anyhow::Result<PathBuf> {
    if path.file_name().is_none() || path.to_string_lossy().ends_with(std::path::is_separator) {
        match path.is_dir() {
            true => bail!("{}", is_directory(path)),
            false => bail!("expected the name of a file"),
        }
    }
    let mut target = fs::canonicalize(".")?;
    let mut rest: Vec<PathBuf> = parts(path);
    let mut links = 0;
    while let Some(part) = rest.pop() {
        let next = target.join(&part);
        match fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() => {
                links += 1;
                if links > MAX_LINKS {
                    bail!("the path leads through more than {MAX_LINKS} symbolic links");
                }
                refuse_others(&target, &next)?;
                rest.extend(parts(&fs::read_link(&next)?));
            }
            Ok(_) if part == Path::new("..") => drop(target.pop()),
            Ok(_) => target = next,
            Err(error) if error.kind() == ErrorKind::NotFound && rest.is_empty() => return Ok(next),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(target)
}

/// The components of a path, the last one first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<PathBuf> = Vec::new();
    for component in path.components() {
        match (component, parts.last_mut()) {
            // `C:` alone would mean the current directory of that drive.
            (Component::RootDir, Some(prefix)) => prefix.push(component),
            _ => parts.push(component.as_os_str().into()),
        }
    }
    parts.reverse();
    parts
}

/// Rejects the link `link` in `directory` if other users could have created it.
#[cfg(unix)]
fn refuse_others(directory: &Path, link: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::MetadataExt;

    let metadata = fs::metadata(directory)?;
    let ours = [0, rustix::process::geteuid().as_raw()].contains(&metadata.uid());
    if ours && metadata.mode() & 0o022 == 0 {
        return Ok(());
    }
    bail!(
        "{} was not followed, because it is a symbolic link in a directory that other users can write to; use the file that it leads to: --report={}",
        Escaped::path(link),
        Escaped::path(&fs::read_link(link)?)
    )
}

/// The permissions of other users are not known on this system.
#[cfg(not(unix))]
fn refuse_others(_: &Path, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// The earlier report at `target`, which is `path` on the command line, or `None` if no file
/// exists.
fn earlier(target: &Path, path: &Path) -> anyhow::Result<Option<Earlier>> {
    let metadata = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    if metadata.is_dir() {
        bail!("{}", is_directory(path));
    }
    if !metadata.is_file() {
        bail!("not a regular file; use the name of a new file, such as --report=links.html");
    }
    let file = File::open(target).context("cannot check whether it is a urlgrep report")?;
    let (id, permissions) = (FileId::of_path(target), metadata.permissions());
    let mut start = Vec::new();
    file.take(MARK.len() as u64).read_to_end(&mut start)?;
    if start != MARK.as_bytes() {
        bail!(
            "not overwritten, because it is not a urlgrep report; use another name, such as --report=links.html"
        );
    }
    Ok(Some(Earlier { id, permissions }))
}

fn is_directory(path: &Path) -> String {
    let file = path.join("links.html");
    format!(
        "cannot write the report to a directory; use the name of a file, such as --report={}",
        Escaped::path(&file)
    )
}

/// A file without a name in a directory, which disappears if the process ends for any reason before
/// the file gets a name. `None` if it would need a name.
///
/// Linux supports such files on most file systems.
#[cfg(target_os = "linux")]
fn create_unnamed(directory: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};

    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let file = File::from(open(directory, flags, Mode::from_raw_mode(0o666)).ok()?);
    // Without /proc, the file cannot be named later.
    path(&file).exists().then_some(file)
}

/// Gives a name to a file without one.
#[cfg(target_os = "linux")]
fn name(file: &File, name: &Path) -> io::Result<()> {
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

/// This system does not support files without names.
#[cfg(not(target_os = "linux"))]
fn create_unnamed(_: &Path) -> Option<File> {
    None
}

/// Each file has a name on this system.
#[cfg(not(target_os = "linux"))]
fn name(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}
