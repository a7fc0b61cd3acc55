//! Links that mail filters and sites put around others, and the URLs within them.
//!
//! Microsoft 365 replaces `https://h.org/a` in mail by
//! `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.org%2Fa&data=…`. Other
//! filters do the same, and so do sites that count who leaves them. Such a link is a *rewritten
//! link*, and contains its target. It is read without a network: a rewritten link that contains a
//! key instead of its target, such as the links of Mimecast and of URL shorteners, does not change.
//!
//! [`unwrap`] reads one URL. [`FinderBuilder::unwrap`](crate::FinderBuilder::unwrap) applies it to all
//! matches. The services that rewrite links are the rows of one [table](REWRITERS):
//!
//! | kind | names |
//! |---|---|
//! | filters of mail | `safelinks`, `proofpoint-v1`, `proofpoint-v2`, `proofpoint-v3`, `barracuda`, `cisco`, `symantec`, `trendmicro`, `fireeye`, `sophos`, `avanan`, `checkpoint` |
//! | search engines | `google`, `bing`, `duckduckgo`, `yahoo` |
//! | sites | `facebook`, `instagram`, `threads`, `whatsapp`, `reddit`, `slack`, `tumblr`, `linkedin`, `youtube`, `vk`, `steam`, `deviantart`, `pixiv`, `zhihu`, `soundcloud` |
//! | others | `href.li`, `anonym.to`, `skimlinks`, `linksynergy` |
//!
//! Archives and translations of a page (`web.archive.org`, `translate.google.com`) are not rewritten links: they show
//! something other than what their target shows today.

mod nested;

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use memchr::memmem;

use crate::grammar::{self, Split};
pub(crate) use nested::{NestedUrl, nested};

/// The maximum number of nested rewritten links that are opened. Each costs a pass over the URL.
const MAX_WRAPPERS: usize = 10;

/// The number of times that the `%` of a target may itself be encoded. Arbitrary: filters
/// around filters encode it again, and each level costs a pass over the text.
const ENCODED: usize = 3;

/// Base64 with `-` and `_`, without padding. Some filters leave bits after the last byte.
const BASE64: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));

/// The URL inside a rewritten link, and the names of the services that rewrote it.
///
/// Made by [`unwrap`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unwrapped {
    pub(crate) url: Vec<u8>,
    pub(crate) wrappers: Vec<&'static str>,
}

impl Unwrapped {
    /// Returns the URL inside the innermost rewritten link that was opened. The grammar accepts it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.url
    }

    /// Returns the names of the services that rewrote the link, the outermost first, and at least one. [`REWRITERS`]
    /// lists all names.
    pub fn wrappers(&self) -> &[&'static str] {
        &self.wrappers
    }
}

/// Returns the URL inside `url`, or `None` if `url` is not a rewritten link or does not contain a
/// URL with `://`.
///
/// Up to ten nested wrappers are opened. Spaces, control characters and non-ASCII letters in the
/// target are percent-encoded, except in its host. The fragment of a wrapper is not part of its
/// target. Runs in time linear in the length for each wrapper.
///
/// ```
/// let url = b"https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.org%2Fa%3Fb%3D1&data=05";
/// let unwrapped = urlgrep::unwrap(url).unwrap();
/// assert_eq!(unwrapped.as_bytes(), b"https://h.org/a?b=1");
/// assert_eq!(unwrapped.wrappers(), ["safelinks"]);
/// assert!(urlgrep::unwrap(b"https://h.org/?url=https%3A%2F%2Fexample.org%2F").is_none());
/// ```
pub fn unwrap(url: &[u8]) -> Option<Unwrapped> {
    let (mut wrappers, mut target) = (Vec::new(), None);
    while wrappers.len() < MAX_WRAPPERS
        && let Some((name, inner)) = open(target.as_deref().unwrap_or(url))
    {
        wrappers.push(name);
        target = Some(inner);
    }
    target.map(|url| Unwrapped { url, wrappers })
}

/// The name of the service that rewrote `url`, which is a web URL, and its content.
fn open(url: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let Split { scheme, authority: Some(authority), rest } = grammar::split(url)? else {
        return None;
    };
    if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
        return None;
    }
    let layer = WrapperPath::new(rest);
    let rows = TABLE.iter().filter(|row| row.is_for(authority.host(), layer.path));
    let mut targets =
        rows.flat_map(|row| layer.targets(&row.target).into_iter().map(|target| (row.name, target)));
    targets.find_map(|(name, target)| {
        let target = as_url(&target);
        is_target(&target).then_some((name, target))
    })
}

