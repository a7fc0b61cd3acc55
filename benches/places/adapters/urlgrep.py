"""The program of this repository: `urlgrep --input text` and the options given, over a folder with a file for each text.

URLGREP is its path; target/release/urlgrep, if it is not set."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import lines

ROOT = Path(__file__).parents[3]
PROGRAM = os.environ.get("URLGREP") or str(ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "release/urlgrep")

texts = lines.texts()
version = subprocess.check_output([PROGRAM, "--version"], text=True).strip()
found: list[list[str]] = [[] for _ in texts]
with tempfile.TemporaryDirectory() as folder:
    for number, text in enumerate(texts):
        Path(folder, f"{number}.txt").write_text(text, encoding="utf-8")
    command = [PROGRAM, "--input", "text", "--json", *sys.argv[1:], folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if done.returncode > 1:
        sys.exit(f"{PROGRAM} failed")
    for line in done.stdout.splitlines():
        match = json.loads(line)
        found[int(Path(match["path"]).stem)].append(match["url"])
lines.answer(version, found)
