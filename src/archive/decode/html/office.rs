//! Parts of office documents: the text of their paragraphs and cells, and their links.
//!
//! The runs of a paragraph are one text, however often its format changes. Paragraphs, cells and
//! the like are separated by an empty line. Whitespace is text only in an element that has text;
//! other text, such as the title in the properties of a document, is separate from the text of
//! other elements.
//!
//! The instruction of a field is often in several runs. Its pieces are gathered up to the mark that
//! ends it; then its link is where its result begins. Text that was deleted while changes were
//! tracked is gathered as well, up to the end of its paragraph: it is searched, but not as part of
//! the text, which has others in its place.
//!
//! The names are in [`office`].

use std::ops::Range;

use memchr::memchr;

use super::attribute::{decoded, whole};
use super::links::{LinkKind, LinkSource};
use super::tag::{Attribute, Break, Tag, is_space};
use super::unseen::end_tag_of;
use super::{HtmlReader, Vocabulary};
use crate::archive::decode::office::{self, AttributeValue, FoundLink, OfficeTag};
pub(super) use crate::archive::decode::office::{has_url, is_read};
use crate::archive::role::Role;
use crate::archive::source_map::Decoded;

/// The open elements.
#[derive(Debug, Default)]
pub(super) struct OpenElements {
    /// The number of open elements in which whitespace is text.
    texts: usize,
    /// The number of open fields, and the one whose link's text is read.
    fields: usize,
    link: Option<usize>,
    /// The instruction of the innermost field, as far as it has been read.
    instruction: Decoded,
    /// The deleted text of a paragraph.
    deleted: Decoded,
    /// The elements that do not end in the rest of the source: their ends are not searched again.
    never_closed: Vec<&'static str>,
}

