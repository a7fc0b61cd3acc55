#!/usr/bin/env python3
"""Which URLs urlgrep and other tools find in places of text that were judged before any tool ran.

Without an option it prints the tables. README.md tells what the places are, and how to get the other tools; one that is
not installed is named on standard error and left out.

An answer is compared with a judgement in order, byte by byte: it is right if it is what a `=` line has, or a `~` line after
it. Answers without a scheme are dropped first, because a judgement does not list them. A URL with a wrong end counts as
missed and as invented.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator, Sequence

HERE = Path(__file__).parent
PYTHON = (sys.executable,)
# The name of a tool, and the command that runs its adapter.
TOOLS: dict[str, tuple[str, ...]] = {
    "urlgrep": (*PYTHON, "urlgrep.py"),
    "urlgrep, likely": (*PYTHON, "urlgrep.py", "--join=likely"),
    "linkify": (*PYTHON, "linkify.py"),
    "linkify-it": ("node", "node.cjs", "linkify-it"),
    "linkifyjs": ("node", "node.cjs", "linkifyjs"),
    "twitter-text": ("node", "node.cjs", "twitter-text"),
    "URI::Find": ("perl", "uri_find.pl"),
    "xurls": ("go", "run", "xurls.go"),
    "URLExtract": (*PYTHON, "url_extract.py"),
    "urlscan": (*PYTHON, "url_scan.py"),
    "Lucene": (*PYTHON, "lucene.py"),
    "careful regex": (*PYTHON, "regexes.py", "careful"),
    "`https?://\\S+`": (*PYTHON, "regexes.py", "everything"),
}
OURS = ("urlgrep", "urlgrep, likely")

HEADER = re.compile(r"@ (?P<source>[^ /]+/[^ ]+) (?P<commit>[0-9a-f]{40}) (?P<path>.+):(?P<line>\d+) (?P<licence>\S+)")
# With an authority or a path: `h.org:80/a` and `localhost:3000` have none.
SCHEME = re.compile(r"(?!(?!tel:|sms:|fax:|news:|data:|urn:)[\w.+-]+:\d{1,5}(?:[/?#]|$))[A-Za-z][A-Za-z0-9+-]*:")


@dataclass
class Place:
    """A few lines of text, and the URLs that a reader saw in them: each with its alternatives."""

    kind: str
    header: str
    lines: list[str] = field(default_factory=list)
    urls: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def add(self, line: str) -> None:
        """Takes the next line of its file."""
        mark, rest = line[:1], line[2:]
        if mark == "|":
            self.lines.append(rest)
        elif mark == "=":
            self.urls.append([rest])
        elif mark == "~" and self.urls:
            self.urls[-1].append(rest)
        elif mark == "#":
            self.notes.append(rest)
        else:
            raise ValueError(f"{self.kind}: expected one of | = ~ #, found {line!r}")


@dataclass
class Tally:
    """How a tool did on some places."""

    places: int = 0
    right: int = 0
    found: int = 0
    missed: int = 0
    invented: int = 0

    def add(self, place: Place, urls: Sequence[str]) -> None:
        found = agreeing(place.urls, urls)
        self.places += 1
        self.right += is_right(place, urls)
        self.found += found
        self.missed += len(place.urls) - found
        self.invented += len(urls) - found


@dataclass
class Run:
    """What a tool found: one list of URLs for each place."""

    version: str
    urls: list[list[str]]


def read(file: Path) -> Iterator[Place]:
    """The places of a file."""
    place = None
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line.startswith("@ "):
            if not HEADER.fullmatch(line):
                raise ValueError(f"{file.name}: expected `@ OWNER/NAME COMMIT PATH:LINE LICENCE`, found {line!r}")
            place = Place(file.stem, line)
        elif line and place:
            place.add(line)
        elif place:
            yield place
            place = None


def agreeing(expected: Sequence[Sequence[str]], urls: Sequence[str]) -> int:
    """How many URLs agree with a judgement: the longest common subsequence."""
    before = [0] * (len(urls) + 1)
    for readings in expected:
        row = [0]
        for at, url in enumerate(urls):
            row.append(before[at] + 1 if url in readings else max(before[at + 1], row[at]))
        before = row
    return before[-1]


def is_right(place: Place, urls: Sequence[str]) -> bool:
    """Whether all of a place is as it was judged."""
    return len(urls) == len(place.urls) == agreeing(place.urls, urls)


def run(tool: str, places: Sequence[Place]) -> Run | None:
    """Runs an adapter over all places. None if it cannot run, which is said."""
    sent = "".join(json.dumps({"text": place.text}) + "\n" for place in places)
    try:
        done = subprocess.run(TOOLS[tool], cwd=HERE / "adapters", input=sent, capture_output=True, text=True, encoding="utf-8")
    except FileNotFoundError as error:
        print(f"score.py: {tool} is left out: there is no {error.filename}", file=sys.stderr)
        return None
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or len(answers) != len(places) + 1:
        said = done.stderr.strip().split("\n")[-1]
        print(f"score.py: {tool} is left out: {said or 'it did not answer for each place'}", file=sys.stderr)
        return None
    return Run(answers[0]["version"], [[url for url in answer["urls"] if SCHEME.match(url)] for answer in answers[1:]])


def tally(places: Sequence[Place], urls: Sequence[Sequence[str]], kind: str | None = None) -> Tally:
    """How a tool did on the places of a kind, or on all."""
    total = Tally()
    for place, answer in zip(places, urls):
        if kind in (None, place.kind):
            total.add(place, answer)
    return total


def table(rows: Sequence[Sequence[object]]) -> str:
    """A table of Markdown; the first row is its head. Columns of numbers are aligned to the right."""
    head, *rest = [[str(cell) for cell in row] for row in rows]
    numbers = [all(re.fullmatch(r"[\d.]+", row[column]) for row in rest) for column in range(len(head))]
    marks = ["---:" if number else "---" for number in numbers]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, marks, *rest])


def summary(places: Sequence[Place], runs: dict[str, Run]) -> str:
    """The table of the tools."""
    rows: list[list[object]] = [["tool", "excerpts right", "%", "URLs found", "missed", "false"]]
    for tool, answers in runs.items():
        t = tally(places, answers.urls)
        rows.append([tool, t.right, f"{100 * t.right / t.places:.1f}", t.found, t.missed, t.invented])
    return table(rows)


def by_kind(places: Sequence[Place], runs: dict[str, Run]) -> str:
    """The table of places all right, by the kind of text."""
    rows: list[list[object]] = [["kind", "excerpts", *runs]]
    for kind, number in Counter(place.kind for place in places).items():
        rows.append([kind, number, *(tally(places, answers.urls, kind).right for answers in runs.values())])
    return table(rows)


def versions(runs: dict[str, Run]) -> str:
    """What ran, in one sentence."""
    return ", ".join(dict.fromkeys(answers.version for answers in runs.values())) + "."


def sources(places: Sequence[Place]) -> str:
    """The table of where the texts are from."""
    count: Counter[tuple[str, str]] = Counter()
    commits: dict[tuple[str, str], set[str]] = {}
    for place in places:
        header = HEADER.fullmatch(place.header)
        assert header
        key = header["source"], header["licence"]
        count[key] += 1
        commits.setdefault(key, set()).add(header["commit"])
    rows: list[list[object]] = [["source", "licence", "places", "commits"]]
    rows += [[*key, count[key], len(commits[key])] for key in sorted(count, key=lambda key: (key[0].lower(), key[1]))]
    return table(rows)


def difference(place: Place, urls: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """What is missing in an answer, and what is in it that was not judged so."""
    wanted, extra = list(place.urls), []
    for url in urls:
        readings = next((readings for readings in wanted if url in readings), None)
        if readings is None:
            extra.append(url)
        else:
            wanted.remove(readings)
    return wanted, extra


def cause(place: Place, readings: Sequence[str], extra: Sequence[str]) -> str:
    """Why a URL counts as missed."""
    if not any(url in line for url in readings for line in place.lines):
        return "broken or escaped"
    if any(url.startswith(reading) for url in extra for reading in readings):
        return "too long"
    if any(reading.startswith(url) for url in extra for reading in readings):
        return "too short"
    return "not found, http" if re.match(r"(?i)https?:", readings[0]) else "not found, other"


CAUSES = ("broken or escaped", "too long", "too short", "not found, http", "not found, other")


def causes(places: Sequence[Place], runs: dict[str, Run]) -> str:
    """The table of why URLs count as missed, and how many were found where none is."""
    rows: list[list[object]] = [["tool", *CAUSES, "found where none is"]]
    for tool, answers in runs.items():
        count: Counter[str] = Counter()
        for place, urls in zip(places, answers.urls):
            wanted, extra = difference(place, urls)
            count.update(cause(place, readings, extra) for readings in wanted)
            count["none"] += len(extra) if not place.urls else 0
        rows.append([tool, *(count[name] for name in CAUSES), count["none"]])
    return table(rows)


def in_cell(urls: Sequence[str]) -> str:
    """URLs in a cell of a table. What is long is cut."""
    cut = [url if len(url) <= 90 else url[:60] + "…" + url[-20:] for url in urls]
    return " ".join("`` " + url.replace("|", "\\|") + " ``" for url in cut) or "none"


def disputed(places: Sequence[Place], runs: dict[str, Run]) -> str:
    """The table of the disputes."""
    rows: list[list[object]] = [["file", "source and line", "right", "labelled", "urlgrep"]]
    order, disputes = in_order(places, runs)
    for number in order[:disputes]:
        place, header = places[number], HEADER.fullmatch(places[number].header)
        assert header
        wanted, extra = difference(place, runs["urlgrep"].urls[number])
        right = [t for t, answers in runs.items() if t not in OURS and is_right(place, answers.urls[number])]
        where = f"{header['source']} {Path(header['path']).name}:{header['line']}"
        rows.append([place.kind, where, f"{len(right)}: {', '.join(right)}", in_cell([w[0] for w in wanted]), in_cell(extra)])
    return table(rows)


def show(number: int, places: Sequence[Place], runs: dict[str, Run]) -> str:
    """A place, which tools are right there, and what each of the others says: `-` missed, `+` invented."""
    place = places[number]
    right = [tool for tool, answers in runs.items() if is_right(place, answers.urls[number])]
    lines = [f"{place.kind} {place.header}"]
    lines += [f"| {line}" for line in place.lines]
    lines += [f"{'~' if at else '='} {url}" for readings in place.urls for at, url in enumerate(readings)]
    lines += [f"# {note}" for note in place.notes]
    lines.append(f"  right: {', '.join(right) or 'none'}")
    for tool, answers in runs.items():
        if tool not in right:
            wanted, extra = difference(place, answers.urls[number])
            lines += [f"  {tool}:", *(f"    - {readings[0]}" for readings in wanted), *(f"    + {url}" for url in extra)]
    return "\n".join(lines) + "\n"


def in_order(places: Sequence[Place], runs: dict[str, Run]) -> tuple[list[int], int]:
    """All places, and how many of the first are disputes: a peer is right and urlgrep is not. The most peers come first."""
    def peers(number: int) -> int:
        if is_right(places[number], runs["urlgrep"].urls[number]):
            return 0
        return sum(is_right(places[number], run.urls[number]) for tool, run in runs.items() if tool not in OURS)

    order = sorted(range(len(places)), key=peers, reverse=True)
    return order, sum(peers(number) > 0 for number in order)


def update(files: Sequence[Path], parts: dict[str, str]) -> None:
    """Writes each part into the files that have a place for it, between `<!-- NAME -->` and `<!-- end -->`."""
    for file in files:
        text = file.read_text(encoding="utf-8")
        for name, part in parts.items():
            pattern = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
            text = pattern.sub(lambda found: f"{found[1]}\n{part}\n{found[2]}", text)
        file.write_text(text, encoding="utf-8")


def arguments() -> argparse.Namespace:
    """The options."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append", choices=TOOLS, help="runs this tool only; several may be given")
    parser.add_argument("--kind", action="append", help="reads the places of this kind only; several may be given")
    parser.add_argument("--show", metavar="TOOL", choices=TOOLS, help="prints the places where a tool is wrong")
    parser.add_argument("--disputes", action="store_true", help="prints the places where a peer is right and urlgrep is not")
    parser.add_argument("--rows", action="store_true", help="prints all places, those of --disputes first")
    parser.add_argument("--sources", action="store_true", help="prints the table of the sources; no tool runs")
    parser.add_argument("--update", action="append", metavar="FILE", type=Path, help="writes the tables into a file; several may be given")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    files = sorted(HERE.glob("*.txt"))
    places = [place for file in files if not options.kind or file.stem in options.kind for place in read(file)]
    if options.sources:
        if options.update:
            update(options.update, {"sources": sources(places)})
        else:
            print(sources(places))
        return
    ran = {tool: run(tool, places) for tool in options.tool or TOOLS}
    runs = {tool: answers for tool, answers in ran.items() if answers}
    if options.show:
        wrong = [n for n in range(len(places)) if not is_right(places[n], runs[options.show].urls[n])]
        print("\n".join(show(number, places, runs) for number in wrong))
    elif options.rows or options.disputes:
        order, disputes = in_order(places, runs)
        print("\n".join(show(number, places, runs) for number in order[: None if options.rows else disputes]))
    else:
        parts = {"summary": summary, "kinds": by_kind, "causes": causes}
        if "urlgrep" in runs:
            parts["disputes"] = disputed
        tables = {name: part(places, runs) for name, part in parts.items()} | {"versions": versions(runs)}
        if options.update:
            update(options.update, tables)
        else:
            print("\n\n".join(tables[name] for name in ("summary", "kinds", "causes", "versions")))


if __name__ == "__main__":
    main()
