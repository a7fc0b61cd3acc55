#!/usr/bin/env python3
"""What the formats of files cost: the URLs that `--input text` finds below a directory and the default does not.

usage: losses.py DIR ... [--program URLGREP]

A URL of the text is kept if a match of the default covers its bytes, alone, decoded or as a part of a longer URL, or if
the URL of some match of the file contains it (parts that are decoded twice), as it is or as mail and JSON read its
bytes: quoted-printable or UTF-7 decoded, without the letter of an escape before it. If a match covers where it begins
and ends earlier, it is kept if only marks are left out, lost if the host of the match is another one, else "shorter":
that is printed, and no loss.

Left out, and not counted, is what the documentation says is not read: files, members of archives and, in Outlook's
messages, parts that standard error names, or would if they were searched alone; header fields that only trace a
message; packages of office documents (archives with [Content_Types].xml or META-INF/manifest.xml), and their namespaces
elsewhere; bodies of `warcinfo` and `request` records of WARC, and the HTTP fields of others but Link and Location; the
first record of ARC, and the first line of the others; the notice before the first part of a message; the property list
after the message of an .emlx.

Each loss is a line `FILE:LINE:URL`. The last line is `F files, U URLs, L lost, S shorter`; the exit status is 1 if any
is lost.
"""
import argparse, base64, bisect, bz2, collections, functools, gzip, html, io, itertools, json, lzma, os, re, subprocess
import sys, tarfile, tempfile, zipfile, zlib

BATCH, BATCH_SIZE = 200, 64 << 20
# Fields that only identify or trace a message: they are never read.
TRACES = re.compile(rb"(?i)^(received|message-id|references|in-reply-to|return-path|path|xref|content-id|content-class|"
                    rb"dkim-signature|arc-[\w-]+|authentication-results|thread-index|control|feedback-id|received-spf|"
                    rb"x-[\w-]*(message-id|signature|uidl|face|correlator|source)[\w-]*|warc-[\w-]+)[ \t]*:")
# What declares a namespace ends so before it.
DECLARATION = re.compile(rb"xmlns(:[\w.-]+)?\s*=\s*[\"']$")
NAMESPACES = re.compile(r"http://(schemas\.openxmlformats\.org|schemas\.microsoft\.com/office|purl\.oclc\.org/ooxml)/"
                        r"|http://(openoffice\.org/\d{4}|docs\.oasis-open\.org/ns/office)/"
                        r"|urn:schemas-microsoft-com:(office|vml)|urn:oasis:names:tc:opendocument:")
PACKAGE = re.compile(r"(.*!/)(\[Content_Types\]\.xml|META-INF/manifest\.xml)$")
MARKS = re.compile(r"^(?:[\s.,;:!?)\]}>'\"*_~|\\/&#-]|\\[nrtux]\w*|&#?\w+;?|%22|%3E)*$")
HOST = re.compile(r"[\w.+-]+:/*(?:[^/?#@]*@)?([^/?#:]*)")

Match = collections.namedtuple("Match", "path line segments start end url host")


def batches(paths):
    """The files below the paths, in lists that are not too large."""
    batch, size = [], 0
    for path in paths:
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if name != ".git")
            for file in filter(os.path.isfile, (os.path.join(folder, name) for name in sorted(names))):
                batch.append(file)
                size += os.path.getsize(file)
                if len(batch) >= BATCH or size >= BATCH_SIZE:
                    yield batch
                    batch, size = [], 0
    if batch:
        yield batch


def text_of(value):
    """A path or a URL of JSON, which is an object if it is not valid UTF-8."""
    return value if isinstance(value, str) else base64.b64decode(value["bytes"]).decode(errors="surrogateescape")


def matches(program, options, batch, stderr=subprocess.DEVNULL):
    """The matches in files, one after the other."""
    run = [program, "--json", "--no-config", *options, "--", *batch]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=stderr) as process:
        for line in process.stdout:
            match = json.loads(line)
            segments = match["pieces"]
            yield Match(text_of(match["path"]), match["line"], segments, segments[0][0], segments[-1][1],
                        text_of(match["url"]), match["host"])


