"""How fast the package is, as multiples of a regex of Python's `re` for the same URLs.

    pip install './bindings/python[bench]'
    python bindings/python/benches/ratios.py [--no-spark]
    python bindings/python/benches/ratios.py --warc

Generates messages like those of mailing lists, the same for every run, and searches them in turns on one thread: a
speed is the median over the turns, because a machine is not equally fast at all times. Slow finders get a part of the
messages. URLGREP_BENCH_MB is the size of all messages, 64 by default. Spark reads them from a Parquet file, on one
core, and drops the result. Exits with 1 if a floor is missed. Short posts are measured by columns.py, which needs some.

--warc compares read_warc with FastWARC and selectolax (`pip install fastwarc selectolax`), on generated pages in a WARC and a
.warc.gz: the links of all elements, absolute, with the text of anchors.
"""

import argparse
import gc
import gzip
import os
import pathlib
import random
import re
import statistics
import sys
import tempfile
import time

# Polars reads it once.
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import urlgrep
import urlgrep.arrow

MEGABYTE = 1 << 20
ROUNDS = 5

#: How often the fast jobs of Spark read all messages.
TIMES = 16

#: The rows of a batch, for all jobs of Spark. Its own 10,000 are 30 MB of messages, which no cache holds; a worker that
#: still writes a result of that size may never read the next batch.
ROWS = 1000

#: The least multiples of `re`.
FLOORS = {"urlgrep.find_all": 20, "urlgrep.arrow.extract": 40, "Spark, urlgrep": 10}

#: What someone would write who knows the schemes. It joins no lines and decodes nothing.
PATTERN = r"(?i)\b(?:(?:https?|ftp|gopher|telnet)://|mailto:|news:)[^\s<>\"'`\\|]*[^\s<>\"'`\\|.,;:!?)\]}]"

#: What people write. It finds URLs of two schemes in lower case, with the punctuation after them.
SHORT = r"https?://\S+"

#: The first for engines without classes of Perl in a class.
PLAIN = r"(?i)\b(?:(?:https?|ftp|gopher|telnet)://|mailto:|news:)[^ \t\r\n<>\"'`|]*[^ \t\r\n<>\"'`|.,;:!?)}]"

WORDS = """the of and to in that is was for with this from have they will would there their what about which when make
like time just know take people into year your good some could them see other than then now look only come its over think
also back after use two how our work first well way even new want because any these give day most archive message network
server system software""".split()


def message(chance):
    """A message of about 3 KB with half a URL in a KB."""
    name = chance.choice(WORDS)
    lines = [f"From: {name}@h{chance.randint(1, 99)}.org", f"Subject: Re: {name} {chance.choice(WORDS)}", ""]
    for _ in range(chance.randint(25, 60)):
        line = "> " if chance.random() < 0.2 else ""
        while len(line) < 68:
            line += chance.choice(WORDS) + " "
        if chance.random() < 0.03:
            line += f"http://www.h{chance.randint(1, 99)}.org/a/{chance.randint(1, 999)}.html"
        lines.append(line.rstrip())
        if chance.random() < 0.12:
            lines.append("")
    return "\n".join(lines) + "\n"


def messages(size):
    chance = random.Random(1738)
    distinct = [message(chance) for _ in range(2000)]
    total, texts = 0, []
    while total < size:
        texts.append(distinct[len(texts) % len(distinct)])
        total += len(texts[-1])
    return texts


class Finder:
    """A way to search: its name, the function, and the texts that it gets."""

    def __init__(self, name, search, texts):
        self.name, self.search, self.speeds = name, search, []
        self.size = sum(map(len, texts)) / MEGABYTE

    def run(self):
        gc.collect()
        began = time.perf_counter()
        found = self.search()
        self.speeds.append(self.size / (time.perf_counter() - began))
        return found

    def speed(self):
        return statistics.median(self.speeds)


