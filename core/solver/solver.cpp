#include "solver/solver.hpp"

#include "base/failure.hpp"
#include "objective/hinge_objective.hpp"
#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

const char* name_of(StoppedBy rule) {
  switch (rule) {
    case StoppedBy::relative_gap:
      return "relative_gap";
    case StoppedBy::epsilon:
      return "epsilon";
    case StoppedBy::residual:
      return "residual";
    case StoppedBy::max_passes:
      return "max_passes";
    case StoppedBy::sgd_passes:
      return "sgd_passes";
    case StoppedBy::max_oracle_calls:
      return "max_oracle_calls";
    case StoppedBy::max_seconds:
      return "max_seconds";
    case StoppedBy::signal:
      return "signal";
    case StoppedBy::validation:
      return "validation";
    case StoppedBy::oracle_exhausted:
      return "oracle_exhausted";
    case StoppedBy::standstill:
      return "standstill";
    case StoppedBy::sampled_gap:
      return "sampled_gap";
    case StoppedBy::no_mistakes:
      return "no_mistakes";
    case StoppedBy::counted:
      return "counted";
  }
  return "unknown";
}

BoundKind Result::primal_kind() const {
  return bound_kind_of(primal_low, primal_high.value_or(infinity));
}

std::optional<WorkingSet> Solver::load_working_set(PlaneSource&, StateReader&) {
  return std::nullopt;
}

std::vector<Vector> Solver::load_dual_vectors(const Ports&, StateReader&) {
  return {};
}

std::unique_ptr<Objective> Solver::objective(const Domain& domain) const {
  const std::optional<Formulation> formulation = this->formulation();
  if (!formulation) {
    throw Failure(Exit::internal,
                  "a solver without a formulation does not define its objective; "
                  "override objective()");
  }
  return std::make_unique<HingeObjective>(*formulation, domain);
}

void Solver::require_ports(const Ports& ports, const std::string& name) const {
  const SolverTraits traits = this->traits();
  if (ports.has_kernel && !traits.supports_kernels) {
    throw Failure(
        Exit::config,
        name +
            " needs single weights, and a kernel has none; use the solver n_slack, "
            "one_slack, frank_wolfe, perceptron or subgradient, or write \"kernel\": {\"use\": "
            "\"explicit\", \"of\": ...} around a linear or polynomial kernel");
  }
  for (const Port port : traits.needs) {
    if (port == Port::planes && !formulation()) {
      throw Failure(Exit::internal,
                    name + " needs planes but has no formulation; override formulation()");
    }
    const std::string obstacle = ports.obstacle_to(port);
    if (obstacle.empty()) continue;
    throw Failure(Exit::config,
                  name + " needs " + name_of(port) + ", but " + obstacle + "; " + remedy_for(port));
  }
  if (traits.supports_bounds || !ports.bounds_weights()) return;
  throw Failure(Exit::config,
                name + " may give negative weights, but the features require weights >= 0; " +
                    traits.remedy_for_bounds);
}

bool is_limit(StoppedBy rule) {
  switch (rule) {
    case StoppedBy::max_passes:
    case StoppedBy::max_oracle_calls:
    case StoppedBy::max_seconds:
    case StoppedBy::signal:
      return true;
    default:
      return false;
  }
}

bool has_reached_target(StoppedBy rule, bool certified) {
  return rule == StoppedBy::epsilon || rule == StoppedBy::residual ||
         (rule == StoppedBy::relative_gap && certified);
}

}  // namespace sculpt::core
