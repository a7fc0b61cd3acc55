//! Each command in a document prints what the document shows.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::console::{Shown, commands};
use super::{documents, read, root};

/// The first words of commands that install, build, or measure something.
const NOT_HERE: [&str; 9] =
    ["benches/compare.sh", "cargo", "git", "make", "man", "packaging/archive.sh", "podman", "rustup", "sudo"];

/// What prints the definition of the options.
const HELP: [&str; 3] = ["urlgrep -h", "urlgrep --generate options", "urlgrep --type-list"];

/// What its commands search has many gigabytes.
const LARGE: &str = "docs/large-archives.md";

/// What brings the help in the documents up to date.
const UPDATE: &str = "UPDATE_DOCS=1 cargo test -p urlgrep-cli --features generate --test it readme";

/// A folder like a clone, in which the commands run.
fn clone() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["examples", "corpora"] {
        symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// What a command prints, on standard error too, and its status.
fn run(command: &str, folder: &Path) -> (String, Option<i32>) {
    let bin = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(folder);
    shell.env("PATH", path).env("LC_ALL", "C").env_remove("URLGREP_CONFIG_PATH");
    let output = shell.output().unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// The command as it is run here: the program is built already.
fn as_built(command: &str) -> String {
    command.replace("cargo run --release -- ", "urlgrep ")
}

/// Whether the command is one that is run here.
fn runs_here(command: &str) -> bool {
    let can = cfg!(feature = "generate") || !command.contains("--generate");
    can && command.split_whitespace().next().is_some_and(|word| !NOT_HERE.contains(&word))
}

/// Whether a command prints nothing but the definition of the options, which can be
/// copied into a document; all other outputs are checked by the one who writes them.
fn is_help(command: &str) -> bool {
    HELP.contains(&command)
}

/// The document with the help that the program prints now.
fn with_current_help(document: &str) -> String {
    let folder = clone();
    let mut updated = document.to_owned();
    // From the end, so that what is before a replaced output stays where it is.
    for Shown { command, output, start } in commands(document).into_iter().rev() {
        if is_help(&command) && runs_here(&command) {
            let (printed, _) = run(&command, folder.path());
            updated.replace_range(start..start + output.len(), &printed);
        }
    }
    updated
}

#[test]
fn the_help_in_documents_is_current() {
    for name in documents(&["docs"]) {
        let document = read(&name);
        let current = with_current_help(&document);
        if std::env::var_os("UPDATE_DOCS").is_some() && current != document {
            // The other tests read it at the same time.
            let part = root().join(name.with_extension("part"));
            fs::write(&part, &current).unwrap();
            fs::rename(part, root().join(name)).unwrap();
        } else {
            assert!(current == document, "{} does not have the current help; run: {UPDATE}", name.display());
        }
    }
}

/// A change of an option shows in a document.
#[test]
fn the_help_is_in_a_document() {
    let options = read(Path::new("docs/options.md"));
    let shown: Vec<_> = commands(&options).into_iter().map(|shown| shown.command).collect();
    for help in HELP {
        assert!(shown.iter().any(|command| command == help), "docs/options.md has to show {help}");
    }
}

/// Runs the commands of a document in one folder, one after the other.
///
/// Returns how many ran.
fn check(name: &Path) -> usize {
    let document = read(name);
    let folder = clone();
    let mut ran = 0;
    for Shown { command, output, .. } in commands(&document) {
        let command = as_built(&command);
        if is_help(&command) || !runs_here(&command) {
            continue;
        }
        let (printed, status) = run(&command, folder.path());
        assert_eq!(printed, output, "{}: {command}", name.display());
        assert!(!output.is_empty() || status == Some(0), "{}: {command}: {status:?}", name.display());
        ran += 1;
    }
    ran
}

#[test]
fn the_readme() {
    assert_eq!(check(Path::new("README.md")), 4);
}

#[test]
fn the_documents() {
    let names = documents(&["docs"]).into_iter().skip(1).filter(|name| name != Path::new(LARGE));
    let names = names.chain([PathBuf::from("DESIGN.md")]);
    let ran: usize = names.map(|name| check(&name)).sum();
    assert!(ran > 30, "{ran}");
}

/// The keys in the tables of the section JSON, in `docs/output.md`.
fn documented_keys() -> Vec<String> {
    let output = read(Path::new("docs/output.md"));
    let tables = output.split("## JSON").nth(1).unwrap().split("### Forms").next().unwrap();
    let rows = tables.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2).map(str::to_owned)).collect()
}

#[test]
fn every_column_is_documented() {
    let (csv, _) = run("urlgrep --csv --unwrap --hyphen evidence examples/mail/news", clone().path());
    let columns = csv.lines().next().unwrap().split(',');
    let keys = documented_keys();
    // The keys of `reason` are in its own row.
    let missing =
        columns.filter(|&column| !column.starts_with("reason.") && !keys.iter().any(|key| key == column));
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0]);
}
