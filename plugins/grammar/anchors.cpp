#include "anchors.hpp"

#include <algorithm>

namespace grammar {

namespace {
constexpr std::array<const char*, 8> length_names{"1", "2",    "3",     "4",
                                                  "5", "6-10", "11-20", "21 or more"};
}

Anchors::Anchors(const std::vector<std::string>& groups) {
  for (const std::string& group : groups) {
    if (group == "first_word") {
      is_on_[first_word] = true;
    } else if (group == "last_word") {
      is_on_[last_word] = true;
    } else if (group == "length") {
      is_on_[length] = true;
    } else if (group == "split_words") {
      is_on_[split_before] = is_on_[split_after] = true;
    } else {
      throw sculpt::parameter_error(
          "anchors has " + sculpt::shown(group) +
          ", which does not exist; use first_word, last_word, length or split_words");
    }
  }
  has_features_ = !groups.empty();
}

std::int32_t Anchors::length_class(std::int32_t words) {
  if (words <= 5) return words - 1;
  if (words <= 10) return 5;
  return words <= 20 ? 6 : 7;
}

std::int32_t Anchors::rule_of(std::int64_t key) {
  return static_cast<std::int32_t>((key >> 32) & ((1 << 22) - 1));
}

void Anchors::write(std::int64_t number, const Trees& trees, sculpt::ByteOutput& out) const {
  const std::int64_t key = key_of(number);
  const auto value = static_cast<std::int32_t>(key & 0xFFFFFFFF);
  const std::int64_t dot = (key >> 54) & 63;
  switch (key >> 60) {
    case first_word:
      out << "first " << trees.terminal_name(value);
      break;
    case last_word:
      out << "last " << trees.terminal_name(value);
      break;
    case length:
      out << "length " << length_names[static_cast<std::size_t>(value)];
      break;
    case split_before:
      out << "item " << dot << " ends with " << trees.terminal_name(value);
      break;
    default:
      out << "item " << dot << " before " << trees.terminal_name(value);
  }
}

void Anchors::save(sculpt::StateWriter& writer) const {
  writer.integer(size());
  for (const std::int64_t key : keys_) writer.integer(key);
}

void Anchors::restore(sculpt::StateReader& reader) {
  const std::int64_t count = reader.count(sizeof(std::int64_t));
  for (std::int64_t k = 0; k < count; ++k) learn(reader.integer());
  if (size() != count) reader.damaged();
}

bool Anchors::has_valid_ids(const Trees& trees, const RuleSet& rules) const {
  return std::all_of(keys_.begin(), keys_.end(), [&](std::int64_t key) {
    const std::int64_t value = key & 0xFFFFFFFF;
    const std::int64_t kind = key >> 60;
    const auto values = static_cast<std::int64_t>(length_names.size());
    return kind >= 0 && kind <= split_after && rule_of(key) < rules.size() &&
           value < (kind == length ? values : trees.terminal_count());
  });
}

}  // namespace grammar
