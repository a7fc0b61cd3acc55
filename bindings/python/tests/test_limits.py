"""Ctrl-C, memory, threads."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pyarrow as pa
import pytest
import urlgrep
import urlgrep.arrow as ua

#: Each takes minutes.
LONG = {
    "find_all": "urlgrep.find_all(SLOW)",
    "find_iter": "list(urlgrep.find_iter(SLOW))",
    "open": "list(urlgrep.open(Endless()))",
    "open a file": "list(urlgrep.open('/dev/zero'))",
    "extract": "list(urlgrep.arrow.extract(column))",
    "extract a stream": "pa.table(urlgrep.arrow.extract(column))",
    "extract_list": "urlgrep.arrow.extract_list(column)",
    "open into a table": "list(urlgrep.arrow.open('/dev/zero', errors='column'))",
    "open into a stream": "pa.table(urlgrep.arrow.open(Endless()))",
    "open empty files": "list(urlgrep.arrow.open(iter(lambda: '/dev/null', '')))",
    "extract an archive": "list(urlgrep.arrow.extract(messages, archive=True))",
}

PROGRAM = """
import io, sys, time
import pyarrow as pa
import urlgrep, urlgrep.arrow

class Endless(io.RawIOBase):
    def read(self, size=-1):
        return b"x" * size

def program():
    SLOW = b"http://h.org/ <" * 60_000_000 if "SLOW" in sys.argv[1] else b""
    text = pa.array([b"x" * 10_000_000 + b" http:/" * 10_000])
    column = pa.chunked_array([text] * 100_000)
    messages = pa.chunked_array([pa.array([b"From: a\\n\\nhttp://h.org/\\n" * 1000])] * 1_000_000)
    print("ready", flush=True)
    exec(sys.argv[1])

try:
    try:
        program()
    except pa.ArrowInvalid:
        # The consumer of a stream has an error of its own; Ctrl-C comes after it.
        time.sleep(0.1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_ctrl_c(call):
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, call], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        assert process.poll() is None, "it should still run"
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        assert time.monotonic() - sent < 1
    finally:
        process.kill()
        process.wait()


def memory():
    """The bytes of this process that are in memory."""
    pages = pathlib.Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="reads /proc")
def test_memory_is_flat():
    texts = ["x" * 1000 + " <URL:http://h.org/foo-\nbar> é" * 10] * 400
    column, text = pa.array(texts), "".join(texts[:40])
    path = pathlib.Path(__file__)

    def calls():
        pa.table(ua.extract(column))
        pa.array(ua.extract_list(column))
        ua.extract(column).__arrow_c_stream__()
        next(ua.extract(column))
        pa.table(ua.open([path, "none"], columns=["url", "line", "message", "pieces"], errors="column"))
        next(ua.open(path))
        urlgrep.find_all(text)
        next(urlgrep.find_iter(text))
        list(urlgrep.open(path))
        urlgrep.Finder(schemes="http", errors="warn")

    for _ in range(20):
        calls()
    before = memory()
    for _ in range(200):
        calls()
    assert memory() - before < 8 << 20


def test_threads_scale():
    """Two threads are 1.6 times as fast as one, if two cores are free; if not, they do not wait for each other."""
    column = pa.array(["x" * 900 + " http://h.org/" * 5] * 5_000)

    def extract():
        return len(pa.table(ua.extract(column)))

    def together(function, start):
        workers = [start(target=function) for _ in range(2)]
        began = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - began

    def alone(function):
        began = time.perf_counter()
        function()
        function()
        return time.perf_counter() - began

    extract()
    scale = max(alone(extract) / together(extract, threading.Thread) for _ in range(7))
    print(f"two threads: {scale:.2f} times as fast as one")
    if len(os.sched_getaffinity(0)) >= 2 and os.getloadavg()[0] < 1:
        assert scale >= 1.6
    else:
        assert scale >= 0.8
