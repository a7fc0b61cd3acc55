//! Messages about options name the option and what it takes; and outputs that need no other.

use std::fs;
use std::process::Stdio;

use super::{ends, folder, prints, run, urlgrep, within};

/// The error for these arguments, which is one line.
#[track_caller]
fn error(args: &[&str]) -> String {
    let ran = run(urlgrep(args), b"");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{args:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.stderr.trim_end().to_owned()
}

/// As in grep, a pattern may begin with a hyphen; and so may a template.
#[test]
fn values_that_begin_with_a_hyphen() {
    let text = b"http://h.org/a-x http://h.org/b\n";
    prints(&["-e", "-x"], text, "http://h.org/a-x\n");
    prints(&["--exclude", "-x"], text, "http://h.org/b\n");
    prints(&["--format", "- <{url}>", "-m1"], text, "- <http://h.org/a-x>\n");
    assert_eq!(error(&["--from", "-("]).lines().count(), 1);
}

#[test]
fn messages_name_the_option_and_what_it_takes() {
    for (args, message) in [
        (&["-m", "x"][..], "--max-count \"x\": expected a number of matches, such as 10"),
        (&["-m", "-1"], "--max-count \"-1\": expected a number of matches, such as 10"),
        (&["-d", "1.5"], "--max-depth \"1.5\": expected a number of directories, such as 2"),
        (&["-j", "0"], "--threads \"0\": expected a number of at least 1"),
        (&["--newest", "0"], "--newest \"0\": expected a number of at least 1, or all"),
        (&["-C", "a"], "--context \"a\": expected a number of lines, such as 2"),
        (&["-A", "-3"], "--after-context \"-3\": expected a number of lines, such as 2"),
        (&["--memory", "1G"], "--memory \"1G\": expected a number of megabytes, such as 512"),
        (&["--max-len", "4K"], "--max-len \"4K\": expected a number of bytes, such as 4096"),
        (&["--max-len=3"], "--max-len \"3\": expected a limit of at least 16 bytes, found 3"),
        (
            &["--scheme", "http,ht_tp"],
            "--scheme: expected a scheme (a letter, then letters, digits, '+', '-' or '.', at most 32 in all), found \
             \"ht_tp\"",
        ),
        (
            &["--grade", "strict"],
            "--grade: expected rfc1738, rfc3986, lenient or draft1994, found \"strict\"",
        ),
        (&["--join"], "--join: expected none, delimited or likely, found no value"),
        (&["--host"], "--host: expected a value, found no value"),
        (&["--links=3"], "--links: expected no value, found \"3\""),
        (&["--since", "2001-13"], "--since \"2001-13\": this month or day does not exist"),
        (&["--nth"], "unknown option --nth; --help lists the options"),
        (&["--frmo=x"], "unknown option --frmo; did you mean --from?"),
        (&["--json", "--menu"], "--json cannot be used with --menu"),
        (
            &["--format={url}", "--csv", "-c"],
            "--format cannot be used with --csv or --count; to choose the columns, use --csv --columns LIST",
        ),
        (&["--open-with=w3m"], "--open-with requires --menu"),
        (&["--grade=draft1994"], "--grade draft1994 requires --dialect draft"),
        (&["--invalid", "--explain"], "--invalid cannot be used with --explain"),
        (&["--invalid", "-B1"], "--context with --invalid requires --json"),
        (&["-e", "a", "-e", "(\n"], "--match: expected a regex, found \"(\\x0A\": unclosed group"),
        (&["--type=x"], "--type: unknown type \"x\"; --type-list lists the types"),
        (&["-T", "htm"], "--type-not: unknown type \"htm\"; did you mean html?"),
    ] {
        assert_eq!(error(args), format!("urlgrep: {message}"));
    }
    // A limit that no number of the machine reaches is no limit.
    prints(&["-m", "99999999999999999999999"], b"http://h.org/\n", "http://h.org/\n");
    prints(&["--scheme", "http, ftp"], b"http://h.org/ ftp://h.org/\n", "http://h.org/\nftp://h.org/\n");
}

#[test]
fn a_file_type_that_was_added_is_a_value() {
    let files = folder(&[("a.note", "http://h.org/a\n"), ("b.txt", "http://h.org/b\n")]);
    ends(
        run(within(&files, &["-I", "--type-add", "notes:*.note", "-t", "notes", "."]), b""),
        0,
        "http://h.org/a\n",
    );
}

#[test]
fn a_path_that_is_missing_is_not_listed() {
    let files = folder(&[("a", "x")]);
    let ran = run(within(&files, &["--files", "missing", "a"]), b"");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), "a\n"));
    assert!(ran.stderr.starts_with("urlgrep: missing: "), "{}", ran.stderr);
}

