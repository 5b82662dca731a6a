#!/usr/bin/env python3
"""Makes documents of records, for configs/clustering.json, in the format of the dataset `item_pairs`.

A document has records of a few sources, each with six fields; a record copies the fields of its
source, some of them wrongly and some not at all, each field with probabilities of its own. Features
of a pair: for each field whether the two records agree in it (odd indices) or differ (even ones).
By itself a pair tells little; the clusters are what many pairs say together.

The files beside this one: generate.py --items 12 --train 12 --test 12 --seed 5 FOLDER"""

import argparse
import pathlib
import random

VALUES = [40, 12, 12, 6, 6, 3]  # that a field has
WRONG = [0.25, 0.1, 0.3, 0.1, 0.4, 0.2]  # how often it is drawn anew
ABSENT = [0.3, 0.1, 0.1, 0.2, 0.1, 0.0]


def record(source, draw):
    fields = []
    for value, values, wrong, absent in zip(source, VALUES, WRONG, ABSENT):
        copied = draw.randrange(values) if draw.random() < wrong else value
        fields.append(None if draw.random() < absent else copied)
    return fields


def document(items, draw):
    """(the source of each record, the records)"""
    sources = [[draw.randrange(values) for values in VALUES] for _ in range(draw.randint(2, 5))]
    truth = [draw.randrange(len(sources)) for _ in range(items)]
    return truth, [record(sources[source], draw) for source in truth]


def rows(number, truth, records):
    for i, one in enumerate(records):
        for j in range(i + 1, len(records)):
            same = 1 if truth[i] == truth[j] else -1
            features = [f"{2 * k + (1 if a == b else 2)}:1"
                        for k, (a, b) in enumerate(zip(one, records[j])) if None not in (a, b)]
            yield " ".join([f"{number} {i} {j} {same}", *features])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--items", type=int, default=12, help="records of a document")
    parser.add_argument("--train", type=int, default=12, help="documents to learn from")
    parser.add_argument("--test", type=int, default=12)
    parser.add_argument("--seed", type=int, default=5)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    for split, count in [("train", given.train), ("test", given.test)]:
        lines = [line for number in range(count) for line in rows(number, *document(given.items, draw))]
        (given.folder / f"{split}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
