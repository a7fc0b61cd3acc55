//! Links that mail filters and sites put around others, and the URLs within them.
//!
//! Microsoft 365 replaces `https://h.org/a` in mail by
//! `https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.org%2Fa&data=…`. Other filters
//! do the same, and so do sites that count who leaves them. Such a link is a *wrapper*, and its target is
//! in it. It is read without a network: a wrapper that holds a key instead of its target, as those of
//! Mimecast and of URL shorteners, stays as it is.
//!
//! [`unwrap`] reads one URL. [`FinderBuilder::unwrap`](crate::FinderBuilder::unwrap) applies it to all
//! matches. The wrappers are the rows of one [table](WRAPPERS):
//!
//! | kind | names |
//! |---|---|
//! | filters of mail | `safelinks`, `proofpoint-v1`, `proofpoint-v2`, `proofpoint-v3`, `barracuda`, `cisco`, `symantec`, `trendmicro`, `fireeye`, `sophos`, `avanan`, `checkpoint` |
//! | search engines | `google`, `bing`, `duckduckgo`, `yahoo` |
//! | sites | `facebook`, `instagram`, `threads`, `whatsapp`, `reddit`, `slack`, `tumblr`, `linkedin`, `youtube`, `vk`, `steam`, `deviantart`, `pixiv`, `zhihu`, `soundcloud` |
//! | others | `href.li`, `anonym.to`, `skimlinks`, `linksynergy` |
//!
//! Archives and translations of a page (`web.archive.org`, `translate.google.com`) are not wrappers:
//! they show something else than their target does today.

mod decode;
mod table;

use crate::grammar;
use decode::{Layer, host_and_rest};
pub use table::WRAPPERS;

/// How many wrappers around each other are opened, at most. Each costs a pass over the URL.
const MAX_LAYERS: usize = 10;

/// The URL within a wrapper, and the names of the wrappers.
///
/// Made by [`unwrap`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Unwrapped {
    url: Vec<u8>,
    wrappers: Vec<&'static str>,
}

impl Unwrapped {
    /// The URL within the innermost wrapper that was opened. The grammar accepts it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.url
    }

    /// The names of the wrappers, the outermost first; at least one. [`WRAPPERS`] lists all names.
    pub fn wrappers(&self) -> &[&'static str] {
        &self.wrappers
    }

    /// The URL and the names.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<&'static str>) {
        (self.url, self.wrappers)
    }
}

/// The URL within `url`; `None` if `url` is not a wrapper, or has no URL with `://` in it.
///
/// Wrappers within wrappers are opened, too, at most ten. Spaces, control characters and letters beyond
/// ASCII in the target are percent-encoded, except in its host. The fragment of a wrapper is not part of
/// its target. Runs in time linear in the length for each wrapper.
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
    while wrappers.len() < MAX_LAYERS
        && let Some((name, inner)) = open(target.as_deref().unwrap_or(url))
    {
        wrappers.push(name);
        target = Some(inner);
    }
    target.map(|url| Unwrapped { url, wrappers })
}

/// The name of the wrapper `url`, and what is in it.
fn open(url: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let (host, rest) = host_and_rest(url)?;
    let layer = Layer::new(rest);
    let rows = table::TABLE.iter().filter(|row| row.is_for(host, layer.path()));
    let mut targets =
        rows.flat_map(|row| layer.targets(&row.target).into_iter().map(|target| (row.name, target)));
    targets.find_map(|(name, target)| {
        let target = decode::as_url(&target);
        is_target(&target).then_some((name, target))
    })
}

/// Whether a wrapper may lead to `url`.
fn is_target(url: &[u8]) -> bool {
    let authority = grammar::authority(url);
    authority.is_some_and(|authority| !authority.host().is_empty()) && grammar::is_url(url)
}
