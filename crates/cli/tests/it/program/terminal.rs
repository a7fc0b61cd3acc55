//! What a terminal gets to see, through a pseudo-terminal.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{ends, folder, prints, run, urlgrep, within};
use crate::wait;

/// Both ends of a new pseudo-terminal: ours and that of the program.
fn terminal() -> (File, OwnedFd) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    (ours.into(), theirs)
}

/// What a terminal shows of a run, byte for byte but for its line ends.
fn seen(mut command: Command) -> String {
    let screen = wait::until(|| {
        let (mut ours, theirs) = terminal();
        command.stdin(Stdio::null()).stdout(theirs.try_clone().unwrap()).stderr(theirs);
        let mut child = command.spawn().unwrap();
        // The command holds the other end, without which ours is closed.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let screen = rest(&mut ours);
        child.wait().unwrap();
        // On a busy machine, a run may take so long that its progress is drawn.
        (!screen.contains(ERASED)).then_some(screen)
    });
    screen.expect("a run without progress").replace("\r\n", "\n")
}

/// What a terminal shows until its other end is closed.
fn rest(ours: &mut File) -> String {
    let mut screen = Vec::new();
    // On Linux, a terminal without another end is an error.
    let _ = ours.read_to_end(&mut screen);
    String::from_utf8(screen).unwrap()
}

/// Reads what a terminal shows until that is as expected.
#[track_caller]
fn shown(ours: &mut File, is_expected: impl Fn(&str) -> bool) -> String {
    let mut screen = Vec::new();
    fcntl_setfl(&*ours, OFlags::NONBLOCK).unwrap();
    let shown = wait::until(|| {
        let _ = ours.read_to_end(&mut screen);
        is_expected(str::from_utf8(&screen).ok()?).then_some(())
    });
    fcntl_setfl(&*ours, OFlags::empty()).unwrap();
    let screen = String::from_utf8(screen).unwrap();
    assert!(shown.is_some(), "{screen:?}");
    screen
}

/// The program in a terminal that can do everything.
fn able(folder: &tempfile::TempDir, args: &[&str]) -> Command {
    let mut command = within(folder, args);
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command
}

const PATH: &str = "\u{1b}[35m";
const PLACE: &str = "\u{1b}[32m";
const URL: &str = "\u{1b}[1m\u{1b}[36m";
const END: &str = "\u{1b}[0m";

/// What removes the progress.
const ERASED: &str = "\u{1b}[2K";

fn link(url: &str, text: &str) -> String {
    format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
}

#[test]
fn colours_and_links() {
    let files = folder(&[("a", "http://h.org/a"), ("b", "telnet://h.org/")]);
    let colours = format!(
        "{PATH}a{END}:{PLACE}1{END}:{URL}http://h.org/a{END}\n\
         {PATH}b{END}:{PLACE}1{END}:{URL}telnet://h.org/{END}\n"
    );
    let url = format!("{URL}http://h.org/a{END}");
    let both = colours.replace(&url, &link("http://h.org/a", &url));
    assert_eq!(seen(able(&files, &["-n", "--no-heading", "a", "b"])), both);
    assert_eq!(seen(able(&files, &["-n", "--no-heading", "--hyperlink=never", "a", "b"])), colours);
    // Links have nothing to do with colours.
    let links = format!("a:1:{}\nb:1:telnet://h.org/\n", link("http://h.org/a", "http://h.org/a"));
    assert_eq!(seen(able(&files, &["-n", "--no-heading", "--color=never", "a", "b"])), links);
    let plain = "a:1:http://h.org/a\nb:1:telnet://h.org/\n";
    assert_eq!(
        seen(able(&files, &["-n", "--no-heading", "--color=never", "--hyperlink=never", "a", "b"])),
        plain
    );
    // On a terminal, the path is printed above the URLs of a file.
    let grouped = "a\n1:http://h.org/a\n\nb\n1:telnet://h.org/\n";
    assert_eq!(seen(able(&files, &["-n", "--color=never", "--hyperlink=never", "a", "b"])), grouped);
    // A pipe is no terminal.
    ends(run(able(&files, &["-n", "a", "b"]), b""), 0, plain);
    ends(run(able(&files, &["-n", "--color=always", "a", "b"]), b""), 0, &colours);
    ends(run(able(&files, &["-n", "--color=always", "--hyperlink=always", "a", "b"]), b""), 0, &both);
}

