#!/usr/bin/env python3
"""Alignment of proteins with trained weights and with the BLOSUM62 matrix: Q and Q4 on the test
half of PREFAB. Gap costs of BLOSUM62 are tuned on the training half. In the shape of Yu, Joachims,
Elber and Pillardy, J. Comput. Biol. 2008, who had other pairs, and more features than letters.

Both align globally with affine gaps, also at the ends. Fixed weights replace the trained weights in
a model file. C has the least loss on a held-out third of the training half, unless --C has one
value."""

import itertools
import pathlib
import tempfile

import model_file
import runs
import sweeps

LETTERS = "ARNDCQEGHILKMFPSTWYV"  # the order of the alphabet `protein`
OPENINGS = [8, 10, 12, 16, 20]
EXTENSIONS = [0.5, 1, 2, 3]
FIXED = "BLOSUM62"
MODELS = {
    "match": {"model": "match"},
    "simple": {},
    "window 1": {"window": 1},
    "window 2": {"window": 2},
}


def data(split):
    return runs.data_file(f"protein/prefab.{split}.pairs.fa")


def experiment(train, within, features):
    return {
        "name": "protein_alignment",
        "dataset": {"use": "pairs_fasta", "alphabet": "protein", "train": str(train),
                    "test": str(data("test"))},
        "features": {"use": "alignment"} | features,
        "loss": {"use": "q", "within": within},
        "oracle": "alignment",
        "solver": {"use": "n_slack", "relative_gap": 1e-2},
    }


def blosum62():
    """Returns the weights of pairs of letters in the order of the features."""
    rows = {}
    text = runs.data_file("protein/BLOSUM62").read_text(encoding="ascii")
    head = None
    for fields in (line.split() for line in text.splitlines() if line and not line.startswith("#")):
        if head is None:
            head = fields
        else:
            rows[fields[0]] = dict(zip(head, map(float, fields[1:])))
    return [rows[p][q] for k, p in enumerate(LETTERS) for q in LETTERS[k:]]


def write_pairs(path, count):
    """Writes the first `count` pairs of the training half."""
    pairs = runs.read_sentences(data("train"), count)
    path.write_text("\n\n".join(pairs) + "\n", encoding="utf-8")


def untrained(given, folder, features):
    """Returns the bytes of a model with features of all letters. Its weights are to be replaced.
    It is evaluated with Q4."""
    few = folder / "few.fa"
    write_pairs(few, 3)
    runs.Run(given.sculpt, experiment(few, 4, features), {"solver.max_passes": 1},
             folder=folder / "few")
    return (folder / "few/model.sculpt").read_bytes()


def fixed_row(given, folder):
    model = untrained(given, folder, {})

    def measure(opening, extension, path):
        # the first letter of a gap costs `opening`, each further letter `extension`
        weights = blosum62() + [-extension, extension - opening]
        (folder / "fixed.sculpt").write_bytes(model_file.with_weights(model, weights))
        return runs.evaluate(given.sculpt, folder / "fixed.sculpt", path)

    tune = folder / "tune.fa"
    write_pairs(tune, given.tune)
    tried = {gaps: measure(*gaps, tune)["q_within"]
             for gaps in itertools.product(OPENINGS, EXTENSIONS)}
    best = max(tried, key=tried.get)
    test = measure(*best, data("test"))
    return [f"{FIXED}, gaps {best[0]} + {best[1]} a further letter", "-", "-", "-", "-", "-", "-",
            *figures(test)]


def figures(report):
    return [f"{100 * report['q_exact']:.1f}", f"{100 * report['q_within']:.1f}"]


def trained_row(given, folder, name, within):
    config = experiment(data("train"), within, MODELS[name])
    C = given.C[0]
    if len(given.C) > 1:
        C = sweeps.best_C(given.sculpt, config | {"hold_out": {"fraction": 0.33}},
                          {"solver.C": given.C}, [], "loss", min)
    run = runs.Run(given.sculpt, config, {"solver.C": C}, folder=folder / "run")
    last = run.last_pass
    weights = model_file.weights_of((folder / "run/model.sculpt").read_bytes())
    model = folder / "trained.sculpt"
    model.write_bytes(model_file.with_weights(untrained(given, folder, MODELS[name]), weights))
    return [f"{name}, trained with Q{within or ''}", C, f"{last['primal']:.4g}",
            f"{last['relative_gap']:.1e}", last["pass"], last["planes"], f"{run.wall:.0f}",
            *figures(runs.evaluate(given.sculpt, model, data("test")))]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--models", nargs="*", default=[FIXED, *MODELS],
                        choices=[FIXED, *MODELS])
    parser.add_argument("--C", nargs="+", default=["1", "10", "100"])
    parser.add_argument("--within", nargs="+", type=int, default=[4],
                        help="`within` of the losses in training")
    parser.add_argument("--tune", type=int, default=300, help="pairs that gap costs are tuned on")
    given = parser.parse_args()
    head = ["weights", "C", "P", "relative gap", "passes", "planes", "seconds", "test Q, %",
            "test Q4, %"]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        if FIXED in given.models:
            rows.append(fixed_row(given, folder))
        rows += [trained_row(given, folder, name, within)
                 for name in given.models if name != FIXED for within in given.within]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
