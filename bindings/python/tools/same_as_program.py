"""Compares the matches of the package with those of the program, over the files of a directory.

    python tools/same_as_program.py URLGREP DIRECTORY [--mbox FILE] [--spark FILE ...]

URLGREP is the program. The matches of `urlgrep --json` must be those of open, and, read as text, those of find_iter,
find_all, arrow.extract and arrow.extract_list. With --mbox, the matches in a large mbox must be those of read_split
at 5 sizes, and with --spark those in some files must be those of Spark in local mode, byte for byte after sorting by
place; the text of a link there has U+FFFD for what is not UTF-8. Prints what differs; the exit status is 1 if anything
does.
"""

import argparse
import base64
import hashlib
import json
import os
import pathlib
import subprocess
import sys

import pyarrow as pa
import urlgrep
import urlgrep.arrow

#: The longest file that is also read as text.
TEXT = 64 << 20


def url_bytes(value):
    """The bytes of a URL in JSON."""
    return value.encode() if isinstance(value, str) else base64.b64decode(value["bytes"])


def of_program(program, path, *options):
    run = subprocess.run([program, "--json", *options, path], capture_output=True)
    for line in run.stdout.splitlines():
        match = json.loads(line)
        match["url"] = url_bytes(match["url"])
        match["alternatives"] = [url_bytes(url) for url in match["alternatives"]]
        if not isinstance(match["path"], str):
            match["path"] = url_bytes(match["path"]).decode("utf-8", "surrogateescape")
        match["text"] = match["text"] and url_bytes(match["text"])
        yield match


def of_package(matches):
    for match in matches:
        fields = match.as_dict()
        fields["url"] = match.url_bytes
        fields["text"] = match.text and match.text.encode("utf-8", "surrogateescape")
        fields["alternatives"] = [url.encode("utf-8", "surrogateescape") for url in fields["alternatives"]]
        yield fields


def differences(name, expected, found):
    """Prints and counts what differs."""
    expected, found = list(expected), list(found)
    if expected == found:
        return 0
    pairs = [(a, b) for a, b in zip(expected, found) if a != b]
    print(f"{name}: {len(expected)} and {len(found)} matches, {len(pairs)} differ")
    for a, b in pairs[:2]:
        if isinstance(a, dict):
            a, b = ({key: value for key, value in one.items() if value != other.get(key)} for one, other in ((a, b), (b, a)))
        print(f"  {a}\n  {b}")
    return 1


def row(match):
    return tuple(match[name] for name in ("url", "start", "end", "scheme", "host", "form", "grade", "join"))


def compare(program, path, counts):
    """The matches in one file: decoded, and as text."""
    name = str(path)
    expected = list(of_program(program, name))
    failed = differences(f"open {name}", expected, of_package(urlgrep.open(path, line_numbers=True, errors="warn")))
    counts["open"] += len(expected)
    data = path.read_bytes()
    if len(data) > TEXT:
        return failed
    # The program decompresses text, too, and stops where a file is damaged.
    expected = list(of_program(program, name, "--input", "text"))
    if any("!/" in match["path"] for match in expected) or data[:2] in (b"\x1f\x8b", b"BZ"):
        return failed
    counts["text"] += len(expected)
    for match in expected:
        match["path"] = None
    failed += differences(f"find_iter {name}", expected, of_package(urlgrep.find_iter(data, line_numbers=True)))
    rows = [row(match) for match in expected]
    column = pa.array([None, data], pa.large_binary())
    columns = ["url_bytes", "start", "end", "scheme", "host", "form", "grade", "join"]
    table = pa.table(urlgrep.arrow.extract(column)).select(columns)
    failed += differences(f"extract {name}", rows, zip(*(table[name].to_pylist() for name in columns)))
    array = pa.array(urlgrep.arrow.extract_list(column))
    structs = [tuple(found[name] for name in columns) for found in array[1].as_py()]
    failed += differences(f"extract_list {name}", rows, structs)
    # With archive=True, a row is read like a file.
    decoded = [row(match) for match in of_package(urlgrep.open(path, errors="warn"))]
    table = pa.table(urlgrep.arrow.extract(column, archive=True, errors="warn")).select(columns)
    failed += differences(f"extract as archive {name}", decoded, zip(*(table[name].to_pylist() for name in columns)))
    return failed


def digest(matches):
    """Of matches, sorted by place."""
    lines = sorted(
        (match["start"], match["end"], repr(sorted(match.items()))) for match in matches
    )
    return len(lines), hashlib.sha256(repr(lines).encode()).hexdigest()[:16]


def compare_mbox(program, path):
    expected = digest(of_program(program, path))
    print(f"{path}: the program has {expected}")
    failed = 0
    for size in (5 << 20, 32 << 20, 100_000_007, 300 << 20, 1 << 40):
        parts = urlgrep.split(path, size, count=True)
        matches = (match for part in parts for match in urlgrep.read_split(path, *part, line_numbers=True))
        found = digest(of_package(matches))
        print(f"read_split in {len(parts)} parts has {found}")
        failed += found != expected
    return failed


def of_spark(session, path):
    """The matches of the data source, as of_package has them."""
    frame = session.read.format("urlgrep").option("splitSize", 32 << 20).option("count", "true").load(path)
    for found in frame.toLocalIterator(prefetchPartitions=True):
        fields = found.asDict(recursive=True)
        fields["url"] = bytes(fields.pop("url_bytes"))
        fields["text"] = fields["text"] and fields["text"].encode()
        if fields["message"] and fields["message"]["offset"] is None:
            # Only records of web archives have these.
            for name in ("uri", "type", "offset"):
                del fields["message"][name]
        fields["pieces"] = [[segment["start"], segment["end"]] for segment in fields["pieces"]]
        fields["alternatives"] = [url.encode() for url in fields["alternatives"]]
        yield fields


def as_columns(matches):
    """The same matches, their strings in UTF-8 as those of a column are."""
    for match in matches:
        match["text"] = match["text"] and match["text"].decode("utf-8", "replace").encode()
        match["alternatives"] = [url.decode("utf-8", "replace").encode() for url in match["alternatives"]]
        yield match


def compare_spark(program, paths):
    # Else the workers are whatever `python3` is, which need not have the package.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

    from pyspark.sql import SparkSession
    from urlgrep import spark

    session = SparkSession.builder.master("local[2]").config("spark.driver.memory", "4g").getOrCreate()
    spark.register(session)
    failed = 0
    for path in paths:
        expected = digest(as_columns(of_program(program, path)))
        found = digest(of_spark(session, path))
        print(f"Spark, {path}: {found}, the program {expected}")
        failed += found != expected
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--mbox")
    parser.add_argument("--spark", nargs="+", default=[])
    args = parser.parse_args()
    counts, failed, files = {"open": 0, "text": 0}, 0, 0
    for path in sorted(path for path in args.directory.rglob("*") if path.is_file()):
        failed += compare(args.program, path, counts)
        files += 1
    print(f"{files} files, {counts['open']} matches decoded, {counts['text']} as text, {failed} differences")
    if args.mbox:
        failed += compare_mbox(args.program, args.mbox)
    if args.spark:
        failed += compare_spark(args.program, args.spark)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
