// An exception in a plugin ends the run with exit code 69. The message begins with the component.

#include <doctest/doctest.h>

#include "core/refusal.hpp"
#include "problem/prediction/predictor.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

const stub::Parts throwing{"throwing", "throwing", "throwing", "throwing", "{}"};

Refusal refusal_in(const std::string& method) {
  return refusal_of([&] {
    const auto problem = stub::problem(throwing, method + "\n", 1);
    const Vector w(1, 0.0);
    Predictor(*problem, w, 1).run({0, 1}, {});
  });
}

TEST_CASE("a plugin method that throws ends the run with exit code 69") {
  CHECK(refusal_in("nowhere").text == "(accepted)");
  for (const auto& one : {std::pair{"dimension", "throwing: dimension threw: not today"},
                          std::pair{"count", "throwing: count threw: not today"},
                          std::pair{"finish", "throwing: finish_metrics threw: not today"}}) {
    CAPTURE(one.first);
    const Refusal refusal = refusal_in(one.first);
    CHECK(static_cast<int>(refusal.exit) == 69);
    CHECK(refusal.text == one.second);
  }
}

TEST_CASE("an extension whose getter throws counts as not offered") {
  CHECK(refusal_in("extension").text == "(accepted)");
}

TEST_CASE("a feature index that does not fit in 32 bits is refused") {
  const Refusal refusal = refusal_in("index");
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text == "throwing: example 0: feature index 4294967296 is outside [0, 1)");
}

}  // namespace
}  // namespace sculpt::core
