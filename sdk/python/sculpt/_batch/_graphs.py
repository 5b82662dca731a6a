"""Factor graphs of the examples of a batch, for ../batch.py."""

import math
from ctypes import byref, c_void_p

import numpy as np

from .._host import _arguments
from .._host._library import call
from .._host._memory import (address, copied, counts_of, edge_arrays, list_of, offsets,
                             owned)
from . import _batch_library
from ._handle import when_gone


class Graphs:
    """The factor graphs of the examples of a batch. They may serve many calls.

    variables     int[examples], the number of variables of each example
    states        the number of states (labels) of every variable, or int[variables of all examples]
    edges         a list of int[count, 2] for each example: pairs of variables, counted from 0 in
                  each example
    factors       in place of edges: for each example a list of scopes. A scope is a list of one or
                  more variables
    shared        the shared table of each edge or factor, for each example a list; -1: a table of
                  its own. None: all use the shared table if there is one, else tables of their own
    shared_shapes the shape of each shared table, such as [(22, 22)]

    What it has: example_count, variable_count; unary_shape, tables_shape, shared_shape: the shapes
    of the scores; variable_from, unary_from, tables_from: int64[examples + 1], where the variables
    and cells of each example begin.
    """

    def __init__(self, variables, states, *, edges=None, factors=None, shared=None,
                 shared_shapes=()):
        if edges is not None and factors is not None:
            raise ValueError("edges and factors are both given; factors may have pairs, too")
        counts = counts_of(variables, "variables")
        arrays = _batch_library.GraphArrays(example_count=counts.size)
        kept = {"variable_from": offsets(counts)}
        labels = None
        if np.ndim(states) == 0:
            labels = arrays.state_count = _arguments.integer(states, "states", 1, 2**31 - 1)
        else:
            kept["states"] = owned(states, np.int32, "states", (int(counts.sum()),))
        if edges is not None:
            kept["factor_from"], kept["scope"] = edge_arrays(edges, counts.size)
        elif factors is not None:
            kept.update(_factor_arrays(factors, counts.size))
        shapes = [tuple(int(size) for size in shape) for shape in shared_shapes]
        arrays.shared_count = len(shapes)
        kept["shared_sizes"] = np.array([math.prod(shape) for shape in shapes], np.int64)
        if shared is not None:
            count = int(kept["factor_from"][-1]) if "factor_from" in kept else 0
            flat = [number for of_one in shared for number in of_one]
            kept["shared_table"] = owned(np.array(flat, np.int64), np.int32, "shared", (count,))
        for field, array in kept.items():
            setattr(arrays, field, address(array))
        handle = c_void_p()
        _batch_library.library()
        call("sculpt_batch_graphs_open", byref(arrays), byref(handle))
        self._keep(handle, labels)
        if len(shapes) == 1:
            self.shared_shape = shapes[0]

    def _keep(self, handle: c_void_p, labels: "int | None") -> None:
        library = _batch_library.library()
        when_gone(self, library.sculpt_batch_graphs_free, handle)
        self._handle = handle
        layout = _batch_library.Layout()
        call("sculpt_batch_graphs_layout", handle, byref(layout))
        self.example_count = layout.example_count
        self.variable_count = layout.variable_count
        self.unary_shape = ((layout.unary_size,) if labels is None
                            else (layout.variable_count, labels))
        self.tables_shape = (layout.tables_size,)
        self.shared_shape = (layout.shared_size,)
        for name in ("variable_from", "unary_from", "tables_from"):
            setattr(self, name, copied(getattr(layout, name), layout.example_count + 1, np.int64))

    def __len__(self) -> int:
        return self.example_count

    def split(self, array) -> list:
        """An array of all variables, such as outputs or `unary` of the shape unary_shape, as a list
        with the part of each example."""
        rows = np.asarray(array)
        if rows.shape[:1] != (self.variable_count,):
            raise ValueError(f"the array has the shape {rows.shape}; it must have one row for each "
                             f"of {self.variable_count} variables")
        return np.split(rows, self.variable_from[1:-1]) if self.example_count else []


class Chains(Graphs):
    """Sequences: neighbours of a sequence have a table.

    lengths   int[examples]; 0 is possible
    labels    the number of labels
    tables    "shared": all pairs of neighbours have the same table, `shared`, [labels, labels].
              "own": each has its own, `tables`, [pairs of all examples, labels, labels]
    """

    def __init__(self, lengths, labels: int, tables: str = "shared"):
        choices = {"shared": _batch_library.SHARED_TABLE, "own": _batch_library.OWN_TABLES}
        if tables not in choices:
            raise ValueError(f"tables is {tables!r}; it must be 'shared' or 'own'")
        counts = counts_of(lengths, "lengths")
        labels = _arguments.integer(labels, "labels", 1, 2**31 - 1)
        handle = c_void_p()
        _batch_library.library()
        call("sculpt_batch_chains", counts.size, address(counts), labels,
             choices[tables], byref(handle))
        self._keep(handle, labels)
        if tables == "shared":
            self.shared_shape = (labels, labels)
        else:
            self.tables_shape = (int(np.maximum(counts - 1, 0).sum()), labels, labels)


def _factor_arrays(factors, examples: int) -> dict:
    scopes = [scope for of_one in list_of(factors, "factors", examples) for scope in of_one]
    flat = np.array([variable for scope in scopes for variable in scope])
    return {"factor_from": offsets([len(of_one) for of_one in factors]),
            "scope_from": offsets([len(scope) for scope in scopes]),
            "scope": owned(flat if flat.size else np.empty(0, np.int32), np.int32, "factors")}
