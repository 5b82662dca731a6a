"""What the C interface costs: instructions of callgrind, shipped plugins against the same code
compiled into the program; see boundary/boundary_call.cpp.

What counts is the difference between some passes over ocr_small and one: reading is in both.
"""

import re
import shutil

import runs
from contest import Row, Target

PASSES = 5
PROGRAM = runs.ROOT / "build/bench/tests/bench/bin/boundary_call"
PLUGINS = runs.ROOT / "build/bench/lib/sculpt/plugins"


def rows(bench):
    if not bench.wants("boundary"):
        return
    task = "boundary: chain and viterbi on ocr_small"
    if shutil.which("valgrind") is None or not PROGRAM.is_file():
        yield Row(task, note="needs valgrind and cmake --build --preset bench")
        return
    shipped, compiled = (instructions(bench, mode) for mode in ("shipped", "compiled"))
    if shipped[1] != compiled[1]:
        raise SystemExit("boundary: the two ways did not find the same outputs")
    yield Row(task, targets=[Target("instructions", shipped[0] / compiled[0], at_most=1.02)],
              note=f"{shipped[0] / 1e6:.1f} against {compiled[0] / 1e6:.1f} million, {PASSES} passes")


def instructions(bench, mode):
    """Of PASSES passes, and what the program found."""
    counts = []
    for passes in (1, 1 + PASSES):
        done = runs.Finished(["env", f"SCULPT_PLUGIN_PATH={PLUGINS}", "valgrind", "--tool=callgrind",
                              "--callgrind-out-file=/dev/null", str(PROGRAM), mode,
                              str(bench.configs / "ocr_small.json"), str(passes)]).require(0)
        counts.append(int(re.search(r"Collected\s*:\s*(\d+)", done.err)[1]))
    return counts[1] - counts[0], done.out
