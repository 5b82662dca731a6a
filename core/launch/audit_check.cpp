#include "launch/audit_check.hpp"

#include "base/failure.hpp"

namespace sculpt::core {

void require_audit_of_hinge(const Experiment& experiment, const Objective& objective) {
  if (!experiment.audit_with || objective.is_hinge()) return;
  throw Failure(Exit::config,
                "\"audit_with\" needs an objective of structural hinges, but the solver "
                "minimizes " +
                    objective.text() + "; leave \"audit_with\" out");
}

}  // namespace sculpt::core
