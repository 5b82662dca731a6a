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

The generative model knows what the generator has done to the training pairs: each substitution by
its frequency among all pairs of the training, one added to all, log p(x, y) / (p(x) p(y)); a gap by
the log frequency of dropped and inserted letters. Its weights go into a model file."""

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


def generative_weights(blocks):
    pairs, gaps, letters = collections.Counter(), 0, collections.Counter(LETTERS)
    for rows in blocks:
        for p, q in zip(rows[0], rows[1]):
            if "-" in (p, q):
                gaps += 1
            else:
                pairs[p, q] += 1
            letters.update(x for x in (p, q) if x != "-")
    all_pairs = sum(pairs.values()) + 400
    share = {p: count / sum(letters.values()) for p, count in letters.items()}
    columns = all_pairs + gaps + 1
    weights = [math.log((pairs[p, q] + 1) / columns / (share[p] * share[q]))
               for p in LETTERS for q in LETTERS]
    return weights + [math.log((gaps + 1) / columns)]


def sculpt(given, *command):
    return runs.Finished([str(given.sculpt), *map(str, command)]).require(0, 3)


def error(given, model, path):
    out = sculpt(given, "evaluate", model, path, "--json").out
    return 100 * json.loads(out)["decoy_error"]


def one_draw(given, folder, n, seed):
    generator = Generator(given, seed)
    train, test = folder / "train.fa", folder / "test.fa"
    blocks = [generator.block() for _ in range(n)]
    write(train, blocks)
    write(test, [generator.block() for _ in range(given.test)])
    config = folder / "homologs.json"
    config.write_text(json.dumps({
        "name": "homologs",
        "dataset": {"use": "pairs_fasta", "alphabet": "protein", "decoys": True,
                    "train": str(train)},
        "features": {"use": "homolog", "gaps": "linear", "symmetric": False},
        "loss": "decoy", "oracle": "homolog",
        # --C stands before the sum of squared slacks, the solver's before their mean
        "solver": {"use": "n_slack", "slack_norm": 2, "C": given.C * n, "relative_gap": 0.05},
    }), encoding="utf-8")
    run = folder / "run"
    sculpt(given, "train", config, "--output", run, "--force")
    generative = folder / "generative.sculpt"
    model = (run / "model.sculpt").read_bytes()
    generative.write_bytes(protein_alignment.with_weights(model, generative_weights(blocks)))
    events = [json.loads(line) for line in (run / "events.jsonl").open(encoding="utf-8")]
    last = [event for event in events if event["event"] == "pass"][-1]
    return [error(given, generative, train), error(given, run, train),
            error(given, generative, test), error(given, run, test), last["active_planes"]]


def text(values, digits=1):
    mean, deviation = runs.mean_and_deviation(values)
    return f"{mean:.{digits}f} ± {deviation / math.sqrt(len(values)):.{digits}f}"


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--n", nargs="+", type=int, default=[1, 2, 4, 10, 20, 40, 80])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--test", type=int, default=100, help="natives to test on")
    parser.add_argument("--C", type=float, default=0.1)
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
