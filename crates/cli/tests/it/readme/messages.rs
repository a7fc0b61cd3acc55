//! `docs/design/messages.md` lists the texts that urlgrep prints, so that they can be read in one sitting.
//!
//! They are read from the source: a string literal with at least three words on one line. So the list also
//! contains descriptions of fields and values. Texts that no user sees are recognised by their place (tests, panics)
//! or their form (bytes, lines of a file format, markup, lists of options).

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use regex::Regex;

use super::{read, root};

const FILE: &str = "docs/design/messages.md";

/// The lists of the page, and the paths of their files. A file belongs to the last list that matches.
const LISTS: [(&str, &[&str]); 3] = [
    ("Errors, warnings and notes", &[""]),
    (
        "Explanations of URLs: `--explain`, `--check`, `--invalid`, `--warnings`",
        &["crates/print/src/explain.rs", "src/finder/explain_at", "src/grammar/", "src/matches/"],
    ),
    (
        "Descriptions of options, values, keys and fields",
        &[
            "crates/cli/src/args/help.rs",
            "crates/cli/src/args/sections.rs",
            "crates/cli/src/args/values.rs",
            "crates/cli/src/menu/keys.rs",
            "src/fields/",
            "src/finder/options.rs",
        ],
    ),
];

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

/// Returns a source file without the items and statements that only tests contain.
fn without_tests(source: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut kept, mut skipped) = (String::new(), None);
    for line in source.split_inclusive('\n') {
        match skipped {
            // Only other modules follow a module of tests, and its strings may look like its end.
            Some(0) if line.starts_with("mod ") && line.ends_with("{\n") => break,
            Some(depth) if indent(line) == depth && line.trim_end().ends_with(['}', ';', ',']) => {
                skipped = None
            }
            Some(_) => {}
            None if line.trim() == "#[cfg(test)]" => skipped = Some(indent(line)),
            None => kept.push_str(line),
        }
    }
    kept
}

/// Returns true if a panic prints the literal after `before`.
fn panics(before: &str) -> bool {
    let statement = before.rfind([';', '{', '}']).map_or(before, |end| &before[end..]);
    let is_last = |call: &str| statement.trim_end().ends_with(call);
    ["expect(", "panic!(", "unreachable!(", "reason ="].into_iter().any(is_last)
        || statement.contains("assert")
}

/// Returns true if a text is markup, or consists of lines of a file format.
fn is_markup(text: &str) -> bool {
    let inner = text.trim_start_matches("\\n").trim_end_matches("\\n");
    inner.contains("\\n") || text.starts_with("<!--") || text.starts_with('<') && text.contains("=\\\"")
}

/// Returns the messages in a source file, in its order. `options` is the list of options.
fn messages(source: &str, options: &str) -> Vec<String> {
    let literal = r##"(?s)//[^\n]*|'(?:\\.|[^\\'])'|r#".*?"#|r"[^"]*"|"((?:[^"\\]|\\.)*)""##;
    let source = without_tests(source);
    let (mut found, continued) = (Vec::new(), Regex::new(r"\\\n\s*").unwrap());
    let is_option = |word: &str| options.contains(&format!("--{word}"));
    for text in Regex::new(literal).unwrap().captures_iter(&source).filter_map(|literal| literal.get(1)) {
        let line = continued.replace_all(text.as_str(), "").into_owned();
        let words = line.split_whitespace().filter(|word| word.bytes().any(|b| b.is_ascii_lowercase()));
        let before = &source[..text.start() - 1];
        let is_internal = before.ends_with('b') || panics(before) || line.split(' ').all(is_option);
        let is_text = words.count() >= 3 && !line.contains('\n') && !is_markup(&line);
        if is_text && !is_internal && !found.contains(&line) {
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
    let (page, options) = (read(Path::new(FILE)), read(Path::new("docs/options.md")));
    let list_of =
        |file: &str| LISTS.iter().rposition(|(_, paths)| paths.iter().any(|path| file.starts_with(path)));
    let mut current = page[..page.find("\n## ").unwrap()].to_owned();
    for (number, (heading, _)) in LISTS.iter().enumerate() {
        let _ = write!(current, "\n## {heading}\n\n```text\n");
        for file in files.iter().filter(|file| list_of(file) == Some(number)) {
            let messages = messages(&read(Path::new(file)), &options);
            if !messages.is_empty() {
                let _ = writeln!(current, "{file}\n    {}", messages.join("\n    "));
            }
        }
        current.push_str("```\n");
    }
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(root().join(FILE), current).unwrap();
    } else {
        assert!(current == page, "{FILE} does not have the current messages; run: {UPDATE}");
    }
}
