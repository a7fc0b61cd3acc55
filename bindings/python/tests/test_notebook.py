"""The notebook of the documents runs, cell by cell."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOK = Path(__file__).parents[3] / "docs" / "tables.ipynb"


def texts(notebook):
    """What the cells print, a text for each output."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return [output["data"]["text/plain"] for output in outputs if "text/plain" in output.get("data", {})]


def test_the_notebook_runs_and_has_what_it_prints():
    for package in ("polars", "duckdb", "pyarrow", "matplotlib", "ipykernel"):
        pytest.importorskip(package)
    written = nbformat.read(NOTEBOOK, as_version=4)
    ran = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(ran, timeout=300, kernel_name="python3").execute()
    files, rows = texts(ran)[:2]
    assert files == "['crawl.warc', 'list.mbox']"
    # 2,100 messages of two URLs, and 300 pages of five.
    assert rows == "5700"
    assert len(texts(ran)) == len(texts(written))
