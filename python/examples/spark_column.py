"""The URLs in a column of a Spark data frame, with the key of their row."""

from bodies import BODIES
from pyspark.sql import SparkSession
from urlgrep import spark as urlgrep_spark

session = SparkSession.builder.master("local[2]").getOrCreate()
frame = session.createDataFrame([(number, body) for number, body in enumerate(BODIES)], "id int, body string")
urls = urlgrep_spark.extract(frame, "body", keep=["id"]).orderBy("id", "start")
for row in urls.collect():
    print(row.url)
