//! Several files in parallel: the output is the same.

use std::fmt::Write as _;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use super::{ends, folder, run, status_of, urlgrep, within};

/// Small files, empty files, and large ones.
fn archive() -> TempDir {
    let mut files = Vec::new();
    for n in 0..300 {
        let urls = match n % 50 {
            7 => 0,
            11 => 3_000,
            _ => n % 9,
        };
        let mut text = String::new();
        for m in 0..urls {
            writeln!(text, "in {n}: <URL:http://h{}.org/{m}-\n  x> or http://h.org/{}", n % 5, m % 7)
                .unwrap();
        }
        files.push((format!("d{}/f{n}", n % 4), text));
    }
    let files: Vec<_> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    folder(&files)
}

#[test]
fn the_output_is_the_same() {
    let files = archive();
    for args in [
        &["-n"][..],
        &["--json"],
        &["-u"],
        &["-uc"],
        &["-c"],
        &["-l"],
        &["-m2", "-b"],
        &["-um1"],
        &["--context=1", "-m3"],
        &["--csv", "--host=h1.org"],
        &["--csv", "--columns=message.subject,url,line,message.index"],
        &["--hyphen=evidence", "--json"],
    ] {
        let with = |threads| {
            let args = [args, &[threads, ".", "missing", "d1/f1"]].concat();
            run(within(&files, &args), b"")
        };
        let alone = with("-j1");
        assert!(alone.stdout.len() > 300 && alone.status == Some(2));
        for threads in ["-j2", "--threads=9"] {
            // The output is long; that it differs tells enough.
            assert!(with(threads) == alone, "{threads} {args:?}");
        }
    }
}

