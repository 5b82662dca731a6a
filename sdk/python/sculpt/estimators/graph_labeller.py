"""GraphLabeller: a label for each node of a graph."""

import numpy as np

from ._labeller import Labeller
from ._stacked import Stacked, stacked

_PAIRS = ("table", "symmetric", "potts", "none")
_MOST_ASSIGNMENTS = 10**5  # of a graph with cycles, for exact probabilities


class GraphLabeller(Labeller):
    """Labels of nodes that are joined by edges: superpixels, atoms, pages that link each other.

    C             price of an error of one graph: solver.C is C * graphs
    pairs         the weights of an edge: "table": each pair of labels, in the direction of the
                  edge; "symmetric": in either; "potts": one, for equal labels; "none"
    edge_features  "both": these weights depend on the features of both nodes; "none"
    attractive    weights of "potts" are not negative: equal labels are never punished
    by_kind       each kind of edges has its own weights
    oracle        None: see the page. Or its name, or a section, or a list of such
    loss          "hamming": the number of wrong labels. Or a section as a dict
    The other parameters are those of SequenceTagger.

    X is a list of graphs, and a graph is (nodes, edges) or (nodes, edges, kinds): nodes
    [nodes, features], dense or sparse; edges int[edges, 2], numbers of nodes from 0; kinds
    [edges], numbers or texts. y is a list of the labels of each graph.

    After fit(): classes_, n_features_in_, edge_kinds_ (None without kinds); coef_
    [classes, features], intercept_ [classes], pair_coef_ [kinds, weights of an edge].
    """
    _what = "graph"

    def __init__(self, C=1.0, *, objective="svm", pairs="table", edge_features="none",
                 attractive=False, by_kind=True, oracle=None, loss="hamming", class_weight=None,
                 kernel="linear", gamma="scale", degree=3, coef0=0.0, fit_intercept=True,
                 solver=None, relative_gap=1e-3, max_passes=None, max_seconds=None, n_jobs=None,
                 verbose=False):
        self._keep(locals())

    def fit(self, X, y, sample_weight=None) -> "GraphLabeller":
        """X, y: see the class. sample_weight: [graphs]. Returns self. Raises ValueError,
        TypeError and SculptError."""
        if self.pairs not in _PAIRS:
            raise ValueError(f"pairs is {self.pairs!r}; it must be one of {list(_PAIRS)}")
        rows, numbers, data = self._fit_data(X, y, sample_weight)
        features = {"use": "graph", "bias": bool(self.fit_intercept), "pairs": self.pairs,
                    "edge_features": self.edge_features, "by_kind": bool(self.by_kind),
                    "nonnegative": ["pairs"] if self.attractive else []}
        self._train(data, features, self._loss(numbers), self.oracle or self._oracle(X, rows),
                    price=len(rows.lengths), matrix=rows.matrix)
        return self

    def _oracle(self, X, rows: Stacked):
        """An oracle that is exact for these graphs, if there is one."""
        if self.pairs == "none" or all(_is_forest(len_, graph[1])
                                       for len_, graph in zip(rows.lengths, X)):
            return "viterbi"
        if self.objective == "crf":
            assignments = len(self.classes_) ** float(rows.lengths.max())
            return "enumerate" if assignments <= _MOST_ASSIGNMENTS else "belief_propagation"
        is_cut = (self.attractive and self.pairs == "potts" and self.edge_features == "none"
                  and len(self.classes_) == 2)
        return "graph_cut" if is_cut else ["icm", "belief_propagation", "branch_and_bound"]

    def _read(self, X, is_fit: bool) -> "tuple[Stacked, dict]":
        for k, graph in enumerate(X):
            if not isinstance(graph, (tuple, list)) or len(graph) not in (2, 3):
                raise ValueError(f"graph {k} of X must be (nodes, edges) or (nodes, edges, kinds)")
        rows = stacked([graph[0] for graph in X], "graph")
        self._check_width(rows.matrix, is_fit)
        edges = [_edges_of(graph[1], length, k)
                 for k, (graph, length) in enumerate(zip(X, rows.lengths))]
        kinds = self._kinds_of(X, edges, is_fit)
        if kinds is None:
            return rows, {"edges": edges}
        return rows, {"edges": edges, "edge_kinds": kinds}

    def _kinds_of(self, X, edges: list, is_fit: bool) -> "list[np.ndarray] | None":
        """The number of the kind of each edge, for each graph; None without kinds."""
        has_kinds = [len(graph) == 3 for graph in X]
        if is_fit:
            self.edge_kinds_ = None
        elif any(has_kinds) and self.edge_kinds_ is None:
            raise ValueError("X has kinds of edges, but GraphLabeller was fitted without")
        if not any(has_kinds) and self.edge_kinds_ is None:
            return None
        if not all(has_kinds):
            raise ValueError(f"graph {has_kinds.index(False)} of X has no kinds of edges, but "
                             "others or those of fit() have")
        given = [np.asarray(graph[2]) for graph in X]
        for k, (kinds, of_one) in enumerate(zip(given, edges)):
            if kinds.shape != (len(of_one),):
                raise ValueError(f"graph {k} of X has {len(of_one)} edges and kinds of the shape "
                                 f"{kinds.shape}; there must be one kind for each edge")
        flat = np.concatenate([kinds for kinds in given if kinds.size] or [np.empty(0, int)])
        if is_fit:
            self.edge_kinds_ = np.unique(flat)
        known = {kind: number for number, kind in enumerate(self.edge_kinds_.tolist())}
        unknown = [kind for kind in np.unique(flat).tolist() if kind not in known]
        if unknown:
            raise ValueError(f"X has edges of the kind {unknown[0]!r}, which training has not; "
                             f"there are {list(known)}")
        return [np.array([known[kind] for kind in kinds.tolist()], np.int32) for kinds in given]

    @property
    def pair_coef_(self) -> np.ndarray:
        """The weights of edges, float64[kinds, weights], or [1, weights] if kinds share them. The
        order of the weights: plugins/graph/README.md, "Weights"."""
        begin = self._column_count() * len(self.classes_)
        kinds = 1 if self.edge_kinds_ is None or not self.by_kind else len(self.edge_kinds_)
        self._weight_block(0, 0)  # refused with a kernel
        return self.model_.weights[begin:].reshape(kinds, -1)


def _edges_of(edges, node_count: int, k: int) -> np.ndarray:
    """int64[edges, 2]. Raises ValueError, which names graph k."""
    pairs = np.asarray(edges)
    if pairs.size == 0:
        return np.empty((0, 2), np.int64)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"graph {k} of X has edges of the shape {pairs.shape} and the type "
                         f"{pairs.dtype}; they must be pairs of numbers of nodes, int[edges, 2]")
    if pairs.min() < 0 or pairs.max() >= node_count:
        raise ValueError(f"graph {k} of X has {node_count} nodes, but an edge to node "
                         f"{pairs.min() if pairs.min() < 0 else pairs.max()}; nodes count from 0")
    loops = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if loops.size:
        raise ValueError(f"graph {k} of X has an edge from node {pairs[loops[0], 0]} to itself")
    return pairs.astype(np.int64)


def _is_forest(node_count: int, edges) -> bool:
    """Whether the edges have no cycle, by joining sets of nodes."""
    above = list(range(node_count))

    def root(node: int) -> int:
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for first, second in np.asarray(edges, np.int64).reshape(-1, 2).tolist():
        one, other = root(first), root(second)
        if one == other:
            return False
        above[one] = other
    return True
