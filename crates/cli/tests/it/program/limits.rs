//! Little memory, few threads, few files, and long lines: the program continues with
//! what it has, and reports the rest.

#[cfg(target_os = "linux")]
use std::process::Command;

#[cfg(target_os = "linux")]
use super::Ran;
use super::{ends, folder, run, urlgrep};
#[cfg(target_os = "linux")]
use crate::wait;

/// The program in a shell that has set a limit.
#[cfg(target_os = "linux")]
fn limited(limit: &str, folder: &tempfile::TempDir, args: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_urlgrep")]);
    command.args(args).current_dir(folder);
    run(command, b"")
}

/// 300 files, and what is printed of them.
#[cfg(target_os = "linux")]
fn many() -> (tempfile::TempDir, String) {
    let files: Vec<_> = (100..400).map(|n| (format!("{n}"), format!("http://h.org/{n}"))).collect();
    let stdout = files.iter().map(|(name, url)| format!("./{name}:{url}\n")).collect();
    let files: Vec<_> = files.iter().map(|(name, url)| (&**name, &**url)).collect();
    (folder(&files), stdout)
}

/// 256 stacks of 2 MB do not fit in any of these.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_cannot_be_started_are_not_needed() {
    let (files, stdout) = many();
    for limit in ["-v 100000", "-v 200000", "-v 400000"] {
        ends(limited(limit, &files, &["-j100000", "."]), 0, &stdout);
        ends(limited(limit, &files, &["-j100000", "--hyphen=evidence", "."]), 0, &stdout);
    }
}

/// The limit does not apply to the superuser.
#[cfg(target_os = "linux")]
#[test]
fn no_thread_at_all_is_enough() {
    let (files, stdout) = many();
    for args in [&["-j4", "."][..], &["-j4", "--join=likely", "."]] {
        let mut command = Command::new("prlimit");
        command.args(["--nproc=1", env!("CARGO_BIN_EXE_urlgrep")]).args(args).current_dir(&files);
        ends(run(command, b""), 0, &stdout);
    }
}

#[test]
fn too_many_threads_are_capped() {
    let files = folder(&[("a", "http://h.org/a"), ("b", "")]);
    ends(run(super::within(&files, &["-j100000", "-c", "."]), b""), 0, "./a:1\n./b:0\ntotal:1\n");
}

/// The definition of the options takes more than 64 KB.
#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough() {
    let (files, stdout) = many();
    let url = "http://h.org/";
    let generated = if cfg!(feature = "generate") { 0 } else { 2 };
    for limit in ["-s 256", "-s 64"] {
        for args in [&["-j4", "."][..], &["-j1", "."], &["-j4", "--join=likely", "."]] {
            ends(limited(limit, &files, args), 0, &stdout);
        }
        for (args, status) in [
            (&["-h"][..], 0),
            (&["--help"], 0),
            (&["--version"], 0),
            (&["--generate=man"], generated),
            (&["--generate=complete-zsh"], generated),
            (&["--type-list"], 0),
            (&["--files"], 0),
            (&["--json", "100"], 0),
            (&["--check", "--json", url], 0),
            (&["--check", "none"], 1),
            (&["--host=none", "100"], 1),
            (&["--menu", "--max-count=x"], 2),
            (&["--no-such-option"], 2),
            (&["missing"], 2),
        ] {
            let ran = limited(limit, &files, args);
            let same = run(super::within(&files, args), b"");
            assert_eq!((&ran, ran.status), (&same, Some(status)), "{limit} {args:?}");
        }
    }
}

/// The limit of threads does not apply to the superuser.
#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_without_threads() {
    let (files, stdout) = many();
    let mut command = Command::new("prlimit");
    command
        .args(["--nproc=1", "--stack=524288", env!("CARGO_BIN_EXE_urlgrep"), "-j1", "."])
        .current_dir(&files);
    ends(run(command, b""), 0, &stdout);
}

