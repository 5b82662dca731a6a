#include "solver/stopping.hpp"

namespace sculpt::core {

std::optional<StoppedBy> Stopping::interrupted() const {
  if (stop_ && stop_()) return StoppedBy::signal;
  if (options_.max_seconds && watch_.seconds() >= *options_.max_seconds) {
    return StoppedBy::max_seconds;
  }
  return std::nullopt;
}

bool Stopping::gap_reached(const Certificate& certificate) const {
  return certificate.relative_gap() <= options_.relative_gap;
}

std::optional<StoppedBy> Stopping::limit(std::int64_t passes, std::int64_t oracle_calls) const {
  if (options_.max_passes && passes >= *options_.max_passes) return StoppedBy::max_passes;
  if (options_.max_oracle_calls && oracle_calls >= *options_.max_oracle_calls) {
    return StoppedBy::max_oracle_calls;
  }
  return std::nullopt;
}

}  // namespace sculpt::core
