"""Messages between a task and its worker processes: a header in JSON and blocks of bytes.

    size of the header: uint32 | header | the blocks, whose sizes the header has under "sizes"

No pickle, so that a worker's fault cannot run code in the host.
"""

import json
import struct

_SIZE = struct.Struct("<I")


def send(stream, header: dict, *blocks: bytes):
    """Writes one message and flushes."""
    text = json.dumps({**header, "sizes": [len(block) for block in blocks]}).encode()
    stream.write(b"".join([_SIZE.pack(len(text)), text, *blocks]))
    stream.flush()


def receive(stream) -> tuple[dict, list[bytes]]:
    """The next message. Raises EOFError if the other side has ended."""
    header = json.loads(_exactly(stream, _SIZE.unpack(_exactly(stream, _SIZE.size))[0]))
    return header, [_exactly(stream, size) for size in header["sizes"]]


def _exactly(stream, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
