"""Growth of time with the number of examples: time to a relative gap of 1e-2 on 1/8, 1/4, 1/2 and
all of ocr_large and conll2000."""

import pathlib

import comparison
import runs
import time_split
from comparison import Comparison
from rounds import Program, Sample, run_in_turns
from rows import Row, Target

PARTS = [8, 4, 2, 1]
GAP = 1e-2


def words(bench, part):
    """ocr_large with every part-th word of its training folds."""
    path = bench.folder / f"letters.{part}"
    chosen = []
    numbers = {}
    for line in pathlib.Path(bench.letters).read_text(encoding="ascii").splitlines():
        word, fold, _, _, _, _ = line.split()
        if fold == "0":
            continue
        number = numbers.setdefault(word, len(numbers))
        if number % part == 0:
            chosen.append(line)
    path.write_text("\n".join(chosen) + "\n", encoding="ascii")
    return {"dataset.train": path, "dataset.test_folds": "null"}


def sentences(bench, part):
    path = bench.folder / f"conll.{part}"
    source = bench.data / "conll2000/train.txt"
    runs.write_sentences(path, runs.read_sentences(source, None)[::part])
    return {"dataset.train": path}


def of_set(bench, name, make, max_rounds=None):
    """C/n is the same in every part, so an example has the same weight."""
    config = f"{name}.json"
    one_pass = runs.Run(bench.sculpt, bench.configs / config, {"solver.max_passes": 1})
    C, n = one_pass.started["formulation"]["C"], one_pass.started["examples"]
    smallest = None
    for part in PARTS:
        settings = make(bench, part) | {"solver.relative_gap": GAP}

        def run(settings=settings, part=part):
            done = runs.Run(bench.sculpt, bench.configs / config,
                            settings | {"solver.C": C * -(-n // part) / n})
            end = done.finished
            count = done.started["examples"]
            passes = end["oracle_calls"] / count
            note = f"n = {count}, {passes:.1f} passes, gap {end['relative_gap']:.1e}"
            return Sample(done.wall, done.cpu, note,
                          {"examples": count, "passes": passes}, time_split.of_run(end))
        program = Program("sculpt", run, max_rounds)
        ours = run_in_turns([program], bench.repeats)["sculpt"]
        smallest = smallest or ours
        growth = (ours.wall / smallest.wall) / (
            ours.figures["examples"] / smallest.figures["examples"])
        targets = [] if ours is smallest else [
            Target("time / n against 1/8", growth, at_most=1.5)]
        yield Row(f"growth {name}, 1/{part}, gap 1e-2", ours, targets=targets)


def comparisons():
    letters = [comparison.data("ocr/letters.txt")]
    conll = [comparison.data("conll2000/train.txt"), comparison.data("conll2000/test.txt")]
    return [Comparison("growth ocr_large",
                       lambda bench: of_set(bench, "ocr_large", words), letters),
            Comparison("growth conll2000",
                       lambda bench: of_set(bench, "conll2000", sentences, max_rounds=1), conll)]
