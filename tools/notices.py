#!/usr/bin/env python3
"""Prints the licences of all crates that are in the program or in the library for C, with their notices.

    tools/notices.py [FEATURES [TARGET [PACKAGE]]] > third-party.txt

Most of these licences ask that copies of the program carry them, so packages have this file. A text that several
crates have is printed once. A crate without such a file is named with its licence only.
"""

import json
import pathlib
import re
import subprocess
import sys

NAMES = re.compile(r"^(un)?licen[cs]e|^copying|^copyright|^notice", re.IGNORECASE)


def host():
    """The target of this machine."""
    version = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return re.search(r"^host: (.*)$", version, re.MULTILINE)[1]


def crates(features, target, package):
    """The packages that it is built of, without those that only run while it is built."""
    cargo = ["cargo", "tree", "--locked", f"--package={package}", f"--features={features}", f"--target={target}"]
    tree = cargo + ["--edges=normal,no-proc-macro", "--prefix=none", "--no-dedupe", "--format={p}"]
    lines = subprocess.run(tree, check=True, capture_output=True, text=True).stdout.splitlines()
    wanted = {tuple(line.split()[:2]) for line in lines} - {tuple(lines[0].split()[:2])}
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version=1", f"--filter-platform={target}"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = [each for each in metadata["packages"] if (each["name"], "v" + each["version"]) in wanted]
    return sorted(packages, key=lambda each: each["name"])


def texts(package):
    """The licences and notices of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        if path.is_file() and NAMES.match(path.name):
            yield path.read_text(errors="replace").strip()


def main():
    features, target, package = (sys.argv[1:] + ["", "", ""])[:3]
    shared = {}
    print("urlgrep contains these crates, and the standard library of Rust (MIT OR Apache-2.0):\n")
    for package in crates(features, target or host(), package or "urlgrep-cli"):
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license']}")
        for text in texts(package):
            shared.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    for text, names in shared.values():
        print(f"\n{'=' * 79}\n{', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    main()
