"""Programs side by side: alternating, repeated, medians of wall and CPU time."""

import dataclasses
import statistics
import sys


@dataclasses.dataclass
class Sample:
    """One run: seconds of wall clock and of CPU, what they were for, and other figures by name."""

    wall: float
    cpu: float
    note: str = ""
    figures: dict = dataclasses.field(default_factory=dict)
    split: dict = dataclasses.field(default_factory=dict)  # seconds by phase, see time_split.py
    finished: bool = True  # False: stopped at its time limit, so that it takes longer than `wall`


class Contender:
    """`run()` returns a Sample; `most_rounds` for those too slow to be asked every time."""

    def __init__(self, name, run, most_rounds=None):
        self.name = name
        self.run = run
        self.most_rounds = most_rounds


class Medians:
    """Of the times; all else is what the round with the median wall time had."""

    def __init__(self, name, samples):
        self.name = name
        self.rounds = len(samples)
        self.wall = statistics.median(sample.wall for sample in samples)
        self.cpu = statistics.median(sample.cpu for sample in samples)
        middle = sorted(samples, key=lambda sample: sample.wall)[(len(samples) - 1) // 2]
        self.note, self.figures, self.split = middle.note, middle.figures, middle.split
        self.finished = all(sample.finished for sample in samples)
        self.walls = [sample.wall for sample in samples]


def contest(contenders, repeats):
    """The Medians of each contender by name: a round asks all of them once, so that what else the
    machine does meets all."""
    samples = {contender.name: [] for contender in contenders}
    for number in range(repeats):
        for contender in contenders:
            if number < (contender.most_rounds or repeats):
                print(f"  {contender.name} ({number + 1} of {repeats})", file=sys.stderr,
                      flush=True)
                samples[contender.name].append(contender.run())
    return {name: Medians(name, of_one) for name, of_one in samples.items()}


class Published:
    """What a peer that is not here took elsewhere, in units: stands where Medians would. `unit`: the
    Medians of what one unit is. `finished`: False when it was stopped, so that it takes longer."""

    rounds, walls, figures = 0, [], {}

    def __init__(self, name, units, unit, finished=True):
        self.name = name + ", published"
        self.unit = unit.wall
        self.wall, self.cpu = units * unit.wall, units * unit.cpu
        self.finished = finished
        more = "" if finished else "more than "
        self.note = f"{name}: {more}{units} units on another machine, of wall clock and of CPU"


def against(bench, ours, peer, published):
    """Our Medians, and a list of those of the peer: of the one that is here, or else of
    `published`, its name, its units and, when it was stopped, False; none where there is no unit
    either. The unit takes turns with us, as the peer would."""
    other_side = peer or bench.unit_contender()
    medians = list(contest([ours, *([other_side] if other_side else [])], bench.repeats).values())
    name, units, *finished = published
    others = [side if peer else Published(name, units, side, *finished) for side in medians[1:]]
    return medians[0], others
