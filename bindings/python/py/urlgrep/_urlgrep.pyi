"""The types of the extension module. Import from `urlgrep` instead."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol, Optional, TypedDict, Union, final, overload

import pyarrow
from typing_extensions import Buffer, Unpack

from ._types import SeekableSource, Source, Split

__version__: str

_Text = Union[str, Buffer]
_Columns = Union[Sequence[str], Mapping[str, str], None]
_ListColumns = Union[str, _Columns]

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

#: An array or a stream of arrays; some versions of pandas Series have neither method, hence `Any`.
_Column = Union[_ArrowArray, _ArrowStream, Any]
_Files = Union[Source, tuple[SeekableSource, Split], Iterable[Union[Source, tuple[SeekableSource, Split]]]]

class TextOptions(TypedDict, total=False):
    """The options of a search."""
    join: Literal["none", "delimited", "likely"]
    """Rejoin broken URLs: none, delimited ones, or also bare ones if there is evidence."""
    hyphen: Literal["keep", "drop", "both"]
    """Keep or drop a hyphen before a line break, or match both readings."""
    grade: Literal["lenient", "rfc3986", "rfc1738", "draft1994"]
    """Match only URLs of at least this grade."""
    dialect: Literal["rfc1738", "draft"]
    """Grade URLs by this grammar."""
    schemes: Union[str, list[str]]
    """Match only URLs with these schemes; an empty list matches nothing."""
    scheme_add: Union[str, list[str]]
    """Also match these schemes without "//", such as spotify."""
    width: int
    """Rejoin URLs that a terminal of this width wrapped (requires join=likely)."""
    delimited_rows: bool
    """Treat each line as a row of cells, separated by commas or semicolons."""
    max_len: int
    """Skip URLs that are longer than this in the text."""
    iri: Literal["words", "all", "ascii"]
    """Allow non-ASCII characters in bare URLs: letters of scripts that put spaces between words, all, or none."""
    schemeless: Union[str, list[str]]
    """Also match without a scheme: hosts that start with www. or ftp., email addresses, IPv4 addresses, domain names that do not look like file names, or all domain names."""
    refang: bool
    """Match defanged URLs such as hxxp://h[.]org/, and restore them."""
    unwrap: bool
    """Replace rewritten links and redirects with the URLs inside them; the link is the first alternative."""
    nested: bool
    """Also match the URLs within a match: as written, percent-encoded or in base64."""
    line_numbers: bool
    """Count lines, so that matches have a line and a column."""
    explain: bool
    """Record why each match ends where it does."""

class Options(TextOptions, total=False):
    """The options of a search of files."""
    format: Literal["auto", "text", "mail", "mbox", "rnews", "html", "json", "warc", "calendar"]
    """The format of the files; "auto" recognises it by the first bytes."""
    attachments: Literal["none", "documents", "all"]
    """The attachments that are searched."""
    headers: bool
    """Search header fields as well."""
    dot_stuffing: bool
    """Remove the dot that NNTP and SMTP add to lines that start with one."""
    base: str
    """The URL against which relative links in HTML are resolved."""
    errors: Literal["raise", "warn"]
    """Raise an error where a file cannot be read, or warn and continue."""

class TableOptions(TextOptions, total=False):
    """The options of a search that yields a table. With errors="column", errors are rows of the table."""
    format: Literal["auto", "text", "mail", "mbox", "rnews", "html", "json", "warc", "calendar"]
    """The format of the files; "auto" recognises it by the first bytes."""
    attachments: Literal["none", "documents", "all"]
    """The attachments that are searched."""
    headers: bool
    """Search header fields as well."""
    dot_stuffing: bool
    """Remove the dot that NNTP and SMTP add to lines that start with one."""
    base: str
    """The URL against which relative links in HTML are resolved."""
    errors: Literal["raise", "warn", "column"]
    """Raise an error where a file cannot be read, warn and continue, or yield the error as a row."""

def _kinds() -> dict[str, type]: ...

