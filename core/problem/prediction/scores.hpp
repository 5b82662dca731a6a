// scores.hpp - the scores that an output is chosen by, if the features offer them.
//
// Called by predict --scores and by check. See sculpt/ext/scores.h.
#pragma once

#include <sculpt/ext/scores.h>

#include <string>
#include <vector>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_scores> {
  static constexpr const char* id = SCULPT_EXT_SCORES;
  static constexpr std::size_t required_functions = 5;
};

class Scores {
 public:
  static bool is_offered_by(const Component& features) {
    return features.extension<sculpt_ext_scores>() != nullptr;
  }

  // `features` are sealed and outlive this. Throws Failure(Exit::config) if they offer no scores.
  explicit Scores(const Component& features);

  // How the scores decide an output: SCULPT_SCORES_*.
  std::uint32_t rule() const { return rule_; }
  std::size_t columns() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }  // [columns]

  // out = [rows * columns] of an example, row by row. Throws Failure: Exit::data if a score is not
  // finite. Other errors are reported as errors of the plugin. [any]
  void write(std::int64_t example, sculpt_weights w, std::vector<double>& out) const;

 private:
  std::uint32_t checked_rule() const;
  std::int64_t column_count() const;
  std::string name_of(std::int64_t column) const;
  std::int64_t row_count(std::int64_t example) const;

  const Component& features_;
  const sculpt_ext_scores* table_;
  std::uint32_t rule_ = 0;
  std::vector<std::string> names_;
};

}  // namespace sculpt::core
