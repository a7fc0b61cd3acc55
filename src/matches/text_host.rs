//! Links whose text shows a host different from that in their target.
//!
//! A reader who sees `www.bank.com` expects to get there. So a link text that consists of a URL or
//! a host is compared with the target. Names under the same registered domain belong to the same
//! owner, `www.` or not. A text that is the file name at the target is not a host. A redirector,
//! such as a click counter, is another host, because it can lead anywhere.

use std::borrow::Cow;

use crate::bytes::file_kind::may_be_file;
use crate::bytes::haystack::Haystack;
use crate::matches::Match;
use crate::matches::form::Form;
use crate::suffix;

/// Returns true if the `text` of a link is a URL or a host, and that is not where `target` leads.
pub(super) fn is_another<T: Haystack + ?Sized>(text: &[u8], target: &Match<'_, T>) -> bool {
    let is_place = target.scheme() != "mailto";
    let Some(host) = ascii_host(target).filter(|_| is_place) else {
        return false;
    };
    !is_its_file(text, target.as_bytes())
        && host_shown(text).is_some_and(|shown| owner(&shown) != owner(&host))
}

/// Returns true if a text that could be a host is the file name at the end of `url`: a name whose
/// extension is a top-level domain as well.
fn is_its_file(text: &[u8], url: &[u8]) -> bool {
    let mut parts = text.split(|&b| b == b'.');
    let is_name = parts.next().is_some_and(|name| name.iter().all(u8::is_ascii_alphanumeric));
    let is_file = parts.next().is_some_and(may_be_file);
    let path = &url[..memchr::memchr2(b'?', b'#', url).unwrap_or(url.len())];
    is_name
        && is_file
        && parts.next().is_none()
        && path.strip_suffix(text).is_some_and(|before| before.ends_with(b"/"))
}

/// The host that a text shows, if the text is a URL or a host, and nothing else.
fn host_shown(text: &[u8]) -> Option<String> {
    let is_around = |b: &u8| b"<>()[]\"'.,;:!*/".contains(b);
    let start = text.iter().position(|b| !is_around(b))?;
    let end = text.iter().rposition(|b| !is_around(b))? + 1;
    let text = &text[start..end];
    if text.iter().any(u8::is_ascii_whitespace) || memchr::memchr(b'@', text).is_some() {
        return None;
    }
    let is_url = memchr::memmem::find(text, b"://").is_some();
    let url = if is_url { Cow::Borrowed(text) } else { Cow::Owned([b"http://", text].concat()) };
    let host = ascii_host(&Match::verbatim(&url, 0, 0..url.len(), Form::Attribute))?;
    // A text like `index.html` or `v1.2` is not a host. After a scheme, the host may have any name: `http://bank.local/`.
    let is_domain = || suffix::of(host.as_bytes()).is_some_and(|suffix| suffix.start > 0);
    (is_url && host.contains('.') || is_domain()).then_some(host)
}

/// The host of a URL, in ASCII if possible. Text after a space that was typed into the URL does not
/// belong to a host.
fn ascii_host<T: Haystack + ?Sized>(url: &Match<'_, T>) -> Option<String> {
    let host = url.host()?;
    let host = host.split(char::is_whitespace).next()?.trim_end_matches([';', ',']);
    #[cfg(feature = "idna")]
    if !host.is_ascii() {
        let url = format!("http://{host}/");
        let ascii = Match::verbatim(url.as_bytes(), 0, 0..url.len(), Form::Attribute).ascii()?;
        return Some(ascii.trim_start_matches("http://").trim_end_matches('/').to_owned());
    }
    Some(host.to_owned())
}

/// The registered domain that a host is under, or the host itself.
fn owner(host: &str) -> &[u8] {
    let host = host.trim_end_matches('.').as_bytes();
    suffix::registered_domain(host).unwrap_or_else(|| two_labels(host))
}

/// The last two labels of a host.
fn two_labels(host: &[u8]) -> &[u8] {
    let dot = |end: usize| memchr::memrchr(b'.', &host[..end]);
    let start = dot(host.len()).and_then(dot).map_or(0, |dot| dot + 1);
    &host[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_another_than(text: &str, target: &str) -> bool {
        let target = Match::verbatim(target.as_bytes(), 0, 0..target.len(), Form::Attribute);
        is_another(text.as_bytes(), &target)
    }

    #[test]
    fn another_host() {
        for (text, target) in [
            ("www.bank.com", "http://evil.example.net/"),
            ("http://www.bank.com/login", "http://192.0.2.1/login"),
            ("bank.com", "http://bank.com.evil.net/"),
            ("(https://bank.com/).", "https://click.counter.net/?u=bank.com"),
            ("bank.co.uk", "http://other.co.uk/"),
            ("BANK.COM/a", "http://h.org/"),
            ("www.bank.com", "http://evil.com/www.bank.com"),
            ("bank.com", "http://evil.com/bank.com"),
            ("www.bank.com/login", "http://evil.com/?/www.bank.com/login"),
            ("https://www.bank.com/", "http://evil.com/#/https://www.bank.com/"),
            ("http://www.bank.com*", "http://evil.com/"),
            ("install.sh", "http://evil.com/?/install.sh"),
            ("https://bank.local/x", "http://evil.com/"),
            ("http://192.0.2.1/", "http://evil.com/"),
        ] {
            assert!(is_another_than(text, target), "{text} {target}");
        }
    }

    #[test]
    fn the_same_host_or_none() {
        for (text, target) in [
            ("www.bank.com", "https://bank.com/"),
            ("bank.com", "https://login.bank.com/a"),
            ("news.bank.com/a", "https://click.bank.com/x"),
            ("HTTP://BANK.COM", "http://bank.com:8080/"),
            ("http://bank.com", "http://bank.com\u{a0}Bank"),
            ("Read more", "http://evil.net/"),
            ("See www.bank.com now", "http://evil.net/"),
            ("index.html", "http://evil.net/"),
            ("1.2.3", "http://evil.net/"),
            ("convert.pl", "http://h.org/convert.pl"),
            ("main.ml", "http://h.org/src/main.ml#L2"),
            ("Makefile.am", "http://h.org/Makefile.am"),
            ("configure.ac", "http://h.org/configure.ac?h=v1"),
            ("rules.mk", "http://h.org/rules.mk"),
            ("Node.js", "http://nodejs.org/"),
            ("a@bank.com", "mailto:a@evil.net"),
            ("a@bank.com", "http://evil.net/"),
            ("bank.com", "mailto:a@evil.net"),
            ("", "http://evil.net/"),
            ("...", "http://evil.net/"),
            ("http://...", "http://evil.net/"),
            ("http://localhost/", "http://evil.net/"),
        ] {
            assert!(!is_another_than(text, target), "{text} {target}");
        }
    }

    #[cfg(feature = "idna")]
    #[test]
    fn hosts_beyond_ascii() {
        assert!(!is_another_than("www.m\u{fc}ller.de", "http://xn--mller-kva.de/"));
        assert!(is_another_than("m\u{fc}ller.de", "http://mueller.de/"));
    }
}
