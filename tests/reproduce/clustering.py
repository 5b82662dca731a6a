#!/usr/bin/env python3
"""Supervised clustering and thresholded pair scores on cora, 14 sets of records for training and 6
for the test: Finley & Joachims, "Supervised Clustering with Support Vector Machines", ICML 2005, in
shape.

Pair scores come from a linear SVM whose examples are single pairs, documents of two items each.
They are used in two ways. Chains: all pairs that the SVM predicts as equal are joined. Or
agglomerative clusters with the same weights. C is chosen by folds over the training sets (for
single pairs: over pairs), on the loss of the training. With the linear program in training, C is
that of agglomerative alone."""

import itertools
import pathlib
import tempfile

import runs
import sweeps

ROUNDED = '["agglomerative",{"use":"clustering_lp","answers":"rounded"}]'
RELAXED = '["agglomerative",{"use":"clustering_lp"}]'
# The oracles of the runs, by the loss in training. C is chosen with the first oracle.
TRAINED = {
    "rand_error": {"agglomerative": "agglomerative", "certified by clustering_lp": ROUNDED,
                   "relaxed": RELAXED},
    "mitre": {"agglomerative": "agglomerative"},
}


def experiment(train, test, solver, gap):
    return {
        "name": "clusters",
        "dataset": {"use": "item_pairs", "train": str(train), "test": str(test)},
        "features": "clustering", "loss": "rand_error", "oracle": "agglomerative",
        "solver": {"use": solver, "C": 1, "relative_gap": gap, "max_passes": 1000},
    }


def chosen_c(given, config, settings):
    """Returns the C with the least loss on held-out folds."""
    return sweeps.best_C(given.sculpt, config, settings | {"solver.C": given.C},
                         ["--folds", given.folds], "loss", min)


def single_pairs(source, target):
    """Writes every pair of a file as a document."""
    lines = pathlib.Path(source).read_text(encoding="utf-8").splitlines()
    rows = [f"{number} 0 1 {' '.join(line.split()[3:])}" for number, line in enumerate(lines)]
    target.write_text("\n".join(rows) + "\n", encoding="utf-8")


def chain_clusters(items, pairs):
    """Returns the cluster of each item. Items that a chain of pairs connects are in one cluster."""
    cluster = {item: item for item in items}
    for a, b in pairs:
        old, new = cluster[b], cluster[a]
        for item in items:
            if cluster[item] == old:
                cluster[item] = new
    return cluster


def measures(truth, guess):
    """Returns Rand error, MITRE F1 and B-cubed F1 of two clusterings of two or more items."""
    items = list(truth)
    wrong = [(truth[a] == truth[b]) != (guess[a] == guess[b])
             for a, b in itertools.combinations(items, 2)]

    def clusters(side):
        return [{item for item in items if side[item] == name} for name in set(side.values())]

    def links(key, other):
        found = sum(len(one) - len({other[item] for item in one}) for one in clusters(key))
        wanted = sum(len(one) - 1 for one in clusters(key))
        return found / wanted if wanted else 0

    def shares(key, other):
        return sum(len(one & two) ** 2 / len(one)
                   for one in clusters(key) for two in clusters(other)) / len(items)

    def f1(a, b):
        return 2 * a * b / (a + b) if a + b else 0

    return {"rand_error": sum(wrong) / len(wrong),
            "mitre_f1": f1(links(truth, guess), links(guess, truth)),
            "b_cubed_f1": f1(shares(truth, guess), shares(guess, truth))}


def chain_measures(source, predictions):
    """Returns the mean measures of chains over the documents of a file. `predictions` has one line
    for each pair."""
    documents = {}
    lines = pathlib.Path(source).read_text(encoding="utf-8").splitlines()
    for line, prediction in zip(lines, predictions, strict=True):
        document, a, b, same = line.split()[:4]
        items, truth, guess = documents.setdefault(document, (set(), [], []))
        items.update([a, b])
        if same == "1":
            truth.append((a, b))
        if prediction == "0 0":
            guess.append((a, b))
    found = [measures(chain_clusters(items, truth), chain_clusters(items, guess))
             for items, truth, guess in documents.values()]
    return {name: sum(one[name] for one in found) / len(found) for name in found[0]}


def row(trained, oracle, C, run, test):
    return [trained, oracle, C, f"{run.finished['primal']:.4g}", runs.relative_gap(run.finished),
            f"{run.cpu:.1f}", f"{100 * test['rand_error']:.2f}",
            f"{100 * (1 - test['mitre_f1']):.2f}", f"{100 * test['b_cubed_f1']:.2f}"]


def pair_rows(given, train, test, folder):
    """Returns the rows for the two uses of weights that are trained on single pairs."""
    for split, source in [("train", train), ("test", test)]:
        single_pairs(source, folder / f"{split}.pairs")
    config = experiment(folder / "train.pairs", folder / "test.pairs", "one_slack", given.gap)
    C = chosen_c(given, config, {})
    run = runs.Run(given.sculpt, config, {"solver.C": C}, folder=folder / "run")
    predict = runs.Finished([str(given.sculpt), "predict", str(folder / "run"),
                             str(folder / "test.pairs")])
    chains = chain_measures(test, predict.require(0).out.splitlines())
    greedy = runs.evaluate(given.sculpt, folder / "run", test)
    return [row("single pairs", "none: chains", C, run, chains),
            row("single pairs", "none: agglomerative predicts", C, run, greedy)]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--C", nargs="+", default=["1", "10", "100", "1000", "10000"])
    parser.add_argument("--folds", type=int, default=7)
    parser.add_argument("--gap", type=float, default=1e-2, help="relative gap to train to")
    given = parser.parse_args()
    train, test = runs.data_files("cluster/cora.train.pairs", "cluster/cora.test.pairs")
    head = ["trained for", "oracle", "C", "P", "relative gap", "CPU s", "rand error, %",
            "MITRE loss, %", "B-cubed F1, %"]
    with tempfile.TemporaryDirectory() as scratch:
        rows = pair_rows(given, train, test, pathlib.Path(scratch))
    config = experiment(train, test, "n_slack", given.gap)
    for loss, oracles in TRAINED.items():
        C = chosen_c(given, config, {"loss": loss})
        for name, oracle in oracles.items():
            run = runs.Run(given.sculpt, config, {"loss": loss, "oracle": oracle, "solver.C": C})
            rows.append(row(loss, name, C, run, run.finished["test"]))
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
