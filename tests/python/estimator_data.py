"""Small data for the tests of estimators, and each estimator with data that fit it."""

import numpy as np


def draws(seed=1):
    return np.random.default_rng(seed)


def points(count=60, classes=3, features=4, seed=1):
    """Rows and labels "c0", "c1", ...: classes that overlap a little."""
    draw = draws(seed)
    numbers = np.arange(count) % classes
    centres = 2 * draw.normal(size=(classes, features))
    return (centres[numbers] + draw.normal(size=(count, features)),
            np.array([f"c{k}" for k in numbers]))


def label_sets(count=60, labels=3, seed=2):
    """Rows and an indicator matrix whose labels depend on each other."""
    draw = draws(seed)
    rows = draw.normal(size=(count, 4))
    scores = rows @ draw.normal(size=(4, labels)) + 0.5 * draw.normal(size=(count, labels))
    scores[:, -1] += scores[:, 0]
    return rows, (scores > 0).astype(int)


def queries(count=12, seed=3):
    """Rows, grades 0 to 2, and the query of each row. Rows of a query do not stand together."""
    draw = draws(seed)
    groups = draw.permutation(np.repeat(np.arange(count), 6))
    rows = draw.normal(size=(len(groups), 4))
    noisy = rows @ np.array([2.0, -1, 0, 0.5]) + 0.5 * draw.normal(size=len(groups))
    return rows, np.clip(np.floor(noisy + 1), 0, 2).astype(int), groups


def by_query(rows, grades, groups):
    """The same as a list of rows and a list of grades."""
    order = list(dict.fromkeys(groups.tolist()))
    return [rows[groups == k] for k in order], [grades[groups == k] for k in order]


def sequences(count=40, seed=4):
    """A list of rows and a list of labels "A", "B", "C", most often in this order."""
    draw = draws(seed)
    rows, labels = [], []
    for length in draw.integers(1, 7, count):
        numbers = (draw.integers(0, 3) + np.cumsum(draw.random(length) < 0.7)) % 3
        rows.append(np.eye(3)[numbers] + draw.normal(0, 0.6, (length, 3)))
        labels.append(np.array(list("ABC"))[numbers])
    return rows, labels


def attribute_sequences(count=30, seed=5):
    """Sequences of items with attributes, of all the types that CRFsuite takes."""
    rows, labels = sequences(count, seed)
    items = [[{"shape": "xyz"[int(np.argmax(row))], "size": round(float(row[0]), 2),
               "is_first": t == 0, "near": {"tags": ["p", "q"][:t % 3]}}
              for t, row in enumerate(one)] for one in rows]
    return items, [list(one) for one in labels]


def rings(count=25, seed=6):
    """Graphs of at most 7 nodes that are rings, with two kinds of edges."""
    rows, labels = sequences(count, seed)
    graphs = []
    for one in rows:
        size = len(one)
        edges = [(t, (t + 1) % size) for t in range(size if size > 2 else size - 1)]
        graphs.append((one, np.array(edges, int).reshape(-1, 2),
                       ["even" if a % 2 == 0 else "odd" for a, _ in edges]))
    return graphs, labels


def cases():
    """(estimator, X, y) for each class."""
    import sculpt
    rows, labels = points()
    two = np.where(labels == "c0", "yes", "no")
    query_rows, grades, groups = queries()
    parents = {"c0": "left", "c1": "left", "left": "root", "c2": "root"}
    return [(sculpt.Multiclass(), rows, labels),
            (sculpt.Multiclass(objective="crf"), rows, labels),
            (sculpt.Taxonomy(parents), rows, labels),
            (sculpt.SetClassifier(), rows, two),
            (sculpt.Multilabel(), *label_sets()),
            (sculpt.Ranker(), *by_query(query_rows, grades, groups)),
            (sculpt.Ranker(qid_column=0), np.column_stack([groups, query_rows]), grades),
            (sculpt.SequenceTagger(), *sequences()),
            (sculpt.SequenceTagger(objective="crf"), *attribute_sequences()),
            (sculpt.GraphLabeller(), *rings())]


def joined(outputs) -> np.ndarray:
    """Predictions as one array, whether they are an array or a list of arrays."""
    return np.concatenate(outputs) if isinstance(outputs, list) else outputs
