//! Determines whether an element is shown, from style sheets and `style` (CSS 2.2 §6.4, §9.2.4 and
//! §11.2).
//!
//! Three properties hide an element, `display`, `visibility` and `opacity`. The cascade decides
//! which declaration wins: `!important`, then `style`, then the specificity of the selector, then
//! the order. Selectors that are read are those that mail has: `p`, `.c`, `#i`, `p.c` and lists of
//! them. A rule with any other selector never hides. It can show the elements that its last compound
//! selects, such as `.c` in `.a td.b .c:hover`. An element that is shown only in some media, such as
//! on a phone, is shown.
//!
//! A page may have many rules, a rule many selectors and declarations, and an element many classes.
//! So the declarations of a rule are reduced to one [`Effect`], which each of its selectors gets,
//! and there is one entry for each selector, which the rules with it are folded into. Time is
//! linear. Memory is bounded by [`MAX_SELECTORS`]: a page that has more of them hides nothing,
//! because a selector that is left out might be the one that shows an element.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memmem};

/// The properties.
const PROPERTIES: [&[u8]; 3] = [b"display", b"visibility", b"opacity"];

/// The indices of the properties. An inner element may undo `visibility`.
const DISPLAY: usize = 0;
const VISIBILITY: usize = 1;
const OPACITY: usize = 2;

/// The precedence of declarations: `!important`, the specificity, the order. The greatest wins.
type Precedence = (bool, u8, u32);

/// The number of different selectors that are kept. This is 30 times as many as in pages in real
/// mail, and takes a few megabytes.
const MAX_SELECTORS: usize = 16_384;

/// The specificities of selectors.
const TAG: u8 = 1;
const CLASS: u8 = 2;
const TAG_CLASS: u8 = 3;
const ID: u8 = 4;
const INLINE: u8 = 5;

/// The declarations for one property.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    /// The winning declaration, and whether it hides.
    always: Option<(Precedence, bool)>,
    /// The winning declaration that shows it in some media.
    sometimes: Option<Precedence>,
}

impl Said {
    fn add(&mut self, precedence: Precedence, hides: bool, is_conditional: bool) {
        if !is_conditional {
            self.always = self.always.max(Some((precedence, hides)));
        } else if !hides {
            self.sometimes = self.sometimes.max(Some(precedence));
        }
    }

    fn merge(&mut self, other: &Said) {
        self.always = self.always.max(other.always);
        self.sometimes = self.sometimes.max(other.sometimes);
    }

    fn hides(&self) -> bool {
        self.always.is_some_and(|(precedence, hides)| hides && self.sometimes < Some(precedence))
    }
}

/// The declarations of a rule that count, by their order: for each property, the last that shows
/// and the last that hides, each without and with `!important`.
#[derive(Debug, Default)]
struct Effect([Option<u32>; 4 * PROPERTIES.len()]);

impl Effect {
    /// The effect of a rule's declarations, after `count` earlier ones.
    fn of(declarations: &[u8], count: &mut u32) -> Effect {
        let mut effect = Effect::default();
        for (property, hides, is_important) in said(declarations) {
            *count = count.saturating_add(1);
            effect.0[4 * property + 2 * usize::from(hides) + usize::from(is_important)] = Some(*count);
        }
        effect
    }

    /// Returns the meaning for selectors that may hide, or only show.
    fn each(&self, may_hide: bool) -> impl Iterator<Item = (usize, bool, bool, u32)> {
        let all = self.0.iter().enumerate().filter_map(|(n, order)| Some((n, (*order)?)));
        all.map(|(n, order)| (n / 4, n & 2 != 0, n & 1 != 0, order)).filter(move |all| may_hide || !all.1)
    }
}

/// The visibility of an element by its own declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Like the element around it.
    Inherited,
    /// The element is shown, even inside an element with `visibility: hidden`.
    Visible,
    /// The element is hidden, except [visible](Visibility::Visible) elements in it.
    Hidden,
    /// The element is not shown.
    None,
}

/// The style sheets of a page.
#[derive(Debug, Default)]
pub(super) struct Sheets {
    rules: HashMap<Box<[u8]>, [Said; PROPERTIES.len()]>,
    /// The number of declarations that matter.
    pub(super) count: u32,
    /// True if there are more than [`MAX_SELECTORS`].
    is_full: bool,
}

