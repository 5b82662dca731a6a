// grade_groups.hpp - groups of documents by grade: one group for each grade, or one for the grades
// from a threshold on and one for the rest.
//
// Used by features and losses, which both have the parameter `relevant_from`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

// The largest grade that a file may have.
inline constexpr std::int32_t max_grade = 1000;

class GradeGroups {
 public:
  GradeGroups() = default;
  // `relevant_from` 0: each grade is a group. Above 0: two groups, 1 for grades of at least
  // `relevant_from`, and 0 for the others.
  explicit GradeGroups(std::int64_t relevant_from)
      : relevant_from_(static_cast<std::int32_t>(relevant_from)) {}

  std::int32_t relevant_from() const { return relevant_from_; }
  // Returns the group of a grade: the grade itself if each grade is a group.
  std::int32_t group_of(std::int32_t grade) const {
    if (relevant_from_ == 0) return grade;
    return grade >= relevant_from_ ? 1 : 0;
  }
  // Returns the group of each document, [documents].
  std::vector<std::int32_t> groups_of(std::span<const std::int32_t> grades) const {
    std::vector<std::int32_t> group;
    group.reserve(grades.size());
    for (const std::int32_t grade : grades) group.push_back(group_of(grade));
    return group;
  }

 private:
  std::int32_t relevant_from_ = 0;
};

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
  return sculpt::integer("relevant_from", fallback, lowest, max_grade, summary);
}

}  // namespace ranking
