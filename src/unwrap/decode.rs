//! How the target is written in a wrapper.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use memchr::memmem;

use super::table::Target;
use crate::grammar;

/// How often the `%` of a target may itself be encoded.
const ENCODED: usize = 3;

/// Base64 with `-` and `_`, without padding. Some filters leave bits after the last byte.
const BASE64: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));

/// The host of a web address, and what follows its authority.
pub(super) fn host_and_rest(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', url)?;
    let is_web = [&b"http"[..], b"https"].iter().any(|name| url[..colon].eq_ignore_ascii_case(name));
    let rest = url[colon..].strip_prefix(b"://").filter(|_| is_web)?;
    let end = rest.iter().position(|b| b"/?#".contains(b)).unwrap_or(rest.len());
    Some((grammar::authority(url)?.host(), &rest[end..]))
}

/// What follows the authority of a wrapper.
pub(super) struct Layer<'u> {
    /// All of it.
    rest: &'u [u8],
    /// The same without the fragment.
    plain: &'u [u8],
    path: &'u [u8],
    query: &'u [u8],
}

impl<'u> Layer<'u> {
    pub(super) fn new(rest: &'u [u8]) -> Self {
        let (plain, _fragment) = grammar::split_fragment(rest);
        let (path, query) = cut(plain, b"?").unwrap_or((plain, b""));
        Layer { rest, plain, path, query }
    }

    pub(super) fn path(&self) -> &'u [u8] {
        self.path
    }

    /// What may be the target, decoded.
    pub(super) fn targets(&self, target: &Target) -> Vec<Vec<u8>> {
        let one = |target: Option<Vec<u8>>| target.into_iter().collect();
        match *target {
            Target::Parameter(names) => {
                names.iter().filter_map(|name| self.parameter(name).map(decoded)).collect()
            }
            Target::Query => vec![once_decoded(self.query)],
            Target::AfterSlashes(n) => {
                let at = memchr::memchr_iter(b'/', self.path).nth(n - 1);
                one(at.map(|at| once_decoded(&self.plain[at + 1..])))
            }
            Target::Between(start, end) => {
                let (_, target) = cut(self.rest, start.as_bytes()).unwrap_or_default();
                one(Some(once_decoded(cut(target, end.as_bytes()).map_or(target, |(target, _)| target))))
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

    /// The value of a parameter. `&amp;` separates parameters, too: it is what `&` was in HTML.
    fn parameter(&self, name: &str) -> Option<&'u [u8]> {
        self.query.split(|&b| b == b'&').find_map(|parameter| {
            let parameter = parameter.strip_prefix(b"amp;").unwrap_or(parameter);
            let (this, value) = cut(parameter, b"=")?;
            this.eq_ignore_ascii_case(name.as_bytes()).then_some(value)
        })
    }
}

/// What is before and after the first `mark` in `text`.
fn cut<'t>(text: &'t [u8], mark: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let at = memmem::find(text, mark)?;
    Some((&text[..at], &text[at + mark.len()..]))
}

/// The value of a parameter, percent-decoded.
fn decoded(value: &[u8]) -> Vec<u8> {
    once_decoded(&grammar::decode_bytes(value))
}

/// The same for a text that is decoded only if its scheme is encoded.
fn once_decoded(text: &[u8]) -> Vec<u8> {
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

/// The target with percent-encodings for all bytes that a URL cannot have: spaces, control characters,
/// `<`, `>`, `"`, and bytes beyond ASCII. In the host those stay if they are UTF-8, since a host is encoded otherwise.
pub(super) fn as_url(target: &[u8]) -> Vec<u8> {
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
