"""Random columns: what is found in them is what find_iter finds in each string, whatever the layout is and whoever made it.

URLGREP_COLUMNS is how many columns are tried, 400 by default; each has a number, from which all of it follows.
"""

import importlib.util
import os
import random
from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc
import urlgrep
import urlgrep.arrow

NUMBER = int(os.environ.get("URLGREP_COLUMNS", 400))

PIECES = [
    "http://h.org/a", "https://www.example.org:8443/é?b=c#d", "<URL:ftp://h.org/b-\n c>", "<http://h.org/\n  x>", "mailto:a@h.org",
    "http://h.org/~d).", "hxxp://h[.]org", "www.h.org", "\x00", "é", "😀", "日本http://h.org/語", " ", "\n", "> ", "\"news:a.b\"", "http:/", "://",
    "x" * 30, "<URL:", ">", "http://", "h.org/", "javascript:x", "xn--a.org", "http://[::1]/", "",
]  # fmt: skip

COLUMNS = ["row", "url", "url_bytes", "start", "end", "scheme", "host", "port", "form", "grade", "join", "alternatives", "pieces", "warnings"]

OPTIONS = [{}, {}, {}, {"schemes": ["http", "https"]}, {"join": "likely"}, {"schemeless": ["hosts", "emails"]}, {"refang": True}, {"grade": "rfc1738"}, {"schemeless": "all-domains"}, {"iri": "all"}, {"delimited_rows": True}, {"unwrap": True}, {"width": 20}]  # fmt: skip


def text(chance):
    return "".join(chance.choice(PIECES) for _ in range(chance.choice([0, 1, 2, 3, 5, 40])))


def texts(chance):
    """Strings and nulls. Some have none, all, or the same ones again and again."""
    nulls, some = chance.choice([0, 0.2, 1]), [text(chance) for _ in range(5)]
    one = chance.choice([lambda: text(chance), lambda: chance.choice(some)])
    return [None if chance.random() < nulls else one() for _ in range(chance.choice([0, 1, 3, 9, 70, 70, 500]))]


def cut(chance, rows):
    """A range of rows, and what rows are in it."""
    start = chance.randint(0, rows)
    return start, chance.randint(0, rows - start)


STRINGS = [pa.string(), pa.large_string(), pa.string_view()]
BYTES = [pa.binary(), pa.large_binary(), pa.binary_view()]
KEYS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def array(chance, values):
    """An array of pyarrow."""
    kind = chance.choice(STRINGS + BYTES)
    encoded = [value if value is None or kind in STRINGS else value.encode() for value in values]
    layout = chance.choice(["plain", "plain", "dictionary", "struct", "list", "padded", "runs"])
    if layout == "dictionary":
        return dictionary(chance, encoded, chance.choice([pa.string(), pa.large_string()] if kind in STRINGS else BYTES[:2]))
    whole = pa.array(encoded, kind)
    if layout == "struct":
        # The field of a slice of structs, some of which are null.
        mask = pa.array([value is None for value in values], pa.bool_()) if values else None
        structs = pa.StructArray.from_arrays([pa.array(range(len(whole)), pa.int64()), whole], ["n", "body"], mask=mask)
        return structs.flatten()[1]
    if layout == "list":
        ends = [0, *sorted(chance.randint(0, len(whole)) for _ in range(3)), len(whole)]
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), whole).flatten()
    if layout == "runs" and "view" not in str(kind):
        return pc.run_end_encode(whole, chance.choice([pa.int16(), pa.int32(), pa.int64()]))
    if layout == "padded":
        more = pa.array([b"http://before.org/" if kind in BYTES else "http://before.org/"] * 3, kind)
        return pa.concat_arrays([more, whole, more]).slice(3, len(whole))
    return whole


def dictionary(chance, encoded, kind):
    """Its values are in any order, and one of them may be null, as an index may."""
    distinct = list(dict.fromkeys(value for value in encoded if value is not None)) + [None]
    chance.shuffle(distinct)
    key = lambda value: None if value is None and chance.random() < 0.5 else distinct.index(value)  # noqa: E731
    keys = pa.array([key(value) for value in encoded], chance.choice(KEYS))
    return pa.DictionaryArray.from_arrays(keys, pa.array(distinct, kind))


def of_pyarrow(chance, values):
    whole = array(chance, values)
    start, length = cut(chance, len(values))
    sliced, values = whole.slice(start, length), values[start : start + length]
    if chance.random() < 0.4:
        return sliced, values
    ends = sorted(chance.randint(0, length) for _ in range(3))
    pieces = [sliced[a:b] for a, b in zip([0, *ends], [*ends, length])]
    chunked = pa.chunked_array(pieces, sliced.type)
    if chance.random() < 0.5:
        return chunked, values
    return (piece for piece in pieces), values


