//! The slowest text that is known for each row, and its floor. The bench `climb` finds them.

use super::Times::{self, Many, Once};

/// A text for a row.
pub struct Worst {
    pub row: &'static str,
    /// How many instructions a byte of it may take: a little more than it does.
    pub floor: u64,
    pub text: &'static [(Times, &'static [u8])],
}

const fn worst(row: &'static str, floor: u64, text: &'static [(Times, &'static [u8])]) -> Worst {
    Worst { row, floor, text }
}

#[rustfmt::skip]
pub const WORST: &[Worst] = &[
    worst("css", 400, &[(Many, b"a,"), (Once, b"a{"), (Many, b"display:none;")]),
    worst("pdf", 60, &[(Many, b"/URI%"), (Once, b"\r/URI(http://h.org/a)"), (Once, b"\nendobj"), (Once, b"<")]),
    worst("pdf stream", 60, &[(Many, b"/URI%"), (Once, b">>/URI(http://h.org/a)"), (Once, b"1/URI(http://h.org/a)"), (Once, b"\\053")]),
    worst("pdf", 10, &[(Many, b"1 0 obj%")]),
    worst("pdf stream", 190, &[(Many, b"/URI(()")]),
    worst("css", 950, &[(Once, b"\\,"), (Many, b"url(http://h.org/a)")]),
    worst("default", 4250, &[(Many, b"@URL:\xe3\x80\x80\x1b[mx://")]),
    worst("likely", 3050, &[(Many, b"ftp://:"), (Once, b"\",\"h.orgSubject: \n * !\n\n"), (Many, b"ftp://]")]),
    worst("mail", 3900, &[(Many, b"\x1b[msip:\'x://")]),
    worst("mail, likely", 3100, &[(Once, b"..\"}\nContent-Type: text/html\n\n\n * )<!--"), (Once, b"https://h.org/[\xe6\x96\xb01~"), (Many, b"\\u0026x://news:"), (Once, b"..com|\\=\n:")]),
    worst("html", 1150, &[(Once, b"&amp;&lt;"), (Once, b"hxxp[:]//\"<style>"), (Many, b"ftp://sip:"), (Once, b"<mailto:")]),
    worst("json, forced", 4700, &[(Many, b"\xc3\xa9tel:;x://\x1b[m")]),
    worst("json, likely", 4600, &[(Once, b"> \nFrom a@h.org Fri Mar  2 10:11:12 2001\n#"), (Many, b"\xc3\xa9tel:\x1b[m)x://")]),
    worst("html attributes", 1300, &[(Once, b"hidden>"), (Many, b">http://h.org/a\\&"), (Once, b"/;style=\"&#38")]),
    worst("html references", 1200, &[(Once, b"/&NotEqualTilde;"), (Once, b"\xe9"), (Many, b"http://h.org/;"), (Once, b"&\xc3\xa9")]),
    worst("office xml", 600, &[(Once, b"<w:p>--><w:fldSimple w:instr=\"HYPERLINK &quot;http://h.org/&quot;\"><Relationship Target=\"http://h.org/\" TargetMode=\"External\"/>"), (Many, b">"), (Once, b"<w:instrText>"), (Many, b"http://h.org/a-->")]),
    worst("json", 3550, &[(Many, b"\xc3\xa9[http:\\/\\/h.org\\/a"), (Once, b"{\"a\":\":  http:")]),
    worst("wat", 900, &[(Once, b"\"a\"][\"Base\":\"http://h.org/\"\"alt\":"), (Once, b"\"text\":\"x\"\"Links\":[\"alt\"::"), (Many, b"\"path\":\"A@/href\"]\"url\":\"/b\"")]),
    worst("rtf", 1150, &[(Once, b"ahttp://h.org/a\\upr\\\n"), (Once, b"\\uc1http://h.org/a{\\*\\fldinst HYPERLINK \"99"), (Many, b"http://h.org/a;{"), (Once, b" \\_")]),
    worst("tnef", 950, &[(Many, b"\x02\x0f\x80\x06\x00\x0e\x00\x00\x00http://h.org/a\x00\x00\x02\x0f\x80\x06\x00\x0e\x00\x00\x00http://h.org/a\x00\x00"), (Once, b"\x02\x0f\x80\x06\x00\x0e\x00\x00\x00http://h.org/a\x00\x00")]),
    worst("rtf of tnef", 1200, &[(Once, b"\\\'e9\x00"), (Once, b"\x12?{"), (Many, b"\x00http://h.org/a "), (Many, b"{{")]),
    worst("msg texts", 1650, &[(Many, b"http://h.org/&amp;\xe9x:<")]),
    worst("msg properties", 25, &[(Many, b"\xe4\x04\x00\x00\x06\x00\x00\x00@\x00\x06\x0e"), (Many, b"\x03\x00\xfd?@\x00\x06\x0e\x00\x00\x00\x00"), (Many, b"@\x009\x00"), (Many, b"\x03\x00\xde?\x03\x00\xde?\x01")]),
    worst("pst texts", 700, &[(Many, b"\"http://h.org/a&amp;\"\"x:")]),
    worst("pst names", 10, &[(Once, b"..a"), (Many, b"\xff\xe9\x00"), (Once, b"\n/.")]),
    worst("pst properties", 170, &[(Once, b"\x13\x10\x02\x01 \x00\x01\x00"), (Once, b"\x00\x10\x1e\x00"), (Once, b" \x00\x01\x00"), (Many, b"\x00http://h.org/a\xec\xbc")]),
    worst("head", 1450, &[(Once, b"From: <http://h.org/a"), (Many, b"\'\xe9"), (Once, b"Date: http://h.org/a\xe9Received: from aList-Unsubscribe: <http://h.org/a>")]),
    worst("date", 1250, &[(Many, b"a://a)")]),
    worst("boundaries", 4650, &[(Once, b"--bhttp://h.org/a<a href=http://h.org/a>x</a>a"), (Many, b"---b--\n--c\nContent-Type: multipart/mixed; boundary=b\n\n"), (Once, b"--b")]),
    worst("encoded words", 1550, &[(Once, b"=GyRC=?iso-8859-1?q?"), (Many, b"\xe9\n\xe9\nX: http://h.org/a")]),
    worst("quoted-printable", 800, &[(Many, b">"), (Many, b" http://h.org/a=E9")]),
    worst("base64", 1950, &[(Many, b"L2EgcDov"), (Once, b"-----BEGIN=\n\xe9L2gu")]),
    worst("files in text", 390, &[(Once, b"=ybegin line=128 size=1 name=x\nend\n"), (Many, b" "), (Once, b"abegin"), (Many, b"}http://h.org/a")]),
    worst("flowed", 550, &[(Once, b"\r\n<URL:"), (Many, b"> >"), (Many, b"->http://h.org/a \n")]),
    worst("signed data", 1600, &[(Once, b"\x04\x0ehttp://h.org/a\x04\x82\xff\xff\x04"), (Once, b"\xa0\x80"), (Many, b"\x04\x0ehttp://h.org/a\xff\x80")]),
    worst("mailboxes", 280, &[(Once, b"Subject: a\n"), (Once, b"Content-Length: 99999999\n"), (Many, b" "), (Many, b" http://h.org/a")]),
    worst("mmdf", 1150, &[(Once, b"From a@h.org Fri Mar  2 10:11:12 2001\nFrom a@h.org Fri Mar  2 10:11:12 2001\n"), (Many, b"\x01\n\x01\x01\x01\x01\n")]),
    worst("babyl", 1800, &[(Once, b"http://h.org/a\n*** EOOH ***\n"), (Many, b"\n\x1f\x0c\n"), (Once, b"\n*** EOOH ***\nahttp://h.org/a\n\x1f"), (Once, b"\n\x1f\x0chttp://h.org/aa\n\n")]),
    worst("mbx", 800, &[(Once, b";-a\x00http://h.org/a;"), (Many, b";\r\n;http://h.org/a")]),
    worst("rnews", 850, &[(Once, b"\n#!"), (Many, b"#! rnews 14\nhttp://h.org/a#!\n\n")]),
    worst("listserv", 550, &[(Once, b"=http://h.org/a"), (Once, b"\n\nSubject: a\n=========================================================================\nDate: Fri, 2 Mar 2001 10:11:12 +0100\n"), (Many, b"Date: http://h.org/a=\nhttp://h.org/a"), (Once, b"http://h.org/a")]),
    worst("git", 600, &[(Once, b" blob aa\n257cc5642cb1a054f08cc83f2d943e56fd3ebe99 blob 99999\n"), (Once, b"257cc5642cb1a054f08cc83f2d943e56fd3ebe99From: a@h.org\nSubject: a\na257cc5642cb1a054f08cc83f2d943e56fd3ebe99"), (Many, b"\nahttp://h.org/a"), (Once, b"\n\n blob ")]),
    worst("emlx", 290, &[(Many, b" "), (Many, b" http://h.org/a")]),
    worst("vcard", 2000, &[(Once, b"NOTE;ENCODING=QUOTED-PRINTABLE:"), (Once, b"http://h.org/a\n "), (Once, b"\\nhttp://h.org/a"), (Many, b"\\=3Aa\\")]),
    worst("icalendar", 1100, &[(Once, b" <a href=,ATTACH:\r\n"), (Many, b"URL:\\;;;\\;http://h.org/a")]),
    worst("ldif", 1250, &[(Once, b"\n\ndn: "), (Many, b"http://h.org/a\n\na:: ")]),
    worst("mork", 700, &[(Many, b">"), (Many, b"\\http://h.org/a["), (Once, b"\\\n$00@$${1{@[80")]),
    worst("warc", 1450, &[(Once, b"1"), (Once, b"WARC-Target-URI: http://h.org/\nWARC-Target-URI: http://h.org/\nLink: </a>; rel=next\n"), (Many, b"http://h.org/a<html><a href=/b>"), (Once, b"WARC-Target-URI: http://h.org/\n:")]),
    worst("chunks", 1700, &[(Many, b"D\r\n<a href=\"/b\">\r\n"), (Once, b"E\r\nhttp://h.org/a\r\nE\r\nhttp://h.org/a\r\n"), (Once, b"D\r\n<a href=\"/b\">\r\n9;a=b\r\nD\r\n<a href=\"/b\">\r\n"), (Many, b"gD\r\n<a href=\"/b\">\r\nD\r\n<a href=\"/b\">\r\nhttp://h.org/a")]),
    worst("arc", 2000, &[(Once, b"<a href=/b>"), (Once, b"<a href=/b>HTTP/1.1 200 OK\n"), (Many, b"   <a href=/b>")]),
    worst("pax records", 35, &[(Many, b"6 a=b\n6 a=b\n")]),
    worst("tar members", 15, &[(Once, b"ggK"), (Once, b"x"), (Many, b"S\x00V")]),
    worst("zip records", 3500, &[(Once, b"\x00\x00\x00\x00BZh9"), (Many, b"PK\x03\x04\x14\x00\x00\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00a")]),
    worst("members of gzip", 1050, &[(Many, b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00"), (Once, b"\x1f\x8b\x08\x1f\x8b\x08"), (Once, b"\x03\x00")]),
    worst("frames", 130, &[(Many, b"(\xb5/\xfd \x00\x01\x00\x00"), (Once, b"(\xb5/\xfdP*M\x18\xff")]),
    worst("iso-2022", 490, &[(Many, b"  "), (Many, b"\x1bhttp://h.org/a http://h.org/a\x1b(B")]),
    worst("hz and utf-7", 1050, &[(Once, b"\n~~~{~\n"), (Many, b"~~~}http://h.org/a"), (Once, b"\xe9~\n"), (Many, b"+-~\nhttp://h.org/a")]),
    worst("two bytes", 1550, &[(Many, b"http://h.org/\x83\\http://h.org/\x83\\")]),
    worst("utf-16", 2200, &[(Once, b"<\x00\r\x00a\x00\n\x00"), (Many, b"h\x00t\x00t\x00p\x00:\x00/\x00/\x00h\x00.\x00i\x00/\x00B0"), (Once, b"F\x00r\x00o\x00m\x00 \x00a\x00 \x00B0")]),
    worst("utf-8", 1300, &[(Once, b"\xe3\x81\x82\xe9\xf0\x9f\x98\x80\xd7\x90-a"), (Many, b">"), (Many, b"http://\xe9:")]),
    worst("refang", 5000, &[(Once, b"URL:\n|"), (Many, b"=3D(dot)")]),
    worst("refang, likely", 5000, &[(Once, b"=3DContent-Type: multipart/mixed; boundary=b\n\n("), (Many, b"(dot)=3D"), (Once, b"www.\\\">")]),
    worst("all", 5000, &[(Once, b"<URL:///"), (Many, b"(dot)=3D"), (Once, b"tel:h.org\\x://{")]),
    worst("html tags", 1550, &[(Once, b"<a href=http://h.org/a>"), (Once, b"<a <form action=<base href=/a>"), (Once, b"<a href=\'/b\'><template>\'><base href=/a><p><html>"), (Many, b"\x00<p>")]),
    worst("http", 2350, &[(Once, b"Transfer-Encoding: chunked\r\nContent-Type: text/html\r\n"), (Many, b">><a href=/b>")]),
    // These are above 5,000, and are to become faster.
    worst("xml", 200, &[(Many, b"<?x ")]),
    worst("html tags", 200, &[(Many, b"<?=>")]),
    worst("xml", 3100, &[(Once, b"&<!--=&#x26;<?x "), (Many, b"&[http://h.org/a&amp;"), (Once, b"=<")]),
    worst("msg rtf", 3900, &[(Once, b"}}\\u1234"), (Once, b"}}{{\\*\\fldinst HYPERLINK \"http://h.org/a\\u1234"), (Many, b"\\{\\\\")]),
];
