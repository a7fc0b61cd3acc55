"""The URLs on the screen of kitty: ctrl+shift+u puts a hint on each, including URLs broken by line breaks or quote prefixes.

    map ctrl+shift+u kitten hints --customize-processing /path/to/kitty.py

in kitty.conf binds the key. The chosen URL is handled like any other hint: kitty opens it, or with `--program @` copies it.
urlgrep must be in the PATH.
"""

import itertools
import json
import os
import shutil
import subprocess

# Only these schemes are opened, because the programs for other schemes may do more than show a page or a message.
SCHEMES = {"http", "https", "ftp", "gopher", "mailto", "news"}


def screen(text):
    """Returns the lines of a screen without kitty's filler between rows, and for each byte of them its offset in `text`.

    NUL fills a row, CR marks a line that continues in the next row, and LF ends a line.
    """
    kept = [(place, character.encode()) for place, character in enumerate(text) if character not in "\0\r"]
    places = [place for place, character in kept for _ in character]
    return b"".join(character for _, character in kept), places


def matches(lines, columns):
    """What the program prints of each match."""
    command = ["urlgrep", "--no-config", "--input", "text", "--json", "--join", "likely", "--width", str(columns), "-"]
    printed = subprocess.run(command, input=lines, stdout=subprocess.PIPE, check=False).stdout
    return map(json.loads, printed.splitlines())


def mark(text, args, Mark, extra_cli_args, *_):
    """Called by kitty: yields what gets a hint."""
    columns = int(os.environ.get("OVERLAID_WINDOW_COLS") or shutil.get_terminal_size().columns)
    lines, places = screen(text)
    index = itertools.count()
    for match in matches(lines, columns):
        if match["scheme"] in SCHEMES:
            first, last = match["pieces"][0][0], match["pieces"][-1][1] - 1
            yield Mark(next(index), places[first], places[last] + 1, match["url"], {})
