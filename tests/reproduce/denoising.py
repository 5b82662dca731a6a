#!/usr/bin/env python3
"""Binary images out of noise, 256 x 256 pixels, one oracle in place of the other.

Makes images (configs/data/denoising/generate.py), trains configs/denoising.json with each oracle,
asks graph_cut, which is exact, what each run has truly reached, and predicts the held-out
images."""

import pathlib
import tempfile

import runs

GENERATOR = runs.ROOT / "configs/data/denoising/generate.py"
UNARY = {"features.pairs": "none", "features.nonnegative": "[]"}
# Name, and settings beside those of the config.
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
    """The share of the pixels that are wrong, with its standard error over the images."""
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
    busy = end["oracle_seconds"]
    true = end["audit"]["relative_gap"]  # none of a relaxed objective
    return [name, runs.relative_gap(end), "-" if true is None else f"{true:.1e}", end["passes"],
            calls, f"{1000 * busy / calls:.1f}", f"{end['seconds']:.1f}",
            f"{100 * busy / end['seconds']:.0f} %", end["stopped_by"],
            percent(end["test"]), percent(end["predict_with"]["graph_cut"]["test"])]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--side", default="256", help="pixels")
    parser.add_argument("--images", default="8", help="to train with, and as many to test")
    parser.add_argument("--kind", default="gaussian", choices=["gaussian", "flips"])
    parser.add_argument("--noise", default="1", help="standard deviation, or probability")
    parser.add_argument("--seed", default="1", help="of the images")
    parser.add_argument("--seconds", default="300", help="at most, for one run")
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
