"""Sentences like those of CoNLL-2000: word, part of speech, chunk label.

A Markov chain makes the chunk labels. A phrase goes on with a fixed probability, and what follows
it depends on it alone. A label draws a part of speech, and both draw a word. So a word is more
frequent under some labels than under others, and who has seen more words guesses better. Weights
are set by hand to be like English.

Words follow Zipf's law: the word of rank r has a share of about 1/r. A draw takes one of the K
octaves of ranks, from 2^k to 2^(k+1) - 1, all alike, and then any rank of the octave."""

import numpy as np

from draws import CONTENT, MODEL, SIZES, STATES, Stream, lookup
from fields import constant, decimals, fields, packed, taken

# A phrase: how often of 64 it goes on, and the weights of what follows it.
PHRASES = {
    "O": (0, {"NP": 50, "O": 20, "VP": 13, "PP": 8, "ADVP": 6, "SBAR": 2, "ADJP": 1}),
    "NP": (34, {"VP": 33, "O": 30, "PP": 24, "NP": 6, "ADVP": 4, "SBAR": 2, "ADJP": 1}),
    "VP": (23, {"NP": 42, "PP": 17, "O": 9, "ADVP": 8, "ADJP": 8, "SBAR": 7, "VP": 5, "PRT": 4}),
    "PP": (1, {"NP": 94, "VP": 2, "O": 2, "PP": 1, "ADVP": 1}),
    "ADVP": (6, {"NP": 28, "VP": 26, "PP": 18, "O": 20, "ADJP": 5, "SBAR": 3}),
    "SBAR": (2, {"NP": 85, "VP": 8, "O": 3, "PP": 2, "ADVP": 2}),
    "ADJP": (15, {"PP": 32, "O": 30, "NP": 15, "VP": 10, "SBAR": 8, "ADVP": 5}),
    "PRT": (0, {"NP": 50, "PP": 30, "O": 12, "ADVP": 8}),
}
FIRST = {"NP": 68, "PP": 14, "O": 9, "ADVP": 5, "SBAR": 4}
# The parts of speech of a label, with weights.
TAGS = {
    "B-NP": "DT 28 NNP 14 NN 13 JJ 9 NNS 9 PRP 8 CD 7 PRP$ 4 POS 4 VBG 1 RB 1 $ 2",
    "I-NP": "NN 36 NNP 18 NNS 16 JJ 13 CD 8 VBN 2 VBG 2 CC 2 RB 1 DT 1 $ 1",
    "B-VP": "VBD 28 VBZ 20 VBP 12 TO 15 MD 11 VBG 6 VBN 3 RB 3 VB 2",
    "I-VP": "VB 42 VBN 28 RB 10 VBG 8 VBD 5 TO 4 VBP 2 JJ 1",
    "B-PP": "IN 89 TO 9 VBG 1 RB 1",
    "I-PP": "IN 90 TO 10",
    "B-ADVP": "RB 86 IN 5 JJ 3 NN 3 DT 3",
    "I-ADVP": "RB 80 IN 12 JJ 8",
    "B-SBAR": "IN 88 RB 6 DT 6",
    "I-SBAR": "IN 95 RB 5",
    "B-ADJP": "JJ 66 RB 20 VBN 8 CD 3 $ 3",
    "I-ADJP": "JJ 74 VBN 10 RB 6 CD 5 TO 5",
    "B-PRT": "RP 60 IN 20 RB 20",
    "O": ", 41 . 22 CC 21 `` 6 '' 6 : 4",
}
# The octaves of a tag's words, 2^(octaves + 1) - 2 of them, and the ending of these.
WORDS = {
    "NN": (15, ""), "NNP": (15, ""), "NNS": (14, "s"), "JJ": (14, "y"), "CD": (13, ""),
    "VB": (11, ""), "VBP": (10, ""), "VBD": (11, "ed"), "VBN": (11, "ed"), "VBZ": (10, "es"),
    "VBG": (11, "ing"), "RB": (9, "ly"), "IN": (5, "h"), "DT": (3, "th"), "PRP": (3, "m"),
    "PRP$": (2, "r"), "MD": (2, "ld"), "CC": (2, "nd"), "RP": (2, "p"),
}
# Tags with a single word.
SIGNS = {"TO": "to", "POS": "'s", "$": "$", ",": ",", ".": ".", "``": "``", "''": "''", ":": ":"}
LIKELY = 7  # of 8 words suit their label
BLOCK = 8192  # sentences
TABLE_BITS = 12
SYLLABLES = [a + b for a in "bcdfghjklmnprstv" for b in "aeiou"]

LABELS = list(TAGS)
TAG_NAMES = [*WORDS, *SIGNS]


def next_labels():
    """uint8 [labels + 1, 2^TABLE_BITS]: the next label; the last row is for the first one."""
    rows = []
    for label in LABELS:
        phrase = label.split("-")[-1]
        goes_on, follow = PHRASES[phrase]
        weights = begins(follow, 64 - goes_on)
        if goes_on:
            weights[LABELS.index("I-" + phrase)] = goes_on * sum(follow.values())
        rows.append(lookup(weights, TABLE_BITS))
    return np.stack([*rows, lookup(begins(FIRST, 1), TABLE_BITS)])


