#!/usr/bin/env python3
"""Measures the memory that a search of 2 GB of each container takes.

Writes each container to the standard input of the program, piece by piece, and prints a table of the
greatest memory (maximum resident set size, in MB of 1,000,000 bytes) of each search with -j1. Fails if one
is above the limit of 64 MB, or reports an error.

    tools/memory.py [--program target/release/urlgrep] [--only NAME] [--mib 2048]

The length is the length of the container, or of its decompressed data. Requires GNU time, zstd, lz4 and lzip.
"""

import argparse
import bz2
import gzip
import io
import lzma
import os
import struct
import subprocess
import sys
import tarfile
import zlib

LIMIT = 64
SEPARATOR = b"From a@h.org Fri Mar  2 10:11:12 2001\n"
LINE = b"Some words of a text that has no links in it, as most lines of a message have none.\n"


def message(body=LINE * 40, content_type=b"text/plain"):
    return b"From: a@h.org\nTo: b@h.org\nMessage-ID: <1@h.org>\nMIME-Version: 1.0\nContent-Type: " + content_type + (
        b"\n\nSee http://h.org/a\n" + body
    )


def tar_member(data):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        info = tarfile.TarInfo("dir/a")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return file.getvalue()[: 512 + -(-len(data) // 512) * 512]


def zip_member(data):
    packed = zlib.compress(data)[2:-4]
    head = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 0, zlib.crc32(data), len(packed), len(data), 1, 0)
    return head + b"a" + packed


def record(body, content_type=b"text/plain"):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: " + content_type + b"\r\n\r\nSee http://h.org/a\n" + body
    return (
        b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: http://h.org/\r\n"
        b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"
    )


def arc(body):
    return b"http://h.org/ 192.0.2.1 20010302101112 text/plain %d\n" % len(body) + body + b"\n"


def compressed(encode):
    """An mbox in a stream, and the length that it decompresses to."""
    text = (SEPARATOR + message() + b"\n") * 300
    return encode(text), len(text)


def command(*args):
    return lambda data: subprocess.run(args, input=data, stdout=subprocess.PIPE, check=True).stdout


def containers():
    """Yields name, start, piece and end; the length of a piece if it differs from its bytes; and the compressor."""
    mail = message()
    page = b"<html><body>\nSee http://h.org/a\n" + LINE * 200_000
    dense = b"<a href=http:b>x</a>\n" * 850_000
    links = b"<html><body>\n" + dense
    yield "text", b"", LINE * 40 + b"See http://h.org/a\n\n", b""
    yield "text without line breaks", b"", b"See http://h.org/a " + b"word " * 2000, b""
    yield "mbox", b"", SEPARATOR + mail + b"\n", b""
    yield "mbox, messages of 30 MB", b"", SEPARATOR + message(LINE * 350_000) + b"\n", b""
    yield "MMDF", b"", b"\1\1\1\1\n" + mail + b"\1\1\1\1\n", b""
    yield "Babyl", b"BABYL OPTIONS:\nVersion: 5\n\x1f", b"\x0c\n0, unseen,,\n*** EOOH ***\n" + mail + b"\x1f", b""
    crlf = mail.replace(b"\n", b"\r\n")
    size = b" 2-Mar-2001 10:11:12 +0000,%d;000000000000-00000000\r\n" % len(crlf)
    yield "MBX", b"*mbx*\r\n" + b"0" * 8 + b"\r\n" + b"\r\n" * 1019, size + crlf, b""
    yield "LISTSERV", b"", b"=" * 73 + b"\nDate: Mon, 2 Mar 1998 10:11:12 -0500\n" + mail + b"\n", b""
    yield "news batch", b"", b"#! rnews %d\n" % len(mail) + mail, b""
    yield "one message", mail, LINE * 40 + b"See http://h.org/a\n", b""
    yield "HTML", page, LINE * 200 + b"See http://h.org/a\n", b""
    yield "HTML, only links", links, b"<a href=http:b>x</a>\n" * 1000, b""
    yield "XML", b"<?xml version='1.0'?>\n<r>", LINE * 40 + b"<a>http://h.org/a?b&amp;c</a>\n", b""
    yield "calendar", b"BEGIN:VCALENDAR\r\n", b"URL:http://h.org/a\r\n" + b"DESCRIPTION:a\\n\r\n b\r\n" * 200, b""
    yield "LDIF", b"", b"dn: cn=a\nurl: http://h.org/a\n b\n" + b"description:: YWJj\n ZGVm\n" * 100 + b"\n", b""
    yield "Mork", b'// <!-- <mdb:mork:z v="1.4"/> -->\n', b"(80=http://h.org/a\\\nb)" + b"(81=$C3$BC\\))" * 100 + b"\n", b""
    yield "JSON Lines", b"", b'{"a":"http:\\/\\/h.org\\/a","b":["' + b"c d\\n\\u0026." * 100 + b'"]}\n', b""
    yield "JSON in one line", b"[1", b',"http:\\/\\/h.org\\/a","' + b"\\/a" * 100 + b'"', b"]"
    yield "UTF-16", "\ufeff".encode("utf-16-le"), (SEPARATOR + mail + b"\n").decode().encode("utf-16-le"), b""
    yield "WARC", b"", record(LINE * 40), b""
    yield "WARC, pages of 20 MB", b"", record(LINE * 250_000, b"text/html"), b""
    yield "WARC, pages of 18 MB, only links", b"", record(dense, b"text/html"), b""
    yield "WARC, films", b"", record(os.urandom(1 << 20) * 20, b"video/mp4"), b""
    yield "ARC", b"", arc(b"HTTP/1.0 200 OK\nContent-Type: text/plain\n\nSee http://h.org/a\n" + LINE * 40), b""
    yield "tar", b"", tar_member(mail), bytes(1024)
    yield "tar of mailboxes", b"", tar_member((SEPARATOR + mail + b"\n") * 3000), bytes(1024)
    yield "zip", b"", zip_member(mail * 20), b"PK\5\6" + bytes(18), len(mail) * 20
    for name, encode in [
        ("gzip", lambda data: gzip.compress(data, 1)),
        ("bzip2", bz2.compress),
        ("xz", lambda data: lzma.compress(data, preset=1)),
        ("zstd", command("zstd", "-q")),
        ("lz4", command("lz4", "-q")),
        ("lzip", command("lzip", "-q", "-1")),
    ]:
        piece, length = compressed(encode)
        yield name, b"", piece, b"", length
    # It is one stream.
    text, length = compressed(bytes)
    packer = lzma.LZMACompressor(lzma.FORMAT_ALONE, preset=0)
    yield "lzma", b"", text, b"", length, packer


def measured(program, mib, start, piece, end, length=None, packer=None):
    """The greatest memory in bytes, and what is on standard error."""
    # A process of this script would begin with the memory of the script.
    command = ["time", "-q", "-f", "%M", program, "-j1", "-"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    pieces = max(1, (mib << 20) // (length or len(piece)))
    # Short pieces are written together.
    together = max(1, min(pieces, (1 << 20) // len(piece)))
    many = piece * together
    try:
        child.stdin.write(start)
        for _ in range(pieces // together):
            child.stdin.write(packer.compress(many) if packer else many)
        child.stdin.write(packer.flush() if packer else end)
    except BrokenPipeError:
        pass
    child.stdin.close()
    *errors, memory = child.stderr.read().decode().splitlines()
    child.wait()
    return int(memory) * 1024, errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="target/release/urlgrep")
    parser.add_argument("--only", help="the name of one container")
    parser.add_argument("--mib", type=int, default=2048)
    options = parser.parse_args()
    print(f"| container, {options.mib} MiB | memory |\n|---|---:|", flush=True)
    failed = []
    for name, *container in containers():
        if options.only in (None, name):
            memory, errors = measured(options.program, options.mib, *container)
            print(f"| {name} | {memory / 1e6:.0f} |", flush=True)
            if memory > LIMIT * 1e6 or errors:
                failed.append(f"{name}: {memory / 1e6:.0f} MB {errors}")
    if failed:
        sys.exit("above the limit, or failed:\n" + "\n".join(failed))


if __name__ == "__main__":
    main()
