"""A network that reads handwritten words: it scores the 26 letters for each image, and a chain adds
which letter follows which. The same network with and without the chain.

words_network.py [words.txt]      the data of configs/data/words; needs torch
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "sdk/python"))  # where the package is not installed

import torch
from sculpt.torch import ChainLayer

USAGE = """usage: python3 -m sculpt.examples.words_network words.txt
{} is no file. The data are configs/data/words/words.txt in the sources of sculpt, and
PREFIX/share/doc/sculpt/configs/data/words/words.txt in an installation."""
LETTERS, INPUTS, PASSES, WORDS_A_STEP = 26, 16, 20, 20
TRAINING_FOLDS = 5  # of 10


def read(path):
    """The words of the training folds, and the others: lists of (images, letters)."""
    parts, last = ([], []), None
    for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
        word, fold, _, letter, _, *inputs = line.split()
        words = parts[int(fold) >= TRAINING_FOLDS]
        if word != last:
            words.append(([], []))
            last = word
        words[-1][0].append([float(value) for value in inputs])
        words[-1][1].append(ord(letter) - ord("a"))
    return parts


def batch(words):
    """Images of all letters, the letters, and the lengths of the words: without padding."""
    return (torch.tensor([image for images, _ in words for image in images]),
            torch.tensor([letter for _, letters in words for letter in letters]),
            torch.tensor([len(letters) for _, letters in words]))


def network():
    return torch.nn.Sequential(torch.nn.Linear(INPUTS, 64), torch.nn.Tanh(),
                               torch.nn.Linear(64, LETTERS))


def train(words, parameters, loss_of):
    steps = torch.optim.Adam(parameters, lr=0.01)
    for _ in range(PASSES):
        order = torch.randperm(len(words)).tolist()
        for k in range(0, len(order), WORDS_A_STEP):
            steps.zero_grad()
            loss_of(*batch([words[i] for i in order[k:k + WORDS_A_STEP]])).backward()
            steps.step()


def main(path):
    training, others = read(path)
    images, letters, lengths = batch(others)

    torch.manual_seed(1)
    alone = network()
    train(training, alone.parameters(), lambda images, letters, _lengths:
          torch.nn.functional.cross_entropy(alone(images), letters))
    guesses = alone(images).argmax(-1)
    print(f"each letter alone: error {(guesses != letters).float().mean():.3f}")

    torch.manual_seed(1)
    scores, chain = network(), ChainLayer(LETTERS, kind="log-loss")
    train(training, [*scores.parameters(), *chain.parameters()], lambda images, letters, lengths:
          chain(scores(images), letters, lengths=lengths))
    guesses = chain.decode(scores(images), lengths=lengths)
    print(f"words by a chain:  error {(guesses != letters).float().mean():.3f}")


if __name__ == "__main__":
    words = pathlib.Path(*sys.argv[1:2] or [ROOT / "configs/data/words/words.txt"])
    if not words.is_file():
        sys.exit(USAGE.format(words))
    main(words)
