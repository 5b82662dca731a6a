"""Problems with one column at a much larger scale: the twelve problems of conditioning_problems.py,
five scales, three solvers, both slack norms. The requirements are in conditioning_cells.py."""

import conditioning_cells as cells
from comparison import Comparison
from rows import Row, Target

MAX_NAMED = 0.1  # share of the cells that may name scaling
HEAD = ["problem", "cells", "n_slack: passes", "one_slack: CPU s", "of what is allowed",
        "frank_wolfe: CPU s", "of what is allowed", "primals apart", "scaling named", "MISSED"]


class Worst:
    """The worst figures of one problem over its scales and norms: a line under HEAD."""

    def __init__(self, problem, outcomes, missed):
        of_problem = {cell: outcome for cell, outcome in outcomes.items()
                      if cell.problem == problem}
        self.problem, self.count = problem, len(of_problem)
        self.missed = [cell for cell in missed if cell.problem == problem]
        self.named = [cell for cell, outcome in of_problem.items()
                      if outcome.names_scaling()]
        self.passes = max(outcome.finished.get("passes", 0) for cell, outcome in of_problem.items()
                          if cell.solver == "n_slack")
        self.primal_difference = max(cells.primal_difference(of_problem, group)
                                     for group in cells.same_problem(of_problem))
        self.times = {}  # by solver: seconds, and their share of the limit
        for solver in cells.SOLVERS[1:]:
            self.times[solver] = max(
                ((outcome.cpu, outcome.cpu / cells.max_cpu(of_problem[cell.twin()]))
                 for cell, outcome in of_problem.items() if cell.solver == solver),
                key=lambda times: times[1])

    def line(self):
        times = [text for seconds, share in self.times.values()
                 for text in (f"{seconds:.2f}", f"{share:.2f}")]
        return [self.problem, self.count, self.passes, *times, f"{self.primal_difference:.1e}",
                len(self.named), len(self.missed)]


class ProblemRow(Row):
    """The row of one problem. Its `worst` figures are also in a table of their own."""

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
                              at_most=MAX_NAMED)],
              note=f"scaling named: {', '.join(named) or 'never'}")


def smoke(bench):
    """One problem at two scales."""
    name = cells.PROBLEMS[0].name
    return rows(bench, [cell for cell in cells.ALL
                        if cell.problem == name and cell.scale in ("1", "1e2")])


def table(all_rows):
    """Returns the lines under HEAD from the ProblemRows."""
    return [row.worst.line() for row in all_rows if isinstance(row, ProblemRow)]


def comparisons():
    return [Comparison("conditioning", rows)]
