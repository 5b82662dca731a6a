#include "counted_texts.hpp"

std::int32_t CountedTexts::add(std::string_view text) {
  const std::int32_t number = texts_.add(text);
  if (number == static_cast<std::int64_t>(frequencies_.size())) frequencies_.push_back(0);
  ++frequencies_[static_cast<std::size_t>(number)];
  return number;
}

std::vector<std::int32_t> CountedTexts::keep(std::int64_t cutoff, Dictionary& kept) const {
  std::vector<std::int32_t> numbers;
  for (std::int64_t k = 0; k < size(); ++k) {
    const bool is_kept = frequencies_[static_cast<std::size_t>(k)] >= cutoff;
    numbers.push_back(is_kept ? kept.add(texts_.text(k)) : -1);
  }
  kept.shrink();
  return numbers;
}
