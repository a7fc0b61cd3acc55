"""urlgrep.arrow.open: files as tables, with all that urlgrep.open knows of a match."""

import bz2
import gc
import gzip
import io
import json
import os
import pathlib
import struct
import tarfile
import time
import warnings
import weakref
import zipfile

import duckdb
import polars as pl
import pyarrow as pa
import pytest
import urlgrep
import urlgrep.arrow as ua
from test_archive import mbox

CORPORA = pathlib.Path(__file__).parents[3] / "corpora"

PAGE = b"<html><a href='http://h.org/a' rel=nofollow>the text</a> <img src=/b.png></html>"

WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2001-03-02T10:11:12Z\r\n"
    b"WARC-Target-URI: http://p.org/x\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n"
)


def warc(number):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
    return (WARC % (len(http), http)) * number


def read(files, **options):
    table = pa.table(ua.open(files, **options))
    table.validate(full=True)
    return table


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox(20))
    return path


def names():
    """All columns of files."""
    with pytest.raises(ValueError) as raised:
        ua.open("x", columns=["none"])
    return str(raised.value).split("expected some of ")[1].split(", ")


#: The columns that have another name in as_dict.
MESSAGE = {
    "message_index": "index",
    "message_id": "id",
    "record_type": "type",
    "record_offset": "offset",
    **{name: name for name in "from date subject newsgroups to cc list_id in_reply_to part content_type".split()},
    **{name: name for name in "header quote_depth filename uri".split()},
}


def text(value):
    return value if value is None else value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def expected(match):
    """The row of a match, by its attributes."""
    row = match.as_dict()
    message = row["message"]
    row["pieces"] = [{"start": start, "end": end} for start, end in row["pieces"]]
    row["url_bytes"] = match.url_bytes
    row["url"] = match.url if match.url == text(match.url) else None
    row["text"] = text(row["text"])
    row["alternatives"] = [text(url) for url in row["alternatives"]]
    row["path"] = text(row["path"])
    row["member"] = row["path"].split("!/", 1)[1] if "!/" in row["path"] else None
    row["unwrapped"] = list(match.unwrapped)
    row["href"] = match.href if match.href == text(match.href) else None
    row["rel"], row["registered_domain"], row["public_suffix"] = match.rel, match.registered_domain, match.public_suffix
    row["key"] = match.key
    row["clean"] = match.clean if match.clean == text(match.clean) else None
    row["defanged"] = text(match.defanged)
    row["url_path"], row["query"] = text(match.url_path), text(match.query)
    row["ending"] = match.ending
    row["stop"] = row["trimmed"] = None
    row["invalid"] = match.invalid
    for key in ("kind", "part", "expected"):
        row[f"invalid_{key}"] = match.invalid and match.invalid[key]
    for key in ("production", "offset", "message"):
        row[f"reason_{key}"] = match.reason and match.reason[key]
    for name, key in MESSAGE.items():
        row[name] = message and message.get(key)
    if message is not None:
        row["message"] = {**dict.fromkeys(("uri", "type", "offset")), **message}
    return row


def files(directory):
    directory.joinpath("a.mbox").write_bytes(mbox(5))
    directory.joinpath("b.mbox.gz").write_bytes(gzip.compress(mbox(3)))
    directory.joinpath("c.warc").write_bytes(warc(2))
    directory.joinpath("d.html").write_bytes(PAGE)
    directory.joinpath("e.txt").write_bytes("é <URL:http://h.org/foo-\n bar>, http://h.org/é me://x".encode())
    directory.joinpath("f.bin").write_bytes(b"<URL:http://h.org/\xff>")
    directory.joinpath("g").write_bytes(b"")
    directory.joinpath("k.jsonl").write_bytes(b'{"a": ["b", "http://h.org/k"]}\n')
    directory.joinpath("l.csv").write_bytes(b"n,url,o\n1,http://h.org/l,m\n")
    with zipfile.ZipFile(directory / "h.zip", "w") as archive:
        archive.writestr("d/e.mbox", mbox(3))
        archive.writestr("f.txt", b"http://h.org/~f")
    with tarfile.open(directory / "i.tar.bz2", "w:bz2") as archive:
        member = tarfile.TarInfo("j.mbox")
        member.size = len(mbox(2))
        archive.addfile(member, io.BytesIO(mbox(2)))
    return sorted(directory.iterdir())


