"""The URLs in a column of a Polars data frame, with the columns of their row."""

import polars as pl
import urlgrep.arrow
from bodies import BODIES

frame = pl.DataFrame({"id": ["a", "b", "c", "d", "e"], "body": BODIES})
urls = frame.select("id", urls=pl.Series(urlgrep.arrow.extract_list(frame["body"])))
urls = urls.explode("urls").drop_nulls("urls").unnest("urls")
for url in urls["url"]:
    print(url)
