#!/usr/bin/env python3
"""Tests of what the scripts after Ricci, De Bie & Cristianini compute themselves: p-values, models
and best outputs, against enumeration and published values."""

import itertools
import random
import unittest

import hidden_markov
import moment_structure
import signed_rank
import synthetic_alignment


def enumerated_p_value(differences):
    """The share of the choices of signs whose rank sum is at least as far from its mean."""
    def rank(size):
        smaller = sum(abs(other) < size for other in differences)
        equal = sum(abs(other) == size for other in differences)
        return smaller + (equal + 1) / 2
    ranks = [rank(abs(difference)) for difference in differences]
    mean = sum(ranks) / 2

    def distance(signs):
        return abs(sum(r for r, is_positive in zip(ranks, signs) if is_positive) - mean)
    found = distance([difference > 0 for difference in differences])
    choices = list(itertools.product([False, True], repeat=len(ranks)))
    return sum(distance(signs) >= found for signs in choices) / len(choices)


class SignedRanks(unittest.TestCase):
    def test_the_p_value_of_depression_factors_is_the_published_one(self):
        # Hollander & Wolfe, Nonparametric Statistical Methods (1973): V = 40, p = 0.03906
        before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
        after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        self.assertAlmostEqual(signed_rank.p_value(before, after), 0.0390625, places=7)
        self.assertEqual(signed_rank.p_value(before, after), signed_rank.p_value(after, before))

    def test_ties_agree_with_all_choices_of_signs(self):
        for differences in ([1, 1, -1, 2, 2, 3], [-1, 2, -2, 2, 5, 5, 5, -7], [3, 3, 3, 3]):
            zeros = [0] * len(differences)
            self.assertAlmostEqual(signed_rank.p_value(differences, zeros),
                                   enumerated_p_value(differences))

    def test_equal_figures_do_not_count(self):
        self.assertEqual(signed_rank.p_value([1, 2, 3], [1, 2, 3]), 1)
        self.assertEqual(signed_rank.p_value([1, 5, 6, 8], [1, 2, 2, 2]),
                         signed_rank.p_value([5, 6, 8], [2, 2, 2]))

    def test_many_draws_that_all_agree_have_a_tiny_p_value(self):
        self.assertEqual(signed_rank.p_value(range(1, 101), [0] * 100), 2 / 2 ** 100)


class HiddenMarkovModels(unittest.TestCase):
    def test_the_best_states_are_those_of_enumeration(self):
        model = hidden_markov.Model(random.Random(4), 3, 4, 1)
        follow = hidden_markov.logarithms(model.follow)
        emit = hidden_markov.logarithms(model.emit)
        for length in range(1, 7):
            symbols, _ = model.draw(length)

            def score(states):
                return (sum(emit[p][symbol] for p, symbol in zip(states, symbols)) +
                        sum(follow[p][q] for p, q in itertools.pairwise(states)))
            best = max(itertools.product(range(3), repeat=length), key=score)
            self.assertEqual(hidden_markov.best_states(symbols, follow, emit), list(best))

    def test_draws_have_the_frequencies_of_the_tables(self):
        model = hidden_markov.Model(random.Random(7), 2, 3, 1)
        symbols, states = model.draw(40000)
        for p, q in itertools.product(model.states, model.states):
            pairs = list(itertools.pairwise(states))
            share = pairs.count((p, q)) / states[:-1].count(p)
            self.assertAlmostEqual(share, model.follow[p][q], delta=0.02)
        for p, symbol in itertools.product(model.states, model.symbols):
            share = list(zip(states, symbols)).count((p, symbol)) / states.count(p)
            self.assertAlmostEqual(share, model.emit[p][symbol], delta=0.02)

    def test_noise_replaces_labels_by_any_state(self):
        model = hidden_markov.Model(random.Random(1), 4, 2, 1)
        states = [0] * 20000
        self.assertEqual(model.noisy(states, 0), states)
        changed = sum(state != 0 for state in model.noisy(states, 0.4)) / len(states)
        self.assertAlmostEqual(changed, 0.4 * 3 / 4, delta=0.015)


class ClosedForm(unittest.TestCase):
    def test_mean_and_covariance_are_those_of_all_outputs(self):
        for symbols, n in (([1], 2), ([0, 2], 3), ([2, 0, 2, 1, 2], 2), ([1, 1, 0, 1], 3)):
            counts = [moment_structure.counts_of(symbols, states, n, 3)
                      for states in itertools.product(range(n), repeat=len(symbols))]
            mean, covariance = moment_structure.closed_form(symbols, n, 3)
            for mu, column in zip(mean, zip(*counts)):
                self.assertAlmostEqual(mu, sum(column) / len(counts))
            for i, j, values in moment_structure.products(counts, mean):
                self.assertAlmostEqual(covariance[i][j], sum(values) / len(values))
                self.assertEqual(covariance[i][j], covariance[j][i])

    def test_a_value_that_always_deviates_is_infinitely_far_away(self):
        self.assertEqual(moment_structure.standard_errors([1, 1], 1), 0)
        self.assertEqual(moment_structure.standard_errors([1, 1], 2), float("inf"))
        self.assertAlmostEqual(moment_structure.standard_errors([1, 3], 5), 3)


class Alignments(unittest.TestCase):
    def paths(self, first, second):
        """Yields the gapped rows of every alignment."""
        if not first and not second:
            yield "", ""
        if first and second:
            yield from ((first[0] + a, second[0] + b)
                        for a, b in self.paths(first[1:], second[1:]))
        if first:
            yield from ((first[0] + a, "-" + b) for a, b in self.paths(first[1:], second))
        if second:
            yield from (("-" + a, second[0] + b) for a, b in self.paths(first, second[1:]))

    def test_the_true_alignment_is_the_best_of_all(self):
        generator = synthetic_alignment.Generator(random.Random(3), (1, 2), (-1, 0), -0.4)

        def score(rows):
            return sum(generator.gap if "-" in column else generator.weights[column]
                       for column in zip(*rows))
        for _ in range(20):
            first, second = (row[:5] for row in generator.pair())
            rows = synthetic_alignment.best_alignment(first, second, generator.weights,
                                                      generator.gap)
            self.assertAlmostEqual(score(rows), max(map(score, self.paths(first, second))))
            self.assertEqual([row.replace("-", "") for row in rows],
                             ["".join(first), "".join(second)])
            self.assertNotRegex("".join("d" if b == "-" else "i" if a == "-" else "m"
                                        for a, b in zip(*rows)), "di")


if __name__ == "__main__":
    unittest.main(buffer=True)
