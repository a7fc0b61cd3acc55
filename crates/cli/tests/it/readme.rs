//! What the README and the documents in `docs` show is what happens.

mod links;
mod messages;

#[cfg(unix)]
mod console;
#[cfg(unix)]
mod shown;

use std::path::{Path, PathBuf};

/// The repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The README, and the Markdown files in these folders, relative to the repository.
fn documents(folders: &[&str]) -> Vec<PathBuf> {
    let mut documents = vec![PathBuf::from("README.md")];
    for folder in folders {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let names = entries.map(|entry| Path::new(folder).join(entry.unwrap().file_name()));
        documents.extend(names.filter(|name| name.extension().is_some_and(|end| end == "md")));
    }
    documents.sort();
    documents.dedup();
    documents
}

fn read(document: &Path) -> String {
    std::fs::read_to_string(root().join(document)).unwrap()
}
