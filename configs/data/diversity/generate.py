#!/usr/bin/env python3
"""Makes topics with candidate documents, for configs/diversity.json, in the format of the dataset
`topics`.

A topic has 12 to 24 subtopics, the first ones more frequent than the last, and 20 to 50 documents
with 1 to 3 of them each. Every subtopic has 6 words of its own, each of which a document about it
has with probability 0.6. Beside them a document has words that say nothing about subtopics: common
ones, of which each is in a fifth to nine tenths of the documents, and rare ones, out of many. How
many of these depends on how long the document is, which does not depend on its subtopics. So the
words that matter are those of middle frequency; to take as many different words as possible is to
take the longest documents. Words are numbers, and mean another thing in every topic.

The topics beside this file: generate.py --train 8 --test 8 --seed 1 FOLDER"""

import argparse
import pathlib
import random

SUBTOPIC_WORDS = 6
COMMON_WORDS = 20
RARE_WORDS = 1500


def subtopics_of_documents(draw):
    """A list of subtopics for each document."""
    number = draw.randint(12, 24)
    frequent = [1 / (rank + 4) for rank in range(number)]
    documents = []
    for _ in range(draw.randint(20, 50)):
        wanted = draw.randint(1, 3)
        chosen = set()
        while len(chosen) < wanted:
            chosen.add(draw.choices(range(number), frequent)[0])
        documents.append(sorted(chosen))
    return documents


def words_of(draw, subtopics, names, common):
    """How often a document has each of its words; `common`: a probability for each such word."""
    length = draw.lognormvariate(0, 0.6)  # 1 in the middle
    words = [subtopic * SUBTOPIC_WORDS + word
             for subtopic in subtopics for word in range(SUBTOPIC_WORDS) if draw.random() < 0.6]
    begin = len(names) - RARE_WORDS - COMMON_WORDS
    words += [begin + word for word, share in enumerate(common) if draw.random() < share]
    begin += COMMON_WORDS
    words += [begin + draw.randrange(RARE_WORDS) for _ in range(round(12 * length))]
    counts = {}
    for word in words:
        counts[names[word]] = counts.get(names[word], 0) + (2 if draw.random() < 0.3 else 1)
    return counts


def topic(draw, name):
    """Its lines."""
    documents = subtopics_of_documents(draw)
    subtopics = 1 + max(max(one) for one in documents)
    names = list(range(subtopics * SUBTOPIC_WORDS + COMMON_WORDS + RARE_WORDS))
    draw.shuffle(names)
    common = [draw.uniform(0.2, 0.9) for _ in range(COMMON_WORDS)]
    lines = [f"topic {name}"]
    for number, chosen in enumerate(documents):
        counts = words_of(draw, chosen, names, common)
        words = " ".join(f"{word}:{count}" if count > 1 else str(word)
                         for word, count in sorted(counts.items()))
        lines.append(f"document {number + 1} | {' '.join(f's{one}' for one in chosen)} | {words}")
    return lines


def write_topics(path, count, draw):
    lines = [line for number in range(count) for line in topic(draw, number + 1)]
    pathlib.Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="gets a file SPLIT.txt for each split")
    parser.add_argument("--train", type=int, default=8, help="topics (8)")
    parser.add_argument("--validation", type=int, default=0, help="topics (0: no such file)")
    parser.add_argument("--test", type=int, default=8, help="topics (8)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if min(given.train, given.test) < 1 or given.validation < 0:
        parser.error("--train and --test are at least 1, --validation at least 0")
    given.folder.mkdir(parents=True, exist_ok=True)
    # A generator each: more topics of one split change nothing in the others.
    for split in ("train", "validation", "test"):
        count = getattr(given, split)
        if count > 0:
            write_topics(given.folder / f"{split}.txt", count,
                         random.Random(f"{split} {given.seed}"))


if __name__ == "__main__":
    main()
