//! The grammars of RFC 1738 and RFC 3986 as regular expressions, compared with
//! the parsers.
//!
//! Both grammars are regular, so each production can be written down as a
//! pattern, word for word, without a thought of how to parse it. The patterns
//! generate what they match; a few random edits then make it nearly valid, which
//! is where a parser errs. For every such string the parser must say what the
//! pattern says, and print what it accepts exactly as it was.
//!
//! Section 3 of RFC 1738 forbids some things that the BNF in section 5 allows.
//! They are listed in `NARROWINGS`, with their own patterns, and nowhere else.

use std::sync::LazyLock;

use proptest::{prelude::*, sample::Index, string::string_regex};
use regex::Regex;
use urlgrep::grammar::{self, Grade, generic};

mod rfc1738;
mod rfc3986;

/// Where section 3 is stricter than section 5.
struct Narrowing {
    scheme: &'static str,
    /// The sentence.
    because: &'static str,
    /// Whether a URL that the BNF accepts also obeys the sentence.
    obeys: fn(&str) -> bool,
}

const NARROWINGS: [Narrowing; 2] = [
    Narrowing {
        scheme: "mailto",
        because: "<rfc822-addr-spec> is (the encoding of an) addr-spec, as specified in RFC 822",
        obeys: rfc1738::has_addr_spec,
    },
    Narrowing {
        scheme: "gopher",
        because: "selector strings may contain any octets except 09, 0A and 0D hexadecimal",
        obeys: rfc1738::has_clean_selector,
    },
];

/// The patterns that judge, one for each production of `url`.
static BNF: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let patterns = rfc1738::patterns("*", "+").into_iter();
    patterns.map(|(scheme, pattern)| (scheme, whole(&pattern))).collect()
});

static GENERIC: LazyLock<Regex> = LazyLock::new(|| whole(&rfc3986::pattern("*", "+")));

/// A pattern that must match from end to end.
fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).unwrap()
}

/// Whether RFC 1738 accepts `url`, by the patterns and the narrowings.
fn expected(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    // `otherurl` is for schemes that have no production of their own.
    let own = BNF.iter().find(|(name, _)| *name == scheme);
    let (_, pattern) = own.unwrap_or_else(|| BNF.iter().find(|(name, _)| name.is_empty()).unwrap());
    let mut narrowings = NARROWINGS.iter().filter(|n| n.scheme == scheme);
    pattern.is_match(url) && narrowings.all(|n| (n.obeys)(url))
}

/// Asserts that the strict parser says of `url` what the patterns say.
fn compare(url: &str) -> Result<(), TestCaseError> {
    let result = grammar::parse(url.as_bytes());
    prop_assert_eq!(result.is_ok(), expected(url), "{}: {:?}", url, result);
    match result {
        Ok(parsed) => {
            prop_assert_eq!(parsed.to_string(), url);
            let assessment = grammar::assess(url.as_bytes());
            prop_assert_eq!(assessment.map(|a| a.grade()), Ok(Grade::Rfc1738));
        }
        Err(error) => prop_assert!(error.offset() <= url.len(), "{}: {}", url, error),
    }
    Ok(())
}

/// Asserts that the generic parser says of `uri` what its pattern says.
fn compare_generic(uri: &str) -> Result<(), TestCaseError> {
    let result = generic::parse(uri.as_bytes());
    prop_assert_eq!(result.is_ok(), GENERIC.is_match(uri), "{}: {:?}", uri, result);
    match result {
        Ok(parsed) => prop_assert_eq!(parsed.to_string(), uri),
        Err(error) => prop_assert!(error.offset() <= uri.len(), "{}: {}", uri, error),
    }
    Ok(())
}

/// What an edit puts in: every delimiter, and what some production looks for.
const PIECES: [&str; 50] = [
    "", "/", "//", "?", ":", "@", ";", "=", "&", "%", "#", "~", ".", "..", "-", "_", "+", "*", "0", "9", "a",
    "Z", "g", "!", "$", "(", "[", "]", "[::1]", "{", "|", "\\", "^", "\"", " ", "<", "%09", "%09", "%0a",
    "%0D", "%40", "%22", "%5c", "%5B", "%5D", "%80", "1.2.3.4", "h.org", ";type=a", "\u{e9}",
];

/// How URLs begin, so far as the next piece decides something.
const STARTS: [&str; 18] = [
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
];

#[derive(Clone, Debug)]
struct Edit {
    at: Index,
    /// Characters removed there: none or one.
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

/// Strings that the patterns of RFC 1738 match, all schemes alike often.
fn urls() -> impl Strategy<Value = String> {
    let patterns = rfc1738::patterns("{0,3}", "{1,3}").into_iter();
    let strategies = patterns.map(|(_, pattern)| string_regex(&pattern).unwrap().boxed());
    let addresses = string_regex(rfc1738::ENCODED_ADDR_SPECS).unwrap().boxed();
    prop::strategy::Union::new(strategies.chain([addresses]))
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
        compare(&url)?;
    }

    #[test]
    fn rfc1738_nearly(url in urls(), edits in edits()) {
        compare(&apply(&url, &edits))?;
    }

    #[test]
    fn every_character_matters(url in mosaics()) {
        compare(&url)?;
        compare_generic(&url)?;
    }

    #[test]
    fn rfc3986_nearly(
        uri in string_regex(&rfc3986::pattern("{0,3}", "{1,3}")).unwrap(),
        edits in edits(),
    ) {
        compare_generic(&uri)?;
        compare_generic(&apply(&uri, &edits))?;
    }

    #[test]
    fn each_grammar_on_the_other_s_urls(
        url in urls(),
        uri in string_regex(&rfc3986::pattern("{0,3}", "{1,3}")).unwrap(),
    ) {
        compare(&uri)?;
        compare_generic(&url)?;
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
        assert!(grammar::parse(url.as_bytes()).is_ok(), "{url}");
    }
}

/// A narrowing that narrows nothing, or that the parser has forgotten, is a
/// mistake in the list.
#[test]
fn every_narrowing_is_needed() {
    for (scheme, url) in [("mailto", "mailto:me"), ("gopher", "gopher://h/0a%0a")] {
        let narrowing = NARROWINGS.iter().find(|n| n.scheme == scheme).unwrap();
        let (_, pattern) = BNF.iter().find(|(name, _)| *name == scheme).unwrap();
        assert!(pattern.is_match(url) && !(narrowing.obeys)(url), "{}", narrowing.because);
        assert!(grammar::parse(url.as_bytes()).is_err(), "{}", narrowing.because);
    }
}
