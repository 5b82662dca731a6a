// moment_objective.hpp - the objectives of SODA and the Z-score, which compare the features of the
// truths with those of all outputs.
//
//   Q(w) = 1/2 <w, A w> - <b, w>,    b = 1/n sum of c_i b_i,    b_i = psi(x_i, y_i) - E_i[psi]
//
//   soda     A = 1/n sum of c_i (C_i + b_i b_i') + lambda I
//   z_score  A = 1/n sum of c_i C_i + lambda I
//
// With a loss_weight l the moments are those of the score <w, psi> + l Delta. So the truths should
// lead most over outputs of large loss, as under margin rescaling. A stays the same, and b becomes
//
//   b = 1/n sum of c_i (b_i - l Cov_i(psi, Delta))                     z_score
//   b = 1/n sum of c_i (b_i (1 + l E_i[Delta]) - l Cov_i(psi, Delta))  soda
//
// l is fixed. If it were free, as the weight of a feature, Delta would explain the truths alone: it
// is 0 for them only. Under the Hamming loss no feature of a single label would then be left in b.
//
// E_i and C_i = Cov_i[psi] are those of the uniform distribution over the outputs of example i, c_i
// its weight. C_i may be that of samples (sampled_moments.hpp). The minimum of Q solves A w = b.
// Such a w makes the mean score of the truths, minus that of all outputs, large compared with the
// spread of the scores. Source: Ricci, De Bie & Cristianini, JMLR 9 (2008). It adds up over the
// examples: its lambda is n times this one.
//
// Made by Solver::objective() of soda and z_score.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "objective/objective.hpp"

namespace sculpt::core {

struct MomentTerms {
  bool adds_deviations = false;  // true: soda, with b_i b_i' in A; false: z_score
  double lambda = 0;
  std::int64_t samples = 0;  // of each example; 0: all outputs
  double loss_weight = 0;    // l

  const char* name() const { return adds_deviations ? "soda" : "z_score"; }
};

class MomentObjective : public Objective {
 public:
  MomentObjective(const MomentTerms& terms, const Domain& domain)
      : terms_(terms), domain_(domain) {}

  // {"kind": "moments", "system": "soda" or "z_score", "lambda"}, "weighted": true if examples have
  // weights, "moments": "sampled" with "samples", and "loss_weight" unless it is 0.
  nlohmann::ordered_json json() const override;
  std::string text() const override;
  // The lambda of the paper.
  std::vector<std::string> remarks(std::int64_t n) const override;
  const MomentTerms* moments() const override { return &terms_; }

 private:
  MomentTerms terms_;
  Domain domain_;
};

const ObjectiveKind& moment_kind();

// For the objectives of moments: "moments" and "samples" in their JSON, if there are samples.
void write_samples(std::int64_t samples, nlohmann::ordered_json& json);
std::int64_t read_samples(const nlohmann::ordered_json& json);
// ", Cov_i of 100 samples", or "".
std::string text_on_samples(std::int64_t samples);
// What b_i and Cov_i are.
extern const char* const remark_on_moments;

}  // namespace sculpt::core
