#include "command/reports/marginal_printer.hpp"

#include <algorithm>
#include <span>

#include "base/text/message_text.hpp"
#include "problem/prediction/probabilities.hpp"

namespace sculpt::core {

void MarginalPrinter::print(std::int64_t example, const Marginals& marginals) {
  const std::size_t positions = marginals.positions();
  if (positions == 0) {
    if (has_begun_) return print_no_output();
    ++waiting_;
    return;
  }
  if (!has_begun_) begin(example, marginals);
  for (std::size_t v = 0; v < positions; ++v) {
    const std::span<const double> row = marginals.row(v);
    for (std::size_t k = prints_sets_ ? 1 : 0; k < row.size(); ++k) {
      const bool ends_line = prints_sets_ ? v + 1 == positions : k + 1 == row.size();
      out_ << exact_number_text(row[k]) << (ends_line ? '\n' : ' ');
    }
  }
  if (ends_with_empty_line_) out_ << '\n';
}

// Only an example with an output shows what predict prints for those without one.
void MarginalPrinter::begin(std::int64_t example, const Marginals& marginals) {
  has_begun_ = true;
  prints_sets_ = are_label_sets(marginals);
  ends_with_empty_line_ = has_empty_line_after(example, marginals);
  if (names_labels_) {
    out_ << '#';
    for (const std::string& name :
         prints_sets_ ? names_of_label_set(dataset_, example,
                                           static_cast<std::int64_t>(marginals.positions()))
                      : names_of(marginals.row(0).size())) {
      out_ << ' ' << as_one_word(name);
    }
    out_ << '\n';
  }
  for (; waiting_ > 0; --waiting_) print_no_output();
}

// predict prints an empty line for such an example.
void MarginalPrinter::print_no_output() {
  if (prints_sets_ || ends_with_empty_line_) out_ << '\n';
}

// True if the outputs are label sets: the dataset has as many labels for every example, each on or
// off.
bool MarginalPrinter::are_label_sets(const Marginals& marginals) const {
  if (!rows_.is_offered()) return false;
  const auto positions = static_cast<std::int64_t>(marginals.positions());
  if (rows_.shape().variable_count != positions) return false;
  for (std::size_t v = 0; v < marginals.positions(); ++v) {
    if (marginals.row(v).size() != 2) return false;
  }
  return true;
}

// The names that the dataset has for labels, or their numbers.
std::vector<std::string> MarginalPrinter::names_of(std::size_t count) const {
  const bool are_named =
      rows_.is_offered() && rows_.shape().state_count == static_cast<std::int64_t>(count);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) {
    names.push_back(are_named ? rows_.state_name(static_cast<std::int32_t>(k)) : std::to_string(k));
  }
  return names;
}

// True if predict prints an empty line after this example, which is a sentence then.
bool MarginalPrinter::has_empty_line_after(std::int64_t example, const Marginals& marginals) const {
  const Prediction guess = most_probable_labels(marginals);
  return dataset_.format(example, guess.raw()).ends_with('\n');
}

std::vector<std::string> names_of_label_set(const Dataset& dataset, std::int64_t example,
                                            std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t v = 0; v < count; ++v) {
    std::vector<std::int32_t> set(static_cast<std::size_t>(count), 0);
    set[static_cast<std::size_t>(v)] = 1;
    names.push_back(dataset.format(example, {set.data(), count}));
  }
  return names;
}

std::string as_one_word(const std::string& name) {
  std::string word = printable(name);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

}  // namespace sculpt::core
