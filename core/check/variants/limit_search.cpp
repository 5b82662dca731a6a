#include "check/variants/limit_search.hpp"

#include <numeric>

namespace sculpt::core {

std::optional<bool> keeps_truths(const OutputFacts& unchanged, const VariantOutcome& changed) {
  if (!changed.refusal.empty()) return false;
  if (changed.outputs.truths.size() != unchanged.truths.size()) return false;
  bool is_known = true;
  for (std::size_t k = 0; k < unchanged.truths.size(); ++k) {
    if (unchanged.truths[k] != 'i' || changed.outputs.truths[k] == 'i') continue;
    if (changed.outputs.truths[k] != '?') return false;
    is_known = false;
  }
  return is_known ? std::optional(true) : std::nullopt;
}

bool LimitSearch::is_limit_of_truths() const {
  const bool is_refused =
      !at_end_.refusal.empty() || at_end_.outputs.truths.find('r') != std::string::npos;
  if (end_ > current() && is_refused) return false;
  return keeps_truths(unchanged_, at_end_) == false;
}

bool LimitSearch::is_limit_of_outputs() const {
  if (parameter_.key.starts_with("loss.")) return false;  // it chooses what is counted
  if (keeps_truths(unchanged_, at_end_) != true) return false;
  if (at_end_.outputs.truth_hash != unchanged_.truth_hash) return false;
  const std::vector<std::int64_t>& counts = unchanged_.output_counts;
  const std::vector<std::int64_t>& at_end = at_end_.outputs.output_counts;
  if (counts.size() != at_end.size()) return false;
  bool is_fewer = false;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] < 0 || at_end[k] < 0) continue;
    if (at_end[k] > counts[k]) return false;
    is_fewer = is_fewer || at_end[k] < counts[k];
  }
  return is_fewer;
}

std::optional<std::int64_t> LimitSearch::last_fitting(
    const std::function<std::optional<bool>(std::int64_t value)>& fits) const {
  std::int64_t beyond = end_;
  std::int64_t fitting = current();
  for (;;) {
    const std::int64_t middle = std::midpoint(fitting, beyond);  // without overflow
    if (middle == fitting) return fitting;  // rounded to `fitting`, which is next to `beyond`
    const std::optional<bool> is_fitting = fits(middle);
    if (!is_fitting) return std::nullopt;
    (*is_fitting ? fitting : beyond) = middle;
  }
}

std::string LimitSearch::gap() const {
  return "cannot show: a fault where a truth is exactly at the limit " + parameter_.key +
         ", because every truth is still allowed at " + std::to_string(end_) +
         "; add an example whose truth needs " + (end_ < current() ? "more" : "less") +
         " to the experiment";
}

}  // namespace sculpt::core
