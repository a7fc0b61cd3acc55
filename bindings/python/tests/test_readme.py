"""The output in the README and in the docstrings is what is printed."""

import doctest
import pathlib

import pytest
import urlgrep


def test_readme(tmp_path, monkeypatch):
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted > 15
    assert result.failed == 0


@pytest.mark.parametrize("name", ["urlgrep", "urlgrep.arrow"])
def test_docstrings(name):
    module = __import__(name, fromlist=["x"])
    assert doctest.testmod(module).failed == 0


def test_all_that_is_public_has_a_docstring():
    for name in urlgrep.__all__:
        # A string and a union have none.
        if name not in ("__version__", "Rfc1738Url"):
            assert getattr(urlgrep, name).__doc__, name
    for kind in (urlgrep.Match, urlgrep.Finder):
        for name in vars(kind):
            if not name.startswith("_"):
                assert getattr(kind, name).__doc__, name
