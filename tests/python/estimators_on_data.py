"""Estimators on real data, against the program on the files.

estimators_on_data.py SCULPT [NAME...]    needs SCULPT_DATA; prints the table of
                                          sdk/python/estimators.md

For each data set: the error on the test file and the CPU seconds of both, on one thread. The
estimator's seconds are those of fit(), the program's those of `sculpt train` without evaluation of
the split test. Both include what they make of the data: attributes, sparse rows.
"""

import json
import os
import pathlib
import resource
import sys
import tempfile
import time

from setting import ARGUMENTS, ROOT, run

import numpy as np
import sculpt

DATA = pathlib.Path(os.environ["SCULPT_DATA"])
CHUNK_SENTENCES = 2000
TEMPLATES = ["w[-2..2]", "pos[-2..2]", "w[-1]|w[0]", "pos[-1]|pos[0]"]


def svmlight(path):
    """Dense rows and labels as texts."""
    lines = [line.split() for line in path.read_text().splitlines()]
    width = max(int(line[-1].split(":")[0]) for line in lines if len(line) > 1)
    rows = np.zeros((len(lines), width))
    for row, line in zip(rows, lines):
        for field in line[1:]:
            index, value = field.split(":")
            row[int(index) - 1] = float(value)
    return rows, [line[0] for line in lines]


def multiclass(name, C):
    train, test = (svmlight(DATA / f"multiclass/{name}.{split}.svml")
                   for split in ("train", "test"))
    train, test = ((rows, np.array(labels, int)) for rows, labels in (train, test))
    model = sculpt.Multiclass(C, fit_intercept=False)
    return model, train, test, lambda fitted: 1 - fitted.score(*test)


def multilabel(name, C, solver):
    def read(split):
        rows, names = svmlight(DATA / f"multilabel/{name}.{split}.mlsvml")
        return rows, [[int(label) for label in one.split(",") if label != "-"] for one in names]

    train, test = read("train"), read("test")
    count = max(max(one, default=0) for one in train[1])
    first = min(min(one, default=1) for one in train[1])

    def indicators(sets):
        table = np.zeros((len(sets), count + 1 - first), int)
        for row, labels in zip(table, sets):
            row[np.array(labels, int) - first] = 1
        return table

    model = sculpt.Multilabel(C, edges="full", solver=solver)
    data = (train[0], indicators(train[1])), (test[0], indicators(test[1]))
    return model, *data, lambda fitted: float(np.mean(fitted.predict(data[1][0]) != data[1][1]))


def words():
    """OCR letters: fold 0 to learn from, the others to test."""
    splits = {True: ([], []), False: ([], [])}
    word = None
    for line in (DATA / "ocr/letters.txt").read_text().splitlines():
        number, fold, _, letter, _, pixels = line.split(maxsplit=5)
        rows, labels = splits[fold == "0"]
        if number != word:
            rows.append([])
            labels.append([])
            word = number
        rows[-1].append(np.frombuffer(pixels.replace(" ", "").encode(), np.uint8) - ord("0"))
        labels[-1].append(letter)
    splits = {key: ([np.array(one) for one in rows], labels)
              for key, (rows, labels) in splits.items()}
    train, test = splits[True], splits[False]
    model = sculpt.SequenceTagger(100 / len(train[0]))
    return model, train, test, lambda fitted: 1 - fitted.score(*test)


def attributes(tokens, t):
    """The attributes of TEMPLATES at one token."""
    def at(k, column):
        if k < 0:
            return f"begin {k}"
        return tokens[k][column] if k < len(tokens) else f"end +{k - len(tokens) + 1}"

    found = [f"w[{d}]={at(t + d, 0)}" for d in range(-2, 3)]
    found += [f"pos[{d}]={at(t + d, 1)}" for d in range(-2, 3)]
    return [*found, f"w[-1]|w[0]={at(t - 1, 0)}|{at(t, 0)}",
            f"pos[-1]|pos[0]={at(t - 1, 1)}|{at(t, 1)}"]


def chunks():
    def read(split, limit):
        blocks = (DATA / f"conll2000/{split}.txt").read_text().strip().split("\n\n")[:limit]
        sentences = [[line.split() for line in block.splitlines()] for block in blocks]
        return ([[attributes(one, t) for t in range(len(one))] for one in sentences],
                [[token[2] for token in one] for one in sentences])

    train, test = read("train", CHUNK_SENTENCES), read("test", None)
    model = sculpt.SequenceTagger(0.5)
    return model, train, test, lambda fitted: 1 - fitted.score(*test)


CASES = {"optdigits": (lambda: multiclass("optdigits", 0.001), "error", {}),
         "letter": (lambda: multiclass("letter", 0.01), "error", {}),
         "emotions": (lambda: multilabel("emotions", 30 / 391, "one_slack"), "label_error", {}),
         "yeast": (lambda: multilabel("yeast", 100 / 1500, None), "label_error", {}),
         "ocr_small": (words, "label_error", {}),
         "conll2000": (chunks, "token_error", {
             "dataset.templates": json.dumps(TEMPLATES), "solver.drop_after": "20",
             "dataset.train_sentences": str(CHUNK_SENTENCES),
             "solver.C": str(0.5 * CHUNK_SENTENCES)})}


def of_program(name, metric, changes):
    """Test error and CPU seconds of the program."""
    with tempfile.TemporaryDirectory() as folder:
        words_ = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = run("train", ROOT / f"configs/{name}.json", "--output", "run", "--threads", "1",
                   "--set", f"dataset.{'test_folds' if name == 'ocr_small' else 'test'}=null",
                   *words_, folder=folder, timeout=600)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert done.returncode == 0, done.stderr
        model = sculpt.load(f"{folder}/run")
        if name == "ocr_small":
            test = pathlib.Path(folder) / "test.txt"
            test.write_text("".join(line for line in (DATA / "ocr/letters.txt").open()
                                    if line.split()[1] != "0"))
        elif name == "conll2000":
            test = DATA / "conll2000/test.txt"
        else:
            test = next(DATA.glob(f"multi*/{name}.test.*"))
        error = model.evaluate(test)[metric]
        return error, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    print("| data | estimator | error | CPU s | error of the program | CPU s |")
    print("|---|---|---|---|---|---|")
    for name in ARGUMENTS[1:] or CASES:
        make, metric, changes = CASES[name]
        estimator, train, test, error_of = make()
        begin = time.process_time()
        estimator.fit(*train)
        seconds = time.process_time() - begin
        expected, seconds_of_program = of_program(name, metric, changes)
        print(f"| {name} | {estimator!r} | {100 * error_of(estimator):.2f} % | {seconds:.2f} | "
              f"{100 * expected:.2f} % | {seconds_of_program:.2f} |".replace("\n", ""))
        sys.stdout.flush()
