"""Structured losses as functions of torch: a network gives the scores, a map_solver searches.

    loss = structured_loss(unary, truths, lengths=lengths, transitions=transitions)
    loss.backward()

See ../networks.md. The work is that of batch.py: on the CPU, in float64, with threads but without
Python. Tensors of another device are copied to the CPU, and the results back.
"""

import numpy as np

try:
    import torch
except ImportError as error:
    raise ImportError("sculpt.torch needs torch: apt-get install python3-torch, or "
                      "python3 -m pip install torch; sculpt.batch works without") from error

from ._batch._torch_scores import Scores, constant, solver_of
from ._host import _arguments

_SOLVER_OPTIONS = ("map_solver", "parameters", "threads", "plugin_path")

__all__ = ["ChainLayer", "decode", "marginals", "structured_loss"]


def structured_loss(unary, truths, *, lengths=None, mask=None, transitions=None, graphs=None,
                    tables=None, shared=None, map_solver="viterbi", parameters=None,
                    kind: str = "hinge", reduction: str = "mean", costs=None,
                    variable_weights=None, threads: "int | None" = None, plugin_path=()):
    """The loss of a batch, with gradients for unary, transitions, tables and shared.

    Sequences:
    unary        float[B, T, labels] with padding behind the sequences, or float[sum of lengths,
                 labels] without padding; float32 or float64
    truths       int[B, T] or int[sum of lengths]: labels, -1: not known. Padding is not read
    lengths      int[B]; or mask: bool[B, T], True before the padding. None: no padding
    transitions  float[labels, labels] from the row's to the column's label, the same everywhere;
                 or of each pair of neighbours: float[B, T - 1, labels, labels], without padding
                 float[pairs, labels, labels]

    Other graphs:
    graphs       batch.Graphs; then unary has the cells of graphs.unary_shape, such as
                 float[B, height, width, labels], and truths its shape without the last axis
    tables       float, the cells of graphs.tables_shape: the factors' own tables
    shared       float, the cells of graphs.shared_shape

    map_solver   a name with its `parameters`, or a batch.Batch
    kind         "hinge", "perceptron", "log-loss" or "softmax-margin"
    reduction    "mean" or "sum" over the examples, or "none": float[B]
    costs        float[labels, labels], of a wrong label: from the true one to the other; None: 1
    variable_weights  float of the shape of truths, factors of the costs; None: 1
    threads      None: those of torch; 0: all cores. Results do not depend on it

    There is no second derivative. Raises TypeError, ValueError and SculptError, which name the
    argument.
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"reduction is {reduction!r}; it must be 'mean', 'sum' or 'none'")
    scores = Scores(unary, lengths, mask, transitions, graphs, tables, shared)
    solver = solver_of(map_solver, parameters, threads, plugin_path)
    truths = scores.labels(truths, "truths")
    options = {"kind": kind, "costs": constant(costs, "costs")}
    if variable_weights is not None:
        options["variable_weights"] = scores.labels(variable_weights, "variable_weights")
    wants_gradients = torch.is_grad_enabled()  # forward() below cannot see it

    def compute(cells, example_weights=None):
        return solver.loss(scores.graphs, cells[0], truths, tables=cells[1], shared=cells[2],
                           gradients=wants_gradients, example_weights=example_weights, **options)

    return _Loss.apply(scores, compute, reduction, *scores.tensors)


class _Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, compute, reduction, *tensors):
        ctx.scores, ctx.compute, ctx.reduction = scores, compute, reduction
        ctx.save_for_backward(*tensors)
        ctx.found = compute(scores.cells())
        values = ctx.found.values
        if reduction != "none":
            values = values.sum() / (max(values.size, 1) if reduction == "mean" else 1)
        return scores.like_unary(np.asarray(values))

    @staticmethod
    def backward(ctx, of_values):
        tensors = ctx.saved_tensors  # fails if they have changed
        factors = of_values.detach().cpu().numpy().astype(np.float64).ravel()
        if ctx.reduction == "mean":
            factors = factors / max(len(ctx.found.values), 1)
        found, factor = ctx.found, factors[0] if factors.size else 0.0
        if (factors != factor).any():  # `shared` is a sum over the examples
            found, factor = ctx.compute(ctx.scores.cells(), factors), 1.0
        gradients = ctx.scores.gradients(found, factor, ctx.needs_input_grad[3:])
        if torch.is_grad_enabled():  # create_graph=True
            gradients = [None if one is None else _Underivable.apply(one, of_values, *tensors)
                         for one in gradients]
        return None, None, None, *gradients


class _Underivable(torch.autograd.Function):
    """A gradient that says so if it is to be differentiated again."""

    @staticmethod
    def forward(ctx, gradient, *_of):
        return gradient.clone()

    @staticmethod
    def backward(ctx, _of_gradient):
        raise RuntimeError("structured_loss has no second derivative: leave it out of what is "
                           "differentiated twice")


def decode(unary, *, lengths=None, mask=None, transitions=None, graphs=None, tables=None,
           shared=None, map_solver="viterbi", parameters=None, threads: "int | None" = None,
           plugin_path=()):
    """The best outputs: int64 of the shape of truths, with -1 in the padding. The arguments are
    those of structured_loss()."""
    scores = Scores(unary, lengths, mask, transitions, graphs, tables, shared)
    solver = solver_of(map_solver, parameters, threads, plugin_path)
    cells = scores.cells()
    found = solver.decode(scores.graphs, cells[0], tables=cells[1], shared=cells[2])
    return torch.from_numpy(scores.spread_labels(found.outputs)).to(unary.device)


def marginals(unary, *, lengths=None, mask=None, transitions=None, graphs=None, tables=None,
              shared=None, map_solver="viterbi", parameters=None, threads: "int | None" = None,
              plugin_path=()):
    """The probability of each label: of the shape of unary, with 0 in the padding, without
    gradient. The arguments are those of structured_loss()."""
    scores = Scores(unary, lengths, mask, transitions, graphs, tables, shared)
    solver = solver_of(map_solver, parameters, threads, plugin_path)
    cells = scores.cells()
    found = solver.marginals(scores.graphs, cells[0], tables=cells[1], shared=cells[2])
    return scores.gradients(found, 1.0, (True, False, False))[0]


class ChainLayer(torch.nn.Module):
    """The last layer of a network that labels sequences. It holds `transitions`,
    float[labels, labels], which are 0 at first.

    options   kind, reduction, map_solver, parameters, threads, plugin_path of structured_loss()
    """

    def __init__(self, labels: int, **options):
        super().__init__()
        self._loss_only = {name: options.pop(name) for name in ("kind", "reduction")
                           if name in options}
        unknown = sorted(options.keys() - _SOLVER_OPTIONS)
        if unknown:
            raise TypeError(f"ChainLayer has no option {unknown[0]!r}; it has kind, reduction, "
                            + ", ".join(_SOLVER_OPTIONS))
        self._options = options
        labels = _arguments.integer(labels, "labels", 1)
        self.transitions = torch.nn.Parameter(torch.zeros(labels, labels))

    def forward(self, unary, truths, *, lengths=None, mask=None, costs=None,
                variable_weights=None, reduction: "str | None" = None):
        """The loss: structured_loss(). reduction: None: that of the layer."""
        self._check_labels(unary)
        own = {} if reduction is None else {"reduction": reduction}
        return structured_loss(unary, truths, lengths=lengths, mask=mask, costs=costs,
                               variable_weights=variable_weights, transitions=self.transitions,
                               **{**self._loss_only, **own}, **self._options)

    def decode(self, unary, *, lengths=None, mask=None):
        """The best labels: decode()."""
        self._check_labels(unary)
        return decode(unary, lengths=lengths, mask=mask, transitions=self.transitions,
                      **self._options)

    def marginals(self, unary, *, lengths=None, mask=None):
        """The probabilities of the labels: marginals()."""
        self._check_labels(unary)
        return marginals(unary, lengths=lengths, mask=mask, transitions=self.transitions,
                         **self._options)

    def _check_labels(self, unary) -> None:
        count = len(self.transitions)
        if isinstance(unary, torch.Tensor) and unary.dim() and unary.shape[-1] != count:
            raise ValueError(f"unary has scores of {unary.shape[-1]} labels (its shape is "
                             f"{tuple(unary.shape)}), but ChainLayer has {count} labels")

    def extra_repr(self) -> str:
        options = {**self._loss_only, **self._options}
        return ", ".join([str(len(self.transitions)),
                          *(f"{name}={value!r}" for name, value in options.items())])
