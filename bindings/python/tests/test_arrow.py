"""urlgrep.arrow: every layout of a column, in and out."""

import gzip
import struct
import threading
import warnings

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import urlgrep
import urlgrep.arrow as ua

ROWS = [
    "see <URL:http://h.org/foo-\n bar>, ftp://h.org/a",
    None,
    "",
    "nothing",
    "é http://h.org/é " + "x" * 40,
    "<URL:http://h.org/b>",
]

#: By find_iter on bytes.
EXPECTED = [
    (row, match.url, match.url_bytes, match.start, match.end, match.scheme, match.host, match.form, match.grade, match.join)
    for row, text in enumerate(ROWS)
    if text is not None
    for match in urlgrep.find_iter(text.encode())
]


def rows(column, **options):
    table = pa.table(ua.extract(column, **options))
    table.validate(full=True)
    return [tuple(row.values()) for row in table.to_pylist()]


def lists(column, **options):
    array = pa.array(ua.extract_list(column, **options))
    array.validate(full=True)
    assert len(array) == len(column)
    return array.to_pylist()


TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
KEYS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def test_expected():
    assert [row[:2] for row in EXPECTED] == [
        (0, "http://h.org/foo-bar"),
        (0, "ftp://h.org/a"),
        (4, "http://h.org/é"),
        (5, "http://h.org/b"),
    ]


@pytest.mark.parametrize("type", TYPES + [pa.dictionary(key, pa.string()) for key in KEYS], ids=str)
def test_types(type):
    if pa.types.is_dictionary(type):
        column = pa.array(ROWS).dictionary_encode().cast(type)
    else:
        column = pa.array(ROWS, pa.string()).cast(type)
    assert rows(column) == EXPECTED
    assert rows(pa.chunked_array([column, column[:0], column])) == EXPECTED + [
        (row[0] + len(ROWS), *row[1:]) for row in EXPECTED
    ]
    assert rows(column[3:]) == [(row[0] - 3, *row[1:]) for row in EXPECTED if row[0] >= 3]
    assert rows(column[:0]) == []
    found = lists(column)
    assert found[1] is None and found[2] == []
    flat = [(row, *match.values()) for row, matches in enumerate(found) for match in matches or []]
    assert flat == EXPECTED
    assert [(row, *match.values()) for row, matches in enumerate(lists(column[3:]), 3) for match in matches] == [
        row for row in EXPECTED if row[0] >= 3
    ]


#: Rows that are next to each other in a buffer, and what is in each of them alone.
BESIDE = [
    ("http", []),
    ("://h.org/a", []),
    ("<URL:", []),
    ("x>, at 12:30, or so, with more than 12 bytes", []),
    ("http://h.org/b", ["http://h.org/b"]),
    ("http://h.org/c", ["http://h.org/c"]),
    (None, None),
    ("ftp://h.c", ["ftp://h.c"]),
    ("", []),
    ("see news:a.b", ["news:a.b"]),
    ("mailto:", []),
    ("a@h.org: a row that ends in a prefix, <URL:", []),
    ("//h.org/d", []),
]


