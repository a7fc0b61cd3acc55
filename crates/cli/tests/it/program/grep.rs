//! Options that users of grep and ripgrep know.

use std::fs;
use std::time::{Duration, SystemTime};

use super::{ends, folder, prints, run, urlgrep, within};

const TEXT: &[u8] = b"one\ntwo\nhttp://h.org/a\nthree\nfour\n";

#[test]
fn lines_before_and_after() {
    let lines = |args: &[&str], shown: &[&str]| {
        let shown: String = shown.iter().map(|line| format!("  | {line}\n")).collect();
        prints(args, TEXT, &format!("http://h.org/a\n{shown}"));
    };
    lines(&["-A1"], &["http://h.org/a", "three"]);
    lines(&["-B", "2"], &["one", "two", "http://h.org/a"]);
    lines(&["-C", "1"], &["two", "http://h.org/a", "three"]);
    lines(&["--context", "1", "--after-context=0"], &["two", "http://h.org/a"]);
    lines(&["--before-context=1", "--context=9"], &["two", "http://h.org/a", "three", "four"]);
    let ran = run(urlgrep(&["-C", "mail.txt"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("expected a number of lines"), "{}", ran.stderr);
}

#[test]
fn paths_above_the_matches() {
    let files = folder(&[
        ("a", "http://h.org/a\nhttp://h.org/b\n"),
        ("b", "nothing\n"),
        ("c", "http://h.org/a\nhttp://h.org/c\n"),
    ]);
    let all = "a\n1:http://h.org/a\n2:http://h.org/b\n\nc\n1:http://h.org/a\n2:http://h.org/c\n";
    for threads in ["-j1", "-j3"] {
        ends(
            run(within(&files, &["--heading", "-n", threads, "."]), b""),
            0,
            &all.replace("a\n1", "./a\n1").replace("c\n1", "./c\n1"),
        );
        ends(run(within(&files, &["--heading", "-n", threads, "a", "b", "c"]), b""), 0, all);
        let once = "a\nhttp://h.org/a\nhttp://h.org/b\n\nc\nhttp://h.org/c\n";
        ends(run(within(&files, &["--heading", "-u", threads, "a", "b", "c"]), b""), 0, once);
    }
    let lines = "a:http://h.org/a\na:http://h.org/b\n";
    ends(run(within(&files, &["--heading", "--no-heading", "a", "b"]), b""), 0, lines);
    // One file has no heading, unless its path is wanted.
    ends(run(within(&files, &["--heading", "-c", "a"]), b""), 0, "2\n");
    ends(run(within(&files, &["--heading", "-m1", "a"]), b""), 0, "http://h.org/a\n");
    ends(run(within(&files, &["--heading", "-H", "-m1", "a"]), b""), 0, "a\nhttp://h.org/a\n");
}

#[test]
fn the_format_of_vim() {
    let files = folder(&[("a", "x\n  <http://h.org/a>\n")]);
    ends(run(within(&files, &["--vimgrep", "a"]), b""), 0, "a:2:3:http://h.org/a\n");
}

#[test]
fn files_by_time_and_length() {
    let files =
        folder(&[("a", "http://h.org/aaa\n"), ("b", "http://h.org/b\n"), ("d/c", "http://h.org/cc\n")]);
    for (name, age) in [("a", 30), ("b", 10), ("d/c", 20)] {
        let file = fs::File::options().append(true).open(files.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }
    let order = |sort: &str, urls: [&str; 3]| {
        let shown: String = urls.iter().map(|url| format!("http://h.org/{url}\n")).collect();
        ends(run(within(&files, &["--sort", sort, "-I", "."]), b""), 0, &shown);
    };
    order("modified", ["aaa", "cc", "b"]);
    order("size", ["b", "cc", "aaa"]);
    order("path", ["aaa", "b", "cc"]);
}

#[test]
fn files_by_name_and_size() {
    let long = format!("{}http://h.org/long\n", "x ".repeat(600));
    let files = folder(&[("A.NOTE", "http://h.org/a"), ("b.txt", "http://h.org/b\n"), ("long.txt", &long)]);
    let urls = |args: &[&str], urls: &str| {
        let args = [&["-I"][..], args, &["."]].concat();
        ends(
            run(within(&files, &args), b""),
            0,
            &urls.split(' ').map(|url| format!("http://h.org/{url}\n")).collect::<String>(),
        );
    };
    urls(&["--glob=*.[nN][oO][tT][eE]"], "a");
    urls(&["--glob=!*.NOTE"], "b long");
    urls(&["--type-add=notes:*.NOTE", "-tnotes"], "a");
    urls(&["--type-add=text:*.NOTE", "-ttext", "--max-filesize=1K"], "a b");
    urls(&["--max-filesize", "1K"], "a b");
    // One is 14 bytes long, the other 15.
    urls(&["--max-filesize=14"], "a");
    urls(&["--max-filesize=15"], "a b");
    let ran = run(within(&files, &["--max-filesize=much", "."]), b"");
    assert!(ran.stderr.contains("expected a number of bytes"), "{}", ran.stderr);
    let ran = run(within(&files, &["--type-add=notes", "."]), b"");
    assert!(ran.stderr.contains("expected TYPE:GLOB, found "), "{}", ran.stderr);
    // A file that is named is searched in any case.
    ends(run(within(&files, &["--max-filesize=1", "long.txt"]), b""), 0, "http://h.org/long\n");
}

#[test]
fn urls_that_contain_a_string() {
    let files = folder(&[("strings", "h.org/a\r\n\nORG\n.*\n"), ("empty", "\n"), ("more", "b.org")]);
    let text = b"http://h.org/a http://h.org/b http://h.ORG/c http://b.org/d";
    ends(run(within(&files, &["-f", "strings"]), text), 0, "http://h.org/a\nhttp://h.ORG/c\n");
    ends(
        run(within(&files, &["-F", "-f", "strings", "-f", "more"]), text),
        0,
        "http://h.org/a\nhttp://h.ORG/c\nhttp://b.org/d\n",
    );
    ends(
        run(within(&files, &["--strings-file=strings", "--match=d$"]), text),
        0,
        "http://h.org/a\nhttp://h.ORG/c\nhttp://b.org/d\n",
    );
    ends(run(within(&files, &["-f", "strings", "--exclude=ORG"]), text), 0, "http://h.org/a\n");
    ends(run(within(&files, &["-f", "empty"]), text), 1, "");
    let ran = run(within(&files, &["-f", "missing"]), text);
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.starts_with("urlgrep: --strings-file: missing: "), "{}", ran.stderr);
}

const MBOX: &[u8] = b"From a@h.org Fri Mar  2 10:11:12 2001
From: =?utf-8?q?J=C3=BCrgen?= <a@h.org>
Subject: A link
Date: Fri, 2 Mar 2001 23:30:00 -0100

http://h.org/1

From b@h.org Sat Mar  3 10:11:12 2001
From: b@h.org
Subject: Re: a LINK
Date: Sat, 3 Mar 2001 10:11:12 +0000

http://h.org/2

From c@h.org Sun Mar  4 10:11:12 2001
From: c@h.org
Subject: nothing

http://h.org/3
";

#[test]
fn pages_of_messages_by_date_sender_and_subject() {
    let page = b"<!-- MHonArc v2.4.3 -->\n<!--X-Subject: A link -->\n<!--X-From-R13: O <oNu.bet> -->\n\
        <!--X-Date: Fri, 2 Mar 2001 23:30:00 &#45;0100 -->\n<!--X-Message-Id: 1@h.org -->\n\
        <html><a href=\"http://h.org/1\">a</a></html>\n";
    for args in [["--since=2001-03-02"], ["--from=^A <b@h"], ["--where=message.subject=^a link$"]] {
        prints(&args, page, "http://h.org/1\n");
    }
    prints(&["--until=2001-03-01"], page, "");
    let plain =
        run(urlgrep(&["--where=message.subject=."]), b"<html><a href=\"http://h.org/1\">a</a></html>\n");
    let hint = "urlgrep: hint: no message or record has the field message.subject\n";
    assert_eq!((&*plain.stdout, &*plain.stderr), ("", hint));
    prints(
        &["--format={message.id} {message.from} {message.date} {message.content_type} {message.part}."],
        page,
        "1@h.org A <b@h.org> 2001-03-02T23:30:00-01:00 text/html .\n",
    );
}

/// A message without a date.
const UNDATED: &[u8] = b"From: e@h.org\nMessage-ID: <6@h.org>\n\nhttp://h.org/6\n";

#[test]
fn messages_by_date_sender_and_subject() {
    let urls = |args: &[&str], urls: &[&str]| {
        let shown: String = urls.iter().map(|url| format!("http://h.org/{url}\n")).collect();
        prints(args, MBOX, &shown);
    };
    // The third message has the date of its separator.
    urls(&["--since=2001-03-03"], &["2", "3"]);
    urls(&["--until=2001-03-02"], &["1"]);
    urls(&["--until=2001-03-03T09:00"], &["1"]);
    urls(&["--since=2000", "--until=2001"], &["1", "2", "3"]);
    urls(&["--from=j\u{fc}rgen"], &["1"]);
    urls(&["--where=message.subject=^a link|^re:"], &["1", "2"]);
    urls(&["--where=message.subject=link", "--from=^b@"], &["2"]);
    urls(&["--since=2001/03/03", "--until=20010303"], &["2"]);
    urls(&["--until=7d"], &["1", "2", "3"]);
    let undated = run(urlgrep(&["--since=2000"]), UNDATED);
    assert_eq!(
        (&*undated.stdout, &*undated.stderr),
        ("", "urlgrep: hint: no message or record has the field message.date\n")
    );
    urls(&["--since=2 weeks ago"], &[]);
    urls(&["--since=yesterday"], &[]);
    // Text is not a message.
    let text = run(urlgrep(&["--from=."]), b"http://h.org/");
    let hint = "urlgrep: hint: no message or record has the field header.From\n";
    assert_eq!((&*text.stdout, &*text.stderr), ("", hint));
    for option in ["--since=tomorrow", "--until=2001-02-30", "--from=("] {
        assert_eq!(run(urlgrep(&[option]), MBOX).status, Some(2), "{option}");
    }
}

/// The first message was sent on 2 March at 23:30 by the clock of its sender, which `{message.date}` prints, and on 3 March at
/// 00:30 in UTC. What is asked without a zone is compared with what is printed.
#[test]
fn a_date_without_a_zone_is_that_of_the_sender() {
    for (args, is_printed) in [
        (["--since=2001-03-02T23:30", "--until=2001-03-02T23:30"], true),
        (["--since=2001-03-03", "--until=2001-03-03T01:00"], false),
        (["--since=2001-03-03T00:30Z", "--until=2001-03-03T01:30+01:00"], true),
        (["--since=2001-03-02T23:30:01-01:00", "--until=2001-03-03T00:30:00Z"], false),
        (["--since=2001-03-02", "--until=2001-03-03T00:29Z"], false),
    ] {
        prints(&args, MBOX, if is_printed { "http://h.org/1\n" } else { "" });
    }
    let mail = b"From: a@h.org\nDate: Mon, 31 Oct 2016 21:35:37 -0230\n\nhttp://h.org/a\n";
    prints(&["--since=2016-10", "--until=2016-10"], mail, "http://h.org/a\n");
    prints(&["--since=2016-11"], mail, "");
    // Without a zone, a message is in UTC.
    let mail = b"From: a@h.org\nDate: Mon, 31 Oct 2016 21:35:37\n\nhttp://h.org/a\n";
    prints(&["--since=2016-10-31T21:35:37", "--until=2016-10-31T21:35:37Z"], mail, "http://h.org/a\n");
}

/// The newest messages that have URLs, in all files, whichever thread searches them.
#[test]
fn the_newest_messages() {
    let later = "From: c@h.org\nDate: Mon, 5 Mar 2001 10:11:12 +0000\n\nhttp://h.org/1 http://h.org/4\n";
    let none = "From: d@h.org\nDate: Tue, 6 Mar 2001 10:11:12 +0000\n\nno URL\n";
    let (mbox, undated) = (str::from_utf8(MBOX).unwrap(), str::from_utf8(UNDATED).unwrap());
    let files = folder(&[("a", mbox), ("b", later), ("c", none), ("d", "http://h.org/5"), ("e", undated)]);
    let prints = |args: &[&str], expected: &str| {
        for threads in ["-j1", "-j2"] {
            let args = [&[threads], args, &["a", "b", "c", "d", "e"]].concat();
            ends(run(within(&files, &args), b""), 0, expected);
        }
    };
    prints(&["--newest=1"], "b:http://h.org/1\nb:http://h.org/4\n");
    prints(&["--newest=2", "-n"], "b:4:http://h.org/1\nb:4:http://h.org/4\na:19:http://h.org/3\n");
    // The message in "e" has no date; "d" is none.
    let all = "http://h.org/1\nhttp://h.org/4\nhttp://h.org/3\nhttp://h.org/2\nhttp://h.org/6\n";
    prints(&["--newest=9", "-uI"], all);
    prints(&["--newest=all", "-uI"], all);
    // Nothing is printed of a text, and so nothing matched.
    ends(run(within(&files, &["--newest=1", "d"]), b""), 1, "");
    // A heading would be that of one file.
    prints(&["--newest=1", "-p", "--color=never"], "b:4:http://h.org/1\nb:4:http://h.org/4\n");
    let counted = run(within(&files, &["--newest=1", "--stats", "a", "b"]), b"");
    assert!(counted.stderr.contains("\nmatches  2\n"), "{}", counted.stderr);
    ends(
        run(within(&files, &["--newest=1", "-q", "--report=r.html", "a", "b"]), b"").without_stdout(),
        0,
        "",
    );
    let page = super::report::unpacked(&fs::read_to_string(files.path().join("r.html")).unwrap());
    assert!(page.contains("http://h.org/4") && !page.contains("http://h.org/2"));
}

/// Large files are searched in parts, which count messages from their own start.
#[test]
fn the_newest_messages_of_a_large_file() {
    // An hour apart.
    let message = |n: u32| {
        let (day, hour) = (1 + n / 24, n % 24);
        format!(
            "From a@h.org Fri Mar  2 10:11:12 2001\nDate: {day} Mar 2001 {hour:02}:00:00 +0000\n\n{}http://h.org/{n}\n\n",
            "text\n".repeat(4000)
        )
    };
    let mbox: String = (0..600).map(message).collect();
    let files = folder(&[("a", &mbox)]);
    let newest = "http://h.org/599\nhttp://h.org/598\nhttp://h.org/597\n";
    for threads in ["-j1", "-j3"] {
        ends(run(within(&files, &["--newest=3", threads, "a"]), b""), 0, newest);
    }
}

#[cfg(unix)]
#[test]
fn a_command_for_each_file() {
    use std::os::unix::fs::PermissionsExt;

    let files = folder(&[("a.pdf", "a"), ("b.txt", "http://h.org/b\n"), ("pre", "")]);
    let script =
        "#!/bin/sh\ncase $1 in *bad*) echo http://h.org/part; exit 3;; esac\necho http://h.org/$(cat)/$1\n";
    let pre = files.path().join("pre");
    fs::write(&pre, script).unwrap();
    fs::set_permissions(&pre, fs::Permissions::from_mode(0o755)).unwrap();
    let all = "a.pdf:http://h.org/a/a.pdf\nb.txt:http://h.org/b\n";
    ends(run(within(&files, &["--pre=*.pdf ./pre", "a.pdf", "b.txt"]), b""), 0, all);
    for globs in ["!*.txt", "'*.x' *.pdf"] {
        ends(run(within(&files, &[&*format!("--pre={globs} ./pre {{}}"), "a.pdf", "b.txt"]), b""), 0, all);
    }
    fs::write(files.path().join("bad"), "").unwrap();
    let ran = run(within(&files, &["--pre", "./pre", "bad"]), b"");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), "http://h.org/part\n"));
    assert!(ran.stderr.contains("urlgrep: bad: ") && ran.stderr.contains("exit status: 3"), "{}", ran.stderr);
    let ran = run(within(&files, &["--pre=./missing", "b.txt"]), b"");
    assert_eq!(ran.status, Some(2));
    assert!(ran.stderr.contains("--pre: ./missing: "), "{}", ran.stderr);
    // Arguments, and where the path is.
    ends(run(within(&files, &["--pre=./pre {} 'a b'", "-I", "a.pdf"]), b""), 0, "http://h.org/a/a.pdf\n");
    ends(
        run(within(&files, &["--pre=sh -c 'echo http://h.org/$1/$2' x {} '-c d'", "-I", "b.txt"]), b""),
        0,
        "http://h.org/b.txt/-c\n",
    );
    for command in ["", "./pre 'a", "*.txt", "a[*.txt ./pre"] {
        let ran = run(within(&files, &["--pre", command, "b.txt"]), b"");
        assert!(ran.status == Some(2) && ran.stderr.contains("--pre: "), "{command}: {}", ran.stderr);
    }
    // A name is not taken for an option.
    fs::write(files.path().join("--help"), "x").unwrap();
    ends(run(within(&files, &["--pre=./pre", "-I", "--", "--help"]), b""), 0, "http://h.org/x/./--help\n");
    // The reader ends before the command.
    let forever = "#!/bin/sh\nyes http://h.org/\n";
    fs::write(&pre, forever).unwrap();
    ends(run(within(&files, &["--pre=./pre", "-m1", "a.pdf"]), b""), 0, "http://h.org/\n");
}

