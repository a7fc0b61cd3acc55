//! The parsers must agree with the patterns, on strings that nearly match.
//!
//! The patterns generate strings that match. A few random edits make them nearly valid,
//! which is where a parser is likely to be wrong.

use proptest::{prelude::*, sample::Index, string::string_regex};
use urlgrep::grammar;

use crate::laws::oracle::{
    BNF, DRAFT, NARROWINGS, agrees, draft_agrees, draft1994, expected, generic_agrees, judges, rfc1738,
    rfc3986,
};

/// What an edit inserts: every delimiter, and other text that a production depends on.
const PIECES: [&str; 54] = [
    "", "/", "//", "?", ":", "@", ";", "=", "&", "%", "#", "~", ".", "..", "-", "_", "+", "*", "0", "9", "a",
    "Z", "g", "!", "$", "(", "[", "]", "[::1]", "{", "|", "\\", "^", "\"", " ", "<", "%09", "%09", "%0a",
    "%0D", "%40", "%22", "%5c", "%5B", "%5D", "%80", "1.2.3.4", "h.org", ";type=a", "\u{e9}", "'", "\t",
    "%00", "b c",
];

/// Starts of URLs, each up to a point where the next piece decides something.
const STARTS: [&str; 23] = [
    "ftp://",
    "ftp://h",
    "ftp://h/",
    "http://",
    "http://h/",
    "http://h/?",
    "gopher://h/",
    "gopher://h/0%09",
    "mailto:",
    "mailto:%22",
    "mailto:a@",
    "news:",
    "news:a",
    "nntp://h/a",
    "telnet://",
    "wais://h/",
    "file://",
    "prospero://h/;",
    "prospero://h/a%00",
    "wais://h/d/T/",
    "afs://h/",
    "h:",
    "http:",
];

#[derive(Clone, Debug)]
struct Edit {
    at: Index,
    /// How many characters are removed there: none or one.
    removed: usize,
    inserted: &'static str,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = (any::<Index>(), 0..2usize, prop::sample::select(&PIECES[..]));
    let edit = edit.prop_map(|(at, removed, inserted)| Edit { at, removed, inserted });
    prop::collection::vec(edit, 0..4)
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for edit in edits {
        let at = edit.at.index(chars.len() + 1);
        let end = (at + edit.removed).min(chars.len());
        chars.splice(at..end, edit.inserted.chars());
    }
    chars.into_iter().collect()
}

/// Strings that the patterns of RFC 1738 match, each scheme equally often.
fn urls() -> impl Strategy<Value = String> {
    let patterns = rfc1738::patterns("{0,3}", "{1,3}").into_iter();
    let strategies = patterns.map(|(_, pattern)| string_regex(&pattern).unwrap().boxed());
    let addresses = string_regex(rfc1738::ENCODED_ADDR_SPECS).unwrap().boxed();
    prop::strategy::Union::new(strategies.chain([addresses]))
}

/// Strings that the patterns of the draft match, all productions alike often, some
/// with a fragment.
fn draft_urls() -> impl Strategy<Value = String> {
    let patterns = draft1994::patterns("{0,3}", "{1,3}").into_iter();
    let address = |(_, url): (_, String)| draft1994::fragmentaddress(&url, "{1,3}");
    prop::strategy::Union::new(patterns.map(address).map(|pattern| string_regex(&pattern).unwrap().boxed()))
}

