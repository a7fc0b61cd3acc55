"""open, split and read_split."""

import bz2
import gc
import gzip
import io
import lzma
import os
import pickle
import random
import struct
import tarfile
import tempfile
import weakref
import zipfile
import zlib

import pyarrow as pa
import pytest
import urlgrep
import urlgrep.arrow as ua

MESSAGE = (
    b"From a@h.org Fri Mar  2 10:11:12 2001\n"
    b"Message-ID: <%d@h.org>\n"
    b"From: A <a@h.org>\n"
    b"Date: Fri, 2 Mar 2001 10:11:12 +0100\n"
    b"Subject: number %d\n"
    b"Content-Transfer-Encoding: quoted-printable\n"
    b"\n"
    b"> It is at http://h.org/a=\n"
    b"/%d\n"
    b"\n"
)


def mbox(number):
    return b"".join(MESSAGE % (n, n, n) for n in range(number))


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox(20))
    return path


def test_links_of_mail_filters(tmp_path):
    link = "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fh.org%2Fa&data=05"
    path = tmp_path / "a.eml"
    path.write_text(f"From: a@h.org\nMessage-ID: <1@h.org>\n\n{link} hxxp://h[.]org/b\n")
    inside, defanged = urlgrep.open(path, unwrap=True, refang=True)
    assert (inside.url, inside.unwrapped, inside.message["id"]) == ("https://h.org/a", ("safelinks",), "1@h.org")
    assert (defanged.url, defanged.form, defanged.unwrapped) == ("http://h.org/b", "defanged", ())
    part = urlgrep.Split(0, path.stat().st_size)
    assert [match.as_dict() for match in urlgrep.read_split(path, *part, unwrap=True, refang=True)] == [
        inside.as_dict(),
        defanged.as_dict(),
    ]
    table = pa.table(ua.extract(pa.array([path.read_bytes()]), archive=True, unwrap=True))
    assert table["url"].to_pylist() == ["https://h.org/a"]


def test_a_match(path):
    match = list(urlgrep.open(path, line_numbers=True))[1]
    one = len(MESSAGE % (0, 0, 0))
    assert match.url == "http://h.org/a/1"
    assert match.path == str(path)
    assert match.message == {
        "index": 1,
        "id": "1@h.org",
        "from": "A <a@h.org>",
        "date": "2001-03-02T10:11:12+01:00",
        "subject": "number 1",
        "newsgroups": None,
        "to": None,
        "cc": None,
        "list_id": None,
        "in_reply_to": None,
        "part": "1",
        "content_type": "text/plain",
        "header": None,
        "quote_depth": 1,
        "filename": None,
    }
    assert (match.role, match.element, match.text) == ("text", None, None)
    # The soft line break is in neither segment.
    file = path.read_bytes()
    assert [file[start:end] for start, end in match.pieces] == [b"http://h.org/a", b"/1"]
    assert (match.start, match.end) == (match.pieces[0][0], match.pieces[-1][1])
    assert match.start == one + file[one:].index(b"http:")
    assert (match.line, match.column) == (18, 12)
    assert match.join == "flowed" or match.join is None
    assert repr(match).endswith(f"in {str(path)!r}>")
    assert pickle.loads(pickle.dumps(match)) == match


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_compressed(path, tmp_path, compress):
    compressed = tmp_path / "a.mbox.compressed"
    compressed.write_bytes(compress(path.read_bytes()))
    places = [(match.url, match.pieces) for match in urlgrep.open(path)]
    assert [(match.url, match.pieces) for match in urlgrep.open(str(compressed))] == places


