#include "problem/prediction/uniformity.hpp"

#include <algorithm>

#include "base/text/message_text.hpp"
#include "problem/plugin/component.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_items> {
  static constexpr const char* id = SCULPT_EXT_ITEMS;
  static constexpr std::size_t required_functions = 1;  // item_of_label may be NULL
};

namespace {

constexpr std::size_t longest_shown = 60;
constexpr const char* learning_remedy = "; try a larger C, other features or another loss";

std::span<const std::int32_t> span_of(sculpt_labels labels) {
  return {labels.data, static_cast<std::size_t>(labels.size)};
}

bool is_one_label(std::span<const std::int32_t> labels, std::int32_t label) {
  return std::all_of(labels.begin(), labels.end(), [&](std::int32_t k) { return k == label; });
}

bool has_parts(const Dataset& dataset, const sculpt_ext_items& table, std::int64_t example,
               sculpt_labels output) {
  const LentLabels lent(dataset.component(), "the labels of an output", output);
  std::int64_t unused = 0;
  std::int64_t count = 0;
  dataset.component().call("items.items", example, [&](sculpt_error* error) {
    return table.items(dataset.component().self(), example, lent.raw(), &unused, 0, &count, error);
  });
  lent.require_unchanged(example);
  return count > 0;
}

// The text of an output in one short line.
std::string short_text(const std::string& text) {
  std::string line = text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  line = printable(line);
  return "'" + (line.size() <= longest_shown ? line : line.substr(0, longest_shown) + " ...") + "'";
}

}  // namespace

void Uniformity::Outputs::add(std::span<const std::int32_t> labels) {
  if (count == 0) first.assign(labels.begin(), labels.end());
  are_equal = are_equal && std::equal(labels.begin(), labels.end(), first.begin(), first.end());
  if (!label && !labels.empty()) label = labels.front();
  have_one_label = have_one_label && is_one_label(labels, label.value_or(0));
  ++count;
}

void Uniformity::Outputs::add(const Outputs& other) {
  if (other.count == 0) return;
  const std::int64_t before = count;
  add(other.first);
  count = before + other.count;
  if (!label) label = other.label;
  are_equal = are_equal && other.are_equal;
  have_one_label = have_one_label && other.have_one_label && (!other.label || label == other.label);
  have_parts = have_parts || other.have_parts;
}

void Uniformity::add(const Dataset& dataset, std::int64_t example, sculpt_labels truth,
                     sculpt_labels guess) {
  const std::span<const std::int32_t> true_labels = span_of(truth);
  if (guess.data == nullptr || std::count(true_labels.begin(), true_labels.end(), -1) > 0) return;
  if (guesses_.count == 0) first_example_ = example;
  last_example_ = example;
  truths_.add(true_labels);
  guesses_.add(span_of(guess));
  const auto* const table = dataset.component().extension<sculpt_ext_items>();
  if (table == nullptr) {
    knows_parts_ = false;
    return;
  }
  // One guess with a part answers the question.
  if (guesses_.have_parts) return;
  guesses_.have_parts = has_parts(dataset, *table, example, guess);
  if (!truths_.have_parts) truths_.have_parts = has_parts(dataset, *table, example, truth);
}

void Uniformity::add(const Uniformity& other) {
  if (guesses_.count == 0) first_example_ = other.first_example_;
  if (other.guesses_.count > 0) last_example_ = other.last_example_;
  truths_.add(other.truths_);
  guesses_.add(other.guesses_);
  knows_parts_ = knows_parts_ && other.knows_parts_;
}

Uniform Uniformity::kind() const {
  if (guesses_.count < 2) return Uniform::no;
  if (knows_parts_ && !guesses_.have_parts && truths_.have_parts) return Uniform::empty;
  const bool is_one_output = guesses_.are_equal && !truths_.are_equal;
  const bool is_one_label = !knows_parts_ && guesses_.have_one_label && !truths_.have_one_label;
  return is_one_output || is_one_label ? Uniform::one_output : Uniform::no;
}

std::string Uniformity::text(const Dataset& dataset) const {
  const Uniform found = kind();
  if (found == Uniform::no) return "";
  const std::string all = "all " + std::to_string(guesses_.count) + " predictions ";
  if (found == Uniform::empty) {
    return all +
           "are empty: no guess has a part, such as a pair, a bracket or a label, and truths do" +
           learning_remedy;
  }
  static const std::int32_t none = 0;
  const sculpt_labels guess{guesses_.first.empty() ? &none : guesses_.first.data(),
                            static_cast<std::int64_t>(guesses_.first.size())};
  const std::string shown = dataset.format(first_example_, guess);
  if (!guesses_.are_equal) {
    return all + "have one label everywhere, such as " + short_text(shown) + learning_remedy;
  }
  if (!guesses_.have_one_label && shown != dataset.format(last_example_, guess)) return "";
  return all + "are the same, " + short_text(shown) + learning_remedy;
}

}  // namespace sculpt::core
