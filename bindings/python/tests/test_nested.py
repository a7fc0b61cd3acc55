"""urlgrep.arrow: lists, fields of structs, and runs."""

import polars as pl
import pyarrow as pa
import pytest
import urlgrep.arrow as ua

#: A null list, an empty one, null and empty items, several URLs in an item; and what is found: the row, the item, the URL and
#: where it starts in its item.
ROWS = [
    ["http://h.org/a", None, "x http://h.org/b http://h.org/c"],
    None,
    [],
    ["", "no link"],
    [None],
    ["<URL:ftp://h.org/d>"],
]

FOUND = [
    (0, 0, "http://h.org/a", 0),
    (0, 2, "http://h.org/b", 2),
    (0, 2, "http://h.org/c", 17),
    (5, 0, "ftp://h.org/d", 0),
]

LISTS = [["http://h.org/a", "http://h.org/b", "http://h.org/c"], None, [], [], [], ["ftp://h.org/d"]]

COLUMNS = ["row", "item", "url", "start"]


def rows(source, column=None, columns=COLUMNS, **options):
    table = pa.table(ua.extract(source, column, columns=columns, **options))
    table.validate(full=True)
    return [tuple(row.values()) for row in table.to_pylist()]


def urls(source, column=None, **options):
    array = pa.array(ua.extract_list(source, column, columns="url", **options))
    array.validate(full=True)
    return array.to_pylist()


TEXTS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
KINDS = [pa.list_, pa.large_list, pa.list_view, pa.large_list_view]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("text", TEXTS, ids=str)
def test_lists(kind, text):
    column = pa.array(ROWS, kind(text))
    assert rows(column) == FOUND
    assert urls(column) == LISTS
    # A slice has the rows from the third on, and the items of all.
    assert rows(column[2:]) == [(3, 0, "ftp://h.org/d", 0)]
    assert urls(column[2:5]) == [[], [], []]
    assert urls(column[:1]) == LISTS[:1]
    assert rows(pa.chunked_array([column[4:], column[:0], column[:1]])) == [
        (1, 0, "ftp://h.org/d", 0),
        (2, 0, "http://h.org/a", 0),
        (2, 2, "http://h.org/b", 2),
        (2, 2, "http://h.org/c", 17),
    ]


def test_lists_over_slices_of_items():
    items = pa.array(["http://h.org/before", "http://h.org/a", None, "http://h.org/b"])[1:]
    column = pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), items)
    assert urls(column) == [["http://h.org/a"], ["http://h.org/b"]]
    assert rows(column[1:]) == [(0, 0, "http://h.org/b", 0)]


def test_lists_of_a_fixed_size():
    column = pa.array([["http://h.org/a", "x"], None, ["y", "z ftp://h.org/b"]], pa.list_(pa.string(), 2))
    assert rows(column) == [(0, 0, "http://h.org/a", 0), (2, 1, "ftp://h.org/b", 2)]
    assert urls(column[1:]) == [None, ["ftp://h.org/b"]]
    assert urls(pa.array([[], []], pa.list_(pa.string(), 0))) == [[], []]


def test_lists_of_nothing():
    assert urls(pa.array([[None, None], None, []], pa.list_(pa.null()))) == [[], None, []]


def test_items_are_texts_of_their_own():
    assert urls(pa.array([["<URL:http://h.org/a-", "b>", "http", "://h.org/c"]])) == [["http://h.org/a-"]]


def test_item_is_null_where_no_row_is_a_list():
    assert rows(pa.array(["http://h.org/a"])) == [(0, None, "http://h.org/a", 0)]


def test_lists_of_messages():
    column = pa.array([[b"From: a\nSubject: a\n\nhttp://h.org/a", b"From: b\nSubject: b\n\nhttp://h.org/b"]], pa.list_(pa.binary()))
    found = rows(column, columns=["item", "url", "subject"], archive=True)
    assert found == [(0, "http://h.org/a", "a"), (1, "http://h.org/b", "b")]


#: Structs, some null, in which fields are null; and the same in lists.
STRUCTS = [{"id": 1, "body": "http://h.org/a"}, None, {"id": 3, "body": None}, {"id": 4, "body": "see ftp://h.org/b"}]
STRUCT = pa.struct([("id", pa.int64()), ("body", pa.string())])


