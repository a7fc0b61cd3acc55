#!/usr/bin/env python3
"""How fast mail is, judged by two ratios.

usage: mail.py [BINARY]          (default: target/release/urlgrep)

Generates two mboxes, the same for every run: one of plain messages, one of quoted-printable, base64 and HTML in
multiparts. The program reads the first as mail and as text. It reads the second as mail, and a Python script searches it
with mailbox, email, and a regex over the decoded parts. They take turns, and a ratio is the median over the turns,
because a machine is not equally fast at all times. Exits with 1 if one of the floors is missed.

The floors are far below what was measured (0.69 and 26): plain text is read nearly as fast as memory allows, so the first
ratio is lower on a machine with faster memory.
"""

import base64, mailbox, os, quopri, random, re, statistics, subprocess, sys, tempfile, time

PLAIN_MB, ENCODED_MB = 200, 24
PLAIN_FLOOR, ENCODED_FLOOR = 0.4, 10

WORDS = """the of and to in that is was for with this from have they will would there their what about which when make
like time just know take people into year your good some could them see other than then now look only come its over think
also back after use two how our work first well way even new want because any these give day most archive message network
server system software""".split()

URL = re.compile(rb"(?i)\b(?:https?|ftp|gopher|news|mailto|telnet):[^\s<>\"'`\\|]*[^\s<>\"'`\\|.,;:!?)\]}]")


def prose(random):
    lines = []
    for _ in range(random.randint(25, 60)):
        line = "> " if random.random() < 0.2 else ""
        while len(line) < 68:
            line += random.choice(WORDS) + " "
        if random.random() < 0.03:
            line += "http://www.h%d.org/a/%d.html" % (random.randint(1, 99), random.randint(1, 999))
        lines.append(line.rstrip())
        if random.random() < 0.12:
            lines.append("")
    return "\n".join(lines) + "\n"


def head(random, n, fields):
    return f"""From user{n}@h.org Fri Mar  2 10:11:12 2001
Received: from mx.h.org (mx.h.org [10.0.0.{n % 250}])
\tby list.h.org (8.9.3/8.9.3) with ESMTP id KAA{n:06d}
\tfor <list@h.org>; Fri, 2 Mar 2001 10:11:12 +0100
Return-Path: <user{n}@h.org>
Message-ID: <{n}.1234@h.org>
Date: Fri, 02 Mar 2001 10:11:12 +0100
From: User Name <user{n}@h.org>
X-Mailer: Mozilla 4.7 [en] (X11; U; Linux 2.2.14 i686)
MIME-Version: 1.0
To: list@h.org
Subject: Re: {random.choice(WORDS)} {random.choice(WORDS)}
References: <{n - 1}.1234@h.org>
{fields}
"""


def plain(random, n):
    return head(random, n, "Content-Type: text/plain; charset=us-ascii\n") + prose(random) + "\n"


def encoded(random, n):
    text = prose(random)
    quoted = quopri.encodestring(text.replace("a", "\u00e4").encode("latin-1")).decode()
    html = "<html><body><p>" + text.replace("\n\n", "</p>\n<p>") + "</p></body></html>\n"
    return (
        head(random, n, f'Content-Type: multipart/alternative; boundary="b{n}"\n')
        + f"--b{n}\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n{quoted}\n"
        + f"--b{n}\nContent-Type: text/html; charset=us-ascii\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(html.encode()).decode()
        + f"--b{n}--\n\n"
    )


def make(path, message, megabytes):
    seeded = random.Random(1738)
    with open(path, "w", newline="\n") as out:
        n = 0
        while out.tell() < megabytes * 1_000_000:
            out.writelines(message(seeded, n + i) for i in range(100))
            n += 100


def program(binary, form, path):
    with open(os.devnull, "wb") as sink:
        subprocess.run([binary, "-j1", "--input", form, path], stdout=sink, check=True)


def python(path):
    matches = 0
    for message in mailbox.mbox(path):
        for part in message.walk():
            if part.get_content_maintype() == "text":
                matches += len(URL.findall(part.get_payload(decode=True) or b""))
    return matches


def timed(job):
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def compared(turns, ours, theirs):
    """The time of our job, and that of the other as a multiple of it; medians."""
    times = [(timed(ours), timed(theirs)) for _ in range(turns)]
    return statistics.median(our for our, _ in times), statistics.median(their / our for our, their in times)


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else "target/release/urlgrep"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mbox")
        make(path, plain, PLAIN_MB)
        as_mail, plain_ratio = compared(21, lambda: program(binary, "auto", path), lambda: program(binary, "text", path))
        print(f"plain mbox:   {PLAIN_MB / as_mail:7.0f} MB/s, {plain_ratio:.2f} of the same bytes as text (floor {PLAIN_FLOOR})")
        make(path, encoded, ENCODED_MB)
        ours, encoded_ratio = compared(3, lambda: program(binary, "auto", path), lambda: python(path))
        print(f"encoded mbox: {ENCODED_MB / ours:7.0f} MB/s, {encoded_ratio:.1f} times as fast as Python (floor {ENCODED_FLOOR})")
    sys.exit(plain_ratio < PLAIN_FLOOR or encoded_ratio < ENCODED_FLOOR)


main()
