"""What the processes of endurance_test.py train: an experiment on arrays, and a task."""

import importlib
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sdk/python"))
import numpy  # noqa: E402
import sculpt  # noqa: E402

DRAW = random.Random(7)
RESULT = numpy.random.default_rng(2)
ROWS, LABELS = RESULT.normal(size=(60, 5)), RESULT.integers(0, 3, 60)
METHODS = ("__init__", "load", "count", "truth", "dimension", "features", "loss", "argmax", "save",
           "seal", "output_shape")
TASK = '''
import numpy as np
import sculpt


class Sizes:
    """Raises in the method `fault`."""
    fault: str = ""
    endless: bool = False

    def __init__(self):
        self.x, self.y = [], []
        self.raise_in("__init__")

    def raise_in(self, method):
        if method == self.fault:
            raise ZeroDivisionError("on purpose")

    def load(self, split, source):
        self.raise_in("load")
        for line in source:
            size, value = line.split()
            self.y.append(int(size))
            self.x.append(np.array([float(value), 1]))

    def count(self):
        self.raise_in("count")
        return len(self.x)

    def truth(self, i):
        self.raise_in("truth")
        return self.y[i]

    def dimension(self):
        self.raise_in("dimension")
        return 6

    def output_shape(self, i):
        self.raise_in("output_shape")
        return sculpt.OutputShape(1, states=3, complete=True)

    def features(self, i, y):
        self.raise_in("features")
        return np.arange(2) + 2 * y[0], self.x[i]

    def loss(self, truth, guess):
        self.raise_in("loss")
        return abs(int(truth[0]) - int(guess[0]))

    def argmax(self, query):
        self.raise_in("argmax")
        while self.endless:
            pass
        score = query.weights.reshape(3, 2) @ self.x[query.example]
        if query.loss_weight > 0:
            score += query.loss_weight * abs(np.arange(3) - query.truth[0])
        return score.argmax(), score.max()

    def save(self):
        self.raise_in("save")
        return b"learned"

    def restore(self, state):
        pass

    def seal(self):
        self.raise_in("seal")
'''


def experiment(c=1000.0, gap=1e-9) -> dict:
    return {"dataset": {"use": "arrays", "train": sculpt.Arrays(ROWS, LABELS)},
            "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
            "solver": {"use": "n_slack", "C": c, "relative_gap": gap}}


class Task:
    """The file of a task, in the folder that the caller gives and removes."""

    def __init__(self):
        folder = os.environ["ENDURANCE_FOLDER"]
        self.file = os.path.join(folder, "sizes.py")
        pathlib.Path(self.file).write_text(TASK)
        self.text = sculpt.Text("".join(f"{k % 3} {k % 3 * 2 + k / 40:.2f}\n" for k in range(12)))
        sys.path.insert(0, folder)
        self.type = importlib.import_module("sizes").Sizes

    def experiment(self, **parameters) -> dict:
        """The task of the file."""
        return {"dataset": {"use": "python", "file": self.file, "with": parameters,
                            "train": self.text},
                "features": "python", "loss": "python", "oracle": "python",
                "solver": {"use": "n_slack", "C": 10}}

    def train_type(self, on_pass=None, **parameters):
        """Trains the class of this process."""
        return sculpt.train(task=self.type, train=self.text, parameters=parameters,
                            solver={"use": "n_slack", "C": 10}, on_pass=on_pass)
