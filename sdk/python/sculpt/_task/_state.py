"""The state of a task as bytes of the model: no pickle, the same bytes for the same contents.

    "SCULPTPY" | 1: uint32 | length of the header: uint32 | CRC-32 of all that follows: uint32
    header: JSON, its keys sorted    file, class, source (SHA-256 of the file), parts, borrowed
    the parts, one after the other   as raw bytes, or as npy files (numpy.lib.format)

A part is a value of the dict that save() returned, or the bytes that it returned.
"""

import io
import json
import struct
import zlib
from dataclasses import dataclass

import numpy

from ._errors import DataError, ResultError

_START = struct.Struct("<8sIII")
_MAGIC = b"SCULPTPY"
_DAMAGED = ("its state in the model is damaged or of another version; use the version that wrote "
            "the model, or train again")


@dataclass
class State:
    """file: the name of the source file, without its folder; "" if the class has none. class_name,
    source: its class and hash. contents: what save() returned, None without a save(). is_borrowed:
    the task belongs to an earlier component, which has the contents."""
    file: str = ""
    class_name: str = ""
    source: str = ""
    contents: object = None
    is_borrowed: bool = False


def _is_pickle(data: bytes) -> bool:
    return len(data) > 2 and data[0] == 0x80 and 2 <= data[1] <= 5 and data.endswith(b".")


def _encoded(value, what: str) -> tuple[str, bytes]:
    """The kind of a part and its bytes."""
    if isinstance(value, (bytes, bytearray)):
        if _is_pickle(bytes(value)):
            raise ResultError(
                f"returned a pickle{what}; loading one from a model would run any code that is in "
                "it, so states are bytes of your own, or a dict of arrays, numbers and texts")
        return "bytes", bytes(value)
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        array = numpy.asarray(value)
        if array.dtype.hasobject:
            raise ResultError(f"returned an array of Python objects{what}, which only a pickle can "
                              "hold; use an array of numbers or texts")
        file = io.BytesIO()
        numpy.lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
        return "array", file.getvalue()
    try:
        return "json", json.dumps(value, sort_keys=True, allow_nan=True).encode()
    except (TypeError, ValueError) as error:
        raise ResultError(f"returned {type(value).__name__}{what}; a state is bytes, or a dict of "
                          "arrays, numbers, texts and lists of these") from error


def to_bytes(state: State) -> bytes:
    """The bytes of a state. Raises ResultError for contents that are no state."""
    contents, parts, data = state.contents, [], []
    if contents is not None and not isinstance(contents, (dict, bytes, bytearray)):
        raise ResultError(f"returned {type(contents).__name__}; a state is bytes or a dict of "
                          "arrays, numbers and texts")
    is_dict = isinstance(contents, dict)
    values = contents if is_dict else {} if contents is None else {"": contents}
    for name in values:
        if not isinstance(name, str):
            raise ResultError(f"returned a dict with the key {name!r}; keys are texts")
    for name in sorted(values):
        kind, encoded = _encoded(values[name], f" under {name!r}" if is_dict else "")
        parts.append([name, kind, len(encoded)])
        data.append(encoded)
    header = json.dumps({"file": state.file, "class": state.class_name, "source": state.source,
                         "borrowed": state.is_borrowed, "parts": parts,
                         "form": "dict" if is_dict else "none" if contents is None else "bytes"},
                        sort_keys=True).encode()
    rest = header + b"".join(data)
    return _START.pack(_MAGIC, 1, len(header), zlib.crc32(rest)) + rest


def _decoded(kind: str, data: bytes):
    if kind == "bytes":
        return data
    if kind == "json":
        return json.loads(data)
    if kind != "array":
        raise ValueError(kind)
    file = io.BytesIO(data)
    array = numpy.lib.format.read_array(file, allow_pickle=False)
    if file.read(1):
        raise ValueError("bytes behind an array")
    return array


def from_bytes(data: bytes) -> State:
    """The state of these bytes. Raises DataError if they are damaged. Nothing in them is run."""
    if _is_pickle(data):
        raise DataError("its state in the model is a pickle; states of Python tasks are never "
                        "pickles, because loading one runs code: the model is not of this plugin")
    try:
        magic, version, header_size, checksum = _START.unpack_from(data)
        rest = data[_START.size:]
        if (magic, version) != (_MAGIC, 1) or zlib.crc32(rest) != checksum:
            raise ValueError("damaged")
        header = json.loads(rest[:header_size])
        values, begin = {}, header_size
        for name, kind, size in header["parts"]:
            if size < 0 or begin + size > len(rest):
                raise ValueError("size")
            values[name] = _decoded(kind, rest[begin:begin + size])
            begin += size
        if begin != len(rest):
            raise ValueError("bytes behind the last part")
        contents = {"dict": values, "bytes": values.get(""), "none": None}[header["form"]]
        return State(header["file"], header["class"], header["source"], contents,
                     header["borrowed"])
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(_DAMAGED) from error
