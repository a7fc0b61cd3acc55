"""What the parts of a file cost through a file object: bytes that are read, and reads, each of which is a request if the
file is in a store of objects.

    python python/benches/requests.py            # files of 32 MB, made from the messages in corpora/
    python python/benches/requests.py FILE...

One line for each file and number of parts: what split() reads, what all parts read together, as a multiple of the file,
and the most that one part reads, in requests.
"""

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


def messages():
    """Messages of some kilobytes, each with a few URLs, for ever."""
    numbers = random.Random(26)
    words = [line for path in Path(__file__).parents[2].glob("corpora/**/*.txt") for line in path.read_text("latin-1").split("\n")]
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
    return sorted(directory.iterdir())


def measure(path, parts):
    length = path.stat().st_size
    with Counting(path) as file:
        splits = urlgrep.split(file, -(-length // parts))
    reads, read, most, found = [], 0, 0, 0
    for split in splits:
        with Counting(path) as part:
            found += sum(1 for _ in urlgrep.read_split(part, *split))
        reads.append(part.reads)
        read += part.bytes
        most = max(most, part.bytes / max(split.length, 1))
    assert found == sum(1 for _ in urlgrep.open(path)), path
    return (
        f"{path.name:16} {len(splits):5} {file.bytes / length:8.3f} {file.reads:6} {read / length:10.3f}"
        f" {most:10.2f} {sum(reads) / len(reads):9.1f} {max(reads):6}"
    )


def main(paths):
    print("file             parts    split  reads      parts  a part, at most  reads  at most")
    with tempfile.TemporaryDirectory() as directory:
        for path in paths or made(directory):
            for parts in (5, 50, 500):
                print(measure(Path(path), parts), flush=True)


main(sys.argv[1:])
