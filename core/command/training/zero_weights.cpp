#include "command/training/zero_weights.hpp"

#include <algorithm>

#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

std::string zero_weights_warning(const Result& result, Problem& problem) {
  const bool is_zero =
      std::all_of(result.w.begin(), result.w.end(), [](double weight) { return weight == 0; });
  if (!is_zero || result.primal != 0) return "";
  // Outputs of rows are labels. Others, such as trees, have no labels that could be missing.
  const bool are_labels = DatasetRows(problem.dataset().component()).is_offered();
  return std::string(
             "w = 0 is the solution: no other output competes with any truth, so the model has "
             "learned nothing; most often ") +
         (are_labels ? "all examples have the same label, or a file lacks a class"
                     : "each example has only one possible output, such as one tree for each "
                       "sentence of a small grammar; more or longer examples help");
}

}  // namespace sculpt::core
