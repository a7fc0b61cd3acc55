//! `docs/design/messages.md` lists the texts that urlgrep prints, so that they can be read in one sitting.
//!
//! They are read from the source: a string literal with at least three words. So the list also contains
//! descriptions of fields and values, and a few texts that only a defect would print.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use regex::Regex;

use super::{read, root};

const FILE: &str = "docs/design/messages.md";

/// The end of the part that is written by hand.
const START: &str = "```text\n";

const UPDATE: &str = "UPDATE_DOCS=1 cargo test -p urlgrep-cli --test it messages";

/// Returns the Rust files below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(root().join(folder)) else { return Vec::new() };
    let paths = entries.map(|entry| folder.join(entry.unwrap().file_name()));
    let files = paths.flat_map(|path| match root().join(&path).is_dir() {
        true => sources(&path),
        false => vec![path.to_str().unwrap().replace('\\', "/")],
    });
    files.filter(|file| file.ends_with(".rs") && !file.ends_with("tests.rs")).collect()
}

/// Returns the messages in a source file, in its order.
fn messages(source: &str) -> Vec<String> {
    let literal = r##"(?s)//[^\n]*|'(?:\\.|[^\\'])'|r#".*?"#|r"[^"]*"|"((?:[^"\\]|\\.)*)""##;
    let source = source.split("\n#[cfg(test)]\nmod ").next().unwrap();
    let (mut found, continued) = (Vec::new(), Regex::new(r"\\\n\s*").unwrap());
    for text in Regex::new(literal).unwrap().captures_iter(source).filter_map(|literal| literal.get(1)) {
        let line = continued.replace_all(text.as_str(), "").into_owned();
        let words = line.split_whitespace().filter(|word| word.bytes().any(|b| b.is_ascii_lowercase()));
        let before = source[..text.start() - 1].trim_end();
        let is_internal = before.ends_with("expect(") || before.ends_with("reason =");
        if words.count() >= 3 && !is_internal && !line.contains('\n') && !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

#[test]
fn the_list_of_messages_is_current() {
    let folders = ["src", "crates/cli/src", "crates/lsp/src", "crates/outlook/src", "crates/print/src"];
    let folders = folders.iter().chain(&["bindings/c/src", "bindings/js/src", "bindings/python/src"]);
    let mut files: Vec<_> = folders.flat_map(|folder| sources(Path::new(folder))).collect();
    files.sort_unstable();
    let page = read(Path::new(FILE));
    let mut current = page[..page.find(START).unwrap() + START.len()].to_owned();
    for file in files {
        let messages = messages(&read(Path::new(&file)));
        if !messages.is_empty() {
            let _ = writeln!(current, "{file}\n    {}", messages.join("\n    "));
        }
    }
    current.push_str("```\n");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(FILE), current).unwrap();
    } else {
        assert!(current == page, "{FILE} does not have the current messages; run: {UPDATE}");
    }
}
