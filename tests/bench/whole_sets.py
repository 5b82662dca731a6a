"""Losses on a whole set. Compares acq with svm_perf if it is installed, else with its published
times in units. Measures one oracle call on half a million rows."""

import dataclasses
import json
import random
import re

import comparison
import peers
import runs
import time_split
from comparison import Comparison
from rounds import Program, Sample, compare_with_peer, run_in_turns
from rows import Row, Target, ratios

ACQ = "text/acq.train.svml"
ROWS = 500000


@dataclasses.dataclass
class Loss:
    """For sculpt: C and the parameter `output` of the features. For svm_perf: the options for its
    loss and algorithm, and the published units of `-c 20`, with False if it was stopped."""

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
    """Returns the -c that poses the same problem. Losses of svm_perf are in percent, and its psi is
    k times ours, so C = c k^2 / 100. k is 50 for labels and 100 for the ROC area. For average
    precision psi is not divided by the number of pairs: k = 2 P N. So -c 20 poses another problem
    there, C = 1.4e14 on acq."""
    loss = LOSSES[name]
    k = 50 if loss.output == "labels" else 100 if name == "roc_area" else 2 * positive * negative
    return 100 * loss.C / k ** 2


def experiment(train, loss, output, c):
    """As in svm_perf, there is a bias if the output is labels."""
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
    return Program("sculpt", run)


def svm_perf(bench, name):
    """Returns None if svm_perf is not installed."""
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
    return Program(f"svm_perf -c {c:.3g}", run)


def acq(bench):
    for name, loss in LOSSES.items():
        ours, others = compare_with_peer(bench, own(bench, name), svm_perf(bench, name),
                                         ("svm_perf -c 20", *loss.units))
        targets, note = ratios(ours, others, 0.5, "cpu"), ""
        for peer in others:
            if "percent_left" in peer.figures:
                # the slack is too small by this many percent, so the gap is C times that
                gap = loss.C * peer.figures["percent_left"] / 100 / ours.figures["primal"]
                note = f"svm_perf stopped at a relative gap of {gap:.2g}"
            elif name == "average_precision":
                targets, note = [], "svm_perf's -c 20 is another problem here"
        yield Row(f"sets acq, {name}, C = {loss.C}, gap 1e-3, 1 thread", ours, others, targets,
                  note)


def area_of_many(bench):
    """Passes of one_slack on half a million rows: time of one oracle call, with psi and Delta."""
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
    ours = run_in_turns([Program("sculpt", run, max_rounds=3)], bench.repeats)["sculpt"]
    yield Row(f"sets roc_area, {ROWS} rows, 2 threads", ours,
              targets=[Target("s a call", ours.figures["seconds"], at_most=0.3)])


def comparisons():
    return [Comparison("sets acq", acq, [comparison.data(ACQ)]),
            Comparison("sets roc_area", area_of_many)]
