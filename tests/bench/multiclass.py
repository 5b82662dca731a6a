"""Multiclass problems against LIBLINEAR and dlib, all to within 1e-3 of the optimum.

LIBLINEAR minimizes 1/2 ||w||^2 + c sum xi_i, sculpt the same with C = n c. The data is scaled to
0..1 (made-up texts: to length 1), and a constant feature is added. dlib adds the constant itself.
"""

import functools
import json

import comparison
import peers
import runs
import time_split
import topics_data
from comparison import Comparison
from rounds import Program, Sample, run_in_turns
from rows import Row, ratio
from svmlight import Points, primal, read_liblinear_model

CS = [0.1, 1, 10]
SETS = ["multiclass/letter", "multiclass/satimage", "text/acq"]
ACCURACY = 1e-3
EPSILONS = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003, 0.00001]
GAPS = [0.005, 0.002, 0.001]
REFERENCE_GAP = 1e-4
DLIB_SECONDS = 100


class Data:
    """A data set in two files: `bare` for dlib, `path` with the constant for the others."""

    def __init__(self, name, points, folder):
        self.name = name
        self.bare = folder / f"{self.name}.bare"
        self.path = folder / f"{self.name}.svml"
        points.write(self.bare)
        points.with_constant().write(self.path)
        self.points = Points.read(self.path)  # as written


def scaled_data(source, folder):
    return Data(source.name.split(".")[0], Points.read(source).scaled(), folder)


class Problem:
    """One data set at one c. The dual of a run to 1e-4 is a lower bound on the optimum. A primal
    within 1e-3 of this bound is within 1e-3 of the optimum. Each program gets the coarsest setting
    that reaches such a primal."""

    def __init__(self, sculpt, data, c, folder):
        self.sculpt, self.data, self.c, self.folder = sculpt, data, c, folder
        self.C = c * len(data.points.rows)
        self.config = folder / f"{data.name}.json"
        self.config.write_text(json.dumps({
            "dataset": {"use": "svmlight", "train": str(data.path)},
            "features": {"use": "multiclass", "bias": False}, "loss": "zero_one",
            "oracle": "enumerate", "solver": {"use": "n_slack", "C": self.C}}), encoding="utf-8")
        self.lower_bound = self.run_sculpt(REFERENCE_GAP).finished["dual"]
        self.max_primal = (1 + ACCURACY) * self.lower_bound

    def is_enough(self, primal_reached):
        return primal_reached <= self.max_primal

    def run_sculpt(self, gap):
        return runs.Run(self.sculpt, self.config, {"solver.relative_gap": gap,
                                                   "solver.max_seconds": 60})

    def coarsest(self, settings, primal_of):
        for setting in settings:
            if self.is_enough(primal_of(setting)):
                return setting
        raise SystemExit(f"none of the settings {settings} gets to a primal of "
                         f"{self.max_primal:.6g}")

    def ours(self):
        gap = self.coarsest(GAPS, lambda gap: self.run_sculpt(gap).finished["primal"])

        def run():
            done = self.run_sculpt(gap)
            end = done.finished
            return Sample(done.wall, done.cpu, f"relative_gap {gap:g}, P {end['primal']:.6g}",
                          {"primal": end["primal"]}, time_split.of_run(end))
        return Program("sculpt", run)

    def liblinear(self):
        epsilon = self.coarsest(EPSILONS, self.liblinear_primal)

        def run():
            done = self.train_liblinear(epsilon)
            return Sample(done.wall, done.cpu)
        return Program(f"liblinear -e {epsilon:g}", run)

    def train_liblinear(self, epsilon):
        return peers.train_liblinear(self.data.path, self.c, epsilon, self.folder / "model")

    def liblinear_primal(self, epsilon):
        self.train_liblinear(epsilon)
        labels, weights = read_liblinear_model(self.folder / "model")
        return primal(self.data.points, labels, weights, self.c)

    def dlib(self):
        """Returns None if dlib is not built. It stops at a gap of C epsilon. This epsilon is the
        coarsest that guarantees the accuracy."""
        program = peers.built("dlib_multiclass")
        if program is None:
            return None
        epsilon = ACCURACY * self.lower_bound / self.C

        def run():
            done = runs.Finished(["timeout", str(DLIB_SECONDS), str(program), str(self.data.bare),
                                  str(self.C), str(epsilon)])
            if done.exit == 124:
                return Sample(done.wall, done.cpu, f"dlib stopped after {DLIB_SECONDS} s",
                              finished=False)
            reached = float(done.require(0).out.split()[-1])
            short = "" if self.is_enough(reached) else f"dlib: P {reached:.6g}, which is NOT enough"
            return Sample(done.wall, done.cpu, short)
        return Program(f"dlib {epsilon:.2g}", run, max_rounds=1)

    def svm_multiclass(self):
        """Its loss is 100 for a wrong class, so its C is 100 times as large, and -e 0.1 is 1e-3 of
        a loss. The primal of its model is not computed."""
        program = peers.optional("SCULPT_SVM_MULTICLASS")
        if program is None:
            return None
        path = self.folder / "numbered.svml"
        self.data.points.numbered().write(path)

        def run():
            done = runs.Finished([program, "-c", str(100 * self.C), "-e", "0.1", str(path),
                                  str(self.folder / "multiclass.model")]).require(0)
            return Sample(done.wall, done.cpu)
        return Program("svm_multiclass -e 0.1", run, max_rounds=1)


def row(problem, repeats):
    dlib, svm_multiclass = problem.dlib(), problem.svm_multiclass()
    programs = [problem.ours(), problem.liblinear(), *filter(None, (dlib, svm_multiclass))]
    medians = list(run_in_turns(programs, repeats).values())
    ours, others = medians[0], medians[1:]
    targets = [ratio(ours, others[0], 1.5)]
    note = f"optimum at least {problem.lower_bound:.6g}"
    if dlib is None:
        note += "; dlib is not built: configs/setup bench, cmake --build --preset bench"
    else:
        targets.append(ratio(ours, others[1], 0.2))
    return Row(f"multiclass {problem.data.name}, c = {problem.c:g}", ours, others, targets, note)


def of_set(name, c, bench):
    source = bench.data / f"{name}.train.svml"
    data = bench.kept(name, lambda: scaled_data(source, bench.folder))
    yield row(Problem(bench.sculpt, data, c, bench.folder), bench.repeats)


def of_topics(c, bench):
    made = bench.kept("topics", lambda: Data("topics", topics_data.points(), bench.folder))
    yield row(Problem(bench.sculpt, made, c, bench.folder), bench.repeats)


def comparisons():
    return [Comparison(f"multiclass {name.split('/')[1]} c={c:g}",
                       functools.partial(of_set, name, c),
                       [comparison.data(f"{name}.train.svml"),
                        comparison.program("liblinear-train")])
            for name in SETS for c in CS] + [
                Comparison(f"multiclass topics c={c:g}", functools.partial(of_topics, c),
                           [comparison.program("liblinear-train")]) for c in CS]
