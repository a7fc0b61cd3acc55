#!/usr/bin/env python3
"""Whether messages have the same matches in every container as one by one.

usage: containers.py URLGREP PATH ...      messages: files, or directories of them
options: --count N (400), --seed N (1), --keep DIR (the containers stay there)

Puts the messages into every container that Python can write, and compares what urlgrep finds in each
container with what it finds in the messages alone: the URL, its form, its place in the message (line,
header, part, content type), and the Message-ID. Prints a line for each container; the last line is
"N differ". A message takes part if it is one by itself: urlgrep reads it as one message, and no line in it
begins with "From ", which an mbox would change.
"""
import argparse, bz2, email, gzip, io, json, lzma, mailbox, os, random, subprocess, sys, tarfile, tempfile, zipfile

KEYS = ("url", "form", "grade", "join")
IN_MESSAGE = ("id", "header", "part", "content_type", "quote_depth")


def run(urlgrep, *paths):
    done = subprocess.run([urlgrep, "--json", "-j1", *paths], capture_output=True)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode(errors="replace")


def facts(match):
    message = match["message"] or {}
    return tuple(match[key] for key in KEYS) + tuple(message.get(key) for key in IN_MESSAGE)


def one_by_one(urlgrep, messages, folder):
    """The matches of each message, in order."""
    found = []
    for n, message in enumerate(messages):
        path = os.path.join(folder, "one")
        with open(path, "wb") as file:
            file.write(message)
        found.append([facts(match) for match in run(urlgrep, path)[0]])
    return found


def fits(message):
    text = message.replace(b"\r\n", b"\n")
    return (b"\r" not in text and b"\nFrom " not in text and b"\n>From " not in text and b"\x1f" not in text and b"\0" not in text
            and not text.startswith(b"From ") and b"\x01\x01\x01\x01" not in text
            and b"\n\n" in text and email.message_from_bytes(text)["subject"] is not None)


def collect(paths, count, seed, urlgrep, folder):
    files = []
    for path in paths:
        for parent, _, names in os.walk(path):
            files += [os.path.join(parent, name) for name in names]
        files += [path] if os.path.isfile(path) else []
    files.sort()
    random.Random(seed).shuffle(files)
    messages = []
    for path in files:
        if len(messages) == count:
            break
        with open(path, "rb") as file:
            message = file.read().replace(b"\r\n", b"\n")
        if message.startswith(b"From "):
            message = message.split(b"\n", 1)[1]
        message = message.rstrip(b"\n") + b"\n"
        if fits(message) and is_mail(urlgrep, message, folder):
            messages.append(message)
    return messages


def is_mail(urlgrep, message, folder):
    path = os.path.join(folder, "candidate")
    with open(path, "wb") as file:
        file.write(message)
    found, _ = run(urlgrep, path)
    return bool(found) and all(match["message"] and match["message"]["index"] == 0 for match in found)


def by_mailbox(kind):
    """A container that the module mailbox writes."""
    def write(path, messages):
        box = getattr(mailbox, kind)(path, create=True)
        for message in messages:
            box.add(message)
        box.close()
    return write


def mbox(messages, line_end=b"\n", between=b"\n", separator=b"From a@example.org Fri Mar  2 10:11:12 2001"):
    return b"".join(separator + b"\n" + message + between for message in messages).replace(b"\n", line_end)


def file(contents):
    def write(path, messages):
        with open(path, "wb") as out:
            out.write(contents(messages))
    return write


def names(messages):
    return [f"dir/{n:04}.eml" for n in range(len(messages))]


def tar(messages, format=tarfile.USTAR_FORMAT, long=False):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=format) as archive:
        for name, message in zip(names(messages), messages):
            info = tarfile.TarInfo("long" * 60 + "/" + name if long else name)
            info.size = len(message)
            archive.addfile(info, io.BytesIO(message))
    return out.getvalue()


def zipped(messages, method=zipfile.ZIP_DEFLATED):
    return zip_of(zip(names(messages), messages), method)