/// Returns true if a wrapper may lead to `url`. If a line break has broken its host, the host has no dot:
/// `https://stat`.
fn is_target(url: &[u8]) -> bool {
    let is_whole =
        |host: &[u8]| host.iter().any(|b| b".:".contains(b)) || host.eq_ignore_ascii_case(b"localhost");
    grammar::authority(url).is_some_and(|authority| is_whole(authority.host())) && grammar::is_url(url)
}

/// The part of a wrapper after its authority.
struct WrapperPath<'u> {
    /// All of it.
    rest: &'u [u8],
    /// The text after the authority, without the fragment.
    plain: &'u [u8],
    path: &'u [u8],
    query: &'u [u8],
}

impl<'u> WrapperPath<'u> {
    fn new(rest: &'u [u8]) -> Self {
        let (plain, _fragment) = grammar::split_fragment(rest);
        let (path, query) = cut(plain, b"?").unwrap_or((plain, b""));
        WrapperPath { rest, plain, path, query }
    }

    /// Returns the possible targets, decoded.
    fn targets(&self, target: &Target) -> Vec<Vec<u8>> {
        let one = |target: Option<Vec<u8>>| target.into_iter().collect();
        match *target {
            Target::Parameter(names) => {
                names.iter().filter_map(|name| self.parameter(name).map(decoded)).collect()
            }
            Target::Query => vec![with_plain_scheme(self.query)],
            Target::AfterSlashes(n) => {
                let at = memchr::memchr_iter(b'/', self.path).nth(n - 1);
                one(at.map(|at| with_plain_scheme(&self.plain[at + 1..])))
            }
            Target::Between(start, end) => {
                let (_, target) = cut(self.rest, start.as_bytes()).unwrap_or_default();
                one(Some(with_plain_scheme(cut(target, end.as_bytes()).map_or(target, |(target, _)| target))))
            }
            Target::Base64 { parameter, prefix } => one(self.parameter(parameter).and_then(|value| {
                let value = grammar::decode_bytes(value);
                base64(value.strip_prefix(prefix.as_bytes())?)
            })),
            Target::ProofpointV2 => one(self.parameter("u").map(|value| {
                let plain = |&b: &u8| match b {
                    b'-' => b'%',
                    b'_' => b'/',
                    b => b,
                };
                grammar::decode_bytes(&value.iter().map(plain).collect::<Vec<_>>()).into_owned()
            })),
            Target::ProofpointV3 => one(proofpoint_v3(self.rest)),
        }
    }

    /// The value of a parameter. `&amp;` separates parameters as well: it is what `&` was in HTML.
    fn parameter(&self, name: &str) -> Option<&'u [u8]> {
        self.query.split(|&b| b == b'&').find_map(|parameter| {
            let parameter = parameter.strip_prefix(b"amp;").unwrap_or(parameter);
            let (this, value) = cut(parameter, b"=")?;
            this.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
        })
    }
}

