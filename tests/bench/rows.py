"""The results of a comparison: rows, as lines of the table and as JSON."""

HEAD = ["task", "n", "wall s", "CPU s", "units", "against", "n", "wall s", "CPU s", "units",
        "what is held", "measured", "target", "verdict"]
NO_PEER = ["", "", "", "", ""]


class Target:
    """A bound on a figure, `at_most` or `at_least`. If `peer` is given, the figure is a ratio to
    its time."""

    def __init__(self, of, measured, at_most=None, at_least=None, peer=None):
        self.of = of
        self.measured = measured
        self.bound = at_most if at_most is not None else at_least
        self.sign = "<=" if at_most is not None else ">="
        self.peer = peer

    def is_upper_bound(self):
        """True if the peer was stopped, so the true ratio is smaller."""
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
    """The target for the ratio of our wall or CPU time to that of the peer."""
    return Target(f"{of} ratio", getattr(ours, of) / getattr(peer, of), at_most=bound, peer=peer)


def ratios(ours, others, bound, of="wall"):
    return [ratio(ours, peer, bound, of) for peer in others]


class Row:
    """A task, our times, the times of the peers, and the targets. Without times, `missing` or
    `failure` has the reason."""

    def __init__(self, task, ours=None, peers=(), targets=(), note="", missing="", failure=""):
        self.task = task
        self.ours = ours  # Medians or None
        self.peers = list(peers)  # Medians and Published
        self.targets = list(targets)
        self.note = note
        self.missing = missing
        self.failure = failure

    def unit(self, whole_run):
        """Seconds of one unit: measured with this row, else `whole_run`."""
        return next((peer.unit for peer in self.peers if hasattr(peer, "unit")), whole_run)

    def lines(self, unit):
        """One line for each target. Times are only in the first line of their program."""
        unit = self.unit(unit)
        sides = [(self._side(peer, unit), [t for t in self.targets if t.peer is peer])
                 for peer in self.peers]
        own_targets = [target for target in self.targets if target.peer is None]
        if own_targets or not sides:
            sides.append((NO_PEER, own_targets))
        lines = []
        for cells, targets in sides:
            for number, target in enumerate(targets or [None]):
                lines.append([*(cells if number == 0 else NO_PEER),
                              *(target.cells() if target else [""] * 4)])
        own = self._side(self.ours, unit)[1:] if self.ours else NO_PEER[1:]
        if self.missing or self.failure:
            lines[0][-1] = "skipped" if self.missing else "FAILED"
        return [[*([self.task, *own] if number == 0 else NO_PEER), *line]
                for number, line in enumerate(lines)]

    def notes(self):
        """Further text, which is not in the table."""
        texts = [self.missing, self.failure, self.note,
                 *(side.note for side in [self.ours, *self.peers] if side is not None)]
        return "; ".join(dict.fromkeys(" ".join(note.split()) for note in texts if note))

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
