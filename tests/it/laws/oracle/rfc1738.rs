//! Section 5 of RFC 1738, production by production.
//!
//! A pattern is the right-hand side of the production of the same name, in the reverse
//! order of the RFC. `many` and `some` are the repetitions `*` and `1*`: unbounded for
//! the patterns that decide, short for those that generate.

use std::sync::LazyLock;

use regex::Regex;

use super::whole;

const ALPHA: &str = "[A-Za-z]";
const DIGIT: &str = "[0-9]";
const HEX: &str = "[0-9A-Fa-f]";
const ALPHADIGIT: &str = "[A-Za-z0-9]";
const UNRESERVED: &str = "[A-Za-z0-9$_.+!*'(),-]";
const FTPTYPE: &str = "[AIDaid]";

/// Each URL production, with its scheme; `otherurl` has none.
pub fn patterns(many: &str, some: &str) -> Vec<(&'static str, String)> {
    let escape = format!("%{HEX}{HEX}");
    let uchar = format!("(?:{UNRESERVED}|{escape})");
    let xchar = format!("(?:{UNRESERVED}|[;/?:@&=]|{escape})");
    let selector = format!("{xchar}{many}");
    let mut all = ip_patterns(many, some, &selector);
    let common = Common::new(many, some);

    // news
    let group = &common.group;
    let article = format!("(?:{uchar}|[;/?:&=]){some}@{}", common.host);
    let grouppart = format!(r"(?:\*|{group}|{article})");
    all.push(("news", format!("(?i:news):{grouppart}")));

    // mailto
    all.push(("mailto", format!("(?i:mailto):{xchar}{some}")));

    // otherurl
    let scheme = format!("[A-Za-z0-9+.-]{some}");
    let ip_schemepart = format!("//{}(?:/{xchar}{many})?", common.login);
    all.push(("", format!("{scheme}:(?:{xchar}{many}|{ip_schemepart})")));
    all
}

/// What several URL productions share.
struct Common {
    host: String,
    hostport: String,
    login: String,
    group: String,
}

impl Common {
    fn new(many: &str, some: &str) -> Common {
        let digits = format!("{DIGIT}{some}");
        let domainlabel = format!("(?:{ALPHADIGIT}|{ALPHADIGIT}[A-Za-z0-9-]{many}{ALPHADIGIT})");
        let toplabel = format!("(?:{ALPHA}|{ALPHA}[A-Za-z0-9-]{many}{ALPHADIGIT})");
        let hostname = format!(r"(?:{domainlabel}\.){many}{toplabel}");
        let hostnumber = format!(r"{digits}\.{digits}\.{digits}\.{digits}");
        let host = format!("(?:{hostname}|{hostnumber})");
        let hostport = format!("{host}(?::{digits})?");
        let user = format!("(?:{UNRESERVED}|%{HEX}{HEX}|[;?&=]){many}");
        let password = &user;
        let login = format!("(?:{user}(?::{password})?@)?{hostport}");
        let group = format!("{ALPHA}[A-Za-z0-9.+_-]{many}");
        Common { host, hostport, login, group }
    }
}

/// The productions with `//`; `selector` is that of Gopher.
fn ip_patterns(many: &str, some: &str, selector: &str) -> Vec<(&'static str, String)> {
    [file_patterns(many, some, selector), service_patterns(many, some)].concat()
}

/// The productions of `ftp`, `file`, `http` and `gopher`.
fn file_patterns(many: &str, some: &str, selector: &str) -> Vec<(&'static str, String)> {
    let Common { host, hostport, login, .. } = Common::new(many, some);
    let escape = format!("%{HEX}{HEX}");
    let uchar = format!("(?:{UNRESERVED}|{escape})");
    let xchar = format!("(?:{UNRESERVED}|[;/?:@&=]|{escape})");

    let fsegment = format!("(?:{uchar}|[?:@&=]){many}");
    let fpath = format!("{fsegment}(?:/{fsegment}){many}");
    let ftpurl = format!("(?i:ftp)://{login}(?:/{fpath}(?:;type={FTPTYPE})?)?");

    let fileurl = format!("(?i:file)://(?:{host}|localhost)?/{fpath}");

    let hsegment = format!("(?:{uchar}|[;:@&=]){many}");
    let search = format!("(?:{uchar}|[;:@&=]){many}");
    let hpath = format!("{hsegment}(?:/{hsegment}){many}");
    let httpurl = format!(r"(?i:http)://{hostport}(?:/{hpath}(?:\?{search})?)?");

    let gtype = &xchar;
    let gopher_plus_string = format!("{xchar}{many}");
    let gopherurl = format!(
        "(?i:gopher)://{hostport}(?:/(?:{gtype}(?:{selector}(?:%09{search}(?:%09{gopher_plus_string})?)?)?)?)?"
    );

    vec![("ftp", ftpurl), ("file", fileurl), ("http", httpurl), ("gopher", gopherurl)]
}

