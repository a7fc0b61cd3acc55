"""Generates columns, most of them wrong somewhere, and searches each in a process of its own.

    python hostile.py SEED COUNT

Prints a line of JSON for each column: how it came in and what is wrong with it, what plain Python reads in it, what
urlgrep found, and how the process ended. Columns come from pyarrow, over memory and IPC streams that were changed, and as
structs of the C data interface, as any library exports them. A URL that nobody may see, the canary, is on both sides of
each buffer.
"""

import ctypes
import gc
import json
import os
import random
import signal
import struct
import sys
import traceback

import pandas as pd
import pyarrow as pa
import urlgrep
import urlgrep.arrow as ua
from urlgrep import _urlgrep

CANARY = b" http://canary.example/secret "

#: A search of a few rows that takes more seconds has no end.
LONGEST = 30

#: Rows of which nobody says what they are: they are found, or wrong.
ANY = "any"

#: What is before the rows of a column that are the items of a list.
LIST = "list"

#: Integers: a letter of Arrow's formats, and the one that the struct module has for it.
INTEGERS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q"}

#: Strings, by their offsets.
OFFSETS = {"u": "i", "z": "i", "U": "l", "Z": "l"}

VIEWS = ("vu", "vz")
WIDTH = 20
FORMATS = [*OFFSETS, *VIEWS, f"w:{WIDTH}", "dictionary"]


def size(letter):
    return struct.calcsize("=" + INTEGERS[letter])


def get(letter, buffer, index):
    return struct.unpack_from("=" + INTEGERS[letter], buffer, index * size(letter))[0]


def pack(letter, *values):
    """Integers, of which only the lower bytes are kept."""
    return b"".join((value % (1 << 8 * size(letter))).to_bytes(size(letter), sys.byteorder) for value in values)


# What the specification says, in plain Python.


class Invalid(Exception):
    """Not a column."""


