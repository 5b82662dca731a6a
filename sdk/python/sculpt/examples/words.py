"""The letters of handwritten words, by a chain: the data of the plugin `letters`, the features of
`chain` with a bias, the loss `hamming`, and the oracle `viterbi`, in Python.

psi(x, y) = sum over t of (x_t at letter y_t) and (1 at the pair y_t, y_t+1),  x_t = (pixels, 1)
Delta(y, y') = the number of letters that differ
"""

import numpy as np
import sculpt


class Words:
    """the letters of handwritten words"""

    def __init__(self):
        self.inputs, self.letters, self.width, self.names = [], [], 0, []

    # One letter a line: word, fold, position, letter, 1 if more follow, pixels 0110...
    def load(self, split, source):
        if split == "train":
            self.names = sorted({line.split()[3] for line in source} - {"?"})
        last = None
        for line in source:
            word, _, _, letter, _, pixels = line.split()
            if letter != "?" and letter not in self.names:
                raise source.error(f"the letter {letter} is not in the training data")
            self.width = self.width or len(pixels) + 1
            if len(pixels) + 1 != self.width:
                raise source.error(f"has {len(pixels)} pixels, not {self.width - 1}")
            if word != last:
                self.inputs.append([])
                self.letters.append([])
                last = word
            self.inputs[-1].append([float(pixel) for pixel in pixels] + [1])
            self.letters[-1].append(-1 if letter == "?" else self.names.index(letter))
        self.inputs = [np.asarray(rows) for rows in self.inputs]
        self.letters = [np.asarray(y, np.int32) for y in self.letters]

    def count(self):
        return len(self.inputs)

    def truth(self, i):
        return None if (self.letters[i] < 0).all() else self.letters[i]

    def save(self):
        return {"names": self.names, "width": self.width}

    def restore(self, state):
        self.names, self.width = state["names"], state["width"]

    def format(self, i, y):
        return "".join(self.names[letter] for letter in y)

    def dimension(self):
        return len(self.names) * (self.width + len(self.names))

    def output_shape(self, i):
        return sculpt.OutputShape(len(self.inputs[i]), len(self.names), complete=True)

    def weight_name(self, j):
        letter, column = divmod(j, self.width)
        if letter < len(self.names):
            return f"{self.names[letter]} with pixel {column}"
        before, after = divmod(j - len(self.names) * self.width, len(self.names))
        return self.names[before] + self.names[after]

    def features(self, i, y):
        single = np.zeros((len(self.names), self.width))
        pairs = np.zeros((len(self.names), len(self.names)))
        np.add.at(single, y, self.inputs[i])
        np.add.at(pairs, (y[:-1], y[1:]), 1)
        return np.concatenate([single.ravel(), pairs.ravel()])

    def loss(self, truth, guess):
        return np.count_nonzero(truth != guess)

    # Viterbi: best[k] is the value of the best beginning that ends with the letter k.
    def argmax(self, query):
        inputs, names = self.inputs[query.example], len(self.names)
        single, pairs = np.split(query.weights, [names * self.width])
        score = inputs @ single.reshape(names, -1).T
        if query.loss_weight > 0:
            score += query.loss_weight
            score[np.arange(len(score)), query.truth] -= query.loss_weight
        pairs = pairs.reshape(names, names)
        best, before = score[0], []
        for t in range(1, len(score)):
            both = best[:, None] + pairs
            before.append(both.argmax(0))
            best = both.max(0) + score[t]
        y = [int(best.argmax())]
        for step in reversed(before):
            y.append(int(step[y[-1]]))
        return y[::-1], best.max()
