"""The part of the package that is Rust."""

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

#: An array or a stream of arrays; Series of pandas have neither method in all versions.
_Column = Union[_ArrowArray, _ArrowStream, Any]
_Files = Union[Source, tuple[SeekableSource, Split], Iterable[Union[Source, tuple[SeekableSource, Split]]]]

class TextOptions(TypedDict, total=False):
    join: Literal["none", "delimited", "likely"]
    hyphen: Literal["keep", "drop", "both"]
    grade: Literal["lenient", "rfc3986", "rfc1738", "draft1994"]
    dialect: Literal["rfc1738", "draft"]
    scheme: Union[str, list[str]]
    known: Union[str, list[str]]
    width: int
    cells: bool
    max_len: int
    iri: Literal["words", "all", "ascii"]
    hosts: bool
    domains: Literal["none", "names", "all"]
    addresses: bool
    ips: bool
    refang: bool
    unwrap: bool
    line_numbers: bool
    explain: bool

class Options(TextOptions, total=False):
    format: Literal["auto", "text", "mail", "mbox", "rnews", "html", "json", "warc", "calendar"]
    attachments: Literal["none", "documents", "all"]
    headers: bool
    dot_stuffing: bool
    base: str
    errors: Literal["raise", "warn"]

class TableOptions(TextOptions, total=False):
    format: Literal["auto", "text", "mail", "mbox", "rnews", "html", "json", "warc", "calendar"]
    attachments: Literal["none", "documents", "all"]
    headers: bool
    dot_stuffing: bool
    base: str
    errors: Literal["raise", "warn", "column"]

def _kinds() -> dict[str, type]: ...

class Ending(TypedDict):
    stop: str
    trimmed: int

class Reason(TypedDict):
    production: str
    offset: int
    message: str

class _Record(TypedDict, total=False):
    """Of a web archive."""

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

class Message(_Message, _Record): ...

# Without an order: sorted() needs a key.
@final
class Match:
    @property
    def url(self) -> str: ...
    @property
    def url_bytes(self) -> bytes: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def pieces(self) -> tuple[tuple[int, int], ...]: ...
    @property
    def scheme(self) -> str: ...
    @property
    def host(self) -> Optional[str]: ...
    @property
    def port(self) -> Optional[int]: ...
    @property
    def ascii(self) -> Optional[str]: ...
    @property
    def form(self) -> str: ...
    @property
    def text(self) -> Optional[str]: ...
    @property
    def role(self) -> str: ...
    @property
    def element(self) -> Optional[str]: ...
    @property
    def grade(self) -> str: ...
    @property
    def reason(self) -> Optional[Reason]: ...
    @property
    def join(self) -> Optional[str]: ...
    @property
    def alternatives(self) -> tuple[str, ...]: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...
    @property
    def unwrapped(self) -> tuple[str, ...]: ...
    @property
    def ending(self) -> Optional[Ending]: ...
    @property
    def href(self) -> str: ...
    @property
    def url_path(self) -> Optional[str]: ...
    @property
    def query(self) -> Optional[str]: ...
    @property
    def registered_domain(self) -> Optional[str]: ...
    @property
    def public_suffix(self) -> Optional[str]: ...
    @property
    def rel(self) -> Optional[str]: ...
    @property
    def member(self) -> Optional[str]: ...
    @property
    def key(self) -> Optional[str]: ...
    @property
    def line(self) -> Optional[int]: ...
    @property
    def column(self) -> Optional[int]: ...
    @property
    def message(self) -> Optional[Message]: ...
    @property
    def path(self) -> Optional[str]: ...
    def as_dict(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class FindIter(Iterator[Match]):
    def __iter__(self) -> FindIter: ...
    def __next__(self) -> Match: ...

@final
class ArchiveMatches(Iterator[Match]):
    def __iter__(self) -> ArchiveMatches: ...
    def __next__(self) -> Match: ...
    def close(self) -> None: ...
    def __enter__(self) -> ArchiveMatches: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Finder:
    def __new__(cls, **options: Unpack[Options]) -> Finder: ...
    def find_iter(self, text: _Text, /) -> FindIter: ...
    def find_all(self, text: _Text, /) -> list[Match]: ...
    def is_match(self, text: _Text, /) -> bool: ...
    def open(self, file: Source, /) -> ArchiveMatches: ...
    @overload
    def extract(
        self,
        source: _Column,
        column: None = None,
        *,
        columns: _Columns = None,
        batch_size: int = 65536,
        archive: bool = False,
    ) -> Batches: ...
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
    ) -> pyarrow.RecordBatchReader: ...
    def _extract(
        self, source: Any, column: Optional[str], columns: _Columns, batch_size: int, *, archive: bool
    ) -> Batches: ...
    def extract_list(
        self, source: _Column, column: Optional[str] = None, *, columns: _ListColumns = None, archive: bool = False
    ) -> Lists: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Batches(Iterator[Batch]):
    def __iter__(self) -> Batches: ...
    def __next__(self) -> Batch: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...
    def close(self) -> None: ...
    def __enter__(self) -> Batches: ...
    def __exit__(self, *exception: object) -> None: ...

@final
class Batch:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]: ...

@final
class Lists:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]: ...

def find_iter(text: _Text, /, **options: Unpack[TextOptions]) -> FindIter: ...
def find_all(text: _Text, /, **options: Unpack[TextOptions]) -> list[Match]: ...
def is_match(text: _Text, /, **options: Unpack[TextOptions]) -> bool: ...
def open(file: Source, /, **options: Unpack[Options]) -> ArchiveMatches: ...
def split(
    file: SeekableSource, size: int, count: bool, format: str, /
) -> list[tuple[int, int, int, int, str, int, int]]: ...
def read_split(file: SeekableSource, split: Split, /, **options: Unpack[Options]) -> ArchiveMatches: ...
def parse(url: Union[str, bytes], /) -> tuple[Any, ...]: ...
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