def file_of(match):
    return match.path.split("!/")[0]


def default_matches(program, batch):
    """For each file its matches, and for what standard error names, from which byte on it is not read."""
    found = collections.defaultdict(list)
    with tempfile.TemporaryFile() as stderr:
        for match in matches(program, [], batch, stderr):
            found[file_of(match)].append(match)
        stderr.seek(0)
        named = re.findall(rb"(?m)^urlgrep: (.*?): (?:the body at byte (\d+))?", stderr.read())
    return found, {os.fsdecode(path): int(at or 0) for path, at in reversed(named)}


def decompressed(data):
    for magic, module in ((b"\x1f\x8b", gzip), (b"BZh", bz2), (b"\xfd7zXZ", lzma)):
        if data.startswith(magic):
            return module.decompress(data)
    return data


@functools.lru_cache(4)
def contents(path):
    """The bytes of a file, or of a member of an archive, decompressed as offsets count them; none if that fails."""
    file, *members = path.split("!/")
    try:
        with open(file, "rb") as opened:
            data = decompressed(opened.read())
        for member in members:
            archive = io.BytesIO(data)
            if data.startswith(b"PK"):
                data = zipfile.ZipFile(archive).read(member)
            else:
                data = tarfile.open(fileobj=archive).extractfile(member).read()
            data = decompressed(data)
        return data
    except (OSError, EOFError, LookupError, ValueError, AttributeError, NotImplementedError, RuntimeError,
            zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error):
        return b""


@functools.cache
def unread_from(path, program):
    """Returns the offset from which a file or a member is not read. Searches it alone, because not all of many are reported."""
    with tempfile.NamedTemporaryFile() as file:
        if "!/" in path:
            file.write(contents(path))
            file.flush()
            path = file.name
        return default_matches(program, [path])[1].get(path, sys.maxsize)


def is_unread(match, data, program):
    """Returns true if standard error reports the file, the member or, in an Outlook message, the part that contains a match."""
    unread = min(unread_from(path, program) for path in {file_of(match), match.path})
    return unread == 0 or data.startswith(b"\xd0\xcf\x11\xe0") and match.start >= unread


def field_at(data, at):
    """The field up to the byte, from its first line on."""
    return re.split(rb"(?:\r\n|\n|\r(?!\n))(?![ \t])", data[max(0, at - 65536):at])[-1]


def is_office(data):
    return NAMESPACES.search(data[:4096].decode("latin-1")) is not None


def is_in_record_left_out(data, at):
    """Whether the byte is in what is not read of a web archive."""
    if data.startswith(b"filedesc:"):
        record = re.search(rb"\n\S+ [\d.]+ \d{14} .*\d\r?\n", data)
        line = data[data.rfind(b"\n", 0, at) + 1:at + 4096].split(b"\n")[0]
        return not record or at < record.start() or re.match(rb"\S+ [\d.]+ \d{14} .*\d\r?$", line)
    if not data.startswith(b"WARC/"):
        return False
    head = data.rfind(b"\nWARC/", 0, at)
    kind = re.search(rb"(?i)\nWARC-Type:(?:\r?\n[ \t]|[ \t])*(\w+)", data[max(0, head):at])
    if kind and kind[1] in (b"warcinfo", b"request"):
        return True
    http = re.search(rb"\n\r?\nHTTP/", data[max(0, head):at])
    return http and not re.search(rb"\n\r?\n", data[max(0, head) + http.end():at]) and \
        not re.match(rb"(?i)(link|location)[ \t]*:", field_at(data, at))


def is_in_notice(data, at):
    """Whether the byte is in the paragraph for readers without MIME before the first part of a message."""
    before = re.split(rb"\n\r?\n", data[max(0, at - 1024):at])[-1]
    after = re.match(rb"(?:.+\n)*?(?:\r?\n)*--(\S+)", data[at:at + 1024])
    if not after or not (before.lstrip().startswith(b"This") or b"MIME" in before + after[0]):
        return False
    head = data[max(0, at - 65536):at]
    return re.search(rb'(?i)boundary="?' + re.escape(after[1]), head) and b"\n--" + after[1] not in head


