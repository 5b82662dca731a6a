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

bool LimitSearch::is_limit_of_outputs() const {
  if (parameter_.key.starts_with("loss.")) return false;  // it chooses what is counted
  if (keeps_truths(unchanged_, at_lower_) != true) return false;
  if (at_lower_.outputs.truth_hash != unchanged_.truth_hash) return false;
  const std::vector<std::int64_t>& counts = unchanged_.output_counts;
  const std::vector<std::int64_t>& at_lower = at_lower_.outputs.output_counts;
  if (counts.size() != at_lower.size()) return false;
  bool is_lower = false;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] < 0 || at_lower[k] < 0) continue;
    if (at_lower[k] > counts[k]) return false;
    is_lower = is_lower || at_lower[k] < counts[k];
  }
  return is_lower;
}

std::optional<std::int64_t> LimitSearch::smallest_fitting(
    const std::function<std::optional<bool>(std::int64_t value)>& fits) const {
  std::int64_t too_small = parameter_.lower;
  std::int64_t fitting = std::stoll(parameter_.current);
  while (fitting > too_small + 1) {
    const std::int64_t middle = std::midpoint(too_small, fitting);  // without overflow
    const std::optional<bool> is_fitting = fits(middle);
    if (!is_fitting) return std::nullopt;
    (*is_fitting ? fitting : too_small) = middle;
  }
  return fitting;
}

std::string LimitSearch::gap() const {
  return "cannot show: a fault where a truth is exactly at the limit " + parameter_.key +
         ", because every truth is still allowed at " + std::to_string(parameter_.lower) +
         "; add an example whose truth needs more to the experiment";
}

}  // namespace sculpt::core
