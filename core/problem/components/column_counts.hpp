// column_counts.hpp - the columns of rows, and their magnitudes.
//
// Called by problem/cache when it makes a cache, and by command/data.
#pragma once

#include <cstdint>
#include <vector>

#include "problem/components/dataset.hpp"

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

// Reads all rows of these examples once. Throws Failure, Cancelled.
DataColumns columns_of(const Component& dataset, const ExampleList& examples, Services& services);

}  // namespace sculpt::core
