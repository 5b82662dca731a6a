// One giant example: the oracle runs a single call on all threads of the host.

#include <doctest/doctest.h>

#include <string>

#include "problem/sources/problem_planes.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

const stub::Parts giant{"giant", "giant", "giant", "giant", "{}"};

TEST_CASE("threads: a giant example gives the same bytes on one, two and four threads") {
  const Vector w = {0.7, -0.2};
  std::vector<std::int32_t> first;
  double first_value = 0;
  for (const int threads : {1, 2, 4}) {
    CAPTURE(threads);
    const auto problem = stub::problem(giant, "500000 7", threads);
    Answer answer;
    problem->oracle().argmax(0, stub::query(*problem, 0, w, 1), answer);
    CHECK(answer.has_flag(SCULPT_ANSWER_EXACT));
    const sculpt_labels labels = answer.labels();
    const std::vector<std::int32_t> y(labels.data, labels.data + labels.size);
    REQUIRE(y.size() == 500000);
    CHECK(answer.value() == doctest::Approx(stub::score(*problem, 0, y, w, 1)).epsilon(1e-9));
    if (first.empty()) {
      first = y;
      first_value = answer.value();
    }
    CHECK(y == first);
    CHECK(answer.value() == first_value);
  }
}

// No score depends on two items. So an output that no single flip improves is the best.
TEST_CASE("no flip of one item improves the answer for a giant example") {
  const auto problem = stub::problem(giant, "1000 7", 2);
  const Vector w = {0.7, -0.2};
  Answer answer;
  problem->oracle().argmax(0, stub::query(*problem, 0, w, 1), answer);
  std::vector<std::int32_t> y(answer.labels().data, answer.labels().data + answer.labels().size);
  for (std::int32_t& label : y) {
    label = 1 - label;
    CHECK(stub::score(*problem, 0, y, w, 1) <= answer.value() + 1e-12);
    label = 1 - label;
  }
}

TEST_CASE("an oracle can use the threads of the host while the host separates in a task") {
  const auto problem = stub::problem(giant, "100000 3", 4);
  ProblemPlanes source(*problem, 1);
  std::vector<Separation> out;
  const std::int64_t examples[] = {0};
  source.separate(Vector{0.1, 0.1}, examples, 1, out);
  REQUIRE(out.size() == 1);
  CHECK(out[0].low > 0);
  CHECK(out[0].high == doctest::Approx(out[0].low));
}

}  // namespace
}  // namespace sculpt::core