/// Returns the text before and after the first `mark` in `text`.
fn cut<'t>(text: &'t [u8], mark: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = memmem::find(text, mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

/// The value of a parameter, percent-decoded.
fn decoded(value: &[u8]) -> Vec<u8> {
    with_plain_scheme(&grammar::decode_bytes(value))
}

/// Decodes the text until its scheme is plain, at most [`ENCODED`] times.
fn with_plain_scheme(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..ENCODED {
        let end = text.iter().position(|&b| !b.is_ascii_alphabetic()).unwrap_or(text.len());
        if text.get(end) != Some(&b'%') && !text[end..].starts_with(b":%") {
            break;
        }
        text = grammar::decode_bytes(&text).into_owned();
    }
    text
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let safe = |b: &u8| match b {
        b'+' => b'-',
        b'/' => b'_',
        &b => b,
    };
    let text: Vec<_> = text.iter().map(safe).collect();
    let end = text.iter().rposition(|&b| b != b'=').map_or(0, |at| at + 1);
    BASE64.decode(&text[..end]).ok()
}

/// The target in `/v3/__TARGET__;CHARACTERS!…`.
///
/// Each `*` in it is the next of the characters, which are in base64, and `**` and a letter are a run
/// of them: `A` for two, `B` for three, and so on, in the order of the alphabet of base64.
fn proofpoint_v3(rest: &[u8]) -> Option<Vec<u8>> {
    let (target, tail) = cut(rest.strip_prefix(b"/v3/__")?, b"__;")?;
    let characters = base64(cut(tail, b"!")?.0)?;
    let mut characters = std::str::from_utf8(&characters).ok()?.chars();
    let mut url = Vec::with_capacity(target.len());
    let mut bytes = target.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'*' {
            url.push(byte);
            continue;
        }
        let mut run = 1;
        if bytes.as_slice().first() == Some(&b'*') {
            bytes.next();
            let letter = *bytes.next()?;
            run = 2 + URL_SAFE.as_str().bytes().position(|b| b == letter)?;
        }
        for _ in 0..run {
            url.extend_from_slice(characters.next()?.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    Some(with_slashes(url))
}

/// The URL with two slashes after its colon: on the way, `//` in a path may become `/`.
fn with_slashes(mut url: Vec<u8>) -> Vec<u8> {
    if let Some(colon) = memchr::memchr(b':', &url)
        && url[colon + 1..].starts_with(b"/")
        && !url[colon + 1..].starts_with(b"//")
    {
        url.insert(colon + 1, b'/');
    }
    url
}

/// The target with percent-encodings for all bytes that a URL cannot have: spaces, control
/// characters, `<`, `>`, `"`, and non-ASCII bytes. In the host those stay if they are UTF-8, since
/// a host is encoded otherwise.
fn as_url(target: &[u8]) -> Vec<u8> {
    let host = match cut(target, b"://") {
        Some((scheme, rest)) if std::str::from_utf8(target).is_ok() => {
            let len = rest.iter().position(|b| b"/?#".contains(b)).unwrap_or(rest.len());
            scheme.len() + 3..scheme.len() + 3 + len
        }
        _ => 0..0,
    };
    let mut url = Vec::with_capacity(target.len());
    for (at, &byte) in target.iter().enumerate() {
        let stays = byte.is_ascii_graphic() && !b"<>\"".contains(&byte) || byte >= 0x80 && host.contains(&at);
        match stays {
            true => url.push(byte),
            false => url.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    url
}

/// The position of a wrapper's target.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// The value of one of these parameters of the query.
    Parameter(&'static [&'static str]),
    /// The query as a whole.
    Query,
    /// The rest of the path and the query after this many slashes.
    AfterSlashes(usize),
    /// The part of the path between these texts, or after the first one if the second one does not
    /// occur.
    Between(&'static str, &'static str),
    /// The value of a parameter, in base64 after this prefix.
    Base64 { parameter: &'static str, prefix: &'static str },
    /// Version 2 of Proofpoint's URL Defense: the parameter `u` with `-` for `%` and `_` for `/`.
    ProofpointV2,
    /// Version 3 of the same: `/v3/__TARGET__;CHARACTERS!…`.
    ProofpointV3,
}

/// A service that rewrites links.
#[derive(Clone, Copy, Debug)]
struct Rewriter {
    name: &'static str,
    /// The hosts of the service. `*.` at the start is any labels, `.*` at the end the domain of a country.
    hosts: &'static [&'static str],
    /// The start of its path.
    path: &'static str,
    target: Target,
}

impl Rewriter {
    /// Returns true if the URLs with this host and path are such wrappers.
    fn is_for(&self, host: &[u8], path: &[u8]) -> bool {
        self.hosts.iter().any(|pattern| is_host(pattern.as_bytes(), host))
            && path
                .get(..self.path.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(self.path.as_bytes()))
    }
}

/// Returns true if `host` matches `pattern`.
fn is_host(pattern: &[u8], host: &[u8]) -> bool {
    if let Some(parent) = pattern.strip_prefix(b"*") {
        let start = host.len().saturating_sub(parent.len());
        return start > 0 && host[start..].eq_ignore_ascii_case(parent);
    }
    match pattern.strip_suffix(b"*") {
        Some(start) => {
            host.get(..start.len()).is_some_and(|host| host.eq_ignore_ascii_case(start))
                && is_country(&host[start.len()..])
        }
        None => host.eq_ignore_ascii_case(pattern),
    }
}

/// Returns true if `suffix` is one under which every country has its own host: `com`, `de`, `co.uk`,
/// `com.br`.
fn is_country(suffix: &[u8]) -> bool {
    let is_code = |label: &[u8]| label.len() == 2 && label.iter().all(u8::is_ascii_alphabetic);
    let mut labels = suffix.split(|&b| b == b'.');
    match (labels.next(), labels.next(), labels.next()) {
        (Some(only), None, None) => only.eq_ignore_ascii_case(b"com") || is_code(only),
        (Some(first), Some(code), None) => {
            (first.eq_ignore_ascii_case(b"co") || first.eq_ignore_ascii_case(b"com")) && is_code(code)
        }
        _ => false,
    }
}

const fn row(
    name: &'static str,
    hosts: &'static [&'static str],
    path: &'static str,
    target: Target,
) -> Rewriter {
    Rewriter { name, hosts, path, target }
}

const fn parameter(
    name: &'static str,
    hosts: &'static [&'static str],
    path: &'static str,
    names: &'static [&'static str],
) -> Rewriter {
    row(name, hosts, path, Target::Parameter(names))
}