class Column:
    """The fields of an ArrowArray, with its buffers as bytes or None, and its format."""

    def __init__(self, format, length, offset, nulls, buffers, dictionary=None):
        self.format, self.length, self.offset, self.nulls = format, length, offset, nulls
        self.buffers, self.dictionary = buffers, dictionary

    @property
    def end(self):
        return self.offset + self.length

    def parts(self):
        return [self, *([self.dictionary] if self.dictionary else [])]

    def rows(self):
        """All rows: bytes or None."""
        self.check()
        return [self.row(at) for at in range(self.offset, self.end)]

    def check(self):
        """Are there buffers for all rows, and as many nulls as it says?"""
        if self.length == 0 or self.format == "n":
            return
        if self.buffers[0] is not None:
            need(self.buffers[0], (self.end + 7) // 8)
        if self.dictionary:
            need(self.buffers[1], self.end * size(self.format))
            self.dictionary.check()
        elif self.format in VIEWS:
            need(self.buffers[1], self.end * 16)
        elif self.format.startswith("w:"):
            need(self.buffers[1], self.end * int(self.format[2:]))
        else:
            need(self.buffers[1], (self.end + 1) * size(OFFSETS[self.format]))
            need(self.buffers[2], self.last())
            if not 0 <= get(OFFSETS[self.format], self.buffers[1], self.offset) <= self.last():
                raise Invalid("the first offset")
        nulls = sum(self.null(at) for at in range(self.offset, self.end))
        if self.nulls not in (-1, nulls):
            raise Invalid("nulls")

    def null(self, at):
        # Who says that no row is null is believed.
        return self.nulls != 0 and self.buffers[0] is not None and not self.buffers[0][at // 8] >> at % 8 & 1

    def last(self):
        """The last offset."""
        last = get(OFFSETS[self.format], self.buffers[1], self.end)
        if last < 0:
            raise Invalid("the last offset")
        return last

    def row(self, at):
        """A row of the buffers."""
        if self.format in OFFSETS:
            start, end = (get(OFFSETS[self.format], self.buffers[1], index) for index in (at, at + 1))
            if not 0 <= start <= end <= self.last():
                raise Invalid("an offset")
            return None if self.null(at) else (self.buffers[2] or b"")[start:end]
        if self.format == "n" or self.null(at):
            return None
        if self.dictionary:
            index = get(self.format, self.buffers[1], at)
            if not 0 <= index < self.dictionary.length:
                raise Invalid("an index")
            return self.dictionary.row(self.dictionary.offset + index)
        if self.format in VIEWS:
            return view(self.buffers[1][at * 16 : at * 16 + 16], self.buffers[2:])
        width = int(self.format[2:])
        return self.buffers[1][at * width : (at + 1) * width]


def need(buffer, size):
    if size > len(buffer or b""):
        raise Invalid("a buffer")


def read(column, before):
    """The rows after as many null ones; None if they are not valid. LIST: one row that is a list of them."""
    try:
        if before == LIST:
            return [column.rows()]
        return None if before is None else [None] * before + column.rows()
    except Invalid:
        return None


def view(view, buffers):
    length, index, start = (get("I", view, at) for at in (0, 2, 3))
    if length <= 12:
        return view[4 : 4 + length]
    found = buffers[index][start : start + length] if index < len(buffers) else b""
    if len(found) != length or found[:4] != view[4:8]:
        raise Invalid("a view")
    return found


# Columns that are right.


def honest(chance, format):
    if format == "dictionary":
        values = honest(chance, chance.choice(FORMATS[:-1]))
        keys = chance.choice(list(INTEGERS))
        rows = [chance.choice([None, chance.randrange(values.length)]) for _ in range(chance.randint(1, 12))]
        return sliced(chance, keys, rows, [pack(keys, *(row or 0 for row in rows))], values)
    rows = [text(chance) for _ in range(chance.randint(1, 12))]
    if format in VIEWS:
        return sliced(chance, format, rows, views(chance, rows))
    if format in OFFSETS:
        ends = [sum(len(row or b"") for row in rows[:end]) for end in range(len(rows) + 1)]
        return sliced(chance, format, rows, [pack(OFFSETS[format], *ends), b"".join(row or b"" for row in rows)])
    return sliced(chance, format, rows, [b"".join((row or b"").ljust(WIDTH)[:WIDTH] for row in rows)])


def text(chance):
    url = b"http://h%d.org/%d" % (chance.randint(1, 9), chance.randint(1, 99))
    return chance.choice([None, b"", b"no link", url[:12], b"at " + url + b" now", url + b"a" * chance.randint(1, 40)])


def views(chance, rows):
    buffers, views = [b""] * chance.randint(1, 3), b""
    for row in rows:
        index, row = chance.randrange(len(buffers)), row or b""
        if len(row) <= 12:
            views += pack("I", len(row)) + row.ljust(12, b"\0")
        else:
            views += pack("I", len(row)) + row[:4] + pack("I", index, len(buffers[index]))
            buffers[index] += row
    return [views, *buffers]


def sliced(chance, format, rows, buffers, dictionary=None):
    first = chance.choice([0, chance.randrange(len(rows))])
    length = chance.choice([len(rows) - first, chance.randint(1, len(rows) - first)])
    bits = sum(1 << at for at, row in enumerate(rows) if row is not None)
    bitmap = None if None not in rows else bits.to_bytes(len(rows) // 8 + 1, "little")
    nulls = chance.choice([-1, rows[first : first + length].count(None)])
    return Column(format, length, first, nulls, [bitmap, *buffers], dictionary)


# Columns that are wrong.


def spoil(chance, column, sizes):
    """Changes a number in a buffer, and says which. `sizes`: whether the exporter knows how long its buffers are."""
    if chance.random() < 0.2:
        return "nothing"
    column = chance.choice(column.parts())
    buffers = column.buffers = [buffer and bytearray(buffer) for buffer in column.buffers]
    if buffers[0] and chance.random() < 0.1:
        buffers[0][chance.randrange(len(buffers[0]))] ^= 1 << chance.randrange(8)
        return "a bit of the nulls"
    if column.dictionary:
        count = column.dictionary.length
        letter, at = column.format, chance.randrange(column.end)
        values = [-1, -128, count - 1, count, count + 1, count + 40, 127, 1 << 31, (1 << 63) - 1]
    elif column.format in VIEWS:
        letter, at = "I", chance.randrange(column.end * 4)
        length = len(chance.choice(buffers[2:]))
        values = [-1, 0, 12, 13, 40, 1 << 31, length, length + 1, len(buffers) - 2, 1000, chance.randrange(256)]
    elif column.format in OFFSETS:
        letter, at = OFFSETS[column.format], chance.randint(0, column.end)
        last = column.last()
        values = [-1, -len(CANARY), -(1 << 31), 0, chance.randint(0, last), last]
        # Only who knows the sizes of the buffers can tell whether the last offset is beyond.
        if sizes or at < column.end:
            values += [last + 1, last + len(CANARY) + 1, last + 500, (1 << 31) - 1, 1 << 32, 1 << 62, (1 << 63) - 8]
    else:
        return "nothing"
    value = chance.choice(values)
    buffers[1][at * size(letter) : (at + 1) * size(letter)] = pack(letter, value)
    return f"{letter}[{at}] = {value}"


def arena(chance, column):
    """One allocation with all buffers between canaries, some of them not aligned, and where each of them is.

    Offsets of strings are aligned: others are an error, which test_hostile.py has.
    """
    memory, places = bytearray(CANARY * 40), []
    buffers = [(buffer, part.format in OFFSETS and at == 1) for part in column.parts() for at, buffer in enumerate(part.buffers)]
    for buffer, aligned in buffers:
        shift = chance.choice([0, 0, 0, 1])
        memory += b" " * (-len(memory) % 8 + (0 if aligned else shift))
        places.append(None if buffer is None else (len(memory), len(buffer)))
        memory += (buffer or b"") + CANARY * 40
    return memory, places


# From pyarrow.

STRINGS = [pa.string(), pa.binary(), pa.large_string(), pa.large_binary(), pa.string_view(), pa.binary_view(), pa.binary(WIDTH)]
KEYS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
TYPES = {**dict(zip(FORMATS, STRINGS)), **dict(zip(INTEGERS, KEYS))}


def to_pyarrow(column, buffers):
    """An array over buffers of pyarrow, one for each of the column and of its dictionary."""
    own, rest = buffers[: len(column.buffers)], buffers[len(column.buffers) :]
    if not column.dictionary:
        return pa.Array.from_buffers(TYPES[column.format], column.length, own, column.nulls, column.offset)
    values = to_pyarrow(column.dictionary, rest)
    type = pa.dictionary(TYPES[column.format], values.type)
    return pa.DictionaryArray.from_buffers(type, column.length, own, values, column.nulls, column.offset)


def from_pyarrow(array):
    """The fields and buffers of an array."""
    dictionary = from_pyarrow(array.dictionary) if pa.types.is_dictionary(array.type) else None
    type = array.type.index_type if dictionary else array.type
    format = next(format for format, known in TYPES.items() if known == type)
    buffers = [buffer and buffer.to_pybytes() for buffer in array.buffers()]
    return Column(format, len(array), array.offset, array.null_count, buffers, dictionary)


def wrapped(chance, array):
    """What a user may have around an array; and how many null rows are before it, None if nothing is found in it."""
    chunks = pa.chunked_array([pa.nulls(2, array.type), array])
    ways = {
        "an array": lambda: (array, 0),
        "chunks": lambda: (chunks, 2),
        "a series": lambda: (pd.Series(pd.arrays.ArrowExtensionArray(chunks)), 2),
        "an extension": lambda: (pa.ExtensionArray.from_storage(pa.opaque(array.type, "a", "b"), array), 0),
        "a list": lambda: (pa.ListArray.from_arrays([0, len(array)], array), LIST),
        "runs": lambda: (pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(array) + 1), pa.int64()), array), 0),
        "a struct": lambda: (pa.StructArray.from_arrays([array], ["a"]), None),
        "a table": lambda: (pa.table({"a": array}), None),
    }
    way = chance.choice([*ways, "an array", "chunks", "a series"])
    try:
        return way, *ways[way]()
    except pa.ArrowInvalid:
        # pyarrow has looked at the array; not so when it reads a file.
        return "an array", array, 0


