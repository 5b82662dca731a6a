#!/usr/bin/env python3
"""Finding the homolog of a sequence among decoys, from synthetic data: Table 4 of Tsochantaridis et
al., ICML 2004, in shape: 400 substitution weights and a gap, squared slacks. (Its C of 0.01 and
epsilon of 0.1 leave w = 0 within epsilon here: C is larger, the target a relative gap.)

The paper leaves its generator to Joachims 2003, who says that natives are random and that homologs
come from them by random changes. Here: a native has 50 letters out of 20, uniform. A letter of it
is dropped with probability --drop; else it stays with --same, and becomes another with the
probabilities of that letter, which are drawn once from a flat Dirichlet distribution. Before each,
and at the end, uniform letters are inserted while a coin of --insert says so. Decoys, 10 a native,
are homologs of other natives. The true alignment is that of the changes.

The generative model is that of the paper: the solver `generative` gives each two letters the
logarithm of their share of all pairs of the training, one added to each count, and a gap the cost
--gap; candidates differ in length, so that the weights become log odds, log p(x, y) / (p(x) p(y)), by
the shares of the letters. The paper tells the results of the gap cost that is best on the test set,
-0.2 there."""

import collections
import json
import math
import pathlib
import random
import tempfile

import protein_alignment
import runs

LETTERS = protein_alignment.LETTERS


class Generator:
    def __init__(self, given, seed):
        self.given = given
        self.random = random.Random(seed)
        self.change = {p: self.dirichlet([q for q in LETTERS if q != p]) for p in LETTERS}

    def dirichlet(self, letters):
        return letters, [self.random.expovariate(1) for _ in letters]

    def native(self):
        return "".join(self.random.choices(LETTERS, k=50))

    def inserted(self):
        while self.random.random() < self.given.insert:
            yield "-", self.random.choice(LETTERS)

    def columns(self, native):
        """Those of the true alignment."""
        for p in native:
            yield from self.inserted()
            if self.random.random() < self.given.drop:
                yield p, "-"
            elif self.random.random() < self.given.same:
                yield p, p
            else:
                yield p, self.random.choices(*self.change[p])[0]
        yield from self.inserted()

    def block(self):
        a, b = zip(*self.columns(self.native()))
        rows = ["".join(a), "".join(b)]
        for _ in range(10):
            decoy = "".join(q for _, q in self.columns(self.native()) if q != "-")
            rows.append(decoy)
        return rows


def write(path, blocks):
    text = "\n".join("".join(f">{k}\n{row}\n" for k, row in enumerate(rows)) for rows in blocks)
    path.write_text(text, encoding="ascii")


def log_odds(model, blocks):
    """The bytes of a model of `generative` with the shares of the letters taken out."""
    letters = collections.Counter(LETTERS)
    for rows in blocks:
        for row in rows[:2]:
            letters.update(row.replace("-", ""))
    share = {p: math.log(count / sum(letters.values())) for p, count in letters.items()}
    pairs = [share[p] + share[q] for p in LETTERS for q in LETTERS]
    weights = protein_alignment.weights_of(model)
    return protein_alignment.with_weights(
        model, [w - both for w, both in zip(weights, pairs)] + weights[len(pairs):])


def sculpt(given, *command):
    return runs.Finished([str(given.sculpt), *map(str, command)]).require(0, 3)


def error(given, model, path):
    out = sculpt(given, "evaluate", model, path, "--json").out
    return 100 * json.loads(out)["decoy_error"]


def trained(given, folder, train, solver):
    """The model file of a run."""
    config = folder / "homologs.json"
    config.write_text(json.dumps({
        "name": "homologs",
        "dataset": {"use": "pairs_fasta", "alphabet": "protein", "decoys": True,
                    "train": str(train)},
        "features": {"use": "homolog", "gaps": "linear", "symmetric": False},
        "loss": "decoy", "oracle": "homolog", "solver": solver,
    }), encoding="utf-8")
    run = folder / solver["use"]
    sculpt(given, "train", config, "--output", run, "--force")
    return run / "model.sculpt"


def one_draw(given, folder, n, seed):
    generator = Generator(given, seed)
    train, test = folder / "train.fa", folder / "test.fa"
    blocks = [generator.block() for _ in range(n)]
    write(train, blocks)
    write(test, [generator.block() for _ in range(given.test)])
    generative = folder / "generative.sculpt"
    generative.write_bytes(log_odds(trained(given, folder, train, {
        "use": "generative", "ungrouped": given.gap}).read_bytes(), blocks))
    # --C stands before the sum of squared slacks, the solver's before their mean
    svm = trained(given, folder, train, {
        "use": "n_slack", "slack_norm": 2, "C": given.C * n, "relative_gap": 0.02})
    events = [json.loads(line) for line in (svm.parent / "events.jsonl").open(encoding="utf-8")]
    last = [event for event in events if event["event"] == "pass"][-1]
    return [error(given, generative, train), error(given, svm, train),
            error(given, generative, test), error(given, svm, test), last["active_planes"]]


def text(values, digits=1):
    mean, deviation = runs.mean_and_deviation(values)
    return f"{mean:.{digits}f} ± {deviation / math.sqrt(len(values)):.{digits}f}"


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--n", nargs="+", type=int, default=[1, 2, 4, 10, 20, 40, 80])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--test", type=int, default=100, help="natives to test on")
    parser.add_argument("--C", type=float, default=0.03)
    parser.add_argument("--gap", type=float, default=-1.0, help="weight of gaps, generative")
    parser.add_argument("--same", type=float, default=0.2, help="letters that stay the same")
    parser.add_argument("--drop", type=float, default=0.1)
    parser.add_argument("--insert", type=float, default=0.1)
    given = parser.parse_args()
    head = ["n", "train, generative", "train, SVM", "test, generative", "test, SVM", "planes"]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for n in given.n:
            found = [one_draw(given, pathlib.Path(scratch), n, 1000 * n + draw)
                     for draw in range(given.draws)]
            rows.append([n, *(text(column) for column in zip(*found))])
            print(rows[-1], flush=True)
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)


if __name__ == "__main__":
    main()
