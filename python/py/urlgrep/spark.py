"""Searches with Spark: columns of a data frame, and files of mail, news, HTML and text of any size.

    from urlgrep import spark as urlgrep_spark

    urls = urlgrep_spark.extract(df, "body")

    urlgrep_spark.register(spark)
    urls = spark.read.format("urlgrep").load("s3a://bucket/archive/*.mbox*")

It needs Spark 4 (for extract: 3.5) and pyarrow, here and on the workers, as it needs urlgrep there.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

import urlgrep
from urlgrep import arrow

__all__ = ["UrlgrepDataSource", "extract", "register"]

#: The columns that extract adds.
MATCH = (
    "url string, url_bytes binary, start bigint, end bigint, scheme string, host string, form string, grade string, "
    "join string"
)

#: The columns of the data source: the keys of `urlgrep --json`, and url_bytes.
SCHEMA = (
    "path string, line bigint, column bigint, start bigint, end bigint, "
    "segments array<struct<start: bigint, end: bigint>>, url string, url_bytes binary, scheme string, host string, "
    "port int, ascii string, form string, text string, role string, element string, "
    "grade string, reason struct<production: string, offset: bigint, message: string>, join string, alternatives array<string>, "
    "warnings array<string>, message struct<index: bigint, id: string, `from`: string, date: string, "
    "subject: string, newsgroups: string, to: string, cc: string, list_id: string, in_reply_to: string, part: string, content_type: string, header: string, quote_depth: bigint, filename: string, uri: string, "
    "type: string, `offset`: bigint>"
)

_ARROW = pa.schema(
    [
        ("path", pa.string()),
        ("line", pa.int64()),
        ("column", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("segments", pa.list_(pa.struct([("start", pa.int64()), ("end", pa.int64())]))),
        ("url", pa.string()),
        ("url_bytes", pa.binary()),
        ("scheme", pa.string()),
        ("host", pa.string()),
        ("port", pa.int32()),
        ("ascii", pa.string()),
        ("form", pa.string()),
        ("text", pa.string()),
        ("role", pa.string()),
        ("element", pa.string()),
        ("grade", pa.string()),
        ("reason", pa.struct([("production", pa.string()), ("offset", pa.int64()), ("message", pa.string())])),
        ("join", pa.string()),
        ("alternatives", pa.list_(pa.string())),
        ("warnings", pa.list_(pa.string())),
        (
            "message",
            pa.struct(
                [
                    ("index", pa.int64()),
                    ("id", pa.string()),
                    ("from", pa.string()),
                    ("date", pa.string()),
                    ("subject", pa.string()),
                    ("newsgroups", pa.string()),
                    ("to", pa.string()),
                    ("cc", pa.string()),
                    ("list_id", pa.string()),
                    ("in_reply_to", pa.string()),
                    ("part", pa.string()),
                    ("content_type", pa.string()),
                    ("header", pa.string()),
                    ("quote_depth", pa.int64()),
                    ("filename", pa.string()),
                    ("uri", pa.string()),
                    ("type", pa.string()),
                    ("offset", pa.int64()),
                ]
            ),
        ),
    ]
)

#: One more, with unwrap: the links that were replaced.
_UNWRAPPED = "unwrapped"

#: How many rows a batch of the data source has.
_ROWS = 4096

#: The length of a part of a file, in bytes, unless splitsize says otherwise.
_SPLIT = 128 << 20


def extract(
    df: DataFrame, column: str, *, keep: Sequence[str] = (), archive: bool = False, **options: Any
) -> DataFrame:
    """The URLs in a column of strings or bytes: one row for each, with the columns of urlgrep.arrow.

    keep: columns of df that each row repeats, such as a key. archive and options: those of urlgrep.arrow.extract.

    Raises ValueError if a column to keep has the name of a column of a match; rename it before.
    """
    kept = StructType([df.schema[name] for name in keep])
    schema = StructType(kept.fields + StructType.fromDDL(MATCH).fields)
    if len(set(schema.names)) < len(schema.names):
        raise ValueError(f"keep: a column has the name of a column of a match, or occurs twice: {', '.join(schema.names)}")
    # Wrong options are errors here, and not on a worker.
    arrow.extract(pa.array([], pa.binary()), archive=archive, **options)

    needed = list(dict.fromkeys([*keep, column]))

    def search(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for found in arrow.extract(batch.column(needed.index(column)), archive=archive, **options):
                matches = pa.record_batch(found)
                rows = batch.select(list(range(len(keep)))).take(matches.column(0))
                columns = rows.columns + matches.columns[1:]
                yield pa.RecordBatch.from_arrays(columns, schema.names)

    return df.select(*needed).mapInArrow(search, schema)


def register(session: SparkSession) -> None:
    """Registers the format "urlgrep", for session.read."""
    session.dataSource.register(UrlgrepDataSource)


@dataclass
class _Part:
    """A range of a file, or all of it."""

    path: str
    range: Optional[urlgrep.Split] = None
    #: Whether lines and messages before the range are known.
    counted: bool = False


class _Partition(InputPartition):
    """What one task reads."""

    def __init__(self, parts: List[_Part]) -> None:
        super().__init__(parts)
        self.parts = parts


class UrlgrepDataSource(DataSource):
    """The format "urlgrep": the URLs in files, with the columns of `urlgrep --json`.

    An mbox or text that is not compressed is divided into parts of `splitsize` bytes, one for each task; each other
    file is read by one task, and small files are read together. Paths without "://" are local; others are read by
    pyarrow.fs, or by fsspec if that does not know them. A path may have * and ?, and a directory stands for all
    files in it.

    Options: `splitsize` (bytes; 134217728), `count` ("true": `line` and `message.index` of divided files are those
    in the file, for two passes over them by the driver; otherwise they are null there), and those of urlgrep.open.
    With `unwrap` there is one more column, `unwrapped`.
    """

    @classmethod
    def name(cls) -> str:
        return "urlgrep"

    def schema(self) -> str:
        return SCHEMA + f", {_UNWRAPPED} array<string>" if _unwraps(self.options) else SCHEMA

    def reader(self, schema: StructType) -> "_Reader":
        return _Reader(dict(self.options))


class _Reader(DataSourceReader):
    def __init__(self, options: Dict[str, str]) -> None:
        options = {name.lower(): value for name, value in options.items()}
        path = options.pop("path", None)
        if path is None:
            raise ValueError('format "urlgrep": expected a path: spark.read.format("urlgrep").load(path)')
        self.path = path
        self.size = int(options.pop("splitsize", _SPLIT))
        self.count = _yes("count", options.pop("count", "false"))
        self.options = _typed(options)
        unwrapped = pa.field(_UNWRAPPED, pa.list_(pa.string()))
        self.arrow = _ARROW.append(unwrapped) if self.options.get("unwrap") else _ARROW
        # Wrong options are errors here, and not on a worker.
        urlgrep.Finder(**self.options)

    def partitions(self) -> Sequence[InputPartition]:
        partitions: List[_Partition] = []
        small, total = [], 0
        for path, length in _files(self.path):
            if length > self.size and self.options.get("format", "auto") == "auto":
                partitions += [_Partition([part]) for part in self._parts(path)]
                continue
            if total + length > self.size and small:
                partitions.append(_Partition(small))
                small, total = [], 0
            small.append(_Part(path))
            total += length
        return partitions + [_Partition(small)] if small else partitions

    def _parts(self, path: str) -> List[_Part]:
        with _open(path) as file:
            ranges = urlgrep.split(file, self.size, count=self.count)
        if len(ranges) == 1:
            return [_Part(path)]
        return [_Part(path, part, self.count) for part in ranges]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, _Partition)
        rows: List[Dict[str, Any]] = []
        for part in partition.parts:
            for row in self._rows(part):
                rows.append(row)
                if len(rows) >= _ROWS:
                    yield pa.RecordBatch.from_pylist(rows, self.arrow)
                    rows = []
        yield pa.RecordBatch.from_pylist(rows, self.arrow)

    def _rows(self, part: _Part) -> Iterator[Dict[str, Any]]:
        with _open(part.path) as file:
            if part.range is None:
                matches = urlgrep.open(file, line_numbers=True, **self.options)
            else:
                matches = urlgrep.read_split(file, *part.range, line_numbers=True, **self.options)
            try:
                for match in matches:
                    yield _row(match, part)
            except (OSError, EOFError) as error:
                # A file object may not know its path.
                raise type(error)(f"{part.path}: {error}") from error


def _row(match: urlgrep.Match, part: _Part) -> Dict[str, Any]:
    row = match.as_dict()
    # The member of an archive follows the name of the file.
    member = "!/" + row["path"].split("!/", 1)[1] if row["path"] and "!/" in row["path"] else ""
    row["path"] = _clean(part.path + member)
    row["segments"] = [{"start": start, "end": end} for start, end in row["segments"]]
    row["url_bytes"] = match.url_bytes
    row["url"] = _text(match.url_bytes)
    row["text"] = row["text"] and _clean(row["text"])
    row["alternatives"] = [_clean(url) for url in row["alternatives"]]
    if part.range is not None and not part.counted:
        row["line"] = None
        if row["message"]:
            row["message"]["index"] = None
    return row


def _text(url: bytes) -> Optional[str]:
    """Null if it is not UTF-8; url_bytes has it."""
    try:
        return url.decode()
    except UnicodeDecodeError:
        return None


def _clean(text: str) -> str:
    """What is not UTF-8 is replaced, since Arrow has nothing else."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _unwraps(options: Mapping[str, str]) -> bool:
    return any(name.lower() == "unwrap" and _yes(name, value) for name, value in options.items())


