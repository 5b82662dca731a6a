"""What a run would have cost with FACTOR times as many examples, for `sculpt describe --plan`.

    scaled_run.py RUN FACTOR OUTPUT [--batch]

Writes a folder OUTPUT with the event "finished" of RUN, changed:

- A step about all examples has FACTOR times as many. So have predictions, one window a step. Sums
  over all examples keep their ranges and the length of their vector: each range takes FACTOR times
  as long.
- Batches of a fixed size: there are FACTOR times as many steps. With --batch each batch is FACTOR
  times as large, and the number of steps stays.
- All seconds, all bytes of answers, and the work that is not divided grow by FACTOR: reading, the
  QP with its planes, writing. The vector of a sum is added as often as before.

That the number of passes and of weights stays is an assumption.
"""

import argparse
import json
import os
import shutil

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
    scaled = {key: value * factor if key.endswith("seconds") else value
              for key, value in event.items()}
    division = dict(event["division"])
    division["steps"] = [scaled_group(group, factor, examples, scales_batch)
                         for group in division["steps"]]
    # Sums of vectors do not become longer.
    adding = sum(group.get("adding_seconds", 0) for group in division["steps"])
    division["seconds"] = division["seconds"] * factor - (factor - 1) * adding
    scaled["seconds"] -= (factor - 1) * adding
    scaled["reduction_seconds"] -= (factor - 1) * adding
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
