// marginal_printer.hpp - prints the probabilities of labels, one example after the other, as
// predict
// --marginals does (probability_lines.hpp).
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "problem/components/dataset.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/oracle/expectations.hpp"

namespace sculpt::core {

class MarginalPrinter {
 public:
  // Both arguments outlive this. `names_labels`: the first line names the labels.
  MarginalPrinter(const Dataset& dataset, std::ostream& out, bool names_labels = true)
      : dataset_(dataset), rows_(dataset.component()), out_(out), names_labels_(names_labels) {}

  // True if an example with an output was printed.
  bool has_begun() const { return has_begun_; }
  // Prints the lines of one example. Without positions it has no output. [main]
  void print(std::int64_t example, const Marginals& marginals);

 private:
  void begin(std::int64_t example, const Marginals& marginals);
  void print_no_output();
  bool are_label_sets(const Marginals& marginals) const;
  std::vector<std::string> names_of(std::size_t count) const;
  bool has_empty_line_after(std::int64_t example, const Marginals& marginals) const;

  const Dataset& dataset_;
  DatasetRows rows_;
  std::ostream& out_;
  const bool names_labels_;
  bool has_begun_ = false;
  bool prints_sets_ = false;
  bool ends_with_empty_line_ = false;
  std::int64_t waiting_ = 0;  // examples without an output before the first one that has one
};

// The names of the labels of a label set: how the dataset writes the sets of one label. `count`: of
// all labels. [any]
std::vector<std::string> names_of_label_set(const Dataset& dataset, std::int64_t example,
                                            std::int64_t count);

// Writes "New York" as New_York, because blanks separate columns. [any]
std::string as_one_word(const std::string& name);

}  // namespace sculpt::core
