//! What the program does with its input, from a reader to the lines it prints.

use std::io::{self, Read};

use urlgrep::{Match, grammar};

use crate::escape::Escaped;
use crate::laws::input::Input;
use crate::laws::told::Told;
use crate::laws::ways;
use crate::{lines, parts};

/// All that holds.
pub fn holds(input: &Input<'_>) {
    fails_behind_the_finds(input);
    input.settings.finder().find_iter(input.text).for_each(|found| is_shown(&found));
    input.text.split(|&b| b == b'\n').for_each(checks);
}

/// What a match says of itself in JSON can be read again, and is the same.
pub fn is_json(input: &Input<'_>) {
    for found in input.settings.finder().find_iter(input.text) {
        let json = serde_json::to_string(&found).unwrap();
        assert!(!json.contains('\n'), "{json}");
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read["start"], found.span().start);
        assert_eq!(read["end"], found.span().end);
    }
}

/// A reader that every other call interrupts, and that fails when it has yielded
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

/// A stream yields everything before an error, then the error, then
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

/// A match can be shown on a terminal without anything that the terminal would
/// obey.
fn is_shown(found: &Match<'_>) {
    let shown = format!("{}\n", Escaped(found.as_bytes()));
    lines::is_shown(shown.as_bytes());
}

/// Any line can be checked, and shown with a caret under any of its bytes.
fn checks(line: &[u8]) {
    let shown = Escaped(line);
    let text = format!("{shown}\n");
    lines::is_shown(text.as_bytes());
    let width = text.chars().count() - 1;
    assert_eq!((shown.column(0), shown.column(line.len())), (0, width));
    if let Ok(assessment) = grammar::assess(line) {
        let caret = assessment.reason().map_or(0, |reason| shown.column(reason.offset()));
        assert!(caret <= width);
    }
    let (url, _) = grammar::split_fragment(line);
    let of_url = grammar::rfc1738::parse(url).map(|url| parts::of(&url));
    let of_uri = grammar::parse(url).map(|uri| parts::of_generic(&uri));
    for parts in of_url.into_iter().chain(of_uri) {
        for (name, value) in &parts.lines {
            lines::is_shown(format!("{name} {value}\n").as_bytes());
        }
        assert!(parts.json.keys().all(|name| !name.is_empty()));
    }
}