#[test]
fn the_environment_says_no() {
    let files = folder(&[("a", "http://h.org/a")]);
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let mut command = able(&files, &["a"]);
        command.env(name, value);
        assert_eq!(seen(command), "http://h.org/a\n", "{name}");
    }
    let mut command = able(&files, &["a"]);
    command.env_remove("TERM");
    assert_eq!(seen(command), "http://h.org/a\n");
    let mut command = able(&files, &["--hyperlink=never", "a"]);
    command.env("NO_COLOR", "");
    assert_eq!(seen(command), format!("{URL}http://h.org/a{END}\n"));
    let mut command = able(&files, &["--color=always", "--hyperlink=never", "a"]);
    command.env("NO_COLOR", "1");
    assert_eq!(seen(command), format!("{URL}http://h.org/a{END}\n"));
}

/// Neither a path nor a URL can clear the screen, or do worse.
#[test]
fn nothing_reaches_a_terminal_raw() {
    let files = folder(&[]);
    let name = OsStr::from_bytes(b"\x1b[2J\x9b\xc2\x9b");
    std::fs::write(files.path().join(name), "<URL:http://h.org/\u{9b}2J>").unwrap();
    for args in [
        &["."][..],
        &["--json", "."],
        &["-c", "."],
        &["-l", "."],
        &["--files"],
        &["-0", "."],
        &["--color=never", "."],
        &["--color=always", "."],
        &["--hyperlink=always", "."],
    ] {
        // What is left are our own sequences.
        let screen = seen(able(&files, args));
        assert!(!screen.contains("\u{1b}[2J") && !screen.contains('\u{9b}'), "{args:?}: {screen:?}");
        assert!(screen.contains("2J"), "{args:?}: {screen:?}");
    }
    // With colours, a pipe gets escaped bytes too.
    let shown = run(able(&files, &["-l", "--color=always", "."]), b"");
    ends(shown, 0, &format!("{PATH}./\\x1B[2J\\x9B\\xC2\\x9B{END}\n"));
}

/// A usage error quotes its argument, and neither a control character nor an invisible
/// one reaches the terminal.
#[test]
fn usage_errors_are_never_raw() {
    let files = folder(&[]);
    let raw = "\u{1b}]0;x\u{7}\n\u{202e}\u{200b}\u{9b}2J";
    for args in [
        &[][..],
        &["--no-such-"],
        &["-Z"],
        &["-r"],
        &["--context=1", "--redact="],
        &["--grade="],
        &["--input="],
        &["--join="],
        &["--hyphen="],
        &["--dialect="],
        &["--iri="],
        &["--schemeless="],
        &["--color="],
        &["--hyperlink="],
        &["--sort="],
        &["--csv="],
        &["--generate="],
        &["-m"],
        &["-j"],
        &["-d"],
        &["--context="],
        &["--max-len="],
        &["--scheme="],
        &["--match=("],
        &["--exclude=("],
        &["--glob={"],
        &["--host={"],
        &["-t"],
        &["-T"],
        &["--host=@"],
        &["--files-from="],
        &["--format={"],
        &["--report=missing/"],
    ] {
        let mut args: Vec<_> = args.iter().map(|&arg| arg.to_owned()).collect();
        let last = args.pop().unwrap_or_default();
        args.push(last + raw);
        let args: Vec<_> = args.iter().map(|arg| &**arg).collect();
        let screen = seen(able(&files, &args));
        let hidden = ["\u{1b}]", "\u{7}", "\u{202e}", "\u{200b}", "\u{9b}"];
        assert!(!hidden.iter().any(|raw| screen.contains(raw)), "{args:?}: {screen:?}");
        assert_eq!(run(able(&files, &args), b"").status, Some(2), "{args:?}");
    }
}

/// What a terminal shows of a bidi control or of nothing: its bytes.
#[test]
fn invisible_characters_are_shown() {
    let files = folder(&[(
        "a\u{202e}b",
        "From: a\u{2066}@h.org\nSubject: \u{feff}x\n\n<URL:http://h.org/a\u{200f}\u{202e}b>",
    )]);
    let fields = "--format={path} {url} {message.subject}";
    for (args, shown) in [
        (&["."][..], "http://h.org/a\\xE2\\x80\\x8F\\xE2\\x80\\xAEb"),
        (&["-l", "."], "./a\\xE2\\x80\\xAEb"),
        (&[fields, "."], "\\xEF\\xBB\\xBFx"),
        (&["--json", "."], "http://h.org/a\\u200f\\u202e"),
        (&["--csv", "."], "http://h.org/a\\xE2\\x80\\x8F"),
        (&["-C0", "."], "http://h.org/a\\xE2\\x80\\x8F"),
        (&["--check", "http://h.org/\u{202e}"], "http://h.org/\\xE2\\x80\\xAE"),
        (&["missing\u{200f}"], "missing\\xE2\\x80\\x8F"),
    ] {
        let screen = seen(able(&files, args));
        let hidden = ['\u{202e}', '\u{200b}', '\u{feff}', '\u{2066}', '\u{200f}'];
        assert!(!screen.contains(hidden), "{args:?}: {screen:?}");
        assert!(screen.contains(shown), "{args:?}: {screen:?}");
    }
}

