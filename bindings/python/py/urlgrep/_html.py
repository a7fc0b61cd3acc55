"""A match in a notebook. Its text is untrusted: it is shown, but never run."""

from __future__ import annotations

import html
import unicodedata
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._urlgrep import Match

#: Unicode categories of invisible characters: controls, format characters, surrogates, private use, unassigned, line
#: and paragraph separators.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _shown(value: Any) -> str:
    """A text in which each character can be seen."""
    text = "".join(f"\\u{{{ord(c):x}}}" if unicodedata.category(c) in _UNSEEN else c for c in str(value))
    return html.escape(text, quote=True)


def of_match(match: Match) -> str:
    """A table of the attributes that a reader may want."""
    rows = {
        "url": match.url,
        "host": match.host,
        "place": f"{match.start} to {match.end}",
        "form": match.form,
        "grade": match.grade,
        "join": match.join,
        "warnings": ", ".join(match.warnings) or None,
        "text": match.text,
        "path": match.path,
        "subject": match.message and match.message["subject"],
    }
    cells = (f"<tr><th>{name}</th><td>{_shown(value)}</td></tr>" for name, value in rows.items() if value is not None)
    return f"<table>{''.join(cells)}</table>"
