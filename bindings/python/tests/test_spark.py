"""urlgrep.spark: a column of a data frame, and the data source."""

import gzip
import json
import threading
import zipfile

import pytest
import urlgrep
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from test_archive import mbox, packed_records
from urlgrep import spark as urlgrep_spark


@pytest.fixture(scope="module")
def session():
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
    session = builder.config("spark.sql.shuffle.partitions", 2).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    urlgrep_spark.register(session)
    yield session
    session.stop()


def test_a_column(session):
    frame = session.createDataFrame(
        [(1, "a", "http://h.org/1 <URL:http://h.org/foo-\nbar>"), (2, "b", None), (3, "c", "http://h.org/3")],
        "id int, name string, body string",
    )
    found = urlgrep_spark.extract(frame, "body", keep=["id", "name"], schemes="http")
    rows = [(row.id, row.name, row.url, row.start, row.join) for row in found.orderBy("id", "start").collect()]
    assert rows == [
        (1, "a", "http://h.org/1", 0, None),
        (1, "a", "http://h.org/foo-bar", 15, "delimited"),
        (3, "c", "http://h.org/3", 0, None),
    ]
    assert urlgrep_spark.extract(frame, "body").columns[:2] == ["url", "url_bytes"]
    kept = urlgrep_spark.extract(frame, "body", keep=["body"]).orderBy("start").first()
    assert kept.body.startswith("http://h.org/")


def test_a_column_of_messages(session):
    frame = session.createDataFrame([(bytearray(gzip.compress(mbox(3))),)], "file binary")
    assert urlgrep_spark.extract(frame, "file", archive=True).count() == 3


def test_wrong_arguments(session):
    frame = session.createDataFrame([("a", "b")], "url string, body string")
    with pytest.raises(ValueError, match="keep: a column has the name of a column of a match"):
        urlgrep_spark.extract(frame, "body", keep=["url"])
    with pytest.raises(ValueError, match='option "join"'):
        urlgrep_spark.extract(frame, "body", join="all")


def test_links_of_mail_filters(session, tmp_path):
    link = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.org%2Fa&data=05"
    path = tmp_path / "a.txt"
    path.write_text(f"{link}\nhttp://h.org/b\n")
    read = session.read.format("urlgrep")
    rows = [(row.url, row.unwrapped) for row in read.option("unwrap", "true").load(str(path)).orderBy("start").collect()]
    assert rows == [("https://h.org/a", ["safelinks"]), ("http://h.org/b", [])]
    assert "unwrapped" not in session.read.format("urlgrep").load(str(path)).columns


@pytest.fixture
def files(tmp_path):
    tmp_path.joinpath("a.mbox").write_bytes(mbox(50))
    tmp_path.joinpath("b.mbox.gz").write_bytes(gzip.compress(mbox(5)))
    with zipfile.ZipFile(tmp_path / "c.mbox.zip", "w") as archive:
        archive.writestr("d/e.mbox", mbox(3))
        archive.writestr("f.txt", b"<URL:http://h.org/\xff> http://h.org/~f")
    tmp_path.joinpath("other").write_bytes(b"http://h.org/other")
    return tmp_path


def of_spark(frame):
    rows = []
    for row in frame.collect():
        fields = row.asDict(recursive=True)
        fields["pieces"] = [[segment["start"], segment["end"]] for segment in fields["pieces"]]
        fields["url"] = bytes(fields.pop("url_bytes")).decode("utf-8", "surrogateescape")
        if fields["message"] and fields["message"]["offset"] is None:
            # Only records of web archives have these.
            for name in ("uri", "type", "offset"):
                del fields["message"][name]
        rows.append(json.dumps(fields, sort_keys=True))
    return sorted(rows)


def of_open(paths):
    matches = [match.as_dict() for path in paths for match in urlgrep.open(path, line_numbers=True)]
    return sorted(json.dumps(match, sort_keys=True) for match in matches)


@pytest.mark.parametrize("size", [1000, 10**9])
def test_files(session, files, size):
    frame = session.read.format("urlgrep").option("splitSize", size).option("count", True).load(f"{files}/*.mbox*")
    expected = of_open(sorted(files.glob("*.mbox*")))
    assert of_spark(frame) == expected
    assert len(expected) == 60
    # a.mbox is divided: five messages of some 210 bytes have 1000 or more. The archive is longer than a part, and is not.
    assert frame.rdd.getNumPartitions() == (1 if size == 10**9 else 50 // 5 + 2)


def test_parts_that_are_not_counted(session, files):
    frame = session.read.format("urlgrep").option("splitSize", 1000).load(str(files / "a.mbox"))
    rows = frame.orderBy("start").collect()
    assert [row.url for row in rows] == [f"http://h.org/a/{n}" for n in range(50)]
    assert {(row.line, row.message["index"]) for row in rows} == {(None, None)}
    assert rows[7].message["id"] == "7@h.org"


def test_a_web_archive_that_is_compressed(session, tmp_path):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed_records(50, 2000))
    whole = [(match.url, match.message["uri"]) for match in urlgrep.open(path)]
    frame = session.read.format("urlgrep").option("splitSize", 10_000).load(str(path))
    rows = frame.collect()
    assert frame.rdd.getNumPartitions() > 4
    assert sorted((row.url, row.message["uri"]) for row in rows) == sorted(whole)
    assert {(row.start, row.end, row.pieces, row.line, row.message["offset"], row.message["index"]) for row in rows} == {(None,) * 6}
    frame = session.read.format("urlgrep").option("splitSize", 10_000).option("count", "true").load(str(path))
    assert (frame.rdd.getNumPartitions(), {row.start for row in frame.collect()} & {None}) == (1, set())


