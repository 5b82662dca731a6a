#include "coverage_features.hpp"

#include "all_choices.hpp"

namespace diversity {

namespace {

// Throws unless a parameter is increasing and short enough.
template <class Number>
void check_list(const std::vector<Number>& list, std::size_t max_size, const std::string& name) {
  if (std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) != list.end()) {
    throw sculpt::parameter_error(name + " is not increasing; sort it, and write each number once");
  }
  if (list.size() > max_size) {
    throw sculpt::parameter_error(name + " has " + std::to_string(list.size()) +
                                  " numbers; write at most " + std::to_string(max_size));
  }
}

std::string short_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace

CoverageFeatures::CoverageFeatures(const sculpt::Parameters& given)
    : frequency_(given.reals("frequency")),
      levels_(given.integers("counts")),
      normalize_(given.boolean("normalize")),
      nonnegative_(given.boolean("nonnegative")) {
  check_list(frequency_, max_thresholds, "frequency");
  check_list(levels_, max_levels, "counts");
  if (levels_.empty()) {
    throw sculpt::parameter_error("counts is empty, so no word is covered; write [1]");
  }
  if (!frequency_.empty() && frequency_.front() == 0) {
    throw sculpt::parameter_error(
        "frequency begins with 0, but no word has a smaller share; begin with a share above 0");
  }
}

void CoverageFeatures::bind(const sculpt::Bindings& bindings) {
  topics_ = &topics_of(bindings.dataset);
  covers_.clear();
  for (std::int64_t example = 0; example < topics_->count(); ++example) {
    covers_.push_back(make_covers(topics_->topic(example)));
  }
}

// Elements are numbered level by level, in the order of the words. Words that no document covers
// have no element.
CoverageFeatures::Covers CoverageFeatures::make_covers(const Topic& topic) const {
  const auto words = static_cast<std::size_t>(topic.word_count);
  const auto each_element = [&](const std::vector<WordCount>& document, auto visit) {
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      for (const WordCount& word : document) {
        if (word.count >= levels_[level]) {
          visit(level * words + static_cast<std::size_t>(word.word));
        }
      }
    }
  };
  std::vector<std::int32_t> document_counts(levels_.size() * words, 0);
  for (const auto& document : topic.words) {
    each_element(document, [&](std::size_t element) { ++document_counts[element]; });
  }
  Covers covers;
  covers.element_value = normalize_ && words > 0 ? 1 / static_cast<double>(words) : 1;
  std::vector<std::int32_t> element_numbers(document_counts.size(), -1);
  for (std::size_t element = 0; element < document_counts.size(); ++element) {
    if (document_counts[element] == 0) continue;
    element_numbers[element] = static_cast<std::int32_t>(covers.feature.size());
    const double share = document_counts[element] / static_cast<double>(topic.document_count());
    const auto bin = std::upper_bound(frequency_.begin(), frequency_.end(), share);
    covers.feature.push_back(static_cast<std::int32_t>(
        element / words * bins() + static_cast<std::size_t>(bin - frequency_.begin())));
  }
  for (const auto& document : topic.words) {
    each_element(document, [&](std::size_t element) { covers.sets.add(element_numbers[element]); });
    covers.sets.end_document();
  }
  covers.sets.finish(static_cast<std::int32_t>(covers.feature.size()));
  return covers;
}

void CoverageFeatures::features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
  topics_->topic(example).check(y);
  const Covers& covers = this->covers(example);
  each_covered(covers.sets, y, [&](std::int32_t element) {
    sum.add(covers.feature[static_cast<std::size_t>(element)], covers.element_value);
  });
}

void CoverageFeatures::values(std::int64_t example, std::span<const double> w,
                              std::span<double> value) const {
  const Covers& covers = this->covers(example);
  for (std::size_t element = 0; element < covers.feature.size(); ++element) {
    value[element] = w[static_cast<std::size_t>(covers.feature[element])] * covers.element_value;
  }
}

void CoverageFeatures::weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
  const std::size_t level = static_cast<std::size_t>(weight) / bins();
  const std::size_t bin = static_cast<std::size_t>(weight) % bins();
  out << "words ";
  if (levels_[level] > 1) out << levels_[level] << " times ";
  const std::string from = bin > 0 ? short_text(frequency_[bin - 1]) : "0";
  const std::string to = bin < frequency_.size() ? short_text(frequency_[bin]) : "1";
  out << "in " << from << " to " << to << " of the candidates";
}

std::int64_t CoverageFeatures::enumerate(std::int64_t example, std::int64_t limit,
                                         const sculpt::Visit& visit) const {
  const Topic& topic = topics_->topic(example);
  return each_choice(topic.document_count(), topic.choice_size, limit, visit);
}

}  // namespace diversity
