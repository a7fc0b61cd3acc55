"""UAX29URLEmailTokenizer of Lucene, by Lucene.java: its tokens of the type URL. The longest token has 255 characters, by
default.

CLASSPATH has lucene-core and lucene-analyzers-common (analysis-common, from version 9)."""

import base64
import subprocess
from pathlib import Path

import lines


def pack(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def unpack(line: str) -> list[str]:
    return [base64.b64decode(word).decode() for word in line.split()]


program = str(Path(__file__).with_name("Lucene.java"))
said = subprocess.check_output(["java", program], input="\n".join(map(pack, lines.texts())), text=True).split("\n")
lines.answer("Lucene " + said[0], map(unpack, said[1:-1]))
