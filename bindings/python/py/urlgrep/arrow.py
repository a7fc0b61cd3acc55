"""Tables of URLs: from columns of strings or bytes (of pyarrow, Polars, DuckDB, and all that has the Arrow PyCapsule
interface), and from files of mail, news, HTML and text.

Nothing is copied on the way in or out, no object of Python is made for a match, and other threads run meanwhile. pyarrow
is not needed, except for `column` and `keep` of extract.

A match has these columns. `columns` chooses some of them, and what is not chosen is not computed. Offsets are bytes, also
in a column of strings, from 0, with exclusive ends. With a dict, columns get other names: {"link": "url"}.

    url                string, null if it is not UTF-8
    url_bytes          binary
    start              int64, delimiters included
    end                int64
    scheme             string, lower case
    host               string, lower case, or null
    form               string: 'wrapper', 'angle', 'quote', 'paren', 'prefixed', 'bare', 'attribute', 'defanged'
    grade              string: 'rfc1738', 'rfc3986', 'lenient', 'draft1994'
    join               string: 'delimited', 'flowed', 'guess', or null

Those are what a caller gets who chooses none, after `row` or `path`. There are also:

    row                int64: the row of the column, from 0 (not of files)
    item               int64: the item of a row that is a list, from 0 (not of files)
    path               string: the file, as 'a.zip!/b' for a member (of files)
    line               int64, from 1; counts the lines before the match
    column             int64: the byte of the line, from 1; the same
    pieces           list of structs of start and end, int64: the ranges that the URL is made of
    port               int32: that in the URL, or the default of the scheme
    ascii              string: the URL in ASCII, if it has other characters
    href               string: the URL with its scheme, if that is implied
    defanged           string: the URL written so that no program opens it: 'hxxp://h[.]org/'
    url_path           string: '/a' of http://h.org/a?b, as it is written, or null
    query              string: 'b', or null
    registered_domain  string: 'example.co.uk' of www.example.co.uk, or null
    public_suffix                string: 'co.uk', or null
    role               string: 'text', 'link', 'image', 'tracker', 'form_action', 'resource', 'header'
    reason             struct of production, offset and message: why the grade is not better
    reason_production  string: the production of the grammar that refuses the URL
    reason_offset      int64: the byte of the URL at which it does, from 0
    reason_message     string: what was expected there, and what was found
    alternatives       list of strings: other readings, likeliest first
    warnings           list of strings: 'password', 'port', 'control', 'userinfo' and others
    stop               string: with explain=True, what ends the URL
    trimmed            int64: and how many bytes were trimmed before that
    ending             struct of stop and trimmed
    unwrapped          list of strings: with unwrap=True, the links that the URL was within

and of files, and of rows with archive=True:

    member             string: the name of the member of a zip or tar archive
    text               string: what a reader sees of the link
    element            string: the element and attribute, as 'a@href'
    rel                string: what the link says of where it leads, as 'nofollow ugc'
    key                string: the path of the string of JSON that has the URL, as '.messages[3].text'
    message_index      int64: how many messages precede that of the match
    message_id         string, and so are all others of the message:
    from, date, subject, newsgroups, to, cc, list_id, in_reply_to
    part               string: the number of the part, as '1.2'
    content_type       string: the media type of the part
    header             string: the name of the field, if the match is in one
    quote_depth        int64: how many '>' the line begins with
    filename           string: the name of the part, if it is a file
    uri                string: the address of the record of a web archive
    record_type        string: 'response' and others
    record_offset      int64: the byte of the file at which the record begins
    message            struct: all of the message and the record, with the keys of `urlgrep --json`

In all but url, what is not UTF-8 is U+FFFD.
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

#: The names of columns, or new names and those.
Columns = Union[Sequence[str], Mapping[str, str], None]

#: The same, or the name of one column.
ListColumns = Union[str, Columns]

#: What is told how many bytes have been read, and how many there are, if that is known.
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
    """The URLs in files, one row for each, in the order of the files: batches with the column `path`, and the columns
    of a match, or those of `columns`.

        polars.DataFrame(urlgrep.arrow.open(["a.mbox", "b.warc.gz"], columns=["path", "url", "date"]))

    files: a path or binary file object, as for urlgrep.open; an object with a method open() that returns such a file,
    as fsspec.open(url); a pair of one of those and an urlgrep.Split, for a part of the file; or an iterable of all
    that, which is read as the result is. Files that are opened here are closed here.

    batch_size: the most rows of a batch; it also ends at 16 MiB of strings. Memory depends on that and on the longest
    message, not on the files.

    progress: a function that is called ten times a second, at most, and at the end, with two numbers: how many bytes of the
    files have been read, compressed as they are, and how many there are. The second is None unless `files` is one file or a
    list of them, all of which are paths, files of the system or of fsspec, or parts. What it raises ends the search.

        with tqdm.tqdm(unit="B", unit_scale=True) as bar:
            def progress(read, total):
                bar.total = total
                bar.update(read - bar.n)
            table = pyarrow.table(urlgrep.arrow.open(paths, progress=progress))

    In parts of a file that is divided by members of gzip (see urlgrep.split) start, end, pieces, record_offset, line and
    message_index are null: what precedes them is not known.

    The result is an Arrow stream, for pyarrow.table, pyarrow.RecordBatchReader.from_stream, polars.DataFrame or
    DuckDB, or an iterator of batches. It has close(), and can be used with `with`. One thread can use it at a time: in
    others that is a RuntimeError.

    Options: those of urlgrep.open but line_numbers, and for errors also 'column': what could not be opened, read or
    decoded is a row in the same stream. Its `error` is a struct, null for a match:

        path        string: the file, or the member of an archive
        kind        string: 'open', 'read', 'damaged', 'unsupported' or 'undecoded'
        message     string
        bytes_read  int64: how many bytes of the file were read before

    All else in such a row is null, but for `path`. With errors='warn' it is an UrlgrepWarning. In both cases the rest
    of the file and the other files are searched, whatever a file object raises; Ctrl-C is still raised.

    Raises OSError, with the path, if a file cannot be opened or read, or is damaged; a single file is opened at once,
    others when the result comes to them. Raises TypeError for files of another type, ValueError for a wrong column.
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
    """The links of the pages in web archives (WARC, WET, WAT, ARC, compressed or not), for a graph of the web: as
    open, with these columns.

        source   string: the address of the page
        target   string: the URL, absolute, also of a relative link
        text     string: what a reader sees of the link, or null
        role     string: 'link', 'image', 'tracker', 'form_action', 'resource', or 'text' and 'header' for a URL that is no link
        element  string: the element and attribute, as 'a@href', or null
        rel      string: what the link says of where it leads, as 'nofollow ugc', or null

        links = polars.DataFrame(urlgrep.arrow.read_warc("CC-MAIN-….warc.gz", errors="column"))
        links.filter(role="link").select("source", "target")

    In WET, which has the texts of pages, each URL is a text. In WAT, whose JSON has the links of pages, a link is what it
    was in the page, with the text that WAT has of it, and its address is resolved; the URLs in other strings, such as
    the headers of HTTP, are texts.

    files, batch_size, progress, options: those of open. A file of another format has no source. columns: others of open, if
    these are not wanted.
    """
    return open(files, columns=_LINKS if columns is None else columns, batch_size=batch_size, progress=progress, **options)


