"""Training runs of the sculpt binary, and what their events say. Used by the tables beside it."""

import argparse
import json
import math
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--sculpt", default=ROOT / "build/release/bin/sculpt", help="the binary")
    parser.add_argument("--json", help="also write the rows to this file")
    return parser


def data_folder():
    folder = pathlib.Path(os.environ.get("SCULPT_DATA", ROOT / "../shared/data")).resolve()
    if not folder.is_dir():
        raise SystemExit(f"no data: SCULPT_DATA is unset and there is no {folder}")
    return folder


class Run:
    """One finished run: `started`, `last_pass` and `finished` are its events, `exit` the exit code."""

    def __init__(self, sculpt, experiment, settings):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "run"
            command = [str(sculpt), "train", str(experiment), "--output", str(folder)]
            for key, value in settings.items():
                command += ["--set", f"{key}={value}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.exit = done.returncode
            if done.returncode not in (0, 3):
                raise SystemExit(f"{' '.join(command)}\nexit {done.returncode}\n{done.stderr}")
            with open(folder / "events.jsonl", encoding="utf-8") as lines:
                events = [json.loads(line) for line in lines]
        self.started = events[0]
        self.finished = events[-1]
        self.last_pass = [event for event in events if event["event"] == "pass"][-1]


def mean_and_deviation(values):
    """The mean, and the standard deviation over the runs (n - 1)."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def print_table(head, rows):
    """Markdown, as wide as it needs to be."""
    table = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    for number, row in enumerate(table):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def write_rows(path, head, rows):
    if path:
        records = [dict(zip(head, row)) for row in rows]
        pathlib.Path(path).write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


def read_sentences(path, count):
    """The first `count` sentences of a CoNLL file, as text."""
    return pathlib.Path(path).read_text(encoding="utf-8").strip().split("\n\n")[:count]


def write_sentences(path, sentences):
    pathlib.Path(path).write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")


