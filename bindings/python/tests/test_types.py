"""What mypy --strict and pyright say of programs."""

import pathlib
import subprocess
import sys
import tempfile

import pytest

PROGRAM = pathlib.Path(__file__).with_name("typed.py")

#: The sources: mypy does not check what is installed.
SOURCES = pathlib.Path(__file__).parent.parent / "py/urlgrep"
PACKAGE = [SOURCES / f"{name}.py" for name in ("__init__", "_types", "_html", "_tables", "arrow", "duckdb", "pandas", "polars")]

#: Each is wrong in its last line.
WRONG = [
    "urlgrep.find_all('x', jion='none')",
    "urlgrep.find_all('x', join='all')",
    "urlgrep.find_all('x', headers=False)",
    "urlgrep.find_all(1)",
    "urlgrep.open(1)",
    "urlgrep.open('x', errors='column')",
    "urlgrep.read_split('x', 0, 1, format='mobx')",
    "urlgrep.split('x', '1')",
    "urlgrep.Finder(max_len='1')",
    "urlgrep.arrow.open('x', columns='url', batch_size='1')",
    "urlgrep.arrow.open('x', errors='none')",
    "urlgrep.arrow.open([1])",
    "urlgrep.arrow.read_warc('x', colums=['url'])",
    "urlgrep.arrow.extract_list([], columns=1)",
    "urlgrep.polars.extract('body', colums=['url'])",
    "urlgrep.polars.urls(1)",
    "urlgrep.polars.scan(['x'], colums=['url'])",
    "urlgrep.polars.scan(1)",
    "urlgrep.polars.SeriesNamespace('x')",
    "urlgrep.arrow.extract([], batch_size='1')",
    "urlgrep.arrow.extract([], keep=['id'])",
    "urlgrep.Finder().extract([], schemes='http')",
    "urlgrep.Finder().extract_list([], columns=1)",
    "urlgrep.pandas.Accessor([]).urls(jion='none')",
    "urlgrep.duckdb.register(1)",
    "urlgrep.duckdb.create_urls(duckdb.connect(), archive='yes')",
    "urlgrep.find_all('x')[0].urls",
    "urlgrep.find_all('x')[0].port + 1",
]


#: What mypy knows of Polars and DuckDB takes it longer than all else.
CACHE = tempfile.TemporaryDirectory()


def mypy(*files):
    pytest.importorskip("mypy")
    arguments = ["--strict", "--python-version", "3.10", "--ignore-missing-imports", "--no-error-summary", "--cache-dir", CACHE.name]
    run = subprocess.run([sys.executable, "-m", "mypy", *arguments, *files], capture_output=True, text=True, timeout=300)
    return run.returncode, run.stdout + run.stderr


def pyright(*files):
    pytest.importorskip("pyright")
    arguments = ["--pythonpath", sys.executable, "--pythonversion", "3.10"]
    run = subprocess.run([sys.executable, "-m", "pyright", *arguments, *files], capture_output=True, text=True, timeout=300)
    return run.returncode, run.stdout + run.stderr


def test_a_program():
    assert mypy(PROGRAM) == (0, "")


def test_a_program_in_pyright():
    code, said = pyright(PROGRAM)
    assert (code, said.strip().splitlines()[-1]) == (0, "0 errors, 0 warnings, 0 informations")


def test_the_package_in_pyright():
    code, said = pyright(*PACKAGE)
    assert code == 0, said


def test_the_program_runs():
    pytest.importorskip("polars")
    pytest.importorskip("duckdb")
    run = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "13 hsegment\n"


def test_the_package():
    assert mypy(*PACKAGE) == (0, "")


def write_wrong(directory):
    imports = "import duckdb\nimport urlgrep\nimport urlgrep.arrow\nimport urlgrep.duckdb\nimport urlgrep.pandas\nimport urlgrep.polars\n"
    for number, line in enumerate(WRONG):
        directory.joinpath(f"wrong{number}.py").write_text(f"{imports}{line}\n")
    return sorted(directory.iterdir())


def test_wrong_programs(tmp_path):
    code, said = mypy(*write_wrong(tmp_path))
    assert code == 1
    for number, line in enumerate(WRONG):
        assert f"wrong{number}.py:7: error:" in said, line


def test_wrong_programs_in_pyright(tmp_path):
    code, said = pyright(*write_wrong(tmp_path))
    assert code == 1
    for number, line in enumerate(WRONG):
        assert f"wrong{number}.py:7:" in said, line
