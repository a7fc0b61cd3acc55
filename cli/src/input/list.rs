//! Files that list something: paths, hosts, arguments.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::STDIN;
use crate::error::failure;

/// Reads a list that an option names: a file, or `-` for standard input.
pub fn read_list(name: &Path) -> anyhow::Result<Vec<u8>> {
    let mut list = Vec::new();
    let read = match name == Path::new(STDIN) {
        true => io::stdin().lock().read_to_end(&mut list).map(|_| list),
        false => fs::read(name),
    };
    read.map_err(|error| failure(name, error))
}

/// The path that a list contains as `bytes`.
#[cfg(unix)]
pub fn path_from_bytes(bytes: &[u8]) -> anyhow::Result<OsString> {
    use std::os::unix::ffi::OsStrExt;

    Ok(std::ffi::OsStr::from_bytes(bytes).to_owned())
}

/// The path that a list contains as `bytes`, which must be UTF-8 on this system.
#[cfg(not(unix))]
pub fn path_from_bytes(bytes: &[u8]) -> anyhow::Result<OsString> {
    let path = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    match str::from_utf8(path) {
        Ok(path) => Ok(path.into()),
        Err(_) => {
            let shown = String::from_utf8_lossy(path);
            Err(failure(Path::new(&*shown), anyhow::anyhow!("this path is not valid UTF-8")))
        }
    }
}
