"""Compares the optimum of the solver crf on single labels with scikit-learn's softmax regression.

    softmax_reference.py SCULPT DATA_FOLDER      the folder if SCULPT_DATA is not set

Both minimize 1/2 ||W||^2 + C/n sum of log-losses: the C of scikit-learn is C/n. Prints "SKIPPED: "
with the reason if scikit-learn or the data is not there. Exits with 1 if the optima differ.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 1e-5  # relative; scikit-learn stops at a gradient of 1e-7


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(0)


def train(sculpt, features_file, c, folder):
    experiment = {
        "dataset": {"use": "svmlight", "train": str(features_file)},
        "features": {"use": "multiclass", "bias": False},
        "loss": "zero_one",
        "oracle": "enumerate",
        "solver": {"use": "crf", "C": c, "relative_gap": 1e-9, "max_passes": 20000},
    }
    config = folder / "softmax.json"
    config.write_text(json.dumps(experiment))
    run = folder / "run"
    subprocess.run([sculpt, "train", config, "--output", run, "--force"], check=True, capture_output=True)
    return json.loads((run / "events.jsonl").read_text().splitlines()[-1])


def reference_optimum(rows, labels, c):
    """The primal at the weights of scikit-learn, computed from its definition."""
    import numpy
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(
        C=c / len(labels), fit_intercept=False, tol=1e-9, max_iter=100000, multi_class="multinomial"
    )
    model.fit(rows, labels)
    scores = rows @ model.coef_.T
    largest = scores.max(axis=1)
    log_z = largest + numpy.log(numpy.exp(scores - largest[:, None]).sum(axis=1))
    of_truth = scores[numpy.arange(len(labels)), numpy.searchsorted(model.classes_, labels)]
    return 0.5 * (model.coef_**2).sum() + c * (log_z - of_truth).mean()


def main(sculpt, data):
    try:
        from sklearn.datasets import load_svmlight_file
    except ImportError:
        skip("scikit-learn is not installed (configs/setup slow)")
    failed = False
    for name, c in [("optdigits", 50), ("letter", 400)]:
        file = data / "multiclass" / f"{name}.train.svml"
        if not file.exists():
            skip(f"{file} is not there; set SCULPT_DATA to the folder of the data sets")
        rows, labels = load_svmlight_file(str(file))
        rows = rows[:4000].toarray()
        labels = labels[:4000]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            kept = folder / "rows.svml"
            kept.write_text("".join(f"{line}\n" for line in file.read_text().splitlines()[:4000]))
            finished = train(sculpt, kept, c, folder)
        expected = reference_optimum(rows, labels, c)
        difference = abs(finished["primal"] - expected) / expected
        print(f"{name}: sculpt {finished['primal']:.9g}, scikit-learn {expected:.9g}, difference {difference:.2e}")
        failed |= not difference <= TOLERANCE
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(os.environ.get("SCULPT_DATA") or sys.argv[2]))