@pytest.mark.parametrize("type", [*TYPES, pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_rows_are_texts_of_their_own(type):
    # Longer than what is indexed at once, with stretches of rows that are all, or not, to be searched.
    texts, wanted = zip(*BESIDE * 100, *BESIDE[:4] * 2000, *BESIDE[4:6] * 2000, *BESIDE * 100)
    column, wanted = pa.array(texts, pa.string()).cast(type), list(wanted)
    urls = lambda column: lists(column, columns="url")  # noqa: E731
    assert urls(column) == wanted
    assert urls(column[3:-7]) == wanted[3:-7]
    assert urls(column[3:]) + urls(column[:3]) == wanted[3:] + wanted[:3]
    assert [(row, url) for row, url in rows(column, columns=["row", "url"])] == [
        (row, url) for row, found in enumerate(wanted) for url in found or []
    ]


@pytest.mark.parametrize("dtype", [pl.String, pl.Binary, pl.Categorical])
def test_views_of_a_buffer_in_any_order(dtype):
    texts, wanted = zip(*BESIDE * 1000)
    column = pl.Series(texts, dtype=pl.String)
    column = column.cast(dtype)
    for order in (range(0, len(texts), 7), range(len(texts) - 1, -1, -1), [n * 7919 % len(texts) for n in range(len(texts))], [5, 5, 3, 5]):
        picked = column.gather(list(order))
        assert lists(picked, columns="url") == [wanted[n] for n in order]
        assert lists(picked[2:], columns="url") == [wanted[n] for n in order][2:]
    # Buffers of several columns.
    both = pl.concat([column, column[::-1]], rechunk=False).gather([n // 2 + n % 2 * len(texts) for n in range(2 * len(texts))])
    both_wanted = [found for pair in zip(wanted, reversed(wanted)) for found in pair]
    assert lists(both, columns="url") == both_wanted


def test_fixed_size_and_null():
    assert [row[1] for row in rows(pa.array([b"http://h.org/"], pa.binary(13)))] == ["http://h.org/"]
    assert rows(pa.nulls(3)) == []
    assert lists(pa.nulls(3)) == [None, None, None]


def test_empty():
    table = pa.table(ua.extract(pa.chunked_array([], pa.string())))
    assert table.num_rows == 0
    assert table.column_names == ["row", "url", "url_bytes", "start", "end", "scheme", "host", "form", "grade", "join"]
    assert lists(pa.array([], pa.string())) == []


def test_urls_that_are_not_utf8():
    ((_, url, url_bytes, *_),) = rows(pa.array([b"<URL:http://h.org/\xff>"]))
    assert (url, url_bytes) == (None, b"http://h.org/\xff")


def test_batches():
    column = pa.chunked_array([pa.array(["x" * 1_000_000 + " http://h.org/"] * 20)] * 3)
    batches = [pa.record_batch(batch) for batch in ua.extract(column)]
    assert len(batches) > 2
    assert pa.Table.from_batches(batches)["row"].to_pylist() == list(range(60))
    batch = next(ua.extract(pa.array(ROWS)))
    assert len(batch) == 4 and repr(batch) == "<urlgrep.arrow.Batch of 4 matches>"


def test_a_stream_is_consumed_once():
    batches = ua.extract(pa.array(ROWS))
    pa.table(batches)
    with pytest.raises(ValueError, match="the batches have been consumed"):
        pa.table(batches)


def test_the_input_is_consumed_once():
    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.string())]), [])
    capsule = pa.array(ROWS).__arrow_c_array__()

    class Exporter:
        def __arrow_c_array__(self, requested_schema=None):
            return capsule

    assert rows(Exporter()) == EXPECTED
    with pytest.raises(ValueError, match="the Arrow column has been consumed"):
        ua.extract(Exporter())
    with pytest.raises(TypeError, match="expected a column of strings or bytes, found a column of Struct"):
        ua.extract(reader)


def test_an_array_that_may_have_chunks():
    """It has both methods, and one of them fails, as that of an array of nanoarrow."""

    class Exporter:
        def __arrow_c_array__(self, requested_schema=None):
            raise ValueError("there are two chunks")

        def __arrow_c_stream__(self, requested_schema=None):
            return pa.chunked_array([pa.array(ROWS)]).__arrow_c_stream__()

    assert rows(Exporter()) == EXPECTED


def test_capsules_of_another_name():
    class Exporter:
        def __arrow_c_array__(self, requested_schema=None):
            return tuple(reversed(pa.array(ROWS).__arrow_c_array__()))

    with pytest.raises(ValueError):
        ua.extract(Exporter())


def test_polars():
    series = pl.Series(ROWS)
    frame = pl.DataFrame(ua.extract(series))
    assert frame["url"].to_list() == [row[1] for row in EXPECTED]
    assert [len(found) if found is not None else None for found in pl.Series(ua.extract_list(series)).to_list()] == [
        2,
        None,
        0,
        0,
        1,
        1,
    ]
    categories = pl.Series(ROWS, dtype=pl.Categorical)
    assert pl.DataFrame(ua.extract(categories)).equals(frame)


