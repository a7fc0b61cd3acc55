//! Messages beyond the limit, and archives that are read in parts.

use std::io::{self, Read};

use urlgrep::archive::internal::LOOKAHEAD;
use urlgrep::archive::{Format, MAX_MESSAGE_LEN, Reader};

use super::{LINKS, MBOX};
use crate::laws::archive::{holds_in_parts, links};

/// What a message is that is longer than the limit.
#[test]
fn longer_than_the_limit() {
    let lines = "no link in this line\n".repeat(MAX_MESSAGE_LEN / 20);
    for (before, after) in [("", "\n"), ("\n", ""), ("\n\n", "\n\n")] {
        let long = format!(
            "From -1234\nFrom: a@h.org\nTo: b@h.org\n\nhttp://h.org/begin\n{lines}{before}http://h.org/middle\n{lines}{after}http://h.org/end\n{MBOX}"
        );
        let found = links(long.as_bytes(), None, usize::MAX);
        let urls: Vec<_> = found.iter().map(|link| link.url.strip_prefix("http://h.org/").unwrap()).collect();
        assert_eq!(urls[..3], ["begin", "middle", "end"]);
        assert_eq!(urls[3..], LINKS);
        assert_eq!(found[2].message, 0);
        assert_eq!(found[3].message, 1);
        assert_eq!(&long[found[1].span.start as usize..found[1].span.end as usize], "http://h.org/middle");
    }
}

/// Nothing depends on where the reads end, whether that is in the separator, or
/// before the field after it.
#[test]
fn a_message_that_ends_behind_the_limit() {
    let head = "From -1234\nFrom: a@h.org\nTo: b@h.org\n\n";
    let filler = "no link in this line\n".repeat(MAX_MESSAGE_LEN / 20);
    for size in [4095, 128 * 1024] {
        for after in [MAX_MESSAGE_LEN, MAX_MESSAGE_LEN + LOOKAHEAD] {
            // Where the first read ends that reaches the limit.
            let read = (after / size + 1) * size;
            for end in [read - 3, read - 25, read] {
                let long = format!("{head}{}\n{MBOX}", &filler[..end - head.len() - 1]);
                let found = links(long.as_bytes(), None, size);
                assert_eq!(
                    (found.len(), found[0].message),
                    (LINKS.len(), 1),
                    "{end}, {size} bytes at a time"
                );
            }
        }
    }
}

/// The same for an article, for several announced lengths.
#[test]
fn an_article_that_ends_behind_the_limit() {
    let filler = "no link in this line\n".repeat(MAX_MESSAGE_LEN / 20);
    let next = "#! rnews 5\nFrom: a@h.org\n\nhttp://h.org/next\n";
    for size in [4095, 128 * 1024] {
        for after in [MAX_MESSAGE_LEN, MAX_MESSAGE_LEN + LOOKAHEAD] {
            let read = (after / size + 1) * size;
            for end in [read - 3, read - 12, read - 13, read] {
                for announced in [5, end - 100, end - 18, usize::MAX] {
                    let head = format!("#! rnews {announced}\nFrom: a@h.org\n\n");
                    let long = format!("{head}{}\n{next}", &filler[..end - head.len() - 1]);
                    let found = links(long.as_bytes(), None, size);
                    let facts = (found.len(), found[0].message, found[0].header.as_deref());
                    assert_eq!(facts, (1, 1, None), "{announced}: {end}, {size} bytes at a time");
                }
            }
        }
    }
}

#[test]
fn cut_anywhere_and_read_in_parts() {
    let two = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\nTo: b@h.org\n\nhttp://h.org/\n";
    for between in [
        "",
        "\n",
        "\n\n",
        "\r\n\r\n",
        "\r",
        // The next line decides whether this one begins a message.
        "\nFrom b@h.org\n",
        "\nFrom -1234\n",
        "\nFrom -1234\n\n",
        "\nFrom -1234\n>",
        "\nFrom me\n",
        ">From -1234\nFrom: b@h.org\n",
        "From: c@h.org\n",
        "Content-Length: 400\n\n",
        "Content-Type: message/rfc822\n\n",
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n",
        "\0\u{feff}\n\u{feff}",
    ] {
        holds_in_parts(format!("{two}{between}{two}{between}{two}").as_bytes());
    }
    holds_in_parts(MBOX.as_bytes());
    holds_in_parts(MBOX.replace('\n', "\r\n").as_bytes());
}

#[test]
fn line_ends_before_the_first_message() {
    const LINES: usize = 100_000_000;
    let input = io::repeat(b'\n').take(LINES as u64).chain(MBOX.as_bytes());
    let mut reader = Reader::new(input).with_format(Format::Mbox);
    let first = reader.next_message().unwrap().unwrap();
    assert_eq!((first.index(), first.span().start), (0, LINES as u64));
}
