#!/usr/bin/env python3
"""Training with a taxonomy of classes: Table 1 of Tsochantaridis et al., ICML 2004, in shape, on
X-ray images and diatoms instead of patents. Flat features or features of the tree, the 0/1 loss or
the height of the first common node, with few examples of each class and with all.

If a class has fewer examples than asked for, all are used. Examples are drawn with --draws seeds.
Figures are means over the draws with their standard error. C has the least loss on a held-out third
of the examples. It is chosen once, for the first draw."""

import collections
import pathlib
import random
import tempfile

import runs
import sweeps

LABELS = {"imclef07a": "1..63", "diatoms": "1..329"}
ROWS = {  # features, measure of the loss
    "flat, 0/1": ("multiclass", "zero_one"),
    "tree, 0/1": ("taxonomy", "zero_one"),
    "flat, height": ("multiclass", "height"),
    "tree, height": ("taxonomy", "height"),
}


def drawn(path, per_class, seed):
    """Returns the rows of `path`, at most `per_class` random ones of each class."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if per_class == "all":
        return lines
    random.Random(seed).shuffle(lines)
    counts = collections.Counter()
    kept = []
    for line in lines:
        label = line.split()[0]
        if counts[label] < int(per_class):
            counts[label] += 1
            kept.append(line)
    return kept


def files_of(data):
    return [f"taxonomy/{data}.{end}" for end in ("train.svml", "test.svml", "taxonomy")]


def experiment(data, train, name):
    _, test, tree = runs.data_files(*files_of(data))
    features, measure = ROWS[name]
    taxonomy = {"file": str(tree)}
    return {
        "name": "taxonomy",
        "dataset": {"use": "svmlight", "train": str(train), "labels": [LABELS[data]],
                    "test": str(test)},
        "features": {"use": features, "bias": True} | (taxonomy if features == "taxonomy" else {}),
        "loss": {"use": "tree_loss", "measure": measure} | taxonomy,
        "oracle": "enumerate",
        "solver": {"use": "n_slack", "relative_gap": 1e-2},
    }


def row(given, data, per_class, name):
    train_file = runs.data_files(*files_of(data))[0]
    errors, heights, C = [], [], None
    with tempfile.TemporaryDirectory() as scratch:
        train = pathlib.Path(scratch) / "train.svml"
        for seed in range(1 if per_class == "all" else given.draws):
            train.write_text("\n".join(drawn(train_file, per_class, seed)) + "\n", encoding="utf-8")
            config = experiment(data, train, name)
            if C is None:
                C = sweeps.best_C(given.sculpt, config | {"hold_out": {"fraction": 0.33}},
                                  {"solver.C": given.C}, [], "loss", min)
            test = runs.Run(given.sculpt, config, {"solver.C": C}).finished["test"]
            errors.append(100 * test["error"])
            heights.append(test["tree_height"])
    return [data, per_class, name, C, runs.mean_with_error(errors, 2),
            runs.mean_with_error(heights, 3)]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=list(LABELS), choices=LABELS)
    parser.add_argument("--per-class", nargs="+", default=["4", "16", "all"])
    parser.add_argument("--C", nargs="+", default=["0.3", "3", "30", "300", "3000"])
    parser.add_argument("--draws", type=int, default=5)
    given = parser.parse_args()
    head = ["data", "per class", "features, loss", "C", "test error, %", "mean height"]
    rows = [row(given, data, per_class, name)
            for data in runs.with_data(given.data, files_of)
            for per_class in given.per_class for name in ROWS]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
