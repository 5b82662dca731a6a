// required_probabilities.hpp - what a model must know about outputs besides the best one.
//
// Called by predict, evaluate and libsculpt. Each function throws Failure(Exit::config) if the
// model or its oracle does not offer it. `asker`: the option or the function that needs it.
#pragma once

#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

void require_k_best(const Probabilities& probabilities);
void require_draws(const Probabilities& probabilities, const char* asker);
void require_marginals(const Probabilities& probabilities, const char* asker);

}  // namespace sculpt::core
