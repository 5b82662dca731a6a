#include "grade_groups.hpp"

#include <algorithm>
#include <charconv>
#include <sculpt/cpp/number_text.hpp>
#include <sculpt/cpp/text_buffer.hpp>

namespace ranking {

GradeValues::GradeValues(const sculpt::SiteInput& input) {
  if (static_cast<std::size_t>(input.state_count()) > max_grades) {
    throw sculpt::data_error("the dataset has " + std::to_string(input.state_count()) +
                             " grades; the most is " + std::to_string(max_grades) +
                             ": number the grades that occur from 0 on");
  }
  for (std::int32_t number = 0; number < input.state_count(); ++number) {
    const std::string name =
        sculpt::text_written([&](sculpt::ByteOutput& out) { input.state_name(number, out); });
    double value = 0;
    const bool is_number = sculpt::read_finite(name, value) == sculpt::NumberText::number;
    if (!is_number || (number > 0 && value <= values_.back())) {
      values_.clear();
      return;
    }
    values_.push_back(value);
  }
}

std::string grade_text(double grade) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, grade).ptr};
}

std::span<const std::int32_t> small_groups(std::span<const std::int32_t> group,
                                           std::vector<std::int32_t>& storage) {
  const auto largest = std::max_element(group.begin(), group.end());
  if (largest == group.end() || *largest <= 4 * std::ssize(group)) return group;
  std::vector<std::int32_t> different(group.begin(), group.end());
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  storage.clear();
  for (const std::int32_t one : group) {
    storage.push_back(static_cast<std::int32_t>(
        std::lower_bound(different.begin(), different.end(), one) - different.begin()));
  }
  return storage;
}

}  // namespace ranking
