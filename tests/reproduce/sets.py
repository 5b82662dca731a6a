#!/usr/bin/env python3
"""Losses on whole sets and the plain SVM: the table of Joachims, "A Support Vector Method for
Multivariate Performance Measures", ICML 2005, on the ten one-against-rest tasks of optdigits, on
acq and on polarity.

Each measure is trained with its own loss. It is also measured on the plain SVM and on the SVM with
costs, which are trained with the error rate. C and the cost are chosen for each task, loss and
measure: the best measure in folds of the split train."""

import runs
import sweeps

# By measure: the settings of its loss, and the published figures on optdigits: with this loss / the
# SVM with costs.
MEASURES = {
    "f1": ({"loss": "f_beta", "features.bias": "true"}, "92.5 / 91.5"),
    "break_even": ({"loss": "break_even", "features.bias": "true"}, "92.7 / 91.5"),
    "roc_area": ({"loss": "roc_area", "features.output": "order"}, "99.4 / 99.4"),
}
PLAIN = {"plain SVM": {"loss": "error_rate", "features.bias": "true"},
         "SVM with costs": {"loss": "error_rate", "features.bias": "true",
                            "features.cost": ["0.5", "1", "2", "4", "8"]}}
TASKS = {
    "optdigits": [("multiclass/optdigits", [digit]) for digit in range(1, 11)],
    "acq": [("text/acq", [])],
    "polarity": [("text/polarity", [])],
}


def files_of(task):
    return [f"{task}.{split}.svml" for split in ("train", "test")]


def experiment(given, task, positive):
    train, test = runs.data_files(*files_of(task))
    return {
        "name": "set",
        "dataset": {"use": "svmlight_set", "positive": positive,
                    "train": str(train), "test": str(test)},
        "features": {"use": "contingency"},
        "loss": "error_rate", "oracle": "contingency",
        "solver": {"use": "one_slack", "C": 1, "relative_gap": given.gap, "max_passes": 1000},
    }


def test_measures(given, config, settings, measures):
    """Returns, by measure, its value on the split test and C, at the settings with the best
    held-out value. Settings with several values, such as C, are chosen."""
    settings = {"solver.C": given.C, **settings}
    rows = sweeps.sweep(given.sculpt, config, {"dataset.sets": given.folds, **settings},
                        ["--folds", given.folds])
    found, trained = {}, {}
    for measure in measures:
        best = sweeps.best(rows, measure, max)
        chosen = {key: sweeps.value_of(best, key) if isinstance(values, list) else values
                  for key, values in settings.items()}
        key = tuple(chosen.values())
        if key not in trained:
            trained[key] = runs.Run(given.sculpt, config, chosen).finished["test"]
        found[measure] = trained[key][measure], chosen["solver.C"]
    return found


def row_of(given, name, tasks):
    sums = {}
    for task, positive in tasks:
        config = experiment(given, task, positive)
        for measure, (settings, _) in MEASURES.items():
            found = test_measures(given, config, settings, [measure])[measure]
            sums.setdefault((measure, "its own loss"), []).append(found)
        for plain, settings in PLAIN.items():
            for measure, found in test_measures(given, config, settings, list(MEASURES)).items():
                sums.setdefault((measure, plain), []).append(found)
    rows = []
    for measure, (_, published) in MEASURES.items():
        row = [name, measure]
        for trained in ["its own loss", *PLAIN]:
            values = [value for value, _ in sums[measure, trained]]
            chosen = sorted({C for _, C in sums[measure, trained]}, key=float)
            row.append(f"{100 * sum(values) / len(values):.1f} (C {', '.join(chosen)})")
        rows.append([*row, published if name == "optdigits" else ""])
    return rows


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=list(TASKS), choices=TASKS)
    parser.add_argument("--C", nargs="+", default=["1", "10", "100", "1000", "10000"])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--gap", type=float, default=1e-3, help="relative gap to train to")
    given = parser.parse_args()
    head = ["data", "measure", "its own loss", *PLAIN, "published: own / with costs"]
    rows = []
    for name in runs.with_data(given.data, lambda name: files_of(TASKS[name][0][0])):
        rows += row_of(given, name, TASKS[name])
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
