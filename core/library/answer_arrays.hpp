// answer_arrays.hpp - outputs and numbers of examples as flat arrays, for the C API.
#pragma once

#include <sculpt/host/examples.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sculpt::core {

class OutputArrays {
 public:
  void clear();
  // Adds an output of the current example.
  void add(std::span<const std::int32_t> labels);
  // Of the output that was added last.
  void add_text(std::string text) { texts_.push_back(std::move(text)); }
  void add_score(double score, double probability);
  // Ends the current example and begins the next one.
  void end_example() { first_output_.push_back(outputs()); }
  // What is valid until clear().
  sculpt_outputs lent(bool has_probabilities);

 private:
  std::int64_t outputs() const { return static_cast<std::int64_t>(first_label_.size()) - 1; }

  std::vector<std::int64_t> first_output_;
  std::vector<std::int64_t> first_label_;
  std::vector<std::int32_t> labels_;
  std::vector<double> scores_;
  std::vector<double> probabilities_;
  std::vector<std::string> texts_;
  std::vector<const char*> text_pointers_;
};

class RowArrays {
 public:
  void clear();
  void add_row(std::span<const double> values);
  void end_example();
  sculpt_rows lent() const;

 private:
  std::vector<std::int64_t> first_row_;
  std::vector<std::int64_t> first_value_;
  std::vector<double> values_;
};

}  // namespace sculpt::core
