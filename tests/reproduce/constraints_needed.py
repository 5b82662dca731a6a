#!/usr/bin/env python3
"""How many constraints each method meets until it is done with a single training pair: Figure 7 of
Ricci, De Bie & Cristianini, JMLR 9 (2008).

The pair is a sequence of length 100 of a random hidden Markov model, and its best states by the
logarithms of the tables (without those of the first state, which are no features). So a w exists at
which no other states score higher. Other states may have the same counts, so no w gives the truth a
margin over them. The SVM therefore has slacks. Its figures are at two prices, until no constraint
is violated by more than 0.01 beyond its slack, as in the paper. (SVM-struct adds one plane at a
time, and so does `batch` = 1.) The constrained Z-score stops at a relative gap of 1e-3. A step of
the perceptron is one wrong prediction; it stops when there is none.

The paper leaves open the models and the number of symbols. Here rows of the tables are uniform
distributions, and there are two symbols more than states."""

import pathlib
import random
import tempfile

import hidden_markov
import moments
import runs

LENGTH = 100
METHODS = {
    "constrained Z, planes": {"use": "constrained_z_score", "price": 100},
    **{f"SVM, C = {C}, planes": {"use": "n_slack", "C": C, "batch": 1, "drop_after": 0,
                                 "epsilon": 0.01, "relative_gap": 0} for C in (1, 100)},
    "perceptron, steps": {"use": "perceptron", "max_passes": 100000, "order": "sequential"},
}


def training_pair(generator, states):
    """Returns a sequence and its best states as text. They are at least two different states."""
    while True:
        model = hidden_markov.Model(generator, states, states + 2, 1)
        symbols, _ = model.draw(LENGTH)
        best = hidden_markov.best_states(symbols, hidden_markov.logarithms(model.follow),
                                         hidden_markov.logarithms(model.emit))
        if len(set(best)) > 1:
            return hidden_markov.text(symbols, best)


def constraints(run):
    """Returns how many planes a run added, or how many wrong predictions the perceptron made."""
    if run.finished["stopped_by"] == "no_mistakes":
        return len(run.passes) - 1  # one example: every pass but the last has a wrong prediction
    planes = [0, *(event["planes"] for event in run.passes)]
    return sum(max(0, later - sooner) for sooner, later in zip(planes, planes[1:]))


def row(given, states):
    found = {name: [] for name in METHODS}
    for number in range(given.repeats):
        pair = training_pair(random.Random(f"{given.seed} {states} {number}"), states)
        with tempfile.TemporaryDirectory() as scratch:
            experiment = moments.experiment(pathlib.Path(scratch), {"train": [pair]})
            for name, solver in METHODS.items():
                found[name].append(
                    constraints(runs.Run(given.sculpt, experiment | {"solver": solver}, {})))
    return [states, *(runs.mean_with_error(values, 1) for values in found.values())]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--states", nargs="+", type=int, default=[2, 3, 5, 8, 12])
    parser.add_argument("--repeats", type=int, default=30, help="models for each row")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    head = ["states", *METHODS]
    rows = [row(given, states) for states in given.states]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
