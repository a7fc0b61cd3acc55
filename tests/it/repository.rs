//! The files of the repository that the package of the crate is without.

use std::fs;
use std::path::Path;

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

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn words(line: &str) -> Vec<&str> {
    line.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect()
}

#[test]
fn the_names_in_the_overview_and_the_glossary_are_in_the_code() {
    let Some(overview) = text_of("DESIGN.md") else { return };
    let read = |folder: &str| crate::floors::read(&Path::new(crate::ROOT).join(folder));
    let mut files: Vec<_> = ["src", "crates", "bindings"].into_iter().flat_map(read).collect();
    files.push(("capi.toml".to_owned(), text_of("bindings/c/Cargo.toml").unwrap()));
    // The first word may be a variant.
    let defines = |words: &[&str], name: &str| {
        let is_item =
            |at| at == 0 || ["fn", "struct", "enum", "const", "static", "mod"].contains(&words[at - 1]);
        words.iter().position(|word| *word == name).is_some_and(is_item)
    };
    let is_type = |words: &[&str], name: &str| {
        words.contains(&name) && ["struct", "enum", "impl"].iter().any(|kind| words.contains(kind))
    };
    let has = |(path, text): &(String, String), names: &[&str]| match names {
        [name] => text.lines().any(|line| words(line).contains(name)),
        [owner, name] if text.contains(name) => {
            let is_owner = path.split('/').any(|part| part.trim_end_matches(".rs") == *owner)
                || text.lines().any(|line| is_type(&words(line), owner));
            is_owner && text.lines().any(|line| defines(&words(line), name))
        }
        _ => false,
    };
    let texts = [overview, text_of("docs/design/glossary.md").unwrap()];
    let prose = texts.iter().flat_map(|text| text.split("```").step_by(2));
    let spans = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    let names = spans.filter(|name| name.replace("::", "_").chars().all(is_part) && *name != "no_std");
    let is_missing = |name: &&str| !files.iter().any(|file| has(file, &name.split("::").collect::<Vec<_>>()));
    assert_eq!(names.filter(is_missing).collect::<Vec<_>>(), [""; 0], "expected these names in the code");
}