const PROOFPOINT: &[&str] = &["urldefense.proofpoint.com", "urldefense.com", "urldefense.us"];
const SAFELINKS: &[&str] = &[
    "*.safelinks.protection.outlook.com",
    "*.safelinks.protection.office365.us",
    "*.safelinks.protection.partner.outlook.cn",
    "safelinks.protection.outlook.com",
];
const BASE64_SOPHOS: Target = Target::Base64 { parameter: "u", prefix: "" };
const BASE64_BING: Target = Target::Base64 { parameter: "u", prefix: "a1" };

/// The table.
#[rustfmt::skip]
static TABLE: [Rewriter; 42] = [
    parameter("safelinks", SAFELINKS, "/", &["url"]),
    parameter("safelinks", &["statics.teams.cdn.office.net"], "/evergreen-assets/safelinks/", &["url"]),
    parameter("proofpoint-v1", PROOFPOINT, "/v1/url", &["u"]),
    row("proofpoint-v2", PROOFPOINT, "/v2/url", Target::ProofpointV2),
    row("proofpoint-v3", PROOFPOINT, "/v3/__", Target::ProofpointV3),
    parameter("barracuda", &["linkprotect.cudasvc.com"], "/url", &["a"]),
    row("cisco", &["secure-web.cisco.com"], "/", Target::AfterSlashes(2)),
    parameter("symantec", &["clicktime.symantec.com"], "/", &["u"]),
    parameter("trendmicro", &["*.trendmicro.com"], "/wis/clicktime/", &["url"]),
    parameter("fireeye", &["protect.fireeye.com", "protect2.fireeye.com"], "/", &["u"]),
    row("sophos", &["*.protection.sophos.com"], "", BASE64_SOPHOS),
    row("avanan", &["url.avanan.click"], "/v2/", Target::Between("___", "___.")),
    row("checkpoint", &["protect.checkpoint.com"], "/v2/", Target::Between("___", "___.")),
    parameter("google", &["www.google.*", "google.*"], "/url", &["q", "url"]),
    parameter("google", &["www.google.*", "google.*"], "/imgres", &["imgrefurl"]),
    parameter("google", &["www.googleadservices.com"], "/pagead/aclk", &["adurl"]),
    row("bing", &["www.bing.com", "bing.com"], "/ck/a", BASE64_BING),
    parameter("duckduckgo", &["duckduckgo.com", "www.duckduckgo.com"], "/l/", &["uddg"]),
    row("yahoo", &["r.search.yahoo.com", "*.r.search.yahoo.com"], "/", Target::Between("/RU=", "/R")),
    parameter("facebook", &["l.facebook.com", "lm.facebook.com", "www.facebook.com"], "/l.php", &["u"]),
    parameter("facebook", &["l.messenger.com"], "/l.php", &["u"]),
    parameter("instagram", &["l.instagram.com"], "/", &["u"]),
    parameter("threads", &["l.threads.net", "l.threads.com"], "/", &["u"]),
    parameter("whatsapp", &["l.wl.co"], "/l", &["u"]),
    parameter("reddit", &["out.reddit.com"], "/", &["url"]),
    parameter("slack", &["slack-redir.net"], "/link", &["url"]),
    parameter("tumblr", &["t.umblr.com", "href.tumblr.com"], "/redirect", &["z"]),
    parameter("linkedin", &["www.linkedin.com"], "/redir/redirect", &["url"]),
    parameter("linkedin", &["www.linkedin.com"], "/safety/go", &["url"]),
    parameter("youtube", &["www.youtube.com", "m.youtube.com", "youtube.com"], "/redirect", &["q"]),
    parameter("vk", &["vk.com", "m.vk.com", "away.vk.com"], "/away.php", &["to"]),
    parameter("steam", &["steamcommunity.com"], "/linkfilter/", &["url", "u"]),
    row("steam", &["steamcommunity.com"], "/linkfilter/", Target::Query),
    row("deviantart", &["www.deviantart.com"], "/users/outgoing", Target::Query),
    row("pixiv", &["www.pixiv.net"], "/jump.php", Target::Query),
    parameter("pixiv", &["www.pixiv.net"], "/jump.php", &["url"]),
    parameter("zhihu", &["link.zhihu.com"], "/", &["target"]),
    parameter("soundcloud", &["exit.sc", "gate.sc"], "/", &["url"]),
    row("href.li", &["href.li", "www.href.li"], "/", Target::Query),
    row("anonym.to", &["anonym.to", "www.anonym.to"], "/", Target::Query),
    parameter("skimlinks", &["go.redirectingat.com", "go.skimresources.com"], "/", &["url"]),
    parameter("linksynergy", &["click.linksynergy.com"], "/", &["murl", "RD_PARM1"]),
];

