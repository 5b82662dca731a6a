#include "array_names.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

void ArrayNames::learn(std::int64_t count, const char* const* names) {
  count_ = count;
  names_.clear();
  if (names != nullptr) names_.assign(names, names + count);
}

void ArrayNames::check(std::int64_t count, const char* const* names) const {
  if (names == nullptr || !are_given()) return;
  for (std::int64_t k = 0; k < std::min(count, count_); ++k) {
    const std::string& trained = names_[static_cast<std::size_t>(k)];
    if (trained == names[k]) continue;
    throw sculpt::data_error("example 0: " + std::string(thing_) + " " + std::to_string(k) +
                             " is named " + sculpt::shown(names[k]) + ", but " +
                             sculpt::shown(trained) +
                             " in the training data; give the same order as there");
  }
}

std::string ArrayNames::of(std::int64_t number) const {
  if (number < 0 || number >= count_) {
    throw sculpt::Error(SCULPT_E_INVALID, "there is no " + std::string(thing_) + " " +
                                              std::to_string(number) + "; there are " +
                                              std::to_string(count_));
  }
  return names_.empty() ? std::to_string(number) : names_[static_cast<std::size_t>(number)];
}

std::int64_t ArrayNames::find(std::string_view name) const {
  if (are_given()) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? -1 : found - names_.begin();
  }
  std::int64_t number = -1;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = problem == std::errc() && end == name.data() + name.size();
  return is_number && number >= 0 && number < count_ ? number : -1;
}

bool ArrayNames::contain(char character) const {
  return std::any_of(names_.begin(), names_.end(), [character](const std::string& name) {
    return name.find(character) != std::string::npos;
  });
}

std::string ArrayNames::list() const {
  std::string list = "(";
  for (std::int64_t k = 0; k < count_ && k < 10; ++k) {
    list += (k > 0 ? ", " : "") + sculpt::shortened(of(k));
  }
  return list + (count_ > 10 ? ", ...)" : ")");
}

void ArrayNames::save(sculpt::StateWriter& writer) const {
  writer.integer(count_);
  writer.texts(names_);
}

void ArrayNames::restore(sculpt::StateReader& reader) {
  count_ = reader.integer();
  names_ = reader.texts();
  const bool is_plausible = count_ >= 0 && count_ <= std::numeric_limits<std::int32_t>::max();
  if (!is_plausible || (are_given() && std::ssize(names_) != count_)) reader.damaged();
}
