#!/usr/bin/env python3
"""The memory that the worst inputs take.

Generates each input, 16 copies of it in a directory, and prints a table of the
greatest memory (ru_maxrss, in MB of 1,000,000 bytes) of a search of that directory with
-j1, -j4 and -j16. Fails if one is above the limit.

    tools/worst.py [--program target/release/urlgrep] [--only NAME] [--mib 15]

Needs Linux and 300 MB of disk.
"""

import argparse
import base64
import gzip
import os
import subprocess
import sys
import tempfile
import time

BUDGET = 256
MARGIN = 64


def mail(content_type, body, encoding="8bit", fields=b""):
    head = f"From: a@h.org\nMIME-Version: 1.0\nContent-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n"
    return head.encode() + fields + b"\n" + body


def repeated(pattern, length, start=b""):
    return start + pattern * ((length - len(start)) // len(pattern))


def inputs(n):
    """Name, how it is made, and a function that makes it with about n bytes."""
    flowed = "text/plain; format=flowed"
    url = b"and so on, =C3=BC and on http://h.org/" + b"a" * 36 + b"=\n"
    four = base64.b64encode(b"<b>http://h.org/ ")
    four = b"".join(four[at : at + 4] + b"\n" for at in range(0, len(four), 4))
    return [
        ("hz", '`~~&lt` in an attribute, charset hz-gb-2312',
         lambda: mail("text/html; charset=hz-gb-2312", repeated(b"~~&lt", n, b'<a href="a:'))),
        ("hz.gz", "the same, compressed",
         lambda: gzip.compress(mail("text/html; charset=hz-gb-2312", repeated(b"~~&lt", n, b'<a href="a:')))),
        ("soft breaks", "`a=` on each line, quoted-printable",
         lambda: mail("text/plain", repeated(b"a=\n", n), "quoted-printable")),
        ("quoted-printable", "lines of 76 bytes that are URLs", lambda: mail("text/plain", repeated(url, n), "quoted-printable")),
        ("escapes", "`=26lt`, quoted-printable HTML",
         lambda: mail("text/html", repeated(b"=26lta", n), "quoted-printable")),
        ("base64", "lines of four characters, HTML of URLs", lambda: mail("text/html", repeated(four, n), "base64")),
        ("table", "`<td>a`, HTML", lambda: mail("text/html", repeated(b"<td>a", n))),
        ("comments", "`<!--` and `&#1;` alternating, HTML", lambda: mail("text/html", repeated(b"<!--&#1;", n))),
        ("utf-7", "`+ADw-a`, charset utf-7", lambda: mail("text/html; charset=utf-7", repeated(b"+ADw-a", n))),
        ("iso-2022-jp", "a shift for each character",
         lambda: mail("text/html; charset=iso-2022-jp", repeated(b"\x1b$B$\"\x1b(Ba", n))),
        ("flowed", "`a ` on each line, format=flowed", lambda: mail(flowed, repeated(b"a \n", n))),
        ("encoded words", "`=?q?` words in a field",
         lambda: mail("text/plain", b"x", fields=repeated(b" =?utf-8?q?a?=\n", n, b"Subject: x\n"))),
        ("URLs", "`<a href=a:b>`, HTML", lambda: mail("text/html", repeated(b"<a href=a:b>", n))),
        ("lists", "`: ` in an attribute `ping`, HTML", lambda: mail("text/html", repeated(b": ", n, b"<a ping='") + b"'>")),
        ("documents", "`<a href=a:b>` in an attribute `srcdoc`",
         lambda: mail("text/html", repeated(b"<a href=a:b>", n, b"<a srcdoc='") + b"'>")),
        ("tabs", "`a:` and tabs in an attribute", lambda: mail("text/html", repeated(b"\ta:", n, b"<a href='") + b"'>")),
        ("groups", "`{`, RTF", lambda: mail("text/rtf", repeated(b"{", n, b"{\\rtf1 "))),
        ("Shift JIS", "a character of two bytes and a letter", lambda: mail("text/html; charset=shift_jis", repeated(b"\x95\x5Ca", n))),
        ("calendar", "a fold after each letter", lambda: mail("text/calendar", repeated(b"a\n ", n))),
    ]


def peak(program, directory, threads):
    """The greatest memory in MB, and the seconds."""
    start = time.monotonic()
    arguments = [program, "--no-config", "-j", str(threads), "-c", directory]
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status not in (0, 256):
        sys.exit(f"{' '.join(arguments)}: status {status}")
    return usage.ru_maxrss * 1024 / 1e6, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="target/release/urlgrep")
    parser.add_argument("--only")
    parser.add_argument("--mib", type=float, default=15.9)
    parser.add_argument("--threads", default="1,4,16")
    options = parser.parse_args()
    threads = [int(number) for number in options.threads.split(",")]
    columns = " | ".join(f"-j{number}" for number in threads)
    print(f"| input | how it is made | {columns} | seconds at -j{threads[-1]} |\n|---|---|{'---:|' * (len(threads) + 1)}")
    worst = 0
    for name, how, make in inputs(int(options.mib * 2**20)):
        if options.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as directory:
            first = os.path.join(directory, "0")
            # A child that begins as a copy of a large process is as large.
            if os.fork() == 0:
                with open(first, "wb") as file:
                    file.write(make())
                os._exit(0)
            os.wait()
            for copy in range(1, 16):
                os.link(first, os.path.join(directory, str(copy)))
            peaks = [peak(options.program, directory, number) for number in threads]
        worst = max(worst, *(megabytes for megabytes, _ in peaks))
        cells = " | ".join(f"{megabytes:.0f}" for megabytes, _ in peaks)
        print(f"| {name} | {how} | {cells} | {peaks[-1][1]:.1f} |", flush=True)
    return worst > BUDGET + MARGIN


if __name__ == "__main__":
    sys.exit(main())
