"""Reads and replaces the weights of a model file. Used by scripts in this folder for weights that
are not trained."""

import ctypes
import ctypes.util
import json
import struct


def weights_entry(model):
    """Returns the entry for the weights in the header of a model file."""
    size, = struct.unpack_from("<Q", model, 8)
    return json.loads(model[16:16 + size])["arrays"]["weights"]


def weights_of(model):
    array = weights_entry(model)
    return list(struct.unpack_from(f"<{array['shape'][0]}d", model, array["offset"]))


def with_weights(model, weights):
    """Returns the bytes of a model file with other weights."""
    raw = bytearray(model[:-8])
    array = weights_entry(model)
    if array["shape"] != [len(weights)]:
        raise SystemExit(f"the model has {array['shape']} weights, not {len(weights)}")
    struct.pack_into(f"<{len(weights)}d", raw, array["offset"], *weights)
    name = ctypes.util.find_library("xxhash")
    if name is None:
        raise SystemExit("libxxhash is missing; it is needed for the checksum of a model file")
    library = ctypes.CDLL(name)
    library.XXH3_64bits.restype = ctypes.c_uint64
    library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return bytes(raw) + struct.pack("<Q", library.XXH3_64bits(bytes(raw), len(raw)))
