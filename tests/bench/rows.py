"""What a comparison came to: rows, as lines of the table and as JSON."""

HEAD = ["task", "n", "wall s", "CPU s", "units", "against", "n", "wall s", "CPU s", "units",
        "what is held", "measured", "target", "verdict"]
NOBODY = ["", "", "", "", ""]


class Target:
    """What a figure has to be: `at_most` or `at_least`. `peer`: it is a ratio to its time."""

    def __init__(self, of, measured, at_most=None, at_least=None, peer=None):
        self.of = of
        self.measured = measured
        self.bound = at_most if at_most is not None else at_least
        self.sign = "<=" if at_most is not None else ">="
        self.peer = peer

    def is_upper_bound(self):
        """The peer was stopped: the true ratio is smaller."""
        return self.peer is not None and not self.peer.finished

    def verdict(self):
        if self.sign == ">=":
            return "met" if self.measured >= self.bound else "MISSED"
        if self.measured <= self.bound:
            return "met"
        return "not known" if self.is_upper_bound() else "MISSED"

    def cells(self):
        less = "<" if self.is_upper_bound() else ""
        return [self.of, f"{less}{self.measured:.4g}", f"{self.sign} {self.bound:g}",
                self.verdict()]

    def record(self):
        return {"of": self.of, "against": self.peer and self.peer.name, "measured": self.measured,
                "sign": self.sign, "bound": self.bound, "verdict": self.verdict()}


def ratio(ours, peer, bound, of="wall"):
    """The target for our wall or CPU time against a peer's."""
    return Target(f"{of} ratio", getattr(ours, of) / getattr(peer, of), at_most=bound, peer=peer)


def ratios(ours, others, bound, of="wall"):
    return [ratio(ours, peer, bound, of) for peer in others]


class Row:
    """A task, how long we took, against whom, and the targets. Or why there is nothing: `missing`
    says what is not there, `failure` what went wrong."""

    def __init__(self, task, ours=None, peers=(), targets=(), note="", missing="", failure=""):
        self.task = task
        self.ours = ours  # Medians or None
        self.peers = list(peers)  # Medians and Published
        self.targets = list(targets)
        self.note = note
        self.missing = missing
        self.failure = failure

    def unit(self, whole_run):
        """Seconds of one unit while this row was measured, else those of the whole run."""
        return next((peer.unit for peer in self.peers if hasattr(peer, "unit")), whole_run)

    def lines(self, unit):
        """A line for each target; figures stand in the first line that they belong to."""
        unit = self.unit(unit)
        sides = [(self._side(peer, unit), [t for t in self.targets if t.peer is peer])
                 for peer in self.peers]
        of_own = [target for target in self.targets if target.peer is None]
        if of_own or not sides:
            sides.append((NOBODY, of_own))
        lines = []
        for cells, targets in sides:
            for number, target in enumerate(targets or [None]):
                lines.append([*(cells if number == 0 else NOBODY),
                              *(target.cells() if target else [""] * 4)])
        own = self._side(self.ours, unit)[1:] if self.ours else NOBODY[1:]
        if self.missing or self.failure:
            lines[0][-1] = "skipped" if self.missing else "FAILED"
        return [[*([self.task, *own] if number == 0 else NOBODY), *line]
                for number, line in enumerate(lines)]

    def notes(self):
        """What the table has no room for."""
        told = [self.missing, self.failure, self.note,
                *(side.note for side in [self.ours, *self.peers] if side is not None)]
        return "; ".join(dict.fromkeys(" ".join(note.split()) for note in told if note))

    def record(self, unit):
        unit = self.unit(unit)
        record = {"task": self.task, "unit_seconds": unit}
        if self.ours is not None:
            record["ours"] = self._record(self.ours, unit) | {"time_split": self.ours.split}
        record["against"] = [
            self._record(peer, unit) | {"wall_ratio": self.ours.wall / peer.wall,
                                        "cpu_ratio": self.ours.cpu / peer.cpu}
            for peer in self.peers]
        record["targets"] = [target.record() for target in self.targets]
        reasons = {"note": self.note, "skipped": self.missing, "failed": self.failure}
        return record | {key: text for key, text in reasons.items() if text}

    @staticmethod
    def _side(side, unit):
        more = "" if side.finished else ">"
        return [side.name, side.rounds or "", f"{more}{side.wall:.2f}", f"{more}{side.cpu:.2f}",
                f"{more}{side.wall / unit:.2f}" if unit else "-"]

    @staticmethod
    def _record(side, unit):
        return {"name": side.name, "rounds": side.rounds, "finished": side.finished,
                "wall_seconds": side.wall, "cpu_seconds": side.cpu,
                "units": side.wall / unit if unit else None, "wall_seconds_of_rounds": side.walls,
                "figures": side.figures, "note": side.note}
