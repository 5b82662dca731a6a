#!/usr/bin/env python3
"""The cells of the comparison `conditioning`: a problem, the scale of its raw column, a solver and a
slack norm, each a run of the binary.

What a cell has to do: `n_slack` ends certified within 60 passes. The others end certified within 10
times the CPU seconds of their twin, which is the same cell at scale 1, and 1 second more, or with
exit code 3 and a `limited by` that names scaling. All that end agree on the primal. --no-times
leaves out the rule of CPU seconds, for machines that do other work too.

Prints the cells that miss this, each with its command; the exit code is 1 if there are any. A
command needs the data of its cell: --keep FOLDER keeps them, else they are deleted.
"""

import argparse
import dataclasses
import itertools
import json
import pathlib
import shlex
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "reproduce"))

import runs
from conditioning_problems import PROBLEMS

SCALES = ["1", "1e2", "1e4", "1e6", "1e8"]
SOLVERS = ["n_slack", "one_slack", "frank_wolfe"]
NORMS = [1, 2]
MOST_PASSES = 60
MOST_APART = 1e-3
SECONDS = 10  # that a run may take
SLOW = 2  # seconds of CPU: what takes longer runs once


@dataclasses.dataclass(frozen=True)
class Cell:
    problem: str
    scale: str
    solver: str
    norm: int

    def __str__(self):
        return f"{self.problem}/{self.scale}/{self.solver}/{self.norm}"

    def twin(self):
        return dataclasses.replace(self, scale="1")


ALL = [Cell(problem.name, *rest)
       for problem, *rest in itertools.product(PROBLEMS, SCALES, SOLVERS, NORMS)]


def cell_of(text):
    for cell in ALL:
        if str(cell) == text:
            return cell
    raise SystemExit(f"there is no cell '{text}': PROBLEM/SCALE/SOLVER/NORM, such as '{ALL[0]}'")


@dataclasses.dataclass
class Outcome:
    """How a cell ended: `exit`, the medians of CPU seconds, the last event (empty without one), what
    was `said` at the end, and the command that does it again."""

    exit: int
    cpu: float
    finished: dict
    said: str
    command: str

    def is_certified(self):
        return self.exit == 0 and self.finished.get("certified", False)

    def names_scaling(self):
        return self.exit == 3 and "scaling" in self.said

    def figures(self):
        keys = ("passes", "primal", "dual", "relative_gap")
        known = {key: self.finished.get(key) for key in keys}
        told = ", ".join(f"{key} {value:.6g}" for key, value in known.items() if value is not None)
        return f"exit {self.exit}, {self.cpu:.2f} CPU s" + (f", {told}" if told else "")


def allowed_cpu(twin):
    return 10 * twin.cpu + 1


class Runner:
    """Runs cells. `folder` keeps their data and experiments; `seconds`: the max_seconds of a run, of
    which it may use twice as many of CPU."""

    def __init__(self, sculpt, folder, seconds):
        self.sculpt, self.folder, self.seconds = pathlib.Path(sculpt), folder, seconds
        self._problems = {problem.name: problem for problem in PROBLEMS}

    def experiment(self, cell):
        """The path of the config, written anew with its data."""
        stem = f"{cell.problem.replace(' ', '_')}-{cell.scale}"
        path = self.folder / f"{stem}-norm{cell.norm}.json"
        problem = self._problems[cell.problem]
        data = self.folder / f"{stem}.txt"
        data.write_text(problem.write(float(cell.scale)), encoding="ascii")
        path.write_text(json.dumps(problem.experiment(data, cell.norm), indent=1) + "\n",
                        encoding="utf-8")
        return path

    def command(self, cell, output):
        return [str(self.sculpt), "train", str(self.experiment(cell)), "--threads", "1", "--force",
                "--output", str(output),
                *runs.options_of({"solver.use": cell.solver, "solver.max_seconds": self.seconds})]

    def run(self, cell):
        with tempfile.TemporaryDirectory() as scratch:
            output = pathlib.Path(scratch) / "run"
            command = self.command(cell, output)
            limited = ["sh", "-c", f'ulimit -t {2 * self.seconds:.0f}; exec "$@"', "sh", *command]
            done = runs.Finished(limited)
            events = output / "events.jsonl"
            finished = {}
            if done.exit in (0, 3):
                finished = json.loads(events.read_text(encoding="utf-8").splitlines()[-1])
            return Outcome(done.exit, done.cpu, finished, said(done),
                           shlex.join(self.command(cell, "/tmp/run")))

    def outcomes(self, cells, repeats):
        """By cell. A round runs all cells once, but for those that were slow."""
        outcomes = {}
        times = {cell: [] for cell in cells}
        for _ in range(repeats):
            for cell in cells:
                if times[cell] and times[cell][0] > SLOW:
                    continue
                outcome = self.run(cell)
                times[cell].append(outcome.cpu)
                outcomes.setdefault(cell, outcome)
        for cell, outcome in outcomes.items():
            outcome.cpu = statistics.median(times[cell])
        return outcomes


