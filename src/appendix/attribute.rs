//! The value of an HTML attribute, which is one URL as a whole, or not a URL.
//!
//! The value delimits the URL, and shows that it is meant as a URL. So weaker conditions than in
//! prose suffice, and a value that no grammar accepts is a URL of the lowest grade:
//!
//! - It may contain spaces after its host, as browsers allow
//!   (`http://h.org/Shared Documents/a b.doc`), unless another URL follows a space.
//! - After `//`, any host that contains a letter or digit is accepted (`http://my!host/`), after `mailto:` any text,
//!   and after `tel:` any text with a digit.
//! - After its host, it may contain `<` and `>`, unless these belong to a template, and its
//!   userinfo may contain any bytes.
//!
//! Control characters are escaped. The value is not a URL if an angle bracket after its host has no partner, or if its
//! host comes from a template.
//!
//! # As browsers read it
//!
//! For web schemes, the WHATWG URL standard treats any slashes and backslashes after the scheme as
//! two slashes, and a backslash in the path as a slash: `https:\\h.org\a` is `https://h.org/a`. So
//! that is the URL, and `http:h.org/a`, without slashes, is read in the same way. Blanks after the
//! colon of `mailto:` and `tel:` are not part of it. Two slashes or more without a scheme mean the
//! scheme of the page, which is https in a message.

use std::borrow::Cow;

use super::Rules;
use super::delimited;
use super::line::starts_url;
use crate::grammar::resolve;
use crate::grammar::schemes::is_scheme;
use crate::matches::Match;
use crate::matches::form::Form;
use crate::scan::defanged::scheme_meant;

/// The match that is the whole `value` of an attribute; `None` if it is relative or not a
/// URL.
pub(crate) fn read<'h>(value: &'h [u8], rules: &Rules) -> Option<Match<'h>> {
    // The search inside the value restores defanged URLs.
    let scheme = value.split(|&b| b == b':').next().unwrap_or_default();
    if rules.scan.refang && scheme_meant(scheme).is_some() {
        return None;
    }
    if is_url(value, rules) && !is_read_otherwise(value) {
        return Some(Match::verbatim(value, 0, 0..value.len(), Form::Attribute));
    }
    let url = as_browsers_read(value).filter(|url| is_url(url, rules))?;
    Some(Match::resolved(url, 0..value.len(), Form::Attribute))
}

/// The match that is the whole `value` of an attribute, if a part of it is not valid.
#[cfg(feature = "domains")]
pub(crate) fn invalid<'h>(value: &'h [u8], rules: &Rules) -> Option<Match<'h>> {
    unresolved(value, rules).filter(|matched| matched.invalid().is_some())
}

/// The whole `value` of a link as a match, if it has a scheme that is not in [`SLASHES`], such as `skype:joe`;
/// `javascript:`, `data:` and the like are not links.
pub(crate) fn of_non_web_scheme<'h>(value: &'h [u8], rules: &Rules) -> Option<Match<'h>> {
    let (scheme, rest) = value.split_at(memchr::memchr(b':', value)?);
    let is_word = |b: u8| b > b' ' && b != 0x7F && !b"<>{}\"".contains(&b);
    let is_link = scheme.len() > 1
        && is_scheme(scheme)
        // A host and a port, `h.org:80`.
        && !scheme.contains(&b'.')
        && !NON_LINK_SCHEMES.iter().any(|none| none.eq_ignore_ascii_case(scheme))
        && !SLASHES.iter().any(|special| special[..special.len() - 1].eq_ignore_ascii_case(scheme))
        && rest.len() > 1
        && value.iter().all(|&b| is_word(b))
        && value.len() <= rules.max_len;
    is_link.then(|| Match::verbatim(value, 0, 0..value.len(), Form::Attribute))
}

/// The schemes of values that run a script or contain the document itself.
const NON_LINK_SCHEMES: [&[u8]; 5] = [b"javascript", b"vbscript", b"data", b"blob", b"about"];

