#include "solver/solver_descriptor.hpp"

#include <array>

#include "solver/frank_wolfe.hpp"
#include "solver/generative.hpp"
#include "solver/n_slack.hpp"
#include "solver/one_slack.hpp"
#include "solver/perceptron.hpp"
#include "solver/subgradient.hpp"

namespace sculpt::core {

std::span<const SolverDescriptor* const> solvers() {
  static const std::array<const SolverDescriptor*, 6> all = {
      &n_slack_descriptor(),    &one_slack_descriptor(),   &frank_wolfe_descriptor(),
      &perceptron_descriptor(), &subgradient_descriptor(), &generative_descriptor(),
  };
  return all;
}

const SolverDescriptor* find_solver(std::string_view name) {
  for (const SolverDescriptor* solver : solvers()) {
    if (name == solver->name) return solver;
  }
  return nullptr;
}

}  // namespace sculpt::core
