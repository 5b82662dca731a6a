"""Losses on a whole set: acq against svm_perf, run where it is, else as published in units; one oracle
of half a million rows."""

import dataclasses
import json
import random
import re

import comparison
import peers
import runs
import time_split
from comparison import Comparison
from contest import Contender, Sample, against, contest
from rows import Row, Target, ratios

ACQ = "text/acq.train.svml"
ROWS = 500000


@dataclasses.dataclass
class Loss:
    """Ours: C and the features' output. svm_perf's: the numbers of its loss and algorithm, and the
    units that its -c 20 took; with False when it was stopped then."""

    C: int
    output: str
    options: tuple
    units: tuple


LOSSES = {
    "error_rate": Loss(500, "labels", ("-l", 2, "-w", 9), (0.5,)),
    "f_beta": Loss(500, "labels", ("-l", 1, "-w", 3), (2.0,)),
    "break_even": Loss(500, "labels", ("-l", 3, "-w", 3), (0.8,)),
    "roc_area": Loss(2000, "order", ("-l", 10, "-w", 3), (0.5,)),
    "average_precision": Loss(2000, "order", ("-l", 11, "-w", 3), (115, False)),
}


def svm_perf_c(name, positive, negative):
    """The -c that poses the same problem. Its losses are in percent and its psi is k times ours, so
    that C = c k^2 / 100. k is 50 for labels and 100 for the ROC area; for average precision psi is
    not divided by the number of pairs, k = 2 P N, and what -c 20 poses there is another problem: C =
    1.4e14 on acq."""
    loss = LOSSES[name]
    k = 50 if loss.output == "labels" else 100 if name == "roc_area" else 2 * positive * negative
    return 100 * loss.C / k ** 2


def experiment(train, loss, output, c):
    """With a bias for labels, as svm_perf has."""
    return {"name": "sets", "dataset": {"use": "svmlight_set", "train": str(train)},
            "features": {"use": "contingency", "output": output, "bias": output == "labels"},
            "loss": loss, "oracle": "contingency",
            "solver": {"use": "one_slack", "C": c, "relative_gap": 1e-3}}


def own(bench, name):
    loss = LOSSES[name]
    config = bench.folder / "sets.json"
    config.write_text(json.dumps(experiment(bench.data / ACQ, name, loss.output, loss.C)))

    def run():
        done = runs.Run(bench.sculpt, config, {}, ["--threads", "1"])
        end = done.finished
        return Sample(done.wall, done.cpu,
                      f"P {end['primal']:.6g}, relative gap {end['relative_gap']:.2g}, "
                      f"{end['passes']} passes", {"primal": end["primal"]}, time_split.of_run(end))
    return Contender("sculpt", run)


def svm_perf(bench, name):
    """None where it is not there."""
    program = peers.optional("SCULPT_SVM_PERF")
    if program is None:
        return None
    rows = (bench.data / ACQ).read_text(encoding="ascii").splitlines()
    positive = sum(float(row.split()[0]) > 0 for row in rows)
    c = svm_perf_c(name, positive, len(rows) - positive)
    command = [program, "-c", f"{c:.9g}", *map(str, LOSSES[name].options), str(bench.data / ACQ),
               str(bench.folder / "perf.model")]

    def run():
        done = runs.Finished(command).require(0)
        left = float(re.search(r"Final epsilon on KKT-Conditions: (\S+)", done.out)[1])
        return Sample(done.wall, done.cpu, figures={"percent_left": left})
    return Contender(f"svm_perf -c {c:.3g}", run)


def acq(bench):
    for name, loss in LOSSES.items():
        ours, others = against(bench, own(bench, name), svm_perf(bench, name),
                               ("svm_perf -c 20", *loss.units))
        targets, note = ratios(ours, others, 0.5, "cpu"), ""
        for peer in others:
            if "percent_left" in peer.figures:
                # C times a slack that is so much too small, of P: the gap, whatever scale w has
                gap = loss.C * peer.figures["percent_left"] / 100 / ours.figures["primal"]
                note = f"svm_perf stopped at a relative gap of {gap:.2g}"
            elif name == "average_precision":
                targets, note = [], "svm_perf's -c 20 is another problem here"
        yield Row(f"sets acq, {name}, C = {loss.C}, gap 1e-3, 1 thread", ours, others, targets, note)


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
    return [Comparison("sets acq", acq, [comparison.data(ACQ)]), Comparison("sets roc_area", area_of_many)]
