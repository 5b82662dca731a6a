#!/usr/bin/env python3
"""Choices of five documents that cover a topic: trained weights of words, equal weights of all
words, and random choices. In the spirit of Table 1 of Yue & Joachims, "Predicting Diverse Subsets
Using Structural SVMs", ICML 2008.

Each draw is a new set of topics (configs/data/diversity/generate.py). As in the paper, 12 are for
training and 4 choose C. The test has 1 topic in the paper and 20 here. Methods without training are
computed and measured in this script, without the binary."""

import collections
import pathlib
import random
import tempfile

import runs
import sweeps

GENERATOR = runs.ROOT / "configs/data/diversity/generate.py"
CONFIG = runs.ROOT / "configs/diversity.json"
SIZE = 5
SPLITS = ("train", "validation", "test")
# Settings that are added to those of the config, by name.
TRAINED = {
    "trained": {},
    "trained, weights of any sign": {"features.nonnegative": "false"},
    "trained, two levels": {"features.counts": "[1,2]"},
    "trained, greedy alone": {"oracle": "greedy_coverage"},
    "trained, slack rescaling": {"solver.rescaling": "slack"},
}
PUBLISHED = {"by chance": ".469 (Random)", "as many words as possible": ".471 (Unweighted)",
             "trained": ".349 (SVM-div)"}


def read_topics(path):
    """Returns the documents of each topic. A document is its set of subtopics and its set of
    words."""
    topics = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        parts = [part.split() for part in line.split(" | ")]
        if parts[0][0] == "topic":
            topics.append([])
        else:
            words = {word.split(":")[0] for word in parts[2]}
            topics[-1].append((set(parts[1]), words))
    return topics


def loss_at_k(documents, chosen):
    """Returns the weight of the subtopics not covered. The weight of a subtopic is its number of
    documents."""
    weights = collections.Counter(name for subtopics, _ in documents for name in subtopics)
    covered = set().union(*(documents[number][0] for number in chosen))
    return 1 - sum(weights[name] for name in covered) / sum(weights.values())


def most_words(documents):
    """Returns SIZE documents. Each one adds the most new words to those before it."""
    chosen, covered = [], set()
    for _ in range(SIZE):
        remaining = [number for number in range(len(documents)) if number not in chosen]
        chosen.append(max(remaining, key=lambda number: len(documents[number][1] - covered)))
        covered |= documents[chosen[-1]][1]
    return chosen


def by_chance(documents, draw):
    choices = [draw.sample(range(len(documents)), SIZE) for _ in range(200)]
    return sum(loss_at_k(documents, chosen) for chosen in choices) / len(choices)


def mean(values):
    return sum(values) / len(values)


def trained_run(given, folder, settings):
    """Returns the run at the C with the best loss_at_k on the split validation, and that C."""
    fixed = {f"dataset.{split}": folder / f"{split}.txt" for split in SPLITS}
    fixed |= {"dataset.k": SIZE, **settings}
    run, chosen = sweeps.best_run(given.sculpt, CONFIG, [fixed | {"solver.C": C} for C in given.C],
                                  "loss_at_k", min)
    return run, chosen["solver.C"]


def draw_row(given, number, found):
    """Adds the results of all methods on one draw to `found`."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        runs.Finished([str(GENERATOR), str(folder), "--train", "12", "--validation", "4",
                       "--test", str(given.topics), "--seed", str(number)]).require(0)
        topics = read_topics(folder / "test.txt")
        chance = random.Random(number)
        found["by chance"].append((mean([by_chance(one, chance) for one in topics]), ""))
        found["as many words as possible"].append(
            (mean([loss_at_k(one, most_words(one)) for one in topics]), ""))
        for name, settings in TRAINED.items():
            run, C = trained_run(given, folder, settings)
            test = run.finished["test"]
            found[name].append((test["loss_at_k"], C))
        # loss_at_k - Delta is the loss_at_k of the truth, and no choice covers more than the truth
        found["the best choice"].append((test["loss_at_k"] - test["loss"], ""))


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--topics", type=int, default=20, help="to test, in each draw")
    parser.add_argument("--C", nargs="+",
                        default=["10", "30", "100", "300", "1000", "3000", "10000"])
    given = parser.parse_args()
    found = {name: [] for name in ["by chance", "as many words as possible", *TRAINED,
                                   "the best choice"]}
    for number in range(1, given.draws + 1):
        draw_row(given, number, found)
    head = ["choice", "loss@5", "C", "published, other data"]
    rows = []
    for name, values in found.items():
        chosen = collections.Counter(C for _, C in values if C)
        rows.append([name, runs.mean_with_error([loss for loss, _ in values], 3),
                     ", ".join(f"{C} ({times})" for C, times in chosen.most_common(2)),
                     PUBLISHED.get(name, "")])
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
