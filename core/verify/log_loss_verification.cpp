#include "verify/log_loss_verification.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.hpp"
#include "linalg/products.hpp"
#include "linalg/rounding.hpp"
#include "objective/cell_dual.hpp"
#include "verify/agreement.hpp"

namespace sculpt::core {

LogLossVerification::LogLossVerification(const Ports& ports, const Subject& subject,
                                         Progress progress)
    : ports_(ports),
      source_(*ports.expectations),
      subject_(subject),
      progress_(std::move(progress)),
      loss_(subject.terms, source_, *ports.counts) {}

VerificationResult LogLossVerification::run(std::int64_t probes, std::uint64_t seed) {
  result_.has_planes = false;
  const LogLossPoint model = evaluate(subject_.w, "the w of the model");
  check_primal(model);
  if (!model.is_exact) {
    result_.notes.push_back(
        "dual: the oracle gives approximations of log Z, so the primal is one, too, and nothing is "
        "proved");
    return std::move(result_);
  }
  check_dual(model);
  probe(model, Vector(subject_.w.size(), 0.0), "w = 0");
  Vector twice = subject_.w;
  for (double& value : twice) value *= 2;
  probe(model, std::move(twice), "twice the w of the model");
  for (std::int64_t k = 0; k < probes; ++k) {
    probe(model, random_w(k, seed), "random w " + std::to_string(k + 1));
  }
  const std::string gap = gap_contradiction(subject_.reported);
  if (!gap.empty()) result_.contradictions.push_back(gap);
  result_.certified = result_.contradictions.empty() && result_.dual.has_value();
  return std::move(result_);
}

// In turn: close to the w of the model, as close on the other side, and far away. A wrong gradient
// shows only close to w, on one of the two sides: far away 1/2 ||w||^2 hides it.
Vector LogLossVerification::random_w(std::int64_t number, std::uint64_t seed) const {
  constexpr double distance = 3e-3;
  const std::int64_t kind = number % 3;
  Random random(seed, "probe " + std::to_string(number - (kind == 1 ? 1 : 0)));
  Vector w = subject_.w;
  const double length = std::sqrt(squared_norm(w) / static_cast<double>(w.size()));
  const double step = (kind == 0 ? distance : -distance) * (length > 0 ? length : 1);
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double normal = random.normal();
    w[j] = kind == 2 ? w[j] * normal : w[j] + step * normal;
    if (loss_.regularizer().is_bounded(j)) w[j] = std::max(0.0, w[j]);
  }
  return w;
}

LogLossPoint LogLossVerification::evaluate(Vector w, const std::string& name) {
  progress_(name);
  LogLossPoint point;
  point.w = std::move(w);
  loss_.evaluate(Pass(subject_.reported.passes), point);
  ++result_.point_count;
  result_.oracle_calls += asked_count(source_.example_count(), source_.example_weights());
  return point;
}

void LogLossVerification::check_primal(const LogLossPoint& model) {
  result_.primal = model.primal;
  result_.is_bounded = model.is_exact;
  result_.primal_kind = BoundKind::exact;
  const double reported = subject_.reported.primal;
  if (!std::isfinite(reported)) {
    result_.notes.push_back(
        "primal: the run reported none, because it was stopped before it had computed one");
    return;
  }
  if (agree(reported, model.primal, repeated_tolerance) ||
      std::abs(reported - model.primal) <= model.rounding) {
    return;
  }
  result_.contradictions.push_back("primal: reported " + verified_text(reported) +
                                   ", but new expectations at the w of the model give " +
                                   verified_text(model.primal));
}

void LogLossVerification::check_dual(const LogLossPoint& model) {
  if (!subject_.dual_point || !std::isfinite(subject_.reported.dual)) {
    result_.notes.push_back(
        std::string("dual: not verified, because there is no checkpoint with ") +
        (subject_.has_cells ? "its distributions" : "its w"));
    return;
  }
  result_.dual = subject_.has_cells ? dual_of_cells() : dual_at_w(model);
  if (!result_.dual) return;
  DualValue& dual = *result_.dual;
  if (std::abs(model.primal - dual.value) <= dual.rounding + model.rounding) {
    dual.value = model.primal;  // as the run reports a gap within rounding
  }
  const double allowed = dual_tolerance * dual.magnitude + dual.rounding;
  result_.gap_rounding = allowed + model.rounding;
  if (std::abs(subject_.reported.dual - dual.value) > allowed) {
    result_.contradictions.push_back(
        "dual: reported " + verified_text(subject_.reported.dual) + ", but new expectations " +
        (subject_.has_cells ? "give " : "at its w give ") + verified_text(dual.value));
  }
  if (dual.value - model.primal > gap_tolerance_of_verify * dual.magnitude + allowed) {
    result_.contradictions.push_back("dual: " + verified_text(dual.value) + " exceeds the primal " +
                                     verified_text(model.primal) + ", so log Z or E[psi] is wrong");
  }
}

