#!/usr/bin/env python3
"""0/1 loss, slack and margin rescaling on 300 sentences, in the spirit of Table 3 of
Tsochantaridis, Hofmann, Joachims & Altun, ICML 2004.

The paper trains on 300 sentences with named entities: five-fold cross-validation, slack norm 2, C =
1, epsilon = 0.01. It compares the 0/1 loss, the Hamming loss with slack rescaling and with margin
rescaling. Here the sentences are the first 300 of CoNLL-2000 (chunking, 22 labels) with the
features of configs/conll2000.json. So the rows can be compared with each other, but not with the
paper.
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


def settings_of(fold, folder, method_settings, C):
    return {
        "dataset.train": folder / f"train{fold}.txt",
        "dataset.test": folder / f"test{fold}.txt",
        "solver.use": "n_slack",
        "solver.slack_norm": 2,
        "solver.C": C,
        "solver.epsilon": 0.01,
        "solver.relative_gap": 0,
        **method_settings,
    }


def write_folds(folder, sentences):
    for fold in range(FOLDS):
        runs.write_sentences(folder / f"test{fold}.txt", sentences[fold::FOLDS])
        runs.write_sentences(folder / f"train{fold}.txt",
                             [text for k, text in enumerate(sentences) if k % FOLDS != fold])


def token_count(path):
    return sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def hamming(run, split, path):
    """Returns the wrong tokens per sentence. The metric is the share of wrong tokens for any
    loss."""
    end = run.finished[split]
    return end["token_error"] * token_count(path) / end["examples"]


def measure(sculpt, folder, name, method_settings, C):
    results = [runs.Run(sculpt, runs.ROOT / "configs/conll2000.json",
                     settings_of(fold, folder, method_settings, C)) for fold in range(FOLDS)]
    columns = [
        [100 * run.finished["train"]["token_error"] for run in results],
        [100 * run.finished["test"]["token_error"] for run in results],
        [run.last_pass["planes"] for run in results],
        [hamming(run, "test", folder / f"test{fold}.txt") for fold, run in enumerate(results)],
        [run.finished["seconds"] for run in results],
    ]
    cells = [("%.0f ± %.0f" if max(values) >= 1000 else "%.3g ± %.2g")
             % runs.mean_and_deviation(values) for values in columns]
    return [name, C] + cells


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--C", nargs="+", default=["1"], help="values of C")
    given = parser.parse_args()
    sentences = runs.read_sentences(runs.data_file("conll2000/train.txt"), 300)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write_folds(folder, sentences)
        for C in given.C:
            for name, method_settings in ROWS:
                rows.append(measure(given.sculpt, folder, name, method_settings, C))
                print(*rows[-1], sep="\t", flush=True)
    print()
    runs.print_table(HEAD, rows)
    runs.write_rows(given.json, HEAD, rows)


if __name__ == "__main__":
    main()
