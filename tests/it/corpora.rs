//! The texts in `corpora`: each has as many URLs as the README of its folder says.
//!
//! These counts were made by hand, and not by the program.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use urlgrep::Finder;

use crate::entry;

/// The folder `name` of the corpora.
fn folder(name: &str) -> PathBuf {
    Path::new(crate::ROOT).join("corpora").join(name)
}

/// What the table in the README says: how many URLs each file has.
fn listed(folder: &Path) -> BTreeMap<String, usize> {
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    readme.lines().filter_map(row).collect()
}

/// The file and the count in a row of the table; the header has no count.
fn row(line: &str) -> Option<(String, usize)> {
    let (file, count) = line.strip_prefix('|')?.strip_suffix('|')?.split_once('|')?;
    Some((file.trim().to_owned(), count.trim().parse().ok()?))
}

/// The files in the folder, without the README.
fn present(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name != "README.md").collect();
    names.sort();
    names
}

fn check(name: &str) {
    let folder = folder(name);
    let listed = listed(&folder);
    assert!(listed.keys().eq(&present(&folder)), "{name}: {listed:?}");
    for (file, urls) in listed {
        let text = std::fs::read(folder.join(&file)).unwrap();
        let matches: Vec<_> =
            urlgrep::find_iter(&text).map(|m| String::from_utf8_lossy(m.as_bytes()).into_owned()).collect();
        assert_eq!(matches.len(), urls, "{name}/{file}: {matches:#?}");
        streams(&format!("{name}/{file}"), &text);
    }
}

/// The text must have the same matches in pieces and as a whole, and with or without
/// instructions that only some processors have.
fn streams(name: &str, text: &[u8]) {
    let finder = |portable| Finder::builder().line_numbers(true).portable(portable).build().unwrap();
    let whole = entry::slice(&finder(true), text);
    let finder = finder(false);
    assert!(entry::slice(&finder, text) == whole, "{name}: with special instructions");
    for size in [1, 2, 3, 7, 64, 65_536] {
        let streamed = entry::streamed(&finder, text, size);
        assert!(streamed == whole, "{name}: a stream of {size}");
    }
}

#[test]
fn text() {
    check("text");
}

#[test]
fn mail() {
    check("mail");
}

#[test]
fn news() {
    check("news");
}

#[test]
fn rfc() {
    check("rfc");
}

#[test]
fn pathological() {
    check("pathological");
}
