#!/usr/bin/env python3
"""Denoising of binary images, 256 x 256 pixels, with one oracle after the other.

Makes images (configs/data/denoising/generate.py), trains configs/denoising.json with each oracle,
computes the true gap of each run with the exact graph_cut, and predicts the held-out images."""

import pathlib
import tempfile

import runs

GENERATOR = runs.ROOT / "configs/data/denoising/generate.py"
UNARY = {"features.pairs": "none", "features.nonnegative": "[]"}
# Settings that are added to those of the config, by name.
METHODS = {
    "no pairs": UNARY,
    "graph_cut": {},
    "lp": {"oracle": "lp"},
    "icm": {"oracle": "icm"},
    "icm, 5 restarts": {"oracle": '{"use":"icm","restarts":5}'},
    "greedy": {"oracle": "greedy"},
    "belief_propagation": {"oracle": '{"use":"belief_propagation","max_iterations":20}'},
}


def percent(metrics):
    """Returns the share of wrong pixels, with its standard error over the images."""
    pixels = metrics["loss"] / metrics["label_error"] if metrics["label_error"] else 1
    error = 100 * metrics["label_error"]
    return f"{error:.3f} ± {100 * metrics['loss_standard_error'] / pixels:.3f} %"


def row(given, name, folder):
    settings = {"dataset.train": folder / "train.txt", "dataset.test": folder / "test.txt",
                "audit_with": "graph_cut", "predict_with": '["graph_cut"]',
                "solver.max_seconds": given.seconds, **METHODS[name]}
    run = runs.Run(given.sculpt, runs.ROOT / "configs/denoising.json", settings)
    end = run.finished
    calls = end["oracle_calls"]
    oracle_seconds = end["oracle_seconds"]
    true_gap = end["audit"]["relative_gap"]  # None for a relaxed objective
    return [name, runs.relative_gap(end), "-" if true_gap is None else f"{true_gap:.1e}",
            end["passes"], calls, f"{1000 * oracle_seconds / calls:.1f}", f"{end['seconds']:.1f}",
            f"{100 * oracle_seconds / end['seconds']:.0f} %", end["stopped_by"],
            percent(end["test"]), percent(end["predict_with"]["graph_cut"]["test"])]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--side", default="256", help="pixels")
    parser.add_argument("--images", default="8", help="for training, and as many for the test")
    parser.add_argument("--kind", default="gaussian", choices=["gaussian", "flips"])
    parser.add_argument("--noise", default="1", help="standard deviation, or probability")
    parser.add_argument("--seed", default="1", help="of the images")
    parser.add_argument("--seconds", default="300", help="limit for one run")
    parser.add_argument("--only", nargs="+", default=list(METHODS), choices=METHODS)
    given = parser.parse_args()
    head = ["trained with", "claimed gap", "true gap", "passes", "calls", "ms a call", "seconds",
            "in the oracle", "stopped by", "test error", "predicted by graph_cut"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        runs.Finished([str(GENERATOR), str(folder), "--side", given.side, "--train", given.images,
                       "--test", given.images, "--kind", given.kind, "--noise", given.noise,
                       "--seed", given.seed]).require(0)
        rows = [row(given, name, folder) for name in given.only]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
