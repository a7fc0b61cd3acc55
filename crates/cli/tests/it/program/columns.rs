//! `--columns`.

use super::{ends, folder, prints, run, urlgrep, within};

const TEXT: &[u8] = b"see http://www.h.co.uk:81/a,%7e?b=c#d, or <ftp://me:secret@h.org>\n";

const MAIL: &str = "From: \"Ann, A.\" <a@h.org>\nSubject: say \"hi\"\nDate: Mon, 1 Jan 1996 00:00:00 +0000\n\n\
    http://h.org/a\n> http://h.org/b\n";

/// Options, a text, and what is printed of it.
type Row = (&'static [&'static str], &'static [u8], &'static str);

/// RFC 4180: "Fields containing line breaks (CRLF), double quotes, and commas should be enclosed in double-quotes."
const CSV: &[Row] = &[
    (&["--columns=scheme,line,url"], b"http://h.org/", "scheme,line,url\nhttp,1,http://h.org/\n"),
    (&["--columns=url"], b"nothing", "url\n"),
    (&["--columns= host , form "], b"<http://h.org/>", "host,form\nh.org,angle\n"),
    (
        &["--columns=url_path,query,public_suffix,registered_domain,host"],
        TEXT,
        "url_path,query,public_suffix,registered_domain,host\n\"/a,%7e\",b=c,co.uk,h.co.uk,www.h.co.uk\n\
         ,,org,h.org,h.org\n",
    ),
    (
        &["--columns=query,url_path,url", "--normalize"],
        b"HTTP://H.org/%7ea%2fb?%7e",
        "query,url_path,url\n~,/~a%2Fb,http://h.org/~a%2Fb?~\n",
    ),
    (
        &["--columns=url_path,query", "--schemeless=hosts", "--schemeless=emails"],
        b"www.h.org/a?b ftp.h.org me@h.org",
        "url_path,query\n/a,b\n,\nme@h.org,\n",
    ),
    // Each row has its own spelling.
    (
        &["--columns=url,start", "--schemeless=hosts"],
        b"http://www.h.org/ and www.h.org/ and http://www.h.org/",
        "url,start\nhttp://www.h.org/,0\nwww.h.org/,22\nhttp://www.h.org/,37\n",
    ),
    (
        &["--columns=url,scheme", "--schemeless=emails"],
        b"a@h.org and mailto:a@h.org and a@h.org",
        "url,scheme\na@h.org,mailto\nmailto:a@h.org,mailto\na@h.org,mailto\n",
    ),
    // A spreadsheet runs none of the new ones.
    (&["--columns=query"], b"http://h.org/?=1", "query\n'=1\n"),
    (&["--csv=raw", "--columns=query"], b"http://h.org/?=1", "query\n=1\n"),
    (&["--csv=excel", "--columns=query"], b"http://h.org/?=1", "query\r\n'=1\r\n"),
    (
        &["--columns=message.from,url,message.subject,message.quote_depth,message.date"],
        MAIL.as_bytes(),
        "message.from,url,message.subject,message.quote_depth,message.date\n\
         \"\"\"Ann, A.\"\" <a@h.org>\",http://h.org/a,\"say \"\"hi\"\"\",0,1996-01-01T00:00:00+00:00\n\
         \"\"\"Ann, A.\"\" <a@h.org>\",http://h.org/b,\"say \"\"hi\"\"\",1,1996-01-01T00:00:00+00:00\n",
    ),
    (&["--columns=message.uri,url"], MAIL.as_bytes(), "message.uri,url\n,http://h.org/a\n,http://h.org/b\n"),
    (
        &["--columns=ending.stop,ending.trimmed"],
        b"(http://h.org/.) <http://h.org/>",
        "ending.stop,ending.trimmed\n\"\"\")\"\", an unmatched closing bracket\",1\n,\n",
    ),
    (
        &["--columns=unwrapped", "--unwrap"],
        b"https://www.google.com/url?q=http://h.org/g",
        "unwrapped\ngoogle\n",
    ),
    // Only what is chosen.
    (&["--columns=url", "--unwrap", "--hyphen=evidence"], b"http://h.org/", "url\nhttp://h.org/\n"),
    // The last one counts.
    (&["--columns=url", "--columns=form"], b"http://h.org/", "form\nbare\n"),
];

