"""Searches with Spark: columns of a data frame, and files of mail, news, HTML and text of any size.

    from urlgrep import spark as urlgrep_spark

    urls = urlgrep_spark.extract(df, "body")

    urlgrep_spark.register(spark)
    urls = spark.read.format("urlgrep").load("s3a://bucket/archive/*.mbox*")

It needs Spark 4 (for extract: 3.5) and pyarrow, here and on the workers, as it needs urlgrep there.
"""

from __future__ import annotations

import glob
import json
import os
import re
from dataclasses import dataclass
from multiprocessing.pool import ThreadPool
from typing import Any, BinaryIO, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import unquote

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructField, StructType

import urlgrep
from urlgrep import arrow
from urlgrep._urlgrep import _kinds

__all__ = ["UrlgrepDataSource", "extract", "register"]
__dir__ = __all__.copy

#: The columns that extract adds, by default: the columns of urlgrep.arrow except the row.
MATCH = pa.schema(arrow.extract(pa.array([], pa.binary()))).names[1:]

#: The columns of the data source: the keys of `urlgrep --json`, and url_bytes.
COLUMNS = (
    "path line column start end pieces url url_bytes scheme host port ascii form text role element grade reason join "
    "alternatives warnings message"
).split()

#: An extra column, with unwrap: the links that were replaced.
_UNWRAPPED = "unwrapped"

#: An extra column, with errors=column: see urlgrep.arrow.open.
_ERROR = "error"

#: The number of rows in a batch of the data source.
_ROWS = 8192

#: The number of files whose lengths or split points are requested at once, because the latency of an object store or
#: a network file system is the same for one request and for many.
_AT_ONCE = 32

#: The default of splitSize, the length of a part of a file in bytes.
_SPLIT = 128 << 20


