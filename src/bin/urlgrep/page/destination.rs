//! Where a report goes, and what it must not replace.
//!
//! It is easy to forget the FILE of `--report FILE`, and then a file to search is
//! taken for it. So a report goes only to a path at which nothing exists, or which
//! holds an earlier report, and never to a file that is an input or the output.
//! Symbolic links are followed by hand, one by one: in a directory that others can
//! write, a link could lead the report anywhere.
//!
//! All of that is checked before the search begins, and again when the report,
//! which was written beside its destination, is moved to it.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::process;

use anyhow::{Context, anyhow, bail};

use super::MARK;
use crate::escape::Shown;
use crate::walk::{FileId, Roots, failure};

/// How many symbolic links are followed, as many as Linux does.
const MAX_LINKS: usize = 40;

/// The path of a report, and the file beside it in which it is written.
#[derive(Debug)]
pub struct Destination {
    /// As it was given.
    given: PathBuf,
    /// Without symbolic links.
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
    /// The destination `path` of a report on what is searched below `roots`.
    ///
    /// # Errors
    ///
    /// If a report must not be written there, or cannot be.
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

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.given
    }

    /// The earlier report, if there is one.
    pub fn earlier(&self) -> Option<FileId> {
        self.earlier.as_ref().and_then(|earlier| earlier.id.clone())
    }

    /// Moves the report to its destination, if what is there has not changed.
    pub fn publish(&self, report: &File) -> anyhow::Result<()> {
        match &self.earlier {
            None => self.publish_new(),
            Some(Earlier { id, permissions }) => {
                report.set_permissions(permissions.clone())?;
                self.refuse_changed(id.as_ref())?;
                Ok(fs::rename(&self.part, &self.target)?)
            }
        }
    }

    /// Moves the report to where nothing was. A hard link, unlike a rename, never
    /// replaces a file; but not every file system has them.
    fn publish_new(&self) -> anyhow::Result<()> {
        match fs::hard_link(&self.part, &self.target) {
            // The other name goes when this is dropped.
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
    anyhow!("not written: another file was put there during the search")
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
                    bail!("this leads through more than {MAX_LINKS} symbolic links");
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

/// Refuses the link `link` in `directory` if other users could have put it there.
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
        Shown::path(link),
        Shown::path(&fs::read_link(link)?)
    )
}

/// What others can write is not known here.
#[cfg(not(unix))]
fn refuse_others(_: &Path, _: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// The earlier report at `target`, which was given as `path`; none if nothing is
/// there.
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
    let file = File::open(target).context("--report reads the file that it would replace")?;
    let (id, permissions) = (FileId::of_path(target), metadata.permissions());
    if !is_report(file)? {
        bail!(
            "this file is not a report of urlgrep, so --report does not replace it; to search it, type the FILE \
             of --report first: urlgrep --report=links.html {}",
            Shown::path(path)
        );
    }
    Ok(Some(Earlier { id, permissions }))
}

fn is_directory(path: &Path) -> String {
    let file = path.join("links.html");
    format!("this is a directory; --report takes the name of a file: --report={}", Shown::path(&file))
}

/// Whether a file begins as every report does.
fn is_report(file: File) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(MARK.len() as u64).read_to_end(&mut start)?;
    Ok(start == MARK.as_bytes())
}

/// Refuses a file that is searched, or printed to.
fn refuse_used(id: &FileId, roots: &Roots) -> anyhow::Result<()> {
    let used = match () {
        () if roots.name(id) => "an input",
        () if FileId::of(&io::stdout()).as_ref() == Some(id) => "the standard output",
        () => return Ok(()),
    };
    bail!("this file is also {used}; type another name for the report: --report=links.html")
}
