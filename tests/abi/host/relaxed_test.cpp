// A relaxed answer of an oracle: psi and Delta without an output.

#include <doctest/doctest.h>

#include "linalg/products.hpp"
#include "relaxed_bag.hpp"

namespace sculpt::core {
namespace {

TEST_CASE("a relaxed answer is the maximum over the relaxed outputs and the value of its plane") {
  const auto problem = stub::problem(stub::bag, stub::items, 1);
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
      std::int32_t labels[3];  // one for each item
      sculpt_cut cut{};
      cut.struct_size = sizeof cut;
      cut.labels.data = labels;
      cut.labels.capacity = 3;
      oracle.call("cut", example, [&](sculpt_error* error) {
        return table->cut(session.raw(), &query, psi.raw(), &cut, error);
      });
      CHECK(psi.fault().empty());
      SparseVector plane;
      psi.merge(plane);
      const stub::Relaxed best = stub::best_relaxed(*problem, example, w);
      CHECK(cut.value == doctest::Approx(best.value));
      CHECK(cut.value == doctest::Approx(dot(plane, w) + cut.loss));
      const bool is_fractional = (cut.flags & SCULPT_CUT_FRACTIONAL) != 0;
      CHECK(is_fractional == best.fractional);
      CHECK(cut.labels.size == (is_fractional ? 0 : 3));
      if (!is_fractional) {  // the plane is that of the output
        const std::vector<std::int32_t> y(labels, labels + 3);
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

TEST_CASE("an oracle without relaxed answers does not offer the extension sculpt.cut") {
  const auto problem =
      stub::problem({"points", "sequence", "count_errors", "brute_force", "{}"}, "0 1\n1 2\n", 1);
  CHECK(problem->oracle().component().extension<sculpt_ext_cut>() == nullptr);
}

}  // namespace
}  // namespace sculpt::core
