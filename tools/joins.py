#!/usr/bin/env python3
"""Shows what --join likely does to an archive, for review by a person.

usage: joins.py joins  URLGREP PATH ...           every join, with its rule and its lines
       joins.py cut    URLGREP PATH ...           URLs that look broken, found without the rules, and
                                                  whether they were joined
options: --sample N (all), --seed N (1), --raw (files as text), --list (cut: only those not joined)

"cut" is an independent search. A URL that runs to the end of its line is a candidate if
  known  the URL with the first word of the next line occurs unbroken elsewhere, or
  path   the next line, without its quote prefix, starts with something like the rest of a path: a
         word with a slash, a query, an escape, or a name with an extension
A candidate is not always a broken URL: read the lines and decide.
"""
import argparse, collections, json, os, random, re, subprocess

URL = re.compile(rb"(?:https?|ftp|gopher)://[^\s<>\"`\\]+")
AT_END = re.compile(rb"((?:https?|ftp|gopher)://[^\s<>\"`\\]*)\r?\n([^\r\n]*)")
MARKS = re.compile(rb"^[ \t>|:#*%;]*")
PATH = re.compile(rb"^(?:[\w.~%+=&-]*/[\w.~%+=&/?-]*[\w/=]|[?&][\w.]+=\S*|[\w.-]+=[\w%.&=-]+|%[0-9A-Fa-f]{2}\S+|[\w-]+\."
                  rb"(?:html?|txt|pdf|ps|gz|zip|tgz|php|asp|cgi|gif|jpg|png|xml|patch|diff|c|h|py)\b\S*|[\w-]*[_\d][\w.-]*[a-z\d]$)")
HTML = (".html", ".htm", ".gz", ".zip", ".bz2", ".lha", ".lzh")


def matches(options, join):
    mode = ["--input", "text"] if options.raw else []
    run = [options.urlgrep, "--join", join, "--json", *mode, *options.paths]
    lines = subprocess.run(run, capture_output=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def rules(options):
    """The rule of each match, in order."""
    mode = ["--input", "text"] if options.raw else []
    run = [options.urlgrep, "--join", "likely", "--explain", "-I", *mode, *options.paths]
    found = []
    for line in subprocess.run(run, capture_output=True).stdout.splitlines():
        rule = re.match(rb"^  : .*\(--join likely, rule (.)\)", line)
        if not line.startswith(b"  "):
            found.append("")
        elif rule:
            found[-1] = rule[1].decode()
    return found


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def show(data, start, end):
    """The lines of a range, with two before and two after."""
    for _ in range(3):
        start = data.rfind(b"\n", 0, max(start, 0))
    for _ in range(3):
        end = data.find(b"\n", end + 1) if end >= 0 else end
    end = len(data) if end < 0 else end
    for line in data[start + 1 : end].splitlines():
        print("    |" + line.decode("utf-8", "replace")[:200])


def sample(things, options):
    random.seed(options.seed)
    few = options.sample is None or len(things) <= options.sample
    return things if few else sorted(random.sample(things, options.sample), key=things.index)


def joins(options):
    found = [(m, rule) for m, rule in zip(matches(options, "likely"), rules(options)) if m["join"] == "guess"]
    print(len(found), "joins", dict(collections.Counter(rule for _, rule in found)))
    for n, (m, rule) in enumerate(sample(found, options)):
        print(f"{n} {rule} {m['path']}:{m['line']}\n    = {m['url']}")
        show(read(m["path"].split("!/")[0]), m["start"], m["end"])


def files(paths):
    for path in paths:
        for folder, _, names in sorted(os.walk(path)) if os.path.isdir(path) else [("", [], [path])]:
            yield from (os.path.join(folder, name) for name in sorted(names) if not name.lower().endswith(HTML))


def candidates(options):
    """Where a URL seems cut: path, offset, first part, rest, reason."""
    texts = {path: read(path) for path in files(options.paths)}
    whole = {url.rstrip(b".,;:!?)'*_]}") for text in texts.values() for url in URL.findall(text)}
    for path, text in texts.items():
        for hit in AT_END.finditer(text):
            line = MARKS.sub(b"", hit[2])
            word = line.split()[0] if line.split() else b""
            word = re.split(rb"[<>\"`\\]", word)[0].rstrip(b".,;:!?)'*]}")
            line = text[text.rfind(b"\n", 0, hit.start()) + 1 : hit.start() + len(hit[1])]
            if hit[1].endswith(b"://") or (hit[1].endswith(b"=") and 73 <= len(line) <= 76):
                # No URL yet, or a soft break of quoted-printable.
                continue
            before = text[max(hit.start() - 5, 0) : hit.start()].lower()
            if not word or b"://" in word or b"@" in word or before.endswith((b"<", b"url:", b'"')):
                continue
            if hit[1] + word in whole:
                yield path, hit.start(), hit[1], word, "known"
            elif PATH.match(word):
                yield path, hit.start(), hit[1], word, "path"


def cut(options):
    joined = {}
    for m in matches(options, "likely"):
        joined.setdefault((m["path"], m["pieces"][0][0]), m)
    found = list(candidates(options))
    print(len(found), "candidates", dict(collections.Counter(why for *_, why in found)))
    for n, (path, at, url, word, why) in enumerate(sample(found, options)):
        m = joined.get((path, at))
        state = "joined" if m and m["join"] == "guess" else "delimited" if m and m["join"] else "not joined"
        if options.list and state != "not joined":
            continue
        print(f"{n} {why} {state} {path}\n    = {m['url'] if m else None}")
        show(read(path), at, at + len(url) + 2)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=["joins", "cut"])
    parser.add_argument("urlgrep")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    {"joins": joins, "cut": cut}[options.what](options)


main()
