//! Host labels that look like others: Unicode Technical Standard #39, "Unicode Security Mechanisms".
//!
//! Two kinds are detected. A label that mixes scripts has letters that readers do not expect
//! together, such as a Cyrillic
//! `а` among Latin ones; Latin with Han, kana, Hangul or Bopomofo is normal in East Asian names (the restriction level
//! "highly restrictive"). And a label of one script may look like Latin as a whole: `раура`. Under
//! a top-level domain of that script, such a label is not suspicious.

/// The letters of Greek, Cyrillic and Armenian that look like one of ASCII, in order:
/// `tools/confusables.py` prints them.
///
/// From confusables.txt of UTS #39 for Unicode 17.0.0. Copyright © 2025 Unicode, Inc. Terms of use:
/// <https://www.unicode.org/terms_of_use.html>
const LIKE_LATIN: &str = "αγινορσυϳϸабгеорсухшѕіјѡѵүһҽӏԁԛԝագզհոռսցւքօᴦꙇ";

/// A script, or several that occur together in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Syriac,
    Thaana,
    /// A script of South Asia, by the number of its block.
    Indic(u32),
    Thai,
    Georgian,
    Ethiopic,
    Cherokee,
    EastAsian,
}

/// The script of a letter, by the block that it is in; `None` for other characters, and for letters of other scripts.
fn script(c: char) -> Option<Script> {
    let script = match u32::from(c) {
        0x41..=0x24F | 0x1E00..=0x1EFF => Script::Latin,
        0x370..=0x3FF | 0x1F00..=0x1FFF => Script::Greek,
        0x400..=0x52F => Script::Cyrillic,
        0x530..=0x58F => Script::Armenian,
        0x590..=0x5FF => Script::Hebrew,
        0x600..=0x6FF | 0x750..=0x77F => Script::Arabic,
        0x700..=0x74F => Script::Syriac,
        0x780..=0x7BF => Script::Thaana,
        code @ 0x900..=0xDFF => Script::Indic(code / 0x80),
        0xE00..=0xE7F => Script::Thai,
        0x10A0..=0x10FF | 0x2D00..=0x2D2F => Script::Georgian,
        0x1200..=0x139F => Script::Ethiopic,
        0x13A0..=0x13FF | 0xAB70..=0xABBF => Script::Cherokee,
        0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xAC00..=0xD7AF => Script::EastAsian,
        _ => return None,
    };
    c.is_alphabetic().then_some(script)
}

/// Returns true if a label of `host` mixes scripts or looks like another one.
pub(super) fn looks_like_another(host: &[u8]) -> bool {
    let is_plain = host.is_ascii() && !host.windows(4).any(|bytes| bytes.eq_ignore_ascii_case(b"xn--"));
    if is_plain {
        return false;
    }
    let Ok(host) = std::str::from_utf8(host) else { return false };
    let labels: Vec<_> = host.trim_end_matches('.').split('.').map(decoded).collect();
    let is_latin = labels.last().is_some_and(|label| label.is_ascii());
    labels.iter().any(|label| mixes_scripts(label) || is_latin && looks_latin(label))
}

/// The label in Unicode and in lower case. If its punycode is damaged, it is as it was.
fn decoded(label: &str) -> String {
    let rest = label.get(..4).filter(|start| start.eq_ignore_ascii_case("xn--")).map(|_| &label[4..]);
    rest.and_then(idna::punycode::decode_to_string)
        .map_or_else(|| label.to_lowercase(), |name| name.to_lowercase())
}

fn mixes_scripts(label: &str) -> bool {
    let mut scripts = label.chars().filter_map(script);
    let Some(first) = scripts.next() else { return false };
    let in_east_asia = |script| matches!(script, Script::Latin | Script::EastAsian);
    scripts.any(|script| script != first && !(in_east_asia(first) && in_east_asia(script)))
}

/// Returns true if each letter of `label` looks like an ASCII letter but is not one.
fn looks_latin(label: &str) -> bool {
    let mut letters = label.chars().filter(|c| c.is_alphabetic()).peekable();
    letters.peek().is_some() && letters.all(|c| LIKE_LATIN.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_scripts() {
        for host in ["pаypal.com", "www.xn--pypal-4ve.com", "XN--PYPAL-4VE.com", "αb.org", "бα.рф"] {
            assert!(looks_like_another(host.as_bytes()), "{host}");
        }
        for host in
            ["paypal.com", "bücher.example", "東京tower.jp", "пример.com", "пример-1.рф", "xn--bcher-kva.de"]
        {
            assert!(!looks_like_another(host.as_bytes()), "{host}");
        }
    }

    /// Letters of each script, including its first and last block; each forms a word only with
    /// letters of its own script, except Latin with the scripts of East Asia.
    #[test]
    fn every_script() {
        let scripts = [
            "aÀžɏḀỹ",
            "αΩἀῳ",
            "бЯѝԯ",
            "աՖև",
            "את",
            "عیݐݿ",
            "ܐܫ",
            "ޅޥ",
            "कह",
            "কহ",
            "ਕਹ",
            "કહ",
            "କହ",
            "கஹ",
            "కహ",
            "ಕಹ",
            "കഹ",
            "කහ",
            "กฮ",
            "აჸႠ",
            "ሀፚᎀ",
            "ᎣᏱᏳ",
            "ㄅあン東龥한ᄀᇿ",
        ];
        for (n, one) in scripts.iter().enumerate() {
            assert!(!mixes_scripts(&decoded(one)), "{one}");
            for (m, other) in scripts.iter().enumerate().filter(|&(m, _)| m != n) {
                let in_east_asia = [n, m].iter().all(|n| [0, scripts.len() - 1].contains(n));
                for letter in other.chars() {
                    let label = decoded(&format!("{}{letter}", one.chars().next().unwrap()));
                    assert_eq!(mixes_scripts(&label), !in_east_asia, "{label}");
                }
            }
        }
    }

    #[test]
    fn whole_scripts() {
        assert!(looks_like_another("раура.com".as_bytes()));
        assert!(!looks_like_another("раура.рф".as_bytes()));
        // A final dot makes no label.
        assert!(!looks_like_another("раура.рф.".as_bytes()) && looks_like_another("раура.com.".as_bytes()));
        assert!(!looks_like_another("раурал.com".as_bytes()));
        assert!(!looks_like_another(b"xn--0.com") && !looks_like_another(b"\xC3.xn--.com"));
    }

    #[test]
    fn the_letters_are_in_order() {
        assert!(LIKE_LATIN.chars().is_sorted());
    }
}
