#!/usr/bin/env python3
"""Table 5 of Tsochantaridis et al., ICML 2004, in shape: a probabilistic grammar by counting, and
the same grammar trained with the 0/1 loss and with F1 of the brackets, margin and slack rescaling,
norm 1 and 2. Data: GUM, sentences of up to ten words, tags as terminals.

For each row, C has the best F1 on the split dev, among the values of --C."""

import json

import runs
import sweeps

ROWS = {  # loss, rescaling, slack norm
    "0/1, norm 1": ("zero_one", "margin", 1),
    "0/1, norm 2": ("zero_one", "margin", 2),
    "F1, margin, norm 1": ("f1", "margin", 1),
    "F1, margin, norm 2": ("f1", "margin", 2),
    "F1, slack, norm 1": ("f1", "slack", 1),
    "F1, slack, norm 2": ("f1", "slack", 2),
}


def with_dev():
    """Returns the experiment with the split dev as validation."""
    config = (runs.ROOT / "configs/gum10.json").read_text(encoding="utf-8")
    lines = [line for line in config.splitlines() if not line.lstrip().startswith("//")]
    data = json.loads("\n".join(lines))
    for split, name in (("train", "train"), ("validation", "dev"), ("test", "test")):
        data["dataset"][split] = str(runs.data_file(f"treebank/gum.{name}.len10.trees"))
    return data


def best_of(given, config, candidates):
    return sweeps.best_run(given.sculpt, config, candidates, "bracket_f1", max)


def row(name, C, run):
    end = run.finished
    qp_seconds = end["qp_seconds"] + end["sweep_seconds"]
    test = end["test"]
    return [name, C, runs.relative_gap(end), run.last_pass.get("planes", 0),
            end["oracle_calls"], f"{end['seconds']:.0f}",
            f"{100 * qp_seconds / end['seconds']:.0f} %",
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
    config = with_dev()
    counted, _ = best_of(given, config, [{"solver": json.dumps(
        {"use": "generative", "smoothing": smoothing})} for smoothing in (0, 0.1, 1)])
    rows = [row("by counting", "-", counted)]
    for name in given.rows:
        loss, rescaling, norm = ROWS[name]
        run, chosen = best_of(given, config, [
            {"loss": loss, "solver.rescaling": rescaling, "solver.slack_norm": norm, "solver.C": C}
            for C in given.C])
        rows.append(row(name, chosen["solver.C"], run))
        runs.print_table(head, rows[-1:])
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
