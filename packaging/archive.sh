#!/usr/bin/env bash
# Builds the archive of a release for a target, or for this machine, and prints its name:
#
#     packaging/archive.sh [TARGET]
#
# It is a tar.gz, for Windows a zip, of what `make install` installs, with the licences of all that the program contains. The
# same files are in a folder beside it. Variables of the Makefile are taken from the environment: if a program for TARGET
# cannot run here, GENERATOR is one that can.
set -euo pipefail
cd "$(dirname "$0")/.."

export TARGET=${1:-}
target=${TARGET:-$(rustc -vV | sed -n 's/^host: //p')}
name=urlgrep-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)-$target
folder=target/archives
format=gztar
[[ $target != *windows* ]] || format=zip

rm -rf "${folder:?}/$name"
make notices >&2
make install DESTDIR="$folder/$name" PREFIX= >&2
cp target/generated/third-party.txt "$folder/$name/share/doc/urlgrep"
# Who unpacks it as root does not want the files to be another's.
python3 -c 'import shutil, sys; print(shutil.make_archive(*sys.argv[1:], owner="root", group="root"))' \
    "$folder/$name" "$format" "$folder" "$name"
