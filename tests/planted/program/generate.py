#!/usr/bin/env python3
"""generate.py FOLDER: writes train.txt, test.txt and new.txt, which is not labelled.

Phases follow each other at random. Each label has its own mean, and its own mean length.
"""
import pathlib
import random
import sys

MEANS = {"rest": 0.2, "walk": 1.0, "run": 1.9}
LENGTHS = {"rest": 4, "walk": 3, "run": 2}
NEXT = {"rest": ["walk", "walk", "run"], "walk": ["rest", "rest", "run"], "run": ["walk", "rest"]}


def recording(draw, labelled):
    label = draw.choice(sorted(MEANS))
    phases = []
    for _ in range(draw.randint(2, 8)):
        size = min(6, max(1, round(draw.gauss(LENGTHS[label], 1))))
        values = [f"{draw.gauss(MEANS[label], 0.5):.3f}" for _ in range(size)]
        phases.append((label, values))
        label = draw.choice(NEXT[label])
    if not labelled:
        return " ".join(["?"] + [value for _, values in phases for value in values])
    return "; ".join(" ".join([label] + values) for label, values in phases)


folder = pathlib.Path(sys.argv[1])
draw = random.Random(1)
for name, count, labelled in [("train", 300, True), ("test", 200, True), ("new", 20, False)]:
    lines = [recording(draw, labelled) + "\n" for _ in range(count)]
    (folder / f"{name}.txt").write_text("".join(lines))
