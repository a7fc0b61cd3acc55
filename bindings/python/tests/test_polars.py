"""urlgrep.polars: the namespaces of expressions and series, and the scan of files."""

import gzip
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
    assert FRAME.select(up.urls(pl.col("body").str.to_uppercase(), schemes="ftp"))["body"].to_list()[0] == ["FTP://H.ORG/B-C"]


def test_the_usual_columns_are_structs():
    found = FRAME.select("id", match=pl.col("body").urlgrep.extract())
    structs = found["match"].to_list()
    assert [lists and [match["url"] for match in lists] for lists in structs] == URLS
    first = structs[0][0]
    assert (first["url_bytes"], first["start"], first["end"], first["grade"]) == (b"http://h.org/a", 0, 14, "rfc1738")
    assert found.schema["match"].inner.to_schema()["start"] == pl.Int64


COLUMNS = ["url", "port", "pieces", "alternatives", "reason", "line"]


def test_one_row_for_each_url():
    found = FRAME.lazy().select("id", match=pl.col("body").urlgrep.extract(columns=COLUMNS))
    rows = found.explode("match").drop_nulls("match").unnest("match").collect()
    assert rows.columns == ["id", *COLUMNS]
    assert rows["id"].to_list() == [1, 1, 5]
    assert rows["port"].to_list() == [80, 21, 8443]
    assert rows["alternatives"].to_list()[1] == ["ftp://h.org/bc"]


@pytest.mark.parametrize("columns", [None, "url", "port", "pieces", "reason", COLUMNS, {"link": "url", "at": "start"}], ids=str)
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
    with pytest.raises(ValueError, match='unknown column "urls"'):
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


def test_a_series():
    series = FRAME["body"]
    assert series.urlgrep.urls().to_list() == URLS
    assert series.urlgrep.urls().name == "body"
    assert series.urlgrep.extract(columns=["url", "host"], schemes="ftp").to_list()[0] == [{"url": "ftp://h.org/b-c", "host": "h.org"}]
    assert up.SeriesNamespace(series).urls(schemes="none").to_list() == [[], None, [], [], []]


class Opened:
    """Files that say which of them were opened."""

    def __init__(self, texts):
        self.texts, self.opened = texts, []

    def files(self):
        return [Opener(self, number) for number in range(len(self.texts))]


class Opener:
    def __init__(self, of, number):
        self.of, self.number = of, number

    def open(self):
        import io

        self.of.opened.append(self.number)
        return io.BytesIO(self.of.texts[self.number])


@pytest.fixture
def files(tmp_path):
    tmp_path.joinpath("a.mbox").write_bytes(
        b"From a@h.org Fri Mar  2 10:11:12 2001\nSubject: one\n\nhttp://h.org/a\n\n"
        b"From b@h.org Fri Mar  2 10:11:12 2001\nSubject: two\n\nftp://g.org/b\n"
    )
    tmp_path.joinpath("b.txt.gz").write_bytes(gzip.compress(b"http://h.org/c http://h.org/d"))
    tmp_path.joinpath("none.txt").write_bytes(b"nothing")
    return tmp_path


def test_scan(files):
    found = up.scan(sorted(files.iterdir()))
    eager = pl.DataFrame(urlgrep.arrow.open(sorted(files.iterdir())))
    assert isinstance(found, pl.LazyFrame)
    assert found.collect_schema() == eager.schema
    # It can be run again, by each engine.
    for _ in range(2):
        assert found.collect().equals(eager)
        assert found.collect(engine="streaming").equals(eager)
    assert found.select("url").collect()["url"].to_list() == ["http://h.org/a", "ftp://g.org/b", "http://h.org/c", "http://h.org/d"]
    assert found.select(pl.len()).collect().item() == 4
    assert found.filter(pl.col("host") == "h.org").select("start", "scheme").collect().rows() == [(52, "http"), (0, "http"), (15, "http")]
    assert found.group_by("host").len().sort("host").collect().rows() == [("g.org", 1), ("h.org", 3)]
    assert up.scan(files / "none.txt").collect().rows() == []
    assert up.scan([]).collect().equals(eager.clear())


