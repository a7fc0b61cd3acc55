//! What the program does with its input, from a reader to the lines it prints.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use urlgrep::{Found, grammar};

use crate::escape::{self, Shown};
use crate::hit::Hit;
use crate::laws::input::Input;
use crate::laws::told::Told;
use crate::laws::ways;
use crate::plain::Plain;
use crate::{json, lines, parts};

/// The longest name that an input is given, in bytes.
const NAME: usize = 16;

/// All that holds.
pub fn holds(input: &Input<'_>) {
    fails_behind_the_finds(input);
    let name = &input.text[..input.cuts[0].min(NAME)];
    let name = Path::new(OsStr::from_bytes(name));
    for found in input.settings.finder().find_iter(input.text) {
        prints(name, &found);
    }
    input.text.split(|&b| b == b'\n').for_each(checks);
}

/// A reader that every other call interrupts, and that fails when it has given
/// all.
struct Failing<'t> {
    rest: &'t [u8],
    size: usize,
    interrupted: bool,
}

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.rest.is_empty() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let len = self.size.min(buffer.len());
        self.rest.read(&mut buffer[..len])
    }
}

/// A stream gives everything that stands before an error, then the error, then
/// nothing.
fn fails_behind_the_finds(input: &Input<'_>) {
    let finder = input.settings.finder();
    let rest = &input.text[..input.cuts[2]];
    let before = ways::slice(&finder, rest, Told::of);
    let mut stream = finder.stream(Failing { rest, size: input.size, interrupted: false });
    let found: Vec<_> = stream.by_ref().take(before.len()).map(|found| Told::of(&found.unwrap())).collect();
    assert_eq!(found, before);
    let error = stream.next().unwrap().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert!(stream.next().is_none());
}

/// A find can be printed for programs, for terminals and for pipes, and what is
/// printed is the URL.
fn prints(name: &Path, found: &Found<'_>) {
    let mut out = Vec::new();
    json::print(&mut out, name, Hit::Text(found)).unwrap();
    let object = lines::object(&out);
    assert_eq!(read_back(&object["url"]), found.as_bytes());
    assert_eq!(read_back(&object["path"]), escape::bytes(name));
    let alternatives = object["alternatives"].as_array().unwrap();
    assert!(alternatives.iter().map(read_back).eq(found.alternatives()));

    let plain = Plain { names: true, lines: true, columns: true, offsets: true };
    out.clear();
    plain.print(&mut out, name, Hit::Text(found), true).unwrap();
    lines::is_shown(&out);
    out.clear();
    plain.print(&mut out, name, Hit::Text(found), false).unwrap();
    assert!(out.starts_with(escape::bytes(name)));
    assert!(out.ends_with(&[found.as_bytes(), b"\n"].concat()));
}

/// The bytes that a string or `{"bytes": base64}` stands for.
fn read_back(value: &Value) -> Vec<u8> {
    match value.as_str() {
        Some(text) => text.into(),
        None => STANDARD.decode(value["bytes"].as_str().unwrap()).unwrap(),
    }
}

/// Any line can be checked, and shown with a caret under any of its bytes.
fn checks(line: &[u8]) {
    let shown = Shown(line);
    let text = format!("{shown}\n");
    lines::is_shown(text.as_bytes());
    let width = text.chars().count() - 1;
    assert_eq!((shown.column(0), shown.column(line.len())), (0, width));
    if let Ok(assessment) = grammar::assess(line) {
        let caret = assessment.reason().map_or(0, |reason| shown.column(reason.offset()));
        assert!(caret <= width);
    }
    let (url, _) = grammar::split_fragment(line);
    let of_url = grammar::parse(url).map(|url| parts::of(&url));
    let of_uri = grammar::generic::parse(url).map(|uri| parts::of_generic(&uri));
    for part in of_url.into_iter().chain(of_uri).flatten() {
        let mut print = |name: &str, value: &str| {
            lines::is_shown(format!("{name} {value}\n").as_bytes());
            Ok(())
        };
        part.each_line(&mut print).unwrap();
        let (name, _) = part.to_json();
        assert!(!name.is_empty());
    }
}
