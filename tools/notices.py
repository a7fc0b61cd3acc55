#!/usr/bin/env python3
"""Prints the licences and notices of all crates in the program, or in another package.

    tools/notices.py [FEATURES [TARGET [PACKAGE]]] > third-party.txt

PACKAGE is the folder of a package in the workspace (default: crates/cli).

Most of these licences require that copies of the program include them, so packages contain this file. A text that several
crates share is printed once. A crate without a licence file is listed only with the name of its licence.
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
    """The packages that the one in a folder is built of, without those that only run while it is built."""
    manifest = pathlib.Path(__file__).parents[1] / package / "Cargo.toml"
    options = ["--locked", f"--manifest-path={manifest}", f"--features={features}"]
    tree = ["cargo", "tree", *options, "--target", target, "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}"]
    lines = subprocess.run(tree, check=True, capture_output=True, text=True).stdout.splitlines()
    # A name and a version. The first is the package itself.
    named = {tuple(line.split()[:2]) for line in lines[1:] if line}
    command = ["cargo", "metadata", *options, "--format-version=1", f"--filter-platform={target}"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    built = [each for each in metadata["packages"] if (each["name"], f"v{each['version']}") in named]
    return sorted(built, key=lambda package: package["name"])


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
    for crate in crates(features, target or host(), package or "crates/cli"):
        name = f"{crate['name']} {crate['version']}"
        print(f"{name}: {crate['license']}")
        for text in texts(crate):
            shared.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    for text, names in shared.values():
        print(f"\n{'=' * 79}\n{', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    main()
