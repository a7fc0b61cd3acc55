//! What each decoder reads: the tokens of its format, and the document around a text of them.

pub mod formats;
pub mod worst;

use std::io::Cursor;

#[path = "../../tests/it/make/mod.rs"]
pub mod make;

use urlgrep::archive::{Archive, Format, ReadOptions};
use urlgrep::{Finder, FinderBuilder, Hyphen, Iri, Join, Schemeless};

use make::pst::{Method, Pst, Value, Version};

/// A text, as runs of bytes, each once or again and again.
pub type Runs = Vec<(Times, Vec<u8>)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    Once,
    Many,
}

/// A text of about `size` bytes; the runs that are repeated are equally long.
pub fn text(runs: &[(Times, impl AsRef<[u8]>)], size: usize) -> Vec<u8> {
    let many = runs.iter().filter(|(times, _)| *times == Times::Many).count().max(1);
    let run = |(times, bytes): &(Times, _)| {
        let bytes: &[u8] = AsRef::as_ref(bytes);
        bytes.repeat(if *times == Times::Once { 1 } else { (size / many / bytes.len().max(1)).max(1) })
    };
    runs.iter().flat_map(run).collect()
}

/// How a document is searched; returns what the compiler cannot leave out.
pub type Search = Box<dyn Fn(&[u8]) -> usize>;

/// What the slowest text is looked for in: a setting of the search, or a decoder.
pub struct Row {
    pub name: &'static str,
    pub tokens: &'static [&'static [u8]],
    pub document: fn(&[u8]) -> Vec<u8>,
    pub search: Search,
}

/// The settings and the decoders.
pub fn rows() -> Vec<Row> {
    let setting = |(name, search)| Row {
        name,
        tokens: TOKENS,
        document: <[u8]>::to_vec as fn(&[u8]) -> Vec<u8>,
        search,
    };
    let decoder = |&Decoder { name, tokens, document }: &Decoder| Row {
        name,
        tokens,
        document,
        search: archive(None, Join::Delimited),
    };
    settings().into_iter().map(setting).chain(DECODERS.iter().map(decoder)).collect()
}

fn settings() -> Vec<(&'static str, Search)> {
    let text = |builder: FinderBuilder| -> Search {
        let finder = builder.build().expect("the options are valid");
        Box::new(move |text| finder.find_iter(text).count())
    };
    let all = Finder::builder()
        .schemeless([Schemeless::Hosts, Schemeless::Emails])
        .refang(true)
        .iri(Iri::All)
        .hyphen(Hyphen::Both);
    vec![
        ("default", text(Finder::builder())),
        ("likely", text(Finder::builder().join(Join::Likely))),
        ("refang", text(Finder::builder().refang(true))),
        ("refang, likely", text(Finder::builder().refang(true).join(Join::Likely))),
        ("all", text(all.explain(true).line_numbers(true))),
        ("mail", archive(Some(Format::Mbox), Join::Delimited)),
        ("mail, likely", archive(Some(Format::Mbox), Join::Likely)),
        ("html", archive(Some(Format::Html), Join::Delimited)),
        ("json, forced", archive(Some(Format::Json), Join::Delimited)),
        ("json, likely", archive(Some(Format::Json), Join::Likely)),
    ]
}

/// The search of an archive, with all that is known of each match. What is damaged is searched as far as it can be.
fn archive(format: Option<Format>, join: Join) -> Search {
    let finder = Finder::builder().join(join).build().expect("the options are valid");
    Box::new(move |file| {
        let options = ReadOptions { format, ..ReadOptions::default() };
        let archive = Archive::seekable(Cursor::new(file)).map(|archive| archive.with_options(&options));
        archive.map_or(0, |archive| finder.find_in_archive(archive).count())
    })
}

/// The tokens of a text without a format.
#[rustfmt::skip]
const TOKENS: &[&[u8]] = &[
    b"http:", b"http://", b"https://h.org/", b"ftp://", b"mailto:", b"news:", b"cid:", b"tel:", b"doi:10.", b"magnet:?", b"sip:", b"x://",
    b"hxxp://", b"hxxp[:]//", b"URL:", b"<URL:", b"<", b">", b"\"", b"'", b"`", b"(", b")", b"[", b"]", b"[.]", b"[:]", b"(dot)", b"{", b"}", b"[@]",
    b"/", b"\\/", b"\\u0026", b"\\", b"//", b"&amp;", b"&lt;", b"&", b"=", b"=\n", b"?", b"#", b"%", b"%2", b".", b"..", b",", b";", b":", b"|", b"-",
    b"--", b"-\n", b"_", b"~", b"*", b"!", b"+", b"@", b"a", b"a.b", b"h.org", b"www.", b".com", b"/a", b"1", b" ", b"\t", b"\n", b"\r\n", b"\n\n",
    b"\n> ", b"> ", b"\n * ", b"///", b"\xC3\xA9", b"\xE6\x96\xB0", b"\xE3\x81\xAE", b"\xE2\x80\x8B", b"\xE3\x80\x80", b"\xE3\x80\x82", b"\x1B[m", b"{\"a\":\"", b"\",\"", b"\"}\n", b"From a@h.org Fri Mar  2 10:11:12 2001\n",
    b"Subject: ", b"Content-Type: text/html\n\n", b"Content-Type: multipart/mixed; boundary=b\n\n", b"--b\n", b"<a href=\"", b"\">", b"</a>",
    b"<!--", b"-->", b"<style>", b"</style>", b"=?utf-8?q?", b"?=", b"=3D",
];

/// A decoder.
pub struct Decoder {
    pub name: &'static str,
    /// The words of its grammar.
    pub tokens: &'static [&'static [u8]],
    /// Makes a document of a text.
    pub document: fn(&[u8]) -> Vec<u8>,
}

const fn decoder(
    name: &'static str,
    tokens: &'static [&'static [u8]],
    document: fn(&[u8]) -> Vec<u8>,
) -> Decoder {
    Decoder { name, tokens, document }
}

