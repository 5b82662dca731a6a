"""libsculpt by ctypes: its records and functions (sdk/include/sculpt/host), and its failures.

`library()` loads the library once. `call(function, ...)` adds the last argument, a failure, and
raises it as a SculptError. tests/python/host_test.py compares all sizes and offsets with C.
"""

import ctypes
import functools
import os
import pathlib
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32,
                    c_int64, c_uint32, c_uint64, c_void_p)

from .._own_files import PACKAGE

HOST_MAJOR, HOST_MINOR = 0, 1
REACHED, NOT_REACHED, USAGE = 0, 3, 64  # exits
RUN_REFUSE, RUN_REPLACE, RUN_RESUME = 0, 1, 2
TEXT_RESULT, TEXT_MESSAGE, TEXT_HELP = 0, 1, 2

WRITE = CFUNCTYPE(None, c_void_p, c_int32, c_void_p, c_int64)


class Version(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32)]


class Record(Structure):
    """A record that begins with struct_size, which is set when it is made."""

    def __init__(self, **fields):
        super().__init__(struct_size=ctypes.sizeof(self), **fields)


class SessionOptions(Record):
    _fields_ = [("struct_size", c_uint32), ("threads", c_int32),
                ("plugin_path", POINTER(c_char_p)), ("plugin_path_count", c_int64),
                ("write", WRITE), ("user", c_void_p)]


class Pass(Record):
    _fields_ = [("struct_size", c_uint32), ("is_certified", c_int32), ("pass_", c_int64),
                ("oracle_calls", c_int64), ("primal", c_double), ("dual", c_double),
                ("gap", c_double), ("relative_gap", c_double), ("seconds", c_double)]


PASS_DONE = CFUNCTYPE(None, c_void_p, POINTER(Pass))


class MemoryRows(Record):
    _fields_ = [("struct_size", c_uint32), ("state_count", c_int32), ("example_count", c_int64),
                ("site_count", c_int64), ("feature_count", c_int64), ("first_site", c_void_p),
                ("row_from", c_void_p), ("index", c_void_p), ("value", c_void_p),
                ("first_edge", c_void_p), ("edge", c_void_p), ("first_label", c_void_p),
                ("label", c_void_p), ("variable_count", c_int64), ("edge_kind", c_void_p),
                ("edge_kind_count", c_int32), ("reserved", c_int32), ("weight", c_void_p),
                ("state_name", POINTER(c_char_p)), ("feature_name", POINTER(c_char_p)),
                ("variable_name", POINTER(c_char_p)), ("edge_kind_name", POINTER(c_char_p))]


class LentRows(Structure):
    _fields_ = [("name", c_char_p), ("rows", POINTER(MemoryRows))]


class TrainingOptions(Record):
    _fields_ = [("struct_size", c_uint32), ("existing", c_int32), ("path", c_char_p),
                ("json", c_char_p), ("folder", c_char_p), ("set", POINTER(c_char_p)),
                ("set_count", c_int64), ("output", c_char_p), ("is_guarded", c_int32),
                ("reserved", c_int32), ("pass_done", PASS_DONE), ("user", c_void_p),
                ("lent", POINTER(LentRows)), ("lent_count", c_int64)]


class ExamplesSource(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_int32), ("path", c_char_p),
                ("text", c_char_p), ("text_size", c_int64), ("set", POINTER(c_char_p)),
                ("set_count", c_int64), ("rows", POINTER(MemoryRows))]


class Outputs(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_int32), ("example_count", c_int64),
                ("first_output", c_void_p), ("first_label", c_void_p), ("label", c_void_p),
                ("score", c_void_p), ("probability", c_void_p), ("text", POINTER(c_char_p))]


class Rows(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_int32), ("example_count", c_int64),
                ("first_row", c_void_p), ("first_value", c_void_p), ("value", c_void_p)]


class PredictOptions(Record):
    _fields_ = [("struct_size", c_uint32), ("choice", c_int32), ("keeps_given", c_int32),
                ("has_text", c_int32)]


# The names of the records in C, for the test of their layout.
RECORDS = {"sculpt_session_options": SessionOptions, "sculpt_pass": Pass,
           "sculpt_memory_rows": MemoryRows, "sculpt_lent_rows": LentRows,
           "sculpt_training_options": TrainingOptions,
           "sculpt_examples_source": ExamplesSource, "sculpt_outputs": Outputs,
           "sculpt_rows": Rows, "sculpt_predict_options": PredictOptions}

