"""How long a row of real posts takes, beside the regex `https?://\\S+` of the same engine.

    python bindings/python/benches/columns.py FOLDER [--rows N] [--readme | --batches]

FOLDER has posts: the last column of each `*.tsv`, as the data set gitter-history has them (the messages of Free Code
Camp's rooms on Gitter), and each line of a `*.txt`. Three columns are made of them, by whether a post has `://`: none with
it, one in ten, all. Posts are drawn in random order, the same for every run, and again when all have been drawn, until a
column has 10^6 rows.

Each engine returns the URLs of each row as a list; of strings that are searched as a column, a list of rows and one of
URLs. Both ways run in turns on one thread, five times, without the collector of garbage; the time of the fastest is
printed, in nanoseconds for a row, and by what factor ours is faster. That of Polars and DuckDB includes the sum of the
lengths of the lists. With --readme, the table replaces the one in the README.

With --batches, the column with one in ten comes in batches: as chunks of a column, as arrays of an iterator, and as a table of
which a column is kept.
"""

import argparse
import csv
import gc
import os
import pathlib
import random
import re
import sys
import time

# Polars reads it once.
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import urlgrep
import urlgrep.arrow
import urlgrep.duckdb
import urlgrep.polars

ROUNDS = 5
SHORT = r"https?://\S+"


def posts(folder):
    csv.field_size_limit(1 << 30)
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.suffix == ".tsv":
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                yield from (row[-1] for row in csv.reader(file, delimiter="\t") if row)
        elif path.suffix == ".txt":
            yield from path.read_text(encoding="utf-8", errors="replace").splitlines()


def drawn(chance, texts, count):
    """So many of the texts; none twice before all have been drawn."""
    all_texts = []
    while len(all_texts) < count:
        all_texts += chance.sample(texts, min(len(texts), count - len(all_texts)))
    return all_texts


def columns(folder, rows):
    """The columns by name."""
    chance = random.Random(1738)
    without, with_one = [], []
    for post in posts(folder):
        (with_one if "://" in post else without).append(post)
    print(f"{len(without)} posts without a URL, {len(with_one)} with one", file=sys.stderr)
    tenth = drawn(chance, with_one, rows // 10) + drawn(chance, without, rows - rows // 10)
    chance.shuffle(tenth)
    return {"none": drawn(chance, without, rows), "10 %": tenth, "all": drawn(chance, with_one, rows)}


def engines(texts):
    """Ways to search, in pairs: the name of an engine, its regex, and ours."""
    regex, finder = re.compile(SHORT), urlgrep.Finder()
    frame, arrow, series = pl.DataFrame({"body": texts}), pa.array(texts), pd.Series(texts)
    connection = duckdb.connect(config={"threads": 1})
    connection.register("posts", pa.table({"body": arrow}))
    urlgrep.duckdb.register(connection)

    def polars(expression):
        return lambda: frame.select(expression.list.len().sum()).item()

    def duck(query):
        return lambda: connection.execute(f"SELECT sum(len({query})) FROM posts").fetchone()[0]

    def of_pandas():
        lists = pa.array(urlgrep.arrow.extract_list(pa.array(series), columns="url"))
        return pd.Series(lists, index=series.index, dtype=pd.ArrowDtype(lists.type))

    def of_list():
        table = pa.table(urlgrep.arrow.extract(pa.array(texts), columns=["row", "url"]))
        return table["row"].to_pylist(), table["url"].to_pylist()

    body = pl.col("body")
    return [
        ("Polars", polars(body.str.extract_all(SHORT)), polars(body.urlgrep.urls())),
        ("DuckDB", duck(f"regexp_extract_all(body, '{SHORT}')"), duck("urls(body)")),
        ("pandas", lambda: series.str.findall(SHORT), of_pandas),
        (
            "`str`, one by one",
            lambda: [regex.findall(text) for text in texts],
            lambda: [[match.url for match in finder.find_all(text)] for text in texts],
        ),
        (
            "`str`, as a column",
            lambda: [regex.findall(text) for text in texts],
            of_list,
        ),
    ]


def elapsed(search, rows):
    # As timeit does: otherwise the collector takes much of the time for lists of lists.
    gc.collect()
    gc.disable()
    began = time.perf_counter()
    found = search()
    spent = time.perf_counter() - began
    gc.enable()
    del found
    return spent / rows * 1e9


def measured(texts):
    """The times of each engine: of its regex, and ours."""
    times = {}
    pairs = engines(texts)
    for _ in range(ROUNDS):
        for name, theirs, ours in pairs:
            times.setdefault(name, []).append((elapsed(theirs, len(texts)), elapsed(ours, len(texts))))
    return {name: tuple(map(min, zip(*pairs))) for name, pairs in times.items()}


def in_batches(texts):
    """The lines of a table: ways in which a column comes, by how many rows a batch has."""
    table = pa.table({"id": range(len(texts)), "body": texts})
    options = {"columns": ["row", "url"]}
    ways = {
        "chunks": lambda table: pa.table(urlgrep.arrow.extract(table["body"], **options)),
        "arrays": lambda table: pa.table(urlgrep.arrow.extract(iter(table["body"].chunks), **options)),
        "table": lambda table: urlgrep.arrow.extract(table, "body", keep=["id"], **options).read_all(),
    }
    yield "| rows of a batch: ns | " + " | ".join(ways) + " |"
    yield "|---|" + "---|" * len(ways)
    for rows in (100, 1000, 10_000, 100_000):
        cut = pa.Table.from_batches(table.to_batches(max_chunksize=rows))
        times = [min(elapsed(lambda: search(cut), len(texts)) for _ in range(ROUNDS)) for search in ways.values()]
        yield f"| {rows} | " + " | ".join(f"{time:.0f}" for time in times) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--batches", action="store_true")
    args = parser.parse_args()
    pa.set_cpu_count(1)
    if args.batches:
        print("\n".join(in_batches(columns(args.folder, args.rows)["10 %"])))
        return
    results = {name: measured(texts) for name, texts in columns(args.folder, args.rows).items()}
    lines = ["| regex, urlgrep: ns | " + " | ".join(results) + " |", "|---|" + "---|" * len(results)]
    for name in next(iter(results.values())):
        cells = [f"{theirs:.0f}, {ours:.0f}: {theirs / ours:.2f}" for theirs, ours in (times[name] for times in results.values())]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    table = "\n".join(lines)
    print(table)
    if args.readme:
        readme = pathlib.Path(__file__).parents[1] / "README.md"
        text = re.sub(
            r"(<!-- columns: begin -->\n).*?(<!-- columns: end -->)",
            lambda m: f"{m[1]}{table}\n{m[2]}",
            readme.read_text(),
            flags=re.DOTALL,
        )
        readme.write_text(text)


if __name__ == "__main__":
    main()
