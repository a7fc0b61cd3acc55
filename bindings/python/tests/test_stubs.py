"""The stubs have what the module has."""

import ast
import pathlib

import pytest
import urlgrep
from urlgrep import _urlgrep

STUBS = pathlib.Path(urlgrep.__file__).with_name("_urlgrep.pyi")


def names(body):
    return {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def test_stubs():
    body = ast.parse(STUBS.read_text()).body
    stubs = {name for name in names(body) if not name.startswith("_")} - {"TextOptions", "Options", "SplitOptions", "TableOptions", "Ending", "Invalid", "Reason", "Message"}
    assert stubs == {name for name in vars(_urlgrep) if not name.startswith("_")}
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name in stubs:
            public = {name for name in vars(getattr(_urlgrep, node.name)) if not name.startswith("_")}
            assert {name for name in names(node.body) if not name.startswith("_")} == public
    assert STUBS.with_name("py.typed").exists()


def test_options():
    """The stubs have the options that the module has."""
    classes = {node.name: node for node in ast.parse(STUBS.read_text()).body if isinstance(node, ast.ClassDef)}
    typed = [field.target.id for name in ("TextOptions", "Options") for field in classes[name].body if isinstance(field, ast.AnnAssign)]
    try:
        urlgrep.open("", none=1)
    except TypeError as error:
        known = str(error).split("expected one of ")[1].split(", ")
    assert typed == known


def test_dir():
    import urlgrep.arrow

    assert dir(urlgrep.arrow) == sorted(urlgrep.arrow.__all__)
    loaded = {"arrow", "duckdb", "pandas", "polars", "spark"} & set(vars(urlgrep))
    assert dir(urlgrep) == sorted([*urlgrep.__all__, *loaded])


def test_old_names():
    (match,) = urlgrep.find_all("http://h.org/")
    for owner, old, new in [
        (urlgrep, "has_url", "is_match"),
        (urlgrep, "covering", "find_covering"),
        (match, "tld", "public_suffix"),
        (match, "segments", "pieces"),
    ]:
        assert not hasattr(owner, "none") and hasattr(owner, new)
        with pytest.raises(AttributeError, match=f"has no attribute '{old}'; it is now called '{new}'"):
            getattr(owner, old)
