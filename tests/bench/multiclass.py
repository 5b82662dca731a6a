"""Multiclass problems against LIBLINEAR and dlib, all to 1e-3 of the same optimum.

LIBLINEAR minimizes 1/2 ||w||^2 + c sum xi_i, sculpt the same with C = n c. The data is scaled to 0..1
and has a constant feature, for all of them; dlib adds its own.
"""

import json

import peers
import runs
from contest import Contender, Row, Target, contest, ratio
from svmlight import Points, primal, read_liblinear_model

CS = [0.1, 1, 10]
SETS = ["multiclass/letter", "multiclass/satimage", "text/acq"]
ACCURACY = 1e-3
EPSILONS = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003, 0.00001]
GAPS = [0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001]


class Data:
    """A set on disk, once for the others and once for dlib, which adds the constant itself."""

    def __init__(self, source, folder, limit=None):
        points = Points.read(source)
        if limit:
            points = Points(points.labels[:limit], points.rows[:limit])
        points = points.scaled()
        self.name = source.name.split(".")[0]
        self.bare = folder / f"{self.name}.bare"
        self.path = folder / f"{self.name}.svml"
        points.write(self.bare)
        points.with_constant().write(self.path)
        self.points = Points.read(self.path)  # as written


class Problem:
    """One set at one c: the best primal known, and each program's coarsest setting that is within
    1e-3 of it."""

    def __init__(self, sculpt, data, c, folder):
        self.sculpt, self.data, self.c, self.folder = sculpt, data, c, folder
        self.config = folder / f"{data.name}.json"
        self.config.write_text(json.dumps({
            "dataset": {"use": "svmlight", "train": str(data.path)},
            "features": {"use": "multiclass", "bias": False}, "loss": "zero_one",
            "oracle": "enumerate",
            "solver": {"use": "n_slack", "C": c * len(data.points.rows)}}), encoding="utf-8")
        fine = self.run_sculpt(1e-5)
        self.best = min(self.liblinear_primal(1e-4), fine.finished["primal"])
        self.floor = fine.finished["dual"]
        enough = (1 + ACCURACY) * self.best
        self.epsilon = next((e for e in EPSILONS if self.liblinear_primal(e) <= enough), None)
        self.gap = next((g for g in GAPS if self.run_sculpt(g).finished["primal"] <= enough), None)
        if self.epsilon is None or self.gap is None:
            raise SystemExit(f"{data.name}, c = {c}: no setting comes within {ACCURACY} of {self.best}")

    def run_sculpt(self, gap):
        return runs.Run(self.sculpt, self.config, {"solver.relative_gap": gap,
                                                   "solver.max_seconds": 300})

    def train_liblinear(self, epsilon):
        return peers.train_liblinear(self.data.path, self.c, epsilon, self.folder / "model")

    def liblinear_primal(self, epsilon):
        self.train_liblinear(epsilon)
        labels, weights = read_liblinear_model(self.folder / "model")
        return primal(self.data.points, labels, weights, self.c)

    def ours(self):
        def run():
            done = self.run_sculpt(self.gap)
            return done.wall, done.cpu, f"relative_gap {self.gap:g}, P {done.finished['primal']:.6g}"
        return Contender("sculpt", run)

    def liblinear(self):
        def run():
            done = self.train_liblinear(self.epsilon)
            return done.wall, done.cpu, f"-e {self.epsilon:g}"
        return Contender("liblinear", run)

    def dlib(self):
        """None where dlib is not there, or does not get there in time."""
        program = peers.dlib()
        if program is None:
            return None
        for epsilon in EPSILONS:
            done = self.run_dlib(program, epsilon)
            if done.exit != 0:
                return None
            if float(done.out.split()[-1]) <= (1 + ACCURACY) * self.best:
                break
        else:
            return None

        def run():
            again = self.run_dlib(program, epsilon)
            return again.wall, again.cpu, f"epsilon {epsilon:g}"
        return Contender("dlib", run)

    def svm_multiclass(self):
        """Its loss is 100 for a wrong class, so its C is 100 times as large, and -e 0.1 is 1e-3 of a
        loss. What primal its model has is not looked at."""
        program = peers.optional("SCULPT_SVM_MULTICLASS")
        if program is None:
            return None
        path = self.folder / "numbered.svml"
        self.data.points.numbered().write(path)
        C = 100 * self.c * len(self.data.points.rows)

        def run():
            done = runs.Finished([program, "-c", str(C), "-e", "0.1", str(path),
                                  str(self.folder / "multiclass.model")]).require(0)
            return done.wall, done.cpu, "-e 0.1"
        return Contender("svm_multiclass", run)

    def run_dlib(self, program, epsilon):
        return runs.Finished(["timeout", "300", str(program), str(self.data.bare),
                              str(self.c * len(self.data.points.rows)), str(epsilon)])


def rows(bench):
    for name in SETS:
        data = Data(bench.data / f"{name}.train.svml", bench.folder)
        for c in CS:
            if bench.wants(f"multiclass {data.name} {c:g}"):
                yield row(bench, Problem(bench.sculpt, data, c, bench.folder))


def row(bench, problem):
    others = [side for side in (problem.dlib(), problem.svm_multiclass()) if side]
    sides = [problem.ours(), problem.liblinear(), *others]
    medians = contest(sides, bench.repeats)
    ours, liblinear = medians["sculpt"], medians["liblinear"]
    peer = medians.get("dlib")
    ours.note += f"; liblinear {liblinear.note}"
    for other in others:
        ours.note += f"; {other.name} {medians[other.name].wall:.2f} s, {medians[other.name].note}"
    return Row(f"multiclass {problem.data.name}, c = {problem.c:g}", ours, liblinear,
               [Target("wall / liblinear", ratio(ours, liblinear), at_most=1.5),
                Target("wall / dlib", ratio(ours, peer), at_most=0.2)],
               f"best P known {problem.best:.6g}, D {problem.floor:.6g}")
