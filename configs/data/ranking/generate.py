#!/usr/bin/env python3
"""Makes queries with graded documents, for configs/ranking.json, in the format of the dataset
`svmrank`.

A document has --features independent numbers from 0 to 1, of which the first half tell its worth:
a sum with weights 1, -1/2, 1/3, -1/4, ..., and a gaussian with the standard deviation --noise. Of a
query's documents those with the largest worth have grade 2, the next ones grade 1, the others grade
0, and how many these are differs from query to query: one worth means much in one query and little
in another, so that only orders can be learned. A tenth of the queries has grade 0 alone.

The files beside this one: generate.py FOLDER"""

import argparse
import pathlib
import random


def query(number, given, draw):
    """The rows of one query, as text."""
    documents = []
    for _ in range(draw.randint(6, 14)):
        values = [round(draw.random(), 2) for _ in range(given.features)]
        worth = sum((-1) ** j * values[j] / (j + 1) for j in range(given.features // 2))
        documents.append((worth + draw.gauss(0, given.noise), values))
    order = sorted((worth for worth, _ in documents), reverse=True)
    best, good = draw.randint(1, 2), draw.randint(1, 3)
    none_is = draw.random() < 0.1
    rows = []
    for worth, values in documents:
        rank = order.index(worth)
        grade = 0 if none_is or rank >= best + good else 2 if rank < best else 1
        entries = " ".join(f"{j + 1}:{value:g}" for j, value in enumerate(values) if value != 0)
        rows.append(f"{grade} qid:{number} {entries}\n")
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="gets train.txt and test.txt")
    parser.add_argument("--train", type=int, default=40, help="queries (40)")
    parser.add_argument("--test", type=int, default=40, help="queries (40)")
    parser.add_argument("--features", type=int, default=8, help="numbers of a document (8)")
    parser.add_argument("--noise", type=float, default=0.3, help="standard deviation (0.3)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if min(given.train, given.test) < 1 or given.features < 2 or given.noise < 0:
        parser.error("--train and --test are at least 1, --features 2, --noise 0")
    given.folder.mkdir(parents=True, exist_ok=True)
    # A generator each: more queries of one split change nothing in the other.
    for split, count in (("train", given.train), ("test", given.test)):
        draw = random.Random(f"{split} {given.seed}")
        with open(given.folder / f"{split}.txt", "w", encoding="utf-8") as out:
            for number in range(1, count + 1):
                out.writelines(query(number, given, draw))


if __name__ == "__main__":
    main()
