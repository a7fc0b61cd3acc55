//! Office documents and books: archives of XML, of which each part is read as what it is.

use urlgrep::Finder;
use urlgrep::archive::{Archive, Format, Reader};

use crate::make::zip;

const OOXML: &str = "http://schemas.openxmlformats.org";

/// An archive with these members.
fn document(members: &[(&str, String)]) -> Vec<u8> {
    let members: Vec<_> =
        members.iter().map(|(name, text)| ((*name).to_owned(), text.clone().into())).collect();
    zip(&members)
}

/// What is found in a document: the member, what it is, the element, the URL, and its text; and the errors.
fn found(file: &[u8]) -> Vec<String> {
    let finder = Finder::new();
    let found = finder.find_in_archive(Archive::new(file).unwrap());
    let row = |m: urlgrep::Match<'static>| {
        let member = String::from_utf8_lossy(m.context().unwrap().member().unwrap_or_default()).into_owned();
        let element = m.context().unwrap().element().unwrap_or("-");
        let text = m.context().unwrap().link_text().unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        format!("{member} {} {element} {} [{text}]", m.role(), m)
    };
    found.map(|m| m.map_or_else(|error| error.to_string(), row)).collect()
}

/// The relationships of a part, each a type, a target and more attributes.
fn relationships(rows: &[(&str, &str, &str)]) -> String {
    let row = |(kind, target, more): &(&str, &str, &str)| {
        format!(
            "<Relationship Id=\"r\" Type=\"{OOXML}/officeDocument/2006/relationships/{kind}\" Target=\"{target}\"{more}/>"
        )
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<Relationships xmlns=\"{OOXML}/package/2006/relationships\">{rows}</Relationships>"
    )
}

/// The parts that every document of OOXML has.
fn types() -> (&'static str, String) {
    let types = format!("{OOXML}/package/2006/content-types");
    (
        "[Content_Types].xml",
        format!("<?xml version=\"1.0\"?><Types xmlns=\"{types}\"><Default Extension=\"xml\"/></Types>"),
    )
}

/// The licence in an embedded font is not a text of the document.
#[test]
fn embedded_fonts() {
    let font = "\u{1}x http://h.org/licence \0".to_owned();
    let text = "<a xmlns=\"http://schemas.openxmlformats.org/\"><b>http://h.org/text</b></a>".to_owned();
    let fonts = ["word/fonts/font1.odttf", "word/fonts/F2.ODTTF", "ppt/fonts/font1.fntdata"];
    for name in fonts {
        let file = document(&[types(), (name, font.clone()), ("word/document.xml", text.clone())]);
        assert_eq!(found(&file), ["word/document.xml text - http://h.org/text []"], "{name}");
        // In another archive it is a file like any other.
        let file = document(&[(name, font.clone())]);
        assert_eq!(found(&file), [format!("{name} text - http://h.org/licence []")]);
    }
}

#[test]
fn a_text_document() {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\r\n<w:document xmlns:w=\"{OOXML}/wordprocessingml/2006/main\" \
         xmlns:r=\"{OOXML}/officeDocument/2006/relationships\"><w:body><w:p w:rsidR=\"00\"><w:r><w:t>at http://h.</w:t></w:r>\
         <w:proofErr w:type=\"spellStart\"/><w:r><w:rPr><w:b/></w:rPr><w:t>org/runs?a&amp;b</w:t></w:r></w:p>\
         <w:p><w:hyperlink r:id=\"r\"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>\
         <w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> HYPERLINK \"http://h.org/</w:instrText></w:r>\
         <w:r><w:instrText>field\" \\l \"x\" </w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>\
         <w:r><w:t>here</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p></w:body></w:document>"
    );
    let external = " TargetMode=\"External\"";
    let file = document(&[
        types(),
        ("word/document.xml", body),
        (
            "word/_rels/document.xml.rels",
            relationships(&[
                ("hyperlink", "http://h.org/there", external),
                ("image", "http://h.org/a.png", external),
                ("image", "media/image1.png", ""),
                ("attachedTemplate", "http://h.org/a.dotx", external),
            ]),
        ),
        // It is skipped, and that is no error.
        ("word/media/image1.png", "\u{89}PNG".to_owned()),
        (
            "docProps/core.xml",
            format!(
                "<cp:coreProperties xmlns:cp=\"{OOXML}/package/2006/metadata/core-properties\" \
                 xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>http://h.org/title</dc:title>\
                 <dc:creator>x</dc:creator></cp:coreProperties>"
            ),
        ),
    ]);
    assert_eq!(
        found(&file),
        [
            "word/document.xml text - http://h.org/runs?a&b []",
            "word/document.xml link w:instrtext http://h.org/field#x [here]",
            "word/_rels/document.xml.rels link relationship@target http://h.org/there []",
            "word/_rels/document.xml.rels image relationship@target http://h.org/a.png []",
            "word/_rels/document.xml.rels resource relationship@target http://h.org/a.dotx []",
            "docProps/core.xml text - http://h.org/title []",
        ]
    );
}

