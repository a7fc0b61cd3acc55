"""What the adapters in Python share: texts come in as lines of JSON, URLs go out the same way."""

from __future__ import annotations

import json
import sys
from typing import Callable, Iterable


def texts() -> list[str]:
    """The texts of the standard input."""
    return [str(json.loads(line)["text"]) for line in sys.stdin]


def answer(version: str, found: Iterable[list[str]]) -> None:
    """Prints which version ran, then the URLs of each text."""
    print(json.dumps({"version": version}))
    for urls in found:
        print(json.dumps({"urls": urls}))


def run(version: str, find: Callable[[str], list[str]]) -> None:
    """An adapter for a function from a text to its URLs."""
    answer(version, map(find, texts()))
