"""Taxonomy: classes that are nodes of a tree."""

import numpy as np

from ..arrays import Arrays
from ._labels import names_of
from ._row_classifier import RowClassifier, split_bias


class Taxonomy(RowClassifier):
    """Classes below common nodes share weights, and confusing them may cost less.

    parents       the taxonomy: a dict {node: parent}, or a list of pairs (node, parent) if a node
                  has several parents. Classes are nodes. None: all classes are below one root
    loss          "height": of the lowest node above both classes; "path": edges between them;
                  "zero_one": 1 for each error. With objective="crf" losses have no effect
    normalize     divides features by the square root of the number of nodes above a class
    The other parameters are those of Multiclass.

    After fit(), besides what Multiclass has: nodes_, and node_coef_ [nodes, features] and
    node_intercept_ [nodes]. The coef_ of a class is the sum over the nodes above it.
    """
    _takes_matrix = True

    def __init__(self, parents=None, C=1.0, *, loss="height", normalize=False, objective="svm",
                 kernel="linear", gamma="scale", degree=3, coef0=0.0, fit_intercept=True,
                 class_weight=None, solver=None, relative_gap=1e-3, max_passes=None,
                 max_seconds=None, n_jobs=None, verbose=False):
        self._keep(locals())

    def fit(self, X, y, sample_weight=None) -> "Taxonomy":
        """As Multiclass.fit()."""
        matrix, numbers, weights = self._fit_classes(X, y, sample_weight)
        pairs = self._pairs()
        everything = list(dict.fromkeys([node for pair in pairs for node in pair]))
        names = dict(zip(everything, names_of(everything, are_words=True)))
        missing = [label for label in self.classes_.tolist() if label not in names]
        if missing:
            raise ValueError(f"the class {missing[0]!r} of y is no node in parents")
        data = Arrays(matrix, numbers, weights=weights, features=self._feature_names(),
                      classes=[names[label] for label in self.classes_.tolist()])
        features = {"use": "taxonomy", "bias": bool(self.fit_intercept),
                    "normalize": bool(self.normalize),
                    "nodes": [f"{names[node]} {names[parent]}" for node, parent in pairs]}
        self._train(data, features, {"use": "tree_loss", "measure": self.loss}, "enumerate",
                    price=matrix.shape[0], matrix=matrix)
        inner = {node for node, _ in pairs}
        self.nodes_ = [node for node in everything if node in inner]  # the order of the weights
        self._above = self._nodes_above(pairs)
        return self

    def _pairs(self) -> list:
        """(node, parent) for each edge. Without parents: one root above all classes."""
        if self.parents is None:
            classes = self.classes_.tolist()
            root = "root"
            while root in classes:
                root += "_"
            return [(label, root) for label in classes]
        pairs = list(self.parents.items() if isinstance(self.parents, dict) else self.parents)
        for pair in pairs:
            if len(pair) != 2:
                raise ValueError(f"parents holds {pair!r}; it must be a dict {{node: parent}} or "
                                 "pairs (node, parent)")
        return pairs

    def _nodes_above(self, pairs: list) -> np.ndarray:
        """bool[classes, nodes]: whether a node is the class or above it."""
        parents = {}
        for node, parent in pairs:
            parents.setdefault(node, []).append(parent)
        place = {node: k for k, node in enumerate(self.nodes_)}
        above = np.zeros((len(self.classes_), len(self.nodes_)), bool)
        for k, label in enumerate(self.classes_.tolist()):
            waiting = [label]
            while waiting:
                node = waiting.pop()
                if node in place and not above[k, place[node]]:
                    above[k, place[node]] = True
                    waiting.extend(parents[node])
        return above

    def _node_weights(self) -> "tuple[np.ndarray, np.ndarray]":
        columns = self._weight_block(0, self._column_count(), len(self.nodes_))
        return split_bias(columns, self.n_features_in_)

    @property
    def node_coef_(self) -> np.ndarray:
        """The weights of each node, float64[nodes, features]."""
        return self._node_weights()[0]

    @property
    def node_intercept_(self) -> np.ndarray:
        """The weights of the constant feature, float64[nodes]."""
        return self._node_weights()[1]

    def _class_weights(self) -> "tuple[np.ndarray, np.ndarray]":
        share = self._above / (np.sqrt(self._above.sum(axis=1, keepdims=True))
                               if self.normalize else 1)
        coefficients, intercepts = self._node_weights()
        return share @ coefficients, share @ intercepts
