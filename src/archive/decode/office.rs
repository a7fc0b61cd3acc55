//! The vocabulary of office documents: the effects of OOXML and OpenDocument elements on a text,
//! and the two small languages in which these documents write links.
//!
//! **Elements** are known by their local names, regardless of the prefix: `w:t`, `a:t` and `t` are the text of a run
//! in a text document, on a slide and in a sheet. A few need the prefix that all programs write
//! (`text:p`). Elements outside the table add nothing to the text.
//!
//! **Fields** are instructions in text documents: ` HYPERLINK "http://h.org/" \l "place" `. A word, then
//! arguments, with quotation marks or without; switches begin with a backslash, and in quotation
//! marks a backslash escapes the next character (ISO 29500-1 §17.16.2). The address of a link is
//! the argument that belongs to no switch, its fragment the argument of `\l`. Other fields may
//! contain URLs, such as the fields of reference managers: their instructions are texts.
//!
//! **Formulas** of sheets are searched for their string literals, in which `""` is a quotation mark; literals that
//! `&` concatenates are one. The literal after `HYPERLINK(` is a link, and the one after that its label
//! (ISO 29500-1 §18.17.7.146, OpenFormula §6.11). `IMAGE(` works in the same way. In a formula that
//! computes its link, every literal is a text that may have URLs. Names of sheets are in `'`, and
//! may contain
//! `"`.
//!
//! Every byte is read a fixed number of times.

use std::iter;
use std::ops::Range;

use memchr::{memchr, memchr2, memmem};

use crate::archive::header::ends_with;
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;

/// The effect of an element on the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfficeTag {
    /// The element has no effect.
    Inline,
    /// The text of the element is separate from the surrounding text.
    Separate,
    /// As `Separate`, and the whole content is text, including whitespace.
    Paragraph,
    /// The whole content is text, including whitespace.
    Text,
    Blank,
    LineBreak,
    Hyphen,
    /// A link that contains its text.
    Anchor,
    /// The beginning, the middle or the end of a field.
    FieldMark,
    /// A piece of a field instruction.
    Instruction,
    /// A piece of text that was deleted while changes were tracked.
    Deleted,
    Formula,
    /// The content is not text, or occurs elsewhere in the text.
    Hidden(&'static str),
}

impl OfficeTag {
    /// The element of this name.
    pub(crate) fn of(name: &[u8]) -> OfficeTag {
        let (prefix, local) = split(name);
        match local {
            b"t" => OfficeTag::Text,
            b"p" | b"h" if prefix == b"text" => OfficeTag::Paragraph,
            b"a" if matches!(prefix, b"text" | b"draw") => OfficeTag::Anchor,
            b"s" if prefix == b"text" => OfficeTag::Blank,
            b"creator" | b"date" if prefix == b"dc" => OfficeTag::Separate,
            // The text that replaces an image.
            b"title" if prefix == b"svg" => OfficeTag::Hidden("title"),
            b"desc" if prefix == b"svg" => OfficeTag::Hidden("desc"),
            b"p"
            | b"tc"
            | b"si"
            | b"c"
            | b"row"
            | b"comment"
            | b"note"
            | b"annotation"
            | b"table-cell"
            | b"covered-table-cell"
            | b"table-row"
            | b"txbxContent" => OfficeTag::Separate,
            b"tab" | b"ptab" => OfficeTag::Blank,
            b"br" | b"cr" | b"line-break" => OfficeTag::LineBreak,
            b"noBreakHyphen" => OfficeTag::Hyphen,
            b"fldSimple" | b"hlink" => OfficeTag::Anchor,
            b"fldChar" => OfficeTag::FieldMark,
            b"instrText" => OfficeTag::Instruction,
            b"delText" | b"delInstrText" => OfficeTag::Deleted,
            b"f" => OfficeTag::Formula,
            // A copy of the choice before it, for programs that do not support that choice.
            b"Fallback" => OfficeTag::Hidden("Fallback"),
            b"binaryData" => OfficeTag::Hidden("binaryData"),
            b"binary-data" => OfficeTag::Hidden("binary-data"),
            // The pronunciation of the text.
            b"rPh" => OfficeTag::Hidden("rPh"),
            b"rt" => OfficeTag::Hidden("rt"),
            b"ruby-text" => OfficeTag::Hidden("ruby-text"),
            // The number of a footnote.
            b"note-citation" => OfficeTag::Hidden("note-citation"),
            _ => OfficeTag::Inline,
        }
    }
}

