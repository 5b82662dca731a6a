#include "solver/solver.hpp"

#include <limits>

#include "qp/working_set.hpp"

namespace sculpt::core {

const char* name_of(StoppedBy rule) {
  switch (rule) {
    case StoppedBy::relative_gap:
      return "relative_gap";
    case StoppedBy::epsilon:
      return "epsilon";
    case StoppedBy::max_passes:
      return "max_passes";
    case StoppedBy::max_oracle_calls:
      return "max_oracle_calls";
    case StoppedBy::max_seconds:
      return "max_seconds";
    case StoppedBy::signal:
      return "signal";
    case StoppedBy::oracle_exhausted:
      return "oracle_exhausted";
    case StoppedBy::standstill:
      return "standstill";
    case StoppedBy::no_mistakes:
      return "no_mistakes";
    case StoppedBy::counted:
      return "counted";
  }
  return "unknown";
}

Known Result::known() const {
  return known_by(primal_low, primal_high.value_or(std::numeric_limits<double>::infinity()));
}

std::optional<WorkingSet> Solver::recall(Separator&, StateReader&) {
  return std::nullopt;
}

bool has_reached(StoppedBy rule, bool certified) {
  return rule == StoppedBy::epsilon || (rule == StoppedBy::relative_gap && certified);
}

}  // namespace sculpt::core
