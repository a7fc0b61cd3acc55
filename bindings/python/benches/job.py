"""A job of Spark in which much goes wrong, and what the program says of the same files.

    pip install './bindings/python[spark]'
    python bindings/python/benches/job.py PROGRAM CORPUS [--size 4g] [--work DIRECTORY]

Makes files of 10 MB out of the mail and pages in CORPUS: mbox, .mbox.gz, .warc.gz, .tar.zst and .jsonl, as many of each. One in
a hundred is damaged: cut off, or some bytes in its middle are others. PROGRAM (urlgrep) searches all of them. Then
`local[2]` reads them in parts of 4 MB with errors=column and writes Parquet; meanwhile the last file is removed, and a worker of Python
is killed. All rows have to be those of the program, but for the removed file, and each file that has an error in one has it in
the other. Exits with 1 if not. Needs Linux, for the workers, and `zstd`.
"""

import argparse
import base64
import collections
import gzip
import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

import pyarrow as pa
import pyarrow.parquet

#: The bytes of a file before compression.
FILE = 10 << 20

#: What is compared: all that does not depend on how a file is divided.
COLUMNS = ["path", "start", "end", "url_bytes", "host", "port", "form", "grade", "join", "role", "element", "text"]
MESSAGE = {"message_id": "id", "date": "date", "subject": "subject", "part": "part", "content_type": "content_type", "uri": "uri"}

KINDS = ["mbox", "mbox.gz", "warc.gz", "tar.zst", "jsonl"]


def messages(corpus):
    """All files that may be a mail or a page, in one order."""
    pool = []
    for path in sorted(pathlib.Path(corpus).rglob("*")):
        if path.is_file() and path.suffix in ("", ".eml", ".txt", ".html") and 100 < path.stat().st_size < 1 << 20:
            pool.append(path.read_bytes())
    random.Random(1738).shuffle(pool)
    return pool


def is_mail(body):
    return body[:5].isalpha() and b"\nFrom: " in body[:4000] or body.startswith((b"From: ", b"Return-Path", b"Received"))


def as_mbox(some):
    head = b"From a@h.org Fri Mar  2 10:11:12 2001\n"
    return b"".join(head + body.replace(b"\nFrom ", b"\n>From ").rstrip(b"\n") + b"\n\n" for body in some)


def as_warc(some):
    file = io.BytesIO()
    for number, body in enumerate(some):
        kind = b"text/html" if b"<a " in body.lower() else b"text/plain"
        head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/%d/\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n"
        file.write(gzip.compress(head % (number, kind, len(body)) + body + b"\r\n\r\n", 1))
    return file.getvalue()


def as_tar(some):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for number, body in enumerate(some):
            member = tarfile.TarInfo(f"d/{number}")
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    return subprocess.run(["zstd", "-q", "-1"], input=file.getvalue(), stdout=subprocess.PIPE, check=True).stdout


def as_jsonl(some):
    return b"".join(json.dumps({"n": n, "body": body.decode("utf-8", "replace")}).encode() + b"\n" for n, body in enumerate(some))


PACKED = {
    "mbox": as_mbox,
    "mbox.gz": lambda some: gzip.compress(as_mbox(some), 1),
    "warc.gz": as_warc,
    "tar.zst": as_tar,
    "jsonl": as_jsonl,
}


def generate(directory, corpus, size):
    """The files. Those that can be damaged so that someone notices are compressed."""
    pool, chance, at, total, paths = messages(corpus), random.Random(1738), 0, 0, []
    mail = [body for body in pool if is_mail(body)]
    while total < size:
        kind = KINDS[len(paths) % len(KINDS)]
        bodies = mail if "mbox" in kind else pool
        some, length = [], 0
        while length < FILE:
            some.append(bodies[at % len(bodies)])
            length, at = length + len(some[-1]), at + 1
        data = PACKED[kind](some)
        if len(paths) % 100 == 1 + len(paths) // 100 % 3:
            data = damaged(data, chance)
        paths.append(directory / f"{len(paths):04}.{kind}")
        paths[-1].write_bytes(data)
        total += length
    return paths


