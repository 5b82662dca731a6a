// limit_search.hpp - finds the smallest value of a parameter at which every truth is still allowed.
//
// At this value a truth is exactly at the limit. There, faults of the kind "< in place of <=" show.
// Called by variant_runner.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "check/variants/variant_body.hpp"

namespace sculpt::core {

// True if a change is not refused, and every truth that was one of the outputs still is. Nothing if
// there was no time to ask about some of these truths, and none of the others is lost.
std::optional<bool> keeps_truths(const OutputFacts& unchanged, const VariantOutcome& changed);

class LimitSearch {
 public:
  // `unchanged`: at the value in the experiment. `at_lower`: at the lower end of the range.
  // Requires parameter.is_integer. All arguments outlive this.
  LimitSearch(const ParameterFacts& parameter, const OutputFacts& unchanged,
              const VariantOutcome& at_lower)
      : parameter_(parameter), unchanged_(unchanged), at_lower_(at_lower) {}

  // True if some truth, or the whole experiment, is not allowed at the lower end.
  bool is_limit_of_truths() const { return keeps_truths(unchanged_, at_lower_) == false; }
  // True if all truths are the same and allowed at the lower end, but there are fewer outputs.
  bool is_limit_of_outputs() const;

  // Returns the smallest value for which `fits` is true, by bisection. Nothing if `fits` gives
  // nothing, because the time or the budget of steps is over. Requires is_limit_of_truths().
  std::optional<std::int64_t> smallest_fitting(
      const std::function<std::optional<bool>(std::int64_t value)>& fits) const;

  // Returns what the experiment cannot show. Requires is_limit_of_outputs().
  std::string gap() const;

 private:
  const ParameterFacts& parameter_;
  const OutputFacts& unchanged_;
  const VariantOutcome& at_lower_;
};

}  // namespace sculpt::core
