"""urlgrep.arrow.extract of tables, for which it needs pyarrow."""

from __future__ import annotations

from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import pyarrow as pa

from . import _urlgrep

#: The row of a match, for what is kept of it.
_ROW = "row that is kept"


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
    columns: Union[Sequence[str], Mapping[str, str], None],
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
    if columns is None:
        columns = pa.schema(_urlgrep.extract(pa.array([], pa.binary()), None, archive)).names
    chosen: Dict[str, str] = dict(columns) if isinstance(columns, Mapping) else {name: name for name in columns}
    # Says which values to repeat. No column of a match has this name.
    needed = {**chosen, _ROW: "row"}
    for name in [column, *keep]:
        if schema.names.count(name) != 1:
            raise ValueError(f"expected one column {name!r} in the table, found these: {', '.join(schema.names)}")
    found = _urlgrep.extract(pa.array([], schema.field(column).type), needed, archive, **options)
    matched = pa.schema(found)
    kept = [schema.field(name).with_type(_taken(schema.field(name).type)) for name in keep]
    names = [*keep, *(name for name in matched.names if name != _ROW)]
    if len(set(names)) < len(names):
        raise ValueError(f"keep: a column has the name of a column of a match, or occurs twice: {', '.join(names)}")
    result = pa.schema([*kept, *(matched.field(name) for name in names[len(keep) :])])

    counted = [name for name, column in chosen.items() if column == "row"]

    def search() -> Iterator[pa.RecordBatch]:
        before = 0
        for batch in batches:
            # It is from a file of anyone, and take() reads it as it is.
            values = [batch.column(name) for name in keep]
            for value in values:
                value.validate(full=True)
            values = [value.cast(field.type) for value, field in zip(values, kept)]
            for found in _urlgrep.extract(batch.column(column), needed, archive, **options):
                yield _join(pa.record_batch(found), values, counted, before, result)
            before += batch.num_rows

    return pa.RecordBatchReader.from_batches(result, search())


def _join(
    matches: pa.RecordBatch, values: List[pa.Array], counted: Sequence[str], before: int, schema: pa.Schema
) -> pa.RecordBatch:
    """Matches beside the values of their rows. `before` rows precede the batch, for the columns that count them."""
    rows = matches.column(_ROW)
    columns = [value.take(rows) for value in values]
    for name in schema.names[len(values) :]:
        columns.append(pa.array(rows.to_numpy() + before) if name in counted and before else matches.column(name))
    return pa.RecordBatch.from_arrays(columns, schema=schema)
