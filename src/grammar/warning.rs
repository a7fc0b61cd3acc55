//! Warnings: the dangers in RFC 1738 section 6, "Security Considerations", and some later ones.

use std::{fmt, iter::FusedIterator};

use super::login::is_obvious_host;
use super::production::{find_line_break, octet_of_escape};
use super::schemes::known;
use super::split::{Split, split};
use super::split_fragment;
use crate::bytes::name::named;
#[cfg(feature = "domains")]
use crate::suffix::{self, Owner, Suffix};

/// A property of a URL that a user should check before opening it.
///
/// ```
/// use urlgrep::grammar::{Warning, warnings};
///
/// let set: Vec<_> = warnings(b"ftp://u:secret@h.org:25/").into_iter().collect();
/// assert_eq!(set, [Warning::Password, Warning::Port]);
/// assert_eq!(Warning::Password.as_str(), "password");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Warning {
    /// The URL has a password: "The use of URLs containing passwords that
    /// should be secret is clearly unwise."
    Password,
    /// The port is below 1024 and differs from the scheme's default port, if the scheme has one:
    /// "especially when it is a number within the reserved space". Or it is above 65,535, which is
    /// not a port.
    ///
    /// ```
    /// use urlgrep::grammar::warnings;
    ///
    /// assert!(!warnings(b"http://h.org:99/").is_empty());
    /// assert!(warnings(b"foo://h.org:99/").is_empty());
    /// assert!(!warnings(b"foo://h.org:70000/").is_empty());
    /// ```
    Port,
    /// The URL has an encoded carriage return or line feed, which "could be used to
    /// simulate an extra operation or parameter".
    Control,
    /// The user name looks like a host, as in `http://www.bank.com@h.org/`. The RFC
    /// does not mention it; the trick came later.
    Userinfo,
    /// The link text is a URL or a host, and that host differs from the host of the URL. Only a
    /// match in HTML can have this warning, with the feature `domains`.
    TextHost,
    /// A label of the host mixes scripts, or looks like Latin but is not (Unicode Technical Standard #39), as in
    /// `http://pаypal.com/` with a Cyrillic `а`. With the feature `idna`.
    MixedScript,
    /// The host is an IP address, in any notation that browsers read as one.
    Ip,
    /// The URL may have been shortened where it is shown: `...` or `…` follows a letter. Only a
    /// match can have this warning. A `news:` URL of an article never has it, because an ellipsis
    /// after it belongs to an attribution.
    Truncated,
    /// The host has at least 40 bytes or six labels, because such hosts often contain the name of
    /// another site.
    LongHost,
    /// The host is a service that makes short links to other sites. With the feature `domains`.
    Shortener,
    /// The host is under a suffix that a company offers to everybody, such as `blogspot.com`. With
    /// the feature `domains`.
    Hosted,
    /// The URL contains the URL of another site, as written, percent-encoded or in base64. A URL by itself never has
    /// this warning; a match may, with the features `domains` and `unwrap`.
    Redirect,
}

/// The warnings about the place that a URL leads to. Pages often load images from such places, so a match has these
/// warnings only in texts, links and forms.
#[cfg(feature = "archive")]
const ABOUT_PLACES: [Warning; 4] =
    [Warning::LongHost, Warning::Shortener, Warning::Hosted, Warning::Redirect];

named! {
    Warning:
    /// Returns the name: `password`, `port`, `control`, `userinfo`, `text_host`, `mixed_script`,
    /// `ip`, `truncated`, `long_host`, `shortener`, `hosted` or `redirect`.
    ///
    /// ```
    /// # use urlgrep::grammar::Warning;
    /// assert_eq!(Warning::Control.as_str(), "control");
    /// ```
    Password => "password",
    Port => "port",
    Control => "control",
    Userinfo => "userinfo",
    TextHost => "text_host",
    MixedScript => "mixed_script",
    Ip => "ip",
    Truncated => "truncated",
    LongHost => "long_host",
    Shortener => "shortener",
    Hosted => "hosted",
    Redirect => "redirect",
}

impl Warning {
    /// Returns the description of the warning, as the rest of a sentence about the URL: `has a
    /// password`.
    pub fn description(self) -> &'static str {
        match self {
            Warning::Password => "has a password",
            Warning::Port => "has a reserved port, or one above 65535",
            Warning::Control => "has an encoded line break",
            Warning::Userinfo => "has a user name that looks like a host",
            Warning::TextHost => "has link text that shows another host",
            Warning::MixedScript => "has a host with letters that look like other letters",
            Warning::Ip => "has an IP address as its host",
            Warning::Truncated => "may be truncated: an ellipsis follows",
            Warning::LongHost => "has a host of at least 40 bytes or six labels",
            Warning::Shortener => "is a short link to another site",
            Warning::Hosted => "is on a shared domain, such as blogspot.com",
            Warning::Redirect => "contains the URL of another site",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u32
    }
}

