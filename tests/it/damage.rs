//! Damaged mail: nothing panics, nothing hangs, and no link is lost but those in
//! the damage.

mod long;
mod packed;

use std::io::{self, Read};

use urlgrep::Finder;
use urlgrep::archive::{Format, MAX_DEPTH, Reader};

use crate::laws::archive::{holds, links};

/// Three messages: plain text, a multipart, plain text.
const MBOX: &str = "From a@h.org Fri Mar  2 10:11:12 2001
From: a@h.org
Message-ID: <1@h.org>
Subject: http://h.org/subject
X-First: yes

http://h.org/first
>From here on: http://h.org/second

From b@h.org Sat Mar  3 10:11:12 2001
From: b@h.org
Message-ID: <2@h.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=\"cut-here\"
X-Behind: yes

A preamble with http://h.org/preamble
--cut-here
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: quoted-printable

http://h.org/quoted?a=3Db and http://h.org/so=
ft
--cut-here
Content-Type: text/html; charset=us-ascii
Content-Transfer-Encoding: base64

PHA+c2VlIDxhIGhyZWY9Imh0dHA6Ly9oLm9yZy9odG1sIj50aGlzPC9hPiBhbmQgJmx0O1VSTDpo
dHRwOi8vaC5vcmcvaW4vCmh0bWwmZ3Q7PC9wPgo=
--cut-here
Content-Type: image/gif
Content-Transfer-Encoding: base64

R0lGODlhAQIDaHR0cDovL2gub3JnL2luLWFuLWltYWdlIGFuZCBzbyBvbiwgYW5kIHNvIG9uCg==
--cut-here
Content-Type: text/plain

http://h.org/plain
--cut-here--

From c@h.org Sun Mar  4 10:11:12 2001
From: c@h.org
Message-ID: <3@h.org>

http://h.org/last
";

/// The links of [`MBOX`] by the last word, in order.
const LINKS: [&str; 10] =
    ["subject", "first", "second", "preamble", "quoted?a=b", "soft", "html", "in/html", "plain", "last"];

fn urls(bytes: &[u8]) -> Vec<String> {
    links(bytes, None, usize::MAX).into_iter().map(|link| link.url).collect()
}

/// Expects all links of [`MBOX`] but `lost` in this damaged form of it.
#[track_caller]
fn keeps(damaged: impl AsRef<[u8]>, lost: &[&str]) {
    let found = urls(damaged.as_ref());
    for link in LINKS.iter().filter(|link| !lost.contains(link)) {
        let url = format!("http://h.org/{link}");
        let text = String::from_utf8_lossy(damaged.as_ref()).into_owned();
        assert!(found.contains(&url), "{url} is lost: {found:?}\n{text}");
    }
    holds(damaged.as_ref());
}

/// [`MBOX`] with `damage` instead of the first `valid`.
#[track_caller]
fn with(valid: &str, damage: &str) -> String {
    assert!(MBOX.contains(valid), "{valid}");
    MBOX.replacen(valid, damage, 1)
}

/// [`MBOX`] with `damage` instead of the last `valid`.
#[track_caller]
fn with_last(valid: &str, damage: &str) -> String {
    let at = MBOX.rfind(valid).expect(valid);
    format!("{}{damage}{}", &MBOX[..at], &MBOX[at + valid.len()..])
}

#[test]
fn sound_mail_gives_these_links() {
    let expected: Vec<_> = LINKS.iter().map(|link| format!("http://h.org/{link}")).collect();
    assert_eq!(urls(MBOX.as_bytes()), expected);
    holds(MBOX.as_bytes());
}

#[test]
fn separators() {
    // Missing, cut, doubled, without what should stand around them.
    keeps(with("From a@h.org Fri Mar  2 10:11:12 2001\n", ""), &[]);
    keeps(with("\nFrom b@h.org", "From b@h.org"), &[]);
    keeps(with("\nFrom c@h.org", "From c@h.org"), &[]);
    keeps(with("From c@h.org Sun Mar  4 10:11:12 2001", "From c@h.org Sun Mar"), &[]);
    keeps(with("From b@h.org Sat", "From b@h.org Sat Mar  3 10:11:12 2001\nFrom b@h.org Sat"), &[]);
    keeps(with("From c@h.org Sun", &format!("From c@h.org {} Sun", "x".repeat(5000))), &[]);
    keeps(
        with("From c@h.org Sun Mar  4 10:11:12 2001\n", "From c@h.org Sun Mar  4 10:11:12 2001\n\n\n"),
        &[],
    );
    keeps(MBOX.to_owned() + "From d@h.org Mon Mar  5 10:11:12 2001\n", &[]);
    keeps(MBOX.to_owned() + "From d@h.org Mon Mar  5", &[]);
    keeps("From ".to_owned() + MBOX, &[]);
    keeps("\n\n\n".to_owned() + MBOX, &[]);
}