/// The URL that a browser reads, if the value is written differently.
fn as_browsers_read(value: &[u8]) -> Option<Vec<u8>> {
    let (scheme, rest) = value.split_at(memchr::memchr(b':', value)? + 1);
    match SLASHES.iter().any(|special| special.eq_ignore_ascii_case(scheme)) {
        true => {
            let slashes = slashes(rest);
            let rest = &rest[slashes..];
            let is_host = slashes > 0 || is_host_of_site(rest);
            is_host.then(|| without_controls([scheme, b"//", &with_slashes(rest)].concat()))
        }
        false if is_file(scheme) => Some([scheme, &with_slashes(rest)].concat()),
        false => Some([scheme, rest.trim_ascii_start()].concat()),
    }
}

/// Returns true if `scheme`, with its colon, is the scheme of files, in which a browser reads a
/// backslash as a slash.
fn is_file(scheme: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"file:")
}

/// Returns true if the text after `http:` without a slash is a host, and not a file of the same
/// site: it has a dot, and does not end like a page.
fn is_host_of_site(rest: &[u8]) -> bool {
    let host = &rest[..rest.iter().position(|b| b"/?#\\".contains(b)).unwrap_or(rest.len())];
    let is_page = [&b".html"[..], b".htm"].iter().any(|end| host.to_ascii_lowercase().ends_with(end));
    host.iter().all(|&b| b.is_ascii_alphanumeric() || b"-_.:@".contains(&b) || b >= 0x80)
        && host.first().is_some_and(u8::is_ascii_alphanumeric)
        && memchr::memchr(b'.', host).is_some()
        && !is_page
}

/// A URL in which control characters are escaped.
fn without_controls(url: Vec<u8>) -> Vec<u8> {
    if !url.iter().any(u8::is_ascii_control) {
        return url;
    }
    let escaped = |b: u8| if b.is_ascii_control() { format!("%{b:02X}").into_bytes() } else { vec![b] };
    url.into_iter().flat_map(escaped).collect()
}

/// The schemes, with their colons, after which any number of slashes counts as two: the special
/// schemes of the URL standard, except `file`, whose path may begin with several.
const SLASHES: [&[u8]; 5] = [b"http:", b"https:", b"ftp:", b"ws:", b"wss:"];

/// Returns the number of slashes and backslashes that `rest` begins with.
fn slashes(rest: &[u8]) -> usize {
    rest.iter().take_while(|&&b| matches!(b, b'/' | b'\\')).count()
}

/// Returns true if a browser reads slashes or spaces in a URL differently from the way they are
/// written.
fn is_read_otherwise(value: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', value) else { return false };
    let (scheme, rest) = value.split_at(colon + 1);
    match SLASHES.iter().any(|special| special.eq_ignore_ascii_case(scheme)) {
        true => slashes(rest) != 2 || rest[..path_end(rest)].contains(&b'\\'),
        false => {
            rest.first().is_some_and(u8::is_ascii_whitespace)
                || is_file(scheme) && rest[..path_end(rest)].contains(&b'\\')
        }
    }
}

/// Returns the offset at which the query or the fragment begins.
fn path_end(rest: &[u8]) -> usize {
    memchr::memchr2(b'?', b'#', rest).unwrap_or(rest.len())
}

/// The rest of a URL, with slashes for the backslashes before its query.
fn with_slashes(rest: &[u8]) -> Vec<u8> {
    let mut rest = rest.to_vec();
    let end = path_end(&rest);
    rest[..end].iter_mut().filter(|b| **b == b'\\').for_each(|b| *b = b'/');
    rest
}

/// Returns true if `value` may be relative to `base`, if that is known, and is not a position in
/// the document itself.
pub(crate) fn may_be_relative(value: &[u8], base: Option<&[u8]>) -> bool {
    if base.is_none() && slashes(value) < 2 {
        return false;
    }
    // RFC 3986 section 4.4, "Same-Document Reference".
    let same_document = value.first().is_none_or(|&b| b == b'#');
    // Templates and scripts: `{{url}}`, `<%= url %>`, `' + url + '`, `\'url\'`.
    let is_escape = |at: usize| value.get(at + 1) == Some(&b'\'');
    let is_template = value.iter().any(|b| b"{}<>\"`^|".contains(b))
        || value.starts_with(b"'")
        || memchr::memchr_iter(b'\\', value).any(is_escape);
    !(same_document || is_template || resolve::has_scheme(value))
}