@pytest.mark.parametrize("dtype", [pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.string_view()), "str", object], ids=str)
def test_pandas(dtype):
    series = pd.Series(ROWS, dtype=dtype)
    assert rows(series) == EXPECTED
    assert [found and len(found) for found in lists(series)] == [2, None, [], [], 1, 1]


def test_rows_that_nobody_can_count():
    nulls = pa.Array.from_buffers(pa.null(), 1 << 50, [None])
    assert rows(nulls) == rows(pa.chunked_array([nulls, nulls])) == []
    with pytest.raises(ValueError, match="the column has too many rows"):
        ua.extract_list(nulls)


def test_the_column_is_released_at_its_end():
    memory = bytearray(struct.pack("=2i", 0, 13) + b"http://h.org/")
    whole = pa.py_buffer(memory)
    column = pa.Array.from_buffers(pa.string(), 1, [None, whole[:8], whole[8:]])
    batches = ua.extract(column)
    del column, whole
    with pytest.raises(BufferError):
        memory.clear()
    assert [len(batch) for batch in batches] == [1]
    memory.clear()


def test_a_zero_in_an_error_of_a_stream(monkeypatch):
    """The error goes out as a string of C."""

    def show(*warning):
        raise ValueError("a\0b")

    monkeypatch.setattr(warnings, "showwarning", show)
    damaged = pa.array([gzip.compress(b"http://h.org/ " * 10000)[:-20]])
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match=r"a\\0b"):
            pa.table(ua.extract(damaged, archive=True, errors="warn"))


def test_archive():
    message = (
        b"From: a\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D'http://h.org/a'>x</a>\n"
    )
    column = pa.array([message, gzip.compress(message), None, b"http://h.org/b"], pa.large_binary())
    found = rows(column, archive=True)
    assert [(row[0], row[1], row[7]) for row in found] == [
        (0, "http://h.org/a", "attribute"),
        (1, "http://h.org/a", "attribute"),
        (3, "http://h.org/b", "bare"),
    ]
    assert found[0][3:5] == found[1][3:5] == tuple(
        (match.start, match.end) for match in urlgrep.open(__import__("io").BytesIO(message))
    )[0]
    assert [len(found) if found is not None else None for found in lists(column, archive=True)] == [1, 1, None, 1]


def test_a_damaged_row():
    damaged = gzip.compress(b"http://h.org/a " * 10000)[:-20]
    column = pa.array([b"http://h.org/", damaged, b"http://h.org/"])
    with pytest.raises(ValueError, match="row 1: truncated gzip data"):
        list(ua.extract(column, archive=True))
    with pytest.raises(ValueError, match="row 1: truncated gzip data"):
        ua.extract_list(column, archive=True)
    with pytest.raises(pa.ArrowInvalid, match="row 1: truncated gzip data"):
        pa.table(ua.extract(column, archive=True))
    with pytest.warns(urlgrep.UrlgrepWarning, match="row 1: truncated gzip data"):
        found = rows(column, archive=True, errors="warn")
    assert [found[0][0], found[-1][0]] == [0, 2]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1]), "expected a column of strings or bytes, found a column of Int64"),
        (pa.table({"a": ["x"]}), "pass one column of it"),
        (pl.Series([1.5]), "found a column of Float64"),
        (pa.array([[["x"]]]), "found a column of List"),
        (pa.array([1]).dictionary_encode(), "found a column of Int64"),
        (["x"], "expected an Arrow array or stream .*, found list"),
        (None, "found NoneType"),
    ],
)
def test_other_columns(column, message):
    for function in (ua.extract, ua.extract_list):
        with pytest.raises(TypeError, match=message):
            function(column)


def test_options():
    assert [row[1] for row in rows(pa.array(ROWS), schemes="ftp")] == ["ftp://h.org/a"]
    with pytest.raises(TypeError, match='unknown option "headers"'):
        ua.extract(pa.array(ROWS), headers=False)


def test_threads_share_nothing():
    column = pa.array(ROWS * 1000)
    expected = pa.table(ua.extract(column))
    results = [None] * 4

    def search(number):
        results[number] = pa.table(ua.extract(column))

    threads = [threading.Thread(target=search, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result.equals(expected) for result in results)
