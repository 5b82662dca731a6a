#!/usr/bin/env python3
"""Alignments of random pairs of sequences: Table 5 and Figure 8 of Ricci, De Bie & Cristianini,
JMLR 9 (2008). The error is the percentage of the test pairs whose alignment is not the true one,
and figures are mean and standard deviation over the draws.

A draw has a random substitution matrix with a larger diagonal. A pair has ten letters of 20 in each
sequence. With the probability 1/2 a letter of the second is that of the first at its place, else
any letter. The true alignment is the best one under the matrix and a gap cost. The paper leaves
open how the matrix is drawn, the gap cost, and which of equally good alignments is the true one.
Here the entries are uniform, in three settings (SETTINGS). With `few gaps` nearly all letters face
the letter at their own place. With `many gaps` two letters that differ are never aligned. With
`equal matches`, too, and the diagonal has one value. Then several alignments are often the best,
and the true one is that which the oracle of sculpt prefers: at the end a pair, else a gap in the
second row.

Three parameters are match, mismatch and gap. All others have 210 pairs of letters and the gap. The
moments count paths, as those of the paper do (`gap_order` any). Counting needs a gap weight, which
no counts give: it is chosen on held-out pairs, as C of the SVM is."""

import pathlib
import random
import tempfile

import moment_methods
import runs
from protein_alignment import LETTERS

LENGTH = 10
HELD_OUT_COUNT = 100
TEST_COUNT = 200
THREE = {"model": "match"}
SETTINGS = {  # ranges of the entries on the diagonal and beside it, weight of a letter of a gap
    "few gaps": ((1, 2), (-1, 0), -2),
    "many gaps": ((1, 2), (-1.5, -1), -0.5),
    "equal matches": ((1, 1), (-1.5, -1), -0.5),
}
SVM = moment_methods.Method({"use": "n_slack", "relative_gap": 1e-2}, "C", (0.1, 1, 10), True)
METHODS = {
    "SODA, 3": (THREE, moment_methods.Method({"use": "soda", "lambda": 1e-12})),
    "SVM, 3": (THREE, SVM),
    "SODA": ({}, moment_methods.Method({"use": "soda", "lambda": 1e-12})),
    "counting": ({}, moment_methods.Method({"use": "generative"}, "ungrouped",
                                           (-1, -2, -3, -4, -6))),
    "perceptron": ({}, moment_methods.Method({"use": "perceptron"})),
    "SVM": ({}, SVM),
}
# percent in the paper
PUBLISHED_METHODS = ("SODA, 3", "SODA", "counting", "perceptron")
PUBLISHED = {
    1: ("5.1 ± 1.2", "96.1 ± 13.3", "98.1 ± 14.5", "93.8 ± 12.1"),
    2: ("2.9 ± 0.8", "84.7 ± 7.5", "98.0 ± 12.2", "84.0 ± 8.6"),
    5: ("2.3 ± 1.0", "74.8 ± 6.2", "97.4 ± 7.4", "76.1 ± 5.2"),
    10: ("2.1 ± 0.7", "60.1 ± 3.2", "92.9 ± 5.2", "57.9 ± 2.9"),
    20: ("2.1 ± 0.5", "43.2 ± 2.2", "79.1 ± 4.2", "42.7 ± 2.1"),
    50: ("1.9 ± 0.3", "35.6 ± 1.4", "48.3 ± 2.9", "31.9 ± 1.2"),
    100: ("1.5 ± 0.4", "30.8 ± 1.0", "32.1 ± 1.5", "28.4 ± 0.9"),
    500: ("1.0 ± 0.3", "23.5 ± 0.2", "26.1 ± 0.6", "21.7 ± 0.4"),
}


class Generator:
    """`weights[p, q]` is the true weight of a pair of letters, and `gap` that of a letter beside a
    gap."""

    def __init__(self, generator, match, mismatch, gap):
        self.random = generator
        self.gap = gap
        self.weights = {}
        for k, p in enumerate(LETTERS):
            for q in LETTERS[k:]:
                self.weights[p, q] = generator.uniform(*(match if p == q else mismatch))
                self.weights[q, p] = self.weights[p, q]

    def pair(self):
        first = self.random.choices(LETTERS, k=LENGTH)
        second = [letter if self.random.random() < 0.5 else self.random.choice(LETTERS)
                  for letter in first]
        return first, second

    def aligned_pairs(self, count):
        """Returns pairs in their true alignment, as texts of files."""
        return [text(*best_alignment(*self.pair(), self.weights, self.gap)) for _ in range(count)]


def best_alignment(first, second, weights, gap):
    """Returns the two gapped rows of the best alignment (Needleman and Wunsch). Of equally good
    last columns a pair is taken, else a gap in the second row."""
    best = {(0, 0): (0, "", "")}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            ways = []
            if i and j:
                score, a, b = best[i - 1, j - 1]
                p, q = first[i - 1], second[j - 1]
                ways.append((score + weights[p, q], a + p, b + q))
            if i:
                score, a, b = best[i - 1, j]
                ways.append((score + gap, a + first[i - 1], b + "-"))
            if j:
                score, a, b = best[i, j - 1]
                ways.append((score + gap, a + "-", b + second[j - 1]))
            if ways:
                best[i, j] = max(ways, key=lambda way: way[0])
    return best[len(first), len(second)][1:]


def text(first, second):
    return f">a\n{first}\n>b\n{second}"


def experiment(folder, features, splits):
    dataset = {"use": "pairs_fasta", "alphabet": "protein"}
    for split, pairs in splits.items():
        dataset[split] = str(folder / f"{split}.fa")
        runs.write_sentences(dataset[split], pairs)
    return {
        "dataset": dataset,
        "features": {"use": "alignment", "gaps": "linear", "gap_order": "any"} | features,
        "loss": "difference",
        "oracle": "alignment",
    }


def row(given, setting, n):
    found = {name: [] for name in METHODS}
    gapped = []
    for draw in range(given.repeats):
        generator = Generator(random.Random(f"{given.seed} {setting} {draw}"), *SETTINGS[setting])
        # the same held-out and test pairs for every n, and the first n of the same training pairs
        splits = {split: generator.aligned_pairs(count) for split, count in
                  (("validation", HELD_OUT_COUNT), ("test", TEST_COUNT), ("train", n))}
        gapped.append(100 * sum("-" in pair for pair in splits["test"]) / TEST_COUNT)
        with tempfile.TemporaryDirectory() as folder:
            for name, (features, method) in METHODS.items():
                run = moment_methods.best_run(
                    given.sculpt, experiment(pathlib.Path(folder), features, splits), n, method,
                    "exact_match", max)
                found[name].append(100 * (1 - run.finished["test"]["exact_match"]))
    cells = [setting, n, f"{runs.mean_and_deviation(gapped)[0]:.0f}",
             *("{:.1f} ± {:.1f}".format(*runs.mean_and_deviation(values))
               for values in found.values())]
    print(*cells, sep="\t", flush=True)
    return cells


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--n", nargs="+", type=int, default=list(PUBLISHED), help="training pairs")
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), choices=SETTINGS)
    parser.add_argument("--repeats", type=int, default=20, help="draws for each row")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    head = ["setting", "n", "test pairs with gaps, %", *METHODS]
    rows = [row(given, setting, n) for setting in given.settings for n in given.n]
    for n in filter(PUBLISHED.get, given.n):
        figure_of = dict(zip(PUBLISHED_METHODS, PUBLISHED[n]))
        rows.append(["published", n, "", *(figure_of.get(name, "") for name in METHODS)])
    print()
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
