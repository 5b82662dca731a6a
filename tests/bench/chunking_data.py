"""Writes CoNLL-2000 with the attributes of configs/conll2000.json for svm_hmm and CRFsuite."""

import runs

WORD, POS = 0, 1
TEMPLATES = [*([(WORD, d)] for d in range(-2, 3)),
             *([(WORD, d), (WORD, d + 1)] for d in (-1, 0)),
             *([(POS, d)] for d in range(-2, 3)),
             *([(POS, d), (POS, d + 1)] for d in range(-2, 2)),
             *([(POS, d), (POS, d + 1), (POS, d + 2)] for d in range(-2, 1))]


def attributes(tokens, position):
    """Yields the attribute of each template at one position. `tokens` are the columns of a
    sentence."""
    def text(column, position):
        if position < 0:
            return f"begin {position}"
        if position >= len(tokens):
            return f"end +{position - len(tokens) + 1}"
        return tokens[position][column]
    for number, template in enumerate(TEMPLATES):
        yield (number, *(text(column, position + distance) for column, distance in template))


def sentences_of(source):
    return [[line.split() for line in sentence.splitlines()]
            for sentence in runs.read_sentences(source, None)]


def write_crfsuite(source, path):
    """Writes the data. Each token also has the attribute `constant`."""
    with open(path, "w", encoding="ascii") as out:
        for tokens in sentences_of(source):
            for position, token in enumerate(tokens):
                active = ["|".join(map(str, one)).replace("\\", "\\\\").replace(":", "\\:")
                          for one in attributes(tokens, position)]
                print(token[-1], *active, "constant", sep="\t", file=out)
            print(file=out)


def write_svm_hmm(source, path):
    """Writes the data. The constant is the feature after the last attribute."""
    tags, indices = {}, {}
    rows = []
    for number, tokens in enumerate(sentences_of(source)):
        for position, token in enumerate(tokens):
            active = sorted(indices.setdefault(attribute, len(indices) + 1)
                            for attribute in attributes(tokens, position))
            rows.append((tags.setdefault(token[-1], len(tags) + 1), number + 1, active))
    constant = len(indices) + 1
    with open(path, "w", encoding="ascii") as out:
        for tag, number, active in rows:
            print(tag, f"qid:{number}", *(f"{index}:1" for index in [*active, constant]), file=out)