/// The URL of a `value` that [may be relative](may_be_relative), in a document at `base`, if it has one.
pub(crate) fn resolved(value: &[u8], base: Option<&[u8]>) -> Option<Vec<u8>> {
    let base = base.unwrap_or(b"https://");
    resolve::resolve(base, &in_page(value, base)?)
}

/// Returns the match for a relative reference `value` that resolves to `url`, or `None` if `url` is
/// not a URL.
pub(crate) fn relative(value: &[u8], url: Vec<u8>, rules: &Rules) -> Option<Match<'static>> {
    is_url(&url, rules).then(|| Match::resolved(url, 0..value.len(), Form::Attribute))
}

/// The match for a relative `value` as written; `None` if no URL can contain its bytes.
pub(crate) fn unresolved<'v>(value: &'v [u8], rules: &Rules) -> Option<Match<'v>> {
    let is_printable = value.len() <= rules.max_len && !value.iter().any(u8::is_ascii_control);
    is_printable.then(|| Match::verbatim(value, 0, 0..value.len(), Form::Attribute))
}

/// The relative `value` as a browser reads it in a page at `base`: with slashes for its backslashes, and with two
/// before a host. `None` if it contains backslashes, and the scheme of the page does not treat them as slashes.
fn in_page<'v>(value: &'v [u8], base: &[u8]) -> Option<Cow<'v, [u8]>> {
    let more = slashes(value).saturating_sub(2);
    if more == 0 && memchr::memchr(b'\\', value).is_none() {
        return Some(Cow::Borrowed(value));
    }
    let scheme = &base[..memchr::memchr(b':', base)? + 1];
    match SLASHES.iter().any(|special| special.eq_ignore_ascii_case(scheme)) {
        true => Some(Cow::Owned(with_slashes(&value[more..]))),
        false => memchr::memchr(b'\\', value).is_none().then_some(Cow::Borrowed(value)),
    }
}

fn is_url(value: &[u8], rules: &Rules) -> bool {
    if value.len() > rules.max_len || value.iter().any(|&b| b < b' ' || b == 0x7F) {
        return false;
    }
    let url = plain(value);
    (delimited::is_evident_url(&url, rules) || lacks_plausible_host(&url)) && !lacks_host(&url)
}

/// Returns true if `url` lacks the host that a web URL needs: `https://`.
fn lacks_host(url: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else { return false };
    let (scheme, rest) = url.split_at(colon + 1);
    SLASHES.iter().any(|special| special.eq_ignore_ascii_case(scheme))
        && rest.strip_prefix(b"//").is_some_and(|rest| rest.first().is_none_or(|b| b"/?#".contains(b)))
}

/// Returns true if `url` is meant as a URL, although it does not contain a plausible host or email
/// address.
fn lacks_plausible_host(url: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else { return false };
    let (scheme, rest) = (&url[..colon], &url[colon + 1..]);
    let is = |name: &[u8]| scheme.eq_ignore_ascii_case(name);
    let is_one_word = |text: &[u8]| !text.iter().any(|b| matches!(b, b' ' | b'<' | b'>'));
    if is(b"tel") {
        return rest.iter().any(u8::is_ascii_digit) && !rest.iter().any(|b| b"<>{}\"".contains(b));
    }
    if is(b"mailto") {
        return !rest.trim_ascii().is_empty() && has_pairs(rest) && !starts_url(rest);
    }
    // RFC 2392: the id of a part of the message.
    if is(b"cid") || is(b"mid") {
        return is_one_word(rest) && rest.iter().any(u8::is_ascii_alphanumeric);
    }
    let Some(rest) = rest.strip_prefix(b"//").filter(|_| is_scheme(scheme)) else { return false };
    let (authority, rest) = rest.split_at(rest.iter().position(|b| b"/?#".contains(b)).unwrap_or(rest.len()));
    // The text before the last `@` is not a host, and may contain anything.
    let host = authority.iter().rposition(|&b| b == b'@').map_or(authority, |at| &authority[at + 1..]);
    let named = if host.is_empty() { authority } else { host };
    named.iter().any(u8::is_ascii_alphanumeric) && !has_template_syntax(named) && is_one_word(rest)
}

