// limit_search.hpp - finds the value of a parameter at which a truth is exactly at the limit.
//
//   "at most n"    truths are lost at the lower end: the smallest value that still allows all
//   "at least n"   truths are lost at the upper end: the largest value that still allows all
//
// At this value faults of the kind "< in place of <=" show. Called by variant_runner.
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
  // `end`: a value below or above the current one, with the outcome `at_end`. `unchanged`: at the
  // current value. Requires parameter.is_integer. All arguments outlive this.
  LimitSearch(const ParameterFacts& parameter, const OutputFacts& unchanged, std::int64_t end,
              const VariantOutcome& at_end)
      : parameter_(parameter), unchanged_(unchanged), end_(end), at_end_(at_end) {}

  // True if some truth, or the whole experiment, is not allowed at the end. Not for refusals at an
  // upper end, which are about the size of the problem.
  bool is_limit_of_truths() const;
  // True if all truths are the same and allowed at the end, but there are fewer outputs.
  bool is_limit_of_outputs() const;

  // Returns the value closest to the end for which `fits` is true, by bisection. Nothing if `fits`
  // gives nothing, because the time or the budget of steps is over. Requires is_limit_of_truths().
  std::optional<std::int64_t> last_fitting(
      const std::function<std::optional<bool>(std::int64_t value)>& fits) const;

  // Returns what the experiment cannot show. Requires is_limit_of_outputs().
  std::string gap() const;

 private:
  std::int64_t current() const { return std::stoll(parameter_.current); }

  const ParameterFacts& parameter_;
  const OutputFacts& unchanged_;
  std::int64_t end_;
  const VariantOutcome& at_end_;
};

}  // namespace sculpt::core
