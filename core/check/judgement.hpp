// judgement.hpp - an oracle's answer with what host and brute force say of it.
//
// Shared by the tests of oracles.
#pragma once

#include <optional>

#include "check/bench.hpp"

namespace sculpt::core {

// The value of an output in a question, and the size of the terms it is summed from.
struct Value {
  double value = 0;  // <w, psi> + loss_weight * Delta
  double size = 0;
};
Value value_of(const Question& question, const Output& output);

// By how much two values may differ through rounding: 1e-9 of what they are summed from, far above
// the rounding of doubles and far below that of floats.
double rounding(double size);

// Ends the test where the oracle gives no relaxed answers.
void require_relaxed(Bench& bench, Findings& findings);

// The best of the outputs of the example, the truth left out where the oracle says it is outside;
// nullptr when there is none.
const Output* best_output(Bench& bench, const Question& question, const Reply& reply);

// An output that is better than the answer's own: of bench.outputs() or, where those are a pool and
// the features offer a factor graph, one that differs from the answer in one label.
struct Beaten {
  Output answer;
  Output better;
};
std::optional<Beaten> beaten(Bench& bench, const Question& question, const Reply& reply);

}  // namespace sculpt::core
