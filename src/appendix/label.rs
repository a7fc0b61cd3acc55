//! Labels of hosts in scripts that end other URLs.
//!
//! A host is taken whole or not at all: `http://foobar.中国/` is not `http://foobar`. But in
//! `http://h.org見て` the sentence goes on right after the host. So a label may have letters,
//! digits and symbols of any script if it starts with one, and more of the host, or a name that
//! is known as the last label of hosts, shows that it is a label. Symbols may also be within a
//! label: `http://emoji🐰town.com/`.

use std::ops::Range;

use crate::bytes::class::{ALPHADIGIT, HYPHEN, UNDERSCORE};
use crate::bytes::unicode::{Iri, char_at};
use crate::bytes::window::Window;

/// The last labels of hosts that these scripts have, in order.
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

/// The last labels of hosts after which a symbol is text.
const COMMON: [&[u8]; 8] = [b"com", b"net", b"org", b"edu", b"gov", b"info", b"app", b"dev"];

/// Where the host at `from` goes on after the character beyond ASCII at `at`; `at` if it ends there.
#[inline(never)]
pub(super) fn skip_label(window: &Window<'_>, from: usize, at: usize, limit: usize) -> usize {
    let start = window.skip_back(at, from, |b| b != b'.');
    let end = label_end(window, at, limit);
    let goes_on = window.get(end) == Some(b'.') && label_end(window, end + 1, end + 5) > end + 1;
    let is_wide = |at: usize| window.get(at).is_some_and(|b| b >= 0x80);
    let belongs = match is_wide(start) {
        true => goes_on || start > from && is_last(window, from, start..end),
        false => goes_on && is_symbol(window, at) && !is_host(window.ahead(from..at)),
    };
    if belongs { end } else { at }
}

/// Where the label ends that continues at `at`.
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

/// Whether the label may be the last one: it is known as such, or the one before it is beyond ASCII, too.
fn is_last(window: &Window<'_>, from: usize, label: Range<usize>) -> bool {
    let before = window.before(label.start - 1, from);
    let before = &before[before.iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1)..];
    !before.is_ascii()
        || std::str::from_utf8(window.ahead(label)).is_ok_and(|name| TOP_LEVEL.binary_search(&name).is_ok())
}

/// Whether the character at `at` is a symbol rather than a letter.
fn is_symbol(window: &Window<'_>, at: usize) -> bool {
    matches!(char_at(window, at), Some('\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}'))
}

/// Whether `name` is most likely a whole host: its last label is that of a country, or a common one.
fn is_host(name: &[u8]) -> bool {
    let Some(dot) = name.iter().rposition(|&b| b == b'.') else {
        return false;
    };
    let last = &name[dot + 1..];
    last.len() == 2 || COMMON.iter().any(|common| last.eq_ignore_ascii_case(common))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The host at the start of `text`, up to the first label that has characters beyond ASCII.
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
            assert!(super::super::implied::is_registered(format!("h.{name}").as_bytes()), "{name}");
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
