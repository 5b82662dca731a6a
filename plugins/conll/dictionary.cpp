#include "dictionary.hpp"

#include <sculpt/cpp/error.hpp>

#include <functional>
#include <limits>

std::int32_t Dictionary::find(std::string_view text) const {
  return slots_.empty() ? -1 : slots_[slot_of(text)];
}

std::int32_t Dictionary::add(std::string_view text) {
  // At most half of the slots are used, so that searches are short and end.
  if (2 * from_.size() > slots_.size()) grow_slots();
  const std::size_t slot = slot_of(text);
  if (slots_[slot] >= 0) return slots_[slot];
  if (size() == std::numeric_limits<std::int32_t>::max()) {
    throw sculpt::Error(SCULPT_E_MEMORY,
                        "finds more than 2147483647 different texts; raise `cutoff`, "
                        "or use fewer templates");
  }
  slots_[slot] = static_cast<std::int32_t>(size());
  texts_ += text;
  from_.push_back(texts_.size());
  return slots_[slot];
}

std::string_view Dictionary::text(std::int64_t number) const {
  const auto k = static_cast<std::size_t>(number);
  return std::string_view(texts_).substr(from_[k], from_[k + 1] - from_[k]);
}

void Dictionary::shrink() {
  texts_.shrink_to_fit();
  from_.shrink_to_fit();
}

void Dictionary::save(sculpt::StateWriter& writer) const {
  writer.integer(size());
  for (std::int64_t number = 0; number < size(); ++number) writer.text(text(number));
}

void Dictionary::restore(sculpt::StateReader& reader) {
  const std::int64_t texts = reader.count(sizeof(std::int64_t));
  for (std::int64_t number = 0; number < texts; ++number) {
    if (add(reader.text()) != number) reader.damaged();  // the text occurs twice
  }
  shrink();
}

std::size_t Dictionary::slot_of(std::string_view key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>()(key) & mask;
  while (slots_[slot] >= 0 && text(slots_[slot]) != key) slot = (slot + 1) & mask;
  return slot;
}

void Dictionary::grow_slots() {
  constexpr std::size_t min_slots = 64;
  slots_.assign(slots_.empty() ? min_slots : 2 * slots_.size(), -1);
  for (std::int64_t number = 0; number < size(); ++number) {
    slots_[slot_of(text(number))] = static_cast<std::int32_t>(number);
  }
}
