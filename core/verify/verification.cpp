#include "verify/verification.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "linalg/products.hpp"
#include "verify/probes.hpp"

namespace sculpt::core {
namespace {

// Two ways to sum P may differ by this fraction of P; answers may be in single precision.
constexpr double primal_tolerance = 1e-6;

// The same queries at the same w have the same answers, except for this fraction.
constexpr double repeated_tolerance = 1e-9;

// D of a working set and the best D of its run are equal, except for rounding: this fraction of the
// terms of D.
constexpr double dual_tolerance = 1e-9;

// D may exceed P by this fraction of its terms: both tolerances of answers (certificate.cpp).
constexpr double gap_tolerance = 2e-6;

constexpr int digits_told = 9;

std::string text(double value) {
  return number_text(value, digits_told);
}

bool near(double a, double b, double tolerance = primal_tolerance) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

bool at_most(double a, double b) {
  return a <= b || near(a, b);
}

}  // namespace

double VerificationResult::gap() const {
  return dual ? std::max(0.0, primal - dual->value) : infinity;
}

double VerificationResult::relative_gap() const {
  const double gap = this->gap();
  return gap == 0 || gap == infinity ? gap : gap / std::abs(primal);
}

bool VerificationResult::reaches_target(const ReportedCertificate& reported) const {
  if (!certified) return false;
  const double size = std::abs(primal);
  if (reported.by_epsilon || gap() <= reported.target * size) return true;
  // A run that just met its target may seem to miss it by rounding. The excess is limited.
  const double allowed = std::max(reported.target, primal_tolerance) * size;
  return reported.reached && gap() <= reported.target * size + std::min(gap_rounding, allowed);
}

Verification::Verification(PlaneSource& source, const Subject& subject,
                           PlaneAudit::Progress progress)
    : source_(source),
      subject_(subject),
      reported_(subject.reported),
      audit_(source, {subject.formulation, subject.planes, subject.joint}, std::move(progress)),
      squared_norm_(squared_norm(subject.w)) {}

VerificationResult Verification::run(const Probes& probes) {
  out_.relaxed = source_.relaxes();
  const bool has_planes = subject_.planes != nullptr && subject_.planes->plane_count() > 0;
  if (has_planes || subject_.formulation.hard_margin()) {
    ask(Vector(subject_.w.size(), 0.0), "w = 0");
  }
  const MeanSlackBounds fresh = ask(subject_.w, "the w of the model");
  judge_primal(fresh);
  if (subject_.planes != nullptr) {
    out_.dual = dual_value(*subject_.planes, subject_.formulation, subject_.joint,
                           source_.example_count(), source_.nonnegative());
    judge_alpha();
    compare_weights();
    if (has_planes) ask_elsewhere(probes);
  } else if (std::isnan(reported_.dual)) {
    note("dual: there is none, the solver proves only what P of its weights is");
  } else {
    note("dual: not verified, there is no checkpoint with planes and alpha");
  }
  judge_dual();
  judge_gap();
  conclude();
  return std::move(out_);
}

MeanSlackBounds Verification::ask(const Vector& w, const std::string& name) {
  ++out_.places;
  const MeanSlackBounds fresh = audit_.ask({w, name, reported_.passes});
  out_.unbounded |= fresh.unbounded > 0;
  return fresh;
}

void Verification::ask_elsewhere(const Probes& probes) {
  const Vector& dual_w = out_.dual->w;
  if (dual_w != subject_.w) ask(dual_w, "the w of the dual");
  Vector twice = subject_.w;
  for (double& value : twice) value *= 2;
  ask(twice, "twice the w of the model");
  Random random(probes.seed, "probes");
  for (std::int64_t k = 0; k < probes.random; ++k) {
    ask(random_probe(k, *subject_.planes, dual_w, source_.nonnegative(), random),
        "random w " + std::to_string(k + 1));
  }
}

double Verification::primal_with(double mean_cost) const {
  return bound_primal(subject_.formulation, squared_norm_, {mean_cost, mean_cost, 0}).low;
}

void Verification::judge_primal(const MeanSlackBounds& fresh) {
  out_.bounded = std::isfinite(fresh.high);
  const auto n = static_cast<double>(source_.example_count());
  primal_rounding_ =
      subject_.formulation.hard_margin()
          ? rounding_of_hard_margin(squared_norm_, fresh.rounding * n, fresh.largest_b)
          : bound_primal(subject_.formulation, squared_norm_, {0, 0, 0, fresh.rounding}).rounding;
  out_.primal = primal_with(out_.bounded ? fresh.high : fresh.both);
  out_.known = bound_kind_of(primal_with(fresh.both), primal_with(fresh.high));
  if (!out_.bounded) {
    note("primal: a lower bound, the oracle gives no upper bound for " +
         std::to_string(fresh.unbounded) + " examples");
  }
  if (!reported_.certified && !reported_.bounded) return judge_uncertified(fresh);
  if (!out_.bounded) {
    report_contradiction("primal: reported as an upper bound, but the oracle gives none");
  } else if (!near(reported_.primal, out_.primal, repeated_tolerance) &&
             std::abs(reported_.primal - out_.primal) > primal_rounding_) {
    report_contradiction("primal: reported " + text(reported_.primal) +
                         ", fresh answers at the w of the model give " + text(out_.primal));
  }
}

// Checks a lower bound of P. The run computed it from the answers at this w, if it asked all
// examples, and from its planes. The planes known now are more, with two exceptions: planes that a
// stopped run found after its checkpoint, and planes that were dropped. With several oracles the
// run may not have asked all, so it knew less.
void Verification::judge_uncertified(const MeanSlackBounds& fresh) {
  if (!std::isfinite(reported_.primal)) {
    return note("primal: the run reported none, its weights violate margins or were not judged");
  }
  double known = fresh.asked;
  if (reported_.stopped) known = std::min(known, fresh.known);
  if (source_.escalates()) known = 0;
  const double least = primal_with(known);
  const bool all_known = subject_.planes != nullptr && !reported_.stopped;
  double most = infinity;
  if (all_known) most = primal_with(fresh.both);
  if (out_.bounded) most = out_.primal;
  if (at_most(least, reported_.primal) && at_most(reported_.primal, most)) return;
  report_contradiction(
      "primal: reported at least " + text(reported_.primal) +
      ", fresh answers and the planes of the checkpoint at the w of the model give from " +
      text(least) + " to " + text(most));
}

void Verification::judge_alpha() {
  const auto& overdrawn = out_.dual->overdrawn;
  if (!overdrawn) return;
  const std::string whose =
      subject_.joint ? "the joint planes"
                     : "example " + std::to_string(source_.dataset_index(overdrawn->block));
  report_contradiction("dual: alpha of " + whose + " adds up to " + text(overdrawn->mass) +
                       ", more than " + text(overdrawn->cap) + ", so it is no dual solution");
}

void Verification::judge_dual() {
  const double scale = out_.dual ? out_.dual->scale : 0;
  const double of_sums = out_.dual ? out_.dual->rounding : primal_rounding_;
  const double allowed =
      gap_tolerance * (scale + std::abs(out_.primal)) + primal_rounding_ + of_sums;
  if (out_.bounded && reported_.dual > out_.primal + allowed) {
    report_contradiction("dual: reported " + text(reported_.dual) + " exceeds the fresh primal " +
                         text(out_.primal));
  }
  if (!out_.dual) return;
  const double dual = out_.dual->value;
  const double rounding = dual_tolerance * scale + of_sums;
  out_.gap_rounding =
      std::max(repeated_tolerance * std::abs(out_.primal), primal_rounding_) + rounding;
  if (dual > reported_.dual + rounding) {
    report_contradiction("dual: planes and alpha give " + text(dual) + ", more than the " +
                         text(reported_.dual) + " reported");
  } else if (reported_.dual > dual + rounding && reported_.stopped) {
    note("dual: the run was stopped during a QP: of the " + text(reported_.dual) +
         " reported the checkpoint proves " + text(dual));
  } else if (reported_.dual > dual + rounding) {
    report_contradiction("dual: reported " + text(reported_.dual) + ", planes and alpha give " +
                         text(dual));
  }
}

// Checks that primal, dual and gaps of the report fit together.
void Verification::judge_gap() {
  if (!std::isfinite(reported_.primal) || std::isnan(reported_.dual)) return;
  const double gap = std::max(0.0, reported_.primal - reported_.dual);
  const double relative = gap == 0 ? 0 : gap / std::abs(reported_.primal);
  const double size = std::abs(reported_.primal) + std::abs(reported_.dual);
  if (!(std::abs(reported_.gap - gap) <= dual_tolerance * size)) {
    report_contradiction("gap: reported " + text(reported_.gap) +
                         ", primal and dual reported are " + text(gap) + " apart");
  } else if (!(std::abs(reported_.relative_gap - relative) <= dual_tolerance * (1 + relative))) {
    report_contradiction("relative gap: reported " + text(reported_.relative_gap) +
                         ", primal and dual reported make it " + text(relative));
  }
}

// Under norm 2 and hard margin the w of the model is a multiple of the w of the dual. Also, the
// best primal may come from an earlier pass.
void Verification::compare_weights() {
  const Vector& dual_w = out_.dual->w;
  const double product = dot(dual_w, subject_.w);
  const double own = squared_norm(dual_w);
  const double factor = own > 0 ? product / own : 0;
  // ||w - factor w_D||^2
  const double apart = squared_norm_ - factor * product;
  if (apart > primal_tolerance * squared_norm_) {
    note("weights: the best primal is that of an earlier pass, its w is " +
         number_text(std::sqrt(apart / squared_norm_)) + " ||w|| away from that of the dual");
  }
}

void Verification::conclude() {
  out_.compared = audit_.compared();
  out_.seen_again = audit_.seen_again();
  out_.oracle_calls = audit_.oracle_calls();
  for (const std::string& sentence : audit_.refuted()) report_contradiction("planes: " + sentence);
  const auto untold = audit_.refuted_count() - static_cast<std::int64_t>(audit_.refuted().size());
  if (untold > 0) report_contradiction("planes: " + std::to_string(untold) + " more times");
  if (audit_.refuted_count() > 0) {
    note(
        "planes: one that is violated by more than the oracle allows is false, or the oracle, "
        "which says EXACT or BOUND, is not");
  }
  if (out_.dual && out_.unbounded) {
    note("planes: not all could be held against upper bounds of the oracle, which gives none");
  }
  out_.certified = out_.refuted.empty() && out_.dual && out_.bounded && !out_.unbounded &&
                   std::isfinite(out_.primal);
}

}  // namespace sculpt::core
