#!/usr/bin/env python3
"""Tests the archive of a release for this machine, and the recipes for it: `packaging/test.py [ARCHIVE]`.

Without ARCHIVE, what packaging/archive.sh builds is tested, with the profile and the features that the environment says.
"""

import hashlib
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
# What a package must have, below the folder of the archive.
FILES = [
    "bin/urlgrep",
    "share/man/man1/urlgrep.1",
    "share/bash-completion/completions/urlgrep",
    "share/zsh/site-functions/_urlgrep",
    "share/fish/vendor_completions.d/urlgrep.fish",
    *(f"share/doc/urlgrep/{name}" for name in ["urlgrep.ps1", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "third-party.txt"]),
]
ARCHIVE = None


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def targets():
    """What .github/workflows/release.yml builds archives for."""
    return re.findall(r"(?:target|TARGET): ([a-z]\w+-[\w-]+)", (ROOT / ".github/workflows/release.yml").read_text())


def suffix(target):
    return ".zip" if "windows" in target else ".tar.gz"


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def unpacked(self):
        shutil.unpack_archive(ARCHIVE, self.folder)
        return self.folder / ARCHIVE.name.removesuffix(".tar.gz")

    def recipes(self, built):
        """The recipes for archives of these targets, whose checksums are invented."""
        sums = self.folder / "SHA256SUMS"
        names = [f"urlgrep-{VERSION}-{target}{suffix(target)}" for target in built]
        sums.write_text("".join(f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n" for name in names))
        run(ROOT / "packaging/generate.py", sums, self.folder)
        return self.folder

    def test_the_archive_has_program_manual_completions_and_licences(self):
        top = self.unpacked()
        self.assertEqual([name for name in FILES if not (top / name).stat().st_size], [])
        self.assertEqual(list(self.folder.iterdir()), [top])
        letter = top / "letter"
        letter.write_text("see <URL:http://h.org/a/\nb>\n")
        self.assertEqual(run(top / "bin/urlgrep", letter), "http://h.org/a/b\n")

    def test_binstall_finds_the_program_in_each_archive(self):
        package = tomllib.loads((ROOT / "crates/cli/Cargo.toml").read_text())["package"]
        told = package["metadata"]["binstall"]
        self.assertIn("x86_64-pc-windows-msvc", targets())
        for target in targets():
            options = told | told["overrides"].get(target, {})
            given = {"repo": "R", "version": VERSION, "target": target, "bin": "urlgrep", "binary-ext": ""}
            given["archive-suffix"] = {"tgz": ".tar.gz", "zip": ".zip"}[options["pkg-fmt"]]
            url, program = (re.sub(r"\{ ([\w-]+) \}", lambda name: given[name[1]], options[key]) for key in ("pkg-url", "bin-dir"))
            self.assertEqual(url, f"R/releases/download/v{VERSION}/urlgrep-{VERSION}-{target}{suffix(target)}")
            self.assertEqual(program, f"urlgrep-{VERSION}-{target}/bin/urlgrep")

    def test_recipes_say_which_archive_has_no_checksum(self):
        with self.assertRaises(subprocess.CalledProcessError) as failed:
            self.recipes(["x86_64-unknown-linux-musl"])
        self.assertIn("no value of sha256 aarch64-unknown-linux-musl", failed.exception.stderr)

    def test_recipes_have_the_checksum_of_the_archive_beside_its_name(self):
        for recipe in self.recipes(targets()).glob("[!S]*"):
            pairs = re.findall(r"/(urlgrep-[^/\"]*)\"\W*sha256\w*\W+([0-9a-f]{64})", recipe.read_text())
            self.assertEqual(len(pairs), 2 if recipe.name == "PKGBUILD" else 4, recipe.name)
            for name, checksum in pairs:
                self.assertEqual(checksum, hashlib.sha256(name.encode()).hexdigest())

    def test_arch_linux_packages_the_archive(self):
        recipe = self.recipes(targets()) / "PKGBUILD"
        machine = platform.machine()
        self.unpacked().rename(self.folder / f"urlgrep-{VERSION}-{machine}-unknown-linux-musl")
        root = self.folder / "root"
        environment = {"PATH": os.environ["PATH"], "CARCH": machine, "srcdir": str(self.folder), "pkgdir": str(root)}
        run("bash", "-euc", "source $0; package", recipe, env=environment)
        expected = [f"usr/{name}" for name in FILES[:5]] + ["usr/share/licenses/urlgrep-bin/third-party.txt"]
        self.assertEqual([name for name in expected if not (root / name).exists()], [])

    def test_homebrew_and_nix_can_read_their_recipes(self):
        folder = self.recipes(targets())
        # What the recipe needs of nixpkgs.
        packages = 'let same = x: x; in { fetchurl = same; lib.getLicenseFromSpdxId = same; stdenvNoCC = ' \
            '{ mkDerivation = same; hostPlatform.system = "aarch64-linux"; }; }'
        evaluated = ["nix-instantiate", "--eval", "--strict", "-E", f"import ./urlgrep.nix {{ pkgs = {packages}; }}"]
        for command in [["ruby", "-c", "urlgrep.rb"], evaluated]:
            with self.subTest(command[0]):
                if not shutil.which(command[0]):
                    self.skipTest(f"there is no {command[0]}")
                run(*command, cwd=folder)


if __name__ == "__main__":
    if sys.argv[1:]:
        ARCHIVE = pathlib.Path(sys.argv.pop()).absolute()
    else:
        built = subprocess.run([ROOT / "packaging/archive.sh"], check=True, stdout=subprocess.PIPE, text=True)
        ARCHIVE = ROOT / built.stdout.strip()
    unittest.main()