/// A start and a few pieces: short strings in which every character matters.
fn mosaics() -> impl Strategy<Value = String> {
    let start = prop::sample::select(&STARTS[..]);
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..5);
    (start, pieces).prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn rfc1738_as_the_bnf_has_it(url in urls()) {
        agrees(&url);
    }

    #[test]
    fn rfc1738_nearly(url in urls(), edits in edits()) {
        agrees(&apply(&url, &edits));
    }

    #[test]
    fn every_character_matters(url in mosaics()) {
        agrees(&url);
        generic_agrees(&url);
        draft_agrees(&url);
    }

    #[test]
    fn the_draft_as_the_bnf_has_it(url in draft_urls()) {
        draft_agrees(&url);
    }

    #[test]
    fn the_draft_nearly(url in draft_urls(), edits in edits()) {
        draft_agrees(&apply(&url, &edits));
    }

    #[test]
    fn rfc3986_nearly(
        uri in string_regex(&rfc3986::pattern("{0,3}", "{1,3}")).unwrap(),
        edits in edits(),
    ) {
        generic_agrees(&uri);
        generic_agrees(&apply(&uri, &edits));
    }

    #[test]
    fn each_grammar_on_the_other_s_urls(
        url in urls(),
        uri in string_regex(&rfc3986::pattern("{0,3}", "{1,3}")).unwrap(),
        draft in draft_urls(),
    ) {
        for url in [&url, &uri, &draft] {
            judges(url.as_bytes());
        }
    }
}

#[test]
fn each_production_of_the_draft_accepts_something() {
    for (name, url) in [
        ("httpaddress", "http://h?a"),
        ("ftpaddress", "ftp://h/a"),
        ("newsaddress", "news:*"),
        ("prosperoaddress", "prospero://h/a%001b"),
        ("telnetaddress", "telnet://h"),
        ("gopheraddress", "gopher://h/1"),
        ("waisaddress", "wais://h/d/t/1/"),
        ("afsaddress", "afs://h/a"),
    ] {
        let (_, pattern) = DRAFT.iter().find(|(production, _)| *production == name).unwrap();
        assert!(pattern.is_match(url), "{name}");
        draft_agrees(url);
    }
}

/// Every URL that RFC 1738 itself contains.
const RFC_EXAMPLES: [&str; 28] = [
    "http://www.acl.lanl.gov/URI/archive/uri-archive.index.html",
    "ftp://@host.com/",
    "ftp://host.com/",
    "ftp://foo:@host.com/",
    "ftp://myname@host.dom/%2Fetc/motd",
    "ftp://myname@host.dom/etc/motd",
    "ftp://myname@host.dom//etc/motd",
    "news:*",
    "news:comp.infosystems.www.misc",
    "file://vms.host.edu/disk$user/my/notes/note12345.txt",
    "prospero://host.dom//pros/name",
    "ftp://info.cern.ch/pub/www/doc;type=d",
    "ftp://ds.internic.net/rfc",
    "http://ds.internic.net/instructions/overview.html",
    "ftp://ds.internic.net/rfc/rfc1436.txt;type=a",
    "ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt",
    "ftp://ds.internic.net/rfc/rfc1630.txt",
    "ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z",
    "ftp://ds.internic.net/rfc/rfc1123.txt",
    "ftp://ds.internic.net/rfc/rfc822.txt",
    "ftp://quake.think.com/pub/wais/doc/protspec.txt",
    "ftp://quake.think.com/pub/wais/doc/doc-ids.txt",
    "ftp://ds.internic.net/rfc/rfc977.txt",
    "ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt",
    "ftp://prospero.isi.edu/pub/prospero/doc/prospero-protocol.PS.Z",
    "ftp://ds.internic.net/rfc/rfc959.txt",
    "ftp://ds.internic.net/rfc/rfc1737.txt",
    "ftp://uu.psi.com/wp/nir.txt",
];

#[test]
fn the_rfc_accepts_its_own_examples() {
    for url in RFC_EXAMPLES {
        assert!(expected(url), "{url}");
        assert!(grammar::rfc1738::parse(url.as_bytes()).is_ok(), "{url}");
    }
}

/// Each narrowing must reject a URL that the BNF accepts, and the parser must reject it,
/// too.
#[test]
fn every_narrowing_is_needed() {
    for (scheme, url) in [("mailto", "mailto:me"), ("gopher", "gopher://h/0a%0a")] {
        let narrowing = NARROWINGS.iter().find(|n| n.scheme == scheme).unwrap();
        let (_, pattern) = BNF.iter().find(|(name, _)| *name == scheme).unwrap();
        assert!(pattern.is_match(url) && !(narrowing.obeys)(url), "{}", narrowing.because);
        assert!(grammar::rfc1738::parse(url.as_bytes()).is_err(), "{}", narrowing.because);
    }
}
