// separation_strategy.hpp - how the most violated output is found, given what the components offer.
//
// Chosen by Problem before training, and by check. Carried out by SeparationSolver.
#pragma once

#include "objective/formulation.hpp"
#include "problem/oracle/oracle.hpp"

namespace sculpt::core {

enum class SeparationStrategy {
  one_argmax,         // argmax with loss_weight 1: margin rescaling under norm 1
  frontier,           // the best score for each vector of counts: exact under every formulation
  loss_weight_search  // argmax with several loss_weights: a bound, seldom exact
};

// Returns the strategy. Throws Failure (Exit::config) if the oracle neither supports the loss nor
// offers a frontier for it. The message names the components and what to do.
SeparationStrategy choose_strategy(const Formulation& formulation, const Oracle& oracle);

}  // namespace sculpt::core
