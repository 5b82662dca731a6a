"""A network that finds shapes in noisy images. It scores each pixel, and how much two neighbours
want the same label. Minimum cuts find the best labels (graph_cut), exactly. The same network with
and without neighbours.

grid_network.py                   makes its images; needs torch
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "sdk/python"))  # where the package is not installed

import torch
from sculpt.batch import Graphs
from sculpt.torch import decode, structured_loss

SIDE, IMAGES, PASSES, IMAGES_A_STEP, NOISE = 20, 60, 6, 10, 1.2


def make_images(count, draw):
    """Images float[count, SIDE, SIDE] of two discs, and their labels 0 and 1."""
    row, column = torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij")
    labels = torch.zeros(count, SIDE, SIDE, dtype=torch.int64)
    for one in labels:
        for _ in range(2):
            y, x = torch.randint(0, SIDE, (2,), generator=draw)
            radius = torch.randint(3, 7, (1,), generator=draw)
            one |= ((row - y) ** 2 + (column - x) ** 2 <= radius ** 2).long()
    return labels + NOISE * torch.randn(labels.shape, generator=draw), labels


def grids(count):
    """Neighbours below and to the right, each pair with a table of its own."""
    pixel = torch.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    below = torch.stack([pixel[:-1], pixel[1:]], -1).reshape(-1, 2)
    right = torch.stack([pixel[:, :-1], pixel[:, 1:]], -1).reshape(-1, 2)
    edges = torch.cat([below, right])
    return edges, Graphs([SIDE * SIDE] * count, 2, edges=[edges.numpy()] * count)


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pixel = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(),
                                         torch.nn.Linear(8, 2))
        self.pair = torch.nn.Sequential(torch.nn.Linear(1, 8), torch.nn.Tanh(),
                                        torch.nn.Linear(8, 1), torch.nn.Softplus())
        self.edges = grids(1)[0]

    def unary(self, images):
        return self.pixel(images.unsqueeze(-1))

    def tables(self, images):
        """[pairs, 2, 2]: equal labels get a reward, never below 0, as graph_cut needs it."""
        ends = images.reshape(len(images), -1)[:, self.edges]
        reward = self.pair((ends[..., :1] - ends[..., 1:]).abs()).reshape(-1, 1, 1)
        return reward * torch.eye(2)


def train(images, labels, parameters, loss_of):
    steps = torch.optim.Adam(parameters, lr=0.02)
    for _ in range(PASSES):
        for k in range(0, len(images), IMAGES_A_STEP):
            steps.zero_grad()
            loss_of(images[k:k + IMAGES_A_STEP], labels[k:k + IMAGES_A_STEP]).backward()
            steps.step()


def main():
    draw = torch.Generator().manual_seed(1)
    images, labels = make_images(IMAGES, draw)
    others, truths = make_images(IMAGES, draw)

    torch.manual_seed(1)
    alone = Network()
    train(images, labels, alone.pixel.parameters(), lambda images, labels:
          torch.nn.functional.cross_entropy(alone.unary(images).reshape(-1, 2), labels.ravel()))
    guesses = alone.unary(others).argmax(-1)
    print(f"each pixel alone: error {(guesses != truths).float().mean():.3f}")

    torch.manual_seed(1)
    network = Network()
    _, graphs = grids(IMAGES_A_STEP)
    train(images, labels, network.parameters(), lambda images, labels: structured_loss(
        network.unary(images), labels, graphs=graphs, tables=network.tables(images),
        map_solver="graph_cut", kind="hinge"))
    guesses = decode(network.unary(others), graphs=grids(IMAGES)[1],
                     tables=network.tables(others), map_solver="graph_cut")
    print(f"with neighbours:  error {(guesses != truths).float().mean():.3f}")


if __name__ == "__main__":
    main()
