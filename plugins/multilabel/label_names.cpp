#include "label_names.hpp"

#include <sculpt/cpp/lent.hpp>
#include <sculpt/cpp/text_buffer.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace {

// True if each text is a line, and no two are equal.
bool are_names(const std::vector<std::string>& texts) {
  std::set<std::string_view> seen;
  return std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return !text.empty() && text.find('\n') == std::string::npos && seen.insert(text).second;
  });
}

bool are_places(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] != std::to_string(k + 1)) return false;
  }
  return true;
}

// [labels] the text of an output with only this label on.
std::vector<std::string> texts_of_labels(const sculpt::LabelTextRef& dataset, std::int64_t labels) {
  std::vector<std::string> texts;
  std::vector<std::int32_t> y(static_cast<std::size_t>(labels), 0);
  for (std::int32_t& state : y) {
    state = 1;
    texts.push_back(
        sculpt::text_written([&](sculpt::ByteOutput& out) { dataset.format(0, y, out); }));
    state = 0;
  }
  return texts;
}

}  // namespace

void LabelNames::read(sculpt::Ref dataset, const sculpt::SiteInput& input, std::int64_t labels) {
  labels_ = labels;
  if (is_restored_) {
    if (!names_.empty() && std::ssize(names_) != labels) sculpt::StateReader::damaged();
    return;
  }
  names_.clear();
  if (input.example_count() == 0 || !sculpt::LabelTextRef::is_offered_by(dataset)) return;
  names_ = texts_of_labels(sculpt::LabelTextRef(dataset), labels);
  if (!are_names(names_) || are_places(names_)) names_.clear();
}

std::string LabelNames::of(std::int64_t label) const {
  return names_.empty() ? std::to_string(label + 1) : names_[static_cast<std::size_t>(label)];
}

std::optional<std::int32_t> LabelNames::find(std::string_view name) const {
  if (!names_.empty()) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::int32_t>(found - names_.begin());
  }
  std::int32_t place = 0;
  const auto [stop, problem] = std::from_chars(name.data(), name.data() + name.size(), place);
  const bool is_place = problem == std::errc() && std::to_string(place) == name;
  if (!is_place || place < 1 || place > labels_) return std::nullopt;
  return place - 1;
}

void LabelNames::restore(sculpt::StateReader& reader, bool is_saved) {
  is_restored_ = true;
  names_.clear();
  if (!is_saved) return;
  names_ = reader.texts();
  if (!are_names(names_)) reader.damaged();
}
