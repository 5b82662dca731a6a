#!/usr/bin/env python3
"""Alignments of random pairs of sequences: Table 5 and Figure 8 of Ricci, De Bie & Cristianini, JMLR
9 (2008). The error is the percentage of the test pairs whose alignment is not the true one, and
figures are mean and standard deviation over the draws.

A draw has a random substitution matrix with a larger diagonal. A pair has ten letters of 20 in each
sequence. With the probability 1/2 a letter of the second is that of the first at its place, else any
letter. The true alignment is the best one under the matrix and a gap cost. The paper leaves open how
the matrix is drawn, and the gap cost. Here entries are uniform, from --match on the diagonal and from
--mismatch beside it, and a letter of a gap has the weight --gap.

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
METHODS = {
    "SODA, 3": (THREE, moment_methods.Method({"use": "soda", "lambda": 1e-12})),
    "SODA": ({}, moment_methods.Method({"use": "soda", "lambda": 1e-12})),
    "counting": ({}, moment_methods.Method({"use": "generative"}, "ungrouped", (-1, -2, -3, -4, -6))),
    "perceptron": ({}, moment_methods.Method({"use": "perceptron"})),
    "SVM": ({}, moment_methods.Method({"use": "n_slack"}, "C", (1, 10, 100, 1000))),
    "SVM, 3": (THREE, moment_methods.Method({"use": "n_slack"}, "C", (1, 10, 100, 1000))),
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
    """Returns the two gapped rows of the best alignment (Needleman and Wunsch). A gap in the second
    row comes before an adjacent gap in the first."""
    best = {(0, 0): (0, "", "")}
    for i in range(len(first) + 1):
        for j in range(len(second) + 1):
            ways = []
            if i and j:
                score, a, b = best[i - 1, j - 1]
                p, q = first[i - 1], second[j - 1]
                ways.append((score + weights[p, q], a + p, b + q))
            if j:
                score, a, b = best[i, j - 1]
                ways.append((score + gap, a + "-", b + second[j - 1]))
            if i:
                score, a, b = best[i - 1, j]
                ways.append((score + gap, a + first[i - 1], b + "-"))
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
