//! The grammars of RFC 1738, of its draft of 1994 and of RFC 3986 as regular
//! expressions, which the parsers must agree with.
//!
//! The grammars are regular, so each production can be copied from the RFC as a
//! pattern. The parser must accept the strings that the pattern matches, and no others,
//! and must print what it accepts unchanged.
//!
//! Section 3 of RFC 1738 forbids some URLs that the BNF in section 5 allows. All of
//! these rules are in `NARROWINGS`, with their own patterns.

use std::sync::LazyLock;

use regex::Regex;
use urlgrep::grammar::{self, Dialect, Grade, draft};

pub mod draft1994;
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

/// The patterns of the draft's productions, by their names.
pub static DRAFT: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let patterns = draft1994::patterns("*", "+").into_iter();
    patterns.map(|(name, pattern)| (name, whole(&pattern))).collect()
});

static FRAGMENTADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    let patterns = draft1994::patterns("*", "+").into_iter();
    let urls: Vec<_> = patterns.filter(|(name, _)| *name != "afsaddress").map(|(_, url)| url).collect();
    whole(&draft1994::fragmentaddress(&urls.join("|"), "+"))
});

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
    let result = grammar::rfc1738::parse(url.as_bytes());
    assert_eq!(result.is_ok(), expected(url), "{url}: {result:?}");
    match result {
        Ok(parsed) => {
            let printed = parsed.to_string();
            assert_eq!(printed, url);
            assert_eq!(grammar::rfc1738::parse(printed.as_bytes()), Ok(parsed));
            let assessment = grammar::assess(url.as_bytes());
            assert_eq!(assessment.map(|a| a.grade()), Ok(Grade::Rfc1738));
        }
        Err(error) => assert!(error.offset() <= url.len(), "{url}: {error}"),
    }
}

/// The parser of RFC 3986 accepts `uri` if its pattern does.
pub fn generic_agrees(uri: &str) {
    let result = grammar::parse(uri.as_bytes());
    assert_eq!(result.is_ok(), GENERIC.is_match(uri), "{uri}: {result:?}");
    match result {
        Ok(parsed) => assert_eq!(parsed.to_string(), uri),
        Err(error) => assert!(error.offset() <= uri.len(), "{uri}: {error}"),
    }
}

/// The parsers of the draft say of `text` what its patterns say.
pub fn draft_agrees(text: &str) {
    let result = draft::fragmentaddress(text.as_bytes());
    assert_eq!(result.is_ok(), FRAGMENTADDRESS.is_match(text), "{text}: {result:?}");
    match result {
        Ok(parsed) => {
            assert_eq!(parsed.to_string(), text);
            let url = parsed.uri().to_string();
            assert_eq!(draft::parse(url.as_bytes()), Ok(parsed.uri()));
            let name = production(&parsed.uri());
            // Where another production accepts a URL, it is not `generic`.
            let mut others =
                DRAFT.iter().filter(|(_, pattern)| pattern.is_match(&url)).map(|(name, _)| *name);
            assert_eq!(others.rfind(|name| *name != "afsaddress"), Some(name), "{url}");
        }
        Err(error) => assert!(error.offset() <= text.len(), "{text}: {error}"),
    }
    let afs = draft::afsaddress(text.as_bytes());
    let (_, pattern) = DRAFT.iter().find(|(name, _)| *name == "afsaddress").unwrap();
    assert_eq!(afs.is_ok(), pattern.is_match(text), "{text}: {afs:?}");
    if let Ok(afs) = afs {
        assert_eq!(afs.to_string(), text);
        assert!(draft::parse(text.as_bytes()).is_err());
    }
}

/// The production of the draft that a URL is of.
fn production(url: &draft::Url<'_>) -> &'static str {
    match url {
        draft::Url::Http { .. } => "httpaddress",
        draft::Url::Ftp { .. } => "ftpaddress",
        draft::Url::News { .. } => "newsaddress",
        draft::Url::Prospero { .. } => "prosperoaddress",
        draft::Url::Telnet { .. } => "telnetaddress",
        draft::Url::Gopher { .. } => "gopheraddress",
        draft::Url::WaisIndex { .. } | draft::Url::WaisDoc { .. } => "waisaddress",
        _ => "generic",
    }
}

/// The parsers accept the same `bytes` as the grammars, and the grade is that of the
/// strictest grammar that accepts them.
pub fn judges(bytes: &[u8]) {
    match str::from_utf8(bytes) {
        Ok(url) => {
            agrees(url);
            generic_agrees(url);
            draft_agrees(url);
        }
        Err(_) => {
            assert!(grammar::rfc1738::parse(bytes).is_err());
            assert!(grammar::parse(bytes).is_err());
            assert!(draft::fragmentaddress(bytes).is_err());
        }
    }
    is_graded(bytes, Dialect::Rfc1738);
    is_graded(bytes, Dialect::Draft1994);
}

/// The grade is that of the first grammar that accepts the URL, without its fragment if
/// it is not the draft's. Every lower grade has a reason. If RFC 1738 rejects a URL, it may have no grade
/// even if RFC 3986 accepts it: `http://h(org)/`.
fn is_graded(bytes: &[u8], dialect: Dialect) {
    let (url, fragment) = grammar::split_fragment(bytes);
    let rebuilt = fragment.map_or_else(|| url.to_vec(), |fragment| [url, b"#", fragment].concat());
    assert_eq!(rebuilt, bytes);
    let (best, is_best) = match dialect {
        Dialect::Draft1994 => (Grade::Draft1994, draft::fragmentaddress(bytes).is_ok()),
        _ => (Grade::Rfc1738, grammar::rfc1738::parse(url).is_ok()),
    };
    let grade = match grammar::parse(url) {
        _ if is_best => best,
        Ok(_) => Grade::Rfc3986,
        Err(_) => Grade::Lenient,
    };
    match grammar::assess_by(dialect, bytes) {
        Ok(assessment) => {
            assert_eq!(assessment.grade(), grade);
            assert_eq!(assessment.reason().is_none(), grade == best);
            assert!(assessment.reason().is_none_or(|reason| reason.offset() <= bytes.len()));
        }
        Err(error) => assert!(grade < best && error.offset() <= url.len()),
    }
}
