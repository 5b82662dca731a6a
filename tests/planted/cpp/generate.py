#!/usr/bin/env python3
"""generate.py FOLDER: writes train.txt, test.txt and new.txt, which is not labelled.

Visitors like some tags, dislike long gaps, and attend the best talks in that sense, with noise.
"""
import itertools
import pathlib
import random
import sys

LIKES = {"vision": 1.0, "ml": 0.7, "theory": -0.4, "db": -0.8, "web": 0.2, "music": 0.6}
GAPS = [0.4, 0.2, -0.2, -0.6, -1.0]


def fits(talks):
    return all(a[1] <= b[0] for a, b in itertools.pairwise(talks))


def day(draw, labelled):
    talks = []
    for _ in range(draw.randint(0, 9)):
        begin = draw.randint(8, 18)
        tags = draw.sample(sorted(LIKES), draw.randint(1, 3))
        talks.append((begin, begin + draw.randint(1, 3), tags))
    if not talks:
        return "-" if labelled else "? -"
    liking = [sum(LIKES[tag] for tag in tags) + draw.gauss(0, 0.3) for _, _, tags in talks]
    best, best_value = (), 0
    for size in range(1, 5):
        for chosen in itertools.combinations(range(len(talks)), size):
            chosen = sorted(chosen, key=lambda k: talks[k])
            if not fits([talks[k] for k in chosen]):
                continue
            gaps = [talks[b][0] - talks[a][1] for a, b in itertools.pairwise(chosen)]
            value = sum(liking[k] for k in chosen) + sum(GAPS[min(gap, 4)] for gap in gaps)
            if value > best_value:
                best, best_value = chosen, value
    words = ["+" * (labelled and k in best) + f"{begin}-{end}:" + ",".join(tags)
             for k, (begin, end, tags) in enumerate(talks)]
    return " ".join(words if labelled else ["?"] + words)


folder = pathlib.Path(sys.argv[1])
draw = random.Random(1)
for name, count, labelled in [("train", 300, True), ("test", 200, True), ("new", 20, False)]:
    lines = [day(draw, labelled) + "\n" for _ in range(count)]
    (folder / f"{name}.txt").write_text("".join(lines))