def test_members_of_a_zip_archive(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b.mbox", mbox(1))
        archive.writestr("c.txt", "http://h.org/c")
    matches = [(match.path, match.url, match.message is None) for match in urlgrep.open(path)]
    assert matches == [
        (f"{path}!/b.mbox", "http://h.org/a/0", False),
        (f"{path}!/c.txt", "http://h.org/c", True),
    ]


def test_file_objects(path):
    expected = [match.url for match in urlgrep.open(path)]
    with path.open("rb") as file:
        matches = list(urlgrep.open(file))
    assert [match.url for match in matches] == expected and matches[0].path == str(path)
    matches = list(urlgrep.open(io.BytesIO(path.read_bytes())))
    assert [match.url for match in matches] == expected and matches[0].path is None
    assert [match.url for match in urlgrep.Finder().open(bytes(path))] == expected


def test_options(tmp_path):
    path = tmp_path / "message"
    path.write_bytes(b"From: a\nSubject: http://h.org/s\n\n<a href=http://h.org/b>\n")
    assert [match.url for match in urlgrep.open(path, headers=False)] == ["http://h.org/b"]
    assert [match.form for match in urlgrep.open(path, format="text")] == ["bare", "bare"]
    assert [match.form for match in urlgrep.open(path, format="html")] == ["bare", "attribute"]


MULTIPART = (
    b"From: a@h.org\nMessage-ID: <1@h.org>\nSubject: http://h.org/s\nContent-Type: multipart/mixed; boundary=b\n\n"
    b"--b\n\n<http://h.org/a\n..b>\n--b\nContent-Type: application/octet-stream\n\nhttp://h.org/data\n--b--\n"
)


@pytest.mark.parametrize(
    ("content", "options", "urls"),
    [
        (MULTIPART, {}, ["s", "a..b", "data"]),
        (MULTIPART, {"headers": False}, ["a..b", "data"]),
        (MULTIPART, {"attachments": "none"}, ["s", "a..b"]),
        (MULTIPART, {"dot_stuffing": True}, ["s", "a.b", "data"]),
        (MULTIPART, {"format": "text"}, ["s", "a..b", "data"]),
        (MULTIPART, {"hyphen": "drop", "join": "none"}, ["s", "a", "data"]),
        (b"<html><a href=x>", {}, []),
        (b"<html><a href=x>", {"base": "http://h.org/"}, ["x"]),
        (b"<html><a href=x>", {"base": "http://h.org/", "format": "text"}, []),
    ],
)
def test_each_way_to_an_archive_has_the_options(tmp_path, content, options, urls):
    path = tmp_path / "file"
    path.write_bytes(content)
    parts = urlgrep.split(path, 10**9, format=options.get("format", "auto"))
    column = pa.array([content])
    urls = [f"http://h.org/{url}" for url in urls]
    assert [match.url for match in urlgrep.open(path, **options)] == urls
    assert [match.url for part in parts for match in urlgrep.read_split(path, *part, **options)] == urls
    assert pa.table(ua.open(path, **options))["url"].to_pylist() == urls
    assert pa.table(ua.extract(column, archive=True, **options))["url"].to_pylist() == urls


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 10**9])
def test_the_parts_have_all_matches(path, size):
    whole = list(urlgrep.open(path, line_numbers=True))
    parts = urlgrep.split(path, size, count=True)
    assert sum(part.length for part in parts) == path.stat().st_size
    assert {part.layout for part in parts} == {"mbox"}
    divided = [m for part in parts for m in urlgrep.read_split(path, *part, line_numbers=True)]
    assert divided == whole
    with path.open("rb") as file:
        assert urlgrep.split(file, size, count=True) == parts
    uncounted = urlgrep.split(path, size)
    assert [part[:2] for part in uncounted] == [part[:2] for part in parts]
    places = [(m.url, m.pieces) for part in uncounted for m in urlgrep.read_split(path, part.start, part.length)]
    assert places == [(match.url, match.pieces) for match in whole]


@pytest.mark.parametrize("size", [100, 1000, 5000])
def test_the_parts_of_a_tar_archive_and_of_a_web_archive(path, tmp_path, size):
    tar = tmp_path / "a.tar"
    with tarfile.open(tar, "w") as archive:
        for name in "abcd":
            archive.add(path, name)
    warc = tmp_path / "a.warc"
    block = b"http://h.org/a\n\nhttp://h.org/b\n"
    record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    warc.write_bytes(record % (len(block), block) * 100)
    for file, count in (tar, 80), (warc, 200):
        whole = list(urlgrep.open(file, line_numbers=True))
        parts = urlgrep.split(file, size, count=True)
        assert (len(whole), len(parts) > 1) == (count, True)
        assert [m for part in parts for m in urlgrep.read_split(file, *part, line_numbers=True)] == whole


class Counted(io.BytesIO):
    """A file that counts what is read of it."""

    def __init__(self, data):
        super().__init__(data)
        self.reads = []

    def read(self, size=-1):
        at = self.tell()
        data = super().read(size)
        self.reads.append((at, len(data)))
        return data


