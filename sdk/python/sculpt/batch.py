"""Losses of whole batches with their gradients, best outputs and marginals, for the output of a
network. See ../networks.md. With numpy alone; torch.py is a user of it.

    batch = Batch("viterbi")
    graphs = Chains([24, 17], labels=22)
    found = batch.loss(graphs, unary, truths, kind="log-loss", shared=transitions)
    found.values, found.unary, found.shared          # the losses, and their gradients
"""

import math
from ctypes import byref
from typing import NamedTuple

import numpy as np

from ._batch import _batch_library
from ._batch._batch_task import BatchTask, TaskResult
from ._batch._graphs import Chains, Graphs
from ._batch._handle import Handle, common_options
from ._host import _arguments
from ._host._library import call
from ._host._memory import address, owned

__all__ = ["Batch", "BatchResult", "BatchTask", "Chains", "Graphs", "TaskResult"]


class BatchResult(NamedTuple):
    """What a call finds. None: not asked for. The gradients have the shapes of the scores.

    values        float64[examples]
    unary, tables, shared   the gradients of the values; shared: summed over the examples
    outputs       int32[variables], the output of each example that attains the maximum
    exact         bool[examples], whether the map_solver proves the value, up to rounding
    upper_bounds  float64[examples] of the values; inf if the map_solver proves none
    """
    values: np.ndarray
    unary: "np.ndarray | None"
    tables: "np.ndarray | None"
    shared: "np.ndarray | None"
    outputs: "np.ndarray | None"
    exact: np.ndarray
    upper_bounds: np.ndarray


class Batch:
    """A map_solver with its threads, for many calls.

    map_solver   such as "viterbi", "graph_cut", "belief_propagation", or "folder/file.so#viterbi"
    parameters   a dict of its parameters
    threads      0: all cores. Results do not depend on it, to the last bit
    plugin_path  folders that are searched for plugins first

    Calls from several threads take turns. After fork() the child opens its own. A copy and a pickle
    open a new one. Raises SculptError if there is no such map_solver.
    """

    def __init__(self, map_solver: str = "viterbi", parameters: "dict | None" = None,
                 threads: int = 0, plugin_path=()):
        self._arguments = (map_solver, parameters, threads, plugin_path)
        options = _batch_library.BatchOptions(
            map_solver=_arguments.path_bytes(map_solver, "map_solver"))
        if parameters is not None:
            options.parameters = _arguments.json_text(parameters, "parameters").encode()
        common_options(options, threads, plugin_path)
        self._handle = Handle("sculpt_batch", options)

    def __reduce__(self):
        return type(self), self._arguments

    def loss(self, graphs: Graphs, unary, truths, kind: str = "hinge", *, tables=None, shared=None,
             variable_weights=None, costs=None, example_weights=None, seed: int = 0,
             gradients: bool = True, outputs: bool = False) -> BatchResult:
        """The losses of the examples and their gradients.

        unary     float64 of the shape graphs.unary_shape, such as [variables, labels]; `tables` and
                  `shared` of graphs.tables_shape and graphs.shared_shape. Each may be flat
        truths    int32[variables] labels, -1: not known
        kind      "hinge", "perceptron", "log-loss" or "softmax-margin"
        variable_weights  float64[variables], how much a wrong label counts; None: 1 each
        costs     float64[labels, labels], from the true label to the other one; None: 1 each
        example_weights   float64[examples], factors of the gradients; None: 1 each
        outputs   find the outputs, too, where that costs a search (the last two kinds)

        Scores are between -1e100 and 1e100. Arrays of this type in C order are not copied.
        Raises TypeError, ValueError and SculptError, which name the argument.
        """
        number = _batch_library.kind_number(kind)
        return self._compute("sculpt_batch_loss", (number,), graphs, (unary, tables, shared),
                             truths, variable_weights, costs, example_weights, seed, gradients,
                             outputs or number <= _batch_library.KINDS["perceptron"])

    def decode(self, graphs: Graphs, unary, *, tables=None, shared=None, truths=None,
               seed: int = 0) -> BatchResult:
        """The best outputs, with their scores as values. With truths: the best that agree with
        their known labels."""
        return self._compute("sculpt_batch_decode", (), graphs, (unary, tables, shared), truths,
                             seed=seed, outputs=True)

    def marginals(self, graphs: Graphs, unary, *, tables=None, shared=None, truths=None,
                  seed: int = 0, outputs: bool = False) -> BatchResult:
        """log Z as the values, and the probabilities of labels as the gradients; `shared` has
        expected counts. With truths: of the outputs that agree with their known labels."""
        return self._compute("sculpt_batch_marginals", (), graphs, (unary, tables, shared), truths,
                             seed=seed, gradients=True, outputs=outputs)

    def _compute(self, function, leading, graphs, scores, truths, variable_weights=None, costs=None,
                 example_weights=None, seed=0, gradients=False, outputs=False) -> BatchResult:
        given = _batch_library.BatchInput(
            seed=_arguments.integer(seed, "seed", 0, 2**64 - 1))
        found = _batch_library.BatchOutput()
        kept, made = [], {}

        def lend(field, array):
            kept.append(array)
            setattr(given, field, address(array))

        def make(field, shape, dtype=np.float64):
            made[field] = np.empty(shape, dtype)
            setattr(found, field, address(made[field]))

        for field, array in zip(("unary", "tables", "shared"), scores):
            cells = _cells(array, field, getattr(graphs, field + "_shape"))
            lend(field, cells)
            setattr(given, field + "_size", cells.size)
            if gradients and array is not None and not np.may_share_memory(cells, array):
                made[field] = cells  # a copy of other numbers: the gradient takes its place
                setattr(found, field, address(cells))
            elif gradients:
                make(field, cells.shape)
        examples, variables = (graphs.example_count,), (graphs.variable_count,)
        if truths is not None:
            lend("truths", owned(truths, np.int32, "truths", variables))
            given.truth_size = graphs.variable_count
        if variable_weights is not None:
            lend("variable_weights",
                 owned(variable_weights, np.float64, "variable_weights", variables))
        if costs is not None:
            table = owned(costs, np.float64, "costs")
            if table.ndim != 2 or table.shape[0] != table.shape[1]:
                raise ValueError(f"costs has the shape {table.shape}; it must be [labels, labels]")
            lend("costs", table)
            given.cost_count = len(table)
        if example_weights is not None:
            lend("example_weights",
                 owned(example_weights, np.float64, "example_weights", examples))
        make("values", examples)
        make("exact", examples, np.int32)
        make("upper_bounds", examples)
        if outputs:
            make("outputs", variables, np.int32)

        def run():
            call(function, self._handle.pointer, graphs._handle, *leading, byref(given),
                 byref(found))

        self._handle.run(run, name=f"{function} {leading}", kept=(kept, made),
                         size=given.unary_size + given.tables_size)
        made["exact"] = made["exact"] != 0
        return BatchResult(*[made.get(field) for field in BatchResult._fields])


def _cells(array, name: str, shape: tuple) -> np.ndarray:
    """Scores of this shape, or flat, as C wants them."""
    size = math.prod(shape)
    if array is None:
        if size > 0:
            raise ValueError(f"{name} is missing; the graphs need float64{list(shape)}")
        return np.empty(shape)
    cells = owned(array, np.float64, name)
    if cells.shape not in (shape, (size,)):
        raise ValueError(f"{name} has the shape {cells.shape}; it must be {shape}")
    return cells
