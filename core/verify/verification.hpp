// verification.hpp - checks the certificate of a finished run.
//
// Called by the command verify. It trusts only the weights and alpha of the run, and tests the
// planes. P, D, v = sum alpha a and everything else is computed again:
//
//   P   from new answers of the oracle for every example at the w of the model
//   D   from planes and alpha (dual_value.hpp), which must be feasible
//   D <= min P, because the planes are true (plane_check.hpp): tested at w = 0, at the w of the
//       model, at the w of the dual, at twice the w of the model, and at random w (probes.hpp)
//
// With an InnerProduct all of these points are coefficients v, and their weights are w = M v. If M
// is not positive semidefinite, nothing is certified.
//
// If the oracle is exact, D <= P(w) is proved at each of these w. For all other w the random probes
// make it likely, but do not prove it.
#pragma once

#include <cstdint>
#include <string>

#include "linalg/vector.hpp"
#include "objective/formulation.hpp"
#include "objective/plane_source.hpp"
#include "verify/plane_check.hpp"
#include "verify/verification_result.hpp"
#include "verify/weight_point.hpp"

namespace sculpt::core {

class Verification {
 public:
  struct Subject {
    const Formulation& formulation;
    const WeightPoint& model;
    const ReportedCertificate& reported;
    const WorkingSet* planes = nullptr;     // nullptr: there is no checkpoint
    bool has_joint_planes = false;          // the planes are joint planes
    InnerProduct* inner_product = nullptr;  // of the source
  };
  struct Probes {
    std::int64_t random = 3;
    std::uint64_t seed = 1;
  };

  // All arguments outlive this object.
  Verification(PlaneSource& source, const Subject& subject, PlaneCheck::Progress progress);

  // Throws Failure if the oracle has an error, Cancelled.
  VerificationResult run(const Probes& probes);

 private:
  MeanSlackBounds ask_oracle(const Vector& w, const std::string& name);
  void ask_at_other_points(const Probes& probes);
  double primal_with(double mean_cost) const;
  // True if the reported values may have the rounding of scores in single precision.
  bool has_rounded_scores() const {
    return subject_.inner_product != nullptr && !reported_.reached;
  }
  void check_primal(const MeanSlackBounds& recomputed);
  void check_lower_bound(const MeanSlackBounds& recomputed);
  void check_alpha();
  void check_dual();
  void compare_weights();
  void finish();
  void report_contradiction(const std::string& text) { result_.contradictions.push_back(text); }
  void add_note(const std::string& text) { result_.notes.push_back(text); }

  PlaneSource& source_;
  const Subject subject_;
  const ReportedCertificate& reported_;
  PlaneCheck plane_check_;
  double squared_norm_;         // of the w of the model
  double primal_rounding_ = 0;  // how much rounding may change the new P
  VerificationResult result_;
};

}  // namespace sculpt::core