def test_scan_of_wildcards(files):
    names = lambda frame: [path.rsplit("/", 1)[1] for path in frame.collect()["path"].unique(maintain_order=True)]  # noqa: E731
    assert names(up.scan(f"{files}/*")) == ["a.mbox", "b.txt.gz"]
    assert names(up.scan(files / "*.gz")) == ["b.txt.gz"]
    assert names(up.scan([f"{files}/**/b*", files / "a.mbox"])) == ["b.txt.gz", "a.mbox"]
    later = up.scan(f"{files}/*.later")
    with pytest.raises(Exception, match="No such file or directory: .*later"):
        later.collect()
    files.joinpath("[1].later").write_bytes(b"http://h.org/")
    assert names(later) == names(up.scan(files / "[1].later")) == ["[1].later"]


def test_scan_computes_only_the_columns_of_the_query(files, monkeypatch):
    asked = []
    opened = urlgrep.arrow.open

    def spy(*args, columns=None, **options):
        asked.append(list(columns))
        return opened(*args, columns=columns, **options)

    found = up.scan(f"{files}/*", columns={"link": "url", "site": "host", "subject": "subject", "at": "start"})
    monkeypatch.setattr(urlgrep.arrow, "open", spy)
    rows = found.filter(pl.col("site") == "g.org").select("link").collect().rows()
    assert rows == [("ftp://g.org/b",)]
    assert len(asked) == 1 and sorted(asked[0]) == ["link", "site"]
    assert found.select(pl.col("subject").drop_nulls()).collect()["subject"].to_list() == ["one", "two"]
    assert asked[1] == ["subject"]
    assert found.collect().columns == ["link", "site", "subject", "at"]


def test_scan_ends_after_the_rows_that_are_wanted():
    texts = Opened([b"http://h.org/%d" % number for number in range(100)])
    found = up.scan(texts.files(), columns=["url"])
    assert texts.opened == []
    for engine in ("in-memory", "streaming"):
        texts.opened.clear()
        assert found.head(3).collect(engine=engine)["url"].to_list() == ["http://h.org/0", "http://h.org/1", "http://h.org/2"]
        assert len(texts.opened) <= 3
        assert found.slice(2, 2).collect(engine=engine)["url"].to_list() == ["http://h.org/2", "http://h.org/3"]
    # The order of head and filter matters.
    last = pl.col("url").str.ends_with("7")
    assert found.filter(last).head(2).collect()["url"].to_list() == ["http://h.org/7", "http://h.org/17"]
    assert found.head(20).filter(last).collect()["url"].to_list() == ["http://h.org/7", "http://h.org/17"]
    assert found.head(2).filter(last).collect()["url"].to_list() == []


def test_scan_of_an_iterator(files):
    found = up.scan(iter(sorted(files.iterdir())), columns=["url"])
    assert len(found.collect()) == len(found.collect()) == 4


def test_scan_with_errors(files):
    files.joinpath("z.gz").write_bytes(gzip.compress(b"http://h.org/ " * 10_000)[:-20])
    found = up.scan(f"{files}/z*", columns=["url"], errors="column")
    assert found.collect_schema().names() == ["url", "error"]
    (error,) = found.filter(pl.col("error").is_not_null()).collect()["error"]
    assert error["kind"] == "damaged" and error["path"].endswith("z.gz")
    assert found.select(pl.col("error").struct.field("kind").drop_nulls()).collect()["kind"].to_list() == ["damaged"]
    assert found.select("url").collect().columns == ["url"]
    with pytest.raises(Exception, match="z.gz"):
        up.scan(f"{files}/z*", columns=["url"]).collect()


def test_a_scan_that_is_wrong():
    with pytest.raises(ValueError, match='unknown column "row"'):
        up.scan([], columns=["row"])
    with pytest.raises(TypeError, match='unknown option "jion"'):
        up.scan([], jion="none")


def test_a_scan_can_be_sent(files):
    pytest.importorskip("cloudpickle")
    found = up.scan(f"{files}/a*", columns=["url"])
    assert pickle.loads(pickle.dumps(found)).collect().equals(found.collect())
