"""URLExtract, a package for Python, with its defaults and the list of top-level domains that it has."""

from importlib.metadata import version

from urlextract import URLExtract

import lines

lines.run("URLExtract " + version("urlextract"), URLExtract().find_urls)