// A warning without its own bit would be treated as another.
const _: () = {
    let mut n = 0;
    while n < Warning::ALL.len() {
        assert!(Warning::ALL[n] as usize == n && Warning::ALL[n].bit().count_ones() == 1);
        n += 1;
    }
};

/// A set of warnings, in the order of [`Warning`]'s variants.
///
/// ```
/// use urlgrep::grammar::{Warning, warnings};
///
/// let set = warnings(b"gopher://h.org:25/0x");
/// assert!(!set.is_empty());
/// assert!(set.contains(Warning::Port));
/// assert_eq!(set.len(), 1);
/// assert_eq!(set.iter().next(), Some(Warning::Port));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Warnings(u32);

impl Warnings {
    /// Returns true if the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of warnings.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if the set contains this warning.
    pub fn contains(self, warning: Warning) -> bool {
        self.0 & warning.bit() != 0
    }

    /// Returns the warnings in order.
    pub fn iter(self) -> WarningsIter {
        WarningsIter(self)
    }

    /// The set with one more warning, if that `holds`.
    pub(crate) fn with_if(mut self, warning: Warning, holds: bool) -> Warnings {
        self.insert_if(warning, holds);
        self
    }

    /// Returns the set without the warnings about the target of the URL.
    #[cfg(feature = "archive")]
    pub(crate) fn without_places(self) -> Warnings {
        Warnings(ABOUT_PLACES.iter().fold(self.0, |bits, warning| bits & !warning.bit()))
    }

    fn insert_if(&mut self, warning: Warning, holds: bool) {
        if holds {
            self.0 |= warning.bit();
        }
    }
}

impl fmt::Debug for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl IntoIterator for Warnings {
    type Item = Warning;
    type IntoIter = WarningsIter;

    fn into_iter(self) -> WarningsIter {
        self.iter()
    }
}

/// The iterator over [`Warnings`].
///
/// ```
/// use urlgrep::grammar::warnings;
///
/// let names = warnings(b"http://a.com:b@h.org/").iter().map(|warning| warning.as_str());
/// assert!(names.eq(["password", "userinfo"]));
/// ```
#[derive(Clone, Debug)]
pub struct WarningsIter(Warnings);

impl Iterator for WarningsIter {
    type Item = Warning;

