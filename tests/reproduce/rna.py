#!/usr/bin/env python3
"""Secondary structures of RNA. Five tables, by --table:

families   Table 7 of Ricci, De Bie and Cristianini, JMLR 9, 2008: five families with the grammar G6
           trained on F1 of the pairs, with stacked pairs and without. Sensitivity and specificity
           (recall and precision) of held-out folds are in percent, at the C of the largest F1. In
           the paper they are at the largest product. Rfam has other sequences now than in 2007, so
           the figures cannot agree exactly.
moments    the same families with G6, by SODA, the Z-score, counting, the perceptron and the SVM.
           The constrained Z-score stops after --passes. Its price is chosen as C is.
losses     the same families with and without stacked pairs: F1 of held-out folds by the loss that is
           trained on, at each C of --C, and by counting
counting   archiveII, all 1884 sequences, by counting: G6 and the grammar of loops of configs/.
held_out   archiveII, 100 sequences for training and 200 others for measuring: the grammar of loops
           trained with several losses from w = 0, and by counting."""

import pathlib
import tempfile

import runs
import sweeps

# sensitivity / specificity: the constrained Z-score, G6 by counting, hidden Markov perceptron
PUBLISHED = {
    "RF00032": ("100 / 96.0", "100 / 95.5", "100 / 95.6"),
    "RF00260": ("98.8 / 94.8", "99.0 / 100", "98.6 / 98.9"),
    "RF00436": ("91.1 / 90.6", "44.2 / 53.3", "90.3 / 86.5"),
    "RF00164": ("76.1 / 73.5", "65.5 / 62.6", "87.1 / 78.3"),
    "RF00480": ("99.1 / 89.9", "99.9 / 86.4", "98.8 / 94.8"),
}
LOOPS = {"use": "rna", "file": str(runs.ROOT / "configs/data/rna/loops.grammar")}
SVM = {"use": "n_slack", "relative_gap": 1e-2}
GRAMMARS = {
    "G6": {"use": "rna"},
    "G6, stacking": {"use": "rna", "stacking": True},
    "loops": LOOPS,
    "loops, stacking": LOOPS | {"stacking": True},
    "loops, stacking, closing": LOOPS | {"stacking": True, "closing": True},
}
LOSSES = {
    "difference": {"use": "difference"},
    "difference, extra 0.3": {"use": "difference", "extra": 0.3},
    "missed": {"use": "missed"},
    "f1": {"use": "f1"},
}


def percent(share):
    """Returns "-" for 0/0, such as the precision of a fold without predicted pairs."""
    return "-" if share is None else f"{100 * share:.1f}"


def file_of(family):
    return f"rna/{family}.canon.fa"


def archive(split):
    return runs.data_file(f"rna/archiveII.short.{split}.fa")


def held_out_row(given, family, stacking, solver, settings, loss="f1"):
    """Returns the row of a sweep over `settings` with the best F1 on held-out folds."""
    config = {
        "name": "rna",
        "dataset": {"use": "dot_bracket", "ambiguous": "single",
                    "train": str(runs.data_file(file_of(family)))},
        "features": {"use": "rna", "stacking": stacking},
        "loss": loss,
        "oracle": "rna",
        "solver": solver,
    }
    return sweeps.best(sweeps.sweep(given.sculpt, config, settings, ["--folds", given.folds]),
                       "f1", max)


def recall_and_precision(row):
    return " / ".join(percent(sweeps.held_out(row, name)) for name in ("recall", "precision"))


def family_row(given, family, stacking):
    best = held_out_row(given, family, stacking, SVM, {"solver.C": given.C})
    return [family, "yes" if stacking else "no", sweeps.value_of(best, "solver.C"),
            recall_and_precision(best), *PUBLISHED[family]]


def families(given):
    head = ["family", "stacking", "C", "sculpt", "Z-score", "G6 by counting", "perceptron"]
    stackings = [choice == "yes" for choice in given.stacking]
    return head, [family_row(given, family, stacking)
                  for family in runs.with_data(given.families, lambda family: [file_of(family)])
                  for stacking in stackings]


