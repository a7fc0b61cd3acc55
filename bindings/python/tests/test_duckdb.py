"""urlgrep.duckdb: functions of SQL."""

import gzip

import pyarrow as pa
import pytest
import urlgrep
import urlgrep.arrow
from test_archive import mbox

duckdb = pytest.importorskip("duckdb")

import urlgrep.duckdb as ud  # noqa: E402

BODIES = ["http://h.org/a and <URL:ftp://h.org/b-\n c>", None, "", "no link", "é https://h.org:8443/é"]

URLS = [["http://h.org/a", "ftp://h.org/b-c"], None, [], [], ["https://h.org:8443/é"]]


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        connection.register("messages", pa.table({"id": [1, 2, 3, 4, 5], "body": BODIES}))
        ud.register(connection)
        yield connection


def rows(connection, query):
    return connection.execute(query).fetchall()


def test_urls(connection):
    assert rows(connection, "SELECT urls(body) FROM messages ORDER BY id") == [(urls,) for urls in URLS]
    assert rows(connection, "SELECT typeof(urls(body)) FROM messages LIMIT 1") == [("VARCHAR[]",)]
    assert rows(connection, "SELECT urls(NULL), urls('')") == [(None, [])]
    found = rows(connection, "SELECT id, unnest(urls(body)) FROM messages WHERE len(urls(body)) > 1 ORDER BY ALL")
    assert found == [(1, "ftp://h.org/b-c"), (1, "http://h.org/a")]


def test_structs(connection):
    columns = ["url", "url_bytes", "port", "start", "pieces", "alternatives", "reason"]
    ud.create_urls(connection, "links", columns=columns, schemes="ftp")
    ((found,),) = rows(connection, "SELECT unnest(links(body)) FROM messages")
    (expected,) = pa.array(urlgrep.arrow.extract_list(pa.array(BODIES[:1]), columns=columns, schemes="ftp")).to_pylist()[0]
    assert found == expected
    assert rows(connection, "SELECT url, port FROM (SELECT unnest(links(body), max_depth := 2) FROM messages)") == [("ftp://h.org/b-c", 21)]
    ud.create_urls(connection, "all of it")
    assert rows(connection, "SELECT \"all of it\"('http://h.org/')") == [(["http://h.org/"],)]


def test_many_rows(connection):
    query = "SELECT count(*), sum(len(urls('http://h.org/' || n || CASE n % 2 WHEN 0 THEN ' ftp://h.org/' ELSE '' END))) FROM range(10000) t(n)"
    assert rows(connection, query) == [(10000, 15000)]


def test_archives(connection):
    ud.create_urls(connection, "links", columns=["url", "subject"], archive=True)
    file = gzip.compress(mbox(2))
    assert rows(connection, f"SELECT links(from_hex('{file.hex()}'))")[0][0][1]["url"] == "http://h.org/a/1"


@pytest.fixture
def files(tmp_path):
    tmp_path.joinpath("a.mbox").write_bytes(mbox(5))
    tmp_path.joinpath("b.mbox.gz").write_bytes(gzip.compress(mbox(3)))
    tmp_path.joinpath("c'd.txt").write_bytes(b"http://h.org/c")
    tmp_path.joinpath("empty.txt").write_bytes(b"")
    return tmp_path


def test_read_urls(connection, files):
    read = connection.sql(f"SELECT * FROM read_urls('{files}/*') ORDER BY path, start").to_arrow_table()
    expected = pa.table(urlgrep.arrow.open(sorted(files.iterdir())))
    assert read.column_names == expected.column_names
    assert read.to_pylist() == expected.to_pylist()
    assert rows(connection, f"SELECT count(*) FROM read_urls(['{files}/*.mbox', '{files}/b*'])") == [(8,)]
    assert rows(connection, f"SELECT count(*) FROM read_urls('{files}/none*')") == [(0,)]
    joined = f"SELECT count(*) FROM read_urls('{files}/*.mbox') a JOIN read_urls('{files}/*.gz') b USING (url)"
    assert rows(connection, joined) == [(3,)]


def test_read_urls_with_errors(connection, files):
    files.joinpath("half.gz").write_bytes(gzip.compress(mbox(1000))[:-300])
    with pytest.raises(duckdb.Error, match="half.gz: truncated gzip data"):
        rows(connection, f"SELECT count(*) FROM read_urls('{files}/*')")
    ud.create_read_urls(connection, "read links", columns={"file": "path", "link": "url"}, errors="column")
    read = rows(connection, f"SELECT parse_filename(file), error.kind FROM \"read links\"('{files}/*') WHERE error IS NOT NULL")
    assert read == [("half.gz", "damaged")]


def test_a_stream(files):
    found = urlgrep.arrow.open(sorted(files.iterdir()), columns=["url"])
    assert duckdb.sql("SELECT count(*) FROM found").fetchall() == [(9,)]


def test_a_scan_of_polars(files):
    """A table for any number of queries."""
    up = pytest.importorskip("urlgrep.polars")
    found = up.scan(f"{files}/*", columns=["path", "url", "host"])  # noqa: F841
    for _ in range(2):
        assert duckdb.sql("SELECT url FROM found WHERE path LIKE '%.txt'").fetchall() == [("http://h.org/c",)]
        assert duckdb.sql("SELECT count(*) FROM found").fetchall() == [(9,)]


def test_what_is_wrong(connection):
    with pytest.raises(ValueError, match='option "join"'):
        ud.register(connection, join="all")
    with pytest.raises(ValueError, match='unknown column "path"'):
        ud.create_urls(connection, columns=["path"])
    with pytest.raises(duckdb.Error):
        rows(connection, "SELECT urls(1, 2)")


def test_registered_again(connection):
    """The last one counts, and another connection has none."""
    ud.register(connection, schemes="ftp")
    assert rows(connection, "SELECT urls(body) FROM messages WHERE id = 1") == [(["ftp://h.org/b-c"],)]
    with duckdb.connect() as other, pytest.raises(duckdb.CatalogException):
        other.execute("SELECT urls('')")
