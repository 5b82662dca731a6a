// answer_comparison.hpp - compares an oracle's answer with values of the host and with other
// outputs.
//
// Shared by the tests of oracles.
#pragma once

#include <optional>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// The value of an output in a query, and the terms that it is summed from.
struct AugmentedScore {
  double value = 0;  // <w, psi> + loss_weight * Delta
  Terms terms;
};
AugmentedScore augmented_score_of(const OracleQuery& query, const Output& output);

// Returns a bound of the rounding error of the loss of an output.
double rounding_of_loss(const Output& output);

// Returns how much a value with these terms may exceed the claimed upper bound. This is the
// rounding of its terms, and the tolerance of numerical methods if the answer has BOUND.
double allowed_excess(const OwnedAnswer& answer, const Terms& terms);

// Skips the test if the oracle gives no relaxed answers.
void require_relaxed(TestFixture& fixture, TestContext& context);

// Returns the best of the listed outputs of the example. Excludes the truth if the oracle reports
// TRUTH_OUTSIDE. nullptr if there is no output.
const Output* best_output(TestFixture& fixture, const OracleQuery& query,
                          const OwnedAnswer& answer);

// An output that is better than the answer. It is one of fixture.outputs(). If these are incomplete
// and the features offer a factor graph, it may be the maximum of the graph. If the graph is too
// wide for this, it may be an output that differs from the answer in one label.
struct BetterOutput {
  Output answer;
  Output better;
};
std::optional<BetterOutput> find_better_output(TestFixture& fixture, const OracleQuery& query,
                                               const OwnedAnswer& answer);

}  // namespace sculpt::core