void LogLossVerification::note_approximate_dual() {
  result_.notes.push_back(
      "dual: the oracle gives approximations of log Z at the point that proves it, so nothing is "
      "proved");
}

// Nothing if log Z is an approximation at the w of the dual.
std::optional<DualValue> LogLossVerification::dual_at_w(const LogLossPoint& model) {
  const Vector& w = *subject_.dual_point;
  const LogLossPoint point = w == subject_.w ? model : evaluate(w, "the w of the dual");
  if (!point.is_exact) {
    note_approximate_dual();
    return std::nullopt;
  }
  DualValue dual;
  dual.value = point.dual();
  dual.magnitude = std::abs(point.primal) + point.gap;
  dual.rounding = point.rounding;
  dual.point.w = w;
  return dual;
}

// Nothing if theta does not fit to the factor graphs, which is then a contradiction. Nothing
// either if log Z is an approximation at theta.
std::optional<DualValue> LogLossVerification::dual_of_cells() {
  progress_("the distributions of the dual");
  CellDual cells(subject_.terms, *ports_.cells, *ports_.counts);
  CellBlocks blocks = cells.make_blocks();
  const Vector& theta = *subject_.dual_point;
  if (theta.size() != blocks.theta.size()) {
    result_.contradictions.push_back("dual: the checkpoint has " + std::to_string(theta.size()) +
                                     " scores of cells, but the factor graphs have " +
                                     std::to_string(blocks.theta.size()));
    return std::nullopt;
  }
  blocks.theta = theta;
  const Pass pass(subject_.reported.passes);
  DualValue dual;
  try {
    cells.compute_means(subject_.w, pass, blocks);
  } catch (const ApproximateLogZ&) {
    note_approximate_dual();
    return std::nullopt;
  }
  cells.compute_weights(blocks, dual.point.w);
  dual.value = cells.value(blocks, dual.point.w, pass);
  dual.magnitude = std::abs(dual.value) + squared_norm(dual.point.w);
  const auto n = static_cast<double>(blocks.log_z.size());
  dual.rounding =
      8 * unit_roundoff *
      (n * dual.magnitude + std::sqrt(n) * subject_.terms.C * subject_.terms.temperature);
  result_.oracle_calls += asked_count(source_.example_count(), source_.example_weights());
  return dual;
}

// P(u) >= D, and P(u) >= P(w) + <gradient, u - w> + f(u) - f(w) - <w, u - w>, w that of the model.
void LogLossVerification::probe(const LogLossPoint& model, Vector w, const std::string& name) {
  const LogLossPoint point = evaluate(std::move(w), name);
  if (!point.is_exact) return;  // it need not be convex
  double tangent =
      model.primal - loss_.regularizer().value(model.w) + loss_.regularizer().value(point.w);
  double magnitude = std::abs(model.primal) + std::abs(point.primal);
  for (std::size_t j = 0; j < point.w.size(); ++j) {
    const double term = (model.gradient[j] - model.w[j]) * (point.w[j] - model.w[j]);
    tangent += term;
    magnitude += std::abs(term);
  }
  const double allowed =
      gap_tolerance_of_verify * magnitude + 2 * (model.rounding + point.rounding);
  if (tangent - point.primal > allowed) {
    result_.contradictions.push_back("log Z: by E[psi] at the w of the model, P at " + name +
                                     " is at least " + verified_text(tangent) + ", but it is " +
                                     verified_text(point.primal));
  }
  if (result_.dual && result_.dual->value - point.primal > allowed) {
    result_.contradictions.push_back("dual: " + verified_text(result_.dual->value) +
                                     " exceeds P at " + name + ", " + verified_text(point.primal));
  }
}

}  // namespace sculpt::core
