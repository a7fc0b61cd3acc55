"""A function of SQL that returns the URLs of a string, as a list of structs."""

import duckdb
import pyarrow as pa
import urlgrep.arrow
from bodies import BODIES

#: The type of a match.
MATCH = duckdb.struct_type(
    {
        "url": "VARCHAR",
        "url_bytes": "BLOB",
        "start": "BIGINT",
        "end": "BIGINT",
        "scheme": "VARCHAR",
        "host": "VARCHAR",
        "form": "VARCHAR",
        "grade": "VARCHAR",
        "join": "VARCHAR",
    }
)

connection = duckdb.connect()
connection.create_function(
    "urls",
    lambda column: pa.array(urlgrep.arrow.extract_list(column)),
    ["VARCHAR"],
    duckdb.list_type(MATCH),
    type="arrow",
)
messages = pa.table({"body": BODIES})
query = "SELECT found.url FROM (SELECT unnest(urls(body)) AS found FROM messages WHERE body IS NOT NULL)"
for (url,) in connection.execute(query).fetchall():
    print(url)
