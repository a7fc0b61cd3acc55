//! Files and headings that documents name exist.

use std::path::Path;

use super::{documents, read, root};

/// The text without its fenced blocks.
fn prose(document: &str) -> String {
    document.split("```").step_by(2).collect()
}

/// The anchor of a heading, as repositories on the web make it.
fn anchor(heading: &str) -> String {
    let kept =
        heading.trim().chars().filter(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Whether the heading is in the document.
fn has_heading(document: &str, wanted: &str) -> bool {
    prose(document)
        .lines()
        .filter_map(|line| line.strip_prefix('#'))
        .any(|heading| anchor(heading.trim_start_matches('#')) == wanted)
}

/// Where the links of a document point to: `](path#heading)`.
fn targets(document: &str) -> Vec<String> {
    let links = prose(document);
    let links = links.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    links.map(|(target, _)| target.to_owned()).collect()
}

fn check_links(name: &Path) {
    let document = read(name);
    for target in targets(&document) {
        if target.contains("://") || target.contains(' ') {
            continue;
        }
        let (path, heading) = target.split_once('#').unwrap_or((&target, ""));
        let other = if path.is_empty() { name.to_owned() } else { name.parent().unwrap().join(path) };
        assert!(root().join(&other).exists(), "{}: {target} does not exist", name.display());
        let found = heading.is_empty() || has_heading(&read(&other), heading);
        assert!(found, "{}: {target}: there is no such heading", name.display());
    }
}

#[test]
fn links_lead_somewhere() {
    for name in documents(&[".", "docs", "contrib", "python", "python/examples", "fuzz"]) {
        check_links(&name);
    }
}

/// Panics unless the files exist that the document names between backquotes.
fn names_files(name: &Path) {
    let document = prose(&read(name));
    let code = document.split('`').skip(1).step_by(2);
    let folders =
        ["src/", "tests/", "benches/", "fuzz/", "examples/", "contrib/", "docs/", "corpora/", "python/"];
    let missing = code
        .flat_map(|code| code.split(' '))
        .filter(|path| folders.iter().any(|folder| path.starts_with(folder)))
        .filter(|path| !path.contains('*') && !root().join(path).exists());
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "{}", name.display());
}

#[test]
fn the_documents_name_files_that_exist() {
    for name in documents(&[".", "docs"]) {
        names_files(&name);
    }
}

/// The changelog of the package is about the version that is built.
#[test]
fn the_package_has_the_version_of_the_program() {
    let changelog = read(Path::new("packaging/changelog"));
    assert!(changelog.starts_with(concat!("urlgrep (", env!("CARGO_PKG_VERSION"), "-")));
}