#[test]
fn lengths_that_lie() {
    for length in ["0", "1", "1000000", "-5", "99999999999999999999", "x"] {
        keeps(with("X-First: yes", &format!("Content-Length: {length}\nLines: {length}")), &[]);
        keeps(with("X-Behind: yes", &format!("Content-Length: {length}")), &[]);
    }
}

#[test]
fn line_ends() {
    keeps(MBOX.replace('\n', "\r\n"), &[]);
    let (first, rest) = MBOX.split_at(MBOX.find("From b@h.org").unwrap());
    keeps(first.replace('\n', "\r\n") + rest, &[]);
    keeps(first.to_owned() + &rest.replace('\n', "\r\n"), &[]);
    keeps(MBOX.replace("\n\n", "\r\n\n"), &[]);
    keeps(MBOX.replace("--cut-here", "--cut-here \t\r"), &[]);
    keeps(with("first\n", "first\r"), &[]);
    keeps(with("last\n", "last"), &[]);
    keeps(with("last\n", "last\r\r\r"), &[]);
}

#[test]
fn bytes_that_do_not_belong_there() {
    keeps(with("Subject: ", "Subject: \0\0"), &[]);
    keeps(with("X-First: yes", "X-First: \0\nX-\0: \0"), &[]);
    keeps(with("http://h.org/first", "\0 http://h.org/first\0"), &[]);
    keeps(with("\nFrom b@h.org", &format!("{}\nFrom b@h.org", "\0".repeat(70_000))), &[]);
    let mut latin = with("X-First: yes", "X-First: \u{1}").into_bytes();
    latin.iter_mut().filter(|b| **b == 1).for_each(|b| *b = 0xE9);
    keeps(latin, &[]);
    keeps("\u{feff}".to_owned() + MBOX, &[]);
}

#[test]
fn heads() {
    // A line that is no field, an empty line too many, one too few, a field
    // without an end.
    keeps(with("X-First: yes", "this is no field"), &[]);
    keeps(with("X-Behind: yes", "this is no field\nX-Behind: yes"), &[]);
    keeps(with("MIME-Version: 1.0", "garb\u{e4}ge\nMIME-Version: 1.0"), &[]);
    keeps(with("X-First: yes\n\n", "X-First: yes\n"), &[]);
    keeps(with("X-First: yes\n\n", "X-First: yes\n \n"), &[]);
    keeps(with("From: c@h.org\n", "From: c@h.org\n\n"), &[]);
    keeps(with("X-First: yes", &format!("X-First: {}", "yes ".repeat(50_000))), &[]);
    keeps(with("X-First: yes", &"X-Many: yes\n".repeat(20_000)), &[]);
    keeps(with("X-First: yes", &format!("X-First: yes{}", "\n yes".repeat(20_000))), &[]);
    keeps(with("MIME-Version: 1.0", "MIME-Version: banana"), &[]);
    keeps(with("X-First: yes", "Content-Type: text/plain; charset=x-unheard-of"), &[]);
    keeps(with("X-First: yes", "Content-Type: text/plain; charset=\"\""), &[]);
    keeps(with("X-First: yes", "Content-Type: ;;;=\"\"\"\nContent-Transfer-Encoding: "), &[]);
    keeps(with("X-First: yes", "Content-Type: text/plain; charset=utf-7"), &[]);
    keeps(with("Subject: ", "Subject: =?utf-8?q?=?= =?x?y?z?= =?utf-8?b?a?= "), &[]);
}