def test_fields():
    column = pa.array(STRUCTS, STRUCT)
    expected = [["http://h.org/a"], None, None, ["ftp://h.org/b"]]
    assert urls(column, "body") == expected
    assert urls(column[1:], "body") == expected[1:]
    assert urls(column[3:], "body") == expected[3:]
    table = pa.table({"message": column, "n": [0, 1, 2, 3]})
    assert urls(table, "message.body") == expected
    assert urls(table.slice(1, 2), "message.body") == [None, None]
    assert rows(table, "message.body", columns=["row", "url"]) == [(0, "http://h.org/a"), (3, "ftp://h.org/b")]
    assert rows(table, "message.body", columns=["url"], keep=["n"]) == [(0, "http://h.org/a"), (3, "ftp://h.org/b")]
    assert rows(table, "message.body", columns=["url"], keep=["message"])[0] == (STRUCTS[0], "http://h.org/a")


def test_a_null_struct_whose_field_has_a_text():
    bodies = pa.array(["http://h.org/a", "http://h.org/hidden"])
    column = pa.StructArray.from_arrays([bodies], ["body"], mask=pa.array([False, True]))
    assert urls(column, "body") == [["http://h.org/a"], None]


def test_fields_within_fields_and_lists():
    post = {"parts": [{"head": {"text": "http://h.org/a"}}, None, {"head": None}, {"head": {"text": "ftp://h.org/b"}}]}
    table = pa.table({"post": [post, {"parts": None}, None]})
    assert urls(table, "post.parts.head.text") == [["http://h.org/a", "ftp://h.org/b"], None, None]
    assert rows(table, "post.parts.head.text") == [(0, 0, "http://h.org/a", 0), (0, 3, "ftp://h.org/b", 0)]
    assert rows(table, "post.parts.head.text", keep=["post"], columns=["item"])[1] == (
        {"parts": [{"head": {"text": "http://h.org/a"}}, None, {"head": None}, {"head": {"text": "ftp://h.org/b"}}]},
        3,
    )


def test_names_with_dots():
    table = pa.table({"a.b": ["http://h.org/1"], "a": [{"b": "http://h.org/2", "b.c": "http://h.org/3"}]})
    assert urls(table, "a.b") == [["http://h.org/1"]]
    assert urls(table.select(["a"]), "a.b") == [["http://h.org/2"]]
    with pytest.raises(TypeError, match="expected a struct with the field 'c'"):
        ua.extract_list(table, "a.b.c")
    assert urls(table.select(["a"]), "a.b.c") == [["http://h.org/3"]]


@pytest.mark.parametrize("frame", [pl.DataFrame, lambda data: pl.DataFrame(data).lazy()], ids=["DataFrame", "LazyFrame"])
def test_polars(frame):
    frame = frame({"id": [7, 8], "message": [{"body": ["http://h.org/a", None]}, {"body": ["x", "ftp://h.org/b"]}]})
    assert rows(frame, "message.body", keep=["id"], columns=["item", "url"]) == [(7, 0, "http://h.org/a"), (8, 1, "ftp://h.org/b")]
    if isinstance(frame, pl.DataFrame):
        assert urls(frame, "message.body") == [["http://h.org/a"], ["ftp://h.org/b"]]


def runs(ends, values, type=pa.int32()):
    return pa.RunEndEncodedArray.from_arrays(pa.array(ends, type), pa.array(values))


@pytest.mark.parametrize("type", [pa.int16(), pa.int32(), pa.int64()], ids=str)
def test_runs(type):
    column = runs([2, 3, 5, 6], ["http://h.org/a", None, "ftp://h.org/b", ""], type)
    expected = [["http://h.org/a"]] * 2 + [None] + [["ftp://h.org/b"]] * 2 + [[]]
    assert urls(column) == expected
    # All cuts, most of them within a run.
    for start in range(7):
        for end in range(start, 7):
            assert urls(column[start:end]) == expected[start:end], (start, end)
    assert [row[0] for row in rows(column[1:5])] == [0, 2, 3]
    assert urls(pa.chunked_array([column[1:2], column[3:4]])) == [expected[1], expected[3]]