class Ending(TypedDict):
    """The reason why a bare URL ends."""
    stop: str
    """The text that ends the URL."""
    trimmed: int
    """The length of the punctuation that was trimmed before it, in bytes."""

class Invalid(TypedDict):
    """The part of a URL that is not valid."""
    kind: str
    """The kind, such as scheme, separator, host, label or port."""
    part: str
    """The invalid part."""
    expected: str
    """The text that was expected instead."""

class Reason(TypedDict):
    """The reason why the grade of a URL is not better."""
    production: str
    """The grammar production that rejects the URL."""
    offset: int
    """The byte offset in the URL at which the production fails."""
    message: str
    """The text that the grammar expected at this offset, and the text that it found."""

class _Record(TypedDict, total=False):
    """The keys of a web archive record."""

    uri: Optional[str]
    type: Optional[str]
    offset: int

_Message = TypedDict(
    "_Message",
    {
        "index": int,
        "id": Optional[str],
        "from": Optional[str],
        "date": Optional[str],
        "subject": Optional[str],
        "newsgroups": Optional[str],
        "to": Optional[str],
        "cc": Optional[str],
        "list_id": Optional[str],
        "in_reply_to": Optional[str],
        "part": Optional[str],
        "content_type": Optional[str],
        "header": Optional[str],
        "quote_depth": int,
        "filename": Optional[str],
    },
)

class Message(_Message, _Record):
    """The message or web archive record that contains a match: its header fields and the position in it."""

