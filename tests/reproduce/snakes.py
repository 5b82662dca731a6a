#!/usr/bin/env python3
"""The snakes of PyStruct with different edges (none, symmetric, directed, with features), and with
different oracles. For each model, held-out folds of the split train choose C and the window (the
inputs around a pixel) by the least label error. Then the model is trained on the whole split."""

import runs
import sweeps

EXACT = '["icm","belief_propagation","branch_and_bound"]'
# Features, the oracle for the folds and for the last run, and the C and window for --chosen.
MODELS = {
    "no pairs": ({"pairs": "none", "edge_features": "none"}, "viterbi", "viterbi", ("10", "2")),
    "symmetric": ({"pairs": "symmetric", "by_kind": "false", "edge_features": "none"},
                  "belief_propagation", "belief_propagation", ("100", "1")),
    "directed": ({"edge_features": "none"}, "belief_propagation", "belief_propagation",
                 ("10", "2")),
    "features of edges": ({}, "belief_propagation", EXACT, ("1", "0")),
}
# Oracles in training with features of edges. Prediction uses the same oracle and the exact one.
ORACLES = {
    "icm": "icm",
    "icm, 5 restarts": '{"use":"icm","restarts":5}',
    "belief_propagation": "belief_propagation",
    "combine": '{"use":"combine","members":["icm","belief_propagation"]}',
    "icm, then lp": '["icm","lp"]',
    "lp": "lp",
    "exact": EXACT,
}
CONFIG = runs.ROOT / "configs/snakes.json"


def folds(given, settings):
    """Returns (C, window) with the least error on held-out folds, and that error in percent."""
    rows = sweeps.sweep(given.sculpt, CONFIG, {
        "solver.C": given.C, "dataset.window": given.windows, **settings}, ["--folds", "3"])
    best = sweeps.best(rows, "label_error", min)
    chosen = [sweeps.value_of(best, key) for key in ("solver.C", "dataset.window")]
    return chosen, f"{100 * sweeps.held_out(best, 'label_error'):.2f}"


def figures(end):
    """Returns P, gap, calls and seconds as text."""
    return [f"{end['primal']:.4g}", runs.relative_gap(end), end["oracle_calls"],
            f"{end['seconds']:.1f}"]


def errors(metrics):
    return [f"{100 * metrics['label_error']:.2f} %", f"{100 * metrics['sequence_error']:.0f} %"]


def models(given):
    rows = []
    for name in given.models:
        features, fold_oracle, last_oracle, chosen = MODELS[name]
        settings = {f"features.{key}": value for key, value in features.items()}
        settings["solver.max_seconds"] = given.seconds
        held_out = "-"
        if not given.chosen:
            chosen, held_out = folds(given, settings | {"oracle": fold_oracle})
        run = runs.Run(given.sculpt, CONFIG, settings | {
            "oracle": last_oracle, "solver.C": chosen[0], "dataset.window": chosen[1]})
        end = run.finished
        rows.append([name, *chosen, held_out, *figures(end), *errors(end["test"])])
    return rows


def oracles(given):
    rows = []
    for name in given.oracles:
        run = runs.Run(given.sculpt, CONFIG, {
            "oracle": ORACLES[name], "solver.max_seconds": given.seconds,
            "predict_with": '["branch_and_bound"]'})
        end = run.finished
        rows.append([name, *figures(end), end["stopped_by"], *errors(end["test"]),
                     *errors(end["predict_with"]["branch_and_bound"]["test"])])
    return rows


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--models", nargs="*", default=list(MODELS), choices=MODELS)
    parser.add_argument("--oracles", nargs="*", default=list(ORACLES), choices=ORACLES)
    parser.add_argument("--C", nargs="+", default=["1", "10", "100"])
    parser.add_argument("--windows", nargs="+", default=["0", "1", "2"])
    parser.add_argument("--chosen", action="store_true",
                        help="no folds: C and window as in the table")
    parser.add_argument("--seconds", default="60", help="limit for one run (60)")
    given = parser.parse_args()
    runs.data_files("grid/snakes.train.txt", "grid/snakes.test.txt")
    tail = ["P", "relative gap", "calls", "seconds"]
    head = ["edges", "C", "window", "held-out error, %", *tail, "test labels", "test images"]
    rows = models(given)
    if rows:
        runs.print_table(head, rows)
        print()
    other_head = ["trained with", *tail, "stopped by", "test labels", "test images",
                  "labels, exact prediction", "images, exact prediction"]
    other_rows = oracles(given)
    if other_rows:
        runs.print_table(other_head, other_rows)
    runs.write_tables(given.json, (head, rows), (other_head, other_rows))


if __name__ == "__main__":
    main()
