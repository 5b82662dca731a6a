// hinge_objective.hpp - the objective of the structural SVM (formulation.hpp), over the outputs and
// weights of a problem.
//
// Made by Solver::objective() for every solver with a formulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "objective/formulation.hpp"
#include "objective/objective.hpp"

namespace sculpt::core {

class HingeObjective : public Objective {
 public:
  HingeObjective(const Formulation& formulation, const Domain& domain)
      : formulation_(formulation), domain_(domain) {}

  // {"rescaling", "slack_norm", "C": a number or "inf", "nonnegative", "relaxed"}, and "weighted":
  // true if examples have weights.
  nlohmann::ordered_json json() const override;
  std::string text() const override;
  // What SVM-struct and others call C. Under hard margin: when a run ends.
  std::vector<std::string> remarks(std::int64_t n) const override;
  bool is_hinge() const override { return true; }

  const Formulation& formulation() const { return formulation_; }
  const Domain& domain() const { return domain_; }

 private:
  std::string conversion(std::int64_t n) const;

  Formulation formulation_;
  Domain domain_;
};

const ObjectiveKind& hinge_kind();

}  // namespace sculpt::core
