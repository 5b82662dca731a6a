"""Where the time of our own runs goes, by their events."""

PHASES = ["reading", "oracle", "sweep", "qp", "reduction", "evaluation", "writing", "rest"]
HEAD = ["task", "seconds", "reading", "oracle", "sweeps", "QP", "reduction", "evaluation",
        "writing", "rest"]


def of_run(finished):
    """Seconds by phase, of the event that ends a run; they add up to its seconds."""
    return {phase: finished[f"{phase}_seconds"] for phase in PHASES}


def table(rows):
    """The lines under HEAD, in per cent, for the rows that have a run of ours."""
    lines = []
    for row in rows:
        if row.ours is not None and row.ours.split:
            seconds = sum(row.ours.split.values())
            lines.append([row.task, f"{seconds:.2f}",
                          *(f"{100 * part / seconds:.0f} %" for part in row.ours.split.values())])
    return lines
