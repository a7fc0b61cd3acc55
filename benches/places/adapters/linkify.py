"""The crate linkify, by the program of benches/programs/linkify.rs: `cargo build --release -p urlgrep-benches --example linkify`.

It finds nothing without a scheme, by default, and nothing over the end of a line."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

import lines

ROOT = Path(__file__).parents[3]
PROGRAM = ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release/examples/linkify"


def find(text: str) -> list[str]:
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(text.encode())
        file.flush()
        return subprocess.check_output([PROGRAM, file.name], text=True, encoding="utf-8").splitlines()


locked = re.search(r'name = "linkify"\nversion = "([^"]*)"', (ROOT / "Cargo.lock").read_text())
lines.run(f"linkify {locked[1]}" if locked else "linkify", find)