impl Sheets {
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Adds a style sheet; `media` is the attribute of its element, or empty.
    pub(super) fn add(&mut self, sheet: &[u8], media: &[u8]) {
        // Most do not mention visibility.
        if !self.is_full && PROPERTIES.iter().any(|property| memmem::find(sheet, property).is_some()) {
            self.read(&without_comments(sheet), Medium::of(media));
        }
    }

    /// Adds the rules of a sheet without comments.
    fn read(&mut self, mut rest: &[u8], medium: Medium) {
        // The media of the blocks that are open, and of the sheet.
        let mut blocks = vec![medium];
        while let Some(at) = rest.iter().position(|b| matches!(b, b'{' | b'}' | b';')) {
            let (prelude, mark) = (without_marks(&rest[..at]), rest[at]);
            rest = &rest[at + 1..];
            let medium = blocks.last().copied().unwrap_or(Medium::Every);
            match mark {
                b'{' if prelude.starts_with(b"@") => blocks.push(medium.of_block(prelude)),
                b'{' => {
                    let end = memchr(b'}', rest).unwrap_or(rest.len());
                    if medium != Medium::No && !self.is_full {
                        self.add_rule(prelude, &rest[..end], medium);
                    }
                    rest = rest.get(end + 1..).unwrap_or_default();
                }
                b'}' if blocks.len() > 1 => drop(blocks.pop()),
                _ => {}
            }
        }
    }

    fn add_rule(&mut self, selectors: &[u8], declarations: &[u8], medium: Medium) {
        let effect = Effect::of(declarations, &mut self.count);
        if effect.each(true).next().is_none() {
            return;
        }
        for selector in
            selectors.split(|&b| b == b',').filter_map(|selector| Selector::read(selector.trim_ascii()))
        {
            let mut effect = effect.each(selector.is_exact).peekable();
            if effect.peek().is_none() {
                continue;
            }
            if self.rules.len() == MAX_SELECTORS && !self.rules.contains_key(&selector.key) {
                *self = Sheets { is_full: true, count: self.count, ..Sheets::default() };
                return;
            }
            let rule = self.rules.entry(selector.key).or_default();
            for (property, hides, is_important, order) in effect {
                let precedence = (is_important, selector.specificity, order);
                rule[property].add(precedence, hides, medium == Medium::Some);
            }
        }
    }

    /// Returns the visibility of an element, with the values of its `class`, `id` and `style`.
    pub(super) fn visibility(&self, name: &[u8], values: [&[u8]; 3]) -> Visibility {
        Visibility::of(&self.said_of(name, values))
    }

    /// Returns its visibility in media without their own rules.
    pub(super) fn usual_visibility(&self, name: &[u8], values: [&[u8]; 3]) -> Visibility {
        Visibility::of(&self.said_of(name, values).map(|said| Said { sometimes: None, ..said }))
    }

    /// Returns true if at least one medium shows such an element.
    pub(super) fn may_show(&self, name: &[u8], values: [&[u8]; 3]) -> bool {
        self.is_full || self.said_of(name, values).iter().any(|said| said.sometimes.is_some())
    }

    /// Returns the declarations for each property of an element.
    fn said_of(&self, name: &[u8], [class, id, style]: [&[u8]; 3]) -> [Said; PROPERTIES.len()] {
        let mut said_of = [Said::default(); PROPERTIES.len()];
        if self.is_full {
            return said_of;
        }
        let mut merge = |key: &[u8]| {
            if let Some(rule) = self.rules.get(key) {
                said_of.iter_mut().zip(rule).for_each(|(said, other)| said.merge(other));
            }
        };
        if !self.is_empty() {
            let mut key = name.to_ascii_lowercase();
            merge(&key);
            for class in class.split(u8::is_ascii_whitespace).filter(|class| !class.is_empty()) {
                key.truncate(name.len());
                key.push(b'.');
                key.extend_from_slice(class);
                merge(&key);
                merge(&key[name.len()..]);
            }
            key.clear();
            key.push(b'#');
            key.extend_from_slice(id.trim_ascii());
            merge(&key);
        }
        for (n, (property, hides, is_important)) in (0..).zip(said(style)) {
            said_of[property].add((is_important, INLINE, n), hides, false);
        }
        said_of
    }
}

