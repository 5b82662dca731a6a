"""Kernels: rows against kernlab's spoc-svc and LIBSVM, words with three kernels, the linear kernel
against linear features, two threads, and one value of the subsequence kernel.

spoc-svc is the SVM of Crammer & Singer, and sums the slacks: C here is n times its C. Its time is
that of ksvm() alone, and ours that of the whole process, with reading, evaluation of the training
data and writing. LIBSVM trains a pair of classes after the other, which is another problem. So only
its time and its test error can be compared."""

import dataclasses
import functools
import json
import re
import shutil

import comparison
import peers
import programs
import runs
from comparison import Comparison
from rounds import Program, Sample, run_in_turns
from rows import Row, Target, ratio
from sequences import LETTERS, whole

KERNLAB = runs.ROOT / "tests/kernlab/dual.R"
TOLERANCE = 1e-3  # of kernlab and LIBSVM; the relative gap of sculpt
ONE_THREAD = ["--threads", "1"]


@dataclasses.dataclass
class Rows:
    """A data set with a kernel. `c` is that of kernlab. `cpu` bounds our share of its time, `error`
    our test error."""

    data: str
    kernel: dict
    theirs: str  # the kernel for dual.R
    libsvm: tuple
    c: float
    cpu: float
    error: float = 1.0

    def files(self, bench):
        return [bench.data / f"multiclass/{self.data}.{split}.svml" for split in ("train", "test")]


def rbf(data, gamma, *more):
    return Rows(data, {"use": "rbf", "gamma": gamma}, f"rbf:{gamma}", ("-t", 2, "-g", gamma), *more)


def quadratic(data, gamma, *more):
    return Rows(data, {"use": "polynomial", "gamma": gamma, "coef0": 1, "degree": 2},
                f"polynomial:{gamma}:1:2", ("-t", 1, "-d", 2, "-g", gamma, "-r", 1), *more)


SETS = {
    "satimage rbf": rbf("satimage", 0.001, 1, 0.6),
    "optdigits rbf": rbf("optdigits", 0.001, 10, 0.6),
    "optdigits quadratic": quadratic("optdigits", 1 / 256, 1, 1.0),
    "letter rbf": rbf("letter", 0.025, 10, 0.2, 0.0245),
}


def config_of(bench, rows):
    train, _ = rows.files(bench)
    examples = sum(1 for line in train.read_text(encoding="ascii").splitlines() if line.strip())
    path = bench.folder / "kernel.json"
    path.write_text(json.dumps({
        "dataset": {"use": "svmlight", "train": str(train)}, "features": "multiclass",
        "kernel": rows.kernel, "loss": "zero_one", "oracle": "viterbi",
        "solver": {"use": "n_slack", "C": rows.c * examples, "relative_gap": TOLERANCE}}),
        encoding="utf-8")
    return path


def sample_of(done):
    sample = whole(done)
    end = done.finished
    sample.figures |= {"dual": end["dual"], "certified": end["certified"]}
    sample.note = f"P {end['primal']:.8g}, D {end['dual']:.8g}, {end['passes']} passes"
    return sample


def ours(bench, config, options=(), settings=None):
    return Program("sculpt",
                   lambda: sample_of(runs.Run(bench.sculpt, config, settings or {},
                                              [*ONE_THREAD, *options])))


def kernlab(bench, rows):
    def run():
        train, test = rows.files(bench)
        done = runs.Finished([str(KERNLAB), str(train), rows.theirs, str(rows.c), str(TOLERANCE),
                              str(test)]).require(0)
        end = json.loads(done.out)
        return Sample(end["wall"], end["cpu"],
                      f"kernlab: D {end['dual']:.8g}, test error {end['test_error']:.4f}",
                      {"dual": end["dual"]})
    return Program("kernlab spoc-svc", run, 1 if rows.data == "letter" else None)


def libsvm(bench, rows):
    """Returns None if LIBSVM is not installed."""
    if shutil.which("svm-train") is None:
        return None
    model = bench.folder / "libsvm.model"

    def run():
        train, test = rows.files(bench)
        done = runs.Finished(["svm-train", "-q", "-c", str(rows.c), "-e", str(TOLERANCE), "-m",
                              "1000", *map(str, rows.libsvm), str(train), str(model)]).require(0)
        guessed = runs.Finished(["svm-predict", str(test), str(model),
                                 str(bench.folder / "libsvm.out")]).require(0)
        right = float(re.search(r"Accuracy = ([\d.]+)%", guessed.out).group(1))
        return Sample(done.wall, done.cpu, f"LIBSVM: test error {1 - right / 100:.4f}")
    return Program("LIBSVM, pairs of classes", run)


def rows_of_classes(name, bench):
    rows = SETS[name]
    config = config_of(bench, rows)
    second = libsvm(bench, rows)
    medians = run_in_turns([ours(bench, config), kernlab(bench, rows),
                            *([second] if second else [])], bench.repeats).values()
    own, peer, *others = medians
    apart = abs(own.figures["dual"] / peer.figures["dual"] - 1)
    targets = [ratio(own, peer, rows.cpu, "cpu"), Target("duals apart", apart, at_most=1e-4)]
    done = runs.Run(bench.sculpt, config, {"dataset.test": rows.files(bench)[1]})
    error = done.finished["test"]["error"]
    if rows.error < 1:
        targets.append(Target("test error", error, at_most=rows.error))
    yield Row(f"kernel {name}, C = {rows.c:g} n, gap 1e-3", own, [peer, *others], targets,
              f"test error {error:.4f}")