/// The kind of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeValue {
    /// The target of a relationship, which has two more attributes.
    Target,
    /// A URL, if it is not relative.
    Url(Role),
    /// A text that may have URLs.
    Text(Role),
    Instruction,
    Formula,
}

impl AttributeValue {
    /// Returns the kind of an element's attribute, or `None` if a reader neither follows nor sees
    /// it.
    pub(crate) fn of(element: &[u8], attribute: &[u8]) -> Option<AttributeValue> {
        let (_, element) = split(element);
        let (prefix, attribute) = split(attribute);
        match attribute {
            b"Target" if element == b"Relationship" => Some(AttributeValue::Target),
            b"instr" => Some(AttributeValue::Instruction),
            b"formula" | b"Formula" => Some(AttributeValue::Formula),
            b"href" if prefix == b"xlink" => Some(AttributeValue::Url(match element {
                b"a" | b"event-listener" => Role::Link,
                b"image" | b"fill-image" | b"background-image" => Role::Image,
                _ if element.starts_with(b"area-") => Role::Link,
                _ => Role::Resource,
            })),
            b"href" if matches!(element, b"imagedata" | b"fill") => Some(AttributeValue::Url(Role::Image)),
            b"href" | b"HRef" => Some(AttributeValue::Url(Role::Link)),
            b"src" if matches!(element, b"imagedata" | b"fill") => Some(AttributeValue::Url(Role::Image)),
            b"dest" if element == b"hlink" => Some(AttributeValue::Url(Role::Link)),
            b"url" if prefix == b"text" => Some(AttributeValue::Url(Role::Link)),
            b"url" => Some(AttributeValue::Url(Role::Resource)),
            // The values that a pivot table keeps.
            b"v" if element == b"s" => Some(AttributeValue::Text(Role::Text)),
            _ => None,
        }
    }
}

/// The beginnings of the namespaces of office documents.
pub(crate) const NAMESPACES: [&[u8]; 8] = [
    b"http://schemas.openxmlformats.org/",
    b"http://purl.oclc.org/ooxml/",
    b"http://schemas.microsoft.com/office/",
    b"http://schemas.microsoft.com/sharepoint/",
    MICROSOFT[0],
    MICROSOFT[1],
    b"urn:oasis:names:tc:opendocument:",
    // OpenOffice.org 1.
    b"http://openoffice.org/200",
];

/// The namespaces of Office 2003 and VML. Other Microsoft files, such as program manifests, are not
/// documents.
pub(crate) const MICROSOFT: [&[u8]; 2] =
    [b"urn:schemas-microsoft-com:office:", b"urn:schemas-microsoft-com:vml"];

/// Returns true if an attribute that is not a link can contain a URL, because it is not a
/// namespace.
pub(crate) fn has_url(name: &[u8], value: &[u8]) -> bool {
    memmem::find(value, b"://").is_some()
        && !name.starts_with(b"xmlns")
        && !NAMESPACES.iter().any(|namespace| value.starts_with(namespace))
}

/// Returns true if an attribute of this name may mean something in some element.
pub(crate) fn is_read(name: &[u8]) -> bool {
    #[rustfmt::skip]
    const NAMES: [&[u8]; 12] = [
        b"Target", b"TargetMode", b"Type", b"fldCharType", b"instr", b"formula", b"Formula", b"href", b"HRef",
        b"src", b"dest", b"url",
    ];
    let (_, local) = split(name);
    local == b"v" || local.len() > 2 && NAMES.contains(&local)
}

/// Returns the role of the target of a relationship of this type.
pub(crate) fn role_of_relationship(kind: &[u8]) -> Role {
    match kind.rsplit(|&b| b == b'/').next() {
        Some(b"hyperlink") => Role::Link,
        Some(b"image") => Role::Image,
        _ => Role::Resource,
    }
}

/// Returns true if a URL refers to a macro in the document itself.
pub(crate) fn is_internal(url: &[u8]) -> bool {
    url.starts_with(b"vnd.sun.star.")
}

/// The prefix and the local name.
pub(crate) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    memchr(b':', name).map_or((b"", name), |colon| (&name[..colon], &name[colon + 1..]))
}

