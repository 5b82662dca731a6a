"""Sweeps of the sculpt binary, and what is best on held-out data. Used by the tables beside it."""

import json
import pathlib
import tempfile

import runs


def sweep(sculpt, experiment, settings, options=()):
    """The rows of sweep.json, one for each combination of the values that `settings` lists."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "sweep"
        command = [str(sculpt), "sweep", runs.file_of(experiment, scratch), "--output", str(folder),
                   *map(str, options), *runs.options_of(settings)]
        runs.Finished(command).require(0, 3)
        return json.loads((folder / "sweep.json").read_text(encoding="utf-8"))


def held_out(row, metric):
    """The mean of a metric over the folds, or on the part held out."""
    return row["validation"][metric]["mean"]


def best(rows, metric, choose):
    """The row with the best metric held out: `choose` is min or max. Of equals the first."""
    return choose(rows, key=lambda row: held_out(row, metric))


def value_of(row, key):
    """What a row has for a key of the settings, as it was given."""
    return dict(setting.split("=", 1) for setting in row["settings"])[key]


def best_C(sculpt, experiment, settings, options, metric, choose):
    """Of the values that `settings` has for solver.C."""
    rows = sweep(sculpt, experiment, settings, options)
    return value_of(best(rows, metric, choose), "solver.C")


def best_run(sculpt, experiment, tried, metric, choose):
    """Where the split validation chooses: of Runs with each of the settings `tried`, the one with the
    best metric there, and its settings. Of equals the first."""
    done = [(runs.Run(sculpt, experiment, settings), settings) for settings in tried]
    return choose(done, key=lambda one: one[0].finished["validation"][metric])