/// A zip archive of two files, with one URL and two.
fn zip() -> Vec<u8> {
    let members = [
        ("b.mbox", "From a Thu Jan  1 00:00:00 1998\n\nhttp://h.org/1\n"),
        ("c", "http://h.org/2 http://h.org/3\n"),
    ];
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in members {
        let at = zip.len() as u32;
        let crc = crc32(text.as_bytes()).to_le_bytes();
        let len = (text.len() as u32).to_le_bytes();
        let common =
            [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc, &len, &len, &[name.len() as u8, 0, 0, 0]].concat();
        zip.extend([b"PK\x03\x04", &common[..], name.as_bytes(), text.as_bytes()].concat());
        let central =
            [b"PK\x01\x02\x14\0", &common[..], &[0; 10][..], &at.to_le_bytes(), name.as_bytes()].concat();
        directory.extend(central);
    }
    let (at, len) = (zip.len() as u32, directory.len() as u32);
    zip.extend(directory);
    zip.extend(
        [&b"PK\x05\x06\0\0\0\0\x02\0\x02\0"[..], &len.to_le_bytes(), &at.to_le_bytes(), &[0, 0]].concat(),
    );
    zip
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ ((sum & 1) * 0xEDB8_8320))
    })
}

#[test]
fn counts_name_the_members_of_an_archive() {
    let files = folder(&[("plain", "http://h.org/\n")]);
    fs::write(files.path().join("a.zip"), zip()).unwrap();
    let print = |args: &[&str], expected: &str| ends(run(within(&files, args), b""), 0, expected);
    print(&["-c", "a.zip"], "a.zip!/b.mbox:1\na.zip!/c:2\ntotal:3\n");
    print(&["-cI", "a.zip"], "1\n2\n");
    print(&["-c", "plain"], "1\n");
    print(&["-cH", "plain"], "plain:1\n");
    print(&["-c", "a.zip", "plain"], "a.zip!/b.mbox:1\na.zip!/c:2\nplain:1\ntotal:4\n");
    print(&["-c0", "plain", "plain"], "plain\x001\nplain\x001\ntotal\x002\n");
    print(
        &["-c", "--json", "a.zip"],
        "{\"path\":\"a.zip!/b.mbox\",\"count\":1}\n{\"path\":\"a.zip!/c\",\"count\":2}\n",
    );
    ends(run(urlgrep(&["-c"]), &zip()), 0, "-!/b.mbox:1\n-!/c:2\ntotal:3\n");
}

#[test]
fn a_report_without_other_output() {
    let files = folder(&[("a", "http://h.org/1\nhttp://h.org/2\n")]);
    let ran = run(within(&files, &["-q", "--report", "r.html", "a", "missing"]), b"");
    assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
    ends(run(within(&files, &["-q", "--report", "r.html", "a"]), b""), 0, "");
    let page = super::report::unpacked(&fs::read_to_string(files.path().join("r.html")).unwrap());
    assert!(page.contains("http://h.org/1") && page.contains("http://h.org/2"));

    let ran = run(within(&files, &["--report", "-", "a"]), b"");
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""));
    assert!(super::report::unpacked(&ran.stdout) == page, "the page on standard output is the same");
    assert!(!files.path().join("-").exists());
    ends(run(within(&files, &["--report=-", "--host", "none", "a"]), b"").without_stdout(), 1, "");
}

