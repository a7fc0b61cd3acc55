"""What the parts of a file cost through a file object: bytes that are read, and reads, each of which is a request if the
file is in a store of objects.

    python bindings/python/benches/requests.py            # files of 32 MB, made from the messages in corpora/
    python bindings/python/benches/requests.py FILE...
    python bindings/python/benches/requests.py --s3 …     # the same through s3fs, as it is by default, and a server of moto

One line for each file and number of parts: what split() reads, what all parts read together, as a multiple of the file,
and the most that one part reads, in requests.
"""

import contextlib
import gzip
import io
import random
import sys
import tarfile
import tempfile
from pathlib import Path

import urlgrep

#: The length of the files that are made, in bytes.
SIZE = 32 << 20


class Counting(io.FileIO):
    """A file that counts what is read of it."""

    reads = 0
    bytes = 0

    def read(self, size=-1):
        data = super().read(size)
        self.reads += 1
        self.bytes += len(data)
        return data


@contextlib.contextmanager
def store():
    """A function that opens a file as an object of a store, and counts what is read of it."""
    # Both import a package that has the name of this file.
    sys.path.pop(0)
    import s3fs
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    files = s3fs.S3FileSystem(key="a", secret="a", endpoint_url=f"http://127.0.0.1:{port}")
    files.mkdir("bucket")

    def opened(path):
        name = f"bucket/{path.name}"
        if not files.exists(name):
            files.put(str(path), name)
        file = files.open(name)
        fetch = file.cache.fetcher
        file.reads = file.bytes = 0

        def counting(start, end):
            data = fetch(start, end)
            file.reads += 1
            file.bytes += len(data)
            return data

        file.cache.fetcher = counting
        return file

    try:
        yield opened
    finally:
        server.stop()


def messages():
    """Messages of some kilobytes, each with a few URLs, for ever."""
    numbers = random.Random(26)
    words = [line for path in Path(__file__).parents[3].glob("corpora/**/*.txt") for line in path.read_text("latin-1").split("\n")]
    words = [line for line in words if not line.startswith("From ")] or ["See http://h.org/a for more."]
    n = 0
    while True:
        n += 1
        body = "\n".join(numbers.choices(words, k=numbers.randrange(20, 200)))
        yield f"Message-ID: <{n}@h.org>\nSubject: {n}\nDate: Mon, 23 Nov 2026 10:11:12 +0000\n\nhttp://h.org/{n}\n{body}\n\n".encode("latin-1")


def until(size, parts):
    """The first of the parts, until they have so many bytes."""
    total = 0
    for part in parts:
        total += len(part)
        yield part
        if total >= size:
            return


def record(n, body):
    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/{n}\r\nContent-Type: text/plain\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n"


def made(directory):
    """Files of each kind that can be divided."""
    mbox = [b"From a@h.org Mon Nov 23 10:11:12 2026\n" + message for message in until(SIZE, messages())]
    records = [record(n, body) for n, body in enumerate(until(SIZE, messages()))]
    directory = Path(directory)
    (directory / "mbox").write_bytes(b"".join(mbox))
    (directory / "text").write_bytes(b"".join(message.split(b"\n\n", 1)[1] for message in until(SIZE, messages())))
    (directory / "warc").write_bytes(b"".join(records))
    pages = [record(n, b"".join(until(1 << 19, messages()))) for n in range(SIZE >> 19)]
    (directory / "warc of 512 KB").write_bytes(b"".join(pages))
    with tarfile.open(directory / "tar", "w") as archive:
        for n, message in enumerate(until(SIZE, messages())):
            info = tarfile.TarInfo(str(n))
            info.size = len(message)
            archive.addfile(info, io.BytesIO(message))
    (directory / "mbox.gz").write_bytes(gzip.compress(b"".join(mbox)))
    packed = (gzip.compress(record(n, body)) for n, body in enumerate(messages()))
    (directory / "warc.gz").write_bytes(b"".join(until(SIZE, packed)))
    return sorted(directory.iterdir())


def measure(path, parts, opened):
    length = path.stat().st_size
    with opened(path) as file:
        splits = urlgrep.split(file, -(-length // parts))
    reads, read, most, found = [], 0, 0, 0
    for split in splits:
        with opened(path) as part:
            found += sum(1 for _ in urlgrep.read_split(part, *split))
        reads.append(part.reads)
        read += part.bytes
        most = max(most, part.bytes / max(split.length, 1))
    assert found == sum(1 for _ in urlgrep.open(path)), path
    return (
        f"{path.name:16} {len(splits):5} {file.bytes / length:8.3f} {file.reads:6} {read / length:10.3f}"
        f" {most:10.2f} {sum(reads) / len(reads):9.1f} {max(reads):6}"
    )


def main(args):
    paths = [path for path in args if path != "--s3"]
    print("file             parts    split  reads      parts  a part, at most  reads  at most")
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(store()) if "--s3" in args else Counting
        for path in paths or made(stack.enter_context(tempfile.TemporaryDirectory())):
            for parts in (1, 5, 40, 50, 500):
                print(measure(Path(path), parts, opened), flush=True)


main(sys.argv[1:])