def extract(
    df: DataFrame,
    column: str,
    *,
    columns: Optional[Sequence[str]] = None,
    keep: Sequence[str] = (),
    archive: bool = False,
    **options: Any,
) -> DataFrame:
    """Returns the URLs in a column of strings or bytes: one row for each, with the columns of urlgrep.arrow.

    columns: the columns of a match, if not the default ones. keep: columns of df that each row repeats, such as a key.
    archive and options: the same as for urlgrep.arrow.extract.

    Raises ValueError if a column to keep has the name of a column of a match; rename it before.
    """
    chosen = list(MATCH if columns is None else columns)
    # Wrong options are errors here, and not on a worker.
    found = arrow.extract(pa.array([], pa.binary()), columns=chosen, archive=archive, **options)
    kept = [df.schema[name] for name in keep]
    schema = StructType(kept + _spark(pa.schema(found)).fields)
    if len(set(schema.names)) < len(schema.names):
        raise ValueError(f"keep: a column has the name of a column of a match, or occurs twice: {', '.join(schema.names)}")

    def search(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        target = _arrow(schema)
        for batch in batches:
            matches = arrow.extract(batch, column, keep=keep, columns=chosen, archive=archive, **options)
            for found in matches:
                yield _as(found, target)

    return df.select(*dict.fromkeys([*keep, column])).mapInArrow(search, schema)


def _spark(schema: pa.Schema) -> StructType:
    """Returns the Spark types for columns of urlgrep.arrow, all of which may be null."""
    return StructType([StructField(field.name, field.dataType) for field in from_arrow_schema(schema)])


def _arrow(schema: StructType) -> pa.Schema:
    """Returns the Arrow types that Spark expects."""
    return to_arrow_schema(schema, timezone="UTC")


def _as(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Returns this batch with lists and nulls declared as Spark does."""
    columns = [array if array.type == field.type else array.cast(field.type) for array, field in zip(batch.columns, schema)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def register(session: SparkSession) -> None:
    """Registers the format "urlgrep", for session.read."""
    session.dataSource.register(UrlgrepDataSource)


@dataclass
class _Part:
    """A range of a file, or the whole file."""

    path: str
    range: Optional[urlgrep.Split] = None
    #: True if the numbers of lines and messages before the range are known.
    counted: bool = False

    def source(self) -> Any:
        """Returns the input of urlgrep.arrow.open."""
        file = self.path if _is_local(self.path) else _Remote(self.path)
        return file if self.range is None else (file, (*self.range, self.counted))


@dataclass
class _Remote:
    """A file that is opened when the search comes to it, so that an error of the store belongs to that file."""

    name: str

    def open(self) -> BinaryIO:
        return _open(self.name)


class _Partition(InputPartition):
    """The input of one task."""

    def __init__(self, parts: List[_Part]) -> None:
        super().__init__(parts)
        self.parts = parts


class UrlgrepDataSource(DataSource):
    """The format "urlgrep": the URLs in files, with the columns of `urlgrep --json`.

    A file that urlgrep.split can divide is read in parts of `splitSize` bytes, one for each task. Any other file is read by
    one task, and small files are read together.

    Paths without "://" and paths that begin with "file:" are local, including the paths of Databricks: "dbfs:/a" is /dbfs/a,
    where that is mounted. Other paths are read by pyarrow.fs, or by fsspec if pyarrow.fs does not support them. load() takes
    one path or a list of paths. A path may contain `*` and `?`, which match anything except a slash, `**`, `[a-z]` and
    `{a,b}`, unless a local file has exactly that name. A directory stands for all files in it.

    Options: `columns` (names of urlgrep.arrow.open, separated by commas; or pass a schema with some of them), `splitSize`
    (bytes, or a number with a unit, such as "64m"; 128m by default), `count` ("true": the driver reads divided files twice, so
    that `line` and `message.index` refer to the file; otherwise they are null for these files), and the options of
    urlgrep.open. With `unwrap`, the data source adds the column `unwrapped`. With `errors` "column", it adds `error`: a file
    that cannot be opened, read or decoded becomes a row, and the task continues; see urlgrep.arrow.open.
    """

    @classmethod
    def name(cls) -> str:
        return "urlgrep"

    def schema(self) -> StructType:
        return _Settings(self.options).schema()

    def reader(self, schema: StructType) -> "_Reader":
        settings = _Settings(self.options)
        settings.choose(schema)
        return _Reader(settings, schema)


class _Settings:
    """The options of the data source."""

    def __init__(self, options: Mapping[str, str]) -> None:
        given = {name.lower(): value for name, value in options.items()}
        self.paths = _paths(given)
        self.size = _bytes("splitSize", given.pop("splitsize", str(_SPLIT)))
        self.count = _yes("count", given.pop("count", "false"))
        columns = given.pop("columns", None)
        self.options = _typed(given)
        usual = COLUMNS + ([_UNWRAPPED] if self.options.get("unwrap") else [])
        self.columns = usual if columns is None else [name.strip() for name in columns.split(",")]
        # Wrong options are errors here, and not on a worker.
        self.found = pa.schema(arrow.open([], columns=self.columns, **self.options))

    def schema(self) -> StructType:
        """Returns the columns as Spark types."""
        return _spark(self.found)

    def choose(self, schema: StructType) -> None:
        """Chooses the columns of a schema. Raises ValueError if it does not consist of them."""
        has_errors = _ERROR in self.found.names
        if (_ERROR in schema.names) != has_errors:
            expected = "the last column is `error`" if has_errors else 'no column `error` without option("errors", "column")'
            raise ValueError(f"schema: expected {expected}, found {', '.join(schema.names)}")
        names = [name for name in schema.names if name != _ERROR]
        if has_errors and schema.names[-1] != _ERROR:
            raise ValueError(f"schema: expected that the last column is `error`, found {', '.join(schema.names)}")
        found = pa.schema(arrow.open([], columns=names, **self.options))
        for field, expected in zip(schema, _spark(found)):
            if field.dataType.simpleString() != expected.dataType.simpleString():
                kinds = f"{expected.dataType.simpleString()}, found {field.dataType.simpleString()}"
                raise ValueError(f"schema: expected that `{field.name}` is {kinds}")
        self.columns = names


class _Reader(DataSourceReader):
    def __init__(self, settings: _Settings, schema: StructType) -> None:
        self.settings, self.spark = settings, schema

    def partitions(self) -> Sequence[InputPartition]:
        size = self.settings.size
        partitions: List[_Partition] = []
        small: List[_Part] = []
        total = 0
        files = _files(self.settings.paths, self.settings.options.get("errors") == "column")
        with ThreadPool(_AT_ONCE) as pool:
            divided = pool.map(self._parts, [path for path, length in files if length > size], chunksize=1)
        partitions += [_Partition([part]) for parts in divided for part in parts]
        for path, length in files:
            if length > size:
                continue
            if total + length > size and small:
                partitions.append(_Partition(small))
                small, total = [], 0
            small.append(_Part(path))
            total += length
        return partitions + [_Partition(small)] if small else partitions

    def _parts(self, path: str) -> List[_Part]:
        try:
            with _open(path) as file:
                format = self.settings.options.get("format", "auto")
                ranges = urlgrep.split(file, self.settings.size, count=self.settings.count, format=format)
        except Exception:
            # The task that reads the file reports the error.
            return [_Part(path)]
        if len(ranges) == 1:
            return [_Part(path)]
        return [_Part(path, part, self.settings.count) for part in ranges]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        assert isinstance(partition, _Partition)
        sources = (part.source() for part in partition.parts)
        schema, settings = _arrow(self.spark), self.settings
        for batch in arrow.open(sources, columns=settings.columns, batch_size=_ROWS, **settings.options):
            yield _as(pa.record_batch(batch), schema)


def _paths(options: Dict[str, str]) -> List[str]:
    """Returns the path or paths of load()."""
    path, paths = options.pop("path", None), options.pop("paths", None)
    if paths is not None:
        return [str(path) for path in json.loads(paths)]
    if path is None:
        raise ValueError('format "urlgrep": expected a path: spark.read.format("urlgrep").load(path)')
    return [path]


def _yes(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false"):
        raise ValueError(f'option "{name}": expected "true" or "false", found "{value}"')
    return value.lower() == "true"


def _bytes(name: str, value: str) -> int:
    """Parses a number of bytes, with or without a unit."""
    match = re.fullmatch(r"\s*(\d+)\s*([kmgt]?)(i?b)?\s*", value, re.IGNORECASE)
    size = int(match[1]) << (10 * " kmgt".index(match[2].lower() or " ")) if match else 0
    if size == 0:
        raise ValueError(f'option "{name}": expected a number of bytes above 0, such as "64m", found "{value}"')
    return size


def _typed(options: Mapping[str, str]) -> Dict[str, Any]:
    """Spark's options are strings with case-insensitive names."""
    kinds = {**_kinds(), "headers": bool, "dot_stuffing": bool}
    typed: Dict[str, Any] = {}
    for name, value in options.items():
        kind = kinds.get(name, str)
        typed[name] = _yes(name, value) if kind is bool else kind(value)
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
    """Replaces s3a, Hadoop's scheme for S3."""
    return path.replace("s3a://", "s3://", 1) if path.startswith("s3a://") else path


def _files(paths: Sequence[str], missing: bool) -> List[Tuple[str, int]]:
    """Returns the files that match paths with wildcards, and their lengths. A path without wildcards that does not exist is
    kept if `missing` is true."""
    files: Dict[str, int] = {}
    for path in paths:
        path = _local_path(path)
        found = [file for one in _alternatives(path) for file in (_local if _is_local(one) else _remote)(one)]
        if not found and missing and not _has_wildcards(path):
            found = [(path, 0)]
        if not found:
            raise FileNotFoundError(f"no file matches {path}")
        files.update(found)
    return sorted(files.items())


#: Where Databricks mounts its files, on the driver and on the workers.
_DBFS = "/dbfs"


def _local_path(path: str) -> str:
    """Returns the path of a URI with the scheme file, which may have one slash or three, or a host; or with the scheme dbfs."""
    scheme, colon, rest = path.partition(":")
    if not colon or scheme not in ("file", "dbfs"):
        return path
    if rest.startswith("//"):
        rest = rest[2 + rest[2:].find("/") :] if "/" in rest[2:] else "/"
    if scheme == "file":
        return unquote(rest)
    if not os.path.isdir(_DBFS):
        raise FileNotFoundError(f"{path}: expected that DBFS is mounted at {_DBFS}; pass a path of a volume or of the store")
    return _DBFS + rest


def _has_wildcards(path: str) -> bool:
    return glob.has_magic(path) or "{" in path


def _alternatives(path: str) -> List[str]:
    """Returns the paths for `{a,b}`, which may be nested. A local file with that very name is not expanded."""
    if _is_local(path) and os.path.lexists(path):
        return [path]
    braces = re.search(r"\{([^{}]*)\}", path)
    if braces is None:
        return [path]
    start, end = braces.span()
    chosen = [path[:start] + name + path[end:] for name in braces[1].split(",")]
    return [one for name in chosen for one in _alternatives(name)]


def _local(path: str) -> List[Tuple[str, int]]:
    is_there = os.path.lexists(path)
    names = glob.glob(path, recursive=True) if glob.has_magic(path) and not is_there else [path] if is_there else []
    files: List[str] = []
    for name in names:
        if os.path.isdir(name):
            files += [os.path.join(top, file) for top, _, inside in os.walk(name) for file in inside]
        else:
            files.append(name)
    with ThreadPool(_AT_ONCE) as pool:
        return list(zip(files, pool.map(_length, files)))


def _length(file: str) -> int:
    """Returns the length of a file; 0 for a file that has vanished or a broken link, which the task reports."""
    try:
        return os.stat(file).st_size
    except OSError:
        return 0


def _remote(path: str) -> List[Tuple[str, int]]:
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
        # The listing contains the lengths, which saves a request for each file.
        found = (system.glob if glob.has_magic(path) else system.find)(pattern, detail=True)
        files = [(name, info) for name, info in found.items() if info["type"] == "file"]
        return [(system.unstrip_protocol(name), info["size"] or 0) for name, info in files]
    info = system.get_file_info(name)
    if info.type != fs.FileType.Directory:
        return [(path, info.size)] if info.type == fs.FileType.File else []
    pattern = _pattern(name.rstrip("/") + path[len(base) :])
    inside = system.get_file_info(fs.FileSelector(name, recursive=True))
    chosen = [file for file in inside if file.type == fs.FileType.File and pattern.match(file.path)]
    return [(f"{scheme}://{file.path}", file.size) for file in chosen]


def _pattern(path: str) -> "re.Pattern[str]":
    """Returns a path with the wildcards of glob as a regular expression for it and everything in it."""
    pieces = re.split(r"(\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\])", path)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pattern = ""
    for piece in pieces:
        if piece.startswith("[") and piece.endswith("]") and len(piece) > 2:
            inside = piece[1:-1].replace("\\", "\\\\")
            pattern += "[" + ("^" + inside[1:] if inside.startswith("!") else inside) + "]"
        else:
            pattern += wild.get(piece) or re.escape(piece)
    return re.compile(pattern + "(?:/.*)?$", re.DOTALL)
