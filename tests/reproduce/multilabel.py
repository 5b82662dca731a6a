#!/usr/bin/env python3
"""Every oracle in training with every oracle in prediction: the table of Finley & Joachims,
"Training Structural SVMs when Exact Inference is Intractable", ICML 2008, on scene and yeast.

C is chosen for each oracle in training by five folds of the split train, predicting with the same
oracle. --C has the values. With --at C there are no folds, and all oracles use this C."""

import json

import runs
import sweeps

# By their names in the paper.
ORACLES = {
    "greedy": "greedy",
    "LBP": "belief_propagation",
    "combine": '{"use":"combine","members":["greedy","belief_propagation"]}',
    "exact": "enumerate",
    "LP": '{"use":"lp","rounding":"random"}',  # half a label is wrong in half of the cases
}
# Published Hamming loss in percent, by oracles in training and in prediction.
PUBLISHED = {
    "scene": {("greedy", "greedy"): "10.67", ("LBP", "LBP"): "10.54",
              ("combine", "combine"): "10.72", ("exact", "exact"): "10.06 ± .26",
              ("LP", "LP"): "10.49"},
    "yeast": {("greedy", "greedy"): "21.62", ("LBP", "LBP"): "24.32",
              ("combine", "combine"): "22.32", ("exact", "exact"): "20.23 ± .53",
              ("LP", "LP"): "20.49", ("exact", "LP"): "45.90"},
}


def sweep(given, data, settings, options):
    return sweeps.sweep(given.sculpt, runs.ROOT / f"configs/{data}.json",
                        {"solver.relative_gap": given.gap, **settings}, options)


def chosen_c(given, data):
    """Returns the C with the least loss on held-out folds for each oracle, and the rows of
    losses."""
    best, rows = {}, []
    for name, oracle in ORACLES.items():
        found = sweep(given, data, {"oracle": oracle, "solver.C": given.C}, ["--folds", "5"])
        best[name] = sweeps.value_of(sweeps.best(found, "loss", min), "solver.C")
        losses = [f"{100 * sweeps.held_out(row, 'loss'):.2f}" for row in found]
        rows.append([data, name, *losses, best[name]])
    return best, rows


def matrix(given, data, C):
    """Returns a row for each oracle in training: C, gaps, and the test loss with every oracle."""
    rows = []
    for trained, oracle in ORACLES.items():
        row = sweep(given, data, {"oracle": oracle, "solver.C": C[trained]},
                    ["--predict-with", ",".join(ORACLES.values()), "--audit-with", "enumerate"])[0]
        cells = []
        for predicted, other in ORACLES.items():
            loss = row["predict_with"][name_in_tables(other)]["test"]["loss"]
            text = f"{100 * loss['mean']:.2f} ± {100 * loss['standard_error']:.2f}"
            published = PUBLISHED[data].get((trained, predicted))
            cells.append(f"{text} ({published})" if published else text)
        true_gap = row.get("true_relative_gap")
        rows.append([data, trained, C[trained], f"{row['relative_gap']:.1e}",
                     "-" if true_gap is None else f"{true_gap:.1e}", *cells])
    return rows


def name_in_tables(oracle):
    """Returns the name of an oracle in the JSON of a sweep."""
    return json.dumps(json.loads(oracle), separators=(",", ":")) if oracle[0] == "{" else oracle


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=["scene", "yeast"], choices=PUBLISHED)
    parser.add_argument("--C", nargs="+", default=["10", "30", "100", "300", "1000"])
    parser.add_argument("--at", help="this C for all oracles, without folds")
    parser.add_argument("--gap", default="1e-3", help="relative gap to train to")
    given = parser.parse_args()
    head = ["data", "trained with", "C", "claimed gap", "true gap", *ORACLES]
    rows, choices = [], []
    for data in runs.with_data(given.data, lambda data: [
            f"multilabel/{data}.{split}.mlsvml" for split in ("train", "test")]):
        if given.at:
            C = dict.fromkeys(ORACLES, given.at)
        else:
            C, losses = chosen_c(given, data)
            choices += losses
        rows += matrix(given, data, C)
    other_head = ["data", "oracle", *(f"C = {C}" for C in given.C), "chosen"]
    if choices:
        runs.print_table(other_head, choices)
        print()
    runs.print_table(head, rows)
    runs.write_tables(given.json, (other_head, choices), (head, rows))


if __name__ == "__main__":
    main()
