#!/usr/bin/env python3
"""In the spirit of Table 3 of Tsochantaridis, Hofmann, Joachims & Altun, ICML 2004.

They train on 300 sentences of named-entity data by five-fold cross-validation, slack norm 2, C = 1,
epsilon = 0.01: 0/1 loss, Hamming loss by slack rescaling, Hamming loss by margin rescaling. Here the
sentences are the first 300 of CoNLL-2000 (chunking, 22 labels) with the features of
configs/conll2000.json, so the three rows can be compared with each other, not with theirs.
"""

import pathlib
import tempfile

import runs

FOLDS = 5
ROWS = [
    ("SVM2, 0/1 loss", {"loss": "zero_one", "solver.rescaling": "margin"}),
    ("SVM2, slack rescaling", {"loss": "hamming", "solver.rescaling": "slack"}),
    ("SVM2, margin rescaling", {"loss": "hamming", "solver.rescaling": "margin"}),
]
HEAD = ["method", "C", "train token error, %", "test token error, %", "planes",
        "test mean Hamming loss", "seconds"]


def settings_of(fold, folder, own, weight):
    return {
        "dataset.train": folder / f"train{fold}.txt",
        "dataset.test": folder / f"test{fold}.txt",
        "solver.use": "n_slack",
        "solver.slack_norm": 2,
        "solver.C": weight,
        "solver.epsilon": 0.01,
        "solver.relative_gap": 0,
        **own,
    }


def write_folds(folder, sentences):
    for fold in range(FOLDS):
        runs.write_sentences(folder / f"test{fold}.txt", sentences[fold::FOLDS])
        runs.write_sentences(folder / f"train{fold}.txt",
                             [text for k, text in enumerate(sentences) if k % FOLDS != fold])


def token_count(path):
    return sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def hamming(run, split, path):
    """Wrong tokens a sentence: the metric counts them by token, whatever the loss was."""
    end = run.finished[split]
    return end["token_error"] * token_count(path) / end["examples"]


def measured(sculpt, folder, name, own, weight):
    done = [runs.Run(sculpt, runs.ROOT / "configs/conll2000.json",
                     settings_of(fold, folder, own, weight)) for fold in range(FOLDS)]
    columns = [
        [100 * run.finished["train"]["token_error"] for run in done],
        [100 * run.finished["test"]["token_error"] for run in done],
        [run.last_pass["planes"] for run in done],
        [hamming(run, "test", folder / f"test{fold}.txt") for fold, run in enumerate(done)],
        [run.finished["seconds"] for run in done],
    ]
    cells = [("%.0f ± %.0f" if max(values) >= 1000 else "%.3g ± %.2g")
             % runs.mean_and_deviation(values) for values in columns]
    return [name, weight] + cells


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--C", nargs="+", default=["1"], help="prices of the slacks to try")
    given = parser.parse_args()
    sentences = runs.read_sentences(runs.data_file("conll2000/train.txt"), 300)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write_folds(folder, sentences)
        for weight in given.C:
            for name, own in ROWS:
                rows.append(measured(given.sculpt, folder, name, own, weight))
                print(*rows[-1], sep="\t", flush=True)
    print()
    runs.print_table(HEAD, rows)
    runs.write_rows(given.json, HEAD, rows)


if __name__ == "__main__":
    main()
