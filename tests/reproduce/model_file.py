"""The weights of a model file, read and exchanged. Used by the tables beside it for weights that are
not trained."""

import ctypes
import ctypes.util
import json
import struct


def place_of_weights(model):
    """The entry for the weights in the header of a model file."""
    size, = struct.unpack_from("<Q", model, 8)
    return json.loads(model[16:16 + size])["arrays"]["weights"]


def weights_of(model):
    array = place_of_weights(model)
    return list(struct.unpack_from(f"<{array['shape'][0]}d", model, array["offset"]))


def with_weights(model, weights):
    """The bytes of a model file with these weights in place of its own."""
    raw = bytearray(model[:-8])
    array = place_of_weights(model)
    if array["shape"] != [len(weights)]:
        raise SystemExit(f"the model has {array['shape']} weights, not {len(weights)}")
    struct.pack_into(f"<{len(weights)}d", raw, array["offset"], *weights)
    name = ctypes.util.find_library("xxhash")
    if name is None:
        raise SystemExit("libxxhash is not there, which writes the check sum of a model file")
    library = ctypes.CDLL(name)
    library.XXH3_64bits.restype = ctypes.c_uint64
    library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return bytes(raw) + struct.pack("<Q", library.XXH3_64bits(bytes(raw), len(raw)))
