#!/usr/bin/env python3
"""What training for a measure is worth: queries of mq2007agg and lightgbm, put into order by the
same features, trained for pairs of all grades (SVM-rank), for pairs of relevant documents and
others, for average precision and for NDCG, and measured by all of them.

mq2007agg trains on S1 and S2; C has the best measure on the first half of the queries of S3, and the
table is of the second half. lightgbm: C has the best measure in folds of its split train; the table
is of its split test. The measure is NDCG@10 or, in training for average precision, MAP."""

import json
import pathlib
import tempfile

import runs

# What is trained for: settings, and the measure that chooses C.
LOSSES = {
    "pairs": ({"loss": "pair_error"}, "ndcg_10"),
    "pairs, relevant": ({"loss.use": "pair_error", "loss.relevant_from": 1,
                         "features.relevant_from": 1}, "ndcg_10"),
    "MAP": ({"loss": "mean_average_precision"}, "map"),
    "MAP, relevant": ({"loss": "mean_average_precision", "features.relevant_from": 1}, "map"),
    "NDCG": ({"loss": "ndcg"}, "ndcg_10"),
    "NDCG, relevant": ({"loss.use": "ndcg", "loss.relevant_from": 1,
                        "features.relevant_from": 1}, "ndcg_10"),
    "reciprocal rank": ({"loss": "reciprocal_rank"}, "ndcg_10"),
}
MEASURES = ["map", "ndcg_1", "ndcg_3", "ndcg_5", "ndcg_10", "mrr", "pair_error"]


def queries(path):
    """The rows of each query of a file, as one text each."""
    texts, last = [], None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            query = line.split()[1]
            if query != last:
                texts.append("")
            texts[-1] += line
            last = query
    return texts


def splits(name, folder):
    """Writes train, validation and test of a set; validation is None where folds are taken."""
    data = runs.data_folder() / "rank"
    if name == "lightgbm":
        return {"train": data / "lightgbm.train.dat", "test": data / "lightgbm.test.dat"}
    train = queries(data / "mq2007agg.S1.dat") + queries(data / "mq2007agg.S2.dat")
    rest = queries(data / "mq2007agg.S3.dat")
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


def options_of(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


def best_C(given, config, settings, measure):
    """By folds of the split train."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "sweep"
        command = [str(given.sculpt), "sweep", str(config), "--output", str(folder), "--folds",
                   str(given.folds), "--set", "solver.C=" + ",".join(given.C),
                   *options_of(settings)]
        runs.Finished(command).require(0, 3)
        rows = json.loads((folder / "sweep.json").read_text(encoding="utf-8"))
    held_out = [row["validation"][measure]["mean"] for row in rows]
    return given.C[held_out.index(max(held_out))]


def chosen(given, config, settings, measure, has_validation):
    """The run with the best C, and that C."""
    if not has_validation:
        C = best_C(given, config, settings, measure)
        return runs.Run(given.sculpt, config, settings | {"solver.C": C}), C
    tried = [(runs.Run(given.sculpt, config, settings | {"solver.C": C}), C) for C in given.C]
    return max(tried, key=lambda one: one[0].finished["validation"][measure])


def rows_of(given, name):
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        paths = splits(name, folder)
        config = folder / "ranking.json"
        config.write_text(json.dumps(experiment(given, paths)), encoding="utf-8")
        for trained, (settings, measure) in LOSSES.items():
            run, C = chosen(given, config, settings, measure, "validation" in paths)
            test = run.finished["test"]
            rows.append([name, trained, C, *[f"{100 * test[one]:.1f}" for one in MEASURES],
                         f"{run.finished['relative_gap']:.1e}", f"{run.wall:.1f}"])
    return rows


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--data", nargs="+", default=["mq2007agg", "lightgbm"],
                        choices=["mq2007agg", "lightgbm"])
    parser.add_argument("--C", nargs="+", default=["0.1", "1", "10", "100", "1000"])
    parser.add_argument("--folds", type=int, default=5, help="of the split train of lightgbm")
    parser.add_argument("--gap", type=float, default=1e-3, help="relative gap to train to")
    given = parser.parse_args()
    head = ["data", "trained for", "C", "MAP", "NDCG@1", "@3", "@5", "@10", "MRR", "pair error",
            "gap", "seconds"]
    rows = [row for name in given.data for row in rows_of(given, name)]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
