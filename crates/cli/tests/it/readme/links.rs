//! Files and headings that documents name exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    for name in documents(&[
        ".",
        "docs",
        "docs/design",
        "contrib",
        "bindings/js",
        "bindings/python",
        "bindings/python/examples",
        "bindings/c",
        "fuzz",
    ]) {
        check_links(&name);
    }
}

/// The documents that packages install, by their names in the clone.
fn installed() -> BTreeSet<PathBuf> {
    let manifest: toml::Table = read(Path::new("crates/cli/Cargo.toml")).parse().unwrap();
    let assets = manifest["package"]["metadata"]["deb"]["assets"].as_array().unwrap();
    let documents = assets.iter().filter(|asset| asset[1].as_str().unwrap().starts_with("usr/share/doc/"));
    let names = documents.filter_map(|asset| asset[0].as_str().unwrap().strip_prefix("../../"));
    names
        .flat_map(|name| match name.strip_suffix("/*").or(name.strip_suffix("/*.*")) {
            Some(folder) => root()
                .join(folder)
                .read_dir()
                .unwrap()
                .map(|entry| Path::new(folder).join(entry.unwrap().file_name()))
                .collect(),
            None => vec![PathBuf::from(name)],
        })
        .collect()
}

#[test]
fn installed_documents_link_only_to_installed_ones() {
    // The package has the licences in a file of its own.
    let licences = ["LICENSE-APACHE", "LICENSE-MIT"];
    let (installed, makefile) = (installed(), read(Path::new("Makefile")));
    for name in installed.iter().filter(|name| name.extension().is_some_and(|extension| extension == "md")) {
        for target in targets(&read(name)) {
            let path = target.split('#').next().unwrap();
            if target.contains("://") || target.contains(' ') || path.is_empty() || licences.contains(&path) {
                continue;
            }
            let mut other = name.parent().unwrap().to_owned();
            for part in Path::new(path) {
                if part == ".." { assert!(other.pop()) } else { other.push(part) }
            }
            assert!(
                installed.contains(&other) || makefile.contains(&format!(" {} ", other.display())),
                "{}: {target} is not installed",
                name.display()
            );
        }
    }
}

/// Panics unless the files exist that the document names between backquotes.
fn names_files(name: &Path) {
    let document = prose(&read(name));
    let code = document.split('`').skip(1).step_by(2);
    let folders = [
        "src/",
        "tests/",
        "benches/",
        "fuzz/",
        "examples/",
        "contrib/",
        "docs/",
        "corpora/",
        "crates/",
        "bindings/",
    ];
    let missing = code
        .flat_map(|code| code.split(' '))
        .filter(|path| folders.iter().any(|folder| path.starts_with(folder)))
        .filter(|path| !path.contains('*') && !root().join(path).exists());
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "{}", name.display());
}

#[test]
fn the_documents_name_files_that_exist() {
    for name in documents(&[".", "docs", "docs/design"]) {
        names_files(&name);
    }
}

/// The changelog of the package is about the version that is built.
#[test]
fn the_package_has_the_version_of_the_program() {
    let changelog = read(Path::new("packaging/changelog"));
    assert!(changelog.starts_with(concat!("urlgrep (", env!("CARGO_PKG_VERSION"), "-")));
}
