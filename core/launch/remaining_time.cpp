#include "launch/remaining_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sculpt::core {
namespace {

constexpr std::size_t max_points = 1024;
// Gaps that are needed in each of the two intervals.
constexpr std::ptrdiff_t min_points = 2;
// Seconds. Nobody needs an estimate before.
constexpr double min_elapsed = 1;
// The guesses may differ by this factor. The range is a little wider than they are.
constexpr double max_ratio = 5;
constexpr double range_margin = 1.25;

// The whole number nearest to the value on a coarse scale: 1, 2, ..., 10, 15, 20, 30, ..., 100, ...
double coarse(double value) {
  double unit = 1;
  while (value >= 100 * unit) unit *= 10;
  if (value < 10 * unit) return std::round(value);
  const double step = value < 20 * unit ? 5 * unit : 10 * unit;
  return step * std::round(value / step);
}

}  // namespace

// Points are `stride_` passes apart, but for the last one. If there are too many, every second
// goes.
void RemainingTime::add(double seconds, double gap) {
  if (!std::isfinite(gap) || gap <= 0) return;
  best_log_gap_ = std::min(best_log_gap_, std::log(gap));
  if (last_is_between_) points_.pop_back();
  points_.push_back({seconds, best_log_gap_});
  last_is_between_ = ++count_ % stride_ != 0;
  if (last_is_between_ || points_.size() < max_points) return;
  for (std::size_t k = 0; k < max_points / 2; ++k) points_[k] = points_[2 * k + 1];
  points_.resize(max_points / 2);
  stride_ *= 2;
}

// log g at this time, which is not before the first point.
double RemainingTime::log_gap_at(double seconds) const {
  const auto next = std::find_if(points_.begin(), points_.end(),
                                 [&](const Point& point) { return point.seconds >= seconds; });
  if (next == points_.begin()) return next->log_gap;
  if (next == points_.end()) return points_.back().log_gap;
  const Point& before = *std::prev(next);
  const double part = (seconds - before.seconds) / (next->seconds - before.seconds);
  return before.log_gap + part * (next->log_gap - before.log_gap);
}

std::ptrdiff_t RemainingTime::count_since(double seconds) const {
  return std::count_if(points_.begin(), points_.end(),
                       [&](const Point& point) { return point.seconds >= seconds; });
}

std::optional<TimeRange> RemainingTime::range() const {
  if (points_.empty() || !(target_ > 0)) return std::nullopt;
  const double now = points_.back().seconds;
  const double half = now / 2;
  const double three_quarters = 0.75 * now;
  const bool is_short = now < min_elapsed || points_.front().seconds > half;
  if (is_short || count_since(three_quarters) < min_points) return std::nullopt;
  if (count_since(half) - count_since(three_quarters) < min_points) return std::nullopt;
  const double log_now = points_.back().log_gap;
  const double log_factor = log_now - std::log(target_);
  if (log_factor <= 0) return std::nullopt;
  const double earlier_fall = log_gap_at(half) - log_gap_at(three_quarters);
  const double recent_fall = log_gap_at(three_quarters) - log_now;
  if (earlier_fall <= 0 || recent_fall <= 0) return std::nullopt;
  const double quarter = now / 4;
  const double power = (earlier_fall + recent_fall) / std::log(2.0);
  const std::array<double, 3> guesses = {log_factor * quarter / earlier_fall,
                                         log_factor * quarter / recent_fall,
                                         now * std::expm1(log_factor / power)};
  const auto [low, high] = std::minmax_element(guesses.begin(), guesses.end());
  if (!(*high <= max_ratio * *low)) return std::nullopt;
  return TimeRange{*low / range_margin, *high * range_margin};
}

std::string duration_text(const TimeRange& range) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array<Unit, 4> units = {{{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}}};
  if (range.high < 5) return "a few seconds";
  std::size_t unit = 0;
  while (unit + 1 < units.size() && range.low >= 1.5 * units[unit + 1].seconds) ++unit;
  const auto count = [&](double seconds) {
    const double value = std::max(1.0, coarse(seconds / units[unit].seconds));
    return std::to_string(static_cast<long long>(std::min(value, 1e15)));
  };
  const std::string low = count(range.low);
  const std::string high = count(range.high);
  return "about " + (low == high ? low : low + "-" + high) + " " + units[unit].name;
}

}  // namespace sculpt::core
