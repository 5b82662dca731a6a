#!/usr/bin/env python3
"""How many examples must be trained without, for the exact leave-one-out error: satimage with a
Gaussian kernel, optdigits, and the texts of acq and polarity.

Beside `sculpt loo` stands what the bound of Joachims, ICML 2000, would need. It retrains without an
example unless alpha is 0, the example is wrong in training (xi > 1), or 2 alpha R^2 + xi < 1. It
holds for two classes. The rest of its bound is then the share of wrong training examples, so its
share of retraining is the bound minus this error, both at a relative gap of 1e-6.

The examples are the first of the split train, as many of each class for polarity, whose classes
follow each other. --all takes the whole split. C is the price of an example times their number."""

import json
import pathlib
import tempfile

import runs

# By data: its file, the settings of its problem, the price of an example.
TASKS = {
    "satimage": ("multiclass/satimage", {"kernel": '{"use":"rbf","gamma":0.001}'}, 1),
    "optdigits": ("multiclass/optdigits", {}, 0.1),
    "acq": ("text/acq", {}, 1),
    "polarity": ("text/polarity", {}, 1),
}
BY_CLASS = {"polarity"}
PRECISE = 1e-6  # the relative gap to which loo continues a run
HEAD = ["data", "examples", "C", "error, %", "xi-alpha bound, %", "unused", "ball", "retrained, %",
        "retrained by the bound, %", "certain", "CPU s"]


def examples_of(name, count):
    """Returns the first `count` rows of the split train, or all for None. Of data whose classes
    follow each other as many of each class."""
    path = runs.data_file(f"{TASKS[name][0]}.train.svml")
    rows = [row for row in path.read_text(encoding="ascii").splitlines() if row.strip()]
    if count is None or name not in BY_CLASS:
        return rows[:count]
    classes = {}
    for row in rows:
        classes.setdefault(row.split()[0], []).append(row)
    return [row for of_class in classes.values() for row in of_class[:count // len(classes)]]


def experiment(train, c):
    return {
        "name": "loo", "dataset": {"use": "svmlight", "train": str(train)},
        "features": {"use": "multiclass", "bias": False}, "loss": "zero_one", "oracle": "viterbi",
        "solver": {"use": "n_slack", "C": c, "relative_gap": 1e-3},
    }


def by_the_bound(given, problem, settings, bound):
    """Returns the share of the examples that the bound leaves to retraining, in percent."""
    precise = runs.Run(given.sculpt, problem, settings | {"solver.relative_gap": PRECISE})
    return f"{100 * (bound - precise.finished['train']['error']):.1f}"


def row(given, name, scratch):
    _, settings, price = TASKS[name]
    rows = examples_of(name, None if given.all else given.examples)
    train = pathlib.Path(scratch) / "train.svml"
    train.write_text("\n".join(rows) + "\n", encoding="ascii")
    c = price * len(rows)
    problem, folder = experiment(train, c), pathlib.Path(scratch) / "run"
    runs.Run(given.sculpt, problem, settings, folder=folder)
    done = runs.Finished([str(given.sculpt), "loo", str(folder), "--json"]).require(0, 3)
    found = json.loads(done.out)
    bound = found.get("xi_alpha_bound")
    cells = [name, len(rows), f"{c:g}", f"{100 * found['error']:.1f}",
             "-" if bound is None else f"{100 * bound:.1f}", found["unused"], found["ball"],
             f"{100 * found['retrained_fraction']:.1f}",
             "-" if bound is None else by_the_bound(given, problem, settings, bound),
             found["certain"], f"{done.cpu:.1f}"]
    print(*cells, sep="\t", flush=True)
    return cells


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=list(TASKS), choices=TASKS)
    parser.add_argument("--examples", type=int, default=1000, help="how many of each data set")
    parser.add_argument("--all", action="store_true", help="the whole split train")
    given = parser.parse_args()
    names = runs.with_data(given.data, lambda name: [f"{TASKS[name][0]}.train.svml"])
    rows = []
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            rows.append(row(given, name, scratch))
    runs.print_table(HEAD, rows)
    runs.write_rows(given.json, HEAD, rows)


if __name__ == "__main__":
    main()
