"""urlgrep.arrow.extract: when its batches come, and to whom."""

import threading

import polars as pl
import pyarrow as pa
import pytest
import urlgrep
import urlgrep.arrow as ua


class Counted:
    """An iterator that counts what was taken of it."""

    def __init__(self, items):
        self.items, self.count = iter(items), 0

    def __iter__(self):
        return self

    def __next__(self):
        item = next(self.items)
        self.count += 1
        return item


def arrays(count):
    return Counted(pa.array([f"http://h.org/{number}"]) for number in range(count))


def batches(count):
    return Counted(pa.record_batch({"id": [number], "body": [f"http://h.org/{number}"]}) for number in range(count))


def test_batch_size():
    column = pa.array(["http://h.org/a http://h.org/b http://h.org/c", "x", "ftp://h.org/d"] * 2)
    assert [len(batch) for batch in ua.extract(column, batch_size=3)] == [3, 1 + 2, 1 + 1]
    assert [len(batch) for batch in ua.extract(column, batch_size=1)] == [1] * 8
    found = ua.extract(pa.table({"body": column}), "body", batch_size=4)
    assert [batch.num_rows for batch in found] == [4, 4]
    for function in (ua.extract, urlgrep.Finder().extract):
        with pytest.raises(ValueError, match="batch_size: expected a number of rows above 0, found 0"):
            function(column, batch_size=0)


def test_no_more_is_read_than_a_batch_needs():
    source = arrays(1000)
    found = ua.extract(source, columns=["url"], batch_size=10)
    assert len(next(found)) == 10 and source.count == 10
    assert len(next(found)) == 10 and source.count == 20


def test_the_first_batch_comes_early():
    """After 64 KiB of the column, and not after 16 MiB."""
    text = "http://h.org/" + "x" * (8192 - 13)
    source = Counted(pa.array([text]) for _ in range(10_000))
    found = ua.extract(source, columns=["url"])
    assert [len(next(found)) for _ in range(3)] == [8, 16, 32]
    assert source.count == 8 + 16 + 32


def test_the_first_batch_of_many_null_rows_comes_early():
    source = Counted(pa.array(["http://h.org/"] + [None] * 4095) for _ in range(1000))
    assert len(next(ua.extract(source, columns=["url"]))) == source.count == 1


def test_the_first_batch_of_a_table_comes_early():
    """Small batches are taken one, two, four at a time."""
    source = batches(1000)
    found = ua.extract(source, "body", columns=["url"], keep=["id"], batch_size=1)
    assert source.count == 1
    assert [found.read_next_batch().to_pylist() for _ in range(2)] == [[{"id": n, "url": f"http://h.org/{n}"}] for n in range(2)]
    assert source.count == 1 + 2
    assert [found.read_next_batch()["id"].to_pylist() for _ in range(5)] == [[2], [3], [4], [5], [6]]
    assert source.count == 1 + 2 + 4
    assert found.read_all()["id"].to_pylist() == list(range(7, 1000))


def test_large_batches_of_a_table_are_taken_one_by_one():
    text = "http://h.org/ " + "x" * (1 << 20)
    source = Counted(pa.record_batch({"body": [text]}) for _ in range(100))
    found = ua.extract(source, "body", columns=["row"])
    assert [found.read_next_batch()["row"].to_pylist() for _ in range(5)] == [[0], [1], [2], [3], [4]]
    assert source.count == 5


def test_what_is_kept_of_rows_of_several_tables():
    """A batch of matches has rows of many batches, some without a match, one of them a dictionary of its own."""
    bodies = [["x"], ["http://h.org/0", "http://h.org/1"], [], ["x", "http://h.org/2 http://h.org/3"], ["x"] * 4, ["http://h.org/4"]]
    names = iter("abcdefghijkl")
    column = lambda body: pa.array([next(names) for _ in body], pa.string()).dictionary_encode()  # noqa: E731
    table = [pa.record_batch({"name": column(body), "body": pa.array(body, pa.string())}) for body in bodies]
    for size in (1, 2, 3, 100):
        found = ua.extract(iter(table), "body", columns=["row", "url"], keep=["name"], batch_size=size).read_all()
        found.validate(full=True)
        assert [tuple(row.values()) for row in found.to_pylist()] == [
            ("b", 1, "http://h.org/0"),
            ("c", 2, "http://h.org/1"),
            ("e", 4, "http://h.org/2"),
            ("e", 4, "http://h.org/3"),
            ("j", 9, "http://h.org/4"),
        ]


def test_batches_of_several_types():
    nulls, texts = pa.record_batch({"id": [None], "body": pa.nulls(1)}), pa.record_batch({"id": ["a"], "body": ["http://h.org/"]})
    large = texts.cast(pa.schema([("id", pa.large_string()), ("body", pa.large_string())]))
    found = ua.extract(iter([texts, nulls, texts, texts, large]), "body", columns=["row"], keep=["id"]).read_all()
    assert found.to_pydict() == {"id": ["a"] * 4, "row": [0, 2, 3, 4]}


