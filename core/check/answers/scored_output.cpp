#include "check/answers/scored_output.hpp"

#include <sculpt/ext/scores.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

const char* rule_name(std::uint32_t rule) {
  switch (rule) {
    case SCULPT_SCORES_LARGEST:
      return "SCULPT_SCORES_LARGEST";
    case SCULPT_SCORES_SIGN:
      return "SCULPT_SCORES_SIGN";
    case SCULPT_SCORES_ORDER:
      return "SCULPT_SCORES_ORDER";
    default:
      return "SCULPT_SCORES_WHOLE";
  }
}

}  // namespace

ScoredOutput::ScoredOutput(std::uint32_t rule, std::size_t columns, std::vector<double> values,
                           std::vector<std::int32_t> labels)
    : rule_(rule), columns_(columns), values_(std::move(values)), labels_(std::move(labels)) {
  double size = 0;
  for (const double value : values_) size = std::max(size, std::abs(value));
  rounding_ = score_rounding * size;
}

std::string ScoredOutput::fault() const {
  const bool has_label_for_each_score = rule_ == SCULPT_SCORES_SIGN;
  const std::size_t expected = has_label_for_each_score ? values_.size() : rows();
  if (labels_.size() != expected) {
    return std::string(rule_name(rule_)) + " needs one label for each " +
           (has_label_for_each_score ? "score" : "row of scores") + ", here " +
           std::to_string(expected) + ", but the output has " + std::to_string(labels_.size());
  }
  switch (rule_) {
    case SCULPT_SCORES_LARGEST:
      return fault_of_largest();
    case SCULPT_SCORES_SIGN:
      return fault_of_signs();
    default:
      return fault_of_order();
  }
}

std::string ScoredOutput::scores_text() const {
  constexpr std::size_t max_shown = 24;
  std::string text = "  scores  ";
  for (std::size_t k = 0; k < std::min(max_shown, values_.size()); ++k) {
    text += (k > 0 ? (k % columns_ == 0 ? ";  " : " ") : "") + exact_number_text(values_[k]);
  }
  return text + (values_.size() > max_shown ? " ..." : "");
}

std::string ScoredOutput::fault_of_largest() const {
  const std::size_t columns = columns_;
  for (std::size_t row = 0; row < rows(); ++row) {
    const double* const first = values_.data() + row * columns;
    const auto largest = static_cast<std::size_t>(std::max_element(first, first + columns) - first);
    const auto label = static_cast<std::size_t>(labels_[row]);
    const std::string subject = "row " + std::to_string(row) + " has the label " +
                                std::to_string(labels_[row]) + " in the output, but ";
    if (label >= columns) {
      return subject + "its scores have only " +
             count_text(static_cast<std::int64_t>(columns), "column");
    }
    if (first[label] >= first[largest] - rounding_) continue;
    return subject + "the largest score is in column " + std::to_string(largest);
  }
  return "";
}

std::string ScoredOutput::fault_of_signs() const {
  for (std::size_t k = 0; k < labels_.size(); ++k) {
    const bool is_on = labels_[k] % 2 != 0;
    if (is_on ? values_[k] >= -rounding_ : values_[k] <= rounding_) continue;
    return "label " + std::to_string(k) + " is " + std::to_string(labels_[k]) +
           " in the output, but its score is " + exact_number_text(values_[k]);
  }
  return "";
}

std::string ScoredOutput::fault_of_order() const {
  std::vector<std::size_t> by_score(labels_.size());
  std::iota(by_score.begin(), by_score.end(), std::size_t{0});
  std::stable_sort(by_score.begin(), by_score.end(),
                   [&](std::size_t a, std::size_t b) { return values_[a] < values_[b]; });
  for (std::size_t k = 1; k < by_score.size(); ++k) {
    const std::size_t low = by_score[k - 1];
    const std::size_t high = by_score[k];
    if (values_[high] - values_[low] <= rounding_ || labels_[high] > labels_[low]) continue;
    return "row " + std::to_string(high) + " has a larger score than row " + std::to_string(low) +
           ", but the output has the labels " + std::to_string(labels_[high]) + " and " +
           std::to_string(labels_[low]) + " for them";
  }
  return "";
}

}  // namespace sculpt::core