def begins(follow, times):
    """A weight of each label, if a phrase of these weights begins."""
    names = [label.split("-")[-1] for label in LABELS]
    return [0 if label.startswith("I-") else times * follow.get(name, 0)
            for label, name in zip(LABELS, names)]


def tags_of_labels():
    """uint8 [labels, 2^TABLE_BITS]: the part of speech."""
    tables = []
    for text in TAGS.values():
        pairs = dict(zip(text.split()[::2], map(int, text.split()[1::2])))
        tables.append(lookup([pairs.get(tag, 0) for tag in TAG_NAMES], TABLE_BITS))
    return np.stack(tables)


def word_texts(tag):
    """Fields `WORD TAG ` of all words of a tag, in the order of their ranks, two for each rank."""
    if tag in SIGNS:
        return fields([f"{SIGNS[tag]} {tag} "] * 2)
    octaves, ending = WORDS[tag]
    number = np.arange(2 ** (octaves + 1) - 2)
    end = constant(f"{ending} {tag} ", len(number))
    if tag == "CD":
        return np.concatenate([decimals(number + 1, len(number)), end], axis=1)
    table = fields([*SYLLABLES, "\0\0"])
    digits = [np.where((number >= power) | (power == 1), number // power % 80, 80)
              for power in (6400, 80, 1)]  # 80: none
    stems = np.concatenate([taken(table, digit) for digit in digits], axis=1)
    if tag == "NNP":
        first = np.argmax(stems != 0, axis=1)
        stems[number, first] -= ord("a") - ord("A")
    return np.concatenate([stems, end], axis=1)


class Sentences:
    """Makes blocks of sentences."""

    block = BLOCK
    end = b"\n\n"  # of an example
    unit = "tokens"

    def __init__(self, options):
        self._seed = options.seed
        texts = [word_texts(tag) for tag in TAG_NAMES]
        width = max(text.shape[1] for text in texts)
        self._words = np.concatenate(
            [np.pad(text, ((0, 0), (0, width - text.shape[1]))) for text in texts])
        self._begin = np.cumsum([0] + [len(text) for text in texts])[:-1]
        self._octaves = np.array([WORDS.get(tag, (1, ""))[0] for tag in TAG_NAMES])
        # Which of the two words of a rank suits the labels of the kind 0.
        self._suits = Stream(MODEL, options.model).integers(len(self._words) // 2, "u1") & 1
        self._kind = np.array([label.startswith("B-") != (label[2:] in ("SBAR", "ADJP", "PRT"))
                               for label in LABELS], dtype=np.int64)
        self._next, self._tags = next_labels(), tags_of_labels()
        # In a sentence, and at its end.
        self._ends = fields([label + end for end in ("\n", "\n\n") for label in LABELS])

    def make(self, block, count):
        """(the bytes of the first `count` sentences of a block, their tokens)"""
        lengths = self._lengths(block)
        labels = self._label_chains(block, int(lengths.max()))
        inside = np.arange(labels.shape[1]) < lengths[:count, None]
        labels = labels[:count][inside]
        last = np.cumsum(lengths[:count]) - 1
        labels[last] = LABELS.index("O")
        words = Stream(CONTENT, self._seed, block).words(len(labels))
        tags = self._tags[labels, words & (2**TABLE_BITS - 1)]
        tags[last] = TAG_NAMES.index(".")
        ends = labels.astype(np.int64)
        ends[last] += len(LABELS)
        lines = packed(taken(self._words, self._word_numbers(labels, tags, words)),
                       taken(self._ends, ends))
        return lines, len(labels)

    def _lengths(self, block):
        """int64 [BLOCK]: 1 to 74 tokens, 24 in the mean, with the standard deviation 11."""
        stream = Stream(SIZES, self._seed, block)
        length = 1 + stream.below(BLOCK, 22) + stream.below(BLOCK, 22)
        return length + np.where(stream.below(BLOCK, 8) == 0, stream.below(BLOCK, 32), 0)

    def _label_chains(self, block, longest):
        """uint8 [BLOCK, longest]: the labels, of all positions."""
        draws = Stream(STATES, self._seed, block).integers(longest * BLOCK, "<u2")
        draws = draws.reshape(longest, BLOCK) >> (16 - TABLE_BITS)
        chains = np.empty((longest, BLOCK), dtype=np.uint8)
        before = np.full(BLOCK, len(LABELS))
        for position in range(longest):
            chains[position] = before = self._next[before, draws[position]]
        return np.ascontiguousarray(chains.T)

    def _word_numbers(self, labels, tags, words):
        """int64 [tokens]: the word of each token; bits 0 to 11 of `words` have drawn its tag."""
        octave = (((words >> np.uint64(12)) & np.uint64(255)).astype(np.int64)
                  * self._octaves[tags]) >> 8
        rank = (1 << octave) + ((words >> np.uint64(20)).astype(np.int64) & ((1 << octave) - 1)) - 1
        pair = self._begin[tags] // 2 + rank
        other = (words >> np.uint64(40)).astype(np.int64) % 8 >= LIKELY
        return 2 * pair + (self._suits[pair] ^ self._kind[labels] ^ other)