def damaged(data, chance):
    if chance.random() < 0.5:
        return data[: chance.randint(len(data) // 4, len(data) - 1)]
    at = chance.randint(len(data) // 4, len(data) * 3 // 4)
    return data[:at] + chance.randbytes(64) + data[at + 64 :]


def of_program(program, directory):
    """How often each row is there, and the files with errors."""
    rows, began = collections.Counter(), time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        run = subprocess.Popen([program, "--json", directory], stdout=subprocess.PIPE, stderr=errors)
        for line in run.stdout:
            match = json.loads(line)
            match["url_bytes"] = match["url"]
            message = match["message"] or {}
            key = [text_of(match[name]) for name in COLUMNS] + [text_of(message.get(name)) for name in MESSAGE.values()]
            rows[tuple(key)] += 1
        run.wait()
        errors.seek(0)
        said = errors.read().decode()
    failed = {name for line in said.splitlines() for name in [file_in(line)] if name}
    return rows, failed, time.perf_counter() - began


def text_of(value):
    """A value of JSON; what is not UTF-8 is in Base64."""
    return base64.b64decode(value["bytes"]).decode("utf-8", "replace") if isinstance(value, dict) else value


def file_in(line):
    """The name of the file in a line of standard error."""
    at = line.find("/files/")
    return line[at + len("/files/") :].split(":")[0].split("!/")[0] if at >= 0 else None


def descendants(pid):
    """The processes that this one started, and those that they did."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found += [child, *descendants(child)]
    return found


def is_worker(pid):
    """Whether a process is a worker: its parent is the daemon of pyspark, as it is."""
    try:
        parent = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
        names = [pathlib.Path(f"/proc/{one}/cmdline").read_text() for one in (pid, parent)]
    except OSError:
        return False
    return all("pyspark.daemon" in name for name in names)


def disturb(status, last, done, said):
    """Removes the last file once the first task has ended, then kills a worker while the job runs."""
    while not done.is_set():
        stages = [status.getStageInfo(stage) for stage in status.getActiveStageIds()]
        if any(stage and stage.numCompletedTasks for stage in stages):
            break
        time.sleep(0.1)
    last.unlink()
    said.append(f"removed {last.name}")
    while not done.is_set():
        time.sleep(2)
        workers = [pid for pid in descendants(os.getpid()) if is_worker(pid)]
        if workers:
            os.kill(workers[-1], signal.SIGKILL)
            said.append(f"killed worker {workers[-1]} of {len(workers)}")
            return


def of_spark(directory, last, result):
    from pyspark.sql import SparkSession
    from urlgrep import spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # A task may fail four times, as on a cluster; local[2] alone says once.
    session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", False).config("spark.ui.showConsoleProgress", False).config("spark.driver.memory", "3g").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    spark.register(session)
    read = session.read.format("urlgrep").option("splitSize", "4m").option("errors", "column")
    frame = read.option("columns", ",".join([*COLUMNS, *MESSAGE])).load(str(directory))
    done, said = threading.Event(), []
    other = threading.Thread(target=disturb, args=(session.sparkContext.statusTracker(), last, done, said))
    began = time.perf_counter()
    other.start()
    frame.write.parquet(str(result))
    took = time.perf_counter() - began
    done.set()
    other.join()
    session.stop()
    return said, took


def rows_of(result):
    """The same as of the program."""
    rows, failed = collections.Counter(), {}
    for path in sorted(result.glob("*.parquet")):
        for batch in pa.parquet.ParquetFile(path).iter_batches():
            columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
            columns["url_bytes"] = [url if url is None else url.decode("utf-8", "replace") for url in columns["url_bytes"]]
            for *key, error in zip(*(columns[name] for name in [*COLUMNS, *MESSAGE, "error"])):
                if error is None:
                    rows[tuple(key)] += 1
                else:
                    failed.setdefault(file_in(error["path"]), []).append(f"{error['kind']}: {error['message']}")
    return rows, failed


def compare(directory, paths, program, work):
    last = paths[-1]
    rows, failed, took = of_program(program, directory)
    print(f"program: {rows.total():,} rows, errors in {len(failed)} files, {took:.0f} s with the reading of its JSON")
    said, took = of_spark(directory, last, work / "result")
    print(f"Spark: {took:.0f} s; {'; '.join(said)}")
    theirs, errors = rows_of(work / "result")
    gone = sum(count for key, count in rows.items() if key[0].split("!/")[0].endswith(last.name))
    rows = collections.Counter({key: count for key, count in rows.items() if not key[0].split("!/")[0].endswith(last.name)})
    print(f"Spark: {theirs.total():,} rows, errors in {len(errors)} files; {gone:,} rows of the program are in the removed file")
    missing, more = rows - theirs, theirs - rows
    print(f"rows of the program alone: {missing.total()}, of Spark alone: {more.total()}")
    for name, some in (("program", missing), ("Spark", more)):
        for key in list(some)[:3]:
            print(f"  {name} alone: {key}")
    for name in sorted(failed | set(errors)):
        print(f"  {name}: {'; '.join(errors.get(name, ['no row']))}{'' if name in failed else ' (not an error of the program)'}")
    return not missing and not more and set(errors) == failed | {last.name} and len(said) == 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus")
    parser.add_argument("--size", default="4g")
    parser.add_argument("--work", default=None)
    args = parser.parse_args()
    size = int(args.size[:-1]) << {"m": 20, "g": 30}[args.size[-1]]
    with tempfile.TemporaryDirectory(dir=args.work) as work:
        work = pathlib.Path(work)
        directory = work / "files"
        directory.mkdir()
        began = time.perf_counter()
        paths = generate(directory, args.corpus, size)
        stored = sum(path.stat().st_size for path in paths)
        print(f"{len(paths)} files, {stored / 1e6:,.0f} MB, {len(paths) * FILE / 1e6:,.0f} MB before compression, in {time.perf_counter() - began:.0f} s")
        return 0 if compare(directory, paths, args.program, work) else 1


if __name__ == "__main__":
    sys.exit(main())
