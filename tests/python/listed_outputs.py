"""Losses, gradients and marginals by listing all outputs, by the formulas of sculpt/host/batch.h.

The independent answer of batch_test.py and torch_test.py: nothing here uses the library.
"""

import itertools

import numpy as np


class Example:
    """One factor graph with its scores. `factors`: pairs (scope, table), the table an array with an
    axis for each variable of the scope. unary: a list with an array for each variable."""

    def __init__(self, unary, factors, truth=None, weights=None, costs=None):
        self.unary, self.factors = unary, factors
        self.truth, self.weights, self.costs = truth, weights, costs
        self.outputs = list(itertools.product(*[range(len(row)) for row in unary]))

    def score(self, y) -> float:
        return (sum(row[label] for row, label in zip(self.unary, y))
                + sum(table[tuple(y[v] for v in scope)] for scope, table in self.factors))

    def delta(self, y) -> float:
        total = 0.0
        for v, (true, label) in enumerate(zip(self.truth, y)):
            if true >= 0 and true != label:
                weight = 1.0 if self.weights is None else self.weights[v]
                total += weight * (1.0 if self.costs is None else self.costs[true][label])
        return total

    def agrees(self, y) -> bool:
        return all(true in (-1, label) for true, label in zip(self.truth, y))

    def indicator(self, distribution) -> tuple:
        """The cells of unary and of the factors' tables, weighted by pairs (probability, y)."""
        unary = [np.zeros(len(row)) for row in self.unary]
        tables = [np.zeros(np.shape(table)) for _, table in self.factors]
        for probability, y in distribution:
            for row, label in zip(unary, y):
                row[label] += probability
            for cells, (scope, _) in zip(tables, self.factors):
                cells[tuple(y[v] for v in scope)] += probability
        return unary, tables

    def best(self, scored) -> tuple:
        value, y = max(scored)
        return value, [(1.0, y)]

    def log_sum(self, scored) -> tuple:
        values = np.array([value for value, _ in scored])
        top = values.max()
        log_z = top + np.log(np.exp(values - top).sum())
        return log_z, [(np.exp(value - log_z), y) for value, y in scored]

    def loss(self, kind: str) -> tuple:
        """The value, and the gradients of unary and of the factors' tables."""
        join = self.best if kind in ("hinge", "perceptron") else self.log_sum
        has_delta = kind in ("hinge", "softmax-margin")
        value, over = join([(self.score(y) + (self.delta(y) if has_delta else 0.0), y)
                            for y in self.outputs])
        of_truth, under = join([(self.score(y), y) for y in self.outputs if self.agrees(y)])
        plus, minus = self.indicator(over), self.indicator(under)
        gradients = [[a - b for a, b in zip(*pair)] for pair in zip(plus, minus)]
        return value - of_truth, *gradients

    def marginals(self) -> tuple:
        log_z, over = self.log_sum([(self.score(y), y) for y in self.outputs])
        return log_z, *self.indicator(over)

    def decoded(self) -> tuple:
        value, over = self.best([(self.score(y), y) for y in self.outputs])
        return value, list(over[0][1])


def chains(lengths, unary, transitions, truths=None, weights=None, costs=None) -> list:
    """Sequences. transitions: [labels, labels], or [pairs of all sequences, labels, labels]."""
    examples, first, pair = [], 0, 0
    for length in lengths:
        tables = [transitions if np.ndim(transitions) == 2 else transitions[pair + k]
                  for k in range(max(length - 1, 0))]
        part = slice(first, first + length)
        examples.append(Example(list(unary[part]),
                                [((k, k + 1), table) for k, table in enumerate(tables)],
                                None if truths is None else list(truths[part]),
                                None if weights is None else weights[part], costs))
        first, pair = first + length, pair + len(tables)
    return examples
