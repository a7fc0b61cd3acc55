#!/usr/bin/env python3
"""Checks that a document is read in the same way in every place.

Each document contains known links, encoded as its format encodes them, and is put into each place. A cell is

  .  ok        the links of the document, with their role, element and text, and no other readings
  r  reported  a link is missing, and standard error names the file
  D  differs   the links are found, but role, element, text or alternatives are others
  S  silent    a link is missing, and nothing is reported
  X  extra     a link is found that the document does not contain
  c  column    the links are right, but a column with their position is not: COLUMNS
  e  excepted  one of these, but a documented limit: EXCEPTIONS

d, s and x: the document has the same result as a file of its own, so the place is not the cause. The expected links are
written here by hand, never taken from urlgrep. The expected columns are the columns of the document as a file of its own,
with the additions of the place. The last line is "cells N: ok A, reported B, differs C, silent D, extra E", and the exit
status is 0 if C, D and E are 0; the line before it counts the columns. A document for which a program (zstd) is missing is
reported.
"""
import argparse, atexit, base64, binascii, bz2, concurrent.futures, fnmatch, gzip, io, json, lzma, os, quopri, shlex
import shutil, struct, subprocess, sys, tarfile, tempfile, zipfile, zlib
from collections import Counter, namedtuple

OUTSIDE = ("file", ".dat", "stdin", "-j4", "zip", "tar", "tar.gz", "gz")
WITHIN = ("attachment", "att octets", "att untyped", "body", "att in mail²", "warc", "warc octets", "warc.gz", "har", "ics", "gmail", "zip in mail", "uu in mail")
# Documents, places, verdicts, and the sentence of docs/formats.md.
EXCEPTIONS = [
    (["text uu"], [*OUTSIDE], "S", "Files in the text are decoded in mail and news only: plain text is read verbatim"),
    (["entity"], ["attachment", "body", "att in mail²"], "c", "A message/rfc822 has its own header fields, even if it has none but Content fields"),
    (["page of a mail"], ["body"], "c", "The body of a message has the fields of that message, even if it is a page of an archive"),
]
# A warning about every file of a kind, which does not explain a missing link.
ALWAYS_SAID = "of a PDF document only the links are read"

# The Message-ID of a message around a document, the number of the part that the document is, and the URI of a record.
AROUND = {
    **{place: ("7@h.org", "2", None) for place in ("attachment", "att octets", "att untyped", "zip in mail")},
    **{place: ("7@h.org", "1", None) for place in ("body", "uu in mail")},
    "att in mail²": ("7@h.org", "2.2", None), **{place: (None, None, "http://t.org/") for place in ("warc", "warc octets", "warc.gz")},
}
COLUMNS = ("id", "part", "uri", "range")
# What a range in these counts is not a byte of the document, but of what it decompresses to.
COMPRESSED = ("warc.gz", "docx", "xlsx", "pptx", "odt", "epub", "zip", "tar", "tar.gz", "gz", "bz2", "xz", "zst", "lz4")
Doc, Cell = namedtuple("Doc", "name ext type data links"), namedtuple("Cell", "doc place verdict rows data lines")
Link = namedtuple("Link", "url role element text alternatives", defaults=("text", None, None, ()))
OCTETS = "application/octet-stream"
X, Y = "http://h.org/x", "http://h.org/y?a=1&b=2"
TEXT, SHORT = f"see {X} and {Y} ok\n", f"see {X}.\n"
FIRST, SECOND = '<a href="http&#58;//h.org/x">first</a>', '<a href="http://h.org/y?a=1&amp;b=2">second</a>'
PAGE = f"<!DOCTYPE html>\n<html><head><title>t</title></head><body><p>{FIRST} and {SECOND}</p></body></html>\n"

def link(url, text=None, element="a@href"): return Link(url, "link", element, text)
def namespace(url, element): return Link(url, "resource", element)
# What TEXT, a page, two messages, and an address of a calendar have.
BOTH, ANCHORS, MAILS, FIELD = [Link(X), Link(Y)], [link(X, "first"), link(Y, "second")], [Link(X), link(Y, "second")], link(X, None, None)

# Archives, compression and encodings.
def octets(data): return data if isinstance(data, bytes) else data.encode()
def gz(data): return gzip.compress(octets(data), mtime=0)
def b64(data): return base64.encodebytes(octets(data)).decode()
def one_line(data, encode=base64.b64encode): return encode(octets(data)).decode()
def joined(*lines): return octets("\r\n".join([*lines, ""]))
def crlf(text): return octets(text).replace(b"\n", b"\r\n")
def qp(data): return quopri.encodestring(octets(data)).decode().replace("://", "=3A//")

def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return out.getvalue()

def tarred(name, data):
    out, member = io.BytesIO(), tarfile.TarInfo(name)
    member.size = len(data)
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(member, io.BytesIO(data))
    return out.getvalue()

