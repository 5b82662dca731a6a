#!/usr/bin/env python3
"""What a task in Python costs beside its own time: ocr_small by the example words.py.

    SCULPT_DATA=DATA tests/python/oracle_cost.py SCULPT [WORKERS...]

The time in argmax, features and loss, by perf_counter within Python, against the oracle's time of
the run. The oracle's time also has the host's part: planes, their products, comparisons. With
numbers of workers: the oracle's time of each.
"""

import json
import os
import pathlib
import sys
import tempfile

import setting

TIMED = '''
import json
import sys
import time
sys.path.insert(0, {folder!r})
from words import Words as Plain

spent = {{"argmax": [0, 0], "features": [0, 0], "loss": [0, 0]}}

def timed(name):
    function, total = getattr(Plain, name), spent[name]
    def call(self, *arguments):
        begin = time.perf_counter()
        try:
            return function(self, *arguments)
        finally:
            total[0] += time.perf_counter() - begin
            total[1] += 1
            if name == "argmax" and total[1] % 100 == 0:
                with open({result!r}, "w") as file:
                    json.dump(spent, file)
    return call

class Words(Plain):
    argmax, features, loss = timed("argmax"), timed("features"), timed("loss")
'''


def main():
    data = pathlib.Path(os.environ["SCULPT_DATA"]) / "ocr/letters.txt"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = [line for line in data.read_text().splitlines() if line.split()[1] == "0"]
        (folder / "words.txt").write_text("\n".join(rows) + "\n")
        timed = TIMED.format(folder=str(setting.EXAMPLES), result=str(folder / "spent.json"))
        (folder / "timed.py").write_text(timed)
        experiment = setting.python_task("timed.py", "words.txt", **{"class": "Words"})
        experiment["solver"].update(C=100, relative_gap=1e-3)
        run = train(folder, experiment)
        spent = json.loads((folder / "spent.json").read_text())
        own = sum(seconds for seconds, _ in spent.values())
        for method, (seconds, calls) in spent.items():
            print(f"{method:10} {seconds:6.2f} s, {1e6 * seconds / calls:5.1f} us a call")
        whole = run["oracle_seconds"]
        print(f"own time   {own:6.2f} s\n"
              f"oracle     {whole:6.2f} s, {whole / own:.2f} times its own")
        experiment["dataset"]["file"] = str(setting.EXAMPLES / "words.py")
        for workers in sys.argv[2:]:
            experiment["dataset"]["workers"] = int(workers)
            run = train(folder, experiment)
            print(f"{workers} workers  {run['oracle_seconds']:6.2f} s of {run['seconds']:.2f} s")


def train(folder: pathlib.Path, experiment: dict) -> dict:
    (folder / "run.json").write_text(json.dumps(experiment))
    done = setting.run("train", "run.json", "--output", "run", "--force", folder=folder)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return setting.finished(folder / "run")


if __name__ == "__main__":
    main()
