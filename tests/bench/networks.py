"""Losses for a network: sculpt.batch and sculpt.torch against pytorch-crf, the log-loss of chains
with its gradients. Times are those of 10 000 sequences, measured inside the process."""

import os
import pathlib
import shutil

import runs
from comparison import Comparison
from rounds import Program, Sample, run_in_turns
from rows import Row, Target

PYTHON = "/usr/bin/python3"  # which has Debian's numpy and torch
SCRIPT = pathlib.Path(__file__).resolve().parent / "chain_losses.py"
SEQUENCES = 10_000
# Length, labels, and how many times as fast as pytorch-crf.
SIZES = ((24, 22, 15), (384, 9, 75))
BATCHES = (1, 16, 64)  # sequences of a call
OURS = {"batch": "sculpt.batch", "torch": "sculpt.torch"}


def needs_peer(_):
    folder = os.environ.get("SCULPT_PYTORCH_CRF")
    if not folder:
        return "SCULPT_PYTORCH_CRF names no folder with torchcrf/ (github.com/kmkurn/pytorch-crf)"
    return "" if os.path.isdir(f"{folder}/torchcrf") else f"there is no {folder}/torchcrf"


def needs_torch(_):
    done = shutil.which(PYTHON) and runs.Finished([PYTHON, "-c", "import torch"])
    return "" if done and done.exit == 0 else "there is no torch: configs/setup slow"


def program(bench, name, length, labels, batch):
    def run():
        os.environ["SCULPT_PREFIX"] = str(bench.sculpt.resolve().parents[1])
        done = runs.Finished([PYTHON, "-B", str(SCRIPT), name, str(length), str(labels),
                              str(batch)]).require(0)
        cpu, wall, loss = map(float, done.out.split())
        return Sample(wall * SEQUENCES, cpu * SEQUENCES, figures={"loss": loss})
    return Program(OURS.get(name, name), run)


def chains(bench):
    for length, labels, times in SIZES:
        for batch in BATCHES:
            names = (*OURS, "pytorch-crf")
            found = run_in_turns([program(bench, name, length, labels, batch) for name in names],
                                 bench.repeats)
            peer = found["pytorch-crf"]
            for name in OURS.values():
                ours = found[name]
                apart = abs(ours.figures["loss"] - peer.figures["loss"])
                if apart > 1e-4 * abs(peer.figures["loss"]):
                    raise SystemExit(f"{name} and pytorch-crf differ by {apart} in the loss")
                yield Row(f"{name}, {length} x {labels}, {batch} at once", ours, [peer],
                          [Target("times as fast (CPU)", peer.cpu / ours.cpu, at_least=times,
                                  peer=peer)])


def comparisons():
    return [Comparison("networks chains", chains, [needs_peer, needs_torch])]
