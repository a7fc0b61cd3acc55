//! Files and directories whose names begin with a dot.

use std::path::Path;

use ignore::DirEntry;
use ignore::overrides::Override;
use ignore::types::Types;

/// Which hidden files and directories are searched all the same.
#[derive(Clone, Debug)]
pub struct Hidden {
    pub globs: Option<Override>,
    pub types: Option<Types>,
}

impl Hidden {
    /// Whether an entry of a directory is left out: it is hidden, no glob or type selects
    /// it, and it is not a folder of a Maildir++.
    pub fn leaves_out(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name().as_encoded_bytes();
        if !name.starts_with(b".") {
            return false;
        }
        let directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let path = entry.path();
        let by_glob =
            || self.globs.as_ref().is_some_and(|globs| globs.matched(path, directory).is_whitelist());
        let by_type =
            || self.types.as_ref().is_some_and(|types| types.matched(path, directory).is_whitelist());
        !(by_glob() || by_type() || (directory && is_folder(path)))
    }
}

/// Whether a directory is a folder of a Maildir++, which has its folders beside its own
/// mail, with a dot before their names: `Maildir/.Sent/cur`.
fn is_folder(path: &Path) -> bool {
    is_maildir(path) && path.parent().is_some_and(is_maildir)
}

fn is_maildir(path: &Path) -> bool {
    ["cur", "new"].iter().all(|name| path.join(name).is_dir())
}
