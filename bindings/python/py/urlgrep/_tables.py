"""urlgrep.arrow.extract of tables, for which it needs pyarrow."""

from __future__ import annotations

import sys
from collections import deque
from itertools import groupby, islice
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import pyarrow as pa
from pyarrow import compute

from ._urlgrep import Batches

#: pyarrow.compute creates its functions on import, so type checkers do not know them.
_compute: Any = compute

#: The column with the row of a match, from which the kept values are taken.
_ROW = "row that is kept"

#: Batches of fewer bytes are passed on together.
_SMALL = 1 << 20

#: The maximum number of batches joined into one table: each holds its own memory, and the search waits for the last
#: one.
_TOGETHER = 256

#: The search of a column of a source: see urlgrep._urlgrep.extract.
_Search = Callable[[Any, Optional[str], Any, int], Batches]


class _Window(NamedTuple):
    """A group of batches that are passed on together."""

    #: The rows, counted over all batches.
    start: int
    end: int
    #: The kept values.
    values: List[pa.Array]


def extract(
    search: _Search,
    source: Any,
    column: Optional[str],
    columns: Union[Sequence[str], Mapping[str, str], None],
    keep: Sequence[str],
    batch_size: int,
) -> pa.RecordBatchReader:
    """See urlgrep.arrow.extract."""
    if column is None:
        raise TypeError("keep: expected the name of a column to search as well: extract(table, 'body', keep=…)")
    if isinstance(keep, str):
        raise TypeError("keep: expected a list of str, found str")
    schema, batches = _batches(source, column, keep)
    wanted: Any = pa.schema(search(pa.array([], pa.binary()), None, None, 1)).names if columns is None else columns
    chosen: Dict[str, str] = dict(wanted) if isinstance(wanted, Mapping) else {name: name for name in wanted}
    # The numbers of the values to repeat. No column of a match has this name.
    needed = {**chosen, _ROW: "row"}
    root, *_ = read = _needed(schema.names, column, keep)
    matched = pa.schema(search(schema.empty_table().select([root]), column, needed, batch_size))
    kept = pa.schema([schema.field(name).with_type(_taken(schema.field(name).type)) for name in keep])
    names = [*keep, *(name for name in matched.names if name != _ROW)]
    if len(set(names)) < len(names):
        raise ValueError(f"keep: a column has the name of a column of a match, or occurs twice: {', '.join(names)}")
    result = pa.schema([*kept, *(matched.field(name) for name in names[len(keep) :])])

    def found() -> Iterator[pa.RecordBatch]:
        windows: Deque[_Window] = deque()

        def searched() -> Iterator[pa.Table]:
            start = 0
            for table in _together(batches, read):
                windows.append(_Window(start, start + table.num_rows, _values(table.select(list(keep)), kept)))
                start += table.num_rows
                yield table.select([root])

        for matches in map(pa.record_batch, search(searched(), column, needed, batch_size)):
            values = _of_rows(windows, matches.column(_ROW))
            values += [matches.column(name) for name in names[len(keep) :]]
            yield pa.RecordBatch.from_arrays(values, schema=result)

    return pa.RecordBatchReader.from_batches(result, found())


def _batches(source: Any, column: str, keep: Sequence[str]) -> Tuple[pa.Schema, Iterable[pa.RecordBatch]]:
    """Returns the batches of a table, a stream, or an iterator of batches or tables."""
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(source, polars.LazyFrame):
        frame = source.select(_needed(source.collect_schema().names(), column, keep))
        # Versions before Polars 1.34 collect the whole frame.
        source = frame.collect_batches() if hasattr(frame, "collect_batches") else frame.collect()
    if isinstance(source, pa.RecordBatch) or not hasattr(source, "__arrow_c_stream__"):
        return _iterated(source)
    if isinstance(source, pa.Table):
        source = source.to_reader()
    reader = source if isinstance(source, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(source)
    return reader.schema, reader


def _iterated(source: Any) -> Tuple[pa.Schema, Iterable[pa.RecordBatch]]:
    """Returns the batches of one batch, or of an iterator of them or of tables."""
    if hasattr(source, "__arrow_c_array__"):
        source = iter([source])
    if not hasattr(source, "__next__"):
        raise TypeError(f"expected a table, a reader or an iterator of record batches, found {type(source).__name__}")
    batches = (batch for batches in source for batch in _of_one(batches))
    first = next(batches, None)
    if first is None:
        raise ValueError("expected record batches, found an iterator without one: pass a table, which has a schema")

    def all_of_them() -> Iterator[pa.RecordBatch]:
        yield first
        yield from batches

    return first.schema, all_of_them()


def _of_one(source: Any) -> List[pa.RecordBatch]:
    """Returns the batches of a batch or a table."""
    if isinstance(source, pa.RecordBatch):
        return [source]
    return [pa.record_batch(source)] if hasattr(source, "__arrow_c_array__") else pa.table(source).to_batches()


def _needed(names: Sequence[str], path: str, keep: Sequence[str]) -> List[str]:
    """Returns the column at the beginning of a path, and then the other kept columns. A name may have dots: the longest one counts."""
    root = max((name for name in names if f"{path}.".startswith(f"{name}.")), key=len, default=path)
    for name in (root, *keep):
        if list(names).count(name) != 1:
            raise ValueError(f"expected one column {name!r} in the table, found these: {', '.join(names)}")
    return list(dict.fromkeys([root, *keep]))


def _together(batches: Iterable[pa.RecordBatch], names: List[str]) -> Iterator[pa.Table]:
    """These columns of the batches. To pass on a table takes as long as to search a hundred rows, so small batches become a table
    of one, of two, of four."""
    count = 1
    for _, alike in groupby(batches, lambda batch: batch.schema):
        while window := list(islice(alike, count)):
            yield pa.Table.from_batches(window).select(names)
            # The batches were validated when they were passed on. Asking all for their sizes takes longer than
            # searching them.
            size = max(_size(batch.select(names)) for batch in (window[0], window[-1])) * len(window)
            count = min(2 * count, _TOGETHER) if size < _SMALL else max(count // 2, 1)


def _size(batch: pa.RecordBatch) -> int:
    """Returns the number of bytes in a batch, or in its buffers, because older versions of pyarrow do not know it for views."""
    try:
        return int(batch.nbytes)
    except pa.ArrowException:
        return int(batch.get_total_buffer_size())


def _values(table: pa.Table, schema: pa.Schema) -> List[pa.Array]:
    """Returns the columns of a table, from which take() makes the columns of a schema."""
    # The table may be untrusted, and take() does not check it.
    table.validate(full=True)
    columns = table.cast(schema).columns
    return [column.chunk(0) if column.num_chunks == 1 else column.combine_chunks() for column in columns]


def _taken(type: pa.DataType) -> pa.DataType:
    """Returns the type of a column after take(), which does not support the views of Polars."""
    if type == pa.string_view():
        return pa.large_string()
    return pa.large_binary() if type == pa.binary_view() else type


def _of_rows(windows: Deque[_Window], rows: pa.Array) -> List[pa.Array]:
    """Returns the values of rows, which are in order. Earlier values are removed."""
    pieces: List[List[pa.Array]] = []
    done = 0
    while True:
        window = windows[0]
        end = _compute.sum(_compute.less(rows, window.end)).as_py()
        if end > done:
            here = _compute.subtract(rows.slice(done, end - done), window.start)
            pieces.append([value.take(here) for value in window.values])
        if end == len(rows):
            return pieces[0] if len(pieces) == 1 else [pa.concat_arrays(column) for column in zip(*pieces)]
        windows.popleft()
        done = end
