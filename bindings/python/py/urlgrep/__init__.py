"""Finds the URLs in text, mail, archives and Arrow columns by the rules of RFC 1738, Appendix.

    >>> import urlgrep
    >>> for m in urlgrep.find_iter("see <URL:http://h.org/a/foo-\\n bar.html>, or ftp://h.org."):
    ...     print(m.url, m.start, m.end)
    http://h.org/a/foo-bar.html 4 39
    ftp://h.org 44 55

find_iter, find_all and is_match search a str or bytes, and find_covering and match_at search it at an offset. open
searches files of mail, news, HTML and text. parse and parse_rfc1738 split one URL into its parts, and unwrap returns the
URL inside a rewritten link. split and read_split divide a large file, and Finder stores options. urlgrep.arrow creates tables from
columns and files, urlgrep.spark Spark data frames, urlgrep.polars and urlgrep.pandas columns and scans, and
urlgrep.duckdb SQL functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Tuple, Union, cast

from . import _types, _urlgrep
from ._types import (
    File,
    Ftp,
    Gopher,
    Http,
    Mailto,
    News,
    Nntp,
    Opener,
    Other,
    ParseError,
    Prospero,
    Readable,
    Rfc1738Url,
    Seekable,
    SeekableSource,
    Source,
    Split,
    Telnet,
    Uri,
    Url,
    UrlgrepWarning,
    Wais,
)
from ._urlgrep import (
    ArchiveMatches,
    FindIter,
    Finder,
    Match,
    __version__,
    find_all,
    find_covering,
    find_iter,
    is_match,
    match_at,
    open,
    unwrap,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._urlgrep import Options

__all__ = [
    "ArchiveMatches",
    "File",
    "FindIter",
    "Finder",
    "Ftp",
    "Gopher",
    "Http",
    "Mailto",
    "Match",
    "News",
    "Nntp",
    "Opener",
    "Other",
    "ParseError",
    "Prospero",
    "Readable",
    "Rfc1738Url",
    "Seekable",
    "Split",
    "Telnet",
    "Uri",
    "Url",
    "UrlgrepWarning",
    "Wais",
    "__version__",
    "find_all",
    "find_covering",
    "find_iter",
    "is_match",
    "match_at",
    "open",
    "parse",
    "parse_rfc1738",
    "read_split",
    "split",
    "unwrap",
]


def __dir__() -> List[str]:
    return [*__all__, *({"arrow", "duckdb", "pandas", "polars", "spark"} & globals().keys())]


# A type checker would take every name for one that exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        new = {"covering": "find_covering", "find_at": "find_covering", "has_url": "is_match"}.get(name)
        hint = f"; it is now called {new!r}" if new else ""
        raise AttributeError(f"module 'urlgrep' has no attribute {name!r}{hint}")


def parse(url: Union[str, bytes]) -> Uri:
    """Returns the parts of a URL, by the generic syntax of RFC 3986.

    The parts are as written, with their escapes; the scheme is in lower case. str() of the result is the URL.

    Raises ParseError, a ValueError, if the RFC does not accept the URL.

        >>> parse("http://h.org/~me/?q#top").path
        '/~me/'
    """
    return cast(Uri, _parts(_urlgrep.parse(url)))


def parse_rfc1738(url: Union[str, bytes]) -> Rfc1738Url:
    """Returns the parts of a URL, by RFC 1738, section 5 and section 3.

    Returns an Ftp, Http, Gopher, Mailto, News, Nntp, Telnet, Wais, File or Prospero, or Other for any other scheme.
    The parts are as written, with their escapes; the scheme is in lower case. str() of the result is the URL.

    Raises ParseError, a ValueError, if the RFC does not accept the URL. A URL of RFC 1738 has no fragment.

        >>> parse_rfc1738("ftp://me@h.org/pub/a.txt;type=a").path
        'pub/a.txt'
    """
    return cast(Rfc1738Url, _parts(_urlgrep.parse_rfc1738(url)))


def _parts(parsed: Tuple[Any, ...]) -> object:
    if len(parsed) == 2:
        return getattr(_types, parsed[0])(**parsed[1])
    production, section, offset, message = parsed
    raise ParseError(message, production, section, offset)


def split(file: SeekableSource, size: int, *, count: bool = False, format: str = "auto") -> List[Split]:
    """Returns the parts of a file, for read_split.

    Each part has `size` bytes, and ends with the rest of the message that is there; the last part may be shorter.

    An mbox, a web archive (WARC, ARC), a tar archive, JSON and text can be divided. So can an mbox, JSON and text compressed
    with xz -T, and a web archive whose records are compressed separately with gzip, such as .warc.gz, .wat.gz and .wet.gz of
    Common Crawl. Every other file is a single part.

    The function reads one or two blocks for each part. In a web archive or a tar archive, it also reads the header of each
    record or member; in xz, the index. In a .warc.gz, it reads for each part the rest of the record at its end and 64 KiB
    after that, or 16 MiB if records are that long.

    With count=True, the file is read twice to count the lines and messages before each part, and a compressed file is a single
    part. Otherwise, both numbers are 0. They are always 0 for a tar archive, whose members are counted separately.

    file: a path, or a binary file object that can seek. size: the size in bytes, above 0. format: as for open.

    Raises OSError, with the path, if the file cannot be read; ValueError for a size of 0.
    """
    return [Split(*part) for part in _urlgrep.split(file, size, count, format)]


def read_split(
    file: SeekableSource,
    start: int,
    length: int,
    lines: int = 0,
    messages: int = 0,
    layout: str = "",
    offset: int = 0,
    decompressed: int = 0,
    **options: Unpack[Options],
) -> ArchiveMatches:
    """Returns the URLs in a part of a file, as open does.

    These are the URLs of the messages (in a web archive the records, in a tar archive the members) that start in the bytes
    start to start + length.

    The last message is read to its end, beyond the part. So the parts of a file together yield each match once, regardless
    of where it is divided; text is divided after empty lines. With join='likely', URLs before an empty line between two parts
    of a text may be joined differently from the whole file.

    Offsets refer to the file after decompression. In a part with the layout "warc.gz", they count from the first record of
    the part after decompression, because the length of the data before it is unknown. lines and messages are the numbers of
    lines and messages before the part, from split(…, count=True); without them, lines and message['index'] count from the first message of the
    part.

        for part in urlgrep.split(path, 128 << 20):
            for m in urlgrep.read_split(path, *part): ...

    layout, offset and decompressed come from the split: then only the part is read. Without them the part may start
    anywhere, and the beginning of the file is read as well. A file object is asked for at most 4 MiB at a time, and for no
    more than the part and the bytes that decide where its last message ends.

    Options and errors: the same as for open. Raises OSError if the file became shorter: it ends before a part of split does, or before any
    other part begins.
    """
    return _urlgrep.read_split(file, Split(start, length, lines, messages, layout, offset, decompressed), **options)
