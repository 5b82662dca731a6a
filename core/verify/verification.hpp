// verification.hpp - checks the certificate of a finished run.
//
// Called by the command verify. It trusts only the weights and alpha of the run, and tests the
// planes. P, D, w = sum alpha a and everything else is computed again:
//
//   P   from new answers of the oracle for every example at the w of the model
//   D   from planes and alpha (dual_value.hpp), which must be feasible
//   D <= min P, because the planes are true (plane_check.hpp): tested at w = 0, at the w of the
//       model, at the w of the dual, at twice the w of the model, and at random w (probes.hpp)
//
// If the oracle is exact, D <= P(w) is proved at each of these w. For all other w the random probes
// make it likely, but do not prove it.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/infinity.hpp"
#include "linalg/vector.hpp"
#include "objective/bound_kind.hpp"
#include "objective/formulation.hpp"
#include "objective/plane_source.hpp"
#include "verify/dual_value.hpp"
#include "verify/plane_check.hpp"

namespace sculpt::core {

// The values that the run reported.
struct ReportedCertificate {
  double primal = infinity;  // infinite: none
  double dual = 0;           // NaN: the solver has none
  double gap = infinity;
  double relative_gap = infinity;
  bool certified = false;
  // Stopped by a signal or a clock, perhaps in the middle of a pass or a QP. Then the checkpoint is
  // older than the bounds.
  bool stopped = false;
  std::uint64_t passes = 1;
  // The primal is an upper bound, also for solvers without a dual.
  bool is_bounded = false;
  BoundKind primal_kind = BoundKind::exact;  // how to read primal
  // The target for the relative gap. NaN: there is none.
  double target = std::numeric_limits<double>::quiet_NaN();
  bool reached = false;     // the target or its epsilon was met
  bool by_epsilon = false;  // stopped by epsilon, which no gap shows
};

struct VerificationResult {
  // At the w of the model: an upper bound if `is_bounded`, else a lower bound.
  double primal = 0;
  bool relaxed = false;     // Slacks are maxima over relaxed outputs (sculpt/ext/cut.h).
  bool is_bounded = false;  // The oracle gives an upper bound for every example.
  BoundKind primal_kind = BoundKind::lower;  // How to read primal.
  std::optional<DualValue> dual;       // Nothing: the solver has none, or there was no checkpoint.
  double gap() const;                  // Infinite without a dual.
  double relative_gap() const;         // Infinite without a dual.
  bool has_unbounded_answers = false;  // At some w an example has no upper bound.
  // True if primal - dual is a gap, and everything that it depends on was confirmed.
  bool certified = false;
  double gap_rounding = 0;  // how much rounding may change primal - dual
  // True if the gap meets the target of the run. Within rounding, and for a target by epsilon, it
  // uses what the run reported.
  bool reaches_target(const ReportedCertificate& reported) const;

  std::int64_t comparison_count = 0;  // planes compared with answers, for all w
  // The number of answers with an output that has a plane in the checkpoint.
  std::int64_t repeated_output_count = 0;
  std::int64_t point_count = 0;  // number of w at which all examples were asked
  std::int64_t oracle_calls = 0;
  std::vector<std::string> contradictions;  // a sentence for each of the first ones
  std::vector<std::string> notes;           // what could not be verified, and why
};

class Verification {
 public:
  struct Subject {
    const Formulation& formulation;
    const Vector& w;  // of the model
    const ReportedCertificate& reported;
    const WorkingSet* planes = nullptr;  // nullptr: there is no checkpoint
    bool has_joint_planes = false;       // the planes are joint planes
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
  void check_primal(const MeanSlackBounds& recomputed);
  void check_lower_bound(const MeanSlackBounds& recomputed);
  void check_alpha();
  void check_dual();
  void check_gap();
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
