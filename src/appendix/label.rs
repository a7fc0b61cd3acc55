//! Host labels in scripts that end other URLs.
//!
//! A host matches as a whole or not at all: `http://foobar.中国/` is not `http://foobar`. But in
//! `http://h.org見て` the sentence continues directly after the host. So a label may contain letters,
//! digits and symbols of any script if it starts with one, and if it is followed by more of the host, or by a
//! name that is known as the last label of hosts. Symbols may also occur within a label,
//! `http://emoji🐰town.com/`, and letters if only the whole is under a public suffix, `http://seo対策.com/`. Full-width dots
//! between labels are dots, as in browsers.

use std::ops::Range;

use crate::bytes::class::{ALPHADIGIT, HYPHEN, UNDERSCORE};
use crate::bytes::file_kind::{is_file, lower};
use crate::bytes::unicode::{Iri, char_at};
use crate::bytes::window::Window;
#[cfg(feature = "domains")]
pub(super) use crate::suffix::is_registered;

/// The last host labels that these scripts have, in order.
#[rustfmt::skip]
const TOP_LEVEL: [&str; 76] = [
    "คอม", "ไทย", "ລາວ", "みんな", "アマゾン", "クラウド", "グーグル",
    "コム", "ストア", "セール", "ファッション", "ポイント", "世界", "中信",
    "中国", "中國", "中文网", "亚马逊", "企业", "佛山", "信息", "健康", "八卦",
    "公司", "公益", "台湾", "台灣", "商城", "商店", "商标", "嘉里", "嘉里大酒店",
    "在线", "大拿", "天主教", "娱乐", "家電", "广东", "微博", "慈善", "我爱你",
    "手机", "招聘", "政务", "政府", "新加坡", "新闻", "时尚", "書籍", "机构",
    "淡马锡", "游戏", "澳門", "澳门", "点看", "移动", "组织机构", "网址", "网店",
    "网站", "网络", "联通", "谷歌", "购物", "通販", "集团", "電訊盈科", "飞利浦",
    "食品", "餐厅", "香格里拉", "香港", "닷넷", "닷컴", "삼성", "한국",
];

/// The generic top-level domains that end most hosts. Text after one of them is not part of the host.
/// Newer domains are not evidence, because most of them are words as well.
const COMMON: [&[u8]; 8] = [b"com", b"net", b"org", b"edu", b"gov", b"info", b"app", b"dev"];

/// Returns the offset at which the host at `from` continues after the non-ASCII character at `at`;
/// `at` if it ends there.
#[inline(never)]
pub(super) fn skip_label(window: &Window<'_>, from: usize, at: usize, limit: usize) -> usize {
    if char_at(window, at).is_some_and(is_wide_dot) {
        return skip_wide_dots(window, from, at, limit);
    }
    let start = window.skip_back(at, from, |b| b != b'.');
    let end = label_end(window, at, limit);
    // The next character shows whether a label follows the dot. It has at most four bytes.
    let has_next_label = window.get(end) == Some(b'.') && label_end(window, end + 1, end + 5) > end + 1;
    let is_wide = |at: usize| window.get(at).is_some_and(|b| b >= 0x80);
    match is_wide(start) {
        true if has_next_label || start > from && is_last(window, from, start..end) => end,
        false if !has_next_label || is_host(window.ahead(from..at)) => at,
        false if is_symbol(window, at) => end,
        false if char_at(window, at).is_some_and(char::is_alphabetic) => {
            mixed_end(window, from..at, end, limit).unwrap_or(at)
        }
        _ => at,
    }
}

/// Returns the end of a host with a label that changes its script after `before` and continues to
/// `label`: `seo対策.com`. With the labels after `label`, the host must be under a public suffix that
/// is not a file extension; without them, it must not be.
fn mixed_end(window: &Window<'_>, before: Range<usize>, label: usize, limit: usize) -> Option<usize> {
    let limit = limit.min(before.start + MAX_HOST_LEN);
    let mut end = label;
    while end < limit && window.get(end) == Some(b'.') && label_end(window, end + 1, limit) > end + 1 {
        end = label_end(window, end + 1, limit);
    }
    let (name, mut word) = (window.ahead(before.start..end), Default::default());
    let last = name.iter().rposition(|&b| b == b'.').map_or(name, |dot| &name[dot + 1..]);
    let names_file = window.get(end) != Some(b'/') && is_file(lower(last, &mut word));
    (!names_file && !is_registered(window.ahead(before)) && is_registered(name)).then_some(end)
}

/// Returns true if `c` is a dot of hosts besides the full stop (UTS #46 §2.3).
fn is_wide_dot(c: char) -> bool {
    matches!(c, '。' | '．' | '｡')
}