#[test]
fn no_thread_is_too_few() {
    let ran = run(urlgrep(&["-j0"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--threads \"0\": expected a number of at least 1"), "{}", ran.stderr);
}

#[test]
fn order() {
    let files = folder(&[("b", "http://h.org/b"), ("a", "http://h.org/a")]);
    ends(run(within(&files, &["-l", "--sort=path", "."]), b""), 0, "./a\n./b\n");
    let mut lines: Vec<_> = {
        let ran = run(within(&files, &["-l", "--sort=none", "."]), b"");
        ran.stdout.lines().map(str::to_owned).collect()
    };
    lines.sort();
    assert_eq!(lines, ["./a", "./b"]);
}

/// One of the inputs is a pipe that blocks.
#[test]
fn a_blocked_pipe_does_not_block_the_end() {
    let files = folder(&[("a", "http://h.org/a")]);
    let mut child =
        within(&files, &["-q", "-j4", "a", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let stdin = child.stdin.take();
    assert_eq!(status_of(&mut child), Some(0));
    drop(stdin);
}

/// 20 MB with URLs around every place where it may be cut.
fn large_text(paragraph: &str) -> TempDir {
    let text = paragraph.repeat(20_000_000 / paragraph.len());
    folder(&[("large", &text), ("small", "http://h.org/small")])
}

/// The cells of a table may contain empty lines, at which a text is divided.
#[test]
fn a_large_table_stays_whole() {
    let filler = "and so on, and on\n\n".repeat(100);
    let rows = format!("1,\"{filler}http://h.org/a;b\n\",http://h.org/c\n").repeat(3000);
    let files = folder(&[("t.csv", &format!("id,text,link\n{rows}"))]);
    let with = |threads| run(within(&files, &[threads, "--json", "t.csv"]), b"");
    let alone = with("-j1");
    assert_eq!((alone.status, alone.stdout.lines().count()), (Some(0), 6000));
    assert!(with("-j3") == alone);
}

#[test]
fn a_large_text_is_searched_in_chunks() {
    let filler = "and so on, and on and on, as texts do go on for the most of them\n".repeat(80);
    let paragraph = format!(
        "URL:\n\nhttp://h.org/prefixed <URL:http://h.org/a-\nb> <\n\nhttp://h.org/angle>\n\n\
         > <http://h.org/quoted/\n> on> http://h.org/end\r\n\r\nhttp://h.org/begin\n\n{filler}"
    );
    let files = large_text(&paragraph);
    for args in [
        &["-n", "large"][..],
        &["--json", "large", "small"],
        &["-c", "."],
        &["-uc", "."],
        &["-bm9000", "."],
        &["--hyphen=evidence", "-c", "--match=-b", "."],
    ] {
        let with = |threads| run(within(&files, &[&[threads], args].concat()), b"");
        let alone = with("-j1");
        assert!(alone.status == Some(0) && alone.stderr.is_empty());
        assert!(with("-j3") == alone, "{args:?}");
    }
    // prefixed, a-b, angle, quoted, end, begin.
    let ran = run(within(&files, &["-j2", "-c", "large"]), b"");
    assert_eq!(ran.stdout, format!("{}\n", 6 * (20_000_000 / paragraph.len())));
}

#[test]
fn a_text_without_empty_lines_stays_whole() {
    let files = large_text("some text and http://h.org/a and more of it\n");
    let lines = 20_000_000 / 44;
    ends(run(within(&files, &["-j2", "-c", "large"]), b""), 0, &format!("{lines}\n"));
    let last = run(within(&files, &["-j2", "-n", "-I", "."]), b"").stdout;
    assert!(last.ends_with(&format!("{lines}:http://h.org/a\n1:http://h.org/small\n")));
}

/// The head of a message, and what damages the one before it, or only seems to.
const ODD: [&str; 12] = [
    "From a@h.org Fri Mar  2 10:11:12 2001\nSubject: http://h.org/subject\n\n",
    "\nFrom -1234\nFrom: a@h.org\nContent-Length: 100000\n\nFrom me\n>From you http://h.org/a\n\n",
    "\nFrom a@h.org\nFrom: a@h.org\nTo: b@h.org\n\n<URL:http://h.org/a-\n  b>\n",
    "\nFrom a@h.org\n\n",
    "From a@h.org Fri Mar  2 10:11:12 2001\r\nFrom: a@h.org\r\n\r\nhttp://h.org/a\r\n\r\n",
    "From -1234\nContent-Type: message/rfc822\n\nFrom: a@h.org\n\n",
    "From -1234\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://h.org/p\n",
    "From -1234\nContent-Transfer-Encoding: quoted-printable\n\nhttp://h.org/=\na\n--b\n",
    "From -1234\n\nSubject: a\nTo: b\n\n.\n..http://h.org/a\n",
    "\rFrom -1234\nFrom: a@h.org\n\0\n",
    "\nFrom here it goes on: http://h.org/on\n",
    "<URL:http://h.org/open\n\n",
];

/// 20 MB of messages in no order.
fn odd_mbox() -> String {
    let filler = "> and so on, and on and on, as mail does go on\n";
    let mut mbox = String::new();
    let mut random: u64 = 1;
    while mbox.len() < 20_000_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (random >> 40) as usize;
        mbox += ODD[number % ODD.len()];
        mbox += &filler.repeat(number / ODD.len() % 60);
    }
    mbox
}

/// The numbers, without how long it took.
fn numbers(stderr: &str) -> &str {
    stderr.split("seconds").next().unwrap()
}

#[test]
fn a_large_mbox_is_searched_in_chunks() {
    let mbox = odd_mbox();
    let files = folder(&[("large", &mbox), ("preamble", &format!("not a message\n{mbox}"))]);
    for args in [
        &["--json", "large"][..],
        &["--json", "--columns=message.subject,url,message.index,line,message.from", "large"],
        &["--stats", "-n", "large"],
        &["--stats", "-nb", "--input=mbox", "preamble"],
        &["--input=text", "-n", "large"],
        &["--csv", "--host=h.org", "--max-count=20000", "large"],
        &["--format={message.index} {url}", "large"],
        &["--context=2", "--join=likely", "--dot-stuffing", "large"],
        &["-uc", "--no-headers", "--attachments", "large"],
        &["-c", "."],
        &["-m9000", "-n", "large", "preamble"],
    ] {
        let with = |threads| run(within(&files, &[&[threads], args].concat()), b"");
        let alone = with("-j1");
        assert_eq!(alone.status, Some(0));
        for threads in ["-j2", "-j4"] {
            let ran = with(threads);
            assert!(ran.stdout == alone.stdout, "{threads} {args:?}");
            assert_eq!(numbers(&ran.stderr), numbers(&alone.stderr), "{threads} {args:?}");
        }
    }
}

/// Long lines at a cut, which start messages only because of the text after them.
#[test]
fn the_text_after_a_cut_matters() {
    let long = format!("From a@h.org {}\n", "and so on ".repeat(700));
    let message = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nTo: b@h.org\n\nhttp://h.org/\n\n";
    let mbox = format!("{message}{}", format!("{long}{message}").repeat(3_000));
    let files = folder(&[("large", &mbox)]);
    for threads in ["-j1", "-j2"] {
        let ran = run(within(&files, &[threads, "--format={message.index}", "--stats", "large"]), b"");
        assert!(ran.stderr.starts_with("files    1\nmessages 6001\n"), "{threads} {}", ran.stderr);
        let expected: String = (0..3_001).map(|n| format!("{}\n", 2 * n)).collect();
        assert!(ran.stdout == expected, "{threads}");
    }
}

#[test]
fn the_messages_of_all_chunks_are_counted() {
    let filler = "and so on, and on and on, as mail does go on\n".repeat(40);
    let message = format!("From -1234\nFrom: a@h.org\nTo: b@h.org\n\nhttp://h.org/\n{filler}\n");
    let files = folder(&[("large", &message.repeat(10_000)), ("small", &message)]);
    let ran = run(within(&files, &["-j2", "--json", "--stats", "large", "small"]), b"");
    let numbers: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!((&numbers["files"], &numbers["messages"]), (&2.into(), &10_001.into()));
    assert_eq!(numbers["bytes"], 10_001 * message.len());
    let found = |n: usize| serde_json::from_str::<Value>(ran.stdout.lines().nth(n).unwrap()).unwrap();
    for (n, index) in [(4_321, 4_321), (9_999, 9_999), (10_000, 0)] {
        let found = found(n);
        assert_eq!(found["message"]["index"], index);
        assert_eq!(found["line"], index * 46 + 5);
        assert_eq!(found["start"], index * message.len() + 38);
    }
}

/// Messages are counted up to the last match that is printed, however far the search
/// went.
#[test]
fn messages_after_enough_matches_do_not_count() {
    let filler = "and so on, and on and on, as mail does go on\n".repeat(40);
    let message =
        format!("From -1234\nFrom: a@h.org\nTo: b@h.org\n\n{filler}\nhttp://h.org/ ftp://h.org/\n\n");
    let files = folder(&[("large", &message.repeat(10_000)), ("small", &message)]);
    for (most, messages) in
        [("-m1", 2), ("-m3", 3), ("-m9000", 4_501), ("-m18001", 9_002), ("-m30000", 10_001)]
    {
        for threads in ["-j1", "-j2"] {
            let args = [most, threads, "--stats", "--report=r.html", "large", "small"];
            let ran = run(within(&files, &args), b"");
            let expected = format!("files    2\nmessages {messages}\n");
            assert!(ran.stderr.starts_with(&expected), "{threads} {most}: {}", ran.stderr);
            let page = std::fs::read_to_string(files.path().join("r.html")).unwrap();
            assert!(page.contains(&format!("\"messages\":{messages}}}")), "{threads} {most}");
        }
    }
}

#[test]
fn too_many_levels_in_any_chunk_are_one_warning() {
    let message = format!("From -1234\nFrom: a@h.org\nTo: b@h.org\n\n{}\n", "and so on\n".repeat(100));
    let part = |n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n");
    let deep = format!("From -1234\n{}\nhttp://h.org/\n\n", (0..1000).map(part).collect::<String>());
    let many = message.repeat(20_000);
    for large in [format!("{message}{deep}{many}"), format!("{deep}{many}{deep}"), format!("{many}{deep}")] {
        let files = folder(&[("large", &large), ("small", &message)]);
        let [alone, two] =
            ["-j1", "-j2"].map(|threads| run(within(&files, &[threads, "large", "small"]), b""));
        assert_eq!(alone, two);
        assert_eq!(two.stderr.lines().count(), 1, "{}", two.stderr);
        assert!(two.stderr.contains("large: more than 100 levels"), "{}", two.stderr);
    }
}
