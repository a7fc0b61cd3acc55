//! The host of a match.

use urlgrep::{Match, grammar};

/// The host of a URL: that of its authority, or of the address of a `mailto` URL.
pub fn of<'m>(matched: &'m Match<'_>) -> Option<&'m [u8]> {
    let url = matched.as_bytes();
    if let Some(authority) = grammar::authority(url) {
        return Some(authority.host());
    }
    if matched.scheme().eq_ignore_ascii_case("mailto") {
        let address = url.split(|&byte| byte == b'?').next().unwrap_or(url);
        return memchr::memrchr(b'@', address).map(|at| &address[at + 1..]);
    }
    // With `--hosts` the scheme and its "//" are implied.
    let scheme = matched.scheme().as_bytes();
    let is_written = url.starts_with(scheme) && url.get(scheme.len()) == Some(&b':');
    let end = url.iter().position(|byte| b":/?#".contains(byte)).unwrap_or(url.len());
    (!is_written).then(|| &url[..end])
}

#[cfg(test)]
mod tests {
    use urlgrep::Finder;

    use super::*;

    fn host(text: &str) -> Option<String> {
        let finder = Finder::builder().hosts(true).addresses(true).build().unwrap();
        let matched = finder.find(text).unwrap();
        of(&matched).map(|host| String::from_utf8_lossy(host).into_owned())
    }

    #[test]
    fn hosts_of_urls() {
        for (text, expected) in [
            ("http://H.org:80/a@b", "H.org"),
            ("ftp://me:secret@h.org", "h.org"),
            ("http://[2001:db8::7]:80/", "[2001:db8::7]"),
            ("mailto:me@h.org?to=you@i.org", "h.org"),
            ("www.h.org:80/a", "www.h.org"),
            ("ftp.h.org/a", "ftp.h.org"),
            ("me@h.org", "h.org"),
        ] {
            assert_eq!(host(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(host("news:comp.lang.c"), None);
        assert_eq!(host("file:/etc/motd"), None);
    }
}