def in_memory(chance, column):
    """An array of pyarrow, over memory that changes once pyarrow has looked at it."""
    for part in column.parts():
        # pyarrow may have counted them before; if there are none, it does not export the buffer.
        part.nulls = sum(part.null(at) for at in range(part.offset, part.end))
        part.buffers[0] = part.buffers[0] if part.nulls else None
    bytes, places = arena(chance, column)
    whole = pa.py_buffer(bytes)
    array = to_pyarrow(column, [place and whole.slice(*place) for place in places])
    way, exported, before = wrapped(chance, array)
    what = spoil(chance, column, sizes=True)
    for place, buffer in zip(places, [buffer for part in column.parts() for buffer in part.buffers]):
        if place:
            bytes[place[0] : sum(place)] = buffer
    return exported, read(column, before), f"{way}: {what}"


def in_ipc(chance, column):
    """A column of an IPC stream, in which one number was changed. Other columns of it are canaries."""
    buffers = [None if buffer is None else pa.py_buffer(buffer) for part in column.parts() for buffer in part.buffers]
    array = to_pyarrow(column, buffers)
    others = pa.array([CANARY.decode()] * len(array))
    batch = pa.record_batch([others, array, others], ["before", "column", "after"])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        schema = sink.tell()
        writer.write(batch)
    sent = sink.getvalue().to_pybytes()
    # Offsets, indices, views; or anything, also counts and sizes.
    letter, second = chance.choice("il"), chance.choice(column.parts()).buffers[1]
    start, end = schema, len(sent)
    if len(second) >= 8 and second in sent and chance.random() < 0.8:
        start, end = sent.index(second), sent.index(second) + len(second)
    numbers = range(start // size(letter), end // size(letter))
    numbers = [at for at in numbers if get(letter, sent, at) < 1000] or numbers
    while True:
        at = chance.choice(numbers)
        value = get(letter, sent, at) + chance.choice([0, 1, -1, -100, 8, 64, 400, 1 << 20, 1 << 30, 1 << 62])
        changed = bytearray(sent)
        changed[at * size(letter) : (at + 1) * size(letter)] = pack(letter, value)
        try:
            array = pa.ipc.open_stream(bytes(changed)).read_all().column(1).chunk(0)
            column = from_pyarrow(array)
            way, exported, before = wrapped(chance, array)
            return exported, read(column, before), f"{way}: {letter}[{at}] = {value} of {len(sent)} bytes"
        except (pa.ArrowException, ValueError, OSError, LookupError, StopIteration):
            # pyarrow has seen it, or the column is another.
            continue


# As structs of the C data interface.


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


POINTER = ctypes.c_void_p
Schema._fields_ = [
    *[(name, ctypes.c_char_p) for name in ("format", "name", "metadata")],
    *[("flags", ctypes.c_int64), ("n_children", ctypes.c_int64), ("children", POINTER)],
    *[("dictionary", ctypes.POINTER(Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))), ("private", POINTER)],
]
Array._fields_ = [
    *[(name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")],
    *[("buffers", ctypes.POINTER(POINTER)), ("children", POINTER)],
    *[("dictionary", ctypes.POINTER(Array)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))), ("private", POINTER)],
]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, POINTER, ctypes.POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, POINTER, ctypes.POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(POINTER, POINTER)),
    *[("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))), ("private", POINTER)],
]


class Exporter:
    """Exports a column as structs, and counts how many are given away, and released."""

    def __init__(self, chance, column):
        self.memory, places = arena(chance, column)
        self.kept = [ctypes.c_char.from_buffer(self.memory)]
        start = ctypes.addressof(self.kept[0])
        self.addresses = iter([place and start + place[0] for place in places])
        self.given = self.released = 0
        self.array = self.to_array(column)
        self.schema = Schema(format=column.format.encode())
        if column.dictionary:
            self.schema.dictionary = ctypes.pointer(Schema(format=column.dictionary.format.encode()))
        self.owned(self.array)
        self.owned(self.schema)

    def to_array(self, column):
        addresses = [next(self.addresses) for _ in column.buffers]
        if column.format in VIEWS:
            sizes = [len(buffer) for buffer in column.buffers[2:]]
            self.kept.append((ctypes.c_int64 * len(sizes))(*sizes))
            addresses.append(ctypes.addressof(self.kept[-1]))
        array = Array(column.length, column.nulls, column.offset, len(addresses))
        array.buffers = (POINTER * len(addresses))(*addresses)
        if column.dictionary:
            array.dictionary = ctypes.pointer(self.to_array(column.dictionary))
        return array

    def owned(self, given):
        """Makes a struct one to be released."""

        def release(pointer):
            self.released += 1
            pointer.contents.release = type(given.release)()

        given.release = type(given.release)(release)

    def capsule(self, given, name):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [POINTER, ctypes.c_char_p, POINTER]
        self.given += bool(given.release)
        self.kept += [given, name]
        return new(ctypes.addressof(given), name, None)


class OfArray(Exporter):
    FIELDS = [("release", None)]

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsule(self.schema, b"arrow_schema"), self.capsule(self.array, b"arrow_array")


class OfStream(Exporter):
    FIELDS = [("get_schema", None), ("get_next", None), ("error", None), ("error", b"why")]

    #: A callback that is missing; what get_next returns at the end, and get_last_error then.
    without, code, error = None, 0, None

    def __arrow_c_stream__(self, requested_schema=None):
        stream, arrays = Stream(), [self.array]

        def get_schema(_, out):
            out[0] = self.schema
            self.given += 1
            return 0

        def get_next(_, out):
            if arrays:
                out[0] = arrays.pop()
                self.given += 1
                return 0
            out[0] = Array()
            return self.code

        for function in (get_schema, get_next):
            if function.__name__ != self.without:
                setattr(stream, function.__name__, type(getattr(stream, function.__name__))(function))
        stream.get_last_error = type(stream.get_last_error)(lambda _: self.error and ctypes.addressof(self.error))
        self.owned(stream)
        return self.capsule(stream, b"arrow_array_stream")


def as_structs(chance, column):
    """An object that exports structs. In some a field is wrong, and not a number in a buffer."""
    class_ = chance.choice([OfArray, OfStream])
    if chance.random() < 0.6:
        what = spoil(chance, column, sizes=False)
        return class_(chance, column), read(column, 0), what
    exporter = class_(chance, column)
    array, views = exporter.array, column.format in VIEWS
    values = {
        "length": [-1, -(1 << 63)],
        "offset": [-1, (1 << 63) - 1],
        "null_count": [-2, 13, 1 << 62],
        "n_buffers": [-1, 1, 2 if column.format in OFFSETS or views else 3],
        "n_children": [1, -1],
        "buffers": [None],
        "second": [None],
        "format": [None, b"", b"+l", b"+s", b"\xff", b"tsn:\xff", b"w:-1", b"w:" + b"9" * 20],
    }
    fields = [(field, value) for field in values for value in values[field]]
    fields += [("dictionary", None), ("dictionary", "of a dictionary")] if column.dictionary else []
    fields += [("sizes", -1)] if views else []
    field, value = chance.choice(fields + exporter.FIELDS)
    if field == "format":
        exporter.schema.format = value
    elif field == "second":
        array.buffers[1] = None
    elif field == "sizes":
        ctypes.cast(array.buffers[array.n_buffers - 1], ctypes.POINTER(ctypes.c_int64))[0] = value
    elif value == "of a dictionary":
        exporter.schema.dictionary.contents.dictionary = ctypes.pointer(Schema(format=b"u"))
    elif field == "error":
        exporter.code, exporter.error = 5, value and ctypes.create_string_buffer(value)
    elif field in ("get_next", "get_schema"):
        exporter.without = field
    elif field == "release":
        array.release = type(array.release)()
    else:
        setattr(array, field, value)
    return exporter, None, f"{field} = {value}"


def bounds(chance, format, count):
    """The buffers that say where a list is, right or wrong."""
    integer = ctypes.c_int64 if format == "+L" else ctypes.c_int32
    if format in ("+l", "+L"):
        wrong = [(0, count + 1), (-1, count), (count + 1, 0), (1 << 30, (1 << 31) - 1)]
        return [None, (integer * 2)(*chance.choice([*[(0, count)] * 4, *wrong]))]
    if format == "+vl":
        return [None, (integer * 1)(chance.choice([0, 0, -1, count, 1 << 30])), (integer * 1)(chance.choice([count, count, -1, 1 << 30]))]
    return [] if format == "+r" else [None]


def as_nested(chance, column):
    """The column within another that exports structs, of which something may be wrong: as a field, items or the values of runs."""
    count, exporter = column.length, OfArray(chance, column)
    format = chance.choice(["+s", "+l", "+L", "+vl", f"+w:{count}", "+r"])
    rows = count if format in ("+s", "+r") else 1
    buffers, children = bounds(chance, format, count), [exporter.array]
    schemas = [Schema(format=column.format.encode(), name=b"a", dictionary=exporter.schema.dictionary)]
    if format == "+r":
        ends = chance.choice([*[range(1, count + 1)] * 4, [0] * count, [-1] * count, [1 << 30] * count, range(count, 0, -1)])
        exporter.ends = OfArray(chance, Column("i", count, 0, 0, [None, pack("i", *ends)]))
        children, schemas = [exporter.ends.array, *children], [Schema(format=b"i"), *schemas]
    outer = Array(rows, 0, 0, len(buffers), len(children))
    outer.buffers = (POINTER * len(buffers))(*(buffer and ctypes.addressof(buffer) for buffer in buffers))
    pointers = (POINTER * len(children))(*map(ctypes.addressof, children))
    types = (POINTER * len(schemas))(*map(ctypes.addressof, schemas))
    schema = Schema(format=format.encode(), n_children=len(schemas), children=ctypes.addressof(types))
    outer.children = ctypes.addressof(pointers)
    exporter.kept += [buffers, children, schemas, pointers, types]
    exporter.array, exporter.schema, exporter.path = outer, schema, "a" if format == "+s" else None
    what = spoil_nested(chance, format, rows, outer, schema, (pointers, types))
    exporter.owned(outer)
    exporter.owned(schema)
    return exporter, ANY, f"{format} of {column.format}: {what}"


def spoil_nested(chance, format, rows, outer, schema, pointers):
    """Changes a field of what is around a column, and says which."""
    if chance.random() < 0.5:
        return "nothing"
    if chance.random() < 0.2:
        chance.choice(pointers)[outer.n_children - 1] = None
        return "no child"
    # Only who knows the sizes of the buffers can tell whether a row is beyond.
    more = outer.n_buffers < 2
    values = {
        "length": [-1, rows + 1 if more else -2],
        "offset": [-1, 1, 1 << 62] if more else [-1],
        "null_count": [-2, 1],
        "n_buffers": [-1, 5],
        # Of a struct, which may have more fields than are read, too.
        "n_children": [-1, 0] if format == "+s" else [-1, 0, 3],
        "children": [None],
    }
    field = chance.choice(list(values))
    value = chance.choice(values[field])
    of_type = field in ("children", "n_children") and chance.random() < 0.5
    setattr(schema if of_type else outer, field, value)
    return f"{field} = {value}"


# Processes.


def search(chance, column):
    """The rows and URLs that urlgrep finds."""
    way, path = chance.randrange(3), getattr(column, "path", None)
    if way == 0:
        lists = pa.array(ua.extract_list(column, path)).to_pylist()
        return [(row, match["url_bytes"]) for row, found in enumerate(lists) for match in found or []]
    batches = _urlgrep.extract(column, path, None, 1 << 16, False)
    tables = [pa.table(batches)] if way == 1 else [pa.record_batch(batch) for batch in batches]
    return [(row["row"], row["url_bytes"]) for table in tables for row in table.to_pylist()]


def case(chance, say):
    column = honest(chance, chance.choice(FORMATS))
    way = chance.choice([in_memory, in_memory, in_ipc, as_structs, as_structs, as_nested])
    exported, rows, what = way(chance, column)
    if rows != ANY:
        texts = [(row, text) for row, texts in enumerate(rows or []) for text in (texts if isinstance(texts, list) else [texts])]
        rows = rows and [(row, match.url_bytes) for row, text in texts if text for match in urlgrep.find_iter(text)]
    say(way=way.__name__, what=what, expected=rows)
    try:
        say(found=search(chance, exported))
    except (ValueError, TypeError) as error:
        say(error="ValueError" if isinstance(error, ValueError) else "TypeError", text=str(error))
    if way in (as_structs, as_nested):
        gc.collect()
        say(given=exported.given, released=exported.released)


def run(seed, number):
    """Searches a column in a process of its own, and says how it ended."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)

        def say(**facts):
            os.write(write, json.dumps(facts, default=lambda value: value.decode("latin-1")).encode() + b"\n")

        try:
            case(random.Random(f"{seed}/{number}"), say)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(write)
    report = {"number": number}
    with open(read) as pipe:
        for line in pipe:
            report |= json.loads(line)
    return report | {"status": os.waitpid(child, 0)[1]}


if __name__ == "__main__":
    seed, count = (int(argument) for argument in sys.argv[1:])
    for number in range(count):
        print(json.dumps(run(seed, number)), flush=True)
