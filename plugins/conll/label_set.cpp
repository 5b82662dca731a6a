#include "label_set.hpp"

#include <sculpt/cpp/error.hpp>

namespace {

// Throws E_INVALID unless the number is in [0, count).
void check_label(std::int64_t number, std::int64_t count) {
  if (number >= 0 && number < count) return;
  throw sculpt::Error(SCULPT_E_INVALID, "label " + std::to_string(number) +
                                            " does not exist; labels are 0 to " +
                                            std::to_string(count - 1));
}

}  // namespace

void LabelSet::learn(std::string_view label) {
  if (known_.add(label) == static_cast<std::int64_t>(tags_.size())) add_tag(label);
}

std::string_view LabelSet::text(std::int64_t state) const {
  check_label(state, size());
  return known_.text(state);
}

const ChunkTag& LabelSet::tag(std::int32_t number) const {
  check_label(number, static_cast<std::int64_t>(tags_.size()));
  return tags_[static_cast<std::size_t>(number)];
}

std::string LabelSet::list_of(const Dictionary& labels) {
  constexpr std::int64_t max_listed = 10;
  std::string list = "(";
  for (std::int64_t k = 0; k < labels.size() && k < max_listed; ++k) {
    list += (k > 0 ? ", " : "") + std::string(labels.text(k));
  }
  return list + (labels.size() > max_listed ? ", ...)" : ")");
}

std::int32_t LabelSet::add_unseen(std::string_view label) {
  const std::int32_t number = size() + unseen_.add(label);
  if (number == static_cast<std::int64_t>(tags_.size())) add_tag(label);
  return number;
}

void LabelSet::restore(sculpt::StateReader& reader) {
  known_.restore(reader);
  if (size() == 0) reader.damaged();
  for (std::int64_t k = 0; k < size(); ++k) add_tag(known_.text(k));
}

void LabelSet::add_tag(std::string_view label) {
  const std::optional<ChunkTag> tag = chunk_tag(label);
  all_are_chunk_labels_ = all_are_chunk_labels_ && tag;
  tags_.push_back(tag.value_or(ChunkTag()));
}
