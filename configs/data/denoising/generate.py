#!/usr/bin/env python3
"""Makes binary images with noise, for configs/denoising.json, in the format of the dataset `grid`.

Truth: figures on a background, one over the other, each a filled ellipse or bar (a rectangle three
to twelve times as long as it is wide) of random place, size and angle. Every third one is a hole: it
paints background, so that the parts differ in size, curvature and thickness, and some are lost in
the noise. Pixels: gaussian, independent numbers with mean +1 in figures, -1 elsewhere, and the
standard deviation --noise, so that a pixel by itself errs in Phi(-1 / noise): 15.9 % at 1; or
flips, where --noise is the probability that a pixel is -1 for +1 and the reverse.

The images beside this file: generate.py --side 64 --train 2 --test 2 --seed 7 FOLDER"""

import argparse
import math
import pathlib
import random


def figure(side, draw):
    """(centre, half axes, angle, whether an ellipse), lengths in pixels."""
    row, column = draw.uniform(0, side), draw.uniform(0, side)
    ellipse = draw.random() < 0.6
    if ellipse:
        along = side * draw.uniform(0.06, 0.22)
        across = along * draw.uniform(0.35, 1)
    else:
        along = side * draw.uniform(0.12, 0.35)
        across = along / draw.uniform(3, 12)
    return row, column, along, across, draw.uniform(0, math.pi), ellipse


def paint(truth, shape, label):
    """Gives the pixels whose middle lies in the shape this label."""
    side = len(truth)
    row, column, along, across, angle, ellipse = shape
    sine, cosine = math.sin(angle), math.cos(angle)
    reach = math.hypot(along, across)
    for y in range(max(0, int(row - reach)), min(side, int(row + reach) + 2)):
        for x in range(max(0, int(column - reach)), min(side, int(column + reach) + 2)):
            u = (cosine * (x - column) + sine * (y - row)) / along
            v = (cosine * (y - row) - sine * (x - column)) / across
            if (u * u + v * v <= 1) if ellipse else (abs(u) <= 1 and abs(v) <= 1):
                truth[y][x] = label


def image(side, kind, noise, draw):
    """(rows of labels, rows of pixel values)"""
    truth = [[0] * side for _ in range(side)]
    for number in range(draw.randint(9, 15)):
        paint(truth, figure(side, draw), 0 if number % 3 == 2 else 1)

    def pixel(label):
        clean = 2 * label - 1
        if kind == "flips":
            return str(-clean if draw.random() < noise else clean)
        return f"{draw.gauss(clean, noise):.2f}"

    return truth, [[pixel(label) for label in row] for row in truth]


def write(path, count, given, draw):
    with open(path, "w", encoding="utf-8") as out:
        for number in range(count):
            truth, pixels = image(given.side, given.kind, given.noise, draw)
            out.write(f"image {number + 1} {given.side} {given.side}\n")
            out.writelines(" ".join(row) + "\n" for row in pixels)
            out.writelines("".join(map(str, row)) + "\n" for row in truth)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="gets train.txt and test.txt")
    parser.add_argument("--side", type=int, default=256, help="pixels (256)")
    parser.add_argument("--train", type=int, default=8, help="images (8)")
    parser.add_argument("--test", type=int, default=8, help="images (8)")
    parser.add_argument("--kind", choices=["gaussian", "flips"], default="gaussian")
    parser.add_argument("--noise", type=float, default=1.0,
                        help="standard deviation, or probability (1)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if min(given.side, given.train, given.test) < 1:
        parser.error("--side, --train and --test are at least 1")
    if given.noise < 0 or (given.kind == "flips" and given.noise > 0.5):
        parser.error("--noise is at least 0, and a probability at most 0.5")
    given.folder.mkdir(parents=True, exist_ok=True)
    # A generator each: more images of one split change nothing in the other.
    for split, count in (("train", given.train), ("test", given.test)):
        write(given.folder / f"{split}.txt", count, given,
              random.Random(f"{split} {given.seed}"))


if __name__ == "__main__":
    main()
