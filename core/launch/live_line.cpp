#include "launch/live_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Speeds are those since the report before so many.
constexpr std::size_t max_marks = 10;

std::string rounded(double value) {
  return number_text(value, 2);
}

// "1840", or "0.25" for few calls.
std::string speed_text(double calls) {
  return calls < 100 ? rounded(calls) : std::to_string(static_cast<long long>(calls));
}

std::string seconds_text(double seconds) {
  return std::to_string(static_cast<long long>(std::min(std::max(seconds, 0.0), 1e15))) + " s";
}

}  // namespace

void LiveLine::add(const PassReport& report) {
  last_ = report;
  marks_.push_back({report.elapsed_seconds, report.pass, report.oracle_calls});
  if (marks_.size() > max_marks) marks_.pop_front();
  remaining_.add(report.elapsed_seconds, report.relative_gap);
  if (report.residual) remaining_residual_.add(report.elapsed_seconds, *report.residual);
}

// What is counted, per second, over the last reports. 0: unknown.
double LiveLine::speed(std::int64_t Mark::*count) const {
  const double seconds = marks_.back().seconds - marks_.front().seconds;
  if (marks_.size() < 2 || seconds <= 0) return 0;
  return static_cast<double>(marks_.back().*count - marks_.front().*count) / seconds;
}

// The limit that is reached first.
std::optional<LiveLine::Limit> LiveLine::first_limit(double since) const {
  std::optional<Limit> first;
  const auto consider = [&](const char* name, double seconds, bool is_exact) {
    if (!first || seconds < first->seconds) first = Limit{name, std::max(seconds, 0.0), is_exact};
  };
  if (goals_.max_seconds) {
    consider("max_seconds", *goals_.max_seconds - last_.elapsed_seconds - since, true);
  }
  const double passes = speed(&Mark::passes);
  if (goals_.max_passes && passes > 0) {
    const auto left = static_cast<double>(*goals_.max_passes - last_.pass);
    consider("max_passes", left / passes - since, false);
  }
  const double calls = speed(&Mark::calls);
  if (goals_.max_oracle_calls && calls > 0) {
    const auto left = static_cast<double>(*goals_.max_oracle_calls - last_.oracle_calls);
    consider("max_oracle_calls", left / calls - since, false);
  }
  return first;
}

// "about 2-4 min left", "max_seconds in 40 s", or "".
std::string LiveLine::left_text(double since) const {
  std::optional<TimeRange> range =
      last_.residual ? remaining_residual_.range() : remaining_.range();
  if (range) {
    range->low = std::max(0.0, range->low - since);
    range->high = std::max(range->low, range->high - since);
  }
  const std::optional<Limit> limit = first_limit(since);
  std::string text;
  const bool limit_is_first = limit && range && limit->seconds <= range->low;
  if (range && !limit_is_first) text = duration_text(*range) + " left";
  if (!limit || (range && limit->seconds > range->high)) return text;
  if (!text.empty()) text += ", ";
  text += std::string(limit->name) + " in ";
  return text + (limit->is_exact ? seconds_text(limit->seconds)
                                 : duration_text({limit->seconds, limit->seconds}));
}

std::string LiveLine::text(double since) const {
  std::string text = "pass " + std::to_string(last_.pass);
  if (last_.residual) {
    text += ", residual " + rounded(*last_.residual);
  } else if (std::isfinite(last_.relative_gap)) {
    text += ", gap " + rounded(last_.relative_gap);
  } else if (std::isfinite(last_.best_primal)) {
    text += ", primal " + number_text(last_.best_primal, 4);
  }
  const double calls = speed(&Mark::calls);
  if (calls > 0) text += ", " + speed_text(calls) + " calls/s";
  text += ", " + seconds_text(last_.elapsed_seconds + since);
  const std::string left = left_text(since);
  return left.empty() ? text : text + "; " + left;
}

}  // namespace sculpt::core
