"""A raw column among others: the twelve problems of conditioning_problems.py at five scales, by three
solvers and both slack norms. The cells and what each has to do: conditioning_cells.py."""

import conditioning_cells as cells
from comparison import Comparison
from rows import Row, Target

MOST_NAMED = 0.1
HEAD = ["problem", "cells", "n_slack: passes", "one_slack: CPU s", "of what is allowed",
        "frank_wolfe: CPU s", "of what is allowed", "primals apart", "scaling named", "MISSED"]


class Worst:
    """Of one problem, over its scales and norms: the line under HEAD."""

    def __init__(self, problem, outcomes, missed):
        own = {cell: outcome for cell, outcome in outcomes.items() if cell.problem == problem}
        self.problem, self.count = problem, len(own)
        self.missed = [cell for cell in missed if cell.problem == problem]
        self.named = [cell for cell, outcome in own.items() if outcome.names_scaling()]
        self.passes = max(outcome.finished.get("passes", 0) for cell, outcome in own.items()
                          if cell.solver == "n_slack")
        self.apart = max(cells.primals_apart(own, group) for group in cells.same_problem(own))
        self.times = {}  # by solver: seconds, and as a part of what is allowed
        for solver in cells.SOLVERS[1:]:
            self.times[solver] = max(
                ((outcome.cpu, outcome.cpu / cells.allowed_cpu(own[cell.twin()]))
                 for cell, outcome in own.items() if cell.solver == solver),
                key=lambda times: times[1])

    def line(self):
        times = [text for seconds, part in self.times.values()
                 for text in (f"{seconds:.2f}", f"{part:.2f}")]
        return [self.problem, self.count, self.passes, *times, f"{self.apart:.1e}",
                len(self.named), len(self.missed)]


class ProblemRow(Row):
    """Of one problem: its `worst` figures go into a table of their own as well."""

    def __init__(self, worst, note):
        super().__init__(f"conditioning, {worst.problem}",
                         targets=[Target("cells missed", len(worst.missed), at_most=0)], note=note)
        self.worst = worst


def rows(bench, chosen=tuple(cells.ALL)):
    runner = cells.Runner(bench.sculpt, bench.folder, cells.SECONDS)
    outcomes = runner.outcomes(chosen, bench.repeats)
    missed = cells.misses(outcomes)
    for problem in dict.fromkeys(cell.problem for cell in chosen):
        worst = Worst(problem, outcomes, missed)
        note = ", ".join(f"{cell}: {missed[cell]} ({outcomes[cell].figures()})"
                         for cell in worst.missed)
        yield ProblemRow(worst, note)
    named = [str(cell) for cell, outcome in outcomes.items() if outcome.names_scaling()]
    yield Row(f"conditioning, all {len(outcomes)} cells",
              targets=[Target("share that names scaling", len(named) / len(outcomes),
                              at_most=MOST_NAMED)],
              note=f"scaling named: {', '.join(named) or 'never'}")


def smoke(bench):
    """One problem at two scales."""
    name = cells.PROBLEMS[0].name
    return rows(bench, [cell for cell in cells.ALL
                        if cell.problem == name and cell.scale in ("1", "1e2")])


def table(all_rows):
    """The lines under HEAD, for the rows that are of a problem."""
    return [row.worst.line() for row in all_rows if isinstance(row, ProblemRow)]


def comparisons():
    return [Comparison("conditioning", rows)]