/// One file at a time can be open, and more are errors.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_opened_are_named() {
    let (files, stdout) = many();
    ends(limited("-n 4", &files, &["-j4", "100"]), 0, "http://h.org/100\n");
    ends(limited("-n 4", &files, &["-j1", "."]), 0, &stdout);
    let ran = limited("-n 4", &files, &["-j4", "."]);
    let named = ran.stderr.lines().filter(|line| line.ends_with("Too many open files (os error 24)")).count();
    assert_eq!(ran.stdout.lines().count() + named, 300, "{ran:?}");
    assert_eq!(ran.status, Some(if named > 0 { 2 } else { 0 }));
}

/// A width in a format string has 16 bits.
#[test]
fn a_caret_has_any_column() {
    let url = format!("<http://h.org/{}", "\x01".repeat(30_000));
    let ran = run(urlgrep(&["--check"]), url.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (Some(1), ""));
    let url = format!("http://h.org/~{}{{", "a".repeat(70_000));
    let ran = run(urlgrep(&["--check", "--max-len=100000"]), url.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (Some(1), ""));
    let carets: Vec<_> = ran.stdout.lines().filter_map(|line| line.find('^')).collect();
    assert_eq!(carets, [13, 70_014]);
}

#[test]
fn a_long_line_is_not_checked() {
    let news = "news:*\n  grade     rfc1738\n  scheme    news\n  group     *\n";
    for (len, error) in [
        (20, ""),
        (21, "urlgrep: -: line 2: not checked, because it is longer than 20 bytes; use a larger --max-len\n"),
        (22, "urlgrep: -: line 2: not checked, because it is longer than 20 bytes; use a larger --max-len\n"),
        (23, "urlgrep: -: line 2: not checked, because it is longer than 20 bytes; use a larger --max-len\n"),
        (
            1_000_000,
            "urlgrep: -: line 2: not checked, because it is longer than 20 bytes; use a larger --max-len\n",
        ),
    ] {
        for end in ["\n", "\r\n"] {
            let line = "http://h.org/".to_owned() + &"a".repeat(len - 13);
            let input = [end, &line, end, "news:*", end].concat();
            let ran = run(urlgrep(&["--check", "--max-len=20"]), input.as_bytes());
            assert_eq!(ran.stderr, error, "{len}");
            assert!(ran.stdout.ends_with(news), "{}", ran.stdout);
            assert_eq!(ran.status, Some(if error.is_empty() { 0 } else { 2 }));
        }
    }
    let ran = run(urlgrep(&["--check", "--max-len=16", "news:*", "http://h.org/aaaa"]), b"");
    assert_eq!(
        ran.stderr,
        "urlgrep: argument 2: not checked, because it is longer than 16 bytes; use a larger --max-len\n"
    );
    assert_eq!((ran.status, &*ran.stdout), (Some(2), news));
}

/// Messages of nothing but links: 16 MB of each once took more than 300 MB.
#[cfg(target_os = "linux")]
#[test]
fn messages_of_links_need_little_memory() {
    let head = "From: a@h.org\nMIME-Version: 1.0\nContent-Type: text/html\n\nhttp://h.org/ ";
    let list = |start: &str, middle: &str, end: &str| {
        [head, start, &middle.repeat(15_900_000 / middle.len()), end].concat()
    };
    for message in [
        list("", "<a href=a:b>", ""),
        list("<a ping='", ": ", "'>"),
        list("<a href='", "\ta:", "'>"),
        list("<a srcdoc='", "<a href=a:b>", "'>"),
        list("<a style='", "url(a:)", "'>"),
        list("<a ", "src=: ", ">"),
        list("<style>", "url(a:)", "</style>"),
        list("", "<a href=a:b>", "").replace("text/html", "text/html; charset=shift_jis"),
        list("{\\rtf1 ", "{", "").replace("text/html", "text/rtf"),
    ] {
        let files = folder(&[("a", &message)]);
        let ran = limited("-v 300000", &files, &["-j1", "--scheme=http", "a"]);
        let text = &message[..message.len().min(100)];
        assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (Some(0), "http://h.org/\n", ""), "{text}");
    }
}

