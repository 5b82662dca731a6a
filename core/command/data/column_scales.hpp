// column_scales.hpp - finds columns of the training data with scales that differ too much.
//
// Called by train, before the first pass. Such columns make the problem ill-conditioned.
// First-order steps make little progress on small columns, and the regularizer hardly penalizes the
// weights of large ones.
//
// The scale of a column is the mean |x| of its entries. Zeros do not count, so rare words have the
// same scale as frequent ones. One outlier does not make a column large, as it would with the
// maximum. A column counts as small if it and all smaller columns together have entries for at
// least 1/100 of the rows. So a few tiny values in long documents cause no warning. A bias of the
// features counts as a column of 1.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command/data/data_columns.hpp"

namespace sculpt::core {

// Columns that differ by more than a factor of `max_ratio`. The most extreme ones come first.
struct ScaleImbalance {
  static constexpr double max_ratio = 1e3;

  double factor = 0;  // the largest scale divided by the scale of the small columns
  std::vector<ColumnMagnitude> large;  // more than max_ratio times as large as the small columns
  std::vector<ColumnMagnitude> small;  // more than max_ratio times smaller than the largest column
};
// Empty if the columns do not differ that much. `rows`: the number of rows of the data.
std::optional<ScaleImbalance> find_scale_imbalance(std::vector<ColumnMagnitude> columns,
                                                   std::int64_t rows);

// The advice for columns of different scale. It depends on the `scaling` that is set: none, one
// that can be improved, or the strongest one.
struct ColumnAdvice {
  // The instruction: "set \"scaling\": \"max_abs\" in \"dataset\"".
  std::string instruction;
  // The same as a noun after "try".
  std::string noun = "\"scaling\": \"max_abs\" in \"dataset\"";
  bool can_rescale = true;  // false: only outliers can be the cause
};
// `dataset`: the resolved parameters of the dataset. `name`: its name.
ColumnAdvice column_advice(const std::string& name, const nlohmann::ordered_json& dataset);

// The same with a kernel, which compares rows: no weight belongs to a column.
ColumnAdvice kernel_column_advice();

// The warning. "" if the columns do not differ that much, or if their scales are not known.
// `features`: the resolved parameters of the features.
std::string column_scale_warning(Problem& problem, const DataColumns& columns,
                                 const ColumnAdvice& advice,
                                 const nlohmann::ordered_json& features);

}  // namespace sculpt::core