def is_after_message(data, at):
    """Whether the byte is in the property list after the message of an .emlx."""
    length = re.match(rb"(\d{1,12})[ \t]*\r?\n", data)
    end = length.end() + int(length[1]) if length else len(data)
    return at >= end and data[end:end + 64].lstrip().startswith(b"<?xml")


def is_left_out(match, data, program):
    """Whether a match is in what is not read."""
    at = match.start
    return NAMESPACES.match(match.url) or TRACES.match(field_at(data, at)) \
        or is_office(data) and DECLARATION.search(data[max(0, at - 100):at]) \
        or is_in_record_left_out(data, at) or is_in_notice(data, at) or is_after_message(data, at) \
        or is_unread(match, data, program)


def readings(match, data):
    """What the URL is in mail and in JSON, if its bytes may be encoded."""
    raw = data[match.start:match.end]
    escape = re.match(r"[bfnrt]|u[0-9A-Fa-f]{4}", match.url)
    if escape and data[match.start - 1:match.start] == b"\\":
        yield match.url[escape.end():]
    charsets = []
    if re.search(rb"=(\s|$|[0-9A-F]{2})", raw):
        joined = re.sub(rb"=?[ \t]*\r?\n|=$", b"", raw)
        raw = re.sub(rb"=([0-9A-F]{2})", lambda found: bytes.fromhex(found[1].decode()), joined)
        charsets.append("utf-8")
    if b"+A" in raw:
        charsets.append("utf-7")
    for charset in charsets:
        decoded = html.unescape(raw.decode(charset, "surrogateescape"))
        yield re.split(r"[\s<>\"']|\?$", decoded)[0]


class Default:
    """The matches of the default in one file."""

    def __init__(self, matches):
        self.urls = "\n".join(match.url for match in matches)
        self.spans = collections.defaultdict(list)
        for match in matches:
            self.spans[match.path] += [(first, last, match) for first, last in match.segments]
        for spans in self.spans.values():
            spans.sort(key=lambda span: span[0])

    def has(self, url):
        return url.startswith(":") or url in self.urls or html.unescape(url) in self.urls

    def judge(self, match):
        """"kept", "shorter" or "lost", and the match that is there."""
        spans, best = self.spans[match.path], None
        for near in range(bisect.bisect_right(spans, match.start, key=lambda span: span[0]) - 1, -1, -1):
            first, last, other = spans[near]
            if match.start < last and (best is None or best.end < other.end):
                best = other
            if best and best.end >= match.end or match.start - first > 1 << 16:
                break
        if best and best.end >= match.end or self.has(match.url):
            return "kept", None
        read = list(readings(match, contents(match.path)))
        if any(map(self.has, read)):
            return "kept", None
        if best is None:
            return "lost", None
        if MARKS.match(match.url.removeprefix(best.url)):
            return "kept", None
        hosts = {HOST.match(url)[1].lower() for url in [match.url, *read] if HOST.match(url)}
        is_false = match.host and best.host and best.host.lower() not in {match.host.lower(), *hosts}
        return ("lost" if is_false else "shorter"), best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="DIR")
    parser.add_argument("--program", default="target/release/urlgrep")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    count = collections.Counter()
    for batch in batches(options.paths):
        count["files"] += len(batch)
        default, named = default_matches(options.program, batch)
        for path, text in itertools.groupby(matches(options.program, ["--input", "text"], batch), file_of):
            if named.get(path) == 0:
                continue
            text = list(text)
            packages = tuple({found[1] for found in map(PACKAGE.match, {match.path for match in text}) if found})
            there = Default(default[path])
            for match in text:
                if match.path.startswith(packages):
                    continue
                verdict, shown = there.judge(match)
                if verdict == "lost" and is_left_out(match, contents(match.path), options.program):
                    continue
                count["urls"] += 1
                count[verdict] += 1
                if verdict != "kept":
                    print(f"{match.path}:{match.line}:{match.url}" + (f" -> {shown.url}" if shown else ""))
    print(f"{count['files']} files, {count['urls']} URLs, {count['lost']} lost, {count['shorter']} shorter")
    sys.exit(1 if count["lost"] else 0)


if __name__ == "__main__":
    main()
