#include "solver/stop_rules.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

// A violation below this part of |b| + |<w, a>| is useless.
constexpr double little = 1e-12;

}  // namespace

std::optional<StoppedBy> Stopping::interrupted() const {
  if (stop_ && stop_()) return StoppedBy::signal;
  if (options_.max_seconds && elapsed_seconds() >= *options_.max_seconds) {
    return StoppedBy::max_seconds;
  }
  return std::nullopt;
}

bool Stopping::gap_reached(const Certificate& certificate) const {
  return certificate.relative_gap() <= options_.relative_gap;
}

bool Stopping::gap_would_do(double gap, double dual, double epsilon_gap) const {
  if (!std::isfinite(gap)) return false;
  if (options_.epsilon && gap <= epsilon_gap) return true;
  return gap <= options_.relative_gap * std::abs(dual + gap);
}

bool Stopping::violated(double b, double low, double slack, double noise) const {
  const double least = little * (std::abs(b) + std::abs(b - low));
  return low > slack + std::max({least, noise, options_.epsilon.value_or(0)});
}

std::optional<StoppedBy> Stopping::limit(std::int64_t passes, std::int64_t oracle_calls) const {
  if (options_.max_passes && passes >= *options_.max_passes) return StoppedBy::max_passes;
  if (options_.max_oracle_calls && oracle_calls >= *options_.max_oracle_calls) {
    return StoppedBy::max_oracle_calls;
  }
  return std::nullopt;
}

}  // namespace sculpt::core
