"""Compares the texts that urlgrep finds in mail with the texts of Python's `email`.

    python3 tools/against_email.py target/release/urlgrep FILE...

Each file is one message, whose parts both decode. In plain text, both must find the same hosts the same number of times; in
HTML, each URL that urlgrep found must be in the text that `email` decoded. The script prints the differences and counts them
by class. The exit status is 1 if anything differs.
"""

import collections
import email
import html
import json
import re
import subprocess
import sys

HOST = re.compile(r"(?:https?|ftp)://[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]", re.I)
NOTICE = re.compile(r"mime|multi-?part", re.I)


def decoded(part):
    """The text of a part."""
    bytes_ = part.get_payload(decode=True) or b""
    for charset in (part.get_content_charset(), "utf-8", "latin-1"):
        try:
            return bytes_.decode(charset or "utf-8")
        except (LookupError, UnicodeDecodeError):
            continue
    return ""


def texts(message):
    """The texts of a message: for each its media type and itself."""
    for part in message.walk():
        if part.is_multipart():
            notice = part.preamble and len(part.preamble.strip()) <= 1024 and NOTICE.search(part.preamble)
            yield "text/plain", "" if notice else part.preamble or ""
            yield "text/plain", part.epilogue or ""
        elif part.get_content_maintype() in ("text", "message"):
            yield part.get_content_type(), decoded(part)
            # The footer of a list, after lines of base64.
            lines = [line for line in str(part.get_payload()).splitlines() if "://" in line]
            base64 = str(part["content-transfer-encoding"]).lower() == "base64"
            yield part.get_content_type(), "\n".join(lines) if base64 else ""


def found(program, path):
    """The matches of the program in the bodies of a file."""
    command = [program, "--input", "mail", "--json", "--no-headers", path]
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.splitlines()
    matches = [json.loads(line) for line in lines]
    return [match for match in matches if match["message"] and isinstance(match["url"], str)]


def squeezed(text):
    """Returns a text without the characters that a link may lose: whitespace, and quote prefixes."""
    return re.sub(r"\s", "", re.sub(r"(?m)^[> ]+", "", text))


def differences(program, path, count):
    """What differs in one file: pairs of a class and a text. Calls `count` with the number of hosts."""
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file)
    by_type = collections.defaultdict(list)
    for kind, text in texts(message):
        by_type["html" if kind == "text/html" else "plain"].append(text)
    plain = collections.Counter(host.lower() for text in by_type["plain"] for host in HOST.findall(text))
    pages = html.unescape("\n".join(by_type["html"]))
    links = squeezed(pages) + squeezed(re.sub(r"<[^>]*>", "", pages))
    count(plain.total())
    ours = collections.Counter()
    for match in found(program, path):
        url = match["url"]
        if match["message"]["content_type"] == "text/html":
            if squeezed(url) not in links:
                yield "a link that email does not have", url
        else:
            ours.update(host.lower() for host in HOST.findall(url))
    for host in plain - ours:
        yield "a host that only email has", host
    for host in ours - plain:
        yield "a host that only urlgrep has", host


def main():
    program, *paths = sys.argv[1:]
    classes = collections.Counter()
    hosts = 0

    def count(more):
        nonlocal hosts
        hosts += more

    for path in paths:
        for kind, text in differences(program, path, count):
            classes[kind] += 1
            print(f"{path}: {kind}: {text}")
    for kind, count in classes.items():
        print(f"{count} × {kind}")
    print(f"{len(paths)} messages, {hosts} hosts in plain text, {sum(classes.values())} differ")
    return 1 if classes else 0


if __name__ == "__main__":
    sys.exit(main())
