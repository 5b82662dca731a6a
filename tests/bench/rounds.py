"""Runs programs in turns, several rounds, and takes the medians of wall and CPU time."""

import dataclasses
import statistics
import sys


@dataclasses.dataclass
class Sample:
    """One run: seconds of wall clock and of CPU, a note for the table, and other figures by
    name."""

    wall: float
    cpu: float
    note: str = ""
    figures: dict = dataclasses.field(default_factory=dict)
    split: dict = dataclasses.field(default_factory=dict)  # seconds by phase, see time_split.py
    finished: bool = True  # False: stopped at its time limit, so the true time is longer


class Program:
    """`run()` runs the program once and returns a Sample. A slow program takes part in the first
    `max_rounds` rounds only."""

    def __init__(self, name, run, max_rounds=None):
        self.name = name
        self.run = run
        self.max_rounds = max_rounds


class Medians:
    """Median times of one program. Note, figures and split are from the round with the median wall
    time."""

    def __init__(self, name, samples):
        self.name = name
        self.rounds = len(samples)
        self.wall = statistics.median(sample.wall for sample in samples)
        self.cpu = statistics.median(sample.cpu for sample in samples)
        middle = sorted(samples, key=lambda sample: sample.wall)[(len(samples) - 1) // 2]
        self.note, self.figures, self.split = middle.note, middle.figures, middle.split
        self.finished = all(sample.finished for sample in samples)
        self.walls = [sample.wall for sample in samples]


def run_in_turns(programs, repeats):
    """Returns the Medians by the name of the program. A round runs each program once, so other load
    of the machine slows all programs alike."""
    samples = {program.name: [] for program in programs}
    for number in range(repeats):
        for program in programs:
            if number < (program.max_rounds or repeats):
                print(f"  {program.name} ({number + 1} of {repeats})", file=sys.stderr,
                      flush=True)
                samples[program.name].append(program.run())
    return {name: Medians(name, of_program) for name, of_program in samples.items()}


class Published:
    """The published time of a program that is not installed, in units. Used in place of Medians.
    `unit` is the Medians of one unit. `finished` is False if the program was stopped, so its true
    time is longer."""

    rounds, walls, figures = 0, [], {}

    def __init__(self, name, units, unit, finished=True):
        self.name = name + ", published"
        self.unit = unit.wall
        self.wall, self.cpu = units * unit.wall, units * unit.cpu
        self.finished = finished
        more = "" if finished else "more than "
        self.note = f"{name}: {more}{units} units on another machine, of wall clock and of CPU"


def compare_with_peer(bench, ours, peer, published):
    """Returns our Medians, and a list with those of the peer. If the peer is not installed, the
    list has a Published: `published` is its name, its units and, if it was stopped, False. Then the
    unit runs in turns with us in place of the peer. The list is empty if there is no unit
    either."""
    other = peer or bench.unit_program()
    medians = list(run_in_turns([ours, *([other] if other else [])], bench.repeats).values())
    name, units, *finished = published
    others = [side if peer else Published(name, units, side, *finished) for side in medians[1:]]
    return medians[0], others
