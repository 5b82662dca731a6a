"""Runs the sculpt binary and reads its events. Used by the scripts in this folder and by
tests/bench."""

import argparse
import hashlib
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--sculpt", default=ROOT / "build/release/bin/sculpt", help="the binary")
    parser.add_argument("--json", help="also write the rows to this file")
    return parser


def data_folder():
    """Returns the data folder, and makes SCULPT_DATA absolute. A config would take a relative path
    from its own folder."""
    folder = pathlib.Path(os.environ.get("SCULPT_DATA", ROOT / "../shared/data")).resolve()
    if not folder.is_dir():
        raise SystemExit(f"no data: there is no folder {folder}; SCULPT_DATA says where it is")
    os.environ["SCULPT_DATA"] = str(folder)
    return folder


def data_file(name):
    """Returns the path of a data file. Exits if it is missing."""
    path = data_folder() / name
    if not path.is_file():
        raise SystemExit(f"no data: there is no {path}; SCULPT_DATA says where data is")
    return path


def data_files(*names):
    return [data_file(name) for name in names]


def with_data(names, files_of):
    """Returns the names whose files `files_of(name)` exist. Prints which files of the others are
    missing."""
    data_folder()
    available = []
    for name in names:
        try:
            data_files(*files_of(name))
            available.append(name)
        except SystemExit as reason:
            print(f"{name} is skipped: {reason}", file=sys.stderr)
    if not available:
        raise SystemExit("nothing is left to do")
    return available


class Finished:
    """A finished program: `exit`, `out` and `err` (text), and `wall` and `cpu` in seconds."""

    def __init__(self, command):
        self.command = shlex.join(command)
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


def options_of(settings):
    """Returns settings as options of the command line. A list holds values for a sweep."""
    options = []
    for key, value in settings.items():
        text = ",".join(map(str, value)) if isinstance(value, list) else value
        options += ["--set", f"{key}={text}"]
    return options


def file_of(experiment, folder):
    """Returns the file of an experiment. A dict, with absolute paths, is written to a file in
    `folder`."""
    if not isinstance(experiment, dict):
        return str(experiment)
    path = pathlib.Path(folder) / "experiment.json"
    path.write_text(json.dumps(experiment), encoding="utf-8")
    return str(path)


class Run:
    """One finished run of an experiment, which is a file or a dict. `started`, `passes`,
    `last_pass` and `finished` are its events, `exit` the exit code, `wall` and `cpu` the seconds of
    the process, `model` the hash of the model. If `folder` is given, the run folder is kept
    there."""

    def __init__(self, sculpt, experiment, settings, options=(), folder=None):
        with tempfile.TemporaryDirectory() as scratch:
            output = pathlib.Path(folder or pathlib.Path(scratch) / "run")
            done = Finished([str(sculpt), "train", file_of(experiment, scratch), "--output",
                             str(output), "--force", *options, *options_of(settings)])
            done.require(0, 3)
            self.exit, self.wall, self.cpu = done.exit, done.wall, done.cpu
            self.model = hashlib.sha256((output / "model.sculpt").read_bytes()).hexdigest()
            with open(output / "events.jsonl", encoding="utf-8") as lines:
                events = [json.loads(line) for line in lines]
        self.started = events[0]
        self.finished = events[-1]
        self.passes = [event for event in events if event["event"] == "pass"]
        self.last_pass = self.passes[-1]


def evaluate(sculpt, model, path):
    """Returns the metrics of a model, or of the model of a run, on a file."""
    command = [str(sculpt), "evaluate", str(model), str(path), "--json"]
    return json.loads(Finished(command).require(0).out)


def relative_gap(event):
    """Returns the relative gap of a run as text, "-" for a solver without objective."""
    gap = event["relative_gap"]
    return "-" if gap is None else f"{gap:.1e}" + ("" if event["certified"] else ", not certified")


def mean_and_deviation(values):
    """Returns the mean and the standard deviation (n - 1)."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))


def mean_with_error(values, digits):
    """Returns the mean as text, with its standard error if there are two or more values."""
    mean, deviation = mean_and_deviation(values)
    error = f" ± {deviation / math.sqrt(len(values)):.{digits}f}" if len(values) > 1 else ""
    return f"{mean:.{digits}f}{error}"


def print_table(head, rows):
    """Prints a table as Markdown, with aligned columns."""
    table = [head] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    for number, row in enumerate(table):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def write_tables(path, *tables):
    """Writes the rows of all tables as JSON. Each table is a head and rows. Does nothing without a
    path."""
    if path:
        records = [dict(zip(head, row)) for head, rows in tables for row in rows]
        pathlib.Path(path).write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


def write_rows(path, head, rows):
    write_tables(path, (head, rows))


def read_sentences(path, count):
    """Returns the first `count` sentences of a CoNLL file as text, all for None."""
    return pathlib.Path(path).read_text(encoding="utf-8").strip().split("\n\n")[:count]


def write_sentences(path, sentences):
    pathlib.Path(path).write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
