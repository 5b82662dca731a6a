"""Oracles that are dynamic programs: the time of one argmax, and a whole run of parsing.

Inputs are made up with a fixed seed."""

import json
import random

import comparison
import peers
import runs
import time_split
from comparison import Comparison
from rounds import Program, Sample, run_in_turns
from rows import Row, Target

TREEBANK = [comparison.data(f"treebank/gum.{split}.len10.trees")
            for split in ("train", "dev", "test")]
LABELS = [3, 9, 26, 50]
MARGINAL_LABELS = [3, 9, 22, 26, 45]
PASSES = 4
PHRASES, TAGS = 26, 45


def median_times(bench, names):
    """Runs the benchmarks of sculpt_micro whose names begin so. Returns medians of CPU time by
    name, in nanoseconds."""
    command = [str(peers.built("sculpt_micro")), f"--benchmark_filter=^{names}",
               "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={max(bench.repeats, 3)}"]
    benchmarks = json.loads(runs.Finished(command).require(0).out)["benchmarks"]
    return {one["run_name"]: one["cpu_time"] for one in benchmarks
            if one.get("aggregate_name") == "median"}


def chain(bench):
    """The argmax of a chain by Best of the SDK and by viterbi."""
    nanoseconds = median_times(bench, "chain_argmax")
    targets, notes = [], []
    for labels in LABELS:
        own, hand = (nanoseconds[f"chain_argmax<{way}>/{labels}"]
                     for way in ("ByProgram", "HandWritten"))
        targets.append(Target(f"CPU ratio, {labels} labels", own / hand, at_most=2))
        notes.append(f"{labels} labels {own / 1e3:.2f} against {hand / 1e3:.2f} us")
    yield Row("program chain: 40 positions, program against viterbi", targets=targets,
              note=", ".join(notes))


def marginals(bench):
    """log Z and marginals of a chain, and covariances, against its argmax."""
    nanoseconds = median_times(bench, "chain_marginals")
    targets, notes = [], []
    for labels in MARGINAL_LABELS:
        argmax, mean, covariance, logarithms = (
            nanoseconds[f"chain_marginals<Marginals::{which}>/{labels}"]
            for which in ("argmax", "mean", "covariance", "mean_by_logarithms"))
        targets.append(Target(f"CPU ratio, {labels} labels", mean / argmax, at_most=4))
        notes.append(f"{labels} labels {mean / 1e3:.2f} against {argmax / 1e3:.2f} us, covariance "
                     f"{covariance / 1e3:.2f}, by logarithms {logarithms / 1e3:.0f}")
    yield Row("marginals chain: 24 positions, against one argmax", targets=targets,
              note="; ".join(notes))


def one_argmax(bench, task, experiment, at_most):
    """Returns a Row with the milliseconds of one call: the CPU time of PASSES passes of the
    perceptron, divided by their calls. It is the difference of two runs, so reading, the first pass
    and the audit are not counted."""
    config = bench.folder / "program.json"
    config.write_text(json.dumps(experiment | {"solver": {"use": "perceptron"}}))

    def passes(count):
        return runs.Run(bench.sculpt, config, {"solver.max_passes": count}, ["--threads", "1"])

    def run():
        short, long = passes(1), passes(1 + PASSES)
        calls = long.finished["oracle_calls"] - short.finished["oracle_calls"]
        return Sample(long.wall, long.cpu, f"CPU time of {calls} calls",
                      {"milliseconds": 1e3 * (long.cpu - short.cpu) / calls},
                      time_split.of_run(long.finished))
    ours = run_in_turns([Program("sculpt", run)], bench.repeats)["sculpt"]
    return Row(task, ours,
               targets=[Target("ms an argmax", ours.figures["milliseconds"], at_most=at_most)])


def random_child(draw, words):
    """A random symbol for this number of words: a tag for one word, else a phrase."""
    return f"T{draw.randrange(TAGS)}" if words == 1 else f"N{draw.randrange(PHRASES)}"