    fn next(&mut self) -> Option<Warning> {
        let mut all = Warning::ALL.into_iter();
        let first = all.find(|&warning| self.0.contains(warning))?;
        self.0.0 &= !first.bit();
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for WarningsIter {}
impl FusedIterator for WarningsIter {}

/// Returns the warnings about a URL of any [grade](super::Grade).
///
/// The fragment is ignored, because it is not sent to a server. A text that is not a URL does not
/// have warnings. Runs in time linear in the length.
///
/// ```
/// use urlgrep::grammar::{Warning, warnings};
///
/// assert!(warnings(b"http://h.org:8080/").is_empty());
/// assert!(warnings(b"telnet://a%0d%0ab@h.org/").contains(Warning::Control));
/// ```
pub fn warnings(url: &[u8]) -> Warnings {
    let (url, _fragment) = split_fragment(url);
    let mut warnings = Warnings::default();
    let Some(split) = split(url) else { return warnings };
    warnings.insert_if(Warning::Control, has_line_break(url, &split));
    let Some(authority) = &split.authority else { return warnings };
    if let Some(userinfo) = authority.userinfo {
        let mut parts = userinfo.splitn(2, |&byte| byte == b':');
        let user = parts.next().unwrap_or_default();
        let password = parts.next().unwrap_or_default();
        warnings.insert_if(Warning::Password, !password.is_empty());
        warnings.insert_if(Warning::Userinfo, is_obvious_host(user));
    }
    warnings.insert_if(Warning::Ip, is_address(authority.host));
    warnings.insert_if(Warning::LongHost, is_long(authority.host));
    #[cfg(feature = "domains")]
    {
        let host = authority.host.strip_suffix(b".").unwrap_or(authority.host);
        let is_below = |suffix: Suffix| suffix.owner == Owner::Company && suffix.start > 0;
        // Nearly every host is a domain, or `www` in one. No company offers names below a suffix of one label.
        let labels = host.iter().filter(|&&b| b == b'.').count() + 1 - usize::from(host.starts_with(b"www."));
        warnings.insert_if(Warning::Hosted, labels > 2 && suffix::of(host).is_some_and(is_below));
        // No shortener's name is longer than 11 bytes, so skip the copy for longer hosts.
        let lower = || host.to_ascii_lowercase();
        let is_shortener =
            |host: &[u8]| SHORTENERS.binary_search_by(|name| name.as_bytes().cmp(host)).is_ok();
        warnings.insert_if(Warning::Shortener, host.len() <= 11 && is_shortener(&lower()));
    }
    #[cfg(feature = "idna")]
    warnings.insert_if(Warning::MixedScript, super::mixed::looks_like_another(authority.host));
    let is_suspicious = |digits| match port_number(digits) {
        Some(port) => {
            let default = known(split.scheme).and_then(|known| known.port);
            port < 1024 && default.is_some_and(|default| port != default)
        }
        None => true,
    };
    let digits = authority.port.filter(|port| !port.is_empty() && port.iter().all(u8::is_ascii_digit));
    warnings.insert_if(Warning::Port, digits.is_some_and(is_suspicious));
    warnings
}

/// Returns true if `host` is an IPv6 address in brackets, or ends in a number, which browsers read as an IPv4 address
/// (WHATWG URL, "ends in a number").
fn is_address(host: &[u8]) -> bool {
    let name = host.strip_suffix(b".").unwrap_or(host);
    let last = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_hex = || {
        let digits = last.strip_prefix(b"0x").or(last.strip_prefix(b"0X"));
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    host.starts_with(b"[") || !last.is_empty() && last.iter().all(u8::is_ascii_digit) || is_hex()
}

/// Returns true if a name has at least 40 bytes or six labels.
fn is_long(host: &[u8]) -> bool {
    let is_name = !host.starts_with(b"[");
    is_name && (host.len() >= 40 || host.iter().filter(|&&b| b == b'.').count() >= 5)
}

/// Services that make short links to any site, in order.
#[cfg(feature = "domains")]
#[rustfmt::skip]
const SHORTENERS: [&str; 48] = [
    "abre.ai", "adf.ly", "bit.ly", "bl.ink", "buff.ly", "clck.ru", "cutt.ly", "cutt.us", "dlvr.it",
    "encr.pw", "gg.gg", "goo.gl", "goo.su", "han.gl", "ibit.ly", "is.gd", "j.mp", "kutt.it", "lnkd.in",
    "me2.do", "n9.cl", "ouo.io", "ow.ly", "q-r.to", "qrco.de", "rb.gy", "rebrand.ly", "reurl.cc",
    "rotf.lol", "s.id", "short.gy", "shorte.st", "shorturl.at", "snip.ly", "soo.gd", "surl.li", "t.co",
    "t.ly", "tiny.cc", "tiny.one", "tinyurl.com", "tr.im", "u.to", "urlz.fr", "v.gd", "vk.cc", "x.co",
    "x.gd",
];

/// A port number; `None` if it is too large.
fn port_number(digits: &[u8]) -> Option<u16> {
    str::from_utf8(digits).ok()?.parse().ok()
}

/// Returns true if the URL contains an encoded line break where the scheme does not allow it.
///
/// A Gopher+ string may contain line breaks: for a filled-out form it is `+%091%0D%0A+-1%0D%0A…`
/// (section 3.4.9).
fn has_line_break(url: &[u8], split: &Split<'_>) -> bool {
    let defined = if split.scheme.eq_ignore_ascii_case(b"gopher") { gopher_plus_len(split.rest) } else { 0 };
    find_line_break(&url[..url.len() - defined]).is_some()
}

/// The length of the Gopher+ string in the path of a Gopher URL: the part after the
/// second encoded tab. The type is skipped first, since it may be an encoded tab.
fn gopher_plus_len(path: &[u8]) -> usize {
    let after_slash = path.strip_prefix(b"/").unwrap_or_default();
    let gtype = match octet_of_escape(after_slash) {
        Some(_) => 3,
        None => after_slash.len().min(1),
    };
    let mut rest = &after_slash[gtype..];
    for _ in 0..2 {
        let Some(tab) = rest.windows(3).position(|three| three == b"%09") else { return 0 };
        rest = &rest[tab + 3..];
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &[Warning]) {
        let set: Vec<_> = warnings(url.as_bytes()).into_iter().collect();
        assert_eq!(set, expected, "{url}");
    }

    #[test]
    fn passwords() {
        check("ftp://u:secret@h.org/", &[Warning::Password]);
        check("made-up://u:p^@h.org/", &[Warning::Password]);
        // The first colon ends the user (RFC 3986 §3.2.1).
        for userinfo in ["u::secret", "u:p:q", ":secret", "u::", "u:%3A"] {
            check(&format!("ftp://{userinfo}@h.org/"), &[Warning::Password]);
        }
        check("ftp://:@h.org/", &[]);
        check("ftp://u:@h.org/", &[]);
        check("ftp://u@h.org/:p@", &[]);
        check("mailto:u:p@h.org", &[]);
    }

    #[test]
    fn ports() {
        check("gopher://h.org:25/0x", &[Warning::Port]);
        check("http://h.org:443/", &[Warning::Port]);
        check("http://[::1]:25/", &[Warning::Port, Warning::Ip]);
        check("http://h.org:0080/", &[]);
        check("http://h.org:1024/", &[]);
        check("http://h.org:65535/", &[]);
        check("http://h.org:65536/", &[Warning::Port]);
        check("made-up://h.org:99999999999999999999/", &[Warning::Port]);
        check("http://h.org:/", &[]);
        check("http://h.org:+25/", &[]);
        check("made-up://h.org:25/", &[]);
    }

    #[test]
    fn addresses() {
        for host in ["192.0.2.1", "192.0.2.1.", "[::1]", "3221225985", "0x7f.1", "0X7F000001"] {
            check(&format!("http://{host}/"), &[Warning::Ip]);
        }
        for host in ["h.org", "h1", "1.h", "0xg", "h.0x1g", "192.0.2.1.org"] {
            check(&format!("http://{host}/"), &[]);
        }
    }

    #[test]
    #[cfg(feature = "idna")]
    fn letters_that_look_like_others() {
        check("http://xn--pypal-4ve.com/a", &[Warning::MixedScript]);
        check("http://h.org/pаypal", &[]);
    }

    #[test]
    fn long_hosts() {
        for host in ["a.b.c.d.e.f", &"a".repeat(40), "h-abcdefghijklmnopqrstuvwxyz-0123456.org"] {
            check(&format!("http://{host}/"), &[Warning::LongHost]);
        }
        for host in ["a.b.c.d.e", "abcdefghijklmnopqrstuvwxyz-01234567.org", "h.org/a.b.c.d.e.f"] {
            assert!(host.len() < 40);
            check(&format!("http://{host}/"), &[]);
        }
        check("http://[1234:5678:9abc:def0:1234:5678:9abc:def0]/", &[Warning::Ip]);
    }

    #[test]
    #[cfg(feature = "domains")]
    fn places_that_everybody_can_have() {
        check("http://me.Blogspot.com/a", &[Warning::Hosted]);
        check("http://a.b.github.io./", &[Warning::Hosted]);
        check("https://Bit.ly/a", &[Warning::Shortener]);
        for host in [
            "blogspot.com",
            "s3.amazonaws.com",
            "h.co.uk",
            "a.bit.ly",
            "h.org/t.co",
            "it.ly",
            "bit.l",
            " abre.ai",
        ] {
            check(&format!("http://{host}/"), &[]);
        }
        assert!(SHORTENERS.is_sorted() && SHORTENERS.iter().all(|name| name.len() <= 11));
    }

    #[test]
    fn line_breaks() {
        check("telnet://a%0d%0ab@h.org/", &[Warning::Control]);
        check("mailto:a%0Ab@h", &[Warning::Control]);
        check("http://h.org/#%0a", &[]);
        check("gopher://h/0x%0d%09%09+", &[Warning::Control]);
        check("gopher://h/0x%09a%0d%09+", &[Warning::Control]);
        check("gopher://h/0x%09%09+%091%0D%0A", &[]);
        check("Gopher://h/%09x%09%09%0D", &[]);
        check("gopher://h/%09x%09%0D", &[Warning::Control]);
        check("http://h/0x%09%09%0D", &[Warning::Control]);
    }

    #[test]
    fn users_like_hosts() {
        check("http://www.bank.com@h.org/", &[Warning::Userinfo]);
        check("http://www.bank.com:80@h.org/", &[Warning::Password, Warning::Userinfo]);
        check("http://10.0.0.1@h.org/", &[Warning::Userinfo]);
        check("http://joe@h.org/", &[]);
    }
}