NO_TEST = {"dataset.test_folds": "null"}
WORDS = {  # kernel, C, seconds of training, share of wrong letters
    "quadratic": ({"use": "polynomial", "gamma": 0.05, "coef0": 1, "degree": 2}, 313, 6.2, 0.135),
    "cubic": ({"use": "polynomial", "gamma": 0.05, "coef0": 1, "degree": 3}, 313, 9.4, 0.135),
    "rbf": ({"use": "rbf", "gamma": 0.05}, 1252, 12.2, 0.11),
}


def words(name, bench):
    """Training alone: without the test words, ten times as many as those of the training."""
    kernel, c, seconds, error = WORDS[name]
    settings = {"kernel": json.dumps(kernel), "solver.C": c}
    config = bench.configs / "ocr_quadratic.json"
    tested = runs.Run(bench.sculpt, config, settings, ONE_THREAD).finished["test"]

    def run():
        done = runs.Run(bench.sculpt, config, settings | NO_TEST, ONE_THREAD)
        sample, end = sample_of(done), done.finished
        sample.figures["training"] = end["seconds"] - end["evaluation_seconds"]
        return sample
    own = run_in_turns([Program("sculpt", run)], bench.repeats)["sculpt"]
    yield Row(f"kernel words {name}, C = {c}, gap 1e-3", own, targets=[
        Target("s of training", own.figures["training"], at_most=seconds),
        Target("certified gap", own.figures["relative_gap"], at_most=1e-3),
        Target("peak MB", own.figures["peak_memory_bytes"] / 1e6, at_most=200),
        Target("letter error", tested["label_error"], at_most=error)])


def linear(bench):
    """The linear kernel, its explicit rows, and the same features without a kernel."""
    config = bench.configs / "ocr_small.json"
    ways = {"linear features": {}, "linear": {"kernel": "linear"},
            "linear, explicit": {"kernel": json.dumps({"use": "explicit", "of": "linear"})}}
    programs_of_ways = []
    precise = {}
    for name, kernel in ways.items():
        program = ours(bench, config, settings=kernel | NO_TEST)
        program.name = name
        programs_of_ways.append(program)
        precise[name] = runs.Run(bench.sculpt, config, kernel | NO_TEST | {
            "solver.relative_gap": 1e-7}).finished
    samples = run_in_turns(programs_of_ways, bench.repeats)
    other = samples.pop("linear features")
    reference = precise["linear features"]
    for name, own in samples.items():
        apart = {key: abs(precise[name][key] / reference[key] - 1) for key in ("primal", "dual")}
        yield Row(f"kernel {name}, ocr_small, gap 1e-3", own, [other],
                  [ratio(own, other, 3.0, "cpu"),
                   Target("P apart", apart["primal"], at_most=1e-6, peer=other),
                   Target("D apart", apart["dual"], at_most=1e-6, peer=other)],
                  "P and D are those of runs to a gap of 1e-7")


def threads(bench):
    config = config_of(bench, SETS["letter rbf"])
    models = set()

    def run(count):
        def timed():
            done = runs.Run(bench.sculpt, config, {}, ["--threads", str(count)])
            models.add(done.model)
            return sample_of(done)
        return Program(f"{count} thread" + "s" * (count > 1), timed)
    two, one = run_in_turns([run(2), run(1)], bench.repeats).values()
    yield Row("kernel letter rbf, 2 threads", two, [one],
              [Target("speed-up", one.wall / two.wall, at_least=1.7, peer=one),
               Target("distinct models", len(models), at_most=1, peer=one)])


def subsequence(bench):
    nanoseconds = programs.median_times(bench, "subsequence")
    milliseconds = nanoseconds["subsequence/200/4"] / 1e6
    yield Row("kernel subsequence: two strings of 200, p = 4",
              targets=[Target("ms a value", milliseconds, at_most=0.2)])


def kernlab_is_there(_):
    if shutil.which("Rscript") is None:
        return "Rscript is not there; configs/setup bench installs it"
    found = runs.Finished(["Rscript", "-e", "library(kernlab)"]).exit == 0
    return "" if found else "kernlab is not there; configs/setup bench installs it"


def comparisons():
    def files(data):
        return [comparison.data(f"multiclass/{data}.{split}.svml") for split in ("train", "test")]
    return [*(Comparison(f"kernel {name}", functools.partial(rows_of_classes, name),
                         [*files(rows.data), kernlab_is_there]) for name, rows in SETS.items()),
            *(Comparison(f"kernel words {name}", functools.partial(words, name), [LETTERS])
              for name in WORDS),
            Comparison("kernel linear", linear, [LETTERS]),
            Comparison("kernel threads", threads, files("letter")),
            Comparison("kernel subsequence", subsequence, [comparison.built("sculpt_micro")])]