def moments(given):
    methods = {
        "Z-score": ({"use": "z_score"}, {}),
        "constrained Z": ({"use": "constrained_z_score", "residual": 1e-4,
                           "max_passes": given.passes}, {"solver.price": ["1", "10", "100"]}),
        "SODA": ({"use": "soda"}, {}),
        "counting": ({"use": "generative"}, {}),
        "perceptron": ({"use": "perceptron"}, {}),
        "SVM": (SVM, {"solver.C": given.C}),
    }
    rows = []
    for family in runs.with_data(given.families, lambda family: [file_of(family)]):
        rows.append([family, *(recall_and_precision(held_out_row(given, family, False, *method))
                               for method in methods.values())])
        print(*rows[-1], sep="\t", flush=True)
    return ["family", *methods], rows


def losses(given):
    families = list(runs.with_data(given.families, lambda family: [file_of(family)]))
    head = ["stacking", "trained", "C", *families]
    trainings = [("by counting", "-", "missed", {"use": "generative"})]
    trainings += [(name, C, loss, SVM | {"C": float(C)})
                  for name, loss in LOSSES.items() for C in given.C]
    rows = []
    for stacking in given.stacking:
        for name, C, loss, solver in trainings:
            best = [held_out_row(given, family, stacking == "yes", solver, {"seed": ["1"]}, loss)
                    for family in families]
            rows.append([stacking, name, C, *(percent(sweeps.held_out(row, "f1")) for row in best)])
            print(*rows[-1], sep="\t", flush=True)
    return head, rows


def trained(given, dataset, settings):
    """Returns the last event of a run on archiveII. `settings` replaces parts of the experiment."""
    config = {"name": "rna", "dataset": {"use": "dot_bracket"} | dataset,
              "oracle": "rna"} | settings
    return runs.Run(given.sculpt, config, {}).finished


def counting(given):
    dataset = {split: str(archive(split)) for split in ("train", "test")}
    head = ["grammar", "train F1", "test recall", "test precision", "test F1", "seconds"]
    rows = []
    for name, features in GRAMMARS.items():
        end = trained(given, dataset, {"features": features, "loss": "missed",
                                       "solver": "generative"})
        test = end["test"]
        rows.append([name, percent(end["train"]["f1"]), percent(test["recall"]),
                     percent(test["precision"]), percent(test["f1"]), f"{end['seconds']:.0f}"])
    return head, rows


def held_out(given):
    text = archive("train").read_text(encoding="utf-8")
    records = [">" + record for record in text.split(">")[1:]]
    head = ["trained", "C", "relative gap", "train F1", "held-out F1", "seconds"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        dataset = {}
        for split, part in (("train", records[::18][:100]), ("validation", records[5::9][:200])):
            path = pathlib.Path(folder) / f"{split}.fa"
            path.write_text("".join(part), encoding="utf-8")
            dataset[split] = str(path)
        features = GRAMMARS["loops, stacking, closing"]

        def add(name, C, loss, solver):
            end = trained(given, dataset, {"features": features, "loss": loss, "solver": solver})
            rows.append([name, C, runs.relative_gap(end), percent(end["train"]["f1"]),
                         percent(end["validation"]["f1"]), f"{end['seconds']:.0f}"])
            runs.print_table(head, rows[-1:])

        for smoothing in (0.1, 1):
            add(f"by counting, smoothing {smoothing}", "-", "missed",
                {"use": "generative", "smoothing": smoothing})
        for name in ("difference", "difference, extra 0.3", "missed"):
            loss = LOSSES[name]
            for C in given.C:
                add(name, C, loss, {"use": "n_slack", "C": float(C), "relative_gap": 1e-2,
                                    "max_seconds": given.seconds})
    return head, rows


def main():
    parser = runs.arguments(__doc__)
    tables = {"families": families, "moments": moments, "losses": losses, "counting": counting,
              "held_out": held_out}
    parser.add_argument("--table", default="families", choices=tables)
    parser.add_argument("--families", nargs="+", default=list(PUBLISHED), choices=PUBLISHED)
    parser.add_argument("--stacking", nargs="+", default=["no", "yes"], choices=["no", "yes"])
    parser.add_argument("--C", nargs="+", default=["10", "100", "1000"])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--passes", type=int, default=100, help="limit of the constrained Z-score")
    parser.add_argument("--seconds", type=float, default=600, help="limit for a run of held_out")
    given = parser.parse_args()
    head, rows = tables[given.table](given)
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