/// The names of all known services, each once.
pub static REWRITERS: [&str; 35] = [
    "safelinks",
    "proofpoint-v1",
    "proofpoint-v2",
    "proofpoint-v3",
    "barracuda",
    "cisco",
    "symantec",
    "trendmicro",
    "fireeye",
    "sophos",
    "avanan",
    "checkpoint",
    "google",
    "bing",
    "duckduckgo",
    "yahoo",
    "facebook",
    "instagram",
    "threads",
    "whatsapp",
    "reddit",
    "slack",
    "tumblr",
    "linkedin",
    "youtube",
    "vk",
    "steam",
    "deviantart",
    "pixiv",
    "zhihu",
    "soundcloud",
    "href.li",
    "anonym.to",
    "skimlinks",
    "linksynergy",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_listed_name() {
        let mut names: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        names.dedup();
        assert_eq!(names, REWRITERS);
    }

    #[test]
    fn layers_up_to_the_limit() {
        let mut url = "http://h.org/".to_owned();
        for layers in 1..=MAX_WRAPPERS + 2 {
            let encoded = url.replace('%', "%25").replace(':', "%3A");
            url = format!("https://www.google.com/url?q={encoded}");
            assert_eq!(unwrap(url.as_bytes()).unwrap().wrappers.len(), layers.min(10), "{layers}");
        }
    }

    #[test]
    fn parameters_are_separated_in_either_way() {
        for separator in ["&", "&amp;"] {
            let url = ["https://www.google.com/url?sa=t", "url=http://h.org/a", "x=1"].join(separator);
            assert_eq!(unwrap(url.as_bytes()).unwrap().as_bytes(), b"http://h.org/a", "{url}");
        }
        for separator in ["&amp", "&lt;", "&amp;amp;"] {
            let url = ["https://www.google.com/url?sa=t", "url=http://h.org/a"].join(separator);
            assert!(unwrap(url.as_bytes()).is_none(), "{url}");
        }
    }

    #[test]
    fn hosts() {
        for (pattern, host) in [
            ("vk.com", "VK.com"),
            ("*.a.org", "x.A.org"),
            ("*.a.org", "x.y.a.org"),
            ("www.google.*", "www.google.com"),
            ("www.google.*", "www.google.de"),
            ("www.google.*", "WWW.Google.co.uk"),
            ("www.google.*", "www.google.com.br"),
        ] {
            assert!(is_host(pattern.as_bytes(), host.as_bytes()), "{pattern} {host}");
        }
        for (pattern, host) in [
            ("vk.com", "a.vk.com"),
            ("*.a.org", "a.org"),
            ("*.a.org", "xa.org"),
            ("www.google.*", "www.google.evil.com"),
            ("www.google.*", "www.google.evil"),
            ("www.google.*", "www.google."),
            ("www.google.*", "www.google.co.uk.org"),
        ] {
            assert!(!is_host(pattern.as_bytes(), host.as_bytes()), "{pattern} {host}");
        }
    }
}
