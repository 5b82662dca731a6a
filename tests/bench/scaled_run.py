"""What a run would have cost with FACTOR times as many examples, for `sculpt describe --plan`.

    scaled_run.py RUN FACTOR OUTPUT [--batch]

Writes a folder OUTPUT with the event "finished" of RUN, changed:

- A step about all examples has FACTOR times as many. So have predictions, one window a step. Sums
  over all examples keep their ranges and the length of their vector: each range takes FACTOR times
  as long.
- Batches of a fixed size: there are FACTOR times as many steps. With --batch each batch is FACTOR
  times as large, and the number of steps stays.
- Seconds of the oracle, of the QP with its planes, of reading and predicting, and all bytes of answers
  grow by FACTOR. What is done to w alone stays: sums of vectors, steps of the solver, writing.

That the number of passes and of weights stays is an assumption.
"""

import argparse
import json
import os
import shutil

OF_WEIGHTS = ("rest_seconds", "writing_seconds")  # phases
SUMS = "sums over the examples"
WINDOWS = ("predictions", "values of examples")


def scaled_group(group, factor, examples, scales_batch):
    """One group of "division"; `examples`: of the training data."""
    scaled = dict(group)
    scaled["seconds"] *= factor
    scaled["bytes"] *= factor
    if group["step"] == SUMS:
        return scaled
    is_pass = 2 * group["parts"] > examples * group["steps"]
    if group["step"] not in WINDOWS and (is_pass or scales_batch):
        scaled["parts"] *= factor
    else:
        scaled["parts"] *= factor
        scaled["steps"] *= factor
    return scaled


def scaled_event(event, factor, examples, scales_batch):
    """The event "finished" of a run with `factor` times as many examples."""
    division = dict(event["division"])
    division["steps"] = [scaled_group(group, factor, examples, scales_batch)
                         for group in division["steps"]]
    adding = sum(group.get("adding_seconds", 0) for group in division["steps"])
    scaled = dict(event)
    grown = 0
    for key, value in event.items():
        if not key.endswith("_seconds") or key in OF_WEIGHTS:
            continue
        more = (factor - 1) * (value - (adding if key == "reduction_seconds" else 0))
        scaled[key] = value + more
        grown += more
    scaled["seconds"] += grown
    division["seconds"] += grown
    scaled["division"] = division
    return scaled


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("factor", type=int)
    parser.add_argument("output")
    parser.add_argument("--batch", action="store_true", help="batches grow, too")
    options = parser.parse_args()
    with open(os.path.join(options.run, "events.jsonl"), encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    event = scaled_event(events[-1], options.factor, events[0]["examples"], options.batch)
    os.makedirs(options.output)
    shutil.copy(os.path.join(options.run, "config.json"), options.output)
    with open(os.path.join(options.output, "events.jsonl"), "w", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


if __name__ == "__main__":
    main()
