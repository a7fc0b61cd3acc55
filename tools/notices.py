#!/usr/bin/env python3
"""Prints the licences of all crates that are in the program, with their notices.

    tools/notices.py [FEATURES [TARGET]] > third-party.txt

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


def crates(features, target):
    """The packages that the program is built of, without those that only run while it is built."""
    command = ["cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={target}"]
    command += ["--manifest-path", "cli/Cargo.toml", "--features", features]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting, seen = [metadata["resolve"]["root"]], set()
    while waiting:
        node = nodes[waiting.pop()]
        for dependency in node["deps"]:
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            macro = "proc-macro" in packages[dependency["pkg"]]["targets"][0]["kind"]
            if normal and not macro and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    return sorted((packages[each] for each in seen), key=lambda package: package["name"])


def texts(package):
    """The licences and notices of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for path in sorted(folder.iterdir()):
        if path.is_file() and NAMES.match(path.name):
            yield path.read_text(errors="replace").strip()


def main():
    features = sys.argv[1] if len(sys.argv) > 1 else ""
    target = sys.argv[2] if len(sys.argv) > 2 else host()
    shared = {}
    print("urlgrep contains these crates, and the standard library of Rust (MIT OR Apache-2.0):\n")
    for package in crates(features, target):
        name = f"{package['name']} {package['version']}"
        print(f"{name}: {package['license']}")
        for text in texts(package):
            shared.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    for text, names in shared.values():
        print(f"\n{'=' * 79}\n{', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    main()
