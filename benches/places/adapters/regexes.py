"""Two regexes: `everything` takes all up to whitespace, as most scripts do; `careful` is the one that this library is measured
beside (benches/yardsticks/mod.rs)."""

import platform
import re
import sys

import lines

SCHEMES = r"(?i:(?:https?|ftp|gopher|telnet)://|mailto:|news:)"
DELIMITERS = r"\x00-\x20<>\"`\\|\x7f-\uffff\U00010000-\U0010ffff"
REGEXES = {
    "everything": r"https?://\S+",
    "careful": rf"{SCHEMES}[^{DELIMITERS}]*[^{DELIMITERS}.,;:!?')\]}}]",
}

lines.run("re of Python " + platform.python_version(), re.compile(REGEXES[sys.argv[1]]).findall)