# Matches are not ordered: pass a key to sorted().
@final
class Match:
    """A URL that was found. Offsets count from 0, in code points of a `str` and bytes of anything else; ends are exclusive."""
    @property
    def url(self) -> str:
        """The URL, including its fragment; if it was rejoined or a hyphen is in doubt, the likeliest reading."""
    @property
    def url_bytes(self) -> bytes:
        """The URL as the bytes of the text; for a `str`, in UTF-8."""
    @property
    def url_range(self) -> tuple[int, int]:
        """The range of the URL in the text, without its delimiters: from the start of its first piece to the end of the last."""
    @property
    def has_scheme(self) -> bool:
        """True if the text contains the scheme; it is implied for `www.h.org` and `me@h.org`."""
    @property
    def start(self) -> int:
        """The offset at which the match starts, including its delimiters."""
    @property
    def end(self) -> int:
        """The offset at which the match ends (exclusive), including its delimiters."""
    @property
    def pieces(self) -> tuple[tuple[int, int], ...]:
        """The ranges that make up the URL, in order; in decoded mail, the ranges that encode it."""
    @property
    def scheme(self) -> str:
        """The scheme in lower case, without the colon; for a match without a scheme, the implied one."""
    @property
    def host(self) -> Optional[str]:
        """The host in lower case; None if the URL has no host."""
    @property
    def port(self) -> Optional[int]:
        """The port in the URL, or the default port of the scheme; None if the scheme has no default."""
    @property
    def ascii(self) -> Optional[str]:
        """The URL in ASCII (IDNA and percent-encoding); None if the URL is already ASCII."""
    @property
    def form(self) -> str:
        """How the URL is written: wrapper, angle, quote, paren, prefixed, bare, attribute, defanged or nested."""
    @property
    def text(self) -> Optional[str]:
        """The text of an HTML link, or the description of its image, at most 200 bytes; None for other matches."""
    @property
    def role(self) -> str:
        """The role of the URL: text, link, image, tracker, form_action, resource or header."""
    @property
    def element(self) -> Optional[str]:
        """The HTML or XML element and attribute that contain the URL, such as `a@href`; None for a URL in running text."""
    @property
    def grade(self) -> str:
        """How well formed the URL is: rfc1738, rfc3986 or lenient; in the dialect draft, draft1994 instead of rfc1738."""
    @property
    def reason(self) -> Optional[Reason]:
        """The reason why the grade is not better: a dict, or None."""
    @property
    def join(self) -> Optional[str]:
        """How the lines of the URL were joined: delimited, flowed or guess; None if it is on one line."""
    @property
    def alternatives(self) -> tuple[str, ...]:
        """The other readings of the URL, likeliest first."""
    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings that apply: password, port, control, userinfo, mixed_script, ip, truncated, long_host, shortener, hosted, redirect; for a link whose text shows another host, also text_host."""
    @property
    def unwrapped(self) -> tuple[str, ...]:
        """The services whose links contained the URL, outermost first; empty if the URL was in no such link, or without the option unwrap."""
    @property
    def ending(self) -> Optional[Ending]:
        """The reason why the URL ends, with explain=True or join='likely': a dict; None between delimiters."""
    @property
    def invalid(self) -> Optional[Invalid]:
        """The part of the URL that is not valid: a dict, or None."""
    @property
    def href(self) -> str:
        """The URL including an implied scheme: http://www.h.org/ for www.h.org/."""
    @property
    def clean(self) -> str:
        """The URL without tracking parameters such as utm_source, as --clean prints it."""
    @property
    def defanged(self) -> str:
        """The defanged URL, as --defang prints it: hxxp://h[.]org/."""
    @property
    def url_path(self) -> Optional[str]:
        """The path of the URL as written, including its slash; None if it is empty."""
    @property
    def query(self) -> Optional[str]:
        """The query of the URL as written, without the ?; None if the URL has no query."""
    @property
    def registered_domain(self) -> Optional[str]:
        """The public suffix of the host plus one label; None if the host is an IP address or has no public suffix."""
    @property
    def public_suffix(self) -> Optional[str]:
        """The public suffix of the host, such as co.uk; None if the host is an IP address or has no public suffix."""
    @property
    def rel(self) -> Optional[str]:
        """The rel attribute of the link, such as nofollow."""
    @property
    def member(self) -> Optional[str]:
        """The name of the zip or tar member."""
    @property
    def key(self) -> Optional[str]:
        """The path of the JSON string that contains the URL, as in jq: `.messages[3].text`, or the name of the CSV column; None for others."""
    @property
    def line(self) -> Optional[int]:
        """The line on which the match starts, from 1; None unless lines are counted."""
    @property
    def column(self) -> Optional[int]:
        """The column at which the match starts, in bytes from 1; None unless lines are counted."""
    @property
    def message(self) -> Optional[Message]:
        """The message or web archive record that contains the match: a dict; None in other files."""
    @property
    def path(self) -> Optional[str]:
        """The path of the file, such as `a.zip!/b.mbox` for a member of an archive; None if a string was searched."""
    def as_dict(self) -> dict[str, Any]:
        """Returns the match as a dict, with the keys and values of `urlgrep --json`; with unwrap=True, also 'unwrapped'."""
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class FindIter(Iterator[Match]):
    """The URLs in a text, in the order in which they start."""
    def __iter__(self) -> FindIter: ...
    def __next__(self) -> Match: ...