/// The decoders, one a row.
#[rustfmt::skip]
pub const DECODERS: &[Decoder] = &[
    // Pages.
    decoder("css", &[
        b"a", b"p", b".c", b"#i", b"td.c", b".a.b", b":hover", b"[x=y]", b"*", b">", b"+", b",", b" ", b"\n", b"{", b"}", b"{}", b";", b":", b"!important", b"display:none", b"display:block",
        b"visibility:hidden", b"opacity:0", b"color:red", b"/*", b"*/", b"@media ", b"@media print{", b"@import ", b"@font-face", b"url(", b"url(http://h.org/a)", b")", b"(", b"\"", b"'", b"\\", b"\\26 ",
        b"<!--", b"-->", b"</style>", b"<style>", b"</style><p class=a style='", b"<p class=c id=i>", b"http://h.org/a", b"1", b"=",
    ], |text| [b"<html><style>", text, b"}</style><p class=a id=b>x<a class=c href=http://h.org/a>y</a></html>"].concat()),
    decoder("html tags", &[
        b"<a href=\"", b"<a href='/b'>", b"<a href=http://h.org/a>", b"\">", b"'>", b">", b"</a>", b"<", b"</", b"/>", b"<a ", b"<p>", b"</p>", b"<p", b"<div>", b"</div>", b"<b>", b"</b>", b"<img src=", b"<img alt=", b"<base href=/a>",
        b"<title>", b"</title>", b"<textarea>", b"</textarea>", b"<pre>", b"<br>", b"<table>", b"<td>", b"</td>", b"<svg>", b"</svg>", b"<math>", b"<![CDATA[", b"]]>", b"<!--", b"-->", b"--!>", b"<!", b"<?", b"<script>", b"</script>",
        b"<style>", b"</style>", b"<xmp>", b"<noscript>", b"<template>", b"<select>", b"<option>", b"<iframe srcdoc='", b"<object data=", b"<form action=", b"<span>", b"</span>", b"<blockquote>", b"</blockquote>", b"<body>", b"</body>", b"<html>", b"</html>",
        b"<head>", b"<!--[if mso]>", b"<![endif]-->", b"<o:p>", b"<plaintext>", b"\"", b"'", b"=", b" ", b"\n", b"/", b"a", b"&amp;", b"http://h.org/a", b"\0",
    ], |text| [b"<html>", text].concat()),
    decoder("html attributes", &[
        b"href=", b"src=", b"srcset=\"", b"srcset=a 1x,", b"style=\"", b"style='display:none'", b"class=a", b"class=\"a b c\"", b"id=i", b"hidden", b"content=\"0;url=", b"http-equiv=refresh", b"ping=\"a b\"", b"rel=nofollow", b"archive=", b"usemap=#m",
        b"xmlns:a=", b"alt=\"", b"title='", b"data-x=", b"on=\"", b"onclick=\"location='", b"\"", b"'", b"=", b" ", b"\n", b"/", b">", b"><a ", b"&amp;", b"&#x26;", b"&#38", b"&lt", b"&notit;", b"&", b";", b"#", b",", b"1x", b"a", b"http://h.org/a", b"//h.org", b"javascript:", b"%20", b"\\", b"\t", b"\0", b"url(",
    ], |text| [b"<html><a ", text, b">x</a></html>"].concat()),
    decoder("html references", &[
        b"&amp;", b"&", b"&#", b"&#x", b"&#58;", b"&colon;", b"&sol;", b"&NotEqualTilde;", b"&CounterClockwiseContourIntegral;", b"&not", b";", b"#", b"x", b"1", b"a", b"http", b":", b"/", b"&lt;", b"<", b">", b"http://h.org/", b" ", b"\n", b"&nbsp;", b"&shy;", b"\xC3\xA9", b"\xE9", b"&#999999999;", b"&#0;",
    ], |text| [b"<html><p>", text].concat()),
    decoder("xml", &[
        b"<a>", b"</a>", b"<a/>", b"<a b=\"", b"\">", b"'", b"\"", b"=", b"<![CDATA[", b"]]>", b"]]", b"]", b"<!--", b"-->", b"--", b"<?x ", b"?>", b"<!DOCTYPE a [", b"<!ENTITY a \"", b"<!ELEMENT ", b"]>", b"[", b"&amp;", b"&a;", b"&#x26;", b"&", b"<", b">", b"/", b" ", b"\n", b"a", b"http://h.org/a", b"xmlns:a=\"http://h.org/\"", b"<link>", b"</link>", b"<rss>", b"<item>", b"<xml:base=",
    ], |text| [b"<?xml version=\"1.0\"?><rss>", text].concat()),
    decoder("office xml", &[
        b"<w:p>", b"</w:p>", b"<w:r>", b"</w:r>", b"<w:t>", b"</w:t>", b"<w:t xml:space=\"preserve\">", b"<w:hyperlink r:id=\"rId1\">", b"</w:hyperlink>", b"<w:instrText>", b"</w:instrText>", b"<w:fldSimple w:instr=\"HYPERLINK &quot;http://h.org/&quot;\">", b"</w:fldSimple>",
        b"<w:fldChar w:fldCharType=\"begin\"/>", b"<w:fldChar w:fldCharType=\"separate\"/>", b"<w:fldChar w:fldCharType=\"end\"/>", b"HYPERLINK \"http://h.org/\"", b"HYPERLINK ", b"\"", b"<f>", b"</f>", b"HYPERLINK(", b"(", b")", b",", b"\"\"", b"<c>", b"</c>", b"<a:t>", b"</a:t>", b"<text:p>", b"<text:a xlink:href=\"", b"\">", b"<text:s/>", b"<text:s text:c=\"9\"/>",
        b"&amp;", b"&quot;", b"&#x26;", b"<", b">", b"/>", b" ", b"\n", b"a", b"http://h.org/a", b"<Relationship Target=\"http://h.org/\" TargetMode=\"External\"/>", b"<!--", b"-->", b"<![CDATA[", b"]]>",
    ], |text| {
        let document = [b"<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>", text].concat();
        make::zip(&[("[Content_Types].xml".into(), b"<Types/>".to_vec()), ("word/document.xml".into(), document)])
    }),
    decoder("json", &[
        b"{", b"}", b"[", b"]", b":", b",", b"\"", b"\"a\"", b"\"a\":", b"\"\"", b"\\", b"\\\"", b"\\\\", b"\\/", b"\\u0026", b"\\ud83d", b"\\u", b"\\n", b"null", b"1", b"-", b"1e9", b"true", b" ", b"\n", b"//", b"/*", b"a", b"http:", b"http:\\/\\/h.org\\/a", b"http://h.org/a", b"{\"a\":\"", b"\"}", b"\"}\n", b"'", b"\x01", b"\xC3\xA9", b"\xFF", b"<a href=\\\"", b"\">", b"</a>",
    ], |text| [b"{\"a\":\"b\",", text].concat()),
    decoder("wat", &[
        b"{", b"}", b"[", b"]", b":", b",", b"\"", b"\"path\":\"A@/href\"", b"\"url\":\"/b\"", b"\"url\":\"http://h.org/\"", b"\"href\":\"/c\"", b"\"text\":\"x\"", b"\"rel\":\"a b\"", b"\"alt\":", b"\"Base\":\"http://h.org/\"", b"\"Links\":[", b"{\"path\":", b"\"A@/href\",", b"\"a\"", b"\\u0026", b"\\", b" ", b"\n", b"1", b"null",
    ], |text| {
        let block = [b"{\"Envelope\":{\"HTML-Metadata\":{\"Links\":[", text].concat();
        warc("WARC-Type: metadata\nContent-Type: application/json", &block)
    }),
    // Documents.
    decoder("pdf", &[
        b"/URI", b"/URI(", b"/URI(http://h.org/a)", b"/URI<", b"/URI 1 0 R", b"/URI%", b"(", b")", b"<", b">", b"<<", b">>", b"%", b"\n", b"\r", b" ", b"\0", b"\\", b"\\(", b"\\053", b"#55", b"/", b"[", b"]", b"1", b"0", b"1 0 obj", b"obj", b"endobj", b"stream", b"stream\n", b"endstream", b"1 0 R", b"/Filter", b"/FlateDecode",
        b"/ObjStm", b"/Type/ObjStm", b"/Encrypt", b"/EmbeddedFile", b"/DecodeParms", b"/Predictor", b"/Length 1", b"xref", b"trailer", b"startxref", b"%%EOF", b"/F", b"/UF(", b"/Names", b"/A<</S/URI/URI(", b"null", b"a", b"\xFE\xFF",
    ], |text| [b"%PDF-1.7\n", text].concat()),
    decoder("pdf stream", &[
        b"/URI", b"/URI(", b"/URI(http://h.org/a)", b"/URI<", b"/URI 1 0 R", b"/URI%", b"(", b")", b"<", b">", b"<<", b">>", b"%", b"\n", b"\r", b" ", b"\0", b"\\", b"\\(", b"\\053", b"#55", b"/", b"[", b"]", b"1", b"0", b"1 0 obj", b"obj", b"a", b"\xFE\xFF", b"4", b"8", b"f", b"/S/URI",
    ], |text| [b"%PDF-1.7\n1 0 obj\n<</Type/ObjStm/N 1/First 4>>\nstream\n", text, b"\nendstream\nendobj\n%%EOF\n"].concat()),
    decoder("rtf", &[
        b"{", b"}", b"\\", b"{\\*", b"\\*", b"{\\field", b"{\\*\\fldinst HYPERLINK \"", b"{\\*\\fldinst ", b"HYPERLINK ", b"\"", b"{\\fldrslt ", b"\\'e9", b"\\'", b"\\u1234", b"\\u-1 ?", b"\\uc1", b"\\uc999999999", b"\\par", b"\\par\n", b"\\tab", b"\\cell", b"\\bin9 ", b"\\bin", b"\\fonttbl", b"\\ansicpg932", b"\\f0", b"\\htmltag", b"\\pict", b"\\~", b"\\_", b"\\-", b"\\\n",
        b" ", b"\n", b";", b"a", b"-1", b"99", b"http://h.org/a", b"\x81", b"\xE9", b"\\upr", b"\\ud", b"\\v", b"\\v0", b"\\deleted",
    ], |text| mail("Content-Type: text/rtf", &[b"{\\rtf1\\ansi ", text, b"}"].concat())),
    decoder("tnef", &[
        b"\x01", b"\x01\x0C\x80\x02\0", b"\x01\x0C\x80\x02\0\0\0\0\0\0\0", b"\x02\x0F\x80\x06\0", b"\x02\x0F\x80\x06\0\x04\0\0\0text\0\0", b"\x02\x0F\x80\x06\0\x0E\0\0\0http://h.org/a\0\0", b"\x01\x03\x90\x06\0", b"\x01\x03\x90\x06\0\x04\0\0\0\xFF\0\0\0\0\0", b"\x01\x03\x90\x06\0\xFF\xFF\0\0\xFF\xFF\0\0", b"\x1F\0\0\x10", b"\x1E\0\0\x10\x01\0\0\0\0\0\0\0",
        b"\x02\x01\x09\x10\x01\0\0\0", b"\x02\x01\x13\x10\x01\0\0\0", b"\x03\0\x07\x0E", b"\x02\x10\x13\x10\xFF\0\0\0", b"\x03\0\x01\x80", b"\x0D\0", b"\0", b"\0\0", b"\0\0\0\0", b"\x01\0\0\0", b"\x04\0\0\0", b"\x10\0\0\0", b"\xFF\xFF\xFF\xFF", b"\xFF", b"text", b"http://h.org/a", b"<a href=/b>", b"LZFu", b"MELA", b"\x78\x9F\x3E\x22",
    ], |text| [b"\x78\x9F\x3E\x22\x01\x02", text].concat()),
    decoder("rtf of tnef", &[
        b"\0", b"\xFF", b"\x01", b"\x80", b"{", b"}", b"\\par", b"\\'e9", b"a", b"\x00\x01", b"\x12\x3F", b"\x0F\xF0", b"http://h.org/a", b"\\field", b"\\fldinst HYPERLINK ", b" ", b"\"",
    ], |text| {
        let rtf = [&[0; 4][..], &(4 * text.len() as u32).to_le_bytes(), b"LZFu", &[0; 4], text].concat();
        let padded = [&(rtf.len() as u32).to_le_bytes()[..], &rtf, &[0; 3]].concat();
        let properties = [&[1, 0, 0, 0, 2, 1, 9, 0x10, 1, 0, 0, 0][..], &padded].concat();
        [b"\x78\x9F\x3E\x22\x01\x02\x01\x03\x90\x06\0", &(properties.len() as u32).to_le_bytes()[..], &properties, &[0; 2]].concat()
    }),
    decoder("msg texts", &[
        b"a", b":", b" ", b"\n", b"\r\n", b"<", b">", b"\"", b".", b")", b"a:b ", b"http://h.org/a", b"http://h.org/", b"x:", b"\xE9", b"<a href=a:b>", b"&amp;", b"=", b"--", b"--=_1", b"\n--=_1\n", b"Subject: ", b"\n\n", b"\0",
    ], |text| {
        let part = |n: usize| &text[n * text.len() / 3..(n + 1) * text.len() / 3];
        make::compound(&[
            ("/__properties_version1.0", &[0; 32]),
            ("/__substg1.0_007D001E", part(0)),
            ("/__substg1.0_1000001E", part(1)),
            ("/__substg1.0_10130102", part(2)),
            ("/__substg1.0_10090102", &[&[0xFF, 0, 0, 0, 0xFF, 0, 0, 0], &b"MELA\0\0\0\0{\\rtf1 {\\field{\\*\\fldinst HYPERLINK \"http://h.org/b\"}{\\fldrslt x}}}"[..]].concat()),
        ])
    }),
    decoder("msg rtf", &[
        b"{", b"}", b"\\", b"{\\field", b"{\\*\\fldinst HYPERLINK \"", b"a:b", b"\"", b"{\\fldrslt ", b"}}", b"\\'e9", b"\\u1234", b"\\par", b" ", b"\n", b"http://h.org/a", b"a", b"\\{",
    ], |text| {
        let rtf = [&[0, 0, 0, 0][..], &(text.len() as u32).to_le_bytes(), b"MELA\0\0\0\0{\\rtf1 ", text].concat();
        make::compound(&[("/__properties_version1.0", &[0; 32]), ("/__substg1.0_1000001E", b"http://h.org/a"), ("/__substg1.0_10090102", &rtf)])
    }),
    decoder("msg properties", &[
        b"\0", b"\0\0\0\0", b"\x40\0\x39\0", b"\x40\0\x06\x0E", b"\x03\0\xDE\x3F", b"\x03\0\xFD\x3F", b"\x06\0\0\0", b"\xFF\xFF\xFF\xFF", b"\x01", b"\xE4\x04\0\0",
    ], |text| make::compound(&[("/__properties_version1.0", text), ("/__substg1.0_1000001E", b"http://h.org/a")])),
    decoder("pst texts", &[
        b"a", b":", b" ", b"\n", b"\r\n", b"<", b">", b"\"", b".", b"a:b ", b"http://h.org/a", b"x:", b"<a href=a:b>", b"&amp;", b"=", b"--", b"\n--=_1\n", b"Subject: ", b"\n\n",
    ], |text| {
        let (head, body) = text.split_at(text.len() / 2);
        let text = String::from_utf8_lossy(body);
        mailbox(&[(0x007D, Value::String8(head)), (0x1000, Value::Text(&text)), (0x1035, Value::Text("<1@h.org>"))])
    }),
    decoder("pst names", &[
        b"a", b"/", b"..", b".", b" ", b":", b"\n", b"\0", b"\xFF", b"http://h.org/a", b"\xE9\0",
    ], |text| {
        let mut pst = Pst::new(Version::Unicode, Method::None);
        for (n, name) in text.chunks(64).enumerate() {
            let id = 0x8022 + 32 * n as u32;
            let folder = pst.properties(&[(0x3001, Value::String8(name))], &[]);
            pst.node(id, folder, id - 32);
        }
        let message = pst.properties(&[(0x1000, Value::Text("http://h.org/a"))], &[]);
        pst.node(0x0020_0024, message, 0x8022 + 32 * (text.len() / 64) as u32);
        pst.file()
    }),
    decoder("pst properties", &[
        b"\0", b"\0\0\0\0", b"\0\x10\x1F\0", b"\0\x10\x1E\0", b"\x13\x10\x02\x01", b"\x09\x10\x02\x01", b"\x37\0\x1F\0", b"\x3F\x80\x01\0", b"\x20\0\0\0", b"\x40\0\0\0", b"\x60\0\0\0", b"\x20\0\x01\0", b"\xFF\xFF", b"\xEC\xBC", b"\xB5\x02\x06\0", b"a", b"http://h.org/a",
    ], |text| {
        // A heap whose one item after its head are the entries of properties, and behind it its map.
        let mut pst = Pst::new(Version::Unicode, Method::None);
        let mut blocks = Vec::new();
        for (n, entries) in text.chunks(8000).enumerate() {
            let head: &[u8] = if n == 0 { &[0, 0, 0xEC, 0xBC, 0x20, 0, 0, 0, 0, 0, 0, 0, 0xB5, 2, 6, 0, 0x40, 0, 0, 0] } else { &[0, 0] };
            let (map, first) = (head.len() + entries.len(), if n == 0 { 12 } else { 2 });
            let offsets = [first, if n == 0 { 20 } else { map as u16 }, map as u16];
            let map = [2, 0, 0, 0].into_iter().chain(offsets.into_iter().flat_map(u16::to_le_bytes));
            let mut block = [head, entries].concat();
            let at = (block.len() as u16).to_le_bytes();
            block[..2].copy_from_slice(&at);
            block.extend(map);
            blocks.push(pst.block(&block, false));
        }
        let data = if let [block] = blocks[..] { block } else { pst.numbers(1, text.len(), &blocks) };
        let inbox = pst.properties(&[(0x3001, Value::Text("Inbox"))], &[]);
        pst.node(0x8022, inbox, 0x122);
        pst.node(0x0020_0024, (data, 0), 0x8022);
        pst.file()
    }),
    // Mail.
    decoder("head", &[
        b"Subject: ", b"From: ", b"To: a@h.org", b"Date: ", b"Fri, 2 Mar 2001 10:11:12 +0100", b"List-Unsubscribe: <http://h.org/a>", b"Received: from a", b"Content-Type: ", b"Content-Type: text/html", b"text/plain; ", b"charset=", b"boundary=b", b"name*0*=utf-8''a", b"name*1=", b"filename=\"", b"Content-Transfer-Encoding: base64", b"Content-Location: http://h.org/",
        b"Content-Disposition: attachment; ", b"Message-ID: <1@h.org>", b"References: ", b"X: ", b"X-A:", b":", b";", b"=", b"\"", b"\\", b"(", b")", b"<", b">", b",", b"@", b" ", b"\n ", b"\n\t", b"\n", b"\r\n", b"\n\n", b"\r", b"http://h.org/a", b"=?utf-8?q?", b"?=", b"a", b"%41", b"1", b"'", b"\x1B", b"\xE9", b"~",
    ], |text| [b"From: a@h.org\nMessage-ID: <1@h.org>\nMIME-Version: 1.0\n", text].concat()),
    decoder("date", &[
        b"Fri", b", ", b" ", b"2", b"Mar", b"2001", b"10:11:12", b"+0100", b"GMT", b"(", b")", b"\\", b":", b"-", b"/", b"T", b"Z", b"a", b"\n ", b"99999999999", b"\nDate: ",
    ], |text| [b"From: a@h.org\nMessage-ID: <1@h.org>\nDate: ", text, b"\n\nhttp://h.org/a\n"].concat()),
    decoder("boundaries", &[
        b"--b", b"--b\n", b"--b--", b"--b--\n", b"--c\n", b"--c--\n", b"--", b"-", b"\n", b"\r\n", b" ", b"\n\n", b"Content-Type: multipart/mixed; boundary=c", b"Content-Type: multipart/mixed; boundary=b\n\n", b"Content-Type: multipart/digest; boundary=c\n\n", b"Content-Type: message/rfc822\n\n", b"Content-Type: message/partial\n\n", b"Content-Type: text/html\n\n", b"Content-Type: text/html\nContent-Location: /a\n\n",
        b"Content-Type: multipart/alternative; boundary=\"", b"Content-Type: multipart/related; boundary=c\n\n", b"\"", b"Content-Transfer-Encoding: base64\n\n", b"Content-Transfer-Encoding: quoted-printable\n", b"Content-ID: <a>\n", b"Content-Disposition: attachment; filename=a.zip\n", b"PK\x03\x04", b"%PDF-1.4\n", b"<a href=cid:a>", b"<a href=http://h.org/a>x</a>", b"From: a@h.org\nSubject: b\n\n", b"From a@h.org Fri Mar  2 10:11:12 2001\n", b"a", b"=", b"http://h.org/a",
    ], |text| mail("Content-Type: multipart/mixed; boundary=b", &[b"--b\n", text].concat())),
    decoder("encoded words", &[
        b"=?utf-8?q?", b"=?utf-8?b?", b"=?iso-2022-jp?b?", b"=?iso-8859-1?q?", b"=?utf-16?b?", b"=?x?q?", b"=?utf-8*en?q?", b"=?", b"?", b"?=", b"?= =?", b"?=\n =?utf-8?q?", b"=41", b"=3A", b"_", b"=", b"aHR0cDovL2gub3JnLw", b"==", b"http://h.org/a", b"http", b":", b"a", b" ", b"\n ", b"\n", b"\nSubject: ", b"\nX: ", b"GyRC", b"\xE9",
    ], |text| [b"From: a@h.org\nMessage-ID: <1@h.org>\nSubject: ", text, b"\n\nhttp://h.org/a\n"].concat()),
    decoder("quoted-printable", &[
        b"=", b"=\n", b"=\r\n", b"= \n", b"=3D", b"=3", b"=0A", b"=E9", b"=C3=A9", b"=3Ca", b"<a href=3D\"", b"\">", b" ", b"\t", b"\n", b"\r\n", b"a", b"http", b":", b"//", b"http://h.org/a", b"h=\nttp://h.org/", b"\xE9", b"\0", b"<", b">", b"==",
    ], |text| mail("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable", text)),
    decoder("base64", &[
        b"aHR0", b"cDov", b"L2gu", b"b3Jn", b"L2Eg", b"Cg==", b"=", b"==", b"=\n", b"A", b"a", b"/", b"-", b"\n", b"\r\n", b" ", b"-----BEGIN", b"http://h.org/a", b"!", b"PGEg", b"\n\n", b"\xE9", b"----", b"PCFET0NUWVBF", b"UEsDBA==",
    ], |text| mail("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64", text)),
    decoder("files in text", &[
        b"begin 644 a\n", b"begin 644 ", b"begin-base64 644 a\n", b"begin", b"end\n", b"`\n", b"====\n", b"=ybegin line=128 size=1 name=x\n", b"=ypart begin=1 end=2\n", b"=yend size=1\n", b"=y", b"(This file must be converted with BinHex 4.0)\n", b"(This file must be converted with BinHex", b":", b":\n", b"M", b"#86)C\n", b"M0V]N=&5N=\"U4>7!E.B!T97AT+VAT;6P*\"CQA(&AR968]:'1T<#HO+V@N;W)G\n", b"aHR0cDovL2gub3JnLw==\n", b"a", b" ", b"\n", b"\r\n", b"=", b"}", b"http://h.org/a", b"-----BEGIN PGP MESSAGE-----\n", b"-----END PGP MESSAGE-----\n", b"-- \n",
    ], |text| mail("Content-Type: text/plain", text)),
    decoder("flowed", &[
        b" ", b" \n", b"\n", b"\r\n", b">", b"> ", b">>", b"> \n", b"-- \n", b"a", b"a \n", b"http://h.org/a", b"http://h.org/a \n", b"<", b"<URL:", b"/", b"-", b"\xE3\x81\x82", b"\n ",
    ], |text| mail("Content-Type: text/plain; format=flowed; delsp=yes", text)),
    decoder("signed data", &[
        b"\x04\x01a", b"\x04\x0Ehttp://h.org/a", b"\x24\x80", b"\x24\x04", b"\x30\x80", b"\xA0\x80", b"\0\0", b"\x04\x00", b"\x04\x82\xFF\xFF", b"\x04\x84\0\0\0\x01", b"\x24\x84\xFF\xFF\xFF\xFF", b"\x04", b"\x80", b"a", b"\n", b"\xFF",
    ], |text| {
        let head = b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x80\x24\x80";
        mail("Content-Type: application/pkcs7-mime; smime-type=signed-data", &[head, text].concat())
    }),
    decoder("mailboxes", &[
        b"From a@h.org Fri Mar  2 10:11:12 2001\n", b"From ", b"From a", b">From ", b"\n", b"\n\n", b"\r\n", b"Subject: a\n", b"From: a@h.org\n", b"Content-Length: 10\n", b"Content-Length: 99999999\n", b"Content-Type: multipart/mixed; boundary=b\n\n", b"--b\n", b"a", b" ", b"http://h.org/a", b"Fri Mar  2 10:11:12 2001", b"2001", b":", b"-",
    ], |text| [b"From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a@h.org\n\n", text].concat()),
    decoder("mmdf", &[
        b"\x01\x01\x01\x01\n", b"\x01\x01\x01\x01", b"\x01", b"\n", b"\n\n", b"From: a@h.org\n", b"From a@h.org Fri Mar  2 10:11:12 2001\n", b"Subject: a\n", b"a", b"http://h.org/a",
    ], |text| [b"\x01\x01\x01\x01\nFrom: a@h.org\n\n", text].concat()),
    decoder("babyl", &[
        b"\n\x1F", b"\x1F\x0C\n", b"\x1F", b"\x0C", b"1,,\n", b"\n*** EOOH ***\n", b"*** EOOH ***", b"\n", b"\n\n", b"Subject: a\n", b"a", b"http://h.org/a",
    ], |text| [b"BABYL OPTIONS: -*- rmail -*-\n\x1F\x0C\n1,,\nTo: a\n\n*** EOOH ***\n", text].concat()),
    decoder("mbx", &[
        b" 2-Mar-2001 10:11:12 +0100,14;000000000001-00000001\r\n", b" 2-Mar-2001 10:11:12 +0100,99999;000000000001-00000001\r\n", b" 2-Mar-2001 10:11:12 +0100,", b";", b"14", b"\r\n", b"\r\n\r\n", b"Subject: a\r\n", b"a", b"http://h.org/a", b"\0", b"-",
    ], |text| [b"*mbx*\r\n", &[b' '; 2041][..], text].concat()),
    decoder("rnews", &[
        b"#! rnews 14\n", b"#! rnews 99999\n", b"#! rnews ", b"#!", b"\n", b"\n\n", b"Subject: a\n", b"Path: a\n", b"a", b"1", b"http://h.org/a",
    ], |text| [b"#! rnews 9\nPath: a\n\n", text].concat()),
    decoder("listserv", &[
        b"=========================================================================\n", b"Date: ", b"Date: Fri, 2 Mar 2001 10:11:12 +0100\n", b"=", b"\n", b"\n\n", b"Subject: a\n", b"a", b"http://h.org/a",
    ], |text| [&[b'='; 73][..], b"\nDate: Fri, 2 Mar 2001 10:11:12 +0100\n\n", text].concat()),
    decoder("git", &[
        b"257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 9\n", b"257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 99999\n", b"257cc5642cb1a054f08cc83f2d943e56fd3ebe99", b" blob ", b"1", b"\n", b"\n\n", b"From: a@h.org\nSubject: a\n", b"a", b"http://h.org/a",
    ], |text| [b"257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 9\nTo: a\n\na\n\n", text].concat()),
    decoder("emlx", &[
        b"<?xml", b"<!DOCTYPE plist", b"<?xml version=\"1.0\"?>\n<!DOCTYPE plist", b"<plist>", b"\n", b"\n\n", b"1", b"a", b"Subject: a\n", b"http://h.org/a", b" ",
    ], |text| [b"99       \nFrom: a@h.org\nMessage-ID: <1@h.org>\n\n", text].concat()),
    // Text with a structure.
    decoder("vcard", &[
        b"BEGIN:VCARD\n", b"END:VCARD\n", b"URL:", b"URL;TYPE=a:", b"NOTE:", b"NOTE;ENCODING=QUOTED-PRINTABLE:", b"PHOTO;ENCODING=b:", b"PHOTO;BASE64:", b"ENCODING=", b"QUOTED-PRINTABLE", b"CHARSET=utf-8", b";", b":", b",", b"\"", b"=", b"=\n", b"=3A", b"\\n", b"\\,", b"\\\\", b"\\", b"\n", b"\r\n", b"\n ", b"\n\t", b" ", b"a", b"aHR0cDovL2gub3Jn", b"http://h.org/a", b"item1.", b"PK",
    ], |text| [b"BEGIN:VCARD\nVERSION:2.1\n", text].concat()),
    decoder("icalendar", &[
        b"BEGIN:VEVENT\n", b"END:VEVENT\n", b"BEGIN:VALARM\n", b"DESCRIPTION:", b"X-ALT-DESC;FMTTYPE=text/html:", b"ATTACH;ENCODING=BASE64;VALUE=BINARY:", b"ATTACH:", b"URL:", b"SUMMARY;ALTREP=\"http://h.org/a\":", b";", b":", b",", b"\"", b"=", b"\\n", b"\\;", b"\\", b"\n", b"\r\n", b"\n ", b"\n\t", b" ", b"a", b"aHR0cDovL2gub3Jn", b"http://h.org/a", b"<a href=",
    ], |text| [b"BEGIN:VCALENDAR\nVERSION:2.0\n", text].concat()),
    decoder("ldif", &[
        b"dn: ", b"dn:: ", b"a: ", b"a:: ", b"a:< ", b"a:", b":", b"::", b"\n", b"\n ", b"\r\n", b"\n\n", b"#", b"-\n", b"changetype: add\n", b"aHR0cDovL2gub3Jn", b"=", b" ", b"http://h.org/a", b"x", b";lang-en",
    ], |text| [b"dn: o=x\nobjectclass: top\n", text].concat()),
    decoder("mork", &[
        b"<", b">", b"(", b")", b"[", b"]", b"{", b"}", b"^", b"=", b"$3A", b"$", b"\\", b"\\\n", b"\\)", b"//", b"\n", b"\r\n", b" ", b"a", b"80", b"@$${1{@", b"@$$}1}@", b"http://h.org/a", b"$00",
    ], |text| [b"// <!-- <mdb:mork:z v=\"1.4\"/> -->\n", text].concat()),
    // Web archives.
    decoder("warc", &[
        b"WARC/1.0\n", b"WARC/1.0\r\n", b"WARC-Type: response\n", b"WARC-Type: metadata\n", b"WARC-Type: resource\n", b"WARC-Type: warcinfo\n", b"WARC-Type: revisit\n", b"WARC-Target-URI: http://h.org/\n", b"WARC-Date: 2001-03-02T10:11:12Z\n", b"Content-Type: application/http; msgtype=response\n", b"Content-Type: text/html\n", b"Content-Length: 0\n", b"Content-Length: 10\n", b"Content-Length: 99999\n", b"Content-Length: ",
        b"\n", b"\n\n", b"\r\n", b"\r\n\r\n", b"\n\n\n", b"HTTP/1.1 200 OK\r\n", b"Location: /a\n", b"Link: </a>; rel=next\n", b"<html><a href=/b>", b"a", b":", b"1", b" ", b"http://h.org/a",
    ], |text| [b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n\r\n\r\n", text].concat()),
    decoder("http", &[
        b"Content-Type: text/html\r\n", b"Content-Encoding: gzip\r\n", b"Content-Encoding: br\r\n", b"Content-Encoding: deflate, gzip\r\n", b"Transfer-Encoding: chunked\r\n", b"Location: /a\r\n", b"Link: </a>; rel=next\r\n", b"</a>,", b"<", b">", b";", b",", b"\"", b"\\", b"Content-Length: 9\r\n", b"\r\n", b"\n", b"\r\n\r\n", b"0\r\n", b"1\r\na\r\n", b"1\r\n", b"FFFFFF\r\n", b"9;a=b\r\n", b"a", b" ", b"<a href=/b>", b"http://h.org/a", b"\x1F\x8B\x08",
    ], |text| warc("WARC-Type: response\nWARC-Target-URI: http://h.org/\nContent-Type: application/http; msgtype=response", &[b"HTTP/1.1 200 OK\r\n", text].concat())),
    decoder("chunks", &[
        b"0\r\n\r\n", b"1\r\na\r\n", b"1\r\n<\r\n", b"1\r\n", b"2\r\nht\r\n", b"E\r\nhttp://h.org/a\r\n", b"FFFFFF\r\n", b"9;a=b\r\n", b"00000001\r\na\r\n", b";", b"\n", b"\r\n", b"a", b"g", b" ", b"http://h.org/a", b"D\r\n<a href=\"/b\">\r\n",
    ], |text| warc("WARC-Type: response\nWARC-Target-URI: http://h.org/\nContent-Type: application/http; msgtype=response", &[b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n", text].concat())),
    decoder("arc", &[
        b"http://h.org/ 192.0.2.1 20010302101112 text/html 0\n", b"http://h.org/ 192.0.2.1 20010302101112 text/html 20\n", b"http://h.org/ 192.0.2.1 20010302101112 text/html 99999\n", b"http://h.org/ ", b"192.0.2.1 ", b"20010302101112 ", b"text/html ", b"1", b"\n", b"\n\n", b"HTTP/1.1 200 OK\n", b"a", b" ", b"<a href=/b>", b":",
    ], |text| [b"filedesc://a.arc 0.0.0.0 20010302101112 text/plain 0\n\nhttp://h.org/ 192.0.2.1 20010302101112 text/html 0\n\n", text].concat()),
    // Archives.
    decoder("pax records", &[
        b"8 path=a\n", b"30 path=aaaaaaaaaaaaaaaaaaaaaa\n", b"20 GNU.sparse.offset=", b"24 GNU.sparse.offset=0\n", b"26 GNU.sparse.numbytes=0\n", b"21 GNU.sparse.map=0,1\n", b"GNU.sparse.map=", b"0,", b"9 size=1\n", b"6 a=b\n", b" ", b"=", b"\n", b"1", b"\0",
    ], |text| [make::member("PaxHeaders/x", b'x', text, make::POSIX), make::member("a", b'0', b"http://h.org/a", make::POSIX), make::END.to_vec()].concat()),
    decoder("tar members", &[
        b"a", b"b", b"x", b"L", b"g", b"K", b"5", b"0", b"S", b"V", b"\0", b"D",
    ], |text| {
        // A member for each 512 bytes: its kind is a byte of the text, and its name others.
        let member = |name: &[u8]| {
            let name: String = name.iter().map(|&b| char::from(b.max(b' '))).take(64).collect();
            make::header(&name, name.as_bytes()[0], 0, make::GNU)
        };
        let members = text.chunks(512).map(member);
        [make::member("first", b'0', b"http://h.org/a", make::GNU)].into_iter().chain(members).chain([make::END.to_vec()]).collect::<Vec<_>>().concat()
    }),
    decoder("zip records", &[
        b"PK\x03\x04", b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a", b"PK\x03\x04\x14\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a", b"PK\x03\x04\x14\0\x08\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a", b"PK\x03\x04\x14\0\x01\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a", b"PK\x03\x04\x14\0\0\0\x0C\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a",
        b"PK\x07\x08", b"PK\x01\x02", b"PK\x05\x06", b"PK\x05\x05", b"PK\x06\x06", b"PK\x06\x07", b"PK00", b"PK", b"\x03\0", b"\0", b"\0\0\0\0", b"\xFF\xFF", b"a", b"/", b"BZh9", b"\n", b"http://h.org/a",
    ], |text| [make::zip_member("a", 0, b"http://h.org/a", b"http://h.org/a"), text.to_vec()].concat()),
    decoder("members of gzip", &[
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", b"\x1F\x8B\x08", b"\x1F\x8B\x08\x08\0\0\0\0\0\x03", b"\x1F\x8B\x08\x1C\0\0\0\0\0\x03\x01\0", b"\x03\0", b"\0\0\0\0\0\0\0\0", b"\0", b"\x01\0\0\xFF\xFF", b"\0\0\0\xFF\xFF", b"a",
    ], |text| [&make::encode::gzip(b"http://h.org/a\n")[..], text].concat()),
    decoder("frames", &[
        b"\x28\xB5\x2F\xFD\x20\0\x01\0\0", b"\x28\xB5\x2F\xFD", b"\x50\x2A\x4D\x18\0\0\0\0", b"\x50\x2A\x4D\x18", b"\x01\0\0", b"\0\0\0", b"\0", b"\x02\0\0", b"\x20", b"a", b"\xFF",
    ], |text| [&make::encode::zstd(b"http://h.org/a\n")[..], text].concat()),
    // Charsets.
    decoder("iso-2022", &[
        b"\x1B$B", b"\x1B(B", b"\x1B(J", b"\x1B$@", b"\x1B$(D", b"\x1B$A", b"\x1B$)C", b"\x1B.F", b"\x1BN", b"\x0E", b"\x0F", b"\x1B", b"$\"", b"!!", b"a", b" ", b"\n", b"http://h.org/a", b"\xE9", b"\x1B$B!!\x1B(B", b"~", b"\x7F",
    ], |text| mail("Content-Type: text/plain; charset=iso-2022-jp", text)),
    decoder("hz and utf-7", &[
        b"~{", b"~}", b"~~", b"~\n", b"~", b"<:Ky", b"a", b" ", b"\n", b"http://h.org/a", b"+", b"-", b"+-", b"+AOk-", b"+AGgAdAB0AHA", b"/", b"\xE9",
    ], |text| {
        let (hz, utf7) = text.split_at(text.len() / 2);
        let part = |charset: &str, text: &[u8]| [format!("--b\nContent-Type: text/plain; charset={charset}\n\n").as_bytes(), text, b"\n"].concat();
        mail("Content-Type: multipart/mixed; boundary=b", &[part("hz-gb-2312", hz), part("utf-7", utf7)].concat())
    }),
    decoder("two bytes", &[
        b"\x81", b"\x82\xA0", b"\x83\x5C", b"\xFF", b"\x80", b"\x81\x30\x81\x30", b"|", b"\\", b"a", b" ", b"\n", b"http://h.org/a", b"http://h.org/\x83\x5C", b":", b"/", b"<", b">", b"\xE3\x81\x82",
    ], |text| {
        let part = |n: usize, charset: &str| [format!("--b\nContent-Type: text/plain; charset={charset}\n\n").as_bytes(), &text[n * text.len() / 3..(n + 1) * text.len() / 3], b"\n"].concat();
        mail("Content-Type: multipart/mixed; boundary=b", &[part(0, "shift_jis"), part(1, "gb18030"), part(2, "big5")].concat())
    }),
    decoder("utf-16", &[
        b"a\0", b"h\0t\0t\0p\0:\0/\0/\0h\0.\0i\0/\0", b" \0", b"\n\0", b"\r\0", b"\0\xD8", b"\0\xDC", b"\0\xD8\0\xDC", b"\x42\x30", b"\xE9\0", b"\0\0", b"\xFF\xFE", b"\xFE\xFF", b"a", b"<\0", b">\0", b"F\0r\0o\0m\0 \0", b":\0", b"-\0",
    ], |text| [b"\xFF\xFE", text].concat()),
    decoder("utf-8", &[
        b"\xC3\xA9", b"\xE3\x81\x82", b"\xF0\x9F\x98\x80", b"\xE9", b"\x80", b"\xC3", b"\xE2\x80\x8B", b"\xEF\xBB\xBF", b"\xCC\x81", b"\xD7\x90", b"\xE2\x80\xAE", b"\xC2\xAD", b"\xC2\xA0", b".", b"/", b":", b"a", b" ", b"\n", b"http://h.org/", b"http://", b"@", b"-", b"\xE3\x80\x82", b"\xEF\xBC\x8F", b"<", b">",
    ], |text| mail("Content-Type: text/plain; charset=utf-8", text)),
];

/// A message.
fn mail(field: &str, body: &[u8]) -> Vec<u8> {
    [format!("From: a@h.org\nMessage-ID: <1@h.org>\nMIME-Version: 1.0\n{field}\n\n").as_bytes(), body]
        .concat()
}

/// A web archive of one record.
fn warc(fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!("WARC/1.0\n{fields}\nContent-Length: {}\n\n", block.len()).replace('\n', "\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A mailbox of Outlook with a message that has these properties.
fn mailbox(properties: &[(u16, Value<'_>)]) -> Vec<u8> {
    let mut pst = Pst::new(Version::Unicode, Method::Permute);
    let inbox = pst.properties(&[(0x3001, Value::Text("Inbox"))], &[]);
    let message = pst.properties(properties, &[]);
    pst.node(0x8022, inbox, 0x122);
    pst.node(0x0020_0024, message, 0x8022);
    pst.file()
}
