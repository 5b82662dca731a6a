#include "command/reports/top_weights.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/message_text.hpp"
#include "command/reports/largest_values.hpp"

namespace sculpt::core {

bool TopWeights::is_scaled() const {
  return std::any_of(units.begin(), units.end(),
                     [](const WeightUnit& unit) { return unit.divisor.value_or(1) != 1; });
}

TopWeights top_weights(const Vector& w, std::int64_t max_count, const WeightNames& names) {
  LargestValues largest(static_cast<std::size_t>(std::max<std::int64_t>(0, max_count)));
  for (std::int64_t k = 0; k < std::ssize(w); ++k) largest.add(k, w[static_cast<std::size_t>(k)]);
  TopWeights top;
  for (const std::int64_t index : largest.take()) {
    top.weights.push_back(w[static_cast<std::size_t>(index)]);
    top.units.push_back(names.unit_of(index));
  }
  return top;
}

std::string unit_text(double weight, const WeightUnit& unit) {
  if (!unit.divisor) return "-";
  const double per_unit = weight / *unit.divisor;
  if (std::isinf(per_unit)) return per_unit > 0 ? "> 1.8e+308" : "< -1.8e+308";
  return number_text(per_unit);
}

}  // namespace sculpt::core
