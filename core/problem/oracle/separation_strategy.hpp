// separation_strategy.hpp - how the most violating output is found, by what the components can do.
//
// Chosen by Problem before anything is trained; carried out by SeparationSolver.
#pragma once

#include "objective/formulation.hpp"
#include "problem/oracle/oracle.hpp"

namespace sculpt::core {

enum class SeparationStrategy {
  plain,     // argmax with loss_weight 1: margin rescaling under norm 1
  frontier,  // the best score for each vector of counts: exact under every formulation
  search     // argmax with several loss_weights: a bound, seldom exact (plane_search.hpp)
};

// Throws Failure (Exit::config) in a sentence that names the components and the remedy when the
// oracle can neither take the loss nor offer a frontier with it.
SeparationStrategy choose_strategy(const Formulation& formulation, const Oracle& oracle);

}  // namespace sculpt::core
