//! A document of each format, of any length: a unit, which has its number, again and again.

use super::make::pst::{Method, Pst, Value, Version};
use super::make::{self, encode};
use super::{mail, warc};

/// A format.
pub struct Format {
    pub name: &'static str,
    /// What is repeated; `{}` is a number.
    unit: &'static str,
    document: fn(Vec<u8>) -> Vec<u8>,
}

impl Format {
    /// A document of about `size` bytes.
    pub fn document(&self, size: usize) -> Vec<u8> {
        let units = (0..size / self.unit.len()).map(|n| self.unit.replace("{}", &format!("{n:x}")));
        (self.document)(units.collect::<String>().into_bytes())
    }
}

const fn format(name: &'static str, unit: &'static str, document: fn(Vec<u8>) -> Vec<u8>) -> Format {
    Format { name, unit, document }
}

const LINE: &str = "Text number {} with http://h.org/{}.html and <URL:http://h.org/{}/\n  b>, and more text of no interest.\n";
const PAGE: &str = "<p class=c{}>Text of {} <a href=\"/{}.html?a&amp;b\">a link</a> and <img src='http://h.org/{}.png'></p>\n";
const MESSAGE: &str = "From a@h.org Fri Mar  2 10:11:12 2001\nFrom: A <a@h.org>\nMessage-ID: <{}@h.org>\nSubject: =?utf-8?q?number_{}?=\nContent-Type: text/plain; charset=utf-8\n\nSee http://h.org/{} \u{e9}.\n\n";
const PART: &str = "--b\nContent-Type: text/html; charset=utf-8\nContent-Location: http://h.org/{}/\n\n<a href={}>\u{e9}</a>\n";