/// Returns the end of the host at `from`, which has a full-width dot at `at`. Returns `at` if the
/// dot ends a sentence: the text before it is already a host, or the whole is not a host.
fn skip_wide_dots(window: &Window<'_>, from: usize, at: usize, limit: usize) -> usize {
    let mut name = window.ahead(from..at).to_vec();
    if is_host(&name) || is_registered(&name) || !name.last().is_some_and(u8::is_ascii_alphanumeric) {
        return at;
    }
    let mut end = at;
    // Each iteration reads a dot and a label, and ends if the name is longer than LABELS.
    while let Some(dot) = char_at(window, end).filter(|&c| is_wide_dot(c)) {
        let label = end + dot.len_utf8();
        let after = window
            .skip(label, limit.min(label + MAX_HOST_LEN), |b| ALPHADIGIT.or(HYPHEN).has(b) || b == b'.');
        if after == label || name.len() > MAX_HOST_LEN {
            return at;
        }
        name.push(b'.');
        name.extend_from_slice(window.ahead(label..after));
        end = after;
    }
    let is_ipv4 =
        name.split(|&b| b == b'.').all(|part| part.len() < 4 && part.iter().all(u8::is_ascii_digit));
    if is_host(&name) || is_registered(&name) || is_ipv4 { end } else { at }
}

/// The maximum length of a host with full-width dots, in bytes.
const MAX_HOST_LEN: usize = 255;

/// Returns true if `host`, which `next` follows, has a punycode label with non-ASCII characters, so
/// that it is not a host (RFC 5890 §2.3.2.1).
#[inline(never)]
pub(super) fn has_broken_punycode(host: &[u8], next: Option<u8>) -> bool {
    let is_broken = |(is_last, label): (bool, &[u8])| {
        label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"xn--"))
            && (!label.is_ascii() || is_last && next.is_some_and(|b| b >= 0x80))
    };
    let count = host.iter().filter(|&&b| b == b'.').count();
    host.split(|&b| b == b'.').enumerate().map(|(n, label)| (n == count, label)).any(is_broken)
}

/// Returns true if a comma between `host` and `rest` is a misspelled dot: `host.rest` is under a
/// public suffix, and `host` is not.
pub(super) fn is_misspelled(host: &[u8], rest: &[u8]) -> bool {
    let is_number = |name: &[u8]| !name.is_empty() && name.iter().all(u8::is_ascii_digit);
    !is_host(host)
        && !is_registered(host)
        && (is_registered(&[host, b".", rest].concat()) || is_number(host) && is_number(rest))
}

/// Returns the end of the label that continues at `at`.
fn label_end(window: &Window<'_>, mut at: usize, limit: usize) -> usize {
    loop {
        let run = window.skip(at, limit, |b| ALPHADIGIT.or(HYPHEN).or(UNDERSCORE).has(b));
        let end = Iri::All.skip_letters(window, run, limit);
        if end == run {
            return end;
        }
        at = end;
    }
}

/// Returns true if the label may be the last one: it is a known top-level domain, or the label
/// before it contains non-ASCII characters as well.
fn is_last(window: &Window<'_>, from: usize, label: Range<usize>) -> bool {
    let before = window.before(label.start - 1, from);
    let before = &before[before.iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1)..];
    !before.is_ascii()
        || std::str::from_utf8(window.ahead(label)).is_ok_and(|name| TOP_LEVEL.binary_search(&name).is_ok())
}

/// Returns true if the character at `at` is a symbol rather than a letter.
fn is_symbol(window: &Window<'_>, at: usize) -> bool {
    matches!(char_at(window, at), Some('\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}'))
}

/// Without the list, no name is under a public suffix.
#[cfg(not(feature = "domains"))]
pub(super) fn is_registered(_name: &[u8]) -> bool {
    false
}

/// Returns true if `name` is most likely a whole host: its last label has two bytes, as a country's
/// does, or is a common one.
pub(super) fn is_host(name: &[u8]) -> bool {
    let Some(dot) = name.iter().rposition(|&b| b == b'.') else { return false };
    let last = &name[dot + 1..];
    last.len() == 2 || COMMON.iter().any(|common| last.eq_ignore_ascii_case(common))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The host at the start of `text`, up to the first label that has non-ASCII characters.
    fn host(text: &str) -> &str {
        let at = text.find(|c: char| !c.is_ascii()).unwrap();
        &text[..skip_label(&Window::whole(text.as_bytes()), 0, at, text.len())]
    }

    #[test]
    fn the_last_labels_are_in_order() {
        assert!(TOP_LEVEL.is_sorted_by(|a, b| a < b));
    }

    #[cfg(feature = "domains")]
    #[test]
    fn the_last_labels_are_registered() {
        for name in TOP_LEVEL {
            assert!(super::is_registered(format!("h.{name}").as_bytes()), "{name}");
        }
    }

    #[test]
    fn a_label_is_whole_or_none() {
        for (text, expected) in [
            ("foobar.中国/x", "foobar.中国"),
            ("foobar.みんな is", "foobar.みんな"),
            ("例子.测试", "例子"),
            ("a.例子b.c", "a.例子b"),
            ("h.org見て", "h.org"),
            ("h.見て", "h."),
            ("見て", ""),
            ("emoji🐰town.com/", "emoji🐰town"),
            ("www.emoji🐰town.com/", "www.emoji🐰town"),
            ("h.org🐰town.com/", "h.org"),
            ("h🐰 x", "h"),
        ] {
            assert_eq!(host(text), expected, "{text}");
        }
    }
}
