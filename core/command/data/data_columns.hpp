// data_columns.hpp - the columns of the training data and their magnitudes.
//
// Called by train, before the first pass, and by describe, for datasets that offer their rows
// (ext/sites.h). The memory estimate and the warnings about columns use it.
#pragma once

#include <string>

#include "problem/components/column_counts.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// Those of the training examples. Reads all rows once, unless they are known from a cache.
// Throws Failure, Cancelled.
DataColumns columns_of_data(Problem& problem);

// "5 labels, 310 inputs": what the dataset has learned. "" if it offers no rows.
std::string sizes_text(Problem& problem);

// A warning about one index far above all others, or about unused columns (their weights stay 0).
// "" if the columns are fine.
std::string width_warning(Problem& problem, const DataColumns& columns);

}  // namespace sculpt::core
