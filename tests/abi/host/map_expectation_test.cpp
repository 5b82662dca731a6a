// What a map_solver says in the space of theta and what an oracle says in the space of w is the
// same through the features' potentials and pullback:
//   E[psi] = A^T E[z],   Cov[psi] v = A^T Cov[z] A v

#include <doctest/doctest.h>

#include "point_sequences.hpp"

namespace sculpt::core {
namespace {

// Features with a factor graph and a map_solver, asked about an example in the space of w.
class Composed {
 public:
  explicit Composed(Problem& problem)
      : problem_(problem),
        features_(problem.features().component()),
        graph_(*features_.extension<sculpt_ext_factor_graph>()),
        solver_(stub::find(SCULPT_KIND_MAP_SOLVER, "marginals"), {}, problem.services()),
        session_((solver_.seal(), solver_)),
        table_(*solver_.extension<sculpt_ext_map_expectation>()) {}

  double mean(std::int64_t example, const Vector& w, Vector& out) {
    const Vector theta = potentials(example, w);
    const sculpt_map_query query = map_query(example, theta);
    Vector mu(theta.size(), 7.0);  // what was there before does not count
    double log_z = 0;
    solver_.call("mean", example, [&](sculpt_error* error) {
      return table_.mean(session_.raw(), &query, &log_z, mu.data(), error);
    });
    out = pullback(example, mu);
    return log_z;
  }
  Vector covariance_times(std::int64_t example, const Vector& w, const Vector& v) {
    const Vector theta = potentials(example, w);
    const Vector direction = potentials(example, v);
    const sculpt_map_query query = map_query(example, theta);
    Vector product(theta.size(), 7.0);
    solver_.call("covariance_times", example, [&](sculpt_error* error) {
      return table_.covariance_times(session_.raw(), &query, direction.data(), product.data(),
                                     error);
    });
    return pullback(example, product);
  }

 private:
  const sculpt_factor_graph& graph(std::int64_t example) {
    const sculpt_factor_graph* graph = nullptr;
    features_.call("graph", example, [&](sculpt_error* error) {
      return graph_.graph(problem_.features().session(0), example, &graph, error);
    });
    return *graph;
  }
  sculpt_map_query map_query(std::int64_t example, const Vector& theta) {
    return {sizeof(sculpt_map_query), 0, &graph(example), theta.data(), 1};
  }
  Vector potentials(std::int64_t example, const Vector& w) {
    Vector theta(static_cast<std::size_t>(graph(example).theta_size));
    features_.call("potentials", example, [&](sculpt_error* error) {
      return graph_.potentials(problem_.features().session(0), example, stub::lend(w), theta.data(),
                               error);
    });
    return theta;
  }
  Vector pullback(std::int64_t example, const Vector& mu) {
    SparseAccumulator sum(problem_.dimension());
    features_.call("pullback", example, [&](sculpt_error* error) {
      return graph_.pullback(problem_.features().session(0), example, mu.data(), 1.0, sum.raw(),
                             error);
    });
    return stub::dense(sum, problem_.dimension());
  }

  Problem& problem_;
  const Component& features_;
  const sculpt_ext_factor_graph& graph_;
  Component solver_;
  stub::OneSession session_;
  const sculpt_ext_map_expectation& table_;
};

TEST_CASE("a map_solver's expectations, pulled back, are those of an oracle") {
  const stub::Parts parts{"points", "chain", "count_errors", "brute_force", "{}"};
  const auto problem = stub::problem(parts, stub::points, 1);
  const Component& oracle = problem->oracle().component();
  const auto& table = *oracle.extension<sculpt_ext_expectation>();
  stub::OneSession session(oracle);
  Composed composed(*problem);
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  const Vector v = stub::some_weights(problem->dimension(), 1.7);
  for (std::int64_t example = 0; example < 2; ++example) {
    CAPTURE(example);
    // a truth and no loss: the scores alone, over the outputs of this truth
    const sculpt_query query = stub::query(*problem, example, w, 0);
    REQUIRE(query.truth.data != nullptr);

    SparseAccumulator sum(problem->dimension());
    double log_z = 0;
    oracle.call("mean", example, [&](sculpt_error* error) {
      return table.mean(session.raw(), &query, &log_z, 1.0, sum.raw(), error);
    });
    const Vector expected_mean = stub::dense(sum, problem->dimension());
    Vector mean;
    CHECK(composed.mean(example, w, mean) == doctest::Approx(log_z));
    for (std::size_t j = 0; j < w.size(); ++j) CHECK(mean[j] == doctest::Approx(expected_mean[j]));

    SparseAccumulator product_sum(problem->dimension());
    oracle.call("covariance_times", example, [&](sculpt_error* error) {
      return table.covariance_times(session.raw(), &query, stub::lend(v), 1.0, product_sum.raw(),
                                    error);
    });
    const Vector expected = stub::dense(product_sum, problem->dimension());
    const Vector product = composed.covariance_times(example, w, v);
    for (std::size_t j = 0; j < w.size(); ++j) CHECK(product[j] == doctest::Approx(expected[j]));
  }
}

}  // namespace
}  // namespace sculpt::core
