// data_columns.hpp - the columns of the training data and their magnitudes.
//
// Called by train, before the first pass, and by describe, for datasets that offer their rows
// (ext/sites.h). The memory estimate and the warnings about columns use it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace sculpt::core {

struct ColumnMagnitude {
  std::int64_t column = 0;  // index of a feature of the dataset; -1: the bias
  std::int64_t entries = 0;
  double mean = 0;  // mean |x| of the entries, above 0
};

struct DataColumns {
  std::int64_t count = 0;            // Features of the dataset; 0: it offers no rows.
  std::int64_t in_use = 0;           // Columns with an entry other than 0.
  std::int64_t largest = 0;          // Largest index of a column in use.
  std::int64_t second_largest = -1;  // The same for the second largest; -1: there is none.
  std::int64_t rows = 0;
  std::vector<ColumnMagnitude> magnitudes;  // Of columns in use; empty above 4 million columns.
};

// Reads all rows once. Throws Failure, Cancelled.
DataColumns columns_of_data(Problem& problem);

// "5 labels, 310 inputs": what the dataset has learned. "" if it offers no rows.
std::string sizes_text(Problem& problem);

// A warning about one index far above all others, or about unused columns (their weights stay 0).
// "" if the columns are fine.
std::string width_warning(Problem& problem, const DataColumns& columns);

}  // namespace sculpt::core