def test_all_columns_are_those_of_open(tmp_path):
    paths = files(tmp_path)
    columns = names()
    found = read(paths, columns=columns).to_pylist()
    matches = [expected(match) for path in paths for match in urlgrep.open(path, line_numbers=True)]
    assert len(found) == len(matches) > 20
    for row, match in zip(found, matches):
        assert row["rel"] == ("nofollow" if match["element"] == "a@href" else None)
        assert row == {name: match[name] for name in columns}
    assert [row["key"] for row in found if row["key"]] == [".a[1]", "url"]


@pytest.mark.skipif(not CORPORA.exists(), reason="the sources are not here")
def test_corpora():
    paths = sorted(path for path in CORPORA.rglob("*") if path.is_file() and path.stat().st_size < 1 << 20)
    columns = ["path", "url", "start", "end", "line", "message", "alternatives", "pieces"]
    found = read(paths, columns=columns, errors="warn").to_pylist()
    matches = [expected(m) for path in paths for m in urlgrep.open(path, line_numbers=True, errors="warn")]
    assert [row["url"] for row in found] == [match["url"] for match in matches]
    assert found == [{name: match[name] for name in columns} for match in matches]


def test_the_docs_have_all_columns():
    listed = set(ua.__doc__.replace(",", " ").split())
    assert set(names()) | {"row"} <= listed


def test_usual_columns(path):
    table = read(path)
    assert table.column_names == ["path", "url", "url_bytes", "start", "end", "scheme", "host", "form", "grade", "join"]
    assert table.num_rows == 20
    assert table.slice(3, 1).to_pylist()[0]["url"] == "http://h.org/a/3"
    assert table.schema.field("url_bytes").nullable is False


def test_chosen_columns(path):
    for name in names():
        table = read(path, columns=[name])
        assert (table.column_names, table.num_rows) == ([name], 20)
    assert read(path, columns=["date", "url", "host"]).column_names == ["date", "url", "host"]
    assert read(path, columns=["line"])["line"].to_pylist()[:2] == [8, 18]


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (["row"], ValueError, 'unknown column "row"'),
        (["urls"], ValueError, 'unknown column "urls"; expected some of path, line'),
        (["url", "url"], ValueError, '"url" occurs twice'),
        ([], ValueError, "expected at least one name"),
        ("url", TypeError, "columns: expected a list of str, or a dict of them, found str"),
        ([1], TypeError, "columns: expected a list of str"),
    ],
)
def test_wrong_columns(path, columns, error, message):
    with pytest.raises(error, match=message):
        ua.open(path, columns=columns)


def test_other_names(path):
    table = read(path, columns={"link": "url", "again": "url", "at": "start"})
    assert table.column_names == ["link", "again", "at"]
    assert table["link"] == table["again"] and table["at"].null_count == 0
    renamed = ua.extract(TABLE, "body", keep=["id"], columns={"row": "url", "n": "row"}).read_all()
    assert renamed.to_pylist()[2] == {"id": 30, "row": "ftp://h.org/c", "n": 2}
    with pytest.raises(TypeError, match="columns: expected a list of str, or a dict of them, found dict"):
        ua.open(path, columns={"a": 1})


def of_links(files, **options):
    table = pa.table(ua.read_warc(files, **options))
    table.validate(full=True)
    return table.to_pylist()