impl HtmlReader<'_> {
    /// Appends text.
    pub(super) fn office_text(&mut self, range: Range<usize>) {
        if self.office.texts > 0 {
            self.flow(range);
        } else if !self.source[range.clone()].iter().all(|&b| is_space(b)) {
            self.aside(range, Role::Text);
        }
    }

    /// Reads a tag; returns where to continue.
    pub(super) fn office_tag(&mut self, tag: &Tag, attributes: &[Attribute]) -> usize {
        let element = OfficeTag::of(&self.source[tag.name.clone()]);
        if tag.closing {
            match element {
                OfficeTag::Separate => self.end_paragraph(),
                OfficeTag::Paragraph => {
                    self.office.texts = self.office.texts.saturating_sub(1);
                    self.end_paragraph();
                }
                OfficeTag::Text => self.office.texts = self.office.texts.saturating_sub(1),
                OfficeTag::Anchor => self.close_anchor(),
                _ => {}
            }
            return tag.end;
        }
        let is_empty = self.source[..tag.end].ends_with(b"/>");
        let first = self.links.elements();
        if matches!(element, OfficeTag::Separate | OfficeTag::Paragraph) {
            self.end_paragraph();
        }
        if element == OfficeTag::Anchor {
            self.close_anchor();
        }
        self.add_office_links(tag, attributes);
        match element {
            OfficeTag::Blank => self.break_before(Break::Blank),
            OfficeTag::LineBreak => self.line_break(),
            OfficeTag::Hyphen => {
                // No line is broken at this hyphen. The pending break is written before text only.
                self.start_text(tag.name.clone());
                self.text.put(b"-", tag.name.clone());
            }
            OfficeTag::FieldMark => self.field_mark(attributes),
            _ if is_empty => {}
            OfficeTag::Text | OfficeTag::Paragraph => self.office.texts += 1,
            OfficeTag::Anchor => self.anchor = first..self.links.elements(),
            OfficeTag::Instruction | OfficeTag::Deleted | OfficeTag::Formula => {
                return self.gather(element, tag);
            }
            // An element whose text is not read is skipped, if it ends.
            OfficeTag::Hidden(key) if !self.office.never_closed.contains(&key) => {
                match end_tag_of(&self.source[tag.name.clone()], &self.source[tag.end..]) {
                    Some(len) => return tag.end + len,
                    None => self.office.never_closed.push(key),
                }
            }
            OfficeTag::Hidden(_) | OfficeTag::Inline | OfficeTag::Separate => {}
        }
        tag.end
    }

    fn end_paragraph(&mut self) {
        self.break_before(Break::EmptyLine);
        let deleted = std::mem::take(&mut self.office.deleted);
        if memchr(b':', &deleted.bytes).is_some() {
            self.links.begin(self.text.bytes.len());
            self.links.push(&deleted, LinkSource::of(b"w:delText", Role::Text, LinkKind::Text));
        }
    }

    /// Ends the open elements at the end of the source.
    pub(super) fn end_office(&mut self) {
        if self.reading.vocabulary == Vocabulary::Office {
            self.end_instruction();
            self.end_paragraph();
        }
    }

    /// Reads the text of an element that is not part of the text around it.
    fn gather(&mut self, element: OfficeTag, tag: &Tag) -> usize {
        let rest = &self.source[tag.end..];
        let range = tag.end..tag.end + memchr(b'<', rest).unwrap_or(rest.len());
        let text = decoded(self.source, range.clone());
        match element {
            OfficeTag::Instruction => self.office.instruction.append(text),
            OfficeTag::Deleted => self.office.deleted.append(text),
            _ => {
                let source = self.source;
                let element = &source[tag.name.clone()];
                let place = LinkSource::of(element, Role::Link, LinkKind::Reference);
                self.links.begin(self.text.bytes.len());
                office::formula(&text, |found| self.add_found(found, place));
            }
        }
        range.end
    }

    /// Reads what begins a field, separates its instruction from its result, or ends it.
    fn field_mark(&mut self, attributes: &[Attribute]) {
        let value = attributes.iter().find_map(|Attribute { name, value }| {
            let (_, local) = office::split(&self.source[name.clone()]);
            (local == b"fldCharType").then(|| &self.source[value.clone()])
        });
        match value {
            Some(b"begin") => {
                self.end_instruction();
                self.office.fields += 1;
            }
            Some(b"separate") => {
                let first = self.links.elements();
                if self.end_instruction() {
                    self.close_anchor();
                    self.anchor = first..self.links.elements();
                    self.office.link = Some(self.office.fields);
                }
            }
            Some(b"end") => {
                self.end_instruction();
                if self.office.link == Some(self.office.fields) {
                    self.office.link = None;
                    self.close_anchor();
                }
                self.office.fields = self.office.fields.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// Adds the link of the instruction that has been read; `false` if it has none.
    fn end_instruction(&mut self) -> bool {
        let text = std::mem::take(&mut self.office.instruction);
        let Some(found) = office::instruction(&text) else { return false };
        let is_link = found.role == Role::Link;
        self.links.begin(self.text.bytes.len());
        self.add_found(found, LinkSource::of(b"w:instrText", Role::Link, LinkKind::Url));
        is_link
    }

    /// Adds a link of the element that has begun, at `place`, without the link's own attributes.
    fn add_found(&mut self, found: FoundLink, place: LinkSource<'_>) {
        let kind = if found.is_text { LinkKind::Text } else { LinkKind::Reference };
        let url = &found.url.bytes;
        // A URL without a scheme or a host is relative. Two backslashes begin the path of a file in a network.
        let is_whole = (url.contains(&b':') || url.starts_with(b"//")) && !office::is_internal(url);
        if found.is_text || is_whole {
            self.links.push(&found.url, LinkSource { role: found.role, kind, ..place });
            let last = self.links.elements().saturating_sub(1)..self.links.elements();
            self.links.set_label(last, found.label);
        }
    }

    /// Adds the links in the attributes of a tag.
    fn add_office_links(&mut self, tag: &Tag, attributes: &[Attribute]) {
        if attributes.is_empty() {
            return;
        }
        let source = self.source;
        let element = &source[tag.name.clone()];
        self.links.begin(self.text.bytes.len());
        // A relationship has one target.
        let value = |wanted: &[u8]| {
            let mut all = attributes.iter().filter(|attribute| &source[attribute.name.clone()] == wanted);
            all.next().map(|attribute| &source[attribute.value.clone()])
        };
        let mut role = (value(b"TargetMode") == Some(b"External"))
            .then(|| office::role_of_relationship(value(b"Type").unwrap_or_default()));
        for Attribute { name, value } in attributes {
            let attribute = &source[name.clone()];
            let place = LinkSource { element, attribute, role: Role::Link, kind: LinkKind::Reference };
            let url = |role| FoundLink::url(whole(source, value.clone()), role);
            let text = |role| FoundLink::text(decoded(source, value.clone()), role);
            let found = match AttributeValue::of(element, attribute) {
                Some(AttributeValue::Target) => role.take().map(url),
                Some(AttributeValue::Url(role)) => Some(url(role)),
                Some(AttributeValue::Text(role)) => Some(text(role)),
                Some(AttributeValue::Instruction) => office::instruction(&decoded(source, value.clone())),
                Some(AttributeValue::Formula) => {
                    office::formula(&decoded(source, value.clone()), |found| self.add_found(found, place));
                    None
                }
                None => {
                    let is_searched = self.reading.wanted.resources;
                    let has_url = is_searched && office::has_url(attribute, &source[value.clone()]);
                    has_url.then(|| text(Role::Resource))
                }
            };
            found.into_iter().for_each(|found| self.add_found(found, place));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Html, Wanted, read_as};
    use super::*;

    const OFFSETS: Wanted = Wanted { relative: false, resources: false, offsets: true };

    fn utf8(bytes: &[u8]) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    /// The text of a part, and each of its links: its role, the element, the value, and its text.
    fn read(source: &str) -> (String, Vec<String>) {
        let Html { text, links, .. } = read_as(Vocabulary::Office, source.as_bytes(), OFFSETS);
        let link = |link: super::super::Link<'_>| {
            let content = &text.bytes[link.content()];
            let said = if content.is_empty() { link.label() } else { content };
            let (url, said) = (utf8(link.as_bytes()), utf8(said));
            format!("{} {} {url} [{}]", link.role(), link.element().unwrap_or_default(), said.trim())
        };
        (utf8(&text.bytes), links.iter().map(link).collect())
    }

    #[track_caller]
    fn check(source: &str, text: &str, links: &[&str]) {
        let (found, found_links) = read(source);
        assert_eq!(found, text, "{source}");
        assert_eq!(found_links, links, "{source}");
    }

    #[test]
    fn runs_of_a_paragraph_are_one_text() {
        check(
            "<?xml version=\"1.0\"?>\n<w:p>\n  <w:r><w:t xml:space=\"preserve\">See </w:t></w:r>\n  <w:proofErr/><w:r>\
             <w:rPr><w:b/></w:rPr><w:t>http://h.</w:t></w:r>\n<w:ins><w:r><w:t>org/&amp;a</w:t></w:r></w:ins></w:p>\
             <w:p><w:r><w:t>b</w:t><w:tab/><w:t>c</w:t><w:br/><w:t>d</w:t><w:noBreakHyphen/><w:t>e</w:t></w:r></w:p>",
            "See http://h.org/&a\n\nb c\nd-e",
            &[],
        );
        check("<a:p><a:r><a:t>a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r></a:p><a:p/>", "a\nb", &[]);
        check(
            "<text:p>a<text:span> b</text:span> <text:span>c</text:span><text:s text:c=\"2\"/>d<text:line-break/>e\
             <text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>f</text:p></text:note-body>\
             </text:note> g</text:p>\n<text:h>h</text:h>",
            "a b c d\ne\n\nf\n\ng\n\nh",
            &[],
        );
    }

    #[test]
    fn cells_are_apart() {
        check(
            "<sst><si><r><t>a</t></r><r><t> b</t></r><rPh><t>x</t></rPh></si>\n<si><t>c</t></si></sst>",
            "a b\n\nc",
            &[],
        );
        check("<row><c r=\"A1\"><v>1</v></c><c><is><t>b</t></is></c></row>", "1\n\nb", &[]);
        check("<Properties><Company>a</Company><vt:lpstr>b</vt:lpstr></Properties>", "a\n\nb", &[]);
    }

    #[test]
    fn fields() {
        check(
            "<w:p><w:r><w:t>a </w:t></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> HYPERLINK \
             \"http://h.</w:instrText></w:r><w:r><w:instrText>org/?a&amp;b\" \\l \"c\" </w:instrText></w:r><w:r>\
             <w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>here</w:t></w:r><w:r>\
             <w:fldChar w:fldCharType=\"end\"/></w:r><w:r><w:t> d</w:t></w:r></w:p>",
            "a here d",
            &["link w:instrtext http://h.org/?a&b#c [here]"],
        );
        check(
            "<w:fldSimple w:instr=\" HYPERLINK &quot;http://h.org/&quot; \"><w:r><w:t>a</w:t></w:r></w:fldSimple>",
            "a",
            &["link w:fldsimple@w:instr http://h.org/ [a]"],
        );
        let mark = |kind| format!("<w:fldChar w:fldCharType=\"{kind}\"/>");
        let field = |code: &str, result: &str| {
            let [begin, separate, end] = ["begin", "separate", "end"].map(mark);
            format!("{begin}<w:instrText>{code}</w:instrText>{separate}{result}{end}")
        };
        let inner = field("PAGEREF _Toc1 \\h", "<w:t>7</w:t>");
        let outer = field("HYPERLINK \"x:1\"", &format!("<w:t>a</w:t>{inner}<w:t>b</w:t>"));
        check(&outer, "a7b", &["link w:instrtext x:1 [a7b]"]);
        check("<w:instrText>HYPERLINK \"x:1\"", "", &["link w:instrtext x:1 []"]);
    }

    #[test]
    fn formulas() {
        check(
            "<c t=\"str\"><f>HYPERLINK(\"http://h.org/?a&amp;b\",\"c\")</f><v>c</v></c><c><f>A1</f></c>",
            "c",
            &["link f http://h.org/?a&b [c]"],
        );
        check(
            "<table:table-cell table:formula=\"of:=HYPERLINK(&quot;http://h.org/&quot;;&quot;a&quot;)\"><text:p>a</text:p>",
            "a",
            &["link table:table-cell@table:formula http://h.org/ [a]"],
        );
    }

    #[test]
    fn relationships() {
        let one = |kind: &str, rest: &str| {
            format!("<Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/a/{kind}\" {rest}/>")
        };
        let (inner, outer) =
            ("Target=\"media/a.png\"", "Target=\"http://h.org/?a&amp;b\" TargetMode=\"External\"");
        let all = [
            one("image", inner),
            one("hyperlink", outer),
            one("image", outer),
            one("attachedTemplate", outer),
            one("hyperlink", "Target=\"http://h.org/\""),
            one("hyperlink", "Target=\"a.docx\" TargetMode=\"External\""),
            // Only the first of two targets counts.
            one("image", &format!("{outer} Target=\"http://h.org/2\"")),
        ];
        check(
            &all.concat(),
            "",
            &["link", "image", "resource", "image"]
                .map(|role| format!("{role} relationship@target http://h.org/?a&b []"))
                .each_ref()
                .map(String::as_str),
        );
    }

    #[test]
    fn links_of_open_document() {
        check(
            "<text:p>a <text:a xlink:href=\"http://h.org/\" office:name=\"x:1\">b</text:a> c \
             <text:a xlink:href=\"#d\">e</text:a></text:p>\
             <draw:image xlink:href=\"Pictures/a.png\"/><draw:image xlink:href=\"http://h.org/a.png\"/>\
             <draw:object xlink:href=\"./Object 1\"/><meta:template xlink:href=\"file:///a.ott\"/>\
             <script:event-listener xlink:href=\"vnd.sun.star.script:a\"/>\
             <presentation:event-listener xlink:href=\"http://h.org/b\"/>",
            "a b c e",
            &[
                "link text:a@xlink:href http://h.org/ [b]",
                "image draw:image@xlink:href http://h.org/a.png []",
                "resource meta:template@xlink:href file:///a.ott []",
                "link presentation:event-listener@xlink:href http://h.org/b []",
            ],
        );
    }

    #[test]
    fn what_is_not_shown() {
        check(
            "<w:document xmlns:w=\"http://schemas.openxmlformats.org/a\" mc:Ignorable=\"a:b\"><!-- x:1 --><w:p>\
             <mc:AlternateContent><mc:Choice><w:t>a</w:t></mc:Choice><mc:Fallback><w:t>a</w:t></mc:Fallback>\
             </mc:AlternateContent></w:p><pkg:binaryData>AAAA</pkg:binaryData></w:document>",
            "a",
            &[],
        );
        check("<text:p>x:a<draw:frame><svg:title>b</svg:title></draw:frame> c</text:p>", "x:a c", &[]);
        // The element is not closed.
        check("<mc:Fallback><w:t>a</w:t><mc:Fallback><w:t>b</w:t>", "ab", &[]);
        check(
            "<w:p><w:del><w:delText>http://h.</w:delText><w:delText>org/ b</w:delText></w:del><w:t>c</w:t></w:p><w:p>",
            "c",
            &["text w:deltext http://h.org/ b []"],
        );
    }

    #[test]
    fn every_byte_has_its_source() {
        let source = "<w:t>a&amp;</w:t><w:noBreakHyphen/><w:t>b</w:t>";
        let text = read_as(Vocabulary::Office, source.as_bytes(), OFFSETS).text;
        assert_eq!(text.bytes, b"a&-b");
        let sources: Vec<&str> = (0..4).map(|at| &source[text.map.sources(at..at + 1)[0].clone()]).collect();
        assert_eq!(sources, ["a", "&amp;", "w:noBreakHyphen", "b"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// No order of open elements causes a panic, and links are in order.
        #[test]
        fn any_part(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "<w:p>", "</w:p>", "<w:t>", "</w:t>", "<w:t/>", "<w:tab/>", "<w:noBreakHyphen/>", "<w:instrText>", "<f>", "</f>",
                    "HYPERLINK", "(", "\"", "http://h.org/", " ", "\n", "a", "&amp;", "<", ">", "\\l",
                    "<w:fldChar w:fldCharType=\"begin\"/>", "<w:fldChar w:fldCharType='separate'/>",
                    "<w:fldChar w:fldCharType='end'/>", "<text:a xlink:href='x:1'>", "</text:a>", "<text:p>", "</text:p>",
                    "<w:delText>", "x:2", "<rPh>", "</rPh>", "<Relationship Target='x:3' TargetMode='External'/>", "<!--", "-->",
                ]),
                0..40,
            )
        ) {
            let source = pieces.concat();
            let Html { text, links, .. } = read_as(Vocabulary::Office, source.as_bytes(), OFFSETS);
            let mut at = 0;
            for link in links.iter() {
                prop_assert!(at <= link.at() && link.content().end <= text.bytes.len());
                at = link.at();
                let Decoded { bytes, map } = link.decoded();
                prop_assert!(map.sources(0..bytes.len()).iter().all(|range| range.end <= source.len()));
            }
        }

        #[test]
        fn any_bytes(source in prop::collection::vec(any::<u8>(), 0..200)) {
            read_as(Vocabulary::Office, &source, Wanted::ALL);
        }
    }
}
