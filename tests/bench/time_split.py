"""The time that our own runs spend in each phase, from their events."""

PHASES = ["reading", "oracle", "sweep", "qp", "reduction", "evaluation", "writing", "rest"]
HEAD = ["task", "seconds", "reading", "oracle", "sweeps", "QP", "reduction", "evaluation",
        "writing", "rest"]


def of_run(finished):
    """Seconds by phase, from the last event of a run. Their sum is the time of the run."""
    return {phase: finished[f"{phase}_seconds"] for phase in PHASES}


def table(rows):
    """The lines under HEAD, in per cent, for the rows with a run of sculpt."""
    lines = []
    for row in rows:
        if row.ours is not None and row.ours.split:
            seconds = sum(row.ours.split.values())
            lines.append([row.task, f"{seconds:.2f}",
                          *(f"{100 * part / seconds:.0f} %" for part in row.ours.split.values())])
    return lines
