"""The types of urlgrep that are written in Python."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple, Optional, Protocol, Tuple, Union


class Readable(Protocol):
    """A binary file object."""

    def read(self, size: int, /) -> Optional[bytes]: ...


class Seekable(Readable, Protocol):
    """A binary file object that can seek."""

    def seek(self, offset: int, whence: int = ..., /) -> int: ...


class Opener(Protocol):
    """An object that opens a binary file, such as fsspec.open(url). The caller of open closes the file."""

    def open(self) -> Any: ...


#: The input of open: a path, or a binary file.
Source = Union[str, bytes, "PathLike[str]", "PathLike[bytes]", Readable, Opener]

#: The input of split and read_split: a path, or a binary file that can seek.
SeekableSource = Union[str, bytes, "PathLike[str]", "PathLike[bytes]", Seekable, Opener]


class UrlgrepWarning(UserWarning):
    """A part of an archive that could not be read, with errors='warn'."""

    # The name that a warning prints.
    __module__ = "urlgrep"


class ParseError(ValueError):
    """A URL that the grammar does not accept."""

    # The name that a traceback prints.
    __module__ = "urlgrep"

    #: The production of the grammar that failed: 'hsegment'.
    production: str
    #: The section that defines it: 'RFC 1738 section 5'.
    section: str
    #: The byte of the URL at which it failed, from 0.
    offset: int

    def __init__(self, message: str, production: str, section: str, offset: int) -> None:
        super().__init__(message, production, section, offset)
        self.production = production
        self.section = section
        self.offset = offset

    def __str__(self) -> str:
        return str(self.args[0])


class Split(NamedTuple):
    """A part of a file: the arguments of read_split after the file."""

    #: The first byte, from 0.
    start: int
    #: The number of bytes.
    length: int
    #: The number of lines before its first message, if they were counted.
    lines: int = 0
    #: The number of messages before its first one, if they were counted.
    messages: int = 0
    #: The way in which the file is divided: "mbox", "warc", "tar", "text", "json" or "warc.gz"; "auto" if it is not divided.
    #: "" for a part that may start anywhere.
    layout: str = ""
    #: For a compressed file, the start and the length of the part in the decompressed file; for the last part, a greater length.
    offset: int = 0
    decompressed: int = 0


@dataclass(frozen=True)
class Uri:
    """The parts of a URL that RFC 3986 accepts, as written: escapes are not decoded."""

    #: The URL.
    url: str
    #: The scheme in lower case, without the colon.
    scheme: str
    #: The text before the '@' of the authority.
    userinfo: Optional[str]
    #: The host, with the brackets of an IPv6 address; it may be empty. None without '//'.
    host: Optional[str]
    #: The digits after the colon; they may be empty.
    port: Optional[str]
    path: str
    query: Optional[str]
    fragment: Optional[str]

    def __str__(self) -> str:
        return self.url


@dataclass(frozen=True)
class Url:
    """The parts of a URL that RFC 1738 accepts, as written: escapes are not decoded."""

    #: The URL.
    url: str
    #: The scheme in lower case, without the colon.
    scheme: str

    def __str__(self) -> str:
        return self.url


@dataclass(frozen=True)
class Ftp(Url):
    """ftp: (section 3.2)."""

    user: Optional[str]
    password: Optional[str]
    host: str
    #: The port, or the default; None if it exceeds 65535. This is the same in all classes.
    port: Optional[int]
    path: Optional[str]
    segments: Tuple[str, ...]
    #: 'a' (text), 'i' (bytes) or 'd' (a directory).
    typecode: Optional[str]


@dataclass(frozen=True)
class Http(Url):
    """http: (section 3.3)."""

    host: str
    port: Optional[int]
    path: Optional[str]
    segments: Tuple[str, ...]
    #: The text after the '?'.
    search: Optional[str]


@dataclass(frozen=True)
class Gopher(Url):
    """gopher: (section 3.4)."""

    host: str
    port: Optional[int]
    #: One character; '1', a directory, if the URL has none.
    item_type: str
    selector: Optional[str]
    search: Optional[str]
    gopher_plus: Optional[str]


@dataclass(frozen=True)
class Mailto(Url):
    """mailto: (section 3.5)."""

    #: Decoded.
    address: str
    local_part: str
    domain: str


@dataclass(frozen=True)
class News(Url):
    """news: (section 3.6). Neither a group nor an article: all groups."""

    group: Optional[str]
    #: A message-id without brackets.
    article: Optional[str]


@dataclass(frozen=True)
class Nntp(Url):
    """nntp: (section 3.7)."""

    host: str
    port: Optional[int]
    group: str
    #: The number of an article.
    article: Optional[str]


@dataclass(frozen=True)
class Telnet(Url):
    """telnet: (section 3.8)."""

    user: Optional[str]
    password: Optional[str]
    host: str
    port: Optional[int]


@dataclass(frozen=True)
class Wais(Url):
    """wais: (section 3.9)."""

    host: str
    port: Optional[int]
    database: str
    search: Optional[str]
    wtype: Optional[str]
    wpath: Optional[str]


@dataclass(frozen=True)
class File(Url):
    """file: (section 3.10)."""

    host: Optional[str]
    path: str
    segments: Tuple[str, ...]


@dataclass(frozen=True)
class Prospero(Url):
    """prospero: (section 3.11)."""

    host: str
    port: Optional[int]
    object_name: str
    #: Pairs of a name and a value.
    fields: Tuple[Tuple[str, str], ...]


@dataclass(frozen=True)
class Other(Url):
    """Any other scheme (sections 2.1 and 4). The fields of a login are None if '//' does not follow the scheme."""

    schemepart: str
    user: Optional[str]
    password: Optional[str]
    host: Optional[str]
    port: Optional[int]
    path: Optional[str]


#: The result of parse_rfc1738: a class for each scheme of RFC 1738, and Other for any other scheme.
Rfc1738Url = Union[Ftp, Http, Gopher, Mailto, News, Nntp, Telnet, Wais, File, Prospero, Other]
