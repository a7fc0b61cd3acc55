"""urlgrep.arrow.extract of tables, for which it needs pyarrow."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple

import pyarrow as pa

from . import _urlgrep

#: The columns that a match has if none are chosen.
_USUAL = ["row", "url", "url_bytes", "start", "end", "scheme", "host", "form", "grade", "join"]


def _batches(source: Any) -> Tuple[pa.Schema, Iterable[pa.RecordBatch]]:
    """The batches of a table, a stream, or an iterator of batches."""
    if hasattr(source, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(source)
        return reader.schema, reader
    if hasattr(source, "__arrow_c_array__"):
        batch = pa.record_batch(source)
        return batch.schema, [batch]
    if not hasattr(source, "__next__"):
        raise TypeError(f"expected a table, a reader or an iterator of record batches, found {type(source).__name__}")
    batches = (pa.record_batch(batch) for batch in source)
    first = next(batches, None)
    if first is None:
        raise ValueError("expected record batches, found an iterator without one: pass a table, which has a schema")

    def all_of_them() -> Iterator[pa.RecordBatch]:
        yield first
        yield from batches

    return first.schema, all_of_them()


def _taken(type: pa.DataType) -> pa.DataType:
    """The type of a column after take(), which does not know views: those that Polars has."""
    if type == pa.string_view():
        return pa.large_string()
    return pa.large_binary() if type == pa.binary_view() else type


def extract(
    source: Any,
    column: Optional[str],
    *,
    columns: Optional[Sequence[str]],
    keep: Sequence[str],
    archive: bool,
    **options: Any,
) -> pa.RecordBatchReader:
    """See urlgrep.arrow.extract."""
    if column is None:
        raise TypeError("keep: expected the name of a column to search, too: extract(table, 'body', keep=…)")
    if isinstance(keep, str):
        raise TypeError("keep: expected a list of str, found str")
    schema, batches = _batches(source)
    chosen = list(_USUAL if columns is None else columns)
    # The row says which values to repeat.
    needed = chosen if "row" in chosen else [*chosen, "row"]
    for name in [column, *keep]:
        if schema.names.count(name) != 1:
            raise ValueError(f"expected one column {name!r} in the table, found these: {', '.join(schema.names)}")
    found = _urlgrep.extract(pa.array([], schema.field(column).type), needed, archive, **options)
    matched = pa.schema(found)
    kept = [schema.field(name).with_type(_taken(schema.field(name).type)) for name in keep]
    names = [*keep, *(name for name in matched.names if name in chosen or name == "error")]
    if len(set(names)) < len(names):
        raise ValueError(f"keep: a column has the name of a column of a match, or occurs twice: {', '.join(names)}")
    result = pa.schema([*kept, *(matched.field(name) for name in names[len(keep) :])])

    def search() -> Iterator[pa.RecordBatch]:
        before = 0
        for batch in batches:
            # It is from a file of anyone, and take() reads it as it is.
            values = [batch.column(name) for name in keep]
            for value in values:
                value.validate(full=True)
            values = [value.cast(field.type) for value, field in zip(values, kept)]
            for found in _urlgrep.extract(batch.column(column), needed, archive, **options):
                yield _join(pa.record_batch(found), values, before, result)
            before += batch.num_rows

    return pa.RecordBatchReader.from_batches(result, search())


def _join(matches: pa.RecordBatch, values: List[pa.Array], before: int, schema: pa.Schema) -> pa.RecordBatch:
    """Matches beside the values of their rows; `before` rows precede the batch."""
    rows = matches.column("row")
    columns = [value.take(rows) for value in values]
    for name in schema.names[len(values) :]:
        column = matches.column(name)
        if name == "row" and before:
            column = pa.array(column.to_numpy() + before)
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, schema=schema)
