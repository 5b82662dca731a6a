// column_scales.hpp - whether columns of the training data differ so much in size that the run
// suffers.
//
// Called by train, before the first pass. Such columns make the problem ill-conditioned:
// first-order steps creep along the small ones, and the regularizer weighs a weight of a large one
// for nothing.
//
// The size of a column is the mean |x| of the entries that it has. Zeros do not count, so rare
// words are as large as frequent ones; nor does one outlier make a column large, as it would with
// the maximum. Columns are small if they have an entry in a hundredth of the rows or more, together
// with those that are smaller still. So the few tiny weights of a text in long documents are no
// alarm. A bias of the features counts as a column of 1.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command/data/data_columns.hpp"

namespace sculpt::core {

// Columns that differ by more than `most_apart`, the most extreme ones first.
struct ScaleImbalance {
  static constexpr double most_apart = 1e3;

  double factor = 0;
  std::vector<ColumnScale> large;  // more than most_apart times as large as some that is small
  std::vector<ColumnScale> small;  // the reverse
};
std::optional<ScaleImbalance> find_scale_imbalance(std::vector<ColumnScale> columns,
                                                   std::int64_t rows);

// What brings the columns to one size, by the scaling that is set: none, one that leaves some
// apart, or one beyond which there is none.
struct ColumnRemedy {
  // "set \"scaling\": \"max_abs\" in \"dataset\"": what to do.
  std::string to_do;
  // "scaling of the columns": the same as a thing, in the singular.
  std::string what = "scaling of the columns";
  bool has_another = true;  // false: only outliers can be the cause
};
// `dataset` is its resolved parameters, `name` the dataset's.
ColumnRemedy column_remedy(const std::string& name, const nlohmann::ordered_json& dataset);

// The warning, or "": columns do not differ so much, or nothing is known of their sizes.
// `features` is their resolved parameters.
std::string column_warning(Problem& problem, const DataColumns& columns, const ColumnRemedy& remedy,
                           const nlohmann::ordered_json& features);

}  // namespace sculpt::core
