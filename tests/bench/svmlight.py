"""Points with one label each: reads, scales and writes them, and computes the exact Crammer-Singer
primal.

P(w) = 1/2 ||w||^2 + c sum_i max_y [ y != y_i ] + <w_y - w_{y_i}, x_i>
"""

import pathlib


class Points:
    def __init__(self, labels, rows):
        self.labels = labels
        self.rows = rows  # [(index, value), ...] each
        self.width = max((index for row in rows for index, _ in row), default=0)

    @classmethod
    def read(cls, path):
        labels, rows = [], []
        for line in pathlib.Path(path).read_text(encoding="ascii").splitlines():
            words = line.split("#")[0].split()
            if not words:
                continue
            labels.append(f"{float(words[0]):g}")  # "+1" and "1" are one class
            pairs = (word.split(":") for word in words[1:])
            rows.append([(int(index), float(value)) for index, value in pairs])
        return cls(labels, rows)

    def scaled(self):
        """Scales every feature to 0..1. A missing value is 0. Constant features become 0. Zeros are
        not stored, so sparse data with positive values stays sparse."""
        low, high = [0.0] * (self.width + 1), [0.0] * (self.width + 1)
        count = [0] * (self.width + 1)
        for row in self.rows:
            for index, value in row:
                if count[index] == 0:
                    low[index] = high[index] = value
                count[index] += 1
                low[index] = min(low[index], value)
                high[index] = max(high[index], value)
        for index, occurrences in enumerate(count):
            if occurrences < len(self.rows):
                low[index], high[index] = min(low[index], 0.0), max(high[index], 0.0)
        return Points(self.labels, [_scaled_row(row, low, high) for row in self.rows])

    def with_constant(self):
        index = self.width + 1
        return Points(self.labels, [[*row, (index, 1.0)] for row in self.rows])

    def numbered(self):
        """Replaces the labels by 1, 2, ... in their order in the data."""
        numbers = {}
        for label in self.labels:
            numbers.setdefault(label, str(len(numbers) + 1))
        return Points([numbers[label] for label in self.labels], self.rows)

    def write(self, path):
        with open(path, "w", encoding="ascii") as out:
            for label, row in zip(self.labels, self.rows):
                print(label, *(f"{index}:{value:.6g}" for index, value in row), file=out)


def _scaled_row(row, low, high):
    scaled = []
    present = dict(row)
    negative = [index for index in range(1, len(low)) if low[index] < 0]
    for index in sorted({*present, *negative}):
        width = high[index] - low[index]
        value = (present.get(index, 0.0) - low[index]) / width if width > 0 else 0.0
        if value != 0:
            scaled.append((index, value))
    return scaled


def read_liblinear_model(path):
    """Returns the labels, and for each feature (from 1) the weights of all classes. With -s 4,
    LIBLINEAR has weights of both classes if there are two."""
    lines = pathlib.Path(path).read_text(encoding="ascii").splitlines()
    begin = lines.index("w")
    head = dict(line.split(" ", 1) for line in lines[:begin])
    labels = head["label"].split()
    return labels, [[float(word) for word in line.split()] for line in lines[begin + 1:]]


def primal(points, labels, weights, c):
    position = {label: k for k, label in enumerate(labels)}
    classes = range(len(labels))
    losses = 0.0
    for label, row in zip(points.labels, points.rows):
        score = [0.0] * len(labels)
        for index, value in row:
            if index <= len(weights):
                of_feature = weights[index - 1]
                for k in classes:
                    score[k] += value * of_feature[k]
        truth = position[label]
        losses += max(0.0, max(score[k] + 1 for k in classes if k != truth) - score[truth])
    return 0.5 * sum(w * w for row in weights for w in row) + c * losses
