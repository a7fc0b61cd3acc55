"""Columns that are wrong: ValueError, or what is right in them; never a signal, nor a byte of anything else."""

import json
import os
import pathlib
import subprocess
import sys

import pyarrow as pa
import pytest
import urlgrep.arrow

COLUMNS = 320


@pytest.fixture(scope="module")
def reports():
    script = pathlib.Path(__file__).with_name("hostile.py")
    done = subprocess.run([sys.executable, script, "1738", str(COLUMNS)], stdout=subprocess.PIPE, timeout=300, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each column has a process of its own")
def test_hostile_columns(reports):
    assert len(reports) == COLUMNS
    for report in reports:
        assert report["status"] == 0, f"a signal: {report}"
        assert "canary" not in json.dumps(report), report
        if report["expected"] == "any":
            assert ("found" in report) != ("error" in report), report
        elif report["expected"] is None:
            assert "found" not in report and report.get("error") in ("ValueError", "TypeError"), report
            # A TypeError is about the type alone.
            of_type = report["what"].startswith(("format = ", "dictionary = of", "a list", "a struct", "a table", "runs"))
            assert report["error"] == "ValueError" or of_type, report
        else:
            assert report.get("found") == report["expected"], report
        assert report.get("given") == report.get("released"), f"not released once: {report}"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each column has a process of its own")
def test_there_are_all_kinds(reports):
    """In each way that columns come, some are right and some are wrong."""
    for way in ("in_memory", "in_ipc", "as_structs"):
        kinds = [report["expected"] is None for report in reports if report["way"] == way]
        assert kinds.count(True) >= 10 and kinds.count(False) >= 10, way
    found = ["found" in report for report in reports if report["way"] == "as_nested"]
    assert found.count(True) >= 10 and found.count(False) >= 10


@pytest.mark.parametrize("type", [pa.string(), pa.large_binary()], ids=str)
def test_unaligned_offsets(type):
    """arrow-array would read the last one as if they were aligned; the specification lets a consumer refuse them."""
    column = pa.array(["http://h.org/a"], type)
    _, offsets, data = column.buffers()
    shifted = pa.py_buffer(b"-" + offsets.to_pybytes())[1:]
    unaligned = pa.Array.from_buffers(type, 1, [None, shifted, data])
    with pytest.raises(ValueError, match="expected aligned offsets"):
        urlgrep.arrow.extract_list(unaligned)
    with pytest.raises(ValueError, match="expected aligned offsets"):
        urlgrep.arrow.extract(pa.table({"a": unaligned}), "a", columns=["url"]).read_all()
