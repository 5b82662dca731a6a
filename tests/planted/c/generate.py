#!/usr/bin/env python3
"""generate.py FOLDER: writes train.txt, test.txt and new.txt, which has no grades.

A hidden state moves slowly. Two inputs measure it with noise, and the grade is its rounded value.
"""
import pathlib
import random
import sys


def sequence(draw, labelled):
    state = draw.uniform(0, 4)
    positions = []
    for _ in range(draw.randint(3, 12)):
        state = min(4.4, max(-0.4, state + draw.gauss(0, 0.6)))
        inputs = [state + draw.gauss(0, 1), 2 - state + draw.gauss(0, 1.5), 1]
        grade = str(round(state) + 1) if labelled else "?"
        positions.append(grade + ":" + ",".join(f"{x:.3f}" for x in inputs))
    return " ".join(positions)


folder = pathlib.Path(sys.argv[1])
draw = random.Random(1)
for name, count, labelled in [("train", 400, True), ("test", 200, True), ("new", 20, False)]:
    lines = [sequence(draw, labelled) + "\n" for _ in range(count)]
    (folder / f"{name}.txt").write_text("".join(lines))
