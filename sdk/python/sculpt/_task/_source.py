"""What load() of a task reads from: a file, also a packed one or a pipe, or text in memory."""

import ctypes

from . import _abi
from ._errors import DataError, MissingError
from ._lent import ErrorText


class Source:
    """The data of a split. Iterating gives its lines without their ends:

        for line in source:
            fields = line.split()
            if len(fields) != 3:
                raise source.error("has %d fields, not 3" % len(fields))

    path  the file, or a name for messages if the text is in memory. Files packed by gzip or zstd
          come unpacked from the methods below, so use these rather than open(source.path)
    line  the number of the line that the iteration gave last, from 1; 0 before the first
    """

    def __init__(self, path: str, read):
        self.path = path
        self.line = 0
        self._read = read
        self._bytes = None

    def bytes(self) -> bytes:
        """All bytes."""
        if self._bytes is None:
            self._bytes = self._read()
        return self._bytes

    def text(self) -> str:
        """All bytes as text, UTF-8."""
        data = self.bytes()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise DataError(f"{self.path}:{line}: the byte {data[error.start]:#04x} is no UTF-8"
                            ) from None

    def __iter__(self):
        lines = self.text().split("\n")
        if lines[-1] == "":
            lines.pop()
        for number, line in enumerate(lines, 1):
            self.line = number
            yield line[:-1] if line.endswith("\r") else line
        self.line = 0

    def error(self, text: str, line: int | None = None, column: int | None = None) -> DataError:
        """The error to raise if the data are malformed: "path:line:column: text"."""
        line = self.line if line is None else line
        place = self.path + (f":{line}" if line else "") + (f":{column}" if column else "")
        return DataError(f"{place}: {text}")


_STANDS_FOR = "an object of Python: "  # the text of a split that is an object


class Given:
    """An object of this process that load() gets in place of a source."""

    def __init__(self, split: str, value):
        self.split, self.value = split, value

    def text(self) -> str:
        """What stands for it in the experiment."""
        return _STANDS_FOR + self.described()

    def described(self) -> str:
        """ "list of 12": for messages."""
        try:
            return f"{type(self.value).__name__} of {len(self.value)}"
        except TypeError:
            return type(self.value).__name__

    def error(self, text: str) -> DataError:
        return DataError(f"{self.split} ({self.described()}): {text}")


def of_memory(text: bytes | str, path: str = "text") -> Source:
    """A source of text that is in memory."""
    data = text.encode() if isinstance(text, str) else text
    return Source(path, lambda: data)


def lent(host: int, address: int) -> Source:
    """The source that the host lends to load(): valid until the call returns, if it was read."""
    raw = _abi.Source.from_address(address)
    path = raw.path.decode("utf-8", "surrogateescape")
    if raw.text:
        begin = ctypes.string_at(raw.text, min(raw.text_size, 200)).decode("utf-8", "replace")
        if begin.startswith(_STANDS_FOR):
            raise MissingError(f"{path}: the data were {begin}; give the object again, in Python")
    service = _abi.Host.from_address(host).extension(host, _abi.HOST_SOURCE)
    if service:
        return Source(path, lambda: _read_by_host(host, address, service))
    if raw.text:
        return Source(path, lambda: ctypes.string_at(raw.text, raw.text_size))
    return Source(path, lambda: _read_file(path))


def _read_by_host(host: int, source: int, service: int) -> bytes:
    functions = _abi.HostSource.from_address(service)
    error, reader = ErrorText(), ctypes.c_void_p()
    error.raise_unless_ok(
        functions.open(host, source, ctypes.byref(reader), ctypes.addressof(error.raw)))
    try:
        data, size = ctypes.c_void_p(), ctypes.c_int64()
        error.raise_unless_ok(functions.rest(reader, ctypes.byref(data), ctypes.byref(size),
                                             ctypes.addressof(error.raw)))
        return ctypes.string_at(data.value, size.value) if size.value else b""
    finally:
        functions.close(reader)


def _read_file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise MissingError(f"{path}: {error.strerror}") from None
