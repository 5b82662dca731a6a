"""Graphs with a label for each site: trees, random graphs with cycles, or grids.

Sites are made one after the other. A site has edges to one or two earlier ones, and with the
probability 7/8 it copies the label of one of these. So each edge attracts equal labels, as in a
Potts model. A feature is a number around a mean of its label, with triangular noise."""

import math

import numpy as np

from draws import CONTENT, MODEL, SIZES, STATES, Stream, triangle
from fields import constant, decimals, fields, packed, taken

BLOCK_ENTRIES = 2**19
COPIES = 7  # of 8 sites
NEAR, FAR = 4, 8  # how far back the two edges of a site reach
NONE = -1


class Graphs:
    """Makes blocks of graphs."""

    end = b"\n\n"
    unit = "sites"

    def __init__(self, options):
        self._seed, self._shape, self._sites = options.seed, options.shape, options.sites
        self._labels, self._features = options.labels, options.features
        self.block = max(1, BLOCK_ENTRIES // (self._sites * self._features))
        stream = Stream(MODEL, options.model)
        self._means = stream.below(self._labels * self._features, 41).reshape(self._labels, -1) - 20
        self._noise = 5 * triangle()
        self._label_texts = decimals(np.arange(1, self._labels + 1), self._labels)
        self._indices = fields([f" {j + 1}:" for j in range(self._features)])
        self._numbers = fields([f"{value / 100:.2f}" for value in range(-100, 101)])

    def make(self, block, count):
        """(the bytes of the first `count` graphs of a block, their sites)"""
        sites, first, second = self._edges(block)
        labels = self._copied_labels(block, first, second)
        # [graphs, sites], without those that a graph does not have
        inside = np.arange(len(first)) < sites[:count, None]
        of_graph = [array.T[:count][inside] for array in (labels, first, second)]
        name = block * self.block + np.arange(1, count + 1)
        return self._text(block, name, sites[:count], *of_graph), int(sites[:count].sum())

    def _edges(self, block):
        """(sites of each graph [graphs], and for each site the earlier sites that it has edges to,
        or NONE: two arrays [most sites, graphs])"""
        stream = Stream(SIZES, self._seed, block)
        if self._shape == "grid":
            return self._grid_edges(stream)
        sites = around(self._sites, stream, self.block)
        most = int(sites.max())
        number = np.repeat(np.arange(most), self.block)
        first = number - 1 - stream.below(number.size, np.minimum(np.maximum(number, 1), NEAR))
        second = np.full(number.size, NONE)
        if self._shape == "random":
            second = number - 1 - stream.below(number.size, np.minimum(np.maximum(number, 1), FAR))
            keep = (stream.integers(number.size, "u1") & 1 == 1) & (second != first)
            second = np.where(keep, second, NONE)
        first[number == 0] = second[number == 0] = NONE
        return sites, first.reshape(most, -1), second.reshape(most, -1)

    def _grid_edges(self, stream):
        """The same for grids, whose sides differ: to the left, and up."""
        side = math.isqrt(self._sites)
        rows, columns = around(side, stream, self.block), around(side, stream, self.block)
        number = np.arange(int((rows * columns).max()))[:, None]
        left = np.where(number % columns == 0, NONE, number - 1)
        up = np.where(number < columns, NONE, number - columns)
        return rows * columns, np.where(left == NONE, up, left), np.where(left == NONE, NONE, up)

    def _copied_labels(self, block, first, second):
        """int64 [most sites, graphs]: the labels."""
        stream = Stream(STATES, self._seed, block)
        labels = stream.below(first.size, self._labels).reshape(first.shape)
        draws = stream.integers(first.size, "u1").reshape(first.shape)
        source = np.where((second != NONE) & (draws & 8 == 8), second, first)
        copies = (draws % 8 < COPIES) & (source != NONE)
        graph = np.arange(first.shape[1])
        for site in range(1, len(first)):
            labels[site] = np.where(copies[site], labels[source[site], graph], labels[site])
        return labels

    def _text(self, block, names, sites, labels, first, second):
        """The bytes of graphs; the last three arrays hold their sites one after the other."""
        begins = np.cumsum(sites) - sites
        number = np.arange(len(labels)) - np.repeat(begins, sites)  # of a site in its graph
        edges = np.stack([first, second], axis=1)  # [sites, 2]
        used = edges != NONE
        edge_count = np.add.reduceat(used.sum(axis=1), begins)
        # Where lines are: the name, sites, edges, and the blank line of each graph.
        lines = 2 + sites + edge_count
        start = np.cumsum(lines) - lines
        site_line = np.repeat(start + 1 - begins, sites) + np.arange(len(labels))
        edges_before = np.cumsum(edge_count) - edge_count
        edge_line = np.repeat(start + 1 + sites - edges_before, edge_count) + np.arange(used.sum())
        most = int(sites.max())
        from_site = decimals(edges[used] + 1, most)
        to_site = decimals(np.repeat(number + 1, used.sum(axis=1)), most)
        return interleaved(int(lines.sum()), [
            (start, [constant("graph g", len(names)), decimals(names, int(names[-1]))]),
            (site_line, self._site_fields(block, labels)),
            (edge_line, [constant("edge ", len(edge_line)), from_site,
                         constant(" ", len(edge_line)), to_site]),
            (start + lines - 1, [])])

    def _site_fields(self, block, labels):
        shape = (len(labels), self._features)
        draws = Stream(CONTENT, self._seed, block).integers(len(labels) * self._features, "u1")
        value = self._means[labels] + self._noise[draws].reshape(shape)
        indices = np.broadcast_to(self._indices, (*shape, self._indices.shape[1]))
        entries = np.concatenate([indices, taken(self._numbers, value + 100)], axis=2)
        return [self._label_texts[labels], entries.reshape(len(labels), -1)]


def around(mean, stream, count):
    """int64 [count]: whole numbers from half the mean to one and a half of it, all alike."""
    return mean - mean // 2 + stream.below(count, 2 * (mean // 2) + 1)


def interleaved(count, kinds):
    """The bytes of `count` lines, of some kinds: (the places of its lines, their fields)."""
    width = max(sum(part.shape[1] for part in parts) for _, parts in kinds)
    page = np.zeros((count, width + 1), dtype=np.uint8)
    page[:, width] = ord("\n")
    for places, parts in kinds:
        if parts:
            line = np.concatenate(parts, axis=1)
            page[places, : line.shape[1]] = line
    return packed(page)
