// weight_units.hpp - what a weight is worth for one unit of the data, if the dataset scaled its
// columns (sculpt/ext/draft/column_scale.h).
//
// Called by describe. For components without this extension, scaled_name.hpp reads the scale from
// the name of the weight.
#pragma once

#include <sculpt/ext/draft/column_scale.h>

#include <optional>
#include <string>

#include "problem/components/dataset_rows.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_column_scale> {
  static constexpr const char* id = SCULPT_EXT_COLUMN_SCALE;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_weight_column> {
  static constexpr const char* id = SCULPT_EXT_WEIGHT_COLUMN;
  static constexpr std::size_t required_functions = 1;
};

// A weight w of the column (x - shift) / divisor is w / divisor for one unit of x.
struct WeightUnit {
  std::string name;               // without the scale of the column
  std::optional<double> divisor;  // nullopt: the weight belongs to no column, or to several
};

class WeightUnits {
 public:
  // Sealed components, which outlive this.
  WeightUnits(const Component& dataset, const Component& features);

  // True if both components report the scale, and the dataset has columns. Required by the next
  // function.
  bool is_offered() const {
    return scales_ != nullptr && columns_ != nullptr && rows_.is_offered();
  }
  // `name`: the name of the weight as the features give it. Throws Failure (Exit::plugin) if the
  // features name a column that the dataset does not have. [any]
  WeightUnit unit_of(std::int64_t weight, const std::string& name) const;

 private:
  // The name of a column without its scale.
  std::string plain_name(std::int64_t column) const;

  const Component& dataset_;
  const Component& features_;
  DatasetRows rows_;
  const sculpt_ext_column_scale* scales_;
  const sculpt_ext_weight_column* columns_;
};

}  // namespace sculpt::core
