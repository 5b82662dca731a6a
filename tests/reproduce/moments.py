#!/usr/bin/env python3
"""SODA and the Z-score against the SVM, the perceptron, the CRF and counting, after Ricci, De Bie &
Cristianini, JMLR 9 (2008), section 7.1. Two tables, by --table:

noise     their Figures 4 and 5 and Tables 1 and 2: sequences of length 100 of hidden Markov models,
          100 to choose prices and 100 for the test. With the probability `noise` a label of the
          training and the validation set is replaced by any state. A second table has p-values of
          paired differences (signed_rank.py).
alphabet  their Figure 6: 50 sequences of length 10, 3 states, noise 0.2, with more and more
          symbols. Exact moments, and those of some random outputs if the binary has them.

The features are those of the paper: how often each state emits each symbol, and how often it
follows each state. The paper leaves open the tables of the models, the kind of noise, and the
prices that are tried. Here the rows of the tables come from a Dirichlet distribution
(--concentration). Models with a rare state are drawn anew."""

import pathlib
import random
import tempfile

import hidden_markov
import moment_methods
import runs
import signed_rank

HELD_OUT_COUNT = TEST_COUNT = 100
NOISES = [0.0, 0.2, 0.4]
SIZES = [5, 20, 100]
SHAPES = [(2, 4), (3, 5)]  # states, symbols
DIFFERENCES = [("constrained Z", "Z-score"), ("SVM", "Z-score"), ("SVM", "SODA"),
               ("SVM", "constrained Z"), ("SVM", "perceptron")]
ALPHABETS = [2, 5, 10, 20, 40]
SAMPLES = [50, 100, 200]


def experiment(folder, splits):
    """Returns an experiment without solver, for splits that are lists of texts."""
    dataset = {"use": "conll", "columns": ["w"], "templates": ["w[0]"], "unseen_labels": "wrong"}
    for split, texts in splits.items():
        dataset[split] = str(folder / f"{split}.txt")
        runs.write_sentences(dataset[split], texts)
    return {
        "dataset": dataset,
        "features": {"use": "chain", "bias": False, "start_end": False},
        "loss": "hamming",
        "oracle": "viterbi",
    }


def errors(given, shape, length, size, noise, methods):
    """Returns for each method the test error in percent of each of the --repeats models."""
    found = {name: [] for name in methods}
    for number in range(given.repeats):
        # the same models in all rows of a shape
        generator = random.Random(f"{given.seed} {shape} {number}")
        model = hidden_markov.common_model(generator, *shape, given.concentration)
        splits = {"train": model.texts(size, length, noise),
                  "validation": model.texts(HELD_OUT_COUNT, length, noise),
                  "test": model.texts(TEST_COUNT, length, 0)}
        with tempfile.TemporaryDirectory() as scratch:
            config = experiment(pathlib.Path(scratch), splits)
            for name, method in methods.items():
                run = moment_methods.best_run(given.sculpt, config, size, method, "token_error")
                found[name].append(100 * run.finished["test"]["token_error"])
    return found


def row_of(first, found):
    row = [*first, *(runs.mean_with_error(values, 2) for values in found.values())]
    print(*row, sep="\t", flush=True)
    return row


def noise_tables(given):
    settings = [(noise, 20) for noise in NOISES] + [(0.2, size) for size in SIZES if size != 20]
    figures, differences = [], []
    for shape in SHAPES:
        for noise, size in settings:
            found = errors(given, shape, 100, size, noise, moment_methods.METHODS)
            first = [", ".join(map(str, shape)), noise, size]
            figures.append(row_of(first, found))
            differences.append([*first, *(difference(found[a], found[b]) for a, b in DIFFERENCES)])
    head = ["states, symbols", "noise", "sequences"]
    return ((head + list(moment_methods.METHODS), figures),
            (head + [f"{a} - {b}" for a, b in DIFFERENCES], differences))


def difference(first, second):
    mean, _ = runs.mean_and_deviation([a - b for a, b in zip(first, second)])
    return f"{mean:+.2f} (p {signed_rank.text(signed_rank.p_value(first, second))})"


def alphabet_table(given):
    methods = {name: moment_methods.METHODS[name] for name in ("Z-score", "SODA")}
    if moment_methods.can_sample(given.sculpt):
        for name, use in (("Z-score", "z_score"), ("SODA", "soda")):
            methods |= {f"{name}, {samples}": moment_methods.sampled(use, samples)
                        for samples in SAMPLES}
    rows = [row_of([symbols], errors(given, (3, symbols), 10, 50, 0.2, methods))
            for symbols in ALPHABETS]
    return ((["symbols", *methods], rows),)


def main():
    parser = runs.arguments(__doc__)
    tables = {"noise": noise_tables, "alphabet": alphabet_table}
    parser.add_argument("--table", default="noise", choices=tables)
    parser.add_argument("--repeats", type=int, default=50, help="models for each row")
    parser.add_argument("--concentration", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    made = tables[given.table](given)
    for head, rows in made:
        print()
        runs.print_table(head, rows)
    runs.write_tables(given.json, *made)


if __name__ == "__main__":
    main()
