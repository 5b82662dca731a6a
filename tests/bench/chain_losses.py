#!/usr/bin/env python3
"""The log-loss of a batch of sequences with its gradients, on one thread: of sculpt.batch, of
sculpt.torch, or of pytorch-crf. Prints the CPU time and the wall time of a sequence in seconds, and
the loss.

chain_losses.py batch|torch|pytorch-crf LENGTH LABELS SEQUENCES

The scores are made up, float64 for sculpt.batch and float32 for the others. SCULPT_PYTORCH_CRF: the
folder with torchcrf/ (github.com/kmkurn/pytorch-crf).
"""

import os
import pathlib
import sys
import time
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "sdk/python"))

ROUNDS, SECONDS = 5, 0.3  # the best of so many rounds


def made_up(length, labels, sequences):
    draw = np.random.default_rng(1)
    return (draw.normal(size=(sequences, length, labels)),
            draw.integers(0, labels, (sequences, length)), draw.normal(size=(labels, labels)))


def of_batch(unary, truths, transitions):
    from sculpt.batch import Batch, Chains
    sequences, length, labels = unary.shape
    solver, graphs = Batch("viterbi", threads=1), Chains([length] * sequences, labels)
    rows, flat = unary.reshape(-1, labels), truths.ravel().astype(np.int32)
    return lambda: solver.loss(graphs, rows, flat, "log-loss", shared=transitions).values.sum()


def of_torch(unary, truths, transitions, is_peer):
    import torch
    torch.set_num_threads(1)
    scores = torch.tensor(unary, dtype=torch.float32, requires_grad=True)
    labels = torch.tensor(truths)
    if is_peer:
        sys.path.insert(0, os.environ["SCULPT_PYTORCH_CRF"])
        from torchcrf import CRF
        warnings.simplefilter("ignore")  # torch names what a later version drops
        layer = CRF(len(transitions), batch_first=True)
        with torch.no_grad():
            layer.start_transitions.zero_()
            layer.end_transitions.zero_()
    else:
        from sculpt.torch import ChainLayer
        layer = ChainLayer(len(transitions), kind="log-loss", reduction="sum")
    with torch.no_grad():
        layer.transitions.copy_(torch.tensor(transitions))

    def step():
        scores.grad = None
        layer.zero_grad(set_to_none=True)
        loss = layer(scores, labels) * (-1 if is_peer else 1)
        loss.backward()
        return loss.item()
    return step


def main(name, *sizes):
    length, labels, sequences = map(int, sizes)
    problem = made_up(length, labels, sequences)
    step = of_batch(*problem) if name == "batch" else of_torch(*problem, name == "pytorch-crf")
    loss, best = step(), None
    for _ in range(ROUNDS):
        begin, cpu, count = time.perf_counter(), time.process_time(), 0
        while count == 0 or time.perf_counter() - begin < SECONDS:
            step()
            count += sequences
        one = ((time.process_time() - cpu) / count, (time.perf_counter() - begin) / count)
        best = one if best is None else min(best, one)
    print(*best, loss)


if __name__ == "__main__":
    main(*sys.argv[1:])
