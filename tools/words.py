#!/usr/bin/env python3
"""Fails on words in the documents and in the documentation of the code that have a better replacement.

usage: tools/words.py [FILE ...]      (default: all Markdown files in FOLDERS, and the files of SOURCES)

Prints `FILE:LINE: "FOUND": write REPLACEMENT` for each hit; the exit status is 1 if there was one. Code, quotations in "…", HTML comments, and tables
that are generated from the source are not checked, because their text comes from elsewhere. Each line is checked together with the next one,
because a phrase can wrap.
"""
import ast
import os.path
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[1]
FOLDERS = [".", "docs", "docs/design", "contrib", "fuzz", "bindings/c", "bindings/js", "bindings/python", "bindings/python/examples"]
# Doc comments, which include the help, the type stubs of the bindings, and the comments and docstrings of JavaScript and Python.
# MESSAGES lists the texts in string literals.
SOURCES = ["src/**/*.rs", "crates/*/src/**/*.rs", "bindings/*/src/**/*.rs", "bindings/**/*.d.ts", "bindings/**/*.pyi", "bindings/c/**/*.h"]
SOURCES += ["bindings/js/lib/*.js", "bindings/js/page/*.js", "bindings/js/page/*.mjs", "bindings/python/py/**/*.py", "tools/*.py", "contrib/*.py"]
MESSAGES = "messages.md"
COMMENTS = {".rs": r"\s*//[/!] ?(.*)", ".js": r"\s*///? ?(.*)", ".mjs": r"\s*///? ?(.*)", ".py": r"\s*#:? ?(.*)"}
# A phrase, and what replaces it. A hit that is right is worth another word, too.
WORDS = [
    (r"(?:is|are|was|were|be) (?:named|said)(?! `)", "is reported, printed or listed"),
    (r"without a word", "silently"),
    (r"(?:is|are|was|were|be) none", "does not, or has no"),
    (r"(?:is|are|was|were) no (?!longer|more than|way|need|less|greater|such)\w+", "is not a, or does not"),
    (r"(?:[Tt]here (?:is|are|was|were) none|that there (?:is|are))", "the actor: X has no Y"),
    (r"(?:that|those) of", "the noun, repeated"),
    (r"(?:[Nn]obody|[Nn]o one|[Ww]hoever|[Ww]hatever|[Ww]hichever)", "the actor, the passive, or regardless of"),
    (r"(?:[Ss]o (?:is|are) (?:the|an?|it|they|those|what)|[Nn]or (?:is|are|do|does|has|have|can)|[Nn]ot so (?:is|are))", "and, or neither … nor"),
    (r"(?:but for|all but|nothing but)", "except, or almost"),
    (r"(?<=[a-z0-9`)]), too", "and, including, or also before the verb"),
    (r"(?:in any case|as it stands|at hand|goes without saying)", "always, verbatim, buffered, or implied"),
    (r"g(?:o|oes|oing) on", "continue"),
    (r"line ends?(?! (?:with|in|at|before|after|there))", "line break"),
    (r"[Pp]ictures?", "image"),
    (r"[Jj]udged? place", "labelled excerpt"),
    (r"quote marks?", "quote prefix"),
    (r"blanks?", "space"),
    (r"beside", "next to, or compared with"),
    (r"in front", "before"),
    (r"(?:and|that|it|what|who) (?:say|tell)s?", "explain, show, declare or specify"),
    (r"(?:[,;(:] |^)also (?:in|of|if|with|within|to|by|those|from|when|for|on|after|before|inside|at)", "including, even in, or also before the verb"),
    (r"(?:Of (?:an?|the|mail|plain|such|several|these|those|what|each|all|long|others?)|[.;:|(] of (?:an?|such|these|what|each|all))", "the subject first"),
    (r"The same (?:as|for|of|in|is|with|goes)", "what it is"),
]
# The heads of tables that tests write.
GENERATED = "| option | values |"
RULES = [(re.compile(rf"(?<![\w-]){pattern}(?![\w-])"), better) for pattern, better in WORDS]
# A span keeps its length in words out of the search, and its place in it.
QUOTED = re.compile(r'<!--.*?-->|``.*?``|`[^`]*`|"[^"]*"|“[^”]*”|\]\([^)]*\)')


def documentation(name):
    """Returns the text of a file that is checked, line by line: of a source its comments (in Rust, its doc comments)."""
    text = name.read_text(encoding="utf8")
    if name.name == MESSAGES:
        return text.replace("```", "")
    if name.suffix not in COMMENTS:
        return text
    lines = text.split("\n")
    kept = [match[1] if (match := re.match(COMMENTS[name.suffix], line)) else "" for line in lines]
    for node in ast.walk(ast.parse(text)) if name.suffix == ".py" else ():
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            docstring = slice(node.body[0].lineno - 1, node.body[0].end_lineno)
            kept[docstring] = (line.replace('"""', "") for line in lines[docstring])
    return "\n".join(kept)


def prose(text):
    """Yields the number and the text of each line outside code blocks, without code and quotations."""
    code = generated = False
    for number, line in enumerate(text.split("\n"), 1):
        fence = line.lstrip().startswith("```")
        code ^= fence
        generated = line.startswith(GENERATED) or generated and line.startswith("|")
        yield number, "" if code or fence or generated else QUOTED.sub("`", line)


def hits(text):
    lines = list(prose(text))
    for (number, line), (_, after) in zip(lines, lines[1:] + [(0, "")]):
        both = f"{line} {after.lstrip()}"
        for rule, better in RULES:
            for match in rule.finditer(both):
                if match.start() < len(line):
                    yield number, match[0], better


def main():
    names = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    globs = [f"{folder}/*.md" for folder in FOLDERS] + SOURCES
    built = {"dist", "node_modules"}
    names = names or sorted(name for glob in globs for name in ROOT.glob(glob) if built.isdisjoint(name.parts))
    failed = False
    for name in names:
        for number, found, better in hits(documentation(name)):
            failed = True
            print(f'{os.path.relpath(name)}:{number}: "{found}": write {better}')
    sys.exit(failed)


main()
