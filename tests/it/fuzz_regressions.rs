//! Every input that a fuzz target once failed on, by the same functions.
//!
//! They are in `fuzz/regressions`, in a folder for each target. Without that folder
//! there are none, and the tests pass.

use std::fs;
use std::path::{Path, PathBuf};

use urlgrep::{Grade, Hyphen, Iri, Join};

use crate::laws::input::{Input, Settings};
use crate::laws::{oracle, text};

/// The folder of the inputs of all targets.
fn regressions() -> PathBuf {
    Path::new(crate::ROOT).join("fuzz/regressions")
}

/// The entries of a folder, sorted by name; none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Calls `check` with every input of `target`, and prints its name.
fn run(target: &str, check: impl Fn(&[u8])) {
    for path in entries(&regressions().join(target)) {
        println!("{}", path.display());
        check(&fs::read(path).unwrap());
    }
}

fn input(data: &[u8]) -> Input<'_> {
    Input::of(data).expect("an input has a head")
}

#[test]
fn archive() {
    run("archive", |data| crate::laws::archive::hold(&input(data)));
}

#[test]
fn structure() {
    run("structure", |data| {
        let input = input(data);
        let file = crate::laws::grown::grown(input.text);
        let cuts = input.cuts.map(|cut| cut.min(file.len()));
        crate::laws::archive::hold(&Input { text: &file, cuts, ..input.clone() });
        text::hold(&Input { text: &file, cuts, ..input });
    });
}

#[test]
fn extract() {
    run("extract", |data| text::hold(&input(data)));
}

#[test]
fn grammar() {
    run("grammar", oracle::judges);
}

/// Every folder must have a test, or its inputs are not checked.
#[test]
fn every_folder_is_run() {
    for path in entries(&regressions()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(
            ["archive", "extract", "grammar", "program", "structure"].contains(&name),
            "{}",
            path.display()
        );
    }
}

/// An input of digits `0` is valid, so inputs can be written by hand.
#[test]
fn twelve_zeros_are_the_defaults() {
    let input = input(b"000000000000http://h.org/");
    assert_eq!(input.settings, Settings::default());
    assert_eq!((input.size, input.filler, input.text), (1, None, &b"http://h.org/"[..]));
    assert!(Input::of(b"00000000000").is_none());
}

#[test]
fn the_head_of_an_input_says_how_to_search() {
    let input = input(b"612630\0\x01\0\0\0\x08text");
    let settings = Settings {
        hyphen: Hyphen::Both,
        join: Join::None,
        max_len: 20,
        iri: Iri::All,
        grade: Grade::Rfc1738,
        schemes: &["HTTP", "ftp", "mailto", "news"],
        ..Settings::default()
    };
    assert_eq!(input.settings, settings);
    assert_eq!((input.size, input.filler, input.cuts), (10, None, [0, 1, 3]));
}