/// A link in an instruction or a formula.
#[derive(Debug)]
pub(crate) struct FoundLink {
    pub(crate) url: Decoded,
    pub(crate) role: Role,
    /// True if it is a text that may contain URLs.
    pub(crate) is_text: bool,
    /// The text that is shown instead, if it is known.
    pub(crate) label: Vec<u8>,
}

impl FoundLink {
    pub(crate) fn url(url: Decoded, role: Role) -> FoundLink {
        FoundLink { url, role, is_text: false, label: Vec::new() }
    }

    pub(crate) fn text(text: Decoded, role: Role) -> FoundLink {
        FoundLink { is_text: true, ..FoundLink::url(text, role) }
    }
}

// Fields.

/// The link in a field instruction, if any.
pub(crate) fn instruction(text: &Decoded) -> Option<FoundLink> {
    let mut words = FieldText { text, at: 0 };
    let name = words.word()?.0.bytes;
    let role = match () {
        () if name.eq_ignore_ascii_case(b"HYPERLINK") => Role::Link,
        () if name.eq_ignore_ascii_case(b"INCLUDEPICTURE") => Role::Image,
        () => {
            let has_urls = memchr(b':', &text.bytes).is_some();
            return has_urls.then(|| FoundLink::text(text.clone(), Role::Resource));
        }
    };
    let (mut url, mut fragment) = (None, None);
    while let Some((word, switch)) = words.word() {
        match switch {
            Some(b'l') => fragment = words.word(),
            Some(b'o' | b't' | b'c') => drop(words.word()),
            Some(_) => {}
            None => url = url.or(Some(word)),
        }
    }
    let mut url = url?;
    if let Some((fragment, _)) = fragment.filter(|(fragment, _)| !fragment.bytes.is_empty()) {
        let at = fragment.map.sources(0..1).first().map_or(0, |source| source.start);
        url.put(b"#", at..at);
        url.append_part(&fragment, 0..fragment.bytes.len());
    }
    Some(FoundLink::url(url, role))
}

/// The text of an instruction or a formula, up to `at` already read.
struct FieldText<'t> {
    text: &'t Decoded,
    at: usize,
}

impl FieldText<'_> {
    /// The next word of an instruction, in quotation marks or not, and the letter of a switch, in lower case.
    fn word(&mut self) -> Option<(Decoded, Option<u8>)> {
        let bytes = &self.text.bytes[..];
        self.at += bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let rest = bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let mark = mark_len(rest);
        if mark > 0 {
            self.at += mark;
            return Some((self.quoted(), None));
        }
        let len = rest.iter().position(|&b| b.is_ascii_whitespace() || b == b'"').unwrap_or(rest.len());
        let word = self.text.slice(self.at..self.at + len);
        self.at += len;
        let switch = match word.bytes[..] {
            [b'\\', letter] => Some(letter.to_ascii_lowercase()),
            _ => None,
        };
        Some((word, switch))
    }

    /// The word up to its closing quotation mark, or to the end: the rest may be another field.
    fn quoted(&mut self) -> Decoded {
        let bytes = &self.text.bytes[..];
        let mut word = Decoded::default();
        let mut start = self.at;
        while self.at < bytes.len() {
            let mark = mark_len(&bytes[self.at..]);
            let escapes = bytes[self.at] == b'\\' && matches!(bytes.get(self.at + 1), Some(b'\\' | b'"'));
            if mark > 0 || escapes {
                word.append_part(self.text, start..self.at);
                start = self.at + mark.max(1);
                self.at = if mark > 0 { start } else { start + 1 };
            } else {
                self.at += 1;
            }
            if mark > 0 {
                return word;
            }
        }
        word.append_part(self.text, start..bytes.len());
        word
    }
}

/// The length of the quotation mark that `text` begins with, straight or curved.
fn mark_len(text: &[u8]) -> usize {
    match text {
        [b'"', ..] => 1,
        _ if text.starts_with("\u{201c}".as_bytes()) || text.starts_with("\u{201d}".as_bytes()) => 3,
        _ => 0,
    }
}

// Formulas.

