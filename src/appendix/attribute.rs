//! The value of an HTML attribute, which is one URL as a whole, or none.
//!
//! The value delimits it, and says that it is meant as a URL. So less is needed than in prose, and
//! what no grammar accepts is a URL of the lowest grade:
//!
//! - It may have spaces, as browsers allow (`http://h.org/Shared Documents/a b.doc`), if they come
//!   after its host and no other URL follows one.
//! - After `//` any host will do that has a letter or digit (`http://my!host/`), and after `mailto:`
//!   any text with an `@` or a `?`.
//!
//! It is none if it has `<`, `>` or a control character, or if its host is from a template.

use std::borrow::Cow;

use super::Rules;
use super::delimited;
use super::rejoin::starts_url;
use crate::found::Match;
use crate::found::form::Form;
use crate::grammar::resolve;
use crate::grammar::schemes::is_scheme;
use crate::scan::scheme_meant;

/// The match that is the whole `value` of an attribute; `None` if it is relative or not a
/// URL.
pub(crate) fn read<'h>(value: &'h [u8], rules: &Rules) -> Option<Match<'h>> {
    // The search within it spells it out.
    let scheme = value.split(|&b| b == b':').next().unwrap_or_default();
    if rules.scan.refang && scheme_meant(scheme).is_some() {
        return None;
    }
    is_url(value, rules).then(|| Match::verbatim(value, 0, 0..value.len(), Form::Href))
}

/// The match that the relative `value` of an attribute is in a document at `base`; `None` if it
/// is a place in the document itself, or not a URL.
pub(crate) fn relative(value: &[u8], base: &[u8], rules: &Rules) -> Option<Match<'static>> {
    // RFC 3986 section 4.4, "Same-Document Reference".
    let same_document = value.first().is_none_or(|&b| b == b'#');
    // Templates and scripts: `{{url}}`, `<%= url %>`, `' + url + '`.
    let is_template = value.iter().any(|b| b"{}<>\"`^|\\".contains(b)) || value.starts_with(b"'");
    if same_document || is_template || resolve::has_scheme(value) {
        return None;
    }
    let url = resolve::resolve(base, value)?;
    is_url(&url, rules).then(|| Match::resolved(url, 0..value.len(), Form::Href))
}

fn is_url(value: &[u8], rules: &Rules) -> bool {
    if value.len() > rules.max_len || value.iter().any(|&b| b < b' ' || b == 0x7F) {
        return false;
    }
    let url = without_spaces(value);
    delimited::is_evident_url(&url, rules) || is_odd_url(&url)
}

/// Whether `url` is meant as a URL, although it has no host or mail address that is plausible.
fn is_odd_url(url: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', url) else {
        return false;
    };
    let (scheme, rest) = (&url[..colon], &url[colon + 1..]);
    if url.iter().any(|b| matches!(b, b' ' | b'<' | b'>')) || !is_scheme(scheme) {
        return false;
    }
    if scheme.eq_ignore_ascii_case(b"mailto") {
        return rest.iter().any(|b| matches!(b, b'@' | b'?')) && !starts_url(rest);
    }
    rest.strip_prefix(b"//").is_some_and(|rest| {
        let end = rest.iter().position(|b| b"/?#".contains(b)).unwrap_or(rest.len());
        let authority = &rest[..end];
        authority.iter().any(u8::is_ascii_alphanumeric)
            && !authority.iter().any(|b| b"{}[]$\"'`^|\\".contains(b))
    })
}

/// The value with another character for each space; unchanged if a URL cannot have them there.
fn without_spaces(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b' ', value) else {
        return Cow::Borrowed(value);
    };
    let several = || memchr::memchr_iter(b' ', value).any(|at| starts_url(&value[at + 1..]));
    if !is_after_host(&value[..first]) || several() {
        return Cow::Borrowed(value);
    }
    Cow::Owned(value.iter().map(|&b| if b == b' ' { b'_' } else { b }).collect())
}

/// Whether a URL that begins with `start` has its host in it.
fn is_after_host(start: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', start) else {
        return false;
    };
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
                (m.as_str(), m.segments().collect::<Vec<_>>()),
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
        for text in
            ["http://h.org b", "http://h.org/ http://i.org/", "mailto:a b@h.org", "a: b/c", "note: x/y z"]
        {
            assert_eq!(grade(text), None, "{text}");
        }
    }

    #[test]
    fn odd_hosts() {
        for url in ["http://my!host/", "ftp://ftp.***.com/a", "http://a%40b/", "http://a@b@/"] {
            assert_eq!(grade(url), Some(Grade::Lenient), "{url}");
        }
        // RFC 1738 does not grade a fragment, and RFC 3986 no address.
        assert_eq!(grade("http://h.org/#a b"), Some(Grade::Rfc1738));
        assert_eq!(grade("mailto:a?Subject=b"), Some(Grade::Rfc3986));
        for text in [
            "http://",
            "http:///",
            "http://{host}/",
            "http://$h/",
            "http://'+h",
            "mailto:a",
            "mailto:",
            "javascript:a()",
            "http://h.org/<a>",
            "http://a\u{1}b/",
            "data:text/html,a",
            "about:blank",
            "a//b:c",
        ] {
            assert_eq!(grade(text), None, "{text}");
        }
    }

    fn resolved(value: &str) -> Option<String> {
        let m = relative(value.as_bytes(), b"http://h.org/a/b?c", &Rules::default())?;
        assert_eq!(m.segments().collect::<Vec<_>>(), [0..value.len() as u64]);
        Some(m.as_str().unwrap().to_owned())
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
        ] {
            assert_eq!(resolved(value).as_deref(), Some(url), "{value}");
        }
        for value in ["", "#d", "javascript:d", "{{d}}", "<%= d %>", "' + d + '", "//", "d:e"] {
            assert_eq!(resolved(value), None, "{value}");
        }
    }
}
