//! `--format` and `--csv`.

use super::{ends, folder, prints, run, urlgrep, within};

const TEXT: &[u8] = b"ab\n <URL:HTTP://h.org/x-\n  y#f> http://u:p@h.org/~me/\n";

#[test]
fn a_template() {
    prints(&["--format", "{path}:{line}:{url}"], TEXT, "-:2:HTTP://h.org/x-y#f\n-:3:http://u:p@h.org/~me/\n");
    prints(&["--format={{{column}}} {start}..{end}"], TEXT, "{2} 4..31\n{8} 32..53\n");
    prints(
        &["--format", "{pieces}, {join}, {alternatives}, {warnings}."],
        TEXT,
        "9-24 27-30, delimited, HTTP://h.org/xy#f, .\n32-53, , , password.\n",
    );
    prints(
        &["--format", "{scheme} {form} {grade} {reason.production} {reason.offset}"],
        TEXT,
        "http wrapper rfc1738  \nhttp bare rfc3986 hostport 10\n",
    );
    prints(
        &["--format", "{ending.trimmed} {ending.stop}"],
        b"(http://h.org/.)",
        "1 \")\", an unmatched closing bracket\n",
    );
    prints(
        &["--format", "{url_path} {query} {registered_domain} {public_suffix}."],
        b"http://a.h.co.uk/b?c http://10.0.0.1",
        "/b c h.co.uk co.uk.\n   .\n",
    );
    // No message, no identifier.
    prints(&["--format", "[{message.id}]"], TEXT, "[]\n[]\n");
    // Nothing else counts for what is printed.
    prints(&["--format", "{url}", "-n", "-H", "-b", "--alternatives", "-m1"], TEXT, "HTTP://h.org/x-y#f\n");
}

#[test]
fn an_unknown_field_is_refused() {
    for (template, word) in [
        ("{uri}", "unknown field {uri}"),
        ("{member}", "unknown field {member}"),
        ("{from}", "did you mean message.from?"),
        ("{url|csv}", "unknown field {url|csv}; braces enclose only a name, such as {url}"),
        ("{", "unmatched \"{\""),
        ("{message}", "use one of its keys, such as message."),
    ] {
        let ran = run(urlgrep(&["--format", template]), b"");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.contains(word), "{}", ran.stderr);
    }
    let ran = run(urlgrep(&["--csv", "--json"]), b"");
    assert_eq!(ran.status, Some(2));
}

/// Columns with tabs between them stay so many, however a subject was folded.
#[test]
fn tabs_between_fields_are_those_of_the_template() {
    let mail = b"From: a@h.org\nSubject: two\n\tlines\n\nhttp://h.org/\n";
    prints(&["--format={message.subject}\t{url}"], mail, "two lines\thttp://h.org/\n");
}

#[test]
fn comma_separated_values() {
    let header = "path,line,column,start,end,pieces,url,scheme,host,port,ascii,form,text,role,element,grade,reason.production,\
        reason.offset,reason.message,join,alternatives,warnings,message.index,message.id,message.from,message.date,\
        message.subject,message.newsgroups,message.to,message.cc,message.list_id,message.in_reply_to,message.part,message.content_type,message.header,\
        message.quote_depth,message.filename,message.uri,message.type,message.offset\n";
    let files = folder(&[("a,b", "http://h.org/a,b")]);
    let row = "\"./a,b\",1,1,0,16,0-16,\"http://h.org/a,b\",http,h.org,80,,bare,,text,,rfc1738,,,,,,,,,,,,,,,,,,,,,,,,\n";
    ends(run(within(&files, &["--csv", "."]), b""), 0, &[header, row].concat());
    ends(run(urlgrep(&["--csv"]), b"nothing"), 1, header);
    let ran = run(urlgrep(&["--csv"]), b"http://h.org/~me/");
    let reason = "\"\"\"~\"\" is not allowed at offset 13";
    assert!(ran.stdout.contains(&format!(",rfc3986,hsegment,13,{reason}")), "{}", ran.stdout);
}

