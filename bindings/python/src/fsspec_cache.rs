//! Replaces the cache of a file object of fsspec while this crate reads the file.
//!
//! The cache reads more than it is asked for, in case that is needed next: gcsfs 5 MB after each
//! read, s3fs 50 MB. This crate knows the range that it needs, and requests it at once
//! ([`read_ahead`](crate::read_ahead)), so the surplus would be wasted, and the reader of the next
//! part would request it again. So during the search, the file has the cache of fsspec that stores
//! nothing.
//!
//! Caches that a caller must have chosen stay: caches of blocks, of the whole file, or on the disk.

use pyo3::exceptions::PyException;
use pyo3::intern;
use pyo3::prelude::*;

/// The default caches of files: of most stores, and of HTTP and Azure.
const DEFAULTS: [&str; 2] = ["readahead", "bytes"];

/// Takes the cache of a file, if it is a default cache. The caller puts it back.
///
/// # Errors
///
/// Ctrl-C.
pub fn take(file: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    match replace(file) {
        // A file object that is not one of fsspec may have other attributes with these names.
        Err(error) if error.is_instance_of::<PyException>(file.py()) => Ok(None),
        taken => taken,
    }
}

fn replace(file: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    let py = file.py();
    let Some(cache) = file.getattr_opt(intern!(py, "cache"))? else { return Ok(None) };
    let Some(name) = cache.getattr_opt(intern!(py, "name"))? else { return Ok(None) };
    if !DEFAULTS.contains(&name.extract::<String>()?.as_str()) {
        return Ok(None);
    }
    let base = py.import("fsspec.caching")?.getattr("BaseCache")?;
    if !cache.is_instance(&base)? {
        return Ok(None);
    }
    let [block, fetcher, size] = ["blocksize", "fetcher", "size"].map(|name| cache.getattr(name));
    file.setattr(intern!(py, "cache"), base.call1((block?, fetcher?, size?))?)?;
    Ok(Some(cache.unbind()))
}
