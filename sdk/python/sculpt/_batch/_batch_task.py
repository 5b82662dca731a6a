"""Losses for a network that gives weights to any task, for ../batch.py."""

import os
import pathlib
from ctypes import byref, c_void_p
from typing import NamedTuple

import numpy as np

from .._host import _arguments
from .._host._experiment import Prepared
from .._host._library import call
from .._host._memory import address, copied, owned
from . import _batch_library
from ._handle import Handle, common_options


class TaskResult(NamedTuple):
    """What a call finds.

    values        float64[examples of the call]
    gradient      of the shape of the weights; summed over the examples if they share the weights
    outputs       a list of int32 arrays; None after log-loss, softmax-margin and expectations
    exact         bool[examples], whether the oracle proves the value, up to rounding
    upper_bounds  float64[examples] of the values; inf if the oracle proves none
    """
    values: np.ndarray
    gradient: np.ndarray
    outputs: "list[np.ndarray] | None"
    exact: np.ndarray
    upper_bounds: np.ndarray


class BatchTask:
    """The components of an experiment with the examples of its split "train". A network gives the
    weights w of the features: score(y) = <w, psi(x_i, y)>.

    experiment   the path of an experiment, or a dict; "solver" is not needed. A split of its
                 dataset may be `Arrays` or `Text`
    folder       of relative paths in a dict; None: the working folder
    threads      0: all cores. Results do not depend on it, to the last bit
    plugin_path  folders that are searched for plugins first

    Calls from several threads take turns. After fork() the child opens its own. Raises SculptError.
    """

    def __init__(self, experiment, *, folder=None, threads: int = 0, plugin_path=()):
        options = _batch_library.TaskOptions()
        prepared = Prepared(experiment, {})
        if prepared.tasks.classes:
            raise TypeError("the experiment has a class of this process, which a BatchTask cannot "
                            'use; give its file: {"use": "python", "file": "task.py"}')
        if prepared.json is not None:
            options.experiment = prepared.json
        else:
            path = pathlib.Path(os.fsdecode(prepared.path))
            options.experiment = _arguments.without_zero(path.read_bytes(), str(path))
            folder = path.parent if folder is None else folder
        if folder is not None:
            options.folder = _arguments.path_bytes(folder, "folder")
        common_options(options, threads, plugin_path)
        prepared.lend_to(options)
        self._handle = Handle("sculpt_batch_task", options, kept=prepared.lent)
        library = _batch_library.library()
        self._count = library.sculpt_batch_task_examples(self._handle.pointer)
        self.dimension = library.sculpt_batch_task_dimension(self._handle.pointer)

    def __len__(self) -> int:
        """The number of examples."""
        return self._count

    def loss(self, examples, weights, kind: str = "hinge", *, example_weights=None,
             seed: int = 0) -> TaskResult:
        """The losses of examples and their gradients.

        examples  int64[count], numbers of examples from 0
        weights   float64[count, dimension], or float64[dimension] for all of them
        kind      "hinge", "perceptron", "log-loss" or "softmax-margin"
        example_weights  float64[count], factors of the gradients; None: 1 each
        """
        number = _batch_library.kind_number(kind)
        return self._compute("sculpt_batch_task_loss", (number,), examples, weights,
                             example_weights, seed)

    def decode(self, examples, weights, *, seed: int = 0) -> TaskResult:
        """The best outputs, with their scores as values and psi as the gradient."""
        return self._compute("sculpt_batch_task_decode", (), examples, weights, None, seed)

    def expectations(self, examples, weights, *, seed: int = 0) -> TaskResult:
        """log Z as the values, and E[psi] as the gradient."""
        return self._compute("sculpt_batch_task_expectations", (), examples, weights, None, seed)

    def _compute(self, function, leading, examples, weights, example_weights, seed) -> TaskResult:
        numbers = owned(examples, np.int64, "examples")
        if numbers.ndim != 1:
            raise ValueError(f"examples has the shape {numbers.shape}; it must be [count]")
        count = numbers.size
        w = owned(weights, np.float64, "weights")
        if w.shape not in ((self.dimension,), (count, self.dimension)):
            raise ValueError(f"weights has the shape {w.shape}; it must be "
                             f"({count}, {self.dimension}) or ({self.dimension},)")
        given = _batch_library.TaskInput(
            examples=address(numbers), example_count=count, weights=address(w),
            weights_size=w.size, seed=_arguments.integer(seed, "seed", 0, 2**64 - 1))
        factors = None
        if example_weights is not None:
            factors = owned(example_weights, np.float64, "example_weights", (count,))
            given.example_weights = address(factors)
        values, bounds, gradient = np.empty(count), np.empty(count), np.empty(w.shape)
        exact = np.empty(count, np.int32)
        found = _batch_library.TaskOutput(
            values=address(values), gradient=address(gradient), exact=address(exact),
            upper_bounds=address(bounds))

        def run():
            call(function, self._handle.pointer, *leading, byref(given), byref(found))
            return self._outputs(count)

        kept = (numbers, w, factors, values, bounds, gradient, exact)
        outputs = self._handle.run(run, name=f"{function} {leading}", size=count, kept=kept)
        return TaskResult(values, gradient, outputs, exact != 0, bounds)

    def _outputs(self, count: int) -> "list[np.ndarray] | None":
        label_from, labels = c_void_p(), c_void_p()
        _batch_library.library().sculpt_batch_task_outputs(self._handle.pointer, byref(label_from),
                                                           byref(labels))
        if label_from.value is None:
            return None
        offsets = copied(label_from.value, count + 1, np.int64)
        flat = copied(labels.value, int(offsets[-1]), np.int32)
        return np.split(flat, offsets[1:-1]) if count else []