_FAILURE = c_void_p
# The functions that can fail: their arguments before the failure.
_CALLS = {
    "sculpt_session_open": [POINTER(SessionOptions), POINTER(c_void_p)],
    "sculpt_session_add_catalogue": [c_void_p, c_void_p],
    "sculpt_run_command": [c_void_p, POINTER(c_char_p), c_int64],
    "sculpt_train": [c_void_p, POINTER(TrainingOptions), POINTER(c_void_p)],
    "sculpt_model_open": [c_char_p, POINTER(c_void_p)],
    "sculpt_model_from_bytes": [c_char_p, c_int64, POINTER(c_void_p)],
    "sculpt_model_save": [c_void_p, c_char_p],
    "sculpt_model_weight_names": [c_void_p, c_void_p, POINTER(c_char_p)],
    "sculpt_examples_read": [c_void_p, c_void_p, POINTER(ExamplesSource), POINTER(c_void_p)],
    "sculpt_predict": [c_void_p, POINTER(PredictOptions), POINTER(Outputs)],
    "sculpt_predict_best": [c_void_p, c_int64, POINTER(PredictOptions), POINTER(Outputs)],
    "sculpt_predict_sample": [c_void_p, c_int64, c_uint64, POINTER(PredictOptions),
                              POINTER(Outputs)],
    "sculpt_predict_scores": [c_void_p, POINTER(Rows)],
    "sculpt_predict_marginals": [c_void_p, POINTER(Rows)],
    "sculpt_evaluate": [c_void_p, POINTER(PredictOptions), POINTER(c_char_p)],
}
# The others: their result and arguments.
_LOOKUPS = {
    "sculpt_main": (c_int, [c_int, POINTER(c_char_p)]),
    "sculpt_host_version": (Version, []),
    "sculpt_version_text": (c_char_p, []),
    "sculpt_failure_text": (c_char_p, [c_void_p]),
    "sculpt_failure_advice": (c_char_p, [c_void_p]),
    "sculpt_failure_example": (c_int64, [c_void_p]),
    "sculpt_failure_free": (None, [c_void_p]),
    "sculpt_session_stop": (None, [c_void_p]),
    "sculpt_session_request_checkpoint": (None, [c_void_p]),
    "sculpt_session_free": (None, [c_void_p]),
    "sculpt_model_bytes": (c_void_p, [c_void_p, POINTER(c_int64)]),
    "sculpt_model_header": (c_char_p, [c_void_p]),
    "sculpt_model_weights": (c_void_p, [c_void_p, POINTER(c_int64)]),
    "sculpt_model_free": (None, [c_void_p]),
    "sculpt_examples_count": (c_int64, [c_void_p]),
    "sculpt_examples_free": (None, [c_void_p]),
}


class SculptError(Exception):
    """A failure of the host. `exit` is the exit code that the program has for it; `example` is the
    number of the example where a component is at fault, or None."""

    def __init__(self, text: str, exit: int = 70, example: "int | None" = None):
        super().__init__(text)
        self.exit = exit
        self.example = example

    def __reduce__(self):
        return type(self), (str(self), self.exit, self.example)


class HostWarning(UserWarning):
    """What the host warns of while it reads or predicts data or opens a batch: that probabilities
    are approximate, or that the model was trained with another version of a component."""


class Interrupted(SculptError):
    """The call was stopped before there was a result."""


def prefix() -> "pathlib.Path | None":
    """Where the host is installed: the folder with bin/ and lib/. None: in the system's folders."""
    given = os.environ.get("SCULPT_PREFIX")
    if given:
        return pathlib.Path(given)
    here = pathlib.Path(PACKAGE).resolve()
    for folder in (here.parents[2] / "build/release", *here.parents):  # the build tree, then above
        if (folder / "lib/libsculpt.so.0").exists():
            return folder
    return None


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libsculpt, loaded and checked."""
    folder = prefix()
    name = "libsculpt.so.0" if folder is None else str(folder / "lib/libsculpt.so.0")
    try:
        loaded = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"libsculpt cannot be loaded ({error}); install the package libsculpt0, "
                          "or set SCULPT_PREFIX to the folder with lib/libsculpt.so.0, such as "
                          "build/release") from error
    _require_version(loaded, name)
    declare(loaded, _CALLS, _LOOKUPS)
    return loaded


def _require_version(loaded: ctypes.CDLL, name: str) -> None:
    """Comes before the functions are looked up, which another version may not have."""
    try:
        function = loaded.sculpt_host_version
    except AttributeError:
        raise ImportError(f"{name} is no libsculpt: it lacks sculpt_host_version") from None
    function.restype = Version
    version = function()
    if (version.major, version.minor) != (HOST_MAJOR, HOST_MINOR):
        raise ImportError(f"{name} has version {version.major}.{version.minor} of the C API; this "
                          f"package needs {HOST_MAJOR}.{HOST_MINOR}: install packages of one "
                          "version of sculpt")


def declare(loaded: ctypes.CDLL, calls: dict, lookups: dict) -> None:
    """Sets the types of functions: as in _CALLS, and as in _LOOKUPS."""
    for function, arguments in calls.items():
        getattr(loaded, function).argtypes = [*arguments, POINTER(_FAILURE)]
        getattr(loaded, function).restype = c_int32
    for function, (result, arguments) in lookups.items():
        getattr(loaded, function).argtypes = arguments
        getattr(loaded, function).restype = result


def call(function: str, *arguments) -> int:
    """Calls a function that can fail. Returns REACHED or NOT_REACHED; raises SculptError."""
    failure = _FAILURE()
    code = getattr(library(), function)(*arguments, byref(failure))
    if failure.value is None:
        if code in (REACHED, NOT_REACHED):
            return code
        raise SculptError(f"{function} ended with {code}", code)
    lookup = library()
    text = (lookup.sculpt_failure_text(failure) + lookup.sculpt_failure_advice(failure)).decode(
        errors="backslashreplace")  # it may name a path that is no UTF-8
    example = lookup.sculpt_failure_example(failure)
    lookup.sculpt_failure_free(failure)
    kind = Interrupted if code == 130 else SculptError
    raise kind(text, code, None if example < 0 else example)


class Handle:
    """A handle of libsculpt, freed with this object. `free`: the name of the function that does.
    `kept`: what must live until then."""

    def __init__(self, free: str):
        self._free = getattr(library(), free)
        self.kept = None
        self.raw = c_void_p()

    def __del__(self):
        if getattr(self, "raw", None):
            self._free(self.raw)
            self.raw = None

    def out(self):
        """The argument of the function that makes the handle."""
        return byref(self.raw)


def texts(encoded: "list[bytes]") -> "tuple[ctypes.Array | None, int]":
    """An array of C strings, and its length."""
    return ((c_char_p * len(encoded))(*encoded) if encoded else None), len(encoded)


def string_at(address: int, size: int) -> str:
    """`size` bytes of UTF-8."""
    return ctypes.string_at(address, size).decode(errors="replace")
