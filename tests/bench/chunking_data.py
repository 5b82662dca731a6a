"""CoNLL-2000 with the attributes of configs/conll2000.json, written for svm_hmm."""

import runs

WORD, POS = 0, 1
TEMPLATES = [*([(WORD, d)] for d in range(-2, 3)),
             *([(WORD, d), (WORD, d + 1)] for d in (-1, 0)),
             *([(POS, d)] for d in range(-2, 3)),
             *([(POS, d), (POS, d + 1)] for d in range(-2, 2)),
             *([(POS, d), (POS, d + 1), (POS, d + 2)] for d in range(-2, 1))]


def attributes(tokens, place):
    """What each template sees of a sentence; `tokens`: its columns."""
    def text(column, place):
        if place < 0:
            return f"begin {place}"
        if place >= len(tokens):
            return f"end +{place - len(tokens) + 1}"
        return tokens[place][column]
    for number, template in enumerate(TEMPLATES):
        yield (number, *(text(column, place + distance) for column, distance in template))


def write_svm_hmm(source, path):
    """The constant is the feature behind the last attribute."""
    sentences = [[line.split() for line in sentence.splitlines()]
                 for sentence in runs.read_sentences(source, None)]
    tags, indices = {}, {}
    rows = []
    for number, tokens in enumerate(sentences):
        for place, token in enumerate(tokens):
            seen = sorted(indices.setdefault(attribute, len(indices) + 1)
                          for attribute in attributes(tokens, place))
            rows.append((tags.setdefault(token[-1], len(tags) + 1), number + 1, seen))
    constant = len(indices) + 1
    with open(path, "w", encoding="ascii") as out:
        for tag, number, seen in rows:
            print(tag, f"qid:{number}", *(f"{index}:1" for index in [*seen, constant]), file=out)
