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

std::string text_of(const sculpt::LabelTextRef& dataset, const std::vector<std::int32_t>& y) {
  return sculpt::text_written([&](sculpt::ByteOutput& out) { dataset.format(0, y, out); });
}

// The items of "1,3,4".
std::vector<std::string> items_of(const std::string& list) {
  std::vector<std::string> items;
  std::size_t begin = 0;
  for (std::size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = list.find(',', begin);
    items.push_back(list.substr(begin, comma - begin));
  }
  return items;
}

// [labels] the texts of the labels. Each output takes time for all labels, so they are asked for at
// once, as a list, and only a few of them alone.
std::vector<std::string> texts_of_labels(const sculpt::LabelTextRef& dataset, std::int64_t labels) {
  constexpr std::int64_t checked_labels = 16;
  std::vector<std::string> texts =
      items_of(text_of(dataset, std::vector<std::int32_t>(static_cast<std::size_t>(labels), 1)));
  const bool is_list = std::ssize(texts) == labels;
  texts.resize(static_cast<std::size_t>(labels));
  std::vector<std::int32_t> y(texts.size(), 0);
  const std::int64_t step = is_list ? std::max<std::int64_t>(labels / checked_labels, 1) : 1;
  for (std::int64_t label = 0; label < labels; label += step) {
    const auto k = static_cast<std::size_t>(label);
    y[k] = 1;
    const std::string text = text_of(dataset, y);
    y[k] = 0;
    if (is_list && text != texts[k]) return {};
    texts[k] = text;
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
