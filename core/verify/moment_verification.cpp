#include "verify/moment_verification.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "linalg/products.hpp"
#include "parallel/blocks.hpp"
#include "verify/agreement.hpp"
#include "verify/hinge_primal.hpp"
#include "verify/moment_symmetry.hpp"

namespace sculpt::core {

MomentVerification::MomentVerification(const Ports& ports, const Subject& subject,
                                       Progress progress)
    : planes_(*ports.planes),
      subject_(subject),
      progress_(std::move(progress)),
      system_(subject.terms, ports) {}

VerificationResult MomentVerification::run(std::int64_t probes, std::uint64_t seed) {
  result_.has_planes = false;
  result_.is_bounded = true;
  result_.primal_kind = BoundKind::exact;
  progress_("w = 0");
  system_.compute_b(Pass(subject_.reported.passes), b_);
  result_.oracle_calls += system_.calls_of_b();
  product_ = multiply(subject_.w, "the w of the model");
  Vector r = b_;
  axpy(-1, std::span<const double>(product_), r);
  point_ = moment_point(system_.workers(), subject_.w, b_, r);
  length_of_b_ = std::sqrt(squared_norm(b_));
  residual_rounding_ = repeated_tolerance * (length_of_b_ + std::sqrt(squared_norm(product_)));
  check_primal();
  check_residual();
  check_dual();
  check_hinge();
  for (std::int64_t k = 0; k < probes; ++k) probe(k, seed);
  const std::string gap = gap_contradiction(subject_.reported);
  if (!gap.empty()) result_.contradictions.push_back(gap);
  result_.certified = result_.contradictions.empty() && result_.dual.has_value();
  return std::move(result_);
}

Vector MomentVerification::multiply(const Vector& v, const std::string& name) {
  progress_(name);
  Vector product;
  system_.multiply(Pass(subject_.reported.passes), v, product);
  ++result_.point_count;
  result_.oracle_calls += system_.calls_of_product();
  return product;
}

void MomentVerification::refute(const std::string& name, double reported, double found) {
  result_.contradictions.push_back(name + ": reported " + verified_text(reported) +
                                   ", but new expectations at the w of the model give " +
                                   verified_text(found));
}

void MomentVerification::check_primal() {
  result_.primal = point_.primal;
  const double reported = subject_.reported.primal;
  if (!std::isfinite(reported)) {
    result_.notes.push_back(
        "primal: the run reported none, because it was stopped before it had computed one");
    return;
  }
  if (std::abs(reported - point_.primal) <= repeated_tolerance * point_.magnitude) return;
  refute("primal", reported, point_.primal);
}

void MomentVerification::check_residual() {
  const double length = std::sqrt(point_.squared_residual);
  result_.residual = length == 0 ? 0 : length / length_of_b_;
  if (!subject_.reported.residual) return;
  const double reported = *subject_.reported.residual;
  if (std::abs(reported * length_of_b_ - length) <= residual_rounding_) return;
  refute("residual", reported, *result_.residual);
}

// Rounding of r moves the dual far more than Q if lambda is small.
void MomentVerification::check_dual() {
  const double lambda = subject_.terms.lambda;
  if (lambda == 0 || std::isnan(subject_.reported.dual)) return;
  DualValue dual;
  dual.value = point_.dual(lambda);
  dual.magnitude = point_.magnitude + point_.squared_residual / (2 * lambda);
  dual.rounding = residual_rounding_ *
                  (2 * std::sqrt(point_.squared_residual) + residual_rounding_) / (2 * lambda);
  dual.point.w = subject_.w;
  result_.dual = dual;
  result_.gap_rounding = dual_tolerance * dual.magnitude + dual.rounding;
  if (std::abs(subject_.reported.dual - dual.value) <= result_.gap_rounding) return;
  refute("dual", subject_.reported.dual, dual.value);
}

void MomentVerification::check_hinge() {
  if (!subject_.reported.hinge_primal) return;
  progress_("the planes of the w of the model");
  const double found =
      hinge_primal(subject_.formulation, planes_, subject_.w, Pass(subject_.reported.passes));
  result_.oracle_calls += asked_count(planes_.example_count(), planes_.example_weights());
  if (agree(*subject_.reported.hinge_primal, found)) return;
  refute("hinge primal", *subject_.reported.hinge_primal, found);
}

void MomentVerification::probe(std::int64_t number, std::uint64_t seed) {
  const Vector u = random_vector_near(subject_.w, number, seed);
  const std::string name = "random w " + std::to_string(number + 1);
  const Vector product = multiply(u, name);
  const std::string asymmetry = asymmetry_of(subject_.w, product_, u, product, name);
  if (!asymmetry.empty()) result_.contradictions.push_back(asymmetry);
  Vector r = b_;
  axpy(-1, std::span<const double>(product), r);
  const MomentPoint at_u = moment_point(system_.workers(), u, b_, r);
  if (!result_.dual) return;
  const double allowed = primal_tolerance * (at_u.magnitude + result_.dual->magnitude);
  if (result_.dual->value - at_u.primal <= allowed + result_.gap_rounding) return;
  result_.contradictions.push_back("dual: " + verified_text(result_.dual->value) +
                                   " exceeds Q at " + name + ", " + verified_text(at_u.primal));
}

}  // namespace sculpt::core
