"""The links of the pages in a web archive, as a table of sources and targets."""

import gzip
import io

import pyarrow as pa
import urlgrep.arrow
from bodies import URLS

pages = io.BytesIO()
for number, url in enumerate(URLS):
    page = f"<p>See <a href='{url}'>this</a>.".encode()
    head = f"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://h.org/{number}\r\nContent-Type: text/html\r\n"
    pages.write(gzip.compress(f"{head}Content-Length: {len(page)}\r\n\r\n".encode() + page + b"\r\n\r\n"))
pages.seek(0)
for link in pa.table(urlgrep.arrow.read_warc(pages)).to_pylist():
    assert link["source"].startswith("http://h.org/") and link["text"] == "this"
    print(link["target"])
