//! Lines that separate the messages of an mbox, or that only look like it.

use urlgrep::archive::Format;

use super::{check, with_line_ends};

#[test]
fn separators_without_a_date() {
    for line in ["From -", "From ", "From MAILER-DAEMON"] {
        let file = format!(
            "{line}\nX-Mozilla-Status: 0001\nMessage-ID: <1@h.org>\n\n\
             http://h.org/one\n{line}\nTo: a\nSubject: no empty line before it\n\n\
             {line}\nno field follows http://h.org/also\n\n\
             {line}\nX-Mozilla-Status: 0001\nMessage-ID: <2@h.org>\n\nhttp://h.org/two\n"
        );
        let expected = [
            "http://h.org/one | 1@h.org | 1 | - | 5",
            "http://h.org/also | 1@h.org | 1 | - | 11",
            "http://h.org/two | 2@h.org | 1 | - | 17",
        ];
        for file in [with_line_ends(&file, "\r\n"), file] {
            check(&file, Format::Mbox, &expected);
            crate::laws::archive::holds_in_parts(file.as_bytes());
        }
    }
}

#[test]
fn patches_of_git() {
    let patch = |n: &str| {
        format!(
            "From {} Mon Sep 17 00:00:00 2001\nFrom: A <a@h.org>\nMessage-ID: <{n}@h.org>\nSubject: [PATCH] a\n\n\
             See http://h.org/{n}\n---\n a.c | 2 +-\n\n",
            "0123456789".repeat(4)
        )
    };
    // What git format-patch --stdout writes.
    let series = [patch("one"), patch("two")].concat();
    let expected = ["http://h.org/one | one@h.org | 1 | - | 6", "http://h.org/two | two@h.org | 1 | - | 15"];
    check(&series, Format::Mbox, &expected);
    // A message with a patch is one message.
    let message = format!("From: b@h.org\nMessage-ID: <1@h.org>\nSubject: my patches\n\nBelow.\n\n{series}");
    let expected = ["http://h.org/one | 1@h.org | 1 | - | 12", "http://h.org/two | 1@h.org | 1 | - | 21"];
    check(&message, Format::Mail, &expected);
}
