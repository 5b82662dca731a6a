"""Training runs of the sculpt binary, and what their events say. Used by the tables beside it and
by tests/bench."""

import argparse
import hashlib
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--sculpt", default=ROOT / "build/release/bin/sculpt", help="the binary")
    parser.add_argument("--json", help="also write the rows to this file")
    return parser


def data_folder():
    folder = pathlib.Path(os.environ.get("SCULPT_DATA", ROOT / "../shared/data")).resolve()
    if not folder.is_dir():
        raise SystemExit(f"no data: there is no folder {folder}; SCULPT_DATA says where it is")
    return folder


class Finished:
    """A program that has run: `exit`, `out` and `err` (text), and `wall` and `cpu` in seconds."""

    def __init__(self, command):
        self.command = " ".join(command)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            begin = time.perf_counter()
            process = subprocess.Popen(command, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            self.wall = time.perf_counter() - begin
            process.returncode = self.exit = os.waitstatus_to_exitcode(status)
            self.cpu = usage.ru_utime + usage.ru_stime
            self.out, self.err = (_text(stream) for stream in (out, err))

    def require(self, *exits):
        if self.exit not in exits:
            raise SystemExit(f"{self.command}\nexit {self.exit}\n{self.out}\n{self.err}")
        return self


def _text(stream):
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


class Run:
    """One finished run: `started`, `passes`, `last_pass` and `finished` are its events, `exit` the
    exit code, `wall` and `cpu` the seconds of the process, `model` the hash of the model."""

    def __init__(self, sculpt, experiment, settings, options=()):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch) / "run"
            command = [str(sculpt), "train", str(experiment), "--output", str(folder), *options]
            for key, value in settings.items():
                command += ["--set", f"{key}={value}"]
            done = Finished(command)
            self.exit, self.wall, self.cpu = done.exit, done.wall, done.cpu
            if done.exit not in (0, 3):
                raise SystemExit(f"{' '.join(command)}\nexit {done.exit}\n{done.err}")
            self.model = hashlib.sha256((folder / "model.sculpt").read_bytes()).hexdigest()
            with open(folder / "events.jsonl", encoding="utf-8") as lines:
                events = [json.loads(line) for line in lines]
        self.started = events[0]
        self.finished = events[-1]
        self.passes = [event for event in events if event["event"] == "pass"]
        self.last_pass = self.passes[-1]


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


