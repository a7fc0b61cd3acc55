"""urlscan, a program for mail readers: what it finds in each line. It makes `mailto:` URLs of addresses, which the text has not."""

from importlib.metadata import version

from urlscan.urlscan import parse_text_urls

import lines


def find(text: str) -> list[str]:
    found = [chunk.url for line in text.splitlines() for chunk in parse_text_urls(line) if chunk.url]
    return [url for url in found if url in text]


lines.run("urlscan " + version("urlscan"), find)
