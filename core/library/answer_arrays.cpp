#include "library/answer_arrays.hpp"

namespace sculpt::core {

void OutputArrays::clear() {
  first_output_.assign(1, 0);
  first_label_.assign(1, 0);
  labels_.clear();
  scores_.clear();
  probabilities_.clear();
  texts_.clear();
}

void OutputArrays::add(std::span<const std::int32_t> labels) {
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  first_label_.push_back(static_cast<std::int64_t>(labels_.size()));
}

void OutputArrays::add_score(double score, double probability) {
  scores_.push_back(score);
  probabilities_.push_back(probability);
}

sculpt_outputs OutputArrays::lent(bool has_probabilities) {
  text_pointers_.clear();
  for (const std::string& text : texts_) text_pointers_.push_back(text.c_str());
  const bool has_scores = !scores_.empty();
  sculpt_outputs out = {};
  out.example_count = static_cast<std::int64_t>(first_output_.size()) - 1;
  out.first_output = first_output_.data();
  out.first_label = first_label_.data();
  out.label = labels_.data();
  out.score = has_scores ? scores_.data() : nullptr;
  out.probability = has_scores && has_probabilities ? probabilities_.data() : nullptr;
  out.text = texts_.empty() ? nullptr : text_pointers_.data();
  return out;
}

void RowArrays::clear() {
  first_row_.assign(1, 0);
  first_value_.assign(1, 0);
  values_.clear();
}

void RowArrays::add_row(std::span<const double> values) {
  values_.insert(values_.end(), values.begin(), values.end());
  first_value_.push_back(static_cast<std::int64_t>(values_.size()));
}

void RowArrays::end_example() {
  first_row_.push_back(static_cast<std::int64_t>(first_value_.size()) - 1);
}

sculpt_rows RowArrays::lent() const {
  sculpt_rows out = {};
  out.example_count = static_cast<std::int64_t>(first_row_.size()) - 1;
  out.first_row = first_row_.data();
  out.first_value = first_value_.data();
  out.value = values_.data();
  return out;
}

}  // namespace sculpt::core
