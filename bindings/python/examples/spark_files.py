"""The URLs in the files of a directory, read in parts of 100 bytes by Spark."""

import pathlib
import tempfile

from bodies import BODIES
from pyspark.sql import SparkSession
from urlgrep import spark as urlgrep_spark

session = SparkSession.builder.master("local[2]").getOrCreate()
urlgrep_spark.register(session)
with tempfile.TemporaryDirectory() as directory:
    mbox = "".join(f"From a@h.org Fri Mar  2 10:11:12 2001\nFrom: a\n\n{body}\n\n" for body in BODIES if body)
    pathlib.Path(directory, "a.mbox").write_text(mbox)
    urls = session.read.format("urlgrep").option("splitSize", 100).load(f"{directory}/*.mbox")
    for row in urls.orderBy("start").collect():
        print(row.url)
