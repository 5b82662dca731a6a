// grade_groups.hpp - the kinds of documents that are distinguished: all grades, or only grades from
// a threshold on and the rest.
//
// Used by features and losses, which both have the parameter `relevant_from`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <vector>

namespace ranking {

inline constexpr std::int32_t largest_grade = 1000;

class GradeGroups {
 public:
  GradeGroups() = default;
  // 0: each grade is a kind. g: two kinds, 1 for grades of at least g, 0 for the others.
  explicit GradeGroups(std::int64_t relevant_from)
      : relevant_from_(static_cast<std::int32_t>(relevant_from)) {}

  std::int32_t relevant_from() const { return relevant_from_; }
  std::int32_t of(std::int32_t grade) const {
    if (relevant_from_ == 0) return grade;
    return grade >= relevant_from_ ? 1 : 0;
  }
  // Returns kind[documents].
  std::vector<std::int32_t> of(std::span<const std::int32_t> grades) const {
    std::vector<std::int32_t> kind;
    kind.reserve(grades.size());
    for (const std::int32_t grade : grades) kind.push_back(of(grade));
    return kind;
  }

 private:
  std::int32_t relevant_from_ = 0;
};

// True if the kinds are not all equal.
inline bool differ(std::span<const std::int32_t> kinds) {
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](std::int32_t kind) { return kind != kinds.front(); });
}

// The parameter `normalize` of features and pair_error. false: SVM-rank's objective, the number of
// swapped pairs.
constexpr sculpt_parameter normalize_parameter(const char* summary) {
  return sculpt::boolean("normalize", "true", summary);
}

constexpr sculpt_parameter relevant_from_parameter(const char* fallback, const char* summary,
                                                   double lowest = 0) {
  return sculpt::integer("relevant_from", fallback, lowest, largest_grade, summary);
}

}  // namespace ranking
