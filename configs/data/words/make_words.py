#!/usr/bin/env python3
"""Arranges letter images into English words: writes words.txt beside this script.

Needs nothing but Python 3 and two files out of Debian packages (README.md says how to get them).
Set-up never runs this; words.txt is in the repository. The same files give the same bytes.

    make_words.py LetterRecognition.rda english-words.10
"""

import lzma
import pathlib
import random
import re
import struct
import sys

SEED = 1
FOLDS = 10
ROWS = 20000  # rows of the data set
ATTRIBUTES = 16
WORDS = 1500
# At most so many words of a length: short enough that the different images of E (725) and I (524)
# go round.
WORDS_OF_LENGTH = {3: 150, 4: 420, 5: 420, 6: 340, 7: 230}
# For every e in it, a word is passed over with this probability: next to English usage E's images
# are the scarcest, and no image may serve twice.
PASS_OVER_E = 0.4
LEFT_OUT = {"cum", "cums", "cumming"}  # in the list, but not for a demonstration
# An attribute v of 0..15 is written as (v - CENTRE) / SCALE. A linear model with a bias represents
# the same functions, but centred inputs of about a transition's size (0/1) train much faster.
CENTRE = 7
SCALE = 10


def read_images(path):
    """Letter -> list of different images (tuples of 16 integers), in the order of the data set.

    An .rda is R's serialization, compressed. It is big-endian; a vector is a tag (0x0d integer,
    0x0e double), its length, its elements. This data frame is a factor and 16 columns of doubles.
    """
    data = lzma.decompress(pathlib.Path(path).read_bytes())
    length = struct.pack(">i", ROWS)
    start = data.index(b"\0\0\x03\x0d" + length) + 8
    labels = struct.unpack_from(f">{ROWS}i", data, start)
    position = data.index(b"\0\0\0\x0e" + length, start + 4 * ROWS)
    columns = []
    for _ in range(ATTRIBUTES):
        if data[position : position + 8] != b"\0\0\0\x0e" + length:
            sys.exit(f"{path}: not the LetterRecognition.rda this script knows")
        columns.append(struct.unpack_from(f">{ROWS}d", data, position + 8))
        position += 8 + 8 * ROWS
    images = {chr(ord("a") + k): {} for k in range(26)}  # dict: a set that keeps the order
    for label, *attributes in zip(labels, *columns):
        images[chr(ord("a") + label - 1)][tuple(map(int, attributes))] = None
    return {letter: list(rows) for letter, rows in images.items()}


def choose_words(path, images, rng):
    """Different words, drawn without replacement; never more of a letter than it has images."""
    shortest, longest = min(WORDS_OF_LENGTH), max(WORDS_OF_LENGTH)
    pattern = re.compile(f"[a-z]{{{shortest},{longest}}}")
    lines = pathlib.Path(path).read_text(encoding="utf-8").split()
    pool = sorted(word for word in set(lines) - LEFT_OUT if pattern.fullmatch(word))
    rng.shuffle(pool)
    room = dict(WORDS_OF_LENGTH)
    left = {letter: len(rows) for letter, rows in images.items()}
    words = []
    for word in pool:
        passed_over = any(rng.random() < PASS_OVER_E for _ in range(word.count("e")))
        if passed_over and len(word) > 4:  # nearly all the shorter ones are needed
            continue
        if not room[len(word)] or any(word.count(c) > left[c] for c in word):
            continue
        room[len(word)] -= 1
        for letter in word:
            left[letter] -= 1
        words.append(word)
        if len(words) == WORDS:
            break
    else:
        sys.exit(f"{path}: enough letters for {len(words)} words only")
    rng.shuffle(words)  # lengths and scarce letters fall evenly into the folds
    return words


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rng = random.Random(SEED)
    images = read_images(sys.argv[1])
    words = choose_words(sys.argv[2], images, rng)
    for rows in images.values():
        rng.shuffle(rows)
    lines = []
    for number, word in enumerate(words, start=1):
        fold = (number - 1) % FOLDS
        for place, letter in enumerate(word):
            more = int(place + 1 < len(word))
            attributes = " ".join(f"{(v - CENTRE) / SCALE:g}" for v in images[letter].pop())
            lines.append(f"{number} {fold} {place} {letter} {more} {attributes}\n")
    target = pathlib.Path(__file__).with_name("words.txt")
    target.write_text("".join(lines), encoding="ascii")
    print(f"{target}: {len(words)} words, {len(lines)} letters")


if __name__ == "__main__":
    main()
