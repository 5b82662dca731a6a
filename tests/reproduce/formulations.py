#!/usr/bin/env python3
"""Three data sets with all four formulations and both solvers with planes.

example4 (multiclass, 0/1 loss), ocr_small (letters, counted Hamming loss) and the first 1000
sentences of CoNLL-2000 (chunking, counted Hamming loss), each with the C of its config.
"""

import runs

# one_slack is left out on the sentences: each of its planes is as long as w, 1.2 million entries.
SETS = {
    "example4": ("example4.json", {}, "error", ["n_slack", "one_slack"],
                 ["multiclass/example4.train.svml", "multiclass/example4.test.svml"]),
    "ocr_small": ("ocr_small.json", {}, "label_error", ["n_slack", "one_slack"],
                  ["ocr/letters.txt"]),
    "conll2000, 1000 sentences": ("conll2000.json", {"dataset.train_sentences": 1000},
                                  "token_error", ["n_slack"],
                                  ["conll2000/train.txt", "conll2000/test.txt"]),
}
FORMULATIONS = [(rescaling, norm) for rescaling in ("margin", "slack") for norm in (1, 2)]
HEAD = ["data", "rescaling", "norm", "solver", "P", "D", "relative gap", "certified", "planes",
        "passes", "oracle calls", "seconds", "in the oracle", "test error"]


def row(sculpt, name, config, settings, metric, rescaling, norm, solver):
    settings = settings | {"solver.use": solver, "solver.rescaling": rescaling,
                           "solver.slack_norm": norm}
    run = runs.Run(sculpt, runs.ROOT / "configs" / config, settings)
    end = run.finished
    return [name, rescaling, norm, solver, f"{end['primal']:.6g}", f"{end['dual']:.6g}",
            f"{end['relative_gap']:.2e}", end["certified"], run.last_pass["planes"],
            end["passes"], end["oracle_calls"], f"{end['seconds']:.2f}",
            f"{end['oracle_seconds']:.2f}", f"{100 * end['test'][metric]:.2f} %"]


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--only", help="the data set whose name contains this")
    parser.add_argument("--seconds", default=300, help="limit for one run")
    given = parser.parse_args()
    rows = []
    chosen = [name for name in SETS if not given.only or given.only in name]
    for name in runs.with_data(chosen, lambda name: SETS[name][-1]):
        config, settings, metric, solvers, _ = SETS[name]
        settings = settings | {"solver.max_seconds": given.seconds}
        for rescaling, norm in FORMULATIONS:
            for solver in solvers:
                rows.append(row(given.sculpt, name, config, settings, metric, rescaling, norm,
                                solver))
                print(*rows[-1], sep="\t", flush=True)
    print()
    runs.print_table(HEAD, rows)
    runs.write_rows(given.json, HEAD, rows)


if __name__ == "__main__":
    main()
