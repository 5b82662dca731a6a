#include "verify/verification.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "verify/agreement.hpp"
#include "verify/probes.hpp"

namespace sculpt::core {
namespace {

bool at_most(double a, double b) {
  return a <= b || agree(a, b);
}

}  // namespace

Verification::Verification(PlaneSource& source, const Subject& subject,
                           PlaneCheck::Progress progress)
    : source_(source),
      subject_(subject),
      reported_(subject.reported),
      plane_check_(source, {subject.formulation, subject.planes, subject.has_joint_planes},
                   std::move(progress)),
      squared_norm_(subject.model.squared_norm()) {}

VerificationResult Verification::run(const Probes& probes) {
  result_.relaxed = source_.relaxes();
  const bool has_planes = subject_.planes != nullptr && subject_.planes->plane_count() > 0;
  if (has_planes || subject_.formulation.is_hard_margin()) {
    ask_oracle(Vector(subject_.model.w.size(), 0.0), "w = 0");
  }
  const MeanSlackBounds recomputed = ask_oracle(subject_.model.w, "the w of the model");
  check_primal(recomputed);
  if (subject_.planes != nullptr) {
    result_.dual = dual_value(*subject_.planes, subject_.formulation, subject_.has_joint_planes,
                              source_.example_count(), source_.nonnegative());
    check_alpha();
    compare_weights();
    if (has_planes) ask_at_other_points(probes);
  } else if (std::isnan(reported_.dual)) {
    add_note("dual: there is none, because this solver proves only the P of its weights");
  } else {
    add_note("dual: not verified, because there is no checkpoint with planes and alpha");
  }
  check_dual();
  const std::string gap = gap_contradiction(reported_);
  if (!gap.empty()) report_contradiction(gap);
  finish();
  return std::move(result_);
}

MeanSlackBounds Verification::ask_oracle(const Vector& w, const std::string& name) {
  ++result_.point_count;
  const MeanSlackBounds recomputed = plane_check_.ask_oracle({w, name, reported_.passes});
  result_.has_unbounded_answers |= recomputed.unbounded_count > 0;
  return recomputed;
}

void Verification::ask_at_other_points(const Probes& probes) {
  const WeightPoint& dual = result_.dual->point;
  if (dual.w != subject_.model.w) ask_oracle(dual.w, "the w of the dual");
  Vector twice = subject_.model.w;
  for (double& value : twice) value *= 2;
  ask_oracle(twice, "twice the w of the model");
  Random random(probes.seed, "probes");
  for (std::int64_t k = 0; k < probes.random; ++k) {
    Vector v =
        random_probe(k, *subject_.planes, dual.coefficients(), source_.nonnegative(), random);
    ask_oracle(point_of(std::move(v), subject_.inner_product).w,
               "random w " + std::to_string(k + 1));
  }
}

double Verification::primal_with(double mean_cost) const {
  return bound_primal(subject_.formulation, squared_norm_, {mean_cost, mean_cost, 0}).low;
}

void Verification::check_primal(const MeanSlackBounds& recomputed) {
  result_.is_bounded = std::isfinite(recomputed.high);
  const auto n = static_cast<double>(source_.example_count());
  primal_rounding_ =
      subject_.formulation.is_hard_margin()
          ? rounding_of_hard_margin(squared_norm_, recomputed.rounding * n, recomputed.largest_b)
          : bound_primal(subject_.formulation, squared_norm_, {0, 0, 0, recomputed.rounding})
                .rounding;
  result_.primal = primal_with(result_.is_bounded ? recomputed.high : recomputed.low);
  result_.primal_kind = bound_kind_of(primal_with(recomputed.low), primal_with(recomputed.high));
  if (!result_.is_bounded) {
    add_note("primal: only a lower bound, because the oracle gives no upper bound for " +
             count_text(recomputed.unbounded_count, "example"));
  }
  if (!reported_.certified && !reported_.is_bounded) return check_lower_bound(recomputed);
  if (!result_.is_bounded) {
    report_contradiction("primal: reported as an upper bound, but the oracle gives none");
  } else if (!agree(reported_.primal, result_.primal,
                    has_rounded_scores() ? rounded_scores_tolerance : repeated_tolerance) &&
             std::abs(reported_.primal - result_.primal) > primal_rounding_) {
    report_contradiction("primal: reported " + verified_text(reported_.primal) +
                         ", but new answers at the w of the model give " +
                         verified_text(result_.primal));
  }
}

// Checks a lower bound of P. The run computed it from the answers at this w, if it asked all
// examples, and from its planes. The planes known now are more, with two exceptions: planes that a
// stopped run found after its checkpoint, and planes that were dropped. With several oracles the
// run may not have asked all, so it knew less.
void Verification::check_lower_bound(const MeanSlackBounds& recomputed) {
  if (!std::isfinite(reported_.primal)) {
    return add_note(
        "primal: the run reported none, because its weights violate margins or were not "
        "evaluated");
  }
  double required = recomputed.low_by_answers;
  if (reported_.stopped) required = std::min(required, recomputed.low_by_planes);
  if (source_.escalates()) required = 0;
  const double min_primal = primal_with(required);
  const bool all_planes_are_known = subject_.planes != nullptr && !reported_.stopped;
  double max_primal = infinity;
  if (all_planes_are_known) max_primal = primal_with(recomputed.low);
  if (result_.is_bounded) max_primal = result_.primal;
  if (at_most(min_primal, reported_.primal) && at_most(reported_.primal, max_primal)) return;
  report_contradiction("primal: reported at least " + verified_text(reported_.primal) +
                       ", but new answers and the planes of the checkpoint give " +
                       verified_text(min_primal) + " to " + verified_text(max_primal) +
                       " at the w of the model");
}

void Verification::check_alpha() {
  const auto& violation = result_.dual->cap_violation;
  if (!violation) return;
  const std::string block =
      subject_.has_joint_planes
          ? "the joint planes"
          : "example " + std::to_string(source_.dataset_index(violation->block));
  report_contradiction("dual: alpha of " + block + " adds up to " +
                       verified_text(violation->alpha_sum) + ", more than the limit " +
                       verified_text(violation->cap) + ", so alpha is not feasible");
}

void Verification::check_dual() {
  const double magnitude = result_.dual ? result_.dual->magnitude : 0;
  const double sum_rounding = result_.dual ? result_.dual->rounding : primal_rounding_;
  const double allowed = gap_tolerance_of_verify * (magnitude + std::abs(result_.primal)) +
                         primal_rounding_ + sum_rounding;
  if (result_.is_bounded && source_.is_convex() && reported_.dual > result_.primal + allowed) {
    report_contradiction("dual: reported " + verified_text(reported_.dual) +
                         ", but this exceeds the recomputed primal " +
                         verified_text(result_.primal));
  }
  if (!result_.dual) return;
  const double dual = result_.dual->value;
  const double rounding =
      (has_rounded_scores() ? rounded_scores_tolerance : dual_tolerance) * magnitude + sum_rounding;
  result_.gap_rounding =
      std::max(repeated_tolerance * std::abs(result_.primal), primal_rounding_) + rounding;
  if (dual > reported_.dual + rounding) {
    report_contradiction("dual: reported " + verified_text(reported_.dual) +
                         ", but planes and alpha give more: " + verified_text(dual));
  } else if (reported_.dual > dual + rounding && reported_.stopped) {
    add_note("dual: reported " + verified_text(reported_.dual) +
             ", but the checkpoint proves only " + verified_text(dual) +
             ", because the run was stopped during a QP");
  } else if (reported_.dual > dual + rounding) {
    report_contradiction("dual: reported " + verified_text(reported_.dual) +
                         ", but planes and alpha give " + verified_text(dual));
  }
}

// Under norm 2 and hard margin the w of the model is a multiple of the w of the dual. Also, the
// best primal may come from an earlier pass.
void Verification::compare_weights() {
  const WeightPoint& dual = result_.dual->point;
  const double product = dual.product_with(subject_.model);
  const double dual_squared_norm = dual.squared_norm();
  const double factor = dual_squared_norm > 0 ? product / dual_squared_norm : 0;
  // ||w - factor w_D||^2
  const double squared_distance = squared_norm_ - factor * product;
  if (squared_distance > primal_tolerance * squared_norm_) {
    add_note("weights: the best primal is that of an earlier pass; its w is " +
             number_text(std::sqrt(squared_distance / squared_norm_)) +
             " ||w|| away from the w of the dual");
  }
}

void Verification::finish() {
  result_.comparison_count = plane_check_.comparison_count();
  result_.repeated_output_count = plane_check_.repeated_output_count();
  result_.oracle_calls = plane_check_.oracle_calls();
  for (const std::string& sentence : plane_check_.contradictions()) {
    report_contradiction("planes: " + sentence);
  }
  const auto unreported = plane_check_.contradiction_count() -
                          static_cast<std::int64_t>(plane_check_.contradictions().size());
  if (unreported > 0) {
    report_contradiction("planes: " + count_text(unreported, "more contradiction"));
  }
  if (plane_check_.contradiction_count() > 0) {
    add_note(
        "planes: a plane that is violated by more than the oracle allows is false, or the oracle "
        "wrongly says EXACT or BOUND");
  }
  if (result_.dual && result_.has_unbounded_answers) {
    add_note(
        "planes: not all were compared with upper bounds, because the oracle gives none for some "
        "answers");
  }
  if (!source_.is_convex()) {
    add_note(
        "not certified: the kernel does not claim to be positive semidefinite, so the dual proves "
        "nothing; use one that is, such as rbf, or set \"positive\" of a matrix that is");
  }
  result_.certified = result_.contradictions.empty() && result_.dual && result_.is_bounded &&
                      !result_.has_unbounded_answers && std::isfinite(result_.primal) &&
                      source_.is_convex();
}

}  // namespace sculpt::core
