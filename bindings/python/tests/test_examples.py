"""The examples print what they say."""

import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
sys.path.append(str(EXAMPLES))

from bodies import URLS  # noqa: E402

PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.py") if path.name != "bodies.py")


@pytest.mark.parametrize("program", PROGRAMS)
def test_example(program):
    run = subprocess.run([sys.executable, EXAMPLES / program], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == URLS
