"""The texts of the examples."""

BODIES = [
    "The draft is at <URL:ftp://ftp.example.org/drafts/url-\n  syntax.txt>.",
    "> I mean http://www.example.org/a, not\n> http://www.example.org/b.",
    None,
    "no link here",
    "mailto:me@example.org or gopher://gopher.example.org/1",
]

URLS = [
    "ftp://ftp.example.org/drafts/url-syntax.txt",
    "http://www.example.org/a",
    "http://www.example.org/b",
    "mailto:me@example.org",
    "gopher://gopher.example.org/1",
]
