#include "grade_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "grade_groups.hpp"

namespace ranking {

bool is_plain_grade(double grade) {
  return grade >= 0 && grade <= max_plain_grade && grade == std::floor(grade);
}

void GradeTable::add_query(std::span<const double> grades) {
  grades_.insert(grades_.end(), grades.begin(), grades.end());
  first_.push_back(grades_.size());
}

void GradeTable::end_split() {
  const auto larger = std::max_element(grades_.begin(), grades_.end());
  if (ranked_.empty() && std::all_of(grades_.begin(), grades_.end(), is_plain_grade)) {
    if (larger != grades_.end()) largest_ = std::max(largest_, static_cast<std::int32_t>(*larger));
  } else {
    ranked_.insert(ranked_.end(), grades_.begin(), grades_.end());
    std::sort(ranked_.begin(), ranked_.end());
    ranked_.erase(std::unique(ranked_.begin(), ranked_.end()), ranked_.end());
    if (ranked_.size() > max_grades) {
      throw sculpt::data_error("there are " + std::to_string(ranked_.size()) +
                               " different grades, more than " + std::to_string(max_grades) +
                               "; round them");
    }
  }
  numbers_.clear();
  for (const double grade : grades_) numbers_.push_back(number_of(grade));
}

std::int32_t GradeTable::number_of(double grade) const {
  if (ranked_.empty()) return static_cast<std::int32_t>(grade);
  return static_cast<std::int32_t>(std::lower_bound(ranked_.begin(), ranked_.end(), grade) -
                                   ranked_.begin());
}

sculpt::Labels GradeTable::truth(std::int64_t query) const {
  if (query < 0 || query + 1 >= std::ssize(first_)) {
    throw sculpt::Error(SCULPT_E_INVALID, "has no example " + std::to_string(query));
  }
  const std::size_t begin = first_[static_cast<std::size_t>(query)];
  const std::size_t end = first_[static_cast<std::size_t>(query) + 1];
  if (begin == end) return {};
  return {numbers_.data() + begin, end - begin};
}

std::int32_t GradeTable::count() const {
  return ranked_.empty() ? largest_ + 1 : static_cast<std::int32_t>(ranked_.size());
}

std::string GradeTable::name_of(std::int32_t number) const {
  if (ranked_.empty()) return std::to_string(number);
  if (number < 0 || number >= count()) {
    throw sculpt::Error(SCULPT_E_INVALID, "there is no grade " + std::to_string(number));
  }
  char text[32];
  const auto result =
      std::to_chars(text, text + sizeof text, ranked_[static_cast<std::size_t>(number)]);
  return {text, result.ptr};
}

void GradeTable::save_ranked(sculpt::StateWriter& writer) const {
  writer.integer(std::ssize(ranked_));
  for (const double grade : ranked_) writer.real(grade);
}

void GradeTable::restore_largest(sculpt::StateReader& reader) {
  const std::int64_t largest = reader.integer();
  if (largest < 0 || largest > max_plain_grade) reader.damaged();
  largest_ = static_cast<std::int32_t>(largest);
}

void GradeTable::restore_ranked(sculpt::StateReader& reader) {
  ranked_.resize(static_cast<std::size_t>(reader.count(sizeof(double))));
  for (std::size_t k = 0; k < ranked_.size(); ++k) {
    ranked_[k] = reader.real();
    if (!std::isfinite(ranked_[k]) || (k > 0 && ranked_[k] <= ranked_[k - 1])) reader.damaged();
  }
  if (ranked_.size() > max_grades) reader.damaged();
}

}  // namespace ranking
