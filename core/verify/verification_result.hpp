// verification_result.hpp - what a run reported, and what verify found.
//
// Made by Verification for hinges, by LogLossVerification for log-losses, and by MomentVerification
// for linear systems of moments. Printed by the command verify.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/infinity.hpp"
#include "objective/bound_kind.hpp"
#include "verify/dual_value.hpp"

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
  // Only solvers of a linear system. Then `target` is that of the residual.
  std::optional<double> residual = {};
  std::optional<double> hinge_primal = {};
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
  double gap_rounding = 0;         // how much rounding may change primal - dual
  std::optional<double> residual;  // of a linear system
  // True if the gap or the residual meets the target of the run. Within rounding, and for a target
  // by epsilon, it uses what the run reported.
  bool reaches_target(const ReportedCertificate& reported) const;

  // False: the dual is that of a distribution over the outputs, and there are no planes.
  bool has_planes = true;
  std::int64_t comparison_count = 0;  // planes compared with answers, for all w
  // The number of answers with an output that has a plane in the checkpoint.
  std::int64_t repeated_output_count = 0;
  std::int64_t point_count = 0;  // number of w at which all examples were asked
  std::int64_t oracle_calls = 0;
  std::vector<std::string> contradictions;  // a sentence for each of the first ones
  std::vector<std::string> notes;           // what could not be verified, and why
};

}  // namespace sculpt::core
