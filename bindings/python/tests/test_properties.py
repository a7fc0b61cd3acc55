"""What holds for any text, and for any layout of a column."""

import codecs
import pickle

import pyarrow as pa
import urlgrep
import urlgrep.arrow as ua
from hypothesis import given, settings
from hypothesis import strategies as st

#: Text that has URLs, their delimiters, characters beyond the BMP, surrogates and combining marks.
PIECES = st.sampled_from(
    ["http://h.org/", "ftp://h.org", "<URL:", "<", ">", '"', "\n", "\n> ", " ", "-", "a", "é", "e\u0301", "😀", "\ud800",
     "\udcff", "例え", "www.h.org", "me@h.org", "mailto:", "%41", "#", "?"]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(st.characters(exclude_categories=()), max_size=5), max_size=40).map("".join)
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "join": st.sampled_from(["none", "delimited", "likely"]),
        "hyphen": st.sampled_from(["keep", "drop", "both"]),
        "iri": st.sampled_from(["words", "all", "ascii"]),
        "schemeless": st.lists(st.sampled_from(["hosts", "emails", "ips", "domains"])),
        "line_numbers": st.booleans(),
    },
)


@given(TEXTS, OPTIONS)
@settings(max_examples=400, deadline=None)
def test_a_str_and_its_bytes_have_the_same_matches(text, options):
    utf8 = text.encode("utf-8", "surrogatepass")
    of_str = urlgrep.find_all(text, **options)
    of_bytes = urlgrep.find_all(utf8, **options)
    assert [match.url_bytes for match in of_str] == [match.url_bytes for match in of_bytes]
    for one, other in zip(of_str, of_bytes):
        assert text[one.start : one.end].encode("utf-8", "surrogatepass") == utf8[other.start : other.end]
        assert "".join(text[start:end] for start, end in one.pieces) == one.url
        assert b"".join(utf8[start:end] for start, end in other.pieces) == other.url_bytes
        assert one.url.encode("utf-8", "surrogatepass") == one.url_bytes
        assert other.url.encode("utf-8", "surrogateescape") == other.url_bytes
        assert pickle.loads(pickle.dumps(one)) == one
        assert (one.line, one.grade, one.join) == (other.line, other.grade, other.join)


#: Bytes that are not UTF-8 may be letters of windows-1252, which a URL has in UTF-8.
codecs.register_error("windows-1252", lambda error: (error.object[error.start : error.end].decode("cp1252", "replace"), error.end))


@given(st.binary(max_size=200), st.integers(0, 200))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data, at):
    data = data[:at] + b"<URL:http://h.org/" + data[at:] + b">"
    for match in urlgrep.find_iter(data):
        pieces = b"".join(data[start:end] for start, end in match.pieces)
        assert pieces.decode("utf-8", "windows-1252") == match.url_bytes.decode("utf-8", "windows-1252")


def layouts(column, sizes):
    """The column in chunks of these sizes, each a slice of an array with other rows around it."""
    chunks = []
    while len(column):
        size = next(sizes)
        around = [b"http://around.org/"] * 3
        chunk = pa.array(around + column[:size].cast(pa.binary()).to_pylist() + around, pa.binary()).cast(column.type)
        chunks.append(chunk[3 : 3 + min(size, len(column))])
        column = column[size:]
    return pa.chunked_array(chunks, column.type)


TYPES = st.sampled_from([pa.binary(), pa.large_binary(), pa.binary_view(), pa.string(), pa.large_string(), pa.string_view()])


@given(st.lists(st.none() | TEXTS, max_size=12), TYPES, st.lists(st.integers(1, 4), min_size=12, max_size=12), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_chunking_of_a_column(texts, type, sizes, encoded):
    rows = [None if text is None else text.encode("utf-8", "replace") for text in texts]
    expected = [
        (row, match.url_bytes, match.start, match.end, match.scheme, match.host, match.form, match.grade, match.join)
        for row, text in enumerate(rows)
        if text is not None
        for match in urlgrep.find_iter(text)
    ]
    column = layouts(pa.array(rows, pa.binary()).cast(type), iter(sizes))
    if encoded and not pa.types.is_binary_view(type) and not pa.types.is_string_view(type):
        column = column.dictionary_encode()
    table = pa.table(ua.extract(column))
    table.validate(full=True)
    names = [name for name in table.column_names if name != "url"]
    assert [tuple(row.values()) for row in table.select(names).to_pylist()] == expected
    assert [url.encode() for url in table["url"].to_pylist()] == [row[1] for row in expected]
    lists = pa.array(ua.extract_list(column))
    lists.validate(full=True)
    assert [found is None for found in lists.to_pylist()] == [text is None for text in rows]
    flat = [(row, found["url_bytes"]) for row, matches in enumerate(lists.to_pylist()) for found in matches or []]
    assert flat == [row[:2] for row in expected]