def test_an_error_names_the_row_of_the_whole_table():
    table = [pa.record_batch({"file": [b"x"] * 3}), pa.record_batch({"file": [b"x", b"\x1f\x8b\x08damaged"]})]
    found = ua.extract(iter(table), "file", columns=["url"], archive=True)
    with pytest.raises(ValueError, match="row 4: "):
        found.read_all()


def test_rows_are_counted_over_batches():
    table = pa.table({"body": ["x", "http://h.org/a", None] * 50})
    found = ua.extract(table.to_batches(max_chunksize=2).__iter__(), "body", columns={"at": "row"}).read_all()
    assert found["at"].to_pylist() == list(range(1, 150, 3))


def test_tables_in_an_iterator():
    frames = iter([pl.DataFrame({"body": ["http://h.org/a"]}), pl.DataFrame({"body": ["x", "ftp://h.org/b"]})])
    found = ua.extract(frames, "body", columns=["row", "url"]).read_all().to_pylist()
    assert found == [{"row": 0, "url": "http://h.org/a"}, {"row": 2, "url": "ftp://h.org/b"}]


def test_any_stream():
    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.table({"id": [5], "body": ["http://h.org/a"]}).__arrow_c_stream__(requested_schema)

    assert ua.extract(Stream(), "body", columns=["url"], keep=["id"]).read_all().to_pylist() == [{"id": 5, "url": "http://h.org/a"}]


def test_a_lazy_frame_computes_only_what_is_needed():
    def never(series):
        raise AssertionError("this column is not needed")

    frame = pl.LazyFrame({"id": [1, 2], "body": ["http://h.org/a", None]}).with_columns(
        other=pl.col("id").map_batches(never, return_dtype=pl.Int64)
    )
    found = ua.extract(frame, "body", columns=["url"], keep=["id"]).read_all()
    assert found.to_pylist() == [{"id": 1, "url": "http://h.org/a"}]
    with pytest.raises(ValueError, match="expected one column 'text' in the table, found these: id, body, other"):
        ua.extract(frame, "text")


def test_a_lazy_frame_that_is_not_read_to_its_end():
    frame = pl.LazyFrame({"body": [f"http://h.org/{number}" for number in range(500_000)]})
    found = ua.extract(frame, "body", columns=["url"], batch_size=1)
    assert found.read_next_batch()["url"].to_pylist() == ["http://h.org/0"]
    del found


def test_a_finder():
    finder = urlgrep.Finder(schemes="ftp", errors="warn")
    table = pa.table({"id": [1, 2], "body": ["ftp://h.org/a http://h.org/b", "ftp://h.org/c"]})
    urls = ["ftp://h.org/a", "ftp://h.org/c"]
    assert pa.table(finder.extract(table["body"], columns=["url"]))["url"].to_pylist() == urls
    assert finder.extract(table, "body", columns=["url"], keep=["id"], batch_size=1).read_all().to_pylist() == [
        {"id": 1, "url": urls[0]},
        {"id": 2, "url": urls[1]},
    ]
    assert pa.array(finder.extract_list(table["body"], columns="url")).to_pylist() == [urls[:1], urls[1:]]
    assert pa.array(finder.extract_list(table, "body", columns="url")).to_pylist() == [urls[:1], urls[1:]]
    # The lines are counted for who wants them.
    lines = pa.table(finder.extract(pa.array(["\nftp://h.org/a"]), columns=["line", "url"])).to_pylist()
    assert lines == [{"line": 2, "url": "ftp://h.org/a"}]
    message = pa.array([b"From: a\nSubject: a\n\nftp://h.org/a"])
    assert pa.table(finder.extract(message, columns=["subject"], archive=True)).to_pylist() == [{"subject": "a"}]
    with pytest.raises(TypeError, match="keep: expected the name of a column"):
        finder.extract(table, keep=["id"])


def test_another_thread_is_told():
    """It waits neither for the batch nor for the thread that does."""
    started, ended = threading.Event(), threading.Event()

    def slow():
        started.set()
        assert ended.wait(60)
        yield pa.array(["http://h.org/"])

    found, taken = ua.extract(slow(), columns=["url"]), []
    thread = threading.Thread(target=lambda: taken.append(next(found)))
    thread.start()
    assert started.wait(60)
    for use in (lambda: next(found), lambda: pa.table(found), found.close):
        with pytest.raises(RuntimeError, match="urlgrep.arrow.Batches is used by another thread"):
            use()
    assert found.__arrow_c_schema__() is not None
    ended.set()
    thread.join()
    assert [len(batch) for batch in taken] == [1]
    assert list(found) == []


def test_four_threads():
    """Each batch comes to one of them; the others are told so, and nothing else."""
    found, taken, errors, together = ua.extract(arrays(2000), columns=["url"], batch_size=1), [], [], threading.Barrier(4)

    def take():
        together.wait()
        while True:
            try:
                taken.append(pa.record_batch(next(found))["url"].to_pylist())
            except StopIteration:
                return
            except RuntimeError as error:
                errors.append(str(error))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted([f"http://h.org/{number}"] for number in range(2000))
    assert all("is used by another thread" in error for error in errors)
