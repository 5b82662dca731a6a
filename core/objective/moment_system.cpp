#include "objective/moment_system.hpp"

#include <cmath>
#include <limits>

#include "base/text/message_text.hpp"
#include "objective/exact_moments.hpp"
#include "objective/sampled_moments.hpp"
#include "parallel/blocks.hpp"

namespace sculpt::core {
namespace {

// <v, Cov v> may be negative by this fraction of its factors: oracles may work in single precision.
constexpr double covariance_tolerance = 1e-6;

// The moments are those at w = 0. Only the loss needs more than the uniform distribution.
ExpectationSource& expectations_of(const MomentTerms& terms, const Ports& ports) {
  return terms.loss_weight == 0 ? *ports.source_of_uniform_expectations() : *ports.expectations;
}

}  // namespace

std::vector<Port> ports_of_moments(const MomentTerms& terms) {
  if (terms.samples > 0) return {Port::samples, Port::planes};
  if (terms.loss_weight == 0) return {Port::uniform_expectations, Port::truths, Port::planes};
  return {Port::expectations, Port::truths, Port::planes, Port::loss_covariances};
}

ExampleSource& source_of_moments(const MomentTerms& terms, const Ports& ports) {
  if (terms.samples > 0) return *ports.samples;
  return expectations_of(terms, ports);
}

MomentSystem::MomentSystem(const MomentTerms& terms, const Ports& ports)
    : terms_(terms), source_(source_of_moments(terms, ports)) {
  if (terms.samples > 0) {
    moments_ = std::make_unique<SampledMoments>(terms, *ports.samples);
  } else {
    moments_ = std::make_unique<ExactMoments>(terms, expectations_of(terms, ports), *ports.counts);
  }
}

void MomentSystem::multiply(const Pass& pass, const Vector& v, Vector& out) {
  moments_->multiply(pass, v, out);
  require_positive(v, out);
  const double lambda = terms_.lambda;
  if (lambda == 0) return;
  for_each_block(workers(), out.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) out[j] += lambda * v[j];
  });
}

void MomentSystem::require_positive(const Vector& v, const Vector& product) const {
  const double form = dot_in_blocks(workers(), v, product);
  if (form >= 0) return;
  const double lengths = std::sqrt(dot_in_blocks(workers(), v, v)) *
                         std::sqrt(dot_in_blocks(workers(), product, product));
  if (form >= -covariance_tolerance * lengths) return;
  source_.report_contradiction(-1,
                               "its Cov[psi] v is wrong: for some v the variance of <v, psi> is " +
                                   number_text(form, 9) + ", but no variance is negative");
}

double MomentPoint::dual(double lambda) const {
  if (lambda == 0) return std::numeric_limits<double>::quiet_NaN();
  return primal - squared_residual / (2 * lambda);
}

MomentPoint moment_point(Workers* workers, const Vector& w, const Vector& b, const Vector& r) {
  MomentPoint point;
  point.primal = -0.5 * sum_over_blocks(workers, w.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += w[j] * (b[j] + r[j]);
    return sum;
  });
  point.magnitude = sum_over_blocks(workers, w.size(), [&](auto begin, auto end) {
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) {
      sum += std::abs(w[j]) * (std::abs(b[j]) + std::abs(b[j] - r[j]));
    }
    return sum;
  });
  point.squared_residual = dot_in_blocks(workers, r, r);
  return point;
}

}  // namespace sculpt::core