def said(done):
    """The closing advice; of a run that failed its last words."""
    lines = [line.strip() for line in (done.out + "\n" + done.err).splitlines() if line.strip()]
    advice = [line for line in lines if line.startswith(("limited by", "stopped by", "relative gap"))]
    if done.exit in (0, 3) and advice:
        return " | ".join(" ".join(line.split()) for line in advice)
    return " | ".join(lines[-2:])


def misses(outcomes, judges_times=True):
    """What is missed, by cell: a text that says what. Twins are judged, too. `judges_times`: by the
    CPU seconds of the twin as well."""
    missed = {}
    for cell, outcome in outcomes.items():
        if cell.solver == "n_slack":
            passes = outcome.finished.get("passes", 0)
            if not outcome.is_certified():
                missed[cell] = "not certified"
            elif passes > MOST_PASSES:
                missed[cell] = f"{passes} passes"
        elif not outcome.is_certified() and not outcome.names_scaling():
            missed[cell] = "not certified, and scaling is not named"
        elif (judges_times and outcome.is_certified()
              and outcome.cpu > allowed_cpu(outcomes[cell.twin()])):
            missed[cell] = f"{outcome.cpu:.2f} CPU s, the twin {outcomes[cell.twin()].cpu:.2f}"
    for group in same_problem(outcomes):
        apart = primals_apart(outcomes, group)
        if apart > MOST_APART:
            missed.setdefault(group[0], f"the primals of the solvers are {apart:.2g} apart")
    return missed


def same_problem(cells):
    """Lists of cells that differ by their solvers alone."""
    groups = {}
    for cell in cells:
        groups.setdefault((cell.problem, cell.scale, cell.norm), []).append(cell)
    return list(groups.values())


def primals_apart(outcomes, group):
    primals = [outcomes[cell].finished["primal"] for cell in group if outcomes[cell].is_certified()]
    return max(primals) / min(primals) - 1 if primals and min(primals) > 0 else 0


def report(outcomes, missed):
    """Markdown: the cells that miss, and those that end with a word about scaling."""
    named = [cell for cell, outcome in outcomes.items() if outcome.names_scaling()]
    lines = [f"{len(outcomes)} cells, {len(missed)} missed, {len(named)} end with exit code 3 and "
             "name scaling.", ""]
    for title, cells in (("Missed", missed), ("Scaling named", named)):
        lines.extend([f"## {title}: {len(cells)}", ""] if cells else [])
        for cell in cells:
            outcome = outcomes[cell]
            lines += [f"- `{cell}`: {missed.get(cell, 'stopped')}. {outcome.figures()}",
                      f"    {outcome.said}", f"    {outcome.command}"]
    return "\n".join(lines) + "\n"


def with_twins(cells):
    """Twins first, each once."""
    return list(dict.fromkeys([*(cell.twin() for cell in cells if cell.solver != "n_slack"), *cells]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sculpt", default=runs.ROOT / "build/release/bin/sculpt", help="the binary")
    parser.add_argument("--cells", nargs="+", help="some alone, and the twins they need (all)")
    parser.add_argument("--list", action="store_true", help="the names of the cells")
    parser.add_argument("--repeat", type=int, default=1, help="rounds of each (1)")
    parser.add_argument("--seconds", type=float, default=SECONDS,
                        help=f"max_seconds of a run ({SECONDS})")
    parser.add_argument("--no-times", action="store_true", help="CPU seconds are not judged")
    parser.add_argument("--keep", type=pathlib.Path, help="the folder for data and experiments")
    given = parser.parse_args()
    if given.list:
        print(*ALL, sep="\n")
        return 0
    cells = with_twins([cell_of(text) for text in given.cells] if given.cells else ALL)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        outcomes = Runner(given.sculpt, folder, given.seconds).outcomes(cells, given.repeat)
    missed = misses(outcomes, not given.no_times)
    print(report(outcomes, missed), end="")
    if missed and not given.keep:
        print("keep the data to repeat a command: --keep FOLDER")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
