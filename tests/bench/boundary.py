"""The cost of the C interface: instructions counted by callgrind, for shipped plugins and for the
same code compiled into the program. See boundary/two_ways.hpp.

The count is the difference between 6 passes over ocr_small and one pass. So reading is not counted.
"""

import re

import comparison
import peers
import runs
from comparison import Comparison
from rows import Row, Target

PASSES = 5


def rows(bench):
    shipped, compiled = (instructions(bench, way) for way in ("shipped", "compiled"))
    if shipped[1] != compiled[1]:
        raise SystemExit("boundary: the two ways did not find the same outputs")
    yield Row("boundary: chain and viterbi on ocr_small",
              targets=[Target("instructions ratio", shipped[0] / compiled[0], at_most=1.02)],
              note=f"{shipped[0] / 1e6:.1f} against {compiled[0] / 1e6:.1f} million instructions, "
                   f"{PASSES} passes")


def instructions(bench, way):
    """Returns the instructions of PASSES passes, and the checksum of the outputs."""
    counts = []
    for passes in (1, 1 + PASSES):
        done = runs.Finished(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                              str(peers.built("boundary_call")), way,
                              str(bench.configs / "ocr_small.json"), str(passes)]).require(0)
        counts.append(int(re.search(r"Collected\s*:\s*(\d+)", done.err)[1]))
    return counts[1] - counts[0], done.out


def comparisons():
    return [Comparison("boundary", rows, [comparison.data("ocr/letters.txt"),
                                          comparison.program("valgrind"),
                                          comparison.built("boundary_call")])]
