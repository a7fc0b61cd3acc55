//! The check for URLs that no grammar accepts and that a reader would still use.
//!
//! An unencoded brace or percent sign does no harm. But a URL without a host, or with
//! a host that cannot be one, cannot be used.

use super::{
    chars::{ANGLE, UNPRINTABLE},
    error::{ParseError, Production},
    generic, host,
    rest::Rest,
    schemes::{UrlKind, known},
    split::{Split, split},
};

static CHARACTERS: Production = Production::new(
    "URI",
    "RFC 3986 appendix C",
    "white space, control characters, \"<\" and \">\" delimit a URL and are never inside",
);

static AUTHORITY: Production = Production::new(
    "authority",
    "RFC 3986 section 3.2",
    "a URL of this scheme has \"//\" and a host after its colon",
);

static HIER_PART: Production =
    Production::new("hier-part", "RFC 3986 section 3", "something follows the colon");

static PATH: Production =
    Production::new("path-absolute", "RFC 3986 section 3.3", "the path of a file begins with a \"/\"");

/// An error, unless `url`, which has no fragment, is plausible.
pub(super) fn plausible(url: &[u8]) -> Result<(), ParseError> {
    let all = Rest::new(url);
    let (_, rest) = generic::scheme(all)?;
    if let Some(at) = url.iter().position(|&byte| UNPRINTABLE.or(ANGLE).has(byte)) {
        return Err(all.skip(at).refuse(&CHARACTERS));
    }
    let Some(split) = split(url) else {
        // The scheme has been parsed, so there is a colon.
        return Err(all.refuse(&generic::SCHEME_NAME));
    };
    let known = known(split.scheme);
    let is_file = known.is_some_and(|known| known.kind == UrlKind::File);
    let needs_authority = known.is_some_and(|known| known.needs_authority);
    if split.authority.is_some() {
        return plausible_authority(rest.skip(2), &split, needs_authority);
    }
    if needs_authority {
        Err(rest.refuse(&AUTHORITY))
    } else if is_file && !split.rest.starts_with(b"/") {
        Err(rest.refuse(&PATH))
    } else if split.rest.is_empty() {
        Err(rest.refuse(&HIER_PART))
    } else {
        Ok(())
    }
}

/// An error, unless the authority at the start of `rest` has a plausible host or
/// needs none. The user and the port may be anything: `git@h.org:me/it` has a path
/// after the colon, and is in use.
fn plausible_authority(rest: Rest<'_>, split: &Split<'_>, is_needed: bool) -> Result<(), ParseError> {
    let Some(authority) = &split.authority else {
        return Ok(());
    };
    // RFC 1738 section 3.10: the host of a file can be "the empty string". RFC 3986 section 3.2.2
    // lets each scheme say whether its host can.
    let is_empty = authority.host.is_empty() && authority.userinfo.is_none();
    if is_empty && !is_needed && split.rest.starts_with(b"/") {
        return Ok(());
    }
    let host_start = authority.userinfo.map_or(0, |userinfo| userinfo.len() + 1);
    match host::flaw(authority.host) {
        Some(flaw) => Err(rest.skip(host_start + flaw).refuse(&generic::HOST)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(url: &str) -> Option<(&'static str, usize)> {
        let error = plausible(url.as_bytes()).err()?;
        Some((error.production(), error.offset()))
    }

    #[test]
    fn plausible_urls() {
        for url in [
            "http://h.org/{x}",
            "http://my_host.org",
            "http://u@v@[::1]:x/",
            "ssh://git@h.org:user/x.git",
            "http://b\u{fc}cher.example/\u{e9}",
            "file:///",
            "file:/etc",
            "file://h",
            "afs:///~a",
            "made-up:///~a",
            "mailto:x",
            "made-up:^",
        ] {
            assert_eq!(refusal(url), None, "{url}");
        }
    }

    #[test]
    fn implausible_ones() {
        for (url, production, offset) in [
            ("", "scheme", 0),
            ("1x:a", "scheme", 0),
            ("x", "scheme", 1),
            ("http://h.org/a b", "URI", 14),
            ("http://h.org/<a", "URI", 13),
            ("http://h.org/\x7f", "URI", 13),
            ("http:", "authority", 5),
            ("HTTPS:/h.org", "authority", 6),
            ("http://", "host", 7),
            ("http:///a", "host", 7),
            ("http://u@/a", "host", 9),
            ("made-up://", "host", 10),
            ("made-up://u@/a", "host", 12),
            ("http://h.org(thehomepage)", "host", 12),
            ("http://h..org/", "host", 9),
            ("file:etc", "path-absolute", 5),
            ("file://", "host", 7),
            ("mailto:", "hier-part", 7),
        ] {
            assert_eq!(refusal(url), Some((production, offset)), "{url}");
        }
    }
}
