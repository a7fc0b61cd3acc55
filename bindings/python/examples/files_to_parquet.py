"""The URLs in files as a Parquet file, batch by batch: no object of Python for a match."""

import pathlib
import tempfile

import pyarrow as pa
import pyarrow.parquet
import urlgrep.arrow
from bodies import BODIES

with tempfile.TemporaryDirectory() as directory:
    mbox = "".join(f"From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a\n\n{body}\n\n" for body in BODIES if body)
    mail, table = pathlib.Path(directory, "a.mbox"), pathlib.Path(directory, "urls.parquet")
    mail.write_text(mbox)
    # The second is missing: that is a row, too, and not the end.
    found = urlgrep.arrow.open([mail, mail.with_name("b.mbox")], columns=["path", "url", "from"], errors="column")
    reader = pa.RecordBatchReader.from_stream(found)
    with pyarrow.parquet.ParquetWriter(table, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
    for row in pyarrow.parquet.read_table(table).to_pylist():
        if row["error"] is None:
            print(row["url"])