def test_runs_of_lists_are_not_searched():
    column = pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array([["x"]]))
    with pytest.raises(TypeError, match="found a column of List"):
        ua.extract_list(column)


def test_runs_in_structs():
    column = pa.StructArray.from_arrays([runs([3, 4], ["http://h.org/a", "x"])], ["body"])
    assert urls(column[2:], "body") == [["http://h.org/a"], []]


@pytest.mark.parametrize(
    ("column", "path", "error", "message"),
    [
        (pa.array([[["x"]]]), None, TypeError, "expected a column of strings or bytes, found a column of List"),
        (pa.array([[1]]), None, TypeError, "found a column of Int64"),
        (pa.array([[{"a": "x"}]]), None, TypeError, "found a column of Struct"),
        (pa.array(STRUCTS, STRUCT), "text", ValueError, "expected exactly one field 'text'; the fields are: id, body"),
        (pa.array(STRUCTS, STRUCT), "id", TypeError, "found a column of Int64"),
        (pa.array(STRUCTS, STRUCT), "body.a", TypeError, "expected a struct with the field 'a', found no struct"),
        (pa.array(["x"]), "a", TypeError, "expected a struct with the field 'a'"),
        (pa.StructArray.from_arrays([pa.array(["x"])] * 2, ["a", "a"]), "a", ValueError, "expected exactly one field 'a'; the fields are: a, a"),
    ],
)
def test_what_is_wrong(column, path, error, message):
    with pytest.raises(error, match=message):
        ua.extract_list(column, path)


def test_what_is_wrong_in_a_table():
    table = pa.table({"message": pa.array(STRUCTS, STRUCT)})
    with pytest.raises(ValueError, match="expected exactly one field 'text'; the fields are: id, body"):
        ua.extract(table, "message.text", columns=["url"])
    with pytest.raises(ValueError, match="expected one column 'text' in the table, found these: message"):
        ua.extract(table, "text", columns=["url"])


def test_offsets_of_lists_that_are_wrong():
    """pyarrow looks at the last one alone."""
    items = pa.array(["http://h.org/a", "http://h.org/b"])
    for offsets, row in [([0, 9, 2], 0), ([0, 2, 1, 2], 1), ([0, -1, 2], 0)]:
        buffer = pa.array(offsets, pa.int32()).buffers()[1]
        column = pa.Array.from_buffers(pa.list_(pa.string()), len(offsets) - 1, [None, buffer], children=[items])
        with pytest.raises(ValueError, match=f"row {row}: expected a list within the 2 items of the column"):
            ua.extract_list(column)


def test_runs_that_are_wrong():
    """pyarrow looks at the last one alone."""
    for ends, row in [([1, 1, 1, 2], None), ([-1, 3], 0), ([3, -1, 4], 0), ([9, 1, 4], 1)]:
        buffer = pa.py_buffer(bytearray(pa.array(ends, pa.int32()).buffers()[1].to_pybytes()))
        children = [pa.Array.from_buffers(pa.int32(), len(ends), [None, buffer]), pa.array(["http://h.org/a"] * len(ends))]
        column = pa.Array.from_buffers(pa.run_end_encoded(pa.int32(), pa.string()), ends[-1], [None], children=children)
        if row is None:
            assert urls(column) == [["http://h.org/a"]] * 2
            continue
        try:
            assert len(urls(column)) == ends[-1]
        except ValueError as error:
            assert "expected one of the" in str(error)


def test_runs_that_end_before_the_last_row():
    column = runs([2, 4], ["http://h.org/a", "x"])
    schema, array = column.__arrow_c_array__()

    class Exported:
        """What pyarrow would not let anyone make: one row more."""

        def __arrow_c_array__(self, requested_schema=None):
            import ctypes

            pointer = ctypes.pythonapi.PyCapsule_GetPointer
            pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            ctypes.c_int64.from_address(pointer(array, b"arrow_array")).value = 5
            return schema, array

    with pytest.raises(ValueError, match="row 4: expected one of the 2 runs to contain the row"):
        ua.extract_list(Exported())
