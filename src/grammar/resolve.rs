//! Relative references (RFC 3986 section 5): the URL that a reference means in a document.

use super::generic;
use super::production::Rest;
use super::split::{split, split_at, split_authority, split_fragment};

/// Returns true if `reference` begins with a scheme, so that it is not relative.
pub(crate) fn has_scheme(reference: &[u8]) -> bool {
    generic::scheme(Rest::new(reference)).is_ok()
}

/// The URL that `reference` means in a document at `base` (RFC 3986 section 5.2.2); `None` if
/// `base` lacks a scheme or authority, because then no reference is relative to it.
pub(crate) fn resolve(base: &[u8], reference: &[u8]) -> Option<Vec<u8>> {
    let (base, _fragment) = split_fragment(base);
    let scheme = split(base)?.scheme;
    let (base_authority, base_rest) = split_authority(&base[scheme.len() + 1..]);
    let (own, (base_path, base_query)) = (base_authority?, split_at(base_rest, b'?'));
    if has_scheme(reference) {
        return None;
    }
    let (reference, fragment) = split_fragment(reference);
    let (authority, rest) = split_authority(reference);
    let (authority, path, query) = match (authority, split_at(rest, b'?')) {
        (Some(authority), (path, query)) => (authority, without_dots(path), query),
        (None, (b"", query)) => (own, base_path.to_vec(), query.or(base_query)),
        (None, (path @ [b'/', ..], query)) => (own, without_dots(path), query),
        (None, (path, query)) => (own, without_dots(&merged(base_path, path)), query),
    };
    let mut url = [scheme, b"://", authority, &path].concat();
    for (mark, part) in [(b'?', query), (b'#', fragment)] {
        if let Some(part) = part {
            url.push(mark);
            url.extend_from_slice(part);
        }
    }
    Some(url)
}

/// RFC 3986 section 5.2.3, for a base with an authority.
fn merged(base: &[u8], path: &[u8]) -> Vec<u8> {
    match memchr::memrchr(b'/', base) {
        Some(slash) => [&base[..=slash], path].concat(),
        None => [b"/", path].concat(),
    }
}

/// RFC 3986 section 5.2.4, for a path that is empty or begins with a slash.
fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(path.len());
    let mut segments = path.split(|&b| b == b'/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            b"." | b".." => {
                if segment.len() == 2 {
                    out.truncate(memchr::memrchr(b'/', &out).unwrap_or(0));
                }
                if last {
                    out.push(b'/');
                }
            }
            _ => {
                out.push(b'/');
                out.extend_from_slice(segment);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(base: &str, reference: &str) -> Option<String> {
        resolve(base.as_bytes(), reference.as_bytes()).map(|url| String::from_utf8(url).unwrap())
    }

    #[track_caller]
    fn check(examples: &[(&str, &str)]) {
        for (reference, url) in examples {
            assert_eq!(resolved("http://a/b/c/d;p?q", reference).as_deref(), Some(*url), "{reference}");
        }
    }

    /// RFC 3986 section 5.4.1.
    #[test]
    fn normal_examples() {
        check(&[
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ]);
    }

    /// RFC 3986 section 5.4.2.
    #[test]
    fn abnormal_examples() {
        check(&[
            ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
        ]);
        assert_eq!(resolved("http://a/b/c/d;p?q", "g:h"), None);
    }

    #[test]
    fn other_bases() {
        assert_eq!(resolved("http://h.org", "a").as_deref(), Some("http://h.org/a"));
        assert_eq!(resolved("http://h.org?q#f", "a?b:c").as_deref(), Some("http://h.org/a?b:c"));
        assert_eq!(resolved("http://u@h.org:8080/x", "//i.org").as_deref(), Some("http://i.org"));
        for base in ["dns:h.org", "mailto:a@h.org", "h.org/a", "/a", ""] {
            assert_eq!(resolved(base, "a"), None, "{base}");
        }
    }
}
