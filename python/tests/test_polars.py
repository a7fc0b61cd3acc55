"""urlgrep.polars: the namespace of expressions."""

import pickle

import pytest
import urlgrep
import urlgrep.arrow

pl = pytest.importorskip("polars")

import urlgrep.polars as up  # noqa: E402

BODIES = ["http://h.org/a and <URL:ftp://h.org/b-\n c>", None, "", "no link", "é https://h.org:8443/é"]

URLS = [["http://h.org/a", "ftp://h.org/b-c"], None, [], [], ["https://h.org:8443/é"]]

FRAME = pl.DataFrame({"id": [1, 2, 3, 4, 5], "body": BODIES})


def test_urls():
    found = FRAME.select(pl.col("body").urlgrep.urls())
    assert found.schema == {"body": pl.List(pl.String)}
    assert found["body"].to_list() == URLS
    assert FRAME.select(up.urls("body")).equals(found)
    assert FRAME.select(up.urls(pl.col("body").str.to_uppercase(), scheme="ftp"))["body"].to_list()[0] == ["FTP://H.ORG/B-C"]


def test_the_usual_columns_are_structs():
    found = FRAME.select("id", match=pl.col("body").urlgrep.extract())
    structs = found["match"].to_list()
    assert [lists and [match["url"] for match in lists] for lists in structs] == URLS
    first = structs[0][0]
    assert (first["url_bytes"], first["start"], first["end"], first["grade"]) == (b"http://h.org/a", 0, 14, "rfc1738")
    assert found.schema["match"].inner.to_schema()["start"] == pl.Int64


COLUMNS = ["url", "port", "segments", "alternatives", "reason", "line"]


def test_one_row_for_each_url():
    found = FRAME.lazy().select("id", match=pl.col("body").urlgrep.extract(columns=COLUMNS))
    rows = found.explode("match").drop_nulls("match").unnest("match").collect()
    assert rows.columns == ["id", *COLUMNS]
    assert rows["id"].to_list() == [1, 1, 5]
    assert rows["port"].to_list() == [80, 21, 8443]
    assert rows["alternatives"].to_list()[1] == ["ftp://h.org/bc"]


@pytest.mark.parametrize("columns", [None, "url", "port", "segments", "reason", COLUMNS, {"link": "url", "at": "start"}], ids=str)
def test_the_schema_of_a_lazy_frame(columns):
    """It is known before a row is read, and is that of the result, whatever the engine is."""
    lazy = FRAME.lazy().with_columns(match=pl.col("body").urlgrep.extract(columns=columns))
    schema = lazy.collect_schema()
    for frame in (lazy.collect(), lazy.collect(engine="streaming"), FRAME.clear().lazy().with_columns(match=up.extract("body", columns=columns)).collect()):
        assert frame.schema == schema
    assert schema["match"] == pl.Series(urlgrep.arrow.extract_list(FRAME["body"], columns=columns)).dtype
    assert lazy.collect()["match"].to_list() == pl.Series(urlgrep.arrow.extract_list(FRAME["body"], columns=columns)).to_list()


def test_in_other_expressions():
    count = pl.col("body").urlgrep.urls().list.len()
    assert FRAME.filter(count > 0)["id"].to_list() == [1, 5]
    per_group = FRAME.group_by(pl.col("id") > 2, maintain_order=True).agg(pl.col("body").urlgrep.urls().explode().drop_nulls())
    assert per_group["body"].to_list() == [["http://h.org/a", "ftp://h.org/b-c"], ["https://h.org:8443/é"]]
    assert FRAME.select(pl.all().exclude("id").urlgrep.urls().name.suffix("_urls")).columns == ["body_urls"]


TEXTS = [body for body in BODIES if body is not None]


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(sorted(TEXTS)), pl.Binary], ids=str)
def test_types_of_columns(dtype):
    series = pl.Series("body", BODIES if dtype != pl.Binary else [None if body is None else body.encode() for body in BODIES], dtype)
    assert series.to_frame().select(up.urls("body"))["body"].to_list() == URLS


def test_no_rows_and_no_values():
    assert pl.DataFrame({"body": pl.Series([None, None], dtype=pl.Null)}).select(up.urls("body"))["body"].to_list() == [None, None]
    assert FRAME.clear().select(up.urls("body")).schema == {"body": pl.List(pl.String)}


def test_archives():
    frame = pl.DataFrame({"file": [b"From: a@h.org\nSubject: a\n\n<http://h.org/a>\n", b"http://h.org/b"]})
    found = frame.select(up.extract("file", columns=["url", "subject"], archive=True))["file"].to_list()
    assert found == [[{"url": "http://h.org/a", "subject": "a"}], [{"url": "http://h.org/b", "subject": None}]]


def test_more_rows_than_are_searched_at_once(monkeypatch):
    monkeypatch.setattr(up, "_ROWS", 2)
    assert FRAME.select(up.urls("body"))["body"].to_list() == URLS
    assert FRAME.clear().select(up.urls("body"))["body"].to_list() == []


def test_what_is_wrong():
    with pytest.raises(ValueError, match='option "join"'):
        pl.col("body").urlgrep.urls(join="all")
    with pytest.raises(ValueError, match='unexpected column "urls"'):
        pl.col("body").urlgrep.extract(columns=["urls"])
    with pytest.raises(ValueError, match="columns: expected a list of str for errors='column'"):
        up.urls("body", archive=True, errors="column")
    with pytest.raises((TypeError, pl.exceptions.ComputeError), match="expected a column of strings or bytes"):
        FRAME.select(up.urls("id"))


def test_a_plan_can_be_sent():
    pytest.importorskip("cloudpickle")
    plan = FRAME.lazy().select(up.urls("body"))
    search = up.extract("body", columns="url")
    assert FRAME.select(pickle.loads(pickle.dumps(search)))["body"].to_list() == plan.collect()["body"].to_list() == URLS
