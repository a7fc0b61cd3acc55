"""urlgrep.pandas: the accessor of Series."""

import pandas as pd
import pytest
import urlgrep.pandas

BODIES = ["http://h.org/a and <URL:ftp://h.org/b-\n c>", None, "", "no link"]

URLS = [["http://h.org/a", "ftp://h.org/b-c"], None, [], []]


@pytest.mark.parametrize("dtype", ["str", object])
def test_urls(dtype):
    series = pd.Series(BODIES, index=[3, 1, 4, 7], name="body", dtype=dtype)
    found = series.urlgrep.urls()
    assert (found.name, list(found.index)) == ("body", [3, 1, 4, 7])
    assert [None if urls is None or urls is pd.NA else list(urls) for urls in found] == URLS
    assert urlgrep.pandas.Accessor(series).urls(schemes="ftp").iloc[0] == ["ftp://h.org/b-c"]


def test_structs_and_rows():
    frame = pd.DataFrame({"id": [1, 2], "body": ["http://h.org/a", "ftp://h.org/b http://h.org/c"]})
    (first, *_) = frame["body"].urlgrep.extract(columns=["url", "host"]).iloc[0]
    assert first == {"url": "http://h.org/a", "host": "h.org"}
    exploded = frame.assign(url=frame["body"].urlgrep.urls()).explode("url")
    assert list(zip(exploded["id"], exploded["url"])) == [(1, "http://h.org/a"), (2, "ftp://h.org/b"), (2, "http://h.org/c")]
