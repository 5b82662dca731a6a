"""Tensors of scores as arrays of a batch, and arrays back as tensors, for ../torch.py."""

import functools
import json
import math
import os

import numpy as np
import torch

from .._host import _arguments
from .._host._memory import counts_of, owned
from ..batch import Batch, Chains, Graphs


def solver_of(map_solver, parameters, threads: "int | None", plugin_path) -> Batch:
    """The Batch of these arguments; the same one for the same arguments."""
    if isinstance(map_solver, Batch):
        return map_solver
    count = torch.get_num_threads() if threads is None else threads
    text = None if parameters is None else _arguments.json_text(parameters, "parameters")
    return _solver(map_solver, text, count,
                   tuple(_arguments.folders(plugin_path, "plugin_path")), os.getpid())


@functools.lru_cache(maxsize=32)
def _solver(map_solver, parameters, threads, plugin_path, _process) -> Batch:
    return Batch(map_solver, None if parameters is None else json.loads(parameters), threads,
                 plugin_path)


@functools.lru_cache(maxsize=32)
def _chains(lengths: bytes, labels: int, tables: str) -> Chains:
    return Chains(np.frombuffer(lengths, np.int64), labels, tables)


def constant(given, name: str) -> "np.ndarray | None":
    """A tensor or array without a gradient, as an array."""
    if given is None:
        return None
    if isinstance(given, torch.Tensor):
        if given.requires_grad:
            raise ValueError(f"{name} requires a gradient, but the loss has none for it; give "
                             f"{name}.detach()")
        given = given.cpu().numpy()
    return np.asarray(given)


def _require_scores(tensor, name: str) -> None:
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{name} is {type(tensor).__name__}; it must be a torch.Tensor")
    if tensor.dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name} has the type {tensor.dtype}; it must be torch.float32 or "
                        f"torch.float64: give {name}.float()")


