//! Completions, in the shells that read them. A shell that is not installed is skipped; `.ci/run`
//! installs zsh and fish.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{Ran, folder, run, urlgrep};

/// A folder with the completions for a shell, or `None` if the shell is not installed.
fn completions(shell: &str) -> Option<TempDir> {
    if Command::new(shell).args(["-c", "true"]).output().is_err() {
        eprintln!("skipped: {shell} is not installed");
        return None;
    }
    Some(folder(&[("script", &script(shell)?)]))
}

/// The completions for a shell, or `None` if the program was built without them.
fn script(shell: &str) -> Option<String> {
    if !cfg!(feature = "generate") {
        eprintln!("skipped: this is built without --features generate");
        return None;
    }
    let ran = run(urlgrep(&[format!("--generate=complete-{shell}")]), b"");
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{shell}");
    Some(ran.stdout)
}

/// Runs a script in a shell, within the folder. The files there must stay the only ones.
fn in_shell(shell: &[&str], folder: &Path, script: &str) -> Ran {
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", script]).current_dir(folder).env("TERM", "xterm");
    // Nobody's own start-up files.
    command.env("HOME", folder).env("ZDOTDIR", folder).env("XDG_CONFIG_HOME", folder.join("config"));
    command.env("XDG_DATA_HOME", folder.join("config")).env("XDG_CACHE_HOME", folder.join("config"));
    let before = names(folder);
    let ran = run(command, b"");
    assert_eq!(names(folder), before, "{script}");
    ran
}

/// The names of the files in a folder, without those of the shell itself.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name != "config").collect();
    names.sort_unstable();
    names
}

#[test]
fn bash() {
    let Some(folder) = completions("bash") else { return };
    let complete = |last: &str, previous: &str| {
        let script = format!(
            "source ./script; COMP_WORDS=(urlgrep {previous} '{last}'); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _urlgrep urlgrep '{last}' '{previous}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let ran = in_shell(&["bash", "--norc", "--noprofile"], folder.path(), &script);
        assert_eq!(ran.stderr, "", "{last}");
        ran.stdout
    };
    assert_eq!(complete("--join", ""), "--join\n");
    assert_eq!(complete("", "--join"), "none\ndelimited\nlikely\n");
    assert!(complete("", "-t").contains("\nmbox\n"));
    assert_eq!(complete("message.fi", "--where"), "message.filename\n");
}

#[test]
fn fish() {
    let Some(folder) = completions("fish") else { return };
    let complete = |line: &str| {
        let script = format!("source ./script; complete -C '{line}'");
        let ran = in_shell(&["fish", "--no-config"], folder.path(), &script);
        assert_eq!(ran.stderr, "", "{line}");
        ran.stdout
    };
    let joins = complete("urlgrep --join ");
    assert!(joins.contains("delimited\tURLs between '<' and '>' or quotation marks\n"), "{joins}");
    assert!(complete("urlgrep --colum").starts_with("--column\tPrint the line and column of each match"));
    let generated = complete("urlgrep --generate ");
    assert!(generated.contains("man\tThe manual page: man -l <(urlgrep --generate man)"), "{generated}");
    assert!(complete("urlgrep -t m").contains("mbox"));
    assert!(complete("urlgrep --where message.fi").contains("message.filename"));
}

/// What the function of zsh prints when it completes this line, on a terminal of its own.
fn in_zsh(folder: &Path, line: &str) -> String {
    let script = r#"
        zmodload zsh/zpty
        zpty shell zsh -f -i
        drain() { local part; while zpty -r -m shell part "*$1*"; do out+=$part; [[ $part == *$1* ]] && break; done }
        zpty -w shell 'PS1="pro""mpt> "; autoload -U compinit; compinit -u -D; source ./script; LISTMAX=0; bindkey "^I" list-choices'
        drain "prompt> "
        out=
        zpty -w -n shell "LINE"$'\t'
        zpty -w shell $'\x15print EN""D'
        drain END
        print -r -- $out
    "#;
    let ran = in_shell(&["zsh", "-f"], folder, &script.replace("LINE", line));
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{line}");
    ran.stdout
}

#[test]
fn zsh() {
    let Some(folder) = completions("zsh") else { return };
    let joins = in_zsh(folder.path(), "urlgrep --join ");
    assert!(!joins.contains("error"), "{joins}");
    assert!(joins.contains("URLs between '<' and '>' or quotation marks"), "{joins}");
    for (line, completion) in [
        ("urlgrep --co", "--column"),
        ("urlgrep -t m", "mbox"),
        ("urlgrep --where message.fi", "message.filename"),
    ] {
        let list = in_zsh(folder.path(), line);
        assert!(list.contains(completion), "{list}");
    }
    let generated = in_zsh(folder.path(), "urlgrep --generate ");
    assert!(generated.contains("man -l <(urlgrep --generate man)"), "{generated}");
}

/// PowerShell and elvish are rare where the tests run.
#[test]
fn powershell() {
    let Some(folder) = completions_of_pwsh() else { return };
    let script = ". ./script.ps1; (TabExpansion2 'urlgrep --colum' 15).CompletionMatches.CompletionText";
    let ran = in_shell(&["pwsh", "-NoProfile"], folder.path(), script);
    assert_eq!((&*ran.stderr, ran.stdout.trim()), ("", "--column"));
}

fn completions_of_pwsh() -> Option<TempDir> {
    Command::new("pwsh").args(["-NoProfile", "-c", "exit"]).output().ok()?;
    Some(folder(&[("script.ps1", &script("powershell")?)]))
}

/// The function for notmuch works in every shell whose users source it.
#[test]
fn notmuch() {
    for shell in ["sh", "bash", "zsh"] {
        if Command::new(shell).args(["-c", "true"]).output().is_err() {
            continue;
        }
        let notmuch = "#!/bin/sh\nprintf 'letter\\0'\n";
        let script = include_str!("../../../../../contrib/notmuch.sh");
        let folder =
            folder(&[("notmuch", notmuch), ("script", script), ("letter", "http://h.org/ ftp://h.org/\n")]);
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.path().join("notmuch"), fs::Permissions::from_mode(0o755)).unwrap();
        let bin = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap();
        let line = format!(
            "PATH=.:{}:$PATH; . ./script; notmuch_urls 'from:me and (a or b)'; notmuch_urls --scheme ftp -- a",
            bin.display()
        );
        let ran = in_shell(&[shell], folder.path(), &line);
        assert_eq!(
            (&*ran.stderr, &*ran.stdout),
            ("", "http://h.org/\nftp://h.org/\nftp://h.org/\n"),
            "{shell}"
        );
    }
}