/// A spreadsheet would run them.
#[test]
fn formulas_are_neutralised() {
    let mail = "From: =1+1 <a@h.org>\nSubject: @SUM(1)\nMessage-ID: <-1@h.org>\nNewsgroups: +a;=1\n\nhttp://h.org/;=1\n";
    let cells = ["'=1+1 <a@h.org>", "'@SUM(1)", "'-1@h.org", "\"'+a;=1\"", "\"http://h.org/;=1\""];
    let ran = run(urlgrep(&["--csv", "--scheme=http"]), mail.as_bytes());
    for cell in cells {
        assert!(ran.stdout.contains(&format!(",{cell},")), "{cell}: {}", ran.stdout);
    }
    let ran = run(urlgrep(&["--csv=raw", "--scheme=http"]), mail.as_bytes());
    for cell in cells {
        let cell = cell.replace(['\'', '"'], "");
        assert!(ran.stdout.contains(&format!(",{cell},")), "{cell}: {}", ran.stdout);
    }
    let files = folder(&[("=a", "http://h.org/")]);
    let ran = run(within(&files, &["--csv", "=a"]), b"");
    assert!(ran.stdout.contains("\n'=a,1,"), "{}", ran.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_not_utf_8_is_as_it_was() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let files = folder(&[]);
    std::fs::write(files.path().join(OsStr::from_bytes(b"\xff")), b"<URL:http://h.org/\xe9>").unwrap();
    let output = within(&files, &["--format={path} {url}", "."]).output().unwrap();
    assert_eq!(output.stdout, b"./\xff http://h.org/\xe9\n");
}

#[test]
fn messages_have_fields() {
    let mail = b"From a@h.org Mon Jan  1 00:00:00 1996\nFrom: A <a@i.org>\nMessage-ID: <1@h.org>\n\
        Subject: one, two\nDate: Mon, 1 Jan 1996 00:00:00 +0000\n\n> http://h.org/a\n";
    prints(
        &[
            "--scheme=http",
            "--format={message.index} {message.id} {message.subject} {message.quote_depth} {url}",
        ],
        mail,
        "0 1@h.org one, two 1 http://h.org/a\n",
    );
    let ran = run(urlgrep(&["--scheme=http", "--csv"]), mail);
    assert!(
        ran.stdout.contains(",0,1@h.org,A <a@i.org>,1996-01-01T00:00:00+00:00,\"one, two\",,"),
        "{}",
        ran.stdout
    );
}

/// What is remembered of a message is not printed of a text after it, nor of another message.
#[test]
fn comma_separated_values_of_several_files() {
    let mail = |from: &str| format!("From: {from}\nSubject: s\n\nhttp://h.org/a http://h.org/a\n");
    let (first, last) = (mail("a@h.org"), mail("\"b,\" <b@h.org>"));
    let files = folder(&[("1", &*first), ("2", "http://h.org/a\n"), ("3", &*last)]);
    let ran = run(within(&files, &["--csv", "--scheme=http", "1", "2", "3"]), b"");
    let from =
        |row: &str| ["a@h.org", "\"\"\"b,\"\" <b@h.org>\""].map(|from| row.contains(&format!(",{from},")));
    let rows: Vec<_> = ran.stdout.lines().skip(1).map(from).collect();
    let [first, none, last] = [[true, false], [false, false], [false, true]];
    assert_eq!(rows, [first, first, none, last, last]);
}

/// Headers of one length, which are read into the same memory if the messages are long.
#[test]
fn headers_of_long_messages() {
    for lines in [10, 20_000, 40_000, 70_000] {
        let body = "0123456789abcde\n".repeat(lines);
        let mail =
            |n| format!("From a@h.org Thu Jan  1 00:00:00 2004\nSubject: s{n}\n\nhttp://h.org/\n{body}\n");
        let files = folder(&[("m", &*(1..5).map(mail).collect::<String>())]);
        for threads in ["-j1", "-j2"] {
            let args = [threads, "--format={message.subject} {url}", "m"];
            let urls = "s1 http://h.org/\ns2 http://h.org/\ns3 http://h.org/\ns4 http://h.org/\n";
            ends(run(within(&files, &args), b""), 0, urls);
        }
    }
}

/// Whatever prints a place has that of the URL, and not that of the text that was decoded.
#[test]
fn places_in_encoded_bodies() {
    let mail = b"From: a\nContent-Transfer-Encoding: quoted-printable\n\nsee http://h.org/?a=3D1\n";
    for (args, expected) in [
        (&["-b"][..], "57:http://h.org/?a=1\n"),
        (&["-n", "--column"], "4:5:http://h.org/?a=1\n"),
        (&["--format={start} {end} {pieces}"], "57 76 57-76\n"),
        (&["--format={start}"], "57\n"),
        (&["--format={end}"], "76\n"),
        (&["--format={pieces}"], "57-76\n"),
        (&["--json"], "\"line\":4,\"column\":5,\"start\":57,\"end\":76,\"pieces\":[[57,76]]"),
        (&["--csv"], ",4,5,57,76,57-76,http://h.org/?a=1,"),
    ] {
        let ran = run(urlgrep(args), mail);
        assert!(ran.stdout.contains(expected), "{args:?}: {}", ran.stdout);
    }
}
