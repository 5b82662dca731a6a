"""Oracles made of dynamic programs: what one argmax takes, and a whole run of parsing.

Inputs are made here with a fixed seed. A pass of the perceptron asks for one argmax an example,
without a loss, on one thread; what is told is the oracle's time by the call."""

import json
import random

import comparison
import peers
import runs
import time_split
from comparison import Comparison
from contest import Contender, Sample, contest
from rows import Row, Target

TREEBANK = [comparison.data(f"treebank/gum.{split}.len10.trees") for split in ("train", "dev", "test")]
LABELS = [3, 9, 26, 50]


def chain(bench):
    """The SDK's Best about a chain against viterbi's own argmax: sculpt_micro, medians."""
    command = [str(peers.built("sculpt_micro")), "--benchmark_filter=^chain_argmax",
               "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={max(bench.repeats, 3)}"]
    told = json.loads(runs.Finished(command).require(0).out)["benchmarks"]
    nanoseconds = {one["run_name"]: one["cpu_time"] for one in told
                   if one.get("aggregate_name") == "median"}
    targets, notes = [], []
    for labels in LABELS:
        own, hand = (nanoseconds[f"chain_argmax<{way}>/{labels}"]
                     for way in ("ByProgram", "HandWritten"))
        targets.append(Target(f"CPU ratio, {labels} labels", own / hand, at_most=2))
        notes.append(f"{labels} labels {own / 1e3:.2f} against {hand / 1e3:.2f} us")
    yield Row("program chain: 40 positions, program against viterbi", targets=targets,
              note=", ".join(notes))


def one_argmax(bench, task, experiment, at_most):
    """A Row of the milliseconds of one call, out of a pass of the perceptron."""
    config = bench.folder / "program.json"
    config.write_text(json.dumps(experiment | {"solver": {"use": "perceptron", "max_passes": 1}}))

    def run():
        done = runs.Run(bench.sculpt, config, {}, ["--threads", "1"])
        end = done.finished
        call = end["oracle_seconds"] / end["oracle_calls"]
        return Sample(done.wall, done.cpu, f"{end['oracle_calls']} calls",
                      {"milliseconds": 1e3 * call}, time_split.of_run(end))
    ours = contest([Contender("sculpt", run)], bench.repeats)["sculpt"]
    return Row(task, ours,
               targets=[Target("ms an argmax", ours.figures["milliseconds"], at_most=at_most)])


def random_tree(draw, symbol, words, rules):
    """A tree of so many words over binary rules, which are added to `rules`."""
    left = draw.randrange(1, words)
    parts = [left, words - left]
    names = [(f"T{draw.randrange(45)}" if part == 1 else f"N{draw.randrange(100)}")
             for part in parts]
    rules[f"{symbol} -> {names[0]} {names[1]}"] = None
    inside = " ".join(f"({name} w)" if part == 1 else random_tree(draw, name, part, rules)
                      for name, part in zip(names, parts))
    return f"({symbol} {inside})"


def parsing(bench):
    draw = random.Random(1)
    rules = {}
    trees = []
    for _ in range(20):
        top = f"N{draw.randrange(100)}"
        rules[f"ROOT -> {top}"] = None
        trees.append(f"(ROOT {random_tree(draw, top, 30, rules)})")
    while len(rules) < 5000:
        child = lambda: f"{draw.choice('NT')}{draw.randrange(45)}"
        rules[f"N{draw.randrange(100)} -> {child()} {child()}"] = None
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
        cut, back = draw.randrange(20, 100), draw.randrange(120, 200)
        gap = draw.randrange(1, 8)
        # of as many letters: a gap in one is made up for by one in the other
        first = first[:cut] + "-" * gap + first[cut:]
        second = second[:back] + "-" * gap + second[back:]
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
    ours = contest([Contender("sculpt", run, most_rounds=1)], bench.repeats)["sculpt"]
    yield Row("program gum10, C = 1000, gap 1e-2, 2 threads", ours,
              targets=[Target("wall s", ours.wall, at_most=300),
                       Target("certified gap", ours.figures["relative_gap"], at_most=1e-2)],
              note=f"bracket F1 {100 * ours.figures['bracket_f1']:.1f}")


def comparisons():
    return [Comparison("program chain", chain, [comparison.built("sculpt_micro")]),
            Comparison("program parsing", parsing),
            Comparison("program alignment", alignment),
            Comparison("program gum10", gum10, TREEBANK)]