class Scores:
    """The scores of a batch. The arguments are those of structured_loss().

    graphs    the factor graphs
    tensors   the tensors of unary, tables and shared; None if there is none
    """

    def __init__(self, unary, lengths, mask, transitions, graphs, tables, shared):
        _require_scores(unary, "unary")
        self._rows = self._pairs = None  # bool[B, T], bool[B, T - 1]: what is no padding
        self._names = ("unary", "tables", "shared")
        if graphs is None:
            if tables is not None or shared is not None:
                raise ValueError("tables and shared belong to graphs; the scores of neighbours in "
                                 "sequences are transitions")
            tables, shared = self._set_sequences(unary, lengths, mask, transitions)
        else:
            if not isinstance(graphs, Graphs):
                raise TypeError(f"graphs is {type(graphs).__name__}; it must be batch.Graphs")
            for name, given in (("lengths", lengths), ("mask", mask), ("transitions", transitions)):
                if given is not None:
                    raise ValueError(f"{name} belongs to sequences; graphs have tables and shared")
            self.graphs = graphs
        self.tensors = [unary, tables, shared]
        for name, tensor in zip(self._names[1:], self.tensors[1:]):
            if tensor is not None:
                _require_scores(tensor, name)
        self._labels_shape = self._shape_of_labels(unary)

    def _set_sequences(self, unary, lengths, mask, transitions) -> tuple:
        """Returns tables and shared."""
        if transitions is None:
            raise ValueError("transitions is missing; it must be float[labels, labels]")
        _require_scores(transitions, "transitions")
        self._names = ("unary", "transitions", "transitions")
        if lengths is not None and mask is not None:
            raise ValueError("lengths and mask are both given")
        if unary.dim() == 3:
            counts = self._set_padding(tuple(unary.shape[:2]), lengths, mask)
        elif unary.dim() == 2:
            if lengths is None:
                raise ValueError("lengths is missing; unary of two axes is all sequences in a row")
            counts = counts_of(constant(lengths, "lengths"), "lengths")
            if counts.sum() != unary.shape[0]:
                raise ValueError(f"lengths sum to {counts.sum()}, but unary has {unary.shape[0]} "
                                 "rows")
        else:
            raise ValueError(f"unary has the shape {tuple(unary.shape)}; it must be [B, T, labels] "
                             "or [sum of lengths, labels]")
        labels = unary.shape[-1]
        self.graphs = _chains(counts.tobytes(), labels, "shared" if transitions.dim() == 2
                              else "own")
        pairs = int(np.maximum(counts - 1, 0).sum())
        expected = {2: (labels, labels), 3: (pairs, labels, labels)}
        if unary.dim() == 3:
            expected[4] = (unary.shape[0], max(unary.shape[1] - 1, 0), labels, labels)
        if tuple(transitions.shape) != expected.get(transitions.dim()):
            raise ValueError(f"transitions has the shape {tuple(transitions.shape)}; it must be "
                             + " or ".join(str(shape) for shape in expected.values()))
        if transitions.dim() < 4:
            self._pairs = None
        return (None, transitions) if transitions.dim() == 2 else (transitions, None)

    def _set_padding(self, shape, lengths, mask) -> np.ndarray:
        """Returns the lengths."""
        if mask is not None:
            rows = constant(mask, "mask").astype(bool)
            if rows.shape != shape:
                raise ValueError(f"mask has the shape {rows.shape}; it must be {shape}")
            counts = rows.sum(axis=1)
        elif lengths is not None:
            counts = owned(constant(lengths, "lengths"), np.int64, "lengths")
            if counts.shape != shape[:1] or (counts.size and not 0 <= counts.min() <= counts.max()
                                             <= shape[1]):
                raise ValueError(f"lengths must be {shape[0]} numbers from 0 to {shape[1]}")
        else:
            return np.full(shape[0], shape[1], np.int64)
        filled = np.arange(shape[1]) < counts[:, None]
        if mask is not None and (filled != rows).any():
            raise ValueError(f"mask has a gap in example {(filled != rows).any(axis=1).argmax()}; "
                             "padding must stand behind the sequence")
        self._rows, self._pairs = filled, filled[:, 1:]
        return counts.astype(np.int64)

    def _shape_of_labels(self, unary) -> tuple:
        cells = self.graphs.unary_shape
        if self._rows is not None:
            return self._rows.shape
        if unary.numel() != math.prod(cells) or (len(cells) == 2 and unary.shape[-1:] != cells[1:]):
            raise ValueError(f"unary has the shape {tuple(unary.shape)}; the graphs need {cells}")
        return tuple(unary.shape[:-1]) if len(cells) == 2 else (self.graphs.variable_count,)

    def labels(self, given, name: str) -> np.ndarray:
        """One number for each variable, without padding."""
        array = constant(given, name)
        if array.shape != self._labels_shape:
            raise ValueError(f"{name} has the shape {array.shape}; it must be "
                             f"{self._labels_shape}")
        return array.ravel() if self._rows is None else array[self._rows]

    def spread_labels(self, labels: np.ndarray) -> np.ndarray:
        """int64 of the shape of truths, -1 in the padding."""
        if self._rows is None:
            return labels.reshape(self._labels_shape).astype(np.int64)
        spread = np.full(self._labels_shape, -1, np.int64)
        spread[self._rows] = labels
        return spread

    def cells(self) -> list:
        """unary, tables and shared without padding, as the graphs have them."""
        shapes = (self.graphs.unary_shape, self.graphs.tables_shape, self.graphs.shared_shape)
        arrays = []
        for name, tensor, kept, shape in zip(self._names, self.tensors,
                                             (self._rows, self._pairs, None), shapes):
            if tensor is None:
                if math.prod(shape):
                    raise ValueError(f"{name} is missing; the graphs need {shape}")
                arrays.append(None)
                continue
            array = tensor.detach().cpu().numpy()
            if kept is not None and array.size:
                array = array[kept]
            if array.size != math.prod(shape):
                raise ValueError(f"{name} has the shape {tuple(tensor.shape)}; the graphs need "
                                 f"{shape}")
            arrays.append(array.reshape(shape))
        return arrays

    def gradients(self, found, factor: float, wanted) -> list:
        """The gradients times `factor` as tensors, 0 in the padding; None where not wanted."""
        gradients = []
        for tensor, kept, cells, is_wanted in zip(self.tensors, (self._rows, self._pairs, None),
                                                  (found.unary, found.tables, found.shared),
                                                  wanted):
            if not is_wanted:
                gradients.append(None)
                continue
            if kept is not None and tensor.numel():
                padded = np.zeros(tensor.shape)
                padded[kept] = cells
                cells = padded
            # A copy: whoever gets it may change it.
            gradient = torch.from_numpy(cells.reshape(tensor.shape)).to(
                device=tensor.device, dtype=tensor.dtype, copy=True)
            gradients.append(gradient if factor == 1 else gradient.mul_(factor))
        return gradients

    def like_unary(self, array: np.ndarray) -> torch.Tensor:
        """A tensor of the type and device of unary."""
        unary = self.tensors[0]
        return torch.from_numpy(array).to(device=unary.device, dtype=unary.dtype)
