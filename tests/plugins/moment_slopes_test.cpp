// The oracles grammar and rna: E[psi] agrees with numerical derivatives of log Z along random
// directions v of the weights. Cov[psi] v agrees with those of E[psi].
//
// Central differences of order four with h = 1e-3 have errors near 1e-12, from h^4 and rounding.
// The tests allow a relative difference of 1e-8.
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

void check_slopes(const LiveComponent& oracle, const OracleQuery& query, Random& random) {
  constexpr double h = 1e-3;
  std::vector<double> v = normal_vector(random, query.w.size());
  for (double& value : v) value /= 2;
  const auto at = [&](double step) {
    OracleQuery there = query;
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
  REQUIRE(
      close(dot(mean(oracle, query).psi, v), slope([](const Mean& m) { return m.log_z; }), 1e-8));
  const std::vector<double> change = covariance_times(oracle, query, v);
  for (std::size_t j = 0; j < v.size(); ++j) {
    REQUIRE(close(change[j], slope([&](const Mean& m) { return m.psi[j]; }), 1e-8));
  }
}

}  // namespace

TEST_CASE("grammar: expectations are derivatives of log Z, covariances those of expectations") {
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
                        word_parameters({{"symbols", {"A", "B", "C"}}}),
                        {{"rows", grammar.rows()},
                         {"unary_depth", grammar.unary_depth},
                         {"anchors", every_anchor}});
    OracleQuery query = unlabelled(parser, 0);
    query.w = normal_vector(random, query.w.size());
    check_slopes(parser.oracle(), query, random);
    if (checked++ % 4 > 0) continue;
    query.truth = truth_of(parser.dataset, 0);  // adds a linear loss to the scores
    query.labelled = true;
    query.loss_weight = 0.5;
    check_slopes(parser.oracle("difference"), query, random);
  }
}

TEST_CASE("rna: expectations are derivatives of log Z, covariances those of expectations") {
  Random random(659);
  for (int trial = 0; trial < 60; ++trial) {
    const std::string sequence = random_sequence(random, draw(random, 4, 30));
    const Folding folding(sequence, std::string(sequence.size(), '.'),
                          {{"stacking", true}, {"closing", trial % 2 == 0}},
                          "item_losses#difference");
    OracleQuery query =
        folding.query(normal_vector(random, folding.weights()), trial % 3 == 0 ? 0.5 : 0.0);
    for (double& value : query.w) value /= 2;
    check_slopes(folding.oracle, query, random);
  }
}
