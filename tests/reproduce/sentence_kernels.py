#!/usr/bin/env python3
"""A kernel of degree two on 300 sentences, beside counting, a CRF, the perceptron and the linear
SVM: Table 2 of Tsochantaridis, Hofmann, Joachims & Altun, ICML 2004, in shape.

The paper has Spanish named entities, 9 labels. Here are the first 300 sentences of CoNLL-2000, 22
labels of chunks, so only the order of the methods can be compared. Features: the word, its shape,
beginnings and ends, of each token and its neighbours, without parts of speech. Counting has the
words alone. Figures are means over five folds, at the C that is best on them."""

import json
import statistics

import runs
import sweeps

SENTENCES = 300
TEMPLATES = ["w[-1..1]", *(f"shape(w[{at}])" for at in (-1, 0, 1)),
             *(f"{end}(w[{at}],1..3)" for end in ("prefix", "suffix") for at in (-1, 0, 1))]
PUBLISHED = {"counting": 9.36, "CRF": 5.17, "perceptron": 5.94, "SVM, degree 2": 5.08}
# (gamma <x, z> + 1)^2; a token has about 24 attributes
QUADRATIC = {"use": "polynomial", "gamma": 0.05, "coef0": 1, "degree": 2}
METHODS = {
    "counting": {"dataset.templates": '["w[0]"]', "solver": "generative"},
    "CRF": {"solver": "crf"},
    "perceptron": {"solver": "perceptron"},
    "SVM, linear": {"solver": "n_slack"},
    "SVM, degree 2": {"solver": "n_slack", "kernel": json.dumps(QUADRATIC)},
}
C = {  # the values of each method; the best has neighbours on both sides
    "CRF": ["1000", "3000", "10000", "30000"],
    "SVM, linear": ["3", "10", "30", "100"],
    "SVM, degree 2": ["30", "100", "300"],
}
HEAD = ["method", "C", "held-out token error, %", "seconds of a fold", "published, %"]


def experiment():
    return {
        "name": "sentences",
        "dataset": {"use": "conll", "train": str(runs.data_file("conll2000/train.txt")),
                    "columns": ["w", "pos"], "templates": TEMPLATES,
                    "train_sentences": SENTENCES, "unseen_labels": "wrong"},
        "features": {"use": "chain", "bias": False},
        "loss": "hamming", "oracle": "viterbi", "solver": "n_slack",
    }


def row(given, name):
    settings = METHODS[name] | ({"solver.C": given.C or C[name]} if name in C else {})
    found = sweeps.sweep(given.sculpt, experiment(), settings, ["--folds", "5", "--cold"])
    for cell in found if name in C else []:
        print(name, f"C = {sweeps.value_of(cell, 'solver.C')}:",
              f"{100 * sweeps.held_out(cell, 'token_error'):.2f} %", flush=True)
    best = sweeps.best(found, "token_error", min)
    error = best["validation"]["token_error"]
    c = sweeps.value_of(best, "solver.C") if name in C else "-"
    return [name, c, f"{100 * error['mean']:.2f} ± {100 * error['standard_error']:.2f}",
            f"{statistics.mean(cell['seconds'] for cell in best['cells']):.1f}",
            PUBLISHED.get(name, "-")]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument("--C", nargs="+", help="values of C other than the default")
    given = parser.parse_args()
    rows = [row(given, name) for name in given.methods]
    runs.print_table(HEAD, rows)
    runs.write_rows(given.json, HEAD, rows)


if __name__ == "__main__":
    main()