def made_by(program, *arguments, data):
    """What a program makes of data; None if there is no such program."""
    path = shutil.which(program)
    return path and subprocess.run([path, *arguments], input=octets(data), capture_output=True, check=True).stdout

def lz4():
    """A frame of lz4 with one block, in which X is put together: "h.org/x" is copied from the beginning."""
    block = b"\xf3\x04h.org/x see http://" + struct.pack("<H", 19) + b"\x50 ok.\n"
    return b"\x04\x22\x4d\x18\x60\x40\x82" + struct.pack("<I", len(block)) + block + bytes(4)

def uu(name, data):
    lines = [binascii.b2a_uu(data[n:n + 45], backtick=True).decode() for n in range(0, len(data), 45)]
    return f"begin 644 {name}\n{''.join(lines)}`\nend\n"

def yenc(name, data):
    line = b"".join(bytes([61, (b + 64) % 256]) if b in b"\0\n\r=" else bytes([b]) for b in bytes((b + 42) % 256 for b in data))
    begin, end = f"=ybegin line=997 size={len(data)} name={name}\n", f"\n=yend size={len(data)} crc32={zlib.crc32(data):08x}\n"
    return octets(begin) + line + octets(end)

def der(tag, *parts):
    body = b"".join(parts)
    return bytes([tag]) + (bytes([len(body)]) if len(body) < 128 else b"\x82" + struct.pack(">H", len(body))) + body

def signed(entity):
    """CMS signed data without a signer around an entity (RFC 5652, 5.1)."""
    oid = bytes.fromhex("2a864886f70d0107")
    content = der(0x30, der(6, oid, b"\1"), der(0xA0, der(4, crlf(entity))))
    return der(0x30, der(6, oid, b"\2"), der(0xA0, der(0x30, der(2, b"\1"), der(0x31), content, der(0x31))))

def tnef(text):
    attributes = {0x89006: struct.pack("<I", 0x10000), 0x2800C: octets(text) + b"\0"}.items()
    coded = [struct.pack("<BII", 1, tag, len(data)) + data + struct.pack("<H", sum(data) % 65536) for tag, data in attributes]
    return struct.pack("<IH", 0x223E9F78, 1) + b"".join(coded)

