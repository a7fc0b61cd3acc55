//! The laws of the walk of an archive: files in containers, and ranges of a file.

use std::io::{self, Cursor, ErrorKind, Read};
use std::ops::Range;

use urlgrep::archive::internal::Division;
use urlgrep::archive::{Archive, Files, Format, ReadOptions};
use urlgrep::{Finder, Join};

use super::archive::Link;
use super::contained::contained;
use super::input::Input;
use super::ways::Trickle;

/// The limit of what is decompressed: a small file can become a very large one.
const ENOUGH: u64 = 1 << 20;

/// How many first bytes show what a file is.
const HEAD: usize = 512;

/// A match and the member that it is in, or an error.
type Found = Result<(Option<Vec<u8>>, Link), ErrorKind>;

/// Checks all laws of this file.
pub(super) fn hold(finder: &Finder, how: &ReadOptions, input: &Input<'_>) {
    let Input { settings, size, cuts, text, container, .. } = input;
    let whole = walk(finder, how, *text);
    // What a file is depends on the first read: nobody who types a text is kept waiting.
    let (head, rest) = text.split_at(text.len().min(HEAD));
    let trickled = walk(finder, how, head.chain(Trickle(rest, *size)));
    assert!(trickled == whole, "{size} bytes at a time: {trickled:?}\n{whole:?}");
    if let Some(file) = contained(*container, text) {
        is_found_in_a_container(finder, how, &file, &whole);
    }
    if how.format.is_none() {
        let divided = Division::of(&mut Cursor::new(text), None).ok().and_then(|division| division.format());
        // What is guessed depends on the lines nearby.
        if divided != Some(Format::Text) || settings.join != Join::Likely {
            cuts.iter().for_each(|&cut| is_the_union_of_ranges(finder, how, text, cut as u64));
        }
    }
}

/// Decompression always ends. Returns whether it ended within a limit.
pub fn decompresses(file: &[u8]) -> bool {
    let Ok(mut files) = Files::new(file) else {
        return true;
    };
    let mut read = 0;
    while read < ENOUGH {
        // An error is a valid result, too, and further files may follow it.
        match files.next_file() {
            Ok(None) => return true,
            Ok(Some(mut file)) => {
                read += 1 + drain(&mut file.by_ref().take(ENOUGH));
            }
            Err(_) => read += 1,
        }
    }
    false
}

/// How many bytes are read before the end or an error.
fn drain(reader: &mut impl Read) -> u64 {
    let mut block = [0; 4096];
    let mut len = 0;
    while let Ok(read) = reader.read(&mut block)
        && read > 0
    {
        len += read as u64;
    }
    len
}

/// The matches and the errors of an archive.
fn walk<R: Read>(finder: &Finder, how: &ReadOptions, input: R) -> Vec<Found> {
    match Archive::new(input) {
        Ok(archive) => walk_archive(finder, how, archive),
        Err(error) => vec![Err(error.kind())],
    }
}

fn walk_archive<R: Read>(finder: &Finder, how: &ReadOptions, archive: Archive<R>) -> Vec<Found> {
    let found = finder.find_in_archive(archive.with_options(how));
    found
        .map(|m| {
            m.map(|m| (m.context().unwrap().member().map(Into::into), Link::of(&m))).map_err(|e| e.kind())
        })
        .collect()
}

/// A file in a container has the matches that it has alone, unless it is in too many layers then.
fn is_found_in_a_container(finder: &Finder, how: &ReadOptions, file: &[u8], whole: &[Found]) {
    if is_too_deep(file) {
        return;
    }
    let links = |all: &[Found]| all.iter().flatten().map(|(_, link)| link.clone()).collect::<Vec<_>>();
    let contained = walk(finder, how, file);
    assert_eq!(links(&contained), links(whole), "in a container");
    let errors = |all: &[Found]| all.iter().filter(|found| found.is_err()).count();
    assert_eq!(errors(&contained), errors(whole), "in a container");
}

/// Whether something in a file is not read because of the layers that it is in.
fn is_too_deep(file: &[u8]) -> bool {
    let mut files = Files::new(file).expect("a file in a container is recognised");
    loop {
        let read = match files.next_file() {
            Ok(None) => return false,
            Ok(Some(mut file)) => io::copy(&mut file, &mut io::sink()).map(drop),
            Err(error) => Err(error),
        };
        if read.is_err_and(|error| error.to_string().contains("levels of archives and compression")) {
            return true;
        }
    }
}

/// Two ranges of a file have the matches of the file, each once.
fn is_the_union_of_ranges(finder: &Finder, how: &ReadOptions, file: &[u8], cut: u64) {
    let mut union = range(finder, how, file, 0..cut);
    union.extend(range(finder, how, file, cut..u64::MAX));
    assert_eq!(union, walk(finder, how, file), "ranges at {cut}");
}

/// The matches of a range, with the lines and indexes of the file.
fn range(finder: &Finder, how: &ReadOptions, file: &[u8], range: Range<u64>) -> Vec<Found> {
    let mut input = Cursor::new(file);
    let archive = match Archive::of_range(&mut input, range.clone()) {
        Ok(archive) => archive,
        // It belongs to the range that starts at 0.
        Err(error) if range.contains(&0) => return vec![Err(error.kind())],
        Err(_) => return Vec::new(),
    };
    let (lines, messages) = before(file, range.start);
    walk_archive(finder, how, archive.with_base(lines, messages))
}

/// How many lines and messages precede the first message of a range that starts at `at`.
fn before(file: &[u8], at: u64) -> (u64, u64) {
    let mut input = Cursor::new(file);
    let division = Division::of(&mut input, None).expect("nothing fails here");
    let start = division.align(&mut input, at).expect("nothing fails here") as usize;
    let lines = file[..start].iter().filter(|&&b| b == b'\n').count() as u64;
    let mut archive = Archive::new(file).expect("nothing fails here");
    let mut messages = 0;
    if !matches!(division.format(), None | Some(Format::Text)) {
        while let Some(message) = archive.next_message().expect("nothing fails here") {
            if message.span().start < start as u64 {
                messages = message.index() + 1;
            }
        }
    }
    (lines, messages)
}