def _length(files: Any) -> Optional[int]:
    """How many bytes a file, a part or a list of them has, if nothing has to be read for that."""
    if isinstance(files, list):
        lengths = [_length(file) for file in files]
        return None if None in lengths else sum(length or 0 for length in lengths)
    if isinstance(files, tuple) and len(files) == 2 and isinstance(files[1], tuple):
        return int(files[1][1])
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
    """The URLs in a column, one row for each: batches with the column `row` (int64), which counts the rows of the
    column from 0, and the columns of a match, or those of `columns`.

    source: an array, or a stream of arrays: a pyarrow.Array or ChunkedArray, a polars.Series and others, of strings or
    bytes (also large, view, fixed-size, dictionary-encoded and run-end-encoded ones), with or without nulls, or of lists of
    them; or an iterator of arrays, which is read as the result is. Each item of a list is a text of its own, and its
    offsets are those in the item, whose number is in the column `item`.

    column, keep: with a name of a column, source is a table: a pyarrow.Table, RecordBatch or RecordBatchReader, a
    polars.DataFrame or LazyFrame, any Arrow stream of structs, or an iterator of record batches. "message.body" is the
    field `body` of the structs in `message`, also if they are in lists. Each match repeats the columns `keep` of its row,
    which come first. The result is a pyarrow.RecordBatchReader then.

    batch_size: the most rows of a batch; it also ends at 16 MiB of strings. The column is read as the result is: 64 KiB for
    the first batch, and twice as much for each of the next ones, up to 16 MiB.

    archive: whether a row is a message or a file, and not text. It is decoded as by urlgrep.open, and the offsets are
    those of the row after decompression.

    Without a name of a column the result is an Arrow stream, for pyarrow.table, polars.DataFrame or DuckDB, or an iterator
    of batches. One thread can use it at a time: in others that is a RuntimeError.

    Options: those of find_iter but line_numbers; with archive=True, also those of open. A damaged row raises
    ValueError, which names it; with errors='warn', the matches before the damage are kept, and the rest is searched;
    with errors='column', the damage is a row, too: see open. A Finder, which has options, has this function as a method.

    Raises TypeError if the column is none of strings or bytes, ValueError at a row whose offsets, view or index are wrong.
    The sizes of buffers are checked for columns of pyarrow and pandas alone: other libraries do not pass them on.
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
    """The URLs in a column, as one list of structs for each row: an Arrow array as long as the column.

    A row without URLs has an empty list, a null row null. The structs have the columns of a match, or those of
    `columns`. With one name, columns="url", there are no structs, but lists of the values. The result is for
    pyarrow.array, polars.Series and functions of DuckDB; chunks of the column become one array.

    source, column: those of extract, but for a LazyFrame. This does not need pyarrow for a table.

    All else is as for extract. Raises ValueError if the matches have more than 2 GiB in all.
    """
    return _urlgrep.extract_list(source, column, columns, archive, **options)
