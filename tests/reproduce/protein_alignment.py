#!/usr/bin/env python3
"""What learned weights are worth for aligning proteins: Q and Q4 on the test half of PREFAB, of the
BLOSUM62 matrix with gap costs tuned on the training half, and of trained weights; in shape as in Yu,
Joachims, Elber and Pillardy, J. Comput. Biol. 2008, who had other pairs and knew more than letters.

Both align globally with affine gaps, those at the ends included. Fixed weights take the place of
trained ones in a model file. C of trained weights is that of the least loss on a third of the
training half held out, unless --C has one value only."""

import ctypes
import ctypes.util
import itertools
import json
import pathlib
import struct
import tempfile

import runs

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
    return runs.data_folder() / f"protein/prefab.{split}.pairs.fa"


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
    """The weights of pairs in the order of the features."""
    rows = {}
    lines = (runs.data_folder() / "protein/BLOSUM62").read_text(encoding="ascii").splitlines()
    head = None
    for fields in (line.split() for line in lines if line and not line.startswith("#")):
        if head is None:
            head = fields
        else:
            rows[fields[0]] = dict(zip(head, map(float, fields[1:])))
    return [rows[p][q] for k, p in enumerate(LETTERS) for q in LETTERS[k:]]


def place_of_weights(model):
    """The entry for the weights in the header of a model file."""
    size, = struct.unpack_from("<Q", model, 8)
    return json.loads(model[16:16 + size])["arrays"]["weights"]


def weights_of(model):
    array = place_of_weights(model)
    return list(struct.unpack_from(f"<{array['shape'][0]}d", model, array["offset"]))


def with_weights(model, weights):
    """The bytes of a model file with these weights in place of its own."""
    raw = bytearray(model[:-8])
    array = place_of_weights(model)
    if array["shape"] != [len(weights)]:
        raise SystemExit(f"the model has {array['shape']} weights, not {len(weights)}")
    struct.pack_into(f"<{len(weights)}d", raw, array["offset"], *weights)
    library = ctypes.CDLL(ctypes.util.find_library("xxhash"))
    library.XXH3_64bits.restype = ctypes.c_uint64
    library.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return bytes(raw) + struct.pack("<Q", library.XXH3_64bits(bytes(raw), len(raw)))


def evaluate(given, model, path):
    command = [str(given.sculpt), "evaluate", str(model), str(path), "--json"]
    return json.loads(runs.Finished(command).require(0).out)


def untrained(given, folder, features):
    """The bytes of a model with all letters, whatever its weights are; evaluates by Q4."""
    few = folder / "few.fa"
    few.write_text("\n\n".join(runs.read_sentences(data("train"), 3)) + "\n", encoding="utf-8")
    config = folder / "few.json"
    config.write_text(json.dumps(experiment(few, 4, features)), encoding="utf-8")
    done = runs.Finished([str(given.sculpt), "train", str(config), "--output", str(folder / "few"),
                          "--force", "--set", "solver.max_passes=1"])
    return (done.require(0, 3) and folder / "few/model.sculpt").read_bytes()


def fixed_row(given, folder):
    model = untrained(given, folder, {})

    def measured(opening, extension, path):
        # the first letter of a gap costs `opening`, each further one `extension`
        weights = blosum62() + [-extension, extension - opening]
        (folder / "fixed.sculpt").write_bytes(with_weights(model, weights))
        return evaluate(given, folder / "fixed.sculpt", path)

    tune = folder / "tune.fa"
    tune.write_text("\n\n".join(runs.read_sentences(data("train"), given.tune)) + "\n",
                    encoding="utf-8")
    tried = {gaps: measured(*gaps, tune)["q_within"]
             for gaps in itertools.product(OPENINGS, EXTENSIONS)}
    best = max(tried, key=tried.get)
    test = measured(*best, data("test"))
    return [f"{FIXED}, gaps {best[0]} + {best[1]} a further letter", "-", "-", "-", "-", "-", "-",
            *figures(test)]


def figures(report):
    return [f"{100 * report['q']:.1f}", f"{100 * report['q_within']:.1f}"]


def trained_row(given, folder, name, within):
    config = experiment(data("train"), within, MODELS[name])
    path = folder / "trained.json"
    C = given.C[0]
    if len(given.C) > 1:
        path.write_text(json.dumps(config | {"hold_out": {"fraction": 0.33}}), encoding="utf-8")
        output = folder / "sweep"
        runs.Finished([str(given.sculpt), "sweep", str(path), "--output", str(output), "--force",
                       "--set", "solver.C=" + ",".join(given.C)]).require(0, 3)
        cells = json.loads((output / "sweep.json").read_text(encoding="utf-8"))
        losses = [cell["validation"]["loss"]["mean"] for cell in cells]
        C = given.C[losses.index(min(losses))]
    path.write_text(json.dumps(config), encoding="utf-8")
    run = folder / "run"
    done = runs.Finished([str(given.sculpt), "train", str(path), "--output", str(run), "--force",
                          "--set", f"solver.C={C}"]).require(0, 3)
    events = [json.loads(line) for line in (run / "events.jsonl").open(encoding="utf-8")]
    last = [event for event in events if event["event"] == "pass"][-1]
    model = folder / "trained.sculpt"
    model.write_bytes(with_weights(untrained(given, folder, MODELS[name]),
                                   weights_of((run / "model.sculpt").read_bytes())))
    return [f"{name}, trained with Q{within or ''}", C, f"{last['primal']:.4g}",
            f"{last['relative_gap']:.1e}", last["pass"], last["planes"], f"{done.wall:.0f}",
            *figures(evaluate(given, model, data("test")))]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--models", nargs="*", default=[FIXED, *MODELS],
                        choices=[FIXED, *MODELS])
    parser.add_argument("--C", nargs="+", default=["1", "10", "100"])
    parser.add_argument("--within", nargs="+", type=int, default=[4],
                        help="of the losses that are trained for")
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