const JSON: &[Row] = &[
    (&["--columns=url,line"], b"http://h.org/", "{\"url\":\"http://h.org/\",\"line\":1}\n"),
    (
        &["--columns=public_suffix,url_path,query,registered_domain"],
        b"<http://h.org/?> http://[::1]",
        "{\"public_suffix\":\"org\",\"url_path\":\"/\",\"query\":\"\",\"registered_domain\":\"h.org\"}\n\
         {\"public_suffix\":null,\"url_path\":null,\"query\":null,\"registered_domain\":null}\n",
    ),
    // An object is where the first of its members is.
    (
        &["--columns=message.subject,url,message.quote_depth,reason.offset,message.from"],
        MAIL.as_bytes(),
        "{\"message\":{\"subject\":\"say \\\"hi\\\"\",\"quote_depth\":0,\"from\":\"\\\"Ann, A.\\\" <a@h.org>\"},\
         \"url\":\"http://h.org/a\",\"reason\":null}\n\
         {\"message\":{\"subject\":\"say \\\"hi\\\"\",\"quote_depth\":1,\"from\":\"\\\"Ann, A.\\\" <a@h.org>\"},\
         \"url\":\"http://h.org/b\",\"reason\":null}\n",
    ),
    (&["--columns=message.uri", "-m1"], MAIL.as_bytes(), "{\"message\":{}}\n"),
    (&["--columns=message.from"], b"http://h.org/", "{\"message\":null}\n"),
    (
        &["--columns=reason.offset,reason.production"],
        b"http://h.org/~me/",
        "{\"reason\":{\"offset\":13,\"production\":\"hsegment\"}}\n",
    ),
    (
        &["--columns=form", "-C0"],
        b"a http://h.org/",
        "{\"form\":\"bare\",\"context\":[\"a http://h.org/\"]}\n",
    ),
    // Bytes that are not UTF-8, and those that are replaced.
    (
        &["--columns=url_path,query,host"],
        b"<http://h\x81.org/\xff?\xfe>",
        "{\"url_path\":{\"bytes\":\"L/8=\"},\"query\":{\"bytes\":\"/g==\"},\"host\":\"h\u{fffd}.org\"}\n",
    ),
];

#[test]
fn values_with_commas() {
    for (args, text, expected) in CSV {
        let ran = run(urlgrep(&[&["--csv"], *args].concat()), text);
        assert_eq!((&*ran.stdout, &*ran.stderr), (*expected, ""), "{args:?}");
    }
}

#[test]
fn objects() {
    for (args, text, expected) in JSON {
        prints(&[&["--json"], *args].concat(), text, expected);
    }
}

/// In an order that is not theirs, so that no object is in one piece.
#[test]
fn every_field_is_a_column() {
    let mut names: Vec<_> = urlgrep::table::fields().iter().map(|field| field.name()).collect();
    // The path has it.
    names.retain(|&name| name != "member");
    names.sort_by_key(|name| name.bytes().rev().collect::<Vec<_>>());
    let ran = run(urlgrep(&["--csv", "--columns", &names.join(",")]), MAIL.as_bytes());
    assert_eq!(ran.stdout.lines().next(), Some(&*names.join(",")));
    let ran = run(urlgrep(&["--json", "--columns", &names.join(","), "-m1"]), MAIL.as_bytes());
    let object: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut objects: Vec<_> = names.iter().map(|name| name.split('.').next().unwrap()).collect();
    let mut seen = std::collections::HashSet::new();
    objects.retain(|name| seen.insert(*name));
    assert_eq!(object.as_object().unwrap().keys().collect::<Vec<_>>(), objects);
}