/// Calls `each` with the links in a formula, and with its other literals that may contain URLs.
pub(crate) fn formula(text: &Decoded, mut each: impl FnMut(FoundLink)) {
    let bytes = &text.bytes[..];
    let is_link =
        memchr::memmem::find_iter(bytes, b"(").any(|at| function(&bytes[..at + 1]) == Some(Role::Link));
    let rest_is = if is_link { Role::Link } else { Role::Resource };
    let mut field = FieldText { text, at: 0 };
    let mut literals = iter::from_fn(|| field.literal()).peekable();
    while let Some((Range { start, end }, string)) = literals.next() {
        let Some(role) = function(bytes[..start].trim_ascii_end()) else {
            if memchr(b':', &string.bytes).is_some() {
                each(FoundLink::text(string, rest_is));
            }
            continue;
        };
        let mut found = FoundLink::url(string, role);
        let is_next =
            |(next, _): &(Range<usize>, Decoded)| matches!(bytes[end..next.start].trim_ascii(), b"," | b";");
        if let Some((_, label)) = literals.next_if(is_next) {
            found.label = label.bytes;
        }
        each(found);
    }
}

/// Returns the role of the first argument of the function whose opening bracket ends `before`, if
/// the argument is a URL.
fn function(before: &[u8]) -> Option<Role> {
    let before = before.strip_suffix(b"(")?;
    let is_word = |before: &[u8]| before.last().is_some_and(u8::is_ascii_alphanumeric);
    let ends = |name: &[u8]| ends_with(before, name) && !is_word(&before[..before.len() - name.len()]);
    match () {
        () if ends(b"HYPERLINK") => Some(Role::Link),
        () if ends(b"IMAGE") => Some(Role::Image),
        () => None,
    }
}

impl FieldText<'_> {
    /// The next string literal of a formula, or several that are concatenated, and their range with their quotation
    /// marks.
    fn literal(&mut self) -> Option<(Range<usize>, Decoded)> {
        let bytes = &self.text.bytes[..];
        loop {
            let mark = self.at + memchr2(b'"', b'\'', bytes.get(self.at..)?)?;
            self.at = mark + 1;
            if bytes[mark] == b'\'' {
                self.at = memchr(b'\'', &bytes[self.at..]).map_or(bytes.len(), |len| self.at + len + 1);
                continue;
            }
            let mut string = Decoded::default();
            self.string(&mut string);
            while let Some(len) = concatenated(&bytes[self.at..]) {
                self.at += len;
                self.string(&mut string);
            }
            return Some((mark..self.at, string));
        }
    }

    /// Appends the literal here, after its first quotation mark.
    fn string(&mut self, string: &mut Decoded) {
        let bytes = &self.text.bytes[..];
        loop {
            let end = memchr(b'"', &bytes[self.at..]).map_or(bytes.len(), |len| self.at + len);
            let is_doubled = bytes.get(end + 1) == Some(&b'"');
            string.append_part(self.text, self.at..end + usize::from(is_doubled));
            self.at = (end + 1 + usize::from(is_doubled)).min(bytes.len());
            if !is_doubled {
                return;
            }
        }
    }
}