/// Only these open a program that shows something.
#[test]
fn links_are_of_six_schemes() {
    let schemes = ["http", "https", "ftp", "gopher", "mailto", "news"];
    let others = ["nntp", "telnet", "file", "ftps", "gemini", "ssh", "smb", "x-y", "imap"];
    for scheme in schemes.into_iter().chain(others) {
        let rest = match scheme {
            "mailto" => "a@h.org",
            "news" => "comp.mail",
            _ => "//h.org/a",
        };
        let text = format!("<URL:{scheme}:{rest}>");
        let ran = run(urlgrep(&["--hyperlink=always"]), text.as_bytes());
        assert!(ran.stdout.contains(rest), "{text}");
        assert_eq!(ran.stdout.contains('\u{1b}'), schemes.contains(&scheme), "{text}");
    }
}

#[test]
fn null() {
    let files = folder(&[("a", "http://h.org/1 http://h.org/2"), ("b", "")]);
    for (args, stdout) in [
        (&["-0", "-n", "a", "b"][..], "a\x001:http://h.org/1\na\x001:http://h.org/2\n"),
        (&["--null", "-l", "a", "b"], "a\0"),
        (&["-0c", "a", "b"], "a\x002\nb\x000\ntotal\x002\n"),
        (&["-0", "--files", "."], "./a\0./b\0"),
        (&["-0", "a"], "http://h.org/1\nhttp://h.org/2\n"),
    ] {
        ends(run(within(&files, args), b""), 0, stdout);
    }
}

/// The input stays open, and a line comes all the same.
#[test]
fn line_buffered() {
    use std::io::{BufRead, BufReader, Write};

    for args in [&["--line-buffered"][..], &["--line-buffered", "--json"]] {
        let mut child = urlgrep(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"<URL:http://h.org/a> and more").unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("http://h.org/a"), "{line}");
        drop(stdin);
        child.wait().unwrap();
    }
    prints(&["--line-buffered"], b"http://h.org/a", "http://h.org/a\n");
}

/// A log that grows: on a terminal each line comes as it is written, without an option.
#[test]
fn lines_of_an_open_pipe_come_at_once() {
    use std::io::Write;

    let (mut ours, theirs) = terminal();
    let files = folder(&[]);
    let mut command = able(&files, &["--color", "never", "--hyperlink", "never"]);
    command.stdin(Stdio::piped()).stdout(theirs).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"a line\n").unwrap();
    for line in ["see http://h.org/1 now\n", "http://h.org/2\n", "at (http://h.org/3).\n"] {
        stdin.write_all(line.as_bytes()).unwrap();
        let number = line.find("org/").map(|at| &line[at..at + 5]).unwrap();
        shown(&mut ours, |screen| screen.contains(number));
    }
    drop(stdin);
    child.wait().unwrap();
}

#[test]
fn a_tip_counts_what_a_work_tree_ignores() {
    let text = "http://h.org/a http://h.org/b\n";
    let files =
        folder(&[("t/.gitignore", "built\n"), ("t/built/a", text), ("t/b", text), ("t/.git/HEAD", "")]);
    let tip = "hint: 2 URLs in 1 file that git ignores; to skip them, use --ignore";
    assert!(seen(able(&files, &["t"])).contains(tip));
    assert!(seen(able(&files, &["-c", "t"])).contains(tip));
    for args in [&["-s", "t"][..], &["-q", "t"], &["--ignore", "t"], &["t/built/a"], &["-g", "b", "t"]] {
        assert!(!seen(able(&files, args)).contains("tip"), "{args:?}");
    }
    assert_eq!(run(within(&files, &["t"]), b"").stderr, "");
    let outside = folder(&[(".gitignore", "built\n"), ("built/a", text)]);
    assert!(!seen(able(&outside, &["."])).contains("tip"));
}

