"""The month of a day, by its length and its temperature.

psi(x, y) = (x cos t_y, x sin t_y),  t_y = 2 pi y / months,  x = (1, length, temperature)
Delta(y, y') = months between y and y', in the shorter direction
"""

import numpy as np
import sculpt


class Month:
    """the month of a day"""
    months: int = 12

    def __init__(self):
        self.rows, self.truths, self.width = [], [], 0

    # One example a line: its month (from 1, or ? if unknown) and its inputs.
    def load(self, split, source):
        for line in source:
            month, *inputs = line.split()
            self.width = self.width or 1 + len(inputs)
            if 1 + len(inputs) != self.width:
                raise source.error(f"has {1 + len(inputs)} fields, not {self.width}")
            if month != "?" and not 1 <= int(month) <= self.months:
                raise source.error("there is no such month")
            self.truths.append(None if month == "?" else int(month) - 1)
            self.rows.append(np.array([1, *inputs], float))

    def count(self):
        return len(self.rows)

    def truth(self, i):
        return self.truths[i]

    def save(self):
        return {"width": self.width}

    def restore(self, state):
        self.width = state["width"]

    def format(self, i, y):
        return str(y[0] + 1)

    def dimension(self):
        return 2 * self.width

    def output_shape(self, i):
        return sculpt.OutputShape(1, self.months, complete=True, same=True)

    def features(self, i, y):
        angle = 2 * np.pi * y[0] / self.months
        return np.outer([np.cos(angle), np.sin(angle)], self.rows[i]).ravel()

    def loss(self, truth, guess):
        distance = abs(int(truth[0]) - int(guess[0]))
        return min(distance, self.months - distance)

    def argmax(self, query):
        months = np.arange(self.months)
        cosine, sine = query.weights.reshape(2, -1) @ self.rows[query.example]
        angle = 2 * np.pi * months / self.months
        value = cosine * np.cos(angle) + sine * np.sin(angle)
        if query.loss_weight > 0:
            value += query.loss_weight * np.array([self.loss(query.truth, [y]) for y in months])
        best = value.argmax()
        return best, value[best]