impl Visibility {
    fn of(said: &[Said; PROPERTIES.len()]) -> Visibility {
        let hides = |property: usize| said[property].hides();
        if (0..PROPERTIES.len()).any(|property| property != VISIBILITY && hides(property)) {
            Visibility::None
        } else if hides(VISIBILITY) {
            Visibility::Hidden
        } else if said[VISIBILITY].always.is_some() {
            Visibility::Visible
        } else {
            Visibility::Inherited
        }
    }
}

/// The declarations that matter in a list of them: the number of the property, whether it hides, and whether it is
/// important.
fn said(declarations: &[u8]) -> impl Iterator<Item = (usize, bool, bool)> {
    each(declarations).filter_map(|declaration| {
        let values = PROPERTIES.iter().map(|property| value_of(declaration, property));
        let (property, value) = values.enumerate().find_map(|(n, value)| Some((n, value?)))?;
        let (value, is_important) = without_importance(value);
        let hides = match (property, &*value.to_ascii_lowercase()) {
            (DISPLAY, b"none") | (VISIBILITY, b"hidden" | b"collapse") => true,
            (VISIBILITY, value) if value != b"visible" => return None,
            (OPACITY, value) => {
                value.strip_suffix(b"%").unwrap_or(value).iter().all(|b| b"0.".contains(b))
                    && !value.is_empty()
            }
            _ => false,
        };
        Some((property, hides, is_important))
    })
}

/// The declarations of a list of them.
fn each(declarations: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr_iter(b';', declarations).chain([declarations.len()]);
    ends.scan(0, |start, end| Some(&declarations[std::mem::replace(start, end + 1)..end]))
}

/// The value of a declaration for this property.
fn value_of<'d>(declaration: &'d [u8], property: &[u8]) -> Option<&'d [u8]> {
    let (name, rest) = declaration.trim_ascii_start().split_at_checked(property.len())?;
    let value = || rest.trim_ascii_start().strip_prefix(b":");
    if name.eq_ignore_ascii_case(property) { Some(value()?.trim_ascii()) } else { None }
}

/// A value without `!important`, and whether it contained that.
fn without_importance(value: &[u8]) -> (&[u8], bool) {
    let Some(bang) = memchr(b'!', value) else { return (value, false) };
    (value[..bang].trim_ascii(), value[bang + 1..].trim_ascii().eq_ignore_ascii_case(b"important"))
}

/// Returns the last value of a property in a list of declarations.
pub(super) fn last_value<'d>(declarations: &'d [u8], property: &[u8]) -> Option<&'d [u8]> {
    if declarations.len() < property.len() {
        return None;
    }
    let last = each(declarations).filter_map(|declaration| value_of(declaration, property)).last();
    last.map(|value| without_importance(value).0)
}

/// A selector that is read.
#[derive(Debug)]
struct Selector {
    /// The key under which the selector is stored.
    key: Box<[u8]>,
    specificity: u8,
    /// True if it is the whole written selector. If not, it does not hide elements.
    is_exact: bool,
}

impl Selector {
    fn read(selector: &[u8]) -> Option<Selector> {
        let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_') || b >= 0x80;
        // The subject of the selector, without the conditions on its context and its state.
        let combines = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'>' | b'+');
        let last = selector.rsplit(combines).next()?;
        let last = last.strip_prefix(b"*").unwrap_or(last);
        let end = last.iter().position(|b| matches!(b, b':' | b'[')).unwrap_or(last.len());
        let of_attribute = class_of_attribute(&last[end..]);
        let about: &[u8] = &[&last[..end], &*of_attribute].concat();
        if about.is_empty() {
            return None;
        }
        let mark = about.iter().position(|b| matches!(b, b'.' | b'#')).unwrap_or(about.len());
        let (tag, part) = about.split_at(mark);
        let is_whole = tag.iter().chain(part.get(1..).unwrap_or_default()).all(|&b| is_name(b));
        // The last of several classes counts.
        let part = part.iter().rposition(|b| matches!(b, b'.' | b'#')).map_or(part, |at| &part[at..]);
        let specificity = match (tag, part) {
            (_, []) => TAG,
            (_, [b'#', ..]) => ID,
            ([], _) => CLASS,
            _ => TAG_CLASS,
        };
        let tag = if specificity == ID { Vec::new() } else { tag.to_ascii_lowercase() };
        let key = [&tag, part].concat().into();
        Some(Selector { key, specificity, is_exact: end == selector.len() && is_whole })
    }
}

