// A relaxed answer comes as a raw plane: psi and Delta themselves, without an output.

#include <doctest/doctest.h>

#include "linalg/products.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

const stub::Parts bag{"bag", "bag", "bag", "bag", "{}"};
const char* const items = "0 1.0 2.0 0.5\n-1 -1.0 0.5 0.25\n2 0.1 0.1 3.0\n";

// What y in [0, 1]^3, one item whole and half of another at most, is worth: affine in y.
struct Relaxed {
  double value;
  bool fractional;
};
Relaxed best_relaxed(Problem& problem, std::int64_t example, const Vector& w) {
  const double empty = stub::score(problem, example, {0, 0, 0}, w, 1);
  Relaxed best{empty, false};
  for (std::size_t whole = 0; whole < 3; ++whole) {
    std::vector<std::int32_t> y(3, 0);
    y[whole] = 1;
    const double one = stub::score(problem, example, y, w, 1);
    if (one > best.value) best = {one, false};
    for (std::size_t half = 0; half < 3; ++half) {
      if (half == whole) continue;
      std::vector<std::int32_t> z(3, 0);
      z[half] = 1;
      const double value = one + 0.5 * (stub::score(problem, example, z, w, 1) - empty);
      if (value > best.value) best = {value, true};
    }
  }
  return best;
}

TEST_CASE("a relaxed answer is the maximum over the relaxed outputs and its own plane's value") {
  const auto problem = stub::problem(bag, items, 1);
  const Component& oracle = problem->oracle().component();
  const auto* const table = oracle.extension<sculpt_ext_cut>();
  REQUIRE(table != nullptr);
  stub::OneSession session(oracle);
  int fractional = 0;
  for (const Vector& w : {Vector{0, 0, 0}, Vector{1, 1, 1}, Vector{-1, 2, 0.3}}) {
    for (std::int64_t example = 0; example < 3; ++example) {
      CAPTURE(example);
      const sculpt_query query = stub::query(*problem, example, w, 1);
      SparseAccumulator psi(problem->dimension());
      std::int32_t room[3];  // as many labels as an output has
      sculpt_cut cut{};
      cut.struct_size = sizeof cut;
      cut.labels.data = room;
      cut.labels.capacity = 3;
      oracle.call("cut", example, [&](sculpt_error* error) {
        return table->cut(session.raw(), &query, psi.raw(), &cut, error);
      });
      CHECK(psi.fault().empty());
      SparseVector plane;
      psi.merge(plane);
      const Relaxed best = best_relaxed(*problem, example, w);
      CHECK(cut.value == doctest::Approx(best.value));
      CHECK(cut.value == doctest::Approx(dot(plane, w) + cut.loss));
      const bool is_fractional = (cut.flags & SCULPT_CUT_FRACTIONAL) != 0;
      CHECK(is_fractional == best.fractional);
      CHECK(cut.labels.size == (is_fractional ? 0 : 3));
      if (!is_fractional) {  // the answer is an output, the one its plane is of
        const std::vector<std::int32_t> y(room, room + 3);
        CHECK(cut.value == doctest::Approx(stub::score(*problem, example, y, w, 1)));
      }
      CHECK((cut.flags & SCULPT_ANSWER_BOUND) != 0);
      CHECK(cut.bound >= cut.value);

      Answer answer;  // P_relaxed >= P
      problem->oracle().argmax(0, query, answer);
      CHECK(answer.value() <= cut.value + 1e-12);
      fractional += is_fractional ? 1 : 0;
    }
  }
  CHECK(fractional > 0);
}

TEST_CASE("an oracle without relaxed answers offers no such extension") {
  const auto problem =
      stub::problem({"points", "sequence", "count_errors", "brute_force", "{}"}, "0 1\n1 2\n", 1);
  CHECK(problem->oracle().component().extension<sculpt_ext_cut>() == nullptr);
}

}  // namespace
}  // namespace sculpt::core
