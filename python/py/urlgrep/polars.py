"""The URLs in an expression of Polars, lazy or not. To import it registers the namespace `urlgrep` on expressions.

    import polars as pl
    import urlgrep.polars

    frame.with_columns(urls=pl.col("body").urlgrep.urls())

It needs Polars, and not pyarrow.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Dict, Union

import polars as pl

from . import arrow

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._urlgrep import TableOptions
    from .arrow import ListColumns

__all__ = ["Namespace", "extract", "urls"]

#: How many rows are searched at once: their matches have a limit of 2 GiB.
_ROWS = 1 << 17


def extract(
    expr: Union[pl.Expr, str], *, columns: ListColumns = None, archive: bool = False, **options: Unpack[TableOptions]
) -> pl.Expr:
    """A list for each row, as long as it has URLs: of structs with the columns of a match, or of the values of one column.

    expr: an expression of strings or bytes, also categories, or the name of a column. columns, archive, options: those of
    urlgrep.arrow.extract_list. A null has no list but null. The type is known before a row is read, so that the
    schema of a LazyFrame has it; for each row an answer of its own, so that the streaming engine takes it.

        found = frame.select("id", url=urlgrep.polars.extract("body", columns=["url", "host"]))
        found.explode("url").drop_nulls("url").unnest("url")       # one row for each URL

    The same is pl.col("body").urlgrep.extract(…), of which type checkers do not know.

    Raises TypeError or ValueError for options that are wrong, at once. For a column of another type, or a row that is
    damaged, that is raised when rows are read.
    """
    search = partial(_search, columns=columns, archive=archive, options=dict(options))
    expr = pl.col(expr) if isinstance(expr, str) else expr
    dtype = search(pl.Series([], dtype=pl.String)).dtype
    return expr.map_batches(search, return_dtype=dtype, is_elementwise=True)


def urls(expr: Union[pl.Expr, str], *, archive: bool = False, **options: Unpack[TableOptions]) -> pl.Expr:
    """The URLs of each row, as a list of strings: extract with columns="url"."""
    return extract(expr, columns="url", archive=archive, **options)


def _search(series: pl.Series, *, columns: ListColumns, archive: bool, options: Dict[str, Any]) -> pl.Series:
    """The lists of a series. A function that can be pickled, for plans that go elsewhere."""
    rows = range(0, len(series), _ROWS) or [0]
    found = [arrow.extract_list(series.slice(row, _ROWS), columns=columns, archive=archive, **options) for row in rows]
    return pl.concat([pl.Series(lists) for lists in found]).alias(series.name)


@pl.api.register_expr_namespace("urlgrep")
class Namespace:
    """What pl.col("body").urlgrep has."""

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