#[test]
fn boundaries() {
    let delimiter = "--cut-here\n";
    // Doubled, cut off, missing, with other bytes after it; those of the first
    // part, then of the last.
    keeps(with(delimiter, "\n"), &["quoted?a=b", "soft"]);
    for damage in ["--cut-here\n--cut-here\n", "--cut\n", "--cut-here and more\n", "--cut-here--\n"] {
        keeps(with(delimiter, damage), &[]);
        keeps(with_last(delimiter, damage), &[]);
    }
    keeps(with("--cut-here--", "--cut-here--\n\n--cut-here--"), &[]);
    keeps(with("--cut-here--\n", ""), &[]);
    keeps(with("--cut-here--", "--cut-he"), &[]);
    // Its Content fields.
    for damage in [
        "boundary=\"cut-he",
        "boundary=cut-here",
        "boundary=",
        "boundary",
        "x=y",
        "BOUNDARY=\"cut-elsewhere\"",
    ] {
        keeps(with("boundary=\"cut-here\"", damage), &[]);
    }
    keeps(
        with("Content-Type: multipart/mixed; boundary=\"cut-here\"", "Content-Type: multipart"),
        &["html", "in/html", "quoted?a=b", "soft"],
    );
    keeps(with("; boundary=\"cut-here\"", ";\n boundary*0=\"cut\";\n boundary*1=\"-here\""), &[]);
    let long = "x".repeat(10_000);
    keeps(MBOX.replace("cut-here", &long), &[]);
    // The boundary of a multipart inside begins like that of the one outside.
    let inner = "Content-Type: multipart/mixed; boundary=\"cut-here-too\"\n\n--cut-here-too\n\nhttp://h.org/plain\n--cut-here-too";
    keeps(with_last("Content-Type: text/plain\n\nhttp://h.org/plain", inner), &[]);
}

#[test]
fn encodings() {
    let quoted = "Content-Transfer-Encoding: quoted-printable";
    keeps(with(quoted, &format!("{quoted}\n{quoted}")), &[]);
    keeps(with(quoted, &format!("{quoted}\nContent-Transfer-Encoding: base64")), &[]);
    keeps(with(quoted, "Content-Transfer-Encoding: x-unheard-of"), &["quoted?a=b", "soft"]);
    keeps(with("http://h.org/quoted", "= == =Z =3 =ZZ =\u{e4} http://h.org/quoted"), &[]);
    keeps(with("=3Db", "=3db"), &[]);
    keeps(with("so=\nft\n", "so=  \nft=\n"), &[]);
    // In base64: junk, a line cut, padding in the middle, what is not base64.
    keeps(with("PHA+c2Vl", "PHA+*c2\u{0}Vl"), &[]);
    keeps(with("PHA+c2Vl", "===PHA+c2Vl"), &[]);
    keeps(with("c2VlIDxhIGhy", "c2VlIDxh\n\n\n  IGhy"), &[]);
    keeps(with("dHRwOi8vaC5vcmcvaW4vCmh0bWwmZ3Q7PC9wPgo=\n", "dHRwOi8v\n"), &["in/html"]);
    keeps(with("PC9wPgo=", "PC9wPgo"), &[]);
    keeps(with("R0lGODlh", "!!!not base64 at all!!!"), &[]);
}

#[test]
fn cut_off_anywhere() {
    for cut in (0..MBOX.len()).step_by(13) {
        let cut_off = &MBOX[..cut];
        let found = urls(cut_off.as_bytes());
        for link in LINKS.iter().filter(|link| !["html", "in/html", "quoted?a=b", "soft"].contains(link)) {
            // A link and the end of its line.
            if cut_off.contains(&format!("http://h.org/{link}\n")) {
                assert!(found.contains(&format!("http://h.org/{link}")), "{link} of {cut} bytes");
            }
        }
        holds(cut_off.as_bytes());
    }
}

#[test]
fn any_byte_damaged() {
    // The links of other messages than the one with the damage.
    let (second, third) = (MBOX.find("From b@h").unwrap(), MBOX.find("From c@h").unwrap());
    for at in (0..MBOX.len()).step_by(7) {
        for byte in [0, b'\n', b'-', b':', 0xFF] {
            let mut damaged = MBOX.as_bytes().to_vec();
            damaged[at] = byte;
            let found = urls(&damaged);
            let other = if at < second { "last" } else { "first" };
            assert!(found.contains(&format!("http://h.org/{other}")), "{other}: {byte} at {at}");
            // Two lines of nothing known are not how mail begins.
            let text = byte == b'\n' && at < MBOX.find('\n').unwrap();
            if (at < second || at >= third) && !text {
                assert!(found.contains(&"http://h.org/html".to_owned()), "html: {byte} at {at}");
            }
        }
    }
}

/// A multipart around `inner`, with a boundary of its own.
fn nested(inner: &str, depth: usize) -> String {
    let mut text = String::new();
    for n in 0..depth {
        text += &format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n");
    }
    text += inner;
    for n in (0..depth).rev() {
        text += &format!("\n--b{n}--\n");
    }
    text
}

