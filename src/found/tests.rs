//! Tests of the methods of a match.

use crate::Finder;

#[test]
fn debug_shows_the_url() {
    let m = crate::find("at <http://h.org/\n x>").unwrap();
    let shown = "Match { url: \"http://h.org/x\", span: 3..21, form: Angle, joined: Some(Delimited), .. }";
    assert_eq!(format!("{m:?}"), shown);
    assert_eq!(format!("{m:>16}"), "  http://h.org/x");
}

#[test]
fn hosts_and_ports() {
    let finder = Finder::builder().hosts(true).addresses(true).build().unwrap();
    for (text, scheme, host, port) in [
        ("HTTP://H.org:8080/a@b", "http", Some("h.org"), Some(8080)),
        ("ftp://me:secret@h.org", "ftp", Some("h.org"), Some(21)),
        ("http://[2001:db8::7]:80/", "http", Some("[2001:db8::7]"), Some(80)),
        ("http://h.org:/", "http", Some("h.org"), Some(80)),
        ("http://h.org:99999/", "http", Some("h.org"), None),
        ("x-new://h.org/", "x-new", Some("h.org"), None),
        ("MailTo:me@H.org?to=you@i.org", "mailto", Some("h.org"), None),
        ("www.h.org:81/a", "http", Some("www.h.org"), Some(81)),
        ("ftp.h.org/a", "ftp", Some("ftp.h.org"), Some(21)),
        ("me@h.org", "mailto", Some("h.org"), None),
        ("news:comp.lang.c", "news", None, None),
        ("file:/etc/motd", "file", None, None),
    ] {
        let m = finder.find(text).unwrap();
        assert_eq!((&*m.scheme(), m.host().as_deref(), m.port()), (scheme, host, port), "{text}");
    }
}

#[test]
fn equal_matches_have_equal_hashes() {
    use std::collections::HashSet;

    let text = "http://h.org/ http://h.org/";
    let finder = Finder::new();
    let slice: HashSet<_> = finder.find_iter(text).map(|m| m.into_owned()).collect();
    let stream: HashSet<_> = finder.stream(text.as_bytes()).map(|m| m.unwrap()).collect();
    assert_eq!(slice.len(), 2);
    assert_eq!(slice, stream);
}
