"""What threads share: with a lock of the interpreter and without."""

import threading

import pyarrow as pa
import urlgrep
import urlgrep.arrow
from test_archive import mbox

URLS = [f"http://h.org/{number}" for number in range(2000)]

TEXT = " and ".join(URLS)


def in_threads(function, count=4):
    """What each of the threads returns; an error in one is raised here."""
    results, errors, together = [], [], threading.Barrier(count)

    def work():
        try:
            together.wait()
            results.append(function())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def drain(iterator):
    """What a thread gets of an iterator that others read, too: an iterator says if it is in use."""

    def take():
        taken = []
        while True:
            try:
                taken.append(next(iterator))
            except StopIteration:
                return taken
            except RuntimeError as error:
                assert "borrow" in str(error) or "is used by another thread" in str(error)

    return take


def test_a_finder():
    finder = urlgrep.Finder(schemes="http")
    for found in in_threads(lambda: [match.url for match in finder.find_iter(TEXT)]):
        assert found == URLS


def test_an_iterator():
    found = [match.url for taken in in_threads(drain(urlgrep.find_iter(TEXT))) for match in taken]
    assert sorted(found) == sorted(URLS)


def test_a_match():
    (match,) = urlgrep.find_all("<URL:http://h.org/foo-\nbar> x")
    expected = (match.alternatives, match.reason, match.pieces, hash(match))
    for found in in_threads(lambda: [(match.alternatives, match.reason, match.pieces, hash(match)) for _ in range(200)]):
        assert found == [expected] * 200


def test_a_file(tmp_path):
    path = tmp_path / "a.mbox"
    path.write_bytes(mbox(300))
    expected = [match.url for match in urlgrep.open(path)]
    found = [match.url for taken in in_threads(drain(urlgrep.open(path))) for match in taken]
    assert sorted(found) == sorted(expected)
    batches = [batch for taken in in_threads(drain(urlgrep.arrow.open(path, batch_size=7))) for batch in taken]
    assert sum(map(len, batches)) == len(expected)


def test_a_column():
    column = pa.array([TEXT] * 20)
    expected = pa.table(urlgrep.arrow.extract(column))
    for table in in_threads(lambda: pa.table(urlgrep.arrow.extract(column))):
        assert table.equals(expected)
    batches = [batch for taken in in_threads(drain(urlgrep.arrow.extract(column))) for batch in taken]
    assert sum(map(len, batches)) == len(expected)
