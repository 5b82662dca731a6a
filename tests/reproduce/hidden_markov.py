"""Random hidden Markov models, and labelled sequences of them. Used by the scripts in this folder
that make their own data.

The rows of the tables are drawn from a Dirichlet distribution. Its concentration is 1 for uniform
distributions. Below 1 a few events of each row have most of the probability."""

import math


def distribution(generator, size, concentration):
    numbers = [generator.gammavariate(concentration, 1) + 1e-12 for _ in range(size)]
    return [number / sum(numbers) for number in numbers]


def logarithms(table):
    return [[math.log(p) for p in row] for row in table]


class Model:
    """`start[p]`, `follow[p][q]` and `emit[p][symbol]` are probabilities."""

    def __init__(self, generator, states, symbols, concentration):
        self.generator = generator
        self.states, self.symbols = range(states), range(symbols)
        self.start = distribution(generator, states, concentration)
        self.follow = [distribution(generator, states, concentration) for _ in self.states]
        self.emit = [distribution(generator, symbols, concentration) for _ in self.states]

    def draw(self, length):
        """Returns the symbols and the states of a sequence."""
        symbols, states = [], []
        for k in range(length):
            weights = self.follow[states[-1]] if k else self.start
            states += self.generator.choices(self.states, weights)
            symbols += self.generator.choices(self.symbols, self.emit[states[-1]])
        return symbols, states

    def noisy(self, states, noise):
        """Returns the states. Each is replaced by any state with this probability."""
        return [self.generator.choice(self.states) if self.generator.random() < noise else state
                for state in states]

    def texts(self, count, length, noise):
        """Returns new sequences as texts of files in columns."""
        sequences = [self.draw(length) for _ in range(count)]
        return [text(symbols, self.noisy(states, noise)) for symbols, states in sequences]


def common_model(generator, states, symbols, concentration):
    """Returns a model in which each state has at least 2 % of 1000 drawn places."""
    while True:
        model = Model(generator, states, symbols, concentration)
        _, drawn = model.draw(1000)
        if all(drawn.count(state) >= 20 for state in model.states):
            return model


def best_states(symbols, follow, emit):
    """Returns the states with the largest sum of weights (Viterbi)."""
    states = range(len(emit))
    best = [emit[p][symbols[0]] for p in states]
    before = []
    for symbol in symbols[1:]:
        before.append([max(states, key=lambda p: best[p] + follow[p][q]) for q in states])
        best = [best[p] + follow[p][q] + emit[q][symbol] for q, p in enumerate(before[-1])]
    path = [max(states, key=best.__getitem__)]
    for row in reversed(before):
        path.append(row[path[-1]])
    return path[::-1]


def text(symbols, states):
    return "\n".join(f"o{symbol} s{state}" for symbol, state in zip(symbols, states))