def test_a_directory_and_a_uri(session, files):
    for path in (str(files), files.as_uri(), f"{files.as_uri()}/*"):
        assert session.read.format("urlgrep").load(path).count() == 61
    assert session.read.format("urlgrep").load(f"{files.as_uri()}/*.gz").count() == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"join": "all"}, 'option "join"'),
        ({"refang": "maybe"}, 'option "refang": expected "true" or "false"'),
        ({"jion": "none"}, "unknown option"),
    ],
)
def test_wrong_options(session, files, options, message):
    with pytest.raises(PySparkException, match=message):
        session.read.format("urlgrep").options(**options).load(str(files)).count()


def test_wrong_files(session, tmp_path):
    with pytest.raises(PySparkException, match="no file matches"):
        session.read.format("urlgrep").load(f"{tmp_path}/*.mbox").count()
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(mbox(100))[:-20])
    with pytest.raises(PySparkException, match="a.gz: truncated gzip data"):
        session.read.format("urlgrep").load(str(path)).count()
    assert session.read.format("urlgrep").option("errors", "warn").load(str(path)).count() > 0


def test_one_meaning_of_paths(session, files):
    """Lists, braces, wildcards and URIs: the same files, whoever reads the names."""
    files.joinpath("d").mkdir()
    files.joinpath("d", "a.mbox").write_bytes(mbox(7))
    for path, count in [
        ([f"{files}/a.mbox", f"{files}/*.gz"], 55),
        (f"{files}/{{a.mbox,b.mbox.gz}}", 55),
        (f"file:{files}/a.mbox", 50),
        (f"file://{files}/{{a,{{b,x}}}}.mbox*", 55),
        ([f"{files}/a.mbox", f"{files}/*.mbox"], 50),
        (f"{files}/**/a.mbox", 57),
        (f"{files}/?/a.mbox", 7),
    ]:
        assert session.read.format("urlgrep").load(path).count() == count, path
    strange = files / "{a,b}[1].mbox"
    strange.write_bytes(mbox(2))
    assert session.read.format("urlgrep").load(str(strange)).count() == 2


@pytest.mark.parametrize("read", [urlgrep_spark._local, lambda path: urlgrep_spark._remote("file://" + path)])
def test_wildcards(tmp_path, read):
    """Those of remote files are those of local ones."""
    for name in ("a.mbox", "b.txt", "d/a.mbox", "d/e/a.mbox", "d/e/f.txt"):
        tmp_path.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        tmp_path.joinpath(name).write_bytes(b"abc")
    for pattern, names in {
        "*.mbox": ["a.mbox"],
        "**/*.mbox": ["a.mbox", "d/a.mbox", "d/e/a.mbox"],
        "d/*.mbox": ["d/a.mbox"],
        "*/*/*": ["d/e/a.mbox", "d/e/f.txt"],
        "d": ["d/a.mbox", "d/e/a.mbox", "d/e/f.txt"],
        "?/e": ["d/e/a.mbox", "d/e/f.txt"],
        "[!b].*": ["a.mbox"],
        "[a-b].[mt]*": ["a.mbox", "b.txt"],
        "c*": [],
    }.items():
        found = sorted(read(f"{tmp_path}/{pattern}"))
        assert [(name.split(f"{tmp_path}/", 1)[1], length) for name, length in found] == [(name, 3) for name in names], pattern


def test_paths_of_databricks(tmp_path, monkeypatch):
    tmp_path.joinpath("a b.mbox").write_bytes(mbox(1))
    monkeypatch.setattr(urlgrep_spark, "_DBFS", str(tmp_path))
    for path in ("dbfs:/a b.mbox", "dbfs:///a b.mbox", "dbfs:/*.mbox", "dbfs:/"):
        assert urlgrep_spark._files([path], False) == [(str(tmp_path / "a b.mbox"), len(mbox(1)))]
    monkeypatch.setattr(urlgrep_spark, "_DBFS", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="dbfs:/a: expected that DBFS is mounted at"):
        urlgrep_spark._files(["dbfs:/a"], True)