/// The productions of `nntp`, `telnet`, `wais` and `prospero`.
fn service_patterns(many: &str, some: &str) -> Vec<(&'static str, String)> {
    let Common { hostport, login, group, .. } = Common::new(many, some);
    let uchar = format!("(?:{UNRESERVED}|%{HEX}{HEX})");
    let search = format!("(?:{uchar}|[;:@&=]){many}");
    let digits = format!("{DIGIT}{some}");

    let nntpurl = format!("(?i:nntp)://{hostport}/{group}(?:/{digits})?");

    let telneturl = format!("(?i:telnet)://{login}/?");

    let database = format!("{uchar}{many}");
    let wtype = format!("{uchar}{many}");
    let wpath = format!("{uchar}{many}");
    let waisdatabase = format!("(?i:wais)://{hostport}/{database}");
    let waisindex = format!(r"(?i:wais)://{hostport}/{database}\?{search}");
    let waisdoc = format!("(?i:wais)://{hostport}/{database}/{wtype}/{wpath}");

    let fieldname = format!("(?:{uchar}|[?:@&]){many}");
    let fieldvalue = format!("(?:{uchar}|[?:@&]){many}");
    let fieldspec = format!(";{fieldname}={fieldvalue}");
    let psegment = format!("(?:{uchar}|[?:@&=]){many}");
    let ppath = format!("{psegment}(?:/{psegment}){many}");
    let prosperourl = format!("(?i:prospero)://{hostport}/{ppath}(?:{fieldspec}){many}");

    vec![
        ("nntp", nntpurl),
        ("telnet", telneturl),
        ("wais", format!("(?:{waisdatabase}|{waisindex}|{waisdoc})")),
        ("prospero", prosperourl),
    ]
}

/// `gopherurl` without an encoded tab, line feed or carriage return in its selector.
static CLEAN_GOPHER: LazyLock<Regex> = LazyLock::new(|| {
    let octet = format!("%(?:[1-9A-Fa-f]{HEX}|0[0-8BCEFbcef])");
    let selector = format!("(?:{UNRESERVED}|[;/?:@&=]|{octet})*");
    let mut all = ip_patterns("*", "+", &selector).into_iter();
    let (_, pattern) = all.find(|(scheme, _)| *scheme == "gopher").unwrap();
    whole(&pattern)
});

pub fn has_clean_selector(url: &str) -> bool {
    CLEAN_GOPHER.is_match(url)
}

/// RFC 822 sections 3.3 and 6.1, over decoded octets.
static ADDR_SPEC: LazyLock<regex::bytes::Regex> = LazyLock::new(|| {
    let atom = r#"[!#$%&'*+\-/0-9=?A-Z^_`a-z{|}~]+"#;
    let quoted_pair = r"\\[\x00-\x7f]";
    let quoted_string = format!(r#""(?:[\x00-\x7f&&[^"\\\r]]|{quoted_pair})*""#);
    let word = format!("(?:{atom}|{quoted_string})");
    let domain_literal = format!(r"\[(?:[\x00-\x7f&&[^\[\]\\\r]]|{quoted_pair})*\]");
    let sub_domain = format!("(?:{atom}|{domain_literal})");
    let addr_spec = format!(r"{word}(?:\.{word})*@{sub_domain}(?:\.{sub_domain})*");
    regex::bytes::Regex::new(&format!("^(?s-u:{addr_spec})$")).unwrap()
});

pub fn has_addr_spec(url: &str) -> bool {
    ADDR_SPEC.is_match(&decoded(&url["mailto:".len()..]))
}

/// The octets of an address whose escapes are valid.
fn decoded(text: &str) -> Vec<u8> {
    let mut pieces = text.split('%');
    let mut octets = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        octets.push(u8::from_str_radix(&piece[..2], 16).unwrap());
        octets.extend_from_slice(&piece.as_bytes()[2..]);
    }
    octets
}

/// Addresses that are addr-specs, or nearly. Few strings that `1*xchar` generates are.
pub const ENCODED_ADDR_SPECS: &str = concat!(
    r"mailto:(([a-z0-9/+]|%25|%7E){1,3}|%22([a-z@.,]|%20|%0D|%5C%22|%5C%0D|%5B){0,3}%22)",
    r"((\.|%2E)([a-z]{1,2}|%22%5C%5C%22)){0,2}(@|%40)",
    r"([a-z-]{1,3}|%5B[0-9.@]{0,3}(%5C%5D)?%5D)(\.[a-z]{1,2}){0,2}",
);
