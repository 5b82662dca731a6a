#!/usr/bin/env python3
"""configs/conll2000.json unchanged: time, memory, errors of its certified model."""

import resource

import runs

HEAD = ["weights", "P", "D", "relative gap", "passes", "seconds", "peak MB", "test token error",
        "test chunk F1"]


def main():
    given = runs.arguments(__doc__).parse_args()
    runs.data_files("conll2000/train.txt", "conll2000/test.txt")
    run = runs.Run(given.sculpt, runs.ROOT / "configs/conll2000.json", {})
    end = run.finished
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 / 1e6
    row = [run.started["dimension"], f"{end['primal']:.6g}", f"{end['dual']:.6g}",
           f"{end['relative_gap']:.1e}", end["passes"], f"{end['seconds']:.0f}", f"{peak:.0f}",
           f"{100 * end['test']['token_error']:.2f} %", f"{100 * end['test']['chunk_f1']:.2f} %"]
    runs.print_table(HEAD, [row])
    runs.write_rows(given.json, HEAD, [row])


if __name__ == "__main__":
    main()
