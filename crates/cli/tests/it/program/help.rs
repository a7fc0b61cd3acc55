//! Help, manual page and completions say the same.

use std::collections::BTreeSet;

use super::{run, urlgrep};

/// The long options that a text names where it defines them.
fn options(text: &str, defines: impl Fn(&str) -> bool) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| defines(line));
    lines
        .filter_map(|line| {
            let name = &line[line.find("--")?..];
            let end = name.find(|char: char| !char.is_ascii_alphanumeric() && char != '-');
            Some(&name[..end.unwrap_or(name.len())])
        })
        .collect()
}

/// In the help a definition starts with a dash, indented by two columns or, if
/// there is no short option, by six.
fn in_help(help: &str) -> BTreeSet<&str> {
    options(help, |line| line.starts_with("  -") || line.starts_with("      --"))
}

/// The index has a line, or several, for each heading.
fn in_index(help: &str) -> BTreeSet<&str> {
    let index = help.split("\nIndex:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let headings: Vec<_> =
        index.lines().map(|line| line[..24].trim()).filter(|heading| !heading.is_empty()).collect();
    let defined = help.lines().filter(|line| line.ends_with(':') && !line.starts_with(' '));
    let defined: Vec<_> = defined.map(|line| line.trim_end_matches(':')).collect();
    let groups = defined.iter().skip_while(|heading| **heading != headings[0]);
    assert_eq!(groups.take(headings.len()).copied().collect::<Vec<_>>(), headings);
    assert!(index.lines().all(|line| line.len() <= 80), "{index}");
    index.lines().flat_map(|line| line[24..].split(' ')).collect()
}

fn printed(args: &[&str]) -> String {
    let ran = run(urlgrep(args), b"");
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{args:?}");
    ran.stdout
}

#[test]
fn all_of_them_have_the_same_options() {
    let long = printed(&["--help"]);
    let options = in_help(&long);
    assert!(options.len() > 40 && options.contains("--files-with-matches"), "{options:?}");
    assert_eq!(in_index(&long), options);
    if !cfg!(feature = "generate") {
        eprintln!("skipped, but for the help: this is built without --features generate");
        return;
    }
    assert_eq!(in_help(&printed(&["--generate", "options"])), options);
    let man = printed(&["--generate", "man"]);
    // The manual page writes hyphens as \-.
    let man = man.replace('\\', "");
    let defined = man.lines().filter(|line| line.starts_with("fB-"));
    let names = defined.flat_map(|line| line.split("fB")).map(|part| part.split("fR").next().unwrap());
    let names: BTreeSet<_> = names.filter(|name| name.starts_with("--")).collect();
    assert_eq!(names, options);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = printed(&["--generate", &format!("complete-{shell}")]);
        for option in &options {
            let name = if shell == "fish" { format!("-l {}", &option[2..]) } else { option.to_string() };
            assert!(script.contains(&name), "{shell}: {option}");
        }
    }
}

/// Who has never seen the program reads this, and does not scroll.
#[test]
fn the_short_help_fits_on_a_screen() {
    let (short, long) = (printed(&["-h"]), printed(&["--help"]));
    assert!(short.lines().count() <= 40, "{}", short.lines().count());
    for line in short.lines().chain(long.lines()) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(short.starts_with("Find URLs in ") && short.ends_with("\n\nAll options: --help\n"), "{short}");
    let options = in_help(&short);
    assert_eq!(options.len(), 25);
    assert!(options.is_subset(&in_help(&long)), "{options:?}");
    // Each has a line of its own, and no other line belongs to it.
    let list = short.split("\nOptions:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(list.lines().count(), options.len(), "{list}");
    // Clap takes what comes first.
    assert_eq!(printed(&["-n", "-h", "--help"]), short);
    assert_eq!(printed(&["--help", "-h"]), long);
}

#[cfg(feature = "generate")]
#[test]
fn the_manual_page_has_the_usual_sections() {
    let man = printed(&["--generate=man"]);
    for part in [".TH URLGREP 1", "URLGREP_CONFIG_PATH", "PATH:LINE:COLUMN:OFFSET:URL"] {
        assert!(man.contains(part), "{part}");
    }
    let sections: Vec<_> = man.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
    let usual = "NAME SYNOPSIS DESCRIPTION OPTIONS OUTPUT \"EXIT STATUS\" ENVIRONMENT FILES EXAMPLES BUGS \"SEE ALSO\"";
    assert_eq!(sections.join(" "), usual);
    let groups: Vec<_> = man.lines().filter_map(|line| line.strip_prefix(".SS ")).collect();
    let expected = "\"PRINT URLS\" \"OUTPUT MODES\" \"CHANGE URLS\" \"SELECT URLS\" \"SELECT MESSAGES\" \"SELECT FILES\" \
        \"FIND MORE URLS\" \"OUTPUT FOR PROGRAMS\" \"WITHOUT EFFECT\" OTHER";
    assert_eq!(groups.join(" "), expected);
    // The synopsis has two lines, and does not list all options.
    let synopsis = man.split(".SH SYNOPSIS\n").nth(1).unwrap().split(".SH").next().unwrap();
    assert!(synopsis.contains("OPTION") && !synopsis.contains("column"), "{synopsis}");
    assert!(man.is_ascii() && man.lines().all(|line| line.len() < 80));
}

#[cfg(not(feature = "generate"))]
#[test]
fn a_program_without_them_says_how_to_build_one() {
    for what in ["man", "complete-zsh"] {
        let ran = run(urlgrep(&["--generate", what]), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.contains("--features generate"), "{}", ran.stderr);
    }
}

/// The commands are printed as they are typed, and all of them are valid.
#[cfg(unix)]
#[test]
fn the_examples_of_the_help_run() {
    let (short, help) = (printed(&["-h"]), printed(&["--help"]));
    let examples = help.split("\nExamples:\n").nth(1).unwrap();
    let commands: Vec<_> = examples.lines().filter_map(|line| line.strip_prefix("      ")).collect();
    assert_eq!(commands.len(), 10);
    assert_eq!(commands.iter().filter(|command| short.contains(&format!("\n  {command}  "))).count(), 6);
    let mail =
        "Subject: x\nDate: Thu, 1 Jan 2099 00:00:00 +0000\n\ngopher://mit.edu/FAQ http://example.org/\n";
    let files = super::folder(&[("mail/a.eml", mail)]);
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    // The menu has a terminal in its own tests.
    for command in commands.into_iter().filter(|command| !command.contains("--menu")) {
        // Not everybody has jq.
        let command = command.replace("| jq -r .message.subject", "").replace("...", "echo so; fi");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &command]).current_dir(&files).env("PATH", &path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
        let prints = !command.contains("-q --report");
        assert!(output.status.success() && output.stdout.is_empty() != prints, "{command}");
    }
}
