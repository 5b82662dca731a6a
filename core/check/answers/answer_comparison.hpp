// answer_comparison.hpp - an oracle's answer with what host and brute force say of it.
//
// Shared by the tests of oracles.
#pragma once

#include <optional>

#include "check/fixture/test_fixture.hpp"

namespace sculpt::core {

// The value of an output in a question, and the terms that it is summed from.
struct AugmentedScore {
  double value = 0;  // <w, psi> + loss_weight * Delta
  Terms terms;
};
AugmentedScore augmented_score_of(const OracleQuery& question, const Output& output);

// By how much rounding may move the loss of an output.
double rounding_of_loss(const Output& output);

// By how much a value with these terms may exceed what an answer says nothing does: rounding, and
// what a numerical method may be off where the answer has a bound of its own.
double excess_allowed(const OwnedAnswer& reply, const Terms& terms);

// Ends the test where the oracle gives no relaxed answers.
void require_relaxed(TestFixture& fixture, TestContext& context);

// The best of the outputs of the example, the truth left out where the oracle says it is outside;
// nullptr when there is none.
const Output* best_output(TestFixture& fixture, const OracleQuery& question,
                          const OwnedAnswer& reply);

// An output that is better than the answer's own: of fixture.outputs() or, where those are a pool
// and the features offer a factor graph, one that differs from the answer in one label.
struct BetterOutput {
  Output answer;
  Output better;
};
std::optional<BetterOutput> beaten(TestFixture& fixture, const OracleQuery& question,
                                   const OwnedAnswer& reply);

}  // namespace sculpt::core