/// Standard error has no buffer: a line that is written in parts takes a system call for each.
#[cfg(unix)]
#[test]
fn an_error_is_one_write() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixDatagram;
    use std::process::Stdio;

    // A stored member of one byte, with another checksum than that of its data.
    let member = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0ax";
    let files = folder(&[]);
    std::fs::write(files.path().join("z"), member.repeat(1000)).unwrap();
    let (reader, stderr) = UnixDatagram::pair().unwrap();
    let mut command = super::within(&files, &["-c", "z"]);
    command.stdout(Stdio::null()).stderr(Stdio::from(OwnedFd::from(stderr)));
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut room = [0; 1000];
    for _ in 0..1000 {
        let len = reader.recv(&mut room).unwrap();
        let line = str::from_utf8(&room[..len]).unwrap();
        assert!(line.starts_with("urlgrep: z!/a: ") && line.ends_with("match\n"), "{line:?}");
    }
    let len = reader.recv(&mut room).unwrap();
    assert_eq!(&room[..len], b"urlgrep: z: truncated zip archive: its directory is incomplete\n");
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// A message for which there is no memory is read in pieces.
#[cfg(target_os = "linux")]
#[test]
fn long_messages_in_little_memory() {
    let text: String =
        (0..200_000).map(|n| format!("and so on to <http://h.org/{n}>, and on and on and on;\n")).collect();
    let stdout: String = (0..200_000).map(|n| format!("http://h.org/{n}\n")).collect();
    let plain = format!("From: a@h.org\n\n{text}");
    let head = "From: a@h.org\nMIME-Version: 1.0\nContent-Type: text/html\n";
    let html = text.replace("<", "&lt;").replace(">", "&gt;<br>");
    let quoted = html.replace("=", "=3D").replace(" and", "=\n and").replace(";", "=3B");
    let quoted = format!("{head}Content-Transfer-Encoding: quoted-printable\n\n{quoted}");
    for message in [&plain, &format!("{head}\n{html}"), &quoted] {
        let files = folder(&[("a", message), ("b", "http://h.org/b")]);
        for limit in ["-v 60000", "-v 100000", "-v 200000"] {
            let ran = limited(limit, &files, &["--no-filename", "-j1", "a", "b"]);
            assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{limit} {}", &message[..100]);
            assert!(ran.stdout == format!("{stdout}http://h.org/b\n"), "{limit} {}", &message[..100]);
        }
    }
}

/// More URLs than fit are an error, after those that do.
#[cfg(target_os = "linux")]
#[test]
fn more_unique_urls_than_there_is_memory_for() {
    let text: String = (0..2_000_000).map(|n| format!("http://h.org/{n}\n")).collect();
    let files = folder(&[("a", &text)]);
    let ran = limited("-v 60000", &files, &["-u", "-j1", "a"]);
    let urls = ran.stdout.lines().count();
    let error = format!(
        "urlgrep: standard output: out of memory after {urls} unique URLs (--unique); use sort -u instead\n"
    );
    assert_eq!((ran.status, ran.stderr), (Some(2), error));
    assert!(urls > 100_000 && text.starts_with(&ran.stdout), "{urls}");
}

/// A compressed file may ask for a large window.
#[cfg(target_os = "linux")]
#[test]
fn a_window_for_which_there_is_no_memory() {
    // A dictionary of 64 MiB, a length that is not known, and five bytes of the range coder.
    let lzma = [&b"\x5d\0\0\0\x04"[..], &[0xFF; 8], &[0; 5], &[0; 40]].concat();
    let files = folder(&[("b", "http://h.org/b")]);
    std::fs::write(files.path().join("a.lzma"), lzma).unwrap();
    let ran = limited("-v 60000", &files, &["--no-filename", "-j1", "a.lzma", "b"]);
    assert_eq!((ran.status, &*ran.stdout), (Some(2), "http://h.org/b\n"));
    let start = "urlgrep: a.lzma: skipped the rest after 0 decompressed bytes: lzma data needs more than ";
    assert!(ran.stderr.starts_with(start), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("MiB of memory, which is the limit\n"), "{}", ran.stderr);
}

