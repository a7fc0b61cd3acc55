//! `--where`: conditions on fields, and the URLs that meet them.

use super::{ends, folder, prints, run, urlgrep, within};

const MAIL: &[u8] = b"From a@h.org Fri Mar  2 10:11:12 2001
From: Ada <a@h.org>
To: Me <me@h.org>
Cc: you@h.org
Subject: A link
List-Id: Birds <birds.h.org>
Received: from one.h.org
Received: from two.h.org
Date: Fri, 2 Mar 2001 23:30:00 -0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b

http://h.org/1
> https://i.org:8080/2
--b
Content-Disposition: attachment; filename=a.txt

http://h.org/3
--b--

From b@h.org Sat Mar  3 10:11:12 2001
From: b@h.org
From: =?utf-8?q?J=C3=BCrgen?= <j@h.org>
To: all@h.org
Newsgroups: rec.birds,rec.boats
Subject: nothing
Date: Sat, 3 Mar 2001 10:11:12 +0000

http://h.org/4 mailto:u@h.org

From c@h.org Sun Mar  4 10:11:12 2001
X-Empty:

http://192.0.2.1/5
";

/// Conditions, and the last characters of the URLs in the mail that meet all of them.
const ROWS: &[(&[&str], &str)] = &[
    (&["host=^H\\.org$"], "134g"),
    (&["host!=h.org"], "25"),
    (&["url=/[12]$"], "12"),
    (&["port=^80"], "12345"),
    // A mailto: URL has no port.
    (&["port!=^80$"], "2g"),
    (&["port>80"], "2"),
    (&["port>=80"], "12345"),
    (&["port<8080"], "1345"),
    (&["port<=8080"], "12345"),
    (&["port<80"], ""),
    (&["grade=lenient"], ""),
    (&["role=text", "scheme=mailto|https"], "2g"),
    (&["scheme=mailto", "scheme=https"], ""),
    (&["scheme,host=mailto|i.org"], "2g"),
    (&["scheme,host!=mailto|i.org"], "1345"),
    (&["warnings=^ip$"], "5"),
    (&["path=^-$", "text!=."], "1234g5"),
    (&["url_path=5", "registered_domain!=."], "5"),
    (&["line>=15", "line<17"], "12"),
    // The header of a message: either the whole message is searched, or nothing of it.
    (&["message.subject=LINK$"], "123"),
    (&["message.subject!=link"], "4g5"),
    (&["message.subject="], "1234g"),
    (&["message.to=you@"], ""),
    (&["message.to,message.cc=you@"], "123"),
    (&["message.list_id,message.newsgroups=birds"], "1234g"),
    (&["message.from=^b@"], "4g"),
    (&["message.from=j\u{fc}rgen"], ""),
    (&["header.From=J\u{dc}RGEN"], "4g"),
    (&["header.from=ada", "message.cc=you"], "123"),
    (&["header.received=TWO"], "123"),
    (&["header.received!=two"], "4g5"),
    (&["header.received="], "123"),
    (&["header.X-Empty="], "5"),
    (&["header.X-None="], ""),
    (&["header.X-None!="], "1234g5"),
    // The third message has the date of its separator.
    (&["message.date=^2001-03-02T23:30"], "123"),
    (&["message.date<2001-03-03"], "123"),
    (&["message.date<=2001-03-03"], "1234g"),
    (&["message.date>2001-03-03"], "5"),
    (&["message.date>=2001-03-03"], "4g5"),
    (&["message.date>2001"], ""),
    (&["message.date:%H=^(10|11)"], "4g5"),
    (&["message.date>=2001/03/03", "message.date<20010304"], "4g"),
    // The position in a message.
    (&["message.index=^1$"], "4g"),
    (&["message.index>0"], "4g5"),
    (&["message.filename=\\.TXT$"], "3"),
    (&["message.filename!=."], "124g5"),
    (&["message.quote_depth>0"], "2"),
    (&["message.subject=link", "message.part=^1$"], "12"),
    // A field of the message or of the URL.
    (&["message.subject,url=link|5"], "1235"),
];

#[test]
fn conditions() {
    for (conditions, expected) in ROWS {
        let args: Vec<_> = conditions.iter().map(|condition| format!("--where={condition}")).collect();
        let ran = run(urlgrep(&args), MAIL);
        let found: String = ran.stdout.lines().filter_map(|url| url.chars().last()).collect();
        assert_eq!(&*found, *expected, "{conditions:?}");
        let is_hint =
            expected.is_empty() && ran.stderr.starts_with("urlgrep: hint: no message or record has ");
        assert!(ran.stderr.is_empty() || is_hint, "{conditions:?}: {}", ran.stderr);
    }
}

