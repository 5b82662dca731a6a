#include "solver/solver_descriptor.hpp"

#include <algorithm>
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

std::vector<const SolverDescriptor*>& all_solvers() {
  static std::vector<const SolverDescriptor*> all = {
      &n_slack_descriptor(),    &one_slack_descriptor(),   &frank_wolfe_descriptor(),
      &perceptron_descriptor(), &subgradient_descriptor(), &generative_descriptor(),
  };
  return all;
}

}  // namespace

bool SolverDescriptor::takes(std::string_view parameter) const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const sculpt_parameter& one) { return one.name == parameter; });
}

std::span<const SolverDescriptor* const> solvers() {
  return all_solvers();
}

void add_solver(const SolverDescriptor& solver) {
  if (find_solver(solver.name) != nullptr) {
    throw Failure(Exit::internal, std::string("there is a solver \"") + solver.name + "\" already");
  }
  all_solvers().push_back(&solver);
}

const SolverDescriptor* find_solver(std::string_view name) {
  for (const SolverDescriptor* solver : solvers()) {
    if (name == solver->name) return solver;
  }
  return nullptr;
}

}  // namespace sculpt::core
