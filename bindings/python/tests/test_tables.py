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


#: What runs before the programs of a section. Ray starts as few processes as it can: by itself it starts a server of web pages,
#: too, and a worker for each of the machine's processors, which takes minutes on a busy machine.
BEFORE = {"Ray": "import ray\n\nray.init(num_cpus=1, include_dashboard=False, object_store_memory=100 * 2**20)\n"}

# On a busy machine Ray would start its workers again and again.
ENVIRONMENT = {
    **os.environ,
    "RAY_worker_register_timeout_seconds": "600",
    # Spark shuffles a table of a few rows into 200 parts.
    "PYSPARK_SUBMIT_ARGS": "--conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 pyspark-shell",
}


def run(program, directory):
    python = [sys.executable, "-c", program]
    run = subprocess.run(python, capture_output=True, text=True, timeout=600, cwd=directory, env=ENVIRONMENT)
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
        assert run(BEFORE.get(library, "") + program, directory) == expected.splitlines()