def random_tree(draw, symbol, words, rules):
    """Returns a random binary tree of `words` words, and adds its rules to `rules`."""
    left = draw.randrange(1, words)
    parts = [left, words - left]
    names = [random_child(draw, part) for part in parts]
    rules[f"{symbol} -> {names[0]} {names[1]}"] = None
    inside = " ".join(f"({name} w)" if part == 1 else random_tree(draw, name, part, rules)
                      for name, part in zip(names, parts))
    return f"({symbol} {inside})"


def parsing(bench):
    """About as many phrases and tags as in the Penn Treebank. Half of the symbols on the right of
    rules are tags."""
    draw = random.Random(1)
    rules = {}
    trees = []
    for _ in range(20):
        top = random_child(draw, 30)
        rules[f"ROOT -> {top}"] = None
        trees.append(f"(ROOT {random_tree(draw, top, 30, rules)})")
    while len(rules) < 5000:
        left, first, second = (random_child(draw, words)
                               for words in (2, draw.choice((1, 2)), draw.choice((1, 2))))
        rules[f"{left} -> {first} {second}"] = None
    (bench.folder / "made_up.trees").write_text("\n".join(trees) + "\n")
    (bench.folder / "made_up.rules").write_text("\n".join(rules) + "\n")
    yield one_argmax(bench, "program parsing: 30 words, 5000 rules", {
        "dataset": {"use": "trees", "train": "made_up.trees"},
        "features": {"use": "grammar", "file": "made_up.rules"},
        "loss": "zero_one", "oracle": "grammar"}, 50)


def alignment(bench):
    """Pairs of sequences of 235 letters, the second a copy of the first with changes and gaps."""
    draw = random.Random(2)
    letters = "ARNDCQEGHILKMFPSTWYV"
    blocks = []
    for number in range(40):
        first = "".join(draw.choice(letters) for _ in range(235))
        second = "".join(draw.choice(letters) if draw.random() < 0.3 else letter
                         for letter in first)
        first_at, second_at = draw.randrange(20, 100), draw.randrange(120, 200)
        gap = draw.randrange(1, 8)
        # one gap of the same length in each sequence, so both rows have the same length
        first = first[:first_at] + "-" * gap + first[first_at:]
        second = second[:second_at] + "-" * gap + second[second_at:]
        blocks.append(f">{number}a\n{first}\n>{number}b\n{second}\n")
    (bench.folder / "made_up.fasta").write_text("\n".join(blocks))
    yield one_argmax(bench, "program alignment: 235 x 235, affine, 400 weights", {
        "dataset": {"use": "pairs_fasta", "alphabet": "protein", "train": "made_up.fasta"},
        "features": {"use": "alignment", "gaps": "affine", "symmetric": False},
        "loss": "zero_one", "oracle": "alignment"}, 2)


def gum10(bench):
    def run():
        done = runs.Run(bench.sculpt, bench.configs / "gum10.json", {}, ["--threads", "2"])
        end = done.finished
        return Sample(done.wall, done.cpu, f"P {end['primal']:.6g}, {end['passes']} passes",
                      {"relative_gap": end["relative_gap"],
                       "bracket_f1": end["test"]["bracket_f1"]}, time_split.of_run(end))
    ours = run_in_turns([Program("sculpt", run, max_rounds=1)], bench.repeats)["sculpt"]
    yield Row("program gum10, C = 1000, gap 1e-2, 2 threads", ours,
              targets=[Target("wall s", ours.wall, at_most=300),
                       Target("certified gap", ours.figures["relative_gap"], at_most=1e-2)],
              note=f"bracket F1 {100 * ours.figures['bracket_f1']:.1f}")


def comparisons():
    return [Comparison("program chain", chain, [comparison.built("sculpt_micro")]),
            Comparison("marginals chain", marginals, [comparison.built("sculpt_micro")]),
            Comparison("program parsing", parsing),
            Comparison("program alignment", alignment),
            Comparison("program gum10", gum10, TREEBANK)]