@final
class ArchiveMatches(Iterator[Match]):
    """The URLs in a file. Closes the file at the end, or after a `with` block."""
    def __iter__(self) -> ArchiveMatches: ...
    def __next__(self) -> Match: ...
    def close(self) -> None:
        """Ends the search, and closes the file if it was opened here."""
    def __enter__(self) -> ArchiveMatches: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Finder:
    """A search whose options are compiled once."""
    def __new__(cls, **options: Unpack[Options]) -> Finder: ...
    def find_iter(self, text: _Text, /) -> FindIter:
        """Returns the URLs in a text as an iterator."""
    def find_all(self, text: _Text, /) -> list[Match]:
        """Returns the URLs in a text as a list."""
    def is_match(self, text: _Text, /) -> bool:
        """Returns True if a text contains a URL."""
    def find_covering(self, text: _Text, offset: int, /) -> Optional[Match]:
        """Returns the match that contains `offset`, or None."""
    def match_at(self, text: _Text, offset: int, /) -> Optional[Match]:
        """Returns the match that starts at `offset`, or None; the text before it is ignored."""
    def open(self, file: Source, /) -> ArchiveMatches:
        """Returns the URLs in a file as an iterator."""
    @overload
    def extract(
        self,
        source: _Column,
        column: None = None,
        *,
        columns: _Columns = None,
        batch_size: int = 65536,
        archive: bool = False,
    ) -> Batches:
        """Returns the URLs in an Arrow column of texts, as a stream of record batches: a row for each URL."""
    @overload
    def extract(
        self,
        source: Any,
        column: str,
        *,
        columns: _Columns = None,
        keep: Sequence[str] = (),
        batch_size: int = 65536,
        archive: bool = False,
    ) -> pyarrow.RecordBatchReader:
        """Returns the URLs in `column` of a table, with the columns `keep` of their rows."""
    def _extract(
        self, source: Any, column: Optional[str], columns: _Columns, batch_size: int, *, archive: bool
    ) -> Batches: ...
    def extract_list(
        self, source: _Column, column: Optional[str] = None, *, columns: _ListColumns = None, archive: bool = False
    ) -> Lists:
        """Returns a list of URLs for each text of a column."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Batches(Iterator[Batch]):
    """The rows of a search as a stream of Arrow record batches."""
    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...
    def close(self) -> None:
        """Ends the search, and releases the column or the file."""
    def __enter__(self) -> Batches: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Batch:
    """An Arrow record batch of rows."""
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]: ...

@final
class Lists:
    """An Arrow array with a list of URLs for each text."""
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]: ...

def find_iter(text: _Text, /, **options: Unpack[TextOptions]) -> FindIter:
    """Returns the URLs in a text as an iterator."""
def find_all(text: _Text, /, **options: Unpack[TextOptions]) -> list[Match]:
    """Returns the URLs in a text as a list."""
def is_match(text: _Text, /, **options: Unpack[TextOptions]) -> bool:
    """Returns True if a text contains a URL."""
def find_covering(text: _Text, offset: int, /, **options: Unpack[TextOptions]) -> Optional[Match]:
    """Returns the match that contains `offset`, or None."""
def match_at(text: _Text, offset: int, /, **options: Unpack[TextOptions]) -> Optional[Match]:
    """Returns the match that starts at `offset`, or None; the text before it is ignored."""
def open(file: Source, /, **options: Unpack[Options]) -> ArchiveMatches:
    """Returns the URLs in a file as an iterator."""
def split(
    file: SeekableSource, size: int, count: bool, format: str, /
) -> list[tuple[int, int, int, int, str, int, int]]:
    """Returns parts of a file of about `size` bytes, which several processes can search.
    Each tuple contains the fields of a `Split`."""
def read_split(file: SeekableSource, split: Split, /, **options: Unpack[Options]) -> ArchiveMatches:
    """Returns the URLs in a part of a file as an iterator."""
def parse(url: Union[str, bytes], /) -> tuple[Any, ...]: ...
def parse_rfc1738(url: Union[str, bytes], /) -> tuple[Any, ...]: ...
@overload
def unwrap(url: str, /) -> Optional[str]: ...
@overload
def unwrap(url: bytes, /) -> Optional[bytes]: ...
def extract(
    source: _Column,
    column: Optional[str],
    columns: _Columns,
    batch_size: int,
    archive: bool,
    /,
    **options: Unpack[TableOptions],
) -> Batches: ...
def extract_list(
    source: _Column,
    column: Optional[str],
    columns: _ListColumns,
    archive: bool,
    /,
    **options: Unpack[TableOptions],
) -> Lists: ...
def open_files(
    files: _Files,
    columns: _Columns,
    batch_size: int,
    progress: Optional[Callable[[int, Optional[int]], object]],
    total: Optional[int],
    /,
    **options: Unpack[TableOptions],
) -> Batches: ...
def restore(*state: Any) -> Match: ...
