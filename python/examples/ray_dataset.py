"""The URLs in a column of a Ray dataset."""

import pyarrow as pa
import ray
import urlgrep.arrow
from bodies import BODIES


def extract(batch: pa.Table) -> pa.Table:
    return pa.table(urlgrep.arrow.extract(batch["body"]))


dataset = ray.data.from_arrow(pa.table({"body": BODIES}))
for row in dataset.map_batches(extract, batch_format="pyarrow").take_all():
    print(row["url"])
