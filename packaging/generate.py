#!/usr/bin/env python3
"""Writes the recipes of Homebrew, of Arch Linux and of Nix for the archives of a release:

    packaging/generate.py SHA256SUMS FOLDER

Each file in packaging/recipes is one of them, with names of values between two @. Version, sentence and licence are those of
Cargo.toml, the checksums those of SHA256SUMS, which the release has.
"""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[1]


def values(sums):
    """What the recipes can name."""
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    summary = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]["description"]
    licences = [f'"{licence}"' for licence in workspace["license"].split(" OR ")]
    named = {
        "version": workspace["version"],
        "homepage": workspace["homepage"],
        "summary": summary[0].upper() + summary[1:],
        "licence": workspace["license"],
        "licences": ", ".join(licences),
        "licences without commas": " ".join(licences),
    }
    prefix, release = f"urlgrep-{named['version']}-", f"{workspace['repository']}/releases/download/v{named['version']}"
    for checksum, file in (line.split() for line in sums.splitlines()):
        if file.startswith(prefix) and file.endswith(".tar.gz"):
            target = file.removeprefix(prefix).removesuffix(".tar.gz")
            named |= {f"url {target}": f"{release}/{file}", f"sha256 {target}": checksum}
    return named


def main():
    sums, folder = map(pathlib.Path, sys.argv[1:])
    named = values(sums.read_text())
    for recipe in sorted((ROOT / "packaging/recipes").iterdir()):
        names = set(re.findall(r"@([^@\n]+)@", recipe.read_text()))
        if missing := names - named.keys():
            sys.exit(f"{recipe.name}: no value of {', '.join(sorted(missing))}: expected it in {sums}")
        (folder / recipe.name).write_text(re.sub(r"@([^@\n]+)@", lambda name: named[name[1]], recipe.read_text()))


if __name__ == "__main__":
    main()
