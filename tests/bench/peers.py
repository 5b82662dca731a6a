"""The other programs: where they are, what they read, and the commands that run them."""

import os
import pathlib

import runs
from contest import Contender, Sample


def optional(variable):
    """A program whose path an environment variable says; None when it does not."""
    path = os.environ.get(variable)
    if path and not os.access(path, os.X_OK):
        raise SystemExit(f"{variable}={path} is no program")
    return path or None


def built(name):
    """A program of tests/bench in the build with SCULPT_BENCH; None when it is not there."""
    path = runs.ROOT / "build/bench/tests/bench/bin" / name
    return path if path.is_file() else None


def contender(name, program, options, most_rounds=None):
    """A peer that is there. `options` end with its data."""
    def run():
        done = runs.Finished([program, *map(str, options)]).require(0)
        return Sample(done.wall, done.cpu)
    return Contender(name, run, most_rounds)


def train_liblinear(data, c, epsilon, model):
    return runs.Finished(["liblinear-train", "-q", "-s", "4", "-c", str(c), "-e", str(epsilon),
                          str(data), str(model)]).require(0)


def write_svm_hmm_words(letters, folds, path):
    """The words of Taskar's letters in those folds, as svm_hmm reads them; the constant is the last
    feature."""
    tags = {}
    with open(path, "w", encoding="ascii") as out:
        for line in pathlib.Path(letters).read_text(encoding="ascii").splitlines():
            word, fold, _, letter, _, pixels = line.split()
            if int(fold) not in folds:
                continue
            tag = tags.setdefault(letter, len(tags) + 1)
            on = [f"{k + 1}:1" for k, pixel in enumerate(pixels) if pixel == "1"]
            print(tag, f"qid:{word}", *on, f"{len(pixels) + 1}:1", file=out)


def write_crfsuite_words(letters, folds, path):
    """The same as CRFsuite reads them."""
    last = None
    with open(path, "w", encoding="ascii") as out:
        for line in pathlib.Path(letters).read_text(encoding="ascii").splitlines():
            word, fold, _, letter, _, pixels = line.split()
            if int(fold) not in folds:
                continue
            if last not in (None, word):
                print(file=out)
            last = word
            on = [f"p{k}" for k, pixel in enumerate(pixels) if pixel == "1"]
            print(letter, *on, sep="\t", file=out)
        print(file=out)
