"""Whether two methods differ on the same draws: the test of signed ranks of Wilcoxon (Biometrics
Bulletin 1, 1945), exact for any number of draws and with ties."""

import itertools


def doubled_ranks(sizes):
    """Returns the rank of each size, times two. Equal sizes share the mean of their ranks."""
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    ranks = [0] * len(sizes)
    first = 1
    for _, group in itertools.groupby(order, key=sizes.__getitem__):
        group = list(group)
        for k in group:
            ranks[k] = 2 * first + len(group) - 1
        first += len(group)
    return ranks


def p_value(first, second):
    """Returns the two-sided p-value of paired figures. Pairs of equal figures do not count."""
    differences = [round(a - b, 9) for a, b in zip(first, second, strict=True)]
    differences = [difference for difference in differences if difference]
    ranks = doubled_ranks([abs(difference) for difference in differences])
    total = sum(ranks)
    positive = sum(rank for rank, difference in zip(ranks, differences) if difference > 0)
    # ways[s]: in how many of the 2^n choices of signs the positive ranks have the sum s
    ways = [1] + [0] * total
    for rank in ranks:
        for s in range(total, rank - 1, -1):
            ways[s] += ways[s - rank]
    extreme = sum(ways[:min(positive, total - positive) + 1])
    return min(1.0, 2 * extreme / 2 ** len(ranks))


def text(p):
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"
