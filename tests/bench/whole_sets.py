"""Losses on a whole set: acq against svm_perf, as published in units; one oracle of half a million
rows."""

import json
import random

import comparison
import runs
import time_split
from comparison import Comparison
from contest import Contender, Published, Sample, contest
from rows import Row, Target, ratio

ACQ = comparison.data("text/acq.train.svml")
ROWS = 500000
# svm_perf -c 20 counts losses in percent: C = 25 c for labels. Its loss of the ROC area is the
# number of pairs in the wrong order, in percent of all of them, with psi twice ours: C = 100 c.
LABELS, ORDER = 500, 2000
# loss: its C and output here, units of svm_perf
LOSSES = {"error_rate": (LABELS, "labels", 0.5), "f_beta": (LABELS, "labels", 2.0),
          "break_even": (LABELS, "labels", 0.8), "roc_area": (ORDER, "order", 0.5)}


def experiment(train, loss, output, c):
    return {"name": "sets", "dataset": {"use": "svmlight_set", "train": str(train)},
            "features": {"use": "contingency", "output": output}, "loss": loss,
            "oracle": "contingency",
            "solver": {"use": "one_slack", "C": c, "relative_gap": 1e-3}}


def acq(bench):
    for loss, (c, output, units) in LOSSES.items():
        config = bench.folder / "sets.json"
        config.write_text(json.dumps(experiment(bench.data / "text/acq.train.svml", loss, output, c)))

        def run(config=config):
            done = runs.Run(bench.sculpt, config, {}, ["--threads", "1"])
            end = done.finished
            return Sample(done.wall, done.cpu, f"P {end['primal']:.6g}, {end['passes']} passes", {},
                          time_split.of_run(end))
        contenders = [Contender("sculpt", run)]
        unit = bench.unit_contender()
        medians = list(contest(contenders + ([unit] if unit else []), bench.repeats).values())
        peers = [Published("svm_perf -c 20", units, side) for side in medians[1:]]
        yield Row(f"sets acq, {loss}, C = {c}, gap 1e-3, 1 thread", medians[0], peers,
                  [ratio(medians[0], peer, 0.5, "cpu") for peer in peers])


def area_of_many(bench):
    """A pass of one_slack about half a million rows: the oracle, psi and Delta of its answer."""
    draw = random.Random(1)
    data = bench.folder / "many.svml"
    with data.open("w", encoding="ascii") as out:
        for _ in range(ROWS):
            sign = 1 if draw.random() < 0.3 else -1
            print(sign, *(f"{k}:{draw.gauss(0.2 * sign if k < 4 else 0, 1):.3f}"
                          for k in range(1, 11)), file=out)
    config = bench.folder / "sets.json"
    config.write_text(json.dumps(experiment(data, "roc_area", "order", 1000)))

    def run():
        done = runs.Run(bench.sculpt, config, {"solver.max_passes": 20}, ["--threads", "2"])
        end = done.finished
        return Sample(done.wall, done.cpu, f"{end['oracle_calls']} calls",
                      {"seconds": end["oracle_seconds"] / end["oracle_calls"]},
                      time_split.of_run(end))
    ours = contest([Contender("sculpt", run, most_rounds=3)], bench.repeats)["sculpt"]
    yield Row(f"sets roc_area, {ROWS} rows, 2 threads", ours,
              targets=[Target("s a call", ours.figures["seconds"], at_most=0.3)])


def comparisons():
    return [Comparison("sets acq", acq, [ACQ]), Comparison("sets roc_area", area_of_many)]
