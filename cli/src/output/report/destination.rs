//! The destination of a report, and the files that it must not replace.
//!
//! If the FILE of `--report FILE` is forgotten, the first file to search is taken
//! for it. So a report is written only to a path where no file exists, or over an
//! earlier report, and never to an input or the output. Symbolic links are resolved
//! one by one: in a directory that other users can write, a link could direct the
//! report anywhere.
//!
//! This is checked before the search, and again when the report is moved to its
//! destination.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::process;

use anyhow::{Context, anyhow, bail};

use super::{MARK, unnamed};
use crate::error::failure;
use crate::escape::Escaped;
use crate::input::{FileId, Roots};

/// The number of symbolic links that are followed, at most; Linux has the same limit.
const MAX_LINKS: usize = 40;

/// The path of a report, and the file in the same directory in which it is written.
#[derive(Debug)]
pub struct Destination {
    /// The path on the command line.
    given: PathBuf,
    /// The path without symbolic links.
    target: PathBuf,
    pub part: PathBuf,
    earlier: Option<Earlier>,
}

/// The earlier report that is replaced.
#[derive(Debug)]
struct Earlier {
    id: Option<FileId>,
    permissions: Permissions,
}

impl Destination {
    /// The destination `path` for a report on `roots`.
    ///
    /// # Errors
    ///
    /// If there is a file at `path` that must not be replaced.
    pub fn new(path: &Path, roots: &Roots) -> anyhow::Result<Destination> {
        let found = resolve(path).and_then(|target| {
            let earlier = earlier(&target, path)?;
            if let Some(Earlier { id: Some(id), .. }) = &earlier {
                refuse_used(id, roots)?;
            }
            Ok((target, earlier))
        });
        let (target, earlier) = found.map_err(|error| failure(path, error))?;
        let mut part = target.clone().into_os_string();
        part.push(format!(".{}.part", process::id()));
        Ok(Destination { given: path.to_owned(), target, part: part.into(), earlier })
    }

    /// The path on the command line.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// The earlier report, if there is one.
    pub fn earlier(&self) -> Option<FileId> {
        self.earlier.as_ref().and_then(|earlier| earlier.id.clone())
    }

    /// Creates the file in which the report is written.
    pub fn create(&self) -> io::Result<File> {
        if let Some(file) = self.target.parent().and_then(unnamed::create) {
            return Ok(file);
        }
        OpenOptions::new().write(true).create_new(true).open(&self.part)
    }

    /// Moves the report to its destination, if what is there has not changed.
    pub fn publish(&self, report: &File) -> anyhow::Result<()> {
        match &self.earlier {
            None => self.publish_new(report),
            Some(Earlier { id, permissions }) => {
                report.set_permissions(permissions.clone())?;
                self.refuse_changed(id.as_ref())?;
                // No link replaces a file, but a rename does.
                unnamed::name(report, &self.part)?;
                Ok(fs::rename(&self.part, &self.target)?)
            }
        }
    }

    /// Moves the report to a path where no file was. A hard link, unlike a rename,
    /// never replaces a file, but not every file system has hard links.
    fn publish_new(&self, report: &File) -> anyhow::Result<()> {
        unnamed::name(report, &self.part)?;
        match fs::hard_link(&self.part, &self.target) {
            // The report removes the other name when it is dropped.
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

fn changed() -> anyhow::Error {
    anyhow!("not written: another file was created there during the search")
}

/// `path` without symbolic links. Its last component need not exist.
fn resolve(path: &Path) -> anyhow::Result<PathBuf> {
    if path.file_name().is_none() || path.to_string_lossy().ends_with(std::path::is_separator) {
        match path.is_dir() {
            true => bail!("{}", is_directory(path)),
            false => bail!("this is not the name of a file"),
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
                    bail!("more than {MAX_LINKS} symbolic links");
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
            // `C:` alone would be the current directory of that drive.
            (Component::RootDir, Some(prefix)) => prefix.push(component),
            _ => parts.push(component.as_os_str().into()),
        }
    }
    parts.reverse();
    parts
}

/// Refuses the link `link` in `directory` if other users could have created it.
#[cfg(unix)]
fn refuse_others(directory: &Path, link: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::MetadataExt;

    let metadata = fs::metadata(directory)?;
    let ours = [0, rustix::process::geteuid().as_raw()].contains(&metadata.uid());
    if ours && metadata.mode() & 0o022 == 0 {
        return Ok(());
    }
    bail!(
        "{} is a symbolic link in a directory that other users can write, so --report does not follow it; \
         name the file that it leads to: --report={}",
        Escaped::path(link),
        Escaped::path(&fs::read_link(link)?)
    )
}

/// The permissions of other users are not known on this system.
#[cfg(not(unix))]
fn refuse_others(_: &Path, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// The earlier report at `target`, which is `path` on the command line; none if no
/// file exists.
fn earlier(target: &Path, path: &Path) -> anyhow::Result<Option<Earlier>> {
    let metadata = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        metadata => metadata?,
    };
    if metadata.is_dir() {
        bail!("{}", is_directory(path));
    }
    if !metadata.is_file() {
        bail!("this is not a regular file; type the name of a new file: --report=links.html");
    }
    let file = File::open(target).context("--report must read a file before it replaces it")?;
    let (id, permissions) = (FileId::of_path(target), metadata.permissions());
    if !is_report(file)? {
        bail!(
            "this file is not a report of urlgrep, so --report does not replace it; to search it, type the FILE \
             of --report first: urlgrep --report=links.html {}",
            Escaped::path(path)
        );
    }
    Ok(Some(Earlier { id, permissions }))
}

fn is_directory(path: &Path) -> String {
    let file = path.join("links.html");
    format!("this is a directory; --report takes the name of a file: --report={}", Escaped::path(&file))
}

/// Whether a file starts as every report does.
fn is_report(file: File) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(MARK.len() as u64).read_to_end(&mut start)?;
    Ok(start == MARK.as_bytes())
}

/// Refuses a file that is an input or the output.
fn refuse_used(id: &FileId, roots: &Roots) -> anyhow::Result<()> {
    let used = match () {
        () if roots.contains(id) => "an input",
        () if FileId::of(&io::stdout()).as_ref() == Some(id) => "the standard output",
        () => return Ok(()),
    };
    bail!("this file is also {used}; type another name for the report: --report=links.html")
}
