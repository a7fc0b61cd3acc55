//! Web archives that are damaged, cut off, or built to cost much.

#[cfg(unix)]
use std::time::Duration;

use proptest::prelude::*;
use urlgrep::Match;
use urlgrep::archive::{Format, Reader};

use super::{Slow, each, record, records, response, search, url};

/// Three pages, of which the second says that it has `length` bytes.
fn three(length: &str) -> Vec<u8> {
    let page = |name: &str| {
        String::from_utf8(response(
            &format!("http://h.org/{name}"),
            &["Content-Type: text/plain"],
            format!("http://h.org/{name}").as_bytes(),
        ))
        .unwrap()
    };
    assert!(page("b").contains("Content-Length: 59"));
    [page("a"), page("b").replace("Content-Length: 59", length), page("c")].concat().into_bytes()
}

#[test]
fn lengths_that_are_wrong() {
    let of = |m: &Match<'_>| {
        (
            url(m),
            m.context().unwrap().record().unwrap().uri().map(str::to_owned),
            m.context().unwrap().message_index(),
        )
    };
    let page =
        |name: &str, index| (format!("http://h.org/{name}"), Some(format!("http://h.org/{name}")), index);
    let expected = [page("a", 0), page("b", 1), page("c", 2)];
    assert_eq!(each(&three("Content-Length: 59"), of), expected);
    for length in [
        "Content-Length: 0",
        "Content-Length: 10",
        "Content-Length: 58",
        "Content-Length: 60",
        "Content-Length: 100",
        "Content-Length: 9999",
        "Content-Length: 99999999999",
        "Content-Length: 99999999999999999999",
        "Content-Length: x",
        "Content-Length:",
        "X-Length: 59",
    ] {
        let file = three(length);
        assert_eq!(each(&file, of), expected, "{length}");
        let mut slowly = Vec::new();
        search(Slow(&file), |m| slowly.push(of(m)));
        assert_eq!(slowly, expected, "{length}");
    }
}

#[test]
fn a_record_may_contain_records() {
    let inner = three("Content-Length: 59");
    let fields =
        ["WARC/1.0", "WARC-Type: resource", "Content-Type: text/plain", "WARC-Target-URI: http://h.org/o"];
    let file = [record(&fields, &inner), record(&fields, b"http://h.org/z")].concat();
    let indexes = each(&file, |m| (url(m), m.context().unwrap().message_index()));
    assert_eq!(indexes.last(), Some(&("http://h.org/z".to_owned(), 1)));
    assert!(indexes[..indexes.len() - 1].iter().all(|(_, index)| *index == 0));
    assert!(indexes.contains(&("http://h.org/b".to_owned(), 0)));
}

#[test]
fn archives_that_are_cut_off_anywhere() {
    let plain = records().map(|(_, bytes)| bytes).concat();
    let whole = each(&plain, |m| (url(m), m.span(), m.context().unwrap().message_index()));
    for cut in 0..plain.len() {
        let mut some = Vec::new();
        search(&plain[..cut], |m| some.push((url(m), m.span(), m.context().unwrap().message_index())));
        // A match that ends at the cut may be shorter. One byte less, and the beginning is no archive.
        let complete = whole.iter().take_while(|(_, span, _)| span.end < cut as u64).count();
        let is_archive = cut > "WARC/1.0\r\n".len();
        assert!(!is_archive || some.starts_with(&whole[..complete]), "{cut}: {some:?}");
        assert!(!is_archive || some.len() <= complete + 1, "{cut}: {some:?}");
    }
}

#[test]
fn line_feeds_alone() {
    // The second version is in lower case.
    let file = "WARC/1.0\nWARC-Type: resource\nContent-Type: text/plain\nContent-Length: 14\n\nhttp://h.org/a\n\n\
        warc/1.0\nWARC-Type: resource\nContent-Type: text/plain\nContent-Length: 14\n\nhttp://h.org/b\n\n";
    assert_eq!(
        each(file.as_bytes(), |m| (url(m), m.context().unwrap().message_index())),
        [("http://h.org/a".to_owned(), 0), ("http://h.org/b".to_owned(), 1)]
    );
    let lower =
        file.replace("WARC/", "warc/").replace("plain\nCon", "plain\nWARC-Target-URI: http://h.org/\nCon");
    assert_eq!(each(lower.as_bytes(), url), ["http://h.org/a", "http://h.org/b"]);
}

