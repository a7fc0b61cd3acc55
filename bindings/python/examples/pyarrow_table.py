"""The URLs in a column of a pyarrow.Table, with the key of their row."""

import pyarrow as pa
import urlgrep.arrow
from bodies import BODIES

table = pa.table({"id": ["a", "b", "c", "d", "e"], "body": BODIES})
matches = pa.table(urlgrep.arrow.extract(table["body"]))
matches = matches.append_column("id", table["id"].take(matches["row"]))
for url in matches["url"].to_pylist():
    print(url)
