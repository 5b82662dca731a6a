#!/usr/bin/env python3
"""Training for different ranking measures: queries of mq2007agg and lightgbm with the same
features. Trained for pairs of all grades (SVM-rank), pairs of relevant and other documents, average
precision, NDCG and the first relevant document. Each is measured by all measures.

mq2007agg: training on S1 and S2, C by the best measure on the first half of the queries of S3, test
on the second half. lightgbm: C by the best measure in folds of the split train, test on the split
test. The measure that chooses C is NDCG@10, or MAP in training for average precision."""

import pathlib
import tempfile

import runs
import sweeps

# By name: the settings of the training, and the measure that chooses C.
LOSSES = {
    "pairs": ({"loss": "pair_error"}, "ndcg@10"),
    "pairs, relevant": ({"loss.use": "pair_error", "loss.relevant_from": 1,
                         "features.relevant_from": 1}, "ndcg@10"),
    "MAP": ({"loss": "mean_average_precision"}, "map"),
    "MAP, relevant": ({"loss": "mean_average_precision", "features.relevant_from": 1}, "map"),
    "NDCG": ({"loss": "ndcg"}, "ndcg@10"),
    "NDCG, relevant": ({"loss.use": "ndcg", "loss.relevant_from": 1,
                        "features.relevant_from": 1}, "ndcg@10"),
    "reciprocal rank": ({"loss": "reciprocal_rank"}, "ndcg@10"),
}
FILES = {"mq2007agg": [f"rank/mq2007agg.S{part}.dat" for part in (1, 2, 3)],
         "lightgbm": [f"rank/lightgbm.{split}.dat" for split in ("train", "test")]}
MEASURES = ["map", "ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "mrr", "pair_error"]


def queries(path):
    """Returns the rows of each query of a file as one text."""
    texts, last = [], None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            query = line.split()[1]
            if query != last:
                texts.append("")
            texts[-1] += line.rstrip("\n") + "\n"
            last = query
    return texts


def splits(name, folder):
    """Returns the files of train, validation and test, and writes them if needed. There is no
    validation if folds choose C."""
    files = runs.data_files(*FILES[name])
    if name == "lightgbm":
        return dict(zip(("train", "test"), files))
    first, second, rest = map(queries, files)
    train = first + second
    half = len(rest) // 2
    paths = {}
    for split, texts in {"train": train, "validation": rest[:half], "test": rest[half:]}.items():
        paths[split] = folder / f"{split}.dat"
        paths[split].write_text("".join(texts), encoding="utf-8")
    return paths


def experiment(given, paths):
    return {
        "name": "ranking",
        "dataset": {"use": "svmrank", **{split: str(path) for split, path in paths.items()}},
        "features": "ranking", "loss": "pair_error", "oracle": "ranking",
        "solver": {"use": "one_slack", "C": 1, "relative_gap": given.gap, "max_passes": 1000},
    }


def chosen(given, config, settings, measure):
    """The run with the best C, and that C: by the split validation, or else by folds."""
    if "validation" not in config["dataset"]:
        C = sweeps.best_C(given.sculpt, config, settings | {"solver.C": given.C},
                          ["--folds", given.folds], measure, max)
        return runs.Run(given.sculpt, config, settings | {"solver.C": C}), C
    run, best = sweeps.best_run(given.sculpt, config,
                                [settings | {"solver.C": C} for C in given.C], measure, max)
    return run, best["solver.C"]


def rows_of(given, name):
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        config = experiment(given, splits(name, pathlib.Path(scratch)))
        for trained, (settings, measure) in LOSSES.items():
            run, C = chosen(given, config, settings, measure)
            test = run.finished["test"]
            rows.append([name, trained, C, *[f"{100 * test[one]:.1f}" for one in MEASURES],
                         f"{run.finished['relative_gap']:.1e}", f"{run.wall:.1f}"])
    return rows


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=list(FILES), choices=FILES)
    parser.add_argument("--C", nargs="+", default=["0.1", "1", "10", "100", "1000"])
    parser.add_argument("--folds", type=int, default=5, help="of the split train of lightgbm")
    parser.add_argument("--gap", type=float, default=1e-5, help="relative gap to train to")
    given = parser.parse_args()
    head = ["data", "trained for", "C", "MAP", "NDCG@1", "@3", "@5", "@10", "MRR", "pair error",
            "gap", "seconds"]
    rows = [row for name in runs.with_data(given.data, FILES.get)
            for row in rows_of(given, name)]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
