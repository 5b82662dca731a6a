"""The twelve problems of the comparison `conditioning`: made-up data with a fixed seed. One column,
the raw column, is multiplied by the scale. Each task has two problems. The first has a bias if its
features offer one, and columns of mean 1 (the raw column: 4). The second has columns of mean 0. The
problem `images` is of the second kind."""

import dataclasses
import random
from typing import Callable


@dataclasses.dataclass
class Problem:
    """`write(scale)` returns the text of the data. `oracle_of_squares` is the oracle for slack norm
    2 if norm 2 needs another oracle, one with a frontier."""

    name: str
    write: Callable
    dataset: dict
    features: dict
    loss: object
    oracle: str
    C: float
    oracle_of_squares: str = ""

    def experiment(self, data, slack_norm):
        second = slack_norm == 2 and self.oracle_of_squares
        return {"name": self.name, "dataset": self.dataset | {"train": str(data)},
                "features": self.features, "loss": self.loss,
                "oracle": self.oracle_of_squares if second else self.oracle,
                "solver": {"use": "n_slack", "C": self.C, "slack_norm": slack_norm}}


class Inputs:
    """Random rows of `columns` numbers. The first column is the raw one. `signed`: columns of mean
    0. Labels depend on the numbers before scaling."""

    def __init__(self, seed, columns, signed):
        self.draw = random.Random(seed)
        self.columns = columns
        self.signed = signed

    def row(self):
        """Numbers with mean 0 and standard deviation 1."""
        return [self.draw.gauss(0, 1) for _ in range(self.columns)]

    def values(self, row, scale):
        """The numbers of the data file. They are rounded before scaling, so all scales pose the
        same problem."""
        moved = [x if self.signed else x + (4 if k == 0 else 1) for k, x in enumerate(row)]
        rounded = [round(x, 4) for x in moved]
        return [rounded[0] * scale, *rounded[1:]]

    def text(self, row, scale):
        return " ".join(f"{k}:{x:.10g}" for k, x in enumerate(self.values(row, scale), 1) if x != 0)

    def weights(self, count):
        """Returns `count` random weight vectors."""
        return [[self.draw.gauss(0, 1) for _ in range(self.columns)] for _ in range(count)]

    def score(self, weights, row, noise=0.5):
        return sum(w * x for w, x in zip(weights, row)) + noise * self.draw.gauss(0, 1)

    def best(self, weights, row, extra=None):
        scores = [self.score(w, row) + (extra[k] if extra else 0) for k, w in enumerate(weights)]
        return scores.index(max(scores))


def classes(seed, count, columns, labels, signed):
    def write(scale):
        inputs = Inputs(seed, columns, signed)
        weights = inputs.weights(labels)
        lines = []
        for _ in range(count):
            row = inputs.row()
            lines.append(f"{inputs.best(weights, row) + 1} {inputs.text(row, scale)}")
        return "\n".join(lines) + "\n"
    return write


def label_lists(seed, count, columns, labels, signed):
    def write(scale):
        inputs = Inputs(seed, columns, signed)
        weights = inputs.weights(labels)
        lines = []
        for number in range(count):
            row = inputs.row()
            chosen = [k + 1 for k, w in enumerate(weights)
                      if inputs.score(w, row) > 0 or k == number % labels]
            lines.append(f"{','.join(map(str, chosen))} {inputs.text(row, scale)}")
        return "\n".join(lines) + "\n"
    return write


def words(seed, count, columns, labels, signed):
    """Words in which neighbours often have the same letter."""
    def write(scale):
        inputs = Inputs(seed, columns, signed)
        weights = inputs.weights(labels)
        lines = []
        for number in range(count):
            length = inputs.draw.randrange(3, 7)
            last = 0
            for position in range(length):
                row = inputs.row()
                last = inputs.best(weights, row, [1.0 if k == last else 0.0 for k in range(labels)])
                more = 1 if position + 1 < length else 0
                numbers = " ".join(f"{x:.10g}" for x in inputs.values(row, scale))
                lines.append(f"{number} 0 {position} {'abcdefgh'[last]} {more} {numbers}")
        return "\n".join(lines) + "\n"
    return write


def queries(seed, count, columns, grades, signed):
    def write(scale):
        inputs = Inputs(seed, columns, signed)
        weights = inputs.weights(1)[0]
        lines = []
        for number in range(1, count + 1):
            rows = [inputs.row() for _ in range(8)]
            order = sorted(range(8), key=lambda k, rows=rows: inputs.score(weights, rows[k]))
            for rank, k in enumerate(order):
                lines.append(f"{rank * grades // 8} qid:{number} {inputs.text(rows[k], scale)}")
        return "\n".join(lines) + "\n"
    return write


