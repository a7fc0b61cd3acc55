//! The blocks of a document that show commands: ```` ```console ````.
//!
//! A command follows `$ `, a line that ends with `\` continues, and what a command prints
//! follows it.

const FENCE: &str = "```console\n";

/// A command, and what the document says that it prints.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown<'d> {
    pub command: String,
    pub output: &'d str,
    /// Where the output is in the document, in bytes.
    pub start: usize,
}

/// The commands in a document.
pub fn commands(document: &str) -> Vec<Shown<'_>> {
    let blocks = document.match_indices(FENCE).map(|(at, _)| at + FENCE.len());
    blocks
        .flat_map(|start| {
            let end = document[start..].find("```").map_or(document.len(), |len| start + len);
            in_block(document, start, end)
        })
        .collect()
}

fn in_block(document: &str, mut at: usize, end: usize) -> Vec<Shown<'_>> {
    let mut shown = Vec::new();
    while at < end {
        let (command, start) = command_at(document, at);
        let output = &document[start..end];
        let len = if output.starts_with("$ ") { Some(0) } else { output.find("\n$ ").map(|len| len + 1) };
        let output = &output[..len.unwrap_or(output.len())];
        at = start + output.len();
        shown.push(Shown { command, output, start });
    }
    shown
}

/// The command at this place of the document, and where its output starts.
fn command_at(document: &str, at: usize) -> (String, usize) {
    assert!(document[at..].starts_with("$ "), "a block starts with a command: {}", &document[at..]);
    let mut end = at;
    loop {
        end += document[end..].find('\n').expect("a fence ends the block");
        if !document[..end].ends_with('\\') {
            return (document[at + 2..end].to_owned(), end + 1);
        }
        end += 1;
    }
}

#[test]
fn commands_and_outputs() {
    let document = "a\n```console\n$ b c\n$ d \\\n  e\nf\n\n$g\n```\n$ h\n```console\n$ i\n```\n";
    let found = commands(document);
    let found: Vec<_> = found.iter().map(|shown| (&*shown.command, shown.output)).collect();
    assert_eq!(found, [("b c", ""), ("d \\\n  e", "f\n\n$g\n"), ("i", "")]);
}
