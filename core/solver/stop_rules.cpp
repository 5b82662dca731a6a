#include "solver/stop_rules.hpp"

#include <algorithm>
#include <cmath>

namespace sculpt::core {
namespace {

// A violation below this fraction of |b| + |<w, a>| is useless.
constexpr double min_relative_violation = 1e-12;

}  // namespace

StopRules::StopRules(const StopOptions& options, const StopRequest& stop, Ranks* ranks)
    : options_(options), ranks_(ranks), stop_requested_(stop) {
  if (ranks_ != nullptr) ranks_->set_time_limit([this] { return time_is_over(); });
}

StopRules::~StopRules() {
  if (ranks_ != nullptr) ranks_->set_time_limit({});
}

std::optional<StoppedBy> StopRules::interruption() const {
  if (stop_requested_ && stop_requested_()) return StoppedBy::signal;
  if (ranks_ == nullptr ? time_is_over() : ranks_->time_is_over()) return StoppedBy::max_seconds;
  return std::nullopt;
}

// By the clock of this process.
bool StopRules::time_is_over() const {
  return options_.max_seconds && elapsed_seconds() >= *options_.max_seconds;
}

bool StopRules::has_reached_gap(const Certificate& certificate) const {
  return certificate.relative_gap() <= options_.relative_gap;
}

bool StopRules::would_reach_target(double gap, double dual, double epsilon_gap) const {
  if (!std::isfinite(gap)) return false;
  if (options_.epsilon && gap <= epsilon_gap) return true;
  return gap <= options_.relative_gap * std::abs(dual + gap);
}

bool StopRules::is_violated(double b, double violation, double slack, double rounding,
                            double weight) const {
  const double min_violation = min_relative_violation * (std::abs(b) + std::abs(b - violation));
  return violation >
         slack + std::max({min_violation, rounding, weight * options_.epsilon.value_or(0)});
}

std::optional<StoppedBy> StopRules::reached_limit(std::int64_t passes,
                                                  std::int64_t oracle_calls) const {
  if (options_.max_passes && passes >= *options_.max_passes) return StoppedBy::max_passes;
  if (options_.max_oracle_calls && oracle_calls >= *options_.max_oracle_calls) {
    return StoppedBy::max_oracle_calls;
  }
  return std::nullopt;
}

}  // namespace sculpt::core
