#!/usr/bin/env python3
"""Tagging of sentences by SODA and the Z-score, beside the SVM, the perceptron, the CRF and
counting: Tables 3 and 4 of Ricci, De Bie & Cristianini, JMLR 9 (2008), in shape. Figures are the
test token error in percent and the CPU seconds of the training, as means of five folds.

The paper has Spanish named entities with 9 labels. Here are the first 300 and 1500 sentences of
CoNLL-2000, with all 22 labels of chunks, and with the 3 of noun phrases. So only the order of the
methods can be compared. S1 has the word of each token, S2 also the words before and after it. C of
the SVM and the CRF is 1 for each example. The constrained Z-score stops after --passes, with its
target or without."""

import collections
import pathlib
import statistics
import tempfile

import moment_methods
import runs

FOLDS = 5
FEATURES = {"S1": ["w[0]"], "S2": ["w[-1]", "w[0]", "w[1]"]}
# percent in the paper, at 300 and 1500 sentences
PUBLISHED = {
    (300, "S1"): {"Z-score": 11.07, "SODA": 10.13, "SVM": 10.97, "perceptron": 20.99, "CRF": 11.96},
    (300, "S2"): {"Z-score": 7.89, "SODA": 8.27, "SVM": 8.11, "perceptron": 13.78, "CRF": 8.25},
    (1500, "S1"): {"Z-score": 9.43, "SODA": 8.80, "SVM": 9.35, "perceptron": 11.01, "CRF": 9.07},
    (1500, "S2"): {"Z-score": 8.57, "SODA": 8.01, "SVM": 7.33, "perceptron": 7.83, "CRF": 8.40},
}


def solvers(given, n):
    """Returns the solver of each method for n examples."""
    solver_of = {
        "Z-score": {"use": "z_score", "residual": 1e-5},
        "constrained Z": {"use": "constrained_z_score", "price": 10, "residual": 1e-4,
                          "max_passes": given.passes},
        "SODA": {"use": "soda", "residual": 1e-5},
        "SVM": {"use": "n_slack", "C": n},
        "perceptron": {"use": "perceptron"},
        "CRF": {"use": "crf", "C": n},
        "counting": {"use": "generative"},
    }
    if moment_methods.can_sample(given.sculpt):
        solver_of["SODA, 150 samples"] = moment_methods.sampled("soda", 150).solver
    return solver_of


def noun_phrases(sentence):
    """Returns the sentence with O for every label that is of no noun phrase."""
    rows = [row.rsplit(" ", 1) for row in sentence.split("\n")]
    return "\n".join(f"{row} {label if label.endswith('-NP') else 'O'}" for row, label in rows)


def row(given, sentences, labels, count, features):
    found = collections.defaultdict(list)
    for fold in range(given.folds):
        splits = {"train": [text for k, text in enumerate(sentences) if k % FOLDS != fold],
                  "test": sentences[fold::FOLDS]}
        with tempfile.TemporaryDirectory() as scratch:
            dataset = {"use": "conll", "columns": ["w", "pos"], "templates": FEATURES[features],
                       "unseen_labels": "wrong"}
            for split, texts in splits.items():
                dataset[split] = str(pathlib.Path(scratch) / f"{split}.txt")
                runs.write_sentences(dataset[split], texts)
            experiment = {"dataset": dataset, "features": {"use": "chain", "bias": False},
                          "loss": "hamming", "oracle": "viterbi"}
            for name, solver in solvers(given, len(splits["train"])).items():
                found[name].append(runs.Run(given.sculpt, experiment | {"solver": solver}, {}))
    cells = [labels, count, features]
    for name, done in found.items():
        error = runs.mean_with_error([100 * run.finished["test"]["token_error"] for run in done], 1)
        published = PUBLISHED[count, features].get(name)
        cells.append(error + (f" ({published})" if published else "") +
                     f", {statistics.mean(run.cpu for run in done):.1f} s")
    print(*cells, sep="\t", flush=True)
    return cells


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--counts", nargs="+", type=int, default=[300, 1500], choices=[300, 1500])
    parser.add_argument("--labels", nargs="+", default=["3", "22"], choices=["3", "22"])
    parser.add_argument("--folds", type=int, default=FOLDS, help="only the first so many of five")
    parser.add_argument("--passes", type=int, default=500, help="most passes of constrained Z")
    given = parser.parse_args()
    rows = []
    for labels in given.labels:
        for count in given.counts:
            sentences = runs.read_sentences(runs.data_file("conll2000/train.txt"), count)
            if labels == "3":
                sentences = list(map(noun_phrases, sentences))
            rows += [row(given, sentences, labels, count, features) for features in FEATURES]
    head = ["labels", "sentences", "features", *solvers(given, 1)]
    print()
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