def _yes(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise ValueError(f'option "{name}": expected "true" or "false", found "{value}"')
    return value.lower() == "true"


def _typed(options: Mapping[str, str]) -> Dict[str, Any]:
    """The options of Spark are strings; its names have no letter case."""
    typed: Dict[str, Any] = {}
    for name, value in options.items():
        if name in ("cells", "hosts", "addresses", "refang", "unwrap", "attachments", "headers", "dot_stuffing"):
            typed[name] = _yes(name, value)
        elif name in ("max_len", "width"):
            typed[name] = int(value)
        else:
            typed[name] = value
    return typed


def _is_local(path: str) -> bool:
    return "://" not in path


def _open(path: str) -> BinaryIO:
    """Opens a path for reading, with seek."""
    if _is_local(path):
        return open(path, "rb")
    from pyarrow import fs

    try:
        system, name = fs.FileSystem.from_uri(_uri(path))
    except pa.ArrowInvalid:
        import fsspec

        return fsspec.open(path, "rb").open()
    return system.open_input_file(name)


def _uri(path: str) -> str:
    """The scheme that Hadoop has for S3 is s3a."""
    return path.replace("s3a://", "s3://", 1) if path.startswith("s3a://") else path


def _files(path: str) -> List[Tuple[str, int]]:
    """The files that a path with wildcards stands for, and their lengths."""
    files = _local(path) if _is_local(path) else _remote(path)
    if not files:
        raise FileNotFoundError(f"no file matches {path}")
    return sorted(files)


def _local(path: str) -> List[Tuple[str, int]]:
    names = glob.glob(path, recursive=True) if glob.has_magic(path) else [path]
    files: List[str] = []
    for name in names:
        if os.path.isdir(name):
            files += [os.path.join(top, file) for top, _, inside in os.walk(name) for file in inside]
        else:
            files.append(name)
    return [(file, os.stat(file).st_size) for file in files]


def _remote(path: str) -> List[Tuple[str, int]]:
    import fnmatch

    from pyarrow import fs

    scheme = path.split("://", 1)[0]
    base = path
    while glob.has_magic(base):
        base = base.rsplit("/", 1)[0]
    try:
        system, name = fs.FileSystem.from_uri(_uri(base))
    except pa.ArrowInvalid:
        import fsspec

        system, pattern = fsspec.core.url_to_fs(path)
        found = system.glob(pattern) if glob.has_magic(path) else system.find(pattern)
        return [(system.unstrip_protocol(file), system.size(file)) for file in found]
    info = system.get_file_info(name)
    if info.type != fs.FileType.Directory:
        return [(path, info.size)] if info.type == fs.FileType.File else []
    pattern = name.rstrip("/") + (path[len(base) :] if base != path else "/*")
    inside = system.get_file_info(fs.FileSelector(name, recursive=True))
    chosen = [file for file in inside if file.type == fs.FileType.File and fnmatch.fnmatch(file.path, pattern)]
    return [(f"{scheme}://{file.path}", file.size) for file in chosen]
