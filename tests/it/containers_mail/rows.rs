//! Mail that is nearly mail: messages in a row, lengths, entities without a head, and line breaks that were converted twice.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use urlgrep::archive::Format;

use super::{check, rows, with_line_ends};
use crate::laws;

const ONE: &str =
    "From: a@h.org\nDate: Mon, 2 Jan 2023 10:00:00 +0000\nMessage-ID: <1@h.org>\n\nhttp://h.org/1\n\n";
const TWO: &str = "Return-Path: <b@h.org>\nReceived: from h.org; Tue, 3 Jan 2023 10:00:00 +0000\nFrom: b@h.org\n\
    Date: Tue, 3 Jan 2023 10:00:00 +0000\nMessage-ID: <2@h.org>\nContent-Transfer-Encoding: quoted-printable\n\nhttp=3A//h.org/2\n\n";

/// The matches, without their bytes.
fn found(file: &str) -> Vec<String> {
    laws::archive::holds(file.as_bytes());
    rows(file.as_bytes()).into_iter().map(|(row, _)| row).collect()
}

#[test]
fn messages_in_a_row() {
    let three = ONE.replace("<1@", "<3@").replace("org/1", "org/3");
    let file = [ONE, TWO, &three].concat();
    let expected = [
        "http://h.org/1 | 1@h.org | 1 | - | 5",
        "http://h.org/2 | 2@h.org | 1 | - | 14",
        "http://h.org/3 | 3@h.org | 1 | - | 20",
    ];
    assert_eq!(found(&file), expected);
    assert_eq!(found(&with_line_ends(&file, "\r\n")), expected);
    // The first field of the file counts, not the one of the message before.
    let quoted = ONE.replace(
        "http://h.org/1",
        "she wrote:\n\nReceived: x\nFrom: c\nDate: d\nMessage-ID: <4@h.org>\n\nhttp://h.org/1",
    );
    assert_eq!(found(&quoted), ["http://h.org/1 | 1@h.org | 1 | - | 12"]);
    // A file of news that rn saved.
    let article = |n| {
        format!(
            "Article {n} of rec.crafts:\nPath: h!a\nFrom: a\nDate: 2 Jan 2023 10:00 Z\nMessage-ID: <{n}@h.org>\n\nhttp://h.org/{n}\n\n"
        )
    };
    let news = [article(1), article(2)].concat();
    assert_eq!(
        found(&news),
        ["http://h.org/1 | 1@h.org | 1 | - | 7", "http://h.org/2 | 2@h.org | 1 | - | 15"]
    );
}

#[test]
fn an_mbox_is_not_such_a_row() {
    let separator = "From b@h.org Tue Jan  3 10:00:00 2023\n";
    let file = format!("{ONE}{separator}{}{ONE}", TWO.replace("Return-Path", "X-Path"));
    // The message that the second one has in its text.
    assert_eq!(found(&file)[2], "http://h.org/1 | 2@h.org | 1 | - | 21");
}

#[test]
fn lengths_of_bodies() {
    let separator = "From a@h.org Fri Mar  2 10:11:12 2001\n";
    let body = format!("http://h.org/1\n\n{separator}Message-ID: <inside@h.org>\n\nhttp://h.org/inside\n");
    let message = |len: usize| format!("{separator}Message-ID: <1@h.org>\nContent-Length: {len}\n\n{body}\n");
    let last = format!("{separator}Message-ID: <2@h.org>\n\nhttp://h.org/2\n");
    let expected = [
        "http://h.org/1 | 1@h.org | 1 | - | 5",
        "http://h.org/inside | 1@h.org | 1 | - | 10",
        "http://h.org/2 | 2@h.org | 1 | - | 15",
    ];
    let file = message(body.len()) + &last;
    laws::archive::holds(file.as_bytes());
    assert_eq!(found(&file), expected);
    assert_eq!(found(&message(body.len())), expected[..2]);
    // One that leads elsewhere is not believed.
    for len in [body.len() - 3, 14, 99_999] {
        let inside = "http://h.org/inside | inside@h.org | 1 | - | 10";
        assert_eq!(found(&(message(len) + &last)), [expected[0], inside, expected[2]], "{len}");
    }
}

#[test]
fn entities_without_a_head() {
    let file = "Content-Type: multipart/alternative; boundary=\"b\"\n\n--b\nContent-Type: text/html\n\n\
                &lt;http://h.org/1&gt;\n--b\n\nhttp://h.org/2\n--b--\n";
    check(file, Format::Mail, &["http://h.org/1 | - | 1 | - | 6", "http://h.org/2 | - | 2 | - | 9"]);
    laws::archive::holds(file.as_bytes());
    // In a message it is a part of that.
    let attached = format!(
        "From: a@h.org\nMessage-ID: <1@h.org>\nContent-Type: multipart/mixed; boundary=A\n\n--A\n\nhello\n--A\n\
         Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n{}\n--A--\n",
        BASE64.encode(file)
    );
    assert_eq!(
        found(&attached),
        ["http://h.org/1 | 1@h.org | 2.1 | - | 12", "http://h.org/2 | 1@h.org | 2.2 | - | 12"]
    );
}

#[test]
fn line_breaks_that_were_converted_twice() {
    let file = with_line_ends(
        "From: a@h.org\nDate: Mon, 2 Jan 2023 10:00:00 +0000\nMessage-ID: <1@h.org>\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed;\n boundary=b\n\n--b\nContent-Transfer-Encoding: quoted-printable\n\nSubject: x\nhttp://h.org/=\na\n--b--\n",
        "\r\r\n",
    );
    assert_eq!(found(&file), ["http://h.org/a | 1@h.org | 1 | - | 12"]);
    let plain =
        with_line_ends("From: a@h.org\nMessage-ID: <1@h.org>\nSubject: x\n\nTo: http://h.org/a\n", "\r\r\n");
    assert_eq!(found(&plain), ["http://h.org/a | 1@h.org | 1 | - | 5"]);
}
