"""Finds every URL in text, mail, archives and Arrow columns, as the Appendix of RFC 1738 says a reader should.

    >>> import urlgrep
    >>> for m in urlgrep.find_iter("see <URL:http://h.org/a/foo-\\n bar.html>, or ftp://h.org."):
    ...     print(m.url, m.start, m.end)
    http://h.org/a/foo-bar.html 4 39
    ftp://h.org 44 55

find_iter, find_all and is_match search a str or bytes, find_covering and match_at search it at an offset, open searches files of mail, news, HTML and text, parse takes one URL
apart, unwrap gets the URL out of a link of a mail filter, split and read_split divide a large file, and Finder keeps
options. urlgrep.arrow makes tables of columns and files, urlgrep.spark data frames of Spark; urlgrep.polars and
urlgrep.pandas have columns and scans of those, urlgrep.duckdb functions of SQL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Type, Union

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
    Seekable,
    SeekableSource,
    Source,
    Split,
    Telnet,
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
    "Seekable",
    "Split",
    "Telnet",
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
    "read_split",
    "split",
    "unwrap",
]


def parse(url: Union[str, bytes]) -> Url:
    """The parts of a URL, by RFC 1738, section 5 and section 3.

    Returns an Ftp, Http, Gopher, Mailto, News, Nntp, Telnet, Wais, File or Prospero, or Other for any other scheme.
    The parts are as written, with their escapes; the scheme is in lower case. str() of the result is the URL.

    Raises ParseError, a ValueError, if the RFC does not accept the URL. A URL of RFC 1738 has no fragment.

        >>> parse("ftp://me@h.org/pub/a.txt;type=a").segments
        ('pub', 'a.txt')
    """
    parsed = _urlgrep.parse(url)
    if len(parsed) == 2:
        kind: Type[Url] = getattr(_types, parsed[0])
        return kind(**parsed[1])
    production, section, offset, message = parsed
    raise ParseError(message, production, section, offset)


def split(file: SeekableSource, size: int, *, count: bool = False, format: str = "auto") -> List[Split]:
    """The parts of a file, for read_split: each has `size` bytes, and what is left of the message that is there; the last
    perhaps fewer.

    An mbox, a web archive (WARC, ARC), a tar archive, JSON and text can be divided; an mbox, JSON and text also if they are
    compressed by xz -T; a web archive also if
    each record is compressed alone by gzip, as in .warc.gz, .wat.gz and .wet.gz of Common Crawl. All other files are one
    part.

    Costs a read or two for each part; in a web archive or a tar archive a walk from each record or member to the next, and
    in xz, the index; in a .warc.gz, for each part what is left of the record at its end, and 64 KiB after that, or 16 MiB if
    records are as long. With count=True, two passes over the file count the lines and messages before each part, and what
    is compressed is one part; without, both are 0, and so they are for a tar archive, whose members have lines and
    messages of their own.

    file: a path, or a binary file object that can seek. size: in bytes, above 0. format: as for open.

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
    """The URLs in a part of a file: as open, for the messages that start in the bytes start to start + length; of a web
    archive for the records, of a tar archive for the members.

    The last message is read to its end, beyond the part. So the parts of a file have all its matches, each once,
    wherever it is divided; text is divided after empty lines. With join='likely', URLs that an empty line follows
    at the border of two parts of a text may be joined otherwise than in the whole file.

    Offsets are those in the file after decompression; but in a part of a .warc.gz, whose layout is "warc.gz", they count
    from the first record of the part, decompressed: what is before it is not known. lines and messages are how many precede
    the part, from split(…, count=True); without them, lines and message['index'] count from the first message of the part.

        for part in urlgrep.split(path, 128 << 20):
            for m in urlgrep.read_split(path, *part): ...

    layout, offset and decompressed are those of the split: nothing but the part is read then. Without them the part may
    start anywhere, and the file is looked at from its beginning. A file object is asked for at most 4 MiB at a time, and for no more than the
    part, but for what decides where its last message ends.

    Options and errors: those of open.
    """
    return _urlgrep.read_split(file, Split(start, length, lines, messages, layout, offset, decompressed), **options)
