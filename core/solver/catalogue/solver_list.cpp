#include "solver/catalogue/solver_list.hpp"

#include <set>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "solver/crf/crf.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/generative/generative.hpp"
#include "solver/moments/constrained_z_score.hpp"
#include "solver/moments/soda.hpp"
#include "solver/moments/z_score.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

namespace sculpt::core {

namespace {

std::vector<const SolverDescriptor*>& all_solvers() {
  static std::vector<const SolverDescriptor*> all = {
      &n_slack_descriptor(),     &one_slack_descriptor(),
      &frank_wolfe_descriptor(), &perceptron_descriptor(),
      &subgradient_descriptor(), &generative_descriptor(),
      &crf_descriptor(),         &soda_descriptor(),
      &z_score_descriptor(),     &constrained_z_score_descriptor(),
  };
  return all;
}

// Why the solver cannot be added; "" if it can.
std::string fault_of(const SolverDescriptor& solver) {
  if (find_solver(solver.name) != nullptr) return "a solver of this name exists already";
  std::set<std::string_view> names = {"use"};  // the key that names the solver
  for (const sculpt_parameter& parameter : solver.parameters) {
    if (parameter.name == nullptr || parameter.summary == nullptr) {
      return "a parameter has no name or no summary";
    }
    if (!names.insert(parameter.name).second) {
      return std::string("the name of its parameter \"") + parameter.name + "\" is taken";
    }
  }
  return "";
}

}  // namespace

std::span<const SolverDescriptor* const> solvers() {
  return all_solvers();
}

void add_solver(const SolverDescriptor& solver) {
  const std::string fault = fault_of(solver);
  if (!fault.empty()) {
    throw Failure(Exit::internal, std::string("the solver \"") + solver.name + "\": " + fault);
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