/// All that has no columns, and what has others.
#[test]
fn what_is_refused() {
    for (args, words) in [
        (&["--columns=url"][..], "--columns requires --csv or --json"),
        (&["--columns=url", "--format={url}"], "--columns requires --csv or --json"),
        (&["--csv", "--columns=uri"], "unknown field \"uri\"; did you mean message.uri?"),
        (
            &["--csv", "--columns=x"],
            "unknown field \"x\"; --help lists the fields (under --json and --columns)",
        ),
        (
            &["--csv", "--columns=message"],
            "unknown field \"message\"; use one of its keys, such as message.index",
        ),
        (&["--csv", "--columns=member"], "unknown field \"member\""),
        (&["--csv", "--columns="], "unknown field \"\""),
        (&["--json", "--columns=url,host,url"], "duplicate field \"url\""),
        (&["--csv", "--columns=url", "-c"], "cannot be used with"),
        (&["--csv", "--columns=url", "-l"], "cannot be used with"),
        (&["--json", "--columns=url", "--check"], "cannot be used with"),
    ] {
        let ran = run(urlgrep(args), b"http://h.org/");
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{args:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {}", ran.stderr);
    }
}

/// What is remembered of a message is not printed of another, nor of a text between them.
#[test]
fn fields_of_several_heads() {
    let other = MAIL.replace("Ann", "Bea").replace("hi", "ho");
    let files = folder(&[("1", MAIL), ("2", "http://h.org/a\n"), ("3", &*other)]);
    let columns = "--columns=message.subject,url_path,message.from";
    let ran = run(within(&files, &["--csv=raw", columns, "1", "2", "3"]), b"");
    let rows = "message.subject,url_path,message.from\n\
        \"say \"\"hi\"\"\",/a,\"\"\"Ann, A.\"\" <a@h.org>\"\n\
        \"say \"\"hi\"\"\",/b,\"\"\"Ann, A.\"\" <a@h.org>\"\n\
        ,/a,\n\
        \"say \"\"ho\"\"\",/a,\"\"\"Bea, A.\"\" <a@h.org>\"\n\
        \"say \"\"ho\"\"\",/b,\"\"\"Bea, A.\"\" <a@h.org>\"\n";
    ends(ran, 0, rows);
}

/// The lines about errors and the numbers of `--stats` have no columns.
#[test]
fn other_lines_stay() {
    let files = folder(&[("a", "http://h.org/")]);
    let stderr = |columns: &[&str]| {
        let ran = run(within(&files, &[&["--json", "--stats", "a", "missing"], columns].concat()), b"");
        assert_eq!(ran.status, Some(2));
        // Without the time.
        ran.stderr.split("\"seconds\"").next().unwrap().to_owned()
    };
    assert_eq!(stderr(&["--columns=public_suffix"]), stderr(&[]));
}

const MAILBOX: &[u8] = b"From a@h.org Fri Mar  2 10:11:12 2001
Date: Fri, 2 Mar 2001 10:11:12 +0100

http://b.org/1 http://h.org:81/
http://h.org/1

From a@h.org Thu Mar  2 10:11:12 2000
Date: Thu, 2 Mar 2000 10:11:12 +0000

http://h.org/1
";

#[test]
fn groups() {
    prints(
        &["--group=host"],
        MAILBOX,
        "count  messages  first       last        host   path:line\n\
         \u{20}   3         2  2000-03-02  2001-03-02  h.org  -:4\n\
         \u{20}   1         1  2001-03-02  2001-03-02  b.org  -:4\n",
    );
    prints(
        &["--group=host,port", "--csv=raw", "--since=2001"],
        MAILBOX,
        "count,messages,first,last,host,port,path,line\n\
         1,1,2001-03-02T10:11:12+01:00,2001-03-02T10:11:12+01:00,b.org,80,-,4\n\
         1,1,2001-03-02T10:11:12+01:00,2001-03-02T10:11:12+01:00,h.org,80,-,5\n\
         1,1,2001-03-02T10:11:12+01:00,2001-03-02T10:11:12+01:00,h.org,81,-,4\n",
    );
    prints(
        &["--group=port,message.subject", "--json", "-m1"],
        MAILBOX,
        "{\"count\":1,\"messages\":1,\"first\":\"2001-03-02T10:11:12+01:00\",\"last\":\"2001-03-02T10:11:12+01:00\",\
         \"port\":80,\"message.subject\":null,\"path\":\"-\",\"line\":4}\n",
    );
    prints(
        &["--group=host", "-u", "--csv=raw"],
        b"http://h.org/ http://h.org/",
        "count,messages,first,last,host,path,line\n1,0,,,h.org,-,1\n",
    );
    prints(
        &["--group=url", "--defang", "--csv=raw"],
        b"http://h.org/",
        "count,messages,first,last,url,path,line\n1,0,,,hxxp://h[.]org/,-,1\n",
    );
    prints(
        &["--group=host", "--newest=1", "--csv=raw"],
        MAILBOX,
        "count,messages,first,last,host,path,line\n\
         2,1,2001-03-02T10:11:12+01:00,2001-03-02T10:11:12+01:00,h.org,-,4\n\
         1,1,2001-03-02T10:11:12+01:00,2001-03-02T10:11:12+01:00,b.org,-,4\n",
    );
    ends(run(urlgrep(&["--group=host", "-q"]), MAILBOX), 0, "");
}

#[test]
fn values_are_counted_by_group() {
    let ran = run(urlgrep(&["-uc", "--csv", "--columns=host"]), b"");
    assert!(ran.stderr.contains("to count the matches of each value, use --group FIELD"), "{}", ran.stderr);
}