def finders(texts):
    """All but Spark."""
    import linkify_it
    import urlextract

    some, few = texts[: len(texts) // 4], texts[: len(texts) // 64]
    regex, short = re.compile(PATTERN), re.compile(SHORT)
    linkify, extractor = linkify_it.LinkifyIt(), urlextract.URLExtract()
    column, series = pa.array(texts), pl.Series("body", texts)
    frame = series.to_frame()
    table = pa.table({"body": column})
    connection = duckdb.connect(config={"threads": 1})
    connection.register("messages", table)
    connection.create_function("urls", counts, ["VARCHAR"], "BIGINT", type="arrow")

    def links(text):
        return len(linkify.match(text) or [])

    def duck(query):
        return lambda: connection.execute(query).fetchone()[0]

    literal = PLAIN.replace("'", "''")
    return [
        Finder("re", lambda: sum(len(regex.findall(text)) for text in some), some),
        Finder("re, only https?://\\S+", lambda: sum(len(short.findall(text)) for text in texts), texts),
        Finder("URLExtract", lambda: sum(len(extractor.find_urls(text)) for text in few), few),
        Finder("linkify-it-py", lambda: sum(map(links, few)), few),
        Finder("urlgrep.find_all", lambda: sum(len([m.url for m in urlgrep.find_all(text)]) for text in texts), texts),
        Finder("urlgrep.arrow.extract", lambda: pa.table(urlgrep.arrow.extract(column)).num_rows, texts),
        Finder("urlgrep.arrow.extract_list", lambda: len(pa.array(urlgrep.arrow.extract_list(column)).flatten()), texts),
        Finder("Polars, urlgrep", lambda: len(pl.DataFrame(urlgrep.arrow.extract(series))), texts),
        Finder("Polars, str.extract_all", lambda: frame.select(pl.col("body").str.extract_all(PLAIN).list.len().sum()).item(), texts),
        Finder("DuckDB, urlgrep", duck("SELECT sum(urls(body)) FROM messages"), texts),
        Finder("DuckDB, regexp_extract_all", duck(f"SELECT sum(len(regexp_extract_all(body, '{literal}'))) FROM messages"), texts),
    ]  # fmt: skip


def compare(pairs):
    """Prints the ratios of pairs of ours and theirs, each with the least that it should be; whether one is below."""
    measure([finder for ours, theirs, _ in pairs for finder in (ours, theirs)])
    missed = False
    for ours, theirs, floor in pairs:
        ratio = ours.speed() / theirs.speed()
        missed |= ratio < floor
        print(f"{ours.name}: {ours.speed():.0f} MB/s, {theirs.name}: {theirs.speed():.0f} MB/s, ratio {ratio:.2f}, the floor is {floor}")
    return missed


def page(chance):
    """A page of about 40 KB with a hundred links, half of them relative."""
    words = lambda count: " ".join(chance.choices(WORDS, k=count))  # noqa: E731
    link = lambda: f"/{chance.choice(WORDS)}/{chance.randint(1, 999)}?a=b&amp;c=d"  # noqa: E731
    menu = "".join(f'<li class="item menu-{n}"><a href="{link()}">{words(2)}</a></li>\n' for n in range(50))
    script = "<script>" + "var a = function (b) { return b < 3 ? b : a(b - 1); };\n" * 100 + "</script>"
    texts = "".join(
        f'<p class="text">{words(70)} <a href="https://www.h{chance.randint(1, 99)}.org{link()}" rel="nofollow">{words(3)}</a> '
        f'{words(20)} <img src="/i/{n}.png" alt="{words(2)}"></p>\n'
        for n in range(40)
    )
    head = f'<title>{words(5)}</title><link rel="stylesheet" href="/a.css"><script src="/b.js"></script>{script}'
    return f'<!DOCTYPE html><html><head>{head}</head><body><ul>{menu}</ul><form action="/search"></form>{texts}</body></html>'.encode()


def warc(bodies, pack):
    """The records of pages, each one packed by itself."""
    records = []
    for number, body in enumerate(bodies):
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
        head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.org/%d/\r\nContent-Type: application/http; msgtype=response\r\n"
        records.append(pack(head % number + b"Content-Length: %d\r\n\r\n" % len(http) + http + b"\r\n\r\n"))
    return b"".join(records)


def links_of_selectolax(path):
    """Lists of what read_warc has columns of, as a table."""
    from urllib.parse import urljoin

    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from selectolax.lexbor import LexborHTMLParser

    sources, targets, texts = [], [], []
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
            source = record.headers["WARC-Target-URI"]
            for node in LexborHTMLParser(record.reader.read()).css("[href], [src], [action]"):
                attributes = node.attributes
                sources.append(source)
                targets.append(urljoin(source, attributes.get("href") or attributes.get("src") or attributes.get("action") or ""))
                texts.append(node.text() if node.tag == "a" else None)
    return pa.table({"source": sources, "target": targets, "text": texts})


def compare_on_warc():
    chance = random.Random(1738)
    bodies = [page(chance) for _ in range(800)]
    pairs = []
    with tempfile.TemporaryDirectory() as directory:
        for name, pack in (("a.warc", bytes), ("a.warc.gz", lambda record: gzip.compress(record, 6))):
            path = os.path.join(directory, name)
            pathlib.Path(path).write_bytes(warc(bodies, pack))

            def ours(path=path):
                return pa.table(urlgrep.arrow.read_warc(path, columns={"source": "uri", "target": "url", "text": "text"}))

            def theirs(path=path):
                return links_of_selectolax(path)

            # The same links: the fragments and the duplicates of texts are not in these pages.
            found = [set(zip(table["source"].to_pylist(), table["target"].to_pylist())) for table in (ours(), theirs())]
            assert found[0] == found[1], list(found[0] ^ found[1])[:5]
            pairs.append((Finder(f"read_warc, {name}", ours, bodies), Finder("FastWARC and selectolax", theirs, bodies), 4))
        return compare(pairs)


def counts(body):
    """The number of URLs in each row."""
    lists = pa.array(urlgrep.arrow.extract_list(body))
    return lists.value_lengths().cast(pa.int64())


def spark_finders(texts, directory):
    # Else the workers are whatever `python3` is, which need not have the package.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)

    from pyspark.sql import SparkSession, functions
    from urlgrep import spark

    path = os.path.join(directory, "messages.parquet")
    # One row group, which is one task.
    pyarrow.parquet.write_table(pa.table({"body": texts}), path, row_group_size=len(texts), compression="lz4")
    builder = SparkSession.builder.master("local[1]").config("spark.driver.memory", "4g")
    builder = builder.config("spark.ui.enabled", False).config("spark.sql.files.maxPartitionBytes", 1 << 40)
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", ROWS)
    session = builder.getOrCreate()
    frame = session.read.parquet(path)
    # Spark takes a quarter of a second to start a job, so the fast ones get the file many times.
    many, all_texts = session.read.parquet(*[path] * TIMES), texts * TIMES

    def drop(result):
        return lambda: result.write.format("noop").mode("overwrite").save()

    def same(batches):
        yield from batches

    found = functions.regexp_extract_all("body", functions.lit(PLAIN), functions.lit(0))
    return [
        Finder("Spark, pass-through", drop(many.mapInArrow(same, many.schema)), all_texts),
        Finder("Spark, urlgrep", drop(spark.extract(many, "body")), all_texts),
        Finder("Spark, regexp_extract_all", drop(frame.select(found)), texts),
    ]


def measure(all_finders):
    for finder in all_finders:
        finder.run()
        finder.speeds.clear()
    for _ in range(ROUNDS):
        for finder in all_finders:
            finder.run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-spark", action="store_true")
    parser.add_argument("--warc", action="store_true")
    args = parser.parse_args()
    pa.set_cpu_count(1)
    if args.warc:
        return compare_on_warc()
    texts = messages(int(os.environ.get("URLGREP_BENCH_MB", 64)) * MEGABYTE)
    with tempfile.TemporaryDirectory() as directory:
        all_finders = finders(texts) + ([] if args.no_spark else spark_finders(texts, directory))
        measure(all_finders)
    base = all_finders[0].speed()
    lines = ["| | MB/s | × `re` |", "|---|---|---|"]
    missed = []
    for finder in all_finders:
        ratio = finder.speed() / base
        lines.append(f"| {finder.name} | {finder.speed():.{0 if finder.speed() > 10 else 1}f} | {ratio:.{1 if ratio > 1 else 2}f} |")
        if ratio < FLOORS.get(finder.name, 0):
            missed.append(f"{finder.name}: {ratio:.1f} times re, the floor is {FLOORS[finder.name]}")
    table = "\n".join(lines)
    print(table, *missed, sep="\n")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
