#include "command/training/zero_weights.hpp"

#include <algorithm>

namespace sculpt::core {

std::string zero_weights_warning(const Result& result) {
  const bool is_zero =
      std::all_of(result.w.begin(), result.w.end(), [](double weight) { return weight == 0; });
  if (!is_zero || result.primal != 0) return "";
  return "w = 0 is the solution: no other output competes with any truth, so the model has learned "
         "nothing; most often all examples have the same label, or a file lacks a class";
}

}  // namespace sculpt::core
