//! ARC, versions 1 and 2.

use urlgrep::Match;

use super::{each, url};
use crate::make::encode::gzip;

/// A file of ARC: the record that describes it, then these.
fn arc(version: &str, records: &[(&str, &str, &str)]) -> String {
    let (fields, more) = match version {
        "1" => ("URL IP-address Archive-date Content-type Archive-length", ""),
        _ => (
            "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length",
            " 200 - - 0 a.arc",
        ),
    };
    let about = format!("{version} 0 h.org http://about.h.org/\n{fields}\n\n");
    let mut file =
        format!("filedesc://a.arc 0.0.0.0 20010302101112 text/plain{more} {}\n{about}", about.len());
    for (uri, kind, block) in records {
        file += &format!("\n{uri} 192.0.2.1 20010302101112 {kind}{more} {}\n{block}", block.len());
    }
    file + "\n"
}

#[test]
fn records_of_arc() {
    for version in ["1", "2"] {
        let file = arc(
            version,
            &[
                (
                    "http://h.org/a/b c",
                    "text/html",
                    "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=d>e</a>",
                ),
                ("dns:h.org", "text/dns", "20010302101112\nh.org. IN A 192.0.2.1 http://h.org/dns\n"),
                (
                    "http://h.org/f",
                    "image/gif",
                    "HTTP/1.0 302 Found\r\nLocation: g\r\n\r\nGIF89a\x01\0\x01\0 http://h.org/gif",
                ),
            ],
        );
        let of = |m: &Match<'_>| {
            let record = m.context().unwrap().record().unwrap();
            (
                url(m),
                record.uri().unwrap().to_owned(),
                record.kind().is_none(),
                m.context().unwrap().message_index(),
                record.offset(),
            )
        };
        let at = |line: &str| file.find(&format!("\n{line} ")).unwrap() as u64 + 1;
        let expected = [
            (
                "http://h.org/a/d".to_owned(),
                "http://h.org/a/b c".to_owned(),
                true,
                1,
                at("http://h.org/a/b c"),
            ),
            ("http://h.org/dns".to_owned(), "dns:h.org".to_owned(), true, 2, at("dns:h.org")),
            ("http://h.org/g".to_owned(), "http://h.org/f".to_owned(), true, 3, at("http://h.org/f")),
        ];
        assert_eq!(each(file.as_bytes(), of), expected, "{version}");
        let of_version_6 = file.replace(" 192.0.2.1 200", " 2001:d::1 200");
        assert_ne!(of_version_6, file);
        assert_eq!(each(of_version_6.as_bytes(), of), expected, "{version}");
        assert_eq!(each(&gzip(file.as_bytes()), of), expected, "{version}");
        let dates =
            each(file.as_bytes(), |m| m.context().unwrap().record().unwrap().date().map(str::to_owned));
        assert_eq!(dates[0].as_deref(), Some("2001-03-02T10:11:12+00:00"));
        // A length that is wrong.
        let damaged = file.replace(" 59\nHTTP/1.0 200", " 7\nHTTP/1.0 200");
        assert_ne!(damaged, file);
        assert_eq!(each(damaged.as_bytes(), url), expected.clone().map(|(url, ..)| url), "{version}");
    }
}
