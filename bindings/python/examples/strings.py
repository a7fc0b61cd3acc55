"""The URLs in strings."""

import urlgrep
from bodies import BODIES

finder = urlgrep.Finder(grade="rfc1738")
for body in BODIES:
    for match in finder.find_iter(body or ""):
        print(match.url)
