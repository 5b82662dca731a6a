// random_queries.hpp - small queries with scores and grades that tie, and measures of orders of
// their documents by definition. These are sums over all pairs, or functions of one order.
//
// Used by the tests of ranking.
#pragma once

#include "bound_features.hpp"
#include "oracle_calls.hpp"

namespace plugin_test {

struct RandomQuery {
  Outputs grades;
  std::vector<std::vector<double>> input;  // [document][feature]
  std::string file() const;
  std::vector<double> scores(const std::vector<double>& w) const;
};
// Documents with two features of few values. Grades are from 0 to `largest`, at least two of them
// different.
RandomQuery draw_query(Random& random, int documents, int largest);

// The query, with features, a loss and an oracle bound to it.
struct BoundQuery {
  BoundQuery(const RandomQuery& query, const std::string& loss_name,
             const nlohmann::json& parameters, const nlohmann::json& features);
  double score(const std::vector<double>& w, const Outputs& y) const;
  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
};

// The groups of the documents: their grades if `relevant_from` is 0; else 1 for grades from
// `relevant_from` on and 0 below.
Outputs groups_of(const Outputs& grades, int relevant_from);

// Sums over all pairs: their number M; the share in the wrong order, ties counted half; <w, psi>.
double pairs_of(const Outputs& groups);
double wrong_pairs(const Outputs& groups, const Outputs& y);
double pair_score(const Outputs& groups, const Outputs& y, const std::vector<double>& scores);

// Measures of one order; its first document ranks best.
double average_precision(const Outputs& relevant, const std::vector<std::size_t>& order);
double reciprocal_rank(const Outputs& relevant, const std::vector<std::size_t>& order);
double discounted_gain(const std::vector<double>& gains, const std::vector<std::size_t>& order,
                       std::size_t k);
// Divided by the largest gain of any order.
double normalised_gain(const std::vector<double>& gains, const std::vector<std::size_t>& order,
                       std::size_t k);
std::vector<double> gains_of(const Outputs& grades, bool linear);

}  // namespace plugin_test
