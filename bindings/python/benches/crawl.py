"""A crawl on two cores: what each of its URLs costs the program and Spark, and whether they count the same.

    pip install './bindings/python[spark]'
    python bindings/python/benches/crawl.py PROGRAM PAGES... [--size 20g] [--work DIRECTORY]

Makes files of 1 GB, as crawlers do: a `.warc.gz` has a `request`, a `response` and a `metadata` record for each page, each compressed
alone. The pages are the `.html` files in PAGES, drawn at random, with headers of HTTP; a `.warc.gz` in PAGES is there as it is.
`local[2]` of Spark counts each URL, by `groupBy("url").count()`, and writes all columns that an analyst needs to Parquet; then PROGRAM
(urlgrep) counts each URL: `urlgrep -uc --csv`. Prints of each: seconds, processor time of all its processes, and the most memory that these
have at once. Exits with 1 if a count differs. Needs Linux, for the processor time.
"""

import argparse
import collections
import csv
import gzip
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

#: The bytes of a file. A crawl has files of this size.
FILE = 1 << 30

TICKS = os.sysconf("SC_CLK_TCK")

COLUMNS = "path,url,host,registered_domain,uri,role,element,date"


def record(kind, uri, content_type, body):
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-05-18T01:58:10Z\r\n"
        f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + body + b"\r\n\r\n", 6)


def members(number, body):
    """The records of a page, compressed."""
    uri = f"https://www.h{number % 997}.org/{number}.html"
    asked = f"GET /{number}.html HTTP/1.1\r\nHost: www.h{number % 997}.org\r\nAccept: text/html\r\n\r\n".encode()
    answer = b"HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
    return (
        record("request", uri, "application/http; msgtype=request", asked)
        + record("response", uri, "application/http; msgtype=response", answer + body)
        + record("metadata", uri, "application/warc-fields", b"fetchTimeMs: 158\r\ncharset-detected: UTF-8\r\n")
    )


def pages(places):
    """All files of the places, in one order: pages, and archives as they are."""
    for place in places:
        for path in sorted(pathlib.Path(place).rglob("*")):
            if path.is_file() and path.name.endswith((".html", ".htm", ".warc.gz")):
                yield path


def generate(directory, places, size):
    """The files, and how many bytes they have before compression."""
    pool, kept = [], 0
    for number, path in enumerate(pages(places)):
        body = path.read_bytes()
        real = path.name.endswith(".warc.gz")
        stored = body if real else members(number, body)
        pool.append((stored, len(gzip.decompress(body)) if real else len(body)))
        kept += len(stored)
    print(f"{len(pool):,} pages and archives, {kept / 1e6:,.0f} MB compressed")
    chance, total, before, number = random.Random(1738), 0, 0, 0
    while total < size:
        with open(directory / f"crawl-{number:05}.warc.gz", "wb") as out:
            length = 0
            while length < FILE:
                stored, plain = chance.choice(pool)
                out.write(stored)
                length, before = length + len(stored), before + plain
        total, number = total + length, number + 1
    return before


def of_process(pid):
    """The seconds of a processor and the bytes of memory of a process and of all that it started; of what it waited for, the seconds."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
        tasks = [task.read_text().split() for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return 0, 0
    memory = sum(int(line.split()[1]) << 10 for line in rollup.splitlines() if line.startswith("Pss:"))
    seconds = sum(map(int, fields[11:15])) / TICKS
    for child in (int(child) for children in tasks for child in children):
        more, larger = of_process(child)
        seconds, memory = seconds + more, memory + larger
    return seconds, memory


def measured(label, command, gigabytes, **options):
    """Runs a command, and prints what it cost. Ends if it fails."""
    began, most, spent = time.perf_counter(), 0, 0
    run = subprocess.Popen(command, **options)
    while run.poll() is None:
        seconds, memory = of_process(run.pid)
        spent, most = max(spent, seconds), max(most, memory)
        time.sleep(0.5)
    took = time.perf_counter() - began
    print(f"{label}: {took:.0f} s, {spent:.0f} s of processor time, {spent / gigabytes:.1f} for a GB, {most / 1e6:,.0f} MB of memory", flush=True)
    if run.returncode != 0:
        sys.exit(f"{label} ended with {run.returncode}")


def of_spark(task, directory, result):
    """A job of Spark, in a process of its own."""
    from pyspark.sql import SparkSession
    from urlgrep import spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.master("local[2]").config("spark.ui.showConsoleProgress", False).config("spark.driver.memory", "3g").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    spark.register(session)
    read = session.read.format("urlgrep")
    if task == "count":
        frame = read.option("columns", "url").load(directory).groupBy("url").count()
    else:
        frame = read.option("columns", COLUMNS).load(directory)
    frame.write.option("compression", "zstd").parquet(result)
    session.stop()


def counts_of_program(path):
    with open(path, newline="", encoding="utf-8") as file:
        return collections.Counter({row["url"]: int(row["count"]) for row in csv.DictReader(file)})


def counts_of_spark(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    return collections.Counter(dict(zip(table["url"].to_pylist(), table["count"].to_pylist())))


def compare(program, directory, work, stored):
    """Both counts, then the table."""
    gigabytes, files, counted = stored / 1e9, str(directory), work / "counts.csv"
    for task in ("count", "table"):
        measured(f"Spark, {task}", [sys.executable, __file__, "--task", task, files, str(work / task)], gigabytes)
    with open(counted, "wb") as out:
        measured("urlgrep -uc --csv", [program, "-uc", "--csv", files], gigabytes, stdout=out)
    ours, theirs = counts_of_program(counted), counts_of_spark(work / "count")
    print(f"program: {ours.total():,} rows, {len(ours):,} URLs; Spark: {theirs.total():,} and {len(theirs):,}; of one alone: {(ours - theirs).total()} and {(theirs - ours).total()}")
    written = sum(path.stat().st_size for path in (work / "table").iterdir())
    print(f"the table: {written / 1e6:,.0f} MB of Parquet")
    return ours == theirs


def main():
    if sys.argv[1:2] == ["--task"]:
        return of_spark(*sys.argv[2:])
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--size", default="20g")
    parser.add_argument("--work", default=None)
    args = parser.parse_args()
    size = int(args.size[:-1]) << {"m": 20, "g": 30}[args.size[-1]]
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        directory = pathlib.Path(work) / "files"
        directory.mkdir()
        before = generate(directory, args.pages, size)
        paths = sorted(directory.iterdir())
        stored = sum(path.stat().st_size for path in paths)
        print(f"{len(paths)} files, {stored / 1e9:.1f} GB, {before / 1e9:.1f} GB before compression", flush=True)
        return 0 if compare(args.program, directory, pathlib.Path(work), stored) else 1


if __name__ == "__main__":
    sys.exit(main())
