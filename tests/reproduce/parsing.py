#!/usr/bin/env python3
"""Table 5 of Tsochantaridis et al., ICML 2004, in shape: a probabilistic grammar by counting against
the same grammar trained under the 0/1 loss and under F1 of the brackets, margin and slack rescaling,
norm 1 and 2. GUM, sentences of up to ten words, tags as terminals.

C is that of the best F1 on the split dev, of those that --C names, for each row."""

import json
import pathlib
import tempfile

import runs

ROWS = {  # loss, rescaling, slack norm
    "0/1, norm 1": ("zero_one", "margin", 1),
    "0/1, norm 2": ("zero_one", "margin", 2),
    "F1, margin, norm 1": ("f1", "margin", 1),
    "F1, margin, norm 2": ("f1", "margin", 2),
    "F1, slack, norm 1": ("f1", "slack", 1),
    "F1, slack, norm 2": ("f1", "slack", 2),
}


def with_dev(folder):
    """The experiment with the split dev as validation."""
    config = (runs.ROOT / "configs/gum10.json").read_text(encoding="utf-8")
    lines = [line for line in config.splitlines() if not line.lstrip().startswith("//")]
    data = json.loads("\n".join(lines))
    trees = runs.data_folder() / "treebank"
    for split, name in (("train", "train"), ("validation", "dev"), ("test", "test")):
        data["dataset"][split] = str(trees / f"gum.{name}.len10.trees")
    path = pathlib.Path(folder) / "gum.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def trained(given, path, settings):
    run = runs.Run(given.sculpt, path, settings)
    return run, run.finished["validation"]["bracket_f1"]


def row(name, C, run):
    end = run.finished
    work = end["qp_seconds"] + end["sweep_seconds"]
    gap = end["relative_gap"]
    test = end["test"]
    return [name, C, "-" if gap is None else f"{gap:.1e}", run.last_pass.get("planes", 0),
            end["oracle_calls"], f"{end['seconds']:.0f}", f"{100 * work / end['seconds']:.0f} %",
            f"{100 * end['train']['bracket_f1']:.1f}", f"{100 * test['complete_match']:.1f}",
            f"{100 * test['bracket_precision']:.1f}", f"{100 * test['bracket_recall']:.1f}",
            f"{100 * test['bracket_f1']:.1f}"]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--C", nargs="+", default=["100", "1000"])
    parser.add_argument("--rows", nargs="+", default=list(ROWS), choices=ROWS)
    given = parser.parse_args()
    head = ["trained", "C", "relative gap", "planes", "calls", "seconds", "in the QP", "train F1",
            "complete", "precision", "recall", "test F1"]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        path = with_dev(scratch)
        counted = [trained(given, path, {"solver": json.dumps(
            {"use": "generative", "smoothing": smoothing})}) for smoothing in (0, 0.1, 1)]
        rows.append(row("by counting", "-", max(counted, key=lambda one: one[1])[0]))
        for name in given.rows:
            loss, rescaling, norm = ROWS[name]
            found = {C: trained(given, path, {"loss": loss, "solver.rescaling": rescaling,
                                              "solver.slack_norm": norm, "solver.C": C})
                     for C in given.C}
            best = max(found, key=lambda C: found[C][1])
            rows.append(row(name, best, found[best][0]))
            runs.print_table(head, rows[-1:])
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