/// Text outside of messages has no header, and in records of data each match has its own.
#[test]
fn text_and_records() {
    let text = b"http://h.org/ <http://h.org/a-\nb> http://h.org/ab\n";
    for field in ["message.from", "header.From"] {
        let ran = run(urlgrep(&[&*format!("--where={field}=.")]), text);
        let hint = format!("urlgrep: hint: no message or record has the field {field}\n");
        assert_eq!((&*ran.stdout, &*ran.stderr), ("", &*hint));
    }
    prints(&["--where=message.from!=ada", "--where=line=1"], text, "http://h.org/\nhttp://h.org/a-b\n");
    prints(&["--where=pieces=-", "--where=start>=14", "-m1"], text, "http://h.org/a-b\n");
    prints(&["--where=start >= 14 ", "-m1"], text, "http://h.org/a-b\n");
    prints(&["--where=alternatives=/ab$"], text, "http://h.org/a-b\n");
    let text = b"http://h.org/ab <http://h.org/a-\nb>";
    prints(&["--hyphen=evidence", "--where=hyphen=evidence"], text, "http://h.org/ab\n");
    prints(&["--where=ending.stop=."], b"http://h.org/.", "http://h.org/\n");
    let html = b"<html><a href=http://h.org/1 rel=nofollow>a</a><img src=http://h.org/2></html>";
    prints(&["--where=element=^img", "--where=message.from!=ada"], html, "http://h.org/2\n");
    prints(&["--where=rel=follow"], html, "http://h.org/1\n");
    let chat = b"[{\"user\":\"U1\",\"ts\":\"1672653600.000100\",\"text\":\"see https://h.org/1\"},\
        {\"user\":\"U2\",\"ts\":\"1577836800.0\",\"n\":7,\"text\":\"https://h.org/2\"},\n{\"n\":8,\"u\":\"https://h.org/3\"}]\n";
    for (condition, expected) in [
        ("message.from=u2", "2"),
        ("message.from!=u2", "13"),
        ("message.date>2020", "1"),
        ("message.subject=.", ""),
        ("header.From=u1", "1"),
        ("record.n=[78]", "23"),
        ("key=\\[1\\]\\.text", "2"),
    ] {
        let ran = run(urlgrep(&[format!("--where={condition}")]), chat);
        let found: String = ran.stdout.lines().filter_map(|url| url.chars().last()).collect();
        assert_eq!(found, expected, "{condition}");
        assert_eq!(ran.stderr.is_empty(), !expected.is_empty(), "{condition}: {}", ran.stderr);
    }
}

/// A web archive record has a date of its own, and no header of mail.
#[test]
fn web_records() {
    let record = |year, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: {year}-03-02T10:11:12Z\r\nWARC-Target-URI: http://{year}.org/\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let archive = record(2001, "http://h.org/1") + &record(2002, "http://h.org/2");
    for (option, expected) in [
        ("--where=message.date>2001", "http://h.org/2\n"),
        ("--until=2001", "http://h.org/1\n"),
        ("--where=message.uri=2002", "http://h.org/2\n"),
        ("--from=.", ""),
        ("--where=header.Content-Type=text", ""),
    ] {
        assert_eq!(run(urlgrep(&[option]), archive.as_bytes()).stdout, expected, "{option}");
    }
}

/// A message that is attached to another one belongs to that one, whatever its own header.
#[test]
fn attached_messages() {
    let mail = b"From: out@h.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n\
        http://h.org/1\n--b\nContent-Type: message/rfc822\n\nFrom: in@h.org\n\nhttp://h.org/2\n--b--\n";
    prints(&["--where=message.from=out"], mail, "http://h.org/1\nhttp://h.org/2\n");
    prints(&["--where=message.from=in@"], mail, "");
}

/// Lines and messages are counted from the start of the file, even if threads search parts of it.
#[test]
fn numbers_in_a_large_file() {
    let message = |n: u32| {
        format!(
            "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\n{}http://h.org/{n}\n\n",
            "text\n".repeat(4000)
        )
    };
    let mbox: String = (0..600).map(message).collect();
    let files = folder(&[("a", &mbox)]);
    for condition in ["message.index>=598", "line>2396000"] {
        let args = ["-j3", "--where", condition, "a"];
        ends(run(within(&files, &args), b""), 0, "http://h.org/598\nhttp://h.org/599\n");
    }
}

/// Dates in a format, by the clock of the sender.
#[test]
fn formatted_dates() {
    let args = ["--format={message.date:%d.%m. %H:%M}", "--where=url=/[15]"];
    prints(&args, MAIL, "02.03. 23:30\n04.03. 10:11\n");
    prints(
        &["--group=message.date:%m-%d", "--csv=raw", "--where=port>80"],
        MAIL,
        "count,messages,first,last,message.date:%m-%d,path,line\n\
         1,1,2001-03-02T23:30:00-01:00,2001-03-02T23:30:00-01:00,03-02,-,16\n",
    );
    prints(
        &["--json", "--columns=message.date:%Y,message.from", "-m1"],
        MAIL,
        "{\"message\":{\"date:%Y\":\"2001\",\"from\":\"Ada <a@h.org>\"}}\n",
    );
    prints(&["--format={message.date:%Y}."], b"From: a\nDate: never\n\nhttp://h.org/\n", ".\n");
    let ran = run(urlgrep(&["--format={message.date:%j}"]), MAIL);
    assert!(ran.stderr.contains("only the conversions %Y, %m, %d, %H and %M"), "{}", ran.stderr);
}

