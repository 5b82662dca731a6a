#include "verify/constrained_moment_verification.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "linalg/products.hpp"
#include "solver/mean_slack.hpp"
#include "solver/moments/constraint_model.hpp"
#include "verify/agreement.hpp"
#include "verify/hinge_primal.hpp"
#include "verify/moment_symmetry.hpp"

namespace sculpt::core {
ConstrainedMomentVerification::ConstrainedMomentVerification(const Ports& ports,
                                                             const Subject& subject,
                                                             Progress progress)
    : planes_(*ports.planes),
      subject_(subject),
      progress_(std::move(progress)),
      system_(subject.terms.system(), ports) {}

VerificationResult ConstrainedMomentVerification::run(std::int64_t probes, std::uint64_t seed) {
  result_.has_planes = false;
  progress_("w = 0");
  system_.compute_b(Pass(subject_.reported.passes), b_);
  result_.oracle_calls += system_.calls_of_b();
  check_primal();
  check_dual();
  check_hinge();
  for (std::int64_t k = 0; k < probes; ++k) probe(k, seed);
  const std::string gap = gap_contradiction(subject_.reported);
  if (!gap.empty()) result_.contradictions.push_back(gap);
  result_.certified =
      result_.contradictions.empty() && result_.dual.has_value() && result_.is_bounded;
  return std::move(result_);
}

Vector ConstrainedMomentVerification::multiply(const Vector& v, const std::string& name) {
  progress_(name);
  Vector product;
  system_.multiply(Pass(subject_.reported.passes), v, product);
  ++result_.point_count;
  result_.oracle_calls += system_.calls_of_product();
  return product;
}

// Of the xi_i at v.
MeanSlack ConstrainedMomentVerification::mean_slack(const Vector& v, const std::string& name) {
  progress_("the worst outputs at " + name);
  MeanSlack mean;
  std::vector<Separation> answers;
  Pass pass(subject_.reported.passes);
  pass.loss_weight = 0;
  sum_mean_slack(
      Formulation(), planes_, answers, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
        planes_.separate(v, examples, pass, out);
        return true;
      },
      [](const Separation&) {});
  result_.oracle_calls += asked_count(planes_.example_count(), planes_.example_weights());
  return mean;
}

void ConstrainedMomentVerification::refute(const std::string& name, double reported, double found) {
  result_.contradictions.push_back(name + ": reported " + verified_text(reported) +
                                   ", but new answers give " + verified_text(found));
}

void ConstrainedMomentVerification::check_primal() {
  const double reported = subject_.reported.primal;
  product_ = multiply(subject_.w, "the w of the model");
  const MeanSlack mean = mean_slack(subject_.w, "the w of the model");
  const double half = 0.5 * dot(std::span<const double>(subject_.w), product_);
  const double gain = dot(std::span<const double>(subject_.w), b_);
  const double price = subject_.terms.price;
  const double low = half - gain + price * mean.low;
  const double high = half - gain + price * mean.high;
  result_.is_bounded = std::isfinite(high);
  result_.primal = result_.is_bounded ? high : low;
  result_.primal_kind = bound_kind_of(low, high);
  if (!std::isfinite(reported)) {
    result_.notes.push_back(
        "primal: the run reported none, because it was stopped before the first question");
    return;
  }
  const double magnitude = std::abs(half) + std::abs(gain) + price * mean.low;
  if (std::abs(reported - result_.primal) <= repeated_tolerance * magnitude) return;
  refute("primal", reported, result_.primal);
}

void ConstrainedMomentVerification::check_dual() {
  if (subject_.dual.size() != 2 || !std::isfinite(subject_.reported.dual)) {
    result_.notes.push_back("dual: not verified, because there is no checkpoint with its vectors");
    return;
  }
  const Vector& w = subject_.dual[0];
  const Vector& z = subject_.dual[1];
  const Vector product = multiply(w, "the w of the dual");
  const ConstrainedPoint point =
      constrained_point(system_.workers(), w, product, z, b_, subject_.terms.lambda);
  plane_sum_ = z;
  axpy(-1, std::span<const double>(b_), plane_sum_);
  DualValue dual;
  dual.value = point.dual;
  dual.magnitude = point.magnitude + point.residual_cost;
  const double length = repeated_tolerance * std::sqrt(squared_norm(product));
  const double residual = std::sqrt(2 * subject_.terms.lambda * point.residual_cost);
  dual.rounding = length * (2 * residual + length) / (2 * subject_.terms.lambda);
  dual.point.w = w;
  result_.dual = dual;
  result_.gap_rounding = dual_tolerance * dual.magnitude + dual.rounding;
  if (std::abs(subject_.reported.dual - dual.value) > result_.gap_rounding) {
    refute("dual", subject_.reported.dual, dual.value);
  }
  check_plane_sum(subject_.w, "the w of the model");
  check_plane_sum(w, "the w of the dual");
  Vector opposite = plane_sum_;
  for (double& value : opposite) value = -value;
  check_plane_sum(opposite, "b - z");
}

// A sum of planes, of weight `price` at most, is never below the slacks at any v.
void ConstrainedMomentVerification::check_plane_sum(const Vector& v, const std::string& name) {
  if (plane_sum_.empty()) return;
  const MeanSlack mean = mean_slack(v, name);
  const double claimed = -dot(std::span<const double>(v), plane_sum_);
  const double allowed = primal_tolerance * std::sqrt(squared_norm(v) * squared_norm(plane_sum_));
  const double found = subject_.terms.price * mean.high;
  if (claimed <= found + allowed) return;
  result_.contradictions.push_back("dual: z - b is no sum of planes: at " + name +
                                   " it says that the slacks cost " + verified_text(claimed) +
                                   ", but they cost " + verified_text(found));
}

void ConstrainedMomentVerification::check_hinge() {
  if (!subject_.reported.hinge_primal) return;
  progress_("the planes of the w of the model");
  const double found =
      hinge_primal(subject_.formulation, planes_, subject_.w, Pass(subject_.reported.passes));
  result_.oracle_calls += asked_count(planes_.example_count(), planes_.example_weights());
  if (agree(*subject_.reported.hinge_primal, found)) return;
  refute("hinge primal", *subject_.reported.hinge_primal, found);
}

void ConstrainedMomentVerification::probe(std::int64_t number, std::uint64_t seed) {
  const Vector u = random_vector_near(subject_.w, number, seed);
  const std::string name = "random w " + std::to_string(number + 1);
  check_plane_sum(u, name);
  const std::string asymmetry = asymmetry_of(subject_.w, product_, u, multiply(u, name), name);
  if (!asymmetry.empty()) result_.contradictions.push_back(asymmetry);
}

}  // namespace sculpt::core
