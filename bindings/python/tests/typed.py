"""A program that uses all of the package, for mypy --strict; test_types.py also runs it."""

from __future__ import annotations

import io
import pathlib
import sys
import tempfile
from typing import Iterator, List, Optional

import duckdb
import polars as pl
import pyarrow as pa
import urlgrep
import urlgrep.arrow
import urlgrep.duckdb
import urlgrep.pandas
import urlgrep.polars


class Chunks:
    """A file object that is none of io."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def read(self, size: int, /) -> bytes:
        return self.file.read(size)


class Store:
    def open(self) -> io.BytesIO:
        return io.BytesIO(b"http://h.org/store")


def urls(text: str) -> Iterator[str]:
    for match in urlgrep.find_iter(text, join="likely", schemes=["http", "ftp"], schemeless="hosts", max_len=1000):
        yield match.url


def describe(match: urlgrep.Match) -> str:
    host: Optional[str] = match.host
    port: Optional[int] = match.port
    start: int = match.start + sum(end - begin for begin, end in match.pieces)
    reason = match.reason["production"] if match.reason else ""
    subject = match.message["subject"] if match.message else None
    shown: str = match._repr_html_()
    return f"{host}:{port} {start} {reason} {subject} {match.url_bytes!r} {len(shown)}"


def files(path: pathlib.Path) -> List[str]:
    found: List[str] = []
    for source in (path, str(path), io.BytesIO(b"http://h.org/a"), Chunks(b"http://h.org/b"), Store()):
        with urlgrep.open(source, errors="warn", headers=False, line_numbers=True) as matches:
            found += [describe(match) for match in matches]
    for part in urlgrep.split(path, 1 << 20, count=True):
        found += [match.url for match in urlgrep.read_split(path, *part, attachments="all")]
    return found


def tables(path: pathlib.Path) -> int:
    part = urlgrep.Split(0, 1 << 20)
    count = 0
    with urlgrep.arrow.open([path, (path, part), Store()], columns=["url"], errors="column", unwrap=True) as batches:
        count += sum(len(batch) for batch in batches)
    count += len(next(urlgrep.arrow.open(path, columns={"link": "url"}, batch_size=10, format="auto")))
    count += sum(len(batch) for batch in urlgrep.arrow.read_warc(path))
    return count


def frames(path: pathlib.Path) -> int:
    frame = pl.DataFrame({"body": ["http://h.org/a", None]})
    found: pl.Expr = urlgrep.polars.extract("body", columns={"link": "url"}, schemes="http")
    count = frame.lazy().select(found, urls=urlgrep.polars.urls(pl.col("body"), archive=False)).collect().height
    with duckdb.connect() as connection:
        urlgrep.duckdb.register(connection, schemeless="hosts")
        urlgrep.duckdb.create_urls(connection, "links", columns=["url", "host"])
        urlgrep.duckdb.create_read_urls(connection, columns=["url"], errors="column", unwrap=True)
        count += len(connection.execute("SELECT * FROM read_urls(?)", [str(path)]).fetchall())
    lists: urlgrep.arrow.Lists = urlgrep.arrow.extract_list(frame["body"], columns="url")
    scanned: pl.LazyFrame = urlgrep.polars.scan([path, str(path)], columns={"link": "url"}, errors="column")
    series: pl.Series = urlgrep.polars.SeriesNamespace(frame["body"]).urls(schemes="http")
    return count + len(lists) + scanned.collect().height + len(series)


def columns(finder: urlgrep.Finder) -> int:
    table = pa.table({"id": [1], "message": [{"body": ["http://h.org/a"]}]})
    reader: pa.RecordBatchReader = urlgrep.arrow.extract(table, "message.body", keep=["id"], batch_size=10)
    batches: urlgrep.arrow.Batches = finder.extract(pa.array(["http://h.org/a"]), columns=["url"], batch_size=10)
    kept: pa.RecordBatchReader = finder.extract(table, "message.body", keep=["id"], archive=False)
    lists: urlgrep.arrow.Lists = finder.extract_list(table, "message.body", columns="url")
    more = urlgrep.arrow.extract_list(table, column="message.body")
    return len(reader.read_all()) + len(next(batches)) + len(kept.read_all()) + len(lists) + len(more)


def main() -> None:
    finder = urlgrep.Finder(grade="rfc1738", errors="raise")
    assert finder == urlgrep.Finder(errors="raise", grade="rfc1738") and len({finder}) == 1
    has: bool = finder.is_match("http://h.org/") and urlgrep.is_match(b"http://h.org/", schemes="http")
    url = urlgrep.parse_rfc1738("ftp://h.org/a")
    kind: Optional[str] = url.typecode if isinstance(url, urlgrep.Ftp) else urlgrep.parse("http://h.org").host
    inside: Optional[str] = urlgrep.unwrap("http://h.org/")
    try:
        urlgrep.parse_rfc1738("http://h.org/~me/")
    except urlgrep.ParseError as error:
        print(error.offset, error.production)
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "a.txt")
        path.write_text("http://h.org/a")
        print(has, kind, inside, list(urls("www.h.org")), files(path), tables(path), frames(path), columns(finder), file=sys.stderr)


main()
