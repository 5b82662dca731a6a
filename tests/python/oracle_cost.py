#!/usr/bin/env python3
"""What a task in Python costs beside its own time: ocr_small by the example words.py.

    SCULPT_PREFIX=PREFIX SCULPT_DATA=DATA tests/python/oracle_cost.py SCULPT [WORKERS...]

The time in argmax, features and loss, by perf_counter within Python, against the oracle's time of
the run. The oracle's time also has the host's part: planes, their products, comparisons. What the
measurement itself costs, some 0.3 us a call of a method, is measured, shown and left out. With
numbers of workers: the oracle's time of each, with an argmax that takes ten times as long. Their
first pass is left out, because it waits until the workers have loaded the data.
"""

import json
import os
import pathlib
import sys
import tempfile
import time

import setting

sys.path.insert(0, str(setting.EXAMPLES))

HEAVY = '''
import sys
sys.path.insert(0, {folder!r})
from words import Words as Plain

class Words(Plain):
    def argmax(self, query):
        for _ in range(9):
            super().argmax(query)
        return super().argmax(query)
'''


def main():
    data = pathlib.Path(os.environ["SCULPT_DATA"]) / "ocr/letters.txt"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = [line for line in data.read_text().splitlines() if line.split()[1] == "0"]
        (folder / "words.txt").write_text("\n".join(rows) + "\n")
        (folder / "heavy.py").write_text(HEAVY.format(folder=str(setting.EXAMPLES)))
        show_cost(folder)
        for workers in sys.argv[2:]:
            show_workers(folder, int(workers))


def timed(function, total: list, at_first=lambda: None):
    """The same method, which adds its seconds and calls to `total`, and first calls at_first()."""
    def call(self, *arguments):
        if not total[1]:
            at_first()
        begin = time.perf_counter()
        try:
            return function(self, *arguments)
        finally:
            total[0] += time.perf_counter() - begin
            total[1] += 1
    return call


def timed_words() -> tuple:
    """The class of words.py, and the seconds and calls of its methods, from the first argmax on:
    the truths, which the host checks before, are no part of the oracle's time."""
    from words import Words as Plain
    spent = {"argmax": [0, 0], "features": [0, 0], "loss": [0, 0]}

    def begin():
        spent["features"][:] = spent["loss"][:] = 0, 0

    return type("Words", (Plain,), {
        "argmax": timed(Plain.argmax, spent["argmax"], begin),
        "features": timed(Plain.features, spent["features"]),
        "loss": timed(Plain.loss, spent["loss"])}), spent


def seconds_of_measurement() -> float:
    """What a call of a timed method costs outside of the seconds that it adds."""
    def method(self, example, y):
        return y

    measured, count, least = [0, 1], 20000, float("inf")
    call = timed(method, measured)
    for _ in range(10):
        measured[0] = 0
        begin = time.perf_counter()
        for _ in range(count):
            method(None, 1, 2)
        between = time.perf_counter()
        for _ in range(count):
            call(None, 1, 2)
        least = min(least, time.perf_counter() - between - (between - begin) - measured[0])
    return max(0.0, least / count)


def show_cost(folder: pathlib.Path):
    import sculpt
    words, spent = timed_words()
    model = sculpt.train(task=words, train=folder / "words.txt", output=folder / "run", threads=1,
                         verbose=False, solver={"use": "n_slack", "C": 100, "relative_gap": 1e-3})
    own = sum(seconds for seconds, _ in spent.values())
    for method, (seconds, calls) in spent.items():
        print(f"{method:10} {seconds:6.2f} s, {1e6 * seconds / calls:5.1f} us a call")
    measurement = seconds_of_measurement() * sum(calls for _, calls in spent.values())
    whole = model.events()[-1]["oracle_seconds"] - measurement
    print(f"own time   {own:6.2f} s\nmeasuring  {measurement:6.2f} s\n"
          f"oracle     {whole:6.2f} s without it, {whole / own:.3f} times its own")


def show_workers(folder: pathlib.Path, workers: int):
    experiment = setting.python_task("heavy.py", "words.txt", workers=workers)
    experiment["dataset"]["class"] = "Words"
    experiment["solver"].update(C=100, max_passes=9)
    (folder / "run.json").write_text(json.dumps(experiment))
    done = setting.run("train", "run.json", "--output", "heavy", "--force", folder=folder)
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    events = [json.loads(line) for line in (folder / "heavy/events.jsonl").open()]
    passes = [event for event in events if event["event"] == "pass"]
    spent = passes[-1]["oracle_seconds"] - passes[0]["oracle_seconds"]
    print(f"{workers} workers  {spent:6.2f} s in passes 2 to {len(passes)}")


if __name__ == "__main__":
    main()
