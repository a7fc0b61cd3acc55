#!/usr/bin/env python3
"""How fast real mail is, judged by ratios of one run.

usage: messages.py FOLDER [BINARY]          (default: target/release/urlgrep)
       messages.py --make FOLDER MBOX       (makes the mbox only)

Makes an mbox of 200 MB of the messages below FOLDER: files that are a message, and mboxes. They are repeated in order until
the size is reached. It is compressed with gzip and zstd, too. The programs take turns on it, and a ratio is the median over
the rounds, because a machine is not equally fast at all times. Two ratios are printed: of the wall clock, and of the
CPU time of all threads, which a busy machine changes less. The wall clock is judged. Exits with 1 if a target is missed.
Needs rg and zstd.

The regex is that of compare.sh. `rg` decodes nothing: it reads the raw bytes.
"""

import os, re, statistics, subprocess, sys, tempfile, time

MEGABYTES, ROUNDS = 200, int(os.environ.get("URLGREP_BENCH_ROUNDS", "7"))

HEADER = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){3,}\r?\n")
NEEDED = re.compile(rb"(?im)^(?:message-id|date|newsgroups):")
SEPARATOR = re.compile(rb"From \S+ [^\n]*\d{4}\r?\n[!-9;-~]+:")
FROM_LINE = re.compile(rb"(?m)^(>*From )")

DELIMITERS = r"""\x00-\x20<>"`\\|\x7f-\xff"""
RG = rf"(?i-u)(?:(?:https?|ftp|gopher|telnet)://|mailto:|news:)[^{DELIMITERS}]*[^{DELIMITERS}.,;:!?')\]}}]"


def messages(folder):
    """The messages below a folder, each as a part of an mbox, in the order of their names."""
    for directory, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            with open(os.path.join(directory, name), "rb") as file:
                data = file.read()
            end = b"\n" if data.endswith(b"\n") else b"\n\n"
            if SEPARATOR.match(data):
                yield data + end
            elif (header := HEADER.match(data)) and NEEDED.search(header[0]):
                yield b"From a@h.org Fri Mar  2 10:11:12 2001\n" + FROM_LINE.sub(rb">\1", data) + end


def make(folder, path):
    """Writes the mbox. Returns its size in bytes."""
    size = 0
    with open(path, "wb") as mbox:
        while size < MEGABYTES * 1_000_000:
            start = size
            for part in messages(folder):
                size += mbox.write(part)
                if size >= MEGABYTES * 1_000_000:
                    break
            if size == start:
                sys.exit(f"messages.py: no messages below {folder}")
    return size


def timed(command):
    """The wall clock and the CPU time of a command that prints into a pipe, in seconds."""
    # If the output is /dev/null, GNU grep reads each file only up to its first match.
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=sink.stdin)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command} ended with {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime


def jobs(binary, mbox):
    gz, zst = mbox + ".gz", mbox + ".zst"
    one, two = [binary, "-j1"], [binary, "-j2"]
    return {
        "text": [*one, "--input", "text", mbox],
        "mail": [*one, mbox],
        "mail -j2": [*two, mbox],
        "rg -o": ["rg", "-o", "--no-line-number", "-a", RG, mbox],
        "-n": [*one, "-n", mbox],
        "-n -j2": [*two, "-n", mbox],
        "--json": [*one, "--json", mbox],
        "--json -j2": [*two, "--json", mbox],
        "--csv": [*one, "--csv", mbox],
        "gz": [*one, gz],
        "gz -j2": [*two, gz],
        "zst": [*one, zst],
        "zst -j2": [*two, zst],
        "zstd -dc": ["zstd", "-dcq", zst],
    }


# The time of the first may be at most so many times that of the second.
TARGETS = [
    ("mail", "text", 2.5),
    ("mail", "rg -o", 1.0),
    ("--json", "mail", 2.0),
    ("--csv", "mail", None),
    ("mail -j2", "mail", 0.6),
    ("-n -j2", "-n", 0.6),
    ("--json -j2", "--json", 0.6),
    ("gz -j2", "gz", 0.65),
    ("zst -j2", "zstd -dc", 1.6),
    ("zst", "zstd -dc", None),
]


def in_turns(commands):
    """The times of the commands, which take turns."""
    times = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(timed(command))
    return times


def report(times, targets):
    """Prints the table. Returns whether a target is missed."""
    missed = False
    for name, rounds in times.items():
        wall, cpu = (statistics.median(column) * 1000 for column in zip(*rounds))
        print(f"{name:16} {wall:7.0f} ms, CPU {cpu:7.0f} ms")
    print("\n| ratio | wall | CPU | target |\n|---|---:|---:|---:|")
    for one, other, target in targets:
        if one not in times or other not in times:
            continue
        wall, cpu = (
            statistics.median(a[n] / b[n] for a, b in zip(times[one], times[other])) for n in (0, 1)
        )
        print(f"| {one} / {other} | {wall:.2f} | {cpu:.2f} | {target or ''} |")
        missed |= target is not None and wall > target
    return missed


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--make":
        make(sys.argv[2], sys.argv[3])
        return
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    binary = sys.argv[2] if len(sys.argv) > 2 else "target/release/urlgrep"
    with tempfile.TemporaryDirectory() as folder:
        mbox = os.path.join(folder, "mbox")
        size = make(sys.argv[1], mbox)
        with open(mbox + ".gz", "wb") as out:
            subprocess.run(["gzip", "-c", mbox], stdout=out, check=True)
        subprocess.run(["zstd", "-q", mbox], check=True)
        matches = subprocess.run([binary, "-c", mbox], capture_output=True, check=True).stdout
        print(f"{size / 1e6:.0f} MB of messages, {int(matches)} matches, medians of {ROUNDS} rounds\n")
        times = in_turns(jobs(binary, mbox))
    sys.exit(report(times, TARGETS))


if __name__ == "__main__":
    main()
