#!/usr/bin/env python3
"""SODA and the Z-score against the SVM, the perceptron, the CRF and counting, after Ricci, De Bie &
Cristianini, JMLR 9 (2008).

Simulations (their section 7.1): sequences of length 100 of a hidden Markov model, 100 of them for
the test and 100 to choose C. With the probability `noise` a label of the training and the validation
set is replaced by any state. The features are those of the paper: how often each state emits each
symbol, and how often it follows each state. The paper leaves open the tables of the models, the kind
of noise, and the values of C that are tried. Here the rows of the tables are uniform numbers divided
by their sum, and three values are tried.

Sentences (Tables 3 and 4): the first 300 and 1500 of CoNLL-2000 by five folds. The paper has Spanish
named entities with 9 labels, these are chunks with 22: only the order of the methods can be compared.
S1 has the word, S2 also the words before and after it.
"""

import pathlib
import random
import statistics
import tempfile

import runs

METHODS = {
    "Z-score": {"use": "z_score"},
    "constrained Z": {"use": "constrained_z_score", "relative_gap": 1e-3},
    "SODA": {"use": "soda"},
    "SODA sampled": {"use": "soda", "moments": "sampled", "samples": 100},
    "SVM": {"use": "n_slack", "relative_gap": 1e-3},
    "perceptron": {"use": "perceptron"},
    "CRF": {"use": "crf", "relative_gap": 1e-3},
    "counting": {"use": "generative"},
}
# The price of each method, as a multiple of what is named, and the values that are tried.
PRICES = {
    "SVM": ("C", lambda n: n, (0.01, 0.1, 1)),
    "CRF": ("C", lambda n: n, (0.01, 0.1, 1)),
    "constrained Z": ("price", lambda n: 1, (0.1, 1, 10)),
}
LENGTH = 100
TEST_COUNT = 100
SIZES = [5, 20, 100]
NOISES = [0.0, 0.2, 0.4]
SHAPES = [(2, 4), (3, 5)]  # states, symbols
FOLDS = 5
MOST_SENTENCES_OF_MOMENTS = 300  # a pass of the exact moments takes long on 22 labels


def distribution(generator, size):
    numbers = [generator.random() for _ in range(size)]
    return [number / sum(numbers) for number in numbers]


def sequences(generator, states, symbols, counts):
    """Returns sequences of a new model for each (number, noise), as texts of files in columns."""
    start = distribution(generator, states)
    follow = [distribution(generator, states) for _ in range(states)]
    emit = [distribution(generator, symbols) for _ in range(states)]
    splits = []
    for count, noise in counts:
        texts = []
        for _ in range(count):
            rows = []
            state = None
            for _ in range(LENGTH):
                weights = start if state is None else follow[state]
                state = generator.choices(range(states), weights)[0]
                symbol = generator.choices(range(symbols), emit[state])[0]
                label = generator.randrange(states) if generator.random() < noise else state
                rows.append(f"o{symbol} s{label}")
            texts.append("\n".join(rows))
        splits.append(texts)
    return splits


def experiment(folder, templates, columns, method, n, multiple):
    solver = dict(METHODS[method])
    if method in PRICES:
        name, unit, _ = PRICES[method]
        solver[name] = multiple * unit(n)
    dataset = {"use": "conll", "columns": columns, "templates": templates, "unseen_labels": "wrong"}
    for split in ("train", "validation", "test"):
        path = folder / f"{split}.txt"
        if path.exists():
            dataset[split] = str(path)
    return {
        "dataset": dataset,
        "features": {"use": "chain", "bias": False, "start_end": False},
        "loss": "hamming",
        "oracle": "viterbi",
        "solver": solver,
    }


def error_of(run, split):
    return 100 * run.finished[split]["token_error"]


def errors(sculpt, folder, splits, templates, columns, methods):
    """Returns the test token error in percent and the CPU seconds of each method. With a validation
    split the price is the best of three on it, else the last of the three."""
    for split, texts in splits.items():
        runs.write_sentences(folder / f"{split}.txt", texts)
    n = len(splits["train"])
    found = {}
    for method in methods:
        multiples = PRICES[method][2] if method in PRICES else (1,)
        if "validation" not in splits:
            multiples = multiples[-1:]
        best = None
        for multiple in multiples:
            run = runs.Run(sculpt, experiment(folder, templates, columns, method, n, multiple), {})
            measured = error_of(run, "validation") if len(multiples) > 1 else 0
            if best is None or measured < best[0]:
                best = (measured, error_of(run, "test"), run.cpu)
        found[method] = best[1:]
    return found


def row_of(first, results, digits=2):
    return first + [runs.mean_with_error([result[method][0] for result in results], digits)
                    for method in METHODS]


def simulate(sculpt, folder, repeats, seed):
    """Rows: one for each shape, noise and number of sequences."""
    rows = []
    for states, symbols in SHAPES:
        for noise, size in [(noise, 20) for noise in NOISES] + [(0.2, size) for size in SIZES if size != 20]:
            results = []
            for number in range(repeats):
                generator = random.Random(f"{seed} {states} {symbols} {noise} {size} {number}")
                train, validation, test = sequences(
                    generator, states, symbols, [(size, noise), (TEST_COUNT, noise), (TEST_COUNT, 0)])
                results.append(errors(sculpt, folder,
                                      {"train": train, "validation": validation, "test": test},
                                      ["w[0]"], ["w"], METHODS))
            rows.append(row_of([f"{states}, {symbols}", noise, size], results))
            print(*rows[-1], sep="\t", flush=True)
    return rows


def chunk(sculpt, folder):
    """Rows: one for each number of sentences and set of features, with CPU seconds below."""
    rows = []
    for count in (300, 1500):
        sentences = runs.read_sentences(runs.data_file("conll2000/train.txt"), count)
        for name, templates in (("S1", ["w[0]"]), ("S2", ["w[-1]", "w[0]", "w[1]"])):
            methods = [method for method in METHODS if method != "constrained Z"]
            if count > MOST_SENTENCES_OF_MOMENTS:
                methods = [method for method in methods if method not in ("Z-score", "SODA")]
            results = [
                errors(sculpt, folder,
                       {"train": [text for k, text in enumerate(sentences) if k % FOLDS != fold],
                        "test": sentences[fold::FOLDS]}, templates, ["w", "pos"], methods)
                for fold in range(FOLDS)]
            row = [count, name]
            for method in METHODS:
                if method not in methods:
                    row.append("-")
                    continue
                error = runs.mean_with_error([result[method][0] for result in results], 2)
                seconds = statistics.mean(result[method][1] for result in results)
                row.append(f"{error}, {seconds:.1f} s")
            rows.append(row)
            print(*row, sep="\t", flush=True)
    return rows


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--repeats", type=int, default=20, help="models for each row of the first table")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        simulated = simulate(given.sculpt, pathlib.Path(scratch), given.repeats, given.seed)
    with tempfile.TemporaryDirectory() as scratch:
        chunked = chunk(given.sculpt, pathlib.Path(scratch))
    simulated_head = ["states, symbols", "noise", "sequences", *METHODS]
    chunked_head = ["sentences", "features", *METHODS]
    print()
    runs.print_table(simulated_head, simulated)
    print()
    runs.print_table(chunked_head, chunked)
    runs.write_tables(given.json, (simulated_head, simulated), (chunked_head, chunked))


if __name__ == "__main__":
    main()
