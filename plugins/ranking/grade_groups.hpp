// grade_groups.hpp - groups of documents by grade: one group for each grade, or one for the grades
// from a threshold on and one for the rest.
//
// Used by features and losses, which both have the parameter `relevant_from`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <string>
#include <vector>

namespace ranking {

// The largest grade that is its own number in truths (grade_table.hpp).
inline constexpr std::int32_t max_plain_grade = 1000;
// A limit of different grades: those of svmrank whose ranks are the numbers, and the labels of
// another dataset.
inline constexpr std::size_t max_grades = 100000;

// The grades that the numbers in truths stand for: the names of the labels of the dataset, if these
// are ascending numbers; else the numbers themselves.
class GradeValues {
 public:
  GradeValues() = default;
  // Throws sculpt::Error (data) if there are more than max_grades labels.
  explicit GradeValues(const sculpt::SiteInput& input);
  double of(std::int32_t number) const {
    const auto k = static_cast<std::size_t>(number);
    return k < values_.size() ? values_[k] : number;
  }

 private:
  std::vector<double> values_;  // [numbers]; empty: the numbers themselves
};

// Returns the shortest text: "1", "0.33".
std::string grade_text(double grade);

class GradeGroups {
 public:
  GradeGroups() = default;
  // `relevant_from` 0: each grade is a group. Above 0: two groups, 1 for grades of at least
  // `relevant_from`, and 0 for the others.
  explicit GradeGroups(double relevant_from) : relevant_from_(relevant_from) {}
  // Call it in bind().
  void set_values(const GradeValues& values) { values_ = values; }

  double relevant_from() const { return relevant_from_; }
  // Returns the group of a number in a truth: the number itself if each grade is a group.
  std::int32_t group_of(std::int32_t number) const {
    if (relevant_from_ == 0) return number;
    return values_.of(number) >= relevant_from_ ? 1 : 0;
  }
  // Returns the grade of a number in a truth.
  double value_of(std::int32_t number) const { return values_.of(number); }
  // Returns the group of each document, [documents].
  std::vector<std::int32_t> groups_of(std::span<const std::int32_t> grades) const {
    std::vector<std::int32_t> group;
    group.reserve(grades.size());
    for (const std::int32_t grade : grades) group.push_back(group_of(grade));
    return group;
  }

 private:
  double relevant_from_ = 0;
  GradeValues values_;
};

// Returns groups of the same order with small numbers, at most 4 for each document. `storage`
// holds them if they are new.
std::span<const std::int32_t> small_groups(std::span<const std::int32_t> group,
                                           std::vector<std::int32_t>& storage);

// True if the groups are not all equal.
inline bool groups_differ(std::span<const std::int32_t> groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [&](std::int32_t group) { return group != groups.front(); });
}

// Returns the declaration of the parameter `normalize` of the features and of pair_error. true: the
// share of the swapped pairs. false: their number, as in the objective of SVM-rank.
constexpr sculpt_parameter normalize_parameter(const char* summary) {
  return sculpt::boolean("normalize", "true", summary);
}

// Returns the declaration of the parameter `relevant_from`. `fallback`: its default, as JSON.
constexpr sculpt_parameter relevant_from_parameter(const char* fallback, const char* summary,
                                                   double lowest = 0) {
  return sculpt::real("relevant_from", fallback, lowest, max_plain_grade, summary);
}

}  // namespace ranking