/// The formats, one a row.
#[rustfmt::skip]
pub const FORMATS: &[Format] = &[
    format("text", LINE, |text| text),
    format("one line", "http://h.org/{},", |text| text),
    format("one URL", "/{}", |text| [b"http://h.org", &text[..]].concat()),
    format("mail", LINE, |text| mail("Content-Type: text/plain", &text)),
    format("head", "List-Unsubscribe: <http://h.org/{}>\nX-{}: =?utf-8?q?a=3A_?=\n  =?utf-8?b?aHR0cDovL2gub3JnLw?=\n", |text| [b"From: a@h.org\nMessage-ID: <1@h.org>\n", &text[..], b"\nb\n"].concat()),
    format("parts", PART, |text| mail("Content-Type: multipart/mixed; boundary=b", &text)),
    format("related parts", PART, |text| mail("Content-Type: multipart/related; boundary=b", &text)),
    format("digest", "--b\n\nFrom: a@h.org\nMessage-ID: <{}@h.org>\n\nhttp://h.org/{}\n", |text| mail("Content-Type: multipart/digest; boundary=b", &text)),
    format("nested parts", "Content-Type: multipart/mixed; boundary=b{}\n\n--b{}\n", |text| [b"From: a@h.org\nMessage-ID: <1@h.org>\n", &text[..]].concat()),
    format("quoted-printable", "see =3D {} http://h.org/?a=3D{}=\n&b=3D=C3=A9 and\n", |text| mail("Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable", &text)),
    format("base64", "c2VlIGh0dHA6Ly9oLm9yZy9hIGFuZCBodHRwOi8vaC5vcmcvYiBhbmQgbW9yZSAK\n", |text| mail("Content-Transfer-Encoding: base64", &text)),
    format("uuencode", "begin 644 a{}\nM=&AE(&QI;F5S(&]F(&$@9FEL92!H879E('1H:7,@;&5N9W1H(&EN('5U96YC\n`\nend\nhttp://h.org/{}\n", |text| mail("", &text)),
    format("flowed", "Text that flows http://h.org/{} \nand goes on \n> quoted {} \n> text\n", |text| mail("Content-Type: text/plain; format=flowed; delsp=yes", &text)),
    format("rtf", "{\\field{\\*\\fldinst HYPERLINK \"http://h.org/{}\"}{\\fldrslt number {} \\'e9\\u1234 ?}}\\par\n", |text| mail("Content-Type: text/rtf", &[b"{\\rtf1\\ansi ", &text[..], b"}"].concat())),
    format("iso-2022-jp", "\u{1b}$B$\"$\"\u{1b}(B http://h.org/{}\n", |text| mail("Content-Type: text/plain; charset=iso-2022-jp", &text)),
    format("signed data", "http://h.org/{}\n", |text| {
        let head = b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02\xA0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0\x80\x24\x80";
        let pieces = text.chunks(100).flat_map(|piece| [&[4, piece.len() as u8][..], piece].concat());
        mail("Content-Type: application/pkcs7-mime; smime-type=signed-data", &head.iter().copied().chain(pieces).collect::<Vec<_>>())
    }),
    format("mbox", MESSAGE, |text| text),
    format("mmdf", "\x01\x01\x01\x01\nFrom: a@h.org\nMessage-ID: <{}@h.org>\n\nhttp://h.org/{}\n\x01\x01\x01\x01\n", |text| text),
    format("babyl", "\x1F\x0C\n1,,\nTo: a\n\n*** EOOH ***\nTo: a{}\n\nhttp://h.org/{}\n", |text| [b"BABYL OPTIONS: -*- rmail -*-\n", &text[..], b"\x1F"].concat()),
    format("mbx", " 2-Mar-2001 10:11:12 +0100,42;000000000001-00000001\r\nSubject: a\r\nFrom: {}\r\n\r\nhttp://h.org/{}\r\n", |text| [b"*mbx*\r\n", &[b' '; 2041][..], &text].concat()),
    format("rnews", "#! rnews 30\nPath: {}\nFrom: a@h.org\n\nhttp://h.org/{}\n", |text| text),
    format("listserv", "=========================================================================\nDate: Fri, 2 Mar 2001 10:11:12 +0100\nSubject: {}\n\nhttp://h.org/{}\n", |text| text),
    format("git", "257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 40\nFrom: a@h.org\nSubject: {}\n\nhttp://h.org/{}\n\n", |text| text),
    format("emlx", LINE, |text| [b"99       \nFrom: a@h.org\nMessage-ID: <1@h.org>\n\n", &text[..], b"<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n"].concat()),
    format("carriage returns", "http://h.org/{}\r", |text| [b"From a@h.org Fri Mar  2 10:11:12 2001\rFrom: a@h.org\rMessage-ID: <1@h.org>\r\r", &text[..]].concat()),
    format("html", PAGE, |text| [b"<html><base href=http://h.org/a/>", &text[..]].concat()),
    format("style sheet", ".c{},#i{} td.d { display: none; visibility: hidden; color: red }\n", |text| [b"<html><style>", &text[..], b"</style><p class=c1><a href=http://h.org/>a</a>"].concat()),
    format("xml", "<item><link>http://h.org/{}</link><a b=\"http://h.org/?a&amp;{}\"/><![CDATA[<a href='http://h.org/{}'>]]></item>\n", |text| [b"<?xml version=\"1.0\"?><rss>", &text[..], b"</rss>"].concat()),
    format("json", "{\"a{}\":\"http:\\/\\/h.org\\/{}\",\"b\":[\"\\u0026\",\"<a href=\\\"http://h.org/{}\\\">x</a>\",1]}\n", |text| text),
    format("json, a page", "<p>\\\"a\\\"\\n<a href=\\\"http://h.org/{}\\\">t</a>\\n", |text| {
        [b"{\"id\":1,\"body\":\"<html>", &text[..], b"</html>\"}\n"].concat()
    }),
    format("json of several lines", " {\"ts\":\"1672653600\",\"from\":\"a{}\",\"a\":\"http://h.org/{}\"},\n", |text| [b"[\n", &text[..], b" 0\n]\n"].concat()),
    format("json, a long first line", "{\"a\":\"http://h.org/{}\"}\n", |text| {
        let first = text.iter().map(|&b| if b == b'\n' { b',' } else { b }).collect::<Vec<_>>();
        [b"[", &first[..], b"0]\n", &text].concat()
    }),
    format("office", "<w:p><w:r><w:t>number {} http://h.org/{}</w:t></w:r><w:r><w:instrText> HYPERLINK \"http://h.org/{}\" </w:instrText></w:r></w:p>", |text| {
        let document = [b"<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>", &text[..]].concat();
        make::zip(&[("[Content_Types].xml".into(), b"<Types/>".to_vec()), ("word/document.xml".into(), document)])
    }),
    format("icalendar", "BEGIN:VEVENT\nURL:http://h.org/{}\nDESCRIPTION:see http://h.org/{}\\n and\n  more\nEND:VEVENT\n", |text| [b"BEGIN:VCALENDAR\n", &text[..]].concat()),
    format("vcard", "BEGIN:VCARD\nVERSION:2.1\nURL:http://h.org/{}\nNOTE;ENCODING=QUOTED-PRINTABLE:http=3A//h.org/{}=\n/b\nEND:VCARD\n", |text| text),
    format("ldif", "dn: o={}\nobjectclass: top\nlabeledURI: http://h.org/{}/\n a\njpegPhoto:: aHR0cDovL2gub3JnLw==\n\n", |text| text),
    format("mork", "<(80=http$3A//h.org/{}\\\n/a)(81={})>\n", |text| [b"// <!-- <mdb:mork:z v=\"1.4\"/> -->\n", &text[..]].concat()),
    format("warc", "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/{}\r\nContent-Type: text/html\r\nContent-Length: 26\r\n\r\n<a href=/abcdefghijk>x</a>\r\n\r\n", |text| text),
    format("one record", PAGE, |text| warc("WARC-Type: response\nWARC-Target-URI: http://h.org/\nContent-Type: application/http; msgtype=response", &[b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", &text[..]].concat())),
    format("arc", "http://h.org/{} 192.0.2.1 20010302101112 text/html 45\nHTTP/1.1 200 OK\n\n<html><a href=/abcdefghijk>\n\n", |text| [b"filedesc://a.arc 0.0.0.0 20010302101112 text/plain 0\n\n", &text[..]].concat()),
    format("pdf", "1 0 obj\n<</A<</S/URI/URI(http://h.org/{})>>/Title(number {})>>\nendobj\n", |text| [b"%PDF-1.7\n", &text[..], b"%%EOF\n"].concat()),
    format("pdf stream", "<</A<</S/URI/URI(http://h.org/{})>>/Title(number {})>>\n", |text| {
        let stream = |text: &[u8]| [b"1 0 obj\n<</Type/ObjStm/N 1/First 4>>\nstream\n", text, b"\nendstream\nendobj\n"].concat();
        [b"%PDF-1.7\n".to_vec(), text.chunks(4096).flat_map(stream).collect(), b"%%EOF\n".to_vec()].concat()
    }),
    format("tnef", "see http://h.org/{}\r\n", |text| {
        let attachment = |data: &[u8]| [&b"\x02\x0F\x80\x06\0"[..], &(data.len() as u32).to_le_bytes(), data, &[0, 0]].concat();
        [b"\x78\x9F\x3E\x22\x01\x02".to_vec(), text.chunks(1000).flat_map(attachment).collect()].concat()
    }),
    format("msg", "see http://h.org/{} and <http://h.org/{}>\r\n", |text| {
        let wide: Vec<u8> = text.iter().flat_map(|&b| [b, 0]).collect();
        make::compound(&[("/__properties_version1.0", &[0; 32]), ("/__substg1.0_1000001F", &wide), ("/__substg1.0_10130102", &text)])
    }),
    format("pst", "see http://h.org/{} and <http://h.org/{}>\r\n", |text| mailbox(Version::Unicode, &text)),
    format("large pst", "see http://h.org/{} and <http://h.org/{}>\r\n", |text| mailbox(Version::Large, &text)),
    format("utf-16", LINE, |text| [b"\xFF\xFE".to_vec(), text.iter().flat_map(|&b| [b, 0]).collect()].concat()),
    format("tar", LINE, |text| make::tar(&files(&text), make::GNU)),
    format("pax", LINE, |text| make::tar_pax(&files(&text), "a/b/")),
    format("zip", LINE, |text| make::zip(&files(&text))),
    format("deflated zip", LINE, |text| {
        let member = |(name, data): &(String, Vec<u8>)| make::zip_member(name, 8, data, &encode::deflate(data));
        files(&text).iter().map(member).chain([[&b"PK\x05\x06"[..], &[0; 18]].concat()]).collect::<Vec<_>>().concat()
    }),
    format("gzip", LINE, |text| encode::gzip(&text)),
    format("members of gzip", LINE, |text| text.chunks(1000).flat_map(encode::gzip).collect()),
    format("bzip2", LINE, |text| encode::bzip2(&text)),
    format("xz", LINE, |text| encode::xz(&text)),
    format("zstd", LINE, |text| encode::zstd(&text)),
    format("lz4", LINE, |text| encode::lz4(&text)),
    format("lzma", LINE, |text| encode::lzma(&text)),
    format("lzip", LINE, |text| encode::lzip(&text)),
    format("mozlz4", "{\"a{}\":\"http://h.org/{}\"}\n", |text| [b"mozLz40\0", &(text.len() as u32).to_le_bytes()[..], &lz4_flex::block::compress(&text)].concat()),
];

/// A text in files.
fn files(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    text.chunks(1000).enumerate().map(|(n, text)| (format!("a/{n}.txt"), text.to_vec())).collect()
}

/// A mailbox of Outlook with a message for every 4,000 bytes of a text.
fn mailbox(version: Version, text: &[u8]) -> Vec<u8> {
    let mut pst = Pst::new(version, Method::Permute);
    let inbox = pst.properties(&[(0x3001, Value::Text("Inbox"))], &[]);
    pst.node(0x8022, inbox, 0x122);
    for (n, body) in text.chunks(4000).enumerate() {
        let message =
            pst.properties(&[(0x1000, Value::String8(body)), (0x1035, Value::Text("<1@h.org>"))], &[]);
        pst.node(0x0020_0024 + 32 * n as u32, message, 0x8022);
    }
    pst.file()
}