/// The first notice of a kind is printed, and the others are counted, except in a file.
#[test]
fn notices_are_counted_by_kind() {
    let mail = |name: &str| {
        format!(
            "From: a@h.org\nContent-Type: application/pdf; name={name}\n\n\
             %PDF-1.4\n1 0 obj <</URI (http://h.org/)>>\nstream\nabc\nendstream\n%%EOF\n"
        )
    };
    let [a, b, c] = ["a.pdf", "b.pdf", "c.pdf"].map(mail);
    let doc = "From: a@h.org\nContent-Type: application/x-bin; name=d\nContent-Transfer-Encoding: base64\n\nN3q8ryccAAQAAAAA\n";
    let files = folder(&[("m/1", &a), ("m/2", &b), ("m/3", doc), ("m/4", &c)]);
    let notice = |mail, name| {
        format!(
            "urlgrep: m/{mail}: attachment {name} was only partly searched: only the links of PDF documents are searched, not their text\n"
        )
    };
    let sum = "urlgrep: 2 more notices: \"was only partly searched: only the links of PDF documents are searched, not their text\"; \
        to list all of them, redirect standard error to a file: 2>FILE\n";
    let screen = seen(able(&files, &["-c", "m"]));
    assert!(screen.contains(&notice(1, "a.pdf")) && screen.ends_with(sum), "{screen}");
    // One of another kind.
    assert_eq!(screen.matches("attachment ").count(), 2, "{screen}");
    let printed = run(within(&files, &["-c", "m"]), b"").stderr;
    for notice in [notice(1, "a.pdf"), notice(2, "b.pdf"), notice(4, "c.pdf")] {
        assert!(printed.contains(&notice), "{printed}");
    }
    assert!(!printed.contains("more notices"), "{printed}");
}

#[test]
fn what_is_no_time_for_colours_is_refused() {
    let ran = run(urlgrep(&["--color", "sometimes"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("expected auto, always or never, found \"sometimes\""), "{}", ran.stderr);
}

/// A run that takes longer than a second, as a pipe does that stays open.
#[test]
fn progress_is_drawn_and_taken_back() {
    use std::io::Write;

    let (mut ours, theirs) = terminal();
    let files = folder(&[("a", "http://h.org/a")]);
    let mut command = able(&files, &["-m9", "a", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(theirs);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"<URL:http://h.org/b>").unwrap();
    // 14 bytes of the file and 20 of the pipe, of which no end is known.
    let screen = shown(&mut ours, |screen| screen.contains("34 B, ") && screen.contains(", 2 URLs"));
    drop(stdin);
    let screen = screen + &rest(&mut ours);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"a:http://h.org/a\n-:http://h.org/b\n");
    assert!(!screen.contains("left"), "{screen:?}");
    assert!(screen.ends_with(ERASED), "{screen:?}");
}

#[test]
fn a_short_run_and_a_pipe_see_no_progress() {
    let files = folder(&[("a", "http://h.org/a")]);
    let screen = wait::until(|| {
        let (mut ours, theirs) = terminal();
        let mut command = able(&files, &["a"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(theirs);
        let begin = Instant::now();
        command.status().unwrap();
        let is_short = begin.elapsed() < Duration::from_secs(1);
        drop(command);
        is_short.then(|| rest(&mut ours))
    });
    assert_eq!(screen.expect("a run within a second"), "");
}

/// If matches and progress go to one terminal, each match has its own line.
#[test]
fn progress_is_removed_for_matches_and_errors() {
    use std::io::Write;

    let (mut ours, theirs) = terminal();
    let files = folder(&[]);
    let mut command =
        able(&files, &["--color=never", "--hyperlink=never", "--no-heading", "-j1", "-", "missing"]);
    command.stdin(Stdio::piped()).stdout(theirs.try_clone().unwrap()).stderr(theirs);
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut stdin = child.stdin.take().unwrap();
    let mut screen = String::new();
    for (drawn, text) in [(", 0 URLs", b"<URL:http://h.org/a>"), (", 1 URLs", b"<URL:http://h.org/b>")] {
        screen += &shown(&mut ours, |screen| screen.contains(drawn));
        stdin.write_all(text).unwrap();
    }
    drop(stdin);
    screen += &rest(&mut ours);
    child.wait().unwrap();
    for line in ["-:http://h.org/a\r\n", "-:http://h.org/b\r\n", "urlgrep: missing: "] {
        let at = screen.find(line).unwrap_or_else(|| panic!("{line:?}: {screen:?}"));
        // What was drawn there is gone.
        assert!(screen[..at].is_empty() || screen[..at].ends_with(['K', '\n']), "{line:?}: {screen:?}");
    }
}