/// Returns true if a host contains template or script syntax: `{host}`, `$host`, `'+host`. Browsers treat `$` and `'`
/// within a word as part of it.
fn has_template_syntax(host: &[u8]) -> bool {
    let is_word = |at: usize| host.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let is_syntax = |(at, b): (usize, &u8)| match b {
        b'$' | b'\'' => at == 0 || !is_word(at - 1) || !is_word(at + 1),
        b => b"{}[]\"`^|\\<> ".contains(b),
    };
    host.iter().enumerate().any(is_syntax)
}

/// The value with another character for each space and angle bracket, or unchanged if a URL cannot contain
/// them there. The spaces of a telephone number are removed.
fn plain(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr3(b' ', b'<', b'>', value) else { return Cow::Borrowed(value) };
    let is_odd = |b: u8| matches!(b, b' ' | b'<' | b'>');
    if value.get(..4).is_some_and(|tel| tel.eq_ignore_ascii_case(b"tel:")) {
        return value.iter().copied().filter(|&b| b != b' ').collect();
    }
    let several = memchr::memchr_iter(b' ', value).any(|at| starts_url(&value[at + 1..]));
    // A space within a host is a typing error, unless the value continues with words.
    let is_in_host = || value[first] == b' ' && value[first..].contains(&b'/');
    if !(is_after_host(&value[..first]) || is_in_host()) || several || !has_pairs(value) {
        return Cow::Borrowed(value);
    }
    value.iter().map(|&b| if is_odd(b) { b'_' } else { b }).collect()
}

/// Returns true if each angle bracket has a partner, and none begins a template. A single bracket
/// means that a quotation mark is missing.
fn has_pairs(value: &[u8]) -> bool {
    let closing = memchr::memchr_iter(b'>', value).count();
    let is_template = |at: usize| matches!(value.get(at + 1), Some(b'%' | b'?' | b'!'));
    let opening = memchr::memchr_iter(b'<', value).take_while(|&at| !is_template(at)).count();
    opening == closing
}

/// Returns true if `start`, the beginning of a URL, contains its host.
fn is_after_host(start: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', start) else { return false };
    let rest = &start[colon + 1..];
    let rest = rest.strip_prefix(b"//").unwrap_or(rest);
    rest.iter().any(|b| b"/?#".contains(b))
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)]
mod tests {
    use super::*;
    use crate::grammar::Grade;

    fn grade(value: &str) -> Option<Grade> {
        read(value.as_bytes(), &Rules::default()).map(|m| {
            assert_eq!(
                (m.to_str(), m.pieces().collect::<Vec<_>>()),
                (Some(value), vec![0..value.len() as u64])
            );
            m.grade()
        })
    }

    #[test]
    fn spaces_after_the_host() {
        for url in [
            "http://h.org/Shared Documents/a b.doc",
            "http://h.org?a b",
            "mailto:a@h.org?subject=a b",
            "mailto:?subject=a b",
            "file:///C:/My Documents/a.txt",
        ] {
            assert_eq!(grade(url), Some(Grade::Lenient), "{url}");
        }
        for text in ["http://h.org b", "http://h.org/ http://i.org/", "a: b/c", "note: x/y z"] {
            assert_eq!(grade(text), None, "{text}");
        }
    }

    #[test]
    fn odd_hosts() {
        for url in [
            "http://my!host/",
            "ftp://ftp.***.com/a",
            "http://a%40b/",
            "http://a@b@/",
            "http://h$x.org/",
            "http://h'x.org/a",
            "cid:a{b}",
            "MID:a{b}",
        ] {
            assert_eq!(grade(url), Some(Grade::Lenient), "{url}");
        }
        // RFC 1738 ignores the fragment, and RFC 3986 does not define email addresses.
        assert_eq!(grade("http://h.org/#a b"), Some(Grade::Rfc1738));
        assert_eq!(grade("mailto:a?Subject=b"), Some(Grade::Rfc3986));
    }

