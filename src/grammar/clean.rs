//! Removes the tracking parameters of a URL.

use std::borrow::Cow;

/// Tracking parameters: they identify a campaign, an advertisement, a message or its recipient, and pages work
/// without them. They are in lower case and sorted. Each comes from the documentation of the service that adds it.
const NAMES: [&[u8]; 65] = [
    b"__hsfp",
    b"__hssc",
    b"__hstc",
    b"_bta_c",
    b"_bta_tid",
    b"_ga",
    b"_gl",
    b"_hsenc",
    b"_hsmi",
    b"_ke",
    b"_kx",
    b"_openstat",
    b"cjevent",
    b"dclid",
    b"dm_i",
    b"ef_id",
    b"epik",
    b"fb_action_ids",
    b"fb_action_types",
    b"fb_ref",
    b"fb_source",
    b"fbclid",
    b"gad_campaignid",
    b"gad_source",
    b"gbraid",
    b"gclid",
    b"gclsrc",
    b"hsctatracking",
    b"igsh",
    b"igshid",
    b"irclickid",
    b"irgwc",
    b"li_fat_id",
    b"mc_cid",
    b"mc_eid",
    b"mc_tc",
    b"mibextid",
    b"mkt_tok",
    b"ml_subscriber",
    b"ml_subscriber_hash",
    b"msclkid",
    b"oly_anon_id",
    b"oly_enc_id",
    b"pk_campaign",
    b"pk_content",
    b"pk_keyword",
    b"pk_kwd",
    b"pk_medium",
    b"pk_source",
    b"rb_clickid",
    b"rdt_cid",
    b"s_cid",
    b"sccid",
    b"spjobid",
    b"spmailingid",
    b"spreportid",
    b"spuserid",
    b"srsltid",
    b"ttclid",
    b"twclid",
    b"vero_id",
    b"wbraid",
    b"wickedid",
    b"yclid",
    b"ysclid",
];

/// The prefixes of families of such parameters: of Google Analytics, of Matomo and its earlier
/// name, and of HubSpot.
const FAMILIES: [&[u8]; 4] = [b"utm_", b"mtm_", b"piwik_", b"hsa_"];

/// Words in the names of parameters that sign all others, so that no other parameter may be
/// removed.
const SIGNATURES: [&[u8]; 9] =
    [b"sig", b"sign", b"signature", b"hmac", b"mac", b"hash", b"digest", b"token", b"policy"];

/// Returns a URL without the tracking parameters of its query, such as `utm_source` and `fbclid`.
///
/// All other parameters and the fragment stay as written. A `mailto:` URL, and a URL with a parameter that may sign its
/// query, such as `X-Amz-Signature`, do not change. The URL need not be valid or contain a scheme. Takes linear time.
///
/// ```
/// use urlgrep::grammar::clean;
///
/// assert_eq!(&*clean(b"https://h.org/a?id=1&utm_source=news&fbclid=x#top"), b"https://h.org/a?id=1#top");
/// assert_eq!(&*clean(b"https://h.org/a?utm_source=news"), b"https://h.org/a");
/// assert_eq!(&*clean(b"https://h.org/a?gclid=x&sig=y"), b"https://h.org/a?gclid=x&sig=y");
/// ```
pub fn clean(url: &[u8]) -> Cow<'_, [u8]> {
    let end = memchr::memchr(b'#', url).unwrap_or(url.len());
    let is_mail = url.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"mailto:"));
    let Some(mark) = memchr::memchr(b'?', &url[..end]).filter(|_| !is_mail) else {
        return Cow::Borrowed(url);
    };
    let parameters = url[mark + 1..end].split(|&b| b == b'&');
    let (tracking, others): (Vec<_>, Vec<_>) = parameters.partition(|parameter| tracks(name(parameter)));
    if tracking.is_empty() || others.iter().any(|parameter| signs(name(parameter))) {
        return Cow::Borrowed(url);
    }
    let mut clean = url[..mark].to_vec();
    for (n, parameter) in others.into_iter().enumerate() {
        clean.push(if n == 0 { b'?' } else { b'&' });
        clean.extend_from_slice(parameter);
    }
    clean.extend_from_slice(&url[end..]);
    Cow::Owned(clean)
}

/// The name of a parameter.
fn name(parameter: &[u8]) -> &[u8] {
    &parameter[..memchr::memchr(b'=', parameter).unwrap_or(parameter.len())]
}

fn tracks(name: &[u8]) -> bool {
    let is_family =
        |family: &&[u8]| name.get(..family.len()).is_some_and(|start| start.eq_ignore_ascii_case(family));
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)) || FAMILIES.iter().any(is_family)
}

fn signs(name: &[u8]) -> bool {
    let mut words = name.split(|b| !b.is_ascii_alphanumeric());
    words.any(|word| SIGNATURES.iter().any(|known| known.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_removed() {
        for (url, expected) in [
            ("http://h.org/?utm_source=a&b=c", "http://h.org/?b=c"),
            ("http://h.org/?b=c&UTM_Source=a", "http://h.org/?b=c"),
            ("http://h.org/?b&gclid&c", "http://h.org/?b&c"),
            ("http://h.org?mc_eid=1", "http://h.org"),
            ("http://h.org/?fbclid=1#a?utm_id=2", "http://h.org/#a?utm_id=2"),
            ("h.org/a?msclkid=1", "h.org/a"),
            ("//h.org/a?spMailingID=1&x=", "//h.org/a?x="),
            // An additional ampersand stays with the parameters.
            ("http://h.org/?&b=c&&igshid=1", "http://h.org/?&b=c&"),
            ("http://h.org/?pk_campaign=1&pk=2", "http://h.org/?pk=2"),
        ] {
            assert_eq!(clean(url.as_bytes()).escape_ascii().to_string(), expected, "{url}");
        }
    }

    #[test]
    fn what_stays() {
        for url in [
            "http://h.org/a?b=c",
            "http://h.org/a?",
            "http://h.org/utm_source=a",
            "http://h.org/a?url=http://k.org/?utm_source=a",
            "http://h.org/a#utm_source=a",
            "http://h.org/a?gclid=1&X-Amz-Signature=2",
            "http://h.org/a?gclid=1&access_token=2",
            "http://h.org/a?gclid=1&HMAC",
            "mailto:me@h.org?utm_source=a",
            "http://h.org/a?gclidx=1&my_utm_source=2",
        ] {
            assert!(matches!(clean(url.as_bytes()), Cow::Borrowed(_)), "{url}");
        }
    }

    #[test]
    fn the_names_are_in_order() {
        assert!(NAMES.is_sorted() && NAMES.iter().all(|name| !name.iter().any(u8::is_ascii_uppercase)));
    }
}
