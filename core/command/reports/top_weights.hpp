// top_weights.hpp - the largest weights of a model, with their names.
//
// Called by describe and report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command/reports/weight_names.hpp"
#include "linalg/vector.hpp"
#include "problem/components/weight_units.hpp"

namespace sculpt::core {

struct TopWeights {
  std::vector<double> weights;
  std::vector<WeightUnit> units;  // of `weights`

  // True if a dataset scaled its columns, also without a parameter "scaling".
  bool is_scaled() const;
};

// The `max_count` largest weights other than 0, the largest first, and for equal ones the smallest
// index first. Reads the weights once and needs memory for `max_count` indices.
TopWeights top_weights(const Vector& w, std::int64_t max_count, const WeightNames& names);

// The weight for one unit of x. A weight w of the column (x - shift) / divisor is w / divisor per
// unit. This overflows if the column is as small as 1e-310. "-": the weight has no divisor.
std::string unit_text(double weight, const WeightUnit& unit);

}  // namespace sculpt::core
