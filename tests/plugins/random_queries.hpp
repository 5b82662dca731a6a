// random_queries.hpp - small queries with scores and grades that tie, and what orders of their
// documents are worth by definition: means over all orders of what ties, sums over all pairs.
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
// Documents of two features with few values, grades from 0 to `largest`, at least two different.
RandomQuery draw_query(Random& random, int documents, int largest);

// The query with features, a loss and the oracle bound to it.
struct BoundQuery {
  BoundQuery(const RandomQuery& query, const std::string& loss_name,
             const nlohmann::json& parameters, const nlohmann::json& features);
  double score(const std::vector<double>& w, const Outputs& y) const;
  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
};

// Grades as they are, or 1 from `relevant_from` on and 0 below.
Outputs kinds_of(const Outputs& grades, int relevant_from);

// Sums over all pairs: M, the share in the wrong order with ties half, <w, psi>.
double pairs_of(const Outputs& kinds);
double wrong_pairs(const Outputs& kinds, const Outputs& y);
double pair_score(const Outputs& kinds, const Outputs& y, const std::vector<double>& scores);

// Of one order, the first document in front.
double average_precision(const Outputs& relevant, const std::vector<std::size_t>& order);
double reciprocal_rank(const Outputs& relevant, const std::vector<std::size_t>& order);
double discounted_gain(const std::vector<double>& gains, const std::vector<std::size_t>& order,
                       std::size_t k);
// By the most that any order has.
double normalised_gain(const std::vector<double>& gains, const std::vector<std::size_t>& order,
                       std::size_t k);
std::vector<double> gains_of(const Outputs& grades, bool linear);

}  // namespace plugin_test
