"""Programs side by side: alternating, repeated, medians of wall and CPU time."""

import statistics
import sys


class Contender:
    """`run()` returns seconds of wall clock and of CPU, and a note of what they were for."""

    def __init__(self, name, run):
        self.name = name
        self.run = run


class Medians:
    def __init__(self, name, samples):
        self.name = name
        self.wall = statistics.median(wall for wall, _, _ in samples)
        self.cpu = statistics.median(cpu for _, cpu, _ in samples)
        self.note = samples[-1][2]


def contest(contenders, repeats):
    """The Medians of each contender by name: a round asks all of them once, so that what else the
    machine does meets all."""
    samples = {contender.name: [] for contender in contenders}
    for number in range(repeats):
        for contender in contenders:
            print(f"  {contender.name} ({number + 1} of {repeats})", file=sys.stderr, flush=True)
            samples[contender.name].append(contender.run())
    return {name: Medians(name, of_one) for name, of_one in samples.items()}


class Target:
    """What a ratio has to be: `at_most` or `at_least`. measured == None: there is nothing to hold."""

    def __init__(self, of, measured, at_most=None, at_least=None):
        self.of = of
        self.measured = measured
        self.bound = at_most if at_most is not None else at_least
        self.sign = "<=" if at_most is not None else ">="

    def met(self):
        if self.measured is None:
            return None
        return self.measured <= self.bound if self.sign == "<=" else self.measured >= self.bound

    def text(self):
        if self.measured is None:
            return f"{self.of}: not measured"
        verdict = "met" if self.met() else "MISSED"
        return f"{self.of} {self.measured:.3g} ({self.sign} {self.bound:g}): {verdict}"


class Row:
    """One line of the result: a task, how long we took, against whom, and the targets."""

    def __init__(self, task, ours=None, peer=None, targets=(), note=""):
        self.task = task
        self.ours = ours  # Medians or None
        self.peer = peer  # Medians, Published or None
        self.targets = list(targets)
        self.note = note

    def cells(self, unit):
        ours = ["-"] * 3 if self.ours is None else [
            f"{self.ours.wall:.2f}", f"{self.ours.cpu:.2f}", f"{self.ours.wall / unit:.2f}"]
        peer = ["-"] * 3 if self.peer is None else [
            self.peer.name, f"{self.peer.wall:.2f}", f"{self.peer.wall / unit:.2f}"]
        notes = [note for note in (self.note, getattr(self.ours, "note", "")) if note]
        return [self.task, *ours, *peer, "; ".join(target.text() for target in self.targets),
                "; ".join(notes)]

    def record(self, unit):
        sides = {}
        for side, medians in (("ours", self.ours), ("peer", self.peer)):
            if medians is not None:
                sides[side] = {"name": medians.name, "wall_seconds": medians.wall,
                               "cpu_seconds": medians.cpu, "units": medians.wall / unit,
                               "note": medians.note}
        targets = [{"of": target.of, "measured": target.measured, "sign": target.sign,
                    "bound": target.bound, "met": target.met()} for target in self.targets]
        return {"task": self.task, **sides, "targets": targets, "note": self.note}


HEAD = ["task", "wall s", "CPU s", "units", "against", "wall s", "units", "target", "what"]


class Published:
    """What a peer that is not here took elsewhere, in units."""

    def __init__(self, name, units, unit, cpu_units=None):
        self.name = name + ", published"
        self.wall = units * unit
        self.cpu = (cpu_units or units) * unit
        self.note = f"{units} units of another machine"


def ratio(ours, peer, of="wall"):
    return None if peer is None else getattr(ours, of) / getattr(peer, of)
