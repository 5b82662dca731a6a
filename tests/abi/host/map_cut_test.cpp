// The relaxed answer of a map_solver gives a plane. psi is the pullback of its beliefs mu, Delta is
// their loss.
//
//   psi = A^T mu,   Delta = <l, mu> + c,   value = <w, psi> + loss_weight Delta

#include <doctest/doctest.h>

#include <cmath>

#include "linalg/products.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

// A cycle of three variables with two labels. The weights ask for different labels at each edge.
const char* const triangle = "graph g\n1 1:1\n2 1:1\n1 2:1\nedge 1 2\nedge 2 3\nedge 3 1\n";
const stub::Parts repulsive_labels{"graph", "graph", "hamming", "lp", "{\"pairs\": \"potts\"}"};

// All weights are 0, except a negative weight of equal labels.
Vector repulsive(const Problem& problem) {
  Vector w(static_cast<std::size_t>(problem.dimension()), 0.0);
  w.back() = -1;
  return w;
}

TEST_CASE("the beliefs of a map_solver make a plane with the value of the answer") {
  const auto problem = stub::problem(repulsive_labels, triangle, 1);
  REQUIRE(problem->oracle().relaxes());
  const Vector w = repulsive(*problem);
  for (const double loss_weight : {0.0, 0.25}) {
    CAPTURE(loss_weight);
    SparseAccumulator scratch(problem->dimension());
    SparseVector psi;
    Answer answer;
    problem->oracle().relaxed(0, stub::query(*problem, 0, w, loss_weight), scratch, psi, answer);
    REQUIRE(answer.fractional());
    CHECK(answer.labels().size == 0);
    // mu is 1/2 everywhere: no pair is equal, and half of each label is wrong
    CHECK(answer.info.loss == doctest::Approx(1.5));
    CHECK(answer.value() == doctest::Approx(loss_weight * 1.5));
    CHECK(answer.value() == doctest::Approx(dot(psi, w) + loss_weight * answer.info.loss));
    CHECK(answer.bound() >= answer.value());
  }
}

TEST_CASE("a relaxed answer of a map_solver without a truth has loss 0") {
  const auto problem = stub::problem(repulsive_labels, triangle, 1);
  const Vector w = repulsive(*problem);
  sculpt_query query = stub::query(*problem, 0, w, 0);
  query.truth = {nullptr, 0};
  SparseAccumulator scratch(problem->dimension());
  SparseVector psi;
  Answer answer;
  problem->oracle().relaxed(0, query, scratch, psi, answer);
  REQUIRE(answer.fractional());
  CHECK(answer.info.loss == 0);
}

TEST_CASE("a relaxed answer of a map_solver that is an output has labels") {
  const auto problem = stub::problem(repulsive_labels, triangle, 1);
  Vector w = repulsive(*problem);
  w.back() = 1;  // now equal labels are best
  w[0] = 5;
  SparseAccumulator scratch(problem->dimension());
  SparseVector psi;
  Answer answer;
  problem->oracle().relaxed(0, stub::query(*problem, 0, w, 0), scratch, psi, answer);
  CHECK(!answer.fractional());
  REQUIRE(answer.labels().size == 3);
  const std::vector<std::int32_t> y(answer.labels().data, answer.labels().data + 3);
  CHECK(y == std::vector<std::int32_t>{0, 0, 0});
  CHECK(answer.value() == doctest::Approx(stub::score(*problem, 0, y, w, 0)));
  CHECK(answer.has_flag(SCULPT_ANSWER_EXACT));
}

}  // namespace
}  // namespace sculpt::core
