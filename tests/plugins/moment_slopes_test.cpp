// Oracles with expectations, grammar and rna: E[psi] against differences of log Z along any
// direction v of the weights, and Cov[psi] v against those of E[psi].
//
// Differences of order four with h = 1e-3: wrong by some 1e-12, from h^4 and from rounding; 1e-8 of
// the numbers is asked for.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "grammar_parser.hpp"
#include "random_grammars.hpp"
#include "rna_folding.hpp"
#include "rna_structures.hpp"

#include <cmath>

using namespace plugin_test;
using nlohmann::json;

namespace {

void check_slopes(const LiveComponent& oracle, const Question& question, Random& random) {
  constexpr double h = 1e-3;
  std::vector<double> v = normal_vector(random, question.w.size());
  for (double& value : v) value /= 2;
  const auto at = [&](double step) {
    Question there = question;
    for (std::size_t j = 0; j < v.size(); ++j) there.w[j] += step * v[j];
    return mean(oracle, there);
  };
  const Mean before_twice = at(-2 * h);
  const Mean before = at(-h);
  const Mean behind = at(h);
  const Mean behind_twice = at(2 * h);
  const auto slope = [&](const auto& of) {
    return (8 * (of(behind) - of(before)) - (of(behind_twice) - of(before_twice))) / (12 * h);
  };
  REQUIRE(close(dot(mean(oracle, question).psi, v), slope([](const Mean& m) { return m.log_z; }),
                1e-8));
  const std::vector<double> change = covariance_times(oracle, question, v);
  for (std::size_t j = 0; j < v.size(); ++j) {
    REQUIRE(close(change[j], slope([&](const Mean& m) { return m.psi[j]; }), 1e-8));
  }
}

}  // namespace

TEST_CASE("grammar: expectations are slopes of log Z, covariances those of the expectations") {
  Random random(653);
  int checked = 0;
  while (checked < 100) {
    const RandomGrammar grammar = random_grammar(random);
    std::vector<std::string> words;
    for (int k = draw(random, 2, 6); k > 0; --k) {
      words.push_back(std::string(1, static_cast<char>('a' + draw(random, 0, 2))));
    }
    const std::vector<TextTree> all = all_trees(grammar, words, 300);
    if (all.size() < 2) continue;
    const Parser parser(all.front().text + "\n(ROOT (A a b c))\n",
                        of_words({{"symbols", {"A", "B", "C"}}}),
                        {{"rows", grammar.rows()},
                         {"unary_depth", grammar.unary_depth},
                         {"anchors", every_anchor}});
    Question question = unlabelled(parser, 0);
    question.w = normal_vector(random, question.w.size());
    check_slopes(parser.oracle(), question, random);
    if (checked++ % 4 > 0) continue;
    question.truth = truth_of(parser.dataset, 0);  // with a linear loss in the scores
    question.labelled = true;
    question.loss_weight = 0.5;
    check_slopes(parser.oracle("difference"), question, random);
  }
}

TEST_CASE("rna: expectations are slopes of log Z, covariances those of the expectations") {
  Random random(659);
  for (int trial = 0; trial < 60; ++trial) {
    const std::string sequence = random_sequence(random, draw(random, 4, 30));
    const Folding folding(sequence, std::string(sequence.size(), '.'),
                          {{"stacking", true}, {"closing", trial % 2 == 0}},
                          "item_losses#difference");
    Question question =
        folding.question(normal_vector(random, folding.weights()), trial % 3 == 0 ? 0.5 : 0.0);
    for (double& value : question.w) value /= 2;
    check_slopes(folding.oracle, question, random);
  }
}
