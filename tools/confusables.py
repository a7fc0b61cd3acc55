#!/usr/bin/env python3
"""Generates the letters that look like Latin ones of src/grammar/mixed.rs.

usage: tools/confusables.py CONFUSABLES_TXT

The file is confusables.txt of Unicode Technical Standard #39. Printed are the lower-case letters of Greek, Cyrillic and
Armenian whose prototype is one letter or digit of ASCII, in order: those that a name of a host can have, since
UTS #46 puts names in lower case.
"""
import sys
import unicodedata

SCRIPTS = ("GREEK", "CYRILLIC", "ARMENIAN")


def looks_latin(line):
    """The letter of a line of the file, if it is one of these."""
    fields = [field.strip() for field in line.lstrip("\ufeff").split("#")[0].split(";")]
    if len(fields) < 2 or " " in fields[0] or " " in fields[1]:
        return None
    letter, prototype = (chr(int(field, 16)) for field in fields[:2])
    is_small = letter.islower() and unicodedata.normalize("NFKC", letter) == letter
    of_script = unicodedata.name(letter, "").split(" ")[0] in SCRIPTS
    return letter if is_small and of_script and prototype.isascii() and prototype.isalnum() else None


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print("".join(sorted(filter(None, map(looks_latin, file)))))
