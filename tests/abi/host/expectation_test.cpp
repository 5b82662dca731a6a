// log Z, E[psi] and Cov[psi] v from a Problem, with an oracle and with map_solvers. They are
// compared with sums over all outputs and with finite differences.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "point_sequences.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {
namespace {

// One oracle, two map_solvers.
const std::vector<stub::Parts> all_parts = {
    stub::sequences,
    {"points", "chain", "hamming", "marginals"},
    {"points", "chain", "hamming", "viterbi"},
};

struct Sums {
  double log_z = 0;
  Vector mean;
  Vector covariance_times_v;
};

// A problem and its port of expectations.
class ProblemWithExpectations {
 public:
  explicit ProblemWithExpectations(const stub::Parts& parts, int threads = 1,
                                   const std::string& text = stub::points)
      : problem_(stub::problem(parts, text, threads)), ports_(*problem_, 1) {
    REQUIRE(ports_.ports().obstacle_to(Port::expectations).empty());
  }
  Problem& problem() { return *problem_; }
  ExpectationSource& source() { return *ports_.ports().expectations; }

 private:
  std::unique_ptr<Problem> problem_;
  ProblemPorts ports_;
};

// Returns the sums over all outputs of an example.
Sums sums_over_outputs(Problem& problem, std::int64_t example, const Vector& w, const Vector& v,
                       double loss_weight) {
  const auto size = static_cast<std::size_t>(problem.dataset().truth(example).size);
  double z = 0;
  double mean_of_v = 0;
  Vector mean(w.size(), 0.0);
  Vector product(w.size(), 0.0);
  for (const auto& y : stub::all_outputs(size, 3)) {
    const double weight = std::exp(stub::score(problem, example, y, w, loss_weight));
    const SparseVector psi = stub::psi(problem, example, y);
    z += weight;
    mean_of_v += weight * dot(psi, v);
    axpy(weight, psi, mean);
    axpy(weight * dot(psi, v), psi, product);
  }
  Sums sums{std::log(z), mean, product};
  for (std::size_t j = 0; j < w.size(); ++j) {
    sums.mean[j] /= z;
    sums.covariance_times_v[j] = product[j] / z - sums.mean[j] * mean_of_v / z;
  }
  return sums;
}

Vector dense(const SparseVector& x, std::int64_t dimension) {
  Vector out(static_cast<std::size_t>(dimension), 0.0);
  axpy(1, x, out);
  return out;
}

void check_equal(const Vector& found, const Vector& exact) {
  REQUIRE(found.size() == exact.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    CAPTURE(j);
    CHECK(found[j] == doctest::Approx(exact[j]));
  }
}

Pass pass_with(double loss_weight) {
  Pass pass(1);
  pass.loss_weight = loss_weight;
  return pass;
}

TEST_CASE("expectations of each example are the sums over all its outputs") {
  for (const stub::Parts& parts : all_parts) {
    CAPTURE(parts.oracle);
    ProblemWithExpectations setup(parts, 2);
    ExpectationSource& source = setup.source();
    const Vector w = stub::some_weights(source.dimension(), 0.3);
    for (const double loss_weight : {0.0, 1.0}) {
      CAPTURE(loss_weight);
      const std::vector<std::int64_t> examples = {1, 0};
      std::vector<Expectation> out;
      source.compute_expectations(w, examples, pass_with(loss_weight), out);
      REQUIRE(out.size() == 2);
      for (std::size_t k = 0; k < 2; ++k) {
        const Sums exact = sums_over_outputs(setup.problem(), examples[k], w, w, loss_weight);
        CHECK(out[k].log_z.value == doctest::Approx(exact.log_z));
        CHECK(out[k].log_z.is_exact);
        check_equal(dense(out[k].mean, source.dimension()), exact.mean);
      }
    }
  }
}

TEST_CASE("joint expectations are the means over the examples") {
  for (const stub::Parts& parts : all_parts) {
    CAPTURE(parts.oracle);
    ProblemWithExpectations setup(parts);
    ExpectationSource& source = setup.source();
    const Vector w = stub::some_weights(source.dimension(), 0.3);
    const Vector v = stub::some_weights(source.dimension(), 1.7);
    for (const double loss_weight : {0.0, 1.0}) {
      CAPTURE(loss_weight);
      const Sums one = sums_over_outputs(setup.problem(), 0, w, v, loss_weight);
      const Sums other = sums_over_outputs(setup.problem(), 1, w, v, loss_weight);
      Vector mean = one.mean;
      Vector covariance = one.covariance_times_v;
      for (std::size_t j = 0; j < w.size(); ++j) {
        mean[j] = (mean[j] + other.mean[j]) / 2;
        covariance[j] = (covariance[j] + other.covariance_times_v[j]) / 2;
      }
      MeanExpectation joint;
      source.compute_mean_expectation(w, pass_with(loss_weight), joint);
      CHECK(joint.log_z[0] == doctest::Approx(one.log_z));
      CHECK(joint.log_z[1] == doctest::Approx(other.log_z));
      check_equal(joint.mean, mean);
      Vector product;
      source.covariance_times(w, v, pass_with(loss_weight), product);
      check_equal(product, covariance);
    }
  }
}

TEST_CASE("the mean is the derivative of log Z, and the covariance that of the mean") {
  for (const stub::Parts& parts : all_parts) {
    CAPTURE(parts.oracle);
    ProblemWithExpectations setup(parts);
    ExpectationSource& source = setup.source();
    const Vector w = stub::some_weights(source.dimension(), 0.3);
    const Vector v = stub::some_weights(source.dimension(), 1.7);
    constexpr double step = 1e-5;
    const auto at = [&](double distance) {
      Vector moved = w;
      axpy(distance, v, moved);
      MeanExpectation out;
      source.compute_mean_expectation(moved, pass_with(1), out);
      return out;
    };
    const MeanExpectation up = at(step);
    const MeanExpectation down = at(-step);
    const double slope = (up.log_z[0] + up.log_z[1] - down.log_z[0] - down.log_z[1]) / (4 * step);
    CHECK(dot(at(0).mean, v) == doctest::Approx(slope).epsilon(1e-7));
    Vector product;
    source.covariance_times(w, v, pass_with(1), product);
    for (std::size_t j = 0; j < w.size(); ++j) {
      CHECK(product[j] == doctest::Approx((up.mean[j] - down.mean[j]) / (2 * step)).epsilon(1e-6));
    }
  }
}

TEST_CASE("threads: expectations do not depend on the number of threads") {
  std::string text;
  for (int k = 0; k < 40; ++k) text += stub::points;
  const auto joint = [&](int threads) {
    ProblemWithExpectations setup(all_parts.back(), threads, text);
    ExpectationSource& source = setup.source();
    MeanExpectation out;
    source.compute_mean_expectation(stub::some_weights(source.dimension(), 0.3), Pass(1), out);
    return out;
  };
  const MeanExpectation one = joint(1);
  for (const int threads : {2, 4}) {
    const MeanExpectation more = joint(threads);
    CHECK(more.log_z == one.log_z);
    CHECK(more.mean == one.mean);
  }
}

TEST_CASE("expectations are refused with the name of the component that does not offer them") {
  const auto problem = stub::problem({"points", "chain", "hamming", "icm"}, stub::points, 1);
  ProblemPorts ports(*problem, 1);
  CHECK(ports.ports().expectations == nullptr);
  CHECK(ports.ports().obstacle_to(Port::expectations) ==
        "icm offers no probabilities (sculpt.map-expectation/1)");
}

TEST_CASE("expectations refuse a loss that the oracle does not support") {
  const auto problem = stub::problem({"points", "chain", "zero_one", "viterbi"}, stub::points, 1,
                                     {Rescaling::margin, 1, 1});
  ProblemPorts ports(*problem, 1);
  ExpectationSource& source = *ports.ports().expectations;
  const Vector w(static_cast<std::size_t>(source.dimension()), 0.0);
  MeanExpectation out;
  source.compute_mean_expectation(w, Pass(1), out);
  CHECK(out.log_z[0] == doctest::Approx(std::log(3.0)));
  CHECK_THROWS_WITH_AS(source.compute_mean_expectation(w, pass_with(1), out),
                       "the solver's loss_weight: zero_one needs single graphs; chain offers "
                       "pairwise, forest, chain; use another loss or oracle",
                       Failure);
}

TEST_CASE("a pass of expectations can be cancelled") {
  ProblemWithExpectations setup(stub::sequences);
  ExpectationSource& source = setup.source();
  const Vector w(static_cast<std::size_t>(source.dimension()), 0.0);
  Pass pass(1, [] { return true; });
  std::vector<Expectation> each;
  MeanExpectation joint;
  Vector product;
  CHECK_THROWS_AS(source.compute_expectations(w, std::vector<std::int64_t>{0}, pass, each),
                  Cancelled);
  CHECK_THROWS_AS(source.compute_mean_expectation(w, pass, joint), Cancelled);
  CHECK_THROWS_AS(source.covariance_times(w, w, pass, product), Cancelled);
}

}  // namespace
}  // namespace sculpt::core