/// A text of 64 MiB in 260 KB: a literal, one long match and a literal, as the block of LZ4 has them.
#[cfg(target_os = "linux")]
#[test]
fn a_text_for_which_there_is_no_memory() {
    const LEN: usize = 64 << 20;
    let (start, end) = (b"[\"http://h.org/a\",     ", b"5678]");
    let more = LEN - start.len() - end.len() - 4 - 15;
    let block = [
        &[0xFF, start.len() as u8 - 15][..],
        start,
        &[1, 0],
        &vec![255; more / 255],
        &[(more % 255) as u8, (end.len() as u8) << 4],
        end,
    ];
    let file = [&b"mozLz40\0"[..], &(LEN as u32).to_le_bytes(), &block.concat()].concat();
    let files = folder(&[("b", "http://h.org/b")]);
    std::fs::write(files.path().join("a"), file).unwrap();
    let args = ["--no-filename", "-j1", "a", "b"];
    ends(limited("-v 1000000", &files, &args), 0, "http://h.org/a\nhttp://h.org/b\n");
    let ran = limited("-v 100000", &files, &args);
    assert_eq!((ran.status, &*ran.stdout), (Some(2), "http://h.org/b\n"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with(" bytes of text\n"), "{}", ran.stderr);
}

/// A message of Outlook whose text has a million short words, and RTF: its links are looked for in the text.
#[cfg(target_os = "linux")]
#[test]
fn words_take_no_memory() {
    use std::io::Write;

    let rtf = br#"{\rtf1{\field{\*\fldinst HYPERLINK "7:"}{\fldrslt a}}{\field{\*\fldinst HYPERLINK "http://h.org/"}{\fldrslt a}}}"#;
    let len = rtf.len() as u32;
    let rtf = [&(len + 12).to_le_bytes()[..], &len.to_le_bytes(), b"MELA", &[0; 4], rtf].concat();
    let words: String = (0..1_000_000).map(|n| format!("{n}: ")).collect();
    let files = folder(&[]);
    let mut compound =
        cfb::CompoundFile::create(std::fs::File::create_new(files.path().join("a.msg")).unwrap()).unwrap();
    for (name, bytes) in [
        ("/__properties_version1.0", &[0; 32][..]),
        ("/__substg1.0_1000001E", words.as_bytes()),
        ("/__substg1.0_10090102", &rtf),
    ] {
        compound.create_stream(name).unwrap().write_all(bytes).unwrap();
    }
    drop(compound);
    ends(limited("-v 150000", &files, &["-j1", "a.msg"]), 0, "http://h.org/\n");
}

/// Errors wait to be printed as matches do, and are bounded as these are.
#[cfg(target_os = "linux")]
#[test]
fn errors_that_wait_are_bounded() {
    use std::process::Stdio;

    const MEMBERS: usize = 200_000;
    let member = b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0ax";
    let files = folder(&[]);
    for name in ["a", "b"] {
        std::fs::write(files.path().join(name), member.repeat(MEMBERS)).unwrap();
    }
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 200000 && exec \"$0\" -j2 -c .", env!("CARGO_BIN_EXE_urlgrep")]);
    // A backtrace of each error would take most of the time.
    command.env("RUST_BACKTRACE", "0");
    let child = command.current_dir(&files).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The search continues while nobody reads its errors, until all its threads wait for a while.
    let mut times = 0;
    wait::until(|| {
        let mut threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
        let waits = |stat: std::io::Result<String>| stat.is_ok_and(|stat| stat.contains(") S "));
        let all = threads.all(|thread| waits(std::fs::read_to_string(thread.unwrap().path().join("stat"))));
        times = if all { times + 1 } else { 0 };
        (times == 20).then_some(())
    });
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.stderr.iter().filter(|&&b| b == b'\n').count(), 2 * (MEMBERS + 1));
    assert_eq!(ran.status.code(), Some(2));
}