def zip_of(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def tar_of(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def rnews(messages):
    return b"".join(b"#! rnews %d\n" % len(message) + message for message in messages)


def emlx(message):
    return b"%-10d\n" % len(message) + message + b'<?xml version="1.0"?>\n<plist><string>http://plist.example.org/</string></plist>\n'


def mbx(messages):
    head = (b"*mbx*\r\n%08x00000000\r\n" % 1).ljust(2046, b"\0") + b"\r\n"
    one = lambda m: b" 2-Mar-2001 10:11:12 +0000,%d;000000000000-00000001\r\n" % len(m) + m
    return head + b"".join(one(message.replace(b"\n", b"\r\n")) for message in messages)


def listserv(messages):
    return b"".join(b"=" * 73 + b"\nDate: Mon, 2 Mar 1998 10:11:12 -0500\n" + message + b"\n" for message in messages)


CONTAINERS = {
    "mbox": by_mailbox("mbox"), "MMDF": by_mailbox("MMDF"), "Babyl": by_mailbox("Babyl"), "Maildir": by_mailbox("Maildir"),
    "MH": by_mailbox("MH"), "mbox, CRLF": file(lambda m: mbox(m, b"\r\n")), "mbox, CR": file(lambda m: mbox(m, b"\r")),
    "mbox, no empty lines": file(lambda m: mbox(m, between=b"")), "mbox, no dates": file(lambda m: mbox(m, separator=b"From -")),
    "mbox.gz": file(lambda m: gzip.compress(mbox(m))), "mbox.bz2": file(lambda m: bz2.compress(mbox(m))),
    "mbox.xz": file(lambda m: lzma.compress(mbox(m))), "mbox.lzma": file(lambda m: lzma.compress(mbox(m), format=lzma.FORMAT_ALONE)),
    "MBX": file(mbx), "LISTSERV": file(listserv), "rnews": file(rnews), "tar, ustar": file(tar), "tar, GNU": file(lambda m: tar(m, tarfile.GNU_FORMAT, True)),
    "tar, pax": file(lambda m: tar(m, tarfile.PAX_FORMAT, True)), "tar.gz": file(lambda m: gzip.compress(tar(m))),
    "tar.xz": file(lambda m: lzma.compress(tar(m))), "tar of an mbox.gz": file(lambda m: tar_of([("a.mbox.gz", gzip.compress(mbox(m)))])),
    "tar of emlx": file(lambda m: tar_of(zip(names(m), map(emlx, m)))),
    "zip": file(zipped), "zip, stored": file(lambda m: zipped(m, zipfile.ZIP_STORED)), "zip, bzip2": file(lambda m: zipped(m, zipfile.ZIP_BZIP2)),
    "zip, LZMA": file(lambda m: zipped(m, zipfile.ZIP_LZMA)), "zip in zip": file(lambda m: zip_of([("in.zip", zipped(m))])),
    "tar in zip": file(lambda m: zip_of([("in.tar", tar(m))])), "zip in tar.gz": file(lambda m: gzip.compress(tar_of([("in.zip", zipped(m))]))),
}


def order(match):
    """Matches in the order of their messages: by the file or member of a message, or by its index."""
    path = match["path"] if isinstance(match["path"], str) else ""
    digits = "".join(c for c in os.path.basename(path).split(".")[0] if c.isdigit())
    return (int(digits) if digits and not path.endswith(("mbox", "zip", "tar")) else 0, match["message"]["index"] if match["message"] else -1)


def check(options, name, messages, expected, folder):
    path = os.path.join(folder, name.replace(" ", "_").replace(",", ""))
    CONTAINERS[name](path, messages)
    found, errors = run(options.urlgrep, path)
    if name == "Maildir":  # in the order of the file names, which are not that of the messages
        same = sorted(map(repr, map(facts, found))) == sorted(repr(fact) for one in expected for fact in one)
    else:
        found.sort(key=order)
        same = [facts(match) for match in found] == [fact for one in expected for fact in one]
    error = errors.partition("\n")[0]
    print(f"{'same' if same and not error else 'DIFFERS'}  {name}: {len(found)} matches{error and '; ' + error}")
    if not same:
        difference(found, expected)
    return same and not error


def difference(found, expected):
    flat = [fact for one in expected for fact in one]
    for match, fact in zip(found, flat):
        if facts(match) != fact:
            print(f"    expected {fact}\n    found    {facts(match)} at {match['path']}:{match['line']}")
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("urlgrep")
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        messages = collect(options.paths, options.count, options.seed, options.urlgrep, folder)
        expected = one_by_one(options.urlgrep, messages, folder)
        print(f"{len(messages)} messages, {sum(map(len, expected))} matches")
        folder = options.keep or folder
        os.makedirs(folder, exist_ok=True)
        differ = sum(not check(options, name, messages, expected, folder) for name in CONTAINERS)
    print(f"{differ} differ")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
