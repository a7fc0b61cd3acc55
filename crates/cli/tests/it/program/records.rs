//! The records of JSON, XML and chats: their dates and authors, and the paths of strings in JSON.

use super::{ends, folder, prints, run, urlgrep, within};

const CHAT: &[u8] = b"[{\"user\":\"U1\",\"ts\":\"1672653600.000100\",\"text\":\"see https://h.org/1\"},\
    {\"user\":\"U2\",\"ts\":\"1577836800.0\",\"text\":\"https://h.org/2\"}]\n";

#[test]
fn dates_and_authors() {
    prints(&["--since=2022-01-01"], CHAT, "https://h.org/1\n");
    prints(&["--until=2022-01-01"], CHAT, "https://h.org/2\n");
    prints(&["--from=u2"], CHAT, "https://h.org/2\n");
    prints(&["-c", "--since=2022-01-01"], CHAT, "1\n");
    prints(
        &["--format={message.from} {message.date} {key}"],
        CHAT,
        "U1 2023-01-02T10:00:00+00:00 .[0].text\nU2 2020-01-01T00:00:00+00:00 .[1].text\n",
    );
    let object = run(urlgrep(&["--json"]), CHAT).stdout;
    assert!(object.contains(r#""from":"U1","date":"2023-01-02T10:00:00+00:00""#), "{object}");
}

/// A URL in an attribute belongs to its element, and one in the text to the element around it.
#[test]
fn elements() {
    let fields = "--format={message.from} {message.date} {record.Id} {url}";
    let rows =
        b"<comments>\n<row Id=\"1\" CreationDate=\"2008-09-06T08:07:10.730\" Text=\"http://h.org/1\"/>\n\
        <row Id=\"2\" CreationDate=\"2009-09-06T08:07:10.730\" Text=\"http://h.org/2\"/></comments>\n";
    prints(
        &[fields],
        rows,
        " 2008-09-06T08:07:10-00:00 1 http://h.org/1\n 2009-09-06T08:07:10-00:00 2 http://h.org/2\n",
    );
    let messages = b"<smses><sms address=\"+1\" date=\"1672653600000\" body=\"http://h.org/1\"/></smses>\n";
    prints(&[fields], messages, "+1 2023-01-02T10:00:00+00:00  http://h.org/1\n");
    let feed = b"<feed><link href=\"http://h.org/0\"/><entry><published>2003-12-13T08:29:29-04:00</published>\
        <author><name>A &amp; B</name></author><link href=\"http://h.org/1\"/><p>http://h.org/2</p></entry></feed>\n";
    prints(
        &[fields],
        feed,
        "   http://h.org/0\nA & B 2003-12-13T08:29:29-04:00  http://h.org/1\nA & B 2003-12-13T08:29:29-04:00  http://h.org/2\n",
    );
}

/// A chat is text whose lines have a date and an author.
#[test]
fn chats() {
    let fields = "--format={message.from} {message.date} {line} {url}";
    let chat =
        "[13.05.24, 10:11:12] Ann Lee: x http://h.org/1\n[05.06.24, 10:12:00] Bob: see\n(http://h.org/2)\n"
            .as_bytes();
    prints(
        &[fields],
        chat,
        "Ann Lee 2024-05-13T10:11:12-00:00 1 http://h.org/1\nBob 2024-06-05T10:12:00-00:00 3 http://h.org/2\n",
    );
    prints(&["--since=2024-06-01"], chat, "http://h.org/2\n");
    let wide: Vec<u8> = String::from_utf8_lossy(chat).encode_utf16().flat_map(u16::to_le_bytes).collect();
    prints(&["--from=bob"], &[b"\xFF\xFE", &wide[..]].concat(), "http://h.org/2\n");
}

/// A duration is no date, and the nearest object counts that is a record.
#[test]
fn the_nearest_record() {
    let har = b"{\"log\":{\"entries\":[{\"startedDateTime\":\"2023-01-02T10:00:00.000Z\",\"time\":50.5,\
        \"pageref\":\"p\",\"request\":{\"url\":\"http://h.org/\"}}]}}\n";
    prints(
        &["--format={message.date} {key}"],
        har,
        "2023-01-02T10:00:00+00:00 .log.entries[0].request.url\n",
    );
    let inner = b"{\"by\":\"a\",\"time\":1672653600,\"re\":{\"by\":\"b\",\"time\":1577836800,\"text\":\"http://h.org/1\"},\
        \"text\":\"http://h.org/2\"}\n";
    prints(&["--format={message.from} {url}"], inner, "b http://h.org/1\na http://h.org/2\n");
    let undated = run(urlgrep(&["--since=2000"]), b"{\"a\":\"http://h.org/\"}\n");
    assert_eq!(
        (&*undated.stdout, &*undated.stderr),
        ("", "urlgrep: hint: no message or record has the field message.date\n")
    );
}

/// The keys of the nearest object that has them, before and after the match, of a date or not.
#[test]
fn keys_that_are_kept() {
    let rows = b"{\"ID\":\"a\\u0062\",\"in\":{\"n\":1,\"u\":\"http://h.org/1\"},\"list\":[\"http://h.org/2\"],\"n\":2.50}\n\
        {\"u\":\"http://h.org/3\",\"ID\":{\"x\":1},\"n\":null}\nhttp://h.org/4\n";
    prints(
        &["--format={record.ID} {record.n} {url}"],
        rows,
        "ab 1 http://h.org/1\nab 2.50 http://h.org/2\n  http://h.org/3\n  http://h.org/4\n",
    );
    prints(&["--csv=raw", "--columns=record.n", "--keep=ID", "-m1"], rows, "record.n,record.ID\n1,ab\n");
    prints(&["--format={message.from} {record.ts}", "-m1"], CHAT, "U1 1672653600.000100\n");
    let object = run(urlgrep(&["--json", "--keep=ID", "-m1"]), rows).stdout;
    assert!(object.ends_with(",\"record\":{\"ID\":\"ab\"}}\n"), "{object}");
    let quoted = run(urlgrep(&["--json", "--columns=url", "--keep=a\"b", "-m1"]), rows).stdout;
    assert_eq!(quoted, "{\"url\":\"http://h.org/1\",\"record\":{\"a\\\"b\":null}}\n");
    let long = format!("{{\"k\":\"{}\",\"u\":\"http://h.org/\"}}\n", "a".repeat(1023));
    prints(&["--format={record.k}."], long.as_bytes(), ".\n");
    let ran = run(urlgrep(&["--keep=ID"]), rows);
    assert!(
        ran.status == Some(2) && ran.stderr.contains("--keep requires --csv or --json"),
        "{}",
        ran.stderr
    );
}

/// A day without a time is its midnight in UTC, and a time without a zone is in UTC.
#[test]
fn days_and_times_without_a_zone() {
    let rows = b"{\"date\":\"2024-05-06\",\"text\":\"http://h.org/1\"}\n\
        {\"date\":\"2024-05-06 10:00\",\"text\":\"http://h.org/2\"}\n\
        {\"date\":\"2024/05/07\",\"text\":\"http://h.org/3\"}\n\
        {\"date\":20240506,\"text\":\"http://h.org/4\"}\n\
        {\"date\":\"in May\",\"text\":\"http://h.org/5\"}\n";
    prints(&["--until=2024-05-06"], rows, "http://h.org/1\nhttp://h.org/2\n");
    prints(&["--since=2024-05-06T00:00:01Z"], rows, "http://h.org/2\nhttp://h.org/3\n");
    prints(&["--format={message.date}", "-m1"], rows, "2024-05-06T00:00:00-00:00\n");
}

/// A record with a date is a message, and a match is in the nearest one.
#[test]
fn records_are_counted_as_messages() {
    let chat = "{\"date\":\"2024-05-06T10:00:00Z\",\"from\":\"a\",\"text\":\"http://h.org/1 http://i.org/2\"}\n\
        {\"date\":\"2024-05-08T10:00:00Z\",\"from\":\"b\",\"text\":\"http://h.org/3\",\
        \"re\":{\"date\":\"2024-05-07T10:00:00Z\",\"from\":\"c\",\"text\":\"http://k.org/4\"},\"more\":\"http://h.org/5\"}\n\
        {\"text\":\"http://h.org/6\"}\n";
    let expected = "count  messages  first       last        host   path:line\n\
        \u{20}   4         2  2024-05-06  2024-05-08  h.org  a.jsonl:1\n\
        \u{20}   1         1  2024-05-06  2024-05-06  i.org  a.jsonl:1\n\
        \u{20}   1         1  2024-05-07  2024-05-07  k.org  a.jsonl:2\n";
    let files =
        folder(&[("a.jsonl", chat), ("b.jsonl", "{\"by\":\"a\",\"time\":0,\"text\":\"http://l.org/\"}\n")]);
    for threads in ["-j1", "-j2"] {
        ends(run(within(&files, &["--group=host", threads, "a.jsonl"]), b""), 0, expected);
    }
    // By the line of the file, in which the record is the whole value.
    let wide: Vec<u8> =
        "\u{feff}".chars().chain(chat.chars()).flat_map(|c| (c as u16).to_le_bytes()).collect();
    prints(&["--group=host"], &wide, &expected.replace("a.jsonl", "-"));
    prints(&["--newest=1"], chat.as_bytes(), "http://h.org/3\nhttp://h.org/5\n");
    prints(
        &["--newest=9"],
        chat.as_bytes(),
        "http://h.org/3\nhttp://h.org/5\nhttp://k.org/4\nhttp://h.org/1\nhttp://i.org/2\n",
    );
}

/// A value that is itself a document, such as a message, is still in its record, however often it is nested.
#[test]
fn keys_around_a_document() {
    let format = ["--format={record.id} {record.n} {key} {message.id} {url}"];
    let mail =
        r#"{"id":7,"raw":"From: a@b\nMessage-ID: <x@y>\nSubject: http://h.org/1\n\nsee http://h.org/2"}"#;
    prints(&format, mail.as_bytes(), "7  .raw x@y http://h.org/1\n7  .raw x@y http://h.org/2\n");
    // The second line is not in the record of the first.
    let lines = format!("{mail}\n{{\"id\":8,\"u\":\"http://h.org/3\"}}\n");
    let expected = "7 http://h.org/1\n7 http://h.org/2\n8 http://h.org/3\n";
    prints(&["--format={record.id} {url}"], lines.as_bytes(), expected);
    // The same message in base64, as Gmail stores it.
    let encoded =
        r#"{"id":7,"raw":"RnJvbTogYUBiCk1lc3NhZ2UtSUQ6IDx4QHk-Cgp0aGUgbGluayBpcyBodHRwOi8vaC5vcmcvNAo="}"#;
    prints(&format, encoded.as_bytes(), "7  .raw x@y http://h.org/4\n");
    // JSON in the message: the nearest object that contains the key counts, and the path leads to the nearest value.
    let inner = r#"{"id":7,"n":0,"raw":"From: a@b\nMessage-ID: <x@y>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/json\n\n{\"n\":1,\"u\":\"http://h.org/5\"}\n--b\nContent-Type: message/rfc822\n\nFrom: c@d\nMessage-ID: <z@y>\n\nhttp://h.org/6\n--b--\n"}"#;
    prints(&format, inner.as_bytes(), "7 1 .u x@y http://h.org/5\n7 0 .raw z@y http://h.org/6\n");
    // A null hides the value of the outer object, as it does without a message.
    let null = inner.replace(r#"\"n\":1"#, r#"\"n\":null"#);
    prints(&format, null.as_bytes(), "7  .u x@y http://h.org/5\n7 0 .raw z@y http://h.org/6\n");
}

/// A value of many lines is read as a whole, by a file, a pipe and several threads.
#[test]
fn a_value_of_many_lines() {
    use std::fmt::Write;
    let mut json = "{\n \"messages\": [\n".to_owned();
    for n in 0..20_000 {
        let comma = if n == 19_999 { "" } else { "," };
        writeln!(json, "  {{\n   \"date\": \"2023-01-02T10:00:00Z\",\n   \"from\": \"A{n}\",\n   \"text\": \"http://h.org/{n}\"\n  }}{comma}").unwrap();
    }
    json += " ]\n}\n";
    let lines: Vec<_> = (0..20_000).map(|n| format!("A{n} .messages[{n}].text http://h.org/{n}\n")).collect();
    let args = ["--format={message.from} {key} {url}"];
    prints(&args, json.as_bytes(), &lines.concat());
    let files = folder(&[("a.json", &json)]);
    for threads in ["-j1", "-j2"] {
        let ran = run(within(&files, &[args[0], threads, "a.json"]), b"");
        assert!(ran.stdout == lines.concat(), "{threads}");
    }
}

/// The columns of a table have the names in its first row, and a key is kept of the same row.
#[test]
fn columns_of_a_table() {
    let format = "--format={line}:{column} {key}|{record.id}|{record.note}|{url}";
    let files = folder(&[
        ("a.csv", "id,url, note\n1,http://h.org/1,\"x, \"\"y\"\"\"\n2,a,see http://h.org/2\n"),
        // A cell with lines and a mark that is not a quotation mark; a row with more cells; one with fewer.
        (
            "b.csv",
            "\u{feff}\"id\";\"url\"\r\n1;\"http://h.org/1\n\n\nhttp://h.org/2\"\r\n2\";http://h.org/3;http://h.org/4\r\nhttp://h.org/5\r\n",
        ),
        ("c.tsv", "\tid\turl\nhttp://h.org/1\t\thttp://h.org/2"),
        // The first row has a URL, a number, or an empty name.
        ("d.csv", "id,http://h.org/1\n1,http://h.org/2\n"),
        ("e.csv", "id,1\n2,http://h.org/1\n"),
        ("f.csv", "id,,url\n1,2,http://h.org/1\n"),
        // Every row ends in a separator.
        ("h.csv", "id,url,\n1,http://h.org/1,\n"),
        ("g.txt", "id,url\n1,http://h.org/1\n"),
    ]);
    for (file, expected) in [
        ("a.csv", "2:3 url|1|x, \"y\"|http://h.org/1\n3:9 note|2|see http://h.org/2|http://h.org/2\n"),
        (
            "b.csv",
            "2:4 url|1||http://h.org/1\n5:1 url|1||http://h.org/2\n6:4 url|2\"||http://h.org/3\n6:19 |2\"||http://h.org/4\n\
            7:1 id|http://h.org/5||http://h.org/5\n",
        ),
        ("c.tsv", "2:1 |||http://h.org/1\n2:17 url|||http://h.org/2\n"),
        ("d.csv", "1:4 |||http://h.org/1\n2:3 |||http://h.org/2\n"),
        ("e.csv", "2:3 |||http://h.org/1\n"),
        ("f.csv", "2:5 |||http://h.org/1\n"),
        ("h.csv", "2:3 url|1||http://h.org/1\n"),
        ("g.txt", "2:3 |||http://h.org/1\n"),
    ] {
        ends(run(within(&files, &[format, file]), b""), 0, expected);
    }
    let table = b"id,url,via\n1,http://h.org/1,http://k.org/\n2,http://h.org/2,http://k.org/\n";
    prints(&["--input=csv", "--where=key=^url$", "--where=record.id=2"], table, "http://h.org/2\n");
    prints(
        &["--input=csv", "--csv", "--columns=url", "--keep=id", "--where=key=via"],
        table,
        "url,record.id\nhttp://k.org/,1\nhttp://k.org/,2\n",
    );
    prints(&["--format={key}{record.id}"], table, "\n\n\n\n");
}

/// A record may have the date of a mail; a word is not a date.
#[test]
fn a_date_as_in_mail() {
    for date in [r#""Fri, 2 Mar 2001 10:11:12 +0100""#, r#""Monday","time":"2001-03-02T10:11:12+01:00""#] {
        let record = format!(r#"{{"author":"Ann","date":{date},"body":"http://h.org/a"}}"#) + "\n";
        prints(
            &["--format={message.date} {message.from}"],
            record.as_bytes(),
            "2001-03-02T10:11:12+01:00 Ann\n",
        );
    }
}

/// A table that is too long is read in pieces, each of which begins with a row.
#[test]
fn columns_of_a_long_table() {
    let row = format!("1,\"{}\n\n\",http://h.org/\n", "a\n".repeat(25));
    let table = format!("id,note,url\n{}", row.repeat(300_000));
    let ran =
        run(urlgrep(&["--input=csv", "-c", "--where=key=^url$", "--where=record.id=^1$"]), table.as_bytes());
    ends(ran, 0, "300000\n");
}
