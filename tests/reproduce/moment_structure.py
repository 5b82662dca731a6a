#!/usr/bin/env python3
"""The structure of the mean and the covariance of the counts of a hidden Markov model over all
outputs: Figure 9 of Ricci, De Bie & Cristianini, JMLR 9 (2008). Draws --samples outputs at w = 0
with `sculpt predict --sample`, compares their moments with the closed form, and writes a picture of
the closed form (--picture)."""

import itertools
import math
import pathlib
import random
import tempfile

import hidden_markov
import moments
import runs


def counts_of(symbols, states, state_count, symbol_count):
    """Returns the counts of emissions, then those of transitions, both by state first."""
    emissions = [[0] * symbol_count for _ in range(state_count)]
    transitions = [[0] * state_count for _ in range(state_count)]
    for state, symbol in zip(states, symbols):
        emissions[state][symbol] += 1
    for p, z in itertools.pairwise(states):
        transitions[p][z] += 1
    return sum(emissions + transitions, [])


def closed_form(symbols, state_count, symbol_count):
    """Returns mean and covariance of these counts over all states.

    If each of n^m outputs is as likely as the others, the labels of a sequence are independent and
    uniform. With m_q the number of places with symbol q, a_q without the first place and b_q
    without the last one, the counts e_pq of symbol q in state p and t_pz of the transition from p
    to z have

        E e_pq = m_q / n,   E t_pz = (m - 1) / n^2
        cov(e_pq, e_p'q') = [q = q'] m_q ([p = p'] / n - 1 / n^2)
        cov(t_pz, t_p'z') = (m - 1) ([p = p', z = z'] / n^2 - 1 / n^4)
                            + max(0, m - 2) (([z = p'] + [z' = p]) / n^3 - 2 / n^4)
        cov(e_pq, t_p'z') = a_q ([p = z'] / n^2 - 1 / n^3) + b_q ([p = p'] / n^2 - 1 / n^3)

    The paper computes the same by recursions over the sequence (Algorithm 4)."""
    n, m = state_count, len(symbols)
    in_all = [symbols.count(q) for q in range(symbol_count)]
    after_first = [symbols[1:].count(q) for q in range(symbol_count)]
    before_last = [symbols[:-1].count(q) for q in range(symbol_count)]
    emissions = list(itertools.product(range(n), range(symbol_count)))
    transitions = list(itertools.product(range(n), repeat=2))

    def emission_pair(p, q, other_p, other_q):
        return (q == other_q) * in_all[q] * ((p == other_p) / n - 1 / n ** 2)

    def transition_pair(p, z, other_p, other_z):
        same = (p, z) == (other_p, other_z)
        return ((m - 1) * (same / n ** 2 - 1 / n ** 4) +
                max(0, m - 2) * (((z == other_p) + (other_z == p)) / n ** 3 - 2 / n ** 4))

    def mixed(p, q, other_p, other_z):
        return (after_first[q] * ((p == other_z) / n ** 2 - 1 / n ** 3) +
                before_last[q] * ((p == other_p) / n ** 2 - 1 / n ** 3))

    mean = [in_all[q] / n for _, q in emissions] + [(m - 1) / n ** 2] * len(transitions)
    covariance = [[emission_pair(*e, *other) for other in emissions] +
                  [mixed(*e, *t) for t in transitions] for e in emissions]
    covariance += [[mixed(*e, *t) for e in emissions] +
                   [transition_pair(*t, *other) for other in transitions] for t in transitions]
    return mean, covariance


def products(draws, mean):
    """Yields i, j and the products of the deviations of features i and j from the mean."""
    columns = [[value - mu for value in column] for column, mu in zip(zip(*draws), mean)]
    for i, j in itertools.combinations_with_replacement(range(len(mean)), 2):
        yield i, j, [a * b for a, b in zip(columns[i], columns[j])]


def standard_errors(values, expected):
    """Returns by how many standard errors the mean of values is away from what is expected."""
    mean, deviation = runs.mean_and_deviation(values)
    if abs(mean - expected) < 1e-9:
        return 0
    return abs(mean - expected) / deviation * math.sqrt(len(values)) if deviation else math.inf


def draws_of(sculpt, folder, symbols, state_count, samples, seed):
    """Returns states that `sculpt predict` draws at w = 0, up to 1e-9: so does a tiny C train."""
    labels = [k % state_count for k in range(len(symbols))]
    experiment = moments.experiment(folder, {"train": [hidden_markov.text(symbols, labels)]})
    runs.Run(sculpt, experiment | {"solver": {"use": "crf", "C": 1e-12}}, {}, folder=folder / "run")
    command = [str(sculpt), "predict", str(folder / "run"), experiment["dataset"]["train"],
               "--sample", str(samples), "--seed", str(seed)]
    out = runs.Finished(command).require(0).out
    return [[int(line.split()[-1][1:]) for line in draw.strip().split("\n")[1:]]
            for draw in out.strip().split("\n\n")]


def picture(mean, covariance, cell=12):
    """Returns an SVG: the mean as a row above the covariance. Grey is 0, white the largest."""
    shades = {}
    for top, rows in ((0, [mean]), (2, covariance)):
        largest = max(abs(value) for row in rows for value in row)
        for y, row in enumerate(rows):
            for x, value in enumerate(row):
                shade = round(127.5 + 127.5 * value / largest)
                shades.setdefault(shade, []).append(f"M{x} {y + top}h1v1h-1z")
    width, height = len(mean), len(mean) + 2
    paths = [f'<path fill="rgb({shade},{shade},{shade})" d="{"".join(cells)}"/>'
             for shade, cells in sorted(shades.items())]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{cell * width}" '
                      f'height="{cell * height}" viewBox="0 0 {width} {height}" '
                      'shape-rendering="crispEdges">', *paths, "</svg>", ""])


def main():
    parser = runs.arguments(__doc__)
    parser.add_argument("--states", type=int, default=3)
    parser.add_argument("--symbols", type=int, default=4)
    parser.add_argument("--length", type=int, default=20)
    parser.add_argument("--samples", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", help="write the picture to this file, as SVG")
    given = parser.parse_args()
    generator = random.Random(given.seed)
    symbols = [generator.randrange(given.symbols) for _ in range(given.length)]
    mean, covariance = closed_form(symbols, given.states, given.symbols)
    with tempfile.TemporaryDirectory() as folder:
        draws = [counts_of(symbols, states, given.states, given.symbols)
                 for states in draws_of(given.sculpt, pathlib.Path(folder), symbols, given.states,
                                        given.samples, given.seed)]
    of_mean = [(abs(sum(column) / len(draws) - mu), standard_errors(column, mu))
               for column, mu in zip(zip(*draws), mean)]
    of_covariance = [(abs(sum(values) / len(draws) - covariance[i][j]),
                      standard_errors(values, covariance[i][j]))
                     for i, j, values in products(draws, mean)]
    head = ["moments", "entries", "largest entry", "largest deviation", "in standard errors"]
    rows = [[name, len(found), f"{max(map(abs, entries)):.3g}",
             *(f"{max(column):.2g}" for column in zip(*found))]
            for name, found, entries in (("mean", of_mean, mean),
                                         ("covariance", of_covariance, sum(covariance, [])))]
    runs.print_table(head, rows)
    runs.write_rows(given.json, head, rows)
    if given.picture:
        pathlib.Path(given.picture).write_text(picture(mean, covariance), encoding="ascii")


if __name__ == "__main__":
    main()
