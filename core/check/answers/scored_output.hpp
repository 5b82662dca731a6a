// scored_output.hpp - holds the scores of an example against the labels of its output.
//
// The rules are those of sculpt/ext/scores.h. Called by score_prediction_tests.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sculpt::core {

// How much scores may differ, relative to the largest. Their terms are not known. But w is random,
// so the terms are not much larger than the scores.
constexpr double score_rounding = 1e-9;

class ScoredOutput {
 public:
  // `rule`: SCULPT_SCORES_LARGEST, _SIGN or _ORDER. values: [rows * columns]. Requires columns
  // >= 1.
  ScoredOutput(std::uint32_t rule, std::size_t columns, std::vector<double> values,
               std::vector<std::int32_t> labels);

  // Returns how the labels break the rule of the scores, or "".
  std::string fault() const;

  std::size_t rows() const { return values_.size() / columns_; }
  // Returns "  scores  1 2;  3 4": rows are separated by semicolons.
  std::string scores_text() const;

 private:
  std::string fault_of_largest() const;
  std::string fault_of_signs() const;
  std::string fault_of_order() const;

  std::uint32_t rule_;
  std::size_t columns_;
  std::vector<double> values_;
  std::vector<std::int32_t> labels_;
  double rounding_;
};

}  // namespace sculpt::core