/// The class of `[class="c"]` and `[class].c`, which mail has for phones, with its dot; or an empty
/// slice.
fn class_of_attribute(condition: &[u8]) -> Vec<u8> {
    let Some(close) = memchr(b']', condition).filter(|_| condition.starts_with(b"[class")) else {
        return Vec::new();
    };
    match memchr(b'=', &condition[..close]) {
        Some(at) => [b".", without_quotes(&condition[at + 1..close])].concat(),
        None => condition[close + 1..].to_vec(),
    }
}

fn without_quotes(value: &[u8]) -> &[u8] {
    let is_mark = |b: &u8| matches!(b, b'"' | b'\'' | b' ');
    let start = value.iter().position(|b| !is_mark(b)).unwrap_or(value.len());
    let end = value.iter().rposition(|b| !is_mark(b)).map_or(start, |at| at + 1);
    &value[start..end]
}

/// The media for which rules apply, in the order of the strictness of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Medium {
    Every,
    /// For some screens.
    Some,
    /// Only for media on which mail is not read, such as paper and speech.
    No,
}

const OTHER_MEDIA: [&[u8]; 8] =
    [b"print", b"speech", b"only", b"tty", b"tv", b"projection", b"handheld", b"braille"];

impl Medium {
    /// The medium of the condition of `@media`, or of the attribute.
    fn of(condition: &[u8]) -> Medium {
        let condition = condition.trim_ascii().to_ascii_lowercase();
        let words = condition.split(|b| !b.is_ascii_alphabetic()).filter(|word| !word.is_empty());
        let is_of = |names: &[&[u8]]| words.clone().all(|word| names.contains(&word));
        match &*condition {
            condition if memchr(b'(', condition).is_some() => Medium::Some,
            _ if is_of(&[b"all", b"screen", b"only", b"and"]) => Medium::Every,
            _ if is_of(&OTHER_MEDIA) => Medium::No,
            _ => Medium::Some,
        }
    }

    /// The medium of a block inside a block of this medium.
    fn of_block(self, prelude: &[u8]) -> Medium {
        let name_end =
            prelude.iter().position(|&b| !b.is_ascii_alphabetic() && b != b'@').unwrap_or(prelude.len());
        let inner = match &*prelude[..name_end].to_ascii_lowercase() {
            b"@media" => Medium::of(&prelude[name_end..]),
            b"@supports" | b"@layer" | b"@container" => Medium::Some,
            _ => Medium::No,
        };
        self.max(inner)
    }
}

/// A prelude without the marks of a comment of HTML, which hid the sheet from old browsers.
fn without_marks(prelude: &[u8]) -> &[u8] {
    let mut prelude = prelude.trim_ascii();
    while let Some(rest) = prelude.strip_prefix(b"<!--").or_else(|| prelude.strip_prefix(b"-->")) {
        prelude = rest.trim_ascii_start();
    }
    prelude
}

