"""A tour of sculpt in Python. Read it from the top, and run it: it takes some seconds.

    python3 tutorial.py

The task is made-up handwriting. Each letter of a word is a noisy picture of 48 pixels. The first
parts train on arrays; then come what the gap means, probabilities, an experiment with a run folder,
and a task of one's own. Editors that know "# %%" show each part as a cell.
"""

import pathlib
import tempfile

import numpy as np
import sculpt

# %% 1. Data. A sequence is a word: X has a matrix [letters, pixels], and y a list of letters.

VOCABULARY = ["margin", "kernel", "oracle", "plane", "slack", "truth", "gap", "chain", "label",
              "tree", "graph", "loss"]
draw = np.random.default_rng(1)
pictures = {letter: draw.random(48) < 0.5 for letter in sorted(set("".join(VOCABULARY)))}


def handwriting(count, noise=0.3):
    """`count` words: their pictures, where each pixel is wrong with the probability `noise`."""
    words = draw.choice(VOCABULARY, count)
    X = [np.array([pictures[letter] ^ (draw.random(48) < noise) for letter in word], float)
         for word in words]
    return X, [list(word) for word in words]


X, y = handwriting(150)
new_X, new_y = handwriting(400)

# %% 2. Letter by letter. Multiclass knows nothing of words: each row is a letter.

letters = sculpt.Multiclass(C=0.01).fit(np.concatenate(X), np.concatenate(y))
print(f"letter by letter: {letters.score(np.concatenate(new_X), np.concatenate(new_y)):.1%} right")

# %% 3. As words. SequenceTagger has weights for neighbours, too, and finds the best word as a
# whole.

words = sculpt.SequenceTagger(C=0.1).fit(X, y)
print(f"as words:         {words.score(new_X, new_y):.1%} right")
print("a word:", "".join(new_y[0]), "read as", "".join(words.predict(new_X[:1])[0]))

# %% 4. What was proved. Training minimizes an objective. No weights have a smaller one than dual_,
# and these weights have primal_. So at most the gap is left to gain, whatever one tries.

print(f"primal {words.primal_:.4f}, dual {words.dual_:.4f}, relative gap "
      f"{words.relative_gap_:.1e}, certified: {words.certified_}, passes: {words.n_iter_}")

# %% 5. Probabilities. objective="crf" makes it a conditional random field.

crf = sculpt.SequenceTagger(C=0.1, objective="crf").fit(X, y)
probabilities = crf.predict_marginals(new_X)
doubts = [row.max(axis=1).min() for row in probabilities]
k = int(np.argmin(doubts))
print(f"as a CRF:         {crf.score(new_X, new_y):.1%} right; most in doubt is a letter of "
      f"{''.join(new_y[k])!r}: {doubts[k]:.0%}")

# %% 6. The experiment behind it. An estimator is a short way to write one. Here every component has
# a name, and each can be exchanged: the loss now counts whole words, not letters.

alphabet = sorted(pictures)
data, new_data = (sculpt.Arrays.of_sequences(
    rows, [[alphabet.index(letter) for letter in word] for word in truths], classes=alphabet)
    for rows, truths in ((X, y), (new_X, new_y)))
experiment = {"dataset": {"use": "arrays", "train": data}, "features": "chain",
              "loss": "zero_one", "oracle": "viterbi",
              "solver": {"use": "n_slack", "C": 20, "relative_gap": 1e-3}}
model = sculpt.train(experiment)
print("whole words:", {name: round(value, 3) for name, value in model.evaluate(new_data).items()
                       if isinstance(value, float)})
for found in model.nbest(new_data, 3, text=True)[0]:
    print(f"   {''.join(found.output.split())}  score {found.score:.2f}")

# %% 7. Stop, and go on. The run folder has all that is needed. The end is the same, bit for bit.

with tempfile.TemporaryDirectory() as folder:
    run = pathlib.Path(folder) / "run"
    stopped = sculpt.train(experiment, output=run, on_pass=lambda one: one.relative_gap < 0.1)
    print(f"stopped after {len(stopped.passes)} passes, relative gap "
          f"{stopped.passes[-1].relative_gap:.2g}")
    resumed = sculpt.train(experiment, output=run, resume=True)
    print("resumed: the same weights:", np.array_equal(resumed.weights, model.weights))


# %% 8. A task of one's own. The hour of a day lies on a circle, so 23 and 0 are neighbours. The
# class says what an example is, its features, the loss, and which output is best. The solvers do
# the rest.

class Hour:
    """the hour of a day, by the position of a shadow"""
    hours: int = 24

    def __init__(self):
        self.shadows, self.truths = [], []

    def load(self, split, source):
        for shadow, hour in source:
            self.shadows.append(np.append(shadow, 1.0))
            self.truths.append(hour)

    def count(self):
        return len(self.shadows)

    def truth(self, i):
        return self.truths[i]

    def dimension(self):
        return 6

    def output_shape(self, i):
        return sculpt.OutputShape(1, self.hours, complete=True, same=True)

    def features(self, i, y):
        angle = 2 * np.pi * y[0] / self.hours
        return np.outer([np.cos(angle), np.sin(angle)], self.shadows[i]).ravel()

    def loss(self, truth, guess):
        apart = abs(int(truth[0]) - int(guess[0]))
        return min(apart, self.hours - apart)

    def argmax(self, query):
        hours = np.arange(self.hours)
        angle = 2 * np.pi * hours / self.hours
        cosine, sine = query.weights.reshape(2, -1) @ self.shadows[query.example]
        value = cosine * np.cos(angle) + sine * np.sin(angle)
        if query.loss_weight > 0:
            value += query.loss_weight * np.array([self.loss(query.truth, [y]) for y in hours])
        return value.argmax(), value.max()


def shadows(count):
    hours = draw.integers(0, 24, count)
    angle = 2 * np.pi * (hours + draw.normal(0, 0.7, count)) / 24
    return [((np.cos(a), np.sin(a)), int(hour)) for a, hour in zip(angle, hours)]


clock = sculpt.train(task=Hour, train=shadows(200), solver={"use": "n_slack", "C": 1000})
new_shadows = shadows(200)
error = np.mean([min(d, 24 - d) for d in (abs(int(guess[0]) - hour) for guess, (_, hour) in zip(
    clock.predict(new_shadows), new_shadows))])
print(f"the clock is {error:.2f} hours wrong; certified: {clock.passes[-1].certified}")
