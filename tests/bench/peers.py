"""The programs that sculpt is compared with: their paths, their data and their commands."""

import os
import pathlib
import re

import runs
from rounds import Program, Sample


def optional(variable):
    """Returns the path of a program from an environment variable, None if it is not set."""
    path = os.environ.get(variable)
    if path and not os.access(path, os.X_OK):
        raise SystemExit(f"{variable}={path} is no program")
    return path or None


def built(name):
    """Returns the path of a program of tests/bench in the preset bench, None if it is not built."""
    path = runs.ROOT / "build/bench/tests/bench/bin" / name
    return path if path.is_file() else None


def program(name, path, options, max_rounds=None):
    """An installed program. `options` end with its data."""
    def run():
        done = runs.Finished([path, *map(str, options)]).require(0)
        return Sample(done.wall, done.cpu)
    return Program(name, run, max_rounds)


def crfsuite_until(path, options, objective):
    """CRFsuite's L-BFGS, with the times up to the first iteration whose objective is at most
    `objective`. It prints both of each iteration. `options` end with its data."""
    def run():
        done = runs.Finished([path, "learn", "-a", "lbfgs", *map(str, options)]).require(0)
        losses = [float(text) for text in re.findall(r"^Loss: (\S+)", done.out, re.MULTILINE)]
        seconds = [float(text) for text in re.findall(r"this iteration: (\S+)", done.out)]
        reached = [k for k, loss in enumerate(losses) if loss <= objective]
        if not reached:
            raise SystemExit(f"CRFsuite ended at {losses[-1]}, above {objective}")
        later = sum(seconds[reached[0] + 1:])
        return Sample(done.wall - later, done.cpu - later,
                      f"P {losses[reached[0]]:.6g} after {reached[0] + 1} iterations")
    return Program("CRFsuite -a lbfgs", run, 1)


def train_liblinear(data, c, epsilon, model):
    return runs.Finished(["liblinear-train", "-q", "-s", "4", "-c", str(c), "-e", str(epsilon),
                          str(data), str(model)]).require(0)


def write_svm_hmm_words(letters, folds, path):
    """Writes the words of Taskar's letters in these folds for svm_hmm. The constant is the last
    feature."""
    tags = {}
    with open(path, "w", encoding="ascii") as out:
        for line in pathlib.Path(letters).read_text(encoding="ascii").splitlines():
            word, fold, _, letter, _, pixels = line.split()
            if int(fold) not in folds:
                continue
            tag = tags.setdefault(letter, len(tags) + 1)
            pixels_on = [f"{k + 1}:1" for k, pixel in enumerate(pixels) if pixel == "1"]
            print(tag, f"qid:{word}", *pixels_on, f"{len(pixels) + 1}:1", file=out)


def write_crfsuite_words(letters, folds, path):
    """Writes the same words for CRFsuite."""
    last = None
    with open(path, "w", encoding="ascii") as out:
        for line in pathlib.Path(letters).read_text(encoding="ascii").splitlines():
            word, fold, _, letter, _, pixels = line.split()
            if int(fold) not in folds:
                continue
            if last not in (None, word):
                print(file=out)
            last = word
            pixels_on = [f"p{k}" for k, pixel in enumerate(pixels) if pixel == "1"]
            print(letter, *pixels_on, sep="\t", file=out)
        print(file=out)
