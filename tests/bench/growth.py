"""Cost growth: time to relative gap 1e-2 on 1/8, 1/4, 1/2 and all of ocr_large and conll2000."""

import pathlib

import runs
from contest import Contender, Row, Target, contest

PARTS = [8, 4, 2, 1]
GAP = 1e-2


def words(bench, part):
    """ocr_large with every part-th word of the folds that it learns from."""
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


def rows(bench):
    for name, config, make in (("ocr_large", "ocr_large.json", words),
                               ("conll2000", "conll2000.json", sentences)):
        if bench.wants(f"growth {name}"):
            yield from of_set(bench, name, config, make)


def of_set(bench, name, config, make):
    """C/n stays: an example is worth the same in every part."""
    price = runs.Run(bench.sculpt, bench.configs / config, {"solver.max_passes": 1})
    C, n = price.started["formulation"]["C"], price.started["examples"]
    smallest = None
    for part in PARTS:
        settings = make(bench, part) | {"solver.relative_gap": GAP}

        def run(settings=settings, part=part):
            done = runs.Run(bench.sculpt, bench.configs / config,
                            settings | {"solver.C": C * (n // part) / n})
            calls = done.finished["oracle_calls"] / done.started["examples"]
            return done.wall, done.cpu, (f"n = {done.started['examples']}, {calls:.1f} passes, "
                                         f"gap {done.finished['relative_gap']:.1e}")
        ours = contest([Contender("sculpt", run)], bench.repeats)["sculpt"]
        smallest = smallest or ours
        growth = (ours.wall / smallest.wall) / (PARTS[0] / part)
        targets = [] if part == PARTS[0] else [
            Target("time / n against 1/8", growth, at_most=1.5)]
        yield Row(f"growth {name}, 1/{part}, gap 1e-2", ours, None, targets)
