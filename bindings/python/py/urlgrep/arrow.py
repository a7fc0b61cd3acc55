"""Tables of URLs from columns of strings or bytes, and from files of mail, news, HTML and text.

A column may come from pyarrow, Polars, DuckDB or any object with the Arrow PyCapsule interface. Columns are not copied,
matches do not become Python objects, and other threads run during a search. pyarrow is needed only for `column` and `keep`
of extract.

A match has these columns. `columns` selects some of them, and only these are computed. Offsets count bytes from 0, even in
a column of strings, and ends are exclusive. A dict renames columns: {"link": "url"}.

    url                string, null if it is not UTF-8
    url_bytes          binary
    start              int64, including delimiters
    end                int64
    scheme             string, lower case
    host               string, lower case, or null
    form               string: 'wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'attribute', 'defanged', 'nested'
    grade              string: 'rfc1738', 'rfc3986', 'lenient', 'draft1994'
    join               string: 'delimited', 'flowed', 'guess', or null

These are the default, after `row` or `path`. More columns on request:

    row                int64: the row of the column, from 0 (not of files)
    item               int64: the item of a row that is a list, from 0 (not of files)
    path               string: the file, as 'a.zip!/b' for a member (of files)
    line               int64, from 1; counts the lines before the match
    column             int64: the byte of the line, from 1; counts them as well
    pieces             list of structs of start and end, int64: the ranges that make up the URL
    port               int32: the port in the URL, or the default of the scheme
    ascii              string: the URL in ASCII, if it contains other characters
    href               string: the URL including an implied scheme
    clean              string: the URL without the parameters that only track, such as utm_source
    defanged           string: the URL that no program opens: 'hxxp://h[.]org/'
    url_path           string: '/a' for http://h.org/a?b, as written, or null
    query              string: 'b', or null
    registered_domain  string: 'example.co.uk' for www.example.co.uk, or null
    public_suffix      string: 'co.uk', or null
    role               string: 'text', 'link', 'image', 'tracker', 'form_action', 'resource', 'header'
    reason             struct of production, offset and message: why the grade is not better
    reason_production  string: the grammar production that rejects the URL
    reason_offset      int64: the byte of the URL at which it fails, from 0
    reason_message     string: the expected and the found text there
    alternatives       list of strings: other readings, likeliest first
    warnings           list of strings: 'password', 'port', 'control', 'userinfo' and others
    stop               string: with explain=True, the text that ends the URL
    trimmed            int64: with explain=True, the number of bytes that were trimmed before it
    ending             struct of stop and trimmed
    invalid_kind       string: the kind of the part that is not valid, such as 'port', or null
    invalid_part       string: the part
    invalid_expected   string: what was expected instead
    invalid            struct of kind, part and expected
    unwrapped          list of strings: with unwrap=True, the services whose links contained the URL

and of files, and of rows with archive=True:

    member             string: the name of the member of a zip or tar archive
    text               string: the text of the link
    element            string: the element and attribute, such as 'a@href'
    rel                string: the rel attribute of the link, such as 'nofollow ugc'
    key                string: the path of the JSON string that contains the URL, such as '.messages[3].text'
    message_index      int64: the number of messages before the match's message
    message_id         string, as are the other header fields of the message:
    from, date, subject, newsgroups, to, cc, list_id, in_reply_to
    part               string: the number of the part, such as '1.2'
    content_type       string: the media type of the part
    header             string: the name of the field, if the match is in one
    quote_depth        int64: the number of '>' at the start of the line
    filename           string: the file name of the part, if it is a file
    uri                string: the URL of a web archive's record
    record_type        string: 'response' and others
    record_offset      int64: the byte of the file at which the record begins
    message            struct: the whole message and record, with the keys of `urlgrep --json`

Except in url, bytes that are not UTF-8 become U+FFFD.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union, overload

from . import _urlgrep
from ._urlgrep import Batch, Batches, Lists

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack

    from ._urlgrep import TableOptions, _Column, _Files

__all__ = ["Batch", "Batches", "Lists", "extract", "extract_list", "open", "read_warc"]
__dir__ = __all__.copy

#: The names of columns, or a dict from new names to these.
Columns = Union[Sequence[str], Mapping[str, str], None]

#: The names of columns as in Columns, or the name of one column.
ListColumns = Union[str, Columns]

#: A function that receives the number of bytes read, and the total number of bytes if it is known.
Progress = Callable[[int, Optional[int]], object]

#: The columns of read_warc.
_LINKS = {"source": "uri", "target": "url", "text": "text", "role": "role", "element": "element", "rel": "rel"}


def open(
    files: _Files,
    *,
    columns: Columns = None,
    batch_size: int = 65536,
    progress: Optional[Progress] = None,
    **options: Unpack[TableOptions],
) -> Batches:
    """Returns the URLs in files, one row for each, in the order of the files.

    The batches have the column `path`, and the columns of a match, or the columns in `columns`.

        polars.DataFrame(urlgrep.arrow.open(["a.mbox", "b.warc.gz"], columns=["path", "url", "date"]))

    files: a path or binary file object, as for urlgrep.open; an object with a method open() that returns such a file,
    such as fsspec.open(url); a pair of one of these and an urlgrep.Split, for a part of the file; or an iterable of these,
    which is read while the result is read. Files that are opened here are closed here.

    batch_size: the maximum number of rows in a batch; a batch also ends at 16 MiB of strings. Memory depends on this and on
    the longest message, not on the files.

    progress: a function that is called at most ten times a second, and at the end, with two numbers: the number of (still
    compressed) bytes that have been read, and their total. The total is None unless `files` is one file or a list of files,
    all of which are paths, files of the system or of fsspec, or parts. An exception from it ends the search.

        with tqdm.tqdm(unit="B", unit_scale=True) as bar:
            def progress(read, total):
                bar.total = total
                bar.update(read - bar.n)
            table = pyarrow.table(urlgrep.arrow.open(paths, progress=progress))

    In parts of a file that is divided by gzip members (see urlgrep.split), start, end, pieces, record_offset, line and
    message_index are null, because the length of the data before them is unknown.

    The result is an Arrow stream, for pyarrow.table, pyarrow.RecordBatchReader.from_stream, polars.DataFrame or
    DuckDB, or an iterator of batches. It has close(), and can be used with `with`. Only one thread can use it at a time;
    other threads get a RuntimeError.

    Options: the options of urlgrep.open except line_numbers. errors may also be 'column': then a part that could not be
    opened, read or decoded is a row in the same stream. Its `error` is a struct, which is null for a match:

        path        string: the file, or the member of an archive
        kind        string: 'open', 'read', 'damaged', 'unsupported' or 'undecoded'
        message     string
        bytes_read  int64: the number of bytes of the file that were read before

    The other columns of such a row are null, except `path`. With errors='warn', the error is an UrlgrepWarning. In both
    cases the rest of the file and the other files are searched, even if a file object raises an exception; Ctrl-C is still
    raised.

    Raises OSError, with the path, if a file cannot be opened or read, or is damaged; a single file is opened at once,
    the others when the result reaches them. Raises TypeError for files of another type, ValueError for a wrong column.
    """
    total = None if progress is None else _length(files)
    return _urlgrep.open_files(files, columns, batch_size, progress, total, **options)


def read_warc(
    files: _Files,
    *,
    columns: Columns = None,
    batch_size: int = 65536,
    progress: Optional[Progress] = None,
    **options: Unpack[TableOptions],
) -> Batches:
    """Returns the links of the pages in web archives (WARC, WET, WAT, ARC, compressed or not), for a graph of the web.

    This is open with these columns:

        source   string: the URL of the page
        target   string: the URL, absolute even for a relative link
        text     string: the text of the link, or null
        role     string: 'link', 'image', 'tracker', 'form_action', 'resource', or 'text' and 'header' for a URL that is not a link
        element  string: the element and attribute, such as 'a@href', or null
        rel      string: the rel attribute of the link, such as 'nofollow ugc', or null

        links = polars.DataFrame(urlgrep.arrow.read_warc("CC-MAIN-….warc.gz", errors="column"))
        links.filter(role="link").select("source", "target")

    In WET, which contains the texts of pages, each URL has the role 'text'. In WAT, whose JSON contains the links of pages, a
    link has the role that it had in the page and the text that WAT stores for it, and its URL is resolved; URLs in other
    strings, such as HTTP headers, have the role 'text'.

    files, batch_size, progress, options: the same as for open. A file in another format has no source. columns: other columns
    of open, instead of these.
    """
    return open(files, columns=_LINKS if columns is None else columns, batch_size=batch_size, progress=progress, **options)


def _length(files: Any) -> Optional[int]:
    """Returns the number of bytes of a file, a part or a list of them, if it is known without reading."""
    if isinstance(files, list):
        lengths = [_length(file) for file in files]
        return None if None in lengths else sum(length or 0 for length in lengths)
    if isinstance(files, tuple):
        is_part = len(files) == 2 and isinstance(files[1], tuple)
        return int(files[1][1]) if is_part else None
    if isinstance(files, (str, bytes, os.PathLike)):
        try:
            return os.stat(files).st_size
        except OSError:
            return 0
    size = getattr(files, "size", None)
    if isinstance(size, int):
        return size
    try:
        return os.fstat(files.fileno()).st_size
    except (AttributeError, OSError):
        return None


@overload
def extract(
    source: _Column,
    column: None = None,
    *,
    columns: Columns = None,
    batch_size: int = 65536,
    archive: bool = False,
    **options: Unpack[TableOptions],
) -> Batches: ...
@overload
def extract(
    source: Any,
    column: str,
    *,
    columns: Columns = None,
    keep: Sequence[str] = (),
    batch_size: int = 65536,
    archive: bool = False,
    **options: Unpack[TableOptions],
) -> pyarrow.RecordBatchReader: ...
def extract(
    source: Any,
    column: Optional[str] = None,
    *,
    columns: Columns = None,
    keep: Sequence[str] = (),
    batch_size: int = 65536,
    archive: bool = False,
    **options: Any,
) -> Any:
    """Returns the URLs in a column, one row for each.

    The batches have the column `row` (int64), which counts the rows of the column from 0, and the columns of a match, or the
    columns in `columns`.

    source: an array or a stream of arrays, such as a pyarrow.Array or ChunkedArray or a polars.Series, of strings or bytes
    (including large, view, fixed-size, dictionary-encoded and run-end-encoded ones), with or without nulls, or of lists of
    these; or an iterator of arrays, which is read while the result is read. Each item of a list is a separate text: its number
    is in the column `item`, and offsets refer to the item.

    column, keep: with the name of a column, source is a table: a pyarrow.Table, RecordBatch or RecordBatchReader, a
    polars.DataFrame or LazyFrame, any Arrow stream of structs, or an iterator of record batches. "message.body" is the
    field `body` of the structs in `message`, even if they are in lists. Each match repeats the columns `keep` of its row,
    which come first. Then the result is a pyarrow.RecordBatchReader.

    batch_size: the maximum number of rows in a batch; a batch also ends at 16 MiB of strings. The column is read while the
    result is read: 64 KiB for the first batch, and twice as much for each of the next ones, up to 16 MiB.

    archive: if True, a row is a message or a file instead of text. It is decoded as by urlgrep.open, and offsets refer to
    the row after decompression.

    Without the name of a column, the result is an Arrow stream, for pyarrow.table, polars.DataFrame or DuckDB, or an
    iterator of batches. Only one thread can use it at a time; other threads get a RuntimeError.

    Options: the options of find_iter except line_numbers; with archive=True, also the options of open. A damaged row raises
    ValueError with the number of the row. With errors='warn', the matches before the damage are kept, and the rest is
    searched. With errors='column', the damage is also a row: see open. A Finder, which stores options, has this function as
    a method.

    Raises TypeError if the column contains neither strings nor bytes, ValueError at a row whose offsets, view or index are
    wrong. The sizes of buffers are checked only for columns of pyarrow and pandas, because other libraries do not pass them
    on.
    """
    if column is None and not keep:
        return _urlgrep.extract(source, None, columns, batch_size, archive, **options)
    from . import _tables

    def search(source: Any, column: Optional[str], columns: Columns, batch_size: int) -> Batches:
        return _urlgrep.extract(source, column, columns, batch_size, archive, **options)

    return _tables.extract(search, source, column, columns, keep, batch_size)


def extract_list(
    source: _Column,
    column: Optional[str] = None,
    *,
    columns: ListColumns = None,
    archive: bool = False,
    **options: Unpack[TableOptions],
) -> Lists:
    """Returns the URLs in a column, as one list of structs for each row: an Arrow array as long as the column.

    A row without URLs is an empty list, and a null row is null. The structs have the columns of a match, or the columns in
    `columns`. With a single name, columns="url", the lists contain the values instead of structs. The result is for
    pyarrow.array, polars.Series and functions of DuckDB; chunks of the column become one array.

    source, column: the same as for extract, except a LazyFrame. A table does not need pyarrow.

    The rest is the same as for extract. Raises ValueError if the matches take more than 2 GiB in total.
    """
    return _urlgrep.extract_list(source, column, columns, archive, **options)
