// top_weights.hpp - the largest weights of a model, with their names.
//
// Called by describe and report.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/components/weight_units.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// Names the weights of a model, with their columns. `problem` may be nullptr: weights then have
// numbers in place of names.
class WeightNames {
 public:
  // `is_named_by_scale`: names may end in the scale of their column. The problem outlives this.
  WeightNames(Problem* problem, bool is_named_by_scale);

  WeightUnit unit_of(std::int64_t weight) const;

 private:
  Problem* problem_;
  bool is_named_by_scale_;
  std::optional<WeightUnits> units_;
};

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

// How the dataset scaled its columns, as the header of a model tells; "none" if it did not.
std::string scaling_in(const nlohmann::ordered_json& header);

}  // namespace sculpt::core