/// Nobody reads all of the page: that is no error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_report() {
    let text = "http://h.org/a/long/path\n".repeat(20_000);
    let files = folder(&[("a", &text)]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output =
        within(&files, &["--report", "-", "a"]).stdin(Stdio::null()).stdout(writer).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_parts_of_mailto_and_of_ports_that_are_none() {
    let check = |url: &str| run(urlgrep(&["--check", url]), b"").stdout;
    assert_eq!(
        check("mailto:a@h.org?subject=x"),
        "mailto:a@h.org?subject=x\n  grade     rfc1738\n  scheme    mailto\n  address   a@h.org\n  local     a\n  \
         domain    h.org\n  headers   subject=x\n"
    );
    let out = check("mailto:a@h.org,b@h.org?cc=c@h.org&subject=a%20b");
    assert!(out.ends_with(
        "  scheme    mailto\n  address   a@h.org,b@h.org\n  headers   cc=c@h.org&subject=a%20b\n"
    ));
    assert!(check("mailto:?to=a@h.org").ends_with("  scheme    mailto\n  headers   to=a@h.org\n"));
    for port in ["65536", "99999", "123456789012345678901234567890"] {
        let out = check(&format!("http://h.org:{port}/"));
        assert!(
            out.contains(&format!("\n  port      {port}\n")) && out.ends_with("\n  warning   port\n"),
            "{out}"
        );
    }
    assert!(!check("http://h.org:65535/").contains("warning"));
    let none = check("no URL");
    assert!(none.contains("\n  grade     none\n"), "{none}");
}

/// Options of grep and of earlier versions, each with the words that say what to type.
#[test]
fn every_option_of_grep_has_a_hint() {
    let rows = [
        ("--dereference-recursive", "use --follow"),
        ("-y", "use -i"),
        ("-S --smart-case", "use -i"),
        ("-v --invert-match", "use --exclude REGEX"),
        ("-E -G -P --extended-regexp --basic-regexp --perl-regexp --pcre2", "use -e REGEX"),
        ("-a --text --binary-files", "use --input text"),
        ("-w --word-regexp", r"use -e '\bWORD\b'"),
        ("-x --line-regexp", "use -e '^URL$'"),
        ("-z --search-zip", "archives are always searched"),
        ("--null-data", "use --files-from FILE"),
        ("--trim", "never the spaces around them"),
        ("--replace", "use --format TEMPLATE"),
        ("--open", "use --menu"),
        ("-Z", "use -0 or --null"),
        ("--include", "use --glob GLOB; by type, use --type TYPE"),
        ("--exclude-dir", "use --glob '!NAME'"),
        ("--files-without-match", "--count prints 0"),
        ("--schema --https --http", "use --scheme LIST"),
        ("--domain --site", "use --host HOST"),
        ("--exclude-host --exclude-domain", "use --host '!HOST'"),
        ("--pattern", "use -e REGEX"),
        ("--limit --head", "use -m NUM"),
        ("--dedupe --dedup --uniq", "use --unique"),
        ("--output", "urlgrep PATH > FILE"),
        ("--table", "use --csv"),
        ("--field --fields", "use --columns LIST"),
        ("--host-list", "use --host @FILE"),
        ("--hosts", "use --schemeless hosts"),
        ("--domains", "use --schemeless domains or all-domains"),
        ("--addresses", "use --schemeless emails"),
        ("--known", "use --scheme-add LIST"),
        ("--iglob", "use --glob '*.[jJ][pP][gG]'"),
        ("--pre-glob", "--pre '*.pdf pdftotext {} -'"),
        ("--base", "put <base href=\"URL\"> before the page"),
        ("-N --no-line-number", "only with -n"),
        ("--no-ignore", "unless --ignore is used"),
        ("--label", "use --format 'NAME:{url}'"),
        ("--browser", "use --menu --open-with CMD"),
        ("--after --after-date", "use --since DATE"),
        ("--before", "use --until DATE"),
        ("--month", "use --since 2001-03 --until 2001-03"),
        ("--subject", "use --where message.subject=REGEX"),
        ("--to", "use --where message.to,message.cc=REGEX"),
        ("--list", "use --where message.list_id,message.newsgroups=REGEX"),
        ("--header", "use --where header.NAME=REGEX"),
        ("--no-links", "without --links"),
        ("--sort=newest --sort=oldest --sort=date", "use --newest all"),
        ("--csv=url", "use --csv --columns LIST"),
    ];
    let mut failures = Vec::new();
    for (options, words) in rows {
        for option in options.split(' ') {
            let ran = run(urlgrep(&[option]), b"http://h.org/\n");
            let advice = ran.stderr.split_once("; ").map_or("", |(_, advice)| advice);
            if ran.status != Some(2) || !ran.stdout.is_empty() || !advice.contains(words) {
                failures.push(format!("{option}: {}", ran.stderr));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Names of columns in other programs and earlier versions.
#[test]
fn every_other_name_of_a_column_has_a_hint() {
    for (names, field) in [
        ("domain", "registered_domain"),
        ("offset byte_offset", "pieces, or start (the offset of the delimiter)"),
        ("segments", "pieces"),
        ("tld", "public_suffix"),
        ("sender from", "message.from"),
        ("date", "message.date"),
    ] {
        for name in names.split(' ') {
            let error = error(&["--csv", "--columns", name]);
            assert!(error.contains(&format!("unknown field {name:?}; ")) && error.contains(field), "{error}");
        }
    }
}