def of_polars(chance, values):
    import polars as pl

    kind = chance.choice([pl.String, pl.Binary, pl.Categorical, "struct", "list"])
    if kind == pl.Binary:
        series = pl.Series("body", [value if value is None else value.encode() for value in values], pl.Binary)
    else:
        series = pl.Series("body", values, pl.String)
    if kind == pl.Categorical:
        series = series.cast(kind)
    elif kind == "struct":
        series = pl.DataFrame({"n": range(len(values)), "body": series}).to_struct("s").struct.field("body")
    elif kind == "list" and values:
        series = pl.Series([series.to_list()], dtype=pl.List(pl.String)).explode()
    start, length = cut(chance, len(values))
    sliced, values = series.slice(start, length), values[start : start + length]
    if chance.random() < 0.5 and kind != pl.Categorical:
        return pl.concat([sliced, sliced], rechunk=False), values * 2
    return sliced, values


def of_duckdb(chance, values):
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"SET arrow_large_buffer_size = {chance.choice(['true', 'false'])}")
        connection.execute(f"SET produce_arrow_string_view = {chance.choice(['true', 'false'])}")
        table = pa.table({"n": pa.array(range(len(values)), pa.int64()), "body": pa.array(values, pa.string())})
        connection.register("messages", table)
        body = chance.choice(["body", "{'a': body}.a", "encode(body)", "body"])
        start, length = cut(chance, len(values))
        query = f"SELECT {body} AS body FROM (SELECT * FROM messages ORDER BY n LIMIT {length} OFFSET {start})"
        relation = connection.sql(query)
        # The name that DuckDB 1 has.
        read = relation.to_arrow_reader if hasattr(relation, "to_arrow_reader") else relation.fetch_arrow_reader
        reader = read(chance.choice([1, 7, 2048]))
        return pa.chunked_array([batch.column(0) for batch in reader], reader.schema.field(0).type), values[start : start + length]


def of_nanoarrow(chance, values):
    import nanoarrow as na

    kind, is_text = chance.choice([(na.string(), True), (na.large_string(), True), (na.binary(), False), (na.large_binary(), False)])
    encoded = [value if value is None or is_text else value.encode() for value in values]
    if chance.random() < 0.4:
        return na.Array.from_chunks([na.c_array(encoded, kind)] * 2), values * 2
    whole = na.c_array(encoded, kind)
    if chance.random() < 0.3:
        return whole, values
    # The same buffers, from a row on.
    start, length = cut(chance, len(values))
    valid, *buffers = whole.view().buffers
    buffers = [na.c_buffer(valid) if len(bytes(valid)) else None, *map(na.c_buffer, buffers)]
    return na.c_array_from_buffers(kind, length, buffers, null_count=-1, offset=start), values[start : start + length]


@lru_cache(maxsize=10_000)
def found(value, number):
    """What find_iter finds in a string."""
    matches = urlgrep.find_iter(value.encode(), **OPTIONS[number])
    return [
        {
            **{name: getattr(match, name) for name in COLUMNS[1:-3]},
            "alternatives": list(match.alternatives),
            "pieces": [{"start": start, "end": end} for start, end in match.pieces],
            "warnings": list(match.warnings),
        }
        for match in matches
    ]


#: Those whose library is installed.
MAKERS = [
    maker
    for name, maker in (
        ("pyarrow", of_pyarrow),
        ("pyarrow", of_pyarrow),
        ("polars", of_polars),
        ("duckdb", of_duckdb),
        ("nanoarrow", of_nanoarrow),
    )
    if importlib.util.find_spec(name)
]


def check(number):
    chance = random.Random(number)
    column, values = chance.choice(MAKERS)(chance, texts(chance))
    option = chance.randrange(len(OPTIONS))
    columns = chance.sample(COLUMNS, chance.randint(1, len(COLUMNS)))
    wanted = [value if value is None else found(value, option) for value in values]
    wanted = [
        matches and [{name: {**match, "row": row}[name] for name in columns} for match in matches]
        for row, matches in enumerate(wanted)
    ]
    options = OPTIONS[option]
    if chance.random() < 0.5:
        table = pa.table(urlgrep.arrow.extract(column, columns=columns, **options))
        result, wanted = table, [match for matches in wanted for match in matches or []]
    elif chance.random() < 0.3:
        result = pa.array(urlgrep.arrow.extract_list(column, columns=columns[0], **options))
        wanted = [matches and [match[columns[0]] for match in matches] for matches in wanted]
    else:
        result = pa.array(urlgrep.arrow.extract_list(column, columns=columns, **options))
    result.validate(full=True)
    assert result.to_pylist() == wanted, number


def test_random_columns():
    for number in range(NUMBER):
        check(number)