def kinds_of_files():
    """Files of about 3 MB that can be divided, by layout."""
    message = b"Message-ID: <%d@h.org>\nSubject: a\n\nhttp://h.org/%d\n" + b"word " * 400 + b"\n\n"
    messages = [message % (n, n) for n in range(1500)]
    record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for n, text in enumerate(messages):
            info = tarfile.TarInfo(str(n))
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    return {
        "mbox": b"".join(b"From a@h.org Fri Mar  2 10:11:12 2001\n" + text for text in messages),
        "text": b"Some text.\n\n" + b"".join(text.split(b"\n\n", 1)[1] for text in messages),
        "json": b"".join(b'{"n": %d, "text": "http://h.org/%d %s"}\n' % (n, n, b"word " * 400) for n in range(1500)),
        "warc": b"".join(record % (len(text), text) for text in messages),
        "tar": tar.getvalue(),
    }


@pytest.mark.parametrize(("layout", "data"), kinds_of_files().items())
@pytest.mark.parametrize("count", [3, 30])
def test_a_part_of_a_file_object_costs_what_it_reads(layout, data, count):
    file = Counted(data)
    parts = urlgrep.split(file, -(-len(data) // count))
    assert {part.layout for part in parts} == {layout}
    assert sum(size for _, size in file.reads) < 1.1 * len(data)
    found = 0
    for part in parts:
        file = Counted(data)
        found += sum(1 for _ in urlgrep.read_split(file, *part))
        assert min(at for at, _ in file.reads) == part.start
        assert sum(size for _, size in file.reads) <= part.length + 64 * 1024
        assert len(file.reads) <= 4
    assert found == 1500


def test_a_part_of_what_is_compressed_in_pieces():
    mbox = kinds_of_files()["mbox"]
    packed = blocks(mbox, 50_000)
    whole = [(m.url, m.pieces) for m in urlgrep.open(io.BytesIO(packed))]
    size = len(packed) // 10
    parts = urlgrep.split(io.BytesIO(packed), size)
    assert (len(whole), {part.layout for part in parts}) == (1500, {"mbox"})
    assert (sum(part.length for part in parts), parts[1].offset) == (len(packed), parts[0].decompressed)
    found = []
    for part in parts:
        file = Counted(packed)
        found += [(m.url, m.pieces) for m in urlgrep.read_split(file, *part)]
        assert sum(read for _, read in file.reads) <= 2 * size + 64 * 1024
    assert (found, 8 <= len(parts) <= 10) == (whole, True)
    table = pa.table(ua.open([(io.BytesIO(packed), part) for part in parts], columns=["url"]))
    assert table["url"].to_pylist() == [url for url, _ in whole]
    assert len(urlgrep.split(io.BytesIO(packed), size, count=True)) == 1


def record(n, body):
    head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/%d\r\nContent-Type: text/plain\r\n" % n
    return head + b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(body), body)


def packed_records(count, length):
    """Records, each compressed alone, of texts that do not compress well."""
    numbers = random.Random(45)
    texts = (b"see http://h.org/%d\n%s\n" % (n, numbers.randbytes(numbers.randrange(length)).hex().encode()) for n in range(count))
    return b"".join(gzip.compress(record(n, text), 1) for n, text in enumerate(texts))


def places(matches):
    return [(match.url, match.message["uri"]) for match in matches]


def test_a_web_archive_of_three_members():
    members = [gzip.compress(record(n, b"at http://h.org/%d/" % n)) for n in range(3)]
    file = io.BytesIO(b"".join(members))
    parts = urlgrep.split(file, 1)
    lengths = [len(member) for member in members]
    assert [part[:5] for part in parts] == [(sum(lengths[:n]), lengths[n], 0, 0, "warc.gz") for n in range(3)]
    found = [(n, m.url, m.message["offset"]) for n, part in enumerate(parts) for m in urlgrep.read_split(file, *part)]
    assert [one for one in found if one[1].endswith("/")] == [(n, f"http://h.org/{n}/", 0) for n in range(3)]
    assert urlgrep.split(file, 1, count=True) == [(0, sum(lengths), 0, 0, "auto", 0, 0)]
    assert urlgrep.split(io.BytesIO(gzip.compress(gzip.decompress(file.getvalue()))), 1)[0].layout == "auto"


@pytest.fixture(scope="module")
def packed():
    packed = packed_records(1500, 40_000)
    assert 24 << 20 < len(packed) < 40 << 20
    return packed


@pytest.mark.parametrize("count", [1, 2, 5, 17, 40])
def test_the_parts_of_a_web_archive_that_is_compressed(packed, count):
    whole = places(urlgrep.open(io.BytesIO(packed)))
    assert len(whole) == 1500
    file = Counted(packed)
    parts = urlgrep.split(file, -(-len(packed) // count))
    divided = sum(size for _, size in file.reads)
    assert {part.layout for part in parts} == {"warc.gz" if count > 1 else "auto"}
    assert (len(parts), sum(part.length for part in parts)) == (count, len(packed))
    found, read = [], 0
    for part in parts:
        file = Counted(packed)
        found += places(urlgrep.read_split(file, *part))
        assert len(file.reads) <= 2 + part.length // (4 << 20)
        read += sum(size for _, size in file.reads)
    assert found == whole
    assert read <= 1.01 * len(packed) and divided + read <= 1.3 * len(packed)
    # At the end of each part, a record and the bytes that prove it.
    assert divided <= 400_000 * count


def test_the_columns_of_parts_of_a_web_archive_that_is_compressed():
    packed = packed_records(50, 2000)
    columns = ["url", "uri", "start", "end", "pieces", "record_offset", "line", "message_index", "message"]
    whole = pa.table(ua.open(io.BytesIO(packed), columns=columns)).to_pylist()
    parts = urlgrep.split(io.BytesIO(packed), 10_000)
    assert len(parts) > 4
    rows = pa.table(ua.open([(io.BytesIO(packed), part) for part in parts], columns=columns)).to_pylist()
    unknown = dict.fromkeys(["start", "end", "pieces", "record_offset", "line", "message_index"])
    assert rows == [{**row, **unknown, "message": {**row["message"], "index": None, "offset": None}} for row in whole]
    (part,) = urlgrep.split(io.BytesIO(packed), len(packed))
    assert pa.table(ua.open((io.BytesIO(packed), part), columns=columns)).to_pylist() == whole


def test_a_file_of_fsspec_is_read_without_what_follows(packed):
    fsspec = pytest.importorskip("fsspec")
    fetched = []

    class File(fsspec.spec.AbstractBufferedFile):
        def _fetch_range(self, start, end):
            fetched.append(end - start)
            return packed[start:end]

    class Store(fsspec.AbstractFileSystem):
        def info(self, path, **_):
            return {"name": path, "size": len(packed), "type": "file"}

        def _open(self, path, mode="rb", **options):
            return File(self, path, mode, size=len(packed), **options)

    store = Store()
    for options in {}, {"cache_type": "bytes"}:
        fetched.clear()
        parts = urlgrep.split(store.open("a"), -(-len(packed) // 10))
        found = 0
        for part in parts:
            with store.open("a", **options) as file:
                cache = file.cache
                found += sum(1 for _ in urlgrep.read_split(file, *part))
                assert file.cache is cache
        assert (len(parts), found) == (10, 1500)
        assert sum(fetched) <= 1.3 * len(packed)
    # A cache that was chosen stays.
    fetched.clear()
    with store.open("a", cache_type="all") as file:
        assert sum(1 for _ in urlgrep.read_split(file, *parts[3])) > 100
    assert fetched == [len(packed)]


def blocks(data, size):
    """A stream of xz of blocks of so many bytes (the .xz file format, sections 2 to 4)."""
    number = lambda n: bytes([n & 0x7F | 0x80]) + number(n >> 7) if n > 0x7F else bytes([n])
    file, records, count = b"", b"", 0
    for at in range(0, len(data), size):
        one = lzma.compress(data[at : at + size])
        head, flags, footer = one[:12], one[6:8], one[-12:]
        index = 4 * (1 + int.from_bytes(footer[4:8], "little"))
        block = one[12 : -12 - index]
        # After a zero, the number of blocks and the length without padding.
        unpadded, shift, n = 0, 0, len(one) - 12 - index + 2
        while True:
            unpadded |= (one[n] & 0x7F) << shift
            shift += 7
            n += 1
            if one[n - 1] < 0x80:
                break
        file, records, count = file + block, records + number(unpadded) + number(len(data[at : at + size])), count + 1
    index = b"\0" + number(count) + records
    index += bytes(-len(index) % 4)
    index += struct.pack("<I", zlib.crc32(index))
    tail = struct.pack("<I", len(index) // 4 - 1) + flags
    return head + file + index + struct.pack("<I", zlib.crc32(tail)) + tail + b"YZ"


def test_a_file_object_is_read_from_where_it_is(path):
    file = Counted(b"http://h.org/before\n" + path.read_bytes())
    file.seek(20)
    assert len(list(urlgrep.open(file))) == 20


def test_a_format_can_be_divided(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"".join(b'{"a": "http:\\/\\/h.org\\/%d"}\n\n' % n for n in range(100)))
    for format, layout in ("auto", "json"), ("text", "text"), ("html", "auto"):
        parts = urlgrep.split(path, 500, format=format)
        assert {part.layout for part in parts} == {layout}
        found = [m for part in parts for m in urlgrep.read_split(path, *part, format=format)]
        assert [(m.url, m.pieces) for m in found] == [(m.url, m.pieces) for m in urlgrep.open(path, format=format)]


def test_what_cannot_be_divided(path, tmp_path):
    compressed = tmp_path / "a.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    (part,) = urlgrep.split(compressed, 10)
    assert part == (0, compressed.stat().st_size, 0, 0, "auto", 0, 0)
    assert len(list(urlgrep.read_split(compressed, *part))) == 20
    assert list(urlgrep.read_split(compressed, 10, 10)) == []


def test_wrong_arguments_of_parts(path):
    with pytest.raises(ValueError, match="size: expected a number of bytes above 0"):
        urlgrep.split(path, 0)
    with pytest.raises(ValueError, match='option "format": expected one of "auto"'):
        urlgrep.split(path, 10, format="novel")
    with pytest.raises(ValueError, match='layout: expected the layout of a urlgrep.Split, found "novel"'):
        urlgrep.read_split(path, 0, 10, 0, 0, "novel")
    with pytest.raises(OverflowError):
        urlgrep.read_split(path, -1, 10)


def test_a_file_that_does_not_exist(tmp_path):
    path = str(tmp_path / "none")
    for call in (lambda: urlgrep.open(path), lambda: urlgrep.split(path, 1), lambda: urlgrep.read_split(path, 0, 1)):
        with pytest.raises(FileNotFoundError) as caught:
            call()
        assert caught.value.filename == path


def test_a_directory(tmp_path):
    with pytest.raises(OSError, match=tmp_path.name):
        list(urlgrep.open(tmp_path))


def damaged(path):
    file = gzip.compress(b"http://h.org/a " * 10000)
    path.write_bytes(file[:-20])
    return path


def test_a_damaged_file(tmp_path):
    path = damaged(tmp_path / "a.gz")
    matches = urlgrep.open(path)
    found = 0
    with pytest.raises(OSError, match="a.gz: truncated gzip data after"):
        for _ in matches:
            found += 1
    assert found > 0
    assert list(matches) == []


@pytest.mark.parametrize("name", ["a.csv", "a.csv.xz", "a.txt"])
def test_the_name_of_rows(tmp_path, name):
    """An empty line does not end a cell."""
    rows = b'n,url,o\n1,http://h.org/a,b\n2,"http://h.org/c,\n\n",d\n'
    path = tmp_path / name
    path.write_bytes(lzma.compress(rows) if name.endswith("xz") else rows)
    expected = ["http://h.org/a,b" if name == "a.txt" else "http://h.org/a", "http://h.org/c"]
    assert [match.url for match in urlgrep.open(path)] == expected
    assert pa.table(ua.open(path))["url"].to_pylist() == expected
    with path.open("rb") as file:
        assert pa.table(ua.open(file))["url"].to_pylist() == expected
    for parts in ([urlgrep.Split(0, 40), urlgrep.Split(40, 1 << 20)], urlgrep.split(path, 40), urlgrep.split(path, 1, count=True)):
        assert [match.url for part in parts for match in urlgrep.read_split(path, *part)] == expected
        assert pa.table(ua.open([(path, part) for part in parts]))["url"].to_pylist() == expected


def test_a_damaged_file_as_a_warning(tmp_path):
    path = damaged(tmp_path / "a.gz")
    with pytest.warns(urlgrep.UrlgrepWarning, match="a.gz: truncated gzip data"):
        assert len(list(urlgrep.open(path, errors="warn"))) > 0


def test_a_damaged_member_does_not_end_the_archive(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("b", "http://h.org/" + "b" * 100)
        archive.writestr("c", "http://h.org/c")
    file = path.read_bytes()
    path.write_bytes(file.replace(b"bbbbb", b"bbxbb", 1))
    with pytest.warns(urlgrep.UrlgrepWarning, match="a.zip!/b: "):
        urls = [match.url for match in urlgrep.open(path, errors="warn")]
    assert urls[-1] == "http://h.org/c"


def test_members_that_cannot_hold_text_are_skipped(tmp_path):
    path = tmp_path / "a.zip"
    members = {"a.gif": b"GIF89a\1\0\1\0", "b": b"\x7fELF\1\1\1\0", "c": b"http://h.org/c", "d.png": b"\x89PNG\r\n\x1a\n"}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    for errors in ("raise", "warn"):
        assert [match.url for match in urlgrep.open(path, errors=errors)] == ["http://h.org/c"]
        assert pa.table(ua.open(path, errors=errors))["url"].to_pylist() == ["http://h.org/c"]
    assert pa.table(ua.open(path, columns=["url"], errors="column")).num_rows == 1
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("e.7z", b"7z\xbc\xaf\x27\x1c\0\4")
    with pytest.raises(OSError, match="a.zip!/e.7z: unsupported format: a 7z archive"):
        list(urlgrep.open(path))
    image = tmp_path / "a.gif"
    image.write_bytes(members["a.gif"])
    with pytest.raises(OSError, match="a.gif: unsupported format: a GIF image"):
        list(urlgrep.open(image))


def test_wrong_files(path):
    with pytest.raises(TypeError, match="expected a path or a binary file object, found int"):
        urlgrep.open(5)
    with path.open() as file, pytest.raises(TypeError, match="binary mode"):
        urlgrep.open(file)
    with pytest.raises(ValueError, match="closed file"):
        urlgrep.open(file)


def test_a_file_that_refers_to_its_matches_is_collected():
    file = type("File", (io.BytesIO,), {})(b"http://h.org/a")
    file.matches = urlgrep.open(file)
    gone = weakref.ref(file)
    del file
    gc.collect()
    assert gone() is None


def test_the_first_of_two_exceptions_is_raised():
    class Interrupted(io.RawIOBase):
        reads = 0

        def read(self, _):
            self.reads += 1
            raise KeyboardInterrupt(self.reads)

    with pytest.raises(KeyboardInterrupt) as raised:
        list(urlgrep.open(Interrupted()))
    assert raised.value.args == (1,)
    assert raised.traceback[-1].name == "read"


def interrupt(*_):
    raise KeyboardInterrupt


def test_interrupts_are_no_wrong_types():
    paths = type("Path", (), {"__fspath__": interrupt})()
    with pytest.raises(KeyboardInterrupt):
        urlgrep.open(paths)
    named = type("Named", (io.BytesIO,), {"name": property(interrupt)})(b"http://h.org/")
    with pytest.raises(KeyboardInterrupt):
        urlgrep.open(named)
    number = type("Number", (), {"__index__": interrupt})()
    with pytest.raises(KeyboardInterrupt):
        urlgrep.Finder(max_len=number)


class Failing(io.RawIOBase):
    """A file that fails after a while."""

    def __init__(self, error):
        self.error, self.left = error, 20

    def read(self, size=-1):
        self.left -= 1
        if self.left == 0:
            raise self.error
        return mbox(1000)[:size]


@pytest.mark.parametrize("error", [KeyError("gone"), InterruptedError("a signal"), ConnectionError("no network")])
def test_what_a_file_object_raises(error):
    matches = urlgrep.open(Failing(error))
    with pytest.raises(type(error)) as caught:
        list(matches)
    assert caught.value is error
    assert list(matches) == []


WARC = (
    b"WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://h.org/page\r\nWARC-Date: 2001-03-02T10:11:12Z\r\n"
    b"WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\n"
    b"see http://h.org/link\r\n\r\n"
)


def test_a_web_archive(tmp_path):
    path = tmp_path / "a.warc"
    path.write_bytes(WARC)
    match = [match for match in urlgrep.open(path) if match.url == "http://h.org/link"][0]
    assert match.message["uri"] == "http://h.org/page"
    assert (match.message["type"], match.message["offset"]) == ("conversion", 0)
    assert (match.message["id"], match.message["date"]) == ("urn:uuid:1", "2001-03-02T10:11:12+00:00")
    assert pickle.loads(pickle.dumps(match)).message == match.message


def test_links_of_html(tmp_path):
    path = tmp_path / "a.html"
    path.write_bytes(b"<html><a href='b.html'>read <b>this</b></a>")
    (match,) = urlgrep.open(path, base="http://h.org/a/")
    assert (match.url, match.form, match.text) == ("http://h.org/a/b.html", "attribute", "read this")
    with pytest.raises(ValueError, match='option "base": expected a URL with a host'):
        urlgrep.open(path, base="a/")


def test_a_body_that_cannot_be_decoded(tmp_path):
    path = tmp_path / "a.warc"
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: sdch\r\n\r\n\0\1\2 http://h.org/"
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n"
    path.write_bytes(head % len(block) + block + b"\r\n\r\n")
    with pytest.warns(urlgrep.UrlgrepWarning, match='a.warc: the body at byte .* unknown content coding "sdch"'):
        assert list(urlgrep.open(path)) == []
    column = pa.array([path.read_bytes()])
    with pytest.warns(urlgrep.UrlgrepWarning, match="row 0: the body at byte"):
        assert list(ua.extract(column, archive=True)) == []


def test_nesting_that_is_too_deep(tmp_path):
    path = tmp_path / "deep.eml"
    path.write_text("Subject: a\nContent-Type: message/rfc822\n\n" * 200 + "To: b@h.org\n\nhttp://h.org/\n")
    note = "more than 100 levels of nesting; the deeper levels were searched as text"
    with pytest.warns(urlgrep.UrlgrepWarning) as caught:
        assert [match.url for match in urlgrep.open(path, format="mail")] == ["http://h.org/"]
    assert [str(one.message) for one in caught] == [f"{path}: {note}"]
    with pytest.warns(urlgrep.UrlgrepWarning) as caught:
        assert len(list(urlgrep.open(io.BytesIO(path.read_bytes()), format="mail"))) == 1
    assert [str(one.message) for one in caught] == [note]
    with pytest.warns(urlgrep.UrlgrepWarning) as caught:
        assert len(pa.table(ua.extract(pa.array([path.read_bytes()]), archive=True, format="mail"))) == 1
    assert [str(one.message) for one in caught] == [f"row 0: {note}"]
    with pytest.warns(urlgrep.UrlgrepWarning) as caught:
        assert len(pa.table(ua.open([path], format="mail"))) == 1
    assert [str(one.message) for one in caught] == [f"{path}: {note}"]


# A file that changes while it is read.

# Long files with few URLs: a match is an object of Python, and a million of them take a while.
RECORD = b"http://h.org/some/path some text\n\n" + b"some text without an address here\n" * 99
LINES = RECORD * 10_000
SHORTER = [0, len(LINES) // 2, len(LINES) - 1]


@pytest.mark.parametrize("size", SHORTER)
def test_a_file_that_becomes_shorter(tmp_path, size):
    path = tmp_path / "log"
    path.write_bytes(LINES)
    matches = urlgrep.open(path)
    next(matches)
    os.truncate(path, size)
    with pytest.raises(OSError, match="log: the file became shorter while it was read; search a copy of it"):
        list(matches)
    # A file object that reads a file of the system: the error is raised once, or is one warning.
    for buffering in -1, 0:
        path.write_bytes(LINES)
        with open(path, "rb", buffering) as file:
            matches = urlgrep.open(file)
            next(matches)
            os.truncate(path, size)
            with pytest.raises(OSError, match="log: the file became shorter while it was read; search a copy of it"):
                list(matches)
            assert list(matches) == []
    path.write_bytes(LINES)
    with open(path, "rb") as file:
        file.seek(33)
        matches = urlgrep.open(file, errors="warn")
        next(matches)
        os.truncate(path, size)
        with pytest.warns(urlgrep.UrlgrepWarning, match="log: the file became shorter") as caught:
            assert len(list(matches)) < 10_000
        assert len(caught) == 1
    # Another object says nothing of its length. Its search ends.
    file = io.BytesIO(LINES)
    matches = urlgrep.open(file)
    next(matches)
    file.truncate(size)
    assert len(list(matches)) <= 10_000


def test_a_file_object_that_is_read_to_its_end(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(LINES)
    # Nothing is lost if the file becomes shorter after that.
    with open(path, "rb") as file:
        file.seek(len(LINES) - 10 * len(RECORD))
        matches = urlgrep.open(file)
        assert len(list(matches)) == 10
    with open(path, "rb") as file:
        matches = urlgrep.open(file)
        next(matches)
        with open(path, "ab") as more:
            more.write(b"http://h.org/more\n")
        assert len(list(matches)) == 10_000
    with tempfile.SpooledTemporaryFile(max_size=1 << 20) as file:
        file.write(RECORD * 10)
        file.seek(0)
        assert len(list(urlgrep.open(file))) == 10
        assert not file._rolled


@pytest.mark.parametrize("size", SHORTER)
def test_the_division_of_a_file_that_becomes_shorter_ends(size):
    class Shrinking(io.BytesIO):
        calls = 0

        def read(self, *args):
            self.calls += 1
            if self.calls == after:
                self.truncate(size)
            assert self.calls < 10_000
            return super().read(*args)

    for after in range(1, 12):
        try:
            splits = urlgrep.split(Shrinking(LINES), size=5_000_000)
            assert sum(split.length for split in splits) <= len(LINES)
        except OSError as error:
            assert "became shorter" in str(error)


def test_a_part_of_a_file_that_became_shorter(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(LINES[:3_400_000])
    parts = urlgrep.split(path, size=1_000_000)
    os.truncate(path, 2_000_000)
    lost = [part for part in parts if part.start + part.length > 2_000_000]
    assert 0 < len(lost) < len(parts)
    for part in parts:
        if part in lost:
            with pytest.raises(OSError, match="the file became shorter while it was read; search a copy of it"):
                list(urlgrep.read_split(path, *part))
        else:
            assert list(urlgrep.read_split(path, *part)) == list(urlgrep.read_split(path, part.start, part.length))
    # Without a layout, the part may be longer than the file.
    assert len(list(urlgrep.read_split(path, 0, 1 << 40))) == 589
    with pytest.raises(OSError, match="log: the file became shorter while it was read; search a copy of it"):
        list(urlgrep.read_split(path, 2_000_001, 10))
    # A page is one part.
    path.write_bytes(b"<!DOCTYPE html>" + LINES[:330_000])
    (part,) = urlgrep.split(path, size=1_000_000)
    os.truncate(path, 100_000)
    for file in path, io.BytesIO(path.read_bytes()):
        with pytest.raises(OSError, match="the file became shorter while it was read; search a copy of it"):
            list(urlgrep.read_split(file, *part))


def test_a_file_that_grows_or_is_replaced_or_deleted(tmp_path):
    path = tmp_path / "log"
    for change in ["grows", "replaced", "deleted"]:
        path.write_bytes(LINES)
        matches = urlgrep.open(path)
        next(matches)
        if change == "grows":
            with open(path, "ab") as file:
                file.write(b"http://h.org/more\n")
        elif os.name == "posix":
            if change == "replaced":
                (tmp_path / "new").write_bytes(b"http://h.org/other\n")
                os.replace(tmp_path / "new", path)
            else:
                path.unlink()
        urls = [match.url for match in matches]
        assert urls[:9_999] == ["http://h.org/some/path"] * 9_999
        assert urls[9_999:] in ([], ["http://h.org/more"])


def test_close(path):
    with urlgrep.open(path) as matches:
        assert next(matches).url == "http://h.org/a/0"
    assert list(matches) == []
    matches = urlgrep.open(path)
    matches.close()
    matches.close()
    assert list(matches) == []
    assert path.unlink() is None


def test_a_file_that_an_object_opens(path):
    class Opener:
        full_name = "store://a"
        opened = []

        def open(self):
            self.opened.append(open(path, "rb"))
            return self.opened[-1]

    with urlgrep.open(Opener()) as matches:
        assert next(matches).path == "store://a"
    assert [file.closed for file in Opener.opened] == [True]


def test_a_message_in_a_notebook(tmp_path):
    path = tmp_path / "a.eml"
    path.write_bytes(b"From: a\nSubject: =?utf-8?q?=3Cb=3E_=E2=80=AE?=\n\nhttp://h.org/\n")
    (match,) = urlgrep.open(path)
    assert "<th>subject</th><td>&lt;b&gt; \\u{202e}</td>" in match._repr_html_()