    #[test]
    fn no_urls() {
        for text in [
            "http://",
            "http:///",
            "https://",
            "https:///",
            "https://?a",
            "ws://#a",
            "http://{host}/",
            "http://$h/",
            "http://www.$h/",
            "http://h$(a).org/",
            "http://'+h",
            "http://a'+h+'b",
            "mailto:",
            "javascript:a()",
            "http://h.org/<%= a %>",
            "http://<a>.h.org/",
            "data:text/html,a",
            // This may be a file of the same site or a host.
            "http:a.html",
            // The quotation mark is missing.
            "http://h.org/a>",
            "about:blank",
            "a//b:c",
            "mid:{-}",
            "mid:<a>",
        ] {
            assert_eq!(grade(text), None, "{text}");
        }
    }

    /// `blob:` and `data:` hold a document, `about:` names one of the browser, and the others are scripts.
    #[test]
    fn schemes_that_lead_nowhere() {
        let rules = Rules { max_len: 20, ..Rules::default() };
        let is_link = |value: &str| of_non_web_scheme(value.as_bytes(), &rules).is_some();
        for scheme in ["javascript", "vbscript", "data", "blob", "about", "http", "https", "ftp", "ws", "wss"]
        {
            for scheme in [scheme.to_owned(), scheme.to_uppercase()] {
                assert!(!is_link(&format!("{scheme}:xyz123")), "{scheme}");
                assert!(is_link(&format!("{scheme}s.a:x").replace('.', "+")), "{scheme}s+a");
            }
        }
        for value in ["skype:joe", "ab:c", "x+a-1:c", "skype:aaaaaaaaaaaaaa"] {
            assert!(is_link(value), "{value}");
        }
        for value in
            ["c:a", "ab:", "h.org:80", "1a:b", "a b:c", "skype:a b", "skype:<a", "skype:aaaaaaaaaaaaaaa"]
        {
            assert!(!is_link(value), "{value}");
        }
    }

    /// The text before an `@` is not a host.
    #[test]
    fn odd_userinfos() {
        for (url, host) in [
            ("https://=).=:;>@h.org/api?u=https://b.org/x", "h.org"),
            ("https://a:b>c@h.org", "h.org"),
            ("https://a@b@h.org/", "h.org"),
        ] {
            let m = read(url.as_bytes(), &Rules::default()).unwrap_or_else(|| panic!("{url}"));
            assert_eq!((m.to_str(), m.host().as_deref()), (Some(url), Some(host)));
        }
        for url in
            ["mailto:a b@h.org", "mailto:a@h.org ?subject=x", "mailto:{{a}}", "mailto:[a]", "mailto:<a>"]
        {
            assert_eq!(grade(url), Some(Grade::Lenient), "{url}");
        }
        // An addr-spec has an at-sign, which may be escaped.
        assert_eq!(grade("mailto:a"), Some(Grade::Rfc3986));
        assert_eq!(grade("mailto:a%40h.org"), Some(Grade::Rfc1738));
        for url in ["mailto:<a@h.org>?subject=x", "tel:(805) 203-8709", "tel:+1 (805) 203"] {
            assert_eq!(grade(url), Some(Grade::Lenient), "{url}");
        }
    }

    /// The examples of the URL standard and of its tests, `urltestdata.json`.
    /// A scheme without slashes and a host is a typing error of a relative link, which may name a page.
    #[test]
    fn hosts_without_slashes() {
        for (value, expected) in [
            ("http:h.org", true),
            ("http:h.org/a.html", true),
            ("http:a.html", false),
            ("http:a.HTM", false),
            ("http:a", false),
            ("http:-h.org", false),
            ("file:///a?b\\c", true),
        ] {
            assert_eq!(read(value.as_bytes(), &Rules::default()).is_some(), expected, "{value}");
        }
        let of_file = |value: &str| read(value.as_bytes(), &Rules::default()).unwrap().to_string();
        assert_eq!([r"file:\\h\a", r"file:///a?b\c"].map(of_file), ["file://h/a", r"file:///a?b\c"]);
    }

