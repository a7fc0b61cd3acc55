#!/usr/bin/env python3
"""What the formats of files cost: the URLs that `--input text` finds below a directory and the default does not.

usage: losses.py DIR ... [--program URLGREP]

A URL of the text is kept if a match of the default covers its bytes, alone, decoded or as a part of a longer URL, or if the
URL of some match of the file contains it (parts that are decoded twice). A match that begins at the same byte and ends
earlier is "shorter" if what it leaves out is more than marks: that is printed, and no loss. Header fields that are not
read, what standard error names, members of archives that are programs or pictures (which it would name alone), and
the namespaces of office documents are no losses.

Each loss is a line `FILE:LINE:URL`. The last line is `F files, U URLs, L lost, S shorter`; the exit status is 1 if any is
lost.
"""
import argparse, bisect, collections, functools, gzip, html, json, os, re, subprocess, sys, tempfile, zipfile

BATCH = 200
# Fields that only identify or trace a message: they are never read.
TRACES = re.compile(rb"(?i)^(received|message-id|references|in-reply-to|return-path|path|xref|content-id|content-class|"
                    rb"dkim-signature|arc-[\w-]+|authentication-results|thread-index|control|feedback-id|received-spf|"
                    rb"x-[\w-]*(message-id|signature|uidl|face|correlator|source)[\w-]*|warc-[\w-]+)[ \t]*:")
# What declares a namespace ends so before it.
DECLARATION = re.compile(rb"xmlns(:[\w.-]+)?\s*=\s*[\"']$")
NAMESPACES = re.compile(r"http://schemas\.openxmlformats\.org/|http://schemas\.microsoft\.com/office/|http://purl\.oclc\.org/ooxml/"
                        r"|urn:schemas-microsoft-com:(office|vml)|urn:oasis:names:tc:opendocument:")
OFFICE = (".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".pptx", ".potx", ".odt", ".ott", ".ods", ".odp", ".odg", ".odf", ".epub")
MARKS = re.compile(r"^(?:[\s.,;:!?)\]}>'\"*_~|\\/&#-]|\\[nrtux]\w*|&\w+;?|%22|%3E)*$")


def files_below(paths):
    for path in paths:
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if name != ".git")
            names = sorted(name for name in names if not name.lower().endswith(OFFICE))
            yield from (os.path.join(folder, name) for name in names)


def matches(program, options, batch):
    """For each file its matches, and the files that standard error names."""
    run = [program, "--json", "--no-config", *options, "--", *batch]
    done = subprocess.run(run, capture_output=True)
    found = collections.defaultdict(list)
    for line in done.stdout.splitlines():
        match = json.loads(line)
        if isinstance(match["path"], str):
            found[match["path"].split("!/")[0]].append(match)
    named = {path for path in batch if path.encode() in done.stderr}
    return found, named


def field_at(data, at):
    """The line at which the field begins that the byte is in."""
    start = max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at)) + 1
    while start > 0 and data[start:start + 1] in (b" ", b"\t"):
        start = max(data.rfind(b"\n", 0, start - 1), data.rfind(b"\r", 0, start - 1)) + 1
    return data[start:start + 200]


def is_known_to_be_left(match, data, path, program):
    """Whether a match is in what is never read, or what standard error names."""
    at = match["segments"][0][0]
    if NAMESPACES.match(match["url"]) or TRACES.match(field_at(data, match["start"])):
        return True
    is_office = NAMESPACES.search(data[:4096].decode("latin-1")) is not None
    if is_office and DECLARATION.search(data[max(0, at - 100):at]):
        return True
    return is_named(path, program) or "!/" in match["path"] and is_named_alone(match["path"], program)


@functools.cache
def is_named_alone(path, program):
    """Whether standard error names a member of a zip archive that is searched by itself."""
    archive, member = path.split("!/", 1)
    try:
        data = zipfile.ZipFile(archive).read(member)
    except (OSError, KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return False
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return is_named(file.name, program)


def contents(path):
    """The bytes of a file, decompressed as offsets count them."""
    data = open(path, "rb").read()
    try:
        return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    except (OSError, EOFError):
        return data


@functools.cache
def is_named(path, program):
    """Whether standard error names a file that is searched alone: for many it counts them."""
    _, named = matches(program, [], [path])
    return bool(named)


def is_known(url, match):
    return url in match["url"] or html.unescape(url) in match["url"]


class Default:
    """The matches of the default in one file."""

    def __init__(self, matches):
        self.matches = matches
        self.spans = sorted((segment[0], segment[1], n) for n, match in enumerate(matches) for segment in match["segments"])
        self.starts = [span[0] for span in self.spans]

    def judge(self, match):
        """"kept", "shorter" or "lost", and the match that is there."""
        start, end = match["segments"][0][0], match["segments"][-1][1]
        best = None
        for near in range(bisect.bisect_right(self.starts, start) - 1, -1, -1):
            first, last, n = self.spans[near]
            if first <= start < last:
                reach = self.matches[n]["segments"][-1][1]
                best = max(best or (0, 0), (reach, n))
            if start - first > 1 << 16:
                break
        if best and best[0] >= end:
            return "kept", None
        if any(is_known(match["url"], other) for other in self.matches):
            return "kept", None
        if best:
            there = self.matches[best[1]]["url"]
            rest = match["url"].removeprefix(there)
            return ("kept" if MARKS.match(rest) else "shorter"), there
        return "lost", None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", metavar="DIR")
    parser.add_argument("--program", default="target/release/urlgrep")
    options = parser.parse_args()
    paths = list(files_below(options.paths))
    count = collections.Counter()
    for at in range(0, len(paths), BATCH):
        batch = paths[at:at + BATCH]
        text, _ = matches(options.program, ["--input", "text"], batch)
        default, named = matches(options.program, [], batch)
        for path in batch:
            count["urls"] += len(text[path])
            if path in named or not text[path]:
                continue
            there = Default(default[path])
            data = contents(path)
            for match in text[path]:
                verdict, shown = there.judge(match)
                if verdict == "lost" and is_known_to_be_left(match, data, path, options.program):
                    verdict = "kept"
                count[verdict] += 1
                if verdict != "kept":
                    print(f"{path}:{match['line']}:{match['url']}" + (f" -> {shown}" if shown else ""))
    print(f"{len(paths)} files, {count['urls']} URLs, {count['lost']} lost, {count['shorter']} shorter")
    sys.exit(1 if count["lost"] else 0)


if __name__ == "__main__":
    main()
