// log Z, E[psi] and Cov[psi] v, against sums over all outputs made from features and loss alone,
// and against differences of log Z.

#include <doctest/doctest.h>

#include <cmath>

#include "linalg/products.hpp"
#include "point_sequences.hpp"

namespace sculpt::core {
namespace {

// The oracle's answers to a query, as dense vectors.
class Expectation {
 public:
  explicit Expectation(Problem& problem)
      : problem_(problem),
        oracle_(problem.oracle().component()),
        table_(*oracle_.extension<sculpt_ext_expectation>()),
        session_(oracle_) {}

  double mean(const sculpt_query& query, double scale, Vector& out) {
    SparseAccumulator sum(problem_.dimension());
    double log_z = 0;
    oracle_.call("mean", query.example, [&](sculpt_error* error) {
      return table_.mean(session_.raw(), &query, &log_z, scale, sum.raw(), error);
    });
    out = stub::dense(sum, problem_.dimension());
    return log_z;
  }
  Vector covariance_times(const sculpt_query& query, const Vector& v) {
    SparseAccumulator sum(problem_.dimension());
    oracle_.call("covariance_times", query.example, [&](sculpt_error* error) {
      return table_.covariance_times(session_.raw(), &query, stub::lend(v), 1.0, sum.raw(), error);
    });
    return stub::dense(sum, problem_.dimension());
  }

 private:
  Problem& problem_;
  const Component& oracle_;
  const sculpt_ext_expectation& table_;
  stub::OneSession session_;
};

TEST_CASE("log Z and the mean are the sums over all outputs") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  REQUIRE(problem->dimension() == 3 * 2 + 3 * 3);
  Expectation expectation(*problem);
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  for (const double loss_weight : {0.0, 1.0}) {
    for (std::int64_t example = 0; example < 2; ++example) {
      CAPTURE(example);
      CAPTURE(loss_weight);
      const std::size_t size = example == 0 ? 1 : 3;
      double z = 0;
      Vector weighted(w.size(), 0.0);
      for (const auto& y : stub::all_outputs(size, 3)) {
        const double weight = std::exp(stub::score(*problem, example, y, w, loss_weight));
        z += weight;
        axpy(weight, stub::psi(*problem, example, y), weighted);
      }
      Vector mean;
      const double log_z =
          expectation.mean(stub::query(*problem, example, w, loss_weight), 2.0, mean);
      CHECK(log_z == doctest::Approx(std::log(z)));
      for (std::size_t j = 0; j < w.size(); ++j) {
        CHECK(mean[j] == doctest::Approx(2.0 * weighted[j] / z));
      }
    }
  }
}

TEST_CASE("the mean is the slope of log Z, the covariance the slope of the mean") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  Expectation expectation(*problem);
  const Vector w = stub::some_weights(problem->dimension(), 0.3);
  const Vector v = stub::some_weights(problem->dimension(), 1.7);
  constexpr double step = 1e-5;
  Vector forward = w;
  Vector backward = w;
  axpy(step, v, forward);
  axpy(-step, v, backward);

  Vector mean;
  Vector mean_forward;
  Vector mean_backward;
  expectation.mean(stub::query(*problem, 1, w, 1), 1.0, mean);
  const double up = expectation.mean(stub::query(*problem, 1, forward, 1), 1.0, mean_forward);
  const double down = expectation.mean(stub::query(*problem, 1, backward, 1), 1.0, mean_backward);
  CHECK(dot(mean, v) == doctest::Approx((up - down) / (2 * step)).epsilon(1e-7));

  const Vector product = expectation.covariance_times(stub::query(*problem, 1, w, 1), v);
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double slope = (mean_forward[j] - mean_backward[j]) / (2 * step);
    CHECK(product[j] == doctest::Approx(slope).epsilon(1e-6));
  }
}

}  // namespace
}  // namespace sculpt::core