def test_lengths_are_asked_for_at_once(tmp_path, monkeypatch):
    """As many as the pool has wait for each other, which they could not one after the other."""
    for number in range(urlgrep_spark._AT_ONCE):
        tmp_path.joinpath(str(number)).write_bytes(b"x" * number)
    together = threading.Barrier(urlgrep_spark._AT_ONCE, timeout=60)
    length = urlgrep_spark._length
    monkeypatch.setattr(urlgrep_spark, "_length", lambda file: (together.wait(), length(file))[1])
    found = urlgrep_spark._local(str(tmp_path))
    assert sorted(size for _, size in found) == list(range(urlgrep_spark._AT_ONCE))


def test_a_store_of_fsspec():
    """The lengths are those of the listing."""
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe({"/urlgrep/a.mbox": mbox(2), "/urlgrep/d/b.mbox": mbox(1)})
    expected = [("memory:///urlgrep/a.mbox", len(mbox(2))), ("memory:///urlgrep/d/b.mbox", len(mbox(1)))]
    assert sorted(urlgrep_spark._remote("memory://urlgrep")) == expected
    assert urlgrep_spark._remote("memory://urlgrep/*.mbox") == expected[:1]


@pytest.mark.parametrize(
    ("value", "size"),
    [("1", 1), ("64m", 64 << 20), ("2 GiB", 2 << 30), (" 3KB ", 3 << 10), ("1T", 1 << 40), ("5b", 5)],
)
def test_sizes_with_units(value, size):
    assert urlgrep_spark._bytes("splitSize", value) == size


@pytest.mark.parametrize("value", ["", "0", "-1", "m", "1.5m", "1e6", "1 apple", "0g", "64 m b"])
def test_wrong_sizes(value):
    with pytest.raises(ValueError, match='option "splitSize": expected a number of bytes above 0'):
        urlgrep_spark._bytes("splitSize", value)


def test_columns_and_schemas(session, files):
    path = str(files / "a.mbox")
    read = session.read.format("urlgrep")
    frame = read.option("columns", "url, message_id,line").load(path)
    assert frame.columns == ["url", "message_id", "line"]
    assert frame.orderBy("line").first().asDict() == {"url": "http://h.org/a/0", "message_id": "0@h.org", "line": 8}
    schema = "port int, url string, pieces array<struct<start: bigint, end: bigint>>"
    row = session.read.format("urlgrep").schema(schema).load(path).orderBy("url").first()
    assert (row.port, row.url, len(row.pieces)) == (80, "http://h.org/a/0", 2)
    for schema, message in [
        ("url int", "schema: expected that `url` is string, found int"),
        ("link string", 'unknown column "link"; expected some of path'),
        ("url string, error string", "schema: expected no column `error`"),
    ]:
        with pytest.raises(PySparkException, match=message):
            session.read.format("urlgrep").schema(schema).load(path).count()
    with pytest.raises(PySparkException, match='unknown column "urls"'):
        session.read.format("urlgrep").option("columns", "urls").load(path).count()
    with pytest.raises(PySparkException, match='option "splitSize": expected a number of bytes'):
        session.read.format("urlgrep").option("splitSize", "64 apples").load(path).count()
    # Ten messages have 2048 bytes or more.
    assert session.read.format("urlgrep").option("splitSize", "2k").load(path).rdd.getNumPartitions() == 50 // 10


def test_a_job_ends_with_a_table(session, files):
    """Files that are damaged, that are missing, and that vanish after the job was planned."""
    files.joinpath("half.gz").write_bytes(gzip.compress(mbox(1000))[:-300])
    files.joinpath("link").symlink_to(files / "nothing")
    vanished = files / "vanished.mbox"
    vanished.write_bytes(mbox(1))
    read = session.read.format("urlgrep").option("errors", "column").option("columns", "path,url")
    reader = urlgrep_spark.UrlgrepDataSource({"path": str(files), "errors": "column", "columns": "path,url"})
    reader = reader.reader(reader.schema())
    (partition,) = reader.partitions()
    vanished.unlink()
    tables = [batch.to_pylist() for batch in reader.read(partition)]
    failed = [row["error"]["path"].rsplit("/", 1)[1] for rows in tables for row in rows if row["error"]]
    assert failed == ["half.gz", "link", "vanished.mbox"]
    rows = read.load([str(files), f"{files}/missing"]).collect()
    errors = sorted((row.error.path.rsplit("/", 1)[1], row.error.kind) for row in rows if row.error)
    assert errors == [("half.gz", "damaged"), ("link", "open"), ("missing", "open")]
    assert all(row.url is None for row in rows if row.error)
    assert sum(row.path.endswith("half.gz") for row in rows) > 100
    with pytest.raises(PySparkException, match="No such file or directory"):
        session.read.format("urlgrep").load(f"{files}/link").count()


def test_columns_of_a_column(session):
    frame = session.createDataFrame([(1, "http://h.org/a"), (2, "x")], "id int, body string")
    found = urlgrep_spark.extract(frame, "body", keep=["id"], columns=["port", "url", "pieces", "warnings"])
    assert found.collect()[0].asDict(recursive=True) == {
        "id": 1,
        "port": 80,
        "url": "http://h.org/a",
        "pieces": [{"start": 0, "end": 14}],
        "warnings": [],
    }
