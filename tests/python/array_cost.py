#!/usr/bin/env python3
"""Training from arrays in Python against the program on a file: ocr_small, CPU seconds.

    SCULPT_DATA=DATA tests/python/array_cost.py SCULPT [ROUNDS]

Both sides take turns and use one thread. The program's time is that of its process: it reads the
file and measures the model on the training split, as the call in Python does. Python's time is that
of sculpt.train() in a process which has imported everything and read the file into a matrix.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import setting

EXPERIMENT = {"name": "ocr_small", "features": {"use": "chain", "bias": True, "start_end": False},
              "loss": {"use": "hamming", "normalize": False}, "oracle": "viterbi",
              "solver": {"use": "n_slack", "C": 100, "relative_gap": 1e-3}}

IN_PYTHON = """
import json, os, sys, time
import numpy as np
from scipy import sparse
import sculpt

experiment = json.loads(sys.argv[1])
lines = [line.split() for line in open(sys.argv[2])]
pixels = sparse.csr_matrix([[int(bit) for bit in line[5]] for line in lines], dtype=np.float64)
letters = np.array([ord(line[3]) - ord("a") for line in lines])
words = np.array([int(line[0]) for line in lines])
lengths = np.diff(np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1], [True]])))
sculpt.version()  # loads the library
begin = os.times()
data = sculpt.Arrays(pixels, letters, lengths=lengths, state_count=26)
model = sculpt.train({**experiment, "dataset": {"use": "arrays", "train": data}}, threads=1)
end = os.times()
certificate = model.header["certificate"]
print(json.dumps([end.user + end.system - begin.user - begin.system, certificate["primal"],
                  certificate["dual"]]))
"""


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    source = pathlib.Path(os.environ["SCULPT_DATA"]) / "ocr/letters.txt"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = [line for line in source.read_text().splitlines() if line.split()[1] == "0"]
        data = folder / "words.txt"
        data.write_text("\n".join(rows) + "\n")
        of_file, of_arrays = [], []
        for _ in range(rounds):
            of_file.append(by_program(folder, data))
            of_arrays.append(by_python(data))
        print(f"{'':10} {'CPU s':>8} {'primal':>10} {'dual':>10}")
        for title, found in (("program", of_file), ("arrays", of_arrays)):
            print(f"{title:10} {min(found)[0]:8.3f} {found[0][1]:10.4f} {found[0][2]:10.4f}")
        print(f"{min(of_arrays)[0] / min(of_file)[0]:.3f} times the program's, least of {rounds}")


def by_program(folder, data) -> list:
    experiment = {**EXPERIMENT, "dataset": {"use": "letters", "train": str(data), "unit": "word"}}
    (folder / "run.json").write_text(json.dumps(experiment))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = setting.run("train", "run.json", "--output", "run", "--force", "--threads", "1",
                       folder=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(done.stderr)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    run = setting.finished(folder / "run")
    return [seconds, run["primal"], run["dual"]]


def by_python(data) -> list:
    environment = dict(os.environ, PYTHONPATH=str(setting.ROOT / "sdk/python"),
                       SCULPT_PREFIX=str(pathlib.Path(setting.SCULPT).parents[1]))
    done = subprocess.run([sys.executable, "-c", IN_PYTHON, json.dumps(EXPERIMENT), str(data)],
                          env=environment, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