/// A field in the result of another one, as a table of contents has it: the text of the link ends with its own field.
#[test]
fn a_field_in_a_link() {
    let mark = |kind| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let (begin, separate, end) = (mark("begin"), mark("separate"), mark("end"));
    let run = |text| format!("<w:r><w:t>{text}</w:t></w:r>");
    let is = |text| format!("<w:r><w:instrText>{text}</w:instrText></w:r>");
    let (link, inner) = (is("HYPERLINK \"http://h.org/a\""), is("PAGEREF b"));
    let body = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"{OOXML}/wordprocessingml/2006/main\"><w:body><w:p>{begin}{link}{separate}{}\
         {begin}{inner}{separate}{}{end}{end}{}</w:p></w:body></w:document>",
        run("page "),
        run("7"),
        run(" and more")
    );
    let file = document(&[types(), ("word/document.xml", body)]);
    assert_eq!(found(&file), ["word/document.xml link w:instrtext http://h.org/a [page 7]"]);
}

/// The parts of a document that is encrypted are bytes of no format; its manifest says what they are.
#[test]
fn encrypted_documents_are_named() {
    let manifest = |entry: &str| {
        let head =
            "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">";
        document(&[(
            "META-INF/manifest.xml",
            format!("{head}<manifest:file-entry>{entry}</manifest:file-entry>"),
        )])
    };
    let said = |file: &[u8]| {
        let mut archive = Archive::new(file).unwrap();
        while let Some(message) = archive.next_message().unwrap() {
            assert!(message.texts().count() > 0);
        }
        archive.undecoded().map(ToString::to_string)
    };
    let said_of = said(&manifest("<manifest:encryption-data/>")).unwrap();
    assert_eq!(
        said_of,
        "the body at byte 0 declares that the document is encrypted; its text was not searched"
    );
    assert_eq!(said(&manifest("")), None);
}

#[test]
fn only_members_that_may_hold_text_are_errors() {
    let picture = || ("a.gif", "GIF87a?\u{1}".to_owned());
    let program = || ("a.class", "\u{7f}ELF\u{1}\u{1}\u{1}\0".to_owned());
    let text = || ("b.txt", "http://h.org/".to_owned());
    let searched = "b.txt text - http://h.org/ []";
    assert_eq!(found(&document(&[picture(), text(), program()])), [searched]);
    assert_eq!(found(&document(&[types(), picture()])), [""; 0]);
    // Alone, they are what the caller asked for.
    assert_eq!(found(picture().1.as_bytes()), ["unsupported format: a GIF image"]);
    let file = zip(&[
        ("a.7z".to_owned(), b"7z\xbc\xaf\x27\x1c\0\x04".to_vec()),
        ("b.txt".to_owned(), text().1.into()),
    ]);
    assert_eq!(found(&file), ["unsupported format: a 7z archive (7z x -so FILE | urlgrep)", searched]);
}

#[test]
fn a_skipped_member_is_not_a_note() {
    let file = document(&[("b.txt", "http://h.org/".to_owned()), ("a.gif", "GIF87a?\u{1}".to_owned())]);
    let mut archive = Archive::new(&file[..]).unwrap();
    while archive.next_message().unwrap().is_some() {}
    assert_eq!(archive.take_notes().count(), 0);
}

#[test]
fn a_sheet() {
    let main = format!("xmlns=\"{OOXML}/spreadsheetml/2006/main\"");
    let file = document(&[
        types(),
        (
            "xl/worksheets/sheet1.xml",
            format!(
                "<worksheet {main}><sheetData><row><c r=\"A1\" t=\"str\"><f>HYPERLINK(\"http://h.org/formula\",\"label\")</f>\
                 <v>label</v></c><c r=\"B1\" t=\"inlineStr\"><is><t>http://h.org/b</t></is></c><c><v>1</v></c></row></sheetData>\
                 </worksheet>"
            ),
        ),
        (
            "xl/sharedStrings.xml",
            format!("<sst {main}><si><r><t>http://h.</t></r><r><t>org/c</t></r></si><si><t>d</t></si></sst>"),
        ),
    ]);
    assert_eq!(
        found(&file),
        [
            "xl/worksheets/sheet1.xml link f http://h.org/formula [label]",
            "xl/worksheets/sheet1.xml text - http://h.org/b []",
            "xl/sharedStrings.xml text - http://h.org/c []",
        ]
    );
}