def rows_of_a_set(seed, count, columns, signed):
    def write(scale):
        inputs = Inputs(seed, columns, signed)
        weights = inputs.weights(1)[0]
        lines = []
        for _ in range(count):
            row = inputs.row()
            sign = "1" if inputs.score(weights, row) > 0.8 else "-1"
            lines.append(f"{sign} {inputs.text(row, scale)}")
        return "\n".join(lines) + "\n"
    return write


def images(seed, count, height, width):
    """Images of a bright rectangle. The only input of a pixel is its value."""
    def write(scale):
        inputs = Inputs(seed, 1, True)
        lines = []
        for number in range(count):
            bottom = inputs.draw.randrange(1, height + 1)
            right = inputs.draw.randrange(1, width + 1)
            pixels = [[int(y < bottom and x < right) for x in range(width)] for y in range(height)]
            lines.append(f"image {number} {height} {width}")
            for line in pixels:
                values = (inputs.values([2 * pixel - 1 + v for v in inputs.row()], scale)[0]
                          for pixel in line)
                lines.append(" ".join(f"{value:.10g}" for value in values))
            lines.extend(" ".join(map(str, line)) for line in pixels)
        return "\n".join(lines) + "\n"
    return write


def trees(seed, count, columns, labels, signed):
    """Trees with two kinds of edges. Each site has an edge to a site before it. Edges of the kind
    `like` often join equal labels."""
    def write(scale):
        inputs = Inputs(seed, columns, signed)
        weights = inputs.weights(labels)
        lines = []
        for number in range(count):
            lines.append(f"graph g{number}")
            chosen, edges = [], []
            for site in range(inputs.draw.randrange(4, 8)):
                row = inputs.row()
                extra = [0.0] * labels
                if site > 0:
                    other, kind = inputs.draw.randrange(site), inputs.draw.choice(("like", "any"))
                    edges.append(f"edge {other + 1} {site + 1} {kind}")
                    extra[chosen[other]] = 2.0 if kind == "like" else 0.0
                chosen.append(inputs.best(weights, row, extra))
                lines.append(f"{chosen[-1]} {inputs.text(row, scale)}")
            lines.extend(edges)
        return "\n".join(lines) + "\n"
    return write


HAMMING = {"use": "hamming", "normalize": True}
MULTILABEL = {"use": "multilabel", "pairs": "both_on"}

PROBLEMS = [
    Problem("two classes", classes(1, 200, 3, 2, False), {"use": "svmlight"},
            {"use": "multiclass", "bias": True}, "zero_one", "enumerate", 10),
    Problem("five classes", classes(2, 150, 6, 5, True), {"use": "svmlight"},
            {"use": "multiclass", "bias": False}, "zero_one", "enumerate", 100),
    Problem("label pairs", label_lists(3, 100, 5, 4, False), {"use": "mlsvml"},
            MULTILABEL | {"edges": "full", "bias": True}, HAMMING, "enumerate", 10),
    Problem("attractive labels", label_lists(4, 80, 6, 6, True), {"use": "mlsvml"},
            MULTILABEL | {"edges": "full", "bias": False, "nonnegative": ["pairs"]}, HAMMING,
            "graph_cut", 30, "enumerate"),
    Problem("chain", words(5, 40, 4, 3, False), {"use": "letters"},
            {"use": "chain", "bias": True}, HAMMING, "viterbi", 10),
    Problem("chain with ends", words(6, 40, 6, 5, True), {"use": "letters"},
            {"use": "chain", "bias": False, "start_end": True},
            {"use": "hamming", "normalize": False}, "viterbi", 30),
    Problem("reciprocal rank", queries(7, 30, 5, 2, False), {"use": "svmrank"},
            {"use": "ranking"}, "reciprocal_rank", "ranking", 10),
    Problem("pair error", queries(8, 30, 6, 4, True), {"use": "svmrank"},
            {"use": "ranking"}, "pair_error", "ranking", 100),
    Problem("set with F1", rows_of_a_set(9, 100, 4, False), {"use": "svmlight_set"},
            {"use": "contingency", "bias": True}, "f_beta", "contingency", 100),
    Problem("three sets with F1", rows_of_a_set(10, 150, 6, True),
            {"use": "svmlight_set", "sets": 3}, {"use": "contingency", "bias": False}, "f_beta",
            "contingency", 1000),
    Problem("images", images(11, 20, 3, 3), {"use": "grid", "mode": "values"},
            {"use": "graph", "pairs": "potts", "by_kind": False, "nonnegative": ["pairs"]},
            HAMMING, "graph_cut", 30, "enumerate"),
    Problem("trees", trees(12, 40, 5, 3, True), {"use": "graph"},
            {"use": "graph", "pairs": "table", "bias": True}, HAMMING, "viterbi", 30),
]
