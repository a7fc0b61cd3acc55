"""The URLs in Polars columns, lazy or not, and in files. Importing this module registers the namespace `urlgrep` on
expressions and series.

    import polars as pl
    import urlgrep.polars

    frame.with_columns(urls=pl.col("body").urlgrep.urls())
    urlgrep.polars.scan("lists/*.mbox").filter(pl.col("host") == "h.org").select("path", "url").collect()

It needs Polars, and not pyarrow.
"""

from __future__ import annotations

import glob
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Union

import polars as pl

from . import arrow

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._urlgrep import TableOptions, _Files
    from .arrow import Columns, ListColumns

__all__ = ["Namespace", "SeriesNamespace", "extract", "scan", "urls"]
__dir__ = __all__.copy

#: The number of rows that are searched at once, because their matches are limited to 2 GiB.
_ROWS = 1 << 17

#: The maximum number of rows in a batch of scan, if Polars does not request a number.
_BATCH = 1 << 16


def scan(files: _Files, *, columns: Columns = None, **options: Unpack[TableOptions]) -> pl.LazyFrame:
    """Returns the URLs in files, one row for each, as a LazyFrame with the columns of urlgrep.arrow.open. Only the columns that a query
    needs are computed, a filter is applied to each batch, and head() ends the search early unless a filter precedes it.

        found = urlgrep.polars.scan("archive/**/*.mbox.gz", errors="column")
        found.group_by("host").len().sort("len").collect(engine="streaming")

    files: as for urlgrep.arrow.open. An iterator is consumed at once, because a query may run more than once. A file object
    can be read only once, so pass paths. A path that is not a file may contain the wildcards of glob, including **: it stands
    for the files that exist when a query runs, in order.

    columns, options: the same as for urlgrep.arrow.open, which describes `error`.

    Raises TypeError or ValueError for wrong options at once. A file that cannot be opened or read, or is damaged, is an
    error of the query, with the text of the OSError.
    """
    # Only newer versions of Polars have this module; the other functions work without it.
    from polars.io.plugins import register_io_source

    schema = pl.DataFrame(arrow.open([], columns=columns, **options)).schema
    again: Any = files
    if hasattr(again, "__next__") and not hasattr(again, "read"):
        again = list(again)
    if not isinstance(columns, Mapping):
        # The column for rows that are not matches cannot be chosen.
        columns = {name: name for name in schema if name != "error" or options.get("errors") != "column"}
    read = partial(_read, files=again, columns=dict(columns), options=dict(options))
    return register_io_source(read, schema=schema)


def _read(
    with_columns: Optional[List[str]],
    predicate: Optional[pl.Expr],
    n_rows: Optional[int],
    batch_size: Optional[int],
    *,
    files: Any,
    columns: Dict[str, str],
    options: Dict[str, Any],
) -> Iterator[pl.DataFrame]:
    """The callback of Polars for the batches of a scan. A function that can be pickled, for plans that go elsewhere."""
    wanted = list(columns) if with_columns is None else with_columns
    # A table has at least one column.
    chosen = {name: columns[name] for name in wanted if name in columns} or {"start": "start"}
    # `n_rows` is set by a head() that no filter precedes.
    left = sys.maxsize if n_rows is None else n_rows
    rows = max(min(batch_size or _BATCH, left), 1)
    with arrow.open(_expanded(files), columns=chosen, batch_size=rows, **options) as batches:
        while left > 0:
            batch = next(batches, None)
            if batch is None:
                return
            frame = pl.DataFrame(batch).head(left)
            left -= len(frame)
            if with_columns is not None:
                frame = frame.select(with_columns)
            yield frame if predicate is None else frame.filter(predicate)


def _expanded(files: Any) -> Any:
    """Returns the files, with wildcards expanded."""
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    if not isinstance(files, list):
        return files
    return (file for pattern in files for file in _matching(pattern))


def _matching(pattern: Any) -> List[Any]:
    """Returns the files that a path matches, or the path itself without a match, so that its error contains its name."""
    if not isinstance(pattern, (str, os.PathLike)) or os.path.lexists(pattern):
        return [pattern]
    name = os.fspath(pattern)
    found = sorted(glob.glob(name, recursive=True)) if glob.has_magic(name) else []
    return [path for path in found if os.path.isfile(path)] or [pattern]


def extract(
    expr: Union[pl.Expr, str], *, columns: ListColumns = None, archive: bool = False, **options: Unpack[TableOptions]
) -> pl.Expr:
    """Returns a list for each row, with one item for each URL: structs with the columns of a match, or the values of one column.

    expr: an expression of strings, bytes or categories, or the name of a column. columns, archive, options: the same as for
    urlgrep.arrow.extract_list. A null row yields null. The type is known before a row is read, so it is in the schema of a
    LazyFrame. Each row is computed by itself, so the expression runs in the streaming engine.

        found = frame.select("id", url=urlgrep.polars.extract("body", columns=["url", "host"]))
        found.explode("url").drop_nulls("url").unnest("url")       # one row for each URL

    pl.col("body").urlgrep.extract(…) does the same, but type checkers do not know it.

    Raises TypeError or ValueError for wrong options at once. For a column of another type or a damaged row, the error is
    raised when rows are read.
    """
    search = partial(_search, columns=columns, archive=archive, options=dict(options))
    expr = pl.col(expr) if isinstance(expr, str) else expr
    dtype = search(pl.Series([], dtype=pl.String)).dtype
    return expr.map_batches(search, return_dtype=dtype, is_elementwise=True)


def urls(expr: Union[pl.Expr, str], *, archive: bool = False, **options: Unpack[TableOptions]) -> pl.Expr:
    """Returns the URLs of each row, as a list of strings: extract with columns="url"."""
    return extract(expr, columns="url", archive=archive, **options)


def _search(series: pl.Series, *, columns: ListColumns, archive: bool, options: Dict[str, Any]) -> pl.Series:
    """Returns the lists of a series. A function that can be pickled, for plans that go elsewhere."""
    rows = range(0, len(series), _ROWS) or [0]
    found = [arrow.extract_list(series.slice(row, _ROWS), columns=columns, archive=archive, **options) for row in rows]
    return pl.concat([pl.Series(lists) for lists in found]).alias(series.name)


@pl.api.register_expr_namespace("urlgrep")
class Namespace:
    """The methods of pl.col("body").urlgrep."""

    def __init__(self, expr: pl.Expr) -> None:
        self._expr = expr

    def extract(
        self, *, columns: ListColumns = None, archive: bool = False, **options: Unpack[TableOptions]
    ) -> pl.Expr:
        """See urlgrep.polars.extract."""
        return extract(self._expr, columns=columns, archive=archive, **options)

    def urls(self, *, archive: bool = False, **options: Unpack[TableOptions]) -> pl.Expr:
        """See urlgrep.polars.urls."""
        return urls(self._expr, archive=archive, **options)


@pl.api.register_series_namespace("urlgrep")
class SeriesNamespace:
    """The methods of pl.Series(…).urlgrep."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def extract(
        self, *, columns: ListColumns = None, archive: bool = False, **options: Unpack[TableOptions]
    ) -> pl.Series:
        """Returns the lists of urlgrep.polars.extract, as a series."""
        return _search(self._series, columns=columns, archive=archive, options=dict(options))

    def urls(self, *, archive: bool = False, **options: Unpack[TableOptions]) -> pl.Series:
        """Returns the URLs of each row, as a list of strings."""
        return self.extract(columns="url", archive=archive, **options)
