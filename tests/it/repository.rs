//! The files of the repository that the package of the crate is without.

use std::fs;
use std::path::{Path, PathBuf};

/// The text of a file beside the library. `None` in the package of the crate, which has the library alone.
pub fn text_of(file: &str) -> Option<String> {
    let root = Path::new(crate::ROOT);
    root.join("crates/cli")
        .exists()
        .then(|| fs::read_to_string(root.join(file)).unwrap_or_else(|_| panic!("expected {file}")))
}

/// What is between `from` and the next `to`.
pub fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, after) = text.split_once(from).unwrap_or_else(|| panic!("expected {from:?}"));
    after.split_once(to).unwrap_or_else(|| panic!("expected {to:?} after {from:?}")).0
}

/// A tag or a branch can be moved, and a workflow then runs code that nobody here has seen.
#[test]
fn workflows_pin_their_actions() {
    let folder = Path::new(crate::ROOT).join(".github/workflows");
    let Ok(files) = fs::read_dir(&folder) else {
        assert_eq!(text_of(".github/dependabot.yml"), None);
        return;
    };
    let mut actions = 0;
    for file in files {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            let Some((_, action)) = line.split_once("uses:") else { continue };
            actions += 1;
            assert!(is_pinned(action), "{path:?}: {line}");
        }
    }
    assert!(actions > 25, "{actions}");
}

/// Whether an action is named by a commit, with its version as a comment: `a/b@… # v1.2.3`.
fn is_pinned(action: &str) -> bool {
    let Some((name, version)) = action.split_once(" # v") else { return false };
    let commit = name.rsplit_once('@').map_or("", |(_, commit)| commit);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    commit.len() == 40
        && commit.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && version.split('.').count() == 3
        && version.split('.').all(is_number)
}

#[test]
fn a_pin_is_a_commit_and_a_version() {
    let commit = "df4cb1c069e1874edd31b4311f1884172cec0e10";
    assert!(is_pinned(&format!(" actions/checkout@{commit} # v6.0.3")));
    for action in [
        " actions/checkout@v6".to_owned(),
        " a/b@release/v1 # v1.0.0".to_owned(),
        format!(" a/b@{commit}"),
        format!(" a/b@{commit} # v6"),
        format!(" a/b@{} # v6.0.3", &commit[1..]),
        format!(" a/b@{} # v6.0.3", commit.to_uppercase()),
    ] {
        assert!(!is_pinned(&action), "{action}");
    }
}

#[test]
fn dependabot_updates_all_that_is_pinned() {
    let Some(text) = text_of(".github/dependabot.yml") else { return };
    for ecosystem in ["cargo", "npm", "pip", "github-actions"] {
        let line = format!("  - package-ecosystem: {ecosystem}");
        assert!(text.lines().any(|known| known == line), "{ecosystem}");
    }
}

/// The Rust files of the library and of the packages, without tests.
fn sources(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => sources(&path, files),
            false if path.extension().is_some_and(|extension| extension == "rs") => {
                files.push((path.clone(), fs::read_to_string(&path).unwrap()));
            }
            false => {}
        }
    }
}

#[test]
fn the_names_in_the_overview_and_the_glossary_are_in_the_code() {
    let root = Path::new(crate::ROOT);
    let Some(overview) = text_of("DESIGN.md") else { return };
    let mut files = Vec::new();
    ["src", "crates", "bindings"].iter().for_each(|folder| sources(&root.join(folder), &mut files));
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let has = |text: &str, word: &str| text.split(|c| !is_part(c)).any(|part| part == word);
    // A file defines the item that owns the name, or is its module.
    let owns = |path: &Path, text: &str, owner: &str| {
        ["struct ", "enum ", "trait ", "impl "].iter().any(|kind| text.contains(&format!("{kind}{owner}")))
            || path
                .components()
                .any(|part| part.as_os_str().to_string_lossy().trim_end_matches(".rs") == owner)
    };
    for text in [overview, text_of("docs/design/glossary.md").unwrap()] {
        let prose = text.split("```").step_by(2).flat_map(|part| part.split('`').skip(1).step_by(2));
        for name in prose.filter(|name| name.chars().all(|c| is_part(c) || c == ':')) {
            let names: Vec<_> = name.split("::").collect();
            let is_defined = |(path, text): &(PathBuf, String)| match &names[..] {
                [owner @ .., last] => has(text, last) && owner.iter().all(|owner| owns(path, text, owner)),
                [] => false,
            };
            assert!(files.iter().any(is_defined), "expected {name} in the code");
        }
    }
}
