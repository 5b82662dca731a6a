#include "objective/ports.hpp"

namespace sculpt::core {

const char* name_of(Port port) {
  switch (port) {
    case Port::planes:
      return "planes";
    case Port::expectations:
      return "expectations of features";
    case Port::uniform_expectations:
      return "expectations of features at w = 0";
    case Port::loss_in_expectations:
      return "probabilities that the loss enters";
    case Port::loss_covariances:
      return "covariances of features and loss";
    case Port::samples:
      return "samples of outputs";
    case Port::cells:
      return "factor graphs with probabilities for the method sdca";
    case Port::truths:
      return "the features of the truths";
    case Port::groups:
      return "groups of features";
  }
  return "";
}

const char* remedy_for(Port port) {
  switch (port) {
    case Port::planes:
    case Port::truths:
      return "use another solver";
    case Port::expectations:
      return "viterbi, enumerate, belief_propagation, grammar, rna, alignment and homolog offer "
             "them (describe NAME lists what another one offers); or use another solver";
    case Port::uniform_expectations:
      return "use features whose factors have at most two variables; or use viterbi, enumerate, "
             "grammar, rna, alignment or homolog; or another solver";
    case Port::samples:
      return "viterbi, enumerate, grammar, rna, alignment and homolog offer them (describe NAME "
             "lists what another one offers); or use another solver";
    case Port::loss_in_expectations:
      return "use another loss or oracle, or loss_weight 0";
    case Port::loss_covariances:
      return "use a map_solver with probabilities and a loss that splits over factors, "
             "\"moments\": \"sampled\", or loss_weight 0";
    case Port::cells:
      return "use the method lbfgs, or a map_solver";
    case Port::groups:
      return "use features that offer them (describe NAME lists what one offers), or another "
             "solver";
  }
  return "";
}

std::string Ports::obstacle_to(Port port) const {
  switch (port) {
    case Port::planes:
      return planes != nullptr ? "" : "there are none";
    case Port::expectations:
      return obstacle_to_expectations;
    case Port::uniform_expectations:
      return uniform_expectations != nullptr ? "" : obstacle_to_expectations;
    case Port::loss_in_expectations:
      return obstacle_to_loss_in_expectations;
    case Port::loss_covariances:
      return obstacle_to_loss_covariances;
    case Port::samples:
      return obstacle_to_samples;
    case Port::cells:
      return obstacle_to_cells;
    case Port::truths:
      return counts != nullptr ? "" : "there are none";
    case Port::groups:
      return obstacle_to_groups;
  }
  return "";
}

const ExampleSource* Ports::any_source() const {
  if (planes != nullptr) return planes;
  if (expectations != nullptr) return expectations;
  return counts;
}

}  // namespace sculpt::core