/// The length of `&` and the first quotation mark of the next literal.
fn concatenated(rest: &[u8]) -> Option<usize> {
    let after = rest.trim_ascii_start().strip_prefix(b"&")?.trim_ascii_start().strip_prefix(b"\"")?;
    Some(rest.len() - after.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decoded(text: &str) -> Decoded {
        let mut decoded = Decoded::default();
        decoded.copy(text.as_bytes(), 0..text.len());
        decoded
    }

    /// The URL, its role, and its label.
    fn said(found: FoundLink) -> String {
        let kind = if found.is_text { "text of " } else { "" };
        let [url, label] = [found.url.bytes, found.label].map(|bytes| String::from_utf8(bytes).unwrap());
        let label = if label.is_empty() { label } else { format!(" ({label})") };
        format!("{kind}{} {url}{label}", found.role)
    }

    #[track_caller]
    fn check_instruction(text: &str, expected: &str) {
        assert_eq!(instruction(&decoded(text)).map(said).unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn instructions() {
        check_instruction(" HYPERLINK \"http://h.org/a b\" ", "link http://h.org/a b");
        check_instruction("hyperlink http://h.org/ \\h", "link http://h.org/");
        check_instruction(
            "HYPERLINK \"http://h.org/\" \\l \"x\" \\o \"tip\" \\t \"_blank\"",
            "link http://h.org/#x",
        );
        check_instruction("HYPERLINK \\o \"tip\" \\l \"x\" \"http://h.org/\"", "link http://h.org/#x");
        check_instruction("HYPERLINK \\l \"_Toc1\"", "");
        // Switches with an argument and without one, before the URL (ISO/IEC 29500-1 §17.16.5.25 and .28).
        for switch in ["o", "t", "c", "O", "T", "C"] {
            check_instruction(&format!("HYPERLINK \\{switch} \"x\" \"http://h.org/\""), "link http://h.org/");
        }
        for switch in ["h", "m", "n", "d", "*"] {
            check_instruction(&format!("HYPERLINK \\{switch} \"http://h.org/\" \"x\""), "link http://h.org/");
        }
        check_instruction("HYPERLINK \"file:///\\\\\\\\h\\\\\\\"a\\\"\"", "link file:///\\\\h\\\"a\"");
        check_instruction("HYPERLINK \u{201c}http://h.org/\u{201d}", "link http://h.org/");
        // The field contains another one.
        check_instruction("HYPERLINK \"http://h.org/", "link http://h.org/");
        check_instruction(
            "INCLUDEPICTURE \"http://h.org/a.png\" \\* MERGEFORMAT \\d",
            "image http://h.org/a.png",
        );
        check_instruction(
            "ADDIN X {\"URL\":\"http://h.org/\"}",
            "text of resource ADDIN X {\"URL\":\"http://h.org/\"}",
        );
        for nothing in ["PAGE \\* MERGEFORMAT", "", " ", "HYPERLINK", "HYPERLINK \\l", "\\"] {
            check_instruction(nothing, "");
        }
    }

    fn formulas(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        formula(&decoded(text), |link| found.push(said(link)));
        found
    }

    #[test]
    fn literals_of_formulas() {
        assert_eq!(
            formulas("HYPERLINK(\"http://h.org/\",\"a \"\"b\"\"\")"),
            ["link http://h.org/ (a \"b\")"]
        );
        assert_eq!(formulas("of:=HYPERLINK( \"http://h.org/\" ; \"b\" )"), ["link http://h.org/ (b)"]);
        assert_eq!(formulas("hyperlink(\"http://h\" & \".org/\"&\"a\")"), ["link http://h.org/a"]);
        assert_eq!(formulas("_xlfn.IMAGE(\"http://h.org/a\",\"b\",1)"), ["image http://h.org/a (b)"]);
        assert_eq!(formulas("HYPERLINK(\"http://h.org/?\"&A1,\"b\")"), ["link http://h.org/?"]);
        assert_eq!(
            formulas("HYPERLINK(IF(A1,\"http://h.org/1\",\"http://h.org/2\"),\"b\")"),
            ["text of link http://h.org/1", "text of link http://h.org/2"]
        );
        assert_eq!(formulas("WEBSERVICE(\"http://h.org/\")"), ["text of resource http://h.org/"]);
        assert_eq!(formulas("'It\"s'!A1&HYPERLINK(\"x:1\")"), ["link x:1"]);
        assert_eq!(formulas("MYHYPERLINK(\"x:1\")"), ["text of resource x:1"]);
        assert_eq!(formulas("SUM(A1:B2)"), [""; 0]);
        assert_eq!(formulas("HYPERLINK(\"x:1"), ["link x:1"]);
    }

    #[test]
    fn a_doubled_mark_has_its_source() {
        let mut found = Vec::new();
        formula(&decoded("IMAGE(\"a\"\"b\")"), |link| found.push(link.url));
        assert_eq!(found[0].bytes, b"a\"b");
        assert_eq!(found[0].map.sources(0..3), [7..9, 10..11]);
    }

    proptest! {
        /// No text causes a panic, and matches are in the text.
        #[test]
        fn any_text(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "HYPERLINK", "IMAGE", "(", ")", "\"", "'", "&", ",", ";", " ", "\\", "\\l", "\u{201c}", "http://h.org/", "a", "\u{e4}",
                ]),
                0..24,
            ),
        ) {
            let text = decoded(&words.concat());
            let mut urls: Vec<Decoded> = instruction(&text).into_iter().map(|found| found.url).collect();
            formula(&text, |found| urls.push(found.url));
            for url in urls {
                for (at, byte) in url.bytes.iter().enumerate() {
                    match &url.map.sources(at..at + 1)[..] {
                        [] => prop_assert_eq!(*byte, b'#'),
                        [source] => prop_assert_eq!(&text.bytes[source.clone()], &[*byte]),
                        _ => prop_assert!(false, "one byte from two places"),
                    }
                }
            }
        }
    }

    /// Each name with a prefix that means nothing, unless it needs one.
    #[test]
    fn elements() {
        for (names, tag) in [
            ("w:t a:t t", OfficeTag::Text),
            ("text:p text:h", OfficeTag::Paragraph),
            ("text:a draw:a w:fldSimple v:hlink", OfficeTag::Anchor),
            ("text:s w:tab w:ptab", OfficeTag::Blank),
            ("dc:creator dc:date w:p w:tc x:si x:c x:row x:comment x:note x:annotation", OfficeTag::Separate),
            ("x:table-cell x:covered-table-cell x:table-row w:txbxContent", OfficeTag::Separate),
            ("w:br w:cr text:line-break", OfficeTag::LineBreak),
            ("w:noBreakHyphen", OfficeTag::Hyphen),
            ("w:fldChar", OfficeTag::FieldMark),
            ("w:instrText", OfficeTag::Instruction),
            ("w:delText w:delInstrText", OfficeTag::Deleted),
            ("x:f", OfficeTag::Formula),
            ("w:h w:a x:s w:creator w:date x:title x:desc w:r x:T w:tabs", OfficeTag::Inline),
        ] {
            for name in names.split(' ') {
                assert_eq!(OfficeTag::of(name.as_bytes()), tag, "{name}");
            }
        }
        for name in "svg:title svg:desc mc:Fallback w:binaryData office:binary-data x:rPh w:rt text:ruby-text text:note-citation".split(' ') {
            let local = name.split(':').next_back().unwrap();
            assert_eq!(format!("{:?}", OfficeTag::of(name.as_bytes())), format!("Hidden({local:?})"));
        }
    }

    #[test]
    fn attributes() {
        let url = |role| Some(AttributeValue::Url(role));
        for (element, attribute, value) in [
            ("Relationship", "Target", Some(AttributeValue::Target)),
            ("x", "Target", None),
            ("w:fldSimple", "w:instr", Some(AttributeValue::Instruction)),
            ("table:table-cell", "table:formula", Some(AttributeValue::Formula)),
            ("x", "Formula", Some(AttributeValue::Formula)),
            ("text:a", "xlink:href", url(Role::Link)),
            ("script:event-listener", "xlink:href", url(Role::Link)),
            ("draw:image", "xlink:href", url(Role::Image)),
            ("draw:fill-image", "xlink:href", url(Role::Image)),
            ("style:background-image", "xlink:href", url(Role::Image)),
            ("draw:area-circle", "xlink:href", url(Role::Link)),
            ("draw:plugin", "xlink:href", url(Role::Resource)),
            ("v:imagedata", "o:href", url(Role::Image)),
            ("v:fill", "o:href", url(Role::Image)),
            ("v:shape", "href", url(Role::Link)),
            ("Cell", "ss:HRef", url(Role::Link)),
            ("v:imagedata", "src", url(Role::Image)),
            ("v:fill", "src", url(Role::Image)),
            ("v:shape", "src", None),
            ("w:hlink", "w:dest", url(Role::Link)),
            ("x", "w:dest", None),
            ("text:bibliography-mark", "text:url", url(Role::Link)),
            ("x", "url", url(Role::Resource)),
            ("s", "v", Some(AttributeValue::Text(Role::Text))),
            ("c", "v", None),
            ("x", "title", None),
        ] {
            let found = AttributeValue::of(element.as_bytes(), attribute.as_bytes());
            assert_eq!(found, value, "{element} {attribute}");
        }
    }

    #[test]
    fn roles_of_relationships() {
        let base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
        for (name, role) in [
            ("hyperlink", Role::Link),
            ("image", Role::Image),
            ("attachedTemplate", Role::Resource),
            ("images", Role::Resource),
            ("", Role::Resource),
        ] {
            assert_eq!(role_of_relationship(format!("{base}{name}").as_bytes()), role, "{name}");
            assert_eq!(role_of_relationship(name.as_bytes()), role, "{name}");
        }
    }
}
