#include "solver/solver_descriptor.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "solver/frank_wolfe.hpp"
#include "solver/generative.hpp"
#include "solver/n_slack.hpp"
#include "solver/one_slack.hpp"
#include "solver/perceptron.hpp"
#include "solver/subgradient.hpp"

namespace sculpt::core {
namespace {

std::vector<const SolverDescriptor*>& known_solvers() {
  static std::vector<const SolverDescriptor*> known = {
      &n_slack_descriptor(),    &one_slack_descriptor(),   &frank_wolfe_descriptor(),
      &perceptron_descriptor(), &subgradient_descriptor(), &generative_descriptor(),
  };
  return known;
}

}  // namespace

std::span<const SolverDescriptor* const> solvers() {
  return known_solvers();
}

const SolverDescriptor* find_solver(std::string_view name) {
  for (const SolverDescriptor* solver : solvers()) {
    if (name == solver->name) return solver;
  }
  return nullptr;
}

void add_solver(const SolverDescriptor& descriptor) {
  if (find_solver(descriptor.name) != nullptr) {
    throw Failure(Exit::internal, "there is a solver " + std::string(descriptor.name) + " already");
  }
  known_solvers().push_back(&descriptor);
}

}  // namespace sculpt::core