/// CR CR LF is a line break that was converted twice.
#[test]
fn line_breaks_that_were_converted_twice() {
    let head =
        |n| format!("WARC/1.0\nWARC-Type: response\nWARC-Target-URI: http://h.org/\nContent-Length: {n}\n\n");
    let http = "HTTP/1.0 302 Found\r\nLocation: http://h.org/new\r\n\r\n";
    // The second length is wrong, so that the record ends before the next one.
    let records =
        [head(http.len()), http.to_owned(), "\n\n".to_owned(), head(1), http.to_owned(), "\n\n".to_owned()];
    let twice = |part: &String| if part == http { part.clone() } else { part.replace('\n', "\r\r\n") };
    let file = records.iter().map(twice).collect::<String>();
    let file = file.clone() + &file;
    let found = each(file.as_bytes(), |m| {
        (url(m), m.role().as_str().to_owned(), m.context().unwrap().message_index())
    });
    let expected = [0, 1, 2, 3].map(|n| ("http://h.org/new".to_owned(), "header".to_owned(), n));
    assert_eq!(found, expected);
}

#[test]
fn text_about_web_archives_is_text() {
    for text in
        ["WARC/1.0 is at http://h.org/a\n", "see http://h.org/a\nWARC/1.0\n", "http://h.org/a 1 2 3 4\n"]
    {
        let matches = each(text.as_bytes(), |m| (url(m), m.context().unwrap().record().is_none()));
        assert_eq!(matches, [("http://h.org/a".to_owned(), true)], "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Lengths that are right or wrong, heads that are cut, and bodies with codings that they do not
    /// have.
    #[test]
    fn any_archive_is_read_alike_in_pieces(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "WARC/1.0\r\n", "WARC/1.1\n", "WARC/", "WARC-Type: response\r\n", "WARC-Type: metadata\r\n",
                "WARC-Target-URI: http://h.org/a/\r\n", "Content-Type: text/html\r\n", "Content-Length: 0\r\n",
                "Content-Length: 40\r\n", "Content-Length: 77\r\n", "\r\n", "\r\n\r\n", "\n", "HTTP/1.1 200 OK\r\n",
                "Location: b c\r\n", "Link: <d>, </e>; rel=x\r\n", "Transfer-Encoding: chunked\r\n", "5\r\nabcde\r\n",
                "Content-Encoding: gzip\r\n", "Content-Encoding: deflate\r\n", "<a href=f>g</a>", "http://h.org/h ",
                "http://h.org/i 192.0.2.1 20010302101112 text/plain 30\n", "filedesc://a 0.0.0.0 20010302101112 text/plain 7\n",
                "<base href=//i.org/>", "\0", "\u{1f}", "x",
            ]),
            0..30,
        ),
    ) {
        crate::laws::archive::holds(pieces.concat().as_bytes());
    }
}

/// Archives that repeat without end: time is linear.
#[cfg(unix)]
#[test]
fn adversarial_archives_cost_no_more() {
    for repeated in [
        "WARC/1.0\r\n",
        "\r\n\r\nWARC/1.0\r\n",
        "WARC/1.0\r\nContent-Length: 99999999\r\n\r\n",
        "WARC/1.0\r\nContent-Length: 1\r\n\r\n\r\n\r\n",
        "WARC/1.0\r\nContent-Length: 9\r\n\r\n\r\n\r\n",
        "WARC/1.0\r\n\r\nHTTP/1.1\r\nLink: <<<<<<\r\n",
        "http://h.org/ 0.0.0.0 20010302101112 text/plain 9\n",
        "http://h.org/ 0.0.0.0 20010302101112 text/plain 9999999\n",
        "http://h.org/ ",
    ] {
        let file = repeated.repeat((1 << 20) / repeated.len());
        let begin = spent();
        for file in [file.clone(), format!("WARC/1.0\r\n\r\n{file}")] {
            let mut reader = Reader::new(file.as_bytes()).with_format(Format::Warc);
            while let Some(message) = reader.next_message().unwrap() {
                message.texts().for_each(drop);
            }
        }
        assert!(spent() - begin < Duration::from_secs(5), "{repeated}");
    }
}

/// The time for which this thread had a processor.
#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
