// constrained_moment_objective.hpp - the objective of constrained_z_score: that of the Z-score, and
// a price for every truth that does not score best.
//
//   P(w) = Q(w) + price/n sum of c_i xi_i,    Q(w) = 1/2 <w, A w> - <b, w>
//   xi_i = max over y of <w, psi(x_i, y) - psi(x_i, y_i)>, at least 0
//
// with the A and b of the Z-score (moment_objective.hpp). The constraints xi_i = 0 have no margin.
// So the scale of w follows from Q alone. At a high price w points in the direction of the paper's:
// max <w, b>^2 / <w, A w> over all w with xi_i = 0. Where no w satisfies them, the price chooses.
// Source: Ricci, De Bie & Cristianini, JMLR 9 (2008), section 4.2 and Algorithm 3.
//
// Made by ConstrainedZScore::objective().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "objective/moment_objective.hpp"
#include "objective/objective.hpp"

namespace sculpt::core {

struct ConstrainedMomentTerms {
  double lambda = 0;         // > 0
  double price = 0;          // > 0
  std::int64_t samples = 0;  // as in MomentTerms

  // Those of its A and b.
  MomentTerms system() const { return {false, lambda, samples, 0}; }
};

class ConstrainedMomentObjective : public Objective {
 public:
  ConstrainedMomentObjective(const ConstrainedMomentTerms& terms, const Domain& domain)
      : terms_(terms), domain_(domain) {}

  // {"kind": "constrained_moments", "lambda", "price"}, and "weighted" and "samples" as in
  // MomentObjective.
  nlohmann::ordered_json json() const override;
  std::string text() const override;
  std::vector<std::string> remarks(std::int64_t n) const override;
  const ConstrainedMomentTerms* constrained_moments() const override { return &terms_; }

 private:
  ConstrainedMomentTerms terms_;
  Domain domain_;
};

const ObjectiveKind& constrained_moment_kind();

}  // namespace sculpt::core
