#!/usr/bin/env python3
"""How fast folders, JSON Lines, pages and web archives are, beside what people use for them, judged by ratios of one run.

usage: formats.py FOLDER [BINARY]           (default: target/release/urlgrep)

FOLDER has messages, as for messages.py. Of them are made: a folder of 50,000 files, one message without attachments each; 100 MB of JSON Lines, one
object for each text; their HTML, as pages and as a compressed WARC of 50 MB, one response each. The programs take turns; see
messages.py for what a ratio is. Needs rg, grep and jq. Of the Python packages selectolax, resiliparse and fastwarc, those that
are not installed are named and left out.
"""

import email, email.policy, gzip, importlib.util, json, os, sys, tempfile

from messages import RG, in_turns, messages, report

FILES, JSON_BYTES, PAGE_BYTES = 50_000, 100_000_000, 50_000_000

ERE = r"(https?|ftp|gopher|telnet)://[^[:space:]<>\"`\\|]+"

STRINGS = ".. | strings"


def parts(folder, kind):
    """The decoded parts of this type of the messages below a folder, with the subject of each."""
    for raw in messages(folder):
        message = email.message_from_bytes(raw.partition(b"\n")[2], policy=email.policy.compat32)
        for part in message.walk():
            if part.get_content_type() == kind and (content := part.get_payload(decode=True)):
                yield str(message["Subject"]), content.decode("utf-8", "replace")


def repeated(make):
    """What `make()` yields, over and over."""
    while True:
        found = False
        for item in make():
            found = True
            yield item
        if not found:
            sys.exit("formats.py: no such messages")


def make_files(folder, target):
    plain = lambda: (raw for raw in messages(folder) if b"application/" not in raw)
    for n, raw in zip(range(FILES), repeated(plain)):
        directory = os.path.join(target, f"{n // 500:03}")
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, f"{n:05}"), "wb") as file:
            file.write(raw.partition(b"\n")[2])


def make_json(folder, path):
    size = 0
    with open(path, "w", encoding="ascii") as file:
        for n, (subject, text) in enumerate(repeated(lambda: parts(folder, "text/plain"))):
            size += file.write(json.dumps({"id": n, "subject": subject, "text": text, "lang": "en"}) + "\n")
            if size > JSON_BYTES:
                return


def make_pages(folder, directory, warc):
    os.makedirs(directory)
    size = 0
    with open(warc, "wb") as archive:
        for n, (_, html) in enumerate(repeated(lambda: parts(folder, "text/html"))):
            page = html.encode()
            with open(os.path.join(directory, f"{n:05}.html"), "wb") as file:
                file.write(page)
            archive.write(gzip.compress(record(n, page), 6))
            size += len(page)
            if size > PAGE_BYTES:
                return


def record(n, page):
    """A response of WARC 1.0."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page
    head = f"WARC-Type: response\r\nWARC-Target-URI: http://h.org/{n}\r\nContent-Length: {len(http)}\r\n"
    ids = f"WARC-Record-ID: <urn:uuid:{n:032x}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
    return f"WARC/1.0\r\n{head}{ids}\r\n".encode() + http + b"\r\n\r\n"


def links_of(parser):
    """A function that lists the links of a page by one of the parsers."""
    if parser == "selectolax":
        from selectolax.lexbor import LexborHTMLParser

        return lambda page: [a.attributes["href"] for a in LexborHTMLParser(page).css("a[href]")]
    from resiliparse.parse.html import HTMLTree

    def links(page):
        return [a["href"] for a in HTMLTree.parse_from_bytes(page).document.query_selector_all("a[href]")]

    return links


def peer(parser, path):
    """Prints the links of the pages in a folder, or in a WARC."""
    links = links_of(parser)
    for page in pages_in(path):
        print("\n".join(filter(None, links(page))))


def pages_in(path):
    if os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            with open(os.path.join(path, name), "rb") as file:
                yield file.read()
        return
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as file:
        for response in ArchiveIterator(file, record_types=WarcRecordType.response):
            yield response.reader.read()


def jobs(binary, files, lines, pages, warc):
    one, two = [binary, "-j1"], [binary, "-j2"]
    rg = ["rg", "-o", "--no-line-number", "-a", RG]
    commands = {
        "folder": [*one, files],
        "folder -j2": [*two, files],
        "folder: text": [*one, "--input", "text", files],
        "rg -o -j1": [*rg, "-j1", "--sort", "path", files],
        "grep -r": ["grep", "-r", "-a", "-o", "-E", "-i", ERE, files],
        "json lines": [*one, lines],
        "json: text": [*one, "--input", "text", lines],
        "jq | rg": ["sh", "-c", 'jq -r "$1" "$2" | rg -o -a "$3"', "sh", STRINGS, lines, RG],
        "rg on json": [*rg, lines],
        "pages": [*one, pages],
        "pages: links": [*one, "--links", pages],
        "warc": [*one, warc],
    }
    for parser in ("selectolax", "resiliparse"):
        if not importlib.util.find_spec(parser):
            print(f"not run, for it is not installed: {parser}", file=sys.stderr)
            continue
        commands[f"{parser}"] = [sys.executable, __file__, "--peer", parser, pages]
        if importlib.util.find_spec("fastwarc"):
            commands[f"warc {parser}"] = [sys.executable, __file__, "--peer", parser, warc]
    return commands


# The time of the first may be at most so many times that of the second.
TARGETS = [
    ("folder", "rg -o -j1", None),
    ("folder", "folder: text", None),
    ("folder -j2", "folder", None),
    ("folder", "grep -r", None),
    ("json lines", "json: text", None),
    ("json lines", "rg on json", None),
    ("json lines", "jq | rg", 1.0),
    ("pages", "selectolax", 1.0),
    ("pages", "resiliparse", 1.0),
    ("warc", "warc selectolax", 1.0),
    ("warc", "warc resiliparse", 1.0),
]


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--peer":
        peer(sys.argv[2], sys.argv[3])
        return
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    binary = sys.argv[2] if len(sys.argv) > 2 else "target/release/urlgrep"
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("files", "lines.jsonl", "pages", "pages.warc.gz")]
        files, lines, pages, warc = paths
        make_files(sys.argv[1], files)
        make_json(sys.argv[1], lines)
        make_pages(sys.argv[1], pages, warc)
        times = in_turns(jobs(binary, *paths))
    sys.exit(report(times, TARGETS))


if __name__ == "__main__":
    main()
