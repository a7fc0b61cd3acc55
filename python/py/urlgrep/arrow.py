"""Searches columns of strings or bytes: of pyarrow, Polars, DuckDB, and all that has the Arrow PyCapsule interface.

Nothing is copied on the way in or out, and other threads run meanwhile. pyarrow is not needed.

A match has these columns. Offsets are bytes, also in a column of strings, from 0, with exclusive ends.

    url        string, null if it is not UTF-8
    url_bytes  binary
    start      int64, delimiters included
    end        int64
    scheme     string, lower case
    host       string, lower case, or null
    form       string: 'wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'href'
    grade      string: 'rfc1738', 'rfc3986', 'lenient'
    join       string: 'delimited', 'flowed', 'guess', or null
"""

from __future__ import annotations

from typing import Any

from . import _urlgrep
from ._urlgrep import Batch, Batches, Lists

__all__ = ["Batch", "Batches", "Lists", "extract", "extract_list"]


def extract(column: Any, *, archive: bool = False, **options: Any) -> Batches:
    """The URLs in a column, one row for each: batches with the column `row` (int64), which counts the rows of the
    column from 0, and the columns of a match.

    column: an array, or a stream of arrays: a pyarrow.Array or ChunkedArray, a polars.Series and others, of strings or
    bytes (also large, view, fixed-size and dictionary-encoded ones), with or without nulls.

    archive: whether a row is a message or a file, and not text. It is decoded as by urlgrep.open, and the offsets are
    those of the row after decompression.

    The result is an Arrow stream, for pyarrow.table, polars.DataFrame or DuckDB, or an iterator of batches. The
    column is read as the result is: 16 MiB at a time.

    Options: those of find_iter but line_numbers; with archive=True, also those of open. A damaged row raises
    ValueError, which names it; with errors='warn', the matches before the damage are kept, and the rest is searched.

    Raises TypeError if the column is none of strings or bytes, ValueError at a row whose offsets, view or index are wrong.
    The sizes of buffers are checked for columns of pyarrow and pandas alone: other libraries do not pass them on.
    """
    return _urlgrep.extract(column, archive, **options)


def extract_list(column: Any, *, archive: bool = False, **options: Any) -> Lists:
    """The URLs in a column, as one list of structs for each row: an Arrow array as long as the column.

    A row without URLs has an empty list, a null row null. The structs have the columns of a match. The result is for
    pyarrow.array, polars.Series and functions of DuckDB; chunks of the column become one array.

    All else is as for extract. Raises ValueError if the URLs have more than 2 GiB in all.
    """
    return _urlgrep.extract_list(column, archive, **options)