/// The fields `header.NAME` in each output.
#[test]
fn header_fields() {
    let fields = "message.from,header.received,header.X-None,url";
    let first = r#"{"message":{"from":"Ada <a@h.org>"},"header":{"received":["from one.h.org","from two.h.org"],"X-None":null},"url":"http://h.org/1"}"#;
    prints(&["--json", "--columns", fields, "-m1"], MAIL, &format!("{first}\n"));
    prints(
        &["--csv", "--columns", fields, "--where=port=8080"],
        MAIL,
        "message.from,header.received,header.X-None,url\nAda <a@h.org>,from one.h.org from two.h.org,,https://i.org:8080/2\n",
    );
    prints(&["--format={header.newsgroups}.", "--where=scheme=mailto"], MAIL, "rec.birds,rec.boats.\n");
    prints(&["--json", "--columns=header.To"], b"http://h.org/", "{\"header\":null}\n");
    // A message and a text, one after the other.
    let files = folder(&[("a", "To: x@h.org\nFrom: y@h.org\n\nhttp://h.org/1\n"), ("b", "http://h.org/2\n")]);
    let both = "{\"header\":{\"To\":[\"x@h.org\"]},\"line\":4}\n{\"header\":null,\"line\":1}\n";
    ends(run(within(&files, &["--json", "--columns=header.To,line", "a", "b"]), b""), 0, both);
}

#[test]
fn conditions_that_are_not_valid() {
    for (condition, word) in [
        ("host", "expected a field, an operator (= != < <= > >=) and a value, in quotes: 'port>1024'"),
        ("host!h", "expected a field, an operator"),
        ("=x", "unknown field \"\""),
        ("hosts=x", "unknown field \"hosts\"; did you mean host?"),
        ("subject=x", "did you mean message.subject?"),
        ("content_type=x", "did you mean message.content_type?"),
        ("message.header.To=x", "did you mean header.To?"),
        ("message=x", "use one of its keys, such as message.index"),
        ("header.=x", "unknown field \"header.\""),
        ("header.a:b=x", "unknown field \"header.a:b\""),
        ("host=(", "urlgrep: --where \"host=(\": expected a regex, found \"(\": unclosed group"),
        ("host==h.org", "expected the operator =; for a regex that begins with =, write [=]"),
        ("host=~h", "expected the operator =; for a regex that begins with ~, write [~]"),
        ("host>h", "\">\" compares only numbers and message.date; use = or != with a regex"),
        ("port,host<9", "\"<\" compares only numbers"),
        ("port>x", "expected a number, found \"x\""),
        ("message.date>tomorrow", "expected a date"),
        ("message.date<1m", "for minutes use 1min, for months 1mo"),
    ] {
        let ran = run(urlgrep(&["--where", condition]), MAIL);
        assert_eq!((ran.status, &*ran.stdout), (Some(2), ""), "{condition}");
        assert!(ran.stderr.contains(word), "{condition}: {}", ran.stderr);
    }
}

#[test]
fn the_reason_for_a_url_that_is_left_out() {
    let files = folder(&[("a", "http://h.org/\n")]);
    for (condition, is_reason) in [("path=^b$", true), ("start>0", true), ("path=^a$", false)] {
        let args = ["--explain", "--at=3", "--where", condition, "a"];
        let ran = run(within(&files, &args), b"");
        assert_eq!(ran.stderr.contains("is not selected (--where)"), is_reason, "{}", ran.stderr);
    }
}

#[test]
fn a_hint_says_that_no_url_has_the_field() {
    for (args, text, is_hinted) in [
        (&["--where=key=a"][..], "http://h.org/", true),
        (&["--where=key!=a"], "http://h.org/", false),
        (&["--where=key=a"], "[\"http://h.org/\", 1]", false),
        (&["--where=host=a"], "http://h.org/", false),
        (&["--where=key=a"], "no link", false),
        (&["--where=key=a", "--no-messages"], "http://h.org/", false),
    ] {
        let stderr = run(urlgrep(args), text.as_bytes()).stderr;
        let hint = "urlgrep: hint: no URL has the field key\n";
        assert_eq!(stderr, if is_hinted { hint } else { "" }, "{args:?} {text}");
    }
    // Messages, records and texts without a date are left out in the same way.
    let (mail, record) = ("Subject: a\nTo: b@h.org\n\nhttp://h.org/", "{\"text\":\"http://h.org/\"}");
    let dated = "From: a@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\n\nhttp://h.org/";
    for (option, field) in [
        ("--since=2002", "message.date"),
        ("--until=2000", "message.date"),
        ("--where=message.date>2001", "message.date"),
        ("--where=header.Date=2002", "header.Date"),
    ] {
        for (text, is_hinted) in [(mail, true), (record, true), ("http://h.org/", true), (dated, false)] {
            let stderr = run(urlgrep(&[option]), text.as_bytes()).stderr;
            let hint = format!("urlgrep: hint: no message or record has the field {field}\n");
            assert_eq!(stderr, if is_hinted { &*hint } else { "" }, "{option} {text}");
        }
    }
}
