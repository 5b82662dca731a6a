"""The events of a run folder, and what they tell about its run."""

import json
import math
import os
import pathlib

_REACHED = ("epsilon", "residual")  # as has_reached_target() of core/solver/solver.cpp
_FIELDS = ("pass", "oracle_calls", "primal", "dual", "gap", "relative_gap", "certified", "seconds")


def events_of(folder) -> "list[dict]":
    """The events: started, each pass, finished. A last line that is not whole is left out: the run
    writes it now, or was killed then. Raises OSError and ValueError."""
    text = pathlib.Path(folder, "events.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]


def story_of(folder) -> "tuple[list[tuple], bool | None]":
    """The fields of each pass in the order of Pass, NaN where a number is not known; and whether
    the run reached its target, None if it has not finished. ([], None) without events."""
    if not os.path.exists(os.path.join(folder, "events.jsonl")):
        return [], None
    passes, reached = {}, None
    for event in events_of(folder):
        if event["event"] == "pass":  # a run that was continued may tell one twice
            passes[event["pass"]] = tuple(math.nan if event.get(name) is None else event[name]
                                          for name in _FIELDS)
        elif event["event"] == "finished":
            rule = event.get("stopped_by")
            reached = rule in _REACHED or (rule == "relative_gap" and bool(event.get("certified")))
        else:
            reached = None if event["event"] in ("started", "resumed") else reached
    return list(passes.values()), reached
