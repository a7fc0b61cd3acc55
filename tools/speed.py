#!/usr/bin/env python3
"""Runs the commands of docs/speed.md, and writes what each prints below it.

    tools/speed.py [--only WORD] [--document docs/design/benchmarks.md]

A block of the document shows its command, the programs that the command needs, and its output:

    ```text
    $ benches/compare.sh  # needs rg ugrep
    what it printed
    ```

A command that needs a variable which is not set (`$MAIL`: a folder of messages), or a program that is not installed
(`needs: rg`), is not run: its block stays as it was, and standard error says so. So does the block of a command that fails.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"```text\n\$ (?P<command>[^\n]*?)(?:  # needs (?P<needs>[\w ]+))?\n(?P<output>.*?)```\n", re.DOTALL)


def missing(command, needs):
    """What the command lacks here; none if it can run."""
    variables = [name for name in re.findall(r"\$(\w+)", command) if name not in os.environ]
    programs = [name for name in (needs or "").split() if not shutil.which(name)]
    return variables + programs


def run(block, only):
    """The block with what its command prints now."""
    command = block["command"]
    if only and only not in command:
        return block[0]
    lacks = missing(command, block["needs"])
    if lacks:
        print(f"not run, for there is no {', '.join(lacks)}: {command}", file=sys.stderr)
        return block[0]
    print(command, file=sys.stderr)
    ran = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True)
    # A bench that misses a floor reports it and exits with 1; its output still belongs in the document.
    if ran.returncode > 1 or not ran.stdout.strip():
        print(f"failed with {ran.returncode}: {command}", file=sys.stderr)
        return block[0]
    start = block.start("output") - block.start()
    return block[0][:start] + ran.stdout.rstrip() + "\n```\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="run only the commands that contain this")
    parser.add_argument("--document", default="docs/speed.md")
    options = parser.parse_args()
    with open(options.document, encoding="utf-8") as file:
        document = file.read()
    written = BLOCK.sub(lambda block: run(block, options.only), document)
    with open(options.document, "w", encoding="utf-8") as file:
        file.write(written)


if __name__ == "__main__":
    main()
