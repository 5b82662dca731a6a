#include "solver/gap_cause.hpp"

#include <cmath>

namespace sculpt::core {
namespace {

// A cause must explain at least this fraction of the gap.
constexpr double dominant_fraction = 0.5;

// A gap below this fraction of P may be rounding only.
constexpr double max_rounding_gap = 1e-9;

}  // namespace

bool is_optimum_to_rounding(const Result& result) {
  return result.certified && result.relative_gap <= max_rounding_gap;
}

GapCause gap_cause_of(const Result& result) {
  if (result.reached) return GapCause::none;
  const bool has_stalled = result.stopped_by == StoppedBy::oracle_exhausted ||
                           result.stopped_by == StoppedBy::standstill;
  if (has_stalled && result.uncertified_reason == UncertifiedReason::violated) {
    return GapCause::steps;
  }
  if (!std::isfinite(result.gap) || result.relative_gap <= max_rounding_gap) return GapCause::none;
  const double min_explained = dominant_fraction * result.gap;
  if (result.certified && result.rounding >= min_explained) return GapCause::rounding;
  if (result.certified && result.primal - result.primal_low >= min_explained) {
    return GapCause::bounds;
  }
  // The answers of an exact oracle are true. So if new planes change nothing, rounding stops the
  // steps.
  const bool is_left_by_steps = result.certified || result.restricted_gap >= min_explained;
  return has_stalled && is_left_by_steps ? GapCause::steps : GapCause::none;
}

}  // namespace sculpt::core