#[test]
fn nested_too_deep() {
    for depth in [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 10_000] {
        let deep = nested("\nhttp://h.org/deep\n", depth);
        let mail = format!("From: a@h.org\nMessage-ID: <1@h.org>\n{deep}");
        let mbox = format!("From -1234\n{mail}\n{MBOX}");
        assert!(urls(mail.as_bytes()).contains(&"http://h.org/deep".to_owned()), "{depth}");
        let found = urls(mbox.as_bytes());
        for link in LINKS.iter().chain([&"deep"]) {
            assert!(found.contains(&format!("http://h.org/{link}")), "{link} after {depth}");
        }
    }
}

#[test]
fn messages_in_messages() {
    for depth in [MAX_DEPTH - 1, 10_000] {
        let inner = "Subject: x\nContent-Type: message/rfc822\n\n".repeat(depth);
        let mail = format!("From: a@h.org\nMessage-ID: <1@h.org>\n{inner}To: b@h.org\n\nhttp://h.org/deep\n");
        assert_eq!(urls(mail.as_bytes()), ["http://h.org/deep"], "{depth}");
    }
}

#[test]
fn many_parts() {
    let head = "From: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: multipart/mixed; boundary=b\n\n";
    let mail = format!("{head}{}http://h.org/end\n--b--\n", "--b\n\n".repeat(100_000));
    let found = links(mail.as_bytes(), None, usize::MAX);
    assert_eq!(found[0].part.as_deref(), Some("100000"));
    assert_eq!(found[0].url, "http://h.org/end");
}

#[test]
fn batches_that_lie() {
    let article = "From: a@h.org\nMessage-ID: <1@h.org>\n\nhttp://h.org/one\n";
    for lie in ["0", "5", "60", "1000000", "99999999999999999999999"] {
        let batch = format!("#! rnews {lie}\n{article}#! rnews {}\n{article}", article.len());
        let found = urls(batch.as_bytes());
        assert_eq!(found, ["http://h.org/one"; 2], "{lie}");
        holds(batch.as_bytes());
        holds(&batch.as_bytes()[..batch.len() - 20]);
    }
}

/// A file that counts its reads.
struct Counted<'f> {
    rest: &'f [u8],
    reads: usize,
}

impl Read for Counted<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        self.rest.read(room)
    }
}

#[test]
fn markup_without_end_costs_no_link_and_no_more_reads() {
    let finder = Finder::new();
    for markup in [
        "\nFrom ",
        "From a Fri Mar  2 10:11:12 2001\n",
        "--",
        "\n--b",
        "--b\n",
        "--b--\n",
        "\n#! rnews 5",
        "=?",
        "=",
        "<a href=",
        "\r",
        ":",
        "a:\n",
        // Each match tells what head and field it is in.
        "a: http://h.org/\n",
        "a: <http://h.org/\n a>\n",
        "a: =?us-ascii?q?http://h.org/?=\n",
        " http://h.org/\n",
        "\nhttp://h.org/\n",
    ] {
        let many = markup.repeat(1_000_000 / markup.len());
        let long = format!("From: a\nTo: b\n{}\n", "X-Long: head\n".repeat(80_000));
        for head in [
            "From -1234\nFrom: a\nTo: b\n",
            "From: a\nTo: b\nContent-Type: multipart/mixed; boundary=b\n\n",
            "#! rnews 5\n",
            &long,
            "From: a\nTo: b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n",
            "From: a\nTo: b\nContent-Type: text/plain; format=flowed; delsp=yes\nContent-Transfer-Encoding: base64\n\n",
            "<html>",
        ] {
            let file = format!("{head}{many}");
            let mut counted = Counted { rest: file.as_bytes(), reads: 0 };
            let mut matches = 0;
            let mut reader = Reader::new(&mut counted);
            while let Some(message) = reader.next_message().unwrap() {
                matches += message.texts().map(|text| finder.find_in(&text).count()).sum::<usize>();
            }
            let links = many.matches("http:").count();
            assert_eq!(matches, links, "{markup:?} after {:?}", &head[..10.min(head.len())]);
            assert!(counted.reads <= 2 + file.len() / 65_536, "{markup:?}: {} reads", counted.reads);
        }
    }
}

#[test]
fn no_format_is_wrong_enough() {
    let odd: [&[u8]; 8] = [b"", b"\n", b"\xff\xfe", b"From ", b"#! rnews ", b"<", b":", b"\r\n\r\n"];
    for bytes in odd {
        holds(bytes);
    }
    for format in [Format::Mail, Format::Mbox, Format::Rnews, Format::Html] {
        let found = links(b"just http://h.org/text", Some(format), usize::MAX);
        assert_eq!(found.len(), 1, "{format:?}");
    }
}