fn without_comments(sheet: &[u8]) -> Cow<'_, [u8]> {
    if memmem::find(sheet, b"/*").is_none() {
        return sheet.into();
    }
    let (mut text, mut rest) = (Vec::with_capacity(sheet.len()), sheet);
    while let Some(at) = memmem::find(rest, b"/*") {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at + 2..];
        rest = memmem::find(rest, b"*/").map_or(&[], |end| &rest[end + 2..]);
    }
    text.extend_from_slice(rest);
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the visibility of `<p class=c id=i style=…>`.
    #[track_caller]
    fn check(sheet: &str, style: &str, expected: Visibility) {
        let mut sheets = Sheets::default();
        sheets.add(sheet.as_bytes(), b"");
        let visibility = sheets.visibility(b"P", [b"a c", b"i", style.as_bytes()]);
        assert_eq!(visibility, expected, "{sheet} {style}");
    }

    #[test]
    fn what_style_says() {
        for (style, expected) in [
            ("", Visibility::Inherited),
            ("color: red", Visibility::Inherited),
            ("DISPLAY : None", Visibility::None),
            ("display:none;display:block", Visibility::Inherited),
            ("display:none!important;display:block", Visibility::None),
            ("visibility:hidden", Visibility::Hidden),
            ("visibility: collapse", Visibility::Hidden),
            ("visibility:visible", Visibility::Visible),
            ("visibility:inherit", Visibility::Inherited),
            ("opacity:0.0", Visibility::None),
            ("opacity:0.1", Visibility::Inherited),
            ("opacity:", Visibility::Inherited),
        ] {
            check("", style, expected);
        }
    }

    #[test]
    fn selectors() {
        for selector in ["p", ".c", "#i", "p.c", "P.a", "b, .c", ".a,b"] {
            check(&format!("{selector} {{display:none}}"), "", Visibility::None);
        }
        for selector in ["b", ".C", "#c", "b.c", ".c b", "b .c", "b>.c", ".c.d", ".c:hover", ".c[x]", "*", ""]
        {
            check(&format!("{selector} {{display:none}}"), "", Visibility::Inherited);
        }
        for selector in [
            ".c",
            "b .c",
            "p.c:hover",
            "[class].c",
            ".d.c",
            "b > p.c[x]",
            "*[class=c]",
            "p[class*='c']",
            "b p[class=\"c\"]",
        ] {
            check(&format!("{selector} {{display:block!important}}"), "display:none", Visibility::Inherited);
        }
    }

    /// The braces of a block end it, and one more ends nothing.
    #[test]
    fn blocks() {
        for (sheet, expected) in [
            ("@media print {.c{display:none}}", Visibility::Inherited),
            ("@media print {b{x:y}} .c{display:none}", Visibility::None),
            ("@media screen {@media print {b{x:y}} .c{display:none}}", Visibility::None),
            ("@media print {@media screen {b{x:y}} .c{display:none}}", Visibility::Inherited),
            ("} b{x:y} .c{display:none}", Visibility::None),
            ("@media print {b{x:y}}} b{x:y} .c{display:none}", Visibility::None),
        ] {
            check(sheet, "", expected);
        }
        // An extra brace does not end the medium of the whole sheet either.
        let mut sheets = Sheets::default();
        sheets.add(b"} b{x:y} .c{display:none}", b"print");
        assert_eq!(sheets.visibility(b"P", [b"c", b"", b""]), Visibility::Inherited);
    }

    /// A rule is as many rules as it has pairs of a selector and a declaration.
    #[test]
    fn one_rule_with_many_selectors() {
        const DECLARATIONS: [&str; 9] = [
            "display:none",
            "display:block",
            "display:none!important",
            "display:block!important",
            "visibility:hidden",
            "visibility:visible!important",
            "opacity:0",
            "opacity:1",
            "color:red",
        ];
        let visibility = |sheet: &str| {
            let mut sheets = Sheets::default();
            sheets.add(sheet.as_bytes(), b"");
            sheets.visibility(b"p", [b"c", b"i", b""])
        };
        for selectors in [["b", "p"], ["p", ".c"], [".d .c", "p"], ["p", "b .c"], ["#i", "p.c"]] {
            for n in 0..DECLARATIONS.len().pow(3) {
                let declarations = [n % 9, n / 9 % 9, n / 81].map(|n| DECLARATIONS[n]);
                let one = format!("{}{{{}}}", selectors.join(","), declarations.join(";"));
                let pairs = declarations.iter().flat_map(|d| selectors.map(|s| format!("{s}{{{d}}}")));
                assert_eq!(visibility(&one), visibility(&pairs.collect::<String>()), "{one}");
            }
        }
    }

    /// Beyond its limit a page hides nothing, not even what its last rules would have shown.
    #[test]
    fn more_selectors_than_are_kept() {
        let sheet = |selectors: usize| -> String {
            let others: String = (1..selectors).map(|n| format!("x{n},")).collect();
            format!("{others}p{{display:none}} p{{display:none}}")
        };
        check(&sheet(MAX_SELECTORS), "", Visibility::None);
        for style in ["", "display:none"] {
            check(&sheet(MAX_SELECTORS + 1), style, Visibility::Inherited);
        }
        let mut sheets = Sheets::default();
        sheets.add(sheet(MAX_SELECTORS + 1).as_bytes(), b"");
        sheets.add(b"p{display:none}", b"");
        assert!(sheets.may_show(b"p", [b"", b"", b""]));
        assert_eq!((sheets.visibility(b"p", [b"", b"", b""]), sheets.count), (Visibility::Inherited, 1));
    }

    #[test]
    fn the_last_word() {
        for (sheet, style, expected) in [
            (".c{display:none} .c{display:block}", "", Visibility::Inherited),
            (".c{display:none} p{display:block}", "", Visibility::None),
            ("p{display:none} .c{display:block}", "", Visibility::Inherited),
            ("p.c{display:block} .c{display:none}", "", Visibility::Inherited),
            ("#i{display:block} .c{display:none !important}", "", Visibility::None),
            (".c{display:block}", "display:none", Visibility::None),
            (".c{display:block !important}", "display:none", Visibility::Inherited),
            (".c{display:none !important}", "display:block", Visibility::None),
            ("<!-- .c{display:none} -->", "", Visibility::None),
            ("/* p{ */ .c{display:/**/none}", "", Visibility::None),
            ("@import 'x'; .c{display:none}", "", Visibility::None),
            ("@font-face{a:b} .c{display:none}", "", Visibility::None),
            (".c{display:none", "", Visibility::None),
        ] {
            check(sheet, style, expected);
        }
    }

    #[test]
    fn media() {
        for (sheet, expected) in [
            ("@media screen{.c{display:none}}", Visibility::None),
            ("@media print{.c{display:none}}", Visibility::Inherited),
            ("@media (max-width:9px){.c{display:none}}", Visibility::Inherited),
            (".c{display:none} @media (max-width:9px){.c{display:block}}", Visibility::Inherited),
            ("@media (max-width:9px){.c{display:block}} .c{display:none}", Visibility::None),
            (".c{display:none} @media print{.c{display:block}}", Visibility::None),
            ("@media screen{@media (x){b{}}} .c{display:none}", Visibility::None),
            (".c{display:none} @media print{@media screen{.c{display:block}}}", Visibility::None),
        ] {
            check(sheet, "", expected);
        }
        for (blocks, medium) in [
            (
                &["@media", "@media all", "@MEDIA Screen", "@media only screen", "@media screen and all"][..],
                Medium::Every,
            ),
            (
                &["@supports (x)", "@layer", "@layer a", "@CONTAINER a", "@container (x)", "@media not all"],
                Medium::Some,
            ),
            (&["@media print, screen", "@media screen and (x)"], Medium::Some),
            (&["@media print", "@media speech", "@media tty", "@media tv", "@media projection"], Medium::No),
            (&["@media handheld", "@media braille", "@media only print", "@media print,tv"], Medium::No),
            (&["@document a", "@font-face", "@keyframes a", "@page", "@-moz-document a"], Medium::No),
        ] {
            // A rule hides an element only if it applies to every screen. A rule for some screens can only show it,
            // and a rule for no screen does nothing.
            let [hidden, shown] = match medium {
                Medium::Every => [Visibility::None, Visibility::Inherited],
                Medium::Some => [Visibility::Inherited, Visibility::Inherited],
                Medium::No => [Visibility::Inherited, Visibility::None],
            };
            for block in blocks {
                check(&format!("{block}{{.c{{display:none}}}}"), "", hidden);
                check(&format!(".c{{display:none}} {block}{{.c{{display:block}}}}"), "", shown);
                check(&format!("@media print{{{block}{{.c{{display:none}}}}}}"), "", Visibility::Inherited);
            }
        }
        check("@media (x){.c{display:block!important}}", "display:none", Visibility::Inherited);
        check("@media (x){.c{display:block}}", "display:none", Visibility::None);
    }
}