def compound(streams):
    """A compound file (MS-CFB, version 3) whose root has these streams, of less than 4096 bytes each."""
    end, free, small, chains, entries = 0xFFFFFFFE, 0xFFFFFFFF, b"", [], []
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    chain = lambda start, count: [*range(start + 1, start + count), end]
    table = lambda numbers: struct.pack("<128I", *numbers, *[free] * (128 - len(numbers)))
    entry = lambda name, kind, *rest: struct.pack("<64sHBBIII36xIQ", name.encode("utf-16le"), 2 * len(name) + 2, kind, 1, free, *rest)
    for n, name in enumerate(names, 2):
        data = streams[name]
        entries.append(entry(name, 2, n if n <= len(names) else free, free, len(chains), len(data)))
        chains += chain(len(chains), -(-len(data) // 64))
        small += data + bytes(-len(data) % 64)
    # Sector 0 has the allocation table; then come the directory, the table of the small sectors, and these.
    folders, sectors = len(names) // 4 + 1, -(-len(small) // 512)
    directory = b"".join([entry("Root Entry", 5, free, 1, 2 + folders, len(small)), *entries]).ljust(folders * 512, b"\0")
    numbers = 62, 3, 0xFFFE, 9, 6, 0, 1, 1, 0, 4096, 1 + folders, 1, end, 0
    head = struct.pack("<8s16x5H6x9I109I", bytes.fromhex("d0cf11e0a1b11ae1"), *numbers, 0, *[free] * 108)
    fat = table([0xFFFFFFFD, *chain(1, folders), end, *chain(2 + folders, sectors)])
    return head + fat + directory + table(chains) + small.ljust(sectors * 512, b"\0")

def outlook(page):
    """A message of Outlook (MS-OXMSG) whose body is a page."""
    values = {0x001A001F: "IPM.Note".encode("utf-16le"), 0x0037001F: "s".encode("utf-16le"), 0x10130102: octets(page)}
    numbers = {tag: len(value) + 2 * (tag % 65536 == 0x1F) for tag, value in values.items()} | {0x340D0003: 0x40000, 0x3FDE0003: 65001}
    properties = b"".join(struct.pack("<4I", tag, 6, value, 0) for tag, value in numbers.items())
    streams = {f"__substg1.0_{tag:08X}": value for tag, value in values.items()}
    return compound({**streams, "__properties_version1.0": bytes(32) + properties})

def pdf(*objects): return b"%PDF-1.5\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, o) for n, o in enumerate(objects, 1)) + b"%%EOF\n"

def pdf_stream(*objects):
    """A compressed stream of two objects."""
    index = octets(f"5 0 6 {len(objects[0]) + 1} ")
    packed, sizes = zlib.compress(index + b"\n".join(objects)), (2, len(index))
    return b"<< /Type /ObjStm /N %d /First %d /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (*sizes, len(packed), packed)

# Mail. Text has a character for each byte, until it is written.
def head(n=1, subject="s"):
    return f"From: a@h.org\nTo: b@h.org\nDate: Fri, 2 Mar 2001 10:11:12 +0000\nSubject: {subject}\nMessage-ID: <{n}@h.org>\nMIME-Version: 1.0\n"
def part(data, type=None, encoding="base64", fields=""):
    body = {"base64": b64, "quoted-printable": qp, "8bit": lambda data: octets(data).decode("latin-1")}[encoding](data)
    return f"Content-Type: {type}\n" * bool(type) + f"{fields}Content-Transfer-Encoding: {encoding}\n\n{body}"
def multipart(*parts, type="multipart/mixed"):
    mark = f"b{sum(part.count('boundary=') for part in parts)}"
    return f"Content-Type: {type}; boundary={mark}\n\n" + "".join(f"--{mark}\n{part}\n" for part in parts) + f"--{mark}--\n"

def attached(data, type, name):
    """A message with an attachment in base64; a message is attached as it is (RFC 2046, 5.2.1)."""
    file = part(data, type, "8bit" if type == "message/rfc822" else "base64", f'Content-Disposition: attachment; filename="{name}"\n')
    return (head(7) + multipart("Content-Type: text/plain\n\nhello", file)).encode("latin-1")
def deep(data, name, depth=3): return deep(attached(zipped({name: data}), OCTETS, "a.zip"), "a.eml", depth - 1) if depth else data

FROM = "From a@h.org Fri Mar  2 10:11:12 2001\n"
HALVES = part(SHORT, "text/plain"), part(SECOND + "\n", "text/html", "quoted-printable")
ONE, TWO = head(1) + HALVES[0], head(2) + HALVES[1]
def with_length(mail):
    start, body = mail.split("\n\n", 1)
    return f"{FROM}{start}\nContent-Length: {len(body)}\n\n{body}\n"
def babyl(mail): return "\x0c\n1, unseen,,\n{}\n*** EOOH ***\nFrom: a@h.org\n\n{}\x1f".format(*mail.split("\n\n", 1))
def mbx(*mails):
    line = " 2-Mar-2001 10:11:12 +0000,{};000000000000-{:08x}\r\n"
    start = (b"*mbx*\r\n0123456700000002\r\n" + b"\r\n" * 30).ljust(2046, b"\0") + b"\r\n"
    return start + b"".join(octets(line.format(len(crlf(mail)), n)) + crlf(mail) for n, mail in enumerate(mails, 1))
def digest(*mails):
    line = "\n" + "-" * 30 + "\n\n"
    return f"Today:\n  1. s\n\n{'-' * 70}\n\n{line.join(mails)}{line}End of L Digest\n***************\n"

# The web, calendars and JSON.
def http(data, type, *fields):
    return joined("HTTP/1.1 200 OK", f"Content-Type: {type}", *fields, f"Content-Length: {len(data)}", "") + data

def warc(data, type, *fields):
    block = http(octets(data), type, *fields)
    return joined("WARC/1.0", "WARC-Type: response", "WARC-Record-ID: <urn:uuid:1>", "WARC-Date: 2001-03-02T10:11:12Z", "WARC-Target-URI: http://t.org/",
                  "Content-Type: application/http; msgtype=response", f"Content-Length: {len(block)}", "") + block + b"\r\n\r\n"
def arc(data, type):
    version = b"1 0 h.org\nURL IP-address Archive-date Content-type Archive-length\n"
    records = ("filedesc://a.arc", "text/plain", version), ("http://t.org/", type, http(octets(data), type))
    return b"".join(octets(f"{url} 192.0.2.1 20010302101112 {type} {len(data)}\n") + data + b"\n" for url, type, data in records)
def har(data, type):
    content = {"size": len(data), "mimeType": type, "encoding": "base64", "text": one_line(data)}
    return json.dumps({"log": {"version": "1.2", "entries": [{"response": {"status": 200, "content": content}}]}}).encode()
def gmail(data, type, name):
    body = {"size": len(data), "data": one_line(data, base64.urlsafe_b64encode)}
    return json.dumps({"id": "1", "payload": {"mimeType": type, "filename": name, "body": body}}).encode()
def calendar(*lines, version="2.0"): return joined("BEGIN:VCALENDAR", f"VERSION:{version}", "BEGIN:VEVENT", *lines, "END:VEVENT", "END:VCALENDAR")
def card(*lines, version="3.0"): return joined("BEGIN:VCARD", f"VERSION:{version}", "N:a", *lines, "END:VCARD")
def attach(data):
    line = "ATTACH;ENCODING=BASE64;VALUE=BINARY:" + one_line(data)
    return calendar("\r\n ".join(line[n:n + 74] for n in range(0, len(line), 74)))

# XML and office documents.
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
OPEN, OASIS, OPF = "http://schemas.openxmlformats.org/", "urn:oasis:names:tc:opendocument:xmlns:", "http://www.idpf.org/2007/opf"
OFFICE, OD_TEXT = "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.text"
DC, (ATOM, SVG, XLINK) = "http://purl.org/dc/elements/1.1/", (f"http://www.w3.org/{name}" for name in ("2005/Atom", "2000/svg", "1999/xlink"))
XHTML = f'{XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{FIRST} {SECOND}</body></html>\n'
XHTML_LINKS = [namespace("http://www.w3.org/1999/xhtml", "html@xmlns"), *ANCHORS]

def escaped(text): return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
def cdata(text): return f"<![CDATA[{text}]]>"
def rss(*descriptions):
    items = "</description></item><item><description>".join(descriptions)
    return f'{XML}<rss version="2.0"><channel><title>t</title><item><description>{items}</description></item></channel></rss>\n'

def ooxml(path, type, content):
    """An office document of one part, with a relationship to Y."""
    rel = OPEN + "officeDocument/2006/relationships"
    related = lambda kind, target: (f'{XML}<Relationships xmlns="{OPEN}package/2006/relationships"><Relationship Id="rId1" Type="{rel}/{kind}" '
                                    f'Target={target}/></Relationships>')
    types = (f'{XML}<Types xmlns="{OPEN}package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
             f'relationships+xml"/><Override PartName="/{path}" ContentType="{OFFICE}{type}+xml"/></Types>')
    return zipped({"[Content_Types].xml": types, "_rels/.rels": related("officeDocument", f'"{path}"'),
                   path: XML + content.replace("REL", f'xmlns:r="{rel}"').replace("NS/", OPEN),
                   "{}/_rels/{}.rels".format(*path.rsplit("/", 1)): related("hyperlink", f'"{escaped(Y)}" TargetMode="External"')})

DOCX = ('<w:document xmlns:w="NS/wordprocessingml/2006/main" REL><w:body><w:p><w:r><w:t>see http://h.o</w:t></w:r><w:r><w:t>rg/x</w:t></w:r>'
        '<w:hyperlink r:id="rId1"><w:r><w:t> second</w:t></w:r></w:hyperlink></w:p></w:body></w:document>')
XLSX = ('<worksheet xmlns="NS/spreadsheetml/2006/main" REL><sheetData><row r="1"><c r="A1"><f>HYPERLINK("http:"&amp;"//h.org/x","first")</f>'
        '<v>0</v></c></row></sheetData><hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks></worksheet>')
PPTX = ('<p:sld xmlns:a="NS/drawingml/2006/main" xmlns:p="NS/presentationml/2006/main" REL><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>see '
        'http://h.o</a:t></a:r><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>rg/x</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>')
ODT = (f'{XML}<office:document-content xmlns:office="{OASIS}office:1.0" xmlns:text="{OASIS}text:1.0" xmlns:xlink="{XLINK}"><office:body><text:p>see '
       f'http://h.o<text:span>rg/x</text:span> <text:a xlink:href="{escaped(Y)}">second</text:a></text:p></office:body></office:document-content>')
EPUB = {"mimetype": "application/epub+zip", "META-INF/container.xml": f'{XML}<container version="1.0" xmlns="{OASIS}container"><rootfiles><rootfile '
        'full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>', "a.opf": f'{XML}<package xmlns="{OPF}" version="3.0">'
        f'<metadata xmlns:dc="{DC}"><dc:title>t</dc:title></metadata></package>', "a.xhtml": XHTML}

# Documents.
def documents():
    """All documents. The data of one that no program here can make is None."""
    eml, txt, page, json_type = ("eml", "message/rfc822"), ("txt", "text/plain"), ("html", "text/html"), ("json", "application/json")
    ics, vcf, feed, pdf_type = ("ics", "text/calendar"), ("vcf", "text/vcard"), ("rss", "application/rss+xml"), ("pdf", "application/pdf")
    p7m = "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m"
    cms = signed("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + b64(PAGE))
    relation, in_digest = link(Y, element="relationship@target"), head(3, "L Digest, Vol 1, Issue 1")
    notes = [b"<< /Type /Annot /Subtype /Link /A << /S /URI /URI (%s) >> >>" % url for url in (b"http\\072//h.org/x", octets(Y))]
    field = r'{\field{\*\fldinst HYPERLINK "%s"}{\fldrslt %s}}'
    rows = [
        ("text", *txt, TEXT, BOTH),
        ("text utf-16", "txt", "text/plain; charset=utf-16", ("\ufeff" + TEXT).encode("utf-16le"), BOTH),
        ("text utf-16 bare", "txt", "text/plain; charset=utf-16be", TEXT.encode("utf-16be"), BOTH),
        ("text utf-32", "txt", "text/plain; charset=utf-32", ("\ufeff" + TEXT).encode("utf-32be"), BOTH),
        ("text 1252", "txt", "text/plain; charset=windows-1252", "see http://müller.h.org/x\n".encode("cp1252"), [Link("http://müller.h.org/x")]),
        ("text qp", *txt, f"{'a ' * 30}http://h.org/=\nx ok\n", [Link(X, alternatives=("http://h.org/=",))]),
        ("text uu", *txt, "hello\n\n" + uu("a.txt", octets(TEXT)), BOTH),
        ("html", *page, PAGE, ANCHORS),
        ("html utf-16", "html", "text/html; charset=utf-16", ("\ufeff" + PAGE).encode("utf-16le"), ANCHORS),
        ("html fragment", *page, f"<p>{FIRST} and {SECOND}</p>\n", ANCHORS),
        ("bookmarks", *page, f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>B</TITLE>\n<DL><p>\n<DT>{FIRST}\n<DT>{SECOND}\n</DL>\n", ANCHORS),
        ("page of a mail", *page, f"<!-- MHonArc v2.6.16 -->\n<!--X-Subject: s -->\n<!--X-Message-Id: 1@h.org -->\n{PAGE}", ANCHORS),
        ("xhtml", "xhtml", "application/xhtml+xml", XHTML, XHTML_LINKS),
        ("svg", "svg", "image/svg+xml", f'{XML}<svg xmlns="{SVG}" xmlns:xlink="{XLINK}"><a xlink:href="http&#58;//h.org/x"><text>first</text></a>{SECOND}</svg>\n',
         [namespace(SVG, "svg@xmlns"), namespace(XLINK, "svg@xmlns:xlink"), link(X, "first", "a@xlink:href"), link(Y, "second")]),
        ("xml", "xml", "application/xml", f'{XML}<r><i url="http:&#x2F;&#x2F;h.org/x"/><b>{cdata(Y)}</b></r>\n', [link(X, None, "i@url"), Link(Y)]),
        ("xml colon", "xml", "application/xml", f'{XML}<r><i url="http&#58;//h.org/x"/></r>\n', [link(X, None, "i@url")]),
        ("rss cdata", *feed, rss(cdata(FIRST), cdata(SECOND)), ANCHORS),
        ("rss escaped", *feed, rss(escaped(FIRST), escaped(SECOND)), ANCHORS),
        ("atom escaped", "atom", "application/atom+xml", f'{XML}<feed xmlns="{ATOM}"><entry><content type="html">{escaped(SECOND)}</content></entry></feed>\n',
         [namespace(ATOM, "feed@xmlns"), link(Y, "second")]),
        ("json", *json_type, r'{"a":"see http:\/\/h.org\/x","b":["http://h.org/y?a=1\u0026b=2"]}', BOTH),
        ("json html", *json_type, json.dumps({"body": PAGE}), ANCHORS),
        ("json lines", "jsonl", "application/jsonl", r'{"a":"http:\/\/h.org\/x"}' "\n" r'{"a":"http://h.org/y?a=1\u0026b=2"}' "\n", BOTH),
        ("chat", "ndjson", "application/x-ndjson", r'{"text":"see <http:\/\/h.org\/x|first>"}' "\n" r'{"text":"<http:\/\/h.org\/y?a=1&amp;b=2>"}' "\n",
         [Link(X), Link(Y, alternatives=(escaped(Y),))]),
        ("har", *json_type, har(PAGE, "text/html"), ANCHORS),
        ("gmail", *json_type, json.dumps({"id": "1", "raw": one_line(ONE, base64.urlsafe_b64encode)}), [Link(X)]),
        ("ics folded", *ics, calendar("DESCRIPTION:see http://h.\r\n org/x ok", "URL:http://h.org/y?a=1\r\n &b=2"), [Link(X), FIELD._replace(url=Y)]),
        ("ics qp", *ics, calendar("DESCRIPTION;ENCODING=QUOTED-PRINTABLE:see http=3A//h.org/x ok", version="1.0"), [Link(X)]),
        ("ics attach", *ics, attach(TEXT), BOTH),
        ("vcf qp", *vcf, card("URL;ENCODING=QUOTED-PRINTABLE:http=3A//h.org/x", version="2.1"), [FIELD]),
        ("vcf folded", *vcf, card("URL:http://h.org/\r\n x", "NOTE:see http://h.org/y\r\n ?a=1&b=2 ok"), [FIELD, Link(Y)]),
        ("ldif", "ldif", "text/x-ldif", f"version: 1\n\ndn: cn=a\ncn: a\nlabeledURI:: {b64(X)}", [FIELD]),
        ("mail text", *eml, ONE, MAILS[:1]),
        ("mail html", *eml, TWO, MAILS[1:]),
        ("mail multipart", *eml, head() + multipart(*HALVES), MAILS),
        ("mail in mail", *eml, head(3) + multipart("Content-Type: message/rfc822\n\n" + ONE, part(TWO, "message/rfc822")), MAILS),
        ("mail uu", *eml, f"{head()}\nhello\n\n{uu('a.txt', octets(TEXT))}", BOTH),
        ("mail yenc", *eml, octets(head()) + b"\nhello\n\n" + yenc("a.txt", octets(TEXT)), BOTH),
        ("mail p7m", *eml, head() + part(cms, p7m), ANCHORS),
        ("entity", *eml, multipart(*HALVES), MAILS),
        ("mht", "mht", "message/rfc822", head() + multipart(part(PAGE, "text/html", "quoted-printable"), type="multipart/related"), ANCHORS),
        ("emlx", "emlx", OCTETS, f'{len(ONE)}\n{ONE}{XML}<plist version="1.0"><dict/></plist>\n', MAILS[:1]),
        ("mboxrd", "mbox", "application/mbox", f"{FROM}{ONE}>From me\n\n{FROM}{TWO}\n", MAILS),
        ("mboxcl2", "mbox", "application/mbox", with_length(ONE) + with_length(head(2) + part(f"a\n\n{FROM}{SECOND}\n", "text/html", "quoted-printable")), MAILS),
        ("mmdf", "mmdf", OCTETS, "".join(f"\1\1\1\1\n{mail}\1\1\1\1\n" for mail in (ONE, TWO)), MAILS),
        ("babyl", "rmail", OCTETS, f"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1f{babyl(ONE)}{babyl(TWO)}", MAILS),
        ("mbx", "mbx", OCTETS, mbx(ONE, TWO), MAILS),
        ("rnews", "rnews", OCTETS, "".join(f"#! rnews {len(mail)}\n{mail}" for mail in (ONE, TWO)), MAILS),
        ("mails in a row", *txt, f"{ONE}\n{TWO}", MAILS),
        ("digest", *eml, in_digest + part(digest(*(f"{head(n)}\nsee {url} ok\n" for n, url in enumerate((X, Y)))), "text/plain"), BOTH),
        ("digest mime", *eml, in_digest + "\n" + digest(ONE, TWO), MAILS),
        ("warc", "warc", "application/warc", warc(gz(PAGE), "text/html", "Content-Encoding: gzip"), ANCHORS),
        ("warc.gz", "warc.gz", "application/warc", gz(warc(PAGE, "text/html")) + gz(warc(TEXT, "text/plain")), ANCHORS + BOTH),
        ("warc relative", "warc", "application/warc", warc('<html><a href="/x">first</a></html>', "text/html"), [link("http://t.org/x", "first")]),
        ("arc", "arc", "application/x-arc", arc(PAGE, "text/html"), ANCHORS),
        ("docx", "docx", OFFICE + "wordprocessingml.document", ooxml("word/document.xml", "wordprocessingml.document.main", DOCX), [Link(X), relation]),
        ("xlsx", "xlsx", OFFICE + "spreadsheetml.sheet", ooxml("xl/worksheets/sheet1.xml", "spreadsheetml.worksheet", XLSX), [link(X, "first", "f"), relation]),
        ("pptx", "pptx", OFFICE + "presentationml.presentation", ooxml("ppt/slides/slide1.xml", "presentationml.slide", PPTX), [Link(X), relation]),
        ("odt", "odt", OD_TEXT, zipped({"mimetype": OD_TEXT, "content.xml": ODT}), [Link(X), link(Y, "second", "text:a@xlink:href")]),
        ("epub", "epub", "application/epub+zip", zipped(EPUB), [namespace(OPF, "package@xmlns"), namespace(DC, "metadata@xmlns:dc"), *XHTML_LINKS]),
        ("pdf", *pdf_type, pdf(*notes), [link(X), link(Y)]),
        ("pdf stream", *pdf_type, pdf(pdf_stream(*notes)), [link(X), link(Y)]),
        ("rtf", "rtf", "application/rtf", r"{\rtf1\ansi %s\par %s}" % (field % (r"http\'3a//h.org/x", "first"), field % (Y, "second")),
         [link(X, "first", None), link(Y, "second", None)]),
        ("tnef", "dat", "application/ms-tnef", tnef(TEXT), BOTH),
        ("p7m", "p7m", p7m, cms, ANCHORS),
        ("msg", "msg", "application/vnd.ms-outlook", outlook(PAGE), ANCHORS),
        ("zip", "zip", "application/zip", zipped({"d/a.html": PAGE}), ANCHORS),
        ("tar", "tar", "application/x-tar", tarred("d/a.html", octets(PAGE)), ANCHORS),
        ("tar.gz", "tar.gz", "application/gzip", gz(tarred("d/a.html", octets(PAGE))), ANCHORS),
        *((ext, ext, f"application/{subtype}", data, ANCHORS) for ext, subtype, data in (
            ("gz", "gzip", gz(PAGE)), ("bz2", "x-bzip2", bz2.compress(octets(PAGE))), ("xz", "x-xz", lzma.compress(octets(PAGE))),
            ("zst", "zstd", made_by("zstd", "-q", data=PAGE)))),
        ("lz4", "lz4", "application/x-lz4", lz4(), [Link(X)]),
    ]
    return [Doc(*row[:3], row[3] and octets(row[3]), row[4]) for row in rows]

# Places: the end of the name of the file that a document is in, and what the file holds.
PLACES = {
    **{place: (end, lambda d, name: d.data) for place, end in (("file", ".{ext}"), (".dat", ".dat"), ("stdin", ".stdin"), ("-j4", ".j4.{ext}"))},
    "zip": (".zip", lambda d, name: zipped({"d/" + name: d.data})),
    "tar": (".tar", lambda d, name: tarred("d/" + name, d.data)),
    "tar.gz": (".tar.gz", lambda d, name: gz(tarred("d/" + name, d.data))),
    "gz": (".{ext}.gz", lambda d, name: gz(d.data)),
    "attachment": (".eml", lambda d, name: attached(d.data, d.type, name)),
    "att octets": (".octets.eml", lambda d, name: attached(d.data, OCTETS, name)),
    "att untyped": (".untyped.eml", lambda d, name: attached(d.data, None, name)),
    "body": (".body.eml", lambda d, name: octets(head(7) + part(d.data, d.type))),
    "att in mail²": (".2.eml", lambda d, name: attached(attached(d.data, d.type, name), "message/rfc822", "a.eml")),
    "warc": (".warc", lambda d, name: warc(d.data, d.type)),
    "warc octets": (".octets.warc", lambda d, name: warc(d.data, OCTETS)),
    "warc.gz": (".warc.gz", lambda d, name: gz(warc(d.data, d.type))),
    "har": (".har", lambda d, name: har(d.data, d.type)),
    "ics": (".attach.ics", lambda d, name: attach(d.data)),
    "gmail": (".gmail.json", lambda d, name: gmail(d.data, d.type, name)),
    "zip in mail": (".zip.eml", lambda d, name: attached(zipped({"d/" + name: d.data}), "application/zip", "a.zip")),
    "uu in mail": (".uu.eml", lambda d, name: octets(f"{head(7)}\nhello\n\n{uu(name, d.data)}")),
    "deep in mail": (".deep.eml", lambda d, name: deep(d.data, name)),
}

# Cells.
def urls(links): return Counter(link.url for link in links.elements())

def judge(urlgrep, folder, doc, place):
    """Searches a document in a place, and compares what is found with what it holds."""
    end, build = PLACES[place]
    path = os.path.join(folder, doc.name.replace(" ", "-") + end.format(ext=doc.ext))
    data = build(doc, "a." + doc.ext)
    with open(path, "wb") as file:
        file.write(data)
    named = "-" if place == "stdin" else path
    command = [urlgrep, "--no-config", "--json", *["-j4"] * (place == "-j4"), named]
    with open(path if place == "stdin" else os.devnull, "rb") as file:
        run = subprocess.run(command, stdin=file, capture_output=True, timeout=60)
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    found = Counter(map(link_of, rows))
    said = run.stderr.decode(errors="replace").splitlines() + [f"exit status {run.returncode}"] * (run.returncode not in (0, 1, 2))
    told = any(line.startswith(f"urlgrep: {named}") and ALWAYS_SAID not in line for line in said)
    expected = Counter(doc.links)
    lost, extra = urls(expected) - urls(found), urls(found) - urls(expected)
    verdict = "S" if lost and not told else "X" if extra else "r" if lost else "D" if found != expected else "."
    lines = [f"  {mark} {' | '.join(map(str, link))}" for mark, some in (("-", expected - found), ("+", found - expected)) for link in some.elements()]
    shown = f"  $ {shlex.join(command)}" + f" <{path}" * (place == "stdin")
    return Cell(doc.name, place, verdict, rows, data, [shown, *lines, *(f"  ! {line}" for line in said)])

def link_of(row): return Link(str(row["url"]), row["role"], row["element"], row["text"], tuple(row["alternatives"]))

def moved(doc, data):
    """The function from an offset in a document to the one in these bytes, which have it verbatim or in base64; None if they do not."""
    if (at := data.find(doc)) >= 0:
        return lambda offset: at + offset
    kept = [n for n, byte in enumerate(data) if byte not in b"\r\n "]
    packed, encoded = bytes(data[n] for n in kept), base64.b64encode(doc).rstrip(b"=")
    at = next((at for text in (encoded, encoded.translate(bytes.maketrans(b"+/", b"-_"))) if (at := packed.find(text)) >= 0), None)
    return at if at is None else lambda offset: kept[min(at + offset * 4 // 3, len(kept) - 1)]

def wrong_columns(cell, alone):
    """The columns of a cell that are not what they are in the document alone, and what the place adds."""
    id, number, uri = AROUND.get(cell.place, (None, None, None))
    several = any((row["message"] or {}).get("index") for row in alone.rows)
    by_link = lambda rows: sorted(rows, key=lambda row: (repr(link_of(row)), row["start"]))
    move = None if cell.doc in COMPRESSED or cell.place in ("zip", "tar", "tar.gz", "gz", "warc.gz") else moved(alone.data, cell.data)
    wrong = {}
    for row, own in zip(by_link(cell.rows), by_link(alone.rows)):
        message, of_own = row["message"] or {}, own["message"] or {}
        # Mail or a record; a value of JSON has none of these columns.
        is_message = any(of_own.get(column) for column in ("id", "subject", "uri"))
        # An entity without the fields of a message is the part itself, and only its own parts have further numbers.
        is_part = number and not is_message and all((row["message"] or {}).get("part") == "1" for row in alone.rows)
        numbers = [number, str(of_own["index"] + 1) if several and cell.place in WITHIN else None, None if is_part else of_own.get("part")]
        found = {"id": message.get("id"), "part": message.get("part"), "uri": message.get("uri")}
        expected = {"id": of_own.get("id") if is_message and (of_own.get("uri") or not uri) else "urn:uuid:1" if uri else id, "uri": of_own.get("uri") or uri,
                    "part": ".".join(filter(None, numbers)) or None}
        if move:
            found["range"] = (row["start"], row["end"])
            expected["range"] = near = (move(own["start"]), move(own["end"] - 1) + 1)
            # A byte is in one or two characters of base64, and either counts.
            if all(abs(a - b) <= 4 for a, b in zip(near, found["range"])):
                del found["range"]
        wrong |= {column: f"  {column}: expected {expected[column]}, found {found[column]}" for column in found if found[column] != expected[column]}
    return wrong

def letter(cell, alone):
    verdict = "c" if cell.verdict == alone.verdict == "." and wrong_columns(cell, alone) else cell.verdict
    excepted = any(cell.doc in docs and cell.place in places and verdict in verdicts for docs, places, verdicts, _ in EXCEPTIONS)
    same = Counter(map(link_of, cell.rows)) == Counter(map(link_of, alone.rows))
    return "e" if excepted else verdict.lower() if same else verdict

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urlgrep", metavar="URLGREP", help="the program")
    parser.add_argument("--show", action="store_true", help="print each cell that is not ok, with its command, and keep the files")
    parser.add_argument("--only", metavar="DOC", default="*", help="only documents with this name, which may be a pattern")
    parser.add_argument("--jobs", metavar="N", type=int, default=os.cpu_count(), help="how many processes at a time")
    options = parser.parse_args()
    chosen = [doc for doc in documents() if fnmatch.fnmatchcase(doc.name, options.only)]
    docs, folder = [doc for doc in chosen if doc.data is not None], tempfile.mkdtemp(prefix="matrix-")
    if not options.show:
        atexit.register(shutil.rmtree, folder)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judged = pool.map(lambda pair: judge(options.urlgrep, folder, *pair), [(doc, place) for doc in docs for place in PLACES])
        cells = {(cell.doc, cell.place): cell for cell in judged}
    letters = {key: letter(cell, cells[cell.doc, "file"]) for key, cell in cells.items()}
    print("\n".join(" " * 17 + "| " * n + place for n, place in enumerate(PLACES)))
    for doc in chosen:
        print(f"{doc.name:17}" + (" ".join(letters[doc.name, place] for place in PLACES) if doc in docs else "skipped: no program makes it"))
    for key, cell in cells.items() if options.show else ():
        if letters[key] not in ".e":
            wrong = wrong_columns(cell, cells[cell.doc, "file"]).values() if letters[key] == "c" else ()
            print(f"\n{letters[key]} {cell.doc}, {cell.place}", *cell.lines, *wrong, sep="\n")
    total = Counter(letters.values())
    needed = [any(letters.get((doc, place)) == "e" for doc in docs for place in places) for docs, places, *_ in EXCEPTIONS]
    print(*(f"\nno longer an exception: {row[-1]}" for row, is_needed in zip(EXCEPTIONS, needed) if not is_needed and options.only == "*"))
    print(f"excepted {total.pop('e', 0)}; as in a file of its own {sum(total[mark] for mark in 'dsx')}")
    wrong = Counter(column for key, mark in letters.items() if mark == "c" for column in wrong_columns(cells[key], cells[key[0], "file"]))
    print(f"columns: {total['c']} cells have wrong ones; " + ", ".join(f"{column} {wrong[column]}" for column in COLUMNS))
    ok, reported, differs, silent, extra = total["."] + total["c"], total["r"], *(total[mark] + total[mark.lower()] for mark in "DSX")
    print(f"cells {sum(total.values())}: ok {ok}, reported {reported}, differs {differs}, silent {silent}, extra {extra}")
    return 1 if differs + silent + extra else 0

if __name__ == "__main__":
    sys.exit(main())
