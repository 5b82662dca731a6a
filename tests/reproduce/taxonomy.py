#!/usr/bin/env python3
"""What a taxonomy is worth: Table 1 of Tsochantaridis et al., ICML 2004, in shape, on X-ray images
and diatoms in place of patents. Flat features or those of the tree, the 0/1 loss or the height of
the first common node, with few examples of each class and with all.

Some classes have fewer examples than asked for: those give all they have. Examples are drawn by
--draws seeds; figures are means over the draws with their standard error. C is that of the least
loss of the training on a third of the examples held out, once for the first draw."""

import collections
import json
import math
import pathlib
import random
import tempfile

import runs

LABELS = {"imclef07a": "1..63", "diatoms": "1..329"}
ROWS = {  # features, measure of the loss
    "flat, 0/1": ("multiclass", "zero_one"),
    "tree, 0/1": ("taxonomy", "zero_one"),
    "flat, height": ("multiclass", "height"),
    "tree, height": ("taxonomy", "height"),
}


def drawn(path, per_class, seed):
    """The rows of `path`, at most `per_class` of each class."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if per_class == "all":
        return lines
    random.Random(seed).shuffle(lines)
    seen = collections.Counter()
    kept = []
    for line in lines:
        label = line.split()[0]
        if seen[label] < int(per_class):
            seen[label] += 1
            kept.append(line)
    return kept


def experiment(folder, data, train, name):
    source = runs.data_folder() / "taxonomy"
    features, measure = ROWS[name]
    taxonomy = {"file": str(source / f"{data}.taxonomy")}
    return {
        "name": "taxonomy",
        "dataset": {"use": "svmlight", "train": str(train), "labels": [LABELS[data]],
                    "test": str(source / f"{data}.test.svml")},
        "features": {"use": features, "bias": True} | (taxonomy if features == "taxonomy" else {}),
        "loss": {"use": "tree_loss", "measure": measure} | taxonomy,
        "oracle": "enumerate",
        "solver": {"use": "n_slack", "relative_gap": 1e-2},
    }


def sweep(given, folder, config, options):
    path, output = folder / "taxonomy.json", folder / "sweep"
    path.write_text(json.dumps(config), encoding="utf-8")
    command = [str(given.sculpt), "sweep", str(path), "--output", str(output), "--force", *options]
    runs.Finished(command).require(0, 3)
    return json.loads((output / "sweep.json").read_text(encoding="utf-8"))


def row(given, data, per_class, name):
    train_file = runs.data_folder() / f"taxonomy/{data}.train.svml"
    errors, heights, C = [], [], None
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for seed in range(1 if per_class == "all" else given.draws):
            train = folder / "train.svml"
            train.write_text("\n".join(drawn(train_file, per_class, seed)) + "\n", encoding="utf-8")
            config = experiment(folder, data, train, name)
            if C is None:
                found = sweep(given, folder, config | {"hold_out": {"fraction": 0.33}},
                              ["--set", "solver.C=" + ",".join(given.C)])
                losses = [cell["validation"]["loss"]["mean"] for cell in found]
                C = given.C[losses.index(min(losses))]
            test = sweep(given, folder, config, ["--set", f"solver.C={C}"])[0]["test"]
            errors.append(100 * test["error"]["mean"])
            heights.append(test["tree_height"]["mean"])
    return [data, per_class, name, C, text(errors, 2), text(heights, 3)]


def text(values, digits):
    mean, deviation = runs.mean_and_deviation(values)
    shown = f"{mean:.{digits}f}"
    if len(values) > 1:
        shown += f" ± {deviation / math.sqrt(len(values)):.{digits}f}"
    return shown


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=list(LABELS), choices=LABELS)
    parser.add_argument("--per-class", nargs="+", default=["4", "16", "all"])
    parser.add_argument("--C", nargs="+", default=["0.3", "3", "30", "300", "3000"])
    parser.add_argument("--draws", type=int, default=5)
    given = parser.parse_args()
    head = ["data", "per class", "features, loss", "C", "test error, %", "mean height"]
    rows = [row(given, data, per_class, name)
            for data in given.data for per_class in given.per_class for name in ROWS]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