    #[test]
    fn slashes_of_browsers() {
        for (value, url) in [
            (r"https:\\h.org\a", "https://h.org/a"),
            (r"http:\\h.org\a?b\c", r"http://h.org/a?b\c"),
            (r"http://h.org\a\b#c\d", r"http://h.org/a/b#c\d"),
            ("https:/h.org/a", "https://h.org/a"),
            ("https:////h.org/a", "https://h.org/a"),
            (r"HTTP:/\h.org", "HTTP://h.org"),
            ("http:h.org/a", "http://h.org/a"),
            ("http:192.0.2.1/a", "http://192.0.2.1/a"),
            ("https:h.org", "https://h.org"),
            ("mailto: a@h.org", "mailto:a@h.org"),
            ("tel: +49 30 123456", "tel:+49 30 123456"),
        ] {
            let m = read(value.as_bytes(), &Rules::default());
            let m = m.unwrap_or_else(|| panic!("{value}"));
            assert_eq!((m.to_str(), m.span()), (Some(url), 0..value.len() as u64));
        }
        for (value, as_is) in [
            // An addr-spec has no angle brackets.
            ("mailto:%3Ca@h.org%3E", Grade::Rfc3986),
            ("http://h.org/<a>", Grade::Lenient),
        ] {
            assert_eq!(grade(value), Some(as_is), "{value}");
        }
        assert_eq!(grade("cid:part1"), Some(Grade::Rfc1738));
        let read_as =
            |value: &str| read(value.as_bytes(), &Rules::default()).map(|m| (m.to_string(), m.grade()));
        for (value, url) in [
            ("http://h.org\u{1}.co.fr/", "http://h.org%01.co.fr/"),
            ("http://exa mple.org/a", "http://exa mple.org/a"),
        ] {
            assert_eq!(read_as(value), Some((url.to_owned(), Grade::Lenient)), "{value}");
        }
    }

    fn read_relative(value: &str, base: Option<&[u8]>) -> Option<Match<'static>> {
        let may_be = may_be_relative(value.as_bytes(), base);
        let url = may_be.then(|| super::resolved(value.as_bytes(), base))??;
        relative(value.as_bytes(), url, &Rules::default())
    }

    /// Two slashes and more, of which each may be a backslash, are before a host.
    #[test]
    fn links_of_the_scheme_of_the_page() {
        let of_page = |value: &str| read_relative(value, None).map(|m| m.to_string());
        for value in ["//h.org/a", "///h.org/a", r"\\h.org\a", r"/\h.org/a", r"\/h.org/a", r"\\/\h.org/a"] {
            assert_eq!(of_page(value).as_deref(), Some("https://h.org/a"), "{value}");
        }
        for value in ["/a", "a//h.org", "//", "///", r"\\", r"\a", "///?a", r"\\'h.org\'"] {
            assert_eq!(of_page(value), None, "{value}");
        }
    }

    fn resolved(value: &str) -> Option<String> {
        let m = read_relative(value, Some(b"http://h.org/a/b?c"))?;
        assert_eq!(m.pieces().collect::<Vec<_>>(), [0..value.len() as u64]);
        Some(m.to_str().unwrap().to_owned())
    }

    #[test]
    fn relative_values() {
        for (value, url) in [
            ("d", "http://h.org/a/d"),
            ("../../../d", "http://h.org/d"),
            ("?d", "http://h.org/a/b?d"),
            ("//i.org", "http://i.org"),
            ("d e/f", "http://h.org/a/d e/f"),
            ("d?e:f", "http://h.org/a/d?e:f"),
            ("///i.org/d", "http://i.org/d"),
            (r"\\i.org\d?e\f", r"http://i.org/d?e\f"),
            (r"\d", "http://h.org/d"),
            (r"d\e\..\f#\g", r"http://h.org/a/d/f#\g"),
            ("//h'x$y.org/", "http://h'x$y.org/"),
        ] {
            assert_eq!(resolved(value).as_deref(), Some(url), "{value}");
        }
        for value in
            ["", "#d", "javascript:d", "{{d}}", "<%= d %>", "' + d + '", r"\'d\'", "//", "///", "d:e"]
        {
            assert_eq!(resolved(value), None, "{value}");
        }
        // In other schemes, a backslash is not a slash, and a third slash begins the path.
        let in_file = |value: &str| {
            let m = read_relative(value, Some(b"file:///a/b"));
            m.map(|m| m.to_string())
        };
        assert_eq!([in_file("///d"), in_file(r"d\e")], [Some("file:///d".to_owned()), None]);
    }
}
