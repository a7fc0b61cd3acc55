"""SQL functions for DuckDB: the URLs in a text, and the URLs in files.

    import duckdb
    import urlgrep.duckdb

    connection = duckdb.connect()
    urlgrep.duckdb.register(connection)
    connection.sql("SELECT unnest(urls(body)) AS url FROM messages")
    connection.sql("SELECT url, count(*) FROM read_urls('archive/*.mbox.gz') GROUP BY url")

It needs DuckDB and pyarrow. The functions exist only in this connection. They compute all columns that you register, even if
a query does not read them, so choose these columns.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Dict

import duckdb
import pyarrow as pa

from . import arrow

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._urlgrep import TableOptions, TextOptions
    from .arrow import Columns, ListColumns

__all__ = ["create_read_urls", "create_urls", "register"]
__dir__ = __all__.copy

#: The kind of the function, as a string: DuckDB's type stubs accept only enums, whose module differs between versions.
_ARROW: Dict[str, Any] = {"type": "arrow", "null_handling": "special"}


def register(connection: duckdb.DuckDBPyConnection, **options: Unpack[TextOptions]) -> None:
    """Creates urls(text), which returns VARCHAR[], and read_urls(pattern), a table function. Functions with these names
    are replaced.

    Options: the options of urlgrep.find_iter except line_numbers. create_urls and create_read_urls have more.
    """
    create_urls(connection, **options)
    create_read_urls(connection, **options)


def create_urls(
    connection: duckdb.DuckDBPyConnection,
    name: str = "urls",
    *,
    columns: ListColumns = "url",
    archive: bool = False,
    **options: Unpack[TableOptions],
) -> None:
    """Creates a function of VARCHAR (with archive=True, of BLOB) that returns a list for each value: a list of values if
    `columns` is one name, or of structs if it is a list of names. A null yields null.

        urlgrep.duckdb.create_urls(connection, "links", columns=["url", "host"])
        connection.sql("SELECT id, unnest(links(body), max_depth := 2) FROM messages")

    columns, archive, options: the same as for urlgrep.arrow.extract_list, whose ValueError a query raises as
    duckdb.InvalidInputException.
    """
    search = partial(_in_texts, columns=columns, archive=archive, options=dict(options))
    returned = search(pa.array([], pa.string())).type
    _create(connection, name, search, "BLOB" if archive else "VARCHAR", returned)


def create_read_urls(
    connection: duckdb.DuckDBPyConnection,
    name: str = "read_urls",
    *,
    columns: Columns = None,
    **options: Unpack[TableOptions],
) -> None:
    """Creates a table function that returns the URLs in the files that match a pattern of DuckDB's glob(), or a list of patterns.

        urlgrep.duckdb.create_read_urls(connection, columns=["path", "url", "date"], errors="column")
        connection.sql("SELECT * FROM read_urls(['lists/**/*.mbox', 'news/*.warc.gz']) WHERE error IS NULL")

    columns, options: the same as for urlgrep.arrow.open.

    Python cannot add a table function to DuckDB. So this is a temporary macro around glob() and a function of one
    path, `_of_` and the name. DuckDB passes it up to 2048 paths at a time and keeps all their matches, which may take 2 GiB.
    If this takes too much memory, pass a stream, which can be read once:

        found = urlgrep.arrow.open(paths, columns=["url"])
        connection.sql("SELECT url, count(*) FROM found GROUP BY url")
    """
    schema = pa.schema(arrow.open([], columns=columns, **options))
    returned = pa.list_(pa.struct(list(schema)))
    function = f"_of_{name}"
    _create(connection, function, partial(_in_files, columns=columns, options=dict(options)), "VARCHAR", returned)
    found = f"unnest({_quoted(function)}(file), max_depth := 2)"
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {_quoted(name)}(pattern) AS TABLE SELECT {found} FROM glob(pattern)")


def _create(
    connection: duckdb.DuckDBPyConnection, name: str, search: Callable[[Any], Any], parameter: str, returned: pa.DataType
) -> None:
    """Creates or replaces a function of one column."""
    with suppress(duckdb.InvalidInputException):
        connection.remove_function(name)
    # Use a lambda, because DuckDB evaluates annotations and cannot resolve their names. With null_handling="special",
    # DuckDB passes columns unchanged; otherwise it copies each one to remove nulls.
    connection.create_function(
        name,
        lambda column: search(column),
        [duckdb.sqltype(parameter)],
        duckdb.sqltype(_sql(returned)),
        **_ARROW,
    )


def _in_texts(column: Any, *, columns: ListColumns, archive: bool, options: Dict[str, Any]) -> Any:
    return pa.array(arrow.extract_list(column, columns=columns, archive=archive, **options))


def _in_files(paths: Any, *, columns: Columns, options: Dict[str, Any]) -> Any:
    """Returns one list for each file, as one array, because DuckDB 1 reads only the first chunk of a result."""
    return pa.concat_arrays([_in_file(path, columns, options) for path in paths.to_pylist()])


def _in_file(path: str, columns: Columns, options: Dict[str, Any]) -> Any:
    found = pa.table(arrow.open(path, columns=columns, **options)).to_struct_array().combine_chunks()
    return pa.ListArray.from_arrays(pa.array([0, len(found)], pa.int32()), found)


def _sql(kind: pa.DataType) -> str:
    """Returns an Arrow type in SQL."""
    if pa.types.is_list(kind):
        return f"{_sql(kind.value_type)}[]"
    if pa.types.is_struct(kind):
        return f"STRUCT({', '.join(f'{_quoted(field.name)} {_sql(field.type)}' for field in kind)})"
    return {"string": "VARCHAR", "binary": "BLOB", "int32": "INTEGER", "int64": "BIGINT"}[str(kind)]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
