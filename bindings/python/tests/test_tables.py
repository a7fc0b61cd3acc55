"""The programs in docs/python-tables.md print what it says, those whose library is installed."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs/python-tables.md"

#: What a program of a section imports.
LIBRARIES = {
    "pyarrow": "pyarrow", "pandas": "pandas", "Polars": "polars", "DuckDB": "duckdb",
    "DataFusion": "datafusion", "Dask": "dask.dataframe",
    "Ray": "ray.data", "Daft": "daft", "Spark": "pyspark",
}  # fmt: skip


def is_there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def sections():
    """The programs of each section, and what they all print."""
    text = PAGE.read_text(encoding="utf-8")
    named = re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    programs = {name: re.findall(r"^```python\n(.*?)^```", body, re.MULTILINE | re.DOTALL) for name, body in named}
    assert sum(map(len, programs.values())) == text.count("```python")
    return programs, re.search(r"```text\n(.*?)```", text, re.DOTALL)[1]


def run(program, directory):
    # On a busy machine Ray would start its workers again and again.
    env = {**os.environ, "RAY_worker_register_timeout_seconds": "300"}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300, cwd=directory, env=env)
    assert run.returncode == 0, run.stderr
    # Ray prints there that a machine is busy.
    return sorted(line for line in run.stdout.splitlines() if "(raylet)" not in line)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Where the table is that the first program writes."""
    directory = tmp_path_factory.mktemp("tables")
    programs, expected = sections()
    for program in programs["pyarrow"]:
        assert run(program, directory) == expected.splitlines()
    return directory


@pytest.mark.skipif(not PAGE.exists(), reason="the sources are not here")
@pytest.mark.parametrize("library", list(LIBRARIES)[1:])
def test_program(library, directory):
    programs, expected = sections()
    assert list(programs) == list(LIBRARIES)
    if not is_there(LIBRARIES[library]):
        pytest.skip(f"{library} is not installed")
    assert programs[library]
    for program in programs[library]:
        assert run(program, directory) == expected.splitlines()