#[test]
fn a_slide() {
    let main = "http://purl.oclc.org/ooxml";
    let slide = format!(
        "<?xml version=\"1.0\"?>\n<p:sld xmlns:p=\"{main}/presentationml/main\" xmlns:a=\"{main}/drawingml/main\"><a:p><a:r>\
         <a:t>http://h.</a:t></a:r><a:r><a:rPr b=\"1\"/><a:t>org/a</a:t></a:r><a:br/><a:r><a:t>b</a:t></a:r></a:p></p:sld>"
    );
    assert_eq!(
        found(&document(&[("ppt/slides/slide1.xml", slide)])),
        ["ppt/slides/slide1.xml text - http://h.org/a []"]
    );
}

#[test]
fn open_document_in_one_file() {
    let names = ["office", "text", "table"]
        .map(|name| format!("xmlns:{name}=\"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0\""));
    let file = format!(
        "<?xml version=\"1.0\"?>\n<office:document {} xmlns:xlink=\"http://www.w3.org/1999/xlink\"><office:body>\n\
         <text:p>http://h.<text:span>org/a</text:span><text:note><text:note-citation>1</text:note-citation><text:note-body>\
         <text:p>http://h.org/note</text:p></text:note-body></text:note> b</text:p>\n\
         <text:p><text:a xlink:href=\"http://h.org/c\">here</text:a></text:p>\n\
         <table:table-cell table:formula=\"of:=HYPERLINK(&quot;http://h.org/d&quot;;&quot;e&quot;)\"><text:p>e</text:p>\
         </table:table-cell><office:binary-data>aHR0cDovL2gub3Jn</office:binary-data></office:body></office:document>",
        names.join(" ")
    );
    assert_eq!(Reader::new(file.as_bytes()).format(), Format::Office);
    assert_eq!(
        found(file.as_bytes()),
        [
            " text - http://h.org/a []",
            " text - http://h.org/note []",
            " link text:a@xlink:href http://h.org/c [here]",
            " link table:table-cell@table:formula http://h.org/d [e]",
        ]
    );
}

/// A text outside of the paragraphs is a text of its own, also after a paragraph.
#[test]
fn texts_between_paragraphs() {
    let file = "<?xml version=\"1.0\"?>\n<office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" \
         xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><x>http://h.org/a</x><x>b</x>\
         <text:p>http://h.org/<x>c</x>d</text:p><x>http://h.org/e</x><x>f</x></office:body></office:document>";
    let urls = ["http://h.org/a", "http://h.org/cd", "http://h.org/e"];
    assert_eq!(found(file.as_bytes()), urls.map(|url| format!(" text - {url} []")));
}

#[test]
fn a_book() {
    let file = document(&[
        ("mimetype", "application/epub+zip".to_owned()),
        (
            "OEBPS/a.xhtml",
            "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>http://h.<b>org/a</b> \
             <a href=\"http://h.org/b\">c</a></p></body></html>"
                .to_owned(),
        ),
    ]);
    assert_eq!(
        found(&file),
        [
            "OEBPS/a.xhtml resource html@xmlns http://www.w3.org/1999/xhtml []",
            "OEBPS/a.xhtml text - http://h.org/a []",
            "OEBPS/a.xhtml link a@href http://h.org/b [c]",
        ]
    );
}

/// A sheet that is cut into pieces is read like the whole.
#[test]
fn long_parts() {
    const CELLS: usize = 6000;
    let main = format!("xmlns=\"{OOXML}/spreadsheetml/2006/main\"");
    let filler = "word ".repeat(600);
    let cells: String =
        (0..CELLS).map(|n| format!("<si><t>{filler}</t><t>http://h.</t><t>org/{n}</t></si>")).collect();
    let file = format!("<sst {main}>{cells}</sst>");
    assert!(file.len() > urlgrep::archive::MAX_MESSAGE_LEN);
    let expected: Vec<_> = (0..CELLS).map(|n| format!(" text - http://h.org/{n} []")).collect();
    assert_eq!(found(file.as_bytes()), expected);
}
