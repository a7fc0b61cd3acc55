//! The grammars of RFC 1738 and RFC 3986 as regular expressions, which the parsers must
//! agree with.
//!
//! Both grammars are regular, so each production can be copied from the RFC as a
//! pattern. The parser must accept the strings that the pattern matches, and no others,
//! and must print what it accepts unchanged.
//!
//! Section 3 of RFC 1738 forbids some URLs that the BNF in section 5 allows. All of
//! these rules are in `NARROWINGS`, with their own patterns.

use std::sync::LazyLock;

use regex::Regex;
use urlgrep::grammar::{self, Grade, generic};

pub mod rfc1738;
pub mod rfc3986;

/// Where section 3 is stricter than section 5.
pub struct Narrowing {
    pub scheme: &'static str,
    /// The sentence of the RFC.
    pub because: &'static str,
    /// Whether a URL that the BNF accepts also obeys the sentence.
    pub obeys: fn(&str) -> bool,
}

pub const NARROWINGS: [Narrowing; 2] = [
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

/// The patterns that decide, one for each production of `url`.
pub static BNF: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let patterns = rfc1738::patterns("*", "+").into_iter();
    patterns.map(|(scheme, pattern)| (scheme, whole(&pattern))).collect()
});

static GENERIC: LazyLock<Regex> = LazyLock::new(|| whole(&rfc3986::pattern("*", "+")));

/// A pattern that must match from end to end.
fn whole(pattern: &str) -> Regex {
    Regex::new(&format!("^(?:{pattern})$")).unwrap()
}

/// Whether RFC 1738 accepts `url`, by the patterns and the narrowings.
pub fn expected(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    // `otherurl` is for schemes that have no production of their own.
    let own = BNF.iter().find(|(name, _)| *name == scheme);
    let (_, pattern) = own.unwrap_or_else(|| BNF.iter().find(|(name, _)| name.is_empty()).unwrap());
    let mut narrowings = NARROWINGS.iter().filter(|n| n.scheme == scheme);
    pattern.is_match(url) && narrowings.all(|n| (n.obeys)(url))
}

/// The parser of RFC 1738 accepts `url` if the patterns do.
pub fn agrees(url: &str) {
    let result = grammar::parse(url.as_bytes());
    assert_eq!(result.is_ok(), expected(url), "{url}: {result:?}");
    match result {
        Ok(parsed) => {
            let printed = parsed.to_string();
            assert_eq!(printed, url);
            assert_eq!(grammar::parse(printed.as_bytes()), Ok(parsed));
            let assessment = grammar::assess(url.as_bytes());
            assert_eq!(assessment.map(|a| a.grade()), Ok(Grade::Rfc1738));
        }
        Err(error) => assert!(error.offset() <= url.len(), "{url}: {error}"),
    }
}

/// The parser of RFC 3986 accepts `uri` if its pattern does.
pub fn generic_agrees(uri: &str) {
    let result = generic::parse(uri.as_bytes());
    assert_eq!(result.is_ok(), GENERIC.is_match(uri), "{uri}: {result:?}");
    match result {
        Ok(parsed) => assert_eq!(parsed.to_string(), uri),
        Err(error) => assert!(error.offset() <= uri.len(), "{uri}: {error}"),
    }
}

/// The parsers accept the same `bytes` as the grammars, and the grade is that of the
/// strictest grammar that accepts them.
pub fn judges(bytes: &[u8]) {
    match str::from_utf8(bytes) {
        Ok(url) => {
            agrees(url);
            generic_agrees(url);
        }
        Err(_) => {
            assert!(grammar::parse(bytes).is_err());
            assert!(generic::parse(bytes).is_err());
        }
    }
    is_graded(bytes);
}

/// The grade is that of the URL without its fragment, by the first grammar that accepts
/// it. Every lower grade has a reason. If RFC 1738 rejects a URL, it may have no grade
/// even if RFC 3986 accepts it: `http://h(org)/`.
fn is_graded(bytes: &[u8]) {
    let (url, fragment) = grammar::split_fragment(bytes);
    let rebuilt = fragment.map_or_else(|| url.to_vec(), |fragment| [url, b"#", fragment].concat());
    assert_eq!(rebuilt, bytes);
    let grade = match (grammar::parse(url), generic::parse(url)) {
        (Ok(_), _) => Grade::Rfc1738,
        (Err(_), Ok(_)) => Grade::Rfc3986,
        (Err(_), Err(_)) => Grade::Lenient,
    };
    match grammar::assess(bytes) {
        Ok(assessment) => {
            assert_eq!(assessment.grade(), grade);
            assert_eq!(assessment.reason().is_none(), grade == Grade::Rfc1738);
            assert!(assessment.reason().is_none_or(|reason| reason.offset() <= url.len()));
        }
        Err(error) => assert!(grade < Grade::Rfc1738 && error.offset() <= url.len()),
    }
}