LINKS = [
    {"source": "http://p.org/x", "target": "http://h.org/a", "text": "the text", "role": "link", "element": "a@href", "rel": "nofollow"},
    {"source": "http://p.org/x", "target": "http://p.org/b.png", "text": None, "role": "image", "element": "img@src", "rel": None},
]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lambda two: gzip.compress(two[: len(two) // 2]) * 2])
def test_read_warc(tmp_path, pack):
    path = tmp_path / "a.warc.gz"
    path.write_bytes(pack(warc(2)))
    assert of_links(path) == LINKS * 2
    assert of_links(io.BytesIO(pack(warc(2))), columns=["uri", "record_offset"])[-1] == {
        "uri": "http://p.org/x",
        "record_offset": len(warc(1)),
    }
    assert of_links([path, tmp_path / "none"], errors="column")[-1]["error"]["kind"] == "open"


def record(kind, media_type, body):
    head = "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://p.org/x/\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    return (head % (kind, media_type, len(body))).encode() + body + b"\r\n\r\n"


#: As Common Crawl writes it: see the page "WAT" of its documentation.
WAT = {
    "Container": {"Filename": "CC-MAIN-1.warc.gz", "Compressed": True, "Offset": "731", "Gzip-Metadata": {"Deflate-Length": "9"}},
    "Envelope": {
        "Format": "WARC",
        "WARC-Header-Metadata": {"WARC-Type": "response", "WARC-Target-URI": "http://p.org/x/"},
        "Payload-Metadata": {
            "Actual-Content-Type": "application/http; msgtype=response",
            "HTTP-Response-Metadata": {
                "Response-Message": {"Version": "HTTP/1.1", "Status": "200", "Reason": "OK"},
                "Headers": {"Content-Type": "text/html", "Link": "<http://p.org/h>; rel=x"},
                "HTML-Metadata": {
                    "Head": {
                        "Title": "a page",
                        "Metas": [{"property": "og:url", "content": "http://p.org/og"}],
                        "Link": [{"path": "LINK@/href", "url": "/a.css", "rel": "stylesheet", "type": "text/css"}],
                        "Scripts": [{"path": "SCRIPT@/src", "url": "//c.org/b.js", "type": "text/javascript"}],
                    },
                    "Links": [
                        {"path": "A@/href", "url": "http://h.org/a", "text": "the caf\u00e9", "rel": "nofollow"},
                        {"path": "A@/href", "url": "b?c=1&d=2", "text": "http://shown.org/"},
                        {"path": "A@/href", "url": "#top", "text": "up"},
                        {"path": "A@/href", "url": "javascript:void(0)"},
                        {"path": "IMG@/src", "url": "../e.png", "alt": "a picture"},
                        {"path": "FORM@/action", "url": "/search", "method": "get"},
                        {"path": "STYLE/#text", "href": "/f.png"},
                    ],
                },
            },
        },
    },
}


def test_read_wet_and_wat():
    wet = record("conversion", "text/plain", "é, see http://h.org/a.".encode())
    row = {"source": "http://p.org/x/", "text": None, "role": "text", "element": None, "rel": None}
    assert of_links(io.BytesIO(gzip.compress(wet))) == [{**row, "target": "http://h.org/a"}]
    link = {**row, "role": "link", "element": "a@href"}
    expected = [
        {**row, "target": "http://p.org/x/"},
        {**row, "target": "http://p.org/h"},
        {**row, "target": "http://p.org/og"},
        {**row, "target": "http://p.org/a.css", "role": "resource", "element": "link@href", "rel": "stylesheet"},
        {**row, "target": "http://c.org/b.js", "role": "resource", "element": "script@src"},
        {**link, "target": "http://h.org/a", "text": "the café", "rel": "nofollow"},
        {**link, "target": "http://p.org/x/b?c=1&d=2", "text": "http://shown.org/"},
        {**row, "target": "http://shown.org/"},
        {**row, "target": "http://p.org/e.png", "text": "a picture", "role": "image", "element": "img@src"},
        {**row, "target": "http://p.org/search", "role": "form_action", "element": "form@action"},
        {**row, "target": "http://p.org/f.png", "role": "resource", "element": "style"},
    ]
    for indent in (None, 1):
        body = json.dumps(WAT, indent=indent).encode()
        for wat in (record("metadata", "application/json", body), gzip.compress(record("metadata", "application/json", body))):
            assert of_links(io.BytesIO(wat)) == expected
    head = WAT["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"]["HTML-Metadata"]["Head"]
    based = json.dumps(WAT).replace('"Title"', '"Base": "http://base.org/y/", "Title"').encode()
    assert head["Title"] and of_links(io.BytesIO(record("metadata", "application/json", based)))[7]["target"] == "http://base.org/y/b?c=1&d=2"


def test_the_parts_of_wet_and_wat():
    """Each record is a member of gzip, after one of the crawler."""
    info = record("warcinfo", "application/warc-fields", b"software: http://h.org/crawler")
    for kind, content_type, body in (
        ("conversion", "text/plain", "é, see http://h.org/%d.".encode()),
        ("metadata", "application/json", json.dumps(WAT).replace("http://h.org/a", "http://h.org/%d").encode()),
    ):
        records = [record(kind, content_type, body.replace(b"%d", b"%d" % n)) for n in range(9)]
        file = io.BytesIO(b"".join(gzip.compress(one) for one in [info, *records]))
        whole = of_links(file)
        targets = [row["target"] for row in whole]
        assert [targets.count(f"http://h.org/{n}") for n in range(9)] == [1] * 9
        for size, count in (1, 10), (file.getbuffer().nbytes // 3, 3):
            parts = urlgrep.split(file, size)
            assert (len(parts), {part.layout for part in parts}) == (count, {"warc.gz"})
            assert of_links([(file, part) for part in parts]) == whole


def test_the_links_of_wat_are_those_of_the_page():
    """The same page, as WARC and as WAT."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE
    links = [
        {"path": "A@/href", "url": "http://h.org/a", "text": "the text", "rel": "nofollow"},
        {"path": "IMG@/src", "url": "/b.png"},
    ]
    wat = json.dumps({"Envelope": {"HTML-Metadata": {"Links": links}}}).encode()
    page = of_links(io.BytesIO(record("response", "application/http", http)))
    assert page == of_links(io.BytesIO(record("metadata", "application/json", wat))) and len(page) == 2


def test_read_warc_of_other_files(path):
    """It has no pages: there is no source."""
    assert {(row["source"], row["role"]) for row in of_links(path)} == {(None, "text")}


def test_columns_of_rows():
    column = pa.array(["http://h.org/a", None, "\nsee <URL:http://h.org:81/foo-\nbar>"])
    columns = ["url", "row", "line", "port", "alternatives", "reason", "role"]
    table = pa.table(ua.extract(column, columns=columns))
    table.validate(full=True)
    assert table.to_pylist()[1] == {
        "url": "http://h.org:81/foo-bar",
        "row": 2,
        "line": 2,
        "port": 81,
        "alternatives": ["http://h.org:81/foobar"],
        "reason": None,
        "role": "text",
    }
    lists = pa.array(ua.extract_list(column, columns=["host", "row"])).to_pylist()
    assert lists == [[{"host": "h.org", "row": 0}], None, [{"host": "h.org", "row": 2}]]
    with pytest.raises(ValueError, match='unknown column "date" .it is for archives'):
        ua.extract(column, columns=["date"])
    with pytest.raises(ValueError, match='unknown column "path" .it is for files'):
        ua.extract(column, columns=["path"])
    messages = pa.array([mbox(2), b"http://h.org/"])
    dates = pa.table(ua.extract(messages, columns=["date", "row"], archive=True)).to_pylist()
    assert dates == [{"date": "2001-03-02T10:11:12+01:00", "row": 0}] * 2 + [{"date": None, "row": 1}]


def test_consumers(path):
    columns = ["url", "subject", "pieces", "message"]
    table = read(path, columns=columns)
    assert pa.RecordBatchReader.from_stream(ua.open(path, columns=columns)).read_all() == table
    assert pl.DataFrame(ua.open(path, columns=columns))["subject"].to_list() == table["subject"].to_pylist()
    urls = pa.RecordBatchReader.from_stream(ua.open(path))
    assert duckdb.sql("SELECT count(*), min(url) FROM urls").fetchall() == [(20, "http://h.org/a/0")]


def test_batches(path):
    batches = [pa.record_batch(batch) for batch in ua.open([path, path], batch_size=15)]
    assert [batch.num_rows for batch in batches] == [15, 15, 10]
    assert pa.Table.from_batches(batches)["url"].to_pylist() == [f"http://h.org/a/{n}" for n in range(20)] * 2
    with pytest.raises(ValueError, match="batch_size: expected a number of rows above 0"):
        ua.open(path, batch_size=0)


def test_a_message_with_many_matches(tmp_path):
    """More than what may wait: the message is searched again for the rest, and each match is there once."""
    subject = b"x" * 8000
    body = b"".join(b"http://h.org/%d\n" % n for n in range(25_000))
    tmp_path.joinpath("a.mbox").write_bytes(
        b"From a@h.org Fri Mar  2 10:11:12 2001\nSubject: %b\n\n%b\nFrom a@h.org Fri Mar  2 10:11:12 2001\nSubject: b\n\nhttp://h.org/b\n"
        % (subject, body)
    )
    count = 0
    for batch in ua.open(tmp_path / "a.mbox", columns=["url", "subject"]):
        for row in pa.record_batch(batch).to_pylist():
            last = count == 25_000
            assert row == {"url": f"http://h.org/{'b' if last else count}", "subject": "b" if last else subject.decode()}
            count += 1
    assert count == 25_001


def test_file_objects(path):
    assert read(io.BytesIO(mbox(3)), columns=["path", "url"]).to_pylist()[2] == {"path": None, "url": "http://h.org/a/2"}
    with open(path, "rb") as file:
        assert set(read(file)["path"].to_pylist()) == {str(path)}
        assert not file.closed
    assert read([io.BytesIO(mbox(2)), str(path), os.fsencode(path)]).num_rows == 42


def test_what_opens_a_file(path):
    class Opener:
        name = "store://a"
        files = []

        def open(self):
            self.files.append(open(path, "rb"))
            return self.files[-1]

    assert set(read(Opener())["path"].to_pylist()) == {"store://a"}
    gc.collect()
    assert [file.closed for file in Opener.files] == [True]


def test_an_iterator_is_read_as_the_result_is(path):
    opened = []

    def paths():
        for n in range(5):
            opened.append(n)
            yield path

    batches = ua.open(paths(), batch_size=10)
    next(batches)
    assert opened == [0]
    assert sum(len(batch) for batch in batches) == 90
    assert opened == list(range(5))


def test_parts(path):
    whole = read(path, columns=["url", "line", "message_index"])
    for size in (100, 1000):
        parts = [(path, part) for part in urlgrep.split(path, size, count=True)]
        assert read(parts, columns=["url", "line", "message_index"]) == whole
    part = urlgrep.Split(0, 1 << 40)
    assert read((path, part)).num_rows == 20


def test_progress(path, tmp_path):
    compressed = tmp_path / "b.mbox.gz"
    compressed.write_bytes(gzip.compress(mbox(30)))
    told = []

    def progress(*numbers):
        told.append(numbers)

    length, files = path.stat().st_size, [path, str(compressed), path.open("rb")]
    total = 2 * length + compressed.stat().st_size
    assert pa.table(ua.open(files, progress=progress)).num_rows == 70
    assert told[-1] == (total, total)
    halves = urlgrep.split(path, length // 2)
    for files, total in (
        (path, length),
        ((path, halves[0]), halves[0].length),
        ([(path, half) for half in halves], length),
        (io.BytesIO(path.read_bytes()), None),
        (iter([path]), None),
        ([], 0),
    ):
        told.clear()
        list(ua.open(files, progress=progress, errors="column"))
        assert told == [(length if total is None else total, total)]
    told.clear()
    list(ua.open([path, tmp_path / "none"], progress=progress, errors="column"))
    assert told == [(length, length)]


def test_progress_now_and_then(path):
    class Slow(io.BytesIO):
        def read(self, size=-1):
            time.sleep(0.03)
            return super().read(min(size, 300_000))

    told = []
    data = mbox(50_000)
    start = time.monotonic()
    list(ua.open(Slow(data), progress=lambda read, total: told.append((time.monotonic(), read))))
    assert [read for _, read in told] == sorted(read for _, read in told)
    assert (told[-1][1], len(told) >= 4) == (len(data), True)
    assert len(told) <= 1 + (time.monotonic() - start) / 0.1

    def stop(*_):
        raise InterruptedError("enough")

    for errors in "raise", "column":
        with pytest.raises(InterruptedError, match="enough"):
            list(ua.open(Slow(data), progress=stop, errors=errors))
    with pytest.raises(TypeError, match="progress: expected a function, found int"):
        ua.open(path, progress=5)


def test_options(path):
    assert read(path, schemes="ftp").num_rows == 0
    with pytest.raises(TypeError, match='unknown option "heders"'):
        ua.open(path, heders=True)
    with pytest.raises(ValueError, match='option "errors": expected one of "raise", "warn", "column"'):
        ua.open(path, errors="none")
    with pytest.raises(ValueError, match='option "errors": expected one of "raise", "warn", found'):
        urlgrep.open(path, errors="column")
    with pytest.raises(TypeError, match="expected a path, a binary file object, or several of them, found int"):
        ua.open(1)
    with pytest.raises(TypeError, match="expected a path or a binary file object, found int"):
        list(ua.open([1], errors="column"))


def test_close(path):
    with ua.open(path) as batches:
        assert len(next(batches)) == 20
    with pytest.raises(ValueError, match="consumed or closed"):
        next(batches)


class Broken(io.RawIOBase):
    """A file of a store that fails."""

    name = "store://broken"

    def __init__(self, error):
        self.error, self.parts = error, [mbox(3)]

    def readable(self):
        return True

    def read(self, size=-1):
        if self.parts:
            return self.parts.pop()
        raise self.error


class StoreError(Exception):
    pass


@pytest.fixture
def damaged(tmp_path):
    """Files of which most are damaged."""
    good = tmp_path / "good.mbox"
    good.write_bytes(mbox(2))
    whole = gzip.compress(mbox(2000))
    half = tmp_path / "half.gz"
    half.write_bytes(whole[: len(whole) // 2])
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "vanished")
    plain = b"".join(bytes([n % 251]) * 3 for n in range(100_000))
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as members:
        members.writestr("b.gz", whole[:-20])
        members.writestr("c.txt", b"http://h.org/c")
    picture = tmp_path / "a.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + plain)
    return [good, half, tmp_path / "missing", link, archive, tmp_path, picture, Broken(StoreError("503 slow down")), good]


def test_an_exception_without_a_text_is_named():
    table = read([Broken(StoreError())], columns=["url"], errors="column")
    assert table.to_pylist()[-1]["error"]["message"] == "StoreError"


def test_errors_are_rows(damaged, tmp_path):
    table = read(damaged, columns=["path", "url"], errors="column")
    assert table.column_names == ["path", "url", "error"]
    rows = table.to_pylist()
    errors = [row["error"] for row in rows if row["error"]]
    assert [(error["path"] and error["path"].replace(str(tmp_path), ""), error["kind"]) for error in errors] == [
        ("/half.gz", "damaged"),
        ("/missing", "open"),
        ("/link", "open"),
        ("/a.zip!/b.gz", "damaged"),
        ("", "read"),
        ("/a.png", "unsupported"),
        ("store://broken", "read"),
    ]
    messages = [error["message"] for error in errors]
    assert messages[0].startswith("truncated gzip data")
    assert messages[1:3] == ["No such file or directory"] * 2
    assert messages[6] == "503 slow down"
    assert [error["bytes_read"] for error in errors][:3] == [damaged[1].stat().st_size, 0, 0]
    for row in rows:
        assert (row["url"] is None) == (row["error"] is not None)
        assert row["error"] is None or row["path"] == row["error"]["path"]
    urls = {name: [row["url"] for row in rows if row["path"] == name and row["url"]] for name in {row["path"] for row in rows}}
    assert len(urls[str(tmp_path / "half.gz")]) > 500
    assert urls[f"{tmp_path}/a.zip!/c.txt"] == ["http://h.org/c"]
    assert len(urls["store://broken"]) >= 2
    assert rows[-1]["url"] == "http://h.org/a/1"


def test_errors_are_warnings(damaged):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        table = read(damaged, columns=["path", "url"], errors="warn")
    assert table.column_names == ["path", "url"]
    assert len(caught) == 7 and all(one.category is urlgrep.UrlgrepWarning for one in caught)
    assert str(caught[1].message).endswith("missing: No such file or directory")
    assert table["url"].null_count == 0


def test_errors_are_raised(damaged):
    with pytest.raises(FileNotFoundError) as raised:
        ua.open(damaged[2])
    assert raised.value.filename == str(damaged[2])
    for files, error, message in [
        (damaged[1:2], OSError, "half.gz: truncated gzip data"),
        (damaged[4:5], OSError, "a.zip!/b.gz: truncated gzip data"),
        (damaged[5:6], IsADirectoryError, "Is a directory"),
        (damaged[7:8], StoreError, "503 slow down"),
    ]:
        with pytest.raises(error, match=message):
            list(ua.open(files))


@pytest.mark.parametrize("errors", ["raise", "warn", "column"])
def test_ctrl_c_is_raised(errors):
    with pytest.raises(KeyboardInterrupt):
        list(ua.open([Broken(KeyboardInterrupt())], errors=errors))


def test_all_kinds_of_cuts_become_rows(tmp_path):
    """Half a file of each kind: nothing is raised, and what is before the cut is found."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as members:
        for n in range(3):
            member = tarfile.TarInfo(f"{n}.mbox")
            member.size = len(mbox(50))
            members.addfile(member, io.BytesIO(mbox(50)))
    wholes = {
        "gz": gzip.compress(mbox(500)),
        "bz2": bz2.compress(mbox(500)),
        "tar": archive.getvalue(),
        "mbox": mbox(500),
        "warc": warc(100),
    }
    for name, whole in wholes.items():
        for part in (1, 2, 3):
            cut = io.BytesIO(whole[: len(whole) * part // 4])
            table = read(cut, columns=["url"], errors="column")
            failed = [error["kind"] for error in table["error"].to_pylist() if error]
            assert set(failed) <= {"damaged", "undecoded"}, (name, failed)
            assert len(failed) == (1 if name in ("gz", "bz2", "tar") else len(failed)), name


def test_errors_of_rows():
    damaged = gzip.compress(b"http://h.org/a " * 10000)[:-20]
    column = pa.array([b"http://h.org/", damaged, b"http://h.org/"])
    rows = pa.table(ua.extract(column, columns=["row", "url"], archive=True, errors="column")).to_pylist()
    assert [row["row"] for row in (rows[0], rows[-2], rows[-1])] == [0, 1, 2]
    assert rows[-2]["url"] is None and rows[-2]["error"]["kind"] == "damaged"
    assert [row["error"] for row in rows].count(None) == len(rows) - 1


TABLE = pa.table({"id": [10, 20, 30], "body": ["http://h.org/a http://h.org/b", None, "ftp://h.org/c"], "tag": ["x", None, "z"]})


def kept(source, **options):
    reader = ua.extract(source, "body", keep=["id", "tag"], columns=["url", "row"], **options)
    assert isinstance(reader, pa.RecordBatchReader)
    return reader.read_all().to_pylist()


KEPT = [
    {"id": 10, "tag": "x", "url": "http://h.org/a", "row": 0},
    {"id": 10, "tag": "x", "url": "http://h.org/b", "row": 0},
    {"id": 30, "tag": "z", "url": "ftp://h.org/c", "row": 2},
]


def test_kept_columns():
    pieces = TABLE.to_batches(max_chunksize=1)
    for source in (
        TABLE,
        TABLE.to_batches()[0],
        TABLE.to_reader(),
        pa.RecordBatchReader.from_batches(TABLE.schema, pieces),
        pl.from_arrow(TABLE),
        iter(pieces),
        (piece for piece in pieces),
    ):
        assert kept(source) == KEPT
    assert ua.extract(TABLE, "body").schema.names[0] == "row"
    assert ua.extract(TABLE, "body", columns=["url"], keep=["id"]).read_all().column_names == ["id", "url"]


def test_wrong_tables():
    for arguments, error, message in [
        ((TABLE, "bdy"), ValueError, "expected one column 'bdy' in the table"),
        ((TABLE, "id"), TypeError, "found a column of Int64"),
        (([1], "body"), TypeError, "expected a table, a reader or an iterator"),
        ((iter([]), "body"), ValueError, "an iterator without one"),
    ]:
        with pytest.raises(error, match=message):
            ua.extract(*arguments)
    with pytest.raises(TypeError, match="keep: expected the name of a column to search"):
        ua.extract(TABLE["body"], keep=["id"])
    with pytest.raises(ValueError, match="keep: a column has the name of a column of a match"):
        ua.extract(TABLE.rename_columns(["url", "body", "tag"]), "body", keep=["url"])


def test_kept_columns_that_are_wrong():
    """take() of pyarrow reads what it is given."""
    offsets = pa.py_buffer(struct.pack("=3i", 0, 1 << 30, 1))
    wrong = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"x")])
    batch = pa.RecordBatch.from_arrays([wrong, pa.array(["http://h.org/"] * 2)], ["id", "body"])
    with pytest.raises(pa.ArrowInvalid):
        ua.extract(batch, "body", keep=["id"]).read_all()


def test_an_iterator_of_arrays():
    arrays = iter([pa.array(["http://h.org/a"]), pl.Series([None, "http://h.org/b"])])
    assert pa.table(ua.extract(arrays, columns=["row", "url"])).to_pylist() == [
        {"row": 0, "url": "http://h.org/a"},
        {"row": 2, "url": "http://h.org/b"},
    ]
    with pytest.raises(TypeError, match="expected an Arrow array"):
        list(ua.extract(iter(["x"])))


def test_what_is_read_is_released(path):
    class File(io.BytesIO):
        pass

    file = File(mbox(3))
    gone = weakref.ref(file)
    batches = ua.open([file])
    kept = list(batches)
    del file
    gc.collect()
    assert gone() is None and len(kept) == 1
