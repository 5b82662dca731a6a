#include "order_output.hpp"

#include <vector>

namespace ranking {

void use_numbers_of_truth(sculpt::Labels grades, std::span<std::int32_t> y) {
  if (!grades.known()) return;
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> grade_of(y.size(), none);  // grade of each number, [numbers]
  for (std::size_t i = 0; i < y.size(); ++i) {
    std::int32_t& grade = grade_of[static_cast<std::size_t>(y[i])];
    if (grade == none) grade = grades[i];
    if (grade != grades[i]) return;
  }
  while (!grade_of.empty() && grade_of.back() == none) grade_of.pop_back();
  const bool ascends = std::adjacent_find(grade_of.begin(), grade_of.end(),
                                          std::greater_equal<>()) == grade_of.end();
  if (ascends) std::copy(grades.begin(), grades.end(), y.begin());
}

void write_runs(std::span<const std::int64_t> bottom_up, std::span<const std::int32_t> group,
                sculpt::Labels grades, std::span<std::int32_t> y) {
  std::int32_t number = -1;
  std::size_t previous = 0;
  for (const std::int64_t document : bottom_up) {
    const auto i = static_cast<std::size_t>(document);
    if (number < 0 || group[i] != group[previous] || grades[i] != grades[previous]) ++number;
    previous = i;
    y[i] = number;
  }
  use_numbers_of_truth(grades, y);
}

}  // namespace ranking
