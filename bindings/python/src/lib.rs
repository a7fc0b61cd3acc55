//! The module `urlgrep._urlgrep`: the part of the Python package that is Rust.
//!
//! | module | contains |
//! |---|---|
//! | [`options`] | the keyword arguments, as a finder |
//! | [`text`] | `find_iter`, `find_all`, `is_match`, `find_covering`, `match_at`: `str` and `bytes` |
//! | [`finder`] | `Finder`: options for all that |
//! | [`matched`] | `Match`, and its attributes as plain values |
//! | [`archive`] | `open`, `split` and `read_split` |
//! | [`input`], [`read_ahead`], [`fsspec_cache`] | the file or Python object that an archive is read from |
//! | [`buffer`] | the bytes of texts other than `str` |
//! | [`interrupt`] | Ctrl-C during a long call |
//! | [`parse`] | `parse`, `parse_rfc1738`: the parts of a URL; `unwrap`: the URL within a link |
//! | [`arrow`] | `arrow.extract`, `arrow.extract_list` and `arrow.open`; its module `c_data` has all `unsafe` code |
//!
//! `py/urlgrep/` has the part that is Python, and the types: `_urlgrep.pyi`.

mod archive;
mod arrow;
mod buffer;
mod finder;
mod fsspec_cache;
mod input;
mod interrupt;
mod matched;
mod options;
mod parse;
mod read_ahead;
mod text;

/// The functions and classes of `urlgrep`, without names of their own where Python has a
/// wrapper for them.
#[pyo3::pymodule(gil_used = false)]
mod _urlgrep {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::archive::{ArchiveMatches, open, read_split, split};
    #[pymodule_export]
    use crate::arrow::{Batch, Batches, Lists, extract, extract_list, open_files};
    #[pymodule_export]
    use crate::finder::Finder;
    use crate::matched::add_attributes;
    #[pymodule_export]
    use crate::matched::{Match, restore};
    #[pymodule_export]
    use crate::options::kinds;
    #[pymodule_export]
    use crate::parse::{parse, parse_rfc1738, unwrap};
    #[pymodule_export]
    use crate::text::{FindIter, find_all, find_covering, find_iter, is_match, match_at};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        add_attributes(&module.py().get_type::<Match>())
    }

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "its name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
