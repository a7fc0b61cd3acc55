//! What the documents show is what happens.

use std::path::Path;

const README: &str = include_str!("../../README.md");

/// The blocks of the README that are fenced as `kind`.
fn blocks(kind: &str) -> Vec<&'static str> {
    let fence = format!("```{kind}\n");
    README.split(&*fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_appendix_s_example() {
    let [example, output, ..] = blocks("text")[..] else { panic!("the README opens with an example") };
    let urls: String =
        urlgrep::find_iter(example).map(|found| format!("{}\n", found.as_str().unwrap())).collect();
    assert_eq!(urls, output);
}

/// Panics unless the files exist that the document `name` names between backquotes.
fn names_files(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = std::fs::read_to_string(root.join(name)).unwrap();
    let code = document.split('`').skip(1).step_by(2);
    let folders = ["src/", "tests/", "benches/", "fuzz/", "examples/", "contrib/"];
    let missing = code
        .flat_map(|code| code.split(' '))
        .filter(|path| folders.iter().any(|folder| path.starts_with(folder)))
        .filter(|path| !path.contains('*') && !root.join(path).exists());
    assert_eq!(missing.collect::<Vec<_>>(), [""; 0], "{name}");
}

#[test]
fn the_documents_name_files_that_exist() {
    for name in ["README.md", "DESIGN.md", "CONTRIBUTING.md", "SECURITY.md"] {
        names_files(name);
    }
}

#[cfg(feature = "cli")]
mod program {
    use std::process::Command;

    use super::blocks;

    fn urlgrep(args: &[&str]) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_urlgrep")).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn what_check_says() {
        let shown = blocks("text")[2];
        assert_eq!(urlgrep(&["--check", shown.lines().next().unwrap()]), shown);
    }

    /// All of them find something in what they are given.
    #[cfg(unix)]
    #[test]
    fn the_examples_run() {
        let folder = tempfile::tempdir().unwrap();
        let mail = "<URL:http://h.org/foo-\nbar> ftp://ftp.mit.edu/FAQ gopher://h.org/\n";
        for name in
            ["mail.txt", "archive/a.mbox", "news/1", "list.mbox.gz", "news.mbox.zip", "Maildir/cur/1:2,S"]
        {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, mail).unwrap();
        }
        let bin = std::path::Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let console = blocks("console").concat();
        let commands = console.lines().filter_map(|line| line.strip_prefix("$ "));
        let mut ran = 0;
        for command in commands.filter(|command| command.starts_with("urlgrep ")) {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(&folder).env("PATH", &path);
            let output = shell.output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
            assert_eq!(output.status.code(), Some(0), "{command}");
            assert!(command.contains('>') || !output.stdout.is_empty(), "{command}");
            ran += 1;
        }
        assert!(ran > 12);
    }
}
