//! The table of wrappers: one row for each.

/// Where the target of a wrapper is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The value of one of these parameters of the query.
    Parameter(&'static [&'static str]),
    /// The query as a whole.
    Query,
    /// The rest of the path and the query after this many slashes.
    AfterSlashes(usize),
    /// What is in the path between these texts, or after the first if the second is not there.
    Between(&'static str, &'static str),
    /// The value of a parameter, in base64 after this prefix.
    Base64 { parameter: &'static str, prefix: &'static str },
    /// Version 2 of Proofpoint's URL Defense: the parameter `u` with `-` for `%` and `_` for `/`.
    ProofpointV2,
    /// Version 3 of the same: `/v3/__TARGET__;CHARACTERS!…`.
    ProofpointV3,
}

/// A wrapper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// Its hosts. `*.` at the start is any labels, `.*` at the end is the domain of a country.
    hosts: &'static [&'static str],
    /// What its path starts with.
    path: &'static str,
    pub(super) target: Target,
}

impl Row {
    /// Whether the URLs with this host and path are such wrappers.
    pub(super) fn is_for(&self, host: &[u8], path: &[u8]) -> bool {
        self.hosts.iter().any(|pattern| is_host(pattern.as_bytes(), host))
            && path
                .get(..self.path.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(self.path.as_bytes()))
    }
}

/// Whether `host` matches `pattern`.
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

/// Whether `suffix` is one under which every country has its own host: `com`, `de`, `co.uk`, `com.br`.
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

const fn row(name: &'static str, hosts: &'static [&'static str], path: &'static str, target: Target) -> Row {
    Row { name, hosts, path, target }
}

const fn parameter(
    name: &'static str,
    hosts: &'static [&'static str],
    path: &'static str,
    names: &'static [&'static str],
) -> Row {
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
pub(super) static TABLE: [Row; 42] = [
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

/// The names of all wrappers that are known, each once.
pub static WRAPPERS: [&str; 35] = [
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
        assert_eq!(names, WRAPPERS);
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