#[test]
fn hints_say_what_to_type() {
    let files = folder(&[("a.txt", "http://h.org/\n")]);
    let hint = |args: &[&str], status: i32, words: &str| {
        let ran = run(within(&files, args), b"");
        assert_eq!(ran.status, Some(status), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    };
    hint(&["http", "a.txt"], 2, "to filter URLs by a pattern, use -e 'http'");
    hint(&["eff.org", "a.txt"], 2, "to filter URLs by a pattern, use --host 'eff.org'");
    hint(&["--exclude", "*.txt", "."], 2, "--glob '!*.txt'");
    for (args, options) in [
        (&["-t", "mbox"][..], "--type"),
        (&["-g", "*.eml"], "--glob"),
        (&["-g", "!a*", "-T", "text"], "--glob and --type-not"),
        (&["-d0", "--max-filesize=1"], "--max-depth and --max-filesize"),
    ] {
        let words = format!("urlgrep: hint: no files were searched; omit or change {options}\n");
        hint(&[args, &["."]].concat(), 1, &words);
    }
    let hidden = folder(&[(".hidden/a.txt", "http://h.org/\n")]);
    let ran = run(within(&hidden, &["."]), b"");
    assert_eq!(
        (ran.status, &*ran.stderr),
        (Some(1), "urlgrep: hint: no files were searched; to search hidden files, use --hidden\n")
    );
    ends(run(within(&hidden, &["--no-filename", "--hidden", "."]), b""), 0, "http://h.org/\n");
    hint(
        &["http://h.org/"],
        2,
        "use curl 'http://h.org/' | urlgrep; to check the URL, use --check 'http://h.org/'",
    );
    hint(&["a.txt", "x://\u{1b}"], 2, "--check 'x://\\x1B'");
    for args in [
        &["missing", "also"][..],
        &["http:/a", "a.txt"],
        &["notes.md", "a.txt"],
        &["--check", "http://h.org/"],
    ] {
        let ran = run(within(&files, args), b"");
        assert!(!ran.stderr.contains("; "), "{}", ran.stderr);
    }
}

#[test]
fn counts_and_names_as_values() {
    let files = folder(&[("=a,b", "http://h.org/a http://h.org/a"), ("b", "none")]);
    let ran = |args: &[&str]| run(within(&files, &[args, &["--", "=a,b", "b"]].concat()), b"");
    ends(ran(&["-c", "--csv"]), 0, "path,count\n\"'=a,b\",2\nb,0\n");
    ends(ran(&["-c", "--csv=raw"]), 0, "path,count\n\"=a,b\",2\nb,0\n");
    ends(ran(&["-uc", "--csv"]), 0, "url,count\nhttp://h.org/a,2\n");
    ends(ran(&["-l", "--csv"]), 0, "path\n\"'=a,b\"\n");
    ends(ran(&["-l", "--json"]), 0, "{\"path\":\"=a,b\"}\n");
    for option in ["-c", "-l"] {
        let ran = ran(&[option, "--format={url}"]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }
}

#[test]
fn counts_as_json() {
    let files = folder(&[("a", "http://h.org/a http://h.org/a"), ("b", "none")]);
    let counts = "{\"path\":\"a\",\"count\":2}\n{\"path\":\"b\",\"count\":0}\n";
    ends(run(within(&files, &["-c", "--json", "a", "b"]), b""), 0, counts);
    ends(
        run(within(&files, &["-uc", "--json", "a", "b"]), b""),
        0,
        "{\"url\":\"http://h.org/a\",\"count\":2}\n",
    );
}

#[test]
fn errors_can_be_silent() {
    let files = folder(&[("a", "http://h.org/a"), ("b.png", "\u{89}PNG")]);
    fs::write(files.path().join("b.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    for option in ["-s", "--no-messages"] {
        let ran = run(within(&files, &[option, "a", "b.png", "missing"]), b"");
        assert_eq!((&*ran.stdout, &*ran.stderr, ran.status), ("a:http://h.org/a\n", "", Some(2)));
    }
}
