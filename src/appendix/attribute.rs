//! The value of an HTML attribute, which is one URL as a whole, or none.
//!
//! The value delimits it. So a URL may have spaces there, as browsers allow
//! (`http://h.org/Shared Documents/a b.doc`), if they come after its host; it is then of the
//! lowest grade. It is none if another URL follows a space.

use std::borrow::Cow;

use super::Rules;
use super::delimited;
use super::rejoin::starts_url;
use crate::found::Match;
use crate::found::form::Form;
use crate::grammar::resolve;

/// The match that is the whole `value` of an attribute; `None` if it is relative or not a
/// URL.
pub(crate) fn read<'h>(value: &'h [u8], rules: &Rules) -> Option<Match<'h>> {
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
    is_url(&url, rules).then(|| Match::resolved(url, 0..value.len()))
}

fn is_url(value: &[u8], rules: &Rules) -> bool {
    if value.len() > rules.max_len || value.iter().any(|&b| b < b' ' || b == 0x7F) {
        return false;
    }
    delimited::is_evident_url(&without_spaces(value), rules)
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
