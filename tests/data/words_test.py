"""Checks configs/data/words/words.txt against its README. Uses only the standard library."""

import collections
import sys

WORDS, LETTERS, FOLDS, INPUTS = 1500, 7612, 10, 16


def read(path):
    """Word number -> its rows: fold, position, letter, more, inputs. Stops at a bad line."""
    words = collections.defaultdict(list)
    with open(path, encoding="ascii") as lines:
        for number, line in enumerate(lines, start=1):
            columns = line.split()
            assert len(columns) == 5 + INPUTS, f"line {number}: {len(columns)} columns"
            assert line == " ".join(columns) + "\n", f"line {number}: other than single blanks"
            word, fold, position = (int(text) for text in columns[:3])
            letter, more, inputs = columns[3], columns[4], tuple(map(float, columns[5:]))
            assert len(letter) == 1 and "a" <= letter <= "z", f"line {number}: letter {letter}"
            assert more in "01", f"line {number}: more = {more}"
            assert all(-0.7 <= value <= 0.8 for value in inputs), f"line {number}: inputs"
            words[word].append((fold, position, letter, more == "1", inputs))
    return words


def main():
    words = read(sys.argv[1])
    rows = [row for word in words.values() for row in word]
    assert list(words) == list(range(1, WORDS + 1)), "words are numbered from 1 in the file's order"
    assert len(rows) == LETTERS, f"{len(rows)} letters"
    for number, word in words.items():
        assert 3 <= len(word) <= 7, f"word {number}: {len(word)} letters"
        assert [row[1] for row in word] == list(range(len(word))), f"word {number}: positions"
        more = [row[3] for row in word]
        assert more == [True] * (len(word) - 1) + [False], f"word {number}: more"
        assert len({row[0] for row in word}) == 1, f"word {number}: in two folds"
    folds = collections.Counter(word[0][0] for word in words.values())
    assert folds == {fold: WORDS // FOLDS for fold in range(FOLDS)}, f"folds {folds}"
    spelled = {"".join(row[2] for row in word) for word in words.values()}
    assert len(spelled) == WORDS, "a word occurs twice"
    assert len({row[4] for row in rows}) == LETTERS, "an image occurs twice"
    assert len({row[2] for row in rows}) == 26, "a letter is missing"
    for fold in range(FOLDS):
        rest = {row[2] for row in rows if row[0] != fold}
        own = {row[2] for row in rows if row[0] == fold} - rest
        assert not own, f"fold {fold}: {own} occurs nowhere else"


if __name__ == "__main__":
    main()
