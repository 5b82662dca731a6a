"""The records and functions of libsculpt's batch layer (sdk/include/sculpt/host/batch.h and
batch_task.h), for ../batch.py and _batch_task.py.

They are called by _library.call(), after library() of this file.
"""

import ctypes
import functools
from ctypes import (CFUNCTYPE, POINTER, c_char_p, c_int32, c_int64, c_uint32, c_uint64,
                    c_void_p)

from .._host import _library
from .._host._library import LentRows, Record

KINDS = {"hinge": 0, "perceptron": 1, "log-loss": 2, "softmax-margin": 3}
SHARED_TABLE, OWN_TABLES = 0, 1

LOG = CFUNCTYPE(None, c_void_p, c_int32, c_char_p)


class BatchOptions(Record):
    _fields_ = [("struct_size", c_uint32), ("threads", c_int32), ("map_solver", c_char_p),
                ("parameters", c_char_p), ("plugin_path", POINTER(c_char_p)),
                ("plugin_path_count", c_int64), ("log", LOG), ("user", c_void_p)]


class GraphArrays(Record):
    _fields_ = [("struct_size", c_uint32), ("state_count", c_int32), ("example_count", c_int64),
                ("variable_from", c_void_p), ("states", c_void_p), ("factor_from", c_void_p),
                ("scope_from", c_void_p), ("scope", c_void_p), ("shared_table", c_void_p),
                ("shared_count", c_int64), ("shared_sizes", c_void_p)]


class Layout(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("example_count", c_int64),
                ("variable_count", c_int64), ("unary_size", c_int64), ("tables_size", c_int64),
                ("shared_size", c_int64), ("variable_from", c_void_p), ("unary_from", c_void_p),
                ("tables_from", c_void_p)]


class BatchInput(Record):
    _fields_ = [("struct_size", c_uint32), ("cost_count", c_int32), ("unary", c_void_p),
                ("tables", c_void_p), ("shared", c_void_p), ("unary_size", c_int64),
                ("tables_size", c_int64), ("shared_size", c_int64), ("truths", c_void_p),
                ("truth_size", c_int64), ("variable_weights", c_void_p), ("costs", c_void_p),
                ("example_weights", c_void_p), ("seed", c_uint64)]


class BatchOutput(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("values", c_void_p),
                ("unary", c_void_p), ("tables", c_void_p), ("shared", c_void_p),
                ("outputs", c_void_p), ("exact", c_void_p), ("upper_bounds", c_void_p)]


class TaskOptions(Record):
    _fields_ = [("struct_size", c_uint32), ("threads", c_int32), ("experiment", c_char_p),
                ("folder", c_char_p), ("plugin_path", POINTER(c_char_p)),
                ("plugin_path_count", c_int64), ("log", LOG), ("user", c_void_p),
                ("lent", POINTER(LentRows)), ("lent_count", c_int64)]


class TaskInput(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("examples", c_void_p),
                ("example_count", c_int64), ("weights", c_void_p), ("weights_size", c_int64),
                ("example_weights", c_void_p), ("seed", c_uint64)]


class TaskOutput(Record):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("values", c_void_p),
                ("gradient", c_void_p), ("exact", c_void_p), ("upper_bounds", c_void_p)]


# The names of the records in C, for the test of their layout.
RECORDS = {"sculpt_batch_options": BatchOptions, "sculpt_batch_graph_arrays": GraphArrays,
           "sculpt_batch_layout": Layout, "sculpt_batch_input": BatchInput,
           "sculpt_batch_output": BatchOutput, "sculpt_batch_task_options": TaskOptions,
           "sculpt_batch_task_input": TaskInput, "sculpt_batch_task_output": TaskOutput}

_BATCH_CALL = [c_void_p, c_void_p, POINTER(BatchInput), POINTER(BatchOutput)]
_TASK_CALL = [c_void_p, POINTER(TaskInput), POINTER(TaskOutput)]
_CALLS = {
    "sculpt_batch_open": [POINTER(BatchOptions), POINTER(c_void_p)],
    "sculpt_batch_chains": [c_int64, c_void_p, c_int32, c_int32, POINTER(c_void_p)],
    "sculpt_batch_graphs_open": [POINTER(GraphArrays), POINTER(c_void_p)],
    "sculpt_batch_graphs_layout": [c_void_p, POINTER(Layout)],
    "sculpt_batch_loss": [c_void_p, c_void_p, c_int32, *_BATCH_CALL[2:]],
    "sculpt_batch_decode": _BATCH_CALL,
    "sculpt_batch_marginals": _BATCH_CALL,
    "sculpt_batch_task_open": [POINTER(TaskOptions), POINTER(c_void_p)],
    "sculpt_batch_task_loss": [c_void_p, c_int32, *_TASK_CALL[1:]],
    "sculpt_batch_task_decode": _TASK_CALL,
    "sculpt_batch_task_expectations": _TASK_CALL,
}
_LOOKUPS = {
    "sculpt_batch_free": (None, [c_void_p]),
    "sculpt_batch_stop": (None, [c_void_p]),
    "sculpt_batch_graphs_free": (None, [c_void_p]),
    "sculpt_batch_task_free": (None, [c_void_p]),
    "sculpt_batch_task_stop": (None, [c_void_p]),
    "sculpt_batch_task_examples": (c_int64, [c_void_p]),
    "sculpt_batch_task_dimension": (c_int64, [c_void_p]),
    "sculpt_batch_task_outputs": (None, [c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
}


def kind_number(kind: str) -> int:
    """The number of a loss in C."""
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; it must be one of {list(KINDS)}")
    return KINDS[kind]


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    """libsculpt, with these functions."""
    loaded = _library.library()
    _library.declare(loaded, _CALLS, _LOOKUPS)
    return loaded
