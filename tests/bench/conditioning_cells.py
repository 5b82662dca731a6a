#!/usr/bin/env python3
"""The cells of the comparison `conditioning`. A cell is one training run: a problem, the scale of
its raw column, a solver and a slack norm. The twin of a cell is the same cell at scale 1.

Requirements: `n_slack` ends certified within 60 passes. The other solvers end certified within 10
times the CPU seconds of their twin and 1 second more. They may also end with exit code 3 and a
`limited by` that names scaling. Certified primals of one problem agree to 1e-3. --no-times drops the rule of CPU
seconds, for busy machines.

Prints the cells that miss a requirement, with their commands. Then the exit code is 1. A command
needs the data of its cell: --keep FOLDER keeps them, else they are deleted.
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
MAX_PASSES = 60
MAX_PRIMAL_DIFFERENCE = 1e-3
SECONDS = 10  # limit for a run
SLOW = 2  # seconds of CPU: longer cells run once


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
    """The end of a cell: the exit code, the median of CPU seconds, the last event (empty without
    one), the closing advice, and the command that repeats it."""

    exit: int
    cpu: float
    finished: dict
    advice: str
    command: str

    def is_certified(self):
        return self.exit == 0 and self.finished.get("certified", False)

    def names_scaling(self):
        return self.exit == 3 and "scaling" in self.advice

    def figures(self):
        keys = ("passes", "primal", "dual", "relative_gap")
        known = {key: self.finished.get(key) for key in keys}
        text = ", ".join(f"{key} {value:.6g}" for key, value in known.items() if value is not None)
        return f"exit {self.exit}, {self.cpu:.2f} CPU s" + (f", {text}" if text else "")


def max_cpu(twin):
    return 10 * twin.cpu + 1


class Runner:
    """Runs cells. `folder` holds their data and experiments. `seconds` is the max_seconds of a run.
    Its limit of CPU seconds is twice that."""

    def __init__(self, sculpt, folder, seconds):
        self.sculpt, self.folder, self.seconds = pathlib.Path(sculpt), folder, seconds
        self._problems = {problem.name: problem for problem in PROBLEMS}

    def experiment(self, cell):
        """Writes the experiment and its data. Returns the path of the experiment."""
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
            return Outcome(done.exit, done.cpu, finished, closing_advice(done),
                           shlex.join(self.command(cell, "/tmp/run")))

    def outcomes(self, cells, repeats):
        """Returns the Outcome of each cell. A round runs all cells once, except slow cells."""
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


def closing_advice(done):
    """Returns the closing advice of a run, or the last two lines of a run that failed."""
    lines = [line.strip() for line in (done.out + "\n" + done.err).splitlines() if line.strip()]
    beginnings = ("limited by", "stopped by", "relative gap")
    advice = [line for line in lines if line.startswith(beginnings)]
    if done.exit in (0, 3) and advice:
        return " | ".join(" ".join(line.split()) for line in advice)
    return " | ".join(lines[-2:])


def misses(outcomes, judges_times=True):
    """Returns the cells that miss a requirement, each with a text that says which. Twins are
    judged, too. `judges_times`: CPU seconds are judged as well."""
    missed = {}
    for cell, outcome in outcomes.items():
        if cell.solver == "n_slack":
            passes = outcome.finished.get("passes", 0)
            if not outcome.is_certified():
                missed[cell] = "not certified"
            elif passes > MAX_PASSES:
                missed[cell] = f"{passes} passes"
        elif not outcome.is_certified() and not outcome.names_scaling():
            missed[cell] = "not certified, and scaling is not named"
        elif (judges_times and outcome.is_certified()
              and outcome.cpu > max_cpu(outcomes[cell.twin()])):
            missed[cell] = f"{outcome.cpu:.2f} CPU s, the twin {outcomes[cell.twin()].cpu:.2f}"
    for group in same_problem(outcomes):
        difference = primal_difference(outcomes, group)
        if difference > MAX_PRIMAL_DIFFERENCE:
            missed.setdefault(group[0],
                              f"the primals of the solvers are {difference:.2g} apart")
    return missed


def same_problem(cells):
    """Returns lists of cells that differ only in their solvers."""
    groups = {}
    for cell in cells:
        groups.setdefault((cell.problem, cell.scale, cell.norm), []).append(cell)
    return list(groups.values())


def primal_difference(outcomes, group):
    """Returns the largest relative difference of the certified primals."""
    primals = [outcomes[cell].finished["primal"] for cell in group if outcomes[cell].is_certified()]
    return max(primals) / min(primals) - 1 if primals and min(primals) > 0 else 0


def report(outcomes, missed):
    """Returns Markdown: the cells that miss a requirement, and those that name scaling."""
    named = [cell for cell, outcome in outcomes.items() if outcome.names_scaling()]
    lines = [f"{len(outcomes)} cells, {len(missed)} missed, {len(named)} end with exit code 3 and "
             "name scaling.", ""]
    for title, cells in (("Missed", missed), ("Scaling named", named)):
        lines.extend([f"## {title}: {len(cells)}", ""] if cells else [])
        for cell in cells:
            outcome = outcomes[cell]
            lines += [f"- `{cell}`: {missed.get(cell, 'stopped')}. {outcome.figures()}",
                      f"    {outcome.advice}", f"    {outcome.command}"]
    return "\n".join(lines) + "\n"


def with_twins(cells):
    """Returns the cells and the twins that they need, twins first, each cell once."""
    twins = [cell.twin() for cell in cells if cell.solver != "n_slack"]
    return list(dict.fromkeys([*twins, *cells]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sculpt", default=runs.ROOT / "build/release/bin/sculpt",
                        help="the binary")
    parser.add_argument("--cells", nargs="+", help="only these cells, and their twins (all)")
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
